/* Verification and folds of tensor ops beyond their rows; dim, rank and cast folds serve memref too. */
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

static bool dynamic_count_ok(Context *ctx, Op *op, const char *group, const Type *type)
{
    uint32_t dynamic = 0;
    for (uint32_t i = 0; i < type->rank; i++)
        dynamic += type->dims[i] == VMC_DYNAMIC;
    uint32_t given = vmc_operand_group(op, group).count;
    if (given == dynamic)
        return true;
    vmc_error(&ctx->diag, op->pos, "'%s' op incorrect number of dynamic sizes, has %u, expected %u", op->name, given, dynamic);
    return false;
}

bool vmc_tensor_empty_verify(Context *ctx, Op *op)
{
    return dynamic_count_ok(ctx, op, "dynamicSizes", op->results[0].type);
}

bool vmc_tensor_splat_verify(Context *ctx, Op *op)
{
    return dynamic_count_ok(ctx, op, "dynamicSizes", op->results[0].type);
}

bool vmc_tensor_access_verify(Context *ctx, Op *op)
{
    OperandRange indices = vmc_operand_group(op, "indices");
    const Type *tensor = operand_type(op, indices.count == op->noperands - 2 && op->noperands >= 2 && vmc_is(op, "tensor.insert"));
    if (indices.count == tensor->rank)
        return true;
    vmc_error(&ctx->diag, op->pos, "'%s' op incorrect number of indices: %u for a tensor of rank %u", op->name, indices.count,
              tensor->rank);
    return false;
}

bool vmc_tensor_cast_verify(Context *ctx, Op *op)
{
    const Type *a = operand_type(op, 0), *b = op->results[0].type;
    if (a->elem == b->elem && vmc_shapes_compatible(a, b))
        return true;
    return fail_type(ctx, op, "a type that can be cast from", a, b);
}

bool vmc_tensor_bitcast_verify(Context *ctx, Op *op)
{
    const Type *a = operand_type(op, 0), *b = op->results[0].type;
    const Type *ae = a->elem, *be = b->elem;
    unsigned aw = ae->kind == TYPE_INT ? ae->width : ae->kind == TYPE_FLOAT ? vmc_float_bits(ae->format) : 0;
    unsigned bw = be->kind == TYPE_INT ? be->width : be->kind == TYPE_FLOAT ? vmc_float_bits(be->format) : 0;
    if (a->kind == b->kind && aw && aw == bw && vmc_shapes_compatible(a, b))
        return true;
    return fail_type(ctx, op, "a type of equal shape and element width as", a, b);
}

bool vmc_tensor_from_elements_verify(Context *ctx, Op *op)
{
    int64_t count;
    const Type *type = op->results[0].type;
    if (!vmc_num_elements(type, &count) || count != (int64_t)op->noperands)
        return vmc_op_error(ctx, op, "expected as many operands as the result has elements");
    return true;
}

static bool body_ok(Context *ctx, Op *op, uint32_t rank, const Type *elem)
{
    Block *body = vmc_entry(op, 0);
    if (!body || body->nargs != rank)
        return vmc_op_error(ctx, op, "expected a body with one index argument for each dimension");
    for (uint32_t i = 0; i < rank; i++)
        if (body->args[i]->type->kind != TYPE_INDEX)
            return vmc_op_error(ctx, op, "expected body arguments of type index");
    Op *yield = vmc_terminator(body);
    if (!yield || !vmc_is(yield, "tensor.yield") || yield->noperands != 1)
        return vmc_op_error(ctx, op, "expected a body that ends in tensor.yield");
    return yield->operands[0].value->type == elem || fail_type(ctx, yield, "a value of type", elem, yield->operands[0].value->type);
}

bool vmc_tensor_generate_verify(Context *ctx, Op *op)
{
    const Type *type = op->results[0].type;
    return dynamic_count_ok(ctx, op, "dynamicExtents", type) && body_ok(ctx, op, type->rank, type->elem);
}

