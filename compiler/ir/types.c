/* Types: interning and questions about shape and storage. */
#include "../../vm/bytecode/format.h"
#include "tables.h"

/* ---- interning ----------------------------------------------------------- */

const void *vmc_intern_find(Context *ctx, InternSet *set, uint64_t hash, const void *candidate, InternEqual equal, size_t *slot)
{
    if (4 * (set->n + 1) > 3 * set->cap) {
        size_t cap = set->cap ? 2 * set->cap : 64;
        InternEntry *at = ARENA_ARRAY(&ctx->arena, InternEntry, cap);
        for (size_t k = 0; k < set->cap; k++) {
            if (!set->at[k].item)
                continue;
            size_t i = (size_t)set->at[k].hash & (cap - 1);
            while (at[i].item)
                i = (i + 1) & (cap - 1);
            at[i] = set->at[k];
        }
        set->at = at;
        set->cap = cap;
    }
    size_t i = (size_t)hash & (set->cap - 1);
    for (; set->at[i].item; i = (i + 1) & (set->cap - 1))
        if (set->at[i].hash == hash && equal(candidate, set->at[i].item))
            return set->at[i].item;
    *slot = i;
    return NULL;
}

void vmc_intern_add(InternSet *set, size_t slot, uint64_t hash, const void *item)
{
    set->at[slot] = (InternEntry){hash, item};
    set->n++;
}

static bool same_bytes(const void *a, const void *b, size_t n)
{
    return n == 0 || memcmp(a, b, n) == 0;
}

static uint64_t hash_type(const Type *t)
{
    uint64_t h = vmc_hash_mix((uint64_t)t->kind, (uint64_t)t->sign << 32 | t->width);
    h = vmc_hash_mix(h, (uint64_t)t->format);
    h = vmc_hash_mix(h, MAP_KEY(t->elem));
    h = vmc_hash_mix(h, MAP_KEY(t->layout));
    h = vmc_hash_mix(h, MAP_KEY(t->space));
    if (t->rank)
        h = vmc_hash(t->dims, t->rank * sizeof(int64_t), h);
    if (t->scalable)
        h = vmc_hash(t->scalable, t->rank, h);
    h = vmc_hash_mix(h, (uint64_t)t->nins << 32 | t->nouts);
    if (t->nins)
        h = vmc_hash(t->ins, t->nins * sizeof(*t->ins), h);
    if (t->nouts)
        h = vmc_hash(t->outs, t->nouts * sizeof(*t->outs), h);
    if (t->text)
        h = vmc_hash(t->text, strlen(t->text), h);
    return h;
}

static bool type_equal(const void *candidate, const void *item)
{
    const Type *a = candidate, *b = item;
    if (a->kind != b->kind || a->sign != b->sign || a->width != b->width || a->format != b->format || a->rank != b->rank ||
        a->elem != b->elem || a->layout != b->layout || a->space != b->space || a->nins != b->nins || a->nouts != b->nouts)
        return false;
    if (!a->scalable != !b->scalable || !a->text != !b->text)
        return false;
    return same_bytes(a->dims, b->dims, a->rank * sizeof(int64_t)) &&
           (!a->scalable || same_bytes(a->scalable, b->scalable, a->rank)) &&
           same_bytes(a->ins, b->ins, a->nins * sizeof(*a->ins)) && same_bytes(a->outs, b->outs, a->nouts * sizeof(*a->outs)) &&
           (!a->text || strcmp(a->text, b->text) == 0);
}

static uint32_t deeper(uint32_t depth, uint32_t child)
{
    return child >= depth ? child + 1 : depth;
}

static uint32_t type_depth(const Type *t)
{
    uint32_t depth = 1;
    if (t->elem)
        depth = deeper(depth, t->elem->depth);
    if (t->layout)
        depth = deeper(depth, t->layout->depth);
    if (t->space)
        depth = deeper(depth, t->space->depth);
    for (uint32_t i = 0; i < t->nins; i++)
        depth = deeper(depth, t->ins[i]->depth);
    for (uint32_t i = 0; i < t->nouts; i++)
        depth = deeper(depth, t->outs[i]->depth);
    return depth;
}

