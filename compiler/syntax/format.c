/* The assembly formats of op rows: one parsed form drives the parser and the printer.
 *
 * The language is described in dialects/dialect.h.  Types that a format leaves out are
 * derived from constraints and traits of the row.
 */
#include "parser.h"
#include "printer.h"

typedef enum ElemKind {
    ELEM_LITERAL,
    ELEM_NO_SPACE,
    ELEM_OPERAND,      /* index: group; NONE: all operands */
    ELEM_ATTR,         /* index: attribute */
    ELEM_REGION,       /* index: region; NONE: all regions */
    ELEM_OPERAND_TYPE, /* as OPERAND */
    ELEM_RESULT_TYPE,  /* index: result; NONE: all results */
    ELEM_FUNCTIONAL,   /* index and other: operands and results, as above */
    ELEM_ATTR_DICT,
    ELEM_ATTR_DICT_KEYWORD,
    ELEM_SUCCESSORS,
    ELEM_OPTIONAL,
    ELEM_CUSTOM, /* text: name of the part */
} ElemKind;

#define NONE UINT32_MAX

typedef struct Elem Elem;
typedef VEC(Elem) Elems;
struct Elem {
    ElemKind kind;
    const char *text;
    uint32_t index, other;
    bool anchor;
    Elems then, otherwise; /* OPTIONAL */
};

typedef struct Format {
    const OpDef *def;
    Elems elems;
    VEC(const char *) except; /* attributes that attr-dict leaves out, NULL at the end */
    bool segments;            /* several variable groups of operands */
    const char *error;        /* what is wrong with the text, or NULL */
} Format;

/* ---- reading the format text --------------------------------------------- */

typedef struct FormatReader {
    Context *ctx;
    Format *format;
    const char *at;
} FormatReader;

static bool bad_format(FormatReader *r, const char *why)
{
    if (!r->format->error)
        r->format->error = vmc_arena_printf(&r->ctx->arena, "%s before `%.20s`", why, r->at);
    return false;
}

static void skip_spaces(FormatReader *r)
{
    while (*r->at == ' ' || *r->at == '\n' || *r->at == '\t')
        r->at++;
}

static bool is_name_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

static const char *read_name(FormatReader *r)
{
    const char *start = r->at;
    while (is_name_char(*r->at))
        r->at++;
    return vmc_intern(&r->ctx->names, start, (size_t)(r->at - start));
}

static uint32_t find_field(const FieldDef *fields, uint32_t n, const char *name)
{
    for (uint32_t i = 0; i < n; i++)
        if (strcmp(fields[i].name, name) == 0)
            return i;
    return NONE;
}

static bool read_char(FormatReader *r, char c)
{
    skip_spaces(r);
    if (*r->at != c)
        return bad_format(r, "unexpected text");
    r->at++;
    return true;
}

/* $name, operands or results, as the argument of type() or functional-type() */
static bool read_type_source(FormatReader *r, bool *is_result, uint32_t *index)
{
    const OpDef *def = r->format->def;
    skip_spaces(r);
    bool field = *r->at == '$';
    r->at += field;
    const char *name = read_name(r);
    *index = NONE;
    if (!field) {
        *is_result = strcmp(name, "results") == 0;
        return *is_result || strcmp(name, "operands") == 0 || bad_format(r, "unknown source of types");
    }
    *index = find_field(def->operands, def->noperands, name);
    *is_result = *index == NONE;
    if (*is_result)
        *index = find_field(def->results, def->nresults, name);
    return *index != NONE || bad_format(r, "unknown operand or result");
}

static bool read_field(FormatReader *r, Elem *elem)
{
    const OpDef *def = r->format->def;
    r->at++;
    const char *name = read_name(r);
    if ((elem->index = find_field(def->operands, def->noperands, name)) != NONE) {
        elem->kind = ELEM_OPERAND;
    } else if ((elem->index = find_field(def->attrs, def->nattrs, name)) != NONE) {
        elem->kind = ELEM_ATTR;
        VEC_PUSH(&r->ctx->arena, &r->format->except, name);
    } else if ((elem->index = find_field(def->regions, def->nregions, name)) != NONE) {
        elem->kind = ELEM_REGION;
    } else if ((def->traits & TRAIT_SUCCESSORS) != 0) {
        elem->kind = ELEM_SUCCESSORS;
    } else {
        return bad_format(r, "unknown field");
    }
    return true;
}

