/* Structured ops: their loops and maps, what must hold of shapes, and verification. */
#include "linalg.h"

#include "hooks_buffer.h"
#include "linalg_internal.h"

#include <stdio.h>

enum { PREDICATE_EQ = 0, PREDICATE_SLT = 2, PREDICATE_SGE = 5 }; /* of arith.cmpi */

/* ---- structure ----------------------------------------------------------------- */

static bool loop_kind(const Attr *attr, LoopKind *kind)
{
    static const char *const names[] = {"parallel", "reduction", "window"};
    const char *text = attr->s;
    size_t n = attr->n;
    if (attr->kind == ATTR_OPAQUE && strncmp(text, "linalg.iterator_type<", 21) == 0 && n > 22) {
        text += 21;
        n -= 22;
    } else if (attr->kind != ATTR_STRING) {
        return false;
    }
    for (int i = 0; i < 3; i++)
        if (n == strlen(names[i]) && memcmp(text, names[i], n) == 0) {
            *kind = (LoopKind)i;
            return true;
        }
    return false;
}

static bool generic_structure(Context *ctx, Structured *s)
{
    const Attr *maps = vmc_get_attr(s->op, "indexing_maps"), *kinds = vmc_get_attr(s->op, "iterator_types");
    if (!maps || maps->kind != ATTR_ARRAY || !kinds || kinds->kind != ATTR_ARRAY || maps->n != s->nins + s->nouts)
        return false;
    const AffineMap **list = ARENA_ARRAY(&ctx->arena, const AffineMap *, maps->n + 1);
    LoopKind *loops = ARENA_ARRAY(&ctx->arena, LoopKind, kinds->n + 1);
    s->nloops = (uint32_t)kinds->n;
    for (uint32_t i = 0; i < s->nloops; i++)
        if (!loop_kind(kinds->elems[i], &loops[i]))
            return false;
    for (size_t i = 0; i < maps->n; i++) {
        if (maps->elems[i]->kind != ATTR_MAP)
            return false;
        list[i] = maps->elems[i]->map;
    }
    s->maps = list;
    s->loops = loops;
    return true;
}

/* Marks of the dims listed by attribute `name`; false unless they are distinct and below `rank`. */
static bool listed_dims(Context *ctx, const Op *op, const char *name, uint32_t rank, bool *listed, const int64_t **dims,
                        uint32_t *n)
{
    const Attr *attr = vmc_get_attr(op, name);
    ptrdiff_t count = attr ? vmc_attr_ints(ctx, attr, dims) : -1;
    if (count < 0 || count > (ptrdiff_t)rank)
        return false;
    for (ptrdiff_t i = 0; i < count; i++) {
        int64_t d = (*dims)[i];
        if (d < 0 || d >= (int64_t)rank || listed[d])
            return false;
        listed[d] = true;
    }
    *n = (uint32_t)count;
    return true;
}

/* map, reduce, transpose, broadcast: the identity on one side, some dims on the other. */
static bool shaped_structure(Context *ctx, Structured *s)
{
    const char *name = s->op->name + 7;
    uint32_t n = s->nins + s->nouts, count = 0;
    bool reduce = strcmp(name, "reduce") == 0, transpose = strcmp(name, "transpose") == 0, map = strcmp(name, "map") == 0;
    if (s->nins == 0 && reduce)
        return false;
    const Type *space = vmc_structured_operand(s, reduce ? 0 : s->nins)->type;
    if (!vmc_is_ranked(space))
        return false;
    uint32_t rank = space->rank;
    bool *listed = ARENA_ARRAY(&ctx->arena, bool, rank + 1);
    const int64_t *dims = NULL;
    if (!map && !listed_dims(ctx, s->op, transpose ? "permutation" : "dimensions", rank, listed, &dims, &count))
        return false;
    if (transpose && count != rank)
        return false;
    const AffineMap **maps = ARENA_ARRAY(&ctx->arena, const AffineMap *, n + 1);
    LoopKind *loops = ARENA_ARRAY(&ctx->arena, LoopKind, rank + 1);
    const AffineExpr **exprs = ARENA_ARRAY(&ctx->arena, const AffineExpr *, rank + 1);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < rank; i++) {
        loops[i] = reduce && listed[i] ? LOOP_REDUCTION : LOOP_PARALLEL;
        if (transpose)
            exprs[dims[i]] = vmc_affine_dim(ctx, i);
        else if (!listed[i])
            exprs[kept++] = vmc_affine_dim(ctx, i);
    }
    const AffineMap *identity = vmc_affine_identity(ctx, rank);
    const AffineMap *other = vmc_affine_map(ctx, rank, 0, transpose ? rank : kept, exprs, NULL);
    for (uint32_t k = 0; k < n; k++)
        maps[k] = map || (reduce == (k < s->nins)) ? identity : other;
    s->nloops = rank;
    s->loops = loops;
    s->maps = maps;
    return true;
}

