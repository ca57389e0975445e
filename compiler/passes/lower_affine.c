/* affine ops become scf and arith: expressions exact for negative numbers, parallel loops in row-major order. */
#include "../dialects/linalg.h"

#include "builders.h"
#include "passes.h"

typedef struct Lowering {
    PassContext *pc;
    VEC(Op *) ops; /* innermost first */
} Lowering;

static const AffineMap *map_of(const Op *op, const char *name)
{
    return vmc_get_attr(op, name)->map;
}

static Value **values_of(Context *ctx, const Op *op, uint32_t first, uint32_t n)
{
    Value **values = ARENA_ARRAY(&ctx->arena, Value *, n + 1);
    for (uint32_t i = 0; i < n; i++)
        values[i] = op->operands[first + i].value;
    return values;
}

static void replace(Op *op, Value *const *values)
{
    for (uint32_t i = 0; i < op->nresults; i++) {
        if (op->results[i].name && values[i]->op && !values[i]->name)
            values[i]->name = op->results[i].name;
        vmc_replace_uses(&op->results[i], values[i]);
    }
    vmc_op_erase(op);
}

/* Least or greatest of results first .. first + n - 1. */
static Value *extreme(Builder *b, const AffineMap *map, uint32_t first, uint32_t n, Value *const *operands, bool least)
{
    Value *best = NULL;
    for (uint32_t r = first; r < first + n; r++) {
        Value *value = vmc_affine_value(b, map->results[r], operands, operands + map->ndims);
        best = best ? vmc_binary(b, least ? "arith.minsi" : "arith.maxsi", best, value) : value;
    }
    return best;
}

static bool lower_apply(Context *ctx, Op *op)
{
    Builder b = vmc_before(ctx, op);
    const AffineMap *map = map_of(op, "map");
    Value *value = extreme(&b, map, 0, map->nresults, values_of(ctx, op, 0, op->noperands), vmc_is(op, "affine.min"));
    replace(op, &value);
    return true;
}

static void rename_yield(Context *ctx, Block *block)
{
    Op *yield = vmc_terminator(block);
    Builder b = vmc_before(ctx, yield);
    vmc_build_yield(&b, "scf.yield", yield->noperands, values_of(ctx, yield, 0, yield->noperands));
    vmc_op_erase(yield);
}

static bool lower_for(Context *ctx, Op *op)
{
    Builder b = vmc_before(ctx, op);
    OperandRange lows = vmc_operand_group(op, "lowerBoundOperands"), highs = vmc_operand_group(op, "upperBoundOperands");
    OperandRange inits = vmc_operand_group(op, "inits");
    const AffineMap *lower = map_of(op, "lowerBoundMap"), *upper = map_of(op, "upperBoundMap");
    int64_t step = 1;
    vmc_get_int(op, "step", &step);
    Value *from = extreme(&b, lower, 0, lower->nresults, values_of(ctx, op, lows.first, lows.count), false);
    Value *to = extreme(&b, upper, 0, upper->nresults, values_of(ctx, op, highs.first, highs.count), true);
    Op *loop = vmc_build_for(&b, from, to, vmc_build_index(&b, step), inits.count, values_of(ctx, op, inits.first, inits.count));
    Block *body = vmc_entry(loop, 0), *old = vmc_entry(op, 0);
    for (uint32_t i = 0; i < old->nargs; i++)
        body->args[i]->name = old->args[i]->name;
    Builder inner = vmc_at_end(ctx, body, op->pos);
    Op *yield = vmc_inline_block(&inner, old, body->args);
    vmc_op_unlink(yield);
    vmc_op_append(body, yield);
    rename_yield(ctx, body);
    Value **results = ARENA_ARRAY(&ctx->arena, Value *, op->nresults + 1);
    for (uint32_t i = 0; i < op->nresults; i++)
        results[i] = &loop->results[i];
    replace(op, results);
    return true;
}

