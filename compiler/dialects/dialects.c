/* The table of all op rows: registration, parsing of the row strings, look-up, operand groups,
 * and the one verify routine that checks an op against its row.
 *
 * The rows are constant; a context holds a parsed copy, so that several compilations share nothing.
 */
#include "dialect.h"

#include "hooks.h"

#include <stdarg.h>
#include <stdio.h>

/* ---- rows ---------------------------------------------------------------- */

/* ENUM rows are flat lists of name, value. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmissing-braces"
#define OP(...)
#define ENUM(name, ...)     static const EnumCase enum_##name[] = {__VA_ARGS__};
#define ENUM_I32(name, ...) ENUM(name, __VA_ARGS__)
#include "ops.def"
#undef OP
#undef ENUM
#undef ENUM_I32
#pragma GCC diagnostic pop

static const EnumDef enum_defs[] = {
#define OP(...)
#define ENUM(name, ...)     {#name, enum_##name, sizeof(enum_##name) / sizeof(EnumCase), 64},
#define ENUM_I32(name, ...) {#name, enum_##name, sizeof(enum_##name) / sizeof(EnumCase), 32},
#include "ops.def"
#undef OP
#undef ENUM
#undef ENUM_I32
};

#define ENUM(...)
#define ENUM_I32(...)

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
static const OpDef rows[] = {
#define OP(name_, aliases_, operands_, results_, attrs_, regions_, traits_, format_, doc_, ...)                                    \
    {.name = name_,                                                                                                                \
     .aliases = aliases_,                                                                                                          \
     .operands_text = operands_,                                                                                                   \
     .results_text = results_,                                                                                                     \
     .attrs_text = attrs_,                                                                                                         \
     .regions_text = regions_,                                                                                                     \
     .traits = traits_,                                                                                                            \
     .format = format_,                                                                                                            \
     .doc = doc_,                                                                                                                  \
     .hooks = __VA_ARGS__},
#include "ops.def"
#undef OP
};
#pragma GCC diagnostic pop

#define NUM_ROWS (sizeof rows / sizeof rows[0])

uint32_t vmc_num_defs(void)
{
    return NUM_ROWS;
}
const OpDef *vmc_def_at(uint32_t i)
{
    return i < NUM_ROWS ? &rows[i] : NULL;
}

const EnumDef *vmc_find_enum(const char *name)
{
    for (size_t i = 0; i < sizeof enum_defs / sizeof enum_defs[0]; i++)
        if (strcmp(enum_defs[i].name, name) == 0)
            return &enum_defs[i];
    return NULL;
}

const char *vmc_enum_name(const EnumDef *def, int64_t value)
{
    for (uint32_t i = 0; i < def->n; i++)
        if (def->cases[i].value == value)
            return def->cases[i].name;
    return NULL;
}

bool vmc_enum_value(const EnumDef *def, const char *name, int64_t *value)
{
    for (uint32_t i = 0; i < def->n; i++)
        if (strcmp(def->cases[i].name, name) == 0) {
            *value = def->cases[i].value;
            return true;
        }
    return false;
}

/* Calls for each blank-separated word; true when one equals `name`. */
static bool word_in(const char *words, const char *name)
{
    size_t n = strlen(name);
    for (const char *at = words; *at;) {
        const char *end = strchr(at, ' ');
        size_t len = end ? (size_t)(end - at) : strlen(at);
        if (len == n && memcmp(at, name, n) == 0)
            return true;
        at += len + (end ? 1 : 0);
    }
    return false;
}

const OpDef *vmc_match_def(const char *name)
{
    for (size_t i = 0; i < NUM_ROWS; i++)
        if (strcmp(rows[i].name, name) == 0 || word_in(rows[i].aliases, name))
            return &rows[i];
    return NULL;
}

/* ---- parsed rows ----------------------------------------------------------- */

VMC_UNTRACED_BEGIN /* the same in each run */

    /* Copy of at[0..n) without blanks at its ends, interned: field names compare by address with vmc_name. */
    static const char *
    trimmed(Context *ctx, const char *at, size_t n)
{
    while (n && at[0] == ' ') {
        at++;
        n--;
    }
    while (n && at[n - 1] == ' ')
        n--;
    return vmc_intern(&ctx->names, at, n);
}

/* End of the field that starts at `at`: a comma outside parentheses and brackets, or the end. */
static const char *field_end(const char *at)
{
    int depth = 0;
    for (; *at; at++) {
        if (*at == '(' || *at == '[' || *at == '<')
            depth++;
        else if (*at == ')' || *at == ']' || *at == '>')
            depth--;
        else if (*at == ',' && depth <= 0)
            break;
    }
    return at;
}