bool vmc_structured(Context *ctx, Op *op, Structured *s)
{
    if (!vmc_has_trait(op, TRAIT_STRUCTURED) || op->nregions != 1)
        return false;
    OperandRange ins = vmc_operand_group(op, "ins"), outs = vmc_operand_group(op, "outs");
    *s = (Structured){.op = op, .nins = ins.count, .nouts = outs.count, .body = vmc_entry(op, 0)};
    if (s->nins + s->nouts != op->noperands || s->nouts == 0)
        return false;
    bool ok = vmc_is(op, "linalg.generic") ? generic_structure(ctx, s)
              : vmc_is_named(op)           ? vmc_named_structure(ctx, s)
                                           : shaped_structure(ctx, s);
    if (!ok)
        return false;
    for (uint32_t k = 0; k < op->noperands; k++) {
        const Type *type = vmc_structured_operand(s, k)->type;
        uint32_t rank = vmc_structured_is_scalar(s, k) ? 0 : type->rank;
        if (s->maps[k]->ndims != s->nloops || s->maps[k]->nsyms || s->maps[k]->nresults != rank)
            return false;
    }
    return true;
}

/* ---- sizes --------------------------------------------------------------------------- */

bool vmc_structured_size_source(const Structured *s, uint32_t loop, uint32_t *operand, uint32_t *dim)
{
    bool found = false;
    for (uint32_t k = 0; k < s->nins + s->nouts; k++) {
        const Type *type = vmc_structured_operand(s, k)->type;
        for (uint32_t r = 0; r < s->maps[k]->nresults; r++) {
            const AffineExpr *e = s->maps[k]->results[r];
            if (e->kind != AFFINE_DIM || e->value != (int64_t)loop || (found && type->dims[r] == VMC_DYNAMIC))
                continue;
            *operand = k;
            *dim = r;
            found = true;
            if (type->dims[r] != VMC_DYNAMIC)
                return true;
        }
    }
    return found;
}

int64_t vmc_structured_static_size(const Structured *s, uint32_t loop)
{
    uint32_t operand, dim;
    if (!vmc_structured_size_source(s, loop, &operand, &dim))
        return VMC_DYNAMIC;
    return vmc_structured_operand(s, operand)->type->dims[dim];
}

static Value *operand_size(Builder *b, const Structured *s, uint32_t operand, uint32_t dim)
{
    Value *value = vmc_structured_operand(s, operand);
    if (value->type->dims[dim] != VMC_DYNAMIC)
        return vmc_build_index(b, value->type->dims[dim]);
    Value *operands[2] = {value, vmc_build_index(b, dim)};
    return vmc_build1(b, value->type->kind == TYPE_TENSOR ? "tensor.dim" : "memref.dim", vmc_type_index(b->ctx), 2, operands);
}

Value *vmc_structured_size(Builder *b, const Structured *s, uint32_t loop)
{
    uint32_t operand, dim;
    if (!vmc_structured_size_source(s, loop, &operand, &dim))
        return vmc_build_index(b, 0);
    return operand_size(b, s, operand, dim);
}

/* ---- subscripts ------------------------------------------------------------------------ */

