/* The Winograd transforms of iree_linalg_ext and linalg: every tile between two constant matrices.
 *
 * A row of the table is F(m, r): output tiles of m, kernels of r, tiles of m + r - 1 in the Winograd domain.  Input tiles become
 * transpose(B) X B, kernels G F transpose(G), output tiles factor^2 transpose(A) X A.  Each product is sums in loop order in the
 * element type, from 0.  iree_linalg_ext forms the right product first, takes zeros past the edge of an image and overwrites the
 * output; linalg forms the left one first, has no edges, adds to the output, and leaves a dimension alone along which the kernel
 * is 1. */
#include "expand_ext.h"

typedef struct Matrices {
    const char *dialect; /* of the ops that mean this row */
    int64_t m, r;
    const double *g, *b, *a; /* G: (m + r - 1) x r, transpose(B): (m + r - 1) x (m + r - 1), transpose(A): m x (m + r - 1) */
    double factor;
} Matrices;

/* Points 0, 1, -1, 2, -2, 1/2, -1/2, infinity. */
static const double b_6_3[] = {
    1, 0,    -5.25, 0,     5.25,  0,     -1, 0, //
    0, 1,    1,     -4.25, -4.25, 1,     1,  0, //
    0, -1,   1,     4.25,  -4.25, -1,    1,  0, //
    0, 0.5,  0.25,  -2.5,  -1.25, 2,     1,  0, //
    0, -0.5, 0.25,  2.5,   -1.25, -2,    1,  0, //
    0, 2,    4,     -2.5,  -5,    0.5,   1,  0, //
    0, -2,   4,     2.5,   -5,    -0.5,  1,  0, //
    0, -1,   0,     5.25,  0,     -5.25, 0,  1, //
};
static const double a_6_3[] = {
    1, 1, 1,  1,  1,   1,       1,        0, //
    0, 1, -1, 2,  -2,  0.5,     -0.5,     0, //
    0, 1, 1,  4,  4,   0.25,    0.25,     0, //
    0, 1, -1, 8,  -8,  0.125,   -0.125,   0, //
    0, 1, 1,  16, 16,  0.0625,  0.0625,   0, //
    0, 1, -1, 32, -32, 0.03125, -0.03125, 1, //
};
static const double g_6_3[] = {
    1,         0,          0,        //
    -2.0 / 9,  -2.0 / 9,   -2.0 / 9, //
    -2.0 / 9,  2.0 / 9,    -2.0 / 9, //
    1.0 / 90,  1.0 / 45,   2.0 / 45, //
    1.0 / 90,  -1.0 / 45,  2.0 / 45, //
    32.0 / 45, 16.0 / 45,  8.0 / 45, //
    32.0 / 45, -16.0 / 45, 8.0 / 45, //
    0,         0,          1,        //
};

/* Points 0, 1, -1, infinity. */
static const double b_2_3[] = {
    -1, 0,  1, 0, //
    0,  -1, 1, 0, //
    0,  1,  1, 0, //
    0,  -1, 0, 1, //
};
static const double a_2_3[] = {
    1, 1,  1, 0, //
    0, -1, 1, 1, //
};
static const double g_2_3[] = {
    -1,  0,    0,   //
    0.5, -0.5, 0.5, //
    0.5, 0.5,  0.5, //
    0,   0,    1,   //
};

/* Points 0, 1, -1, 2, -2, infinity, scaled so that the entries stay small. */
static const double b_4_3[] = {
    0.25, 0,     -0.3125, 0,       0.0625, 0,      //
    0,    0.25,  -0.25,   -0.0625, 0.0625, 0,      //
    0,    -0.25, -0.25,   0.0625,  0.0625, 0,      //
    0,    0.25,  -0.125,  -0.25,   0.125,  0,      //
    0,    -0.25, -0.125,  0.25,    0.125,  0,      //
    0,    0.25,  0,       -0.3125, 0,      0.0625, //
};
static const double a_4_3[] = {
    0.125, 0.25,  0.25, 0.125, 0.125, 0,   //
    0,     -0.25, 0.25, -0.25, 0.25,  0,   //
    0,     0.25,  0.25, 0.5,   0.5,   0,   //
    0,     -0.25, 0.25, -1,    1,     0.5, //
};
static const double g_4_3[] = {
    1,        0,        0,        //
    -1.0 / 3, 1.0 / 3,  -1.0 / 3, //
    -1.0 / 3, -1.0 / 3, -1.0 / 3, //
    1.0 / 12, -1.0 / 6, 1.0 / 3,  //
    1.0 / 12, 1.0 / 6,  1.0 / 3,  //
    0,        0,        1,        //
};

