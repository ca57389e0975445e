/* iree_linalg_ext.attention and online_attention as structured ops.
 *
 *   S = region((Q K) scale) + mask      Q and K widened to the type of the region's argument, in which everything up to P is
 * computed; a mask of integers adds 0 or -inf M = max(S), P = exp(S - M)          along the dimensions that key and value share and
 * the output lacks attention: output = (P / sum(P)) V  summed in the type of S and rounded to the output's type once online: from
 * the given m, s and acc: M = max(m, S), n = exp(m - M), s = n s + sum(P), acc = n acc + P V
 *
 * Sums run in loop order.  Neither uses exp2 or scales Q first: each would round differently. */
#include "expand_ext.h"

typedef struct Build {
    Builder *b;
    const Attention *a;
    const Type *score;
} Build;

typedef Value *(*BodyFn)(Builder *b, Value *const *args);

static Value *cast_to(Builder *b, Value *value, const Type *type)
{
    return vmc_linalg_cast(b, value, type, false);
}

/* The loops of `wanted`, in order. */
static const AffineMap *map_of(Context *ctx, uint32_t nloops, const bool *wanted)
{
    const AffineExpr **dims = ARENA_ARRAY(&ctx->arena, const AffineExpr *, nloops + 1);
    uint32_t n = 0;
    for (uint32_t l = 0; l < nloops; l++)
        if (wanted[l])
            dims[n++] = vmc_affine_dim(ctx, l);
    return vmc_affine_map(ctx, nloops, 0, n, dims, NULL);
}

/* Static size of a loop, or its dimension's value; of the operand that has it. */
static int64_t loop_size(Build *bd, uint32_t loop, Value **value)
{
    const Attention *a = bd->a;
    Value *const operands[] = {a->query, a->key, a->value, a->output};
    const AffineMap *const maps[] = {a->query_map, a->key_map, a->value_map, a->output_map};
    Value *of = NULL;
    uint32_t dim = 0;
    for (uint32_t k = 0; k < 4; k++)
        for (uint32_t r = 0; r < maps[k]->nresults; r++)
            if (maps[k]->results[r]->value == (int64_t)loop && (!of || of->type->dims[dim] == VMC_DYNAMIC)) {
                of = operands[k];
                dim = r;
            }
    *value = vmc_dim_of(bd->b, of, dim);
    return of->type->dims[dim];
}

/* A tensor over the loops of `map`, filled with one number. */
static Value *space(Build *bd, const AffineMap *map, const Type *elem, Value *fill)
{
    Context *ctx = bd->b->ctx;
    int64_t *dims = ARENA_ARRAY(&ctx->arena, int64_t, map->nresults + 1);
    Value **sizes = ARENA_ARRAY(&ctx->arena, Value *, map->nresults + 1);
    for (uint32_t r = 0; r < map->nresults; r++)
        dims[r] = loop_size(bd, (uint32_t)map->results[r]->value, &sizes[r]);
    Value *empty = vmc_empty_tensor(bd->b, vmc_type_tensor(ctx, map->nresults, dims, elem, NULL), sizes);
    return fill ? vmc_build_fill(bd->b, fill, empty) : empty;
}

/* A generic over the loops that its maps use; those that the out has not are reductions. */
static Op *structured(Build *bd, uint32_t nins, Value *const *ins, const AffineMap *const *in_maps, Value *out,
                      const AffineMap *out_map, Builder *body)
{
    Context *ctx = bd->b->ctx;
    uint32_t nloops = bd->a->nloops, n = 0;
    const AffineMap **maps = ARENA_ARRAY(&ctx->arena, const AffineMap *, nins + 1);
    const AffineExpr **dims = ARENA_ARRAY(&ctx->arena, const AffineExpr *, nloops + 1);
    LoopKind *loops = ARENA_ARRAY(&ctx->arena, LoopKind, nloops + 1);
    for (uint32_t k = 0; k < nins; k++)
        maps[k] = in_maps[k];
    maps[nins] = out_map;
    for (uint32_t l = 0; l < nloops; l++)
        for (uint32_t k = nins + 1; k-- > 0 && !dims[l];)
            for (uint32_t r = 0; r < maps[k]->nresults; r++)
                if (maps[k]->results[r]->value == (int64_t)l && !dims[l]) {
                    loops[n] = k == nins ? LOOP_PARALLEL : LOOP_REDUCTION;
                    dims[l] = vmc_affine_dim(ctx, n++);
                }
    for (uint32_t k = 0; k <= nins; k++) {
        const AffineExpr **results = ARENA_ARRAY(&ctx->arena, const AffineExpr *, maps[k]->nresults + 1);
        for (uint32_t r = 0; r < maps[k]->nresults; r++)
            results[r] = dims[maps[k]->results[r]->value];
        maps[k] = vmc_affine_map(ctx, n, 0, maps[k]->nresults, results, NULL);
    }
    Op *generic = vmc_build_generic(bd->b, nins, ins, 1, &out, maps, n, loops);
    *body = vmc_at_end(ctx, vmc_entry(generic, 0), bd->b->pos);
    return generic;
}

