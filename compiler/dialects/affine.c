/* Affine ops: verification and folds; the grammar is in affine_grammar.c. */
#include "hooks_buffer.h"
#include "shapes.h"

static const AffineMap *map_attr(const Op *op, const char *name)
{
    const Attr *attr = vmc_get_attr(op, name);
    return attr && attr->kind == ATTR_MAP ? attr->map : NULL;
}

bool vmc_affine_apply_verify(Context *ctx, Op *op)
{
    const AffineMap *map = map_attr(op, "map");
    if (!map || map->ndims + map->nsyms != op->noperands)
        return vmc_op_error(ctx, op, "operand count and affine map dimension and symbol count must match");
    if (vmc_is(op, "affine.apply") ? map->nresults != 1 : map->nresults == 0)
        return vmc_op_error(ctx, op, "expected an affine map with a result");
    return true;
}

bool vmc_affine_apply_fold(Context *ctx, Op *op, const Attr *const *operands, const Attr **attrs, Value **values)
{
    const AffineMap *map = map_attr(op, "map");
    bool min = vmc_is(op, "affine.min");
    int64_t *numbers = ARENA_ARRAY(&ctx->arena, int64_t, op->noperands + 1), best = 0;
    if (map->nresults == 1 && (map->results[0]->kind == AFFINE_DIM || map->results[0]->kind == AFFINE_SYMBOL)) {
        int64_t k = map->results[0]->value + (map->results[0]->kind == AFFINE_SYMBOL ? map->ndims : 0);
        values[0] = op->operands[k].value;
        return true;
    }
    for (uint32_t i = 0; i < op->noperands; i++) {
        if (!operands[i] || operands[i]->kind != ATTR_INT)
            return false;
        numbers[i] = operands[i]->i;
    }
    for (uint32_t r = 0; r < map->nresults; r++) {
        int64_t value;
        if (!vmc_affine_eval(map->results[r], numbers, numbers + map->ndims, &value))
            return false;
        if (r == 0 || (min ? value < best : value > best))
            best = value;
    }
    attrs[0] = vmc_attr_index(ctx, best);
    return true;
}

bool vmc_affine_for_verify(Context *ctx, Op *op)
{
    const AffineMap *lower = map_attr(op, "lowerBoundMap"), *upper = map_attr(op, "upperBoundMap");
    OperandRange lows = vmc_operand_group(op, "lowerBoundOperands"), highs = vmc_operand_group(op, "upperBoundOperands");
    OperandRange inits = vmc_operand_group(op, "inits");
    Block *body = vmc_entry(op, 0);
    int64_t step = 0;
    if (!lower || !upper || lower->nresults == 0 || upper->nresults == 0 || lower->ndims + lower->nsyms != lows.count ||
        upper->ndims + upper->nsyms != highs.count)
        return vmc_op_error(ctx, op, "expected bound maps whose dimensions and symbols are the bound operands");
    if (!vmc_get_int(op, "step", &step) || step <= 0)
        return vmc_op_error(ctx, op, "expected a positive step");
    if (!body || body->nargs != 1 + inits.count || body->args[0]->type->kind != TYPE_INDEX || op->nresults != inits.count)
        return vmc_op_error(ctx, op, "expected a body with the induction variable and one argument for each carried value");
    Op *yield = vmc_terminator(body);
    if (!yield || !vmc_is(yield, "affine.yield") || yield->noperands != inits.count)
        return vmc_op_error(ctx, op, "expected a body that ends in affine.yield of the carried values");
    for (uint32_t i = 0; i < inits.count; i++) {
        const Type *type = op->operands[inits.first + i].value->type;
        if (body->args[1 + i]->type != type || op->results[i].type != type || yield->operands[i].value->type != type)
            return vmc_op_error(ctx, op, "types of the carried values differ between init, argument, yield and result");
    }
    return true;
}

bool vmc_affine_if_verify(Context *ctx, Op *op)
{
    const Attr *set = vmc_get_attr(op, "condition");
    if (!set || set->kind != ATTR_SET || set->map->ndims + set->map->nsyms != op->noperands)
        return vmc_op_error(ctx, op, "operand count and integer set dimension and symbol count must match");
    if (op->nregions != 2 || !op->regions[0].first || (op->nresults && !op->regions[1].first))
        return vmc_op_error(ctx, op, "expected a then region, and an else region where it has results");
    for (uint32_t k = 0; k < 2; k++) {
        Block *block = vmc_entry(op, k);
        Op *yield = block ? vmc_terminator(block) : NULL;
        if (!block)
            continue;
        if (!yield || !vmc_is(yield, "affine.yield") || yield->noperands != op->nresults)
            return vmc_op_error(ctx, op, "expected regions that end in affine.yield of the results");
        for (uint32_t i = 0; i < op->nresults; i++)
            if (yield->operands[i].value->type != op->results[i].type)
                return vmc_op_error(ctx, op, "types of yield and results differ");
    }
    return true;
}

