/* What a loop computes anew in each turn from values that do not change moves in front of it: ops that never trap and have no
 * effect, out of loops and out of the bodies of structured ops.  Inner loops come first, so that a value goes as far out as it can.
 */
#include "passes.h"

static bool is_outside(const Op *loop, const Value *value)
{
    const Op *op = value->op ? value->op : value->block->parent->parent;
    return !vmc_is_ancestor(loop, op);
}

static bool is_invariant(const Op *loop, const Op *op)
{
    if (!vmc_has_trait(op, TRAIT_SPECULATABLE) || op->nregions || op->nsuccessors || !op->nresults || !op->noperands)
        return false;
    for (uint32_t i = 0; i < op->noperands; i++)
        if (!is_outside(loop, op->operands[i].value))
            return false;
    return true;
}

static bool visit(Op *loop, void *user)
{
    (void)user;
    if (!vmc_has_trait(loop, TRAIT_LOOP) && !vmc_has_trait(loop, TRAIT_STRUCTURED))
        return true;
    for (uint32_t r = 0; r < loop->nregions; r++)
        for (Block *block = loop->regions[r].first; block; block = block->next)
            for (Op *op = block->first, *next; op; op = next) {
                next = op->next;
                if (!is_invariant(loop, op))
                    continue;
                vmc_op_unlink(op);
                vmc_op_insert_before(op, loop);
            }
    return true;
}

bool vmc_pass_hoist_invariants(PassContext *pc)
{
    vmc_walk_post(pc->ctx->module, visit, NULL);
    return true;
}
