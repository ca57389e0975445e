/* Grammar and checks of the cf dialect. */
#include "../syntax/asm.h"
#include "hooks.h"

bool vmc_br_parse(Asm *p, const OpDef *def)
{
    (void)def;
    return asm_successor(p) && asm_attr_dict(p);
}

void vmc_br_print(Printer *p, const Op *op)
{
    print_str(p, " ");
    print_successor(p, &op->successors[0], op);
    print_attr_dict(p, op, (const char *const[]){NULL});
}

/* `weights([1, 2])`, as array<i32: ..>. */
static bool parse_weights(Asm *p)
{
    Context *ctx = asm_context(p);
    const Attr *list;
    const int64_t *values;
    if (!asm_try(p, "weights"))
        return true;
    SrcPos pos = asm_pos(p);
    if (!asm_expect(p, "(") || !asm_attr(p, NULL, &list) || !asm_expect(p, ")"))
        return false;
    ptrdiff_t n = vmc_attr_ints(ctx, list, &values);
    if (n < 0)
        return asm_error(p, pos, "expected a list of integers as weights");
    uint8_t *data = vmc_arena_alloc(asm_arena(p), 4 * (size_t)n + 1);
    for (size_t i = 0; i < 4 * (size_t)n; i++)
        data[i] = (uint8_t)((uint64_t)values[i / 4] >> 8 * (i % 4));
    asm_add_attr(p, "branch_weights", vmc_attr_dense_array(ctx, vmc_type_int(ctx, 32, SIGNLESS), data, 4 * (size_t)n));
    return true;
}

bool vmc_cond_br_parse(Asm *p, const OpDef *def)
{
    (void)def;
    AsmOperand condition;
    return asm_operand(p, &condition) && asm_resolve(p, &condition, vmc_type_int(asm_context(p), 1, SIGNLESS)) &&
           parse_weights(p) && asm_expect(p, ",") && asm_successor(p) && asm_expect(p, ",") && asm_successor(p) && asm_attr_dict(p);
}

void vmc_cond_br_print(Printer *p, const Op *op)
{
    print_str(p, " ");
    print_value(p, op->operands[0].value);
    print_str(p, ", ");
    print_successor(p, &op->successors[0], op);
    print_str(p, ", ");
    print_successor(p, &op->successors[1], op);
    print_attr_dict(p, op, (const char *const[]){"operandSegmentSizes", "operand_segment_sizes", NULL});
}

typedef VEC(int64_t) CaseValues;

static bool parse_cases(Asm *p, const Type *type, CaseValues *values)
{
    if (!asm_expect(p, "[") || !asm_expect(p, "default") || !asm_expect(p, ":") || !asm_successor(p))
        return false;
    (void)type;
    while (asm_try(p, ",")) {
        int64_t value;
        if (!asm_integer(p, &value) || !asm_expect(p, ":") || !asm_successor(p))
            return false;
        VEC_PUSH(asm_arena(p), values, value);
    }
    return asm_expect(p, "]");
}

static const Attr *case_values(Asm *p, const Type *type, const CaseValues *values)
{
    Context *ctx = asm_context(p);
    size_t width = (size_t)vmc_elem_bytes(type);
    int64_t n = (int64_t)values->n;
    uint8_t *data = vmc_arena_alloc(asm_arena(p), width * values->n + 1);
    uint64_t mask = type->width < 8 ? (UINT64_C(1) << type->width) - 1 : UINT64_MAX;
    for (size_t i = 0; i < values->n; i++)
        for (size_t k = 0; k < width; k++)
            data[i * width + k] = (uint8_t)(((uint64_t)values->at[i] & mask) >> 8 * k);
    return vmc_attr_dense(ctx, vmc_type_vector(ctx, 1, &n, NULL, type), data, width * values->n, false, true);
}

bool vmc_switch_parse(Asm *p, const OpDef *def)
{
    (void)def;
    AsmOperand flag;
    const Type *type;
    CaseValues values = {0};
    if (!asm_operand(p, &flag))
        return false;
    SrcPos pos = asm_pos(p);
    if (!asm_colon_type(p, &type) || !asm_resolve(p, &flag, type))
        return false;
    if (type->kind != TYPE_INT || type->width > 64)
        return asm_error(p, pos, "the flag of 'cf.switch' must be an integer of at most 64 bits");
    if (!asm_expect(p, ",") || !parse_cases(p, type, &values))
        return false;
    if (values.n)
        asm_add_attr(p, "case_values", case_values(p, type, &values));
    return asm_attr_dict(p);
}

void vmc_switch_print(Printer *p, const Op *op)
{
    const Attr *values = vmc_get_attr(op, "case_values");
    const Type *type = op->operands[0].value->type;
    print_str(p, " ");
    print_value(p, op->operands[0].value);
    print_str(p, " : ");
    print_type(p, type);
    print_str(p, ", [");
    size_t width = (size_t)vmc_elem_bytes(type);
    for (uint32_t i = 0; i < op->nsuccessors; i++) {
        print_newline(p);
        if (i == 0) {
            print_str(p, "  default: ");
        } else {
            const uint8_t *data = values ? (const uint8_t *)values->data + (values->splat ? 0 : (i - 1) * width) : NULL;
            uint64_t v = 0;
            for (size_t k = width; data && k-- > 0;)
                v = v << 8 | data[k];
            uint32_t shift = type->width < 64 ? 64 - type->width : 0;
            print_fmt(p, "  %lld: ", (long long)((int64_t)(v << shift) >> shift));
        }
        print_successor(p, &op->successors[i], op);
        print_str(p, i + 1 < op->nsuccessors ? "," : "");
    }
    print_newline(p);
    print_str(p, "]");
    print_attr_dict(
        p, op, (const char *const[]){"case_values", "case_operand_segments", "operandSegmentSizes", "operand_segment_sizes", NULL});
}

/* As many successors as there are lists of operands for them. */
bool vmc_br_verify(Context *ctx, Op *op)
{
    uint32_t want = 0;
    for (uint32_t i = 0; i < op->def->noperands; i++)
        want += op->def->operands[i].arity == ARITY_VARIADIC;
    return op->nsuccessors == want || vmc_op_error(ctx, op, "has %u successors, expected %u", op->nsuccessors, want);
}

bool vmc_switch_verify(Context *ctx, Op *op)
{
    const Attr *values = vmc_get_attr(op, "case_values");
    int64_t n = 0;
    if (values &&
        (values->kind != ATTR_DENSE || values->type->elem != op->operands[0].value->type || !vmc_num_elements(values->type, &n))) {
        vmc_error(&ctx->diag, op->pos, "the case values of 'cf.switch' must be elements of the flag's type");
        return false;
    }
    if (op->nsuccessors == 0 || n != (int64_t)op->nsuccessors - 1) {
        vmc_error(&ctx->diag, op->pos, "'cf.switch' has %lld case values and %u successors; the first successor is the default",
                  (long long)n, op->nsuccessors);
        return false;
    }
    return true;
}
