/* Verification of memref ops beyond their rows: ranks, layouts and the types of views. */
#include "hooks_buffer.h"
#include "shapes.h"

static const Type *operand_type(const Op *op, uint32_t i)
{
    return op->operands[i].value->type;
}

static bool fail_type(Context *ctx, Op *op, const char *what, const Type *expected, const Type *got)
{
    Text a = {.arena = &ctx->arena}, b = {.arena = &ctx->arena};
    vmc_print_type(&a, expected);
    vmc_print_type(&b, got);
    vmc_error(&ctx->diag, op->pos, "'%s' op expected %s '%s', saw '%s'", op->name, what, a.at, b.at);
    return false;
}

static uint32_t dynamic_dims(const Type *t)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < t->rank; i++)
        n += t->dims[i] == VMC_DYNAMIC;
    return n;
}

static bool check_alignment(Context *ctx, Op *op)
{
    int64_t alignment;
    if (!vmc_get_int(op, "alignment", &alignment) || (alignment > 0 && (alignment & (alignment - 1)) == 0))
        return true;
    return vmc_op_error(ctx, op, "alignment must be a power of two");
}

bool vmc_memref_assume_alignment_verify(Context *ctx, Op *op)
{
    return check_alignment(ctx, op);
}

bool vmc_memref_alloc_verify(Context *ctx, Op *op)
{
    const Type *type = op->results[0].type;
    OperandRange sizes = vmc_operand_group(op, "dynamicSizes"), symbols = vmc_operand_group(op, "symbolOperands");
    if (sizes.count != dynamic_dims(type)) {
        vmc_error(&ctx->diag, op->pos, "'%s' op dimension operand count (%u) does not equal the dynamic dimension count (%u)",
                  op->name, sizes.count, dynamic_dims(type));
        return false;
    }
    uint32_t nsyms = type->layout && type->layout->kind == ATTR_MAP ? type->layout->map->nsyms : 0;
    if (type->layout && type->layout->kind == ATTR_STRIDED) {
        nsyms = type->layout->offset == VMC_DYNAMIC;
        for (size_t i = 0; i < type->layout->n; i++)
            nsyms += type->layout->strides[i] == VMC_DYNAMIC;
    }
    if (symbols.count != nsyms)
        return vmc_op_error(ctx, op, "symbol operand count does not equal the symbol count of the layout");
    return check_alignment(ctx, op);
}

bool vmc_memref_access_verify(Context *ctx, Op *op)
{
    OperandRange indices = vmc_operand_group(op, "indices");
    const Type *memref = vmc_operand_named(op, "memref")->type;
    if (indices.count == memref->rank)
        return true;
    vmc_error(&ctx->diag, op->pos, "'%s' op incorrect number of indices: %u for a memref of rank %u", op->name, indices.count,
              memref->rank);
    return false;
}

bool vmc_memref_prefetch_verify(Context *ctx, Op *op)
{
    int64_t hint = 0;
    if (!vmc_memref_access_verify(ctx, op))
        return false;
    return (vmc_get_int(op, "localityHint", &hint) && hint >= 0 && hint <= 3) || vmc_op_error(ctx, op, "locality is 0 to 3");
}

bool vmc_memref_copy_verify(Context *ctx, Op *op)
{
    const Type *a = operand_type(op, 0), *b = operand_type(op, 1);
    if (a->elem != b->elem)
        return vmc_op_error(ctx, op, "requires the same element type for source and target");
    return vmc_shapes_compatible(a, b) || vmc_op_error(ctx, op, "requires the same shape for source and target");
}

bool vmc_memref_cast_verify(Context *ctx, Op *op)
{
    const Type *a = operand_type(op, 0), *b = op->results[0].type;
    return vmc_memref_cast_ok(ctx, a, b) || fail_type(ctx, op, "a type that can be cast from", a, b);
}

bool vmc_memref_space_cast_verify(Context *ctx, Op *op)
{
    const Type *a = operand_type(op, 0), *b = op->results[0].type;
    if (a->kind == b->kind && a->elem == b->elem && a->rank == b->rank && a->layout == b->layout && vmc_shapes_compatible(a, b))
        return true;
    return fail_type(ctx, op, "a type that differs in its memory space alone from", a, b);
}

