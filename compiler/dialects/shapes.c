/* Rules on shapes that several dialects share (shapes.h). */
#include "shapes.h"

/* Older text writes -1 for a dynamic size in an array attribute; offsets and strides had INT64_MIN from the start. */
static const int64_t *list_values(Context *ctx, const Attr *attr, const char *name, ptrdiff_t *n)
{
    const int64_t *values = NULL;
    *n = attr ? vmc_attr_ints(ctx, attr, &values) : 0;
    if (*n <= 0 || attr->kind != ATTR_ARRAY || strstr(name, "size") == NULL)
        return values;
    int64_t *fixed = ARENA_ARRAY(&ctx->arena, int64_t, *n);
    for (ptrdiff_t i = 0; i < *n; i++)
        fixed[i] = values[i] == -1 ? VMC_DYNAMIC : values[i];
    return fixed;
}

bool vmc_mixed_list(Context *ctx, const Op *op, const char *static_name, const char *operands_name, MixedList *out)
{
    ptrdiff_t n = 0;
    const int64_t *values = list_values(ctx, vmc_get_attr(op, static_name), static_name, &n);
    OperandRange range = vmc_operand_group(op, operands_name);
    *out = (MixedList){values, n > 0 ? (uint32_t)n : 0, range.first};
    if (n < 0)
        return false;
    uint32_t dynamic = 0;
    for (ptrdiff_t i = 0; i < n; i++)
        dynamic += values[i] == VMC_DYNAMIC;
    return dynamic == range.count;
}

Value *vmc_mixed_value(Builder *b, const Op *op, const MixedList *list, uint32_t i)
{
    if (list->statics[i] != VMC_DYNAMIC)
        return vmc_build_index(b, list->statics[i]);
    uint32_t k = list->first;
    for (uint32_t j = 0; j < i; j++)
        k += list->statics[j] == VMC_DYNAMIC;
    return op->operands[k].value;
}

bool vmc_slice(Context *ctx, const Op *op, Slice *out)
{
    return vmc_mixed_list(ctx, op, "static_offsets", "offsets", &out->offsets) &&
           vmc_mixed_list(ctx, op, "static_sizes", "sizes", &out->sizes) &&
           vmc_mixed_list(ctx, op, "static_strides", "strides", &out->strides);
}

bool vmc_reduced_dims(uint32_t full_rank, const int64_t *full, uint32_t reduced_rank, const int64_t *reduced, bool *kept)
{
    uint32_t r = 0;
    for (uint32_t i = 0; i < full_rank; i++) {
        kept[i] = r < reduced_rank && reduced[r] == full[i] && (full[i] != 1 || reduced_rank - r <= full_rank - i);
        if (kept[i])
            r++;
        else if (full[i] != 1)
            return false;
    }
    return r == reduced_rank;
}

/* Among dims of size 1 the memref's strides tell which ones are gone. */
static bool kept_by_strides(Context *ctx, const Type *full, const Type *reduced, bool *kept)
{
    int64_t *fs = ARENA_ARRAY(&ctx->arena, int64_t, full->rank + 1);
    int64_t *rs = ARENA_ARRAY(&ctx->arena, int64_t, reduced->rank + 1);
    int64_t fo, ro;
    if (!vmc_memref_strides(ctx, full, &fo, fs) || !vmc_memref_strides(ctx, reduced, &ro, rs))
        return false;
    uint32_t r = reduced->rank;
    for (uint32_t i = full->rank; i-- > 0;) {
        kept[i] = r > 0 && reduced->dims[r - 1] == full->dims[i] && (rs[r - 1] == fs[i] || rs[r - 1] == VMC_DYNAMIC);
        if (kept[i])
            r--;
        else if (full->dims[i] != 1)
            return false;
    }
    return r == 0;
}

bool vmc_slice_kept_dims(Context *ctx, const Op *op, bool *kept)
{
    Slice slice;
    if (!vmc_slice(ctx, op, &slice))
        return false;
    bool insert = strstr(op->name, "insert_slice") != NULL;
    const Type *reduced = insert ? op->operands[0].value->type : op->results[0].type;
    if (!insert && reduced->kind == TYPE_MEMREF && reduced->rank < slice.sizes.n) {
        const Type *full = vmc_subview_type(ctx, op->operands[0].value->type, &slice);
        if (full && kept_by_strides(ctx, full, reduced, kept))
            return true;
    }
    return vmc_reduced_dims(slice.sizes.n, slice.sizes.statics, reduced->rank, reduced->dims, kept);
}

