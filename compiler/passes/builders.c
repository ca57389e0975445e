/* Small builders that the lowering passes share (builders.h). */
#include "builders.h"

Value *vmc_binary(Builder *b, const char *op, Value *lhs, Value *rhs)
{
    Value *operands[2] = {lhs, rhs};
    return vmc_build1(b, op, lhs->type, 2, operands);
}

Value *vmc_cmpi(Builder *b, int64_t predicate, Value *lhs, Value *rhs)
{
    Value *operands[2] = {lhs, rhs};
    const Type *i1 = vmc_type_int(b->ctx, 1, SIGNLESS);
    NamedAttr attr = {vmc_name(b->ctx, "predicate"), vmc_attr_i64(b->ctx, predicate)};
    return &vmc_build(b, "arith.cmpi", 2, operands, 1, &i1, 1, &attr, 0)->results[0];
}

Value *vmc_select(Builder *b, Value *condition, Value *yes, Value *no)
{
    Value *operands[3] = {condition, yes, no};
    return vmc_build1(b, "arith.select", yes->type, 3, operands);
}

void vmc_assert_that(Builder *b, Value *condition, const char *text)
{
    NamedAttr attr = {vmc_name(b->ctx, "msg"), vmc_attr_string(b->ctx, text, strlen(text))};
    vmc_build(b, "cf.assert", 1, &condition, 0, NULL, 1, &attr, 0);
}

Value *vmc_dim_of(Builder *b, Value *shaped, uint32_t i)
{
    if (shaped->type->dims[i] != VMC_DYNAMIC)
        return vmc_build_index(b, shaped->type->dims[i]);
    Value *operands[2] = {shaped, vmc_build_index(b, i)};
    return vmc_build1(b, shaped->type->kind == TYPE_TENSOR ? "tensor.dim" : "memref.dim", vmc_type_index(b->ctx), 2, operands);
}

Value *vmc_empty_tensor(Builder *b, const Type *type, Value *const *sizes)
{
    Value **dynamic = ARENA_ARRAY(&b->ctx->arena, Value *, type->rank + 1);
    uint32_t n = 0;
    for (uint32_t i = 0; i < type->rank; i++)
        if (type->dims[i] == VMC_DYNAMIC)
            dynamic[n++] = sizes[i];
    return vmc_build1(b, "tensor.empty", type, n, dynamic);
}

NamedAttr vmc_segments(Context *ctx, uint32_t n, const int32_t *sizes)
{
    uint8_t bytes[4 * 8] = {0};
    for (uint32_t i = 0; i < 4 * n && i < sizeof bytes; i++)
        bytes[i] = (uint8_t)((uint32_t)sizes[i / 4] >> (8 * (i % 4)));
    return (NamedAttr){vmc_name(ctx, "operandSegmentSizes"),
                       vmc_attr_dense_array(ctx, vmc_type_int(ctx, 32, SIGNLESS), bytes, 4 * (size_t)n)};
}

Op *vmc_build_for(Builder *b, Value *lower, Value *upper, Value *step, uint32_t ninits, Value *const *inits)
{
    Context *ctx = b->ctx;
    Value **operands = ARENA_ARRAY(&ctx->arena, Value *, ninits + 3);
    const Type **types = ARENA_ARRAY(&ctx->arena, const Type *, ninits + 1);
    operands[0] = lower;
    operands[1] = upper;
    operands[2] = step;
    for (uint32_t i = 0; i < ninits; i++) {
        operands[3 + i] = inits[i];
        types[i] = inits[i]->type;
    }
    Op *op = vmc_build(b, "scf.for", ninits + 3, operands, ninits, types, 0, NULL, 1);
    Block *body = vmc_block_create(ctx);
    vmc_block_append(&op->regions[0], body);
    vmc_block_add_arg(ctx, body, lower->type, b->pos);
    for (uint32_t i = 0; i < ninits; i++)
        vmc_block_add_arg(ctx, body, inits[i]->type, b->pos);
    return op;
}

