/* Carries out bufferization: each op is renamed to its memref form or replaced.
 *
 * Ops are met in an order in which definitions come first (blocks in reverse postorder), so
 * when an op is rewritten its operands are memrefs already.  Types of carried values, block
 * arguments and call results are changed where they stand.
 */
#include "bufferize.h"

#include "../dialects/shapes.h"

static bool rewrite_region(Buf *buf, Region *region);

/* ---- building ------------------------------------------------------------------- */

const Attr *vmc_buf_segments(Context *ctx, size_t n, const int32_t *sizes)
{
    unsigned char bytes[4 * 8];
    for (size_t i = 0; i < n && i < 8; i++)
        for (size_t k = 0; k < 4; k++)
            bytes[4 * i + k] = (unsigned char)((uint32_t)sizes[i] >> (8 * k));
    return vmc_attr_dense_array(ctx, vmc_type_int(ctx, 32, SIGNLESS), bytes, 4 * n);
}

static Value *build_alloc(Builder *b, const Type *type, uint32_t nsizes, Value *const *sizes)
{
    int32_t segments[2] = {(int32_t)nsizes, 0};
    NamedAttr attr = {vmc_name(b->ctx, "operandSegmentSizes"), vmc_buf_segments(b->ctx, 2, segments)};
    return &vmc_build(b, "memref.alloc", nsizes, sizes, 1, &type, 1, &attr, 0)->results[0];
}

/* New memory with the sizes of `like`; its type has the identity layout. */
static Value *alloc_like(Builder *b, Value *like)
{
    Context *ctx = b->ctx;
    const Type *t = like->type, *type = vmc_type_memref(ctx, t->rank, t->dims, t->elem, NULL, NULL);
    Value **sizes = ARENA_ARRAY(&ctx->scratch, Value *, t->rank + 1);
    uint32_t n = 0;
    for (uint32_t d = 0; d < t->rank; d++) {
        if (t->dims[d] != VMC_DYNAMIC)
            continue;
        Value *operands[2] = {like, vmc_build_index(b, d)};
        sizes[n++] = vmc_build1(b, "memref.dim", vmc_type_index(ctx), 2, operands);
    }
    return build_alloc(b, type, n, sizes);
}

static void build_copy(Builder *b, Value *source, Value *target)
{
    Value *operands[2] = {source, target};
    vmc_build(b, "memref.copy", 2, operands, 0, NULL, 0, NULL, 0);
}

static bool refuse(Buf *buf, const Op *op, const char *why)
{
    vmc_error(&buf->ctx->diag, op->pos, "'%s' %s", op->name, why);
    return false;
}

/* A copy with the identity layout; NULL (reported) for unranked values. */
static Value *build_duplicate(Buf *buf, Op *at, Value *v)
{
    if (v->type->kind != TYPE_MEMREF) {
        refuse(buf, at, "needs a copy of an unranked tensor, which can not be made");
        return NULL;
    }
    Builder b = vmc_before(buf->ctx, at);
    Value *copy = alloc_like(&b, v);
    build_copy(&b, v, copy);
    buf->copied++;
    return copy;
}

static bool has_entry(const Map *map, const void *key)
{
    uint64_t value;
    return vmc_map_get(map, MAP_KEY(key), &value);
}

/* The copies that the analysis asks for, and the layout and type that boundaries ask for. */
static bool prepare_operands(Buf *buf, Op *op)
{
    for (uint32_t i = 0; i < op->noperands; i++) {
        Use *u = &op->operands[i];
        const Type *expected = vmc_map_ptr(&buf->boundary, u);
        Value *v = u->value;
        if (has_entry(&buf->copies, u)) {
            v = build_duplicate(buf, op, v);
        } else if (has_entry(&buf->fresh_outs, u)) {
            Builder b = vmc_before(buf->ctx, op);
            v = alloc_like(&b, v);
        } else if (expected && v->type->kind == TYPE_MEMREF && v->type->layout) {
            v = build_duplicate(buf, op, v);
        }
        if (!v)
            return false;
        if (expected && v->type != expected) {
            if (!vmc_memref_cast_ok(buf->ctx, v->type, expected))
                return refuse(buf, op, "has a tensor operand that does not fit the boundary it crosses");
            Builder b = vmc_before(buf->ctx, op);
            v = vmc_build1(&b, "memref.cast", expected, 1, &v);
        }
        if (v != u->value)
            vmc_set_operand(op, i, v);
    }
    return true;
}

