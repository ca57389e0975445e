/* iree_linalg_ext.winograd.*: every tile between two constant matrices.
 *
 * For output tiles of 6 x 6 and kernels of 3 x 3 (tiles of 8 x 8 in the Winograd domain), the matrices that belong to the points
 * 0, 1, -1, 2, -2, 1/2, -1/2 and infinity.  Both products are sums in loop order: first (tile x right), then (left x that), in the
 * element type.  Past the edge of an image are zeros; of tiles that stick out, the part past the edge is not written. */
#include "expand_ext.h"

enum { OUT_TILE = 6, KERNEL = 3, IN_TILE = 8 };

/* transpose(B), transpose(A) and G, row by row. */
static const double transposed_b[IN_TILE * IN_TILE] = {
    1, 0,    -5.25, 0,     5.25,  0,     -1, 0, //
    0, 1,    1,     -4.25, -4.25, 1,     1,  0, //
    0, -1,   1,     4.25,  -4.25, -1,    1,  0, //
    0, 0.5,  0.25,  -2.5,  -1.25, 2,     1,  0, //
    0, -0.5, 0.25,  2.5,   -1.25, -2,    1,  0, //
    0, 2,    4,     -2.5,  -5,    0.5,   1,  0, //
    0, -2,   4,     2.5,   -5,    -0.5,  1,  0, //
    0, -1,   0,     5.25,  0,     -5.25, 0,  1, //
};
static const double transposed_a[OUT_TILE * IN_TILE] = {
    1, 1, 1,  1,  1,   1,       1,        0, //
    0, 1, -1, 2,  -2,  0.5,     -0.5,     0, //
    0, 1, 1,  4,  4,   0.25,    0.25,     0, //
    0, 1, -1, 8,  -8,  0.125,   -0.125,   0, //
    0, 1, 1,  16, 16,  0.0625,  0.0625,   0, //
    0, 1, -1, 32, -32, 0.03125, -0.03125, 1, //
};
static const double matrix_g[IN_TILE * KERNEL] = {
    1,         0,          0,        //
    -2.0 / 9,  -2.0 / 9,   -2.0 / 9, //
    -2.0 / 9,  2.0 / 9,    -2.0 / 9, //
    1.0 / 90,  1.0 / 45,   2.0 / 45, //
    1.0 / 90,  -1.0 / 45,  2.0 / 45, //
    32.0 / 45, 16.0 / 45,  8.0 / 45, //
    32.0 / 45, -16.0 / 45, 8.0 / 45, //
    0,         0,          1,        //
};

typedef struct Winograd {
    Builder *b;
    const Type *elem;
    const double *matrix; /* rows x inner: result = matrix x tile x transpose(matrix) */
    uint32_t rows, inner;
} Winograd;

/* The matrix, rounded once to the element type. */
static Value *constant_matrix(const Winograd *w)
{
    Builder *b = w->b;
    Context *ctx = b->ctx;
    const int64_t dims[2] = {w->rows, w->inner};
    const Type *f64 = vmc_type_float(ctx, FLOAT_F64), *type = vmc_type_tensor(ctx, 2, dims, f64, NULL);
    size_t count = (size_t)w->rows * w->inner;
    uint8_t *bytes = vmc_arena_alloc(&ctx->arena, 8 * count);
    for (size_t i = 0; i < count; i++) {
        uint64_t bits;
        memcpy(&bits, &w->matrix[i], sizeof bits);
        for (size_t k = 0; k < 8; k++)
            bytes[8 * i + k] = (uint8_t)(bits >> 8 * k);
    }
    Value *exact = vmc_build_const(b, vmc_attr_dense(ctx, type, bytes, 8 * count, false, true), type);
    if (w->elem == f64)
        return exact;
    Builder body;
    const AffineMap *map = vmc_affine_identity(ctx, 2);
    Value *out = vmc_empty_tensor(b, vmc_type_tensor(ctx, 2, dims, w->elem, NULL), NULL);
    Op *generic = vmc_build_map(b, 1, &exact, &map, out, &body);
    Value *rounded = vmc_linalg_cast(&body, vmc_entry(generic, 0)->args[0], w->elem, false);
    vmc_build_yield(&body, "linalg.yield", 1, &rounded);
    return &generic->results[0];
}

static Value *product_body(Builder *b, Value *const *args)
{
    return vmc_binary(b, "arith.addf", args[2], vmc_binary(b, "arith.mulf", args[0], args[1]));
}

