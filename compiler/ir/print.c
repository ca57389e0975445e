/* Types, attributes, affine maps and locations as text.
 *
 * What is printed reads back to the same interned address.  Nested shared values are
 * printed through the alias table that the printer of ops makes; without one (messages)
 * a budget of nodes bounds the text.
 */
#include "print.h"

#include <inttypes.h>

#include "../../vm/numeric/numeric.h"

/* ---- words and numbers --------------------------------------------------- */

static bool is_identifier(const char *s, bool dots)
{
    if (!((*s >= 'a' && *s <= 'z') || (*s >= 'A' && *s <= 'Z') || *s == '_'))
        return false;
    for (s++; *s; s++)
        if (!((*s >= 'a' && *s <= 'z') || (*s >= 'A' && *s <= 'Z') || (*s >= '0' && *s <= '9') || *s == '_' || *s == '$' ||
              (dots && *s == '.')))
            return false;
    return true;
}

void vmc_print_quoted(Text *out, const char *text, size_t n)
{
    vmc_text_char(out, '"');
    size_t from = 0;
    for (size_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char)text[i];
        if (c >= ' ' && c < 0x7F && c != '"' && c != '\\')
            continue;
        vmc_text_add(out, text + from, i - from);
        if (c == '\\')
            vmc_text_str(out, "\\\\");
        else
            vmc_text_fmt(out, "\\%02X", c);
        from = i + 1;
    }
    vmc_text_add(out, text + from, n - from);
    vmc_text_char(out, '"');
}

void vmc_print_keyword(Text *out, const char *name)
{
    if (is_identifier(name, true))
        vmc_text_str(out, name);
    else
        vmc_print_quoted(out, name, strlen(name));
}

void vmc_print_symbol(Text *out, const char *name)
{
    vmc_text_char(out, '@');
    vmc_print_keyword(out, name);
}

void vmc_print_hex(Text *out, const void *data, size_t n)
{
    static const char digits[] = "0123456789ABCDEF";
    const unsigned char *p = data;
    char buffer[1024];
    while (n) {
        size_t k = n < sizeof(buffer) / 2 ? n : sizeof(buffer) / 2;
        for (size_t i = 0; i < k; i++) {
            buffer[2 * i] = digits[p[i] >> 4];
            buffer[2 * i + 1] = digits[p[i] & 15];
        }
        vmc_text_add(out, buffer, 2 * k);
        p += k;
        n -= k;
    }
}

/* The grammar wants a point in a decimal literal: 1e+20 becomes 1.0e+20. */
static void add_decimal(Text *out, const char *digits, size_t n)
{
    size_t e = 0;
    bool point = false;
    while (e < n && digits[e] != 'e' && digits[e] != 'E')
        point |= digits[e++] == '.';
    vmc_text_add(out, digits, e);
    if (!point)
        vmc_text_str(out, ".0");
    vmc_text_add(out, digits + e, n - e);
}

static bool is_number_text(const char *s, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!((s[i] >= '0' && s[i] <= '9') || s[i] == '-' || s[i] == '+' || s[i] == '.' || s[i] == 'e' || s[i] == 'E'))
            return false;
    return n > 0;
}

void vmc_print_float(Text *out, const Type *type, uint64_t bits)
{
    unsigned etype = vmc_float_etype(type->format);
    char digits[64];
    bool held_as_f64 = etype == BVM_NONE;
    if (held_as_f64)
        etype = BVM_F64;
    size_t n = num_print_float(etype, bits, digits);
    if (is_number_text(digits, n)) {
        uint64_t wide;
        if (num_parse_float(digits, n, BVM_F64, &wide) == n && num_float_convert(BVM_F64, wide, etype, 0) == bits) {
            add_decimal(out, digits, n);
            return;
        }
        /* rounding twice went astray: the exact value as f64 can not */
        wide = num_float_convert(etype, bits, BVM_F64, 0);
        n = num_print_float(BVM_F64, wide, digits);
        if (is_number_text(digits, n)) {
            add_decimal(out, digits, n);
            return;
        }
    }
    if (held_as_f64) { /* no bit pattern of its own: a decimal past every range */
        vmc_text_str(out, bits >> 63 ? "-1.0e999999" : "1.0e999999");
        return;
    }
    vmc_text_fmt(out, "0x%0*" PRIX64, (int)((vmc_float_bits(type->format) + 3) / 4), bits);
}

