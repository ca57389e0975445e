/* Facts and rules of the vector dialect: combining kinds, positions, transfers, and what each op demands of its types.
 * Behind these checks the lowering (passes/lower_vectors.c) indexes shapes without looking again. */
#include "vector.h"

#include "hooks_vector.h"

/* ---- combining kinds --------------------------------------------------------------- */

static const struct {
    const char *name, *int_op, *float_op;
} kinds[] = {
    {"add", "arith.addi", "arith.addf"},  {"mul", "arith.muli", "arith.mulf"},
    {"minui", "arith.minui", NULL},       {"minsi", "arith.minsi", NULL},
    {"minnumf", NULL, "arith.minnumf"},   {"maxui", "arith.maxui", NULL},
    {"maxsi", "arith.maxsi", NULL},       {"maxnumf", NULL, "arith.maxnumf"},
    {"and", "arith.andi", NULL},          {"or", "arith.ori", NULL},
    {"xor", "arith.xori", NULL},          {"minimumf", NULL, "arith.minimumf"},
    {"maximumf", NULL, "arith.maximumf"},
};

static int find_kind(const char *text, size_t n)
{
    static const char *const older[2][2] = {{"minf", "minnumf"}, {"maxf", "maxnumf"}};
    for (size_t i = 0; i < 2; i++)
        if (strlen(older[i][0]) == n && memcmp(older[i][0], text, n) == 0)
            return find_kind(older[i][1], 7);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strlen(kinds[i].name) == n && memcmp(kinds[i].name, text, n) == 0)
            return (int)i;
    return -1;
}

const char *vmc_combining_name(const char *text, size_t n)
{
    int k = find_kind(text, n);
    return k < 0 ? NULL : kinds[k].name;
}

const char *vmc_combining_op(const Attr *kind, const Type *elem)
{
    int k = 0;
    if (kind && kind->kind == ATTR_OPAQUE) {
        const char *open = strchr(kind->s, '<'), *close = open ? strchr(open, '>') : NULL;
        k = close ? find_kind(open + 1, (size_t)(close - open - 1)) : -1;
    } else if (kind && kind->kind == ATTR_STRING) {
        k = find_kind(kind->s, kind->n);
    } else if (kind) {
        k = -1;
    }
    if (k < 0)
        return NULL;
    if (elem->kind == TYPE_FLOAT)
        return kinds[k].float_op;
    return elem->kind == TYPE_INT || elem->kind == TYPE_INDEX ? kinds[k].int_op : NULL;
}

static bool kind_ok(Context *ctx, const Op *op, const Type *elem)
{
    if (vmc_combining_op(vmc_get_attr(op, "kind"), elem))
        return true;
    Text text = {.arena = &ctx->arena};
    vmc_print_type(&text, elem);
    return vmc_op_error(ctx, op, "has a kind that does not combine elements of type %s", text.at);
}

/* ---- shapes ------------------------------------------------------------------------------ */

static bool same_dims(const Type *a, const Type *b)
{
    return a->rank == b->rank && (!a->rank || memcmp(a->dims, b->dims, a->rank * sizeof *a->dims) == 0);
}

/* Integers of `name` as an array of at most `max` entries. */
static bool int_list(Context *ctx, const Op *op, const char *name, uint32_t max, const int64_t **values, uint32_t *n)
{
    ptrdiff_t count = vmc_attr_ints(ctx, vmc_get_attr(op, name), values);
    if (count < 0)
        return vmc_op_error(ctx, op, "needs a list of integers '%s'", name);
    if (count > (ptrdiff_t)max)
        return vmc_op_error(ctx, op, "has %td entries in '%s', more than %u", count, name, max);
    *n = (uint32_t)count;
    return true;
}

static bool in_range(int64_t value, int64_t low, int64_t high)
{
    return value >= low && value < high;
}

/* A vector of the shape, or a scalar where no dimension is left. */
static bool is_remainder(const Type *type, const Type *elem, uint32_t rank, const int64_t *dims)
{
    if (type->kind != TYPE_VECTOR)
        return rank == 0 && type == elem;
    return type->elem == elem && type->rank == rank && (!rank || memcmp(type->dims, dims, rank * sizeof *dims) == 0);
}

bool vmc_vector_broadcast_verify(Context *ctx, Op *op)
{
    const Type *from = op->operands[0].value->type, *to = op->results[0].type;
    if (from->kind != TYPE_VECTOR)
        return from == to->elem || vmc_op_error(ctx, op, "repeats a value that is no element of its result");
    bool ok = from->elem == to->elem && from->rank <= to->rank;
    for (uint32_t i = 0; ok && i < from->rank; i++) {
        int64_t size = from->dims[i];
        ok = size == 1 || size == to->dims[to->rank - from->rank + i];
    }
    return ok || vmc_op_error(ctx, op, "has a source whose shape does not repeat to that of its result");
}

