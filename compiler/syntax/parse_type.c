/* Types of the builtin dialect; types of other dialects are kept as text. */
#include "../ir/print.h"
#include "parser.h"

static bool word_is(const Asm *p, const char *word)
{
    return p->tok.kind == TOKEN_WORD && vmc_tok_is(p, word);
}

/* i32, si8, ui1: width 1 .. 2^24 - 1 */
static bool integer_word(const Asm *p, Signedness *sign, uint32_t *width, bool *bad_width)
{
    const char *at = p->tok.start, *end = p->tok.end;
    *sign = *at == 's' ? SIGNED : *at == 'u' ? UNSIGNED : SIGNLESS;
    at += *sign != SIGNLESS;
    if (at >= end || *at++ != 'i' || at == end)
        return false;
    uint64_t v = 0;
    for (; at < end; at++) {
        if (*at < '0' || *at > '9')
            return false;
        v = v > UINT32_MAX ? v : v * 10 + (uint64_t)(*at - '0');
    }
    *bad_width = v == 0 || v >= UINT64_C(1) << 24;
    *width = (uint32_t)v;
    return true;
}

static const char *const type_words[] = {"index", "none", "tensor", "memref", "vector", "complex", "tuple"};

bool vmc_starts_type(const Asm *p)
{
    Signedness sign;
    uint32_t width;
    bool bad;
    FloatFormat format;
    if (p->tok.kind == TOKEN_BANG || vmc_tok_is(p, "("))
        return true;
    if (p->tok.kind != TOKEN_WORD)
        return false;
    for (size_t i = 0; i < sizeof(type_words) / sizeof(*type_words); i++)
        if (vmc_tok_is(p, type_words[i]))
            return true;
    return integer_word(p, &sign, &width, &bad) || vmc_float_by_name(p->tok.start, (size_t)(p->tok.end - p->tok.start), &format);
}

/* ---- shapes -------------------------------------------------------------- */

typedef struct Shape {
    VEC(int64_t) dims;
    VEC(bool) scalable;
    bool unranked;
} Shape;

static bool bad_dimension(Asm *p, const char *at)
{
    vmc_relex(p, at);
    return asm_error(p, vmc_pos_at(p, at), "expected a dimension such as `4x`, `?x` or the element type");
}

static const char *decimal(const char *at, int64_t *value, bool *overflow)
{
    *value = 0;
    *overflow = false;
    for (; *at >= '0' && *at <= '9'; at++)
        *overflow |= __builtin_mul_overflow(*value, 10, value) || __builtin_add_overflow(*value, *at - '0', value);
    return at;
}

/* Dimensions are read from the characters: `4x8xf32` is no sequence of tokens. */
static bool parse_shape(Asm *p, Shape *shape, bool is_vector)
{
    const char *at = p->tok.start;
    if (*at == '*' && !is_vector) {
        shape->unranked = true;
        at = vmc_skip_blanks(at + 1, p->limit);
        if (*at != 'x')
            return bad_dimension(p, at);
        vmc_relex(p, at + 1);
        return true;
    }
    for (;;) {
        at = vmc_skip_blanks(at, p->limit);
        const char *start = at;
        bool scalable = *at == '[' && is_vector, overflow = false;
        int64_t dim = VMC_DYNAMIC;
        if (scalable)
            at = vmc_skip_blanks(at + 1, p->limit);
        if (*at == '?' && !is_vector)
            at++;
        else if (*at >= '0' && *at <= '9')
            at = decimal(at, &dim, &overflow);
        else if (scalable)
            return bad_dimension(p, at);
        else
            break;
        if (overflow)
            return asm_error(p, vmc_pos_at(p, start), "this dimension is past 64 bits");
        if (is_vector && dim == 0)
            return asm_error(p, vmc_pos_at(p, start), "a vector has no dimension of size 0");
        at = vmc_skip_blanks(at, p->limit);
        if (scalable && *at != ']')
            return bad_dimension(p, at);
        at = scalable ? vmc_skip_blanks(at + 1, p->limit) : at;
        if (*at != 'x')
            return bad_dimension(p, at);
        at++;
        VEC_PUSH(&p->ctx->scratch, &shape->dims, dim);
        VEC_PUSH(&p->ctx->scratch, &shape->scalable, scalable);
    }
    vmc_relex(p, at);
    return true;
}