static uint32_t count_fields(const char *text)
{
    if (!*text)
        return 0;
    uint32_t n = 1;
    for (const char *end = field_end(text); *end; end = field_end(end + 1))
        n++;
    return n;
}

/* One field: `name[?*]:constraint[?*][=default]`. */
static FieldDef parse_field(Context *ctx, const char *at, size_t n)
{
    FieldDef field = {0};
    const char *colon = memchr(at, ':', n);
    size_t name_n = colon ? (size_t)(colon - at) : n;
    const char *rest = colon ? colon + 1 : at + n;
    size_t rest_n = (size_t)(at + n - rest);
    const char *equals = memchr(rest, '=', rest_n);
    if (equals) {
        field.default_text = trimmed(ctx, equals + 1, (size_t)(at + n - equals - 1));
        rest_n = (size_t)(equals - rest);
    }
    const char *texts[2] = {at, rest};
    size_t sizes[2] = {name_n, rest_n};
    for (int i = 0; i < 2; i++) {
        while (sizes[i] && texts[i][sizes[i] - 1] == ' ')
            sizes[i]--;
        char last = sizes[i] ? texts[i][sizes[i] - 1] : 0;
        if (last == '?' || last == '*') {
            field.arity = last == '?' ? ARITY_OPTIONAL : ARITY_VARIADIC;
            sizes[i]--;
        }
    }
    field.name = trimmed(ctx, texts[0], sizes[0]);
    field.constraint = trimmed(ctx, texts[1], sizes[1]);
    if (field.default_text && field.arity == ARITY_ONE)
        field.arity = ARITY_OPTIONAL;
    return field;
}

static const FieldDef *parse_fields(Context *ctx, const char *text, uint32_t *n)
{
    *n = count_fields(text);
    FieldDef *fields = ARENA_ARRAY(&ctx->arena, FieldDef, *n);
    const char *at = text;
    for (uint32_t i = 0; i < *n; i++) {
        const char *end = field_end(at);
        fields[i] = parse_field(ctx, at, (size_t)(end - at));
        at = *end ? end + 1 : end;
    }
    return fields;
}

static void register_aliases(Context *ctx, const OpDef *def)
{
    for (const char *at = def->aliases; *at;) {
        const char *end = strchr(at, ' ');
        size_t n = end ? (size_t)(end - at) : strlen(at);
        if (n)
            vmc_map_put_ptr(ctx->op_names, vmc_intern(&ctx->names, at, n), def);
        at += n + (end ? 1 : 0);
    }
}

void vmc_register_dialects(Context *ctx)
{
    ctx->op_names = ARENA_NEW(&ctx->arena, Map);
    ctx->op_names->arena = &ctx->arena;
    OpDef *defs = ARENA_ARRAY(&ctx->arena, OpDef, NUM_ROWS);
    for (size_t i = 0; i < NUM_ROWS; i++) {
        OpDef *def = &defs[i];
        *def = rows[i];
        def->name = vmc_name(ctx, def->name);
        vmc_map_put_ptr(ctx->op_names, def->name, def);
        register_aliases(ctx, def);
    }
}

/* Most programs name few of the ops: a row's fields are read when the first op asks for them. */
const OpDef *vmc_find_def(Context *ctx, const char *name)
{
    OpDef *def = vmc_map_ptr(ctx->op_names, vmc_name(ctx, name));
    if (def && !def->regions) {
        def->operands = parse_fields(ctx, def->operands_text, &def->noperands);
        def->results = parse_fields(ctx, def->results_text, &def->nresults);
        def->attrs = parse_fields(ctx, def->attrs_text, &def->nattrs);
        def->regions = parse_fields(ctx, def->regions_text, &def->nregions);
    }
    return def;
}

VMC_UNTRACED_END

bool vmc_op_error(Context *ctx, const Op *op, const char *format, ...)
{
    char text[400];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    vmc_error(&ctx->diag, op->pos, "'%s' op %s", op->name, text);
    return false;
}

bool vmc_is_known_dialect(const char *prefix, size_t n)
{
    for (size_t i = 0; i < NUM_ROWS; i++) {
        const char *dot = strchr(rows[i].name, '.');
        if (dot && (size_t)(dot - rows[i].name) == n && memcmp(rows[i].name, prefix, n) == 0)
            return true;
    }
    return false;
}