bool vmc_vector_from_elements_verify(Context *ctx, Op *op)
{
    int64_t count;
    return (vmc_num_elements(op->results[0].type, &count) && count == (int64_t)op->noperands) ||
           vmc_op_error(ctx, op, "has %u elements, not those of its result", op->noperands);
}

bool vmc_vector_to_elements_verify(Context *ctx, Op *op)
{
    int64_t count;
    const Type *type = op->operands[0].value->type;
    bool ok = vmc_num_elements(type, &count) && count == (int64_t)op->nresults;
    for (uint32_t i = 0; ok && i < op->nresults; i++)
        ok = op->results[i].type == type->elem;
    return ok || vmc_op_error(ctx, op, "must have one result for each element");
}

bool vmc_vector_step_verify(Context *ctx, Op *op)
{
    const Type *type = op->results[0].type;
    return (type->rank == 1 && type->elem->kind == TYPE_INDEX) || vmc_op_error(ctx, op, "gives a one-dimensional vector of index");
}

bool vmc_vector_reduction_verify(Context *ctx, Op *op)
{
    const Type *type = op->operands[0].value->type;
    return (type->rank <= 1 || vmc_op_error(ctx, op, "takes a vector of rank 0 or 1")) && kind_ok(ctx, op, type->elem);
}

bool vmc_vector_multi_reduction_verify(Context *ctx, Op *op)
{
    const Type *from = op->operands[0].value->type, *to = op->results[0].type;
    const int64_t *reduced;
    uint32_t n, left = 0;
    if (!int_list(ctx, op, "reduction_dims", from->rank, &reduced, &n))
        return false;
    bool *drop = ARENA_ARRAY(&ctx->arena, bool, from->rank + 1);
    int64_t *dims = ARENA_ARRAY(&ctx->arena, int64_t, from->rank + 1);
    for (uint32_t i = 0; i < n; i++) {
        if (!in_range(reduced[i], 0, from->rank) || drop[reduced[i]])
            return vmc_op_error(ctx, op, "has no dimension %lld to reduce, or reduces it twice", (long long)reduced[i]);
        drop[reduced[i]] = true;
    }
    for (uint32_t i = 0; i < from->rank; i++)
        if (!drop[i])
            dims[left++] = from->dims[i];
    return (is_remainder(to, from->elem, left, dims) || vmc_op_error(ctx, op, "has a result of another shape than what is left")) &&
           (op->operands[1].value->type == to || vmc_op_error(ctx, op, "has an accumulator of another type than its result")) &&
           kind_ok(ctx, op, from->elem);
}

bool vmc_vector_scan_verify(Context *ctx, Op *op)
{
    const Type *from = op->operands[0].value->type, *initial = op->operands[1].value->type;
    int64_t dim = 0;
    if (!vmc_get_int(op, "reduction_dim", &dim) || !in_range(dim, 0, from->rank))
        return vmc_op_error(ctx, op, "has no dimension %lld", (long long)dim);
    bool ok = initial->rank + 1 == from->rank && initial->elem == from->elem;
    for (uint32_t i = 0, k = 0; ok && i < from->rank; i++)
        ok = i == (uint32_t)dim || initial->dims[k++] == from->dims[i];
    return (ok || vmc_op_error(ctx, op, "has an initial value of another shape than a slice")) &&
           ((op->results[0].type == from && op->results[1].type == initial) ||
            vmc_op_error(ctx, op, "has results of other types than its operands")) &&
           kind_ok(ctx, op, from->elem);
}

/* Sizes of the loops as the operands give them; false where they disagree or a map is no choice of dims. */
static bool contract_sizes(const Op *op, const Attr *maps, uint32_t nloops, int64_t *sizes)
{
    for (uint32_t k = 0; k < 3; k++) {
        const AffineMap *map = maps->elems[k]->kind == ATTR_MAP ? maps->elems[k]->map : NULL;
        const Type *type = op->operands[k].value->type;
        uint32_t rank = type->kind == TYPE_VECTOR ? type->rank : 0;
        if (!map || map->ndims != nloops || map->nsyms || map->nresults != rank)
            return false;
        for (uint32_t r = 0; r < rank; r++) {
            const AffineExpr *e = map->results[r];
            if (e->kind != AFFINE_DIM || (sizes[e->value] && sizes[e->value] != type->dims[r]))
                return false;
            sizes[e->value] = type->dims[r];
        }
    }
    for (uint32_t i = 0; i < nloops; i++)
        if (!sizes[i])
            return false;
    return true;
}

static bool is_iterator(const Attr *attr, const char *name)
{
    if (attr->kind == ATTR_STRING)
        return strcmp(attr->s, name) == 0;
    return attr->kind == ATTR_OPAQUE && strncmp(attr->s, "vector.iterator_type<", 21) == 0 &&
           strncmp(attr->s + 21, name, strlen(name)) == 0;
}