bool vmc_memref_realloc_verify(Context *ctx, Op *op)
{
    const Type *a = operand_type(op, 0), *b = op->results[0].type;
    if (a->rank != 1 || b->rank != 1 || a->elem != b->elem || a->layout || b->layout || a->space != b->space)
        return vmc_op_error(ctx, op, "takes and gives rank 1 memrefs of equal element type and space without layout");
    if ((b->dims[0] == VMC_DYNAMIC) != (op->noperands == 2))
        return vmc_op_error(ctx, op, "takes a size operand exactly where the result is dynamic");
    return check_alignment(ctx, op);
}

/* ---- slices -------------------------------------------------------------------- */

static bool slice_sizes_ok(Context *ctx, Op *op, const Slice *slice)
{
    for (uint32_t i = 0; i < slice->sizes.n; i++)
        if (slice->sizes.statics[i] != VMC_DYNAMIC && slice->sizes.statics[i] < 0)
            return vmc_op_error(ctx, op, "expected sizes to be non-negative");
    return true;
}

bool vmc_memref_subview_verify(Context *ctx, Op *op)
{
    Slice slice;
    const Type *source = operand_type(op, 0), *result = op->results[0].type;
    if (!vmc_slice(ctx, op, &slice) || slice.offsets.n != source->rank || slice.sizes.n != source->rank ||
        slice.strides.n != source->rank)
        return vmc_op_error(ctx, op, "expected one offset, size and stride for each dimension of the source");
    if (!slice_sizes_ok(ctx, op, &slice))
        return false;
    const Type *full = vmc_subview_type(ctx, source, &slice);
    if (!full)
        return vmc_op_error(ctx, op, "expected a source with a strided layout");
    bool *kept = ARENA_ARRAY(&ctx->arena, bool, source->rank + 1);
    if (result->elem != source->elem || result->space != source->space || !vmc_slice_kept_dims(ctx, op, kept))
        return fail_type(ctx, op, "result type", full, result);
    int64_t *dims = ARENA_ARRAY(&ctx->arena, int64_t, source->rank + 1),
            *strides = ARENA_ARRAY(&ctx->arena, int64_t, source->rank + 1);
    int64_t offset;
    uint32_t rank = 0;
    vmc_memref_strides(ctx, full, &offset, strides);
    for (uint32_t i = 0; i < source->rank; i++)
        if (kept[i]) {
            dims[rank] = full->dims[i];
            strides[rank++] = strides[i];
        }
    const Type *reduced =
        vmc_type_memref(ctx, rank, dims, source->elem, vmc_strided_layout(ctx, rank, dims, offset, strides), source->space);
    return vmc_memref_cast_ok(ctx, reduced, result) || fail_type(ctx, op, "result type", reduced, result);
}

bool vmc_memref_reinterpret_cast_verify(Context *ctx, Op *op)
{
    Slice slice;
    const Type *source = operand_type(op, 0), *result = op->results[0].type;
    int64_t offset;
    int64_t *strides = ARENA_ARRAY(&ctx->arena, int64_t, result->rank + 1);
    if (!vmc_slice(ctx, op, &slice) || slice.offsets.n != 1 || slice.sizes.n != result->rank || slice.strides.n != result->rank)
        return vmc_op_error(ctx, op, "expected one offset and a size and stride for each dimension of the result");
    if (!slice_sizes_ok(ctx, op, &slice))
        return false;
    if (source->elem != result->elem || source->space != result->space)
        return vmc_op_error(ctx, op, "expected source and result with equal element type and memory space");
    if (!vmc_memref_strides(ctx, result, &offset, strides))
        return vmc_op_error(ctx, op, "expected a result with a strided layout");
    if (offset != VMC_DYNAMIC && slice.offsets.statics[0] != offset)
        return vmc_op_error(ctx, op, "offset differs from that of the result type");
    for (uint32_t i = 0; i < result->rank; i++) {
        if (result->dims[i] != VMC_DYNAMIC && slice.sizes.statics[i] != result->dims[i])
            return vmc_op_error(ctx, op, "sizes differ from those of the result type");
        if (strides[i] != VMC_DYNAMIC && slice.strides.statics[i] != strides[i])
            return vmc_op_error(ctx, op, "strides differ from those of the result type");
    }
    return true;
}

/* ---- reshapes -------------------------------------------------------------------- */

