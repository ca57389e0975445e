/* Attributes: interning, constructors and access to elements. */
#include "../../vm/bytecode/format.h"
#include "tables.h"

/* ---- interning ----------------------------------------------------------- */

static bool counts_elems(AttrKind kind)
{
    return kind == ATTR_ARRAY || kind == ATTR_DICT || kind == ATTR_SYMBOL || kind == ATTR_LOC;
}
static bool has_bytes(AttrKind kind)
{
    return kind == ATTR_DENSE || kind == ATTR_DENSE_ARRAY;
}
static bool has_long_text(AttrKind kind)
{
    return kind == ATTR_STRING || kind == ATTR_OPAQUE;
}

static size_t text_size(const Attr *a)
{
    return a->s ? has_long_text(a->kind) ? a->n : strlen(a->s) : 0;
}

static uint64_t hash_attr(const Attr *a)
{
    uint64_t h = vmc_hash_mix((uint64_t)a->kind << 8 | a->splat, MAP_KEY(a->type));
    h = vmc_hash_mix(h, (uint64_t)a->i);
    h = vmc_hash_mix(h, a->n);
    h = vmc_hash_mix(h, MAP_KEY(a->map));
    h = vmc_hash_mix(h, MAP_KEY(a->meta));
    h = vmc_hash_mix(h, (uint64_t)a->line << 32 | a->col);
    h = vmc_hash_mix(h, (uint64_t)a->offset ^ (uint64_t)a->loc << 60);
    if (a->s)
        h = vmc_hash(a->s, text_size(a), h);
    if (has_bytes(a->kind) && a->n)
        h = vmc_hash(a->data, a->n, h);
    if (a->kind == ATTR_STRIDED && a->n)
        h = vmc_hash(a->strides, a->n * sizeof(int64_t), h);
    if (counts_elems(a->kind) && a->n)
        h = vmc_hash(a->elems, a->n * sizeof(*a->elems), h);
    if (a->kind == ATTR_DICT && a->n)
        h = vmc_hash(a->names, a->n * sizeof(*a->names), h);
    return h;
}

static bool same_bytes(const void *a, const void *b, size_t n)
{
    return n == 0 || memcmp(a, b, n) == 0;
}

static bool attr_equal(const void *candidate, const void *item)
{
    const Attr *a = candidate, *b = item;
    if (a->kind != b->kind || a->splat != b->splat || a->type != b->type || a->i != b->i || a->n != b->n || a->map != b->map ||
        a->meta != b->meta || a->line != b->line || a->col != b->col || a->offset != b->offset || a->loc != b->loc ||
        a->bare != b->bare || !a->s != !b->s)
        return false;
    size_t size = text_size(a);
    if (a->s && (size != text_size(b) || memcmp(a->s, b->s, size) != 0))
        return false;
    if (has_bytes(a->kind))
        return same_bytes(a->data, b->data, a->n);
    if (a->kind == ATTR_STRIDED)
        return same_bytes(a->strides, b->strides, a->n * sizeof(int64_t));
    if (counts_elems(a->kind))
        return same_bytes(a->elems, b->elems, a->n * sizeof(*a->elems)) &&
               (a->kind != ATTR_DICT || same_bytes(a->names, b->names, a->n * sizeof(*a->names)));
    return true;
}

static uint32_t attr_depth(const Attr *a)
{
    uint32_t depth = 0;
    if (a->type)
        depth = a->type->depth;
    if (a->meta && a->meta->depth > depth)
        depth = a->meta->depth;
    for (size_t i = 0; counts_elems(a->kind) && i < a->n; i++)
        if (a->elems[i]->depth > depth)
            depth = a->elems[i]->depth;
    return depth + 1;
}

static const Attr *intern(Context *ctx, const Attr *proto, bool owned)
{
    InternSet *set = &vmc_tables(ctx)->attrs;
    uint64_t hash = hash_attr(proto);
    size_t slot;
    const Attr *found = vmc_intern_find(ctx, set, hash, proto, attr_equal, &slot);
    if (found)
        return found;
    Arena *arena = &ctx->arena;
    Attr *a = vmc_arena_dup(arena, proto, sizeof(*proto));
    if (a->s)
        a->s = vmc_arena_dup(arena, a->s, text_size(a));
    if (has_bytes(a->kind) && !owned)
        a->data = vmc_arena_dup(arena, a->data, a->n);
    if (a->kind == ATTR_STRIDED)
        a->strides = vmc_arena_dup(arena, a->strides, a->n * sizeof(int64_t));
    if (counts_elems(a->kind) && a->n) {
        a->elems = vmc_arena_dup(arena, a->elems, a->n * sizeof(*a->elems));
        if (a->names)
            a->names = vmc_arena_dup(arena, a->names, a->n * sizeof(*a->names));
    }
    a->depth = attr_depth(a);
    vmc_intern_add(set, slot, hash, a);
    return a;
}