bool vmc_vector_contract_verify(Context *ctx, Op *op)
{
    const Attr *maps = vmc_get_attr(op, "indexing_maps"), *iterators = vmc_get_attr(op, "iterator_types");
    const Type *lhs = op->operands[0].value->type, *rhs = op->operands[1].value->type, *to = op->results[0].type;
    if (maps->n != 3)
        return vmc_op_error(ctx, op, "needs three indexing maps");
    int64_t *sizes = ARENA_ARRAY(&ctx->arena, int64_t, iterators->n + 1);
    if (!contract_sizes(op, maps, (uint32_t)iterators->n, sizes))
        return vmc_op_error(ctx, op, "has indexing maps that do not fit its vectors, or sizes that differ");
    for (size_t i = 0; i < iterators->n; i++) {
        bool reduction = is_iterator(iterators->elems[i], "reduction");
        if (!reduction && !is_iterator(iterators->elems[i], "parallel"))
            return vmc_op_error(ctx, op, "has an iterator type that is neither parallel nor reduction");
        const AffineMap *out = maps->elems[2]->map;
        uint32_t uses = 0;
        for (uint32_t r = 0; r < out->nresults; r++)
            uses += out->results[r]->value == (int64_t)i;
        if (uses != !reduction && (reduction || uses || sizes[i] != 1))
            return vmc_op_error(ctx, op, "has a result that does not have each parallel dimension once and no other");
    }
    const Type *elem = vmc_elem_or_self(to);
    bool widens = lhs->elem->kind == elem->kind && rhs->elem->kind == elem->kind;
    if (widens && elem->kind == TYPE_INT)
        widens = lhs->elem->width <= elem->width && rhs->elem->width <= elem->width;
    return (widens || vmc_op_error(ctx, op, "has factors that do not widen to its result")) &&
           (op->operands[2].value->type == to || vmc_op_error(ctx, op, "has an accumulator of another type than its result")) &&
           kind_ok(ctx, op, elem);
}

bool vmc_vector_outerproduct_verify(Context *ctx, Op *op)
{
    const Type *lhs = op->operands[0].value->type, *rhs = op->operands[1].value->type, *to = op->results[0].type;
    bool vectors = rhs->kind == TYPE_VECTOR;
    bool ok = lhs->rank == 1 && lhs->elem == to->elem && vmc_elem_or_self(rhs) == to->elem && (!vectors || rhs->rank == 1);
    ok = ok && to->rank == (vectors ? 2 : 1) && to->dims[0] == lhs->dims[0] && (!vectors || to->dims[1] == rhs->dims[0]);
    if (!ok)
        return vmc_op_error(ctx, op, "has a result of another shape than the product of its operands");
    if (op->noperands > 2 && op->operands[2].value->type != to)
        return vmc_op_error(ctx, op, "has an accumulator of another type than its result");
    return kind_ok(ctx, op, to->elem);
}

/* Product of two positive attributes of type i32, or -1. */
static int64_t area(const Op *op, const char *rows, const char *columns)
{
    int64_t r = 0, c = 0;
    return vmc_get_int(op, rows, &r) && vmc_get_int(op, columns, &c) && r > 0 && c > 0 && r <= INT32_MAX && c <= INT32_MAX ? r * c
                                                                                                                           : -1;
}

static bool is_flat(const Type *type, const Type *elem, int64_t count)
{
    return type->kind == TYPE_VECTOR && type->rank == 1 && type->elem == elem && type->dims[0] == count;
}

bool vmc_vector_matmul_verify(Context *ctx, Op *op)
{
    const Type *lhs = op->operands[0].value->type, *rhs = op->operands[1].value->type, *elem = lhs->elem;
    return (is_flat(lhs, elem, area(op, "lhs_rows", "lhs_columns")) && is_flat(rhs, elem, area(op, "lhs_columns", "rhs_columns")) &&
            is_flat(op->results[0].type, elem, area(op, "lhs_rows", "rhs_columns")) && elem->kind != TYPE_COMPLEX) ||
           vmc_op_error(ctx, op, "has vectors that are not as long as its rows and columns say");
}

bool vmc_vector_flat_transpose_verify(Context *ctx, Op *op)
{
    const Type *from = op->operands[0].value->type;
    int64_t count = area(op, "rows", "columns");
    return (is_flat(from, from->elem, count) && is_flat(op->results[0].type, from->elem, count)) ||
           vmc_op_error(ctx, op, "has vectors that are not as long as its rows and columns say");
}

bool vmc_vector_shuffle_verify(Context *ctx, Op *op)
{
    const Type *a = op->operands[0].value->type, *b = op->operands[1].value->type, *to = op->results[0].type;
    const int64_t *mask;
    uint32_t n;
    if (!int_list(ctx, op, "mask", UINT32_MAX, &mask, &n) || !n)
        return n || vmc_op_error(ctx, op, "needs a mask");
    bool ok = a->elem == b->elem && a->elem == to->elem && a->rank == b->rank && to->rank == (a->rank ? a->rank : 1);
    ok = ok && to->dims[0] == (int64_t)n;
    for (uint32_t i = 1; ok && i < a->rank; i++)
        ok = a->dims[i] == b->dims[i] && a->dims[i] == to->dims[i];
    if (!ok)
        return vmc_op_error(ctx, op, "has vectors whose shapes do not go together");
    int64_t slices = a->rank ? a->dims[0] + b->dims[0] : 2;
    for (uint32_t i = 0; i < n; i++)
        if (!in_range(mask[i], -1, slices))
            return vmc_op_error(ctx, op, "chooses slice %lld of %lld", (long long)mask[i], (long long)slices);
    return true;
}

