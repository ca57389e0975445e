/* Rewrites on tensors before the analysis.
 *
 * - Blocks that no branch reaches are removed, so that every use is dominated.
 * - A tensor.empty is no value that anyone shares: each use gets one of its own, next to it.
 * - A tensor.empty whose computed content is inserted into a larger tensor becomes the slice of that
 *   tensor, so that it is computed in place.
 * - tensor.bitcast between different kinds of numbers becomes an elementwise op.
 */
#include "bufferize.h"

#include "../dialects/shapes.h"

/* ---- unreachable blocks ---------------------------------------------------------- */

static void forget_uses(Op *op)
{
    for (uint32_t i = 0; i < op->noperands; i++) {
        Use *u = &op->operands[i];
        if (u->link)
            *u->link = u->next;
        if (u->next)
            u->next->link = u->link;
        u->next = NULL;
        u->link = NULL;
    }
}

static bool forget_op(Op *op, void *user)
{
    (void)user;
    forget_uses(op);
    return true;
}

static void remove_unreachable(Buf *buf, Region *region)
{
    Map seen = {.arena = buf->arena};
    VEC(Block *) work = {0};
    VEC_PUSH(buf->arena, &work, region->first);
    vmc_map_put(&seen, MAP_KEY(region->first), 1);
    while (work.n) {
        Block *b = work.at[--work.n];
        for (uint32_t i = 0; b->last && i < b->last->nsuccessors; i++) {
            Block *next = b->last->successors[i].block;
            uint64_t value;
            if (vmc_map_get(&seen, MAP_KEY(next), &value))
                continue;
            vmc_map_put(&seen, MAP_KEY(next), 1);
            VEC_PUSH(buf->arena, &work, next);
        }
    }
    VEC(Block *) dead = {0};
    for (Block *b = region->first; b; b = b->next) {
        uint64_t value;
        if (!vmc_map_get(&seen, MAP_KEY(b), &value))
            VEC_PUSH(buf->arena, &dead, b);
    }
    for (size_t i = 0; i < dead.n; i++)
        for (Op *op = dead.at[i]->first; op; op = op->next)
            vmc_walk(op, forget_op, NULL);
    for (size_t i = 0; i < dead.n; i++)
        vmc_block_unlink(dead.at[i]);
}

static bool clean_regions(Op *op, void *user)
{
    for (uint32_t r = 0; r < op->nregions; r++)
        if (op->regions[r].first != op->regions[r].last)
            remove_unreachable(user, &op->regions[r]);
    return true;
}

/* ---- tensor.empty ------------------------------------------------------------------ */

static Value *empty_like(Context *ctx, Op *at, Op *empty)
{
    Builder b = vmc_before(ctx, at);
    b.pos = empty->pos;
    b.loc = empty->loc;
    Value **sizes = ARENA_ARRAY(&ctx->scratch, Value *, empty->noperands + 1);
    for (uint32_t i = 0; i < empty->noperands; i++)
        sizes[i] = vmc_operand(empty, i);
    Value *v = vmc_build1(&b, empty->name, empty->results[0].type, empty->noperands, sizes);
    v->name = empty->results[0].name;
    return v;
}

typedef VEC(Use *) Uses;

/* One tensor.empty for each use, directly in front of its user. */
static void give_each_use_its_own(Buf *buf, Op *empty)
{
    Uses uses = {0};
    for (Use *u = empty->results[0].uses; u; u = u->next)
        VEC_PUSH(buf->arena, &uses, u);
    if (uses.n == 1 && uses.at[0]->owner->parent == empty->parent && empty->next == uses.at[0]->owner)
        return;
    for (size_t i = uses.n; i-- > 0;) {
        if (vmc_buf_kind(buf, uses.at[i]->owner) == BUF_META)
            continue;
        Value *own = empty_like(buf->ctx, uses.at[i]->owner, empty);
        vmc_set_operand(uses.at[i]->owner, (uint32_t)(uses.at[i] - uses.at[i]->owner->operands), own);
    }
    if (!empty->results[0].uses)
        vmc_op_erase(empty);
}

/* ---- computing into the destination -------------------------------------------------- */

/* The tensor.empty from which `value` is computed by destination-style ops of one block that are each used once. */
static Op *chain_start(Buf *buf, Value *value, const Block *block)
{
    for (uint32_t steps = 0; steps < 16; steps++) {
        Op *op = value->op;
        Structured s;
        if (!op || op->parent != block || !value->uses || value->uses->next)
            return NULL;
        if (vmc_buf_kind(buf, op) == BUF_EMPTY)
            return steps ? op : NULL; /* inserted as it is, it is zeros that nobody wrote */
        if (vmc_buf_kind(buf, op) != BUF_STRUCTURED || op->nresults != 1 || !vmc_structured(buf->ctx, op, &s) || s.nouts != 1)
            return NULL;
        value = vmc_structured_operand(&s, s.nins);
        Op *start = value->op;
        /* Memory of the destination is not zero as a tensor.empty is: its first user must not see it. */
        if (start && vmc_buf_kind(buf, start) == BUF_EMPTY && vmc_buf_reads_out(buf->ctx, &s, s.nins))
            return NULL;
    }
    return NULL;
}