static bool add_linear(const AffineExpr *e, int64_t factor, uint32_t ndims, int64_t *coefficients, int64_t *constant)
{
    int64_t value;
    switch (e->kind) {
    case AFFINE_CONST:
        return !__builtin_mul_overflow(e->value, factor, &value) && !__builtin_add_overflow(*constant, value, constant);
    case AFFINE_DIM:
        return e->value < (int64_t)ndims && !__builtin_add_overflow(coefficients[e->value], factor, &coefficients[e->value]);
    case AFFINE_ADD:
        return add_linear(e->lhs, factor, ndims, coefficients, constant) &&
               add_linear(e->rhs, factor, ndims, coefficients, constant);
    case AFFINE_MUL: {
        const AffineExpr *scale = e->rhs->kind == AFFINE_CONST ? e->rhs : e->lhs, *rest = scale == e->rhs ? e->lhs : e->rhs;
        return scale->kind == AFFINE_CONST && !__builtin_mul_overflow(factor, scale->value, &value) &&
               add_linear(rest, value, ndims, coefficients, constant);
    }
    default:
        return false;
    }
}

bool vmc_linear_subscript(const AffineExpr *expr, uint32_t ndims, int64_t *coefficients, int64_t *constant)
{
    memset(coefficients, 0, ndims * sizeof *coefficients);
    *constant = 0;
    return add_linear(expr, 1, ndims, coefficients, constant);
}

static bool is_linear(const AffineExpr *e)
{
    switch (e->kind) {
    case AFFINE_CONST:
    case AFFINE_DIM:
        return true;
    case AFFINE_ADD:
        return is_linear(e->lhs) && is_linear(e->rhs);
    case AFFINE_MUL:
        return (e->rhs->kind == AFFINE_CONST && is_linear(e->lhs)) || (e->lhs->kind == AFFINE_CONST && is_linear(e->rhs));
    default:
        return false;
    }
}

bool vmc_linear_map(const AffineMap *map)
{
    for (uint32_t r = 0; r < map->nresults; r++)
        if (!is_linear(map->results[r]))
            return false;
    return true;
}

/* ---- run-time checks ---------------------------------------------------------------------- */

typedef struct Checker {
    Builder b;
    const Structured *s;
    Value **sizes;    /* of the loops, made on first use */
    int64_t *statics; /* static sizes */
    int64_t *coefficients;
    Value *some_empty; /* i1: a loop has no turns; made on first use */
} Checker;

static Value *loop_size(Checker *c, uint32_t loop)
{
    if (!c->sizes[loop])
        c->sizes[loop] = vmc_structured_size(&c->b, c->s, loop);
    return c->sizes[loop];
}

static Value *compare(Builder *b, int64_t predicate, Value *lhs, Value *rhs)
{
    Value *operands[2] = {lhs, rhs};
    const Type *i1 = vmc_type_int(b->ctx, 1, SIGNLESS);
    NamedAttr attr = {vmc_name(b->ctx, "predicate"), vmc_attr_i64(b->ctx, predicate)};
    return &vmc_build(b, "arith.cmpi", 2, operands, 1, &i1, 1, &attr, 0)->results[0];
}

static Value *binary(Builder *b, const char *op, Value *lhs, Value *rhs)
{
    Value *operands[2] = {lhs, rhs};
    return vmc_build1(b, op, lhs->type, 2, operands);
}

static void emit_assert(Builder *b, Value *condition, const char *text)
{
    NamedAttr attr = {vmc_name(b->ctx, "msg"), vmc_attr_string(b->ctx, text, strlen(text))};
    vmc_build(b, "cf.assert", 1, &condition, 0, NULL, 1, &attr, 0);
}

static Value *no_turns(Checker *c)
{
    for (uint32_t i = 0; i < c->s->nloops; i++) {
        Value *empty = NULL;
        if (c->statics[i] == VMC_DYNAMIC)
            empty = compare(&c->b, PREDICATE_EQ, loop_size(c, i), vmc_build_index(&c->b, 0));
        if (empty)
            c->some_empty = c->some_empty ? binary(&c->b, "arith.ori", c->some_empty, empty) : empty;
    }
    return c->some_empty;
}

