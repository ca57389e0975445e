/* Grammar of tensor.pad, pack and unpack. */
#include "hooks_buffer.h"
#include "view_grammar.h"

/* %source nofold low[..] high[..] {attrs} { region } : type to type */
bool vmc_tensor_pad_parse(Asm *p, const OpDef *def)
{
    (void)def;
    Context *ctx = asm_context(p);
    const Type *index = vmc_type_index(ctx);
    AsmOperand src;
    AsmOperands low = {0}, high = {0};
    AsmArgs none = {0};
    const Type *from, *to;
    if (!asm_operand(p, &src))
        return false;
    if (asm_try(p, "nofold"))
        asm_add_attr(p, "nofold", vmc_attr_unit(ctx));
    if (!asm_expect(p, "low") || !vmc_asm_mixed(p, "[", "]", "static_low", &low) || !asm_expect(p, "high") ||
        !vmc_asm_mixed(p, "[", "]", "static_high", &high) || !asm_region(p, &none) || !asm_attr_dict(p) ||
        !asm_colon_type(p, &from) || !asm_expect(p, "to") || !asm_type(p, &to))
        return false;
    int32_t sizes[3] = {1, (int32_t)low.n, (int32_t)high.n};
    asm_set_segments(p, 3, sizes);
    asm_add_result(p, to);
    return asm_resolve(p, &src, from) && asm_resolve_all(p, &low, index) && asm_resolve_all(p, &high, index);
}

void vmc_tensor_pad_print(Printer *p, const Op *op)
{
    static const char *const skip[] = {"static_low", "static_high", "nofold", "operandSegmentSizes", "operand_segment_sizes", NULL};
    print_str(p, " ");
    print_value(p, op->operands[0].value);
    print_str(p, vmc_get_attr(op, "nofold") ? " nofold low[" : " low[");
    vmc_print_mixed(p, op, "static_low", "low");
    print_str(p, "] high[");
    vmc_print_mixed(p, op, "static_high", "high");
    print_str(p, "] ");
    print_region(p, &op->regions[0], true, true);
    print_attr_dict(p, op, skip);
    print_str(p, " : ");
    print_type(p, op->operands[0].value->type);
    print_str(p, " to ");
    print_type(p, op->results[0].type);
}

typedef struct AsmPacking {
    AsmOperand src, dest, padding;
    bool padded;
    const Type *padding_type;
    AsmOperands tiles;
} AsmPacking;

static bool parse_packing(Asm *p, AsmPacking *out, bool pack)
{
    Context *ctx = asm_context(p);
    const Type *from, *to;
    *out = (AsmPacking){0};
    if (!asm_operand(p, &out->src))
        return false;
    if (pack && asm_try(p, "padding_value")) {
        out->padded = true;
        if (!asm_expect(p, "(") || !asm_operand(p, &out->padding) || !asm_colon_type(p, &out->padding_type) || !asm_expect(p, ")"))
            return false;
    }
    if (asm_peek(p, "outer_dims_perm") && !vmc_asm_ints_attr(p, "outer_dims_perm"))
        return false;
    if (!vmc_asm_ints_attr(p, "inner_dims_pos") || !asm_expect(p, "inner_tiles") || !asm_expect(p, "=") ||
        !vmc_asm_mixed(p, "[", "]", "static_inner_tiles", &out->tiles) || !asm_expect(p, "into") || !asm_operand(p, &out->dest) ||
        !asm_attr_dict(p) || !asm_colon_type(p, &from) || !asm_expect(p, "->") || !asm_type(p, &to))
        return false;
    int32_t sizes[4] = {1, 1, out->padded, (int32_t)out->tiles.n};
    if (pack)
        asm_set_segments(p, 4, sizes);
    asm_add_result(p, to);
    return asm_resolve(p, &out->src, from) && asm_resolve(p, &out->dest, to) &&
           (!out->padded || asm_resolve(p, &out->padding, out->padding_type)) &&
           asm_resolve_all(p, &out->tiles, vmc_type_index(ctx));
}

static void print_dims_attr(Printer *p, const Op *op, const char *name)
{
    const int64_t *values = NULL;
    const Attr *attr = vmc_get_attr(op, name);
    ptrdiff_t n = attr ? vmc_attr_ints(vmc_op_context(op), attr, &values) : 0;
    print_fmt(p, " %s = ", name);
    vmc_print_int_list(p, values, n > 0 ? (size_t)n : 0);
}

static void print_packing(Printer *p, const Op *op)
{
    static const char *const skip[] = {"outer_dims_perm",     "inner_dims_pos",        "static_inner_tiles",
                                       "operandSegmentSizes", "operand_segment_sizes", NULL};
    Value *padding = vmc_operand_named(op, "padding_value");
    const int64_t *perm = NULL;
    const Attr *outer = vmc_get_attr(op, "outer_dims_perm");
    print_str(p, " ");
    print_value(p, op->operands[0].value);
    if (padding) {
        print_str(p, " padding_value(");
        print_value(p, padding);
        print_str(p, " : ");
        print_type(p, padding->type);
        print_str(p, ")");
    }
    if (outer && vmc_attr_ints(vmc_op_context(op), outer, &perm) > 0)
        print_dims_attr(p, op, "outer_dims_perm");
    print_dims_attr(p, op, "inner_dims_pos");
    print_str(p, " inner_tiles = [");
    vmc_print_mixed(p, op, "static_inner_tiles", "inner_tiles");
    print_str(p, "] into ");
    print_value(p, op->operands[1].value);
    print_attr_dict(p, op, skip);
    print_str(p, " : ");
    print_type(p, op->operands[0].value->type);
    print_str(p, " -> ");
    print_type(p, op->operands[1].value->type);
}

bool vmc_tensor_pack_parse(Asm *p, const OpDef *def)
{
    AsmPacking packing;
    (void)def;
    return parse_packing(p, &packing, true);
}

bool vmc_tensor_unpack_parse(Asm *p, const OpDef *def)
{
    AsmPacking packing;
    (void)def;
    return parse_packing(p, &packing, false);
}

void vmc_tensor_pack_print(Printer *p, const Op *op)
{
    print_packing(p, op);
}

void vmc_tensor_unpack_print(Printer *p, const Op *op)
{
    print_packing(p, op);
}
