/* Products of integers with zero points become plain products, which have a kernel, and sums of rows.
 *
 *   sum (x - zx) * (y - zy)  =  sum x * y  -  zy * sum x  -  zx * sum y  +  n * zx * zy
 *
 * Integers wrap, so both sides are equal bit by bit, whatever the order.  x and y are widened to the type of the sum first; the
 * subtractions are in that type too (Jacob et al., "Quantization and Training of Neural Networks for Efficient
 * Integer-Arithmetic-Only Inference", 2018, section 2.3).  It is done where the sums are over fewer elements than the product.
 */
#include "builders.h"
#include "generalize.h"
#include "match.h"
#include "passes.h"

typedef struct Factor {
    int operand;
    const char *widening; /* name of the op, or NULL */
    Value *zero;          /* argument of the body, or a value from outside; NULL: none */
} Factor;

typedef struct Split {
    Match m;
    const Type *type; /* of the sum */
    Factor factors[2];
    uint32_t *place; /* of each parallel loop in the out's subscripts */
    Builder b;
    const AffineExpr **rename; /* room for one expression a loop */
} Split;

/* ---- what it looks like ------------------------------------------------------------------ */

static Op *in_body(const Split *s, const Value *value, const char *name)
{
    Op *op = value->op;
    return op && op->parent == s->m.s.body && vmc_is(op, name) && op->results[0].uses && !op->results[0].uses->next ? op : NULL;
}

/* Arguments of operands that stand still while the sum runs, or values from outside. */
static bool is_zero_point(const Split *s, const Value *value)
{
    const Structured *st = &s->m.s;
    int k = vmc_match_operand(&s->m, value);
    if (k < 0)
        return !value->op || value->op->parent != st->body;
    if (k >= (int)st->nins || !vmc_map_is_projected_permutation(st->maps[k]))
        return false;
    for (uint32_t r = 0; r < st->maps[k]->nresults; r++)
        if (st->maps[k]->results[r]->kind != AFFINE_DIM || st->loops[st->maps[k]->results[r]->value] != LOOP_PARALLEL)
            return false;
    return true;
}

static bool match_factor(Split *s, Value *value, Factor *f, uint32_t *nops)
{
    *f = (Factor){.operand = -1};
    Op *difference = in_body(s, value, "arith.subi");
    if (difference) {
        f->zero = difference->operands[1].value;
        value = difference->operands[0].value;
        ++*nops;
        if (!is_zero_point(s, f->zero))
            return false;
    }
    Op *widening = in_body(s, value, "arith.extsi");
    widening = widening ? widening : in_body(s, value, "arith.extui");
    if (widening) {
        f->widening = widening->name;
        value = widening->operands[0].value;
        ++*nops;
    }
    f->operand = vmc_match_operand(&s->m, value);
    unsigned etype = vmc_match_etype(value->type);
    return f->operand >= 0 && f->operand < (int)s->m.s.nins && vmc_match_arithmetic(etype) &&
           !vmc_structured_is_scalar(&s->m.s, (uint32_t)f->operand) && vmc_linear_map(s->m.s.maps[f->operand]);
}

static bool match_body(Split *s)
{
    Structured *st = &s->m.s;
    Value *value = vmc_terminator(st->body)->operands[0].value;
    uint32_t nops = 2;
    Op *sum = in_body(s, value, "arith.addi"), *product = NULL;
    if (!sum || st->nouts != 1)
        return false;
    for (unsigned k = 0; k < 2 && !product; k++)
        if (vmc_match_operand(&s->m, sum->operands[k].value) == (int)st->nins)
            product = in_body(s, sum->operands[1 - k].value, "arith.muli");
    if (!product || st->body->args[st->nins]->uses->next)
        return false;
    for (unsigned k = 0; k < 2; k++)
        if (!match_factor(s, product->operands[k].value, &s->factors[k], &nops))
            return false;
    s->type = value->type;
    return nops == s->m.nops && vmc_match_arithmetic(vmc_match_etype(s->type)) && (s->factors[0].zero || s->factors[1].zero);
}