static const Type *intern_type(Context *ctx, const Type *proto)
{
    InternSet *set = &vmc_tables(ctx)->types;
    uint64_t hash = hash_type(proto);
    size_t slot;
    const Type *found = vmc_intern_find(ctx, set, hash, proto, type_equal, &slot);
    if (found)
        return found;
    Arena *arena = &ctx->arena;
    Type *t = vmc_arena_dup(arena, proto, sizeof(*proto));
    if (t->rank) {
        t->dims = vmc_arena_dup(arena, t->dims, t->rank * sizeof(int64_t));
        if (t->scalable)
            t->scalable = vmc_arena_dup(arena, t->scalable, t->rank * sizeof(bool));
    }
    if (t->nins)
        t->ins = vmc_arena_dup(arena, t->ins, t->nins * sizeof(*t->ins));
    if (t->nouts)
        t->outs = vmc_arena_dup(arena, t->outs, t->nouts * sizeof(*t->outs));
    if (t->text)
        t->text = vmc_arena_dup(arena, t->text, strlen(t->text));
    t->depth = type_depth(t);
    vmc_intern_add(set, slot, hash, t);
    return t;
}

/* ---- constructors -------------------------------------------------------- */

const Type *vmc_type_none(Context *ctx)
{
    return intern_type(ctx, &(Type){.kind = TYPE_NONE});
}
const Type *vmc_type_index(Context *ctx)
{
    return intern_type(ctx, &(Type){.kind = TYPE_INDEX});
}

const Type *vmc_type_int(Context *ctx, uint32_t width, Signedness sign)
{
    return intern_type(ctx, &(Type){.kind = TYPE_INT, .width = width, .sign = sign});
}

const Type *vmc_type_float(Context *ctx, FloatFormat format)
{
    return intern_type(ctx, &(Type){.kind = TYPE_FLOAT, .format = format});
}
const Type *vmc_type_complex(Context *ctx, const Type *elem)
{
    return intern_type(ctx, &(Type){.kind = TYPE_COMPLEX, .elem = elem});
}

const Type *vmc_type_vector(Context *ctx, uint32_t rank, const int64_t *dims, const bool *scalable, const Type *elem)
{
    bool any = false;
    for (uint32_t i = 0; scalable && i < rank; i++)
        any |= scalable[i];
    return intern_type(ctx,
                       &(Type){.kind = TYPE_VECTOR, .rank = rank, .dims = dims, .scalable = any ? scalable : NULL, .elem = elem});
}

const Type *vmc_type_tensor(Context *ctx, uint32_t rank, const int64_t *dims, const Type *elem, const Attr *encoding)
{
    return intern_type(ctx, &(Type){.kind = TYPE_TENSOR, .rank = rank, .dims = dims, .elem = elem, .layout = encoding});
}

const Type *vmc_type_memref(Context *ctx, uint32_t rank, const int64_t *dims, const Type *elem, const Attr *layout,
                            const Attr *space)
{
    /* the identity map is the default layout, however it is written */
    if (layout && layout->kind == ATTR_MAP && layout->map->ndims == rank && vmc_map_is_identity(layout->map))
        layout = NULL;
    return intern_type(ctx,
                       &(Type){.kind = TYPE_MEMREF, .rank = rank, .dims = dims, .elem = elem, .layout = layout, .space = space});
}

const Type *vmc_type_unranked_tensor(Context *ctx, const Type *elem)
{
    return intern_type(ctx, &(Type){.kind = TYPE_UNRANKED_TENSOR, .elem = elem});
}

const Type *vmc_type_unranked_memref(Context *ctx, const Type *elem, const Attr *space)
{
    return intern_type(ctx, &(Type){.kind = TYPE_UNRANKED_MEMREF, .elem = elem, .space = space});
}

const Type *vmc_type_function(Context *ctx, uint32_t nins, const Type *const *ins, uint32_t nouts, const Type *const *outs)
{
    return intern_type(ctx, &(Type){.kind = TYPE_FUNCTION, .nins = nins, .ins = ins, .nouts = nouts, .outs = outs});
}

