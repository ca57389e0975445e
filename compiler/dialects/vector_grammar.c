/* Grammar of the vector ops that a format does not describe. */
#include "hooks_vector.h"
#include "vector.h"
#include "view_grammar.h"

#include "hooks_core.h"

/* ---- combining kinds ------------------------------------------------------------------ */

static bool set_kind(Asm *p, SrcPos pos, const char *text)
{
    const char *name = vmc_combining_name(text, strlen(text));
    if (!name)
        return asm_error(p, pos, "unknown combining kind `%s`", text);
    Text out = {.arena = asm_arena(p)};
    vmc_text_fmt(&out, "vector.kind<%s>", name);
    asm_add_attr(p, "kind", vmc_attr_opaque(asm_context(p), out.at, out.n));
    return true;
}

/* The kind of a dictionary: an older name becomes the current one. */
static bool update_kind(Asm *p)
{
    const Attr *kind = asm_get_attr(p, "kind");
    if (!kind || kind->kind != ATTR_OPAQUE)
        return true;
    const char *open = strchr(kind->s, '<'), *close = open ? strchr(open, '>') : NULL;
    const char *name = close ? vmc_combining_name(open + 1, (size_t)(close - open - 1)) : NULL;
    if (name && strlen(name) != (size_t)(close - open - 1))
        return set_kind(p, asm_op_pos(p), name);
    return true; /* a wrong one is the verifier's to report */
}

/* <add>, or "add" as older text has it */
static bool parse_kind(Asm *p)
{
    SrcPos pos = asm_pos(p);
    const char *text;
    size_t n;
    if (asm_peek_string(p))
        return asm_string(p, &text, &n) && set_kind(p, pos, text);
    if (!asm_peek(p, "<")) { /* #vector.kind<add> */
        const Attr *kind;
        if (!asm_attr(p, NULL, &kind))
            return false;
        asm_add_attr(p, "kind", kind);
        return update_kind(p);
    }
    if (!asm_expect(p, "<") || !asm_keyword(p, &text))
        return false;
    return set_kind(p, pos, text) && asm_expect(p, ">");
}

static void print_kind(Printer *p, const Op *op)
{
    const Attr *kind = vmc_get_attr(op, "kind");
    const char *open = kind && kind->kind == ATTR_OPAQUE ? strchr(kind->s, '<') : NULL;
    print_str(p, " ");
    print_str(p, open ? open : "<add>");
}

bool vmc_vector_part_parse(Asm *p, const OpDef *def, const char *name)
{
    return strcmp(name, "kind") == 0 ? parse_kind(p) : vmc_flags_parse(p, def, name);
}

void vmc_vector_part_print(Printer *p, const Op *op, const char *name)
{
    if (strcmp(name, "kind") == 0)
        print_kind(p, op);
    else
        vmc_flags_print(p, op, name);
}

/* ---- results that the text leaves out ----------------------------------------------------- */

static bool infer_shuffle(Asm *p)
{
    Context *ctx = asm_context(p);
    const Type *type = asm_num_operands(p) ? asm_operand_type(p, 0) : NULL;
    const int64_t *mask;
    ptrdiff_t n = vmc_attr_ints(ctx, asm_get_attr(p, "mask"), &mask);
    if (!type || type->kind != TYPE_VECTOR || n < 1)
        return asm_error(p, asm_op_pos(p), "'vector.shuffle' takes two vectors and a mask");
    uint32_t rank = type->rank ? type->rank : 1;
    int64_t *dims = ARENA_ARRAY(asm_arena(p), int64_t, rank);
    for (uint32_t i = 0; i < rank; i++)
        dims[i] = i ? type->dims[i] : n;
    asm_add_result(p, vmc_type_vector(ctx, rank, dims, NULL, type->elem));
    return true;
}

static bool infer_to_elements(Asm *p)
{
    const Type *type = asm_num_operands(p) ? asm_operand_type(p, 0) : NULL;
    int64_t count;
    if (!type || type->kind != TYPE_VECTOR || !vmc_num_elements(type, &count) || count > UINT16_MAX)
        return asm_error(p, asm_op_pos(p), "'vector.to_elements' takes a vector of at most 65535 elements");
    for (int64_t i = 0; i < count; i++)
        asm_add_result(p, type->elem);
    return true;
}

