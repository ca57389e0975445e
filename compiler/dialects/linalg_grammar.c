/* Grammar of linalg ops: dictionary before the operands, ins(...) outs(...), bodies written out or short. */
#include "hooks_buffer.h"
#include "linalg_internal.h"
#include "view_grammar.h"

typedef struct Parts {
    AsmOperands ins, outs;
    AsmTypes in_types, out_types;
    SrcPos pos;
} Parts;

/* ins(%a, %b : T, T) or nothing */
static bool parse_group(Asm *p, const char *keyword, AsmOperands *operands, AsmTypes *types)
{
    if (!asm_try(p, keyword))
        return true;
    if (!asm_expect(p, "("))
        return false;
    if (asm_try(p, ")"))
        return true;
    return asm_operand_list(p, operands) && asm_expect(p, ":") && asm_type_list(p, types) && asm_expect(p, ")");
}

static bool parse_ins_outs(Asm *p, Parts *parts)
{
    *parts = (Parts){.pos = asm_pos(p)};
    return parse_group(p, "ins", &parts->ins, &parts->in_types) && parse_group(p, "outs", &parts->outs, &parts->out_types);
}

static bool resolve_parts(Asm *p, const Parts *parts, bool segments)
{
    int32_t sizes[2] = {(int32_t)parts->ins.n, (int32_t)parts->outs.n};
    if (segments)
        asm_set_segments(p, 2, sizes);
    return asm_resolve_list(p, &parts->ins, &parts->in_types, parts->pos) &&
           asm_resolve_list(p, &parts->outs, &parts->out_types, parts->pos);
}

static void add_tensor_results(Asm *p, const Parts *parts)
{
    for (size_t i = 0; i < parts->out_types.n; i++)
        if (vmc_is_tensor(parts->out_types.at[i]))
            asm_add_result(p, parts->out_types.at[i]);
}

static bool parse_results(Asm *p)
{
    AsmTypes results = {0};
    if (asm_peek(p, "->") && !asm_arrow_types(p, &results))
        return false;
    asm_add_results(p, &results);
    return true;
}

/* The block of a body that the parser writes itself: one argument for each operand's element. */
static Block *new_body(Asm *p, const Parts *parts, bool with_outs)
{
    Context *ctx = asm_context(p);
    Region *region = asm_new_region(p);
    Block *block = vmc_block_create(ctx);
    vmc_block_append(region, block);
    for (size_t i = 0; i < parts->in_types.n; i++)
        vmc_block_add_arg(ctx, block, vmc_elem_or_self(parts->in_types.at[i]), asm_op_pos(p));
    for (size_t i = 0; with_outs && i < parts->out_types.n; i++)
        vmc_block_add_arg(ctx, block, vmc_elem_or_self(parts->out_types.at[i]), asm_op_pos(p));
    return block;
}

static void print_group(Printer *p, const char *keyword, const Op *op, OperandRange range)
{
    if (!range.count)
        return;
    print_fmt(p, " %s(", keyword);
    print_values(p, op->operands + range.first, range.count);
    print_str(p, " : ");
    for (uint32_t i = 0; i < range.count; i++) {
        print_str(p, i ? ", " : "");
        print_type(p, op->operands[range.first + i].value->type);
    }
    print_str(p, ")");
}

static void print_ins_outs(Printer *p, const Op *op)
{
    print_group(p, "ins", op, vmc_operand_group(op, "ins"));
    print_group(p, "outs", op, vmc_operand_group(op, "outs"));
}

static void print_results(Printer *p, const Op *op)
{
    if (!op->nresults)
        return;
    print_str(p, " -> ");
    print_result_types(p, op);
}

/* ---- generic ------------------------------------------------------------------- */

/* Strings as iterator types (the printed form) become the attribute form. */
static void normalise_iterators(Asm *p)
{
    Context *ctx = asm_context(p);
    const Attr *kinds = asm_get_attr(p, "iterator_types");
    if (!kinds || kinds->kind != ATTR_ARRAY)
        return;
    const Attr **elems = ARENA_ARRAY(asm_arena(p), const Attr *, kinds->n + 1);
    for (size_t i = 0; i < kinds->n; i++) {
        elems[i] = kinds->elems[i];
        if (elems[i]->kind == ATTR_STRING) {
            const char *text = vmc_arena_printf(asm_arena(p), "linalg.iterator_type<%s>", elems[i]->s);
            elems[i] = vmc_attr_opaque(ctx, text, strlen(text));
        }
    }
    asm_add_attr(p, "iterator_types", vmc_attr_array(ctx, kinds->n, elems));
}