/* Shapes that are equal but for the innermost size, which is twice the other's (a vector of rank 0 counts as one of size 1). */
static bool is_double(const Type *half, const Type *whole)
{
    if (half->elem != whole->elem)
        return false;
    if (half->rank == 0)
        return whole->rank == 1 && whole->dims[0] == 2;
    uint32_t last = half->rank - 1;
    return half->rank == whole->rank && (!last || memcmp(half->dims, whole->dims, last * sizeof *half->dims) == 0) &&
           half->dims[last] == whole->dims[last] / 2 && whole->dims[last] % 2 == 0;
}

bool vmc_vector_interleave_verify(Context *ctx, Op *op)
{
    return (op->operands[0].value->type == op->operands[1].value->type &&
            is_double(op->operands[0].value->type, op->results[0].type)) ||
           vmc_op_error(ctx, op, "has a result that is not twice as wide as each operand");
}

bool vmc_vector_deinterleave_verify(Context *ctx, Op *op)
{
    return (op->results[0].type == op->results[1].type && is_double(op->results[0].type, op->operands[0].value->type)) ||
           vmc_op_error(ctx, op, "has a source that is not twice as wide as each result");
}

bool vmc_vector_element_verify(Context *ctx, Op *op)
{
    Value *position = vmc_operand_named(op, "position");
    const Type *type = vmc_operand_named(op, vmc_is(op, "vector.insertelement") ? "dest" : "vector")->type;
    if (type->rank != (position ? 1 : 0))
        return vmc_op_error(ctx, op, "takes a vector of rank 1 and a position, or of rank 0 and none");
    return !position || position->type->kind == TYPE_INDEX ||
           (position->type->kind == TYPE_INT && position->type->sign == SIGNLESS) ||
           vmc_op_error(ctx, op, "has a position that is no integer");
}

/* ---- positions ----------------------------------------------------------------------------- */

bool vmc_vector_position(Context *ctx, const Op *op, const int64_t **values, uint32_t *n)
{
    const Attr *attr = vmc_get_attr(op, "static_position");
    attr = attr ? attr : vmc_get_attr(op, "position");
    ptrdiff_t count = attr ? vmc_attr_ints(ctx, attr, values) : 0;
    uint32_t dynamic = 0, ndynamic = vmc_operand_group(op, "dynamic_position").count;
    if (count < 0 || count > UINT16_MAX)
        return false;
    for (ptrdiff_t i = 0; i < count; i++)
        dynamic += (*values)[i] == VMC_DYNAMIC;
    *n = (uint32_t)count;
    return dynamic == ndynamic;
}

static bool verify_position(Context *ctx, const Op *op, const Type *whole, const Type *part)
{
    const int64_t *at;
    uint32_t n;
    if (!vmc_vector_position(ctx, op, &at, &n))
        return vmc_op_error(ctx, op, "has a position that does not fit its operands");
    if (n > whole->rank)
        return vmc_op_error(ctx, op, "has a position of %u entries in a vector of rank %u", n, whole->rank);
    for (uint32_t i = 0; i < n; i++)
        if (at[i] != VMC_DYNAMIC && !in_range(at[i], -1, whole->dims[i]))
            return vmc_op_error(ctx, op, "has position %lld in a dimension of size %lld", (long long)at[i],
                                (long long)whole->dims[i]);
    return is_remainder(part, whole->elem, whole->rank - n, whole->dims + n) ||
           vmc_op_error(ctx, op, "names a part of another type than the one at its position");
}

bool vmc_vector_extract_verify(Context *ctx, Op *op)
{
    return verify_position(ctx, op, op->operands[0].value->type, op->results[0].type);
}

bool vmc_vector_insert_verify(Context *ctx, Op *op)
{
    return verify_position(ctx, op, op->operands[1].value->type, op->operands[0].value->type);
}

static bool strides_one(Context *ctx, const Op *op, uint32_t max)
{
    const int64_t *strides;
    uint32_t n;
    if (!int_list(ctx, op, "strides", max, &strides, &n))
        return false;
    for (uint32_t i = 0; i < n; i++)
        if (strides[i] != 1)
            return vmc_op_error(ctx, op, "has a stride other than 1");
    return true;
}

