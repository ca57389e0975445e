/* scf.parallel and scf.forall as scf.for nests in row-major order. */
#include "parallel_to_loops.h"

#include "../dialects/shapes.h"
#include "builders.h"

typedef struct Nest {
    uint32_t n;
    Value **lower, **upper, **step, **ivs;
    uint32_t ncarried;
    Value **carried; /* inits, then the innermost body's arguments */
    Value **results; /* of the outermost loop, the inits where there is none */
} Nest;

/* Opens the loops: *b moves into the innermost body, which has no terminator then. */
static void open_nest(Builder *b, Nest *nest, const Op *parallel)
{
    Context *ctx = b->ctx;
    Op *outer = NULL, *outermost = NULL;
    for (uint32_t k = 0; k < nest->ncarried; k++)
        nest->results[k] = nest->carried[k];
    for (uint32_t i = 0; i < nest->n; i++) {
        Op *loop = vmc_build_for(b, nest->lower[i], nest->upper[i], nest->step[i], nest->ncarried, nest->carried);
        Block *body = vmc_entry(loop, 0);
        nest->ivs[i] = body->args[0];
        Value **values = ARENA_ARRAY(&ctx->arena, Value *, nest->ncarried + 1);
        for (uint32_t k = 0; k < nest->ncarried; k++) {
            values[k] = &loop->results[k];
            nest->carried[k] = body->args[1 + k];
            if (!outer)
                nest->results[k] = values[k];
        }
        if (outer)
            vmc_build_yield(b, "scf.yield", nest->ncarried, values);
        outer = loop;
        outermost = outermost ? outermost : loop;
        *b = vmc_at_end(ctx, body, b->pos);
    }
    vmc_mark_nest(ctx, parallel, outermost, outer);
}

static void close_nest(Builder *b, Nest *nest)
{
    if (nest->n)
        vmc_build_yield(b, "scf.yield", nest->ncarried, nest->carried);
    else
        memcpy(nest->results, nest->carried, nest->ncarried * sizeof *nest->results);
}

static void new_nest(Context *ctx, Nest *nest, uint32_t n, uint32_t ncarried)
{
    *nest = (Nest){.n = n, .ncarried = ncarried};
    nest->lower = ARENA_ARRAY(&ctx->arena, Value *, n + 1);
    nest->upper = ARENA_ARRAY(&ctx->arena, Value *, n + 1);
    nest->step = ARENA_ARRAY(&ctx->arena, Value *, n + 1);
    nest->ivs = ARENA_ARRAY(&ctx->arena, Value *, n + 1);
    nest->carried = ARENA_ARRAY(&ctx->arena, Value *, ncarried + 1);
    nest->results = ARENA_ARRAY(&ctx->arena, Value *, ncarried + 1);
}

static void finish(Op *op, const Nest *nest)
{
    for (uint32_t k = 0; k < op->nresults; k++) {
        if (nest->results[k]->op && !nest->results[k]->name)
            nest->results[k]->name = op->results[k].name;
        vmc_replace_uses(&op->results[k], nest->results[k]);
    }
    vmc_op_erase(op);
}

static bool lower_parallel(Context *ctx, Op *op)
{
    OperandRange lower = vmc_operand_group(op, "lowerBound"), upper = vmc_operand_group(op, "upperBound");
    OperandRange step = vmc_operand_group(op, "step"), inits = vmc_operand_group(op, "initVals");
    Builder b = vmc_before(ctx, op);
    Nest nest;
    new_nest(ctx, &nest, lower.count, inits.count);
    for (uint32_t i = 0; i < lower.count; i++) {
        nest.lower[i] = op->operands[lower.first + i].value;
        nest.upper[i] = op->operands[upper.first + i].value;
        nest.step[i] = op->operands[step.first + i].value;
    }
    for (uint32_t k = 0; k < inits.count; k++)
        nest.carried[k] = op->operands[inits.first + k].value;
    open_nest(&b, &nest, op);
    Op *reduce = vmc_inline_block(&b, vmc_entry(op, 0), nest.ivs);
    for (uint32_t k = 0; k < inits.count && k < reduce->nregions; k++) {
        Value *pair[2] = {nest.carried[k], reduce->operands[k].value};
        nest.carried[k] = vmc_inline_block(&b, vmc_entry(reduce, k), pair)->operands[0].value;
    }
    close_nest(&b, &nest);
    finish(op, &nest);
    return true;
}