static bool read_directive(FormatReader *r, Elem *elem)
{
    const char *name = read_name(r);
    bool is_result;
    elem->index = NONE;
    if (strcmp(name, "attr-dict") == 0) {
        elem->kind = ELEM_ATTR_DICT;
    } else if (strcmp(name, "attr-dict-with-keyword") == 0) {
        elem->kind = ELEM_ATTR_DICT_KEYWORD;
    } else if (strcmp(name, "operands") == 0) {
        elem->kind = ELEM_OPERAND;
    } else if (strcmp(name, "regions") == 0) {
        elem->kind = ELEM_REGION;
    } else if (strcmp(name, "successors") == 0) {
        elem->kind = ELEM_SUCCESSORS;
    } else if (strcmp(name, "type") == 0) {
        if (!read_char(r, '(') || !read_type_source(r, &is_result, &elem->index) || !read_char(r, ')'))
            return false;
        elem->kind = is_result ? ELEM_RESULT_TYPE : ELEM_OPERAND_TYPE;
    } else if (strcmp(name, "functional-type") == 0) {
        bool second;
        elem->kind = ELEM_FUNCTIONAL;
        if (!read_char(r, '(') || !read_type_source(r, &is_result, &elem->index) || !read_char(r, ',') ||
            !read_type_source(r, &second, &elem->other) || !read_char(r, ')'))
            return false;
        if (is_result || !second)
            return bad_format(r, "functional-type takes operands and results");
    } else if (strcmp(name, "custom") == 0) {
        elem->kind = ELEM_CUSTOM;
        if (!read_char(r, '<'))
            return false;
        elem->text = read_name(r);
        VEC_PUSH(&r->ctx->arena, &r->format->except, elem->text);
        if (!read_char(r, '>'))
            return false;
        if (*r->at == '(') { /* arguments, as ODS has them, are for the reader */
            while (*r->at && *r->at != ')')
                r->at++;
            r->at += *r->at == ')';
        }
    } else {
        return bad_format(r, "unknown directive");
    }
    return true;
}

static bool read_elems(FormatReader *r, Elems *out, unsigned depth);

static bool read_optional(FormatReader *r, Elem *elem, unsigned depth)
{
    elem->kind = ELEM_OPTIONAL;
    r->at++;
    if (!read_elems(r, &elem->then, depth + 1) || !read_char(r, ')'))
        return false;
    skip_spaces(r);
    if (*r->at == ':') {
        r->at++;
        skip_spaces(r);
        if (*r->at != '(')
            return bad_format(r, "unexpected text");
        r->at++;
        if (!read_elems(r, &elem->otherwise, depth + 1) || !read_char(r, ')'))
            return false;
        skip_spaces(r);
    }
    if (*r->at != '?')
        return bad_format(r, "unexpected text");
    r->at++;
    skip_spaces(r);
    if (*r->at == ':') { /* ( ... )? : ( ... ) */
        r->at++;
        return read_char(r, '(') && read_elems(r, &elem->otherwise, depth + 1) && read_char(r, ')');
    }
    return true;
}

static bool read_literal(FormatReader *r, Elem *elem)
{
    const char *start = ++r->at;
    const char *end = strchr(start, '`');
    if (!end)
        return bad_format(r, "unclosed literal");
    r->at = end + 1;
    elem->kind = end == start ? ELEM_NO_SPACE : ELEM_LITERAL;
    elem->text = vmc_intern(&r->ctx->names, start, (size_t)(end - start));
    return true;
}

static bool read_elems(FormatReader *r, Elems *out, unsigned depth)
{
    if (depth > 16)
        return bad_format(r, "nested too deeply");
    for (;;) {
        skip_spaces(r);
        if (!*r->at || *r->at == ')')
            return true;
        Elem elem = {.index = NONE, .other = NONE};
        bool ok = *r->at == '`'   ? read_literal(r, &elem)
                  : *r->at == '$' ? read_field(r, &elem)
                  : *r->at == '(' ? read_optional(r, &elem, depth)
                                  : read_directive(r, &elem);
        if (!ok)
            return false;
        if (*r->at == '^') {
            elem.anchor = true;
            r->at++;
        }
        VEC_PUSH(&r->ctx->arena, out, elem);
    }
}

