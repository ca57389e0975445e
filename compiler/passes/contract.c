/* --fp=contract: products and sums become fused, by one rule that reads the program as it was written.
 *
 * An addf or subf with an operand that is a mulf of the same block and type with no other use (the left
 * one if both are) becomes math.fma: a*b + c, fma(a, b, -c) for a*b - c, fma(-a, b, c) for c - a*b.
 * This is the first rewrite; no later pass makes or splits an fma, so results are the same at every -O.
 */
#include "passes.h"

/* The mulf that operand i may be fused with, or NULL. */
static Op *product_of(const Op *op, uint32_t i)
{
    Value *value = op->operands[i].value;
    Op *product = value->op;
    if (!product || !vmc_is(product, "arith.mulf") || product->parent != op->parent || value->type != op->results[0].type)
        return NULL;
    return value->uses && !value->uses->next ? product : NULL;
}

static Value *negated(Builder *b, Value *value)
{
    return vmc_build1(b, "arith.negf", value->type, 1, &value);
}

static bool fuse(Op *op, void *user)
{
    Context *ctx = user;
    bool is_sub = vmc_is(op, "arith.subf");
    if (!is_sub && !vmc_is(op, "arith.addf"))
        return true;
    uint32_t side = 0;
    Op *product = product_of(op, 0);
    if (!product) {
        product = product_of(op, 1);
        side = 1;
    }
    if (!product)
        return true;
    Builder b = vmc_before(ctx, op);
    Value *a = product->operands[0].value, *c = op->operands[1 - side].value;
    if (is_sub && side == 0)
        c = negated(&b, c);
    else if (is_sub)
        a = negated(&b, a);
    Value *sum = vmc_build1(&b, "math.fma", op->results[0].type, 3, (Value *const[]){a, product->operands[1].value, c});
    sum->name = op->results[0].name;
    vmc_replace_uses(&op->results[0], sum);
    vmc_op_erase(op);
    vmc_op_erase(product);
    return true;
}

bool vmc_pass_contract(PassContext *pc)
{
    vmc_walk(pc->ctx->module, fuse, pc->ctx);
    return true;
}
