/* iree_linalg_ext.im2col: grammar, and what its lists say. */
#include "hooks_buffer.h"
#include "linalg_ext.h"
#include "view_grammar.h"

#include <stdio.h>

/* ---- grammar -------------------------------------------------------------------------- */

static bool parse_mixed(Asm *p, const char *name, const char *static_name, AsmOperands *operands)
{
    return asm_expect(p, name) && asm_expect(p, "=") && vmc_asm_mixed(p, "[", "]", static_name, operands);
}

/* output_sizes = [[2], [%a, 3], ..] */
static bool parse_nested(Asm *p, AsmOperands *operands)
{
    Context *ctx = asm_context(p);
    VEC(const Attr *) lists = {0};
    if (!asm_expect(p, "output_sizes") || !asm_expect(p, "=") || !asm_expect(p, "["))
        return false;
    if (!asm_try(p, "]")) {
        do {
            int64_t *statics = NULL;
            size_t n = 0;
            if (!asm_dynamic_index_list(p, "[", "]", &statics, &n, operands))
                return false;
            VEC_PUSH(asm_arena(p), &lists, vmc_attr_i64_array(ctx, n, statics));
        } while (asm_try(p, ","));
        if (!asm_expect(p, "]"))
            return false;
    }
    asm_add_attr(p, "static_output_sizes", vmc_attr_array(ctx, lists.n, lists.at));
    return true;
}

enum { KERNEL, OFFSETS, SIZES, INPUT_LOW, INPUT_HIGH, OUTPUT_LOW, OUTPUT_HIGH, NLISTS };

static const char *const list_names[NLISTS] = {"kernel_size",    "offsets",        "output_sizes",   "input_pad_low",
                                               "input_pad_high", "output_pad_low", "output_pad_high"};
static const char *const static_names[NLISTS] = {"static_kernel_size",    "static_offsets",        "static_output_sizes",
                                                 "static_input_pad_low",  "static_input_pad_high", "static_output_pad_low",
                                                 "static_output_pad_high"};

static bool parse_shaped(Asm *p, const char *keyword, AsmOperand *operand, const Type **type)
{
    return asm_expect(p, keyword) && asm_expect(p, "(") && asm_operand(p, operand) && asm_colon_type(p, type) && asm_expect(p, ")");
}

bool vmc_ext_im2col_parse(Asm *p, const OpDef *def)
{
    (void)def;
    AsmOperands lists[NLISTS] = {0};
    AsmOperand input, output, pad;
    const Type *input_type, *output_type, *pad_type = NULL, *index = vmc_type_index(asm_context(p));
    AsmTypes results = {0};
    if (!asm_attr_dict(p) || !vmc_asm_ints_attr(p, "strides") || !vmc_asm_ints_attr(p, "dilations") ||
        !parse_mixed(p, list_names[KERNEL], static_names[KERNEL], &lists[KERNEL]) ||
        !parse_mixed(p, list_names[OFFSETS], static_names[OFFSETS], &lists[OFFSETS]) || !parse_nested(p, &lists[SIZES]) ||
        !vmc_asm_ints_attr(p, "batch_pos") || !vmc_asm_ints_attr(p, "m_pos") || !vmc_asm_ints_attr(p, "k_pos") ||
        !vmc_asm_ints_attr(p, "input_k_perm") || !vmc_asm_ints_attr(p, "output_perm"))
        return false;
    for (int i = INPUT_LOW; i < NLISTS; i += 2)
        if (asm_peek(p, list_names[i]) && (!parse_mixed(p, list_names[i], static_names[i], &lists[i]) ||
                                           !parse_mixed(p, list_names[i + 1], static_names[i + 1], &lists[i + 1])))
            return false;
    if (asm_try(p, "pad_value") &&
        (!asm_expect(p, "(") || !asm_operand(p, &pad) || !asm_colon_type(p, &pad_type) || !asm_expect(p, ")")))
        return false;
    if (!parse_shaped(p, "ins", &input, &input_type) || !parse_shaped(p, "outs", &output, &output_type))
        return false;
    if (asm_try(p, "->") && !asm_type_list(p, &results))
        return false;
    if (!asm_resolve(p, &input, input_type) || !asm_resolve(p, &output, output_type))
        return false;
    int32_t segments[2 + NLISTS + 1] = {1, 1};
    for (int i = 0; i < NLISTS; i++) {
        segments[2 + i] = (int32_t)lists[i].n;
        if (!asm_resolve_all(p, &lists[i], index))
            return false;
    }
    segments[2 + NLISTS] = pad_type != NULL;
    asm_set_segments(p, 2 + NLISTS + 1, segments);
    asm_add_results(p, &results);
    return !pad_type || asm_resolve(p, &pad, pad_type);
}