static bool static_violation(Checker *c, uint32_t k, uint32_t r, long long size, long long needed)
{
    vmc_error(&c->b.ctx->diag, c->s->op->pos, "'%s' op operand %u has size %lld in dimension %u, but its loops need %lld",
              c->s->op->name, k, size, r, needed);
    return false;
}

/* Least and greatest value over the loops, where all sizes are static; *empty when some loop has no turns. */
static bool static_range(Checker *c, int64_t constant, int64_t *least, int64_t *greatest, bool *empty)
{
    *least = *greatest = constant;
    *empty = false;
    for (uint32_t i = 0; i < c->s->nloops; i++)
        *empty |= c->statics[i] == 0;
    for (uint32_t i = 0; i < c->s->nloops; i++) {
        int64_t reach;
        if (c->coefficients[i] == 0)
            continue;
        int64_t *end = c->coefficients[i] < 0 ? least : greatest;
        if (c->statics[i] == VMC_DYNAMIC || __builtin_mul_overflow(c->statics[i] - 1, c->coefficients[i], &reach) ||
            __builtin_add_overflow(*end, reach, end))
            return false;
    }
    return true;
}

/* greatest (upper) or least value as an index value */
static Value *dynamic_end(Checker *c, int64_t constant, bool upper)
{
    Builder *b = &c->b;
    Value *sum = vmc_build_index(b, constant), *one = vmc_build_index(b, 1);
    for (uint32_t i = 0; i < c->s->nloops; i++)
        if (c->coefficients[i] && (c->coefficients[i] > 0) == upper) {
            Value *last = binary(b, "arith.subi", loop_size(c, i), one);
            sum = binary(b, "arith.addi", sum, binary(b, "arith.muli", last, vmc_build_index(b, c->coefficients[i])));
        }
    return sum;
}

static bool any_dynamic(const Structured *s)
{
    for (uint32_t k = 0; k < s->nins + s->nouts; k++)
        if (!vmc_structured_is_scalar(s, k) && !vmc_has_static_shape(vmc_structured_operand(s, k)->type))
            return true;
    return false;
}

static bool check_subscript(Checker *c, uint32_t k, uint32_t r)
{
    const AffineExpr *e = c->s->maps[k]->results[r];
    int64_t size = vmc_structured_operand(c->s, k)->type->dims[r], constant, least, greatest;
    char text[128];
    bool empty;
    if (e->kind == AFFINE_DIM) {
        uint32_t source_operand = 0, source_dim = 0;
        vmc_structured_size_source(c->s, (uint32_t)e->value, &source_operand, &source_dim);
        if ((source_operand == k && source_dim == r))
            return true;
        if (size != VMC_DYNAMIC && c->statics[e->value] != VMC_DYNAMIC)
            return size == c->statics[e->value] || static_violation(c, k, r, size, c->statics[e->value]);
        snprintf(text, sizeof text, "%s: size of operand %u, dimension %u, differs from that of its loop", c->s->op->name, k, r);
        emit_assert(&c->b, compare(&c->b, PREDICATE_EQ, operand_size(&c->b, c->s, k, r), loop_size(c, (uint32_t)e->value)), text);
        return true;
    }
    if (!vmc_linear_subscript(e, c->s->nloops, c->coefficients, &constant))
        return true; /* loops over it check each access */
    if (static_range(c, constant, &least, &greatest, &empty)) {
        if (empty)
            return true;
        if (least < 0 || (size != VMC_DYNAMIC && greatest >= size))
            return static_violation(c, k, r, size == VMC_DYNAMIC ? 0 : size,
                                    least < 0 || greatest == INT64_MAX ? least : greatest + 1);
        if (size != VMC_DYNAMIC)
            return true;
    } else if (size != VMC_DYNAMIC && !any_dynamic(c->s)) {
        vmc_error(&c->b.ctx->diag, c->s->op->pos, "'%s' op subscripts of operand %u overflow", c->s->op->name, k);
        return false;
    }
    Builder *b = &c->b;
    Value *inside = compare(b, PREDICATE_SLT, dynamic_end(c, constant, true), operand_size(b, c->s, k, r));
    inside = binary(b, "arith.andi", inside, compare(b, PREDICATE_SGE, dynamic_end(c, constant, false), vmc_build_index(b, 0)));
    Value *none = c->some_empty ? c->some_empty : no_turns(c);
    snprintf(text, sizeof text, "%s: the loops run outside operand %u, dimension %u", c->s->op->name, k, r);
    emit_assert(b, none ? binary(b, "arith.ori", inside, none) : inside, text);
    return true;
}

