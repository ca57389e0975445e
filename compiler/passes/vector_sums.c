/* Vector ops that combine elements: always one after the other, row-major over what is combined, from the initial value. */
#include "lower_vectors.h"

static Value *combine(Builder *b, const Op *op, Value *sum, Value *element)
{
    return vmc_binary(b, vmc_combining_op(vmc_get_attr(op, "kind"), element->type), sum, element);
}

/* What combines with x to x: the result over no lane at all. */
static Value *neutral(Builder *b, const Op *op, const Type *type)
{
    const char *name = strrchr(vmc_combining_op(vmc_get_attr(op, "kind"), type), '.') + 1;
    bool is_float = type->kind == TYPE_FLOAT;
    if (strncmp(name, "mul", 3) == 0)
        return is_float ? vmc_build_float(b, type, 1) : vmc_build_const(b, vmc_attr_int(b->ctx, type, 1), type);
    if (is_float && strncmp(name, "add", 3) != 0) { /* an infinity: 1 / 0 with the sign wanted, rounded by no one */
        Value *zero = vec_zero(b, type), *one = vmc_build_float(b, type, strncmp(name, "min", 3) == 0 ? 1 : -1);
        return vmc_binary(b, "arith.divf", one, zero);
    }
    uint32_t width = type->kind == TYPE_INDEX ? 64 : type->kind == TYPE_INT ? type->width : 0;
    int64_t low = width && width <= 64 ? (int64_t)(UINT64_MAX << (width - 1)) : 0, value = 0;
    if (strcmp(name, "andi") == 0 || strcmp(name, "minui") == 0)
        value = -1;
    else if (strcmp(name, "minsi") == 0)
        value = ~low;
    else if (strcmp(name, "maxsi") == 0)
        value = low;
    if (width == 1)
        value &= 1;
    return is_float ? vec_zero(b, type) : vmc_build_const(b, vmc_attr_int(b->ctx, type, value), type);
}

/* Lanes of a mask combined: the first one that is on starts where there is no initial value. */
static Value *masked_sum(Builder *b, const Op *op, Value *vector, Value *init, Value *mask)
{
    const Type *elem = vector->type->elem, *i1 = vmc_type_int(b->ctx, 1, SIGNLESS);
    Value *inits[2] = {init ? init : neutral(b, op, elem), vmc_build_const(b, vmc_attr_bool(b->ctx, init != NULL), i1)};
    VecNest nest;
    vec_nest_begin(b, vector->type->rank, vector->type->dims, 2, inits, &nest);
    Builder *in = &nest.body;
    Value *element = vec_get(in, vector, nest.at), *on = vec_get(in, mask, nest.at);
    Value *next = vmc_select(in, nest.carried[1], combine(in, op, nest.carried[0], element), element);
    Value *values[2] = {vmc_select(in, on, next, nest.carried[0]), vmc_binary(in, "arith.ori", nest.carried[1], on)};
    return vec_nest_end(&nest, values)[0];
}

bool vec_reduction(Vectors *l, Op *op, Builder *b, Value *mask, Value **results)
{
    (void)l;
    Value *vector = op->operands[0].value, *init = op->noperands > 1 ? op->operands[1].value : NULL;
    const Type *type = vector->type;
    if (mask) {
        results[0] = masked_sum(b, op, vector, init, mask);
        return true;
    }
    Value *zero = vmc_build_index(b, 0);
    Value *first = init ? init : vec_get(b, vector, &zero);
    if (type->rank == 0) {
        results[0] = init ? combine(b, op, init, vec_get(b, vector, NULL)) : first;
        return true;
    }
    int64_t count = type->dims[0] - !init;
    VecNest nest;
    vec_nest_begin(b, 1, &count, 1, &first, &nest);
    Value *at = init ? nest.at[0] : vec_add(&nest.body, nest.at[0], vmc_build_index(&nest.body, 1));
    Value *sum = combine(&nest.body, op, nest.carried[0], vec_get(&nest.body, vector, &at));
    results[0] = vec_nest_end(&nest, &sum)[0];
    return true;
}

