/* Temporaries share memory: the allocations of static size of a function that do not escape
 * become views of one block, at offsets such that those alive at one time do not overlap.
 *
 * An allocation reads as zero where it was not written.  Shared memory does not, so each
 * allocation that is not provably written before it is read is cleared where it stood; those
 * that are get the attribute `bufvm.written`, which spares clearing new memory as well.
 */
#include "../dialects/linalg.h"
#include "bufferize.h"
#include "lifetime.h"

typedef struct Plan {
    PassContext *pc;
    Context *ctx;
    VEC(Op *) allocs;    /* of the current function */
    uint64_t peak, live; /* statistics: largest of all functions */
} Plan;

static bool collect(Op *op, void *user)
{
    Plan *plan = user;
    if (vmc_is(op, "memref.alloc"))
        VEC_PUSH(&plan->ctx->scratch, &plan->allocs, op);
    return true;
}

/* Bodies that may run several times at once need memory of their own for each. */
static bool runs_in_parallel(const Op *op)
{
    for (op = vmc_parent_op(op); op; op = vmc_parent_op(op))
        if (vmc_is(op, "scf.parallel") || vmc_is(op, "scf.forall") || vmc_is(op, "affine.parallel") ||
            vmc_get_attr(op, "bufvm.grid") || vmc_has_trait(op, TRAIT_STRUCTURED))
            return true;
    return false;
}

/* Where the shared block is made: in front of the first op of the innermost block around all of them. */
static Op *insertion_point(const Life *lives, size_t n)
{
    Op *at = lives[0].op;
    for (size_t i = 1; i < n; i++) {
        Op *other = lives[i].op;
        while (!vmc_is_ancestor(vmc_parent_op(at), other))
            at = vmc_parent_op(at);
        while (other->parent->parent != at->parent->parent && vmc_parent_op(other) != vmc_parent_op(at))
            other = vmc_parent_op(other);
        if (other->parent == at->parent) {
            at = vmc_op_before(other, at) ? other : at;
        } else if (other->parent->parent == at->parent->parent) {
            at = at->parent->parent->first->first; /* blocks of one graph */
        } else {
            at = vmc_parent_op(at); /* different regions of one op */
        }
    }
    return at;
}

static Value *offset_value(Plan *plan, Op *at, Map *offsets, uint64_t offset)
{
    Value *v = vmc_map_ptr(offsets, (const void *)(uintptr_t)(offset + 1));
    if (!v) {
        Builder b = vmc_before(plan->ctx, at);
        v = vmc_build_index(&b, (int64_t)offset);
        vmc_map_put_ptr(offsets, (const void *)(uintptr_t)(offset + 1), v);
    }
    return v;
}

static void clear(Plan *plan, Op *at, Value *block, Value *offset, uint64_t bytes)
{
    Context *ctx = plan->ctx;
    Builder b = vmc_before(ctx, at);
    const Type *i8 = vmc_type_int(ctx, 8, SIGNLESS);
    int64_t dims[1] = {(int64_t)bytes};
    Value *operands[2] = {block, offset};
    Value *view = vmc_build1(&b, "memref.view", vmc_type_memref(ctx, 1, dims, i8, NULL, NULL), 2, operands);
    Value *zero = vmc_build_const(&b, vmc_attr_int(ctx, i8, 0), i8);
    const AffineMap *maps[2] = {vmc_affine_map(ctx, 1, 0, 0, NULL, NULL), vmc_affine_identity(ctx, 1)};
    LoopKind loop = LOOP_PARALLEL;
    Op *fill = vmc_build_generic(&b, 1, &zero, 1, &view, maps, 1, &loop);
    Block *body = vmc_entry(fill, 0);
    Builder inner = vmc_at_end(ctx, body, at->pos);
    vmc_build(&inner, "linalg.yield", 1, &body->args[0], 0, NULL, 0, NULL, 0);
}