bool vmc_vector_infer(Asm *p, const OpDef *def)
{
    return strcmp(def->name, "vector.shuffle") == 0 ? infer_shuffle(p) : infer_to_elements(p);
}

/* ---- contract, outerproduct ------------------------------------------------------------------- */

/* {indexing_maps = .., ..} %lhs, %rhs, %acc {attrs} : t, t into t */
bool vmc_vector_contract_parse(Asm *p, const OpDef *def)
{
    (void)def;
    AsmOperand lhs, rhs, acc;
    const Type *left, *right, *to;
    if (!asm_attr_dict(p) || !asm_operand(p, &lhs) || !asm_expect(p, ",") || !asm_operand(p, &rhs) || !asm_expect(p, ",") ||
        !asm_operand(p, &acc) || !asm_attr_dict(p) || !asm_colon_type(p, &left) || !asm_expect(p, ",") || !asm_type(p, &right))
        return false;
    if (asm_try(p, ",") && !asm_type(p, &to)) /* some text names the accumulator's type too */
        return false;
    if (!asm_expect(p, "into") || !asm_type(p, &to) || !update_kind(p))
        return false;
    asm_add_result(p, to);
    return asm_resolve(p, &lhs, left) && asm_resolve(p, &rhs, right) && asm_resolve(p, &acc, to);
}

void vmc_vector_contract_print(Printer *p, const Op *op)
{
    static const char *const inner[] = {"indexing_maps", "iterator_types", "kind", NULL};
    const char *separator = " {";
    for (int i = 0; inner[i]; i++) {
        const Attr *attr = vmc_get_attr(op, inner[i]);
        if (!attr)
            continue;
        print_fmt(p, "%s%s = ", separator, inner[i]);
        if (i == 1 && attr->kind == ATTR_ARRAY) { /* strings are what every version reads */
            print_str(p, "[");
            for (size_t k = 0; k < attr->n; k++) {
                bool reduction = strstr(attr->elems[k]->s ? attr->elems[k]->s : "", "reduction") != NULL;
                print_fmt(p, "%s\"%s\"", k ? ", " : "", reduction ? "reduction" : "parallel");
            }
            print_str(p, "]");
        } else {
            print_attr(p, attr);
        }
        separator = ", ";
    }
    print_str(p, "} ");
    print_values(p, op->operands, op->noperands);
    print_attr_dict(p, op, inner);
    print_str(p, " : ");
    print_type(p, op->operands[0].value->type);
    print_str(p, ", ");
    print_type(p, op->operands[1].value->type);
    print_str(p, " into ");
    print_type(p, op->results[0].type);
}

/* %lhs, %rhs, %acc {kind = ..} : t, t */
bool vmc_vector_outerproduct_parse(Asm *p, const OpDef *def)
{
    (void)def;
    AsmOperands operands = {0};
    const Type *left, *right, *to;
    SrcPos pos = asm_pos(p);
    if (!asm_operand_list(p, &operands))
        return false;
    if (operands.n != 2 && operands.n != 3)
        return asm_error(p, pos, "expected two or three operands, saw %zu", operands.n);
    if (!asm_attr_dict(p) || !asm_colon_type(p, &left) || !asm_expect(p, ",") || !asm_type(p, &right) || !update_kind(p))
        return false;
    if (left->kind != TYPE_VECTOR || left->rank != 1 || (right->kind == TYPE_VECTOR && right->rank != 1))
        return asm_error(p, pos, "expected a one-dimensional vector, and one or a scalar");
    if (right->kind == TYPE_VECTOR) {
        int64_t dims[2] = {left->dims[0], right->dims[0]};
        bool scalable[2] = {left->scalable && left->scalable[0], right->scalable && right->scalable[0]};
        to = vmc_type_vector(asm_context(p), 2, dims, scalable[0] || scalable[1] ? scalable : NULL, left->elem);
    } else {
        to = left;
    }
    asm_add_result(p, to);
    return asm_resolve(p, &operands.at[0], left) && asm_resolve(p, &operands.at[1], right) &&
           (operands.n < 3 || asm_resolve(p, &operands.at[2], to));
}

