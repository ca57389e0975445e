/* Attributes of the builtin dialect; those of other dialects are kept as text. */
#include "../../vm/numeric/numeric.h"
#include "parser.h"

/* ---- numbers ------------------------------------------------------------- */

bool vmc_int_in_range(const Type *type, bool negative, uint64_t magnitude)
{
    uint32_t width = type->kind == TYPE_INT ? type->width : 64;
    Signedness sign = type->kind == TYPE_INT ? type->sign : SIGNLESS;
    if (width > 64)
        return !negative || magnitude <= (uint64_t)INT64_MAX + 1;
    uint64_t half = UINT64_C(1) << (width - 1);
    if (negative)
        return sign != UNSIGNED ? magnitude <= half : magnitude == 0;
    if (sign == SIGNED)
        return magnitude < half;
    return width == 64 || magnitude < UINT64_C(1) << width;
}

bool vmc_float_hex(const Type *type, uint64_t value)
{
    unsigned bits = vmc_float_bits(type->format);
    return vmc_float_etype(type->format) != BVM_NONE && (bits >= 64 || value < UINT64_C(1) << bits);
}

/* Decimal literals round to f64 first, then to their type: that is what MLIR means by them. */
bool vmc_float_literal(const Type *type, const char *text, size_t n, bool negative, uint64_t *bits)
{
    uint64_t wide;
    if (num_parse_float(text, n, BVM_F64, &wide) != n)
        return false;
    if (negative)
        wide ^= UINT64_C(1) << 63;
    unsigned etype = vmc_float_etype(type->format);
    *bits = etype == BVM_NONE ? wide : num_float_convert(BVM_F64, wide, etype, 0);
    return true;
}

const char *vmc_type_text(Asm *p, const Type *type)
{
    Text text = {.arena = &p->ctx->scratch};
    vmc_print_type(&text, type);
    return text.at;
}

static bool float_attr(Asm *p, const Type *type, Token tok, bool negative, const Attr **out)
{
    uint64_t bits;
    SrcPos pos = vmc_pos_at(p, tok.start);
    if (tok.kind == TOKEN_INTEGER) {
        if (tok.end - tok.start < 3 || tok.start[1] != 'x')
            return asm_error(p, pos, "a literal of type %s needs a decimal point (or is the hexadecimal of its bits)",
                             vmc_type_text(p, type));
        Token now = p->tok;
        p->tok = tok;
        bool fits = vmc_token_u64(p, &bits) && !negative && vmc_float_hex(type, bits);
        p->tok = now;
        if (!fits)
            return asm_error(p, pos, "this is no bit pattern of type %s", vmc_type_text(p, type));
    } else if (!vmc_float_literal(type, tok.start, (size_t)(tok.end - tok.start), negative, &bits)) {
        return asm_error(p, pos, "this is no number");
    }
    *out = vmc_attr_float_bits(p->ctx, type, bits);
    return true;
}

/* A number past 64 bits is kept as its digits; what computes has no such type.  The digits of 2^width are a few more than
   width * log10(2). */
static bool wide_int_attr(Asm *p, const Type *type, Token tok, bool negative, const Attr **out)
{
    const char *digits = tok.start;
    bool hex = tok.end - digits > 2 && digits[1] == 'x';
    while (!hex && digits + 1 < tok.end && *digits == '0')
        digits++;
    size_t n = (size_t)(tok.end - digits);
    if (hex ? 4 * (uint64_t)(n - 2) > type->width + 3 : n > (uint64_t)type->width * 30103 / 100000 + 1)
        return asm_error(p, vmc_pos_at(p, tok.start), "this integer is out of the range of %s", vmc_type_text(p, type));
    Text text = {.arena = &p->ctx->scratch};
    vmc_text_str(&text, negative ? "-" : "");
    vmc_text_add(&text, digits, n);
    *out = vmc_attr_intern(p->ctx, &(Attr){.kind = ATTR_INT, .type = type, .i = negative ? INT64_MIN : INT64_MAX, .s = text.at});
    return true;
}

