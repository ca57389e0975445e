/* Affine expressions and maps: interned, simplified on construction by the rules of MLIR. */
#include "tables.h"

/* ---- interning ----------------------------------------------------------- */

static bool expr_equal(const void *candidate, const void *item)
{
    const AffineExpr *a = candidate, *b = item;
    return a->kind == b->kind && a->value == b->value && a->lhs == b->lhs && a->rhs == b->rhs;
}

static uint64_t magnitude(int64_t v)
{
    return v < 0 ? 0 - (uint64_t)v : (uint64_t)v;
}

static uint64_t gcd(uint64_t a, uint64_t b)
{
    while (b) {
        uint64_t r = a % b;
        a = b;
        b = r;
    }
    return a;
}

static uint64_t known_divisor(const AffineExpr *e)
{
    uint64_t product;
    switch (e->kind) {
    case AFFINE_CONST:
        return magnitude(e->value);
    case AFFINE_MUL:
        return __builtin_mul_overflow(e->lhs->divisor, e->rhs->divisor, &product) ? 1 : product;
    case AFFINE_ADD:
    case AFFINE_MOD:
        return gcd(e->lhs->divisor, e->rhs->divisor);
    case AFFINE_FLOORDIV:
    case AFFINE_CEILDIV: {
        uint64_t by = e->rhs->kind == AFFINE_CONST ? magnitude(e->rhs->value) : 0;
        return by && e->lhs->divisor % by == 0 ? e->lhs->divisor / by : 1;
    }
    default:
        return 1;
    }
}

static const AffineExpr *intern_expr(Context *ctx, AffineKind kind, int64_t value, const AffineExpr *lhs, const AffineExpr *rhs)
{
    AffineExpr proto = {.kind = kind, .value = value, .lhs = lhs, .rhs = rhs};
    uint64_t hash = vmc_hash_mix(vmc_hash_mix((uint64_t)kind, (uint64_t)value), MAP_KEY(lhs));
    hash = vmc_hash_mix(hash, MAP_KEY(rhs));
    size_t slot;
    const AffineExpr *found = vmc_intern_find(ctx, &vmc_tables(ctx)->exprs, hash, &proto, expr_equal, &slot);
    if (found)
        return found;
    proto.divisor = known_divisor(&proto);
    proto.symbolic = lhs ? lhs->symbolic && rhs->symbolic : kind != AFFINE_DIM;
    proto.depth = lhs ? 1 + (lhs->depth > rhs->depth ? lhs->depth : rhs->depth) : 1;
    const AffineExpr *e = vmc_arena_dup(&ctx->arena, &proto, sizeof(proto));
    vmc_intern_add(&vmc_tables(ctx)->exprs, slot, hash, e);
    return e;
}

const AffineExpr *vmc_affine_const(Context *ctx, int64_t value)
{
    return intern_expr(ctx, AFFINE_CONST, value, NULL, NULL);
}
const AffineExpr *vmc_affine_dim(Context *ctx, uint32_t position)
{
    return intern_expr(ctx, AFFINE_DIM, position, NULL, NULL);
}
const AffineExpr *vmc_affine_symbol(Context *ctx, uint32_t position)
{
    return intern_expr(ctx, AFFINE_SYMBOL, position, NULL, NULL);
}

/* ---- arithmetic on constants --------------------------------------------- */

static bool is_const(const AffineExpr *e)
{
    return e->kind == AFFINE_CONST;
}
static bool is_const_value(const AffineExpr *e, int64_t v)
{
    return e->kind == AFFINE_CONST && e->value == v;
}

/* false where the operation is undefined or overflows a quotient */
static bool eval_binary(AffineKind kind, int64_t a, int64_t b, int64_t *value)
{
    switch (kind) {
    case AFFINE_ADD:
        *value = (int64_t)((uint64_t)a + (uint64_t)b);
        return true;
    case AFFINE_MUL:
        *value = (int64_t)((uint64_t)a * (uint64_t)b);
        return true;
    case AFFINE_MOD: /* the remainder of floor division; negative moduli are undefined */
        if (b <= 0)
            return false;
        *value = a % b + (a % b < 0 ? b : 0);
        return true;
    case AFFINE_FLOORDIV:
        if (b == 0)
            return false;
        if (b == -1) {
            *value = (int64_t)(0 - (uint64_t)a);
            return true;
        }
        *value = a / b - (a % b != 0 && (a % b < 0) != (b < 0));
        return true;
    case AFFINE_CEILDIV:
        if (b == 0)
            return false;
        if (b == -1) {
            *value = (int64_t)(0 - (uint64_t)a);
            return true;
        }
        *value = a / b + (a % b != 0 && (a % b < 0) == (b < 0));
        return true;
    default:
        return false;
    }
}

/* ---- simplification ------------------------------------------------------ */

static const AffineExpr *binary(Context *ctx, AffineKind kind, const AffineExpr *lhs, const AffineExpr *rhs)
{
    return vmc_affine_binary(ctx, kind, lhs, rhs);
}