static bool lower_if(Context *ctx, Op *op)
{
    Builder b = vmc_before(ctx, op);
    const AffineMap *set = map_of(op, "condition");
    Value **operands = values_of(ctx, op, 0, op->noperands);
    Value *zero = vmc_build_index(&b, 0), *all = NULL;
    for (uint32_t i = 0; i < set->nresults; i++) {
        Value *value = vmc_affine_value(&b, set->results[i], operands, operands + set->ndims);
        Value *holds = vmc_cmpi(&b, set->eq[i] ? CMPI_EQ : CMPI_SGE, value, zero);
        all = all ? vmc_binary(&b, "arith.andi", all, holds) : holds;
    }
    if (!all)
        all = vmc_build_const(&b, vmc_attr_bool(ctx, true), vmc_type_int(ctx, 1, SIGNLESS));
    const Type **types = ARENA_ARRAY(&ctx->arena, const Type *, op->nresults + 1);
    for (uint32_t i = 0; i < op->nresults; i++)
        types[i] = op->results[i].type;
    uint32_t nregions = op->regions[1].first ? 2 : 1;
    Op *choice = vmc_build(&b, "scf.if", 1, &all, op->nresults, types, 0, NULL, 2);
    for (uint32_t k = 0; k < nregions; k++) {
        Block *block = vmc_entry(op, k);
        vmc_block_unlink(block);
        vmc_block_append(&choice->regions[k], block);
        rename_yield(ctx, block);
    }
    Value **results = ARENA_ARRAY(&ctx->arena, Value *, op->nresults + 1);
    for (uint32_t i = 0; i < op->nresults; i++)
        results[i] = &choice->results[i];
    replace(op, results);
    return true;
}

/* The first operands as they are, then the values of the subscripts. */
static Value **subscripted(Builder *b, const Op *op, uint32_t first, const AffineMap *map, uint32_t *n)
{
    Value **indices = values_of(b->ctx, op, first, map->ndims + map->nsyms);
    Value **operands = ARENA_ARRAY(&b->ctx->arena, Value *, first + map->nresults + 1);
    for (*n = 0; *n < first; (*n)++)
        operands[*n] = op->operands[*n].value;
    for (uint32_t r = 0; r < map->nresults; r++)
        operands[(*n)++] = vmc_affine_value(b, map->results[r], indices, indices + map->ndims);
    return operands;
}

static bool lower_hint(Context *ctx, Op *op)
{
    (void)ctx;
    vmc_op_erase(op);
    return true;
}

static bool lower_access(Context *ctx, Op *op)
{
    Builder b = vmc_before(ctx, op);
    bool store = op->nresults == 0;
    uint32_t n;
    Value **operands = subscripted(&b, op, store ? 2 : 1, map_of(op, "map"), &n);
    if (store) {
        vmc_build(&b, "memref.store", n, operands, 0, NULL, 0, NULL, 0);
        vmc_op_erase(op);
    } else {
        Value *value = vmc_build1(&b, "memref.load", op->results[0].type, n, operands);
        replace(op, &value);
    }
    return true;
}

/* ---- transfers ---------------------------------------------------------------------- */

/* A place of affine.dma_start as a memref of `turns` rows of `count` elements, `stride` apart, from its element on. */
static Value *rows_from(Builder *b, const Op *op, uint32_t at, const AffineMap *map, Value *turns, Value *count, Value *stride)
{
    Context *ctx = b->ctx;
    static const int32_t segments[] = {1, 1, 2, 1};
    static const int64_t dynamic[2] = {VMC_DYNAMIC, VMC_DYNAMIC}, strides[2] = {VMC_DYNAMIC, 1};
    Value *memref = op->operands[at].value;
    const Type *type = memref->type, *index = vmc_type_index(ctx);
    uint32_t rank = type->rank;
    const Type **types = ARENA_ARRAY(&ctx->arena, const Type *, 2 + 2 * (size_t)rank);
    for (uint32_t i = 0; i < 2 + 2 * rank; i++)
        types[i] = index;
    types[0] = vmc_type_memref(ctx, 0, NULL, type->elem, NULL, type->space);
    Op *parts = vmc_build(b, "memref.extract_strided_metadata", 1, &memref, 2 + 2 * rank, types, 0, NULL, 0);
    Value *offset = &parts->results[1], **indices = values_of(ctx, op, at + 1, map->ndims + map->nsyms);
    for (uint32_t r = 0; r < rank; r++) {
        Value *i = vmc_affine_value(b, map->results[r], indices, indices + map->ndims);
        offset = vmc_binary(b, "arith.addi", offset, vmc_binary(b, "arith.muli", i, &parts->results[2 + rank + r]));
    }
    const Attr *layout = vmc_attr_strided(ctx, VMC_DYNAMIC, 2, strides);
    const Type *view = vmc_type_memref(ctx, 2, dynamic, type->elem, layout, type->space);
    Value *operands[] = {memref, offset, turns, count, stride};
    NamedAttr attrs[] = {{vmc_name(ctx, "static_offsets"), vmc_attr_i64_array(ctx, 1, dynamic)},
                         {vmc_name(ctx, "static_sizes"), vmc_attr_i64_array(ctx, 2, dynamic)},
                         {vmc_name(ctx, "static_strides"), vmc_attr_i64_array(ctx, 2, strides)},
                         vmc_segments(ctx, 4, segments)};
    return &vmc_build(b, "memref.reinterpret_cast", 5, operands, 1, &view, 4, attrs, 0)->results[0];
}