/* Each parallel loop is one subscript of the out. */
static bool place_loops(Split *s)
{
    const Structured *st = &s->m.s;
    const AffineMap *map = st->maps[st->nins];
    uint32_t parallel = 0;
    s->place = ARENA_ARRAY(&s->m.ctx->arena, uint32_t, st->nloops + 1);
    for (uint32_t l = 0; l < st->nloops; l++)
        parallel += st->loops[l] == LOOP_PARALLEL;
    if (map->nresults != parallel || parallel == st->nloops || !vmc_map_is_projected_permutation(map))
        return false;
    for (uint32_t r = 0; r < map->nresults; r++) {
        if (map->results[r]->kind != AFFINE_DIM || st->loops[map->results[r]->value] != LOOP_PARALLEL)
            return false;
        s->place[map->results[r]->value] = r;
    }
    return true;
}

/* Loops that the operand moves with. */
static bool *loops_of(const Split *s, uint32_t operand)
{
    const Structured *st = &s->m.s;
    bool *used = ARENA_ARRAY(&s->m.ctx->arena, bool, st->nloops + 1);
    int64_t *coefficients = ARENA_ARRAY(&s->m.ctx->arena, int64_t, st->nloops + 1), constant;
    for (uint32_t r = 0; r < st->maps[operand]->nresults; r++) {
        vmc_linear_subscript(st->maps[operand]->results[r], st->nloops, coefficients, &constant);
        for (uint32_t l = 0; l < st->nloops; l++)
            used[l] |= coefficients[l] != 0;
    }
    return used;
}

/* The operand can be summed over the product's sums, and is smaller than the product. */
static bool can_sum(const Split *s, uint32_t operand)
{
    const Structured *st = &s->m.s;
    const bool *used = loops_of(s, operand);
    bool smaller = false;
    for (uint32_t l = 0; l < st->nloops; l++) {
        if (st->loops[l] != LOOP_PARALLEL && !used[l])
            return false;
        smaller |= !used[l];
    }
    return smaller;
}

/* ---- what it becomes --------------------------------------------------------------------- */

static Value *widened(Builder *b, const Factor *f, Value *value, const Type *type)
{
    return f->widening ? vmc_build1(b, f->widening, type, 1, &value) : value;
}

static Value *yield_one(Op *generic, Builder *body, Value *value)
{
    vmc_build_yield(body, "linalg.yield", 1, &value);
    return &generic->results[0];
}

static Value *plain_product(Split *s)
{
    const Structured *st = &s->m.s;
    Value *ins[2], *out = vmc_structured_operand(st, st->nins), *wide[2];
    const AffineMap *maps[3];
    for (unsigned k = 0; k < 2; k++) {
        ins[k] = vmc_structured_operand(st, (uint32_t)s->factors[k].operand);
        maps[k] = st->maps[s->factors[k].operand];
    }
    maps[2] = st->maps[st->nins];
    Op *generic = vmc_build_generic(&s->b, 2, ins, 1, &out, maps, st->nloops, st->loops);
    Block *block = vmc_entry(generic, 0);
    Builder body = vmc_at_end(s->m.ctx, block, s->b.pos);
    for (unsigned k = 0; k < 2; k++)
        wide[k] = widened(&body, &s->factors[k], block->args[k], s->type);
    return yield_one(generic, &body,
                     vmc_binary(&body, "arith.addi", block->args[2], vmc_binary(&body, "arith.muli", wide[0], wide[1])));
}

/* The operand's elements summed over the product's sums: one value for each turn of the parallel loops that it moves with, in the
   order of loops.  Sums over loops that no subscript is alone get a tensor of their sizes as a second input. */
