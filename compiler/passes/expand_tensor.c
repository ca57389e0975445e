/* tensor ops that are loop nests, in terms of tensor.empty, linalg.generic, tensor.insert_slice, tensor.extract and scf.for. */
#include "../dialects/shapes.h"
#include "generalize.h"

#include <stdio.h>

Value *vmc_build_index_op(Builder *b, uint32_t dim)
{
    const Type *index = vmc_type_index(b->ctx);
    NamedAttr attr = {vmc_name(b->ctx, "dim"), vmc_attr_i64(b->ctx, dim)};
    return &vmc_build(b, "linalg.index", 0, NULL, 1, &index, 1, &attr, 0)->results[0];
}

Op *vmc_build_map(Builder *b, uint32_t nins, Value *const *ins, const AffineMap *const *in_maps, Value *out, Builder *body)
{
    Context *ctx = b->ctx;
    uint32_t rank = out->type->rank;
    const AffineMap **maps = ARENA_ARRAY(&ctx->arena, const AffineMap *, nins + 1);
    LoopKind *loops = ARENA_ARRAY(&ctx->arena, LoopKind, rank + 1);
    for (uint32_t k = 0; k < nins; k++)
        maps[k] = in_maps[k];
    maps[nins] = vmc_affine_identity(ctx, rank);
    Op *generic = vmc_build_generic(b, nins, ins, 1, &out, maps, rank, loops);
    *body = vmc_at_end(ctx, vmc_entry(generic, 0), b->pos);
    return generic;
}

Value *vmc_build_fill(Builder *b, Value *scalar, Value *out)
{
    Builder body;
    const AffineMap *map = vmc_affine_map(b->ctx, out->type->rank, 0, 0, NULL, NULL);
    Op *generic = vmc_build_map(b, 1, &scalar, &map, out, &body);
    vmc_build_yield(&body, "linalg.yield", 1, &vmc_entry(generic, 0)->args[0]);
    return &generic->results[0];
}

/* A block over the indices of `out` (tensor.generate, tensor.pad) as a generic. */
static Value *build_from_block(Builder *b, Block *block, Value *out)
{
    Context *ctx = b->ctx;
    Op *yield = vmc_terminator(block);
    Value *value = yield->operands[0].value;
    if ((value->op && value->op->parent != block) || (value->block && value->block != block))
        return vmc_build_fill(b, value, out); /* defined outside: a scalar */
    Builder body;
    Op *generic = vmc_build_map(b, 0, NULL, NULL, out, &body);
    Value **indices = ARENA_ARRAY(&ctx->arena, Value *, block->nargs + 1);
    for (uint32_t i = 0; i < block->nargs; i++)
        if (block->args[i]->uses)
            indices[i] = vmc_build_index_op(&body, i);
    Op *moved = vmc_inline_block(&body, block, indices);
    vmc_build_yield(&body, "linalg.yield", 1, &moved->operands[0].value);
    return &generic->results[0];
}

Value **vmc_sizes_of(Builder *b, Value *shaped)
{
    Value **sizes = ARENA_ARRAY(&b->ctx->arena, Value *, shaped->type->rank + 1);
    for (uint32_t i = 0; i < shaped->type->rank; i++)
        sizes[i] = vmc_dim_of(b, shaped, i);
    return sizes;
}

/* Sizes of `type` where the dynamic ones are the operands of `group`, in order. */
static Value **sizes_from_operands(Context *ctx, const Op *op, const char *group, const Type *type)
{
    Value **sizes = ARENA_ARRAY(&ctx->arena, Value *, type->rank + 1);
    uint32_t next = vmc_operand_group(op, group).first;
    for (uint32_t i = 0; i < type->rank; i++)
        sizes[i] = type->dims[i] == VMC_DYNAMIC ? op->operands[next++].value : NULL;
    return sizes;
}