static bool int_attr(Asm *p, const Type *type, Token tok, bool negative, const Attr **out)
{
    uint64_t magnitude;
    SrcPos pos = vmc_pos_at(p, tok.start);
    if (tok.kind == TOKEN_FLOAT)
        return asm_error(p, pos, "a literal of type %s is an integer", vmc_type_text(p, type));
    Token now = p->tok;
    p->tok = tok;
    bool fits = vmc_token_u64(p, &magnitude) && vmc_int_in_range(type, negative, magnitude);
    p->tok = now;
    if (type->kind == TYPE_INT && type->width > 64 && (!fits || magnitude > (uint64_t)INT64_MAX))
        return wide_int_attr(p, type, tok, negative, out);
    if (!fits)
        return asm_error(p, pos, "this integer is out of the range of %s", vmc_type_text(p, type));
    *out = vmc_attr_int(p->ctx, type, (int64_t)(negative ? 0 - magnitude : magnitude));
    return true;
}

bool vmc_parse_number(Asm *p, const Type *type, bool negative, const Attr **out)
{
    Token tok = p->tok;
    if (tok.kind != TOKEN_INTEGER && tok.kind != TOKEN_FLOAT)
        return vmc_expected(p, "a number");
    vmc_advance(p);
    SrcPos pos = asm_pos(p);
    if (!type && asm_try(p, ":")) {
        pos = asm_pos(p);
        if (!vmc_parse_type(p, &type))
            return false;
    } else if (!type) {
        type = tok.kind == TOKEN_FLOAT ? vmc_type_float(p->ctx, FLOAT_F64) : vmc_type_int(p->ctx, 64, SIGNLESS);
    }
    if (type->kind == TYPE_FLOAT)
        return float_attr(p, type, tok, negative, out);
    if (type->kind == TYPE_INT || type->kind == TYPE_INDEX)
        return int_attr(p, type, tok, negative, out);
    return asm_error(p, pos, "a number can not be of type %s", vmc_type_text(p, type));
}

/* ---- composites ---------------------------------------------------------- */

static bool parse_array(Asm *p, const Attr **out)
{
    VEC(const Attr *) elems = {0};
    vmc_advance(p);
    if (!vmc_tok_is(p, "]")) {
        do {
            const Attr *elem;
            if (!vmc_parse_attr(p, NULL, &elem))
                return false;
            VEC_PUSH(&p->ctx->scratch, &elems, elem);
        } while (asm_try(p, ","));
    }
    *out = vmc_attr_array(p->ctx, elems.n, elems.at);
    return asm_expect(p, "]");
}

static bool entry_name(Asm *p, const char **name)
{
    size_t n;
    if (p->tok.kind == TOKEN_WORD) {
        *name = vmc_intern_token(p, 0);
        vmc_advance(p);
        return true;
    }
    if (p->tok.kind != TOKEN_STRING)
        return vmc_expected(p, "the name of an attribute");
    SrcPos pos = asm_pos(p);
    if (!asm_string(p, name, &n))
        return false;
    if (n == 0 || strlen(*name) != n)
        return asm_error(p, pos, "the name of an attribute may not be empty or hold a NUL");
    *name = vmc_intern(&p->ctx->names, *name, n);
    return true;
}

#define FEW_ENTRIES 16 /* up to here a repeated name is found by comparing */

static bool seen_before(Asm *p, NamedAttrs *entries, Map *seen, const char *name)
{
    if (entries->n < FEW_ENTRIES) {
        for (size_t i = 0; i < entries->n; i++)
            if (entries->at[i].name == name)
                return true;
        return false;
    }
    if (!seen->n) {
        seen->arena = &p->ctx->scratch;
        for (size_t i = 0; i < entries->n; i++)
            vmc_map_put_ptr(seen, entries->at[i].name, name);
    }
    if (vmc_map_ptr(seen, name))
        return true;
    vmc_map_put_ptr(seen, name, name);
    return false;
}

bool vmc_parse_attr_entries(Asm *p, NamedAttrs *out)
{
    Map seen = {0};
    if (!asm_expect(p, "{"))
        return false;
    if (asm_try(p, "}"))
        return true;
    do {
        NamedAttr entry = {0};
        SrcPos pos = asm_pos(p);
        if (!entry_name(p, &entry.name))
            return false;
        if (seen_before(p, out, &seen, entry.name))
            return asm_error(p, pos, "attribute '%s' is given twice", entry.name);
        if (!asm_try(p, "="))
            entry.attr = vmc_attr_unit(p->ctx);
        else if (!vmc_parse_attr(p, NULL, &entry.attr))
            return false;
        VEC_PUSH(&p->ctx->scratch, out, entry);
    } while (asm_try(p, ","));
    return asm_expect(p, "}");
}