static Value *computed(Build *bd, uint32_t nins, Value *const *ins, const AffineMap *const *in_maps, Value *out,
                       const AffineMap *out_map, BodyFn fn)
{
    Builder body;
    Op *generic = structured(bd, nins, ins, in_maps, out, out_map, &body);
    Value *value = fn(&body, vmc_entry(generic, 0)->args);
    vmc_build_yield(&body, "linalg.yield", 1, &value);
    return &generic->results[0];
}

static Value *add_product(Builder *b, Value *const *args)
{
    const Type *type = args[2]->type;
    Value *product = vmc_binary(b, "arith.mulf", cast_to(b, args[0], type), cast_to(b, args[1], type));
    return vmc_binary(b, "arith.addf", args[2], product);
}

static Value *maximum(Builder *b, Value *const *args)
{
    return vmc_binary(b, "arith.maximumf", args[1], cast_to(b, args[0], args[1]->type));
}

static Value *add(Builder *b, Value *const *args)
{
    return vmc_binary(b, "arith.addf", args[1], cast_to(b, args[0], args[1]->type));
}

static Value *exp_of_difference(Builder *b, Value *minuend, Value *subtrahend)
{
    Value *difference = vmc_binary(b, "arith.subf", minuend, cast_to(b, subtrahend, minuend->type));
    return vmc_build1(b, "math.exp", difference->type, 1, &difference);
}

/* (S, M): exp(S - M) */
static Value *weight(Builder *b, Value *const *args)
{
    return exp_of_difference(b, args[0], args[1]);
}

static Value *divided(Builder *b, Value *const *args)
{
    return vmc_binary(b, "arith.divf", args[0], args[1]);
}

/* (n, x): n x, in the type of x */
static Value *scaled(Builder *b, Value *const *args)
{
    return vmc_binary(b, "arith.mulf", cast_to(b, args[0], args[1]->type), args[1]);
}

static Value *rounded(Builder *b, Value *const *args)
{
    return cast_to(b, args[0], args[1]->type);
}

static Value *masked(Builder *b, Value *score, Value *mask)
{
    if (mask->type->kind == TYPE_INT) {
        const Type *i1 = vmc_type_int(b->ctx, 1, SIGNLESS), *type = score->type;
        Value *zero = vmc_build_float(b, type, 0);
        Value *lowest = vmc_binary(b, "arith.divf", vmc_build_float(b, type, -1), zero);
        mask = vmc_select(b, mask->type == i1 ? mask : vmc_build1(b, "arith.trunci", i1, 1, &mask), zero, lowest);
    }
    return vmc_binary(b, "arith.addf", score, cast_to(b, mask, score->type));
}

/* Scale, region and mask on every score. */
static Value *modified(Build *bd, Op *op, Value *scores, const AffineMap *map)
{
    const Attention *a = bd->a;
    const AffineMap *scalar = vmc_affine_map(bd->b->ctx, a->nloops, 0, 0, NULL, NULL);
    Value *ins[3] = {scores, a->scale, a->mask};
    const AffineMap *maps[3] = {map, scalar, a->mask_map};
    Builder body;
    Op *generic = structured(bd, a->mask ? 3 : 2, ins, maps, space(bd, map, bd->score, NULL), map, &body);
    Value **args = vmc_entry(generic, 0)->args;
    Value *value = vmc_binary(&body, "arith.mulf", args[0], cast_to(&body, args[1], bd->score));
    Op *last = vmc_entry(generic, 0)->last;
    value = vmc_clone_body(&body, vmc_entry(op, 0), &value)[0];
    for (Op *at = last ? last : vmc_entry(generic, 0)->first, *next; at; at = next) {
        next = at->next;
        int64_t dim = 0;
        if (!vmc_is(at, "iree_linalg_ext.index") || !vmc_get_int(at, "dim", &dim))
            continue;
        Builder here = vmc_before(bd->b->ctx, at);
        Value *index = vmc_build_index_op(&here, (uint32_t)dim);
        value = value == &at->results[0] ? index : value;
        vmc_replace_uses(&at->results[0], index);
        vmc_op_erase(at);
    }
    if (a->mask)
        value = masked(&body, value, args[2]);
    vmc_build_yield(&body, "linalg.yield", 1, &value);
    return &generic->results[0];
}