const Type *vmc_type_tuple(Context *ctx, uint32_t n, const Type *const *elems)
{
    return intern_type(ctx, &(Type){.kind = TYPE_TUPLE, .nins = n, .ins = elems});
}

const Type *vmc_type_named(Context *ctx, TypeKind token_or_opaque, const char *text, size_t n)
{
    const char *name = vmc_intern(&ctx->names, text, n);
    return intern_type(ctx, &(Type){.kind = token_or_opaque, .text = name});
}

/* ---- float formats ------------------------------------------------------- */

static const struct FloatRow {
    const char *name;
    unsigned bits, etype;
} float_rows[FLOAT_FORMATS] = {
    [FLOAT_F16] = {"f16", 16, BVM_F16},
    [FLOAT_BF16] = {"bf16", 16, BVM_BF16},
    [FLOAT_F32] = {"f32", 32, BVM_F32},
    [FLOAT_F64] = {"f64", 64, BVM_F64},
    [FLOAT_F8E5M2] = {"f8E5M2", 8, BVM_F8E5M2},
    [FLOAT_F8E4M3FN] = {"f8E4M3FN", 8, BVM_F8E4M3FN},
    [FLOAT_F8E4M3] = {"f8E4M3", 8, BVM_F8E4M3},
    [FLOAT_F8E5M2FNUZ] = {"f8E5M2FNUZ", 8, BVM_F8E5M2FNUZ},
    [FLOAT_F8E4M3FNUZ] = {"f8E4M3FNUZ", 8, BVM_F8E4M3FNUZ},
    [FLOAT_F8E4M3B11FNUZ] = {"f8E4M3B11FNUZ", 8, BVM_F8E4M3B11FNUZ},
    [FLOAT_F8E3M4] = {"f8E3M4", 8, BVM_F8E3M4},
    [FLOAT_F8E8M0FNU] = {"f8E8M0FNU", 8, BVM_F8E8M0FNU},
    [FLOAT_F6E2M3FN] = {"f6E2M3FN", 6, BVM_F6E2M3FN},
    [FLOAT_F6E3M2FN] = {"f6E3M2FN", 6, BVM_F6E3M2FN},
    [FLOAT_F4E2M1FN] = {"f4E2M1FN", 4, BVM_F4E2M1FN},
    [FLOAT_TF32] = {"tf32", 19, BVM_NONE},
    [FLOAT_F80] = {"f80", 80, BVM_NONE},
    [FLOAT_F128] = {"f128", 128, BVM_NONE},
};

const char *vmc_float_name(FloatFormat format)
{
    return float_rows[format].name;
}
unsigned vmc_float_bits(FloatFormat format)
{
    return float_rows[format].bits;
}
unsigned vmc_float_etype(FloatFormat format)
{
    return float_rows[format].etype;
}

bool vmc_float_by_name(const char *text, size_t n, FloatFormat *format)
{
    for (unsigned i = 0; i < FLOAT_FORMATS; i++) {
        if (strlen(float_rows[i].name) == n && memcmp(float_rows[i].name, text, n) == 0) {
            *format = (FloatFormat)i;
            return true;
        }
    }
    return false;
}

/* ---- shape and storage --------------------------------------------------- */

bool vmc_has_static_shape(const Type *t)
{
    if (!vmc_is_ranked(t))
        return !vmc_is_shaped(t);
    for (uint32_t i = 0; i < t->rank; i++)
        if (t->dims[i] == VMC_DYNAMIC || (t->scalable && t->scalable[i]))
            return false;
    return true;
}

bool vmc_num_elements(const Type *t, int64_t *count)
{
    if (!vmc_is_shaped(t)) {
        *count = 1;
        return true;
    }
    if (!vmc_has_static_shape(t))
        return false;
    int64_t n = 1;
    bool overflow = false;
    for (uint32_t i = 0; i < t->rank; i++) {
        if (t->dims[i] == 0) {
            *count = 0;
            return true;
        }
        overflow |= __builtin_mul_overflow(n, t->dims[i], &n);
    }
    *count = n;
    return !overflow;
}

static uint64_t storage_bytes(uint64_t bits)
{
    uint64_t bytes = 1;
    while (8 * bytes < bits)
        bytes *= 2;
    return bytes;
}