static bool parse_dict(Asm *p, const Attr **out)
{
    NamedAttrs entries = {0};
    if (!vmc_parse_attr_entries(p, &entries))
        return false;
    *out = vmc_attr_dict(p->ctx, entries.n, entries.at);
    return true;
}

static bool parse_string(Asm *p, const Type *type, const Attr **out)
{
    const char *text;
    size_t n;
    if (!asm_string(p, &text, &n))
        return false;
    if (!type && asm_try(p, ":") && !vmc_parse_type(p, &type))
        return false;
    if (type && type->kind == TYPE_NONE)
        type = NULL;
    *out = vmc_attr_intern(p->ctx, &(Attr){.kind = ATTR_STRING, .s = text, .n = n, .type = type});
    return true;
}

static bool parse_symbol(Asm *p, const Attr **out)
{
    const char *root;
    VEC(const Attr *) nested = {0};
    if (!asm_symbol_name(p, &root))
        return false;
    while (vmc_tok_is(p, "::")) {
        const char *name;
        vmc_advance(p);
        if (!asm_symbol_name(p, &name))
            return false;
        VEC_PUSH(&p->ctx->scratch, &nested, vmc_attr_symbol(p->ctx, name, 0, NULL));
    }
    *out = vmc_attr_symbol(p->ctx, root, nested.n, nested.at);
    return true;
}

static bool strided_value(Asm *p, int64_t *value)
{
    if (asm_try(p, "?")) {
        *value = VMC_DYNAMIC;
        return true;
    }
    SrcPos pos = asm_pos(p);
    if (!asm_integer(p, value))
        return false;
    return *value != VMC_DYNAMIC || asm_error(p, pos, "this stride is out of range");
}

static bool parse_strided(Asm *p, const Attr **out)
{
    VEC(int64_t) strides = {0};
    int64_t offset = 0, stride;
    if (!asm_expect(p, "<") || !asm_expect(p, "["))
        return false;
    if (!vmc_tok_is(p, "]")) {
        do {
            if (!strided_value(p, &stride))
                return false;
            VEC_PUSH(&p->ctx->scratch, &strides, stride);
        } while (asm_try(p, ","));
    }
    if (!asm_expect(p, "]"))
        return false;
    if (asm_try(p, ",") && (!asm_expect(p, "offset") || !asm_expect(p, ":") || !strided_value(p, &offset)))
        return false;
    *out = vmc_attr_strided(p->ctx, offset, strides.n, strides.at);
    return asm_expect(p, ">");
}

/* ---- text of other dialects ---------------------------------------------- */

static bool parse_opaque(Asm *p, const Type *type, bool bare, const Attr **out)
{
    Text text = {.arena = &p->ctx->scratch};
    vmc_text_add(&text, "", 0);
    if (!vmc_opaque_text(p, &text))
        return false;
    if (!type && asm_try(p, ":") && !vmc_parse_type(p, &type))
        return false;
    *out = vmc_attr_intern(p->ctx, &(Attr){.kind = ATTR_OPAQUE, .s = text.at, .n = text.n, .type = type, .bare = bare});
    return true;
}

static bool parse_hash(Asm *p, const Type *type, const Attr **out)
{
    const char *start = p->tok.start, *end = p->tok.end;
    if (memchr(start, '.', (size_t)(end - start)) || *end == '<')
        return parse_opaque(p, type, false, out);
    const char *name = vmc_intern_token(p, 1);
    *out = vmc_map_ptr(&p->attr_aliases, name);
    if (!*out)
        return asm_error(p, asm_pos(p), "the attribute alias #%s is not defined", name);
    vmc_advance(p);
    return true;
}

/* ---- keywords ------------------------------------------------------------ */

static bool keyword_bool(Asm *p, const Type *type, const Attr **out)
{
    bool value = vmc_tok_is(p, "true");
    if (type && !(type->kind == TYPE_INT && type->width == 1))
        return asm_error(p, asm_pos(p), "`%s` is of type i1, not %s", value ? "true" : "false", vmc_type_text(p, type));
    vmc_advance(p);
    *out = vmc_attr_bool(p->ctx, value);
    return true;
}