/* Gives the op another name; operands, attributes and regions stay. */
static void rename_op(Buf *buf, Op *op, const char *name)
{
    op->name = vmc_name(buf->ctx, name);
    op->def = vmc_find_def(buf->ctx, name);
}

static void replace_result(Op *op, uint32_t i, Value *with)
{
    if (!with->name)
        with->name = op->results[i].name;
    vmc_replace_uses(&op->results[i], with);
}

/* ---- constants ---------------------------------------------------------------------- */

typedef struct GlobalRec {
    Op *table;
    const char *name;
    struct GlobalRec *next; /* of the same attribute, in another symbol table */
} GlobalRec;

static Op *symbol_table_of(Op *op)
{
    while (op && !vmc_has_trait(op, TRAIT_SYMBOL_TABLE))
        op = vmc_parent_op(op);
    return op;
}

static const Attr *signless_data(Context *ctx, const Attr *value)
{
    const Type *type = value->type, *elem = vmc_buf_type(ctx, type)->elem;
    if (value->kind != ATTR_DENSE || (elem == type->elem && !type->layout))
        return value;
    return vmc_attr_dense(ctx, vmc_type_tensor(ctx, type->rank, type->dims, elem, NULL), value->data, value->n, value->splat, true);
}

static const char *global_for(Buf *buf, Op *op, const Attr *value, const Type *type)
{
    Context *ctx = buf->ctx;
    Op *table = symbol_table_of(op);
    GlobalRec *first = vmc_map_ptr(&buf->globals, value);
    for (GlobalRec *g = first; g; g = g->next)
        if (g->table == table)
            return g->name;
    char *name;
    do
        name = vmc_arena_printf(&ctx->arena, "__constant_%u", buf->nglobals++);
    while (vmc_lookup_symbol(table, name));
    Op *at = vmc_entry(table, 0)->first;
    while (at && vmc_is(at, "memref.global"))
        at = at->next;
    Builder b = buf->global_at && buf->global_table == table ? vmc_before(ctx, buf->global_at) : vmc_before(ctx, at);
    if (!buf->global_at || buf->global_table != table) {
        buf->global_at = at;
        buf->global_table = table;
    }
    b.pos = op->pos;
    b.loc = op->loc;
    NamedAttr attrs[] = {
        {vmc_name(ctx, "sym_name"), vmc_attr_string(ctx, name, strlen(name))},
        {vmc_name(ctx, "sym_visibility"), vmc_attr_string(ctx, "private", 7)},
        {vmc_name(ctx, "type"), vmc_attr_type(ctx, type)},
        {vmc_name(ctx, "initial_value"), signless_data(ctx, value)},
        {vmc_name(ctx, "constant"), vmc_attr_unit(ctx)},
        {vmc_name(ctx, "alignment"), vmc_attr_i64(ctx, 64)},
    };
    vmc_build(&b, "memref.global", 0, NULL, 0, NULL, sizeof(attrs) / sizeof(attrs[0]), attrs, 0);
    GlobalRec *g = ARENA_NEW(buf->arena, GlobalRec);
    *g = (GlobalRec){table, name, first};
    vmc_map_put_ptr(&buf->globals, value, g);
    return name;
}

static bool rewrite_constant(Buf *buf, Op *op)
{
    Context *ctx = buf->ctx;
    Value *result = &op->results[0];
    if (!vmc_is_tensor(result->type))
        return true;
    const Attr *value = vmc_get_attr(op, "value");
    if (!value || (value->kind != ATTR_DENSE && value->kind != ATTR_RESOURCE) || result->type->kind != TYPE_TENSOR)
        return refuse(buf, op, "has a value that is no dense constant");
    const Type *type = vmc_buf_type(ctx, result->type);
    const char *name = global_for(buf, op, value, type);
    rename_op(buf, op, "memref.get_global");
    op->nattrs = 0;
    vmc_set_attr(ctx, op, "name", vmc_attr_symbol(ctx, name, 0, NULL));
    result->type = type;
    return true;
}