static const Format *format_of(Context *ctx, const OpDef *def)
{
    Format *format = vmc_map_ptr(ctx->formats, def);
    if (format)
        return format;
    format = ARENA_NEW(&ctx->arena, Format);
    format->def = def;
    FormatReader reader = {ctx, format, def->format};
    if (read_elems(&reader, &format->elems, 0) && *reader.at)
        bad_format(&reader, "unexpected text");
    uint32_t variable = 0;
    for (uint32_t i = 0; i < def->noperands; i++)
        variable += def->operands[i].arity != ARITY_ONE;
    format->segments = variable > 1 && !(def->traits & TRAIT_SAME_SEGMENTS);
    VEC_PUSH(&ctx->arena, &format->except, (const char *)"operandSegmentSizes");
    VEC_PUSH(&ctx->arena, &format->except, (const char *)"operand_segment_sizes");
    VEC_PUSH(&ctx->arena, &format->except, (const char *)NULL);
    vmc_map_put_ptr(ctx->formats, def, format);
    return format;
}

/* ---- parsing: elements --------------------------------------------------- */

typedef struct Group { /* an operand or result field while the op is parsed */
    AsmOperands operands;
    AsmTypes types;
    bool typed;          /* types holds one per operand (or per result) */
    const Type *uniform; /* or all are of this type */
    SrcPos pos;
} Group;

typedef struct State {
    Asm *p;
    const Format *format;
    Group *operands, *results;
    AsmOperands all; /* `operands` */
    AsmTypes all_operand_types, all_result_types;
    bool uses_all, has_all_operand_types, has_all_result_types;
    SrcPos types_pos;
} State;

static bool parse_elems(State *s, const Elems *elems);

static bool parse_operands(State *s, const Elem *elem)
{
    Asm *p = s->p;
    if (elem->index == NONE) {
        s->uses_all = true;
        return asm_operand_list(p, &s->all);
    }
    Group *group = &s->operands[elem->index];
    AsmOperand operand;
    group->pos = asm_pos(p);
    switch (s->format->def->operands[elem->index].arity) {
    case ARITY_VARIADIC:
        return asm_operand_list(p, &group->operands);
    case ARITY_OPTIONAL:
        if (!asm_try_operand(p, &operand))
            return true;
        break;
    case ARITY_ONE:
        if (!asm_operand(p, &operand))
            return false;
        break;
    }
    VEC_PUSH(&p->ctx->scratch, &group->operands, operand);
    return true;
}

static bool parse_types(State *s, const FieldDef *field, Group *group)
{
    const Type *type;
    group->typed = true;
    s->types_pos = asm_pos(s->p);
    if (field->arity == ARITY_VARIADIC)
        return asm_type_list(s->p, &group->types);
    if (field->arity == ARITY_OPTIONAL && !vmc_starts_type(s->p))
        return true;
    if (!asm_type(s->p, &type))
        return false;
    VEC_PUSH(&s->p->ctx->scratch, &group->types, type);
    return true;
}

static bool parse_operand_types(State *s, uint32_t index)
{
    if (index != NONE)
        return parse_types(s, &s->format->def->operands[index], &s->operands[index]);
    s->has_all_operand_types = true;
    s->types_pos = asm_pos(s->p);
    return asm_type_list(s->p, &s->all_operand_types);
}

static bool parse_result_types(State *s, uint32_t index)
{
    if (index != NONE)
        return parse_types(s, &s->format->def->results[index], &s->results[index]);
    s->has_all_result_types = true;
    return asm_type_list(s->p, &s->all_result_types);
}

static bool parse_functional(State *s, const Elem *elem)
{
    Asm *p = s->p;
    s->types_pos = asm_pos(p);
    AsmTypes *ins = &s->all_operand_types, *outs = &s->all_result_types;
    if (elem->index != NONE) {
        ins = &s->operands[elem->index].types;
        s->operands[elem->index].typed = true;
    } else {
        s->has_all_operand_types = true;
    }
    if (elem->other != NONE) {
        outs = &s->results[elem->other].types;
        s->results[elem->other].typed = true;
    } else {
        s->has_all_result_types = true;
    }
    return asm_paren_types(p, ins) && asm_arrow_types(p, outs);
}

/* ---- parsing: attributes ------------------------------------------------- */