static bool keyword_unit(Asm *p, const Type *type, const Attr **out)
{
    (void)type;
    vmc_advance(p);
    *out = vmc_attr_unit(p->ctx);
    return true;
}

static bool keyword_map(Asm *p, const Type *type, const Attr **out)
{
    (void)type;
    bool set = vmc_tok_is(p, "affine_set");
    const AffineMap *map;
    vmc_advance(p);
    if (!vmc_parse_affine_attr(p, set, &map))
        return false;
    *out = set ? vmc_attr_set(p->ctx, map) : vmc_attr_map(p->ctx, map);
    return true;
}

static bool keyword_strided(Asm *p, const Type *type, const Attr **out)
{
    (void)type;
    vmc_advance(p);
    return parse_strided(p, out);
}

static bool keyword_loc(Asm *p, const Type *type, const Attr **out)
{
    (void)type;
    vmc_advance(p);
    return asm_expect(p, "(") && vmc_parse_loc_body(p, out) && asm_expect(p, ")");
}

static bool keyword_bare(Asm *p, const Type *type, const Attr **out)
{
    return parse_opaque(p, type, true, out);
}

static bool keyword_array(Asm *p, const Type *type, const Attr **out)
{
    (void)type;
    vmc_advance(p);
    return vmc_parse_dense_array(p, out);
}

static const struct AttrKeyword {
    const char *word;
    bool (*parse)(Asm *p, const Type *type, const Attr **out);
} keywords[] = {
    {"true", keyword_bool},      {"false", keyword_bool},      {"dense", vmc_parse_dense}, {"affine_map", keyword_map},
    {"array", keyword_array},    {"strided", keyword_strided}, {"unit", keyword_unit},     {"dense_resource", vmc_parse_resource},
    {"affine_set", keyword_map}, {"loc", keyword_loc},         {"sparse", keyword_bare},   {"distinct", keyword_bare},
};

static const struct AttrKeyword *find_keyword(const Asm *p)
{
    if (p->tok.kind != TOKEN_WORD)
        return NULL;
    for (size_t i = 0; i < sizeof(keywords) / sizeof(*keywords); i++)
        if (vmc_tok_is(p, keywords[i].word))
            return &keywords[i];
    return NULL;
}

bool vmc_starts_attr(const Asm *p)
{
    switch (p->tok.kind) {
    case TOKEN_STRING:
    case TOKEN_INTEGER:
    case TOKEN_FLOAT:
    case TOKEN_SYMBOL:
    case TOKEN_HASH:
        return true;
    default:
        return vmc_tok_is(p, "[") || vmc_tok_is(p, "{") || vmc_tok_is(p, "-") || find_keyword(p) || vmc_starts_type(p);
    }
}

static bool parse_nested(Asm *p, const Type *type, const Attr **out)
{
    const struct AttrKeyword *keyword = find_keyword(p);
    if (keyword)
        return keyword->parse(p, type, out);
    switch (p->tok.kind) {
    case TOKEN_STRING:
        return parse_string(p, type, out);
    case TOKEN_INTEGER:
    case TOKEN_FLOAT:
        return vmc_parse_number(p, type, false, out);
    case TOKEN_SYMBOL:
        return parse_symbol(p, out);
    case TOKEN_HASH:
        return parse_hash(p, type, out);
    default:
        break;
    }
    if (asm_try(p, "-"))
        return vmc_parse_number(p, type, true, out);
    if (vmc_tok_is(p, "["))
        return parse_array(p, out);
    if (vmc_tok_is(p, "{"))
        return parse_dict(p, out);
    if (!vmc_starts_type(p))
        return vmc_expected(p, "an attribute");
    const Type *value;
    if (!vmc_parse_type(p, &value))
        return false;
    *out = vmc_attr_type(p->ctx, value);
    return true;
}

bool vmc_parse_attr(Asm *p, const Type *type, const Attr **out)
{
    *out = NULL;
    if (!vmc_enter(p))
        return false;
    bool ok = parse_nested(p, type, out);
    vmc_leave(p);
    return ok;
}