/* Done at once.  Strides are those of the side that is slower: the one in the lower memory space, as MLIR has it. */
static bool lower_dma(Context *ctx, Op *op)
{
    Builder b = vmc_before(ctx, op);
    const AffineMap *src = map_of(op, "src_map"), *dst = map_of(op, "dst_map"), *tag = map_of(op, "tag_map");
    uint32_t second = 1 + src->ndims + src->nsyms, third = second + 1 + dst->ndims + dst->nsyms;
    uint32_t at = third + 1 + tag->ndims + tag->nsyms;
    Value *count = op->operands[at].value, *turns = vmc_build_index(&b, 1), *stride = count, *from, *to;
    bool strided = op->noperands - at == 3;
    if (strided) {
        Value *all = count;
        stride = op->operands[at + 1].value;
        count = op->operands[at + 2].value;
        turns = vmc_binary(&b, "arith.ceildivsi", all, count);
    }
    const Attr *spaces[2] = {op->operands[0].value->type->space, op->operands[second].value->type->space};
    int64_t levels[2];
    for (unsigned i = 0; i < 2; i++)
        levels[i] = spaces[i] && spaces[i]->kind == ATTR_INT ? spaces[i]->i : 0;
    bool source_faster = levels[0] > levels[1];
    from = rows_from(&b, op, 0, src, turns, count, source_faster ? count : stride);
    to = rows_from(&b, op, second, dst, turns, count, source_faster ? stride : count);
    vmc_build(&b, "memref.copy", 2, (Value *[]){from, to}, 0, NULL, 0, NULL, 0);
    vmc_op_erase(op);
    return true;
}

/* ---- parallel --------------------------------------------------------------------- */

/* By number of the atomic_rmw_kind table. */
static const char *const rmw_ops[] = {
    [0] = "arith.addf",     [1] = "arith.addi",  [3] = "arith.maximumf", [4] = "arith.maxsi",    [5] = "arith.maxui",
    [6] = "arith.minimumf", [7] = "arith.minsi", [8] = "arith.minui",    [9] = "arith.mulf",     [10] = "arith.muli",
    [11] = "arith.ori",     [12] = "arith.andi", [13] = "arith.maxnumf", [14] = "arith.minnumf",
};

/* Neutral element of a reduction, the value that affine.parallel starts from. */
static Value *neutral(Builder *b, int64_t kind, const Type *type)
{
    Context *ctx = b->ctx;
    bool is_float = type->kind == TYPE_FLOAT;
    if (is_float) { /* zero, one, or an infinity */
        bool least = kind == 3 || kind == 13, greatest = kind == 6 || kind == 14;
        Value *number = vmc_build_float(b, type, least ? -1 : greatest || kind == 9);
        return least || greatest ? vmc_binary(b, "arith.divf", number, vmc_build_float(b, type, 0)) : number;
    }
    uint32_t width = type->kind == TYPE_INT ? type->width : 64;
    int64_t least = width >= 64 ? INT64_MIN : -(INT64_C(1) << (width - 1));
    int64_t value = kind == 4 ? least : kind == 7 ? -(least + 1) : kind == 8 || kind == 12 ? -1 : kind == 10 ? 1 : 0;
    if (width == 1)
        value = kind == 4 || kind == 8 || kind == 10 || kind == 12 ? 1 : 0;
    return vmc_build_const(b, vmc_attr_int(ctx, type, value), type);
}