/* ---- operand groups ---------------------------------------------------------- */

static uint32_t ordinary_operands(const Op *op)
{
    uint32_t n = op->noperands;
    for (uint32_t i = 0; i < op->nsuccessors; i++)
        n -= op->successors[i].count < n ? op->successors[i].count : n;
    return n;
}

/* Entry i of a segment attribute in any of its spellings: array<i32: ..>, dense<..> : vector<Nxi32>, [..]; -1 if it has none. */
static int64_t segment_at(const Attr *attr, uint32_t i)
{
    if (!attr)
        return -1;
    if (attr->kind == ATTR_ARRAY)
        return i < attr->n && attr->elems[i]->kind == ATTR_INT ? attr->elems[i]->i : -1;
    if (attr->kind != ATTR_DENSE_ARRAY && attr->kind != ATTR_DENSE)
        return -1;
    const Type *elem = vmc_elem_or_self(attr->type);
    if (elem->kind != TYPE_INT || (elem->width != 32 && elem->width != 64))
        return -1;
    size_t width = elem->width / 8, at = attr->kind == ATTR_DENSE && attr->splat ? 0 : i * width;
    if (at + width > attr->n)
        return -1;
    const uint8_t *bytes = (const uint8_t *)attr->data + at;
    uint64_t v = 0;
    for (size_t k = width; k-- > 0;)
        v = v << 8 | bytes[k];
    return width == 4 ? (int64_t)(int32_t)(uint32_t)v : (int64_t)v;
}

static const Attr *segment_attr(const Op *op)
{
    const Attr *attr = vmc_get_attr(op, "operandSegmentSizes");
    return attr ? attr : vmc_get_attr(op, "operand_segment_sizes");
}

static uint32_t variable_groups(const OpDef *def)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < def->noperands; i++)
        n += def->operands[i].arity != ARITY_ONE;
    return n;
}

/* Size of group i; all groups before it hold `first` operands.  UINT32_MAX when the op does not tell. */
static uint32_t group_size(const Op *op, uint32_t i, uint32_t variable)
{
    const OpDef *def = op->def;
    /* Operands of successors are groups of the row too (cf.cond_br), but stand behind the ordinary ones. */
    if (def->traits & TRAIT_SUCCESSORS && op->nsuccessors && def->operands[i].arity == ARITY_VARIADIC)
        return 0;
    if (def->operands[i].arity == ARITY_ONE)
        return 1;
    uint32_t n = ordinary_operands(op), fixed = def->noperands - variable;
    if (n < fixed)
        return UINT32_MAX;
    if (variable == 1)
        return n - fixed;
    if (def->traits & TRAIT_SAME_SEGMENTS)
        return (n - fixed) / variable;
    int64_t size = segment_at(segment_attr(op), i);
    return size < 0 || size > n ? UINT32_MAX : (uint32_t)size;
}

OperandRange vmc_operand_group(const Op *op, const char *name)
{
    OperandRange none = {0, 0};
    if (!op->def)
        return none;
    uint32_t variable = variable_groups(op->def), first = 0;
    for (uint32_t i = 0; i < op->def->noperands; i++) {
        uint32_t size = group_size(op, i, variable);
        if (size == UINT32_MAX || size > op->noperands - first)
            return none;
        if (strcmp(op->def->operands[i].name, name) == 0)
            return (OperandRange){first, size};
        first += size;
    }
    return none;
}

Value *vmc_operand_named(const Op *op, const char *name)
{
    OperandRange range = vmc_operand_group(op, name);
    return range.count == 1 ? op->operands[range.first].value : NULL;
}

/* ---- constraints ---------------------------------------------------------------- */

bool vmc_constraint_ref(const char *constraint, char *kind, size_t kind_size, char *name, size_t name_size)
{
    const char *open = strchr(constraint, '('), *close = open ? strchr(open, ')') : NULL;
    if (!close || (size_t)(open - constraint) >= kind_size || (size_t)(close - open - 1) >= name_size)
        return false;
    memcpy(kind, constraint, (size_t)(open - constraint));
    kind[open - constraint] = 0;
    memcpy(name, open + 1, (size_t)(close - open - 1));
    name[close - open - 1] = 0;
    return true;
}