/* linalg.generic over operands and an accumulator, which may be a scalar; `build` gives the new value from the body's arguments. */
typedef struct Sum {
    uint32_t nins, nloops;
    Value *ins[3]; /* the last one is the mask where there is one */
    const AffineMap *maps[4];
    LoopKind *loops;
    Value *acc, *mask;
} Sum;

static Value *build_sum(Builder *b, const Op *op, Sum *s, Value *(*build)(Builder *b, const Op *op, Block *body))
{
    Context *ctx = b->ctx;
    bool scalar = s->acc->type->kind != TYPE_TENSOR;
    Value *out = scalar ? vec_scalar_tensor(b, s->acc) : s->acc;
    const AffineMap *out_map = s->maps[s->nins];
    if (s->mask) {
        s->ins[s->nins] = s->mask;
        s->maps[s->nins++] = vmc_affine_identity(ctx, s->nloops);
        s->maps[s->nins] = out_map;
    }
    Op *generic = vmc_build_generic(b, s->nins, s->ins, 1, &out, s->maps, s->nloops, s->loops);
    Block *body = vmc_entry(generic, 0);
    Builder in = vmc_at_end(ctx, body, b->pos);
    Value *value = build(&in, op, body), *old = body->args[s->nins];
    if (s->mask)
        value = vmc_select(&in, body->args[s->nins - 1], value, old);
    vmc_build_yield(&in, "linalg.yield", 1, &value);
    return scalar ? vec_get(b, &generic->results[0], NULL) : &generic->results[0];
}

static Value *add_element(Builder *b, const Op *op, Block *body)
{
    return combine(b, op, body->args[body->nargs - 1], body->args[0]);
}

bool vec_multi_reduction(Vectors *l, Op *op, Builder *b, Value *mask, Value **results)
{
    Context *ctx = l->ctx;
    Value *source = op->operands[0].value;
    uint32_t rank = source->type->rank, left = 0;
    const int64_t *dims = NULL;
    ptrdiff_t n = vmc_attr_ints(ctx, vmc_get_attr(op, "reduction_dims"), &dims);
    Sum sum = {.nins = 1, .nloops = rank, .ins = {source}, .acc = op->operands[1].value, .mask = mask};
    sum.loops = ARENA_ARRAY(&ctx->arena, LoopKind, rank + 1);
    for (ptrdiff_t i = 0; i < n; i++)
        sum.loops[dims[i]] = LOOP_REDUCTION;
    const AffineExpr **kept = ARENA_ARRAY(&ctx->arena, const AffineExpr *, rank + 1);
    for (uint32_t i = 0; i < rank; i++)
        if (sum.loops[i] != LOOP_REDUCTION)
            kept[left++] = vmc_affine_dim(ctx, i);
    sum.maps[0] = vmc_affine_identity(ctx, rank);
    sum.maps[1] = vmc_affine_map(ctx, rank, 0, left, kept, NULL);
    results[0] = build_sum(b, op, &sum, add_element);
    return true;
}

/* ---- products -------------------------------------------------------------------------------- */

static Value *widened(Builder *b, Value *value, const Type *type)
{
    if (value->type == type)
        return value;
    return vmc_build1(b, type->kind == TYPE_FLOAT ? "arith.extf" : "arith.extsi", type, 1, &value);
}

static Value *add_product(Builder *b, const Op *op, Block *body)
{
    Value *acc = body->args[body->nargs - 1];
    Value *x = widened(b, body->args[0], acc->type), *y = widened(b, body->args[1], acc->type);
    return combine(b, op, acc, vmc_binary(b, acc->type->kind == TYPE_FLOAT ? "arith.mulf" : "arith.muli", x, y));
}