static bool uses_between(const Value *value, Op *first, Op *last)
{
    uint32_t looked = 0;
    for (const Use *u = value->uses; u; u = u->next) {
        Op *at = u->owner;
        if (++looked > 64)
            return true;
        while (at && at->parent != first->parent)
            at = vmc_parent_op(at);
        if (!at || at == last)
            continue;
        if (vmc_op_before(first, at) && vmc_op_before(at, last))
            return true;
    }
    return false;
}

static void compute_into_slice(Buf *buf, Op *insert)
{
    Context *ctx = buf->ctx;
    Value *source = vmc_operand(insert, 0), *dest = vmc_operand(insert, 1);
    Op *empty = chain_start(buf, source, insert->parent);
    if (!empty || uses_between(dest, empty, insert) || !vmc_dominates(dest, empty))
        return;
    for (uint32_t i = 2; i < insert->noperands; i++)
        if (!vmc_dominates(vmc_operand(insert, i), empty))
            return;
    Builder b = vmc_before(ctx, empty);
    uint32_t n = insert->noperands - 1;
    Value **operands = ARENA_ARRAY(&ctx->scratch, Value *, n);
    for (uint32_t i = 0; i < n; i++)
        operands[i] = vmc_operand(insert, i + 1);
    OperandRange offsets = vmc_operand_group(insert, "offsets"), sizes = vmc_operand_group(insert, "sizes"),
                 strides = vmc_operand_group(insert, "strides");
    int32_t segments[4] = {1, (int32_t)offsets.count, (int32_t)sizes.count, (int32_t)strides.count};
    static const char *const lists[] = {"static_offsets", "static_sizes", "static_strides"};
    NamedAttr attrs[4];
    for (size_t i = 0; i < 3; i++)
        attrs[i] = (NamedAttr){vmc_name(ctx, lists[i]), vmc_get_attr(insert, lists[i])};
    attrs[3] = (NamedAttr){vmc_name(ctx, "operandSegmentSizes"), vmc_buf_segments(ctx, 4, segments)};
    const Type *type = source->type;
    Op *extract = vmc_build(&b, "tensor.extract_slice", n, operands, 1, &type, 4, attrs, 0);
    vmc_replace_uses(&empty->results[0], &extract->results[0]);
    vmc_op_erase(empty);
}

/* ---- tensor.bitcast --------------------------------------------------------------------- */

static void expand_bitcast(Buf *buf, Op *op)
{
    Context *ctx = buf->ctx;
    const Type *from = vmc_operand(op, 0)->type, *to = op->results[0].type;
    if (from->kind != TYPE_TENSOR || to->kind != TYPE_TENSOR || vmc_buf_type(ctx, from)->elem == vmc_buf_type(ctx, to)->elem)
        return;
    Builder b = vmc_before(ctx, op);
    Value *in = vmc_operand(op, 0);
    Value **sizes = ARENA_ARRAY(&ctx->scratch, Value *, to->rank + 1);
    uint32_t nsizes = 0;
    LoopKind *loops = ARENA_ARRAY(&ctx->scratch, LoopKind, to->rank + 1);
    for (uint32_t d = 0; d < to->rank; d++) {
        loops[d] = LOOP_PARALLEL;
        if (to->dims[d] != VMC_DYNAMIC)
            continue;
        Value *operands[2] = {in, vmc_build_index(&b, d)};
        sizes[nsizes++] = vmc_build1(&b, "tensor.dim", vmc_type_index(ctx), 2, operands);
    }
    Value *out = vmc_build1(&b, "tensor.empty", to, nsizes, sizes);
    const AffineMap *identity = vmc_affine_identity(ctx, to->rank);
    const AffineMap *maps[2] = {identity, identity};
    Op *generic = vmc_build_generic(&b, 1, &in, 1, &out, maps, to->rank, loops);
    Block *body = vmc_entry(generic, 0);
    Builder inner = vmc_at_end(ctx, body, op->pos);
    Value *cast = vmc_build1(&inner, "arith.bitcast", to->elem, 1, &body->args[0]);
    vmc_build(&inner, "linalg.yield", 1, &cast, 0, NULL, 0, NULL, 0);
    vmc_replace_uses(&op->results[0], &generic->results[0]);
    vmc_op_erase(op);
}

static bool expand(Op *op, void *user)
{
    if (vmc_is(op, "tensor.bitcast"))
        expand_bitcast(user, op);
    return true;
}

typedef struct Empties {
    Buf *buf;
    VEC(Op *) ops;
} Empties;

static bool collect_empty(Op *op, void *user)
{
    Empties *e = user;
    if (vmc_buf_kind(e->buf, op) == BUF_EMPTY && op->nresults == 1)
        VEC_PUSH(e->buf->arena, &e->ops, op);
    return true;
}

static bool fill_slices(Op *op, void *user)
{
    if (vmc_is(op, "tensor.insert_slice"))
        compute_into_slice(user, op);
    return true;
}

bool vmc_buf_prepare(Buf *buf)
{
    Op *module = buf->ctx->module;
    vmc_walk(module, clean_regions, buf);
    vmc_walk(module, expand, buf);
    Empties empties = {.buf = buf};
    vmc_walk(module, collect_empty, &empties);
    for (size_t i = 0; i < empties.ops.n; i++)
        give_each_use_its_own(buf, empties.ops.at[i]);
    vmc_walk(module, fill_slices, buf);
    return buf->ctx->diag.errors == 0;
}