uint64_t vmc_elem_bytes(const Type *elem)
{
    switch (elem->kind) {
    case TYPE_INDEX:
        return 8;
    case TYPE_INT:
        return storage_bytes(elem->width);
    case TYPE_FLOAT: /* formats without arithmetic here travel as f64 */
        return vmc_float_etype(elem->format) == BVM_NONE ? 8 : storage_bytes(vmc_float_bits(elem->format));
    case TYPE_COMPLEX:
        return 2 * vmc_elem_bytes(elem->elem);
    case TYPE_VECTOR: {
        int64_t count;
        uint64_t bytes;
        if (!vmc_num_elements(elem, &count) || __builtin_mul_overflow((uint64_t)count, vmc_elem_bytes(elem->elem), &bytes))
            return 0;
        return bytes;
    }
    default:
        return 0;
    }
}

static bool identity_strides(const Type *memref, int64_t *strides)
{
    int64_t stride = 1;
    for (uint32_t i = memref->rank; i-- > 0;) {
        strides[i] = stride;
        int64_t dim = memref->dims[i];
        if (stride == VMC_DYNAMIC || dim == VMC_DYNAMIC)
            stride = VMC_DYNAMIC;
        else if (__builtin_mul_overflow(stride, dim, &stride))
            return false;
    }
    return true;
}

static int64_t add_or_dynamic(int64_t a, int64_t b)
{
    int64_t sum;
    return a == VMC_DYNAMIC || b == VMC_DYNAMIC || __builtin_add_overflow(a, b, &sum) ? VMC_DYNAMIC : sum;
}

static int64_t mul_or_dynamic(int64_t a, int64_t b)
{
    int64_t product;
    return a == VMC_DYNAMIC || b == VMC_DYNAMIC || __builtin_mul_overflow(a, b, &product) ? VMC_DYNAMIC : product;
}

/* Adds scale * expr to the strides; a symbol stands for a value known at run time only. */
static bool collect_strides(const AffineExpr *e, int64_t scale, int64_t *offset, int64_t *strides)
{
    switch (e->kind) {
    case AFFINE_CONST:
        *offset = add_or_dynamic(*offset, mul_or_dynamic(scale, e->value));
        return true;
    case AFFINE_DIM:
        strides[e->value] = add_or_dynamic(strides[e->value], scale);
        return true;
    case AFFINE_SYMBOL:
        *offset = VMC_DYNAMIC;
        return true;
    case AFFINE_ADD:
        return collect_strides(e->lhs, scale, offset, strides) && collect_strides(e->rhs, scale, offset, strides);
    case AFFINE_MUL:
        if (e->symbolic) {
            *offset = VMC_DYNAMIC;
            return true;
        }
        if (!e->rhs->symbolic)
            return false;
        return collect_strides(e->lhs, e->rhs->kind == AFFINE_CONST ? mul_or_dynamic(scale, e->rhs->value) : VMC_DYNAMIC, offset,
                               strides);
    default:
        if (!e->symbolic)
            return false;
        *offset = VMC_DYNAMIC;
        return true;
    }
}

bool vmc_memref_strides(Context *ctx, const Type *memref, int64_t *offset, int64_t *strides)
{
    (void)ctx;
    *offset = 0;
    const Attr *layout = memref->layout;
    if (!layout)
        return identity_strides(memref, strides);
    if (layout->kind == ATTR_STRIDED) {
        if (layout->n != memref->rank)
            return false;
        *offset = layout->offset;
        for (uint32_t i = 0; i < memref->rank; i++)
            strides[i] = layout->strides[i];
        return true;
    }
    if (layout->kind != ATTR_MAP)
        return false;
    const AffineMap *map = layout->map;
    if (map->ndims != memref->rank)
        return false;
    if (map->nresults == map->ndims && vmc_map_is_identity(map))
        return identity_strides(memref, strides);
    if (map->nresults != 1)
        return false;
    for (uint32_t i = 0; i < memref->rank; i++)
        strides[i] = 0;
    return collect_strides(map->results[0], 1, offset, strides);
}