/* Leaves in Op.data of each insertion of the terminator the number of the shared result that it writes. */
static bool number_insertions(Context *ctx, Op *forall, const Block *body, uint32_t nivs)
{
    Block *inserts = vmc_entry(body->last, 0);
    for (Op *op = inserts ? inserts->first : NULL; op; op = op->next) {
        if (!vmc_is(op, "tensor.parallel_insert_slice")) {
            vmc_error(&ctx->diag, op->pos, "'%s' op has no loop form inside of '%s'", op->name, forall->name);
            return false;
        }
        const Value *dest = op->operands[1].value;
        if (dest->block != body || dest->index < nivs) {
            vmc_error(&ctx->diag, op->pos, "'%s' op expected a shared result as its destination", op->name);
            return false;
        }
        op->data = (void *)(uintptr_t)(dest->index - nivs);
    }
    return true;
}

/* What the terminator puts into the shared results, one insertion after the other. */
static void insert_slices(Builder *b, Op *terminator, Nest *nest)
{
    Block *inserts = vmc_entry(terminator, 0);
    for (Op *op = inserts ? inserts->first : NULL; op; op = op->next) {
        uintptr_t k = (uintptr_t)op->data;
        Value **operands = ARENA_ARRAY(&b->ctx->arena, Value *, op->noperands);
        for (uint32_t i = 0; i < op->noperands; i++)
            operands[i] = op->operands[i].value;
        operands[1] = nest->carried[k];
        b->pos = op->pos;
        Op *insert =
            vmc_build(b, "tensor.insert_slice", op->noperands, operands, 1, &nest->carried[k]->type, op->nattrs, op->attrs, 0);
        nest->carried[k] = &insert->results[0];
    }
}

static bool lower_forall(Context *ctx, Op *op)
{
    MixedList lower, upper, step;
    Nest nest;
    OperandRange outs = vmc_operand_group(op, "outs");
    if (!vmc_mixed_list(ctx, op, "staticLowerBound", "dynamicLowerBound", &lower) ||
        !vmc_mixed_list(ctx, op, "staticUpperBound", "dynamicUpperBound", &upper) ||
        !vmc_mixed_list(ctx, op, "staticStep", "dynamicStep", &step) || lower.n != upper.n || step.n != upper.n) {
        vmc_error(&ctx->diag, op->pos, "'scf.forall' op bounds do not fit together");
        return false;
    }
    Builder b = vmc_before(ctx, op);
    Block *body = vmc_entry(op, 0);
    if (!number_insertions(ctx, op, body, upper.n))
        return false;
    new_nest(ctx, &nest, upper.n, outs.count);
    for (uint32_t i = 0; i < upper.n; i++) {
        nest.lower[i] = vmc_mixed_value(&b, op, &lower, i);
        nest.upper[i] = vmc_mixed_value(&b, op, &upper, i);
        nest.step[i] = vmc_mixed_value(&b, op, &step, i);
    }
    for (uint32_t k = 0; k < outs.count; k++)
        nest.carried[k] = op->operands[outs.first + k].value;
    open_nest(&b, &nest, op);
    Value **args = ARENA_ARRAY(&ctx->arena, Value *, upper.n + outs.count + 1);
    for (uint32_t i = 0; i < upper.n; i++)
        args[i] = nest.ivs[i];
    for (uint32_t k = 0; k < outs.count; k++)
        args[upper.n + k] = nest.carried[k];
    insert_slices(&b, vmc_inline_block(&b, body, args), &nest);
    close_nest(&b, &nest);
    finish(op, &nest);
    return true;
}

bool vmc_parallel_to_loops(Context *ctx, Op *op)
{
    return vmc_is(op, "scf.parallel") ? lower_parallel(ctx, op) : lower_forall(ctx, op);
}