bool vmc_vector_extract_strided_verify(Context *ctx, Op *op)
{
    const Type *from = op->operands[0].value->type, *to = op->results[0].type;
    const int64_t *offsets, *sizes;
    uint32_t n, nsizes;
    if (!int_list(ctx, op, "offsets", from->rank, &offsets, &n) || !int_list(ctx, op, "sizes", from->rank, &sizes, &nsizes) ||
        !strides_one(ctx, op, from->rank))
        return false;
    bool ok = n == nsizes && from->elem == to->elem && from->rank == to->rank;
    for (uint32_t i = 0; ok && i < from->rank; i++) {
        int64_t size = i < n ? sizes[i] : from->dims[i], offset = i < n ? offsets[i] : 0;
        ok = to->dims[i] == size && in_range(offset, 0, from->dims[i]) && size <= from->dims[i] - offset;
    }
    return ok || vmc_op_error(ctx, op, "has offsets and sizes that are not a part of its source, or not that of its result");
}

bool vmc_vector_insert_strided_verify(Context *ctx, Op *op)
{
    const Type *from = op->operands[0].value->type, *to = op->operands[1].value->type;
    const int64_t *offsets;
    uint32_t n;
    if (!int_list(ctx, op, "offsets", to->rank, &offsets, &n) || !strides_one(ctx, op, from->rank))
        return false;
    bool ok = n == to->rank && from->elem == to->elem && from->rank <= to->rank;
    for (uint32_t i = 0; ok && i < to->rank; i++) {
        uint32_t extra = to->rank - from->rank;
        int64_t size = i < extra ? 1 : from->dims[i - extra];
        ok = in_range(offsets[i], 0, to->dims[i]) && size <= to->dims[i] - offsets[i];
    }
    return ok || vmc_op_error(ctx, op, "has a source that does not lie in its destination at these offsets");
}

bool vmc_vector_transpose_verify(Context *ctx, Op *op)
{
    const Type *from = op->operands[0].value->type, *to = op->results[0].type;
    const int64_t *order;
    uint32_t n;
    if (!int_list(ctx, op, vmc_get_attr(op, "permutation") ? "permutation" : "transp", from->rank, &order, &n))
        return false;
    bool ok = n == from->rank && to->rank == n && from->elem == to->elem;
    bool *seen = ARENA_ARRAY(&ctx->arena, bool, n + 1);
    for (uint32_t i = 0; ok && i < n; i++) {
        ok = in_range(order[i], 0, n) && !seen[order[i]] && to->dims[i] == from->dims[order[i]];
        if (ok)
            seen[order[i]] = true;
    }
    return ok || vmc_op_error(ctx, op, "has a permutation that does not lead from its source to its result");
}

bool vmc_vector_shape_cast_verify(Context *ctx, Op *op)
{
    const Type *from = op->operands[0].value->type, *to = op->results[0].type;
    int64_t a, b;
    if (from->scalable || to->scalable) /* refused at lowering; the multiples are not looked at here */
        return true;
    return (from->elem == to->elem && vmc_num_elements(from, &a) && vmc_num_elements(to, &b) && a == b) ||
           vmc_op_error(ctx, op, "has a result with other elements than its source");
}

static int64_t scalar_bits(const Type *type)
{
    return type->kind == TYPE_INDEX   ? 64
           : type->kind == TYPE_INT   ? type->width
           : type->kind == TYPE_FLOAT ? vmc_float_bits(type->format)
                                      : 0;
}

bool vmc_vector_bitcast_verify(Context *ctx, Op *op)
{
    const Type *from = op->operands[0].value->type, *to = op->results[0].type;
    int64_t a = scalar_bits(from->elem), b = scalar_bits(to->elem);
    bool ok = from->rank == to->rank && a && b;
    for (uint32_t i = 0; ok && i + 1 < from->rank; i++)
        ok = from->dims[i] == to->dims[i];
    if (ok && from->rank == 0)
        ok = a == b;
    else if (ok)
        ok = !__builtin_mul_overflow(a, from->dims[from->rank - 1], &a) && !__builtin_mul_overflow(b, to->dims[to->rank - 1], &b) &&
             a == b;
    return ok || vmc_op_error(ctx, op, "has a result whose rows have other bits than those of its source");
}

/* Dims of a memref with those of its vector elements behind them; NULL when they have no static shape. */
static const Type *all_dims(Context *ctx, const Type *memref, bool need_static)
{
    if (need_static && !vmc_has_static_shape(memref))
        return NULL;
    const Type *elem = memref->elem;
    uint32_t extra = elem->kind == TYPE_VECTOR ? elem->rank : 0;
    int64_t *dims = ARENA_ARRAY(&ctx->arena, int64_t, memref->rank + extra + 1);
    for (uint32_t i = 0; i < memref->rank; i++)
        dims[i] = memref->dims[i];
    for (uint32_t i = 0; i < extra; i++)
        dims[memref->rank + i] = elem->dims[i];
    return vmc_type_tensor(ctx, memref->rank + extra, dims, extra ? elem->elem : elem, NULL);
}

