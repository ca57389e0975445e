/* Grammar and checks of arith; the flag parts (fastmath<..>, overflow<..>, rounding mode, nneg, exact) serve math and complex too.
 */
#include "../syntax/asm.h"
#include "hooks.h"

/* ---- constant -------------------------------------------------------------------- */

bool vmc_constant_parse(Asm *p, const OpDef *def)
{
    (void)def;
    const Attr *value;
    if (!asm_attr_dict(p))
        return false;
    SrcPos pos = asm_pos(p);
    if (!asm_attr(p, NULL, &value))
        return false;
    if (!value->type)
        return asm_error(p, pos, "a constant needs a value with a type");
    asm_add_attr(p, "value", value);
    asm_add_result(p, value->type);
    return true;
}

void vmc_constant_print(Printer *p, const Op *op)
{
    print_attr_dict(p, op, (const char *const[]){"value", NULL});
    print_str(p, " ");
    const Attr *value = vmc_get_attr(op, "value");
    if (!value)
        return;
    print_attr_no_type(p, value);
    const Type *type = value->type;
    if (type && !(value->kind == ATTR_INT && type->kind == TYPE_INT && type->width == 1)) {
        print_str(p, " : ");
        print_type(p, type);
    }
}

bool vmc_constant_verify(Context *ctx, Op *op)
{
    const Attr *value = vmc_get_attr(op, "value");
    const Type *type = op->results[0].type;
    if (value->type != type) {
        vmc_error(&ctx->diag, op->pos, "the value of '%s' does not have the type of its result", op->name);
        return false;
    }
    if (type->kind == TYPE_INT && type->sign != SIGNLESS) {
        vmc_error(&ctx->diag, op->pos, "'%s' must have a signless integer type", op->name);
        return false;
    }
    return true;
}

/* ---- flags ------------------------------------------------------------------------- */

typedef struct FlagPart {
    const char *name;    /* attribute, and name in custom<..> */
    const char *keyword; /* in the text */
    const char *prefix;  /* opaque attribute's text up to `<`; NULL: a unit attribute */
} FlagPart;

static const FlagPart flag_parts[] = {
    {"fastmath", "fastmath", "arith.fastmath"},
    {"overflowFlags", "overflow", "arith.overflow"},
    {"nneg", "nneg", NULL},
    {"isExact", "exact", NULL},
    {"exact", "exact", NULL},
};

static const FlagPart *find_part(const char *name)
{
    for (size_t i = 0; i < sizeof flag_parts / sizeof flag_parts[0]; i++)
        if (strcmp(flag_parts[i].name, name) == 0)
            return &flag_parts[i];
    return NULL;
}

static bool parse_rounding_mode(Asm *p, const char *name)
{
    Context *ctx = asm_context(p);
    const EnumDef *modes = vmc_find_enum("rounding_mode");
    for (uint32_t i = 0; i < modes->n; i++)
        if (asm_try(p, modes->cases[i].name)) {
            asm_add_attr(p, name, vmc_attr_int(ctx, vmc_type_int(ctx, 32, SIGNLESS), modes->cases[i].value));
            return true;
        }
    return true;
}

/* Every name that a flag list of MLIR knows; a wrong one is an error here, not something kept as text. */
static bool known_flag(const FlagPart *part, const char *flag, size_t length)
{
    static const char *const fastmath[] = {"none", "reassoc", "nnan", "ninf", "nsz", "arcp", "contract", "afn", "fast"};
    static const char *const overflow[] = {"none", "nsw", "nuw"};
    bool fast = strcmp(part->name, "fastmath") == 0;
    size_t n = fast ? sizeof fastmath / sizeof *fastmath : sizeof overflow / sizeof *overflow;
    for (size_t i = 0; i < n; i++)
        if (strlen((fast ? fastmath : overflow)[i]) == length && memcmp((fast ? fastmath : overflow)[i], flag, length) == 0)
            return true;
    return false;
}

/* The attribute's text is `prefix<flag, flag>`, as the generic form gives it. */
static bool is_flag_list(const Attr *attr, const char *name)
{
    const FlagPart *part = find_part(name);
    size_t n = strlen(part->prefix);
    if (strncmp(attr->s, part->prefix, n) != 0 || attr->s[n] != '<')
        return false;
    const char *at = attr->s + n;
    do {
        at += 1 + strspn(at + 1, " \t\r\n");
        n = strcspn(at, " \t\r\n,|>");
        if (!known_flag(part, at, n))
            return false;
        at += n + strspn(at + n, " \t\r\n");
    } while (*at == ',' || *at == '|');
    return strcmp(at, ">") == 0;
}

bool vmc_is_fastmath(const Attr *attr)
{
    return is_flag_list(attr, "fastmath");
}

bool vmc_is_overflow(const Attr *attr)
{
    return is_flag_list(attr, "overflowFlags");
}

static bool parse_flag_list(Asm *p, const FlagPart *part)
{
    Text text = {.arena = asm_arena(p)};
    vmc_text_fmt(&text, "%s<", part->prefix);
    if (!asm_expect(p, "<"))
        return false;
    const char *separator = "";
    do {
        const char *flag;
        SrcPos pos = asm_pos(p);
        if (!asm_keyword(p, &flag))
            return false;
        if (!known_flag(part, flag, strlen(flag)))
            return asm_error(p, pos, "unknown %s flag `%s`", part->keyword, flag);
        vmc_text_fmt(&text, "%s%s", separator, flag);
        separator = strcmp(part->name, "fastmath") == 0 ? "," : ", ";
    } while (asm_try(p, ",") || asm_try(p, "|"));
    vmc_text_char(&text, '>');
    asm_add_attr(p, part->name, vmc_attr_opaque(asm_context(p), text.at, text.n));
    return asm_expect(p, ">");
}