void vmc_mark_nest(Context *ctx, const Op *parallel, Op *outermost, Op *innermost)
{
    if (!outermost || !vmc_get_attr(parallel, "bufvm.parallel"))
        return;
    vmc_set_attr(ctx, outermost, "bufvm.parallel", vmc_attr_unit(ctx));
    vmc_set_attr(ctx, innermost, "bufvm.turn", vmc_attr_unit(ctx));
}

void vmc_build_yield(Builder *b, const char *op, uint32_t n, Value *const *values)
{
    vmc_build(b, op, n, values, 0, NULL, 0, NULL, 0);
}

Op *vmc_inline_block(Builder *b, Block *from, Value *const *args)
{
    for (uint32_t i = 0; i < from->nargs; i++)
        vmc_replace_uses(from->args[i], args[i]);
    for (Op *op = from->first, *next; op && op != from->last; op = next) {
        next = op->next;
        vmc_op_unlink(op);
        if (b->at)
            vmc_op_insert_before(op, b->at);
        else
            vmc_op_append(b->block, op);
    }
    return from->last;
}

Value *vmc_affine_value(Builder *b, const AffineExpr *expr, Value *const *dims, Value *const *syms)
{
    switch (expr->kind) {
    case AFFINE_CONST:
        return vmc_build_index(b, expr->value);
    case AFFINE_DIM:
        return dims[expr->value];
    case AFFINE_SYMBOL:
        return syms[expr->value];
    default:
        break;
    }
    Value *lhs = vmc_affine_value(b, expr->lhs, dims, syms), *rhs = vmc_affine_value(b, expr->rhs, dims, syms);
    switch (expr->kind) {
    case AFFINE_ADD:
        return vmc_binary(b, "arith.addi", lhs, rhs);
    case AFFINE_MUL:
        return vmc_binary(b, "arith.muli", lhs, rhs);
    case AFFINE_FLOORDIV:
        return vmc_binary(b, "arith.floordivsi", lhs, rhs);
    case AFFINE_CEILDIV:
        return vmc_binary(b, "arith.ceildivsi", lhs, rhs);
    default: {
        Value *quotient = vmc_binary(b, "arith.floordivsi", lhs, rhs);
        return vmc_binary(b, "arith.subi", lhs, vmc_binary(b, "arith.muli", quotient, rhs));
    }
    }
}

/* Constants become static entries, so that types with static sizes verify. */
static const Attr *static_list(Builder *b, uint32_t n, Value *const *values, Value **operands, uint32_t *noperands)
{
    int64_t *statics = ARENA_ARRAY(&b->ctx->arena, int64_t, n + 1);
    for (uint32_t i = 0; i < n; i++)
        if (!vmc_constant_int(values[i], &statics[i]) || statics[i] < 0) { /* what is negative traps where it runs */
            statics[i] = VMC_DYNAMIC;
            operands[(*noperands)++] = values[i];
        }
    return vmc_attr_i64_array(b->ctx, n, statics);
}

Value *vmc_build_insert_slice(Builder *b, Value *source, Value *dest, Value *const *offsets, Value *const *sizes)
{
    Context *ctx = b->ctx;
    uint32_t rank = dest->type->rank, n = 2;
    Value **operands = ARENA_ARRAY(&ctx->arena, Value *, 2 + 2 * (size_t)rank);
    int64_t *ones = ARENA_ARRAY(&ctx->arena, int64_t, rank + 1);
    for (uint32_t i = 0; i < rank; i++)
        ones[i] = 1;
    operands[0] = source;
    operands[1] = dest;
    const Attr *offset_list = static_list(b, rank, offsets, operands, &n);
    uint32_t noffsets = n - 2;
    const Attr *size_list = static_list(b, rank, sizes, operands, &n);
    const int32_t segments[5] = {1, 1, (int32_t)noffsets, (int32_t)(n - 2 - noffsets), 0};
    NamedAttr attrs[4] = {{vmc_name(ctx, "static_offsets"), offset_list},
                          {vmc_name(ctx, "static_sizes"), size_list},
                          {vmc_name(ctx, "static_strides"), vmc_attr_i64_array(ctx, rank, ones)},
                          vmc_segments(ctx, 5, segments)};
    return &vmc_build(b, "tensor.insert_slice", n, operands, 1, &dest->type, 4, attrs, 0)->results[0];
}