static bool widens(Vectors *l, const Op *op, const Type *from, const Type *to)
{
    if (from == to || from->kind == TYPE_INT || vmc_float_bits(from->format) < vmc_float_bits(to->format))
        return true;
    vmc_error(&l->ctx->diag, op->pos, "'%s' has factors that do not widen to its result", op->name);
    return false;
}

bool vec_contract(Vectors *l, Op *op, Builder *b, Value *mask, Value **results)
{
    const Attr *maps = vmc_get_attr(op, "indexing_maps"), *iterators = vmc_get_attr(op, "iterator_types");
    const Type *elem = vmc_elem_or_self(op->results[0].type);
    uint32_t nloops = (uint32_t)iterators->n;
    Sum sum = {.nins = 2, .nloops = nloops, .acc = op->operands[2].value, .mask = mask};
    sum.loops = ARENA_ARRAY(&l->ctx->arena, LoopKind, nloops + 1);
    for (uint32_t i = 0; i < nloops; i++)
        sum.loops[i] = LOOP_REDUCTION;
    const AffineMap *out = maps->elems[2]->map;
    for (uint32_t r = 0; r < out->nresults; r++)
        sum.loops[out->results[r]->value] = LOOP_PARALLEL;
    for (uint32_t k = 0; k < 3; k++)
        sum.maps[k] = maps->elems[k]->map;
    for (uint32_t k = 0; k < 2; k++) {
        sum.ins[k] = op->operands[k].value;
        if (!widens(l, op, sum.ins[k]->type->elem, elem))
            return false;
    }
    results[0] = build_sum(b, op, &sum, add_product);
    return true;
}

static Value *only_product(Builder *b, const Op *op, Block *body)
{
    (void)op;
    return vmc_binary(b, body->args[0]->type->kind == TYPE_FLOAT ? "arith.mulf" : "arith.muli", body->args[0], body->args[1]);
}

bool vec_outerproduct(Vectors *l, Op *op, Builder *b, Value *mask, Value **results)
{
    Context *ctx = l->ctx;
    Value *lhs = op->operands[0].value, *rhs = op->operands[1].value;
    const Type *to = op->results[0].type;
    bool vectors = rhs->type->kind == TYPE_TENSOR, added = op->noperands > 2;
    const AffineExpr *dims[2] = {vmc_affine_dim(ctx, 0), vmc_affine_dim(ctx, 1)};
    Sum sum = {.nins = 2, .nloops = to->rank, .ins = {lhs, rhs}, .mask = mask};
    sum.loops = ARENA_ARRAY(&ctx->arena, LoopKind, 2);
    sum.acc = added ? op->operands[2].value : mask ? vec_zero(b, to) : vec_empty(b, to);
    sum.maps[0] = vmc_affine_map(ctx, to->rank, 0, 1, dims, NULL);
    sum.maps[1] = vmc_affine_map(ctx, to->rank, 0, vectors, dims + 1, NULL);
    sum.maps[2] = vmc_affine_identity(ctx, to->rank);
    results[0] = build_sum(b, op, &sum, added ? add_product : only_product);
    return true;
}

/* ---- matrices in flat vectors ------------------------------------------------------------------------ */

static const Type *matrix(const Vectors *l, int64_t rows, int64_t columns, const Type *elem)
{
    int64_t dims[2] = {rows, columns};
    if (!l->pc->options->row_major_matrices) {
        dims[0] = columns;
        dims[1] = rows;
    }
    return vec_tensor(l->ctx, 2, dims, elem);
}

/* Subscripts (row, column) in the order of the layout. */
static const AffineMap *matrix_map(const Vectors *l, uint32_t nloops, uint32_t row, uint32_t column)
{
    bool row_major = l->pc->options->row_major_matrices;
    const AffineExpr *dims[2] = {vmc_affine_dim(l->ctx, row_major ? row : column),
                                 vmc_affine_dim(l->ctx, row_major ? column : row)};
    return vmc_affine_map(l->ctx, nloops, 0, 2, dims, NULL);
}