static void print_ints(Printer *p, const Op *op, const char *name)
{
    const int64_t *values = NULL;
    const Attr *attr = vmc_get_attr(op, name);
    ptrdiff_t n = attr ? vmc_attr_ints(vmc_op_context(op), attr, &values) : 0;
    print_fmt(p, " %s = ", name);
    vmc_print_int_list(p, values, n > 0 ? (size_t)n : 0);
}

static void print_mixed(Printer *p, const Op *op, int list)
{
    print_fmt(p, " %s = [", list_names[list]);
    vmc_print_mixed(p, op, static_names[list], list_names[list]);
    print_str(p, "]");
}

static void print_nested(Printer *p, const Op *op)
{
    const Attr *lists = vmc_get_attr(op, static_names[SIZES]);
    const Use *operands = op->operands + vmc_operand_group(op, list_names[SIZES]).first;
    print_str(p, " output_sizes = [");
    for (size_t i = 0; lists && i < lists->n; i++) {
        const int64_t *values = NULL;
        ptrdiff_t n = vmc_attr_ints(vmc_op_context(op), lists->elems[i], &values);
        print_str(p, i ? ", [" : "[");
        if (n > 0)
            print_dynamic_index_list(p, values, (size_t)n, operands);
        for (ptrdiff_t k = 0; k < n; k++)
            operands += values[k] == VMC_DYNAMIC;
        print_str(p, "]");
    }
    print_str(p, "]");
}

static void print_shaped(Printer *p, const char *keyword, const Value *value)
{
    print_fmt(p, " %s(", keyword);
    print_value(p, value);
    print_str(p, " : ");
    print_type(p, value->type);
    print_str(p, ")");
}

void vmc_ext_im2col_print(Printer *p, const Op *op)
{
    static const char *const own[] = {"strides",
                                      "dilations",
                                      "batch_pos",
                                      "m_pos",
                                      "k_pos",
                                      "input_k_perm",
                                      "output_perm",
                                      "static_kernel_size",
                                      "static_offsets",
                                      "static_output_sizes",
                                      "static_input_pad_low",
                                      "static_input_pad_high",
                                      "static_output_pad_low",
                                      "static_output_pad_high",
                                      "operandSegmentSizes",
                                      "operand_segment_sizes",
                                      NULL};
    const Value *pad = vmc_operand_named(op, "pad_value");
    print_attr_dict(p, op, own);
    print_ints(p, op, "strides");
    print_ints(p, op, "dilations");
    print_mixed(p, op, KERNEL);
    print_mixed(p, op, OFFSETS);
    print_nested(p, op);
    for (int i = 2; i < 7; i++)
        print_ints(p, op, own[i]);
    for (int i = INPUT_LOW; i < NLISTS; i++)
        if (vmc_get_attr(op, static_names[i]))
            print_mixed(p, op, i);
    if (pad)
        print_shaped(p, "pad_value", pad);
    print_shaped(p, "ins", op->operands[0].value);
    print_shaped(p, "outs", op->operands[1].value);
    if (op->nresults) {
        print_str(p, " -> ");
        print_type(p, op->results[0].type);
    }
}

/* ---- meaning ------------------------------------------------------------------------------ */

static ptrdiff_t ints(Context *ctx, const Op *op, const char *name, const int64_t **values)
{
    return vmc_attr_ints(ctx, vmc_get_attr(op, name), values);
}

/* The inverse of a permutation of n; NULL if it is none. */
static uint32_t *inverse_of(Context *ctx, const Op *op, const char *name, uint32_t n)
{
    const int64_t *values;
    if (ints(ctx, op, name, &values) != (ptrdiff_t)n)
        return NULL;
    uint32_t *inverse = ARENA_ARRAY(&ctx->arena, uint32_t, n + 1);
    bool *seen = ARENA_ARRAY(&ctx->arena, bool, n + 1);
    for (uint32_t i = 0; i < n; i++) {
        if (values[i] < 0 || values[i] >= (int64_t)n || seen[values[i]])
            return NULL;
        seen[values[i]] = true;
        inverse[values[i]] = i;
    }
    return inverse;
}

static bool optional_list(Context *ctx, const Op *op, int list, uint32_t want, MixedList *out)
{
    *out = (MixedList){0};
    if (!vmc_get_attr(op, static_names[list]))
        return vmc_operand_group(op, list_names[list]).count == 0;
    return vmc_mixed_list(ctx, op, static_names[list], list_names[list], out) && (out->n == 0 || out->n == want);
}

