/* What the lowering of vector ops builds with: loops over boxes, maps over elements, choices. */
#include "lower_vectors.h"

const Type *vec_tensor(Context *ctx, uint32_t rank, const int64_t *dims, const Type *elem)
{
    return vmc_type_tensor(ctx, rank, dims, elem, NULL);
}

void vec_nest_begin(Builder *b, uint32_t rank, const int64_t *dims, uint32_t n, Value *const *inits, VecNest *nest)
{
    Arena *arena = &b->ctx->arena;
    *nest = (VecNest){.rank = rank, .n = n, .body = *b};
    nest->loops = ARENA_ARRAY(arena, Op *, rank + 1);
    nest->at = ARENA_ARRAY(arena, Value *, rank + 1);
    nest->carried = ARENA_ARRAY(arena, Value *, n + 1);
    Value **sizes = ARENA_ARRAY(arena, Value *, rank + 1);
    for (uint32_t i = 0; i < rank; i++)
        sizes[i] = vmc_build_index(b, dims[i]);
    Value *zero = rank ? vmc_build_index(b, 0) : NULL, *one = rank ? vmc_build_index(b, 1) : NULL;
    nest->body = *b;
    for (uint32_t k = 0; k < n; k++)
        nest->carried[k] = inits[k];
    for (uint32_t i = 0; i < rank; i++) {
        Op *loop = vmc_build_for(&nest->body, zero, sizes[i], one, n, nest->carried);
        Block *body = vmc_entry(loop, 0);
        nest->loops[i] = loop;
        nest->at[i] = body->args[0];
        for (uint32_t k = 0; k < n; k++)
            nest->carried[k] = body->args[1 + k];
        nest->body = vmc_at_end(b->ctx, body, b->pos);
    }
}

Value **vec_nest_end(VecNest *nest, Value *const *values)
{
    Value **out = ARENA_ARRAY(&nest->body.ctx->arena, Value *, nest->n + 1);
    for (uint32_t k = 0; k < nest->n; k++)
        out[k] = values[k];
    for (uint32_t i = nest->rank; i-- > 0;) {
        Builder end = vmc_at_end(nest->body.ctx, vmc_entry(nest->loops[i], 0), nest->body.pos);
        vmc_build_yield(&end, "scf.yield", nest->n, out);
        for (uint32_t k = 0; k < nest->n; k++)
            out[k] = &nest->loops[i]->results[k];
    }
    return out;
}

void vec_map_begin(Builder *b, const Type *type, VecMap *map)
{
    Context *ctx = b->ctx;
    Value *out = vec_empty(b, type);
    const AffineMap *identity = vmc_affine_identity(ctx, type->rank);
    LoopKind *loops = ARENA_ARRAY(&ctx->arena, LoopKind, type->rank + 1); /* zero: parallel */
    map->generic = vmc_build_generic(b, 0, NULL, 1, &out, &identity, type->rank, loops);
    map->body = vmc_at_end(ctx, vmc_entry(map->generic, 0), b->pos);
    map->at = ARENA_ARRAY(&ctx->arena, Value *, type->rank + 1);
    const Type *index = vmc_type_index(ctx);
    for (uint32_t i = 0; i < type->rank; i++) {
        NamedAttr dim = {vmc_name(ctx, "dim"), vmc_attr_i64(ctx, i)};
        map->at[i] = &vmc_build(&map->body, "linalg.index", 0, NULL, 1, &index, 1, &dim, 0)->results[0];
    }
}

Value *vec_map_end(VecMap *map, Value *element)
{
    vmc_build_yield(&map->body, "linalg.yield", 1, &element);
    return &map->generic->results[0];
}

void vec_choice_begin(Builder *b, Value *condition, uint32_t n, const Type *const *types, VecChoice *choice)
{
    choice->op = vmc_build(b, "scf.if", 1, &condition, n, types, 0, NULL, 2);
    for (uint32_t k = 0; k < 2; k++) {
        vmc_block_append(&choice->op->regions[k], vmc_block_create(b->ctx));
        *(k ? &choice->no : &choice->yes) = vmc_at_end(b->ctx, vmc_entry(choice->op, k), b->pos);
    }
}