/* Points 0, 1, -1, 1/2, -2, infinity (signs as in the rows of G), scaled. */
static const double b_2_5[] = {
    0.125, 0.1875, -0.25,   -0.1875, 0.125,   0,     //
    0,     0.125,  0.0625,  -0.3125, 0.125,   0,     //
    0,     -0.125, -0.3125, -0.0625, 0.125,   0,     //
    0,     0.25,   -0.125,  -0.25,   0.125,   0,     //
    0,     -0.125, -0.25,   0.125,   0.25,    0,     //
    0,     0.125,  0.1875,  -0.25,   -0.1875, 0.125, //
};
static const double a_2_5[] = {
    0.5, 1,  1, 2,  1, 0,   //
    0,   -1, 1, -1, 2, 0.5, //
};
static const double g_2_5[] = {
    1,         0,        0,         0,        0,         //
    1.0 / 6,   -1.0 / 6, 1.0 / 6,   -1.0 / 6, 1.0 / 6,   //
    -1.0 / 6,  -1.0 / 6, -1.0 / 6,  -1.0 / 6, -1.0 / 6,  //
    -4.0 / 15, 2.0 / 15, -1.0 / 15, 1.0 / 30, -1.0 / 60, //
    1.0 / 60,  1.0 / 30, 1.0 / 15,  2.0 / 15, 4.0 / 15,  //
    0,         0,        0,         0,        1,         //
};

static const Matrices matrices[] = {
    {"iree_linalg_ext.", 6, 3, g_6_3, b_6_3, a_6_3, 1},
    {"linalg.", 2, 3, g_2_3, b_2_3, a_2_3, 1},
    {"linalg.", 4, 3, g_4_3, b_4_3, a_4_3, 32},
    {"linalg.", 2, 5, g_2_5, b_2_5, a_2_5, 16},
};

static const Matrices *matrices_of(const Op *op, int64_t m, int64_t r)
{
    for (size_t i = 0; i < sizeof matrices / sizeof matrices[0]; i++)
        if (strncmp(op->name, matrices[i].dialect, strlen(matrices[i].dialect)) == 0 && matrices[i].m == m && matrices[i].r == r)
            return &matrices[i];
    return NULL;
}

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

/* matrix x tile x transpose(matrix) on dims 0 and 1, of which some may be left alone. */
static Value *transform(const Winograd *w, Value *tiles, bool rows, bool columns, bool left_first)
{
    Value *matrix = constant_matrix(w);
    const uint32_t order[2] = {left_first ? 0 : 1, left_first ? 1 : 0};
    for (uint32_t k = 0; k < 2; k++)
        if (order[k] ? columns : rows)
            tiles = multiply(w, tiles, matrix, order[k]);
    return tiles;
}

/* Where the dimensions of a plain tensor stand. */
typedef struct Layout {
    uint32_t image, y, x, channel;       /* dims of the plain tensor */
    uint32_t tile_y, tile_x, tile_image; /* of the tiles; 0, 1 are within the tile and 5 is the channel */
    int64_t step_y, step_x;              /* elements from tile to tile */
} Layout;