/* A shaped type of the same shape with another element type. */
static const Type *with_elem(Context *ctx, const Type *like, const Type *elem)
{
    switch (like->kind) {
    case TYPE_VECTOR:
        return vmc_type_vector(ctx, like->rank, like->dims, like->scalable, elem);
    case TYPE_TENSOR:
        return vmc_type_tensor(ctx, like->rank, like->dims, elem, like->layout);
    case TYPE_UNRANKED_TENSOR:
        return vmc_type_unranked_tensor(ctx, elem);
    default:
        return elem;
    }
}

const Type *vmc_derived_type(Context *ctx, const char *constraint, const Type *of_x)
{
    if (strncmp(constraint, "same(", 5) == 0)
        return of_x;
    if (strncmp(constraint, "i1like(", 7) == 0)
        return with_elem(ctx, of_x, vmc_type_int(ctx, 1, SIGNLESS));
    const Type *elem = vmc_elem_or_self(of_x);
    if (strncmp(constraint, "part(", 5) == 0)
        return elem->kind == TYPE_COMPLEX ? with_elem(ctx, of_x, elem->elem) : of_x;
    return strncmp(constraint, "elem(", 5) == 0 ? elem : NULL;
}

/* "i1", "si8", "ui16", "f32", ...: parsed by rule, so that any width can stand in a row. */
static bool int_text(const char *text, uint32_t *width)
{
    if (text[0] != 'i' || text[1] < '1' || text[1] > '9')
        return false;
    uint32_t w = 0;
    for (text++; *text >= '0' && *text <= '9' && w < 100000; text++)
        w = 10 * w + (uint32_t)(*text - '0');
    *width = w;
    return *text == 0;
}

static bool float_text(const char *text, FloatFormat *format)
{
    static const struct {
        const char *text;
        FloatFormat format;
    } names[] = {{"f16", FLOAT_F16}, {"bf16", FLOAT_BF16}, {"f32", FLOAT_F32}, {"f64", FLOAT_F64}};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(names[i].text, text) == 0) {
            *format = names[i].format;
            return true;
        }
    return false;
}

const Type *vmc_fixed_type(Context *ctx, const char *constraint)
{
    uint32_t width;
    FloatFormat format;
    if (strcmp(constraint, "index") == 0)
        return vmc_type_index(ctx);
    if (strcmp(constraint, "none") == 0)
        return vmc_type_none(ctx);
    if (int_text(constraint, &width))
        return vmc_type_int(ctx, width, SIGNLESS);
    return float_text(constraint, &format) ? vmc_type_float(ctx, format) : NULL;
}

static bool is_any(const Type *type)
{
    (void)type;
    return true;
}
static bool is_int(const Type *type)
{
    return type->kind == TYPE_INT;
}
static bool is_index(const Type *type)
{
    return type->kind == TYPE_INDEX;
}
static bool is_intlike(const Type *type)
{
    return type->kind == TYPE_INT || type->kind == TYPE_INDEX;
}
static bool is_float(const Type *type)
{
    return type->kind == TYPE_FLOAT;
}
static bool is_complex(const Type *type)
{
    return type->kind == TYPE_COMPLEX;
}
static bool is_number(const Type *type)
{
    return is_intlike(type) || is_float(type) || is_complex(type);
}
static bool is_rmemref(const Type *type)
{
    return type->kind == TYPE_MEMREF;
}
static bool is_rtensor(const Type *type)
{
    return type->kind == TYPE_TENSOR;
}
static bool is_memref(const Type *type)
{
    return vmc_is_memref(type);
}
static bool is_tensor(const Type *type)
{
    return vmc_is_tensor(type);
}
static bool is_shaped(const Type *type)
{
    return vmc_is_shaped(type);
}
static bool is_vector(const Type *type)
{
    return type->kind == TYPE_VECTOR;
}
static bool is_function(const Type *type)
{
    return type->kind == TYPE_FUNCTION;
}
static bool is_none(const Type *type)
{
    return type->kind == TYPE_NONE;
}

enum { CONSTRAINT_MAX = 32 };

/* What a scalar constraint accepts, by name; its text stands behind "must be". */
static const struct NamedTypes {
    const char *name, *text;
    bool (*accepts)(const Type *type);
} type_kinds[] = {
    {"any", "any type", is_any},
    {"int", "an integer", is_int},
    {"index", "index", is_index},
    {"intlike", "an integer or index", is_intlike},
    {"float", "a float", is_float},
    {"complex", "a complex number", is_complex},
    {"number", "a number", is_number},
    {"memref", "a memref", is_memref},
    {"rmemref", "a ranked memref", is_rmemref},
    {"tensor", "a tensor", is_tensor},
    {"rtensor", "a ranked tensor", is_rtensor},
    {"shaped", "a tensor, memref or vector", is_shaped},
    {"vector", "a vector", is_vector},
    {"function", "a function", is_function},
    {"none", "none", is_none},
};

