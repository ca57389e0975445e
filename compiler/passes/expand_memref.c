/* memref ops that are a few others: atomic updates (one thread at a time runs a function), realloc, hints, clones and conditional
 * ends of buffers. */
#include "generalize.h"

static Value **copy_operands(Context *ctx, const Op *op, uint32_t first, uint32_t extra, uint32_t *n)
{
    Value **operands = ARENA_ARRAY(&ctx->arena, Value *, op->noperands + extra + 1);
    *n = extra;
    for (uint32_t i = first; i < op->noperands; i++)
        operands[(*n)++] = op->operands[i].value;
    return operands;
}

/* -g: load and store of an update that no other turn of a parallel loop can come between. */
static void mark_atomic(Context *ctx, const Op *op, Op *load, Op *store)
{
    if (!vmc_get_attr(op, "bufvm.owned"))
        return;
    vmc_set_attr(ctx, load, "bufvm.atomic", vmc_attr_unit(ctx));
    vmc_set_attr(ctx, store, "bufvm.atomic", vmc_attr_unit(ctx));
}

bool vmc_expand_atomic_rmw(Context *ctx, Op *op)
{
    static const char *const ops[] = {"arith.addf",  "arith.addi",     NULL,          "arith.maximumf", "arith.maxsi",
                                      "arith.maxui", "arith.minimumf", "arith.minsi", "arith.minui",    "arith.mulf",
                                      "arith.muli",  "arith.ori",      "arith.andi",  "arith.maxnumf",  "arith.minnumf"};
    Builder b = vmc_before(ctx, op);
    int64_t kind = 2;
    uint32_t n;
    vmc_get_int(op, "kind", &kind);
    Value *value = op->operands[0].value;
    Value **operands = copy_operands(ctx, op, 1, 1, &n);
    Value *old = vmc_build1(&b, "memref.load", value->type, n - 1, operands + 1);
    operands[0] = kind >= 0 && kind < 15 && ops[kind] ? vmc_binary(&b, ops[kind], old, value) : value;
    mark_atomic(ctx, op, old->op, vmc_build(&b, "memref.store", n, operands, 0, NULL, 0, NULL, 0));
    vmc_replace_op(op, &old);
    return true;
}

bool vmc_expand_generic_atomic_rmw(Context *ctx, Op *op)
{
    Builder b = vmc_before(ctx, op);
    uint32_t n;
    Value **operands = copy_operands(ctx, op, 0, 1, &n);
    Value *old = vmc_build1(&b, "memref.load", op->results[0].type, n - 1, operands + 1);
    operands[0] = vmc_inline_block(&b, vmc_entry(op, 0), &old)->operands[0].value;
    mark_atomic(ctx, op, old->op, vmc_build(&b, "memref.store", n, operands, 0, NULL, 0, NULL, 0));
    vmc_replace_op(op, &old);
    return true;
}

/* The first `size` elements as a memref of their own. */
static Value *prefix(Builder *b, Value *source, Value *size)
{
    Context *ctx = b->ctx;
    static const int64_t zero = 0, one = 1, dynamic = VMC_DYNAMIC;
    static const int32_t segments[4] = {1, 0, 1, 0};
    Value *operands[2] = {source, size};
    const Type *type =
        vmc_type_memref(ctx, 1, &dynamic, source->type->elem, vmc_attr_strided(ctx, 0, 1, &one), source->type->space);
    NamedAttr attrs[4] = {{vmc_name(ctx, "static_offsets"), vmc_attr_i64_array(ctx, 1, &zero)},
                          {vmc_name(ctx, "static_sizes"), vmc_attr_i64_array(ctx, 1, &dynamic)},
                          {vmc_name(ctx, "static_strides"), vmc_attr_i64_array(ctx, 1, &one)},
                          vmc_segments(ctx, 4, segments)};
    return &vmc_build(b, "memref.subview", 2, operands, 1, &type, 4, attrs, 0)->results[0];
}

bool vmc_expand_realloc(Context *ctx, Op *op)
{
    static const int32_t none[2] = {0, 0}, one[2] = {1, 0};
    Builder b = vmc_before(ctx, op);
    Value *source = op->operands[0].value;
    bool dynamic = op->noperands == 2;
    const Attr *alignment = vmc_get_attr(op, "alignment");
    NamedAttr attrs[2] = {vmc_segments(ctx, 2, dynamic ? one : none), {vmc_name(ctx, "alignment"), alignment}};
    Op *alloc = vmc_build(&b, "memref.alloc", dynamic, dynamic ? &op->operands[1].value : NULL, 1, &op->results[0].type,
                          alignment ? 2 : 1, attrs, 0);
    Value *fresh = &alloc->results[0];
    if (vmc_get_attr(op, "bufvm.owned"))
        vmc_set_attr(ctx, alloc, "bufvm.owned", vmc_attr_unit(ctx));
    Value *size =
        vmc_binary(&b, "arith.minsi", vmc_dim_of(&b, source, 0), dynamic ? op->operands[1].value : vmc_dim_of(&b, fresh, 0));
    Value *copied[2] = {prefix(&b, source, size), prefix(&b, fresh, size)};
    vmc_build(&b, "memref.copy", 2, copied, 0, NULL, 0, NULL, 0);
    vmc_build(&b, "memref.dealloc", 1, &source, 0, NULL, 0, NULL, 0);
    vmc_replace_op(op, &fresh);
    return true;
}

