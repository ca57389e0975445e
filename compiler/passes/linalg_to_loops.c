/* Structured ops that no kernel and no strip computes become scf.for nests over memref.load and memref.store, in iterator order;
 * so do parallel loops. */
#include "../dialects/linalg.h"

#include "builders.h"
#include "parallel_to_loops.h"
#include "passes.h"

typedef struct Collector {
    Arena *arena;
    VEC(Op *) ops; /* innermost first */
} Collector;

static bool collect(Op *op, void *user)
{
    Collector *c = user;
    bool claimed = vmc_get_attr(op, "bufvm.kernel") || vmc_get_attr(op, "bufvm.strip");
    if ((vmc_has_trait(op, TRAIT_STRUCTURED) && !claimed) || vmc_is(op, "scf.parallel") || vmc_is(op, "scf.forall"))
        VEC_PUSH(c->arena, &c->ops, op);
    return true;
}

typedef struct IndexUser {
    Value *const *ivs;
    Arena *arena;
    VEC(Op *) ops;
} IndexUser;

static bool collect_indices(Op *op, void *user)
{
    IndexUser *iu = user;
    if (vmc_is(op, "linalg.index"))
        VEC_PUSH(iu->arena, &iu->ops, op);
    return true;
}

/* linalg.index of the op becomes the loop's variable; those of structured ops inside are gone by then. */
static void replace_indices(Context *ctx, Op *op, Value *const *ivs)
{
    IndexUser iu = {.ivs = ivs, .arena = &ctx->arena};
    vmc_walk(op, collect_indices, &iu);
    for (size_t i = 0; i < iu.ops.n; i++) {
        int64_t dim = 0;
        vmc_get_int(iu.ops.at[i], "dim", &dim);
        vmc_replace_uses(&iu.ops.at[i]->results[0], ivs[dim]);
        vmc_op_erase(iu.ops.at[i]);
    }
}

/* Memref of operand k and its subscripts, behind `skip` free places. */
static Value **access_operands(Builder *b, const Structured *s, uint32_t k, Value *const *ivs, uint32_t skip, uint32_t *n)
{
    const AffineMap *map = s->maps[k];
    Value **operands = ARENA_ARRAY(&b->ctx->arena, Value *, map->nresults + 2);
    *n = skip;
    operands[(*n)++] = vmc_structured_operand(s, k);
    for (uint32_t r = 0; r < map->nresults; r++)
        operands[(*n)++] = vmc_affine_value(b, map->results[r], ivs, NULL);
    return operands;
}

static Value *load_operand(Builder *b, const Structured *s, uint32_t k, Value *const *ivs)
{
    uint32_t n;
    Value *value = vmc_structured_operand(s, k);
    if (vmc_structured_is_scalar(s, k))
        return value;
    Value **operands = access_operands(b, s, k, ivs, 0, &n);
    return vmc_build1(b, "memref.load", value->type->elem, n, operands);
}

static bool lower_structured(Context *ctx, Op *op)
{
    Structured s;
    if (!vmc_structured(ctx, op, &s) || !s.body || s.body->nargs != op->noperands || op->nresults) {
        vmc_error(&ctx->diag, op->pos, "'%s' op has no loop form: it needs memref operands and a body", op->name);
        return false;
    }
    if (!vmc_structured_checks(ctx, &s))
        return false;
    Builder b = vmc_before(ctx, op);
    Value **ivs = ARENA_ARRAY(&ctx->arena, Value *, s.nloops + 1), **args = ARENA_ARRAY(&ctx->arena, Value *, op->noperands + 1);
    Value **sizes = ARENA_ARRAY(&ctx->arena, Value *, s.nloops + 1);
    Value *zero = s.nloops ? vmc_build_index(&b, 0) : NULL, *one = s.nloops ? vmc_build_index(&b, 1) : NULL;
    for (uint32_t i = 0; i < s.nloops; i++)
        sizes[i] = vmc_structured_size(&b, &s, i);
    for (uint32_t i = 0; i < s.nloops; i++) {
        Op *loop = vmc_build_for(&b, zero, sizes[i], one, 0, NULL);
        Block *body = vmc_entry(loop, 0);
        Builder end = vmc_at_end(ctx, body, op->pos);
        end.loc = op->loc;
        vmc_build_yield(&end, "scf.yield", 0, NULL);
        ivs[i] = body->args[0];
        b.block = body;
        b.at = body->last;
    }
    replace_indices(ctx, op, ivs);
    for (uint32_t k = 0; k < op->noperands; k++)
        args[k] = s.body->args[k]->uses ? load_operand(&b, &s, k, ivs) : NULL;
    Op *yield = vmc_inline_block(&b, s.body, args);
    for (uint32_t k = 0; k < s.nouts; k++) {
        uint32_t n;
        Value **operands = access_operands(&b, &s, s.nins + k, ivs, 1, &n);
        operands[0] = yield->operands[k].value;
        vmc_build(&b, "memref.store", n, operands, 0, NULL, 0, NULL, 0);
    }
    vmc_op_erase(op);
    return true;
}

bool vmc_pass_linalg_to_loops(PassContext *pc)
{
    Collector c = {.arena = &pc->ctx->arena};
    bool ok = true;
    vmc_walk_post(pc->ctx->module, collect, &c);
    for (size_t i = 0; i < c.ops.n; i++) {
        Op *op = c.ops.at[i];
        ok &= vmc_has_trait(op, TRAIT_STRUCTURED) ? lower_structured(pc->ctx, op) : vmc_parallel_to_loops(pc->ctx, op);
    }
    return ok;
}