bool vmc_tensor_pad_verify(Context *ctx, Op *op)
{
    const Type *source = operand_type(op, 0), *result = op->results[0].type;
    MixedList low, high;
    if (!vmc_mixed_list(ctx, op, "static_low", "low", &low) || !vmc_mixed_list(ctx, op, "static_high", "high", &high) ||
        low.n != source->rank || high.n != source->rank || result->rank != source->rank || result->elem != source->elem)
        return vmc_op_error(ctx, op,
                            "expected low and high padding for each dimension and a result of equal rank and element type");
    for (uint32_t i = 0; i < source->rank; i++) {
        int64_t size;
        if (low.statics[i] == VMC_DYNAMIC || high.statics[i] == VMC_DYNAMIC || source->dims[i] == VMC_DYNAMIC ||
            result->dims[i] == VMC_DYNAMIC)
            continue;
        if (__builtin_add_overflow(low.statics[i], high.statics[i], &size) ||
            __builtin_add_overflow(size, source->dims[i], &size) || size != result->dims[i])
            return vmc_op_error(ctx, op, "padding does not lead from the source's to the result's shape");
    }
    return body_ok(ctx, op, source->rank, source->elem);
}

bool vmc_tensor_concat_verify(Context *ctx, Op *op)
{
    const Type *result = op->results[0].type;
    int64_t dim = -1, total = 0;
    vmc_get_int(op, "dim", &dim);
    if (op->noperands == 0 || dim < 0 || dim >= (int64_t)result->rank)
        return vmc_op_error(ctx, op, "expected inputs and a dimension within their rank");
    for (uint32_t k = 0; k < op->noperands; k++) {
        const Type *t = operand_type(op, k);
        if (t->rank != result->rank || t->elem != result->elem)
            return vmc_op_error(ctx, op, "expected inputs of the result's rank and element type");
        for (uint32_t i = 0; i < t->rank; i++)
            if (i != (uint64_t)dim && t->dims[i] != result->dims[i] && t->dims[i] != VMC_DYNAMIC && result->dims[i] != VMC_DYNAMIC)
                return vmc_op_error(ctx, op, "expected inputs that differ along the concatenated dimension alone");
        if (total != VMC_DYNAMIC && (t->dims[dim] == VMC_DYNAMIC || __builtin_add_overflow(total, t->dims[dim], &total)))
            total = VMC_DYNAMIC;
    }
    if (total != VMC_DYNAMIC && result->dims[dim] != VMC_DYNAMIC && total != result->dims[dim])
        return vmc_op_error(ctx, op, "size of the result differs from the sum of the inputs");
    return true;
}

/* ---- slices ---------------------------------------------------------------------- */

static bool slice_ok(Context *ctx, Op *op, const Type *full, const Type *part, Slice *slice)
{
    if (!vmc_slice(ctx, op, slice) || slice->offsets.n != full->rank || slice->sizes.n != full->rank ||
        slice->strides.n != full->rank)
        return vmc_op_error(ctx, op, "expected one offset, size and stride for each dimension");
    for (uint32_t i = 0; i < full->rank; i++) {
        int64_t offset = slice->offsets.statics[i], size = slice->sizes.statics[i], stride = slice->strides.statics[i], last;
        if (size != VMC_DYNAMIC && size < 0)
            return vmc_op_error(ctx, op, "expected sizes to be non-negative");
        if (offset != VMC_DYNAMIC && offset < 0)
            return vmc_op_error(ctx, op, "expected offsets to be non-negative");
        if (full->dims[i] == VMC_DYNAMIC || offset == VMC_DYNAMIC || size == VMC_DYNAMIC || stride == VMC_DYNAMIC || size == 0)
            continue;
        if (__builtin_mul_overflow(size - 1, stride, &last) || __builtin_add_overflow(last, offset, &last) || last < 0 ||
            last >= full->dims[i]) {
            vmc_error(&ctx->diag, op->pos, "'%s' op slice along dimension %u runs out of bounds: %lld >= %lld", op->name, i,
                      (long long)last, (long long)full->dims[i]);
            return false;
        }
    }
    bool *kept = ARENA_ARRAY(&ctx->arena, bool, full->rank + 1);
    if (part->elem == full->elem && vmc_reduced_dims(full->rank, slice->sizes.statics, part->rank, part->dims, kept))
        return true;
    return fail_type(ctx, op, "a slice of type", vmc_type_tensor(ctx, full->rank, slice->sizes.statics, full->elem, full->layout),
                     part);
}

