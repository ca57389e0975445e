/* Grammar of slices and reshapes: what memref and tensor ops share. */
#include "view_grammar.h"

#include "hooks_buffer.h"

const char *const vmc_slice_attrs[] = {"static_offsets",      "static_sizes",          "static_strides",
                                       "operandSegmentSizes", "operand_segment_sizes", NULL};

bool vmc_asm_mixed(Asm *p, const char *open, const char *close, const char *static_name, AsmOperands *operands)
{
    int64_t *statics = NULL;
    size_t n = 0;
    if (!asm_dynamic_index_list(p, open, close, &statics, &n, operands))
        return false;
    asm_add_attr(p, static_name, vmc_attr_i64_array(asm_context(p), n, statics));
    return true;
}

bool vmc_asm_slice(Asm *p, AsmSlice *out)
{
    *out = (AsmSlice){0};
    return vmc_asm_mixed(p, "[", "]", "static_offsets", &out->offsets) && vmc_asm_mixed(p, "[", "]", "static_sizes", &out->sizes) &&
           vmc_asm_mixed(p, "[", "]", "static_strides", &out->strides);
}

bool vmc_asm_slice_resolve(Asm *p, const AsmSlice *slice)
{
    const Type *index = vmc_type_index(asm_context(p));
    return asm_resolve_all(p, &slice->offsets, index) && asm_resolve_all(p, &slice->sizes, index) &&
           asm_resolve_all(p, &slice->strides, index);
}

bool vmc_asm_int_list(Asm *p, int64_t **values, size_t *n)
{
    VEC(int64_t) list = {0};
    int64_t value;
    if (!asm_expect(p, "["))
        return false;
    if (!asm_try(p, "]")) {
        do {
            if (!asm_integer(p, &value))
                return false;
            VEC_PUSH(asm_arena(p), &list, value);
        } while (asm_try(p, ","));
        if (!asm_expect(p, "]"))
            return false;
    }
    *values = list.at;
    *n = list.n;
    return true;
}

bool vmc_asm_ints_attr(Asm *p, const char *name)
{
    int64_t *values;
    size_t n;
    if (!asm_expect(p, name) || !asm_expect(p, "=") || !vmc_asm_int_list(p, &values, &n))
        return false;
    asm_add_attr(p, name, vmc_attr_i64_array(asm_context(p), n, values));
    return true;
}

void vmc_print_int_list(Printer *p, const int64_t *values, size_t n)
{
    print_str(p, "[");
    for (size_t i = 0; i < n; i++)
        print_fmt(p, "%s%lld", i ? ", " : "", (long long)values[i]);
    print_str(p, "]");
}

void vmc_print_mixed(Printer *p, const Op *op, const char *static_name, const char *operands_name)
{
    MixedList list;
    if (vmc_mixed_list(vmc_op_context(op), op, static_name, operands_name, &list))
        print_dynamic_index_list(p, list.statics, list.n, op->operands + list.first);
}

void vmc_print_slice(Printer *p, const Op *op)
{
    static const char *const lists[3][2] = {
        {"static_offsets", "offsets"}, {"static_sizes", "sizes"}, {"static_strides", "strides"}};
    for (int i = 0; i < 3; i++) {
        print_str(p, i ? " [" : "[");
        vmc_print_mixed(p, op, lists[i][0], lists[i][1]);
        print_str(p, "]");
    }
}

/* ---- expand_shape, collapse_shape ------------------------------------------- */

static bool parse_reassociation(Asm *p)
{
    Context *ctx = asm_context(p);
    VEC(const Attr *) groups = {0};
    if (!asm_expect(p, "["))
        return false;
    if (!asm_try(p, "]")) {
        do {
            int64_t *dims;
            size_t n;
            if (!vmc_asm_int_list(p, &dims, &n))
                return false;
            const Attr **entries = ARENA_ARRAY(asm_arena(p), const Attr *, n + 1);
            for (size_t i = 0; i < n; i++)
                entries[i] = vmc_attr_i64(ctx, dims[i]);
            VEC_PUSH(asm_arena(p), &groups, vmc_attr_array(ctx, n, entries));
        } while (asm_try(p, ","));
        if (!asm_expect(p, "]"))
            return false;
    }
    asm_add_attr(p, "reassociation", vmc_attr_array(ctx, groups.n, groups.at));
    return true;
}

