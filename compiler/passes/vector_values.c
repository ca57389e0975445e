/* Vector ops that move elements without combining them: repetition, slices, permutations, casts, masks. */
#include "../dialects/shapes.h"
#include "lower_vectors.h"

bool vec_splat(Vectors *l, Op *op, Builder *b, Value *mask, Value **results)
{
    (void)mask;
    Context *ctx = l->ctx;
    Value *source = op->operands[0].value, *out = vec_empty(b, op->results[0].type);
    const Type *from = source->type, *to = op->results[0].type;
    uint32_t rank = from->kind == TYPE_TENSOR ? from->rank : 0;
    const AffineExpr **subscripts = ARENA_ARRAY(&ctx->arena, const AffineExpr *, rank + 1);
    for (uint32_t i = 0; i < rank; i++) {
        uint32_t d = to->rank - rank + i;
        subscripts[i] = from->dims[i] == to->dims[d] ? vmc_affine_dim(ctx, d) : vmc_affine_const(ctx, 0);
    }
    const AffineMap *maps[2] = {vmc_affine_map(ctx, to->rank, 0, rank, subscripts, NULL), vmc_affine_identity(ctx, to->rank)};
    LoopKind *loops = ARENA_ARRAY(&ctx->arena, LoopKind, to->rank + 1);
    Op *generic = vmc_build_generic(b, 1, &source, 1, &out, maps, to->rank, loops);
    Builder body = vmc_at_end(ctx, vmc_entry(generic, 0), b->pos);
    vmc_build_yield(&body, "linalg.yield", 1, &vmc_entry(generic, 0)->args[0]);
    results[0] = &generic->results[0];
    return true;
}

bool vec_transpose(Vectors *l, Op *op, Builder *b, Value *mask, Value **results)
{
    (void)mask;
    Context *ctx = l->ctx;
    Value *source = op->operands[0].value, *out = vec_empty(b, op->results[0].type);
    uint32_t rank = source->type->rank;
    const Attr *attr = vmc_get_attr(op, "permutation");
    const int64_t *order = NULL;
    vmc_attr_ints(ctx, attr ? attr : vmc_get_attr(op, "transp"), &order);
    const AffineExpr **subscripts = ARENA_ARRAY(&ctx->arena, const AffineExpr *, rank + 1);
    for (uint32_t i = 0; i < rank; i++)
        subscripts[order[i]] = vmc_affine_dim(ctx, i);
    const AffineMap *maps[2] = {vmc_affine_map(ctx, rank, 0, rank, subscripts, NULL), vmc_affine_identity(ctx, rank)};
    LoopKind *loops = ARENA_ARRAY(&ctx->arena, LoopKind, rank + 1);
    Op *generic = vmc_build_generic(b, 1, &source, 1, &out, maps, rank, loops);
    Builder body = vmc_at_end(ctx, vmc_entry(generic, 0), b->pos);
    vmc_build_yield(&body, "linalg.yield", 1, &vmc_entry(generic, 0)->args[0]);
    results[0] = &generic->results[0];
    return true;
}

bool vec_from_elements(Vectors *l, Op *op, Builder *b, Value *mask, Value **results)
{
    (void)mask;
    Value **elements = ARENA_ARRAY(&l->ctx->arena, Value *, op->noperands + 1);
    for (uint32_t i = 0; i < op->noperands; i++)
        elements[i] = op->operands[i].value;
    results[0] = vmc_build1(b, "tensor.from_elements", op->results[0].type, op->noperands, elements);
    return true;
}

bool vec_to_elements(Vectors *l, Op *op, Builder *b, Value *mask, Value **results)
{
    (void)mask;
    const Type *type = op->operands[0].value->type;
    int64_t *at = ARENA_ARRAY(&l->ctx->arena, int64_t, type->rank + 1);
    Value **indices = ARENA_ARRAY(&l->ctx->arena, Value *, type->rank + 1);
    for (uint32_t k = 0; k < op->nresults; k++) {
        for (uint32_t i = 0; i < type->rank; i++)
            indices[i] = vmc_build_index(b, at[i]);
        results[k] = vec_get(b, op->operands[0].value, indices);
        for (uint32_t i = type->rank; i-- > 0;) {
            if (++at[i] < type->dims[i])
                break;
            at[i] = 0;
        }
    }
    return true;
}