/* Counts of coordinates: one for each batch dim, all m, then windows and channels, each group ending with a dim. */
static bool sizes_fit(Context *ctx, const Op *op, const Im2col *c)
{
    uint64_t total = 0, dynamic = 0, groups[3] = {c->nbatch, (uint64_t)c->nbatch + c->nm, (uint64_t)c->nbatch + 2 * c->nm + c->nk};
    uint32_t group = c->nbatch ? 0 : 1;
    for (uint32_t d = 0; d < c->ndims; d++) {
        const int64_t *values;
        ptrdiff_t n = vmc_attr_ints(ctx, c->sizes->elems[d], &values);
        if (n < 1 || group > 2 || (group == 0 && n != 1))
            return false;
        for (ptrdiff_t k = 0; k < n; k++)
            dynamic += values[k] == VMC_DYNAMIC;
        total += (uint64_t)n;
        if (total > groups[group])
            return false;
        group += total == groups[group];
    }
    return group == 3 && dynamic == vmc_operand_group(op, list_names[SIZES]).count;
}

bool vmc_ext_im2col(Context *ctx, const Op *op, Im2col *out)
{
    const Type *input = op->operands[0].value->type, *output = op->operands[1].value->type;
    ptrdiff_t nbatch, nm, nk;
    *out = (Im2col){.ndims = output->rank, .pad = vmc_operand_named(op, "pad_value")};
    nbatch = ints(ctx, op, "batch_pos", &out->batch);
    nm = ints(ctx, op, "m_pos", &out->m);
    nk = ints(ctx, op, "k_pos", &out->k);
    if (nbatch < 0 || nm < 1 || nk < 0 || nbatch + nm + nk != (ptrdiff_t)input->rank ||
        ints(ctx, op, "strides", &out->strides) != nm || ints(ctx, op, "dilations", &out->dilations) != nm)
        return false;
    out->nbatch = (uint32_t)nbatch;
    out->nm = (uint32_t)nm;
    out->nk = (uint32_t)nk;
    bool *seen = ARENA_ARRAY(&ctx->arena, bool, input->rank + 1);
    for (uint32_t i = 0; i < input->rank; i++) {
        int64_t dim = i < out->nbatch             ? out->batch[i]
                      : i < out->nbatch + out->nm ? out->m[i - out->nbatch]
                                                  : out->k[i - out->nbatch - out->nm];
        if (dim < 0 || dim >= (int64_t)input->rank || seen[dim])
            return false;
        seen[dim] = true;
    }
    out->inverse = inverse_of(ctx, op, "output_perm", output->rank);
    out->inverse_k = inverse_of(ctx, op, "input_k_perm", out->nm + out->nk);
    out->sizes = vmc_get_attr(op, static_names[SIZES]);
    out->sizes_first = vmc_operand_group(op, list_names[SIZES]).first;
    return out->inverse && out->inverse_k && out->sizes->kind == ATTR_ARRAY && out->sizes->n == output->rank &&
           vmc_mixed_list(ctx, op, static_names[KERNEL], list_names[KERNEL], &out->kernel) && out->kernel.n == out->nm &&
           vmc_mixed_list(ctx, op, static_names[OFFSETS], list_names[OFFSETS], &out->offsets) && out->offsets.n == output->rank &&
           optional_list(ctx, op, INPUT_LOW, input->rank, &out->input_low) &&
           optional_list(ctx, op, INPUT_HIGH, input->rank, &out->input_high) &&
           optional_list(ctx, op, OUTPUT_LOW, output->rank, &out->output_low) &&
           optional_list(ctx, op, OUTPUT_HIGH, output->rank, &out->output_high) && out->input_low.n == out->input_high.n &&
           out->output_low.n == out->output_high.n && sizes_fit(ctx, op, out);
}

bool vmc_ext_im2col_verify(Context *ctx, Op *op)
{
    Im2col c;
    const Type *input = op->operands[0].value->type, *output = op->operands[1].value->type;
    const char *wrong = NULL;
    if (!vmc_ext_im2col(ctx, op, &c))
        wrong = "expected lists that fit each other and the ranks of input and output";
    else if (input->elem != output->elem || (c.pad && c.pad->type != input->elem))
        wrong = "expected one element type";
    else if ((c.input_low.n || c.output_low.n) && !c.pad)
        wrong = "expected a pad_value with padding";
    else if (input->kind != output->kind || op->nresults != (output->kind == TYPE_TENSOR) ||
             (op->nresults && op->results[0].type != output))
        wrong = "expected tensors and a result of the output's type, or memrefs";
    if (wrong)
        return vmc_op_error(ctx, op, "%s", wrong);
    return true;
}
