/* IR as text: names, aliases, custom and generic form.
 *
 * Values are numbered: %0, %1 for results, %arg0 for the arguments of entry blocks.  Ops
 * that are isolated from above and stand beside each other use the same numbers.  Affine maps, locations and whatever is
 * shared and large is given an alias at the top, so that the text is never longer than
 * the IR is large.
 */
#include "printer.h"

#include <inttypes.h>
#include <stdio.h>

#include "../ir/print.h"
#include "parser.h"

struct Printer {
    Context *ctx;
    const PrintOptions *options;
    Text *out;
    AttrPrinter attrs;
    Map aliases;
    Map names;  /* Value -> its number and kind of name; a result pack has one for its first */
    Map blocks; /* Block -> number + 1 */
    uint32_t indent;
    uint32_t next_value, next_arg, next_outside;
};

Context *print_context(Printer *p)
{
    return p->ctx;
}
Text *print_text(Printer *p)
{
    return p->out;
}
void print_str(Printer *p, const char *text)
{
    vmc_text_str(p->out, text);
}

void print_fmt(Printer *p, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    char small[256];
    int n = vsnprintf(small, sizeof(small), format, args);
    va_end(args);
    if (n >= 0 && (size_t)n < sizeof(small)) {
        vmc_text_add(p->out, small, (size_t)n);
    } else if (n >= 0) {
        char *large = vmc_arena_alloc(&p->ctx->arena, (size_t)n + 1);
        vsnprintf(large, (size_t)n + 1, format, again);
        vmc_text_add(p->out, large, (size_t)n);
    }
    va_end(again);
}

void print_newline(Printer *p)
{
    static const char spaces[] = "                                                                ";
    vmc_text_char(p->out, '\n');
    for (uint32_t left = 2 * p->indent; left;) {
        uint32_t n = left < sizeof(spaces) - 1 ? left : (uint32_t)sizeof(spaces) - 1;
        vmc_text_add(p->out, spaces, n);
        left -= n;
    }
}

/* ---- aliases ------------------------------------------------------------- */

#define LARGE 48u /* nodes from which a shared value is worth an alias */

typedef struct AliasInfo {
    uint32_t uses;
    uint64_t weight; /* nodes when written out, saturating */
    bool is_type;
    const void *item;
} AliasInfo;

typedef struct AliasFinder {
    Printer *p;
    Map seen;               /* Type or Attr -> AliasInfo */
    VEC(AliasInfo *) order; /* children before parents */
    bool locations;
} AliasFinder;

static uint64_t visit_attr(AliasFinder *f, const Attr *attr);

static AliasInfo *known(AliasFinder *f, const void *item)
{
    AliasInfo *info = vmc_map_ptr(&f->seen, item);
    if (info)
        info->uses++;
    return info;
}

static AliasInfo *enter(AliasFinder *f, const void *item, bool is_type)
{
    AliasInfo *info = ARENA_NEW(&f->p->ctx->arena, AliasInfo);
    *info = (AliasInfo){.uses = 1, .weight = 1, .is_type = is_type, .item = item};
    vmc_map_put_ptr(&f->seen, item, info);
    return info;
}

static void add_weight(AliasInfo *info, uint64_t weight)
{
    info->weight = info->weight > UINT32_MAX ? info->weight : info->weight + weight;
}

static uint64_t visit_type(AliasFinder *f, const Type *type)
{
    if (!type)
        return 0;
    AliasInfo *info = known(f, type);
    if (info)
        return info->weight;
    info = enter(f, type, true);
    add_weight(info, visit_type(f, type->elem));
    add_weight(info, visit_attr(f, type->layout));
    add_weight(info, visit_attr(f, type->space));
    for (uint32_t i = 0; i < type->nins; i++)
        add_weight(info, visit_type(f, type->ins[i]));
    for (uint32_t i = 0; i < type->nouts; i++)
        add_weight(info, visit_type(f, type->outs[i]));
    VEC_PUSH(&f->p->ctx->arena, &f->order, info);
    return info->weight;
}

static bool has_elems(const Attr *a)
{
    return a->kind == ATTR_ARRAY || a->kind == ATTR_DICT || a->kind == ATTR_LOC;
}

