/* Elementwise ops on tensors (arith.addf on tensor<4xf32>) as linalg.generic over all their dimensions. */
#include "elementwise_to_linalg.h"

#include "../dialects/linalg.h"
#include "builders.h"
#include "expand_arith.h"

/* tensor.empty of that type, dynamic sizes taken from `like`, which has the same shape. */
static Value *empty_like(Builder *b, const Type *type, Value *like)
{
    Value **sizes = ARENA_ARRAY(&b->ctx->arena, Value *, type->rank);
    uint32_t n = 0;
    for (uint32_t i = 0; i < type->rank; i++)
        if (type->dims[i] == VMC_DYNAMIC) {
            Value *dim = vmc_build_index(b, i);
            sizes[n++] = vmc_build1(b, "tensor.dim", vmc_type_index(b->ctx), 2, (Value *const[]){like, dim});
        }
    return vmc_build1(b, "tensor.empty", type, n, sizes);
}

/* A splat constant needs no tensor: the scalar of a constant like dense<2.0>, else NULL. */
static Value *splat_scalar(Builder *b, Value *value)
{
    const Attr *attr = vmc_constant_of(value);
    uint64_t slot;
    if (!attr || attr->kind != ATTR_DENSE || !attr->splat || !vmc_attr_slot(attr, 0, &slot))
        return NULL;
    return vmc_build_const(b, vmc_attr_of_slot(b->ctx, value->type->elem, slot), value->type->elem);
}

/* The scalar op in the body over `operands`, NULL where the next argument stands. */
static void build_scalar(Context *ctx, const Op *op, Block *body, Value **operands)
{
    const Type **types = ARENA_ARRAY(&ctx->arena, const Type *, op->nresults);
    uint32_t arg = 0;
    for (uint32_t i = 0; i < op->noperands; i++)
        operands[i] = operands[i] ? operands[i] : body->args[arg++];
    for (uint32_t i = 0; i < op->nresults; i++)
        types[i] = op->results[i].type->elem;
    Builder b = {.ctx = ctx, .block = body, .pos = op->pos, .loc = op->loc};
    Op *scalar = vmc_build(&b, op->name, op->noperands, operands, op->nresults, types, op->nattrs, op->attrs, 0);
    Value **results = ARENA_ARRAY(&ctx->arena, Value *, op->nresults);
    for (uint32_t i = 0; i < op->nresults; i++)
        results[i] = &scalar->results[i];
    vmc_build(&b, "linalg.yield", op->nresults, results, 0, NULL, 0, NULL, 0);
    vmc_expand_arith(ctx, scalar);
}

bool vmc_is_tensor_elementwise(const Op *op)
{
    if (!vmc_has_trait(op, TRAIT_ELEMENTWISE) || !op->nresults)
        return false;
    return vmc_is_tensor(op->results[0].type);
}

/* One of two whole tensors, whose sizes may differ: no loop over elements. */
static void select_whole(Context *ctx, Op *op)
{
    Builder b = vmc_before(ctx, op);
    Value *condition = op->operands[0].value;
    Op *choice = vmc_build(&b, "scf.if", 1, &condition, 1, &op->results[0].type, 0, NULL, 2);
    for (uint32_t k = 0; k < 2; k++) {
        vmc_block_append(&choice->regions[k], vmc_block_create(ctx));
        Builder side = vmc_at_end(ctx, vmc_entry(choice, k), op->pos);
        vmc_build_yield(&side, "scf.yield", 1, &op->operands[1 + k].value);
    }
    choice->results[0].name = op->results[0].name;
    vmc_replace_uses(&op->results[0], &choice->results[0]);
    vmc_op_erase(op);
}

bool vmc_elementwise_to_linalg(Context *ctx, Op *op)
{
    if (vmc_is(op, "arith.select") && !vmc_is_tensor(op->operands[0].value->type)) {
        select_whole(ctx, op);
        return true;
    }
    const Type *type = op->results[0].type;
    Builder b = vmc_before(ctx, op);
    Value **ins = ARENA_ARRAY(&ctx->arena, Value *, op->noperands), **outs = ARENA_ARRAY(&ctx->arena, Value *, op->nresults);
    Value **scalars = ARENA_ARRAY(&ctx->arena, Value *, op->noperands), *like = NULL;
    uint32_t nins = 0;
    for (uint32_t i = 0; i < op->noperands; i++) {
        Value *value = op->operands[i].value;
        bool tensor = value->type->kind == TYPE_TENSOR;
        like = tensor ? value : like;
        scalars[i] = tensor ? splat_scalar(&b, value) : value;
        if (!scalars[i])
            ins[nins++] = value;
    }
    if (type->kind != TYPE_TENSOR || !like) {
        vmc_error(&ctx->diag, op->pos, "'%s' needs tensors of known rank", op->name);
        return false;
    }
    for (uint32_t i = 0; i < op->nresults; i++)
        outs[i] = empty_like(&b, op->results[i].type, like);
    const AffineMap **maps = ARENA_ARRAY(&ctx->arena, const AffineMap *, nins + op->nresults);
    LoopKind *loops = ARENA_ARRAY(&ctx->arena, LoopKind, type->rank); /* zero: parallel */
    for (uint32_t i = 0; i < nins + op->nresults; i++)
        maps[i] = vmc_affine_identity(ctx, type->rank);
    Op *generic = vmc_build_generic(&b, nins, ins, op->nresults, outs, maps, type->rank, loops);
    build_scalar(ctx, op, vmc_entry(generic, 0), scalars);
    for (uint32_t i = 0; i < op->nresults; i++) {
        generic->results[i].name = op->results[i].name;
        vmc_replace_uses(&op->results[i], &generic->results[i]);
    }
    vmc_op_erase(op);
    return true;
}