void vmc_vector_outerproduct_print(Printer *p, const Op *op)
{
    print_str(p, " ");
    print_values(p, op->operands, op->noperands);
    print_attr_dict(p, op, (const char *const[]){NULL});
    print_str(p, " : ");
    print_type(p, op->operands[0].value->type);
    print_str(p, ", ");
    print_type(p, op->operands[1].value->type);
}

/* ---- extract, insert ------------------------------------------------------------------------------ */

static const char *const position_attrs[] = {"static_position", "position", NULL};

static bool parse_position(Asm *p, AsmOperands *dynamic)
{
    return vmc_asm_mixed(p, "[", "]", "static_position", dynamic);
}

static void print_position(Printer *p, const Op *op)
{
    const int64_t *values = NULL;
    uint32_t n = 0;
    if (!vmc_vector_position(vmc_op_context(op), op, &values, &n))
        n = 0;
    print_str(p, "[");
    print_dynamic_index_list(p, values, n, op->operands + vmc_operand_group(op, "dynamic_position").first);
    print_str(p, "]");
}

/* %v[0, %i] : t from t; the type in front of `from` is missing in older text */
bool vmc_vector_extract_parse(Asm *p, const OpDef *def)
{
    (void)def;
    Context *ctx = asm_context(p);
    AsmOperand vector;
    AsmOperands dynamic = {0};
    const Type *part, *whole;
    SrcPos pos = asm_pos(p);
    if (!asm_operand(p, &vector) || !parse_position(p, &dynamic) || !asm_attr_dict(p) || !asm_colon_type(p, &part))
        return false;
    if (asm_try(p, "from")) {
        if (!asm_type(p, &whole))
            return false;
    } else {
        const int64_t *at;
        ptrdiff_t n = vmc_attr_ints(ctx, asm_get_attr(p, "static_position"), &at);
        whole = part;
        if (whole->kind != TYPE_VECTOR || n < 0 || n > (ptrdiff_t)whole->rank)
            return asm_error(p, pos, "expected a vector whose rank has room for the position");
        uint32_t left = whole->rank - (uint32_t)n;
        part = left ? vmc_type_vector(ctx, left, whole->dims + n, whole->scalable ? whole->scalable + n : NULL, whole->elem)
                    : whole->elem;
    }
    asm_add_result(p, part);
    return asm_resolve(p, &vector, whole) && asm_resolve_all(p, &dynamic, vmc_type_index(ctx));
}

void vmc_vector_extract_print(Printer *p, const Op *op)
{
    print_str(p, " ");
    print_value(p, op->operands[0].value);
    print_position(p, op);
    print_attr_dict(p, op, position_attrs);
    print_str(p, " : ");
    print_type(p, op->results[0].type);
    print_str(p, " from ");
    print_type(p, op->operands[0].value->type);
}

bool vmc_vector_insert_parse(Asm *p, const OpDef *def)
{
    (void)def;
    AsmOperand part, whole;
    AsmOperands dynamic = {0};
    const Type *from, *into;
    if (!asm_operand(p, &part) || !asm_expect(p, ",") || !asm_operand(p, &whole) || !parse_position(p, &dynamic) ||
        !asm_attr_dict(p) || !asm_colon_type(p, &from) || !asm_expect(p, "into") || !asm_type(p, &into))
        return false;
    asm_add_result(p, into);
    return asm_resolve(p, &part, from) && asm_resolve(p, &whole, into) &&
           asm_resolve_all(p, &dynamic, vmc_type_index(asm_context(p)));
}

void vmc_vector_insert_print(Printer *p, const Op *op)
{
    print_str(p, " ");
    print_values(p, op->operands, 2);
    print_str(p, " ");
    print_position(p, op);
    print_attr_dict(p, op, position_attrs);
    print_str(p, " : ");
    print_type(p, op->operands[0].value->type);
    print_str(p, " into ");
    print_type(p, op->operands[1].value->type);
}

