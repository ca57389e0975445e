/* Affine ops that move more than one element, or hint that some will be: prefetch, vector_load, vector_store, dma_start, dma_wait.
 *
 * A transfer lists its operands flat: a memref and the operands of its subscript map, three times (source, destination,
 * tag), then the number of elements and, optionally, stride and elements per stride of the slower side.
 */
#include "hooks_buffer.h"
#include "view_grammar.h"

static const AffineMap *map_attr(const Op *op, const char *name)
{
    const Attr *attr = vmc_get_attr(op, name);
    return attr && attr->kind == ATTR_MAP ? attr->map : NULL;
}

/* ---- prefetch ------------------------------------------------------------------------ */

bool vmc_affine_prefetch_parse(Asm *p, const OpDef *def)
{
    (void)def;
    Context *ctx = asm_context(p);
    AsmOperand memref;
    AsmOperands indices = {0};
    const AffineMap *map;
    const Type *type;
    int64_t hint;
    if (!asm_operand(p, &memref) || !asm_affine_subscripts(p, "[", "]", &map, &indices) || !asm_expect(p, ","))
        return false;
    bool write = asm_try(p, "write");
    if ((!write && !asm_expect(p, "read")) || !asm_expect(p, ",") || !asm_expect(p, "locality") || !asm_expect(p, "<") ||
        !asm_integer(p, &hint) || !asm_expect(p, ">") || !asm_expect(p, ","))
        return false;
    bool data = asm_try(p, "data");
    if ((!data && !asm_expect(p, "instr")) || !asm_attr_dict(p) || !asm_colon_type(p, &type))
        return false;
    asm_add_attr(p, "isDataCache", vmc_attr_bool(ctx, data));
    asm_add_attr(p, "isWrite", vmc_attr_bool(ctx, write));
    asm_add_attr(p, "localityHint", vmc_attr_int(ctx, vmc_type_int(ctx, 32, SIGNLESS), hint));
    asm_add_attr(p, "map", vmc_attr_map(ctx, map));
    return asm_resolve(p, &memref, type) && asm_resolve_all(p, &indices, vmc_type_index(ctx));
}

void vmc_affine_prefetch_print(Printer *p, const Op *op)
{
    static const char *const skip[] = {"isWrite", "localityHint", "isDataCache", "map", NULL};
    int64_t write = 0, hint = 0, data = 0;
    vmc_get_int(op, "isWrite", &write);
    vmc_get_int(op, "localityHint", &hint);
    vmc_get_int(op, "isDataCache", &data);
    print_str(p, " ");
    print_value(p, op->operands[0].value);
    print_str(p, "[");
    print_affine_subscripts(p, map_attr(op, "map"), op->operands + 1);
    print_fmt(p, "], %s, locality<%lld>, %s", write ? "write" : "read", (long long)hint, data ? "data" : "instr");
    print_attr_dict(p, op, skip);
    print_str(p, " : ");
    print_type(p, op->operands[0].value->type);
}

/* ---- vector_load, vector_store --------------------------------------------------------- */

static bool parse_vector_access(Asm *p, AsmOperand *stored)
{
    Context *ctx = asm_context(p);
    AsmOperand memref;
    AsmOperands indices = {0};
    const AffineMap *map;
    const Type *type, *vector;
    if (stored && (!asm_operand(p, stored) || !asm_expect(p, ",")))
        return false;
    if (!asm_operand(p, &memref) || !asm_affine_subscripts(p, "[", "]", &map, &indices) || !asm_attr_dict(p) ||
        !asm_colon_type(p, &type) || !asm_expect(p, ",") || !asm_type(p, &vector))
        return false;
    asm_add_attr(p, "map", vmc_attr_map(ctx, map));
    if (stored && !asm_resolve(p, stored, vector))
        return false;
    if (!stored)
        asm_add_result(p, vector);
    return asm_resolve(p, &memref, type) && asm_resolve_all(p, &indices, vmc_type_index(ctx));
}