bool vmc_linalg_generic_parse(Asm *p, const OpDef *def)
{
    (void)def;
    Parts parts;
    AsmArgs none = {0};
    if (!asm_attr_dict(p))
        return false;
    normalise_iterators(p);
    if (!parse_ins_outs(p, &parts))
        return false;
    if (asm_try(p, "attrs") && (!asm_expect(p, "=") || !asm_attr_dict(p)))
        return false;
    return resolve_parts(p, &parts, true) && asm_region(p, &none) && parse_results(p);
}

static void print_iterators(Printer *p, const Attr *kinds)
{
    print_str(p, "iterator_types = [");
    for (size_t i = 0; i < kinds->n; i++) {
        const Attr *kind = kinds->elems[i];
        const char *open = kind->kind == ATTR_OPAQUE ? strchr(kind->s, '<') : NULL;
        print_str(p, i ? ", \"" : "\"");
        if (open)
            print_fmt(p, "%.*s", (int)strcspn(open + 1, ">"), open + 1);
        else if (kind->kind == ATTR_STRING)
            print_str(p, kind->s);
        print_str(p, "\"");
    }
    print_str(p, "]");
}

void vmc_linalg_generic_print(Printer *p, const Op *op)
{
    static const char *const own[] = {"indexing_maps",       "iterator_types",        "doc", "library_call",
                                      "operandSegmentSizes", "operand_segment_sizes", NULL};
    const Attr *kinds = vmc_get_attr(op, "iterator_types");
    bool others = false, first = true;
    print_str(p, " {");
    for (uint32_t i = 0; i < op->nattrs; i++) {
        int k = 0;
        while (own[k] && strcmp(own[k], op->attrs[i].name) != 0)
            k++;
        others |= !own[k];
        if (k > 3)
            continue;
        print_str(p, first ? "" : ", ");
        first = false;
        if (op->attrs[i].attr == kinds && kinds->kind == ATTR_ARRAY) {
            print_iterators(p, kinds);
        } else {
            print_fmt(p, "%s = ", op->attrs[i].name);
            print_attr(p, op->attrs[i].attr);
        }
    }
    print_str(p, "}");
    print_ins_outs(p, op);
    if (others) {
        print_str(p, " attrs = ");
        print_attr_dict(p, op, own);
    }
    print_str(p, " ");
    print_region(p, &op->regions[0], true, true);
    print_results(p, op);
}

/* ---- named -------------------------------------------------------------------------- */

/* Between the name and ins(...): `indexing_maps = [...]` and `kind = #...` of later releases. */
static bool parse_named_attrs(Asm *p)
{
    const char *const names[] = {"kind", "indexing_maps"};
    const Attr *value;
    for (int i = 0; i < 2; i++)
        if (asm_try(p, names[i])) {
            if (!asm_expect(p, "=") || !asm_attr(p, NULL, &value))
                return false;
            asm_add_attr(p, names[i], value);
        }
    return true;
}

bool vmc_linalg_named_parse(Asm *p, const OpDef *def)
{
    Parts parts;
    if (!asm_properties(p) || !asm_attr_dict(p) || !parse_named_attrs(p) || !asm_attr_dict(p) || !parse_ins_outs(p, &parts) ||
        !asm_attr_dict(p) || !resolve_parts(p, &parts, true) || !parse_results(p))
        return false;
    Block *body = new_body(p, &parts, true);
    const Attr *fun = asm_get_attr(p, "fun");
    return vmc_named_fill_body(asm_context(p), def->name, asm_op_pos(p), body, asm_get_attr(p, "cast"),
                               fun ? fun : asm_get_attr(p, "kind"));
}

void vmc_linalg_named_print(Printer *p, const Op *op)
{
    static const char *const skip[] = {
        "kind", "indexing_maps", "operandSegmentSizes", "operand_segment_sizes", "linalg.memoized_indexing_maps", NULL};
    const Attr *kind = vmc_get_attr(op, "kind"), *maps = vmc_get_attr(op, "indexing_maps");
    if (kind) {
        print_str(p, " kind = ");
        print_attr(p, kind);
    }
    if (maps) {
        print_str(p, " indexing_maps = ");
        print_attr(p, maps);
    }
    print_attr_dict(p, op, skip);
    print_ins_outs(p, op);
    print_results(p, op);
}

bool vmc_linalg_init_tensor_parse(Asm *p, const OpDef *def)
{
    (void)def;
    AsmOperands sizes = {0};
    const Type *type;
    if (!vmc_asm_mixed(p, "[", "]", "static_sizes", &sizes) || !asm_attr_dict(p) || !asm_colon_type(p, &type))
        return false;
    asm_add_result(p, type);
    return asm_resolve_all(p, &sizes, vmc_type_index(asm_context(p)));
}