/* Static sizes of a group agree with the joined dim: 0 wrong, 1 fine. */
static bool group_sizes_ok(const Type *expanded, const Type *collapsed, const Reassociation *groups)
{
    for (uint32_t g = 0; g < groups->ngroups; g++) {
        int64_t product = 1;
        for (uint32_t i = groups->starts[g]; i < groups->starts[g + 1]; i++)
            product = vmc_dim_mul(product, expanded->dims[i]);
        if (product != VMC_DYNAMIC && collapsed->dims[g] != VMC_DYNAMIC && product != collapsed->dims[g])
            return false;
    }
    for (uint32_t i = 0; groups->ngroups == 0 && i < expanded->rank; i++)
        if (expanded->dims[i] != 1)
            return false;
    return true;
}

static bool reshape_groups(Context *ctx, Op *op, const Type *expanded, const Type *collapsed, Reassociation *groups)
{
    if (!vmc_reassociation(ctx, vmc_get_attr(op, "reassociation"), expanded->rank, groups) || groups->ngroups != collapsed->rank)
        return vmc_op_error(ctx, op,
                            "expected a reassociation that covers all dimensions in order, one group for each collapsed dimension");
    if (expanded->elem != collapsed->elem)
        return vmc_op_error(ctx, op, "expected equal element types");
    return group_sizes_ok(expanded, collapsed, groups) ||
           vmc_op_error(ctx, op, "sizes of a group do not give the size of the joined dimension");
}

static bool output_shape_ok(Context *ctx, Op *op, const Type *result, const Reassociation *groups)
{
    MixedList sizes;
    if (vmc_get_attr(op, "static_output_shape")) {
        if (!vmc_mixed_list(ctx, op, "static_output_shape", "output_shape", &sizes) || sizes.n != result->rank)
            return vmc_op_error(ctx, op, "expected one output size for each dimension of the result");
        for (uint32_t i = 0; i < sizes.n; i++)
            if (sizes.statics[i] != result->dims[i])
                return vmc_op_error(ctx, op, "output sizes differ from those of the result type");
        return true;
    }
    for (uint32_t g = 0; g < groups->ngroups; g++) {
        uint32_t dynamic = 0;
        for (uint32_t i = groups->starts[g]; i < groups->starts[g + 1]; i++)
            dynamic += result->dims[i] == VMC_DYNAMIC;
        if (dynamic > 1)
            return vmc_op_error(ctx, op, "at most one dimension of a group may be dynamic without output_shape");
    }
    return true;
}

Value *vmc_expanded_size(Builder *b, const Op *op, uint32_t i)
{
    MixedList sizes;
    Reassociation groups;
    const Type *result = op->results[0].type;
    bool tensor = result->kind == TYPE_TENSOR;
    if (result->dims[i] != VMC_DYNAMIC)
        return vmc_build_index(b, result->dims[i]);
    if (vmc_get_attr(op, "static_output_shape") && vmc_mixed_list(b->ctx, op, "static_output_shape", "output_shape", &sizes))
        return vmc_mixed_value(b, op, &sizes, i);
    vmc_reassociation(b->ctx, vmc_get_attr(op, "reassociation"), result->rank, &groups);
    uint32_t g = 0;
    while (i >= groups.starts[g + 1])
        g++;
    int64_t others = 1;
    for (uint32_t k = groups.starts[g]; k < groups.starts[g + 1]; k++)
        others = k == i ? others : vmc_dim_mul(others, result->dims[k]);
    Value *operands[2] = {op->operands[0].value, vmc_build_index(b, g)};
    operands[0] = vmc_build1(b, tensor ? "tensor.dim" : "memref.dim", vmc_type_index(b->ctx), 2, operands);
    if (others <= 1)
        return others == 1 ? operands[0] : vmc_build_index(b, 0);
    operands[1] = vmc_build_index(b, others);
    return vmc_build1(b, "arith.divui", vmc_type_index(b->ctx), 2, operands);
}

bool vmc_memref_expand_shape_verify(Context *ctx, Op *op)
{
    const Type *source = operand_type(op, 0), *result = op->results[0].type;
    Reassociation groups;
    if (!reshape_groups(ctx, op, result, source, &groups) || !output_shape_ok(ctx, op, result, &groups))
        return false;
    const Type *expected = vmc_expanded_memref(ctx, source, result, &groups);
    if (!expected)
        return vmc_op_error(ctx, op, "expected a source with a strided layout");
    return vmc_memref_cast_ok(ctx, expected, result) || fail_type(ctx, op, "result type", expected, result);
}