static bool reduction_ok(int64_t kind, const Type *type)
{
    bool on_float = kind == 0 || kind == 3 || kind == 6 || kind == 9 || kind == 13 || kind == 14;
    bool in_table = kind >= 0 && kind < (int64_t)(sizeof rmw_ops / sizeof rmw_ops[0]) && rmw_ops[kind];
    return in_table && (type->kind == TYPE_FLOAT ? on_float : !on_float && (type->kind == TYPE_INT || type->kind == TYPE_INDEX));
}

static bool lower_parallel(Context *ctx, Op *op)
{
    Builder b = vmc_before(ctx, op);
    const AffineMap *lower = map_of(op, "lowerBoundsMap"), *upper = map_of(op, "upperBoundsMap");
    const int64_t *steps = NULL, *low_groups = NULL, *high_groups = NULL;
    const Attr *reductions = vmc_get_attr(op, "reductions");
    uint32_t n = (uint32_t)vmc_attr_ints(ctx, vmc_get_attr(op, "steps"), &steps), low = 0, high = 0, carried = op->nresults;
    vmc_attr_ints(ctx, vmc_get_attr(op, "lowerBoundsGroups"), &low_groups);
    vmc_attr_ints(ctx, vmc_get_attr(op, "upperBoundsGroups"), &high_groups);
    uint32_t low_count = lower->ndims + lower->nsyms;
    Value **lows = values_of(ctx, op, 0, low_count), **highs = values_of(ctx, op, low_count, op->noperands - low_count);
    Value **values = ARENA_ARRAY(&ctx->arena, Value *, carried + 1), **ivs = ARENA_ARRAY(&ctx->arena, Value *, n + 1);
    Value **bounds = ARENA_ARRAY(&ctx->arena, Value *, 3 * (size_t)n + 1),
          **results = ARENA_ARRAY(&ctx->arena, Value *, carried + 1);
    for (uint32_t i = 0; i < carried; i++) {
        if (!reduction_ok(reductions->elems[i]->i, op->results[i].type)) {
            vmc_error(&ctx->diag, op->pos, "'affine.parallel' reduction %u does not fit its type", i);
            return false;
        }
        values[i] = results[i] = neutral(&b, reductions->elems[i]->i, op->results[i].type);
    }
    for (uint32_t i = 0; i < n; i++) { /* all bounds come before the first turn */
        bounds[3 * i] = extreme(&b, lower, low, (uint32_t)low_groups[i], lows, false);
        bounds[3 * i + 1] = extreme(&b, upper, high, (uint32_t)high_groups[i], highs, true);
        bounds[3 * i + 2] = vmc_build_index(&b, steps[i]);
        low += (uint32_t)low_groups[i];
        high += (uint32_t)high_groups[i];
    }
    Op *outer = NULL, *outermost = NULL;
    for (uint32_t i = 0; i < n; i++) {
        Op *loop = vmc_build_for(&b, bounds[3 * i], bounds[3 * i + 1], bounds[3 * i + 2], carried, values);
        Block *body = vmc_entry(loop, 0);
        ivs[i] = body->args[0];
        for (uint32_t k = 0; k < carried; k++) {
            values[k] = body->args[1 + k];
            if (!outer)
                results[k] = &loop->results[k];
        }
        Value **inner = ARENA_ARRAY(&ctx->arena, Value *, carried + 1);
        for (uint32_t k = 0; k < carried; k++)
            inner[k] = &loop->results[k];
        if (outer)
            vmc_build_yield(&b, "scf.yield", carried, inner);
        outer = loop;
        outermost = outermost ? outermost : loop;
        b = vmc_at_end(ctx, body, op->pos);
    }
    vmc_mark_nest(ctx, op, outermost, outer);
    Op *yield = vmc_inline_block(&b, vmc_entry(op, 0), ivs);
    for (uint32_t k = 0; k < carried; k++) {
        values[k] = vmc_binary(&b, rmw_ops[reductions->elems[k]->i], values[k], yield->operands[k].value);
        if (n == 0)
            results[k] = values[k];
    }
    if (n)
        vmc_build_yield(&b, "scf.yield", carried, values);
    replace(op, results);
    return true;
}

