/* Ops of unknown dialects in custom form (--allow-unregistered): kept as text with holes.
 *
 * A value's name becomes a hole for the operand, a region in braces a hole for the region; all else is text, in which
 * aliases are expanded.  The op ends where, with brackets closed, a line starts that looks like another op.  Nothing
 * says what types its results have: a result takes the type as which it is used first.
 */
#include "parser.h"
#include "printer.h"

enum { HOLE_OPERAND = 1, HOLE_REGION = 2, MAX_RESULTS = 65535 };
static const char text_attr[] = ".text";
static const char type_text[] = "?"; /* of a result that was not used yet, and of the text itself: no type that can be written */

static const Type *unknown_type(Context *ctx)
{
    return vmc_type_named(ctx, TYPE_OPAQUE, type_text, sizeof type_text - 1);
}

static bool is_unknown(const Type *type)
{
    return type->kind == TYPE_OPAQUE && strcmp(type->text, type_text) == 0;
}

bool vmc_adopt_type(Value *value, const Type *type)
{
    if (!value->op || value->op->def || !is_unknown(value->type))
        return false;
    value->type = type;
    return true;
}

/* ---- reading ------------------------------------------------------------- */

static void add_hole(Text *text, int hole)
{
    vmc_text_char(text, (char)hole);
}

/* Whether this brace opens a region: a dictionary has `name`, `name = value` or `"name" = value` behind it. */
static bool opens_region(const Asm *p)
{
    Token first = vmc_lex(p->tok.end, p->limit);
    const char *next = vmc_skip_blanks(first.end, p->limit);
    if (first.kind == TOKEN_BLOCK || first.kind == TOKEN_VALUE)
        return true;
    if (first.kind == TOKEN_STRING)
        return *next == '(';
    return first.kind == TOKEN_WORD && *next != '=' && *next != ',' && *next != '}';
}

static bool keep_operand(Asm *p, Text *text)
{
    AsmOperand operand;
    if (!asm_operand(p, &operand))
        return false;
    Value *value = vmc_known_value(p, &operand);
    if (!value)
        return asm_error(p, operand.pos, "'%%%s' is not defined before this op, whose dialect is unknown", operand.name);
    asm_add_operand(p, value);
    add_hole(text, HOLE_OPERAND);
    return true;
}

static bool keep_alias(Asm *p, Text *text)
{
    const char *start = p->tok.start, *end = p->tok.end;
    vmc_advance(p);
    if (p->tok.start == end && (vmc_tok_is(p, "<") || memchr(start, '.', (size_t)(end - start)))) {
        vmc_text_add(text, start, (size_t)(end - start)); /* #dialect<...>: its text follows */
        return true;
    }
    return vmc_alias_text(p, text, start, end);
}

/* One token, or what stands for a hole. */
static bool keep_token(Asm *p, Text *text, int32_t *depth)
{
    switch (p->tok.kind) {
    case TOKEN_ERROR:
        return vmc_expected(p, "the rest of an operation");
    case TOKEN_VALUE:
        return keep_operand(p, text);
    case TOKEN_HASH:
    case TOKEN_BANG:
        return keep_alias(p, text);
    case TOKEN_BLOCK:
        return asm_error(p, asm_pos(p), "successors of an operation of an unknown dialect can be read in generic form only");
    default:
        break;
    }
    if (vmc_tok_is(p, "{") && opens_region(p)) {
        add_hole(text, HOLE_REGION);
        return asm_region(p, NULL);
    }
    size_t n = (size_t)(p->tok.end - p->tok.start);
    char c = *p->tok.start;
    if (memchr(p->tok.start, HOLE_OPERAND, n) || memchr(p->tok.start, HOLE_REGION, n))
        return asm_error(p, asm_pos(p), "control characters in an operation of an unknown dialect");
    *depth += n == 1 && (c == '(' || c == '[' || c == '{');
    *depth -= n == 1 && (c == ')' || c == ']' || c == '}');
    vmc_text_add(text, p->tok.start, n);
    vmc_advance(p);
    return true;
}

/* As many as the text names: nothing else says how many there are, so their number has a bound. */
static bool add_results(Asm *p, const OpBuild *op)
{
    uint64_t n = 0;
    for (size_t i = 0; i < op->names.n; i++)
        n += op->names.at[i].number;
    if (n > MAX_RESULTS)
        return asm_error(p, op->pos, "'%s' has %llu results, more than %d", op->name, (unsigned long long)n, MAX_RESULTS);
    while (n-- > 0)
        asm_add_result(p, unknown_type(p->ctx));
    return true;
}

bool vmc_parse_kept_op(Asm *p, OpBuild *op)
{
    Text text = {.arena = &p->ctx->arena};
    int32_t depth = 0;
    vmc_advance(p);
    while (p->tok.kind != TOKEN_EOF && (depth > 0 || !(vmc_tok_is(p, "}") || vmc_tok_is(p, "loc") || vmc_at_op_start(p)))) {
        if (strchr(" \t\r\n", p->tok.start[-1])) /* behind the op's name there is a character before every token */
            vmc_text_char(&text, ' ');
        if (!keep_token(p, &text, &depth))
            return false;
        if (depth < 0)
            return asm_error(p, op->pos, "'%s' has a bracket that closes none", op->name);
    }
    if (depth > 0)
        return vmc_expected(p, "the rest of an operation");
    const Attr *attr = vmc_attr_intern(
        p->ctx, &(Attr){.kind = ATTR_STRING, .s = text.at ? text.at : "", .n = text.n, .type = unknown_type(p->ctx)});
    NamedAttr kept = {vmc_name(p->ctx, text_attr), attr};
    op->attrs.n = 0;
    VEC_PUSH(&p->ctx->scratch, &op->attrs, kept);
    return add_results(p, op);
}

/* ---- printing ------------------------------------------------------------ */

bool vmc_is_kept_op(const Op *op)
{
    if (op->def || op->nattrs != 1)
        return false;
    const Attr *text = op->attrs[0].attr;
    return text->kind == ATTR_STRING && text->type && is_unknown(text->type);
}

void vmc_print_kept_op(Printer *p, const Op *op)
{
    const Attr *text = op->attrs[0].attr;
    uint32_t operand = 0, region = 0;
    for (size_t i = 0; i < text->n; i++) {
        char c = text->s[i];
        if (c == HOLE_OPERAND && operand < op->noperands)
            print_value(p, op->operands[operand++].value);
        else if (c == HOLE_REGION && region < op->nregions)
            print_region(p, &op->regions[region++], true, true);
        else
            vmc_text_char(print_text(p), c);
    }
}
