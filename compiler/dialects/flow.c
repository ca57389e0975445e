/* Checks of flow.tensor ops.  What they become stands in passes/lower_input.c and passes/expand_flow.c. */
#include "../syntax/asm.h"
#include "hooks.h"
#include "shapes.h"

bool vmc_flow_constant_infer(Asm *p, const OpDef *def)
{
    const Attr *value = asm_get_attr(p, "value");
    if (!value || !value->type)
        return asm_error(p, asm_op_pos(p), "'%s' needs a value with a type", def->name);
    asm_add_result(p, value->type);
    return true;
}

bool vmc_flow_constant_verify(Context *ctx, Op *op)
{
    const Attr *value = vmc_get_attr(op, "value");
    const Type *from = value->type, *to = op->results[0].type;
    bool elements = value->kind == ATTR_DENSE || value->kind == ATTR_RESOURCE;
    if (elements && from && from->kind == TYPE_TENSOR && from->elem == to->elem && vmc_shapes_compatible(from, to))
        return true;
    vmc_error(&ctx->diag, op->pos, "the value of '%s' must have the element type and a shape of the result", op->name);
    return false;
}

static bool dims_given(Context *ctx, const Op *op, const Type *type, const char *group)
{
    uint32_t dynamic = 0, given = vmc_operand_group(op, group).count;
    for (uint32_t i = 0; i < type->rank; i++)
        dynamic += type->dims[i] == VMC_DYNAMIC;
    if (dynamic != given)
        vmc_error(&ctx->diag, op->pos, "'%s' has %u dynamic dimensions, but %u sizes for them", op->name, dynamic, given);
    return dynamic == given;
}

bool vmc_flow_cast_verify(Context *ctx, Op *op)
{
    const Type *from = op->operands[0].value->type, *to = op->results[0].type;
    if (vmc_is(op, "flow.tensor.tie_shape"))
        return dims_given(ctx, op, to, "dynamic_dims");
    if (vmc_is(op, "flow.tensor.reshape") && from->elem != to->elem) {
        vmc_error(&ctx->diag, op->pos, "'%s' does not change the element type", op->name);
        return false;
    }
    return dims_given(ctx, op, from, "source_dims") && dims_given(ctx, op, to, "result_dims");
}