static uint64_t visit_attr(AliasFinder *f, const Attr *attr)
{
    if (!attr)
        return 0;
    AliasInfo *info = known(f, attr);
    if (info)
        return info->weight;
    info = enter(f, attr, false);
    add_weight(info, visit_type(f, attr->type));
    add_weight(info, visit_attr(f, attr->meta));
    for (size_t i = 0; has_elems(attr) && i < attr->n; i++)
        add_weight(info, visit_attr(f, attr->elems[i]));
    VEC_PUSH(&f->p->ctx->arena, &f->order, info);
    return info->weight;
}

static bool visit_op(Op *op, void *user)
{
    AliasFinder *f = user;
    for (uint32_t i = 0; i < op->nresults; i++)
        visit_type(f, op->results[i].type);
    for (uint32_t i = 0; i < op->nattrs; i++)
        visit_attr(f, op->attrs[i].attr);
    if (f->locations)
        visit_attr(f, op->loc);
    for (uint32_t r = 0; r < op->nregions; r++) {
        for (Block *b = op->regions[r].first; b; b = b->next) {
            for (uint32_t i = 0; i < b->nargs; i++) {
                visit_type(f, b->args[i]->type);
                if (f->locations)
                    visit_attr(f, b->args[i]->loc);
            }
        }
    }
    return true;
}

/* The word that an alias of it starts with, or NULL where it is printed in place. */
static const char *alias_word(const AliasInfo *info)
{
    bool shared = info->uses > 1 && info->weight > LARGE;
    if (info->is_type)
        return shared ? "!t" : NULL;
    const Attr *attr = info->item;
    switch (attr->kind) {
    case ATTR_MAP:
        return "#map";
    case ATTR_SET:
        return "#set";
    case ATTR_LOC:
        return attr->loc == LOC_UNKNOWN ? NULL : "#loc";
    case ATTR_ARRAY:
    case ATTR_DICT:
        return shared ? "#attr" : NULL;
    default:
        return NULL;
    }
}

static void print_alias_definition(Printer *p, const AliasInfo *info, const char *alias)
{
    print_fmt(p, "%s = ", alias);
    if (info->is_type)
        vmc_print_type_unaliased(&p->attrs, info->item);
    else
        vmc_print_attr_unaliased(&p->attrs, info->item, TYPE_NEVER);
    vmc_text_char(p->out, '\n');
    vmc_map_put_ptr(&p->aliases, info->item, alias);
}

static void print_aliases(Printer *p, const Op *root)
{
    static const char *const words[] = {"#map", "#set", "#loc", "#attr", "!t"};
    uint32_t counts[5] = {0};
    AliasFinder f = {.p = p, .seen = {.arena = &p->ctx->arena}, .locations = p->options->locations};
    vmc_walk((Op *)(uintptr_t)root, visit_op, &f);
    for (size_t i = 0; i < f.order.n; i++) {
        const char *word = alias_word(f.order.at[i]);
        if (!word)
            continue;
        size_t k = 0;
        while (strcmp(words[k], word) != 0)
            k++;
        const char *alias = counts[k] ? vmc_arena_printf(&p->ctx->arena, "%s%u", word, counts[k]) : word;
        counts[k]++;
        print_alias_definition(p, f.order.at[i], alias);
    }
}

/* ---- names --------------------------------------------------------------- */

static const char *const name_words[] = {"", "arg", "out"};
enum { NAME_RESULT, NAME_ARG, NAME_OUTSIDE };

static void name_value(Printer *p, const Value *value, unsigned kind, uint32_t number)
{
    vmc_map_put(&p->names, MAP_KEY(value), (uint64_t)number << 2 | kind);
}

static void print_name(Printer *p, const Value *value)
{
    uint64_t name;
    if (!vmc_map_get(&p->names, MAP_KEY(value), &name)) { /* defined outside of what is printed */
        name = (uint64_t)p->next_outside++ << 2 | NAME_OUTSIDE;
        vmc_map_put(&p->names, MAP_KEY(value), name);
    }
    print_fmt(p, "%%%s%u", name_words[name & 3], (uint32_t)(name >> 2));
}

static bool is_isolated(const Op *op)
{
    return vmc_has_trait(op, TRAIT_ISOLATED);
}

static void name_region(Printer *p, const Region *region);

static void name_op(Printer *p, const Op *op)
{
    if (op->nresults)
        name_value(p, op->results, NAME_RESULT, p->next_value++);
    if (is_isolated(op))
        return; /* has numbers of its own when it is printed */
    for (uint32_t r = 0; r < op->nregions; r++)
        name_region(p, &op->regions[r]);
}