/* Dimension `dim` of the tiles, times the matrix: element r is the sum over k of tile element k times matrix[r, k]. */
static Value *multiply(const Winograd *w, Value *tiles, Value *matrix, uint32_t dim)
{
    Builder *b = w->b;
    Context *ctx = b->ctx;
    const Type *from = tiles->type;
    uint32_t rank = from->rank;
    int64_t *dims = ARENA_ARRAY(&ctx->arena, int64_t, rank + 1);
    Value **sizes = vmc_sizes_of(b, tiles);
    const AffineExpr **in = ARENA_ARRAY(&ctx->arena, const AffineExpr *, rank + 1);
    LoopKind *loops = ARENA_ARRAY(&ctx->arena, LoopKind, rank + 2);
    for (uint32_t i = 0; i < rank; i++) {
        dims[i] = i == dim ? w->rows : from->dims[i];
        in[i] = vmc_affine_dim(ctx, i == dim ? rank : i);
    }
    loops[rank] = LOOP_REDUCTION;
    Value *out = vmc_build_fill(b, vmc_build_float(b, w->elem, 0),
                                vmc_empty_tensor(b, vmc_type_tensor(ctx, rank, dims, w->elem, NULL), sizes));
    const AffineExpr *at[2] = {vmc_affine_dim(ctx, dim), vmc_affine_dim(ctx, rank)};
    const AffineExpr **same = ARENA_ARRAY(&ctx->arena, const AffineExpr *, rank + 1);
    for (uint32_t i = 0; i < rank; i++)
        same[i] = vmc_affine_dim(ctx, i);
    const AffineMap *maps[3] = {vmc_affine_map(ctx, rank + 1, 0, rank, in, NULL), vmc_affine_map(ctx, rank + 1, 0, 2, at, NULL),
                                vmc_affine_map(ctx, rank + 1, 0, rank, same, NULL)};
    Value *ins[2] = {tiles, matrix};
    Op *generic = vmc_build_generic(b, 2, ins, 1, &out, maps, rank + 1, loops);
    Builder body = vmc_at_end(ctx, vmc_entry(generic, 0), b->pos);
    Value *value = product_body(&body, vmc_entry(generic, 0)->args);
    vmc_build_yield(&body, "linalg.yield", 1, &value);
    return &generic->results[0];
}

/* matrix x tile x transpose(matrix) on dims 0 and 1: the right product first. */
static Value *transform(const Winograd *w, Value *tiles)
{
    Value *matrix = constant_matrix(w);
    return multiply(w, multiply(w, tiles, matrix, 1), matrix, 0);
}

static bool channels_first(Context *ctx, const Op *op, const char *attr)
{
    const int64_t *dims;
    return vmc_attr_ints(ctx, vmc_get_attr(op, attr), &dims) == 2 && dims[0] == 2;
}

/* Tiles (i, j, n, th, tw, c) of an image: element (6 th + i, 6 tw + j), zero past the edge. */
static Value *cut_tiles(Builder *b, const Op *op, Value *image, Value *like)
{
    Context *ctx = b->ctx;
    bool first = channels_first(ctx, op, "image_dimensions");
    Value **sizes = vmc_sizes_of(b, image), *tile = vmc_build_index(b, OUT_TILE);
    Value *height = sizes[first ? 2 : 1], *width = sizes[first ? 3 : 2];
    Value *zero = vmc_build_float(b, image->type->elem, 0);
    Builder body, yes, no;
    Op *generic = vmc_build_map(b, 0, NULL, NULL, like, &body);
    Value *at[6];
    for (uint32_t i = 0; i < 6; i++)
        at[i] = vmc_build_index_op(&body, i);
    Value *y = vmc_binary(&body, "arith.addi", vmc_binary(&body, "arith.muli", at[3], tile), at[0]);
    Value *x = vmc_binary(&body, "arith.addi", vmc_binary(&body, "arith.muli", at[4], tile), at[1]);
    Value *inside = vmc_binary(&body, "arith.andi", vmc_cmpi(&body, CMPI_SLT, y, height), vmc_cmpi(&body, CMPI_SLT, x, width));
    Op *choice = vmc_build_choice(&body, inside, image->type->elem, &yes, &no);
    Value *const last[4] = {at[2], y, x, at[5]}, *const channels[4] = {at[2], at[5], y, x};
    Value *read = vmc_extract(&yes, image, first ? channels : last);
    vmc_build_yield(&yes, "scf.yield", 1, &read);
    vmc_build_yield(&no, "scf.yield", 1, &zero);
    Value *element = &choice->results[0];
    vmc_build_yield(&body, "linalg.yield", 1, &element);
    return &generic->results[0];
}

