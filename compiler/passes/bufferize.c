/* Bufferization: tensors become memrefs, with value semantics kept exactly.
 *
 * Conventions at function boundaries: a tensor argument is a memref of identity layout that
 * the callee never writes (argument attribute `bufvm.tensor`); a tensor result is memory that
 * nobody else sees, so returned arguments and constants are copied and a tensor that is
 * returned twice is copied once.  The types as written stay in `bufvm.arg_types` and
 * `bufvm.result_types`.  Signed and unsigned element types become signless.
 */
#include "bufferize.h"

static const struct {
    const char *name;
    BufKind kind;
} kinds[] = {
    {"tensor.dim", BUF_META},
    {"tensor.rank", BUF_META},
    {"tensor.extract", BUF_READ},
    {"arith.constant", BUF_CONSTANT},
    {"util.unfoldable_constant", BUF_CONSTANT},
    {"tensor.empty", BUF_EMPTY},
    {"bufferization.alloc_tensor", BUF_FRESH},
    {"tensor.from_elements", BUF_FRESH},
    {"tensor.cast", BUF_VIEW},
    {"tensor.bitcast", BUF_VIEW},
    {"tensor.extract_slice", BUF_VIEW},
    {"tensor.expand_shape", BUF_VIEW},
    {"tensor.collapse_shape", BUF_VIEW},
    {"tensor.reshape", BUF_VIEW},
    {"util.optimization_barrier", BUF_IDENTITY},
    {"arith.select", BUF_SELECT},
    {"tensor.insert", BUF_INSERT},
    {"tensor.insert_slice", BUF_INSERT},
    {"tensor.parallel_insert_slice", BUF_INSERT},
    {"bufferization.materialize_in_destination", BUF_MATERIALIZE},
    {"memref.tensor_store", BUF_MATERIALIZE},
    {"bufferization.to_tensor", BUF_TO_TENSOR},
    {"bufferization.to_memref", BUF_TO_BUFFER},
    {"scf.for", BUF_FOR},
    {"affine.for", BUF_FOR},
    {"scf.while", BUF_WHILE},
    {"scf.if", BUF_CHOICE},
    {"affine.if", BUF_CHOICE},
    {"scf.index_switch", BUF_CHOICE},
    {"scf.execute_region", BUF_CHOICE},
    {"memref.alloca_scope", BUF_CHOICE},
    {"scf.forall", BUF_FORALL},
    {"scf.yield", BUF_YIELD},
    {"affine.yield", BUF_YIELD},
    {"memref.alloca_scope.return", BUF_YIELD},
    {"scf.condition", BUF_YIELD},
    {"func.return", BUF_RETURN},
    {"func.call", BUF_CALL},
    {"func.call_indirect", BUF_CALL},
    {"bufferization.dealloc_tensor", BUF_DROPPED},
};

void vmc_buf_init(Buf *buf, PassContext *pc)
{
    *buf = (Buf){.pc = pc, .ctx = pc->ctx, .arena = &pc->ctx->scratch};
    Map *maps[] = {&buf->kinds,     &buf->copies,   &buf->fresh_outs, &buf->no_ops,
                   &buf->to_tensor, &buf->boundary, &buf->refused,    &buf->globals};
    for (size_t i = 0; i < sizeof(maps) / sizeof(maps[0]); i++)
        maps[i]->arena = buf->arena;
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        const OpDef *def = vmc_find_def(buf->ctx, kinds[i].name);
        if (def)
            vmc_map_put(&buf->kinds, MAP_KEY(def), kinds[i].kind);
    }
}

BufKind vmc_buf_kind(const Buf *buf, const Op *op)
{
    uint64_t kind = BUF_OTHER;
    if (!op->def)
        return BUF_OTHER;
    if (op->def->traits & TRAIT_STRUCTURED)
        return BUF_STRUCTURED;
    if (op->nsuccessors)
        return BUF_BRANCH;
    vmc_map_get(&buf->kinds, MAP_KEY(op->def), &kind);
    return (BufKind)kind;
}

OperandRange vmc_buf_carried(const Op *op)
{
    if (vmc_is(op, "scf.for"))
        return vmc_operand_group(op, "initArgs");
    if (vmc_is(op, "scf.forall"))
        return vmc_operand_group(op, "outs");
    return vmc_operand_group(op, "inits");
}

bool vmc_buf_reads_out(Context *ctx, const Structured *s, uint32_t k)
{
    if (s->body && s->body->nargs > k && s->body->args[k]->uses)
        return true;
    /* Elements that the nest does not visit keep their old value. */
    const AffineMap *map = s->maps[k];
    if (!vmc_map_is_projected_permutation(map))
        return true;
    ArenaMark mark = vmc_arena_mark(&ctx->scratch);
    bool *seen = ARENA_ARRAY(&ctx->scratch, bool, s->nloops + 1), unseen = false;
    for (uint32_t r = 0; r < map->nresults; r++)
        if (map->results[r]->kind == AFFINE_DIM)
            seen[map->results[r]->value] = true;
    for (uint32_t l = 0; l < s->nloops; l++)
        unseen |= !seen[l] && vmc_structured_static_size(s, l) <= 0;
    vmc_arena_rewind(&ctx->scratch, mark);
    if (unseen) /* a loop that may not run at all */
        return true;
    const Type *type = vmc_structured_operand(s, k)->type;
    for (uint32_t r = 0; r < map->nresults && r < type->rank; r++)
        if (map->results[r]->kind == AFFINE_CONST && type->dims[r] != 1)
            return true;
    return false;
}