static void name_region(Printer *p, const Region *region)
{
    uint32_t number = 0;
    for (const Block *b = region->first; b; b = b->next) {
        vmc_map_put(&p->blocks, MAP_KEY(b), ++number);
        for (uint32_t i = 0; i < b->nargs; i++)
            name_value(p, b->args[i], b == region->first ? NAME_ARG : NAME_RESULT,
                       b == region->first ? p->next_arg++ : p->next_value++);
        for (const Op *op = b->first; op; op = op->next)
            name_op(p, op);
    }
}

void print_value(Printer *p, const Value *value)
{
    if (!value) {
        print_str(p, "%missing");
        return;
    }
    print_name(p, value->op ? value->op->results : value);
    if (value->op && value->op->nresults > 1)
        print_fmt(p, "#%u", value->index);
}

void print_values(Printer *p, const Use *uses, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        if (i)
            print_str(p, ", ");
        print_value(p, uses[i].value);
    }
}

void print_operands(Printer *p, const Op *op, const char *group)
{
    OperandRange range = vmc_operand_group(op, group);
    print_values(p, op->operands + range.first, range.count);
}

static void print_block_name(Printer *p, const Block *block)
{
    uint64_t number = 0;
    vmc_map_get(&p->blocks, MAP_KEY(block), &number);
    print_fmt(p, "^bb%" PRIu64, number ? number - 1 : 0);
}

/* ---- types and attributes ------------------------------------------------ */

void print_type(Printer *p, const Type *type)
{
    vmc_print_type_with(&p->attrs, type);
}

void print_operand_types(Printer *p, const Op *op, const char *group)
{
    OperandRange range = vmc_operand_group(op, group);
    for (uint32_t i = 0; i < range.count; i++) {
        if (i)
            print_str(p, ", ");
        print_type(p, op->operands[range.first + i].value->type);
    }
}

void print_types_paren(Printer *p, uint32_t n, const Value *values)
{
    print_str(p, "(");
    for (uint32_t i = 0; i < n; i++) {
        if (i)
            print_str(p, ", ");
        print_type(p, values[i].type);
    }
    print_str(p, ")");
}

void print_arrow_results(Printer *p, const Op *op)
{
    if (!op->nresults)
        return;
    print_str(p, " -> ");
    print_types_paren(p, op->nresults, op->results);
}

void print_result_types(Printer *p, const Op *op)
{
    if (op->nresults == 1 && op->results[0].type->kind != TYPE_FUNCTION)
        print_type(p, op->results[0].type);
    else
        print_types_paren(p, op->nresults, op->results);
}

void print_attr(Printer *p, const Attr *attr)
{
    vmc_print_attr_with(&p->attrs, attr, TYPE_NEVER);
}
void print_attr_no_type(Printer *p, const Attr *attr)
{
    vmc_print_attr_with(&p->attrs, attr, TYPE_MUST);
}
void print_symbol_name(Printer *p, const char *name)
{
    vmc_print_symbol(p->out, name);
}

static const FieldDef *field_of(const Op *op, const char *name)
{
    for (uint32_t i = 0; op->def && i < op->def->nattrs; i++)
        if (strcmp(op->def->attrs[i].name, name) == 0)
            return &op->def->attrs[i];
    return NULL;
}

bool print_is_default(Printer *p, const Op *op, const FieldDef *field)
{
    const Attr *attr = field->default_text ? vmc_get_attr(op, field->name) : NULL;
    if (!attr || attr->kind == ATTR_DENSE)
        return false;
    const EnumDef *enumeration = vmc_find_enum(field->constraint);
    int64_t value;
    if (enumeration && attr->kind == ATTR_INT)
        return vmc_enum_value(enumeration, field->default_text, &value) && value == attr->i;
    Text text = {.arena = &p->ctx->arena};
    AttrPrinter plain = {.out = &text, .budget = 64};
    vmc_print_attr_with(&plain, attr, TYPE_MUST);
    return strcmp(text.at, field->default_text) == 0;
}

static bool listed(const char *const *names, const char *name)
{
    for (; names && *names; names++)
        if (strcmp(*names, name) == 0)
            return true;
    return false;
}