static bool parse_enum(Asm *p, const EnumDef *def, const Attr **out)
{
    int64_t value;
    const char *keyword;
    SrcPos pos = asm_pos(p);
    if (p->tok.kind == TOKEN_WORD) {
        asm_keyword(p, &keyword);
    } else if (p->tok.kind == TOKEN_STRING) { /* older texts quote it */
        size_t n;
        if (!asm_string(p, &keyword, &n))
            return false;
    } else {
        keyword = "";
    }
    if (vmc_enum_value(def, keyword, &value)) {
        *out = vmc_attr_int(p->ctx, vmc_type_int(p->ctx, def->width == 32 ? 32 : 64, SIGNLESS), value);
        return true;
    }
    Text text = {.arena = &p->ctx->scratch};
    for (uint32_t i = 0; i < def->n; i++)
        vmc_text_fmt(&text, "%s%s", i ? ", " : "", def->cases[i].name);
    if (*keyword)
        return asm_error(p, pos, "expected one of %s, saw `%s`", text.at, keyword);
    vmc_text_str(&text, " (one of these)");
    return vmc_expected(p, text.at);
}

static const Type *kind_type(Context *ctx, const char *kind)
{
    if (strcmp(kind, "i64") == 0)
        return vmc_type_int(ctx, 64, SIGNLESS);
    if (strcmp(kind, "i32") == 0)
        return vmc_type_int(ctx, 32, SIGNLESS);
    if (strcmp(kind, "index") == 0)
        return vmc_type_index(ctx);
    return NULL;
}

/* [1, 2] as array<i64: 1, 2>; other spellings as they are */
static bool parse_ints(Asm *p, const Attr **out)
{
    const int64_t *values;
    if (!vmc_parse_attr(p, NULL, out))
        return false;
    if ((*out)->kind != ATTR_ARRAY)
        return true;
    ptrdiff_t n = vmc_attr_ints(p->ctx, *out, &values);
    if (n >= 0)
        *out = vmc_attr_i64_array(p->ctx, (size_t)n, values);
    return true;
}

static bool parse_attr_value(Asm *p, const FieldDef *field, const Attr **out)
{
    const EnumDef *enumeration = vmc_find_enum(field->constraint);
    if (enumeration)
        return parse_enum(p, enumeration, out);
    if (strcmp(field->constraint, "ints") == 0)
        return parse_ints(p, out);
    return vmc_parse_attr(p, kind_type(p->ctx, field->constraint), out);
}

static bool is_unit(const FieldDef *field)
{
    return strcmp(field->constraint, "unit") == 0;
}

static bool parse_attr_elem(State *s, const Elem *elem, bool first)
{
    Asm *p = s->p;
    const FieldDef *field = &s->format->def->attrs[elem->index];
    const Attr *attr;
    if (is_unit(field)) { /* alone it is its own keyword; behind a literal the literal stands for it */
        if (first && !asm_expect(p, field->name))
            return false;
        attr = vmc_attr_unit(p->ctx);
    } else if (!parse_attr_value(p, field, &attr)) {
        return false;
    }
    asm_add_attr(p, field->name, attr);
    return true;
}

/* ---- parsing: structure -------------------------------------------------- */

static bool starts(State *s, const Elem *elem)
{
    Asm *p = s->p;
    switch (elem->kind) {
    case ELEM_LITERAL:
        return asm_peek(p, elem->text);
    case ELEM_OPERAND:
        return p->tok.kind == TOKEN_VALUE;
    case ELEM_ATTR: {
        const FieldDef *field = &s->format->def->attrs[elem->index];
        if (is_unit(field))
            return asm_peek(p, field->name);
        int64_t value;
        const EnumDef *enumeration = vmc_find_enum(field->constraint);
        if (!enumeration)
            return vmc_starts_attr(p);
        return p->tok.kind == TOKEN_WORD && vmc_enum_value(enumeration, vmc_intern_token(p, 0), &value);
    }
    case ELEM_REGION:
        return asm_peek(p, "{");
    case ELEM_OPERAND_TYPE:
    case ELEM_RESULT_TYPE:
    case ELEM_FUNCTIONAL:
        return vmc_starts_type(p);
    case ELEM_SUCCESSORS:
        return p->tok.kind == TOKEN_BLOCK;
    case ELEM_OPTIONAL:
        return elem->then.n && starts(s, &elem->then.at[0]);
    case ELEM_ATTR_DICT:
        return asm_peek(p, "{");
    case ELEM_ATTR_DICT_KEYWORD:
        return asm_peek(p, "attributes");
    case ELEM_NO_SPACE:
    case ELEM_CUSTOM:
        return true;
    }
    return false;
}