static const AffineExpr *times(Context *ctx, const AffineExpr *e, int64_t by)
{
    return binary(ctx, AFFINE_MUL, e, vmc_affine_const(ctx, by));
}

/* e as base * coefficient */
static const AffineExpr *split_coefficient(const AffineExpr *e, int64_t *coefficient)
{
    if (e->kind == AFFINE_MUL && is_const(e->rhs)) {
        *coefficient = e->rhs->value;
        return e->lhs;
    }
    *coefficient = 1;
    return e;
}

static const AffineExpr *simplify_add(Context *ctx, const AffineExpr *lhs, const AffineExpr *rhs)
{
    if (is_const(lhs) || (lhs->symbolic && !rhs->symbolic))
        return binary(ctx, AFFINE_ADD, rhs, lhs);
    if (is_const_value(rhs, 0))
        return lhs;
    if (lhs->kind == AFFINE_ADD && is_const(lhs->rhs) && is_const(rhs))
        return binary(ctx, AFFINE_ADD, lhs->lhs,
                      vmc_affine_const(ctx, (int64_t)((uint64_t)lhs->rhs->value + (uint64_t)rhs->value)));
    int64_t a, b;
    const AffineExpr *left = split_coefficient(lhs, &a), *right = split_coefficient(rhs, &b);
    if (left == right && !is_const(rhs))
        return times(ctx, left, (int64_t)((uint64_t)a + (uint64_t)b));
    if (lhs->kind == AFFINE_ADD && is_const(lhs->rhs))
        return binary(ctx, AFFINE_ADD, binary(ctx, AFFINE_ADD, lhs->lhs, rhs), lhs->rhs);
    /* e + (e floordiv c) * -c is e mod c */
    if (right->kind == AFFINE_FLOORDIV && rhs->kind == AFFINE_MUL && right->lhs == lhs && is_const(right->rhs) && b < 0 &&
        b != INT64_MIN && right->rhs->value == -b)
        return binary(ctx, AFFINE_MOD, lhs, right->rhs);
    return NULL;
}

static const AffineExpr *simplify_mul(Context *ctx, const AffineExpr *lhs, const AffineExpr *rhs)
{
    if (is_const(lhs) || (!rhs->symbolic && lhs->symbolic))
        return binary(ctx, AFFINE_MUL, rhs, lhs);
    if (is_const_value(rhs, 1))
        return lhs;
    if (is_const_value(rhs, 0))
        return rhs;
    if (lhs->kind == AFFINE_MUL && is_const(lhs->rhs)) {
        if (is_const(rhs))
            return times(ctx, lhs->lhs, (int64_t)((uint64_t)lhs->rhs->value * (uint64_t)rhs->value));
        return binary(ctx, AFFINE_MUL, binary(ctx, AFFINE_MUL, lhs->lhs, rhs), lhs->rhs);
    }
    return NULL;
}

static const AffineExpr *simplify_div(Context *ctx, AffineKind kind, const AffineExpr *lhs, const AffineExpr *rhs)
{
    if (!is_const(rhs) || rhs->value == 0)
        return NULL;
    int64_t by = rhs->value;
    if (by == 1)
        return lhs;
    if (lhs->kind == AFFINE_MUL && is_const(lhs->rhs) && by != -1 && lhs->rhs->value % by == 0)
        return times(ctx, lhs->lhs, lhs->rhs->value / by);
    if (kind == AFFINE_FLOORDIV && lhs->kind == AFFINE_ADD) {
        uint64_t m = magnitude(by);
        if (lhs->lhs->divisor % m == 0 || lhs->rhs->divisor % m == 0)
            return binary(ctx, AFFINE_ADD, binary(ctx, kind, lhs->lhs, rhs), binary(ctx, kind, lhs->rhs, rhs));
    }
    return NULL;
}

static const AffineExpr *simplify_mod(Context *ctx, const AffineExpr *lhs, const AffineExpr *rhs)
{
    if (!is_const(rhs) || rhs->value < 1)
        return NULL;
    uint64_t by = (uint64_t)rhs->value;
    if (lhs->divisor % by == 0)
        return vmc_affine_const(ctx, 0);
    if (lhs->kind == AFFINE_ADD) {
        if (lhs->lhs->divisor % by == 0)
            return binary(ctx, AFFINE_MOD, lhs->rhs, rhs);
        if (lhs->rhs->divisor % by == 0)
            return binary(ctx, AFFINE_MOD, lhs->lhs, rhs);
    }
    if (lhs->kind == AFFINE_MOD && is_const(lhs->rhs) && lhs->rhs->value >= 1 && (uint64_t)lhs->rhs->value % by == 0)
        return binary(ctx, AFFINE_MOD, lhs->lhs, rhs);
    return NULL;
}