static void share(Plan *plan, Life *lives, size_t n, uint64_t total)
{
    Context *ctx = plan->ctx;
    Op *at = insertion_point(lives, n);
    Builder b = vmc_before(ctx, at);
    int64_t dims[1] = {(int64_t)total};
    const Type *type = vmc_type_memref(ctx, 1, dims, vmc_type_int(ctx, 8, SIGNLESS), NULL, NULL);
    int32_t segments[2] = {0, 0};
    NamedAttr attrs[] = {
        {vmc_name(ctx, "alignment"), vmc_attr_i64(ctx, 64)},
        {vmc_name(ctx, "operandSegmentSizes"), vmc_buf_segments(ctx, 2, segments)},
        {vmc_name(ctx, "bufvm.written"), vmc_attr_unit(ctx)},
    };
    Value *block = &vmc_build(&b, "memref.alloc", 0, NULL, 1, &type, 3, attrs, 0)->results[0];
    block->name = "temporaries";
    Map offsets = {.arena = &ctx->scratch};
    for (size_t i = 0; i < n; i++) {
        Op *alloc = lives[i].op;
        Value *offset = offset_value(plan, at, &offsets, lives[i].offset);
        Builder here = vmc_before(ctx, alloc);
        Value *operands[2] = {block, offset};
        if (!lives[i].written)
            clear(plan, alloc, block, offset, lives[i].bytes);
        Value *view = vmc_build1(&here, "memref.view", alloc->results[0].type, 2, operands);
        view->name = alloc->results[0].name;
        vmc_replace_uses(&alloc->results[0], view);
        if (alloc != at)
            vmc_op_erase(alloc);
    }
    for (size_t i = 0; i < n; i++) /* the op that new ones were put in front of goes last */
        if (lives[i].op == at)
            vmc_op_erase(at);
}

static bool plan_function(Op *func, void *user)
{
    Plan *plan = user;
    if (!vmc_is(func, "func.func"))
        return true;
    Context *ctx = plan->ctx;
    ArenaMark mark = vmc_arena_mark(&ctx->scratch);
    uint32_t positions = vmc_number_ops(ctx, func);
    for (uint32_t r = 0; r < func->nregions; r++)
        for (Block *block = func->regions[r].first; block; block = block->next)
            for (Op *op = block->first; op; op = op->next)
                vmc_walk(op, collect, plan);
    size_t n = 0, temporaries = 0;
    Life *lives = ARENA_ARRAY(&ctx->scratch, Life, plan->allocs.n + 1);
    Life *rest = ARENA_ARRAY(&ctx->scratch, Life, plan->allocs.n + 1);
    uint64_t unshared = 0;
    for (size_t i = 0; i < plan->allocs.n; i++) {
        Life life = vmc_lifetime(ctx, plan->allocs.at[i]);
        if (life.written)
            vmc_set_attr(ctx, life.op, "bufvm.written", vmc_attr_unit(ctx));
        if (life.escapes || !life.bytes || life.op->results[0].type->space)
            continue;
        rest[temporaries++] = life;
        int64_t alignment = 0;
        if (life.deallocated || runs_in_parallel(life.op) || life.shown || (vmc_get_int(life.op, "alignment", &alignment) && alignment > 64))
            unshared += life.bytes;
        else
            lives[n++] = life;
    }
    uint64_t total = vmc_place_lives(ctx, lives, n);
    uint64_t live = vmc_live_sum(ctx, rest, temporaries, positions);
    plan->peak = total + unshared > plan->peak ? total + unshared : plan->peak;
    plan->live = live > plan->live ? live : plan->live;
    if (n > 1)
        share(plan, lives, n, total);
    plan->allocs.at = NULL;
    plan->allocs.n = plan->allocs.cap = 0;
    vmc_arena_rewind(&ctx->scratch, mark);
    return true;
}

bool vmc_pass_plan_memory(PassContext *pc)
{
    Plan plan = {.pc = pc, .ctx = pc->ctx};
    vmc_walk(pc->ctx->module, plan_function, &plan);
    if (pc->options->on_statistic) {
        pc->options->on_statistic(pc->options->user, "temporary bytes peak", plan.peak);
        pc->options->on_statistic(pc->options->user, "largest live sum", plan.live);
    }
    return pc->ctx->diag.errors == 0;
}