static bool run_checks(Context *ctx, const Structured *s)
{
    Checker c = {.b = vmc_before(ctx, s->op), .s = s};
    c.sizes = ARENA_ARRAY(&ctx->arena, Value *, s->nloops + 1);
    c.statics = ARENA_ARRAY(&ctx->arena, int64_t, s->nloops + 1);
    c.coefficients = ARENA_ARRAY(&ctx->arena, int64_t, s->nloops + 1);
    for (uint32_t i = 0; i < s->nloops; i++)
        c.statics[i] = vmc_structured_static_size(s, i);
    for (uint32_t k = 0; k < s->nins + s->nouts; k++)
        for (uint32_t r = 0; r < s->maps[k]->nresults; r++)
            if (!check_subscript(&c, k, r))
                return false;
    return true;
}

bool vmc_structured_checks(Context *ctx, const Structured *s)
{
    return run_checks(ctx, s);
}

/* ---- building -------------------------------------------------------------------------------- */

Op *vmc_build_generic(Builder *b, uint32_t nins, Value *const *ins, uint32_t nouts, Value *const *outs,
                      const AffineMap *const *maps, uint32_t nloops, const LoopKind *loops)
{
    static const char *const kinds[] = {"linalg.iterator_type<parallel>", "linalg.iterator_type<reduction>",
                                        "linalg.iterator_type<window>"};
    Context *ctx = b->ctx;
    uint32_t n = nins + nouts, nresults = 0;
    Value **operands = ARENA_ARRAY(&ctx->arena, Value *, n + 1);
    const Type **types = ARENA_ARRAY(&ctx->arena, const Type *, nouts + 1);
    const Attr **map_attrs = ARENA_ARRAY(&ctx->arena, const Attr *, n + 1),
               **kind_attrs = ARENA_ARRAY(&ctx->arena, const Attr *, nloops + 1);
    for (uint32_t k = 0; k < n; k++) {
        operands[k] = k < nins ? ins[k] : outs[k - nins];
        map_attrs[k] = vmc_attr_map(ctx, maps[k]);
        if (k >= nins && operands[k]->type->kind == TYPE_TENSOR)
            types[nresults++] = operands[k]->type;
    }
    for (uint32_t i = 0; i < nloops; i++)
        kind_attrs[i] = vmc_attr_opaque(ctx, kinds[loops[i]], strlen(kinds[loops[i]]));
    const int32_t sizes[2] = {(int32_t)nins, (int32_t)nouts};
    uint8_t bytes[8];
    for (int i = 0; i < 8; i++)
        bytes[i] = (uint8_t)((uint32_t)sizes[i / 4] >> (8 * (i % 4)));
    NamedAttr attrs[3] = {
        {vmc_name(ctx, "indexing_maps"), vmc_attr_array(ctx, n, map_attrs)},
        {vmc_name(ctx, "iterator_types"), vmc_attr_array(ctx, nloops, kind_attrs)},
        {vmc_name(ctx, "operandSegmentSizes"), vmc_attr_dense_array(ctx, vmc_type_int(ctx, 32, SIGNLESS), bytes, sizeof bytes)}};
    Op *op = vmc_build(b, "linalg.generic", n, operands, nresults, types, 3, attrs, 1);
    Block *body = vmc_block_create(ctx);
    vmc_block_append(&op->regions[0], body);
    for (uint32_t k = 0; k < n; k++)
        vmc_block_add_arg(ctx, body, vmc_elem_or_self(operands[k]->type), b->pos);
    return op;
}