static Value *sum_elements(Split *s, const Factor *f)
{
    Context *ctx = s->m.ctx;
    const Structured *st = &s->m.s;
    const bool *used = loops_of(s, (uint32_t)f->operand);
    uint32_t nloops = 0, kept = 0, nwindow = 0;
    LoopKind *loops = ARENA_ARRAY(&ctx->arena, LoopKind, st->nloops + 1);
    const AffineExpr **out_results = ARENA_ARRAY(&ctx->arena, const AffineExpr *, st->nloops + 1),
                     **window_results = ARENA_ARRAY(&ctx->arena, const AffineExpr *, st->nloops + 1),
                     **results = ARENA_ARRAY(&ctx->arena, const AffineExpr *, st->nloops + st->maps[f->operand]->nresults + 1);
    int64_t *dims = ARENA_ARRAY(&ctx->arena, int64_t, 2 * st->nloops + 1), *window_dims = dims + st->nloops;
    Value **sizes = ARENA_ARRAY(&ctx->arena, Value *, 2 * st->nloops + 1), **window_sizes = sizes + st->nloops;
    for (uint32_t l = 0; l < st->nloops; l++) {
        bool parallel = st->loops[l] == LOOP_PARALLEL;
        s->rename[l] = used[l] ? vmc_affine_dim(ctx, nloops) : vmc_affine_const(ctx, 0);
        if (!used[l])
            continue;
        uint32_t at = parallel ? kept++ : nwindow++;
        (parallel ? out_results : window_results)[at] = s->rename[l];
        (parallel ? dims : window_dims)[at] = vmc_structured_static_size(st, l);
        (parallel ? sizes : window_sizes)[at] = vmc_structured_size(&s->b, st, l);
        loops[nloops++] = st->loops[l];
    }
    const AffineMap *map = st->maps[f->operand], *maps[3];
    bool alone = true;
    for (uint32_t r = 0; r < map->nresults; r++)
        results[r] = vmc_affine_replace(ctx, map->results[r], s->rename, NULL);
    for (uint32_t w = 0, r; w < nwindow; w++) {
        for (r = 0; r < map->nresults && results[r] != window_results[w]; r++)
            continue;
        alone &= r < map->nresults;
    }
    Value *ins[2] = {vmc_structured_operand(st, (uint32_t)f->operand)},
          *zero = vmc_build_const(&s->b, vmc_attr_int(ctx, s->type, 0), s->type);
    uint32_t nins = 1;
    maps[0] = vmc_affine_map(ctx, nloops, 0, map->nresults, results, NULL);
    if (!alone) {
        ins[1] = vmc_empty_tensor(&s->b, vmc_type_tensor(ctx, nwindow, window_dims, s->type, NULL), window_sizes);
        maps[nins++] = vmc_affine_map(ctx, nloops, 0, nwindow, window_results, NULL);
    }
    maps[nins] = vmc_affine_map(ctx, nloops, 0, kept, out_results, NULL);
    Value *out = vmc_build_fill(&s->b, zero, vmc_empty_tensor(&s->b, vmc_type_tensor(ctx, kept, dims, s->type, NULL), sizes));
    Op *generic = vmc_build_generic(&s->b, nins, ins, 1, &out, maps, nloops, loops);
    Block *block = vmc_entry(generic, 0);
    Builder body = vmc_at_end(ctx, block, s->b.pos);
    return yield_one(generic, &body,
                     vmc_binary(&body, "arith.addi", block->args[nins], widened(&body, f, block->args[0], s->type)));
}

/* The map of an operand of the product over the out's subscripts, for parallel loops. */
static const AffineMap *over_out(Split *s, const AffineMap *map)
{
    Context *ctx = s->m.ctx;
    const Structured *st = &s->m.s;
    const AffineExpr **results = ARENA_ARRAY(&ctx->arena, const AffineExpr *, map->nresults + 1);
    for (uint32_t l = 0; l < st->nloops; l++)
        s->rename[l] = st->loops[l] == LOOP_PARALLEL ? vmc_affine_dim(ctx, s->place[l]) : vmc_affine_const(ctx, 0);
    for (uint32_t r = 0; r < map->nresults; r++)
        results[r] = vmc_affine_replace(ctx, map->results[r], s->rename, NULL);
    return vmc_affine_map(ctx, st->maps[st->nins]->nresults, 0, map->nresults, results, NULL);
}

static const AffineMap *map_of_sum(Split *s, const Factor *f)
{
    Context *ctx = s->m.ctx;
    const Structured *st = &s->m.s;
    const bool *used = loops_of(s, (uint32_t)f->operand);
    const AffineExpr **results = ARENA_ARRAY(&ctx->arena, const AffineExpr *, st->nloops + 1);
    uint32_t n = 0;
    for (uint32_t l = 0; l < st->nloops; l++)
        if (used[l] && st->loops[l] == LOOP_PARALLEL)
            results[n++] = vmc_affine_dim(ctx, s->place[l]);
    return vmc_affine_map(ctx, st->maps[st->nins]->nresults, 0, n, results, NULL);
}