bool vmc_vector_type_cast_verify(Context *ctx, Op *op)
{
    const Type *from = all_dims(ctx, op->operands[0].value->type, true), *to = all_dims(ctx, op->results[0].type, true);
    if (!from || from != to)
        return vmc_op_error(ctx, op, "joins dimensions of a memref of static shape into vectors, the shape as a whole stays");
    int64_t offset, *strides = ARENA_ARRAY(&ctx->arena, int64_t, from->rank + 1);
    return op->operands[0].value->type->elem->kind == TYPE_VECTOR ||
           (vmc_memref_strides(ctx, op->operands[0].value->type, &offset, strides) && !op->operands[0].value->type->layout) ||
           vmc_op_error(ctx, op, "has a source that does not lie in row-major order");
}

static bool is_mask(const Type *type)
{
    return type->kind == TYPE_VECTOR && type->elem->kind == TYPE_INT && type->elem->width == 1;
}

bool vmc_vector_constant_mask_verify(Context *ctx, Op *op)
{
    const Type *type = op->results[0].type;
    const int64_t *sizes;
    uint32_t n;
    if (!is_mask(type))
        return vmc_op_error(ctx, op, "gives a vector of i1");
    if (!int_list(ctx, op, "mask_dim_sizes", type->rank ? type->rank : 1, &sizes, &n))
        return false;
    bool ok = n == (type->rank ? type->rank : 1);
    for (uint32_t i = 0; ok && i < n; i++)
        ok = in_range(sizes[i], 0, (type->rank ? type->dims[i] : 1) + 1);
    return ok || vmc_op_error(ctx, op, "needs one size within the vector for each dimension");
}

bool vmc_vector_create_mask_verify(Context *ctx, Op *op)
{
    const Type *type = op->results[0].type;
    return (is_mask(type) && op->noperands == (type->rank ? type->rank : 1)) ||
           vmc_op_error(ctx, op, "gives a vector of i1 and takes one size for each dimension");
}

/* ---- memory ------------------------------------------------------------------------------------ */

static bool map_of_transfer(Context *ctx, const Op *op, uint32_t vector_rank, uint32_t elem_rank, const AffineMap **out)
{
    const Attr *attr = vmc_get_attr(op, "permutation_map");
    uint32_t nindices = vmc_operand_group(op, "indices").count;
    if (attr) {
        *out = attr->map;
        return attr->kind == ATTR_MAP && attr->map->ndims == nindices && !attr->map->nsyms &&
               attr->map->nresults + elem_rank == vector_rank;
    }
    if (elem_rank > vector_rank)
        return false;
    uint32_t mapped = vector_rank - elem_rank;
    const AffineExpr **results = ARENA_ARRAY(&ctx->arena, const AffineExpr *, mapped + 1);
    if (mapped > nindices && !(nindices == 0 && mapped == 1))
        return false;
    for (uint32_t i = 0; i < mapped; i++)
        results[i] = nindices ? vmc_affine_dim(ctx, nindices - mapped + i) : vmc_affine_const(ctx, 0);
    *out = vmc_affine_map(ctx, nindices, 0, mapped, results, NULL);
    return true;
}

/* in_bounds: absent, or one boolean for each mapped dim. */
static bool read_in_bounds(const Op *op, uint32_t n, bool *out)
{
    const Attr *attr = vmc_get_attr(op, "in_bounds");
    if (!attr)
        return true;
    if (attr->kind != ATTR_ARRAY || attr->n != n)
        return false;
    for (uint32_t i = 0; i < n; i++) {
        if (attr->elems[i]->kind != ATTR_INT)
            return false;
        out[i] = attr->elems[i]->i != 0;
    }
    return true;
}

bool vmc_transfer(Context *ctx, const Op *op, Transfer *out)
{
    bool reads = vmc_is(op, "vector.transfer_read");
    OperandRange indices = vmc_operand_group(op, "indices");
    *out = (Transfer){.nindices = indices.count, .first_index = indices.first};
    out->source = vmc_operand_named(op, "source");
    out->mask = vmc_operand_named(op, "mask");
    out->vector = reads ? NULL : vmc_operand_named(op, "vector");
    if (!out->source || (!reads && !out->vector) || !vmc_is_ranked(out->source->type))
        return false;
    const Type *source = out->source->type, *type = reads ? op->results[0].type : out->vector->type;
    uint32_t elem_rank = source->elem->kind == TYPE_VECTOR ? source->elem->rank : 0;
    const AffineMap *map;
    if (source->rank < out->nindices || !vmc_is_ranked(type) ||
        !map_of_transfer(ctx, op, type->rank, elem_rank + source->rank - out->nindices, &map))
        return false;
    out->nmapped = map->nresults;
    out->source_dim = ARENA_ARRAY(&ctx->arena, int64_t, type->rank + 1);
    out->in_bounds = ARENA_ARRAY(&ctx->arena, bool, type->rank + 1);
    bool *used = ARENA_ARRAY(&ctx->arena, bool, out->nindices + 1);
    if (!read_in_bounds(op, out->nmapped, out->in_bounds))
        return false;
    for (uint32_t v = 0; v < type->rank; v++) {
        const AffineExpr *e = v < map->nresults ? map->results[v] : NULL;
        if (!e) {
            out->source_dim[v] = out->nindices + (v - out->nmapped);
        } else if (e->kind == AFFINE_DIM && !used[e->value]) {
            out->source_dim[v] = e->value;
            used[e->value] = true;
        } else if (e->kind == AFFINE_CONST && e->value == 0) {
            out->source_dim[v] = -1;
            out->in_bounds[v] = true;
        } else {
            return false;
        }
    }
    return true;
}