static void print_reassociation(Printer *p, const Op *op)
{
    const Attr *groups = vmc_get_attr(op, "reassociation");
    print_str(p, " [");
    for (size_t g = 0; groups && groups->kind == ATTR_ARRAY && g < groups->n; g++) {
        const int64_t *dims = NULL;
        ptrdiff_t n = vmc_attr_ints(vmc_op_context(op), groups->elems[g], &dims);
        print_str(p, g ? ", " : "");
        vmc_print_int_list(p, dims, n > 0 ? (size_t)n : 0);
    }
    print_str(p, "]");
}

/* The sizes of an expanded shape without output_shape: at most one dynamic dim a group, so they follow; see the verifier. */
bool vmc_expand_shape_parse(Asm *p, const OpDef *def)
{
    (void)def;
    AsmOperand src;
    AsmOperands sizes = {0};
    const Type *from, *to;
    if (!asm_operand(p, &src) || !parse_reassociation(p))
        return false;
    bool given = asm_try(p, "output_shape");
    if (given && !vmc_asm_mixed(p, "[", "]", "static_output_shape", &sizes))
        return false;
    if (!asm_attr_dict(p) || !asm_colon_type(p, &from) || !asm_expect(p, "into") || !asm_type(p, &to))
        return false;
    if (!given && vmc_is_ranked(to) && vmc_has_static_shape(to))
        asm_add_attr(p, "static_output_shape", vmc_attr_i64_array(asm_context(p), to->rank, to->dims));
    asm_add_result(p, to);
    return asm_resolve(p, &src, from) && asm_resolve_all(p, &sizes, vmc_type_index(asm_context(p)));
}

void vmc_expand_shape_print(Printer *p, const Op *op)
{
    static const char *const skip[] = {"reassociation", "static_output_shape", NULL};
    print_str(p, " ");
    print_value(p, op->operands[0].value);
    print_reassociation(p, op);
    if (vmc_get_attr(op, "static_output_shape")) {
        print_str(p, " output_shape [");
        vmc_print_mixed(p, op, "static_output_shape", "output_shape");
        print_str(p, "]");
    }
    print_attr_dict(p, op, skip);
    print_str(p, " : ");
    print_type(p, op->operands[0].value->type);
    print_str(p, " into ");
    print_type(p, op->results[0].type);
}

bool vmc_collapse_shape_parse(Asm *p, const OpDef *def)
{
    (void)def;
    AsmOperand src;
    const Type *from, *to;
    if (!asm_operand(p, &src) || !parse_reassociation(p) || !asm_attr_dict(p) || !asm_colon_type(p, &from) ||
        !asm_expect(p, "into") || !asm_type(p, &to))
        return false;
    asm_add_result(p, to);
    return asm_resolve(p, &src, from);
}

void vmc_collapse_shape_print(Printer *p, const Op *op)
{
    static const char *const skip[] = {"reassociation", NULL};
    print_str(p, " ");
    print_value(p, op->operands[0].value);
    print_reassociation(p, op);
    print_attr_dict(p, op, skip);
    print_str(p, " : ");
    print_type(p, op->operands[0].value->type);
    print_str(p, " into ");
    print_type(p, op->results[0].type);
}

/* ---- slices ------------------------------------------------------------------- */

static void print_slice_op(Printer *p, const Op *op, const char *into)
{
    bool reinterpret = strcmp(into, "reinterpret") == 0;
    print_str(p, " ");
    print_value(p, op->operands[0].value);
    if (reinterpret) {
        print_str(p, " to offset: [");
        vmc_print_mixed(p, op, "static_offsets", "offsets");
        print_str(p, "], sizes: [");
        vmc_print_mixed(p, op, "static_sizes", "sizes");
        print_str(p, "], strides: [");
        vmc_print_mixed(p, op, "static_strides", "strides");
        print_str(p, "]");
    } else {
        vmc_print_slice(p, op);
    }
    print_attr_dict(p, op, vmc_slice_attrs);
    print_str(p, " : ");
    print_type(p, op->operands[0].value->type);
    print_str(p, " to ");
    print_type(p, op->results[0].type);
}