/* n of the formula, in the type of the sum. */
static Value *number_of_terms(Split *s)
{
    Value *n = vmc_build_index(&s->b, 1);
    for (uint32_t l = 0; l < s->m.s.nloops; l++)
        if (s->m.s.loops[l] != LOOP_PARALLEL)
            n = vmc_binary(&s->b, "arith.muli", n, vmc_structured_size(&s->b, &s->m.s, l));
    return s->type->kind == TYPE_INDEX ? n : vmc_build1(&s->b, "arith.index_cast", s->type, 1, &n);
}

/* What the zero points take away from the product. */
static Value *correct(Split *s, Value *product)
{
    Context *ctx = s->m.ctx;
    const Structured *st = &s->m.s;
    uint32_t nins = 0, rank = st->maps[st->nins]->nresults, zero_at[2] = {0, 0}, sum_at[2] = {0, 0};
    Value *ins[4], *zeros[2] = {NULL, NULL};
    const AffineMap *maps[5];
    for (unsigned k = 0; k < 2; k++) {
        int operand = s->factors[k].zero ? vmc_match_operand(&s->m, s->factors[k].zero) : -1;
        zeros[k] = s->factors[k].zero;
        if (operand >= 0) {
            maps[nins] = over_out(s, st->maps[operand]);
            ins[nins] = vmc_structured_operand(st, (uint32_t)operand);
            zero_at[k] = ++nins; /* plus one; 0: from outside */
        }
        if (s->factors[k].zero) {
            maps[nins] = map_of_sum(s, &s->factors[1 - k]);
            ins[nins] = sum_elements(s, &s->factors[1 - k]);
            sum_at[k] = nins++;
        }
    }
    Value *n = zeros[0] && zeros[1] ? number_of_terms(s) : NULL;
    LoopKind *loops = ARENA_ARRAY(&ctx->arena, LoopKind, rank + 1);
    maps[nins] = vmc_affine_identity(ctx, rank);
    Op *generic = vmc_build_generic(&s->b, nins, ins, 1, &product, maps, rank, loops);
    Block *block = vmc_entry(generic, 0);
    Builder body = vmc_at_end(ctx, block, s->b.pos);
    Value *value = block->args[nins];
    for (unsigned k = 0; k < 2; k++)
        zeros[k] = zero_at[k] ? block->args[zero_at[k] - 1] : zeros[k];
    if (n)
        value = vmc_binary(&body, "arith.addi", value,
                           vmc_binary(&body, "arith.muli", n, vmc_binary(&body, "arith.muli", zeros[0], zeros[1])));
    for (unsigned k = 0; k < 2; k++)
        if (zeros[k])
            value = vmc_binary(&body, "arith.subi", value, vmc_binary(&body, "arith.muli", zeros[k], block->args[sum_at[k]]));
    return yield_one(generic, &body, value);
}

/* ---- pass -------------------------------------------------------------------------------- */

static void split(Context *ctx, Op *op)
{
    Split s = {.m = {.ctx = ctx, .op = op}};
    Structured *st = &s.m.s;
    if (!vmc_structured(ctx, op, st) || !st->body || op->nresults != 1 || st->body->nargs != op->noperands)
        return;
    for (uint32_t k = 0; k < op->noperands; k++)
        if (vmc_structured_operand(st, k)->type->kind == TYPE_MEMREF)
            return;
    for (const Op *inner = st->body->first; inner != vmc_terminator(st->body); inner = inner->next)
        s.m.nops++;
    if (!match_body(&s) || !place_loops(&s) || (s.factors[0].zero && !can_sum(&s, (uint32_t)s.factors[1].operand)) ||
        (s.factors[1].zero && !can_sum(&s, (uint32_t)s.factors[0].operand)))
        return;
    s.b = vmc_before(ctx, op);
    s.b.loc = op->loc;
    s.rename = ARENA_ARRAY(&ctx->arena, const AffineExpr *, st->nloops + 1);
    Value *result = correct(&s, plain_product(&s));
    vmc_replace_op(op, &result);
}

bool vmc_pass_split_zero_points(PassContext *pc)
{
    OpList generics = vmc_open_generics(pc->ctx);
    for (size_t i = 0; i < generics.n; i++)
        split(pc->ctx, generics.at[i]);
    return true;
}