/* ---- affine -------------------------------------------------------------- */

typedef struct AffinePrinter {
    Text *out;
    void (*leaf)(Text *out, const AffineExpr *e, void *user);
    void *user;
} AffinePrinter;

static void print_expr(AffinePrinter *p, const AffineExpr *e, bool tight);

static bool negated(const AffineExpr *e)
{
    return e->kind == AFFINE_MUL && e->rhs->kind == AFFINE_CONST && e->rhs->value < 0 && e->rhs->value != INT64_MIN;
}

static void print_sum(AffinePrinter *p, const AffineExpr *e, bool tight)
{
    if (tight)
        vmc_text_char(p->out, '(');
    print_expr(p, e->lhs, false);
    const AffineExpr *rhs = e->rhs;
    if (rhs->kind == AFFINE_CONST && rhs->value < 0 && rhs->value != INT64_MIN) {
        vmc_text_fmt(p->out, " - %" PRId64, -rhs->value);
    } else if (negated(rhs)) { /* a - b * c reads as a + (b * c) * -1, which folds to this */
        vmc_text_str(p->out, " - ");
        print_expr(p, rhs->lhs, true);
        if (rhs->rhs->value != -1)
            vmc_text_fmt(p->out, " * %" PRId64, -rhs->rhs->value);
    } else {
        vmc_text_str(p->out, " + ");
        print_expr(p, rhs, rhs->kind == AFFINE_ADD);
    }
    if (tight)
        vmc_text_char(p->out, ')');
}

static void print_expr(AffinePrinter *p, const AffineExpr *e, bool tight)
{
    static const char *const names[] = {
        [AFFINE_MUL] = " * ", [AFFINE_MOD] = " mod ", [AFFINE_FLOORDIV] = " floordiv ", [AFFINE_CEILDIV] = " ceildiv "};
    switch (e->kind) {
    case AFFINE_CONST:
        if (e->value == INT64_MIN) /* no literal of its own */
            vmc_text_str(p->out, "(-9223372036854775807 - 1)");
        else
            vmc_text_fmt(p->out, "%" PRId64, e->value);
        return;
    case AFFINE_DIM:
    case AFFINE_SYMBOL:
        p->leaf(p->out, e, p->user);
        return;
    case AFFINE_ADD:
        print_sum(p, e, tight);
        return;
    default:
        break;
    }
    if (tight)
        vmc_text_char(p->out, '(');
    if (e->kind == AFFINE_MUL && e->rhs->kind == AFFINE_CONST && e->rhs->value == -1) {
        vmc_text_char(p->out, '-');
        print_expr(p, e->lhs, true);
    } else {
        print_expr(p, e->lhs, true);
        vmc_text_str(p->out, names[e->kind]);
        print_expr(p, e->rhs, true);
    }
    if (tight)
        vmc_text_char(p->out, ')');
}

void vmc_print_affine_expr(Text *out, const AffineExpr *expr, void (*leaf)(Text *out, const AffineExpr *e, void *user), void *user)
{
    AffinePrinter p = {out, leaf, user};
    print_expr(&p, expr, false);
}

static void default_leaf(Text *out, const AffineExpr *e, void *user)
{
    (void)user;
    vmc_text_fmt(out, "%c%" PRId64, e->kind == AFFINE_DIM ? 'd' : 's', e->value);
}

void vmc_print_map(Text *out, const AffineMap *map)
{
    vmc_text_char(out, '(');
    for (uint32_t i = 0; i < map->ndims; i++)
        vmc_text_fmt(out, "%sd%u", i ? ", " : "", i);
    vmc_text_char(out, ')');
    for (uint32_t i = 0; i < map->nsyms; i++)
        vmc_text_fmt(out, "%ss%u", i ? ", " : "[", i);
    if (map->nsyms)
        vmc_text_char(out, ']');
    vmc_text_str(out, map->eq ? " : (" : " -> (");
    for (uint32_t i = 0; i < map->nresults; i++) {
        if (i)
            vmc_text_str(out, ", ");
        vmc_print_affine_expr(out, map->results[i], default_leaf, NULL);
        if (map->eq)
            vmc_text_str(out, map->eq[i] ? " == 0" : " >= 0");
    }
    vmc_text_char(out, ')');
}