int64_t vmc_dim_mul(int64_t a, int64_t b)
{
    int64_t product;
    if (a == 0 || b == 0)
        return 0;
    if (a == VMC_DYNAMIC || b == VMC_DYNAMIC || __builtin_mul_overflow(a, b, &product))
        return VMC_DYNAMIC;
    return product;
}

static int64_t stride_mul(int64_t a, int64_t b)
{
    int64_t product;
    if (a == VMC_DYNAMIC || b == VMC_DYNAMIC || __builtin_mul_overflow(a, b, &product))
        return VMC_DYNAMIC;
    return product;
}

static int64_t stride_add(int64_t a, int64_t b)
{
    int64_t sum;
    if (a == VMC_DYNAMIC || b == VMC_DYNAMIC || __builtin_add_overflow(a, b, &sum))
        return VMC_DYNAMIC;
    return sum;
}

const Attr *vmc_strided_layout(Context *ctx, uint32_t rank, const int64_t *dims, int64_t offset, const int64_t *strides)
{
    bool identity = offset == 0;
    int64_t expected = 1;
    for (uint32_t i = rank; identity && i-- > 0;) {
        identity = expected != VMC_DYNAMIC && strides[i] == expected;
        expected = stride_mul(expected, dims[i]);
    }
    return identity ? NULL : vmc_attr_strided(ctx, offset, rank, strides);
}

const Type *vmc_subview_type(Context *ctx, const Type *source, const Slice *slice)
{
    int64_t offset;
    int64_t *strides = ARENA_ARRAY(&ctx->arena, int64_t, source->rank + 1);
    if (!vmc_memref_strides(ctx, source, &offset, strides))
        return NULL;
    for (uint32_t i = 0; i < source->rank; i++) {
        offset = stride_add(offset, stride_mul(slice->offsets.statics[i], strides[i]));
        strides[i] = stride_mul(strides[i], slice->strides.statics[i]);
    }
    /* A subview of the whole keeps the strided form where the source is not the identity only. */
    const Attr *layout = vmc_attr_strided(ctx, offset, source->rank, strides);
    if (!source->layout)
        layout = vmc_strided_layout(ctx, source->rank, slice->sizes.statics, offset, strides);
    return vmc_type_memref(ctx, source->rank, slice->sizes.statics, source->elem, layout, source->space);
}

bool vmc_reassociation(Context *ctx, const Attr *attr, uint32_t expanded_rank, Reassociation *out)
{
    if (!attr || attr->kind != ATTR_ARRAY || attr->n > expanded_rank + 1u)
        return false;
    uint32_t *starts = ARENA_ARRAY(&ctx->arena, uint32_t, attr->n + 1);
    uint32_t next = 0;
    for (size_t g = 0; g < attr->n; g++) {
        const int64_t *dims = NULL;
        ptrdiff_t n = vmc_attr_ints(ctx, attr->elems[g], &dims);
        if (n <= 0)
            return false;
        starts[g] = next;
        for (ptrdiff_t i = 0; i < n; i++)
            if (dims[i] != (int64_t)next++ || next > expanded_rank)
                return false;
    }
    starts[attr->n] = next;
    *out = (Reassociation){(uint32_t)attr->n, starts};
    return next == expanded_rank || attr->n == 0;
}

/* Stride of the joined dims [first, end), or false when they are not one run of memory. */
static bool collapsed_stride(const Type *source, const int64_t *strides, uint32_t first, uint32_t end, int64_t *stride)
{
    uint32_t last = end - 1;
    while (last > first && source->dims[last] == 1)
        last--;
    *stride = strides[last];
    for (uint32_t i = last; i > first; i--) {
        if (source->dims[i - 1] == 1)
            continue;
        int64_t expected = stride_mul(strides[i], source->dims[i]);
        if (source->dims[i] == 1)
            expected = strides[i];
        /* Where either is unknown the program promises it; a known difference is an error. */
        if (expected != VMC_DYNAMIC && strides[i - 1] != VMC_DYNAMIC && expected != strides[i - 1])
            return false;
    }
    return true;
}