/* ---- verification ------------------------------------------------------------------------------ */

static bool body_ok(Context *ctx, const Structured *s)
{
    Op *op = s->op;
    Block *body = s->body;
    bool map = vmc_is(op, "linalg.map");
    if (!body || (body->nargs != op->noperands && !(map && body->nargs == s->nins)))
        return vmc_op_error(ctx, op, "expected a body with one argument for each operand");
    for (uint32_t k = 0; k < body->nargs; k++)
        if (body->args[k]->type != vmc_elem_or_self(vmc_structured_operand(s, k)->type)) {
            vmc_error(&ctx->diag, op->pos, "'%s' op type of body argument %u is not the element type of the operand", op->name, k);
            return false;
        }
    Op *yield = vmc_terminator(body);
    if (!yield || !vmc_is(yield, "linalg.yield") || yield->noperands != s->nouts)
        return vmc_op_error(ctx, op, "expected a body that ends in linalg.yield of one value for each out");
    for (uint32_t k = 0; k < s->nouts; k++)
        if (yield->operands[k].value->type != vmc_structured_operand(s, s->nins + k)->type->elem) {
            vmc_error(&ctx->diag, yield->pos, "'linalg.yield' op type of operand %u is not the element type of the out", k);
            return false;
        }
    return true;
}

static bool results_ok(Context *ctx, const Structured *s)
{
    uint32_t n = 0;
    for (uint32_t k = 0; k < s->nouts; k++) {
        const Type *type = vmc_structured_operand(s, s->nins + k)->type;
        if (type->kind != TYPE_TENSOR)
            continue;
        if (n >= s->op->nresults || s->op->results[n++].type != type)
            return vmc_op_error(ctx, s->op, "expected one result of the same type for each tensor among the outs");
    }
    return n == s->op->nresults || vmc_op_error(ctx, s->op, "expected one result of the same type for each tensor among the outs");
}

static bool static_shapes_ok(Context *ctx, const Structured *s)
{
    for (uint32_t i = 0; i < s->nloops; i++) {
        uint32_t operand, dim;
        if (!vmc_structured_size_source(s, i, &operand, &dim)) {
            vmc_error(&ctx->diag, s->op->pos, "'%s' op no operand dimension gives the size of loop %u", s->op->name, i);
            return false;
        }
    }
    if (!any_dynamic(s))
        return run_checks(ctx, s);
    for (uint32_t k = 0; k < s->nins + s->nouts; k++)
        for (uint32_t r = 0; r < s->maps[k]->nresults; r++) {
            const AffineExpr *e = s->maps[k]->results[r];
            int64_t size = vmc_structured_operand(s, k)->type->dims[r];
            int64_t loop = e->kind == AFFINE_DIM ? vmc_structured_static_size(s, (uint32_t)e->value) : VMC_DYNAMIC;
            if (size != VMC_DYNAMIC && loop != VMC_DYNAMIC && size != loop) {
                vmc_error(&ctx->diag, s->op->pos, "'%s' op operand %u has size %lld in dimension %u, but its loops need %lld",
                          s->op->name, k, (long long)size, r, (long long)loop);
                return false;
            }
        }
    return true;
}

bool vmc_linalg_structured_verify(Context *ctx, Op *op)
{
    Structured s;
    if (op->nregions == 1 && !op->regions[0].first && vmc_is_named(op) && !vmc_named_body(ctx, op))
        return false;
    if (!vmc_structured(ctx, op, &s))
        return vmc_op_error(ctx, op, "expected indexing maps, iterator types and operands that fit each other");
    for (uint32_t k = 0; k < s.nins; k++)
        if (vmc_structured_operand(&s, k)->type->kind == TYPE_VECTOR)
            return vmc_op_error(ctx, op, "expected ins of scalar, ranked tensor or memref type");
    for (uint32_t k = 0; k < s.nouts; k++)
        if (vmc_structured_is_scalar(&s, s.nins + k) || vmc_structured_operand(&s, s.nins + k)->type->kind == TYPE_VECTOR)
            return vmc_op_error(ctx, op, "expected outs of ranked tensor or memref type");
    return results_ok(ctx, &s) && static_shapes_ok(ctx, &s) && body_ok(ctx, &s);
}