/* ---- mask --------------------------------------------------------------------------------------------- */

/* A body written without vector.yield yields the results of its op. */
static void complete_mask(Asm *p, Region *region)
{
    Context *ctx = asm_context(p);
    if (!region->last)
        vmc_block_append(region, vmc_block_create(ctx));
    Block *block = region->last;
    Op *last = block->last;
    if (last && vmc_has_trait(last, TRAIT_TERMINATOR))
        return;
    uint32_t n = last ? last->nresults : 0;
    Value **values = ARENA_ARRAY(asm_arena(p), Value *, n + 1);
    for (uint32_t i = 0; i < n; i++)
        values[i] = &last->results[i];
    OpState state = {.name = "vector.yield", .pos = asm_op_pos(p), .noperands = n, .operands = values};
    vmc_op_append(block, vmc_op_create(ctx, &state));
}

/* %mask, %passthru { op } {attrs} : t -> t */
bool vmc_vector_mask_parse(Asm *p, const OpDef *def)
{
    (void)def;
    AsmOperand mask, passthru;
    AsmArgs none = {0};
    AsmTypes results = {0};
    const Type *type;
    if (!asm_operand(p, &mask))
        return false;
    bool passes = asm_try(p, ",");
    SrcPos pos = asm_pos(p);
    if ((passes && !asm_operand(p, &passthru)) || !asm_region(p, &none))
        return false;
    complete_mask(p, asm_region_at(p, 0));
    if (!asm_attr_dict(p) || !asm_colon_type(p, &type) || !asm_try_arrow_types(p, &results))
        return false;
    asm_add_results(p, &results);
    if (passes && !results.n)
        return asm_error(p, pos, "expected a result where there is a passthru");
    return asm_resolve(p, &mask, type) && (!passes || asm_resolve(p, &passthru, results.at[0]));
}

void vmc_vector_mask_print(Printer *p, const Op *op)
{
    print_str(p, " ");
    print_values(p, op->operands, op->noperands);
    print_str(p, " ");
    print_region(p, &op->regions[0], false, true);
    print_attr_dict(p, op, (const char *const[]){NULL});
    print_str(p, " : ");
    print_type(p, op->operands[0].value->type);
    if (op->nresults) {
        print_str(p, " -> ");
        print_result_types(p, op);
    }
}

/* ---- one lane of a warp -------------------------------------------------------------------------------- */

/* (%lane)[32] args(%a : t) -> (t) { region } {attrs} */
bool vmc_vector_warp_parse(Asm *p, const OpDef *def)
{
    (void)def;
    Context *ctx = asm_context(p);
    AsmOperand lane;
    AsmOperands args = {0};
    AsmTypes types = {0}, results = {0};
    AsmArgs none = {0};
    int64_t size;
    SrcPos pos = asm_pos(p);
    if (!asm_expect(p, "(") || !asm_operand(p, &lane) || !asm_expect(p, ")") || !asm_expect(p, "[") || !asm_integer(p, &size) ||
        !asm_expect(p, "]"))
        return false;
    asm_add_attr(p, "warp_size", vmc_attr_i64(ctx, size));
    if (asm_try(p, "args")) {
        if (!asm_expect(p, "(") || !asm_operand_list(p, &args) || !asm_expect(p, ":") || !asm_type_list(p, &types) ||
            !asm_expect(p, ")"))
            return false;
    }
    if (!asm_try_arrow_types(p, &results) || !asm_region(p, &none) || !asm_attr_dict(p))
        return false;
    asm_add_results(p, &results);
    return asm_resolve(p, &lane, vmc_type_index(ctx)) && asm_resolve_list(p, &args, &types, pos);
}

void vmc_vector_warp_print(Printer *p, const Op *op)
{
    int64_t size = 0;
    vmc_get_int(op, "warp_size", &size);
    print_str(p, "(");
    print_value(p, op->operands[0].value);
    print_fmt(p, ")[%lld]", (long long)size);
    if (op->noperands > 1) {
        print_str(p, " args(");
        print_operands(p, op, "args");
        print_str(p, " : ");
        print_operand_types(p, op, "args");
        print_str(p, ")");
    }
    print_arrow_results(p, op);
    print_str(p, " ");
    print_region(p, &op->regions[0], true, true);
    print_attr_dict(p, op, (const char *const[]){"warp_size", NULL});
}