void vmc_require_equal(Builder *b, const Op *op, Value *a, Value *v, const char *what, uint32_t dim)
{
    int64_t x, y;
    char text[160];
    if (a == v || (vmc_constant_int(a, &x) && vmc_constant_int(v, &y) && x == y))
        return;
    snprintf(text, sizeof text, "%s: %s, dimension %u", op->name, what, dim);
    vmc_assert_that(b, vmc_cmpi(b, CMPI_EQ, a, v), text);
}

bool vmc_expand_init_tensor(Context *ctx, Op *op)
{
    Builder b = vmc_before(ctx, op);
    Value *empty = vmc_empty_tensor(&b, op->results[0].type, sizes_from_operands(ctx, op, "sizes", op->results[0].type));
    vmc_replace_op(op, &empty);
    return true;
}

bool vmc_expand_pad(Context *ctx, Op *op)
{
    Builder b = vmc_before(ctx, op);
    Value *source = op->operands[0].value;
    const Type *type = op->results[0].type;
    MixedList low, high;
    if (!vmc_mixed_list(ctx, op, "static_low", "low", &low) || !vmc_mixed_list(ctx, op, "static_high", "high", &high))
        return false;
    Value **offsets = ARENA_ARRAY(&ctx->arena, Value *, type->rank + 1),
          **sizes = ARENA_ARRAY(&ctx->arena, Value *, type->rank + 1);
    Value **inner = vmc_sizes_of(&b, source);
    for (uint32_t i = 0; i < type->rank; i++) {
        offsets[i] = vmc_mixed_value(&b, op, &low, i);
        if (type->dims[i] != VMC_DYNAMIC && source->type->dims[i] != VMC_DYNAMIC && low.statics[i] != VMC_DYNAMIC &&
            high.statics[i] != VMC_DYNAMIC)
            continue; /* verified */
        Value *before = vmc_binary(&b, "arith.addi", inner[i], offsets[i]);
        sizes[i] = vmc_binary(&b, "arith.addi", before, vmc_mixed_value(&b, op, &high, i));
        if (type->dims[i] != VMC_DYNAMIC)
            vmc_require_equal(&b, op, sizes[i], vmc_build_index(&b, type->dims[i]),
                              "source and padding do not add up to the size of the result", i);
    }
    Value *border = build_from_block(&b, vmc_entry(op, 0), vmc_empty_tensor(&b, type, sizes));
    Value *result = vmc_build_insert_slice(&b, source, border, offsets, inner);
    vmc_replace_op(op, &result);
    return true;
}

bool vmc_expand_generate(Context *ctx, Op *op)
{
    Builder b = vmc_before(ctx, op);
    const Type *type = op->results[0].type;
    Value *empty = vmc_empty_tensor(&b, type, sizes_from_operands(ctx, op, "dynamicExtents", type));
    Value *result = build_from_block(&b, vmc_entry(op, 0), empty);
    vmc_replace_op(op, &result);
    return true;
}

bool vmc_expand_splat(Context *ctx, Op *op)
{
    Builder b = vmc_before(ctx, op);
    const Type *type = op->results[0].type;
    Value *empty = vmc_empty_tensor(&b, type, sizes_from_operands(ctx, op, "dynamicSizes", type));
    Value *result = vmc_build_fill(&b, op->operands[0].value, empty);
    vmc_replace_op(op, &result);
    return true;
}