static bool parse_optional(State *s, const Elem *elem)
{
    size_t first = 0;
    while (first < elem->then.n && elem->then.at[first].kind == ELEM_NO_SPACE)
        first++;
    bool present = first < elem->then.n && starts(s, &elem->then.at[first]);
    return parse_elems(s, present ? &elem->then : &elem->otherwise);
}

static bool parse_regions(State *s, const Elem *elem)
{
    Asm *p = s->p;
    if (elem->index != NONE && s->format->def->regions[elem->index].arity != ARITY_VARIADIC)
        return asm_region(p, NULL);
    while (asm_peek(p, "{")) {
        if (!asm_region(p, NULL))
            return false;
        if (!asm_try(p, ","))
            break;
    }
    return true;
}

static bool parse_successors(Asm *p)
{
    do {
        if (!asm_successor(p))
            return false;
    } while (asm_try(p, ","));
    return true;
}

static bool parse_elem(State *s, const Elem *elem, bool first)
{
    Asm *p = s->p;
    switch (elem->kind) {
    case ELEM_LITERAL:
        return asm_expect(p, elem->text);
    case ELEM_NO_SPACE:
        return true;
    case ELEM_OPERAND:
        return parse_operands(s, elem);
    case ELEM_ATTR:
        return parse_attr_elem(s, elem, first);
    case ELEM_REGION:
        return parse_regions(s, elem);
    case ELEM_OPERAND_TYPE:
        return parse_operand_types(s, elem->index);
    case ELEM_RESULT_TYPE:
        return parse_result_types(s, elem->index);
    case ELEM_FUNCTIONAL:
        return parse_functional(s, elem);
    case ELEM_ATTR_DICT:
        return (p->tok.end[0] != '{' || asm_properties(p)) && asm_attr_dict(p);
    case ELEM_ATTR_DICT_KEYWORD:
        return asm_attr_dict_keyword(p);
    case ELEM_SUCCESSORS:
        return parse_successors(p);
    case ELEM_OPTIONAL:
        return parse_optional(s, elem);
    case ELEM_CUSTOM:
        return s->format->def->hooks.parse_part && s->format->def->hooks.parse_part(p, s->format->def, elem->text);
    }
    return false;
}

static bool parse_elems(State *s, const Elems *elems)
{
    for (size_t i = 0; i < elems->n; i++)
        if (!parse_elem(s, &elems->at[i], i == 0))
            return false;
    return true;
}

/* ---- parsing: types ------------------------------------------------------ */

static const Type *group_type(const Group *group)
{
    return group->types.n ? group->types.at[0] : group->uniform;
}

static const Type *type_of_name(State *s, const char *name)
{
    const OpDef *def = s->format->def;
    uint32_t i = find_field(def->operands, def->noperands, name);
    if (i != NONE)
        return group_type(&s->operands[i]);
    i = find_field(def->results, def->nresults, name);
    return i != NONE ? group_type(&s->results[i]) : NULL;
}

static bool derive(State *s, const FieldDef *field, Group *group)
{
    if (group->typed || group->uniform)
        return false;
    Context *ctx = s->p->ctx;
    char kind[32], name[64];
    group->uniform = vmc_fixed_type(ctx, field->constraint);
    if (!group->uniform && vmc_constraint_ref(field->constraint, kind, sizeof(kind), name, sizeof(name))) {
        const Type *of = type_of_name(s, name);
        group->uniform = of ? vmc_derived_type(ctx, field->constraint, of) : NULL;
    }
    return group->uniform != NULL;
}

static void derive_same(State *s)
{
    const OpDef *def = s->format->def;
    const Type *type = NULL;
    for (uint32_t i = 0; i < def->noperands && !type; i++)
        type = group_type(&s->operands[i]);
    for (uint32_t i = 0; i < def->nresults && !type; i++)
        type = group_type(&s->results[i]);
    for (uint32_t i = 0; i < def->noperands; i++)
        if (!s->operands[i].typed && !s->operands[i].uniform)
            s->operands[i].uniform = type;
    for (uint32_t i = 0; i < def->nresults; i++)
        if (!s->results[i].typed && !s->results[i].uniform)
            s->results[i].uniform = type;
}

static void derive_types(State *s)
{
    const OpDef *def = s->format->def;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < def->noperands; i++)
            changed |= derive(s, &def->operands[i], &s->operands[i]);
        for (uint32_t i = 0; i < def->nresults; i++)
            changed |= derive(s, &def->results[i], &s->results[i]);
        if (!changed && (def->traits & TRAIT_SAME_TYPE))
            derive_same(s);
    }
}