/* ---- fresh tensors --------------------------------------------------------------------- */

static bool rewrite_empty(Buf *buf, Op *op)
{
    const Type *type = vmc_buf_type(buf->ctx, op->results[0].type);
    int32_t segments[2] = {(int32_t)op->noperands, 0};
    rename_op(buf, op, "memref.alloc");
    op->nattrs = 0;
    vmc_set_attr(buf->ctx, op, "operandSegmentSizes", vmc_buf_segments(buf->ctx, 2, segments));
    op->results[0].type = type;
    return true;
}

static bool rewrite_alloc_tensor(Buf *buf, Op *op)
{
    Context *ctx = buf->ctx;
    const Type *type = vmc_buf_type(ctx, op->results[0].type);
    if (type->kind != TYPE_MEMREF)
        return refuse(buf, op, "must have a ranked result");
    Builder b = vmc_before(ctx, op);
    Value *copied = vmc_operand_named(op, "copy"), *fresh;
    OperandRange sizes = vmc_operand_group(op, "dynamic_sizes");
    if (copied) {
        fresh = build_duplicate(buf, op, copied);
        if (!fresh)
            return false;
    } else {
        Value **values = ARENA_ARRAY(buf->arena, Value *, sizes.count + 1);
        for (uint32_t i = 0; i < sizes.count; i++)
            values[i] = vmc_operand(op, sizes.first + i);
        fresh = build_alloc(&b, type, sizes.count, values);
    }
    replace_result(op, 0, fresh);
    vmc_op_erase(op);
    return true;
}

static bool rewrite_from_elements(Buf *buf, Op *op)
{
    Context *ctx = buf->ctx;
    const Type *type = vmc_buf_type(ctx, op->results[0].type);
    Builder b = vmc_before(ctx, op);
    Value *fresh = build_alloc(&b, type, 0, NULL);
    int64_t longest = 0;
    for (uint32_t d = 0; d < type->rank; d++)
        longest = type->dims[d] > longest ? type->dims[d] : longest;
    if (op->noperands == 0)
        longest = 0;
    Value **numbers = ARENA_ARRAY(buf->arena, Value *, longest + 1);
    for (int64_t i = 0; i < longest; i++)
        numbers[i] = vmc_build_index(&b, i);
    Value **operands = ARENA_ARRAY(buf->arena, Value *, type->rank + 2);
    for (uint32_t i = 0; i < op->noperands; i++) {
        operands[0] = vmc_operand(op, i);
        operands[1] = fresh;
        uint64_t rest = i;
        for (uint32_t d = type->rank; d-- > 0;) {
            operands[2 + d] = numbers[rest % (uint64_t)type->dims[d]];
            rest /= (uint64_t)type->dims[d];
        }
        vmc_build(&b, "memref.store", type->rank + 2, operands, 0, NULL, 0, NULL, 0);
    }
    replace_result(op, 0, fresh);
    vmc_op_erase(op);
    return true;
}

/* ---- views --------------------------------------------------------------------------------- */

/* Strided memref type of a slice, with the dims of `reduced`. */
static const Type *slice_type(Buf *buf, Op *op, const Type *source, const Type *reduced)
{
    Context *ctx = buf->ctx;
    Slice slice;
    if (!vmc_slice(ctx, op, &slice) || slice.sizes.n != source->rank)
        return NULL;
    const Type *full = vmc_subview_type(ctx, source, &slice);
    if (!full || full->rank == reduced->rank)
        return full;
    bool *kept = ARENA_ARRAY(buf->arena, bool, full->rank + 1);
    int64_t offset, *strides = ARENA_ARRAY(buf->arena, int64_t, full->rank + 1);
    int64_t *dims = ARENA_ARRAY(buf->arena, int64_t, full->rank + 1);
    if (!vmc_reduced_dims(full->rank, full->dims, reduced->rank, reduced->dims, kept) ||
        !vmc_memref_strides(ctx, full, &offset, strides))
        return NULL;
    uint32_t n = 0;
    for (uint32_t d = 0; d < full->rank; d++) {
        if (!kept[d])
            continue;
        dims[n] = full->dims[d];
        strides[n++] = strides[d];
    }
    const Attr *layout =
        full->layout ? vmc_attr_strided(ctx, offset, n, strides) : vmc_strided_layout(ctx, n, dims, offset, strides);
    return vmc_type_memref(ctx, n, dims, full->elem, layout, NULL);
}