bool vmc_tensor_extract_slice_verify(Context *ctx, Op *op)
{
    Slice slice;
    return slice_ok(ctx, op, operand_type(op, 0), op->results[0].type, &slice);
}

bool vmc_tensor_insert_slice_verify(Context *ctx, Op *op)
{
    Slice slice;
    return slice_ok(ctx, op, operand_type(op, 1), operand_type(op, 0), &slice);
}

/* ---- gather, scatter --------------------------------------------------------------- */

static bool gather_ok(Context *ctx, Op *op, const char *attr, const Type *full, const Type *indices, const Type *slices)
{
    const int64_t *dims = NULL;
    ptrdiff_t n = vmc_attr_ints(ctx, vmc_get_attr(op, attr), &dims);
    if (n <= 0 || indices->rank == 0 || (indices->elem->kind != TYPE_INDEX && indices->elem->kind != TYPE_INT) ||
        (indices->dims[indices->rank - 1] != n && indices->dims[indices->rank - 1] != VMC_DYNAMIC))
        return vmc_op_error(ctx, op, "expected indices whose last dimension has one entry for each listed dimension");
    for (ptrdiff_t i = 0; i < n; i++)
        if (dims[i] < 0 || dims[i] >= (int64_t)full->rank || (i && dims[i] <= dims[i - 1]))
            return vmc_op_error(ctx, op, "expected listed dimensions within the rank, in ascending order");
    uint32_t batch = indices->rank - 1;
    if (slices->elem != full->elem || (slices->rank != batch + full->rank && slices->rank != batch + full->rank - (uint32_t)n))
        return vmc_op_error(ctx, op, "expected slices of the source's element type, with or without the listed dimensions");
    return true;
}

bool vmc_tensor_gather_verify(Context *ctx, Op *op)
{
    return gather_ok(ctx, op, "gather_dims", operand_type(op, 0), operand_type(op, 1), op->results[0].type);
}

bool vmc_tensor_scatter_verify(Context *ctx, Op *op)
{
    if (op->results[0].type != operand_type(op, 1))
        return fail_type(ctx, op, "a result of the destination's type", operand_type(op, 1), op->results[0].type);
    if (!vmc_get_attr(op, "unique"))
        return vmc_op_error(ctx, op, "requires 'unique' attribute to be set");
    return gather_ok(ctx, op, "scatter_dims", operand_type(op, 1), operand_type(op, 2), operand_type(op, 0));
}

/* ---- pack, unpack ------------------------------------------------------------------- */

bool vmc_packing(Context *ctx, const Op *op, Packing *out)
{
    bool pack = strstr(op->name, "unpack") == NULL;
    const Type *plain = operand_type(op, pack ? 0 : 1), *packed = operand_type(op, pack ? 1 : 0);
    const int64_t *pos = NULL, *perm = NULL;
    const Attr *outer = vmc_get_attr(op, "outer_dims_perm");
    ptrdiff_t npos = vmc_attr_ints(ctx, vmc_get_attr(op, "inner_dims_pos"), &pos);
    ptrdiff_t nperm = outer ? vmc_attr_ints(ctx, outer, &perm) : 0;
    *out = (Packing){.plain_rank = plain->rank, .ntiles = npos < 0 ? 0 : (uint32_t)npos, .inner_dims = pos};
    if (npos < 0 || nperm < 0 || !vmc_mixed_list(ctx, op, "static_inner_tiles", "inner_tiles", &out->tiles) ||
        out->tiles.n != (uint32_t)npos || packed->rank != plain->rank + (uint32_t)npos ||
        (nperm && nperm != (ptrdiff_t)plain->rank))
        return false;
    bool *seen = ARENA_ARRAY(&ctx->arena, bool, plain->rank + 1);
    int64_t *order = ARENA_ARRAY(&ctx->arena, int64_t, plain->rank + 1);
    for (ptrdiff_t i = 0; i < npos; i++) {
        if (pos[i] < 0 || pos[i] >= (int64_t)plain->rank || seen[pos[i]] || out->tiles.statics[i] == 0)
            return false;
        seen[pos[i]] = true;
    }
    memset(seen, 0, plain->rank + 1);
    for (uint32_t i = 0; i < plain->rank; i++) {
        order[i] = nperm ? perm[i] : (int64_t)i;
        if (order[i] < 0 || order[i] >= (int64_t)plain->rank || seen[order[i]])
            return false;
        seen[order[i]] = true;
    }
    out->outer_dims = order;
    return true;
}