bool vec_step(Vectors *l, Op *op, Builder *b, Value *mask, Value **results)
{
    (void)l, (void)mask;
    VecMap map;
    vec_map_begin(b, op->results[0].type, &map);
    results[0] = vec_map_end(&map, map.at[0]);
    return true;
}

bool vec_fma(Vectors *l, Op *op, Builder *b, Value *mask, Value **results)
{
    (void)l, (void)mask;
    Value *operands[3] = {op->operands[0].value, op->operands[1].value, op->operands[2].value};
    results[0] = vmc_build1(b, "math.fma", operands[0]->type, 3, operands);
    return true;
}

bool vec_poison(Vectors *l, Op *op, Builder *b, Value *mask, Value **results)
{
    (void)l, (void)mask;
    results[0] = vec_zero(b, op->results[0].type);
    return true;
}

/* ---- choices of elements ------------------------------------------------------------------- */

/* The slice numbers of a shuffle as a constant table. */
static Value *index_table(Builder *b, uint32_t n, const int64_t *values)
{
    Context *ctx = b->ctx;
    int64_t size = n;
    const Type *type = vec_tensor(ctx, 1, &size, vmc_type_index(ctx));
    uint8_t *bytes = ARENA_ARRAY(&ctx->arena, uint8_t, 8 * (size_t)n);
    for (size_t i = 0; i < 8 * (size_t)n; i++)
        bytes[i] = (uint8_t)((uint64_t)values[i / 8] >> (8 * (i % 8)));
    return vmc_build_const(b, vmc_attr_dense(ctx, type, bytes, 8 * (size_t)n, false, true), type);
}

bool vec_shuffle(Vectors *l, Op *op, Builder *b, Value *mask, Value **results)
{
    (void)mask;
    Context *ctx = l->ctx;
    Value *v[2] = {op->operands[0].value, op->operands[1].value};
    const int64_t *chosen;
    ptrdiff_t n = vmc_attr_ints(ctx, vmc_get_attr(op, "mask"), &chosen);
    int64_t one = 1, *local = ARENA_ARRAY(&ctx->arena, int64_t, n), *which = ARENA_ARRAY(&ctx->arena, int64_t, n);
    for (int k = 0; k < 2; k++)
        if (v[k]->type->rank == 0)
            v[k] = vec_reshape(b, v[k], vec_tensor(ctx, 1, &one, v[k]->type->elem));
    bool poison = false;
    for (ptrdiff_t i = 0; i < n; i++) {
        int64_t first = v[0]->type->dims[0];
        which[i] = chosen[i] < 0 ? 2 : chosen[i] >= first;
        local[i] = chosen[i] < 0 ? 0 : chosen[i] - (which[i] ? first : 0);
        poison |= chosen[i] < 0;
    }
    Value *table = index_table(b, (uint32_t)n, local), *sides = index_table(b, (uint32_t)n, which);
    VecMap map;
    vec_map_begin(b, op->results[0].type, &map);
    Value *side = vec_get(&map.body, sides, map.at), *at = vec_get(&map.body, table, map.at);
    Value *zero = vmc_build_index(&map.body, 0), *second = vmc_cmpi(&map.body, CMPI_EQ, side, vmc_build_index(&map.body, 1));
    Value **indices = ARENA_ARRAY(&ctx->arena, Value *, op->results[0].type->rank + 1);
    for (uint32_t i = 1; i < op->results[0].type->rank; i++)
        indices[i] = map.at[i];
    /* both vectors are read, each inside its own bounds */
    indices[0] = vmc_select(&map.body, second, zero, at);
    Value *x = vec_get(&map.body, v[0], indices);
    indices[0] = vmc_select(&map.body, second, at, zero);
    Value *y = vec_get(&map.body, v[1], indices), *element = vmc_select(&map.body, second, y, x);
    if (poison)
        element = vmc_select(&map.body, vmc_cmpi(&map.body, CMPI_EQ, side, vmc_build_index(&map.body, 2)),
                             vec_zero(&map.body, x->type), element);
    results[0] = vec_map_end(&map, element);
    return true;
}