/* Types of all operands in one list are dealt out to the groups. */
static bool deal_types(State *s)
{
    const OpDef *def = s->format->def;
    size_t next = 0, total = 0;
    for (uint32_t i = 0; i < def->noperands; i++)
        total += s->operands[i].operands.n;
    if (s->all_operand_types.n != total)
        return asm_error(s->p, s->types_pos, "'%s' has %zu operands but %zu operand types", def->name, total,
                         s->all_operand_types.n);
    for (uint32_t i = 0; i < def->noperands; i++) {
        Group *group = &s->operands[i];
        group->typed = true;
        for (size_t k = 0; k < group->operands.n; k++)
            VEC_PUSH(&s->p->ctx->scratch, &group->types, s->all_operand_types.at[next++]);
    }
    return true;
}

static bool resolve_group(State *s, uint32_t i)
{
    const FieldDef *field = &s->format->def->operands[i];
    Group *group = &s->operands[i];
    Asm *p = s->p;
    if (!group->typed && group->operands.n && !group->uniform)
        return asm_error(p, group->pos, "the type of operand '%s' of '%s' can not be told from what is written", field->name,
                         s->format->def->name);
    if (!group->typed)
        return asm_resolve_all(p, &group->operands, group->uniform);
    if (group->types.n != group->operands.n)
        return asm_error(p, s->types_pos, "'%s' has %zu operands '%s' but %zu types for them", s->format->def->name,
                         group->operands.n, field->name, group->types.n);
    return asm_resolve_list(p, &group->operands, &group->types, s->types_pos);
}

static bool resolve_operands(State *s)
{
    const OpDef *def = s->format->def;
    if (s->uses_all) {
        if (s->has_all_operand_types)
            return asm_resolve_list(s->p, &s->all, &s->all_operand_types, s->types_pos);
        derive_types(s);
        const Type *type = def->noperands ? group_type(&s->operands[0]) : NULL;
        if (!type && s->all.n)
            return asm_error(s->p, asm_op_pos(s->p), "the operand types of '%s' can not be told from what is written", def->name);
        return asm_resolve_all(s->p, &s->all, type);
    }
    for (uint32_t i = 0; i < def->noperands; i++)
        if (!resolve_group(s, i))
            return false;
    if (s->format->segments) {
        int32_t *sizes = ARENA_ARRAY(&s->p->ctx->scratch, int32_t, def->noperands);
        for (uint32_t i = 0; i < def->noperands; i++)
            sizes[i] = (int32_t)s->operands[i].operands.n;
        asm_set_segments(s->p, def->noperands, sizes);
    }
    return true;
}

static bool add_results(State *s)
{
    const OpDef *def = s->format->def;
    Asm *p = s->p;
    if (s->has_all_result_types) {
        asm_add_results(p, &s->all_result_types);
        return true;
    }
    bool all_typed = true;
    for (uint32_t i = 0; i < def->nresults; i++)
        all_typed &= s->results[i].typed;
    if (!all_typed && def->hooks.infer)
        return def->hooks.infer(p, def);
    for (uint32_t i = 0; i < def->nresults; i++) {
        Group *group = &s->results[i];
        if (group->typed)
            asm_add_results(p, &group->types);
        else if (group->uniform && def->results[i].arity == ARITY_ONE)
            asm_add_result(p, group->uniform);
        else if (def->results[i].arity == ARITY_ONE)
            return asm_error(p, asm_op_pos(p), "the type of result '%s' of '%s' can not be told from what is written",
                             def->results[i].name, def->name);
    }
    return true;
}

bool vmc_parse_format(Asm *p, const OpDef *def)
{
    const Format *format = format_of(p->ctx, def);
    if (format->error)
        return asm_error(p, asm_op_pos(p), "the format of '%s' is wrong: %s", def->name, format->error);
    State s = {.p = p, .format = format};
    s.operands = ARENA_ARRAY(&p->ctx->scratch, Group, def->noperands);
    s.results = ARENA_ARRAY(&p->ctx->scratch, Group, def->nresults);
    if (!parse_elems(&s, &format->elems))
        return false;
    if (s.has_all_operand_types && !s.uses_all && !deal_types(&s))
        return false;
    if (s.has_all_result_types && def->nresults == 1 && def->results[0].arity == ARITY_ONE && s.all_result_types.n == 1) {
        VEC_PUSH(&p->ctx->scratch, &s.results[0].types, s.all_result_types.at[0]);
        s.results[0].typed = true;
    }
    derive_types(&s);
    return resolve_operands(&s) && add_results(&s);
}