static bool rewrite_extract_slice(Buf *buf, Op *op)
{
    const Type *type = slice_type(buf, op, vmc_operand(op, 0)->type, op->results[0].type);
    if (!type)
        return refuse(buf, op, "does not fit its source");
    rename_op(buf, op, "memref.subview");
    op->results[0].type = type;
    return true;
}

/* Joined dims of a strided source are one run of memory for certain. */
static bool certainly_collapsible(Buf *buf, const Type *source, const Reassociation *groups)
{
    int64_t offset, *strides = ARENA_ARRAY(buf->arena, int64_t, source->rank + 1);
    if (!source->layout)
        return true;
    if (!vmc_memref_strides(buf->ctx, source, &offset, strides))
        return false;
    for (uint32_t g = 0; g < groups->ngroups; g++) {
        uint32_t inner = UINT32_MAX; /* the dim inside of the one that is looked at */
        for (uint32_t d = groups->starts[g + 1]; d-- > groups->starts[g];) {
            if (source->dims[d] == 1)
                continue;
            if (inner != UINT32_MAX) {
                int64_t run;
                if (strides[d] == VMC_DYNAMIC || strides[inner] == VMC_DYNAMIC || source->dims[inner] == VMC_DYNAMIC ||
                    __builtin_mul_overflow(strides[inner], source->dims[inner], &run) || run != strides[d])
                    return false;
            }
            inner = d;
        }
    }
    return true;
}

static bool copy_operand(Buf *buf, Op *op, uint32_t i)
{
    Value *copy = build_duplicate(buf, op, vmc_operand(op, i));
    if (copy)
        vmc_set_operand(op, i, copy);
    return copy != NULL;
}

static bool rewrite_collapse(Buf *buf, Op *op)
{
    Reassociation groups;
    const Attr *attr = vmc_get_attr(op, "reassociation");
    const Type *source = vmc_operand(op, 0)->type;
    if (!vmc_reassociation(buf->ctx, attr, source->rank, &groups))
        return refuse(buf, op, "has a malformed reassociation");
    if (!certainly_collapsible(buf, source, &groups)) {
        if (!copy_operand(buf, op, 0))
            return false;
        source = vmc_operand(op, 0)->type;
    }
    const Type *type = vmc_collapsed_type(buf->ctx, source, &groups);
    if (!type)
        return refuse(buf, op, "does not fit its source");
    rename_op(buf, op, "memref.collapse_shape");
    op->results[0].type = type;
    return true;
}

static bool rewrite_expand(Buf *buf, Op *op)
{
    Reassociation groups;
    const Type *expanded = vmc_buf_type(buf->ctx, op->results[0].type), *source = vmc_operand(op, 0)->type;
    if (!vmc_reassociation(buf->ctx, vmc_get_attr(op, "reassociation"), expanded->rank, &groups))
        return refuse(buf, op, "has a malformed reassociation");
    const Type *type = vmc_expanded_memref(buf->ctx, source, expanded, &groups);
    if (!type)
        return refuse(buf, op, "does not fit its source");
    rename_op(buf, op, "memref.expand_shape");
    op->results[0].type = type;
    return true;
}

static bool rewrite_cast(Buf *buf, Op *op)
{
    Context *ctx = buf->ctx;
    const Type *source = vmc_operand(op, 0)->type, *type = vmc_buf_type(ctx, op->results[0].type);
    if (type->kind == TYPE_MEMREF && source->kind == TYPE_MEMREF && source->layout)
        type = vmc_type_memref(ctx, type->rank, type->dims, type->elem, source->layout, NULL);
    if (type->kind == TYPE_UNRANKED_MEMREF && source->kind == TYPE_MEMREF && source->layout && !copy_operand(buf, op, 0))
        return false;
    if (vmc_operand(op, 0)->type == type) {
        replace_result(op, 0, vmc_operand(op, 0));
        vmc_op_erase(op);
        return true;
    }
    rename_op(buf, op, "memref.cast");
    op->results[0].type = type;
    return true;
}