uint32_t vmc_transfer_mask_dim(const Transfer *t, uint32_t v)
{
    uint32_t place = 0;
    for (uint32_t w = 0; w < t->nmapped; w++)
        place += t->source_dim[w] >= 0 && t->source_dim[w] < t->source_dim[v];
    return place;
}

static bool transfer_mask_ok(const Transfer *t, const Type *type, const Type *mask)
{
    uint32_t n = 0;
    if (!is_mask(mask))
        return false;
    for (uint32_t v = 0; v < t->nmapped; v++) {
        if (t->source_dim[v] < 0)
            continue;
        uint32_t d = vmc_transfer_mask_dim(t, v);
        n++;
        if (d >= mask->rank || mask->dims[d] != type->dims[v])
            return false;
    }
    /* where nothing but repetition is left, MLIR makes the mask a vector of one element */
    return n == mask->rank || (n == 0 && mask->rank == 1 && mask->dims[0] == 1);
}

bool vmc_vector_transfer_verify(Context *ctx, Op *op)
{
    Transfer t;
    bool reads = vmc_is(op, "vector.transfer_read");
    const Type *source = vmc_operand_named(op, "source")->type;
    if (source->kind != TYPE_MEMREF && source->kind != TYPE_TENSOR)
        return vmc_op_error(ctx, op, "transfers to or from a ranked memref or tensor");
    if (!vmc_transfer(ctx, op, &t) || t.nindices != source->rank)
        return vmc_op_error(ctx, op, "has indices, a permutation_map or in_bounds that do not fit its types");
    const Type *type = reads ? op->results[0].type : t.vector->type, *elem = source->elem;
    if (reads && vmc_operand_named(op, "padding")->type != elem)
        return vmc_op_error(ctx, op, "has a padding that is no element of its source");
    for (uint32_t v = 0; !reads && v < t.nmapped; v++)
        if (t.source_dim[v] < 0 && t.nindices)
            return vmc_op_error(ctx, op, "has a permutation_map that writes several elements to one place");
    if (!reads && op->nresults != (source->kind == TYPE_TENSOR))
        return vmc_op_error(ctx, op, "has a result when it writes to a tensor, and only then");
    if (!reads && op->nresults && op->results[0].type != source)
        return vmc_op_error(ctx, op, "has a result of another type than the tensor that it writes to");
    return !t.mask || transfer_mask_ok(&t, type, t.mask->type) ||
           vmc_op_error(ctx, op, "has a mask of another shape than what it transfers");
}

static bool verify_indices(Context *ctx, const Op *op, const Type *base)
{
    uint32_t n = vmc_operand_group(op, "indices").count;
    return n == base->rank || vmc_op_error(ctx, op, "has %u indices for a base of rank %u", n, base->rank);
}

bool vmc_vector_memory_verify(Context *ctx, Op *op)
{
    const Type *base = vmc_operand_named(op, "base")->type;
    Value *stored = vmc_is(op, "vector.maskedload") || vmc_is(op, "vector.expandload") || op->nresults
                        ? NULL
                        : vmc_operand_named(op, "valueToStore");
    const Type *type = stored ? stored->type : op->results[0].type;
    Value *mask = vmc_operand_named(op, "mask"), *pass = vmc_operand_named(op, "pass_thru");
    if (!verify_indices(ctx, op, base))
        return false;
    const Type *box = all_dims(ctx, base, false);
    if (box->elem != type->elem)
        return vmc_op_error(ctx, op, "moves elements of another type than those of its memref");
    if (type->rank > box->rank && mask)
        return vmc_op_error(ctx, op, "moves a vector of higher rank than its memref");
    if (base->elem->kind == TYPE_VECTOR && (mask || base->elem->rank > type->rank))
        return vmc_op_error(ctx, op, "does not move whole vector elements");
    if (mask && (!is_mask(mask->type) || !same_dims(mask->type, type)))
        return vmc_op_error(ctx, op, "has a mask of another shape than its vector");
    if (mask && type->rank != 1 && (vmc_is(op, "vector.expandload") || vmc_is(op, "vector.compressstore")))
        return vmc_op_error(ctx, op, "takes a one-dimensional vector");
    return !pass || pass->type == type || vmc_op_error(ctx, op, "has a pass_thru of another type than its result");
}