/* ---- types --------------------------------------------------------------- */

static bool spend(AttrPrinter *p)
{
    if (p->budget == 0) {
        vmc_text_str(p->out, "...");
        return false;
    }
    p->budget--;
    return true;
}

static void print_dims(AttrPrinter *p, const Type *t)
{
    for (uint32_t i = 0; i < t->rank; i++) {
        bool scalable = t->scalable && t->scalable[i];
        if (t->dims[i] == VMC_DYNAMIC)
            vmc_text_str(p->out, "?x");
        else
            vmc_text_fmt(p->out, scalable ? "[%" PRId64 "]x" : "%" PRId64 "x", t->dims[i]);
    }
}

static void print_type_list(AttrPrinter *p, uint32_t n, const Type *const *types)
{
    for (uint32_t i = 0; i < n; i++) {
        if (i)
            vmc_text_str(p->out, ", ");
        vmc_print_type_with(p, types[i]);
    }
}

static void print_function_type(AttrPrinter *p, const Type *t)
{
    vmc_text_char(p->out, '(');
    print_type_list(p, t->nins, t->ins);
    vmc_text_str(p->out, ") -> ");
    bool parens = t->nouts != 1 || t->outs[0]->kind == TYPE_FUNCTION;
    if (parens)
        vmc_text_char(p->out, '(');
    print_type_list(p, t->nouts, t->outs);
    if (parens)
        vmc_text_char(p->out, ')');
}

static void print_shaped(AttrPrinter *p, const char *name, const Type *t)
{
    vmc_text_str(p->out, name);
    vmc_text_char(p->out, '<');
    if (vmc_is_ranked(t))
        print_dims(p, t);
    else
        vmc_text_str(p->out, "*x");
    vmc_print_type_with(p, t->elem);
    if (t->layout) {
        vmc_text_str(p->out, ", ");
        vmc_print_attr_with(p, t->layout, TYPE_MAY);
    }
    if (t->space) {
        vmc_text_str(p->out, ", ");
        vmc_print_attr_with(p, t->space, TYPE_MAY);
    }
    vmc_text_char(p->out, '>');
}

void vmc_print_type_unaliased(AttrPrinter *p, const Type *t)
{
    if (!spend(p))
        return;
    switch (t->kind) {
    case TYPE_NONE:
        vmc_text_str(p->out, "none");
        return;
    case TYPE_INDEX:
        vmc_text_str(p->out, "index");
        return;
    case TYPE_INT:
        vmc_text_fmt(p->out, "%s%u", t->sign == SIGNED ? "si" : t->sign == UNSIGNED ? "ui" : "i", t->width);
        return;
    case TYPE_FLOAT:
        vmc_text_str(p->out, vmc_float_name(t->format));
        return;
    case TYPE_COMPLEX:
        vmc_text_str(p->out, "complex<");
        vmc_print_type_with(p, t->elem);
        vmc_text_char(p->out, '>');
        return;
    case TYPE_VECTOR:
        print_shaped(p, "vector", t);
        return;
    case TYPE_TENSOR:
    case TYPE_UNRANKED_TENSOR:
        print_shaped(p, "tensor", t);
        return;
    case TYPE_MEMREF:
    case TYPE_UNRANKED_MEMREF:
        print_shaped(p, "memref", t);
        return;
    case TYPE_FUNCTION:
        print_function_type(p, t);
        return;
    case TYPE_TUPLE:
        vmc_text_str(p->out, "tuple<");
        print_type_list(p, t->nins, t->ins);
        vmc_text_char(p->out, '>');
        return;
    case TYPE_TOKEN:
        vmc_text_str(p->out, t->text);
        return;
    case TYPE_OPAQUE:
        vmc_text_char(p->out, '!');
        vmc_text_str(p->out, t->text);
        return;
    }
}

static bool print_alias(AttrPrinter *p, const void *key)
{
    const char *alias = p->aliases ? vmc_map_ptr(p->aliases, key) : NULL;
    if (alias)
        vmc_text_str(p->out, alias);
    return alias != NULL;
}

