/* linalg.softmax as four structured ops: maximum along the dimension, exp of the difference, sum, quotient. */
#include "generalize.h"

typedef struct Softmax {
    Builder b;
    bool memref;
    uint32_t rank, dim;
    const Type *elem;
    const AffineMap *full, *reduced;
    LoopKind *parallel, *reduction;
} Softmax;

/* Space for one value a row: a tensor that does not matter yet, or memory. */
static Value *row_space(Softmax *s, Value *like)
{
    Context *ctx = s->b.ctx;
    int64_t *dims = ARENA_ARRAY(&ctx->arena, int64_t, s->rank + 1);
    Value **sizes = ARENA_ARRAY(&ctx->arena, Value *, s->rank + 1), **dynamic = ARENA_ARRAY(&ctx->arena, Value *, s->rank + 1);
    uint32_t n = 0, ndynamic = 0;
    for (uint32_t i = 0; i < s->rank; i++) {
        if (i == s->dim)
            continue;
        dims[n] = like->type->dims[i];
        sizes[n] = dims[n] == VMC_DYNAMIC ? vmc_dim_of(&s->b, like, i) : NULL;
        if (sizes[n])
            dynamic[ndynamic++] = sizes[n];
        n++;
    }
    if (!s->memref)
        return vmc_empty_tensor(&s->b, vmc_type_tensor(ctx, n, dims, s->elem, NULL), sizes);
    const Type *type = vmc_type_memref(ctx, n, dims, s->elem, NULL, NULL);
    const int32_t segments[2] = {(int32_t)ndynamic, 0};
    NamedAttr attr = vmc_segments(ctx, 2, segments);
    return &vmc_build(&s->b, "memref.alloc", ndynamic, dynamic, 1, &type, 1, &attr, 0)->results[0];
}

typedef Value *(*BodyFn)(Builder *b, Value *const *args);

static Value *build(Softmax *s, uint32_t nins, Value *const *ins, const AffineMap *const *maps, Value *out,
                    const AffineMap *out_map, const LoopKind *loops, BodyFn fn)
{
    const AffineMap *all[3];
    for (uint32_t k = 0; k < nins; k++)
        all[k] = maps[k];
    all[nins] = out_map;
    Op *generic = vmc_build_generic(&s->b, nins, ins, 1, &out, all, out_map->ndims, loops);
    Builder body = vmc_at_end(s->b.ctx, vmc_entry(generic, 0), s->b.pos);
    Value *value = fn(&body, vmc_entry(generic, 0)->args);
    vmc_build_yield(&body, "linalg.yield", 1, &value);
    return s->memref ? out : &generic->results[0];
}

static Value *first_of(Builder *b, Value *const *args)
{
    (void)b;
    return args[0];
}

static Value *max_of(Builder *b, Value *const *args)
{
    return vmc_binary(b, "arith.maxnumf", args[0], args[1]);
}

static Value *sum_of(Builder *b, Value *const *args)
{
    return vmc_binary(b, "arith.addf", args[0], args[1]);
}

static Value *exp_difference(Builder *b, Value *const *args)
{
    Value *difference = vmc_binary(b, "arith.subf", args[0], args[1]);
    return vmc_build1(b, "math.exp", difference->type, 1, &difference);
}

/* In place: the numerator is the out. */
static Value *quotient(Builder *b, Value *const *args)
{
    return vmc_binary(b, "arith.divf", args[1], args[0]);
}

/* Rows filled with `start`, then combined with every element. */
static Value *reduce(Softmax *s, Value *source, Value *start, BodyFn fn)
{
    const AffineMap *scalar = vmc_affine_map(s->b.ctx, s->rank - 1, 0, 0, NULL, NULL);
    Value *space = row_space(s, source);
    space = build(s, 1, &start, &scalar, space, vmc_affine_identity(s->b.ctx, s->rank - 1), s->parallel, first_of);
    return build(s, 1, &source, &s->full, space, s->reduced, s->reduction, fn);
}

bool vmc_expand_softmax(Context *ctx, Op *op)
{
    Value *source = op->operands[0].value, *out = op->operands[1].value;
    int64_t dim = 0;
    vmc_get_int(op, "dimension", &dim);
    Softmax s = {
        .b = vmc_before(ctx, op), .memref = out->type->kind == TYPE_MEMREF, .rank = source->type->rank, .dim = (uint32_t)dim};
    s.elem = source->type->elem;
    s.full = vmc_affine_identity(ctx, s.rank);
    s.parallel = ARENA_ARRAY(&ctx->arena, LoopKind, s.rank + 1);
    s.reduction = ARENA_ARRAY(&ctx->arena, LoopKind, s.rank + 1);
    s.reduction[dim] = LOOP_REDUCTION;
    const AffineExpr **kept = ARENA_ARRAY(&ctx->arena, const AffineExpr *, s.rank + 1);
    uint32_t n = 0;
    for (uint32_t i = 0; i < s.rank; i++)
        if (i != s.dim)
            kept[n++] = vmc_affine_dim(ctx, i);
    s.reduced = vmc_affine_map(ctx, s.rank, 0, n, kept, NULL);
    const AffineMap *maps[2] = {s.full, s.reduced};
    Value *ins[2] = {source,
                     reduce(&s, source,
                            vmc_binary(&s.b, "arith.divf", vmc_build_float(&s.b, s.elem, -1), vmc_build_float(&s.b, s.elem, 0)),
                            max_of)};
    Value *numerator = build(&s, 2, ins, maps, out, s.full, s.parallel, exp_difference);
    Value *sums = reduce(&s, numerator, vmc_build_float(&s.b, s.elem, 0), sum_of);
    Value *result = build(&s, 1, &sums, &s.reduced, numerator, s.full, s.parallel, quotient);
    if (s.memref) {
        vmc_build(&s.b, "memref.dealloc", 1, &ins[1], 0, NULL, 0, NULL, 0);
        vmc_build(&s.b, "memref.dealloc", 1, &sums, 0, NULL, 0, NULL, 0);
    }
    vmc_replace_op(op, &result);
    return true;
}