/* ---- index arithmetic ------------------------------------------------------------------ */

static Value **basis_of(Builder *b, const Op *op, uint32_t *n)
{
    const Attr *attr = vmc_get_attr(op, "static_basis");
    OperandRange dynamic = vmc_operand_group(op, "dynamic_basis");
    const int64_t *statics = NULL;
    ptrdiff_t count = attr ? vmc_attr_ints(b->ctx, attr, &statics) : (ptrdiff_t)dynamic.count;
    Value **values = ARENA_ARRAY(&b->ctx->arena, Value *, (size_t)count + 1);
    uint32_t next = dynamic.first;
    for (ptrdiff_t i = 0; i < count; i++)
        values[i] = attr && statics[i] != VMC_DYNAMIC ? vmc_build_index(b, statics[i]) : op->operands[next++].value;
    *n = (uint32_t)count;
    return values;
}

static bool lower_delinearize(Context *ctx, Op *op)
{
    Builder b = vmc_before(ctx, op);
    uint32_t n, count = op->nresults;
    Value **basis = basis_of(&b, op, &n), **results = ARENA_ARRAY(&ctx->arena, Value *, count + 1);
    Value *rest = op->operands[0].value;
    for (uint32_t i = count; i-- > 1;) {
        Value *size = basis[n - (count - i)];
        Value *quotient = vmc_binary(&b, "arith.floordivsi", rest, size);
        results[i] = vmc_binary(&b, "arith.subi", rest, vmc_binary(&b, "arith.muli", quotient, size));
        rest = quotient;
    }
    if (count)
        results[0] = rest;
    replace(op, results);
    return true;
}

static bool lower_linearize(Context *ctx, Op *op)
{
    Builder b = vmc_before(ctx, op);
    OperandRange indices = vmc_operand_group(op, "multi_index");
    uint32_t n;
    Value **basis = basis_of(&b, op, &n);
    Value *sum = indices.count ? op->operands[indices.first].value : vmc_build_index(&b, 0);
    for (uint32_t i = 1; i < indices.count; i++) {
        sum = vmc_binary(&b, "arith.muli", sum, basis[n - (indices.count - i)]);
        sum = vmc_binary(&b, "arith.addi", sum, op->operands[indices.first + i].value);
    }
    replace(op, &sum);
    return true;
}

/* ---- pass -------------------------------------------------------------------------------- */

typedef struct Row {
    const char *name;
    bool (*lower)(Context *ctx, Op *op);
} Row;

static const Row rows[] = {
    {"affine.apply", lower_apply},
    {"affine.min", lower_apply},
    {"affine.max", lower_apply},
    {"affine.for", lower_for},
    {"affine.if", lower_if},
    {"affine.load", lower_access},
    {"affine.store", lower_access},
    {"affine.prefetch", lower_hint},
    {"affine.dma_start", lower_dma},
    {"affine.dma_wait", lower_hint},
    {"affine.parallel", lower_parallel},
    {"affine.delinearize_index", lower_delinearize},
    {"affine.linearize_index", lower_linearize},
};

static bool collect(Op *op, void *user)
{
    Lowering *lowering = user;
    if (strncmp(op->name, "affine.", 7) == 0 && op->def)
        VEC_PUSH(&lowering->pc->ctx->arena, &lowering->ops, op);
    return true;
}

bool vmc_pass_lower_affine(PassContext *pc)
{
    Lowering lowering = {.pc = pc};
    bool ok = true;
    vmc_walk_post(pc->ctx->module, collect, &lowering);
    for (size_t i = 0; i < lowering.ops.n; i++)
        for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++)
            if (vmc_is(lowering.ops.at[i], rows[k].name)) {
                ok &= rows[k].lower(pc->ctx, lowering.ops.at[i]);
                break;
            }
    return ok;
}