/* The image whose tiles these are. */
static Value *join_tiles(Builder *b, const Op *op, Value *tiles, Value *image)
{
    bool first = channels_first(b->ctx, op, "image_dimensions");
    Value *tile = vmc_build_index(b, OUT_TILE), *at[4];
    Builder body;
    Op *generic = vmc_build_map(b, 0, NULL, NULL, image, &body);
    for (uint32_t i = 0; i < 4; i++)
        at[i] = vmc_build_index_op(&body, i);
    Value *y = at[first ? 2 : 1], *x = at[first ? 3 : 2], *c = at[first ? 1 : 3];
    Value *const from[6] = {vmc_binary(&body, "arith.remui", y, tile), vmc_binary(&body, "arith.remui", x, tile), at[0],
                            vmc_binary(&body, "arith.divui", y, tile), vmc_binary(&body, "arith.divui", x, tile), c};
    Value *element = vmc_extract(&body, tiles, from);
    vmc_build_yield(&body, "linalg.yield", 1, &element);
    return &generic->results[0];
}

/* The kernel with its window in front: (y, x, c, f). */
static Value *window_first(Builder *b, const Op *op, Value *kernel)
{
    Context *ctx = b->ctx;
    if (!channels_first(ctx, op, "kernel_dimensions"))
        return kernel;
    const int64_t *d = kernel->type->dims, dims[4] = {d[2], d[3], d[1], d[0]};
    Value **sizes = vmc_sizes_of(b, kernel), *sizes_out[4] = {sizes[2], sizes[3], sizes[1], sizes[0]};
    const AffineExpr *from[4] = {vmc_affine_dim(ctx, 3), vmc_affine_dim(ctx, 2), vmc_affine_dim(ctx, 0), vmc_affine_dim(ctx, 1)};
    const AffineMap *map = vmc_affine_map(ctx, 4, 0, 4, from, NULL);
    Builder body;
    Value *out = vmc_empty_tensor(b, vmc_type_tensor(ctx, 4, dims, kernel->type->elem, NULL), sizes_out);
    Op *generic = vmc_build_map(b, 1, &kernel, &map, out, &body);
    vmc_build_yield(&body, "linalg.yield", 1, &vmc_entry(generic, 0)->args[0]);
    return &generic->results[0];
}

/* Sizes are those of the output: what was computed is copied into it, and must fill it. */
static Value **put(Builder *b, const Op *op, Value *value, Value *output)
{
    Context *ctx = b->ctx;
    for (uint32_t i = 0; i < output->type->rank; i++)
        vmc_require_equal(b, op, vmc_dim_of(b, value, i), vmc_dim_of(b, output, i), "the output has another size", i);
    const AffineMap *map = vmc_affine_identity(ctx, output->type->rank);
    Builder body;
    Op *generic = vmc_build_map(b, 1, &value, &map, output, &body);
    vmc_build_yield(&body, "linalg.yield", 1, &vmc_entry(generic, 0)->args[0]);
    Value **results = ARENA_ARRAY(&ctx->arena, Value *, 1);
    results[0] = &generic->results[0];
    return results;
}

Value **vmc_ext_winograd(Builder *b, Op *op)
{
    Value *input = op->operands[0].value, *output = op->operands[1].value;
    Winograd w = {.b = b, .elem = input->type->elem};
    if (vmc_is(op, "iree_linalg_ext.winograd.filter_transform")) {
        w.matrix = matrix_g;
        w.rows = IN_TILE;
        w.inner = KERNEL;
        return put(b, op, transform(&w, window_first(b, op, input)), output);
    }
    if (vmc_is(op, "iree_linalg_ext.winograd.input_transform")) {
        w.matrix = transposed_b;
        w.rows = w.inner = IN_TILE;
        return put(b, op, transform(&w, cut_tiles(b, op, input, output)), output);
    }
    w.matrix = transposed_a;
    w.rows = OUT_TILE;
    w.inner = IN_TILE;
    Value **results = ARENA_ARRAY(&b->ctx->arena, Value *, 1);
    results[0] = join_tiles(b, op, transform(&w, input), output);
    return results;
}