static bool rewrite_reshape(Buf *buf, Op *op)
{
    for (uint32_t i = 0; i < 2; i++)
        if (vmc_operand(op, i)->type->kind == TYPE_MEMREF && vmc_operand(op, i)->type->layout && !copy_operand(buf, op, i))
            return false;
    rename_op(buf, op, "memref.reshape");
    op->results[0].type = vmc_buf_type(buf->ctx, op->results[0].type);
    return true;
}

static bool rewrite_view(Buf *buf, Op *op)
{
    static const struct {
        const char *name;
        bool (*rewrite)(Buf *buf, Op *op);
    } views[] = {
        {"tensor.extract_slice", rewrite_extract_slice},
        {"tensor.collapse_shape", rewrite_collapse},
        {"tensor.expand_shape", rewrite_expand},
        {"tensor.cast", rewrite_cast},
        {"tensor.reshape", rewrite_reshape},
    };
    if (vmc_is(op, "tensor.bitcast")) { /* equal but for the sign of the type */
        replace_result(op, 0, vmc_operand(op, 0));
        vmc_op_erase(op);
        return true;
    }
    for (size_t i = 0; i < sizeof(views) / sizeof(views[0]); i++)
        if (vmc_is(op, views[i].name))
            return views[i].rewrite(buf, op);
    return refuse(buf, op, "is no view that can become a memref");
}

/* ---- writes ----------------------------------------------------------------------------------- */

static bool rewrite_structured(Buf *buf, Op *op)
{
    Structured s;
    if (!op->nresults)
        return true;
    if (!vmc_structured(buf->ctx, op, &s) || op->nresults > s.nouts)
        return refuse(buf, op, "is not well formed");
    uint32_t skipped = s.nouts - op->nresults; /* outs that were memrefs have no result; mixing is not allowed */
    for (uint32_t r = 0; r < op->nresults; r++)
        replace_result(op, r, vmc_structured_operand(&s, s.nins + skipped + r));
    op->nresults = 0;
    return true;
}

/* The part of the destination that an insert_slice writes. */
static Value *build_target(Buf *buf, Builder *b, Op *op)
{
    Context *ctx = buf->ctx;
    const Type *type = slice_type(buf, op, vmc_operand(op, 1)->type, vmc_operand(op, 0)->type);
    if (!type)
        return NULL;
    OperandRange offsets = vmc_operand_group(op, "offsets"), sizes = vmc_operand_group(op, "sizes"),
                 strides = vmc_operand_group(op, "strides");
    uint32_t n = op->noperands - 1;
    Value **operands = ARENA_ARRAY(buf->arena, Value *, n);
    for (uint32_t i = 0; i < n; i++)
        operands[i] = vmc_operand(op, i + 1);
    int32_t segments[4] = {1, (int32_t)offsets.count, (int32_t)sizes.count, (int32_t)strides.count};
    NamedAttr attrs[] = {
        {vmc_name(ctx, "static_offsets"), vmc_get_attr(op, "static_offsets")},
        {vmc_name(ctx, "static_sizes"), vmc_get_attr(op, "static_sizes")},
        {vmc_name(ctx, "static_strides"), vmc_get_attr(op, "static_strides")},
        {vmc_name(ctx, "operandSegmentSizes"), vmc_buf_segments(ctx, 4, segments)},
    };
    return &vmc_build(b, "memref.subview", n, operands, 1, &type, 4, attrs, 0)->results[0];
}

static bool rewrite_insert(Buf *buf, Op *op)
{
    Value *dest = vmc_buf_dest(op)->value;
    if (op->nresults)
        replace_result(op, 0, dest);
    if (vmc_is(op, "tensor.insert")) {
        rename_op(buf, op, "memref.store");
        op->nresults = 0;
        return true;
    }
    if (!has_entry(&buf->no_ops, op)) {
        Op *at = vmc_is(op, "tensor.parallel_insert_slice") ? vmc_parent_op(op) : op;
        Builder b = vmc_before(buf->ctx, at);
        b.pos = op->pos;
        Value *target = build_target(buf, &b, op);
        if (!target)
            return refuse(buf, op, "does not fit its destination");
        build_copy(&b, vmc_operand(op, 0), target);
    }
    vmc_op_erase(op);
    return true;
}