bool vmc_expand_concat(Context *ctx, Op *op)
{
    Builder b = vmc_before(ctx, op);
    const Type *type = op->results[0].type;
    int64_t dim = 0;
    vmc_get_int(op, "dim", &dim);
    Value **sizes = vmc_sizes_of(&b, op->operands[0].value), **offsets = ARENA_ARRAY(&ctx->arena, Value *, type->rank + 1);
    Value *total = sizes[dim], *zero = vmc_build_index(&b, 0);
    bool is_static = type->dims[dim] != VMC_DYNAMIC && op->operands[0].value->type->dims[dim] != VMC_DYNAMIC;
    for (uint32_t k = 1; k < op->noperands; k++)
        is_static = is_static && op->operands[k].value->type->dims[dim] != VMC_DYNAMIC;
    for (uint32_t k = 1; k < op->noperands && !is_static; k++)
        total = vmc_binary(&b, "arith.addi", total, vmc_dim_of(&b, op->operands[k].value, (uint32_t)dim));
    if (!is_static && type->dims[dim] != VMC_DYNAMIC)
        vmc_require_equal(&b, op, total, vmc_build_index(&b, type->dims[dim]), "inputs do not add up to the size of the result",
                          (uint32_t)dim);
    sizes[dim] = total;
    for (uint32_t i = 0; i < type->rank; i++) {
        if (i == (uint32_t)dim)
            continue;
        if (type->dims[i] != VMC_DYNAMIC)
            sizes[i] = vmc_build_index(&b, type->dims[i]);
        for (uint32_t k = 0; k < op->noperands; k++)
            vmc_require_equal(&b, op, k || type->dims[i] != VMC_DYNAMIC ? vmc_dim_of(&b, op->operands[k].value, i) : sizes[i],
                              sizes[i], "sizes of the inputs differ", i);
    }
    Value *result = vmc_empty_tensor(&b, type, sizes);
    for (uint32_t i = 0; i < type->rank; i++)
        offsets[i] = zero;
    int64_t known = 0; /* offset while it is static, so that slices verify statically */
    for (uint32_t k = 0; k < op->noperands; k++) {
        Value *source = op->operands[k].value, **inner = vmc_sizes_of(&b, source);
        result = vmc_build_insert_slice(&b, source, result, offsets, inner);
        int64_t size = source->type->dims[dim];
        if (known != VMC_DYNAMIC && size != VMC_DYNAMIC && !__builtin_add_overflow(known, size, &known)) {
            offsets[dim] = vmc_build_index(&b, known);
        } else {
            known = VMC_DYNAMIC;
            offsets[dim] = vmc_binary(&b, "arith.addi", offsets[dim], inner[dim]);
        }
    }
    vmc_replace_op(op, &result);
    return true;
}

/* ---- gather, scatter ---------------------------------------------------------------- */

typedef struct Gather {
    Value *full, *indices;
    const Type *slices;
    const int64_t *dims; /* those that indices give */
    uint32_t ndims, batch;
    bool keeps; /* slices keep the listed dims, as size 1 */
} Gather;

static void gather_facts(Context *ctx, const Op *op, const char *attr, Value *full, Value *indices, const Type *slices, Gather *out)
{
    *out = (Gather){.full = full, .indices = indices, .slices = slices, .batch = indices->type->rank - 1};
    out->ndims = (uint32_t)vmc_attr_ints(ctx, vmc_get_attr(op, attr), &out->dims);
    out->keeps = slices->rank == out->batch + full->type->rank;
}

/* Subscripts within the full tensor of the slice element at `at`, from operands[skip] on. */
static Value **gathered_subscripts(Builder *b, const Gather *g, Value *const *at, uint32_t skip)
{
    Context *ctx = b->ctx;
    uint32_t rank = g->full->type->rank, next = g->batch;
    Value **operands = ARENA_ARRAY(&ctx->arena, Value *, rank + skip + 1);
    Value **lookup = ARENA_ARRAY(&ctx->arena, Value *, g->batch + 3);
    lookup[0] = g->indices;
    for (uint32_t i = 0; i < g->batch; i++)
        lookup[1 + i] = at[i];
    for (uint32_t i = 0, k = 0; i < rank; i++) {
        if (k < g->ndims && g->dims[k] == (int64_t)i) {
            lookup[1 + g->batch] = vmc_build_index(b, k++);
            Value *index = vmc_build1(b, "tensor.extract", g->indices->type->elem, g->batch + 2, lookup);
            if (index->type->kind != TYPE_INDEX)
                index = vmc_build1(b, "arith.index_cast", vmc_type_index(ctx), 1, &index);
            operands[skip + i] = index;
            next += g->keeps;
        } else {
            operands[skip + i] = at[next++];
        }
    }
    return operands;
}

