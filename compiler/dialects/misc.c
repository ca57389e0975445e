/* Grammar and checks of the small dialects: complex, index, ub, util, transform, check. */
#include "../syntax/asm.h"
#include "hooks.h"

/* ---- complex ------------------------------------------------------------------------- */

bool vmc_complex_constant_verify(Context *ctx, Op *op)
{
    const Attr *value = vmc_get_attr(op, "value");
    const Type *elem = op->results[0].type->elem;
    if (value->n == 2 && value->elems[0]->type == elem && value->elems[1]->type == elem)
        return true;
    vmc_error(&ctx->diag, op->pos, "'complex.constant' must have two numbers of the type's part");
    return false;
}

static uint32_t number_bits(const Type *type)
{
    const Type *elem = vmc_elem_or_self(type);
    uint32_t bits = elem->kind == TYPE_COMPLEX ? 2 : 1;
    elem = elem->kind == TYPE_COMPLEX ? elem->elem : elem;
    return elem->kind == TYPE_INT ? bits * elem->width : elem->kind == TYPE_FLOAT ? bits * vmc_float_bits(elem->format) : 0;
}

bool vmc_complex_bitcast_verify(Context *ctx, Op *op)
{
    const Type *from = op->operands[0].value->type, *to = op->results[0].type;
    bool complex = vmc_elem_or_self(from)->kind == TYPE_COMPLEX || vmc_elem_or_self(to)->kind == TYPE_COMPLEX;
    if (complex && number_bits(from) && number_bits(from) == number_bits(to) && vmc_is_shaped(from) == vmc_is_shaped(to))
        return true;
    vmc_error(&ctx->diag, op->pos, "'complex.bitcast' needs numbers of equal width, one of them complex");
    return false;
}

/* ---- index ------------------------------------------------------------------------------ */

static const char cmp_prefix[] = "index<cmp_predicate ";

/* "slt" of #index<cmp_predicate slt>, NULL when it is something else. */
static const char *index_predicate(const Context *ctx, const Attr *attr, char out[8])
{
    (void)ctx;
    size_t prefix = sizeof cmp_prefix - 1;
    if (!attr || attr->kind != ATTR_OPAQUE || strncmp(attr->s, cmp_prefix, prefix) != 0 || attr->n < prefix + 2 ||
        attr->n > prefix + 7)
        return NULL;
    size_t n = attr->n - prefix - 1;
    memcpy(out, attr->s + prefix, n);
    out[n] = 0;
    int64_t value;
    return vmc_enum_value(vmc_find_enum("index_predicate"), out, &value) ? out : NULL;
}

bool vmc_index_cmp_parse(Asm *p, const OpDef *def)
{
    (void)def;
    Context *ctx = asm_context(p);
    const char *predicate;
    AsmOperands operands = {0};
    int64_t value;
    SrcPos pos = asm_pos(p);
    if (!asm_keyword(p, &predicate))
        return false;
    if (!vmc_enum_value(vmc_find_enum("index_predicate"), predicate, &value))
        return asm_error(p, pos, "unknown predicate `%s`", predicate);
    Text text = {.arena = asm_arena(p)};
    vmc_text_fmt(&text, "%s%s>", cmp_prefix, predicate);
    asm_add_attr(p, "pred", vmc_attr_opaque(ctx, text.at, text.n));
    if (!asm_operands_in(p, "(", ")", &operands) || !asm_attr_dict(p) || !asm_resolve_all(p, &operands, vmc_type_index(ctx)))
        return false;
    asm_add_result(p, vmc_type_int(ctx, 1, SIGNLESS));
    return true;
}

void vmc_index_cmp_print(Printer *p, const Op *op)
{
    char predicate[8];
    const char *text = index_predicate(NULL, vmc_get_attr(op, "pred"), predicate);
    print_fmt(p, " %s(", text ? text : "");
    print_values(p, op->operands, op->noperands);
    print_str(p, ")");
    print_attr_dict(p, op, (const char *const[]){"pred", NULL});
}

bool vmc_index_cmp_verify(Context *ctx, Op *op)
{
    char predicate[8];
    if (index_predicate(ctx, vmc_get_attr(op, "pred"), predicate))
        return true;
    vmc_error(&ctx->diag, op->pos, "'index.cmp' needs a predicate #index<cmp_predicate ..>");
    return false;
}

/* ---- ub ------------------------------------------------------------------------------------ */