/* The indices of `at` with another innermost one; for a vector of rank 0 there is none. */
static Value **with_last(Builder *b, Value *const *at, uint32_t rank, Value *last)
{
    Value **out = ARENA_ARRAY(&b->ctx->arena, Value *, rank + 1);
    for (uint32_t i = 0; i + 1 < rank; i++)
        out[i] = at[i];
    if (rank)
        out[rank - 1] = last;
    return out;
}

bool vec_interleave(Vectors *l, Op *op, Builder *b, Value *mask, Value **results)
{
    (void)l, (void)mask;
    VecMap map;
    const Type *from = op->operands[0].value->type, *to = op->results[0].type;
    vec_map_begin(b, to, &map);
    Value *last = map.at[to->rank - 1], *two = vmc_build_index(&map.body, 2);
    Value *half = vmc_binary(&map.body, "arith.divui", last, two), *odd = vmc_binary(&map.body, "arith.remui", last, two);
    Value **at = with_last(&map.body, map.at, from->rank, half);
    Value *x = vec_get(&map.body, op->operands[0].value, at), *y = vec_get(&map.body, op->operands[1].value, at);
    Value *even = vmc_cmpi(&map.body, CMPI_EQ, odd, vmc_build_index(&map.body, 0));
    results[0] = vec_map_end(&map, vmc_select(&map.body, even, x, y));
    return true;
}

bool vec_deinterleave(Vectors *l, Op *op, Builder *b, Value *mask, Value **results)
{
    (void)l, (void)mask;
    const Type *from = op->operands[0].value->type, *to = op->results[0].type;
    for (int64_t k = 0; k < 2; k++) {
        VecMap map;
        vec_map_begin(b, to, &map);
        Value *last = vmc_build_index(&map.body, k);
        if (to->rank) {
            Value *twice = vmc_binary(&map.body, "arith.muli", map.at[to->rank - 1], vmc_build_index(&map.body, 2));
            last = vec_add(&map.body, twice, last);
        }
        results[k] = vec_map_end(&map, vec_get(&map.body, op->operands[0].value, with_last(&map.body, map.at, from->rank, last)));
    }
    return true;
}

bool vec_extract_element(Vectors *l, Op *op, Builder *b, Value *mask, Value **results)
{
    (void)l, (void)mask;
    Value *at = op->noperands > 1 ? vec_to_index(b, op->operands[1].value) : NULL;
    results[0] = vec_get(b, op->operands[0].value, &at);
    return true;
}

bool vec_insert_element(Vectors *l, Op *op, Builder *b, Value *mask, Value **results)
{
    (void)l, (void)mask;
    Value *at = op->noperands > 2 ? vec_to_index(b, op->operands[2].value) : NULL;
    results[0] = vec_set(b, op->operands[1].value, &at, op->operands[0].value);
    return true;
}

/* ---- positions and slices ----------------------------------------------------------------------- */

/* The position as index values; *outside where it says -1. */
static Value **position_of(Vectors *l, Op *op, Builder *b, uint32_t *n, bool *outside)
{
    const int64_t *statics = NULL;
    uint32_t next = vmc_operand_group(op, "dynamic_position").first;
    vmc_vector_position(l->ctx, op, &statics, n);
    Value **at = ARENA_ARRAY(&l->ctx->arena, Value *, *n + 1);
    *outside = false;
    for (uint32_t i = 0; i < *n; i++) {
        at[i] = statics[i] == VMC_DYNAMIC ? op->operands[next++].value : vmc_build_index(b, statics[i]);
        *outside |= statics[i] == -1;
    }
    return at;
}