/* Entries that `take` accepts, in braces; nothing when there are none. */
static bool print_entries(Printer *p, const Op *op, const char *open, const char *close, const char *const *except, int inherent)
{
    bool any = false;
    for (uint32_t i = 0; i < op->nattrs; i++) {
        const FieldDef *field = field_of(op, op->attrs[i].name);
        if (inherent >= 0 ? inherent != (field != NULL || strcmp(op->attrs[i].name, "operandSegmentSizes") == 0)
                          : listed(except, op->attrs[i].name) || (field && print_is_default(p, op, field)))
            continue;
        print_str(p, any ? ", " : open);
        any = true;
        vmc_print_named_attr(&p->attrs, op->attrs[i].name, op->attrs[i].attr);
    }
    if (any)
        print_str(p, close);
    return any;
}

void print_attr_dict(Printer *p, const Op *op, const char *const *except)
{
    print_entries(p, op, " {", "}", except, -1);
}

void print_attr_dict_keyword(Printer *p, const Op *op, const char *const *except)
{
    print_entries(p, op, " attributes {", "}", except, -1);
}

void print_dynamic_index_list(Printer *p, const int64_t *statics, size_t n, const Use *operands)
{
    size_t next = 0;
    for (size_t i = 0; i < n; i++) {
        if (i)
            print_str(p, ", ");
        if (statics[i] == VMC_DYNAMIC)
            print_value(p, operands[next++].value);
        else
            print_fmt(p, "%" PRId64, statics[i]);
    }
}

/* ---- affine subscripts --------------------------------------------------- */

typedef struct Subscripts {
    Printer *p;
    const AffineMap *map;
    const Use *operands;
} Subscripts;

static void subscript_leaf(Text *out, const AffineExpr *e, void *user)
{
    (void)out;
    Subscripts *s = user;
    bool symbol = e->kind == AFFINE_SYMBOL;
    print_str(s->p, symbol ? "symbol(" : "");
    print_value(s->p, s->operands[(symbol ? s->map->ndims : 0) + (uint32_t)e->value].value);
    print_str(s->p, symbol ? ")" : "");
}

void print_affine_subscripts(Printer *p, const AffineMap *map, const Use *operands)
{
    Subscripts s = {p, map, operands};
    for (uint32_t i = 0; i < map->nresults; i++) {
        if (i)
            print_str(p, ", ");
        vmc_print_affine_expr(p->out, map->results[i], subscript_leaf, &s);
    }
}

/* ---- locations ----------------------------------------------------------- */

static void print_loc(Printer *p, const Attr *loc, SrcPos pos)
{
    uint32_t line, col;
    if (!p->options->locations)
        return;
    vmc_text_char(p->out, ' ');
    if (loc) {
        print_attr(p, loc);
    } else if (vmc_line_col(&p->ctx->diag, pos, &line, &col)) {
        const char *file = p->ctx->diag.file ? p->ctx->diag.file : "<stdin>";
        print_str(p, "loc(");
        vmc_print_quoted(p->out, file, strlen(file));
        print_fmt(p, ":%u:%u)", line, col);
    } else {
        print_str(p, "loc(unknown)");
    }
}

/* ---- regions and operations ---------------------------------------------- */

void print_arg(Printer *p, const Value *arg, const Attr *attrs)
{
    print_value(p, arg);
    print_str(p, ": ");
    print_type(p, arg->type);
    if (attrs && attrs->n) {
        vmc_text_char(p->out, ' ');
        vmc_print_attr_unaliased(&p->attrs, attrs, TYPE_NEVER);
    }
    print_loc(p, arg->loc, arg->pos);
}

void print_successor(Printer *p, const Successor *successor, const Op *op)
{
    print_block_name(p, successor->block);
    if (!successor->count)
        return;
    print_str(p, "(");
    print_values(p, op->operands + successor->first, successor->count);
    print_str(p, " : ");
    for (uint32_t i = 0; i < successor->count; i++) {
        if (i)
            print_str(p, ", ");
        print_type(p, op->operands[successor->first + i].value->type);
    }
    print_str(p, ")");
}

static void print_op(Printer *p, const Op *op);

static bool is_implied(const Op *op)
{
    return vmc_has_trait(op, TRAIT_TERMINATOR) && !op->noperands && !op->nattrs && !op->nregions && !op->loc;
}

static void print_block(Printer *p, const Block *block, bool header, bool terminators)
{
    if (header) {
        p->indent--;
        print_newline(p);
        p->indent++;
        print_block_name(p, block);
        for (uint32_t i = 0; i < block->nargs; i++) {
            print_str(p, i ? ", " : "(");
            print_arg(p, block->args[i], NULL);
        }
        print_str(p, block->nargs ? "):" : ":");
    }
    for (const Op *op = block->first; op; op = op->next) {
        if (!terminators && !op->next && is_implied(op))
            return;
        print_newline(p);
        print_op(p, op);
    }
}