bool vmc_affine_subscripts_verify(Context *ctx, Op *op)
{
    const AffineMap *map = map_attr(op, "map");
    const Type *memref = vmc_operand_named(op, "memref")->type;
    if (map && map->nresults == memref->rank && map->ndims + map->nsyms == vmc_operand_group(op, "indices").count)
        return true;
    return vmc_op_error(ctx, op, "expected one affine subscript for each dimension of the memref");
}

bool vmc_affine_access_verify(Context *ctx, Op *op)
{
    const Type *memref = vmc_operand_named(op, "memref")->type;
    Value *value = vmc_operand_named(op, "value");
    if (!vmc_affine_subscripts_verify(ctx, op))
        return false;
    return !value || value->type == memref->elem || vmc_op_error(ctx, op, "expected a value of the memref's element type");
}

bool vmc_affine_parallel_verify(Context *ctx, Op *op)
{
    const AffineMap *lower = map_attr(op, "lowerBoundsMap"), *upper = map_attr(op, "upperBoundsMap");
    const Attr *reductions = vmc_get_attr(op, "reductions");
    const int64_t *steps = NULL, *low_groups = NULL, *high_groups = NULL;
    ptrdiff_t n = vmc_attr_ints(ctx, vmc_get_attr(op, "steps"), &steps);
    ptrdiff_t nlow = vmc_attr_ints(ctx, vmc_get_attr(op, "lowerBoundsGroups"), &low_groups);
    ptrdiff_t nhigh = vmc_attr_ints(ctx, vmc_get_attr(op, "upperBoundsGroups"), &high_groups);
    Block *body = vmc_entry(op, 0);
    if (!lower || !upper || n < 0 || nlow != n || nhigh != n || !body || body->nargs != (uint32_t)n)
        return vmc_op_error(ctx, op, "expected bounds and a step for each induction variable");
    int64_t low_results = 0, high_results = 0;
    for (ptrdiff_t i = 0; i < n; i++) {
        if (low_groups[i] <= 0 || high_groups[i] <= 0 || steps[i] <= 0)
            return vmc_op_error(ctx, op, "expected positive bound groups and steps");
        if (body->args[i]->type->kind != TYPE_INDEX)
            return vmc_op_error(ctx, op, "expected induction variables of type index");
        low_results += low_groups[i] > UINT32_MAX ? 0 : low_groups[i];
        high_results += high_groups[i] > UINT32_MAX ? 0 : high_groups[i];
    }
    if (low_results != lower->nresults || high_results != upper->nresults ||
        (uint64_t)lower->ndims + lower->nsyms + upper->ndims + upper->nsyms != op->noperands)
        return vmc_op_error(ctx, op, "bound groups and operands do not fit the bound maps");
    Op *yield = vmc_terminator(body);
    if (!reductions || reductions->kind != ATTR_ARRAY || reductions->n != op->nresults || !yield ||
        !vmc_is(yield, "affine.yield") || yield->noperands != op->nresults)
        return vmc_op_error(ctx, op, "expected one reduction and one yielded value for each result");
    for (uint32_t i = 0; i < op->nresults; i++)
        if (yield->operands[i].value->type != op->results[i].type || reductions->elems[i]->kind != ATTR_INT)
            return vmc_op_error(ctx, op, "types of yield and results differ");
    return true;
}

bool vmc_affine_delinearize_verify(Context *ctx, Op *op)
{
    MixedList basis;
    if (!vmc_get_attr(op, "static_basis"))
        return op->noperands == 1 + op->nresults || vmc_op_error(ctx, op, "expected one basis element for each result");
    if (!vmc_mixed_list(ctx, op, "static_basis", "dynamic_basis", &basis) ||
        (basis.n != op->nresults && basis.n + 1 != op->nresults))
        return vmc_op_error(ctx, op, "expected one basis element for each result, the first may be left out");
    return true;
}

bool vmc_affine_linearize_verify(Context *ctx, Op *op)
{
    MixedList basis;
    uint32_t n = vmc_operand_group(op, "multi_index").count;
    if (!vmc_mixed_list(ctx, op, "static_basis", "dynamic_basis", &basis) || (basis.n != n && basis.n + 1 != n))
        return vmc_op_error(ctx, op, "expected one basis element for each index, the first may be left out");
    return true;
}