bool vmc_linalg_index_verify(Context *ctx, Op *op)
{
    int64_t dim = -1;
    Structured s;
    Op *parent = vmc_parent_op(op);
    vmc_get_int(op, "dim", &dim);
    while (parent && !vmc_has_trait(parent, TRAIT_STRUCTURED))
        parent = vmc_parent_op(parent);
    if (!parent)
        return vmc_op_error(ctx, op, "expected a structured op around it");
    if (!vmc_structured(ctx, parent, &s))
        return true; /* reported there */
    if (dim < 0 || dim >= (int64_t)s.nloops) {
        vmc_error(&ctx->diag, op->pos, "'linalg.index' op expected a dimension below the number of loops (%u), saw %lld", s.nloops,
                  (long long)dim);
        return false;
    }
    return true;
}

bool vmc_linalg_init_tensor_verify(Context *ctx, Op *op)
{
    const Type *type = op->results[0].type;
    const int64_t *sizes = NULL;
    ptrdiff_t n = vmc_attr_ints(ctx, vmc_get_attr(op, "static_sizes"), &sizes);
    uint32_t dynamic = 0;
    if (n != (ptrdiff_t)type->rank)
        return vmc_op_error(ctx, op, "expected one size for each dimension");
    for (uint32_t i = 0; i < type->rank; i++) {
        dynamic += type->dims[i] == VMC_DYNAMIC;
        if (type->dims[i] != VMC_DYNAMIC && sizes[i] != type->dims[i])
            return vmc_op_error(ctx, op, "sizes differ from those of the result type");
        if (type->dims[i] == VMC_DYNAMIC && sizes[i] != VMC_DYNAMIC && sizes[i] != -1)
            return vmc_op_error(ctx, op, "sizes differ from those of the result type");
    }
    return dynamic == op->noperands || vmc_op_error(ctx, op, "expected one operand for each dynamic size");
}

bool vmc_linalg_softmax_verify(Context *ctx, Op *op)
{
    const Type *in = op->operands[0].value->type, *out = op->operands[1].value->type;
    int64_t dim = -1;
    vmc_get_int(op, "dimension", &dim);
    if (!vmc_is_ranked(in) || in->kind != out->kind || in->rank != out->rank || in->elem != out->elem ||
        in->elem->kind != TYPE_FLOAT)
        return vmc_op_error(ctx, op, "expected operands of equal shape with float elements");
    for (uint32_t i = 0; i < in->rank; i++)
        if (in->dims[i] != out->dims[i] && in->dims[i] != VMC_DYNAMIC && out->dims[i] != VMC_DYNAMIC)
            return vmc_op_error(ctx, op, "expected operands of equal shape with float elements");
    if (dim < 0 || dim >= (int64_t)in->rank)
        return vmc_op_error(ctx, op, "expected a dimension within the rank");
    if (op->nresults != (out->kind == TYPE_TENSOR) || (op->nresults && op->results[0].type != out))
        return vmc_op_error(ctx, op, "expected one result of the out's type for a tensor");
    return true;
}

typedef struct OpenGenerics {
    Arena *arena;
    OpList ops;
} OpenGenerics;

static bool collect_open(Op *op, void *user)
{
    OpenGenerics *open = user;
    if (vmc_is(op, "linalg.generic") && !vmc_get_attr(op, "bufvm.kernel") && !vmc_get_attr(op, "bufvm.strip"))
        VEC_PUSH(open->arena, &open->ops, op);
    return true;
}

OpList vmc_open_generics(Context *ctx)
{
    OpenGenerics open = {.arena = &ctx->arena};
    vmc_walk(ctx->module, collect_open, &open);
    return open.ops;
}