static bool is_scalar(const Type *t)
{
    return t->kind == TYPE_INT || t->kind == TYPE_INDEX || t->kind == TYPE_FLOAT;
}

static bool vector_elem_ok(const Type *t)
{
    return is_scalar(t) || t->kind == TYPE_OPAQUE;
}

static bool shaped_elem_ok(const Type *t)
{
    return is_scalar(t) || t->kind == TYPE_COMPLEX || t->kind == TYPE_VECTOR || t->kind == TYPE_OPAQUE || t->kind == TYPE_MEMREF ||
           t->kind == TYPE_UNRANKED_MEMREF;
}

static bool parse_elem(Asm *p, const Type **elem, bool (*ok)(const Type *), const char *of)
{
    SrcPos pos = asm_pos(p);
    if (!vmc_parse_type(p, elem))
        return false;
    if (ok(*elem))
        return true;
    Text text = {.arena = &p->ctx->scratch};
    vmc_print_type(&text, *elem);
    return asm_error(p, pos, "the elements of a %s can not be of type %s", of, text.at);
}

static bool parse_vector(Asm *p, const Type **out)
{
    Shape shape = {0};
    const Type *elem;
    if (!asm_expect(p, "<") || !parse_shape(p, &shape, true) || !parse_elem(p, &elem, vector_elem_ok, "vector") ||
        !asm_expect(p, ">"))
        return false;
    *out = vmc_type_vector(p->ctx, (uint32_t)shape.dims.n, shape.dims.at, shape.scalable.at, elem);
    return true;
}

static bool parse_tensor(Asm *p, const Type **out)
{
    Shape shape = {0};
    const Type *elem;
    const Attr *encoding = NULL;
    if (!asm_expect(p, "<") || !parse_shape(p, &shape, false) || !parse_elem(p, &elem, shaped_elem_ok, "tensor"))
        return false;
    SrcPos pos = asm_pos(p);
    if (asm_try(p, ",") && !vmc_parse_attr(p, NULL, &encoding))
        return false;
    if (encoding && shape.unranked)
        return asm_error(p, pos, "an unranked tensor has no encoding");
    *out = shape.unranked ? vmc_type_unranked_tensor(p->ctx, elem)
                          : vmc_type_tensor(p->ctx, (uint32_t)shape.dims.n, shape.dims.at, elem, encoding);
    return asm_expect(p, ">");
}

static bool parse_memref(Asm *p, const Type **out)
{
    Shape shape = {0};
    const Type *elem;
    const Attr *layout = NULL, *space = NULL;
    if (!asm_expect(p, "<") || !parse_shape(p, &shape, false) || !parse_elem(p, &elem, shaped_elem_ok, "memref"))
        return false;
    while (asm_try(p, ",")) {
        SrcPos pos = asm_pos(p);
        const Attr *attr;
        if (!vmc_parse_attr(p, NULL, &attr))
            return false;
        bool is_layout = attr->kind == ATTR_MAP || attr->kind == ATTR_STRIDED;
        if (is_layout ? layout || space || shape.unranked : space != NULL)
            return asm_error(p, pos, "a memref has at most a layout and then a memory space");
        if (attr->kind == ATTR_MAP && attr->map->ndims != shape.dims.n)
            return asm_error(p, pos, "the layout map has %u dimensions, the memref %zu", attr->map->ndims, shape.dims.n);
        if (attr->kind == ATTR_STRIDED && attr->n != shape.dims.n)
            return asm_error(p, pos, "the layout has %zu strides, the memref %zu dimensions", attr->n, shape.dims.n);
        *(is_layout ? &layout : &space) = attr;
    }
    if (space && space->kind == ATTR_INT && space->i == 0)
        space = NULL; /* the default space */
    *out = shape.unranked ? vmc_type_unranked_memref(p->ctx, elem, space)
                          : vmc_type_memref(p->ctx, (uint32_t)shape.dims.n, shape.dims.at, elem, layout, space);
    return asm_expect(p, ">");
}

static bool complex_elem_ok(const Type *t)
{
    return is_scalar(t) && t->kind != TYPE_INDEX;
}