void vmc_linalg_init_tensor_print(Printer *p, const Op *op)
{
    static const char *const skip[] = {"static_sizes", NULL};
    print_str(p, " [");
    vmc_print_mixed(p, op, "static_sizes", "sizes");
    print_str(p, "]");
    print_attr_dict(p, op, skip);
    print_str(p, " : ");
    print_type(p, op->results[0].type);
}

/* ---- map, reduce ------------------------------------------------------------------------ */

typedef struct ShortBody { /* { arith.addf {attrs} } in place of a body */
    const char *name;
    const Attr *attrs;
    SrcPos pos;
} ShortBody;

static bool try_short_body(Asm *p, ShortBody *out)
{
    *out = (ShortBody){0};
    if (!asm_try(p, "{"))
        return true;
    out->pos = asm_pos(p);
    if (!asm_keyword(p, &out->name))
        return false;
    if (asm_peek(p, "{") && !asm_attr(p, NULL, &out->attrs))
        return false;
    return asm_expect(p, "}");
}

static bool fill_short_body(Asm *p, const Parts *parts, const ShortBody *payload, bool reduce)
{
    Context *ctx = asm_context(p);
    Block *block = new_body(p, parts, reduce);
    Builder b = vmc_at_end(ctx, block, payload->pos);
    uint32_t n = block->nargs, nattrs = 0;
    const Attr *dict = payload->attrs;
    if (!vmc_find_def(ctx, payload->name))
        return asm_error(p, payload->pos, "unknown operation '%s'", payload->name);
    if (parts->out_types.n != 1 || (reduce && n != 2))
        return asm_error(p, payload->pos, "a short body serves one out only");
    NamedAttr *attrs = ARENA_ARRAY(asm_arena(p), NamedAttr, dict && dict->kind == ATTR_DICT ? dict->n + 1 : 1);
    for (size_t i = 0; dict && dict->kind == ATTR_DICT && i < dict->n; i++)
        attrs[nattrs++] = (NamedAttr){dict->names[i], dict->elems[i]};
    Value **operands = ARENA_ARRAY(asm_arena(p), Value *, n + 1);
    for (uint32_t i = 0; i < n; i++) /* of a reduction: the running value first */
        operands[i] = block->args[reduce ? n - 1 - i : i];
    const Type *type = vmc_elem_or_self(parts->out_types.at[0]);
    Op *op = vmc_build(&b, vmc_name(ctx, payload->name), n, operands, 1, &type, nattrs, attrs, 0);
    Value *result = &op->results[0];
    vmc_build(&b, "linalg.yield", 1, &result, 0, NULL, 0, NULL, 0);
    return true;
}

static bool parse_long_body(Asm *p)
{
    AsmArgs args = {0};
    return asm_arg_list(p, "(", ")", &args, true) && asm_region(p, &args);
}

static void print_dims(Printer *p, const Op *op, const char *name)
{
    const int64_t *values = NULL;
    const Attr *attr = vmc_get_attr(op, name);
    ptrdiff_t n = attr ? vmc_attr_ints(vmc_op_context(op), attr, &values) : 0;
    print_fmt(p, " %s = ", name);
    vmc_print_int_list(p, values, n > 0 ? (size_t)n : 0);
}

static bool parse_with_body(Asm *p, bool reduce)
{
    Parts parts;
    ShortBody payload;
    if (!try_short_body(p, &payload) || !parse_ins_outs(p, &parts) || !resolve_parts(p, &parts, false))
        return false;
    add_tensor_results(p, &parts);
    if ((reduce && !vmc_asm_ints_attr(p, "dimensions")) || !asm_attr_dict(p))
        return false;
    return payload.name ? fill_short_body(p, &parts, &payload, reduce) : parse_long_body(p);
}

static void print_body(Printer *p, const Op *op)
{
    const Block *body = op->regions[0].first;
    print_str(p, " (");
    for (uint32_t i = 0; body && i < body->nargs; i++) {
        print_str(p, i ? ", " : "");
        print_arg(p, body->args[i], NULL);
    }
    print_str(p, ") ");
    print_region(p, &op->regions[0], false, true);
}

bool vmc_linalg_map_parse(Asm *p, const OpDef *def)
{
    (void)def;
    return parse_with_body(p, false);
}

void vmc_linalg_map_print(Printer *p, const Op *op)
{
    print_ins_outs(p, op);
    print_attr_dict(p, op, NULL);
    print_body(p, op);
}

bool vmc_linalg_reduce_parse(Asm *p, const OpDef *def)
{
    (void)def;
    return parse_with_body(p, true);
}

void vmc_linalg_reduce_print(Printer *p, const Op *op)
{
    static const char *const skip[] = {"dimensions", NULL};
    print_ins_outs(p, op);
    print_dims(p, op, "dimensions");
    print_attr_dict(p, op, skip);
    print_body(p, op);
}