/* ---- transfers ---------------------------------------------------------------------------------------------- */

/* Type of the mask: one dim for each dim of the source that the map names, in the source's order. */
static bool mask_type(Asm *p, const Type *source, const Type *vector, const Type **out)
{
    Context *ctx = asm_context(p);
    const Attr *attr = asm_get_attr(p, "permutation_map");
    const AffineMap *map = attr && attr->kind == ATTR_MAP ? attr->map : NULL;
    if (!vmc_is_ranked(source) || vector->kind != TYPE_VECTOR || (map && map->nresults > vector->rank))
        return asm_error(p, asm_op_pos(p), "expected a ranked memref or tensor and a vector that the permutation_map fits");
    uint32_t mapped =
        map ? map->nresults
            : vector->rank - (source->elem->kind == TYPE_VECTOR && source->elem->rank <= vector->rank ? source->elem->rank : 0);
    uint32_t n = 0, rank = map ? map->ndims : mapped;
    if (rank > UINT16_MAX)
        return asm_error(p, asm_op_pos(p), "the permutation_map has too many dimensions");
    int64_t *dims = ARENA_ARRAY(asm_arena(p), int64_t, mapped + 1);
    uint32_t *of_dim = ARENA_ARRAY(asm_arena(p), uint32_t, rank + 1); /* 1 + the vector's dim */
    bool *scalable = ARENA_ARRAY(asm_arena(p), bool, mapped + 1), any = false;
    for (uint32_t v = 0; v < mapped; v++) {
        if (!map)
            of_dim[v] = v + 1;
        else if (map->results[v]->kind == AFFINE_DIM)
            of_dim[map->results[v]->value] = v + 1;
    }
    for (uint32_t d = 0; d < rank && n < mapped; d++) {
        if (!of_dim[d])
            continue;
        scalable[n] = vector->scalable && vector->scalable[of_dim[d] - 1];
        any |= scalable[n];
        dims[n++] = vector->dims[of_dim[d] - 1];
    }
    if (!n && mapped)
        dims[n++] = 1;
    *out = vmc_type_vector(ctx, n, dims, any ? scalable : NULL, vmc_type_int(ctx, 1, SIGNLESS));
    return true;
}

/* %source[..], %padding, %mask {attrs} : source type, vector type */
bool vmc_vector_read_parse(Asm *p, const OpDef *def)
{
    (void)def;
    Context *ctx = asm_context(p);
    AsmOperand source, padding, mask;
    AsmOperands indices = {0};
    const Type *from, *to, *of_mask = NULL;
    if (!asm_operand(p, &source) || !asm_operands_in(p, "[", "]", &indices) || !asm_expect(p, ",") || !asm_operand(p, &padding))
        return false;
    bool masked = asm_try(p, ",");
    if ((masked && !asm_operand(p, &mask)) || !asm_attr_dict(p) || !asm_colon_type(p, &from) || !asm_expect(p, ",") ||
        !asm_type(p, &to))
        return false;
    SrcPos pos = asm_op_pos(p);
    if (!vmc_is_shaped(from))
        return asm_error(p, pos, "expected a memref or tensor as the source");
    if (masked && !mask_type(p, from, to, &of_mask))
        return false;
    asm_set_segments(p, 4, (const int32_t[]){1, (int32_t)indices.n, 1, masked});
    asm_add_result(p, to);
    return asm_resolve(p, &source, from) && asm_resolve_all(p, &indices, vmc_type_index(ctx)) &&
           asm_resolve(p, &padding, from->elem) && (!masked || asm_resolve(p, &mask, of_mask));
}