static bool parse_complex(Asm *p, const Type **out)
{
    const Type *elem;
    if (!asm_expect(p, "<") || !parse_elem(p, &elem, complex_elem_ok, "complex number"))
        return false;
    *out = vmc_type_complex(p->ctx, elem);
    return asm_expect(p, ">");
}

static bool parse_tuple(Asm *p, const Type **out)
{
    AsmTypes types = {0};
    if (!asm_expect(p, "<") || !asm_type_list(p, &types))
        return false;
    *out = vmc_type_tuple(p->ctx, (uint32_t)types.n, types.at);
    return asm_expect(p, ">");
}

/* ---- dialect types and attributes as text -------------------------------- */

#define EXPANSION_LIMIT ((size_t)1 << 20)
#define EXPANSION_NODES (1u << 16)

static bool is_name_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$' || c == '.' ||
           c == '-';
}

/* Adds what #name or !name stands for, so that the text means the same everywhere; others are added as they are. */
bool vmc_alias_text(Asm *p, Text *out, const char *start, const char *end)
{
    const char *name = vmc_intern(&p->ctx->names, start + 1, (size_t)(end - start) - 1);
    const Attr *attr = *start == '#' ? vmc_map_ptr(&p->attr_aliases, name) : NULL;
    const Type *type = *start == '!' ? vmc_map_ptr(&p->type_aliases, name) : NULL;
    if (!attr && !type) {
        vmc_text_add(out, start, (size_t)(end - start));
        return true;
    }
    size_t before = out->n;
    AttrPrinter printer = {.out = out, .budget = EXPANSION_NODES};
    if (attr)
        vmc_print_attr_with(&printer, attr, TYPE_NEVER);
    else
        vmc_print_type_with(&printer, type);
    p->expansion += out->n - before;
    if (p->expansion > EXPANSION_LIMIT || printer.budget == 0) {
        asm_error(p, vmc_pos_at(p, start), "aliases inside of dialect types and attributes expand to more than %zu bytes",
                  EXPANSION_LIMIT);
        p->fatal = true;
        return false;
    }
    return true;
}

/* From the opening bracket to the one that closes it. */
static const char *balanced(Asm *p, const char *at, Text *out)
{
    char open[VMC_MAX_DEPTH];
    size_t depth = 0;
    const char *first = at, *copied = at;
    while (at < p->limit) {
        char c = *at;
        if (c == '<' || c == '(' || c == '[' || c == '{') {
            if (depth == VMC_MAX_DEPTH) {
                asm_error(p, vmc_pos_at(p, at), "nested more than %d levels deep", VMC_MAX_DEPTH);
                p->fatal = true;
                return NULL;
            }
            open[depth++] = c;
        } else if (c == '-' && at[1] == '>') {
            at++;
        } else if (c == '>' || c == ')' || c == ']' || c == '}') {
            char want = c == '>' ? '<' : c == ')' ? '(' : c == ']' ? '[' : '{';
            if (open[depth - 1] != want) {
                asm_error(p, vmc_pos_at(p, at), "this '%c' does not match the '%c' before it", c, open[depth - 1]);
                return NULL;
            }
            if (--depth == 0) {
                vmc_text_add(out, copied, (size_t)(at + 1 - copied));
                return at + 1;
            }
        } else if (c == '"') {
            Token string = vmc_lex(at, p->limit);
            if (string.kind != TOKEN_STRING) {
                asm_error(p, vmc_pos_at(p, at), "%s", string.message);
                return NULL;
            }
            at = string.end;
            continue;
        } else if (c == '/' && at[1] == '/') { /* a comment is not part of the text */
            vmc_text_add(out, copied, (size_t)(at - copied));
            at = copied = vmc_skip_blanks(at, p->limit);
            vmc_text_char(out, ' ');
            continue;
        } else if ((c == '#' || c == '!') && is_name_char(at[1])) {
            const char *end = at + 1;
            while (is_name_char(*end))
                end++;
            vmc_text_add(out, copied, (size_t)(at - copied));
            if (!vmc_alias_text(p, out, at, end))
                return NULL;
            at = copied = end;
            continue;
        }
        at++;
    }
    asm_error(p, vmc_pos_at(p, first), "this '%c' is never closed", *first);
    p->fatal = true;
    return NULL;
}