bool vmc_poison_parse(Asm *p, const OpDef *def)
{
    (void)def;
    const Type *type;
    if (!asm_attr_dict(p))
        return false;
    if (asm_try(p, "<")) {
        const Attr *value;
        if (!asm_attr(p, NULL, &value) || !asm_expect(p, ">"))
            return false;
        asm_add_attr(p, "value", value);
    }
    if (!asm_colon_type(p, &type))
        return false;
    asm_add_result(p, type);
    return true;
}

void vmc_poison_print(Printer *p, const Op *op)
{
    const Attr *value = vmc_get_attr(op, "value");
    print_attr_dict(p, op, (const char *const[]){"value", NULL});
    if (value && !(value->kind == ATTR_OPAQUE && strcmp(value->s, "ub.poison") == 0)) {
        print_str(p, " <");
        print_attr(p, value);
        print_str(p, ">");
    }
    print_str(p, " : ");
    print_type(p, op->results[0].type);
}

/* ---- util ------------------------------------------------------------------------------------ */

bool vmc_barrier_parse(Asm *p, const OpDef *def)
{
    (void)def;
    AsmOperands operands = {0};
    AsmTypes types = {0};
    if (!asm_attr_dict(p))
        return false;
    SrcPos pos = asm_pos(p);
    if (!asm_operand_list(p, &operands))
        return false;
    if (!operands.n)
        return true;
    if (!asm_expect(p, ":") || !asm_type_list(p, &types) || !asm_resolve_list(p, &operands, &types, pos))
        return false;
    asm_add_results(p, &types);
    return true;
}

void vmc_barrier_print(Printer *p, const Op *op)
{
    print_attr_dict(p, op, (const char *const[]){NULL});
    if (!op->noperands)
        return;
    print_str(p, " ");
    print_values(p, op->operands, op->noperands);
    print_str(p, " : ");
    for (uint32_t i = 0; i < op->noperands; i++) {
        print_str(p, i ? ", " : "");
        print_type(p, op->operands[i].value->type);
    }
}

bool vmc_barrier_verify(Context *ctx, Op *op)
{
    bool same = op->noperands == op->nresults;
    for (uint32_t i = 0; same && i < op->nresults; i++)
        same = op->operands[i].value->type == op->results[i].type;
    if (!same)
        vmc_error(&ctx->diag, op->pos, "the results of '%s' must have the types of its operands", op->name);
    return same;
}

/* ---- transform ----------------------------------------------------------------------------------- */

bool vmc_kept_text_parse(Asm *p, const OpDef *def)
{
    Text text = {.arena = asm_arena(p)};
    if (!asm_rest_as_text(p, &text))
        return false;
    asm_add_attr(p, def->hooks.kept_text, vmc_attr_string(asm_context(p), text.at ? text.at : "", text.n));
    return true;
}

void vmc_kept_text_print(Printer *p, const Op *op)
{
    print_str(p, " ");
    print_str(p, vmc_get_string(op, op->def->hooks.kept_text));
}

/* ---- check -------------------------------------------------------------------------------------- */

/* custom<atol> reads both, in either order; custom<rtol> stands behind it for the printer. */
bool vmc_tolerance_parse(Asm *p, const OpDef *def, const char *name)
{
    (void)def;
    Context *ctx = asm_context(p);
    while (strcmp(name, "atol") == 0 && asm_try(p, ",")) {
        const Attr *value;
        const char *which = asm_try(p, "atol") ? "atol" : asm_try(p, "rtol") ? "rtol" : NULL;
        if (!which)
            return asm_error(p, asm_pos(p), "expected `atol` or `rtol`");
        if (!asm_attr(p, vmc_type_float(ctx, FLOAT_F32), &value))
            return false;
        asm_add_attr(p, which, value);
    }
    return true;
}

void vmc_tolerance_print(Printer *p, const Op *op, const char *name)
{
    const Attr *value = vmc_get_attr(op, name);
    if (!value)
        return;
    print_fmt(p, ", %s ", name);
    print_attr_no_type(p, value);
}

bool vmc_check_verify(Context *ctx, Op *op)
{
    const Attr *value = vmc_get_attr(op, "value");
    const Type *type = op->operands[0].value->type;
    if (value && value->type != type && !(value->type && type->kind == TYPE_TENSOR && value->type->kind == TYPE_TENSOR)) {
        vmc_error(&ctx->diag, op->pos, "the constant of '%s' must have the type of the operand", op->name);
        return false;
    }
    if (!vmc_is_shaped(type) || vmc_is_ranked(type))
        return true;
    vmc_error(&ctx->diag, op->pos, "'%s' needs an operand of known rank", op->name);
    return false;
}