/* ---- printing ------------------------------------------------------------ */

typedef struct Out {
    Printer *p;
    const Op *op;
    const Format *format;
    bool space, punctuation; /* whether a blank goes before the next element; whether the last one was punctuation */
} Out;

static void print_elems(Out *o, const Elems *elems);

static void blank(Out *o)
{
    if (o->space || !o->punctuation)
        print_str(o->p, " ");
    o->space = true;
    o->punctuation = false;
}

static void print_literal(Out *o, const char *text)
{
    bool one = text[1] == 0;
    bool before = !one || !strchr(o->punctuation ? ">)}]," : "<>(){}[],", text[0]);
    if (o->space && before)
        print_str(o->p, " ");
    print_str(o->p, text);
    o->space = !one || !strchr("<({[", text[0]);
    o->punctuation = !(text[0] == '_' || (text[0] >= 'a' && text[0] <= 'z') || (text[0] >= 'A' && text[0] <= 'Z'));
}

static void result_range(const OpDef *def, const Op *op, uint32_t index, uint32_t *first, uint32_t *count)
{
    if (index == NONE) {
        *first = 0;
        *count = op->nresults;
        return;
    }
    uint32_t variable = op->nresults > def->nresults - 1 ? op->nresults - (def->nresults - 1) : 0;
    *first = 0;
    for (uint32_t i = 0; i <= index; i++) {
        *count = def->results[i].arity == ARITY_ONE ? 1 : variable;
        if (i < index)
            *first += *count;
    }
    if (*first > op->nresults)
        *first = op->nresults;
    if (*count > op->nresults - *first)
        *count = op->nresults - *first;
}

static OperandRange operand_range(const Out *o, uint32_t index)
{
    if (index != NONE)
        return vmc_operand_group(o->op, o->format->def->operands[index].name);
    return (OperandRange){0, o->op->noperands};
}

static void print_operand_type_list(Out *o, OperandRange range)
{
    for (uint32_t i = 0; i < range.count; i++) {
        if (i)
            print_str(o->p, ", ");
        print_type(o->p, o->op->operands[range.first + i].value->type);
    }
}

static void print_result_type_list(Out *o, uint32_t first, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (i)
            print_str(o->p, ", ");
        print_type(o->p, o->op->results[first + i].type);
    }
}

static void print_functional(Out *o, const Elem *elem)
{
    uint32_t first, count;
    result_range(o->format->def, o->op, elem->other, &first, &count);
    print_str(o->p, "(");
    print_operand_type_list(o, operand_range(o, elem->index));
    print_str(o->p, ") -> ");
    bool parens = count != 1 || o->op->results[first].type->kind == TYPE_FUNCTION;
    print_str(o->p, parens ? "(" : "");
    print_result_type_list(o, first, count);
    print_str(o->p, parens ? ")" : "");
}

static void print_ints(Printer *p, const Attr *attr)
{
    const int64_t *values;
    ptrdiff_t n = attr->kind == ATTR_DENSE_ARRAY && attr->type->width == 64 ? vmc_attr_ints(print_context(p), attr, &values) : -1;
    if (n < 0) {
        print_attr(p, attr);
        return;
    }
    print_str(p, "[");
    for (ptrdiff_t i = 0; i < n; i++)
        print_fmt(p, "%s%lld", i ? ", " : "", (long long)values[i]);
    print_str(p, "]");
}

static void print_attr_value(Printer *p, const FieldDef *field, const Attr *attr)
{
    const EnumDef *enumeration = vmc_find_enum(field->constraint);
    const char *name = enumeration && attr->kind == ATTR_INT ? vmc_enum_name(enumeration, attr->i) : NULL;
    if (name)
        print_str(p, name);
    else if (strcmp(field->constraint, "ints") == 0)
        print_ints(p, attr);
    else if (kind_type(print_context(p), field->constraint) == attr->type && attr->kind == ATTR_INT)
        print_attr_no_type(p, attr);
    else
        print_attr(p, attr);
}

static void print_attr_elem(Out *o, const Elem *elem, bool first)
{
    const FieldDef *field = &o->format->def->attrs[elem->index];
    const Attr *attr = vmc_get_attr(o->op, field->name);
    if (!attr)
        return;
    if (is_unit(field)) {
        if (first)
            print_literal(o, field->name);
        return;
    }
    blank(o);
    print_attr_value(o->p, field, attr);
}

