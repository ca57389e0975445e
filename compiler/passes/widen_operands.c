/* Operands of reductions whose integers are narrower than a byte become bytes in front of them: the kernels of products and sums
 * read whole elements.  One trip through the operand, where the loop nest would widen each element anew in every turn.
 */
#include "generalize.h"
#include "passes.h"

/* All uses of the argument widen it the same way. */
static const char *widening_of(const Value *arg)
{
    const char *name = NULL;
    for (const Use *use = arg->uses; use; use = use->next) {
        const Op *op = use->owner;
        if ((!vmc_is(op, "arith.extsi") && !vmc_is(op, "arith.extui")) || (name && strcmp(name, op->name) != 0))
            return NULL;
        if (op->results[0].type->kind != TYPE_INT || op->results[0].type->width <= 8)
            return NULL;
        name = op->name;
    }
    return name;
}

static bool is_narrow(const Type *type)
{
    return type->kind == TYPE_TENSOR && type->elem->kind == TYPE_INT && type->elem->width > 1 && type->elem->width < 8;
}

static Value *as_bytes(Builder *b, Value *operand, const char *widening)
{
    Context *ctx = b->ctx;
    const Type *from = operand->type, *byte = vmc_type_int(ctx, 8, SIGNLESS);
    const AffineMap *map = vmc_affine_identity(ctx, from->rank);
    Value *out = vmc_empty_tensor(b, vmc_type_tensor(ctx, from->rank, from->dims, byte, NULL), vmc_sizes_of(b, operand));
    Builder body;
    Op *generic = vmc_build_map(b, 1, &operand, &map, out, &body);
    Value *wide = vmc_build1(&body, widening, byte, 1, &vmc_entry(generic, 0)->args[0]);
    vmc_build_yield(&body, "linalg.yield", 1, &wide);
    return &generic->results[0];
}

static void widen(Context *ctx, Op *op)
{
    Structured s;
    if (!vmc_structured(ctx, op, &s) || !s.body || op->nresults != s.nouts || s.body->nargs != op->noperands ||
        vmc_structured_is_parallel(&s))
        return;
    for (uint32_t k = 0; k < s.nins; k++) {
        Value *operand = vmc_structured_operand(&s, k), *arg = s.body->args[k];
        const char *widening = is_narrow(operand->type) ? widening_of(arg) : NULL;
        if (!widening)
            continue;
        Builder b = vmc_before(ctx, op);
        b.loc = op->loc;
        Value *bytes = as_bytes(&b, operand, widening);
        vmc_set_operand(op, k, bytes);
        arg->type = bytes->type->elem;
    }
}

bool vmc_pass_widen_operands(PassContext *pc)
{
    OpList generics = vmc_open_generics(pc->ctx);
    for (size_t i = 0; i < generics.n; i++)
        widen(pc->ctx, generics.at[i]);
    return true;
}