/* ---- transpose, broadcast, softmax ---------------------------------------------------------- */

static bool parse_moving(Asm *p, const char *dims)
{
    Parts parts;
    if (!parse_ins_outs(p, &parts) || !resolve_parts(p, &parts, false) || !vmc_asm_ints_attr(p, dims) || !asm_attr_dict(p))
        return false;
    add_tensor_results(p, &parts);
    if (parts.ins.n != 1 || parts.outs.n != 1)
        return asm_error(p, parts.pos, "expected one operand in ins and one in outs");
    Block *block = new_body(p, &parts, true);
    Builder b = vmc_at_end(asm_context(p), block, asm_op_pos(p));
    vmc_build(&b, "linalg.yield", 1, &block->args[0], 0, NULL, 0, NULL, 0);
    return true;
}

static void print_moving(Printer *p, const Op *op, const char *dims)
{
    const char *const skip[] = {dims, NULL};
    print_ins_outs(p, op);
    print_dims(p, op, dims);
    print_attr_dict(p, op, skip);
}

bool vmc_linalg_transpose_parse(Asm *p, const OpDef *def)
{
    (void)def;
    return parse_moving(p, "permutation");
}

void vmc_linalg_transpose_print(Printer *p, const Op *op)
{
    print_moving(p, op, "permutation");
}

bool vmc_linalg_broadcast_parse(Asm *p, const OpDef *def)
{
    (void)def;
    return parse_moving(p, "dimensions");
}

void vmc_linalg_broadcast_print(Printer *p, const Op *op)
{
    print_moving(p, op, "dimensions");
}

bool vmc_linalg_softmax_parse(Asm *p, const OpDef *def)
{
    (void)def;
    Parts parts;
    int64_t dim;
    if (!asm_attr_dict(p) || !asm_expect(p, "dimension") || !asm_expect(p, "(") || !asm_integer(p, &dim) || !asm_expect(p, ")"))
        return false;
    asm_add_attr(p, "dimension", vmc_attr_i64(asm_context(p), dim));
    return parse_ins_outs(p, &parts) && asm_attr_dict(p) && resolve_parts(p, &parts, false) && parse_results(p);
}

void vmc_linalg_softmax_print(Printer *p, const Op *op)
{
    static const char *const skip[] = {"dimension", NULL};
    int64_t dim = 0;
    vmc_get_int(op, "dimension", &dim);
    print_attr_dict(p, op, skip);
    print_fmt(p, " dimension(%lld)", (long long)dim);
    print_ins_outs(p, op);
    print_results(p, op);
}

/* ---- winograd_* -------------------------------------------------------------------------------- */

/* Both numbers in the place of the first: `m(4) r(3)`, or the later `fmr(F_4_3)`, also as the number of that name. */
bool vmc_linalg_winograd_parse(Asm *p, const OpDef *def, const char *name)
{
    static const char *const names[] = {"F_2_3", "F_4_3", "F_2_5"};
    static const int64_t sizes[][2] = {{2, 3}, {4, 3}, {2, 5}};
    (void)def;
    Context *ctx = asm_context(p);
    if (strcmp(name, "m") != 0)
        return true;
    int64_t m, r;
    if (asm_try(p, "fmr")) {
        int64_t which = -1, ordinal;
        const char *keyword;
        const Type *type;
        SrcPos pos = asm_pos(p);
        if (!asm_expect(p, "("))
            return false;
        if (asm_try_integer(p, &ordinal)) {
            which = ordinal >= 0 && ordinal < 3 ? ordinal : -1;
            if (asm_peek(p, ":") && !asm_colon_type(p, &type))
                return false;
        } else if (asm_keyword(p, &keyword)) {
            for (int64_t i = 0; i < 3; i++)
                which = strcmp(keyword, names[i]) == 0 ? i : which;
        } else {
            return false;
        }
        if (which < 0)
            return asm_error(p, pos, "expected F_2_3, F_4_3 or F_2_5");
        if (!asm_expect(p, ")"))
            return false;
        m = sizes[which][0];
        r = sizes[which][1];
    } else if (!asm_expect(p, "m") || !asm_expect(p, "(") || !asm_integer(p, &m) || !asm_expect(p, ")") || !asm_expect(p, "r") ||
               !asm_expect(p, "(") || !asm_integer(p, &r) || !asm_expect(p, ")")) {
        return false;
    }
    asm_add_attr(p, "m", vmc_attr_i64(ctx, m));
    asm_add_attr(p, "r", vmc_attr_i64(ctx, r));
    return true;
}

void vmc_linalg_winograd_print(Printer *p, const Op *op, const char *name)
{
    int64_t value = 0;
    vmc_get_int(op, name, &value);
    print_fmt(p, " %s(%lld)", name, (long long)value);
}