static bool packing_ok(Context *ctx, Op *op)
{
    Packing packing;
    if (!vmc_packing(ctx, op, &packing))
        return vmc_op_error(
            ctx, op, "expected inner_dims_pos and outer_dims_perm within the rank and one tile size for each inner dimension");
    return operand_type(op, 0)->elem == operand_type(op, 1)->elem || vmc_op_error(ctx, op, "expected equal element types");
}

/* Without a padding value tiles must not be cut; a dynamic size is checked where it runs. */
static bool whole_tiles(Context *ctx, Op *op)
{
    Packing packing;
    const Type *source = operand_type(op, 0);
    for (uint32_t i = 0; vmc_packing(ctx, op, &packing) && i < packing.ntiles; i++) {
        int64_t size = source->dims[packing.inner_dims[i]], tile = packing.tiles.statics[i];
        if (size == VMC_DYNAMIC || tile <= 0 || size % tile == 0)
            continue;
        vmc_error(&ctx->diag, op->pos,
                  "'%s' op needs a padding value: size %lld of dimension %lld is no multiple of the tile's %lld", op->name,
                  (long long)size, (long long)packing.inner_dims[i], (long long)tile);
        return false;
    }
    return true;
}

bool vmc_tensor_pack_verify(Context *ctx, Op *op)
{
    Value *padding = vmc_operand_named(op, "padding_value");
    if (padding && padding->type != operand_type(op, 0)->elem)
        return fail_type(ctx, op, "a padding value of type", operand_type(op, 0)->elem, padding->type);
    return packing_ok(ctx, op) && (padding || whole_tiles(ctx, op));
}

bool vmc_tensor_unpack_verify(Context *ctx, Op *op)
{
    return packing_ok(ctx, op);
}

/* ---- folds ----------------------------------------------------------------------------- */

bool vmc_dim_fold(Context *ctx, Op *op, const Attr *const *operands, const Attr **attrs, Value **values)
{
    (void)values;
    const Type *type = operand_type(op, 0);
    if (!operands[1] || operands[1]->kind != ATTR_INT || !vmc_is_ranked(type) || operands[1]->i < 0 ||
        operands[1]->i >= (int64_t)type->rank || type->dims[operands[1]->i] == VMC_DYNAMIC)
        return false;
    attrs[0] = vmc_attr_index(ctx, type->dims[operands[1]->i]);
    return true;
}

bool vmc_rank_fold(Context *ctx, Op *op, const Attr *const *operands, const Attr **attrs, Value **values)
{
    (void)operands;
    (void)values;
    if (!vmc_is_ranked(operand_type(op, 0)))
        return false;
    attrs[0] = vmc_attr_index(ctx, operand_type(op, 0)->rank);
    return true;
}

bool vmc_shape_cast_fold(Context *ctx, Op *op, const Attr *const *operands, const Attr **attrs, Value **values)
{
    (void)ctx;
    (void)operands;
    (void)attrs;
    if (operand_type(op, 0) != op->results[0].type)
        return false;
    values[0] = op->operands[0].value;
    return true;
}

bool vmc_tensor_extract_fold(Context *ctx, Op *op, const Attr *const *operands, const Attr **attrs, Value **values)
{
    (void)values;
    const Attr *elements = operands[0];
    const Type *type = operand_type(op, 0);
    uint64_t position = 0;
    if (!elements || elements->kind != ATTR_DENSE || !vmc_has_static_shape(type))
        return false;
    for (uint32_t i = 0; i < type->rank; i++) {
        const Attr *index = operands[1 + i];
        if (!index || index->kind != ATTR_INT || index->i < 0 || index->i >= type->dims[i])
            return false;
        position = position * (uint64_t)type->dims[i] + (uint64_t)index->i;
    }
    attrs[0] = vmc_dense_elem(ctx, elements, position);
    return attrs[0] != NULL;
}