/* ---- types ------------------------------------------------------------------ */

static const Type *signless(Context *ctx, const Type *elem)
{
    return elem->kind == TYPE_INT && elem->sign != SIGNLESS ? vmc_type_int(ctx, elem->width, SIGNLESS) : elem;
}

/* Function types are shared trees: each is converted once, or nested ones would cost what they are written out. */
static const Type *convert_function(Context *ctx, const Type *type)
{
    const Type *known = vmc_map_ptr(&ctx->buffer_types, type);
    if (known)
        return known;
    const Type **ins = ARENA_ARRAY(&ctx->arena, const Type *, type->nins + 1);
    const Type **outs = ARENA_ARRAY(&ctx->arena, const Type *, type->nouts + 1);
    for (uint32_t i = 0; i < type->nins; i++)
        ins[i] = vmc_buf_type(ctx, type->ins[i]);
    for (uint32_t i = 0; i < type->nouts; i++)
        outs[i] = vmc_buf_type(ctx, type->outs[i]);
    const Type *converted = vmc_type_function(ctx, type->nins, ins, type->nouts, outs);
    vmc_map_put_ptr(&ctx->buffer_types, type, converted);
    return converted;
}

const Type *vmc_buf_type(Context *ctx, const Type *type)
{
    switch (type->kind) {
    case TYPE_TENSOR:
        return vmc_type_memref(ctx, type->rank, type->dims, signless(ctx, type->elem), NULL, NULL);
    case TYPE_UNRANKED_TENSOR:
        return vmc_type_unranked_memref(ctx, signless(ctx, type->elem), NULL);
    case TYPE_INT:
        return signless(ctx, type);
    case TYPE_FUNCTION:
        return convert_function(ctx, type);
    default:
        return type;
    }
}

/* ---- signatures ---------------------------------------------------------------- */

static const Attr *type_list(Context *ctx, uint32_t n, const Type *const *types)
{
    const Attr **elems = ARENA_ARRAY(&ctx->arena, const Attr *, n + 1);
    for (uint32_t i = 0; i < n; i++)
        elems[i] = vmc_attr_type(ctx, types[i]);
    return vmc_attr_array(ctx, n, elems);
}

/* The dictionary with one more unit attribute. */
static const Attr *with_unit(Context *ctx, const Attr *dict, const char *name)
{
    size_t n = dict && dict->kind == ATTR_DICT ? dict->n : 0;
    NamedAttr *entries = ARENA_ARRAY(&ctx->arena, NamedAttr, n + 1);
    for (size_t i = 0; i < n; i++) {
        if (strcmp(dict->names[i], name) == 0)
            return dict;
        entries[i] = (NamedAttr){dict->names[i], dict->elems[i]};
    }
    entries[n] = (NamedAttr){vmc_name(ctx, name), vmc_attr_unit(ctx)};
    return vmc_attr_dict(ctx, n + 1, entries);
}

static void mark_tensor_arguments(Context *ctx, Op *func, const Type *type)
{
    bool any = false;
    for (uint32_t i = 0; i < type->nins; i++)
        any |= vmc_is_tensor(type->ins[i]);
    if (!any)
        return;
    const Attr *old = vmc_get_attr(func, "arg_attrs");
    const Attr **dicts = ARENA_ARRAY(&ctx->arena, const Attr *, type->nins);
    for (uint32_t i = 0; i < type->nins; i++) {
        dicts[i] = old && old->kind == ATTR_ARRAY && i < old->n ? old->elems[i] : vmc_attr_dict(ctx, 0, NULL);
        if (vmc_is_tensor(type->ins[i]))
            dicts[i] = with_unit(ctx, dicts[i], "bufvm.tensor");
    }
    vmc_set_attr(ctx, func, "arg_attrs", vmc_attr_array(ctx, type->nins, dicts));
}

static bool convert_signature(Op *op, void *user)
{
    Buf *buf = user;
    if (!vmc_is(op, "func.func"))
        return true;
    Context *ctx = buf->ctx;
    const Attr *attr = vmc_get_attr(op, "function_type");
    if (!attr || attr->kind != ATTR_TYPE || attr->type->kind != TYPE_FUNCTION)
        return true;
    const Type *type = attr->type, *converted = vmc_buf_type(ctx, type);
    if (type == converted)
        return true;
    if (!vmc_get_attr(op, "bufvm.arg_types")) {
        vmc_set_attr(ctx, op, "bufvm.arg_types", type_list(ctx, type->nins, type->ins));
        vmc_set_attr(ctx, op, "bufvm.result_types", type_list(ctx, type->nouts, type->outs));
    }
    mark_tensor_arguments(ctx, op, type);
    vmc_set_attr(ctx, op, "function_type", vmc_attr_type(ctx, converted));
    return true;
}

bool vmc_pass_bufferize(PassContext *pc)
{
    Buf buf;
    ArenaMark mark = vmc_arena_mark(&pc->ctx->scratch);
    vmc_buf_init(&buf, pc);
    bool ok = vmc_buf_prepare(&buf);
    if (ok) {
        vmc_buf_analyze(&buf);
        vmc_walk(pc->ctx->module, convert_signature, &buf);
        ok = vmc_buf_rewrite(&buf);
    }
    vmc_arena_rewind(&pc->ctx->scratch, mark);
    if (pc->options->on_statistic)
        pc->options->on_statistic(pc->options->user, "tensor copies inserted", buf.copied);
    return ok;
}