bool vmc_expand_assume_alignment(Context *ctx, Op *op)
{
    (void)ctx;
    if (!vmc_get_attr(op, "bufvm.owned")) /* -g keeps it: --sanitize looks at the address */
        vmc_replace_op(op, &op->operands[0].value);
    return true;
}

bool vmc_expand_prefetch(Context *ctx, Op *op)
{
    (void)ctx;
    vmc_op_erase(op);
    return true;
}

bool vmc_expand_clone(Context *ctx, Op *op)
{
    Builder b = vmc_before(ctx, op);
    Value *source = op->operands[0].value;
    const Type *type = op->results[0].type;
    if (type->kind != TYPE_MEMREF || source->type->kind != TYPE_MEMREF)
        return true; /* refused by name later: the sizes are not known */
    Value **sizes = ARENA_ARRAY(&ctx->arena, Value *, type->rank + 1);
    int32_t segments[2] = {0, 0};
    for (uint32_t i = 0; i < type->rank; i++)
        if (type->dims[i] == VMC_DYNAMIC)
            sizes[segments[0]++] = vmc_dim_of(&b, source, i);
    NamedAttr attr = vmc_segments(ctx, 2, segments);
    Value *copy = vmc_build(&b, "memref.alloc", (uint32_t)segments[0], sizes, 1, &type, 1, &attr, 0)->results;
    vmc_build(&b, "memref.copy", 2, (Value *[]){source, copy}, 0, NULL, 0, NULL, 0);
    vmc_replace_op(op, &copy);
    return true;
}

/* Whether one of the memrefs first .. first + n - 1, given by where they start, is the one that starts at `start`. */
static Value *is_among(Builder *b, Value *start, Value *const *starts, uint32_t n)
{
    Value *any = NULL;
    for (uint32_t i = 0; i < n; i++) {
        Value *same = vmc_cmpi(b, CMPI_EQ, start, starts[i]);
        any = any ? vmc_binary(b, "arith.ori", any, same) : same;
    }
    return any;
}

static Value *start_of(Builder *b, Value *memref)
{
    return vmc_build1(b, "memref.extract_aligned_pointer_as_index", vmc_type_index(b->ctx), 1, &memref);
}

/* A buffer ends where its condition holds, unless it is retained or was in the list before; a retained one is owned from then on
   where the condition of a buffer that is the same holds. */
bool vmc_expand_dealloc(Context *ctx, Op *op)
{
    Builder b = vmc_before(ctx, op);
    OperandRange memrefs = vmc_operand_group(op, "memrefs"), conditions = vmc_operand_group(op, "conditions");
    OperandRange retained = vmc_operand_group(op, "retained");
    const Type *i1 = vmc_type_int(ctx, 1, SIGNLESS);
    Value **starts = ARENA_ARRAY(&ctx->arena, Value *, memrefs.count + 1),
          **kept = ARENA_ARRAY(&ctx->arena, Value *, retained.count + 1);
    Value **owned = ARENA_ARRAY(&ctx->arena, Value *, retained.count + 1), *no = vmc_build_const(&b, vmc_attr_bool(ctx, false), i1);
    Value *yes = vmc_build_const(&b, vmc_attr_bool(ctx, true), i1);
    for (uint32_t i = 0; i < memrefs.count; i++)
        starts[i] = start_of(&b, op->operands[memrefs.first + i].value);
    for (uint32_t i = 0; i < retained.count; i++) {
        kept[i] = start_of(&b, op->operands[retained.first + i].value);
        owned[i] = no;
        for (uint32_t k = 0; k < memrefs.count; k++) {
            Value *same = vmc_cmpi(&b, CMPI_EQ, kept[i], starts[k]), *holds = op->operands[conditions.first + k].value;
            owned[i] = vmc_binary(&b, "arith.ori", owned[i], vmc_binary(&b, "arith.andi", same, holds));
        }
    }
    for (uint32_t i = 0; i < memrefs.count; i++) {
        Value *ends = op->operands[conditions.first + i].value;
        Value *stays = is_among(&b, starts[i], kept, retained.count), *again = is_among(&b, starts[i], starts, i);
        if (stays)
            ends = vmc_binary(&b, "arith.andi", ends, vmc_binary(&b, "arith.xori", stays, yes));
        if (again)
            ends = vmc_binary(&b, "arith.andi", ends, vmc_binary(&b, "arith.xori", again, yes));
        Op *branch = vmc_build(&b, "scf.if", 1, &ends, 0, NULL, 0, NULL, 2);
        vmc_block_append(&branch->regions[0], vmc_block_create(ctx));
        Builder inner = vmc_at_end(ctx, vmc_entry(branch, 0), op->pos);
        vmc_build(&inner, "memref.dealloc", 1, &op->operands[memrefs.first + i].value, 0, NULL, 0, NULL, 0);
        vmc_build_yield(&inner, "scf.yield", 0, NULL);
    }
    vmc_replace_op(op, owned);
    return true;
}