void vmc_print_type_with(AttrPrinter *p, const Type *type)
{
    if (!print_alias(p, type))
        vmc_print_type_unaliased(p, type);
}

void vmc_print_type(Text *out, const Type *type)
{
    AttrPrinter p = {.out = out, .budget = VMC_PRINT_BUDGET};
    vmc_print_type_with(&p, type);
}

/* ---- dense --------------------------------------------------------------- */

static uint64_t get_le(const unsigned char *p, size_t n)
{
    uint64_t v = 0;
    for (size_t i = 0; i < n && i < 8; i++)
        v |= (uint64_t)p[i] << (8 * i);
    return v;
}

static void print_int(Text *out, const Type *type, uint64_t v)
{
    uint32_t width = type->kind == TYPE_INT ? type->width : 64;
    unsigned shift = width < 64 ? 64 - width : 0;
    if (width == 1)
        vmc_text_str(out, v & 1 ? "true" : "false");
    else if (type->kind == TYPE_INT && type->sign == UNSIGNED)
        vmc_text_fmt(out, "%" PRIu64, v << shift >> shift);
    else
        vmc_text_fmt(out, "%" PRId64, (int64_t)(v << shift) >> shift);
}

static void print_scalar(AttrPrinter *p, const Type *elem, const unsigned char *data, size_t size)
{
    if (elem->kind == TYPE_COMPLEX) {
        vmc_text_char(p->out, '(');
        print_scalar(p, elem->elem, data, size / 2);
        vmc_text_str(p->out, ",");
        print_scalar(p, elem->elem, data + size / 2, size / 2);
        vmc_text_char(p->out, ')');
    } else if (elem->kind == TYPE_FLOAT) {
        vmc_print_float(p->out, elem, get_le(data, size));
    } else {
        print_int(p->out, elem, get_le(data, size));
    }
}

/* Nested lists without recursion: brackets open and close where the running index crosses a dimension. */
static void print_nested(AttrPrinter *p, const Attr *a, uint64_t count)
{
    const Type *t = a->type;
    size_t size = (size_t)vmc_elem_bytes(t->elem);
    const unsigned char *data = a->data;
    for (uint64_t k = 0; k < count; k++, data += size) {
        uint32_t open = 0;
        uint64_t span = 1;
        for (uint32_t d = t->rank; d-- > 0 && k % (span *= (uint64_t)t->dims[d]) == 0;)
            open++;
        if (k)
            vmc_text_str(p->out, ", ");
        for (uint32_t i = 0; i < open; i++)
            vmc_text_char(p->out, '[');
        print_scalar(p, t->elem, data, size);
        uint32_t close = 0;
        span = 1;
        for (uint32_t d = t->rank; d-- > 0 && (k + 1) % (span *= (uint64_t)t->dims[d]) == 0;)
            close++;
        for (uint32_t i = 0; i < close; i++)
            vmc_text_char(p->out, ']');
    }
}

static const Type *component(const Type *elem)
{
    return elem->kind == TYPE_COMPLEX ? elem->elem : elem;
}

/* Bytes that one component takes in a hex literal: whole bytes, not powers of two. */
static size_t hex_bytes(const Type *type)
{
    uint32_t bits = type->kind == TYPE_INT ? type->width : type->kind == TYPE_FLOAT ? vmc_float_bits(type->format) : 64;
    return (bits + 7) / 8;
}

static void print_dense_hex(AttrPrinter *p, const Attr *a, uint64_t count)
{
    const Type *part = component(a->type->elem);
    size_t memory = (size_t)vmc_elem_bytes(part), text = hex_bytes(part);
    const unsigned char *data = a->data;
    vmc_text_str(p->out, "\"0x");
    if (part->kind == TYPE_INT && part->width == 1 && a->type->elem->kind != TYPE_COMPLEX) {
        for (uint64_t k = 0; k < count; k += 8) {
            unsigned char byte = 0;
            for (uint64_t i = 0; i < 8 && k + i < count; i++)
                byte |= (unsigned char)((data[k + i] & 1) << i);
            vmc_print_hex(p->out, &byte, 1);
        }
    } else if (memory == text) {
        vmc_print_hex(p->out, data, a->n);
    } else {
        for (size_t i = 0; i + memory <= a->n; i += memory)
            vmc_print_hex(p->out, data + i, text);
    }
    vmc_text_char(p->out, '"');
}