static const struct NamedTypes *type_kind(const char *name)
{
    for (size_t i = 0; i < sizeof type_kinds / sizeof type_kinds[0]; i++)
        if (strcmp(type_kinds[i].name, name) == 0)
            return &type_kinds[i];
    return NULL;
}

/* A constraint that ends in `l` is met by what the rest accepts and by vectors and tensors of it: that rest, or NULL. */
static const char *list_element(const char *constraint, char scalar[CONSTRAINT_MAX])
{
    size_t n = strlen(constraint);
    if (n < 2 || n >= CONSTRAINT_MAX || constraint[n - 1] != 'l')
        return NULL;
    memcpy(scalar, constraint, n - 1);
    scalar[n - 1] = 0;
    return scalar;
}

static bool satisfies_one(const Type *type, const char *constraint)
{
    const struct NamedTypes *kind = type_kind(constraint);
    if (kind)
        return kind->accepts(type);
    uint32_t width;
    FloatFormat format;
    if (int_text(constraint, &width))
        return type->kind == TYPE_INT && type->width == width;
    if (float_text(constraint, &format))
        return type->kind == TYPE_FLOAT && type->format == format;
    char buffer[CONSTRAINT_MAX];
    const char *scalar = list_element(constraint, buffer);
    if (!scalar)
        return true; /* references and what a verify hook checks */
    return satisfies_one(type->kind == TYPE_VECTOR || vmc_is_tensor(type) ? type->elem : type, scalar);
}

/* The next alternative of `a|b`, copied; NULL behind the last. */
static const char *next_part(const char *at, char part[CONSTRAINT_MAX])
{
    size_t n = strcspn(at, "|");
    snprintf(part, CONSTRAINT_MAX, "%.*s", (int)n, at);
    return at[n] ? at + n + 1 : NULL;
}

bool vmc_type_satisfies(const Type *type, const char *constraint)
{
    if (!strchr(constraint, '|'))
        return satisfies_one(type, constraint);
    char part[CONSTRAINT_MAX];
    bool satisfied = false;
    for (const char *at = constraint; at && !satisfied;) {
        at = next_part(at, part);
        satisfied = satisfies_one(type, part);
    }
    return satisfied;
}

/* The constraint in words, for behind "must be". */
static const char *constraint_text(Context *ctx, const char *constraint)
{
    Text text = {.arena = &ctx->arena};
    char part[CONSTRAINT_MAX], buffer[CONSTRAINT_MAX];
    for (const char *at = constraint; at;) {
        at = next_part(at, part);
        const struct NamedTypes *kind = type_kind(part);
        const char *scalar = kind ? NULL : list_element(part, buffer);
        if (scalar)
            kind = type_kind(scalar);
        vmc_text_fmt(&text, "%s%s%s",
                     kind     ? kind->text
                     : scalar ? scalar
                              : part,
                     scalar ? ", or a vector or tensor of such" : "", at ? ", or " : "");
    }
    return text.at;
}

/* ---- attribute kinds --------------------------------------------------------------- */

static bool is_int_attr(const Attr *attr)
{
    return attr->type && attr->type->kind == TYPE_INT;
}
static bool is_bool_attr(const Attr *attr)
{
    return is_int_attr(attr) && attr->type->width == 1;
}
static bool is_i32_attr(const Attr *attr)
{
    return is_int_attr(attr) && attr->type->width == 32;
}
static bool is_i64_attr(const Attr *attr)
{
    return is_int_attr(attr) && attr->type->width == 64;
}
static bool is_index_attr(const Attr *attr)
{
    return attr->type && attr->type->kind == TYPE_INDEX;
}

static bool is_typed(const Attr *attr)
{
    return attr->kind == ATTR_INT || attr->kind == ATTR_FLOAT || attr->kind == ATTR_DENSE || attr->kind == ATTR_RESOURCE ||
           attr->type;
}

static bool is_visibility(const Attr *attr)
{
    return strcmp(attr->s, "public") == 0 || strcmp(attr->s, "private") == 0 || strcmp(attr->s, "nested") == 0;
}

/* Attribute kinds by name: what they are in memory (n of kinds, any for 0) and what else holds; the text stands behind "must be".
 */