static bool parse_slice_tail(Asm *p, const AsmOperand *src, const AsmSlice *slice)
{
    const Type *from, *to;
    int32_t sizes[4] = {1, (int32_t)slice->offsets.n, (int32_t)slice->sizes.n, (int32_t)slice->strides.n};
    if (!asm_attr_dict(p) || !asm_colon_type(p, &from) || !asm_expect(p, "to") || !asm_type(p, &to))
        return false;
    asm_set_segments(p, 4, sizes);
    asm_add_result(p, to);
    return asm_resolve(p, src, from) && vmc_asm_slice_resolve(p, slice);
}

bool vmc_memref_subview_parse(Asm *p, const OpDef *def)
{
    (void)def;
    AsmOperand src;
    AsmSlice slice;
    return asm_operand(p, &src) && vmc_asm_slice(p, &slice) && parse_slice_tail(p, &src, &slice);
}

void vmc_memref_subview_print(Printer *p, const Op *op)
{
    print_slice_op(p, op, "");
}

bool vmc_tensor_extract_slice_parse(Asm *p, const OpDef *def)
{
    return vmc_memref_subview_parse(p, def);
}

void vmc_tensor_extract_slice_print(Printer *p, const Op *op)
{
    print_slice_op(p, op, "");
}

bool vmc_memref_reinterpret_cast_parse(Asm *p, const OpDef *def)
{
    (void)def;
    AsmOperand src;
    AsmSlice slice = {0};
    return asm_operand(p, &src) && asm_expect(p, "to") && asm_expect(p, "offset") && asm_expect(p, ":") &&
           vmc_asm_mixed(p, "[", "]", "static_offsets", &slice.offsets) && asm_expect(p, ",") && asm_expect(p, "sizes") &&
           asm_expect(p, ":") && vmc_asm_mixed(p, "[", "]", "static_sizes", &slice.sizes) && asm_expect(p, ",") &&
           asm_expect(p, "strides") && asm_expect(p, ":") && vmc_asm_mixed(p, "[", "]", "static_strides", &slice.strides) &&
           parse_slice_tail(p, &src, &slice);
}

void vmc_memref_reinterpret_cast_print(Printer *p, const Op *op)
{
    print_slice_op(p, op, "reinterpret");
}

bool vmc_tensor_insert_slice_parse(Asm *p, const OpDef *def)
{
    AsmOperand src, dest;
    AsmSlice slice;
    const Type *from, *to;
    if (!asm_operand(p, &src) || !asm_expect(p, "into") || !asm_operand(p, &dest) || !vmc_asm_slice(p, &slice) ||
        !asm_attr_dict(p) || !asm_colon_type(p, &from) || !asm_expect(p, "into") || !asm_type(p, &to))
        return false;
    int32_t sizes[5] = {1, 1, (int32_t)slice.offsets.n, (int32_t)slice.sizes.n, (int32_t)slice.strides.n};
    asm_set_segments(p, 5, sizes);
    if (strcmp(def->name, "tensor.insert_slice") == 0)
        asm_add_result(p, to);
    return asm_resolve(p, &src, from) && asm_resolve(p, &dest, to) && vmc_asm_slice_resolve(p, &slice);
}

void vmc_tensor_insert_slice_print(Printer *p, const Op *op)
{
    print_str(p, " ");
    print_value(p, op->operands[0].value);
    print_str(p, " into ");
    print_value(p, op->operands[1].value);
    vmc_print_slice(p, op);
    print_attr_dict(p, op, vmc_slice_attrs);
    print_str(p, " : ");
    print_type(p, op->operands[0].value->type);
    print_str(p, " into ");
    print_type(p, op->operands[1].value->type);
}