bool vmc_expand_gather(Context *ctx, Op *op)
{
    Builder b = vmc_before(ctx, op), body;
    Gather g;
    const Type *type = op->results[0].type;
    gather_facts(ctx, op, "gather_dims", op->operands[0].value, op->operands[1].value, type, &g);
    Value **sizes = ARENA_ARRAY(&ctx->arena, Value *, type->rank + 1), **at = ARENA_ARRAY(&ctx->arena, Value *, type->rank + 1);
    uint32_t next = g.batch;
    for (uint32_t i = 0; i < g.batch; i++)
        sizes[i] = vmc_dim_of(&b, g.indices, i);
    for (uint32_t i = 0, k = 0; i < g.full->type->rank; i++) {
        bool listed = k < g.ndims && g.dims[k] == (int64_t)i;
        k += listed;
        if (!listed || g.keeps)
            sizes[next++] = listed ? vmc_build_index(&b, 1) : vmc_dim_of(&b, g.full, i);
    }
    Op *generic = vmc_build_map(&b, 0, NULL, NULL, vmc_empty_tensor(&b, type, sizes), &body);
    for (uint32_t i = 0; i < type->rank; i++)
        at[i] = vmc_build_index_op(&body, i);
    Value **operands = gathered_subscripts(&body, &g, at, 1);
    operands[0] = g.full;
    Value *element = vmc_build1(&body, "tensor.extract", type->elem, g.full->type->rank + 1, operands);
    vmc_build_yield(&body, "linalg.yield", 1, &element);
    Value *result = &generic->results[0];
    vmc_replace_op(op, &result);
    return true;
}

bool vmc_expand_scatter(Context *ctx, Op *op)
{
    Builder b = vmc_before(ctx, op);
    Gather g;
    Value *source = op->operands[0].value, *carried = op->operands[1].value, *result = carried;
    uint32_t rank = source->type->rank;
    gather_facts(ctx, op, "scatter_dims", carried, op->operands[2].value, source->type, &g);
    Value **at = ARENA_ARRAY(&ctx->arena, Value *, rank + 1), **sizes = vmc_sizes_of(&b, source);
    Value *zero = vmc_build_index(&b, 0), *one = vmc_build_index(&b, 1);
    for (uint32_t i = 0; i < rank; i++) {
        Op *loop = vmc_build_for(&b, zero, sizes[i], one, 1, &carried);
        Value *inner = &loop->results[0];
        if (i)
            vmc_build_yield(&b, "scf.yield", 1, &inner);
        else
            result = inner;
        at[i] = vmc_entry(loop, 0)->args[0];
        carried = vmc_entry(loop, 0)->args[1];
        b = vmc_at_end(ctx, vmc_entry(loop, 0), op->pos);
    }
    Value **operands = gathered_subscripts(&b, &g, at, 2), **lookup = ARENA_ARRAY(&ctx->arena, Value *, rank + 1);
    lookup[0] = source;
    for (uint32_t i = 0; i < rank; i++)
        lookup[1 + i] = at[i];
    operands[0] = vmc_build1(&b, "tensor.extract", source->type->elem, rank + 1, lookup);
    operands[1] = carried;
    Value *updated = vmc_build1(&b, "tensor.insert", carried->type, g.full->type->rank + 2, operands);
    if (rank)
        vmc_build_yield(&b, "scf.yield", 1, &updated);
    else
        result = updated;
    vmc_replace_op(op, &result);
    return true;
}

/* ---- pack, unpack ---------------------------------------------------------------------- */

/* Plain subscript of dim `dim` at packed position: outer * tile + inner; values or expressions alike. */
static int tile_of(const Packing *p, uint32_t dim)
{
    for (uint32_t k = 0; k < p->ntiles; k++)
        if (p->inner_dims[k] == (int64_t)dim)
            return (int)k;
    return -1;
}

static uint32_t outer_place(const Packing *p, uint32_t dim)
{
    uint32_t i = 0;
    while (p->outer_dims[i] != (int64_t)dim)
        i++;
    return i;
}