static const struct NamedAttrs {
    const char *name, *text;
    AttrKind kinds[3];
    uint32_t n;
    bool (*accepts)(const Attr *attr);
} plain_attrs[] = {
    {"unit", "a unit attribute", {ATTR_UNIT}, 1, NULL},
    {"bool", "true or false", {ATTR_INT}, 1, is_bool_attr},
    {"i32", "an i32", {ATTR_INT}, 1, is_i32_attr},
    {"i64", "an i64", {ATTR_INT}, 1, is_i64_attr},
    {"int", "an integer", {ATTR_INT}, 1, is_int_attr},
    {"index", "an index", {ATTR_INT}, 1, is_index_attr},
    {"float", "a float", {ATTR_FLOAT}, 1, NULL},
    {"string", "a string", {ATTR_STRING}, 1, NULL},
    {"visibility", "\"public\", \"private\" or \"nested\"", {ATTR_STRING}, 1, is_visibility},
    {"symbol", "a symbol", {ATTR_SYMBOL}, 1, NULL},
    {"type", "a type", {ATTR_TYPE}, 1, NULL},
    {"map", "an affine map", {ATTR_MAP}, 1, NULL},
    {"set", "an integer set", {ATTR_SET}, 1, NULL},
    {"array", "an array", {ATTR_ARRAY}, 1, NULL},
    {"dense", "a dense constant", {ATTR_DENSE, ATTR_RESOURCE}, 2, NULL},
    {"ints", "a list of integers", {ATTR_ARRAY, ATTR_DENSE_ARRAY, ATTR_DENSE}, 3, NULL},
    {"loc", "a location", {ATTR_LOC}, 1, NULL},
    {"fastmath", "a list of flags #arith.fastmath<...>", {ATTR_OPAQUE}, 1, vmc_is_fastmath},
    {"overflow", "a list of flags #arith.overflow<...>", {ATTR_OPAQUE}, 1, vmc_is_overflow},
    {"opaque", "an attribute of a dialect, such as #name<...>", {ATTR_OPAQUE}, 1, NULL},
    {"typed", "an attribute with a type", {0}, 0, is_typed},
};

static const struct NamedAttrs *plain_attr(const char *name)
{
    for (size_t i = 0; i < sizeof plain_attrs / sizeof plain_attrs[0]; i++)
        if (strcmp(plain_attrs[i].name, name) == 0)
            return &plain_attrs[i];
    return NULL;
}

static bool attr_satisfies(const Attr *attr, const char *kind)
{
    const struct NamedAttrs *plain = plain_attr(kind);
    if (!plain) {
        const EnumDef *enum_def = vmc_find_enum(kind);
        return !enum_def || (attr->kind == ATTR_INT && vmc_enum_name(enum_def, attr->i));
    }
    bool known = plain->n == 0;
    for (uint32_t k = 0; k < plain->n; k++)
        known |= plain->kinds[k] == attr->kind;
    return known && (!plain->accepts || plain->accepts(attr));
}

/* The kind in words, for behind "must be"; of an enumeration its cases. */
static const char *attr_kind_text(Context *ctx, const char *kind)
{
    const struct NamedAttrs *plain = plain_attr(kind);
    const EnumDef *enum_def = plain ? NULL : vmc_find_enum(kind);
    if (!enum_def)
        return plain ? plain->text : kind;
    Text text = {.arena = &ctx->arena};
    for (uint32_t i = 0; i < enum_def->n; i++)
        vmc_text_fmt(&text, "%s%s (%lld)", i ? ", " : "one of ", enum_def->cases[i].name, (long long)enum_def->cases[i].value);
    return text.at;
}

/* ---- verification -------------------------------------------------------------------- */

static const char *type_text(Context *ctx, const Type *type)
{
    Text text = {.arena = &ctx->arena};
    vmc_print_type(&text, type);
    return text.at ? text.at : "";
}