static void print_vector_access(Printer *p, const Op *op, uint32_t memref, const Type *vector)
{
    static const char *const skip[] = {"map", NULL};
    print_str(p, " ");
    if (memref) {
        print_value(p, op->operands[0].value);
        print_str(p, ", ");
    }
    print_value(p, op->operands[memref].value);
    print_str(p, "[");
    print_affine_subscripts(p, map_attr(op, "map"), op->operands + memref + 1);
    print_str(p, "]");
    print_attr_dict(p, op, skip);
    print_str(p, " : ");
    print_type(p, op->operands[memref].value->type);
    print_str(p, ", ");
    print_type(p, vector);
}

bool vmc_affine_vector_load_parse(Asm *p, const OpDef *def)
{
    (void)def;
    return parse_vector_access(p, NULL);
}

void vmc_affine_vector_load_print(Printer *p, const Op *op)
{
    print_vector_access(p, op, 0, op->results[0].type);
}

bool vmc_affine_vector_store_parse(Asm *p, const OpDef *def)
{
    (void)def;
    AsmOperand stored;
    return parse_vector_access(p, &stored);
}

void vmc_affine_vector_store_print(Printer *p, const Op *op)
{
    print_vector_access(p, op, 1, op->operands[0].value->type);
}

bool vmc_affine_vector_verify(Context *ctx, Op *op)
{
    const Type *vector = op->nresults ? op->results[0].type : op->operands[0].value->type;
    const Type *memref = vmc_operand_named(op, "memref")->type;
    if (memref->elem != vector->elem)
        return vmc_op_error(ctx, op, "requires memref and vector types of the same elemental type");
    return vmc_affine_subscripts_verify(ctx, op);
}

/* ---- dma_start, dma_wait ------------------------------------------------------------------ */

typedef struct Place { /* memref[subscripts] */
    AsmOperand memref;
    AsmOperands indices;
    const AffineMap *map;
} Place;

static bool parse_place(Asm *p, Place *place)
{
    return asm_operand(p, &place->memref) && asm_affine_subscripts(p, "[", "]", &place->map, &place->indices);
}

static bool resolve_place(Asm *p, const Place *place, const Type *type)
{
    return asm_resolve(p, &place->memref, type) && asm_resolve_all(p, &place->indices, vmc_type_index(asm_context(p)));
}

/* Prints the place whose memref is operand `at`; gives the operand behind it. */
static uint32_t print_place(Printer *p, const Op *op, uint32_t at, const char *map_name)
{
    const AffineMap *map = map_attr(op, map_name);
    print_value(p, op->operands[at].value);
    print_str(p, "[");
    print_affine_subscripts(p, map, op->operands + at + 1);
    print_str(p, "]");
    return at + 1 + map->ndims + map->nsyms;
}

static const char *const place_maps[] = {"src_map", "dst_map", "tag_map"};
static const char *const dma_skip[] = {"src_map", "dst_map", "tag_map", NULL};

bool vmc_affine_dma_start_parse(Asm *p, const OpDef *def)
{
    (void)def;
    Context *ctx = asm_context(p);
    Place places[3] = {0};
    AsmOperands counts = {0};
    AsmTypes types = {0};
    for (unsigned i = 0; i < 3; i++)
        if (!parse_place(p, &places[i]) || !asm_expect(p, ","))
            return false;
    SrcPos pos = asm_pos(p);
    AsmOperand count;
    if (!asm_operand(p, &count))
        return false;
    VEC_PUSH(asm_arena(p), &counts, count);
    while (asm_try(p, ",") && asm_try_operand(p, &count)) /* MLIR takes a comma without an operand behind it */
        VEC_PUSH(asm_arena(p), &counts, count);
    if (counts.n != 1 && counts.n != 3)
        return asm_error(p, pos, "expected a number of elements, optionally a stride and a number of elements per stride");
    if (!asm_attr_dict(p) || !asm_expect(p, ":"))
        return false;
    pos = asm_pos(p);
    if (!asm_type_list(p, &types))
        return false;
    if (types.n != 3)
        return asm_error(p, pos, "expected the types of source, destination and tag");
    for (unsigned i = 0; i < 3; i++) {
        asm_add_attr(p, place_maps[i], vmc_attr_map(ctx, places[i].map));
        if (!resolve_place(p, &places[i], types.at[i]))
            return false;
    }
    return asm_resolve_all(p, &counts, vmc_type_index(ctx));
}