const Attr *vmc_attr_intern(Context *ctx, const Attr *proto)
{
    return intern(ctx, proto, false);
}

/* ---- constructors -------------------------------------------------------- */

const Attr *vmc_attr_unit(Context *ctx)
{
    return intern(ctx, &(Attr){.kind = ATTR_UNIT}, false);
}

const Attr *vmc_attr_int(Context *ctx, const Type *type, int64_t value)
{
    if (type->kind == TYPE_INT && type->width < 64) {
        unsigned shift = 64 - type->width;
        value = type->width == 1 ? value & 1 : (int64_t)((uint64_t)value << shift) >> shift;
    }
    return intern(ctx, &(Attr){.kind = ATTR_INT, .type = type, .i = value}, false);
}

const Attr *vmc_attr_bool(Context *ctx, bool value)
{
    return vmc_attr_int(ctx, vmc_type_int(ctx, 1, SIGNLESS), value);
}
const Attr *vmc_attr_i64(Context *ctx, int64_t value)
{
    return vmc_attr_int(ctx, vmc_type_int(ctx, 64, SIGNLESS), value);
}
const Attr *vmc_attr_index(Context *ctx, int64_t value)
{
    return vmc_attr_int(ctx, vmc_type_index(ctx), value);
}

const Attr *vmc_attr_float_bits(Context *ctx, const Type *type, uint64_t bits)
{
    return intern(ctx, &(Attr){.kind = ATTR_FLOAT, .type = type, .i = (int64_t)bits}, false);
}

const Attr *vmc_attr_string(Context *ctx, const char *text, size_t n)
{
    return intern(ctx, &(Attr){.kind = ATTR_STRING, .s = text, .n = n}, false);
}

const Attr *vmc_attr_symbol(Context *ctx, const char *root, size_t n_nested, const Attr *const *nested)
{
    return intern(ctx, &(Attr){.kind = ATTR_SYMBOL, .s = root, .n = n_nested, .elems = nested}, false);
}

const Attr *vmc_attr_array(Context *ctx, size_t n, const Attr *const *elems)
{
    return intern(ctx, &(Attr){.kind = ATTR_ARRAY, .n = n, .elems = elems}, false);
}

const Attr *vmc_attr_dict(Context *ctx, size_t n, const NamedAttr *entries)
{
    const Attr **elems = ARENA_ARRAY(&ctx->arena, const Attr *, n);
    const char **names = ARENA_ARRAY(&ctx->arena, const char *, n);
    for (size_t i = 0; i < n; i++) {
        elems[i] = entries[i].attr;
        names[i] = entries[i].name;
    }
    return intern(ctx, &(Attr){.kind = ATTR_DICT, .n = n, .elems = elems, .names = names}, false);
}

const Attr *vmc_attr_type(Context *ctx, const Type *type)
{
    return intern(ctx, &(Attr){.kind = ATTR_TYPE, .type = type}, false);
}
const Attr *vmc_attr_map(Context *ctx, const AffineMap *map)
{
    return intern(ctx, &(Attr){.kind = ATTR_MAP, .map = map}, false);
}
const Attr *vmc_attr_set(Context *ctx, const AffineMap *set)
{
    return intern(ctx, &(Attr){.kind = ATTR_SET, .map = set}, false);
}

const Attr *vmc_attr_dense(Context *ctx, const Type *type, const void *data, size_t n, bool splat, bool owned)
{
    Attr proto = {.kind = ATTR_DENSE, .type = type, .data = data, .n = n, .splat = splat};
    size_t size = (size_t)vmc_elem_bytes(type->elem);
    int64_t count;
    if (vmc_num_elements(type, &count) && count == 0) {
        proto.n = 0;
        proto.splat = false;
    } else if (!splat && n >= size && size > 0 && same_bytes(data, (const char *)data + size, n - size)) {
        proto.splat = true; /* equal elements are one element, however they were written */
        proto.n = size;
    }
    return intern(ctx, &proto, owned && !(proto.splat && !splat));
}

const Attr *vmc_attr_dense_array(Context *ctx, const Type *elem, const void *data, size_t n)
{
    return intern(ctx, &(Attr){.kind = ATTR_DENSE_ARRAY, .type = elem, .data = data, .n = n}, false);
}

static void put_le(unsigned char *p, uint64_t v, size_t n)
{
    for (size_t i = 0; i < n; i++)
        p[i] = i < 8 ? (unsigned char)(v >> (8 * i)) : (v >> 63 ? 0xFF : 0);
}