bool vec_extract(Vectors *l, Op *op, Builder *b, Value *mask, Value **results)
{
    (void)mask;
    uint32_t n, rank = op->operands[0].value->type->rank;
    bool outside;
    Value **at = position_of(l, op, b, &n, &outside), *source = op->operands[0].value;
    if (outside) {
        results[0] = vec_zero(b, op->results[0].type);
    } else if (n == 0) {
        results[0] = op->results[0].type->kind == TYPE_TENSOR ? source : vec_get(b, source, at);
    } else if (n == rank) {
        results[0] = vec_get(b, source, at);
        if (op->results[0].type->kind == TYPE_TENSOR)
            results[0] = vec_scalar_tensor(b, results[0]);
    } else {
        VecMap map;
        vec_map_begin(b, op->results[0].type, &map);
        Value **all = ARENA_ARRAY(&l->ctx->arena, Value *, rank + 1);
        for (uint32_t i = 0; i < rank; i++)
            all[i] = i < n ? at[i] : map.at[i - n];
        results[0] = vec_map_end(&map, vec_get(&map.body, source, all));
    }
    return true;
}

bool vec_insert(Vectors *l, Op *op, Builder *b, Value *mask, Value **results)
{
    (void)mask;
    Value *part = op->operands[0].value, *whole = op->operands[1].value;
    uint32_t n, rank = whole->type->rank;
    bool outside;
    Value **at = position_of(l, op, b, &n, &outside);
    if (outside) {
        results[0] = whole;
    } else if (n == rank) {
        results[0] = vec_set(b, whole, at, vec_get(b, part, NULL));
    } else {
        Value **offsets = ARENA_ARRAY(&l->ctx->arena, Value *, rank + 1), **sizes = ARENA_ARRAY(&l->ctx->arena, Value *, rank + 1);
        for (uint32_t i = 0; i < rank; i++) {
            offsets[i] = i < n ? at[i] : vmc_build_index(b, 0);
            sizes[i] = vmc_build_index(b, i < n ? 1 : whole->type->dims[i]);
        }
        results[0] = n ? vmc_build_insert_slice(b, part, whole, offsets, sizes) : part;
    }
    return true;
}

bool vec_extract_strided(Vectors *l, Op *op, Builder *b, Value *mask, Value **results)
{
    (void)mask;
    const int64_t *offsets = NULL;
    uint32_t n = (uint32_t)vmc_attr_ints(l->ctx, vmc_get_attr(op, "offsets"), &offsets), rank = op->results[0].type->rank;
    VecMap map;
    vec_map_begin(b, op->results[0].type, &map);
    Value **at = ARENA_ARRAY(&l->ctx->arena, Value *, rank + 1);
    for (uint32_t i = 0; i < rank; i++)
        at[i] = i < n && offsets[i] ? vec_add(&map.body, map.at[i], vmc_build_index(&map.body, offsets[i])) : map.at[i];
    results[0] = vec_map_end(&map, vec_get(&map.body, op->operands[0].value, at));
    return true;
}

bool vec_insert_strided(Vectors *l, Op *op, Builder *b, Value *mask, Value **results)
{
    (void)mask;
    Value *part = op->operands[0].value, *whole = op->operands[1].value;
    uint32_t rank = whole->type->rank, extra = rank - part->type->rank;
    const int64_t *starts = NULL;
    vmc_attr_ints(l->ctx, vmc_get_attr(op, "offsets"), &starts);
    Value **offsets = ARENA_ARRAY(&l->ctx->arena, Value *, rank + 1), **sizes = ARENA_ARRAY(&l->ctx->arena, Value *, rank + 1);
    for (uint32_t i = 0; i < rank; i++) {
        offsets[i] = vmc_build_index(b, starts[i]);
        sizes[i] = vmc_build_index(b, i < extra ? 1 : part->type->dims[i - extra]);
    }
    results[0] = rank ? vmc_build_insert_slice(b, part, whole, offsets, sizes) : part;
    return true;
}

/* ---- casts --------------------------------------------------------------------------------------------- */

bool vec_shape_cast(Vectors *l, Op *op, Builder *b, Value *mask, Value **results)
{
    (void)l, (void)mask;
    results[0] = vec_reshape(b, op->operands[0].value, op->results[0].type);
    return true;
}

static uint32_t bits_of(const Type *type)
{
    return type->kind == TYPE_INDEX ? 64 : type->kind == TYPE_INT ? type->width : vmc_float_bits(type->format);
}

