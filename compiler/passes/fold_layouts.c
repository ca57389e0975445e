/* Moves of constants are done while compiling: a generic on tensors that only permutes or reshapes a dense constant becomes the
 * constant in its new order.
 *
 * Only what makes the module no larger: the result has as many elements as the constant, and the constant has no other use, or is
 * small.  Splats need no memory and are folded whatever their size.
 */
#include "../dialects/linalg.h"

#include "passes.h"

enum { SMALL_BYTES = 64 << 10, BLOCK = 16 };

typedef struct Move {
    uint32_t rank;
    const int64_t *size; /* of the result */
    int64_t *stride;     /* of the source for each dimension of the result, in bytes */
    uint64_t bytes;      /* of an element */
} Move;

/* The generic yields its only input, and every loop is parallel. */
static bool only_moves(const Structured *s)
{
    const Op *yield = s->body ? vmc_terminator(s->body) : NULL;
    return vmc_structured_is_parallel(s) && s->nins == 1 && s->nouts == 1 && yield && yield == s->body->first &&
           yield->operands[0].value == s->body->args[0];
}

/* Where the source moves along each dimension of the result; false where that is not one stride each. */
static bool source_strides(Context *ctx, const Structured *s, const Type *from, Move *move)
{
    const AffineMap *in = s->maps[0], *out = s->maps[1];
    int64_t *of_loop = ARENA_ARRAY(&ctx->scratch, int64_t, s->nloops + 1), step = (int64_t)move->bytes;
    bool *seen = ARENA_ARRAY(&ctx->scratch, bool, s->nloops + 1);
    if (!vmc_map_is_projected_permutation(in) || out->nresults != s->nloops)
        return false;
    for (uint32_t r = in->nresults; r-- > 0; step *= from->dims[r])
        if (in->results[r]->kind == AFFINE_DIM)
            of_loop[in->results[r]->value] = step;
    for (uint32_t r = 0; r < out->nresults; r++) {
        if (out->results[r]->kind != AFFINE_DIM || seen[out->results[r]->value])
            return false;
        seen[out->results[r]->value] = true;
        move->stride[r] = of_loop[out->results[r]->value];
    }
    return true;
}

/* Elements of the last two dimensions, in squares that stay in cache. */
static void move_plane(const Move *m, uint8_t *to, const uint8_t *from)
{
    const int64_t rows = m->size[m->rank - 2], columns = m->size[m->rank - 1], down = m->stride[m->rank - 2],
                  across = m->stride[m->rank - 1];
    const size_t n = (size_t)m->bytes;
    for (int64_t r0 = 0; r0 < rows; r0 += BLOCK)
        for (int64_t c0 = 0; c0 < columns; c0 += BLOCK)
            for (int64_t r = r0; r < rows && r < r0 + BLOCK; r++)
                for (int64_t c = c0; c < columns && c < c0 + BLOCK; c++) {
                    uint8_t *d = to + (size_t)(r * columns + c) * n;
                    const uint8_t *p = from + r * down + c * across;
                    if (n == 4) /* a copy of known length is one move */
                        memcpy(d, p, 4);
                    else
                        memcpy(d, p, n);
                }
}

static void move_all(Context *ctx, const Move *m, uint8_t *to, const uint8_t *from)
{
    int64_t *at = ARENA_ARRAY(&ctx->scratch, int64_t, m->rank + 1), plane = m->size[m->rank - 2] * m->size[m->rank - 1];
    for (;;) {
        move_plane(m, to, from);
        to += (size_t)plane * m->bytes;
        uint32_t d = m->rank - 2;
        while (d > 0 && ++at[d - 1] == m->size[d - 1]) {
            from -= m->stride[d - 1] * (m->size[d - 1] - 1);
            at[--d] = 0;
        }
        if (d == 0)
            return;
        from += m->stride[d - 1];
    }
}

/* The result's shape with a leading 1 where its rank is below two. */
static Move new_move(Context *ctx, const Type *type)
{
    uint32_t extra = type->rank < 2 ? 2 - type->rank : 0, rank = type->rank + extra;
    int64_t *size = ARENA_ARRAY(&ctx->scratch, int64_t, rank);
    for (uint32_t d = 0; d < rank; d++)
        size[d] = d < extra ? 1 : type->dims[d - extra];
    int64_t *stride = ARENA_ARRAY(&ctx->scratch, int64_t, rank);
    return (Move){rank, size, stride, vmc_elem_bytes(type->elem)};
}

static const Attr *moved(Context *ctx, const Structured *s, const Attr *constant, const Type *type)
{
    const Type *from = constant->type;
    Move move = new_move(ctx, type), inner = move;
    inner.stride += move.rank - type->rank;
    if (!source_strides(ctx, s, from, &inner))
        return NULL;
    bool same_order = true;
    int64_t step = (int64_t)move.bytes;
    for (uint32_t d = move.rank; d-- > 0; step *= move.size[d])
        same_order &= move.size[d] == 1 || move.stride[d] == step;
    if (same_order)
        return vmc_attr_dense(ctx, type, constant->data, constant->n, false, true);
    uint8_t *data = vmc_arena_alloc(&ctx->arena, constant->n);
    move_all(ctx, &move, data, constant->data);
    return vmc_attr_dense(ctx, type, data, constant->n, false, true);
}

static bool has_one_use(const Value *value)
{
    return value->uses && !value->uses->next;
}

static void fold_move(Context *ctx, Op *op)
{
    Structured s;
    int64_t count, source_count;
    if (op->nresults != 1 || !vmc_structured(ctx, op, &s) || !only_moves(&s) || vmc_structured_is_scalar(&s, 0))
        return;
    Value *source = vmc_structured_operand(&s, 0);
    const Attr *constant = vmc_constant_of(source);
    const Type *type = op->results[0].type;
    uint64_t bytes = vmc_elem_bytes(type->elem);
    if (!constant || (constant->kind != ATTR_DENSE && constant->kind != ATTR_RESOURCE) || !constant->data || !bytes ||
        type->kind != TYPE_TENSOR || type->elem != constant->type->elem || !vmc_num_elements(type, &count) ||
        !vmc_num_elements(constant->type, &source_count) || count == 0)
        return;
    const Attr *result = NULL;
    if (constant->kind == ATTR_DENSE && constant->splat)
        result = vmc_attr_dense(ctx, type, constant->data, constant->n, true, true);
    else if (count == source_count && constant->n / bytes == (uint64_t)count && constant->n % bytes == 0 &&
             (has_one_use(source) || constant->n <= SMALL_BYTES))
        result = moved(ctx, &s, constant, type);
    if (!result)
        return;
    Builder b = vmc_before(ctx, op);
    Value *value = vmc_build_const(&b, result, type);
    value->name = op->results[0].name;
    vmc_replace_uses(&op->results[0], value);
    vmc_op_erase(op);
    if (!source->uses && source->op)
        vmc_op_erase(source->op);
}

bool vmc_pass_fold_layouts(PassContext *pc)
{
    Context *ctx = pc->ctx;
    OpList generics = vmc_open_generics(ctx);
    for (size_t i = 0; i < generics.n; i++) {
        ArenaMark mark = vmc_arena_mark(&ctx->scratch);
        fold_move(ctx, generics.at[i]);
        vmc_arena_rewind(&ctx->scratch, mark);
    }
    return true;
}