static void print_dense(AttrPrinter *p, const Attr *a)
{
    int64_t count = 0;
    const Type *part = component(a->type->elem);
    bool known = vmc_num_elements(a->type, &count);
    if (!known && !a->splat)
        count = 0;
    if (p->elide_over && !a->splat && (uint64_t)count > p->elide_over) {
        if (p->on_elided)
            p->on_elided(p->user, a);
        vmc_text_str(p->out, "dense_resource<__elided__>");
        return;
    }
    vmc_text_str(p->out, "dense<");
    if (a->splat)
        print_scalar(p, a->type->elem, a->data, (size_t)vmc_elem_bytes(a->type->elem));
    else if (count > 100 && !(part->kind == TYPE_FLOAT && vmc_float_etype(part->format) == BVM_NONE))
        print_dense_hex(p, a, (uint64_t)count);
    else
        print_nested(p, a, (uint64_t)count);
    vmc_text_char(p->out, '>');
}

static void print_dense_array(AttrPrinter *p, const Attr *a)
{
    size_t size = (size_t)vmc_elem_bytes(a->type);
    vmc_text_str(p->out, "array<");
    vmc_print_type_with(p, a->type);
    for (size_t i = 0; size && i + size <= a->n; i += size) {
        vmc_text_str(p->out, i ? ", " : ": ");
        print_scalar(p, a->type, (const unsigned char *)a->data + i, size);
    }
    vmc_text_char(p->out, '>');
}

/* ---- attributes ---------------------------------------------------------- */

static void print_loc(AttrPrinter *p, const Attr *a);

static void print_loc_inner(AttrPrinter *p, const Attr *a)
{
    if (!print_alias(p, a) && spend(p))
        print_loc(p, a);
}

static void print_loc(AttrPrinter *p, const Attr *a)
{
    switch (a->loc) {
    case LOC_UNKNOWN:
        vmc_text_str(p->out, "unknown");
        return;
    case LOC_FILE:
        vmc_print_quoted(p->out, a->s, strlen(a->s));
        vmc_text_fmt(p->out, ":%u:%u", a->line, a->col);
        return;
    case LOC_NAME:
        vmc_print_quoted(p->out, a->s, strlen(a->s));
        if (a->n) {
            vmc_text_char(p->out, '(');
            print_loc_inner(p, a->elems[0]);
            vmc_text_char(p->out, ')');
        }
        return;
    case LOC_CALLSITE:
        vmc_text_str(p->out, "callsite(");
        print_loc_inner(p, a->elems[0]);
        vmc_text_str(p->out, " at ");
        print_loc_inner(p, a->elems[1]);
        vmc_text_char(p->out, ')');
        return;
    case LOC_FUSED:
        vmc_text_str(p->out, "fused");
        if (a->meta) {
            vmc_text_char(p->out, '<');
            vmc_print_attr_with(p, a->meta, TYPE_NEVER);
            vmc_text_char(p->out, '>');
        }
        vmc_text_char(p->out, '[');
        for (size_t i = 0; i < a->n; i++) {
            if (i)
                vmc_text_str(p->out, ", ");
            print_loc_inner(p, a->elems[i]);
        }
        vmc_text_char(p->out, ']');
        return;
    }
}

void vmc_print_named_attr(AttrPrinter *p, const char *name, const Attr *attr)
{
    vmc_print_keyword(p->out, name);
    if (attr->kind == ATTR_UNIT)
        return;
    vmc_text_str(p->out, " = ");
    vmc_print_attr_with(p, attr, TYPE_NEVER);
}

static void print_strided_value(Text *out, int64_t v)
{
    if (v == VMC_DYNAMIC)
        vmc_text_char(out, '?');
    else
        vmc_text_fmt(out, "%" PRId64, v);
}

static void print_strided(AttrPrinter *p, const Attr *a)
{
    vmc_text_str(p->out, "strided<[");
    for (size_t i = 0; i < a->n; i++) {
        if (i)
            vmc_text_str(p->out, ", ");
        print_strided_value(p->out, a->strides[i]);
    }
    vmc_text_char(p->out, ']');
    if (a->offset) {
        vmc_text_str(p->out, ", offset: ");
        print_strided_value(p->out, a->offset);
    }
    vmc_text_char(p->out, '>');
}