/* Tiles of an image: element (step th + i, step tw + j); zero past the edge, or no test and a trap. */
static Value *cut_tiles(Builder *b, const Layout *l, Value *image, Value *like, bool zeros)
{
    Builder body, yes, no;
    Value **sizes = vmc_sizes_of(b, image), *zero = vmc_build_float(b, image->type->elem, 0), *at[6], *from[4];
    Value *step_y = vmc_build_index(b, l->step_y), *step_x = vmc_build_index(b, l->step_x);
    Op *generic = vmc_build_map(b, 0, NULL, NULL, like, &body);
    for (uint32_t i = 0; i < 6; i++)
        at[i] = vmc_build_index_op(&body, i);
    from[l->image] = at[l->tile_image];
    from[l->channel] = at[5];
    from[l->y] = vmc_binary(&body, "arith.addi", vmc_binary(&body, "arith.muli", at[l->tile_y], step_y), at[0]);
    from[l->x] = vmc_binary(&body, "arith.addi", vmc_binary(&body, "arith.muli", at[l->tile_x], step_x), at[1]);
    Value *element;
    if (zeros) {
        Value *inside = vmc_binary(&body, "arith.andi", vmc_cmpi(&body, CMPI_SLT, from[l->y], sizes[l->y]),
                                   vmc_cmpi(&body, CMPI_SLT, from[l->x], sizes[l->x]));
        Op *choice = vmc_build_choice(&body, inside, image->type->elem, &yes, &no);
        Value *read = vmc_extract(&yes, image, from);
        vmc_build_yield(&yes, "scf.yield", 1, &read);
        vmc_build_yield(&no, "scf.yield", 1, &zero);
        element = &choice->results[0];
    } else {
        element = vmc_extract(&body, image, from);
    }
    vmc_build_yield(&body, "linalg.yield", 1, &element);
    return &generic->results[0];
}

/* The image whose tiles these are; times `factor`, added to the image, where `adds`. */
static Value *join_tiles(Builder *b, const Layout *l, Value *tiles, Value *image, bool adds, double factor)
{
    Builder body;
    Value *at[4], *from[6], *step_y = vmc_build_index(b, l->step_y), *step_x = vmc_build_index(b, l->step_x);
    Op *generic = vmc_build_map(b, 0, NULL, NULL, image, &body);
    for (uint32_t i = 0; i < 4; i++)
        at[i] = vmc_build_index_op(&body, i);
    from[0] = vmc_binary(&body, "arith.remui", at[l->y], step_y);
    from[1] = vmc_binary(&body, "arith.remui", at[l->x], step_x);
    from[l->tile_image] = at[l->image];
    from[l->tile_y] = vmc_binary(&body, "arith.divui", at[l->y], step_y);
    from[l->tile_x] = vmc_binary(&body, "arith.divui", at[l->x], step_x);
    from[5] = at[l->channel];
    Value *element = vmc_extract(&body, tiles, from);
    if (factor != 1)
        element = vmc_binary(&body, "arith.mulf", vmc_build_float(&body, image->type->elem, (int64_t)factor), element);
    if (adds)
        element = vmc_binary(&body, "arith.addf", element, vmc_entry(generic, 0)->args[0]);
    vmc_build_yield(&body, "linalg.yield", 1, &element);
    return &generic->results[0];
}

/* The kernel with its dims in this order. */
static Value *permuted(Builder *b, Value *kernel, const uint32_t order[4])
{
    Context *ctx = b->ctx;
    int64_t dims[4];
    Value **sizes = vmc_sizes_of(b, kernel), *out_sizes[4];
    const AffineExpr *from[4];
    for (uint32_t i = 0; i < 4; i++) {
        dims[i] = kernel->type->dims[order[i]];
        out_sizes[i] = sizes[order[i]];
        from[order[i]] = vmc_affine_dim(ctx, i);
    }
    const AffineMap *map = vmc_affine_map(ctx, 4, 0, 4, from, NULL);
    Builder body;
    Value *out = vmc_empty_tensor(b, vmc_type_tensor(ctx, 4, dims, kernel->type->elem, NULL), out_sizes);
    Op *generic = vmc_build_map(b, 1, &kernel, &map, out, &body);
    vmc_build_yield(&body, "linalg.yield", 1, &vmc_entry(generic, 0)->args[0]);
    return &generic->results[0];
}

static Value **one_value(Builder *b, Value *value)
{
    Value **results = ARENA_ARRAY(&b->ctx->arena, Value *, 1);
    results[0] = value;
    return results;
}

/* Sizes are those of the output: what was computed is copied into it, and must fill it. */
static Value **put(Builder *b, const Op *op, Value *value, Value *output)
{
    for (uint32_t i = 0; i < output->type->rank; i++)
        vmc_require_equal(b, op, vmc_dim_of(b, value, i), vmc_dim_of(b, output, i), "the output has another size", i);
    const AffineMap *map = vmc_affine_identity(b->ctx, output->type->rank);
    Builder body;
    Op *generic = vmc_build_map(b, 1, &value, &map, output, &body);
    vmc_build_yield(&body, "linalg.yield", 1, &vmc_entry(generic, 0)->args[0]);
    return one_value(b, &generic->results[0]);
}