bool vmc_memref_collapse_shape_verify(Context *ctx, Op *op)
{
    const Type *source = operand_type(op, 0), *result = op->results[0].type;
    Reassociation groups;
    if (!reshape_groups(ctx, op, source, result, &groups))
        return false;
    const Type *expected = vmc_collapsed_type(ctx, source, &groups);
    if (!expected)
        return vmc_op_error(ctx, op, "joins dimensions that do not lie contiguously in memory");
    return vmc_memref_cast_ok(ctx, expected, result) || fail_type(ctx, op, "result type", expected, result);
}

bool vmc_tensor_expand_shape_verify(Context *ctx, Op *op)
{
    Reassociation groups;
    return reshape_groups(ctx, op, op->results[0].type, operand_type(op, 0), &groups) &&
           output_shape_ok(ctx, op, op->results[0].type, &groups);
}

bool vmc_tensor_collapse_shape_verify(Context *ctx, Op *op)
{
    Reassociation groups;
    return reshape_groups(ctx, op, operand_type(op, 0), op->results[0].type, &groups);
}

bool vmc_memref_transpose_verify(Context *ctx, Op *op)
{
    const Type *source = operand_type(op, 0), *result = op->results[0].type;
    const Attr *attr = vmc_get_attr(op, "permutation");
    int64_t offset;
    int64_t *strides = ARENA_ARRAY(&ctx->arena, int64_t, source->rank + 1),
            *moved = ARENA_ARRAY(&ctx->arena, int64_t, source->rank + 1);
    int64_t *dims = ARENA_ARRAY(&ctx->arena, int64_t, source->rank + 1);
    bool *seen = ARENA_ARRAY(&ctx->arena, bool, source->rank + 1);
    if (!attr || attr->kind != ATTR_MAP || attr->map->ndims != source->rank || attr->map->nresults != source->rank)
        return vmc_op_error(ctx, op, "expected a permutation of the source's dimensions");
    if (!vmc_memref_strides(ctx, source, &offset, strides))
        return vmc_op_error(ctx, op, "expected a source with a strided layout");
    for (uint32_t i = 0; i < source->rank; i++) {
        const AffineExpr *e = attr->map->results[i];
        if (e->kind != AFFINE_DIM || seen[e->value])
            return vmc_op_error(ctx, op, "expected a permutation of the source's dimensions");
        seen[e->value] = true;
        dims[i] = source->dims[e->value];
        moved[i] = strides[e->value];
    }
    const Type *expected = vmc_type_memref(ctx, source->rank, dims, source->elem,
                                           vmc_strided_layout(ctx, source->rank, dims, offset, moved), source->space);
    return vmc_memref_cast_ok(ctx, expected, result) || fail_type(ctx, op, "result type", expected, result);
}

bool vmc_memref_view_verify(Context *ctx, Op *op)
{
    const Type *source = operand_type(op, 0), *result = op->results[0].type;
    if (source->rank != 1 || source->elem != vmc_type_int(ctx, 8, SIGNLESS) || source->layout)
        return vmc_op_error(ctx, op, "expected a source of type memref<?xi8> or memref<Nxi8>");
    if (result->layout || source->space != result->space)
        return vmc_op_error(ctx, op, "expected a result without layout in the memory space of the source");
    return vmc_operand_group(op, "sizes").count == dynamic_dims(result) ||
           vmc_op_error(ctx, op, "expected one size for each dynamic dimension");
}

bool vmc_reshape_verify(Context *ctx, Op *op)
{
    const Type *source = operand_type(op, 0), *shape = operand_type(op, 1), *result = op->results[0].type;
    if (source->elem != result->elem)
        return vmc_op_error(ctx, op, "expected equal element types");
    if (shape->rank != 1 || (shape->elem->kind != TYPE_INT && shape->elem->kind != TYPE_INDEX))
        return vmc_op_error(ctx, op, "expected a shape operand of rank 1 with integer elements");
    if (source->kind == TYPE_MEMREF && source->layout &&
        !vmc_memref_cast_ok(ctx, source, vmc_type_memref(ctx, source->rank, source->dims, source->elem, NULL, source->space)))
        return vmc_op_error(ctx, op, "expected a source without layout");
    return !vmc_is_ranked(result) || shape->dims[0] == result->rank ||
           vmc_op_error(ctx, op, "expected one shape entry for each dimension of the result");
}