/* Each rule recurses on smaller expressions only, so the depth of the recursion is that of the operands. */
const AffineExpr *vmc_affine_binary(Context *ctx, AffineKind kind, const AffineExpr *lhs, const AffineExpr *rhs)
{
    int64_t value;
    if (is_const(lhs) && is_const(rhs)) {
        if (eval_binary(kind, lhs->value, rhs->value, &value))
            return vmc_affine_const(ctx, value);
        return intern_expr(ctx, kind, 0, lhs, rhs);
    }
    const AffineExpr *simple = kind == AFFINE_ADD   ? simplify_add(ctx, lhs, rhs)
                               : kind == AFFINE_MUL ? simplify_mul(ctx, lhs, rhs)
                               : kind == AFFINE_MOD ? simplify_mod(ctx, lhs, rhs)
                                                    : simplify_div(ctx, kind, lhs, rhs);
    return simple ? simple : intern_expr(ctx, kind, 0, lhs, rhs);
}

/* ---- maps ---------------------------------------------------------------- */

static bool map_equal(const void *candidate, const void *item)
{
    const AffineMap *a = candidate, *b = item;
    return a->ndims == b->ndims && a->nsyms == b->nsyms && a->nresults == b->nresults && !a->eq == !b->eq &&
           (!a->nresults || memcmp(a->results, b->results, a->nresults * sizeof(*a->results)) == 0) &&
           (!a->eq || !a->nresults || memcmp(a->eq, b->eq, a->nresults) == 0);
}

const AffineMap *vmc_affine_map(Context *ctx, uint32_t ndims, uint32_t nsyms, uint32_t nresults, const AffineExpr *const *results,
                                const bool *eq)
{
    AffineMap proto = {ndims, nsyms, nresults, results, eq};
    uint64_t hash = vmc_hash_mix((uint64_t)ndims << 32 | nsyms, (uint64_t)nresults << 1 | (eq != NULL));
    if (nresults)
        hash = vmc_hash(results, nresults * sizeof(*results), hash);
    if (nresults && eq)
        hash = vmc_hash(eq, nresults, hash);
    size_t slot;
    const AffineMap *found = vmc_intern_find(ctx, &vmc_tables(ctx)->maps, hash, &proto, map_equal, &slot);
    if (found)
        return found;
    proto.results = vmc_arena_dup(&ctx->arena, results, nresults * sizeof(*results));
    if (eq)
        proto.eq = vmc_arena_dup(&ctx->arena, eq, nresults);
    const AffineMap *map = vmc_arena_dup(&ctx->arena, &proto, sizeof(proto));
    vmc_intern_add(&vmc_tables(ctx)->maps, slot, hash, map);
    return map;
}

const AffineMap *vmc_affine_identity(Context *ctx, uint32_t n)
{
    const AffineExpr **results = ARENA_ARRAY(&ctx->arena, const AffineExpr *, n);
    for (uint32_t i = 0; i < n; i++)
        results[i] = vmc_affine_dim(ctx, i);
    return vmc_affine_map(ctx, n, 0, n, results, NULL);
}

bool vmc_map_is_identity(const AffineMap *map)
{
    if (map->ndims != map->nresults)
        return false;
    for (uint32_t i = 0; i < map->nresults; i++)
        if (map->results[i]->kind != AFFINE_DIM || map->results[i]->value != i)
            return false;
    return true;
}

bool vmc_map_is_projected_permutation(const AffineMap *map)
{
    if (map->nsyms)
        return false;
    /* results are few; a long map is compared in blocks of 64 dims */
    for (uint32_t base = 0; base == 0 || base < map->ndims; base += 64) {
        uint64_t seen = 0;
        for (uint32_t i = 0; i < map->nresults; i++) {
            const AffineExpr *e = map->results[i];
            if (is_const_value(e, 0))
                continue;
            if (e->kind != AFFINE_DIM)
                return false;
            if (e->value < base || e->value >= (int64_t)base + 64)
                continue;
            uint64_t bit = UINT64_C(1) << (e->value - base);
            if (seen & bit)
                return false;
            seen |= bit;
        }
    }
    return true;
}

bool vmc_affine_eval(const AffineExpr *e, const int64_t *dims, const int64_t *syms, int64_t *value)
{
    int64_t a, b;
    switch (e->kind) {
    case AFFINE_CONST:
        *value = e->value;
        return true;
    case AFFINE_DIM:
        *value = dims[e->value];
        return true;
    case AFFINE_SYMBOL:
        *value = syms[e->value];
        return true;
    default:
        return vmc_affine_eval(e->lhs, dims, syms, &a) && vmc_affine_eval(e->rhs, dims, syms, &b) &&
               eval_binary(e->kind, a, b, value);
    }
}

const AffineExpr *vmc_affine_replace(Context *ctx, const AffineExpr *e, const AffineExpr *const *dims,
                                     const AffineExpr *const *syms)
{
    switch (e->kind) {
    case AFFINE_CONST:
        return e;
    case AFFINE_DIM:
        return dims ? dims[e->value] : e;
    case AFFINE_SYMBOL:
        return syms ? syms[e->value] : e;
    default: {
        const AffineExpr *lhs = vmc_affine_replace(ctx, e->lhs, dims, syms), *rhs = vmc_affine_replace(ctx, e->rhs, dims, syms);
        return lhs == e->lhs && rhs == e->rhs ? e : vmc_affine_binary(ctx, e->kind, lhs, rhs);
    }
    }
}
