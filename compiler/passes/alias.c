/* Origins of memrefs: allocations, globals, arguments, and byte ranges within one of them (alias.h). */
#include "alias.h"

typedef enum OriginKind {
    ORIGIN_FRESH, /* an allocation of this function */
    ORIGIN_GLOBAL,
    ORIGIN_ARGUMENT, /* memref argument: any memory of the caller's, globals included */
    ORIGIN_TENSOR,   /* tensor argument: never shares with what is written */
    ORIGIN_UNKNOWN,
    ORIGIN_FAR, /* behind more views than are looked through: may be any of the above */
} OriginKind;

enum { MOST_VIEWS = 256 };

typedef struct Origin {
    const void *root;
    OriginKind kind;
    bool ranged, exact; /* bytes lo .. hi - 1 of the root; exact: from its first to its last element, else all of what it views */
    int64_t lo, hi;
} Origin;

static bool byte_range(Context *ctx, const Type *type, int64_t *lo, int64_t *hi)
{
    int64_t bytes = (int64_t)vmc_elem_bytes(type->elem), last = 0, step, offset;
    int64_t *strides = ARENA_ARRAY(&ctx->arena, int64_t, type->rank + 1);
    if (bytes <= 0 || !vmc_has_static_shape(type) || !vmc_memref_strides(ctx, type, &offset, strides) || offset == VMC_DYNAMIC)
        return false;
    for (uint32_t i = 0; i < type->rank; i++)
        if (type->dims[i] == 0 || strides[i] == VMC_DYNAMIC || strides[i] < 0 ||
            __builtin_mul_overflow(type->dims[i] - 1, strides[i], &step) || __builtin_add_overflow(last, step, &last))
            return false;
    return !__builtin_mul_overflow(offset, bytes, lo) && !__builtin_add_overflow(offset, last, &last) &&
           !__builtin_add_overflow(last, 1, &last) && !__builtin_mul_overflow(last, bytes, hi);
}

static OriginKind argument_kind(const Value *value)
{
    const Op *func = value->block->parent ? value->block->parent->parent : NULL;
    if (!func || !vmc_is(func, "func.func") || value->block != vmc_entry(func, 0))
        return ORIGIN_UNKNOWN;
    const Attr *all = vmc_get_attr(func, "arg_attrs");
    const Attr *dict = all && all->kind == ATTR_ARRAY && value->index < all->n ? all->elems[value->index] : NULL;
    return vmc_dict_get(dict, "bufvm.tensor") ? ORIGIN_TENSOR : ORIGIN_ARGUMENT;
}

static Origin origin_of(Context *ctx, const Value *value)
{
    Origin o = {.kind = ORIGIN_UNKNOWN};
    o.ranged = o.exact = byte_range(ctx, value->type, &o.lo, &o.hi);
    uint32_t depth = 0;
    while (value->op && vmc_has_trait(value->op, TRAIT_VIEW) && value->op->noperands && value->type->kind == TYPE_MEMREF) {
        const Op *op = value->op;
        if (++depth > MOST_VIEWS)
            return (Origin){.kind = ORIGIN_FAR, .root = value};
        if (vmc_is(op, "memref.view")) { /* a range counts from the view's own start */
            int64_t shift = 0, ignored_lo = 0, ignored_hi = 0;
            o.ranged = o.ranged && vmc_constant_int(op->operands[1].value, &shift) && shift >= 0 &&
                       byte_range(ctx, op->operands[0].value->type, &ignored_lo, &ignored_hi) && ignored_lo == 0 &&
                       !__builtin_add_overflow(o.lo, shift, &o.lo) && !__builtin_add_overflow(o.hi, shift, &o.hi);
        }
        value = op->operands[0].value;
        if (!o.ranged) {
            o.exact = false; /* a view lies within what it shows, but for a reinterpreted one */
            o.ranged = !vmc_is(op, "memref.reinterpret_cast") && byte_range(ctx, value->type, &o.lo, &o.hi);
        }
    }
    o.root = value;
    if (value->block) {
        o.kind = argument_kind(value);
    } else if (vmc_has_trait(value->op, TRAIT_ALLOCATES)) {
        o.kind = ORIGIN_FRESH;
    } else if (vmc_is(value->op, "memref.get_global")) {
        const Attr *name = vmc_get_attr(value->op, "name");
        const Op *global = name ? vmc_resolve_symbol(value->op, name) : NULL;
        o.root = global ? (const void *)global : value;
        o.kind = global ? ORIGIN_GLOBAL : ORIGIN_UNKNOWN;
    }
    return o;
}

static bool apart(const Origin *x, const Origin *y)
{
    if (x->kind == ORIGIN_FAR || y->kind == ORIGIN_FAR)
        return false;
    if (x->root == y->root)
        return x->ranged && y->ranged && (x->hi <= y->lo || y->hi <= x->lo);
    if (x->kind == ORIGIN_TENSOR || y->kind == ORIGIN_TENSOR)
        return true;
    if (x->kind == ORIGIN_UNKNOWN || y->kind == ORIGIN_UNKNOWN)
        return false;
    return x->kind == ORIGIN_FRESH || y->kind == ORIGIN_FRESH || (x->kind == ORIGIN_GLOBAL && y->kind == ORIGIN_GLOBAL);
}

bool vmc_memrefs_apart(Context *ctx, const Value *a, const Value *b)
{
    Origin x = origin_of(ctx, a), y = origin_of(ctx, b);
    return apart(&x, &y);
}

Overlap vmc_memref_overlap(Context *ctx, const Value *a, const Value *b)
{
    if (a == b)
        return OVERLAP_SAME;
    Origin x = origin_of(ctx, a), y = origin_of(ctx, b);
    if (apart(&x, &y))
        return OVERLAP_NONE;
    if (x.root != y.root)
        return OVERLAP_UNKNOWN;
    return a->type == b->type && x.exact && y.exact && x.lo == y.lo && x.hi == y.hi ? OVERLAP_SAME : OVERLAP_SOME;
}

/* Dimensions of more than one element, by rising stride: each must step over all that the ones before it reach. */
bool vmc_layout_is_injective(Context *ctx, const Type *type)
{
    int64_t offset, reach = 1, *strides = ARENA_ARRAY(&ctx->arena, int64_t, type->rank + 1);
    if (!type->layout)
        return true;
    if (!vmc_memref_strides(ctx, type, &offset, strides))
        return false;
    for (uint32_t n = 0; n < type->rank; n++) {
        uint32_t least = type->rank;
        for (uint32_t i = 0; i < type->rank; i++) {
            if (type->dims[i] == 1 || strides[i] == INT64_MAX) /* the latter: done */
                continue;
            if (strides[i] == VMC_DYNAMIC || strides[i] < 0)
                return false;
            if (least == type->rank || strides[i] < strides[least])
                least = i;
        }
        if (least == type->rank)
            return true;
        int64_t size = type->dims[least], way;
        if (strides[least] < reach)
            return false;
        if (size == VMC_DYNAMIC || __builtin_mul_overflow(size - 1, strides[least], &way) ||
            __builtin_add_overflow(reach, way, &reach))
            reach = INT64_MAX;
        strides[least] = INT64_MAX;
    }
    return true;
}