bool vmc_vector_write_parse(Asm *p, const OpDef *def)
{
    (void)def;
    Context *ctx = asm_context(p);
    AsmOperand source, vector, mask;
    AsmOperands indices = {0};
    const Type *from, *to, *of_mask = NULL;
    if (!asm_operand(p, &vector) || !asm_expect(p, ",") || !asm_operand(p, &source) || !asm_operands_in(p, "[", "]", &indices))
        return false;
    bool masked = asm_try(p, ",");
    if ((masked && !asm_operand(p, &mask)) || !asm_attr_dict(p) || !asm_colon_type(p, &from) || !asm_expect(p, ",") ||
        !asm_type(p, &to))
        return false;
    if (!vmc_is_shaped(to))
        return asm_error(p, asm_op_pos(p), "expected a memref or tensor as the destination");
    if (masked && !mask_type(p, to, from, &of_mask))
        return false;
    asm_set_segments(p, 4, (const int32_t[]){1, 1, (int32_t)indices.n, masked});
    if (vmc_is_tensor(to))
        asm_add_result(p, to);
    return asm_resolve(p, &vector, from) && asm_resolve(p, &source, to) && asm_resolve_all(p, &indices, vmc_type_index(ctx)) &&
           (!masked || asm_resolve(p, &mask, of_mask));
}

static void print_transfer(Printer *p, const Op *op, const char *const *groups)
{
    static const char *const skip[] = {"operandSegmentSizes", "operand_segment_sizes", NULL};
    for (int i = 0; groups[i]; i++) {
        Value *value = vmc_operand_named(op, groups[i]);
        if (!value)
            continue;
        print_str(p, i ? ", " : " ");
        print_value(p, value);
        if (strcmp(groups[i], "source") == 0) {
            print_str(p, "[");
            print_operands(p, op, "indices");
            print_str(p, "]");
        }
    }
    print_attr_dict(p, op, skip);
    print_str(p, " : ");
    print_type(p, op->operands[0].value->type);
    print_str(p, ", ");
    print_type(p, vmc_is(op, "vector.transfer_read") ? op->results[0].type : vmc_operand_named(op, "source")->type);
}

void vmc_vector_read_print(Printer *p, const Op *op)
{
    print_transfer(p, op, (const char *const[]){"source", "padding", "mask", NULL});
}

void vmc_vector_write_print(Printer *p, const Op *op)
{
    print_transfer(p, op, (const char *const[]){"vector", "source", "mask", NULL});
}

/* ---- print --------------------------------------------------------------------------------------------------- */

/* [%value : type] [str "text" | punctuation <mark>] */
bool vmc_vector_print_parse(Asm *p, const OpDef *def)
{
    (void)def;
    AsmOperand value;
    const Type *type;
    const char *text;
    size_t n;
    bool has_value = asm_try_operand(p, &value);
    if (has_value && !asm_colon_type(p, &type))
        return false;
    while (asm_peek(p, "str") || asm_peek(p, "punctuation")) {
        if (asm_try(p, "str")) {
            if (!asm_string(p, &text, &n))
                return false;
            asm_add_attr(p, "stringLiteral", vmc_attr_string(asm_context(p), text, n));
        } else {
            Text mark = {.arena = asm_arena(p)};
            if (!asm_expect(p, "punctuation") || !asm_expect(p, "<") || !asm_keyword(p, &text) || !asm_expect(p, ">"))
                return false;
            vmc_text_fmt(&mark, "vector.punctuation<%s>", text);
            asm_add_attr(p, "punctuation", vmc_attr_opaque(asm_context(p), mark.at, mark.n));
        }
    }
    return asm_attr_dict(p) && (!has_value || asm_resolve(p, &value, type));
}

void vmc_vector_print_print(Printer *p, const Op *op)
{
    const Attr *text = vmc_get_attr(op, "stringLiteral"), *mark = vmc_get_attr(op, "punctuation");
    if (op->noperands) {
        print_str(p, " ");
        print_value(p, op->operands[0].value);
        print_str(p, " : ");
        print_type(p, op->operands[0].value->type);
    }
    if (text) {
        print_str(p, " str ");
        print_attr(p, text);
    }
    const char *open = mark && mark->kind == ATTR_OPAQUE ? strchr(mark->s, '<') : NULL;
    if (open)
        print_fmt(p, " punctuation %s", open);
    print_attr_dict(p, op, (const char *const[]){"stringLiteral", "punctuation", NULL});
}