static bool rewrite_materialize(Buf *buf, Op *op)
{
    Builder b = vmc_before(buf->ctx, op);
    Value *source = vmc_operand(op, 0), *dest = vmc_operand(op, 1);
    if (op->nresults)
        replace_result(op, 0, dest);
    build_copy(&b, source, dest);
    vmc_op_erase(op);
    return true;
}

/* ---- between tensors and memrefs --------------------------------------------------------------- */

static bool rewrite_to_tensor(Buf *buf, Op *op)
{
    Value *memref = vmc_operand(op, 0);
    const Type *type = vmc_buf_type(buf->ctx, op->results[0].type);
    if (!has_entry(&buf->to_tensor, op)) {
        memref = build_duplicate(buf, op, memref);
        if (!memref)
            return false;
    }
    if (memref->type != type) {
        if (!vmc_memref_cast_ok(buf->ctx, memref->type, type))
            return refuse(buf, op, "changes the element type of its memref");
        Builder b = vmc_before(buf->ctx, op);
        memref = vmc_build1(&b, "memref.cast", type, 1, &memref);
    }
    replace_result(op, 0, memref);
    vmc_op_erase(op);
    return true;
}

static bool rewrite_to_buffer(Buf *buf, Op *op)
{
    Value *v = vmc_operand(op, 0);
    const Type *type = op->results[0].type;
    Builder b = vmc_before(buf->ctx, op);
    if (v->type != type && !vmc_memref_cast_ok(buf->ctx, v->type, type)) {
        if (v->type->kind == TYPE_MEMREF && v->type->layout)
            v = build_duplicate(buf, op, v);
        if (!v)
            return false;
        if (v->type != type && !vmc_memref_cast_ok(buf->ctx, v->type, type))
            return refuse(buf, op, "asks for a layout or memory space that a tensor's memory does not have");
    }
    if (v->type != type)
        v = vmc_build1(&b, "memref.cast", type, 1, &v);
    replace_result(op, 0, v);
    vmc_op_erase(op);
    return true;
}

/* ---- control flow ---------------------------------------------------------------------------------- */

static void convert_types(Buf *buf, Op *op)
{
    for (uint32_t i = 0; i < op->nresults; i++)
        op->results[i].type = vmc_buf_type(buf->ctx, op->results[i].type);
    for (uint32_t r = 0; r < op->nregions; r++)
        for (Block *b = op->regions[r].first; b; b = b->next)
            for (uint32_t i = 0; i < b->nargs; i++)
                b->args[i]->type = vmc_buf_type(buf->ctx, b->args[i]->type);
}

/* scf.forall: the shared outs are the memory that its slices are written to. */
static bool rewrite_forall(Buf *buf, Op *op)
{
    OperandRange outs = vmc_buf_carried(op);
    Block *body = vmc_entry(op, 0);
    if (!outs.count)
        return true;
    for (uint32_t i = 0; i < outs.count; i++) {
        Value *out = vmc_operand(op, outs.first + i);
        vmc_replace_uses(body->args[body->nargs - outs.count + i], out);
        if (i < op->nresults)
            replace_result(op, i, out);
    }
    for (uint32_t i = 0; i < outs.count; i++)
        vmc_block_erase_arg(body, body->nargs - 1);
    int32_t segments[4] = {0};
    static const char *const groups[] = {"dynamicLowerBound", "dynamicUpperBound", "dynamicStep"};
    for (size_t i = 0; i < 3; i++)
        segments[i] = (int32_t)vmc_operand_group(op, groups[i]).count;
    Value **operands = ARENA_ARRAY(buf->arena, Value *, outs.first + 1);
    for (uint32_t i = 0; i < outs.first; i++)
        operands[i] = vmc_operand(op, i);
    vmc_set_operands(buf->ctx, op, outs.first, operands);
    vmc_set_attr(buf->ctx, op, "operandSegmentSizes", vmc_buf_segments(buf->ctx, 4, segments));
    op->nresults = 0;
    return true;
}