const Type *vmc_collapsed_type(Context *ctx, const Type *source, const Reassociation *groups)
{
    int64_t *dims = ARENA_ARRAY(&ctx->arena, int64_t, groups->ngroups + 1);
    int64_t *collapsed = ARENA_ARRAY(&ctx->arena, int64_t, groups->ngroups + 1);
    int64_t *strides = ARENA_ARRAY(&ctx->arena, int64_t, source->rank + 1);
    int64_t offset = 0;
    bool memref = source->kind == TYPE_MEMREF;
    if (memref && !vmc_memref_strides(ctx, source, &offset, strides))
        return NULL;
    for (uint32_t g = 0; g < groups->ngroups; g++) {
        dims[g] = 1;
        for (uint32_t i = groups->starts[g]; i < groups->starts[g + 1]; i++)
            dims[g] = vmc_dim_mul(dims[g], source->dims[i]);
        if (memref && !collapsed_stride(source, strides, groups->starts[g], groups->starts[g + 1], &collapsed[g]))
            return NULL;
    }
    if (!memref)
        return vmc_type_tensor(ctx, groups->ngroups, dims, source->elem, NULL);
    const Attr *layout = source->layout ? vmc_attr_strided(ctx, offset, groups->ngroups, collapsed) : NULL;
    return vmc_type_memref(ctx, groups->ngroups, dims, source->elem, layout, source->space);
}

const Type *vmc_expanded_memref(Context *ctx, const Type *source, const Type *expanded, const Reassociation *groups)
{
    int64_t *strides = ARENA_ARRAY(&ctx->arena, int64_t, source->rank + 1);
    int64_t *result = ARENA_ARRAY(&ctx->arena, int64_t, expanded->rank + 1);
    int64_t offset;
    if (!source->layout)
        return vmc_type_memref(ctx, expanded->rank, expanded->dims, source->elem, NULL, source->space);
    if (!vmc_memref_strides(ctx, source, &offset, strides))
        return NULL;
    for (uint32_t g = 0; g < groups->ngroups; g++) {
        int64_t stride = strides[g];
        for (uint32_t i = groups->starts[g + 1]; i-- > groups->starts[g];) {
            result[i] = stride;
            stride = stride_mul(stride, expanded->dims[i]);
        }
    }
    for (uint32_t i = 0; groups->ngroups == 0 && i < expanded->rank; i++)
        result[i] = 1;
    const Attr *layout = vmc_attr_strided(ctx, offset, expanded->rank, result);
    return vmc_type_memref(ctx, expanded->rank, expanded->dims, source->elem, layout, source->space);
}

bool vmc_shapes_compatible(const Type *a, const Type *b)
{
    if (!vmc_is_ranked(a) || !vmc_is_ranked(b))
        return true;
    if (a->rank != b->rank)
        return false;
    for (uint32_t i = 0; i < a->rank; i++)
        if (a->dims[i] != b->dims[i] && a->dims[i] != VMC_DYNAMIC && b->dims[i] != VMC_DYNAMIC)
            return false;
    return true;
}

bool vmc_memref_cast_ok(Context *ctx, const Type *a, const Type *b)
{
    if (!vmc_is_memref(a) || !vmc_is_memref(b) || a->elem != b->elem || a->space != b->space)
        return false;
    if (a->kind != TYPE_MEMREF || b->kind != TYPE_MEMREF)
        return a->kind != b->kind;
    if (!vmc_shapes_compatible(a, b))
        return false;
    if (a->layout == b->layout && a->layout)
        return true;
    int64_t ao, bo;
    int64_t *as = ARENA_ARRAY(&ctx->arena, int64_t, a->rank + 1), *bs = ARENA_ARRAY(&ctx->arena, int64_t, a->rank + 1);
    if (!vmc_memref_strides(ctx, a, &ao, as) || !vmc_memref_strides(ctx, b, &bo, bs))
        return false;
    if (ao != bo && ao != VMC_DYNAMIC && bo != VMC_DYNAMIC)
        return false;
    for (uint32_t i = 0; i < a->rank; i++)
        if (as[i] != bs[i] && as[i] != VMC_DYNAMIC && bs[i] != VMC_DYNAMIC && a->dims[i] != 1 && b->dims[i] != 1)
            return false;
    return true;
}