static Value **online(Build *bd, Value *scores, const AffineMap *map)
{
    const Attention *a = bd->a;
    Context *ctx = bd->b->ctx;
    Value **results = ARENA_ARRAY(&ctx->arena, Value *, 3);
    const AffineMap *maps[2] = {map, a->max_map};
    results[1] = computed(bd, 1, &scores, maps, a->max, a->max_map, maximum);
    Value *old_and_new[2] = {a->max, results[1]};
    const AffineMap *rows[2] = {a->max_map, a->max_map};
    Value *norm = computed(bd, 2, old_and_new, rows, space(bd, a->max_map, a->max->type->elem, NULL), a->max_map, weight);
    Value *ins[2] = {scores, results[1]};
    Value *weights = computed(bd, 2, ins, maps, space(bd, map, bd->score, NULL), map, weight);
    Value *sum = computed(bd, 1, &norm, rows, a->sum, a->sum_map, scaled);
    results[2] = computed(bd, 1, &weights, maps, sum, a->sum_map, add);
    Value *output = computed(bd, 1, &norm, rows, a->output, a->output_map, scaled);
    Value *product[2] = {weights, a->value};
    const AffineMap *product_maps[2] = {map, a->value_map};
    results[0] = computed(bd, 2, product, product_maps, output, a->output_map, add_product);
    return results;
}

static Value **offline(Build *bd, Value *scores, const AffineMap *map)
{
    const Attention *a = bd->a;
    Context *ctx = bd->b->ctx;
    Value **results = ARENA_ARRAY(&ctx->arena, Value *, 1);
    const AffineMap *row = map_of(ctx, a->nloops, a->kept), *maps[2] = {map, row};
    Value *zero = vmc_build_float(bd->b, bd->score, 0);
    Value *lowest = vmc_binary(bd->b, "arith.divf", vmc_build_float(bd->b, bd->score, -1), zero);
    Value *max = computed(bd, 1, &scores, maps, space(bd, row, bd->score, lowest), row, maximum);
    Value *ins[2] = {scores, max};
    Value *weights = computed(bd, 2, ins, maps, space(bd, map, bd->score, NULL), map, weight);
    ins[0] = weights;
    ins[1] = computed(bd, 1, &weights, maps, space(bd, row, bd->score, zero), row, add);
    ins[0] = computed(bd, 2, ins, maps, space(bd, map, bd->score, NULL), map, divided);
    ins[1] = a->value;
    maps[1] = a->value_map;
    bool same = a->output->type->elem == bd->score;
    Value *start = same ? vmc_build_fill(bd->b, zero, a->output) : space(bd, a->output_map, bd->score, zero);
    results[0] = computed(bd, 2, ins, maps, start, a->output_map, add_product);
    if (!same)
        results[0] = computed(bd, 1, results, &a->output_map, a->output, a->output_map, rounded);
    return results;
}

Value **vmc_ext_attend(Builder *b, Op *op)
{
    Attention a;
    if (!vmc_ext_attention(b->ctx, op, &a))
        return NULL;
    Build bd = {.b = b, .a = &a, .score = vmc_entry(op, 0)->args[0]->type};
    const AffineMap *map = map_of(b->ctx, a.nloops, a.scored);
    Value *ins[2] = {a.query, a.key};
    const AffineMap *maps[2] = {a.query_map, a.key_map};
    Value *scores = computed(&bd, 2, ins, maps, space(&bd, map, bd.score, vmc_build_float(b, bd.score, 0)), map, add_product);
    scores = modified(&bd, op, scores, map);
    return a.max ? online(&bd, scores, map) : offline(&bd, scores, map);
}