static void print_colon_type(AttrPrinter *p, const Type *type)
{
    vmc_text_str(p->out, " : ");
    vmc_print_type_with(p, type);
}

void vmc_print_attr_unaliased(AttrPrinter *p, const Attr *a, TypeElision elision)
{
    if (!spend(p))
        return;
    Text *out = p->out;
    switch (a->kind) {
    case ATTR_UNIT:
        vmc_text_str(out, "unit");
        return;
    case ATTR_INT:
        if (a->s)
            vmc_text_str(out, a->s);
        else
            print_int(out, a->type, (uint64_t)a->i);
        if (a->type->kind == TYPE_INT && a->type->width == 1)
            return;
        if (elision == TYPE_MAY && a->type->kind == TYPE_INT && a->type->width == 64 && a->type->sign == SIGNLESS)
            return;
        break;
    case ATTR_FLOAT:
        vmc_print_float(out, a->type, (uint64_t)a->i);
        if (elision == TYPE_MAY && a->type->format == FLOAT_F64)
            return;
        break;
    case ATTR_STRING:
        vmc_print_quoted(out, a->s, a->n);
        if (!a->type)
            return;
        break;
    case ATTR_SYMBOL:
        vmc_print_symbol(out, a->s);
        for (size_t i = 0; i < a->n; i++) {
            vmc_text_str(out, "::");
            vmc_print_symbol(out, a->elems[i]->s);
        }
        return;
    case ATTR_ARRAY:
        vmc_text_char(out, '[');
        for (size_t i = 0; i < a->n; i++) {
            if (i)
                vmc_text_str(out, ", ");
            vmc_print_attr_with(p, a->elems[i], TYPE_MAY);
        }
        vmc_text_char(out, ']');
        return;
    case ATTR_DICT:
        vmc_text_char(out, '{');
        for (size_t i = 0; i < a->n; i++) {
            if (i)
                vmc_text_str(out, ", ");
            vmc_print_named_attr(p, a->names[i], a->elems[i]);
        }
        vmc_text_char(out, '}');
        return;
    case ATTR_TYPE:
        vmc_print_type_with(p, a->type);
        return;
    case ATTR_MAP:
    case ATTR_SET:
        vmc_text_str(out, a->kind == ATTR_MAP ? "affine_map<" : "affine_set<");
        vmc_print_map(out, a->map);
        vmc_text_char(out, '>');
        return;
    case ATTR_DENSE:
        print_dense(p, a);
        break;
    case ATTR_DENSE_ARRAY:
        print_dense_array(p, a);
        return;
    case ATTR_RESOURCE:
        vmc_text_str(out, "dense_resource<");
        vmc_print_keyword(out, a->s);
        vmc_text_char(out, '>');
        break;
    case ATTR_STRIDED:
        print_strided(p, a);
        return;
    case ATTR_LOC:
        vmc_text_str(out, "loc(");
        print_loc(p, a);
        vmc_text_char(out, ')');
        return;
    case ATTR_OPAQUE:
        if (!a->bare)
            vmc_text_char(out, '#');
        vmc_text_add(out, a->s, a->n);
        if (!a->type)
            return;
        break;
    }
    if (elision != TYPE_MUST)
        print_colon_type(p, a->type);
}

void vmc_print_attr_with(AttrPrinter *p, const Attr *attr, TypeElision elision)
{
    const char *alias = p->aliases ? vmc_map_ptr(p->aliases, attr) : NULL;
    if (alias && attr->kind == ATTR_LOC)
        vmc_text_fmt(p->out, "loc(%s)", alias);
    else if (alias && elision != TYPE_MUST)
        vmc_text_str(p->out, alias);
    else
        vmc_print_attr_unaliased(p, attr, elision);
}

void vmc_print_attr(Text *out, const Attr *attr)
{
    AttrPrinter p = {.out = out, .budget = VMC_PRINT_BUDGET};
    vmc_print_attr_with(&p, attr, TYPE_NEVER);
}