void vmc_affine_dma_start_print(Printer *p, const Op *op)
{
    uint32_t at = 0, memrefs[3];
    print_str(p, " ");
    for (unsigned i = 0; i < 3; i++) {
        memrefs[i] = at;
        at = print_place(p, op, at, place_maps[i]);
        print_str(p, ", ");
    }
    print_values(p, op->operands + at, op->noperands - at);
    print_attr_dict(p, op, dma_skip);
    for (unsigned i = 0; i < 3; i++) {
        print_str(p, i ? ", " : " : ");
        print_type(p, op->operands[memrefs[i]].value->type);
    }
}

bool vmc_affine_dma_wait_parse(Asm *p, const OpDef *def)
{
    (void)def;
    Context *ctx = asm_context(p);
    Place tag = {0};
    AsmOperand count;
    const Type *type;
    if (!parse_place(p, &tag) || !asm_expect(p, ",") || !asm_operand(p, &count) || !asm_attr_dict(p) || !asm_colon_type(p, &type))
        return false;
    asm_add_attr(p, "tag_map", vmc_attr_map(ctx, tag.map));
    return resolve_place(p, &tag, type) && asm_resolve(p, &count, vmc_type_index(ctx));
}

void vmc_affine_dma_wait_print(Printer *p, const Op *op)
{
    print_str(p, " ");
    uint32_t at = print_place(p, op, 0, "tag_map");
    print_str(p, ", ");
    print_values(p, op->operands + at, op->noperands - at);
    print_attr_dict(p, op, dma_skip);
    print_str(p, " : ");
    print_type(p, op->operands[0].value->type);
}

/* Checks memref and subscripts from operand *at on, and moves *at behind them. */
static bool verify_place(Context *ctx, const Op *op, const char *map_name, uint32_t *at)
{
    const AffineMap *map = map_attr(op, map_name);
    if (!map || *at >= op->noperands || op->operands[*at].value->type->kind != TYPE_MEMREF ||
        op->operands[*at].value->type->rank != map->nresults || op->noperands - *at - 1 < (uint64_t)map->ndims + map->nsyms)
        return vmc_op_error(ctx, op, "expected memrefs, each with one affine subscript for each of its dimensions");
    uint32_t end = *at + 1 + map->ndims + map->nsyms;
    for (uint32_t i = *at + 1; i < end; i++)
        if (op->operands[i].value->type->kind != TYPE_INDEX)
            return vmc_op_error(ctx, op, "expected subscripts of type index");
    *at = end;
    return true;
}

static bool verify_counts(Context *ctx, const Op *op, uint32_t at)
{
    for (; at < op->noperands; at++)
        if (op->operands[at].value->type->kind != TYPE_INDEX)
            return vmc_op_error(ctx, op, "expected numbers of elements of type index");
    return true;
}

bool vmc_affine_dma_start_verify(Context *ctx, Op *op)
{
    uint32_t at = 0, places[3];
    for (unsigned i = 0; i < 3; i++) {
        places[i] = at;
        if (!verify_place(ctx, op, place_maps[i], &at))
            return false;
    }
    if (op->operands[places[0]].value->type->elem != op->operands[places[1]].value->type->elem)
        return vmc_op_error(ctx, op, "expected source and destination of one element type");
    if (op->noperands - at != 1 && op->noperands - at != 3)
        return vmc_op_error(ctx, op, "expected a number of elements, optionally a stride and a number of elements per stride");
    return verify_counts(ctx, op, at);
}

bool vmc_affine_dma_wait_verify(Context *ctx, Op *op)
{
    uint32_t at = 0;
    if (!verify_place(ctx, op, "tag_map", &at))
        return false;
    return op->noperands - at == 1 ? verify_counts(ctx, op, at) : vmc_op_error(ctx, op, "expected a number of elements");
}