bool vmc_vector_gather_verify(Context *ctx, Op *op)
{
    const Type *base = vmc_operand_named(op, "base")->type;
    Value *index = vmc_operand_named(op, "index_vec"), *mask = vmc_operand_named(op, "mask");
    Value *value = vmc_operand_named(op, op->nresults ? "pass_thru" : "valueToStore");
    if (base->kind != TYPE_MEMREF && base->kind != TYPE_TENSOR)
        return vmc_op_error(ctx, op, "has a base that is no ranked memref or tensor");
    if (!verify_indices(ctx, op, base))
        return false;
    if (!base->rank || base->elem != value->type->elem)
        return vmc_op_error(ctx, op, "moves elements of another type than those of its base");
    const Type *distance = index->type->elem;
    if (!same_dims(index->type, value->type) ||
        (distance->kind != TYPE_INDEX && (distance->kind != TYPE_INT || distance->sign != SIGNLESS)))
        return vmc_op_error(ctx, op, "needs an integer distance for each element");
    if (!is_mask(mask->type) || !same_dims(mask->type, value->type))
        return vmc_op_error(ctx, op, "has a mask of another shape than its vector");
    return !op->nresults || op->results[0].type == value->type ||
           vmc_op_error(ctx, op, "has a pass_thru of another type than its result");
}

/* ---- mask, print ------------------------------------------------------------------------------------ */

/* Whether the mask has one lane for each turn of the op's loops; transfers have rules of their own, and what can not be masked is
   refused at lowering. */
static bool masks_op(Context *ctx, const Op *inner, const Type *mask)
{
    const Type *type = NULL;
    if (vmc_is(inner, "vector.reduction") || vmc_is(inner, "vector.multi_reduction"))
        type = inner->operands[0].value->type;
    else if (vmc_is(inner, "vector.outerproduct"))
        type = inner->results[0].type;
    else if (!vmc_is(inner, "vector.contract"))
        return true;
    if (type)
        return type->kind == TYPE_VECTOR && same_dims(type, mask);
    const Attr *maps = vmc_get_attr(inner, "indexing_maps"), *iterators = vmc_get_attr(inner, "iterator_types");
    bool arrays = maps && iterators && maps->kind == ATTR_ARRAY && iterators->kind == ATTR_ARRAY && maps->n == 3;
    if (!arrays || inner->noperands != 3 || iterators->n != mask->rank)
        return false;
    int64_t *sizes = ARENA_ARRAY(&ctx->arena, int64_t, mask->rank + 1);
    return contract_sizes(inner, maps, mask->rank, sizes) && memcmp(sizes, mask->dims, mask->rank * sizeof *sizes) == 0;
}

bool vmc_vector_mask_verify(Context *ctx, Op *op)
{
    const Block *body = vmc_entry(op, 0);
    Value *passthru = vmc_operand_named(op, "passthru");
    if (!is_mask(op->operands[0].value->type))
        return vmc_op_error(ctx, op, "has a mask that is no vector of i1");
    if (!body || !body->last || !vmc_is(body->last, "vector.yield") || body->nargs)
        return vmc_op_error(ctx, op, "needs a body without arguments that ends in vector.yield");
    if (body->first != body->last && body->first->next != body->last)
        return vmc_op_error(ctx, op, "masks one op at a time");
    if (body->first != body->last && !masks_op(ctx, body->first, op->operands[0].value->type))
        return vmc_op_error(ctx, op, "has a mask of another shape than what its op goes over");
    bool ok = body->last->noperands == op->nresults;
    for (uint32_t i = 0; ok && i < op->nresults; i++)
        ok = body->last->operands[i].value->type == op->results[i].type;
    if (!ok)
        return vmc_op_error(ctx, op, "has results of other types than what its body yields");
    return !passthru || (op->nresults == 1 && passthru->type == op->results[0].type) ||
           vmc_op_error(ctx, op, "has a passthru of another type than its result");
}

bool vmc_vector_print_verify(Context *ctx, Op *op)
{
    const Attr *text = vmc_get_attr(op, "stringLiteral"), *mark = vmc_get_attr(op, "punctuation");
    static const char *const marks[] = {"no_punctuation", "newline", "comma", "open", "close"};
    if (text && op->noperands)
        return vmc_op_error(ctx, op, "prints a value or a text, not both");
    if (op->noperands) {
        const Type *type = vmc_elem_or_self(op->operands[0].value->type);
        if ((vmc_is_shaped(op->operands[0].value->type) && op->operands[0].value->type->kind != TYPE_VECTOR) ||
            (type->kind != TYPE_INT && type->kind != TYPE_INDEX && type->kind != TYPE_FLOAT))
            return vmc_op_error(ctx, op, "prints vectors and numbers");
    }
    if (!mark)
        return true;
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        size_t n = strlen(marks[i]);
        if (strncmp(mark->s, "vector.punctuation<", 19) == 0 && strncmp(mark->s + 19, marks[i], n) == 0 && mark->s[19 + n] == '>')
            return true;
    }
    return vmc_op_error(ctx, op, "has a punctuation other than no_punctuation, newline, comma, open, close");
}