void vec_choice_end(VecChoice *choice, uint32_t n, Value *const *yes, Value *const *no)
{
    vmc_build_yield(&choice->yes, "scf.yield", n, yes);
    vmc_build_yield(&choice->no, "scf.yield", n, no);
}

static Value *access(Builder *b, const char *name, Value *shaped, Value *const *at)
{
    uint32_t rank = shaped->type->rank;
    Value **operands = ARENA_ARRAY(&b->ctx->arena, Value *, rank + 1);
    operands[0] = shaped;
    for (uint32_t i = 0; i < rank; i++)
        operands[1 + i] = at[i];
    return vmc_build1(b, name, shaped->type->elem, rank + 1, operands);
}

Value *vec_get(Builder *b, Value *tensor, Value *const *at)
{
    return tensor->type->kind == TYPE_TENSOR ? access(b, "tensor.extract", tensor, at) : tensor;
}

Value *vec_load(Builder *b, Value *shaped, Value *const *at)
{
    return access(b, shaped->type->kind == TYPE_TENSOR ? "tensor.extract" : "memref.load", shaped, at);
}

Value *vec_set(Builder *b, Value *tensor, Value *const *at, Value *element)
{
    uint32_t rank = tensor->type->rank;
    Value **operands = ARENA_ARRAY(&b->ctx->arena, Value *, rank + 2);
    operands[0] = element;
    operands[1] = tensor;
    for (uint32_t i = 0; i < rank; i++)
        operands[2 + i] = at[i];
    if (tensor->type->kind == TYPE_TENSOR)
        return vmc_build1(b, "tensor.insert", tensor->type, rank + 2, operands);
    vmc_build(b, "memref.store", rank + 2, operands, 0, NULL, 0, NULL, 0);
    return tensor;
}

Value *vec_empty(Builder *b, const Type *type)
{
    return vmc_build1(b, "tensor.empty", type, 0, NULL);
}

Value *vec_add(Builder *b, Value *x, Value *y)
{
    return vmc_binary(b, "arith.addi", x, y);
}

Value *vec_zero(Builder *b, const Type *type)
{
    return vmc_build_const(b, vmc_attr_of_slot(b->ctx, type, 0), type);
}

Value *vec_to_index(Builder *b, Value *value)
{
    return value->type->kind == TYPE_INDEX ? value : vmc_build1(b, "arith.index_cast", vmc_type_index(b->ctx), 1, &value);
}

Value *vec_scalar_tensor(Builder *b, Value *scalar)
{
    return vmc_build1(b, "tensor.from_elements", vec_tensor(b->ctx, 0, NULL, scalar->type), 1, &scalar);
}

/* The one group of all dims, or none where the flat side has rank 0. */
static NamedAttr one_group(Context *ctx, uint32_t rank, bool any)
{
    const Attr **dims = ARENA_ARRAY(&ctx->arena, const Attr *, rank + 1);
    for (uint32_t i = 0; i < rank; i++)
        dims[i] = vmc_attr_i64(ctx, i);
    const Attr *group = vmc_attr_array(ctx, rank, dims);
    return (NamedAttr){vmc_name(ctx, "reassociation"), vmc_attr_array(ctx, any, &group)};
}

/* One of the types has rank 1, or both have at most that. */
static Value *reshape_flat(Builder *b, Value *tensor, const Type *type)
{
    Context *ctx = b->ctx;
    if (tensor->type == type)
        return tensor;
    if (tensor->type->rank > type->rank) {
        NamedAttr attr = one_group(ctx, tensor->type->rank, type->rank == 1);
        return &vmc_build(b, "tensor.collapse_shape", 1, &tensor, 1, &type, 1, &attr, 0)->results[0];
    }
    NamedAttr attrs[2] = {one_group(ctx, type->rank, tensor->type->rank == 1),
                          {vmc_name(ctx, "static_output_shape"), vmc_attr_i64_array(ctx, type->rank, type->dims)}};
    return &vmc_build(b, "tensor.expand_shape", 1, &tensor, 1, &type, 2, attrs, 0)->results[0];
}

Value *vec_reshape(Builder *b, Value *tensor, const Type *type)
{
    int64_t count = 1;
    vmc_num_elements(type, &count);
    if (tensor->type == type)
        return tensor;
    return reshape_flat(b, reshape_flat(b, tensor, vec_tensor(b->ctx, 1, &count, type->elem)), type);
}