void print_region(Printer *p, const Region *region, bool entry_args, bool terminators)
{
    print_str(p, "{");
    p->indent++;
    for (const Block *b = region->first; b; b = b->next) {
        /* the header of the entry block may be left out where nothing refers to it and its arguments stand elsewhere */
        bool header = b != region->first || (entry_args && b->nargs) || (!b->first && b->next);
        print_block(p, b, header, terminators);
    }
    p->indent--;
    print_newline(p);
    print_str(p, "}");
}

static void print_generic_region(Printer *p, const Region *region)
{
    print_str(p, "{");
    p->indent++;
    for (const Block *b = region->first; b; b = b->next)
        print_block(p, b, b != region->first || b->nargs || !b->first, true);
    p->indent--;
    if (region->first)
        print_newline(p);
    print_str(p, "}");
}

static void print_counts(Printer *p, const char *name, const Successor *successors, uint32_t n, uint32_t ordinary, bool grouped)
{
    print_fmt(p, "%s = array<i32", name);
    const char *separator = ": ";
    for (uint32_t i = 0; i < ordinary; i++, separator = ", ")
        print_fmt(p, "%s1", separator);
    uint32_t rest = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (grouped && i) {
            rest += successors[i].count;
            continue;
        }
        print_fmt(p, "%s%u", separator, successors[i].count);
        separator = ", ";
    }
    if (grouped)
        print_fmt(p, "%s%u", separator, rest);
    print_str(p, ">");
}

/* The generic form lists all operands alike; how many each successor takes stands in segments: one per successor,
   or one for the first and one for the others together, which are listed apart. */
static void print_segments(Printer *p, const Op *op)
{
    uint32_t fixed = 0, n = op->nsuccessors;
    for (uint32_t i = 0; i < op->def->noperands; i++)
        fixed += op->def->operands[i].arity == ARITY_ONE;
    uint32_t groups = op->def->noperands - fixed;
    if (groups < 2 || vmc_get_attr(op, "operandSegmentSizes"))
        return;
    bool grouped = field_of(op, "case_operand_segments") != NULL;
    print_str(p, " <{");
    print_counts(p, "operandSegmentSizes", op->successors, n, fixed, grouped);
    if (grouped) {
        print_str(p, ", ");
        print_counts(p, "case_operand_segments", op->successors + 1, n - 1, 0, false);
    }
    for (uint32_t i = 0; i < op->nattrs; i++) {
        if (!field_of(op, op->attrs[i].name))
            continue;
        print_str(p, ", ");
        vmc_print_named_attr(&p->attrs, op->attrs[i].name, op->attrs[i].attr);
    }
    print_str(p, "}>");
}

static void print_generic(Printer *p, const Op *op)
{
    vmc_print_quoted(p->out, op->name, strlen(op->name));
    print_str(p, "(");
    print_values(p, op->operands, op->noperands);
    print_str(p, ")");
    for (uint32_t i = 0; i < op->nsuccessors; i++) {
        print_str(p, i ? ", " : "[");
        print_block_name(p, op->successors[i].block);
    }
    if (op->nsuccessors)
        print_str(p, "]");
    size_t before = p->out->n;
    if (op->def && op->nsuccessors)
        print_segments(p, op);
    if (op->def && p->out->n == before)
        print_entries(p, op, " <{", "}>", NULL, 1);
    for (uint32_t i = 0; i < op->nregions; i++) {
        print_str(p, i ? ", " : " (");
        print_generic_region(p, &op->regions[i]);
    }
    if (op->nregions)
        print_str(p, ")");
    print_entries(p, op, " {", "}", NULL, 0);
    print_str(p, " : (");
    for (uint32_t i = 0; i < op->noperands; i++) {
        if (i)
            print_str(p, ", ");
        print_type(p, op->operands[i].value->type);
    }
    print_str(p, ") -> ");
    print_result_types(p, op);
}

static bool has_custom_form(const Op *op)
{
    if (!op->def || (op->def->hooks.kept_text && !vmc_get_attr(op, op->def->hooks.kept_text)))
        return false;
    return op->def->hooks.print || (op->def->format && op->def->format[0]);
}