bool vmc_flags_parse(Asm *p, const OpDef *def, const char *name)
{
    (void)def;
    const FlagPart *part = find_part(name);
    if (!part)
        return parse_rounding_mode(p, name);
    if (!asm_try(p, part->keyword))
        return true;
    if (part->prefix)
        return parse_flag_list(p, part);
    asm_add_attr(p, part->name, vmc_attr_unit(asm_context(p)));
    return true;
}

void vmc_flags_print(Printer *p, const Op *op, const char *name)
{
    const Attr *attr = vmc_get_attr(op, name);
    const FlagPart *part = find_part(name);
    if (!attr)
        return;
    if (!part) {
        const char *mode = attr->kind == ATTR_INT ? vmc_enum_name(vmc_find_enum("rounding_mode"), attr->i) : NULL;
        if (mode)
            print_fmt(p, " %s", mode);
        return;
    }
    if (!part->prefix) {
        print_fmt(p, " %s", part->keyword);
        return;
    }
    const char *list = attr->kind == ATTR_OPAQUE ? strchr(attr->s, '<') : NULL;
    if (list && strcmp(list, "<none>") != 0)
        print_fmt(p, " %s%s", part->keyword, list);
}

/* ---- select ---------------------------------------------------------------------------- */

bool vmc_select_parse(Asm *p, const OpDef *def)
{
    (void)def;
    AsmOperands operands = {0};
    const Type *type, *condition = vmc_type_int(asm_context(p), 1, SIGNLESS);
    SrcPos pos = asm_pos(p);
    if (!asm_operand_list(p, &operands))
        return false;
    if (operands.n != 3)
        return asm_error(p, pos, "expected condition and two values, saw %zu operands", operands.n);
    if (!asm_attr_dict(p) || !asm_colon_type(p, &type))
        return false;
    if (asm_try(p, ",")) {
        condition = type;
        if (!asm_type(p, &type))
            return false;
    }
    if (!asm_resolve(p, &operands.at[0], condition) || !asm_resolve(p, &operands.at[1], type) ||
        !asm_resolve(p, &operands.at[2], type))
        return false;
    asm_add_result(p, type);
    return true;
}

void vmc_select_print(Printer *p, const Op *op)
{
    print_str(p, " ");
    print_values(p, op->operands, op->noperands);
    print_attr_dict(p, op, (const char *const[]){NULL});
    print_str(p, " : ");
    if (vmc_is_shaped(op->operands[0].value->type)) {
        print_type(p, op->operands[0].value->type);
        print_str(p, ", ");
    }
    print_type(p, op->results[0].type);
}

bool vmc_select_verify(Context *ctx, Op *op)
{
    const Type *condition = op->operands[0].value->type, *type = op->results[0].type;
    if (!vmc_is_shaped(condition))
        return true;
    bool same = condition->kind == type->kind && condition->rank == type->rank;
    for (uint32_t i = 0; same && i < type->rank; i++)
        same = condition->dims[i] == type->dims[i];
    if (!same)
        vmc_error(&ctx->diag, op->pos, "the condition of '%s' must be i1 or have the shape of the values", op->name);
    return same;
}

/* ---- conversions -------------------------------------------------------------------------- */

/* Bits of a scalar type; 0 where that is no number (index counts 64). */
static uint32_t bits_of(const Type *type)
{
    switch (type->kind) {
    case TYPE_INDEX:
        return 64;
    case TYPE_INT:
        return type->width;
    case TYPE_FLOAT:
        return vmc_float_bits(type->format);
    case TYPE_COMPLEX:
        return 2 * bits_of(type->elem);
    default:
        return 0;
    }
}

static bool verify_widths(Context *ctx, const Op *op, int order, const char *want)
{
    uint32_t in = bits_of(vmc_elem_or_self(op->operands[0].value->type)), out = bits_of(vmc_elem_or_self(op->results[0].type));
    if (order > 0 ? out > in : order < 0 ? out < in : out == in)
        return true;
    vmc_error(&ctx->diag, op->pos, "the result of '%s' must %s: it has %u bits, the operand %u", op->name, want, out, in);
    return false;
}

bool vmc_ext_verify(Context *ctx, Op *op)
{
    return verify_widths(ctx, op, 1, "be wider than the operand");
}
bool vmc_trunc_verify(Context *ctx, Op *op)
{
    return verify_widths(ctx, op, -1, "be narrower than the operand");
}
bool vmc_bitcast_verify(Context *ctx, Op *op)
{
    return verify_widths(ctx, op, 0, "have the operand's width");
}

bool vmc_index_cast_verify(Context *ctx, Op *op)
{
    const Type *in = vmc_elem_or_self(op->operands[0].value->type), *out = vmc_elem_or_self(op->results[0].type);
    if ((in->kind == TYPE_INDEX) != (out->kind == TYPE_INDEX))
        return true;
    vmc_error(&ctx->diag, op->pos, "'%s' converts between index and an integer type", op->name);
    return false;
}