static bool static_tiles(const Packing *p)
{
    for (uint32_t k = 0; k < p->ntiles; k++)
        if (p->tiles.statics[k] == VMC_DYNAMIC || p->tiles.statics[k] <= 0)
            return false;
    return true;
}

/* The outer sizes hold the plain ones: tiles enough (more are padding), with `exact` no more and nothing left over; the inner sizes
   are the tiles. */
static void check_packing(Builder *b, const Op *op, const Packing *p, Value *plain, Value *packed, bool exact)
{
    char text[160];
    for (uint32_t d = 0; d < p->plain_rank; d++) {
        int k = tile_of(p, d);
        Value *size = vmc_dim_of(b, plain, d), *outer = vmc_dim_of(b, packed, outer_place(p, d));
        if (k < 0) {
            vmc_require_equal(b, op, size, outer, "sizes of an untiled dimension differ", d);
            continue;
        }
        Value *tile = vmc_mixed_value(b, op, &p->tiles, (uint32_t)k), *zero = vmc_build_index(b, 0);
        int64_t n, t, count;
        bool constant_tile = vmc_constant_int(tile, &t) && t > 0;
        vmc_require_equal(b, op, vmc_dim_of(b, packed, p->plain_rank + (uint32_t)k), tile, "an inner size is not the tile size", d);
        if (constant_tile && vmc_constant_int(size, &n) && vmc_constant_int(outer, &count) && n >= 0 &&
            (exact ? n % t == 0 && count == n / t : count >= n / t + (n % t != 0)))
            continue;
        if (!constant_tile) {
            snprintf(text, sizeof text, "%s: the tile size of dimension %u is not positive", op->name, d);
            vmc_assert_that(b, vmc_cmpi(b, CMPI_SGT, tile, zero), text);
        }
        if (exact)
            vmc_require_equal(b, op, vmc_binary(b, "arith.remsi", size, tile), zero, "the size is no multiple of the tile size", d);
        Value *tiles = vmc_binary(b, "arith.ceildivsi", size, tile);
        if (exact) {
            vmc_require_equal(b, op, tiles, outer, "the outer size is not the number of tiles", d);
        } else {
            snprintf(text, sizeof text, "%s: the outer size is less than the number of tiles, dimension %u", op->name, d);
            vmc_assert_that(b, vmc_cmpi(b, CMPI_SGE, outer, tiles), text);
        }
    }
}

/* Without padding every element comes from the source. */
static Value *pack_exact(Builder *b, const Packing *p, Value *source, Value *dest)
{
    Context *ctx = b->ctx;
    Builder body;
    const AffineExpr **exprs = ARENA_ARRAY(&ctx->arena, const AffineExpr *, p->plain_rank + 1);
    for (uint32_t d = 0; d < p->plain_rank; d++) {
        int k = tile_of(p, d);
        exprs[d] = vmc_affine_dim(ctx, outer_place(p, d));
        if (k < 0)
            continue;
        exprs[d] = vmc_affine_binary(ctx, AFFINE_MUL, exprs[d], vmc_affine_const(ctx, p->tiles.statics[k]));
        exprs[d] = vmc_affine_binary(ctx, AFFINE_ADD, exprs[d], vmc_affine_dim(ctx, p->plain_rank + (uint32_t)k));
    }
    const AffineMap *map = vmc_affine_map(ctx, dest->type->rank, 0, p->plain_rank, exprs, NULL);
    Op *generic = vmc_build_map(b, 1, &source, &map, dest, &body);
    vmc_build_yield(&body, "linalg.yield", 1, &vmc_entry(generic, 0)->args[0]);
    return &generic->results[0];
}