static bool channels_first(Context *ctx, const Op *op, const char *attr)
{
    const int64_t *dims;
    return vmc_attr_ints(ctx, vmc_get_attr(op, attr), &dims) == 2 && dims[0] == 2;
}

static void setup(Winograd *w, Builder *b, const Op *op, const double *matrix, int64_t rows, int64_t inner)
{
    *w = (Winograd){b, op->operands[0].value->type->elem, matrix, (uint32_t)rows, (uint32_t)inner};
}

Value **vmc_ext_winograd(Builder *b, Op *op)
{
    Value *input = op->operands[0].value, *output = op->operands[1].value;
    int64_t m = 0, r = 0;
    vmc_get_int(op, "output_tile_size", &m);
    vmc_get_int(op, "kernel_size", &r);
    const Matrices *t = matrices_of(op, m, r);
    Winograd w;
    if (!t)
        return NULL;
    if (vmc_is(op, "iree_linalg_ext.winograd.filter_transform")) {
        static const uint32_t order[4] = {2, 3, 1, 0};
        setup(&w, b, op, t->g, m + r - 1, r);
        Value *kernel = channels_first(b->ctx, op, "kernel_dimensions") ? permuted(b, input, order) : input;
        return put(b, op, transform(&w, kernel, true, true, false), output);
    }
    bool first = channels_first(b->ctx, op, "image_dimensions");
    Layout l = {.image = 0, .y = first ? 2 : 1, .x = first ? 3 : 2, .channel = first ? 1 : 3};
    l.tile_image = 2;
    l.tile_y = 3;
    l.tile_x = 4;
    l.step_y = l.step_x = m;
    if (vmc_is(op, "iree_linalg_ext.winograd.input_transform")) {
        setup(&w, b, op, t->b, m + r - 1, m + r - 1);
        return put(b, op, transform(&w, cut_tiles(b, &l, input, output, true), true, true, false), output);
    }
    setup(&w, b, op, t->a, m, m + r - 1);
    return one_value(b, join_tiles(b, &l, transform(&w, input, true, true, false), output, false, 1));
}

bool vmc_expand_linalg_winograd(Context *ctx, Op *op)
{
    Builder b = vmc_before(ctx, op);
    Value *input = op->operands[0].value, *output = op->operands[1].value, **results;
    int64_t m = 0, r = 0;
    vmc_get_int(op, "m", &m);
    vmc_get_int(op, "r", &r);
    const Matrices *t = matrices_of(op, m, r);
    Winograd w;
    if (!t) {
        vmc_error(&ctx->diag, op->pos, "'%s' is there for F(2, 3), F(4, 3) and F(2, 5)", op->name);
        return false;
    }
    bool back = vmc_is(op, "linalg.winograd_output_transform");
    const Type *tiled = back ? input->type : output->type;
    bool rows = tiled->dims[0] != 1, columns = tiled->dims[1] != 1;
    Layout l = {.image = 0, .y = 1, .x = 2, .channel = 3, .tile_y = 2, .tile_x = 3, .tile_image = 4};
    l.step_y = rows ? m : 1;
    l.step_x = columns ? m : 1;
    if (vmc_is(op, "linalg.winograd_filter_transform")) {
        static const uint32_t order[4] = {1, 2, 3, 0};
        setup(&w, &b, op, t->g, m + r - 1, r);
        results = put(&b, op, transform(&w, permuted(&b, input, order), rows, columns, true), output);
    } else if (!back) {
        setup(&w, &b, op, t->b, m + r - 1, m + r - 1);
        results = put(&b, op, transform(&w, cut_tiles(&b, &l, input, output, false), rows, columns, true), output);
    } else {
        setup(&w, &b, op, t->a, m, m + r - 1);
        double factor = (rows ? t->factor : 1) * (columns ? t->factor : 1);
        results = one_value(&b, join_tiles(&b, &l, transform(&w, input, rows, columns, true), output, true, factor));
    }
    vmc_replace_op(op, results);
    return true;
}