static uint64_t get_le(const unsigned char *p, size_t n)
{
    uint64_t v = 0;
    for (size_t i = 0; i < n && i < 8; i++)
        v |= (uint64_t)p[i] << (8 * i);
    return v;
}

const Attr *vmc_attr_i64_array(Context *ctx, size_t n, const int64_t *values)
{
    unsigned char *data = vmc_arena_alloc(&ctx->arena, vmc_mul_size(&ctx->memory, n, 8));
    for (size_t i = 0; i < n; i++)
        put_le(data + 8 * i, (uint64_t)values[i], 8);
    Attr proto = {.kind = ATTR_DENSE_ARRAY, .type = vmc_type_int(ctx, 64, SIGNLESS), .data = data, .n = 8 * n};
    return intern(ctx, &proto, true);
}

const Attr *vmc_attr_strided(Context *ctx, int64_t offset, size_t rank, const int64_t *strides)
{
    return intern(ctx, &(Attr){.kind = ATTR_STRIDED, .offset = offset, .n = rank, .strides = strides}, false);
}

const Attr *vmc_attr_opaque(Context *ctx, const char *text, size_t n)
{
    return intern(ctx, &(Attr){.kind = ATTR_OPAQUE, .s = text, .n = n}, false);
}

/* ---- elements ------------------------------------------------------------ */

/* An integer element of `size` bytes, sign-extended from the width of its type; i1 as 0 or 1. */
static int64_t int_elem(const Type *type, const unsigned char *p, size_t size)
{
    uint64_t v = get_le(p, size);
    uint32_t width = type->kind == TYPE_INT ? type->width : 64;
    if (width >= 64)
        return (int64_t)v;
    unsigned shift = 64 - width;
    return width == 1 ? (int64_t)(v & 1) : (int64_t)(v << shift) >> shift;
}

const Attr *vmc_dict_get(const Attr *attr, const char *name)
{
    for (size_t i = 0; attr && attr->kind == ATTR_DICT && i < attr->n; i++)
        if (strcmp(attr->names[i], name) == 0)
            return attr->elems[i];
    return NULL;
}

ptrdiff_t vmc_attr_ints(Context *ctx, const Attr *attr, const int64_t **values)
{
    size_t n;
    int64_t *out;
    if (!attr)
        return -1;
    if (attr->kind == ATTR_ARRAY) {
        for (size_t i = 0; i < attr->n; i++)
            if (attr->elems[i]->kind != ATTR_INT)
                return -1;
        n = attr->n;
        out = ARENA_ARRAY(&ctx->arena, int64_t, n);
        for (size_t i = 0; i < n; i++)
            out[i] = attr->elems[i]->i;
    } else if (attr->kind == ATTR_DENSE_ARRAY || attr->kind == ATTR_DENSE) {
        const Type *elem = attr->kind == ATTR_DENSE ? attr->type->elem : attr->type;
        if (elem->kind != TYPE_INT && elem->kind != TYPE_INDEX)
            return -1;
        size_t size = (size_t)vmc_elem_bytes(elem);
        int64_t count = (int64_t)(attr->n / size);
        if (attr->kind == ATTR_DENSE && !vmc_num_elements(attr->type, &count))
            return -1;
        n = (size_t)count;
        if (attr->splat && n > (1u << 20))
            return -1; /* no list of sizes is that long; a splat costs its reader nothing to write */
        out = ARENA_ARRAY(&ctx->arena, int64_t, n);
        for (size_t i = 0; i < n; i++)
            out[i] = int_elem(elem, (const unsigned char *)attr->data + (attr->splat ? 0 : i * size), size);
    } else {
        return -1;
    }
    *values = out;
    return (ptrdiff_t)n;
}

static const Attr *scalar_elem(Context *ctx, const Type *elem, const unsigned char *p)
{
    size_t size = (size_t)vmc_elem_bytes(elem);
    switch (elem->kind) {
    case TYPE_FLOAT:
        return vmc_attr_float_bits(ctx, elem, get_le(p, size));
    case TYPE_COMPLEX: {
        const Attr *parts[2] = {scalar_elem(ctx, elem->elem, p), scalar_elem(ctx, elem->elem, p + size / 2)};
        return vmc_attr_array(ctx, 2, parts);
    }
    default:
        return vmc_attr_int(ctx, elem, int_elem(elem, p, size));
    }
}

const Attr *vmc_dense_elem(Context *ctx, const Attr *dense, uint64_t k)
{
    size_t size = (size_t)vmc_elem_bytes(dense->type->elem);
    return scalar_elem(ctx, dense->type->elem, (const unsigned char *)dense->data + (dense->splat ? 0 : (size_t)k * size));
}