static Value *as_type(Builder *b, Value *value, const Type *type)
{
    if (value->type == type)
        return value;
    const char *name = value->type->kind == TYPE_INDEX || type->kind == TYPE_INDEX ? "arith.index_cast" : "arith.bitcast";
    return vmc_build1(b, name, type, 1, &value);
}

/* An integer of `from` bits as one of `to` bits, zero-extended or truncated. */
static Value *resize(Builder *b, Value *value, uint32_t to)
{
    const Type *type = vmc_type_int(b->ctx, to, SIGNLESS);
    if (value->type->width == to)
        return value;
    return vmc_build1(b, value->type->width < to ? "arith.extui" : "arith.trunci", type, 1, &value);
}

static Value *shifted(Builder *b, const char *name, Value *value, Value *amount)
{
    amount = vmc_build1(b, "arith.index_cast", value->type, 1, &amount);
    return vmc_binary(b, name, value, amount);
}

static uint32_t common_divisor(uint32_t a, uint32_t b)
{
    while (b) {
        uint32_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Elements of other widths are put together from pieces of the greatest width that divides both. */
static Value *piecewise(Builder *b, Value *source, Value *const *at, uint32_t rank, const Type *to)
{
    Context *ctx = b->ctx;
    uint32_t in = bits_of(source->type->elem), out = bits_of(to), piece = common_divisor(in, out);
    const Type *index = vmc_type_index(ctx), *word = vmc_type_int(ctx, in, SIGNLESS);
    Value *first = vmc_binary(b, "arith.muli", at[rank - 1], vmc_build_index(b, out)), *sum = NULL;
    (void)index;
    for (uint32_t low = 0; low < out; low += piece) {
        Value *bit = vec_add(b, first, vmc_build_index(b, low)), *width = vmc_build_index(b, in);
        Value *element = vec_get(b, source, with_last(b, at, rank, vmc_binary(b, "arith.divui", bit, width)));
        Value *part = as_type(b, element, word);
        if (piece != in)
            part = resize(b, shifted(b, "arith.shrui", part, vmc_binary(b, "arith.remui", bit, width)), piece);
        part = resize(b, part, out);
        if (low)
            part = shifted(b, "arith.shli", part, vmc_build_index(b, low));
        sum = sum ? vmc_binary(b, "arith.ori", sum, part) : part;
    }
    return as_type(b, sum, to);
}

bool vec_bitcast(Vectors *l, Op *op, Builder *b, Value *mask, Value **results)
{
    (void)mask;
    Value *source = op->operands[0].value;
    const Type *to = op->results[0].type;
    uint32_t in = bits_of(source->type->elem), out = bits_of(to->elem);
    if (source->type == to) {
        results[0] = source;
        return true;
    }
    if (in > 64 || out > 64) {
        vmc_error(&l->ctx->diag, op->pos, "'vector.bitcast' of elements of over 64 bits is not supported");
        return false;
    }
    VecMap map;
    vec_map_begin(b, to, &map);
    Value *element = in == out ? as_type(&map.body, vec_get(&map.body, source, map.at), to->elem)
                               : piecewise(&map.body, source, map.at, to->rank, to->elem);
    results[0] = vec_map_end(&map, element);
    return true;
}

/* ---- masks ------------------------------------------------------------------------------------------------- */

bool vec_mask_of(Vectors *l, Op *op, Builder *b, Value *mask, Value **results)
{
    (void)mask;
    const Type *type = op->results[0].type;
    const int64_t *sizes = NULL;
    bool constant = vmc_is(op, "vector.constant_mask");
    if (constant)
        vmc_attr_ints(l->ctx, vmc_get_attr(op, "mask_dim_sizes"), &sizes);
    VecMap map;
    vec_map_begin(b, type, &map);
    Value *set = NULL;
    for (uint32_t i = 0; i < (type->rank ? type->rank : 1); i++) {
        Value *bound = constant ? vmc_build_index(&map.body, sizes[i]) : op->operands[i].value;
        Value *inside = vmc_cmpi(&map.body, CMPI_SLT, type->rank ? map.at[i] : vmc_build_index(&map.body, 0), bound);
        set = set ? vmc_binary(&map.body, "arith.andi", set, inside) : inside;
    }
    results[0] = vec_map_end(&map, set);
    return true;
}