static bool present(const Out *o, const Elem *elem)
{
    const OpDef *def = o->format->def;
    uint32_t first, count;
    switch (elem->kind) {
    case ELEM_OPERAND:
    case ELEM_OPERAND_TYPE:
        return operand_range(o, elem->index).count > 0;
    case ELEM_RESULT_TYPE:
        result_range(def, o->op, elem->index, &first, &count);
        return count > 0;
    case ELEM_ATTR:
        return vmc_get_attr(o->op, def->attrs[elem->index].name) && !print_is_default(o->p, o->op, &def->attrs[elem->index]);
    case ELEM_REGION:
        for (uint32_t i = 0; i < o->op->nregions; i++)
            if ((elem->index == NONE || elem->index == i) && o->op->regions[i].first)
                return true;
        return false;
    case ELEM_SUCCESSORS:
        return o->op->nsuccessors > 0;
    case ELEM_FUNCTIONAL:
        return o->op->noperands || o->op->nresults;
    default:
        return false;
    }
}

static void print_optional(Out *o, const Elem *elem)
{
    bool taken = false;
    for (size_t i = 0; i < elem->then.n; i++)
        if (elem->then.at[i].anchor)
            taken |= present(o, &elem->then.at[i]);
    print_elems(o, taken ? &elem->then : &elem->otherwise);
}

static void print_regions(Out *o, uint32_t index)
{
    const OpDef *def = o->format->def;
    bool variadic = index == NONE || def->regions[index].arity == ARITY_VARIADIC;
    bool terminators = !(def->traits & TRAIT_IMPLICIT_TERMINATOR);
    uint32_t first = index == NONE ? 0 : index;
    for (uint32_t i = first; i < o->op->nregions && (variadic || i == first); i++) {
        blank(o);
        print_region(o->p, &o->op->regions[i], true, terminators);
    }
}

static void print_elem(Out *o, const Elem *elem, bool first)
{
    uint32_t start, count;
    OperandRange range;
    switch (elem->kind) {
    case ELEM_LITERAL:
        print_literal(o, elem->text);
        return;
    case ELEM_NO_SPACE:
        o->space = false;
        o->punctuation = true;
        return;
    case ELEM_OPERAND:
        range = operand_range(o, elem->index);
        if (!range.count)
            return;
        blank(o);
        print_values(o->p, o->op->operands + range.first, range.count);
        return;
    case ELEM_ATTR:
        print_attr_elem(o, elem, first);
        return;
    case ELEM_REGION:
        print_regions(o, elem->index);
        return;
    case ELEM_OPERAND_TYPE:
        range = operand_range(o, elem->index);
        if (range.count)
            blank(o);
        print_operand_type_list(o, range);
        return;
    case ELEM_RESULT_TYPE:
        result_range(o->format->def, o->op, elem->index, &start, &count);
        if (count)
            blank(o);
        print_result_type_list(o, start, count);
        return;
    case ELEM_FUNCTIONAL:
        blank(o);
        print_functional(o, elem);
        return;
    case ELEM_ATTR_DICT:
        print_attr_dict(o->p, o->op, o->format->except.at);
        o->space = true;
        o->punctuation = false;
        return;
    case ELEM_ATTR_DICT_KEYWORD:
        print_attr_dict_keyword(o->p, o->op, o->format->except.at);
        o->space = true;
        o->punctuation = false;
        return;
    case ELEM_SUCCESSORS:
        for (uint32_t i = 0; i < o->op->nsuccessors; i++) {
            if (i)
                print_str(o->p, ",");
            blank(o);
            print_successor(o->p, &o->op->successors[i], o->op);
        }
        return;
    case ELEM_OPTIONAL:
        print_optional(o, elem);
        return;
    case ELEM_CUSTOM:
        if (o->format->def->hooks.print_part)
            o->format->def->hooks.print_part(o->p, o->op, elem->text);
        o->space = true;
        o->punctuation = false;
        return;
    }
}

static void print_elems(Out *o, const Elems *elems)
{
    for (size_t i = 0; i < elems->n; i++)
        print_elem(o, &elems->at[i], i == 0);
}

void vmc_print_format(Printer *p, const Op *op)
{
    const Format *format = format_of(print_context(p), op->def);
    Out out = {.p = p, .op = op, .format = format, .space = true};
    print_elems(&out, &format->elems);
}