static bool verify_counts(Context *ctx, const Op *op)
{
    const OpDef *def = op->def;
    uint32_t variable = variable_groups(def), total = 0, n = ordinary_operands(op);
    for (uint32_t i = 0; i < def->noperands; i++) {
        uint32_t size = group_size(op, i, variable);
        if (size == UINT32_MAX || (def->operands[i].arity == ARITY_OPTIONAL && size > 1) || size > n - total) {
            if (variable > 1 && !segment_attr(op) && !(def->traits & TRAIT_SAME_SEGMENTS))
                vmc_error(&ctx->diag, op->pos, "'%s' needs operandSegmentSizes to tell its operand groups apart", op->name);
            else
                vmc_error(&ctx->diag, op->pos, "'%s' has the wrong number of operands: %u (at `%s`)", op->name, n,
                          def->operands[i].name);
            return false;
        }
        total += size;
    }
    if (total != n) {
        vmc_error(&ctx->diag, op->pos, "'%s' takes %u operands, has %u", op->name, total, n);
        return false;
    }
    uint32_t fixed = 0, most = 0;
    for (uint32_t i = 0; i < def->nresults; i++) {
        fixed += def->results[i].arity == ARITY_ONE;
        most = def->results[i].arity == ARITY_VARIADIC || most == UINT32_MAX ? UINT32_MAX : most + 1;
    }
    if (op->nresults < fixed || op->nresults > most) {
        vmc_error(&ctx->diag, op->pos, "'%s' has %u results, expected %s%u", op->name, op->nresults,
                  most == UINT32_MAX ? "at least "
                  : most > fixed     ? "at most "
                                     : "",
                  most == UINT32_MAX ? fixed : most);
        return false;
    }
    return true;
}

static bool verify_regions(Context *ctx, const Op *op)
{
    const OpDef *def = op->def;
    uint32_t fixed = 0;
    bool variadic = false, optional = false;
    for (uint32_t i = 0; i < def->nregions; i++) {
        fixed += def->regions[i].arity == ARITY_ONE;
        variadic |= def->regions[i].arity == ARITY_VARIADIC;
        optional |= def->regions[i].arity == ARITY_OPTIONAL;
    }
    if (op->nregions < fixed || (!variadic && op->nregions > fixed + optional)) {
        vmc_error(&ctx->diag, op->pos, "'%s' has %u regions, expected %u", op->name, op->nregions, fixed);
        return false;
    }
    for (uint32_t i = 0; i < op->nregions; i++) {
        const FieldDef *field = &def->regions[i < def->nregions ? i : def->nregions - 1];
        const Region *region = &op->regions[i];
        bool single = strcmp(field->constraint, "single") == 0;
        if (single && field->arity == ARITY_ONE && !region->first) {
            vmc_error(&ctx->diag, op->pos, "region `%s` of '%s' must have a block", field->name, op->name);
            return false;
        }
        if ((single || def->traits & TRAIT_SINGLE_BLOCK) && region->first != region->last) {
            vmc_error(&ctx->diag, op->pos, "region `%s` of '%s' must have one block only", field->name, op->name);
            return false;
        }
        if (def->traits & TRAIT_NO_REGION_ARGS && region->first && region->first->nargs) {
            vmc_error(&ctx->diag, op->pos, "region `%s` of '%s' takes no arguments", field->name, op->name);
            return false;
        }
    }
    return true;
}

/* First value of the group or result named `name`, or NULL. */
static const Value *named_value(const Op *op, const char *name)
{
    for (uint32_t i = 0; i < op->def->nresults && i < op->nresults; i++)
        if (strcmp(op->def->results[i].name, name) == 0)
            return &op->results[i];
    OperandRange range = vmc_operand_group(op, name);
    return range.count ? op->operands[range.first].value : NULL;
}

static bool verify_type(Context *ctx, const Op *op, const FieldDef *field, const Type *type, const char *what, uint32_t number)
{
    char kind[16], name[64];
    const Type *want = NULL;
    if (vmc_constraint_ref(field->constraint, kind, sizeof kind, name, sizeof name)) {
        const Value *other = named_value(op, name);
        want = other ? vmc_derived_type(ctx, field->constraint, other->type) : NULL;
        if (!want || want == type)
            return true;
        vmc_error(&ctx->diag, op->pos, "%s #%u of '%s' must have type %s (from `%s`), has %s", what, number, op->name,
                  type_text(ctx, want), name, type_text(ctx, type));
        return false;
    }
    if (vmc_type_satisfies(type, field->constraint))
        return true;
    vmc_error(&ctx->diag, op->pos, "%s #%u of '%s' must be %s, has type %s", what, number, op->name,
              constraint_text(ctx, field->constraint), type_text(ctx, type));
    return false;
}

static bool verify_types(Context *ctx, const Op *op)
{
    const OpDef *def = op->def;
    uint32_t variable = variable_groups(def), at = 0;
    for (uint32_t i = 0; i < def->noperands; i++)
        for (uint32_t size = group_size(op, i, variable); size > 0; size--, at++)
            if (!verify_type(ctx, op, &def->operands[i], op->operands[at].value->type, "operand", at))
                return false;
    for (uint32_t i = 0; i < op->nresults && def->nresults; i++)
        if (!verify_type(ctx, op, &def->results[i < def->nresults ? i : def->nresults - 1], op->results[i].type, "result", i))
            return false;
    return true;
}