bool vec_matrix_multiply(Vectors *l, Op *op, Builder *b, Value *mask, Value **results)
{
    (void)mask;
    Context *ctx = l->ctx;
    const Type *elem = op->results[0].type->elem;
    int64_t m = 0, k = 0, n = 0;
    vmc_get_int(op, "lhs_rows", &m);
    vmc_get_int(op, "lhs_columns", &k);
    vmc_get_int(op, "rhs_columns", &n);
    Sum sum = {.nins = 2, .nloops = 3};
    sum.loops = ARENA_ARRAY(&ctx->arena, LoopKind, 3);
    sum.loops[2] = LOOP_REDUCTION;
    sum.ins[0] = vec_reshape(b, op->operands[0].value, matrix(l, m, k, elem));
    sum.ins[1] = vec_reshape(b, op->operands[1].value, matrix(l, k, n, elem));
    sum.acc = vec_zero(b, matrix(l, m, n, elem));
    sum.maps[0] = matrix_map(l, 3, 0, 2);
    sum.maps[1] = matrix_map(l, 3, 2, 1);
    sum.maps[2] = matrix_map(l, 3, 0, 1);
    results[0] = vec_reshape(b, build_sum(b, op, &sum, add_product), op->results[0].type);
    return true;
}

bool vec_flat_transpose(Vectors *l, Op *op, Builder *b, Value *mask, Value **results)
{
    (void)mask;
    const Type *elem = op->results[0].type->elem;
    int64_t rows = 0, columns = 0;
    vmc_get_int(op, "rows", &rows);
    vmc_get_int(op, "columns", &columns);
    Value *from = vec_reshape(b, op->operands[0].value, matrix(l, rows, columns, elem));
    VecMap map;
    vec_map_begin(b, matrix(l, columns, rows, elem), &map);
    Value *at[2] = {map.at[1], map.at[0]};
    results[0] = vec_reshape(b, vec_map_end(&map, vec_get(&map.body, from, at)), op->results[0].type);
    return true;
}

/* ---- scan ----------------------------------------------------------------------------------------------- */

bool vec_scan(Vectors *l, Op *op, Builder *b, Value *mask, Value **results)
{
    (void)mask;
    Context *ctx = l->ctx;
    Value *source = op->operands[0].value, *initial = op->operands[1].value;
    const Type *type = source->type;
    int64_t dim = 0;
    vmc_get_int(op, "reduction_dim", &dim);
    bool inclusive = vmc_get_attr(op, "inclusive")->i != 0;
    Value *inits[2] = {vec_empty(b, type), initial};
    VecNest others, along;
    vec_nest_begin(b, initial->type->rank, initial->type->dims, 2, inits, &others);
    Value **at = ARENA_ARRAY(&ctx->arena, Value *, type->rank + 1);
    for (uint32_t i = 0, k = 0; i < type->rank; i++)
        at[i] = i == (uint32_t)dim ? vmc_build_index(&others.body, 0) : others.at[k++];
    /* the element in front of the loop: the first one, or the initial value */
    Value *first = inclusive ? vec_get(&others.body, source, at) : vec_get(&others.body, initial, others.at);
    Value *outer[2] = {vec_set(&others.body, others.carried[0], at, first), first};
    int64_t count = type->dims[dim] - 1;
    vec_nest_begin(&others.body, 1, &count, 2, outer, &along);
    Value *here = vec_add(&along.body, along.at[0], vmc_build_index(&along.body, 1));
    at[dim] = inclusive ? here : along.at[0];
    Value *sum = combine(&along.body, op, along.carried[1], vec_get(&along.body, source, at));
    at[dim] = here;
    Value *inner[2] = {vec_set(&along.body, along.carried[0], at, sum), sum};
    Value **done = vec_nest_end(&along, inner);
    Value *values[2] = {done[0], vec_set(&others.body, others.carried[1], others.at, done[1])};
    Value **out = vec_nest_end(&others, values);
    results[0] = out[0];
    results[1] = out[1];
    return true;
}
