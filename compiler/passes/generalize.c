/* Named linalg ops and compound tensor and memref ops become generic ones: after it the tensor ops are those that bufferization
 * knows, and every structured op is linalg.generic. */
#include "generalize.h"

#include "elementwise_to_linalg.h"
#include "parallel_to_loops.h"
#include "passes.h"

void vmc_replace_op(Op *op, Value *const *values)
{
    for (uint32_t i = 0; i < op->nresults; i++) {
        if (op->results[i].name && values[i]->op && !values[i]->name)
            values[i]->name = op->results[i].name;
        vmc_replace_uses(&op->results[i], values[i]);
    }
    vmc_op_erase(op);
}

/* A scalar that a fill converts is converted once, in front of it. */
static Value *converted_fill_value(Builder *b, const Structured *s)
{
    Value *scalar = vmc_structured_operand(s, 0);
    const Type *elem = vmc_structured_operand(s, 1)->type->elem;
    return vmc_structured_is_scalar(s, 0) ? vmc_linalg_cast(b, scalar, elem, false) : NULL;
}

static bool generalize_structured(Context *ctx, Op *op)
{
    Structured s;
    if (!vmc_structured(ctx, op, &s) || !s.body) {
        vmc_error(&ctx->diag, op->pos, "'%s' op is not a well-formed structured op", op->name);
        return false;
    }
    Builder b = vmc_before(ctx, op);
    b.loc = op->loc;
    Value **operands = ARENA_ARRAY(&ctx->arena, Value *, op->noperands + 1),
          **results = ARENA_ARRAY(&ctx->arena, Value *, op->nresults + 1);
    for (uint32_t k = 0; k < op->noperands; k++)
        operands[k] = vmc_structured_operand(&s, k);
    Value *filled = vmc_is(op, "linalg.fill") ? converted_fill_value(&b, &s) : NULL;
    if (filled)
        operands[0] = filled;
    Op *generic = vmc_build_generic(&b, s.nins, operands, s.nouts, operands + s.nins, s.maps, s.nloops, s.loops);
    Block *body = vmc_entry(generic, 0);
    Builder inner = vmc_at_end(ctx, body, op->pos);
    if (filled) {
        vmc_build_yield(&inner, "linalg.yield", 1, &body->args[0]);
    } else {
        for (uint32_t k = 0; k < s.body->nargs; k++)
            body->args[k]->name = s.body->args[k]->name;
        Op *yield = vmc_inline_block(&inner, s.body, body->args);
        vmc_op_unlink(yield);
        vmc_op_append(body, yield);
    }
    for (uint32_t k = 0; k < op->nresults; k++)
        results[k] = &generic->results[k];
    vmc_replace_op(op, results);
    return true;
}

typedef struct Row {
    const char *name;
    bool (*expand)(Context *ctx, Op *op);
} Row;

static const Row rows[] = {
    {"linalg.init_tensor", vmc_expand_init_tensor},
    {"linalg.softmax", vmc_expand_softmax},
    {"linalg.winograd_filter_transform", vmc_expand_linalg_winograd},
    {"linalg.winograd_input_transform", vmc_expand_linalg_winograd},
    {"linalg.winograd_output_transform", vmc_expand_linalg_winograd},
    {"tensor.pad", vmc_expand_pad},
    {"tensor.generate", vmc_expand_generate},
    {"tensor.splat", vmc_expand_splat},
    {"tensor.concat", vmc_expand_concat},
    {"tensor.gather", vmc_expand_gather},
    {"tensor.scatter", vmc_expand_scatter},
    {"tensor.pack", vmc_expand_pack},
    {"tensor.unpack", vmc_expand_unpack},
    {"flow.tensor.reshape", vmc_expand_flow_reshape},
    {"flow.tensor.bitcast", vmc_expand_flow_bitcast},
    {"memref.atomic_rmw", vmc_expand_atomic_rmw},
    {"memref.generic_atomic_rmw", vmc_expand_generic_atomic_rmw},
    {"memref.realloc", vmc_expand_realloc},
    {"memref.assume_alignment", vmc_expand_assume_alignment},
    {"memref.prefetch", vmc_expand_prefetch},
    {"bufferization.clone", vmc_expand_clone},
    {"bufferization.dealloc", vmc_expand_dealloc},
};

static const Row *find_row(const Op *op)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (vmc_is(op, rows[i].name))
            return &rows[i];
    return NULL;
}

typedef struct Collector {
    Arena *arena;
    VEC(Op *) ops; /* innermost first */
} Collector;

static bool is_candidate(const Op *op)
{
    if (vmc_has_trait(op, TRAIT_STRUCTURED))
        return !vmc_is(op, "linalg.generic");
    if (vmc_is(op, "scf.forall"))
        return op->nresults != 0;
    return find_row(op) || vmc_is_ext(op) || vmc_is_tensor_elementwise(op);
}

static bool collect(Op *op, void *user)
{
    Collector *c = user;
    if (is_candidate(op))
        VEC_PUSH(c->arena, &c->ops, op);
    return true;
}

bool vmc_pass_generalize(PassContext *pc)
{
    Context *ctx = pc->ctx;
    Collector c = {.arena = &ctx->arena};
    bool ok = true;
    vmc_walk_post(ctx->module, collect, &c);
    for (size_t i = 0; i < c.ops.n; i++) {
        Op *op = c.ops.at[i];
        const Row *row = find_row(op);
        if (row)
            ok &= row->expand(ctx, op);
        else if (vmc_has_trait(op, TRAIT_STRUCTURED))
            ok &= generalize_structured(ctx, op);
        else if (vmc_is_ext(op))
            ok &= vmc_expand_ext(ctx, op);
        else if (vmc_is(op, "scf.forall"))
            ok &= vmc_parallel_to_loops(ctx, op);
        else
            ok &= vmc_elementwise_to_linalg(ctx, op);
    }
    return ok;
}