/* Whether the op goes on behind a line end: with a body, result types or its attributes. */
static bool line_goes_on(const char *at)
{
    return *at == '{' || strncmp(at, "->", 2) == 0 || strncmp(at, "attributes", 10) == 0;
}

bool asm_rest_as_text(Asm *p, Text *out)
{
    const char *at = p->tok.start;
    while (at < p->limit && *at != '}') {
        const char *next = vmc_skip_blanks(at, p->limit);
        if (next != at) {
            if (memchr(at, '\n', (size_t)(next - at)) && !line_goes_on(next))
                break;
            vmc_text_char(out, ' ');
            at = next;
        } else if (*at == '(' || *at == '<' || *at == '[' || *at == '{') {
            at = balanced(p, at, out);
            if (!at)
                return false;
        } else {
            size_t n = at[0] == '-' && at[1] == '>' ? 2 : 1;
            vmc_text_add(out, at, n);
            at += n;
        }
    }
    vmc_relex(p, at);
    return true;
}

bool vmc_opaque_text(Asm *p, Text *out)
{
    const char *start = p->tok.start, *end = p->tok.end;
    size_t skip = p->tok.kind == TOKEN_WORD ? 0 : 1;
    if (p->tok.kind == TOKEN_WORD && vmc_skip_blanks(end, p->limit) != end)
        end = vmc_skip_blanks(end, p->limit);
    vmc_text_add(out, start + skip, (size_t)(p->tok.end - start) - skip);
    while (*end == '<' || (skip == 0 && *end == '[')) {
        end = balanced(p, end, out);
        if (!end)
            return false;
        if (skip)
            break;
    }
    vmc_relex(p, end);
    return true;
}

static bool parse_bang(Asm *p, const Type **out)
{
    const char *start = p->tok.start, *end = p->tok.end;
    bool plain = !memchr(start, '.', (size_t)(end - start)) && *end != '<';
    if (plain) {
        const char *name = vmc_intern_token(p, 1);
        *out = vmc_map_ptr(&p->type_aliases, name);
        if (!*out)
            return asm_error(p, asm_pos(p), "the type alias !%s is not defined", name);
        vmc_advance(p);
        return true;
    }
    Text text = {.arena = &p->ctx->scratch};
    if (!vmc_opaque_text(p, &text))
        return false;
    *out = vmc_type_named(p->ctx, TYPE_OPAQUE, text.at, text.n);
    return true;
}

/* ---- entry --------------------------------------------------------------- */

static bool parse_nested(Asm *p, const Type **out)
{
    if (p->tok.kind == TOKEN_BANG)
        return parse_bang(p, out);
    if (vmc_tok_is(p, "("))
        return asm_function_type(p, out);
    static bool (*const parsers[])(Asm *, const Type **) = {parse_tensor, parse_memref, parse_vector, parse_complex, parse_tuple};
    for (size_t i = 0; i < sizeof(parsers) / sizeof(*parsers); i++) {
        if (word_is(p, type_words[i + 2])) {
            vmc_advance(p);
            return parsers[i](p, out);
        }
    }
    return vmc_expected(p, "a type");
}

bool vmc_parse_type(Asm *p, const Type **out)
{
    *out = NULL;
    if (p->tok.kind == TOKEN_WORD) { /* leaves first: they are what types are made of */
        Signedness sign;
        uint32_t width;
        bool bad_width;
        FloatFormat format;
        if (integer_word(p, &sign, &width, &bad_width)) {
            if (bad_width)
                return asm_error(p, asm_pos(p), "the width of an integer is 1 to 16777215 bits");
            *out = vmc_type_int(p->ctx, width, sign);
        } else if (vmc_float_by_name(p->tok.start, (size_t)(p->tok.end - p->tok.start), &format)) {
            *out = vmc_type_float(p->ctx, format);
        } else if (vmc_tok_is(p, "index")) {
            *out = vmc_type_index(p->ctx);
        } else if (vmc_tok_is(p, "none")) {
            *out = vmc_type_none(p->ctx);
        }
        if (*out) {
            vmc_advance(p);
            return true;
        }
    }
    if (!vmc_enter(p))
        return false;
    bool ok = parse_nested(p, out);
    vmc_leave(p);
    return ok;
}