/* With padding, or with tiles known at run time: elements past the source are the padding value. */
static Value *pack_guarded(Builder *b, const Op *op, const Packing *p, Value *source, Value *dest, Value *padding)
{
    Context *ctx = b->ctx;
    const Type *elem = dest->type->elem;
    Builder body;
    Value **tiles = ARENA_ARRAY(&ctx->arena, Value *, p->ntiles + 1), **sizes = vmc_sizes_of(b, source);
    for (uint32_t k = 0; k < p->ntiles; k++)
        tiles[k] = vmc_mixed_value(b, op, &p->tiles, k);
    Op *generic = vmc_build_map(b, 0, NULL, NULL, dest, &body);
    Value **operands = ARENA_ARRAY(&ctx->arena, Value *, p->plain_rank + 2), *inside = NULL;
    operands[0] = source;
    for (uint32_t d = 0; d < p->plain_rank; d++) {
        int k = tile_of(p, d);
        Value *index = vmc_build_index_op(&body, outer_place(p, d));
        if (k >= 0) {
            index = vmc_binary(&body, "arith.muli", index, tiles[k]);
            index = vmc_binary(&body, "arith.addi", index, vmc_build_index_op(&body, p->plain_rank + (uint32_t)k));
        }
        operands[1 + d] = index;
        Value *fits = vmc_cmpi(&body, CMPI_SLT, index, sizes[d]);
        inside = inside ? vmc_binary(&body, "arith.andi", inside, fits) : fits;
    }
    Value *element;
    if (padding && inside) {
        Op *choice = vmc_build(&body, "scf.if", 1, &inside, 1, &elem, 0, NULL, 2);
        for (uint32_t k = 0; k < 2; k++) {
            vmc_block_append(&choice->regions[k], vmc_block_create(ctx));
            Builder side = vmc_at_end(ctx, vmc_entry(choice, k), op->pos);
            Value *value = k ? padding : vmc_build1(&side, "tensor.extract", elem, p->plain_rank + 1, operands);
            vmc_build_yield(&side, "scf.yield", 1, &value);
        }
        element = &choice->results[0];
    } else {
        element = vmc_build1(&body, "tensor.extract", elem, p->plain_rank + 1, operands);
    }
    vmc_build_yield(&body, "linalg.yield", 1, &element);
    return &generic->results[0];
}

bool vmc_expand_pack(Context *ctx, Op *op)
{
    Builder b = vmc_before(ctx, op);
    Value *source = op->operands[0].value, *dest = op->operands[1].value, *padding = vmc_operand_named(op, "padding_value");
    Packing packing;
    if (!vmc_packing(ctx, op, &packing))
        return false;
    check_packing(&b, op, &packing, source, dest, !padding);
    Value *result = !padding && static_tiles(&packing) ? pack_exact(&b, &packing, source, dest)
                                                       : pack_guarded(&b, op, &packing, source, dest, padding);
    vmc_replace_op(op, &result);
    return true;
}

bool vmc_expand_unpack(Context *ctx, Op *op)
{
    Builder b = vmc_before(ctx, op), body;
    Value *source = op->operands[0].value, *dest = op->operands[1].value;
    Packing p;
    if (!vmc_packing(ctx, op, &p))
        return false;
    check_packing(&b, op, &p, dest, source, false);
    Value **tiles = ARENA_ARRAY(&ctx->arena, Value *, p.ntiles + 1);
    for (uint32_t k = 0; k < p.ntiles; k++)
        tiles[k] = vmc_mixed_value(&b, op, &p.tiles, k);
    Op *generic = vmc_build_map(&b, 0, NULL, NULL, dest, &body);
    Value **operands = ARENA_ARRAY(&ctx->arena, Value *, source->type->rank + 2);
    operands[0] = source;
    for (uint32_t d = 0; d < p.plain_rank; d++) {
        int k = tile_of(&p, d);
        Value *index = vmc_build_index_op(&body, d), *outer = index;
        if (k >= 0) {
            outer = vmc_binary(&body, "arith.divui", index, tiles[k]);
            operands[1 + p.plain_rank + (uint32_t)k] = vmc_binary(&body, "arith.remui", index, tiles[k]);
        }
        operands[1 + outer_place(&p, d)] = outer;
    }
    Value *element = vmc_build1(&body, "tensor.extract", dest->type->elem, source->type->rank + 1, operands);
    vmc_build_yield(&body, "linalg.yield", 1, &element);
    Value *result = &generic->results[0];
    vmc_replace_op(op, &result);
    return true;
}