static void print_op_text(Printer *p, const Op *op)
{
    if (op->nresults) {
        print_name(p, op->results);
        if (op->nresults > 1)
            print_fmt(p, ":%u", op->nresults);
        print_str(p, " = ");
    }
    if (vmc_is_kept_op(op)) {
        print_str(p, op->name);
        vmc_print_kept_op(p, op);
    } else if (p->options->generic || !has_custom_form(op)) {
        print_generic(p, op);
    } else {
        const char *name = strcmp(op->name, "builtin.module") == 0 ? "module" : op->name; /* as MLIR does at the top */
        print_str(p, name);
        if (op->def->hooks.print)
            op->def->hooks.print(p, op);
        else
            vmc_print_format(p, op);
    }
    print_loc(p, op->loc, op->pos);
}

static void print_op(Printer *p, const Op *op)
{
    if (p->ctx->limits_depth >= 2 * VMC_MAX_DEPTH) {
        print_str(p, "...");
        return;
    }
    p->ctx->limits_depth++;
    bool isolated = is_isolated(op) && op->nregions;
    uint32_t value = p->next_value, arg = p->next_arg;
    if (isolated) {
        for (uint32_t r = 0; r < op->nregions; r++)
            name_region(p, &op->regions[r]);
    }
    print_op_text(p, op);
    p->next_value = value;
    p->next_arg = arg;
    p->ctx->limits_depth--;
}

/* ---- resources ----------------------------------------------------------- */

typedef struct ResourceFinder {
    Printer *p;
    Map seen;
    bool any;
} ResourceFinder;

static void print_blob(ResourceFinder *f, const Attr *attr)
{
    Printer *p = f->p;
    const Attr *blob = vmc_map_ptr(&p->ctx->resources, vmc_name(p->ctx, attr->s));
    if (!blob || vmc_map_ptr(&f->seen, blob))
        return;
    vmc_map_put_ptr(&f->seen, blob, blob);
    print_str(p, f->any ? ",\n" : "\n{-#\n  dialect_resources: {\n    builtin: {\n");
    f->any = true;
    print_str(p, "      ");
    vmc_print_keyword(p->out, attr->s);
    unsigned char head[4];
    for (int i = 0; i < 4; i++)
        head[i] = (unsigned char)((uint64_t)blob->i >> 8 * i);
    print_str(p, ": \"0x");
    vmc_print_hex(p->out, head, 4);
    vmc_print_hex(p->out, blob->data, blob->n);
    print_str(p, "\"");
}

static void find_resources(ResourceFinder *f, const Attr *attr)
{
    if (!attr)
        return;
    if (attr->kind == ATTR_RESOURCE)
        print_blob(f, attr);
    if (!has_elems(attr) || vmc_map_ptr(&f->seen, attr))
        return;
    vmc_map_put_ptr(&f->seen, attr, attr);
    for (size_t i = 0; i < attr->n; i++)
        find_resources(f, attr->elems[i]);
}

static bool resources_of(Op *op, void *user)
{
    for (uint32_t i = 0; i < op->nattrs; i++)
        find_resources(user, op->attrs[i].attr);
    return true;
}

static void print_resources(Printer *p, const Op *root)
{
    ResourceFinder f = {.p = p, .seen = {.arena = &p->ctx->arena}};
    if (!p->ctx->resources.n)
        return;
    vmc_walk((Op *)(uintptr_t)root, resources_of, &f);
    if (f.any)
        print_str(p, "\n    }\n  }\n#-}\n");
}

/* ---- entry --------------------------------------------------------------- */

void vmc_print_op(Context *ctx, const Op *op, const PrintOptions *options, Text *out)
{
    static const PrintOptions defaults;
    Arena *arena = &ctx->arena;
    Printer p = {.ctx = ctx, .options = options ? options : &defaults, .out = out};
    p.aliases = p.names = p.blocks = (Map){.arena = arena};
    p.attrs = (AttrPrinter){.out = out,
                            .aliases = &p.aliases,
                            .elide_over = p.options->elide_over,
                            .on_elided = p.options->on_elided,
                            .user = p.options->user,
                            .budget = UINT32_MAX};
    uint32_t depth = ctx->limits_depth;
    ctx->limits_depth = 0;
    print_aliases(&p, op);
    if (op->nresults)
        name_value(&p, op->results, NAME_RESULT, p.next_value++);
    if (!is_isolated(op))
        for (uint32_t r = 0; r < op->nregions; r++)
            name_region(&p, &op->regions[r]);
    print_op(&p, op);
    vmc_text_char(out, '\n');
    print_resources(&p, op);
    ctx->limits_depth = depth;
}