static bool rewrite_op(Buf *buf, Op *op)
{
    BufKind kind = vmc_buf_kind(buf, op);
    if (has_entry(&buf->refused, op))
        return refuse(buf, op, "has no form on buffers: it can not take or give tensors");
    if (!prepare_operands(buf, op))
        return false;
    bool ok = true;
    bool erased = false;
    switch (kind) {
    case BUF_OTHER:
        break;
    case BUF_META:
        rename_op(buf, op, vmc_is(op, "tensor.dim") ? "memref.dim" : "memref.rank");
        break;
    case BUF_READ:
        rename_op(buf, op, "memref.load");
        break;
    case BUF_CONSTANT:
        ok = rewrite_constant(buf, op);
        break;
    case BUF_EMPTY:
        ok = rewrite_empty(buf, op);
        break;
    case BUF_FRESH:
        erased = true;
        ok = vmc_is(op, "tensor.from_elements") ? rewrite_from_elements(buf, op) : rewrite_alloc_tensor(buf, op);
        break;
    case BUF_VIEW:
        erased = true;
        ok = rewrite_view(buf, op);
        break;
    case BUF_IDENTITY:
        for (uint32_t i = 0; i < op->noperands && i < op->nresults; i++)
            op->results[i].type = vmc_operand(op, i)->type;
        break;
    case BUF_STRUCTURED:
        ok = rewrite_structured(buf, op);
        break;
    case BUF_INSERT:
        erased = !vmc_is(op, "tensor.insert");
        ok = rewrite_insert(buf, op);
        break;
    case BUF_MATERIALIZE:
        erased = true;
        ok = rewrite_materialize(buf, op);
        break;
    case BUF_TO_TENSOR:
        erased = true;
        ok = rewrite_to_tensor(buf, op);
        break;
    case BUF_TO_BUFFER:
        erased = true;
        ok = rewrite_to_buffer(buf, op);
        break;
    case BUF_FORALL:
        ok = rewrite_forall(buf, op);
        break;
    case BUF_DROPPED:
        erased = true;
        vmc_op_erase(op);
        break;
    case BUF_SELECT:
    case BUF_FOR:
    case BUF_WHILE:
    case BUF_CHOICE:
    case BUF_BRANCH:
    case BUF_RETURN:
    case BUF_CALL:
    case BUF_YIELD:
        break;
    }
    if (!ok || erased)
        return ok;
    convert_types(buf, op);
    for (uint32_t r = 0; r < op->nregions; r++)
        ok = rewrite_region(buf, &op->regions[r]) && ok;
    return ok;
}

static bool rewrite_block(Buf *buf, Block *block)
{
    bool ok = true;
    for (Op *op = block->first, *next; op; op = next) {
        next = op->next;
        ok = rewrite_op(buf, op) && ok;
    }
    return ok;
}

/* Blocks in reverse postorder: a definition is met before its uses. */
static bool rewrite_region(Buf *buf, Region *region)
{
    if (!region->first)
        return true;
    if (region->first == region->last)
        return rewrite_block(buf, region->first);
    typedef struct Visit {
        Block *block;
        uint32_t next;
    } Visit;
    VEC(Visit) stack = {0};
    VEC(Block *) order = {0};
    Map seen = {.arena = buf->arena};
    VEC_PUSH(buf->arena, &stack, ((Visit){region->first, 0}));
    vmc_map_put(&seen, MAP_KEY(region->first), 1);
    while (stack.n) {
        Visit *v = &stack.at[stack.n - 1];
        Op *t = v->block->last;
        if (!t || v->next >= t->nsuccessors) {
            VEC_PUSH(buf->arena, &order, v->block);
            stack.n--;
            continue;
        }
        Block *to = t->successors[v->next++].block;
        if (!has_entry(&seen, to)) {
            vmc_map_put(&seen, MAP_KEY(to), 1);
            VEC_PUSH(buf->arena, &stack, ((Visit){to, 0}));
        }
    }
    bool ok = true;
    for (size_t i = order.n; i-- > 0;)
        ok = rewrite_block(buf, order.at[i]) && ok;
    return ok;
}

bool vmc_buf_rewrite(Buf *buf)
{
    Op *module = buf->ctx->module;
    bool ok = true;
    for (uint32_t r = 0; r < module->nregions; r++)
        ok = rewrite_region(buf, &module->regions[r]) && ok;
    return ok;
}