static bool verify_attrs(Context *ctx, const Op *op)
{
    for (uint32_t i = 0; i < op->def->nattrs; i++) {
        const FieldDef *field = &op->def->attrs[i];
        const Attr *attr = vmc_get_attr(op, field->name);
        if (!attr && field->arity == ARITY_ONE) {
            vmc_error(&ctx->diag, op->pos, "'%s' needs attribute `%s`", op->name, field->name);
            return false;
        }
        if (attr && !attr_satisfies(attr, field->constraint)) {
            Text text = {.arena = &ctx->arena};
            vmc_print_attr(&text, attr);
            vmc_error(&ctx->diag, op->pos, "attribute `%s` of '%s' must be %s, is %.100s", field->name, op->name,
                      attr_kind_text(ctx, field->constraint), text.at ? text.at : "");
            return false;
        }
    }
    return true;
}

static bool verify_same_type(Context *ctx, const Op *op)
{
    const Type *first = op->noperands ? op->operands[0].value->type : op->nresults ? op->results[0].type : NULL;
    for (uint32_t i = 0; i < op->noperands + op->nresults; i++) {
        const Type *type = i < op->noperands ? op->operands[i].value->type : op->results[i - op->noperands].type;
        if (type != first) {
            vmc_error(&ctx->diag, op->pos, "operands and results of '%s' must have one type: %s and %s differ", op->name,
                      type_text(ctx, first), type_text(ctx, type));
            return false;
        }
    }
    return true;
}

/* Same container and rank, dims equal where both are known; a scalar beside a shaped value is the affair of the op's hook. */
static bool shapes_agree(const Type *a, const Type *b)
{
    if (vmc_is_shaped(a) != vmc_is_shaped(b))
        return false;
    if (!vmc_is_ranked(a) || !vmc_is_ranked(b))
        return !vmc_is_shaped(a) || (a->kind == TYPE_VECTOR) == (b->kind == TYPE_VECTOR);
    if (a->kind != b->kind || a->rank != b->rank)
        return false;
    for (uint32_t i = 0; i < a->rank; i++)
        if ((a->dims[i] != b->dims[i] && a->dims[i] != VMC_DYNAMIC && b->dims[i] != VMC_DYNAMIC) ||
            (a->scalable && a->scalable[i]) != (b->scalable && b->scalable[i]))
            return false;
    return true;
}

/* What converts each element knows no more of the shape than its operand. */
static bool same_dims(const Type *a, const Type *b)
{
    for (uint32_t i = 0; vmc_is_ranked(a) && vmc_is_ranked(b) && i < a->rank; i++)
        if (a->dims[i] != b->dims[i])
            return false;
    return true;
}

static bool verify_shapes(Context *ctx, const Op *op)
{
    if (!op->nresults)
        return true;
    for (uint32_t i = 0; i < op->noperands; i++) {
        const Type *type = op->operands[i].value->type;
        if ((shapes_agree(type, op->results[0].type) && (op->noperands > 1 || same_dims(type, op->results[0].type))) ||
            (op->def->hooks.verify == vmc_select_verify && i == 0))
            continue;
        vmc_error(&ctx->diag, op->pos, "operand #%u of '%s' has type %s, which has not the shape of the result's %s", i, op->name,
                  type_text(ctx, type), type_text(ctx, op->results[0].type));
        return false;
    }
    return true;
}

static bool verify_traits(Context *ctx, const Op *op)
{
    uint32_t traits = op->def->traits;
    if (op->nsuccessors && !(traits & TRAIT_SUCCESSORS)) {
        vmc_error(&ctx->diag, op->pos, "'%s' takes no successors", op->name);
        return false;
    }
    if (traits & TRAIT_SAME_TYPE && !verify_same_type(ctx, op))
        return false;
    return !(traits & TRAIT_ELEMENTWISE) || verify_shapes(ctx, op);
}

bool vmc_verify_against_def(Context *ctx, Op *op)
{
    if (!op->def)
        return true;
    return verify_counts(ctx, op) && verify_regions(ctx, op) && verify_attrs(ctx, op) && verify_types(ctx, op) &&
           verify_traits(ctx, op) && (!op->def->hooks.verify || op->def->hooks.verify(ctx, op));
}