/* ---- globals ----------------------------------------------------------------------- */

bool vmc_memref_global_verify(Context *ctx, Op *op)
{
    const Attr *type = vmc_get_attr(op, "type"), *value = vmc_get_attr(op, "initial_value");
    if (!type || type->kind != ATTR_TYPE || type->type->kind != TYPE_MEMREF || !vmc_has_static_shape(type->type))
        return vmc_op_error(ctx, op, "expected a memref type of static shape");
    if (value && value->kind != ATTR_UNIT) {
        if (value->kind != ATTR_DENSE && value->kind != ATTR_RESOURCE)
            return vmc_op_error(ctx, op, "expected an initial value of elements");
        if (!value->type || value->type->elem != type->type->elem || !vmc_shapes_compatible(value->type, type->type))
            return vmc_op_error(ctx, op, "expected an initial value with the shape and element type of the global");
    }
    return check_alignment(ctx, op);
}

bool vmc_memref_get_global_verify(Context *ctx, Op *op)
{
    const Attr *name = vmc_get_attr(op, "name");
    Op *global = name ? vmc_resolve_symbol(op, name) : NULL;
    if (!global || !vmc_is(global, "memref.global")) {
        vmc_error(&ctx->diag, op->pos, "'@%s' does not name a memref.global", name && name->s ? name->s : "");
        return false;
    }
    const Attr *type = vmc_get_attr(global, "type");
    if (type && type->kind == ATTR_TYPE && type->type != op->results[0].type)
        return fail_type(ctx, op, "the type of the global,", type->type, op->results[0].type);
    return true;
}

/* ---- others -------------------------------------------------------------------------- */

bool vmc_memref_strided_metadata_verify(Context *ctx, Op *op)
{
    const Type *source = operand_type(op, 0);
    if (op->nresults != 2 + 2 * source->rank || op->results[0].type->rank != 0 || op->results[0].type->elem != source->elem)
        return vmc_op_error(ctx, op, "gives a base buffer of rank 0, an offset, and a size and stride for each dimension");
    return true;
}

bool vmc_memref_atomic_rmw_verify(Context *ctx, Op *op)
{
    int64_t kind = 0;
    const Type *value = operand_type(op, 0);
    if (!vmc_memref_access_verify(ctx, op))
        return false;
    if (value != operand_type(op, 1)->elem)
        return vmc_op_error(ctx, op, "expected a value of the memref's element type");
    vmc_get_int(op, "kind", &kind);
    bool is_float = kind == 0 || kind == 3 || kind == 6 || kind == 9 || kind >= 13;
    if (kind != 2 && is_float != (value->kind == TYPE_FLOAT))
        return vmc_op_error(ctx, op,
                            is_float ? "with this kind expects a floating-point type" : "with this kind expects an integer type");
    return true;
}

bool vmc_memref_generic_atomic_rmw_verify(Context *ctx, Op *op)
{
    const Type *elem = operand_type(op, 0)->elem;
    Block *body = vmc_entry(op, 0);
    if (!vmc_memref_access_verify(ctx, op))
        return false;
    if (!body || body->nargs != 1 || body->args[0]->type != elem)
        return vmc_op_error(ctx, op, "expected a body with one argument of the element type");
    Op *yield = vmc_terminator(body);
    if (!yield || !vmc_is(yield, "memref.atomic_yield") || yield->operands[0].value->type != elem)
        return vmc_op_error(ctx, op, "expected a body that ends in memref.atomic_yield of the element type");
    return true;
}

bool vmc_alloca_scope_verify(Context *ctx, Op *op)
{
    Block *body = vmc_entry(op, 0);
    Op *yield = body ? vmc_terminator(body) : NULL;
    if (!yield || !vmc_is(yield, "memref.alloca_scope.return") || yield->noperands != op->nresults)
        return vmc_op_error(ctx, op, "expected a body that ends in memref.alloca_scope.return of its results");
    for (uint32_t i = 0; i < op->nresults; i++)
        if (yield->operands[i].value->type != op->results[i].type)
            return fail_type(ctx, yield, "a value of type", op->results[i].type, yield->operands[i].value->type);
    return true;
}
