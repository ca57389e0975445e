/* What a loop computes anew in each turn from values that do not change moves in front of it: ops that never trap and have no
 * effect, out of loops and out of the bodies of structured ops, as far as no loop around makes one of their operands.  Nothing
 * leaves another op with regions: a branch that is not taken costs nothing.
 *
 * One walk in program order: what an op uses has moved before the op is looked at, so that each goes to its place at once.
 */
#include "passes.h"

typedef struct Nest {
    Context *ctx;
    VEC(Op *) loops; /* around the op that is looked at, outermost first */
    size_t floor;    /* as many of them are around another op that nothing leaves */
} Nest;

/* Block.data: how many loops are around the block. */
static size_t depth_of(const Value *value)
{
    const Block *block = value->op ? value->op->parent : value->block;
    return (size_t)(uintptr_t)block->data;
}

static void hoist(Nest *nest, Op *op)
{
    size_t depth = nest->floor;
    if (!vmc_has_trait(op, TRAIT_SPECULATABLE) || op->nsuccessors || !op->nresults || !op->noperands)
        return;
    for (uint32_t i = 0; i < op->noperands; i++) {
        size_t made = depth_of(op->operands[i].value);
        depth = made > depth ? made : depth;
    }
    if (depth >= nest->loops.n)
        return;
    vmc_op_unlink(op);
    vmc_op_insert_before(op, nest->loops.at[depth]);
}

static void visit(Nest *nest, Op *op)
{
    size_t floor = nest->floor;
    bool loop = vmc_has_trait(op, TRAIT_LOOP) || vmc_has_trait(op, TRAIT_STRUCTURED);
    if (loop)
        VEC_PUSH(&nest->ctx->scratch, &nest->loops, op);
    else
        nest->floor = nest->loops.n;
    for (uint32_t r = 0; r < op->nregions; r++)
        for (Block *block = op->regions[r].first; block; block = block->next)
            block->data = (void *)(uintptr_t)nest->loops.n;
    for (uint32_t r = 0; r < op->nregions; r++)
        for (Block *block = op->regions[r].first; block; block = block->next)
            for (Op *inner = block->first, *next; inner; inner = next) {
                next = inner->next;
                if (inner->nregions)
                    visit(nest, inner);
                else
                    hoist(nest, inner);
            }
    if (loop)
        nest->loops.n--;
    nest->floor = floor;
}

bool vmc_pass_hoist_invariants(PassContext *pc)
{
    Nest nest = {.ctx = pc->ctx};
    ArenaMark mark = vmc_arena_mark(&pc->ctx->scratch);
    visit(&nest, pc->ctx->module);
    vmc_arena_rewind(&pc->ctx->scratch, mark);
    return true;
}
