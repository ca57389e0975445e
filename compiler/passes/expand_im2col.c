/* iree_linalg_ext.im2col: a loop over the output that reads one element of the input each.
 *
 * Every canonical output dimension is taken apart into coordinates, row-major, the first unbounded.  The input subscript of an m
 * dimension is its coordinate times the stride plus its window offset times the dilation; window offsets and channels are the k
 * coordinates in the order of input_k_perm.  With a pad value, what lies outside the input, or in the padding of the output, is
 * that. */
#include "expand_ext.h"

typedef struct Body {
    Builder *b;
    const Op *op;
    const Im2col *c;
    Value **at; /* output indices */
} Body;

static Value *constant_or_operand(Body *y, int64_t value, uint32_t *next)
{
    return value == VMC_DYNAMIC ? y->op->operands[(*next)++].value : vmc_build_index(y->b, value);
}

/* All coordinates, in canonical order. */
static Value **coordinates(Body *y)
{
    Context *ctx = y->b->ctx;
    const Im2col *c = y->c;
    Value **all = ARENA_ARRAY(&ctx->arena, Value *, c->nbatch + 2 * (size_t)c->nm + c->nk + 1);
    uint32_t next = c->sizes_first, total = 0;
    for (uint32_t d = 0; d < c->ndims; d++) {
        const int64_t *statics;
        uint32_t n = (uint32_t)vmc_attr_ints(ctx, c->sizes->elems[d], &statics);
        Value **sizes = ARENA_ARRAY(&ctx->arena, Value *, n);
        for (uint32_t k = 0; k < n; k++)
            sizes[k] = constant_or_operand(y, statics[k], &next);
        Value *rest = vmc_binary(y->b, "arith.addi", vmc_mixed_value(y->b, y->op, &c->offsets, d), y->at[c->inverse[d]]);
        for (uint32_t k = n; k-- > 1;) {
            all[total + k] = vmc_binary(y->b, "arith.remui", rest, sizes[k]);
            rest = vmc_binary(y->b, "arith.divui", rest, sizes[k]);
        }
        all[total] = rest;
        total += n;
    }
    return all;
}

static bool is_one_of(const int64_t *dims, uint32_t n, uint32_t dim)
{
    for (uint32_t i = 0; i < n; i++)
        if (dims[i] == (int64_t)dim)
            return true;
    return false;
}

static Value **input_subscripts(Body *y, uint32_t rank)
{
    Arena *arena = &y->b->ctx->arena;
    const Im2col *c = y->c;
    Value **all = coordinates(y), **m = all + c->nbatch, **k = m + c->nm;
    Value **subscripts = ARENA_ARRAY(arena, Value *, rank + 1), **windows = ARENA_ARRAY(arena, Value *, c->nm + 1),
          **channels = ARENA_ARRAY(arena, Value *, c->nk + 1);
    uint32_t next = 0, nwindows = 0, nchannels = 0;
    for (uint32_t i = 0; i < rank; i++) {
        if (is_one_of(c->batch, c->nbatch, i))
            continue;
        Value *coordinate = k[c->inverse_k[next++]];
        if (is_one_of(c->m, c->nm, i))
            windows[nwindows++] = coordinate;
        else
            channels[nchannels++] = coordinate;
    }
    for (uint32_t i = 0; i < c->nbatch; i++)
        subscripts[c->batch[i]] = all[i];
    for (uint32_t i = 0; i < c->nk; i++)
        subscripts[c->k[i]] = channels[i];
    for (uint32_t i = 0; i < c->nm; i++) {
        Value *place = vmc_binary(y->b, "arith.muli", m[i], vmc_build_index(y->b, c->strides[i]));
        Value *window = vmc_binary(y->b, "arith.muli", windows[i], vmc_build_index(y->b, c->dilations[i]));
        subscripts[c->m[i]] = vmc_binary(y->b, "arith.addi", place, window);
    }
    for (uint32_t i = 0; i < rank && c->input_low.n; i++)
        subscripts[i] = vmc_binary(y->b, "arith.subi", subscripts[i], vmc_mixed_value(y->b, y->op, &c->input_low, i));
    return subscripts;
}

static Value *both(Builder *b, Value *x, Value *y)
{
    return x ? vmc_binary(b, "arith.andi", x, y) : y;
}

/* Whether the element comes from the input. */
static Value *is_inside(Body *y, Value *const *subscripts, Value *const *input_sizes, uint32_t rank, Value *const *output_sizes)
{
    Builder *b = y->b;
    const Im2col *c = y->c;
    Value *inside = vmc_build_const(b, vmc_attr_bool(b->ctx, true), vmc_type_int(b->ctx, 1, SIGNLESS));
    for (uint32_t i = 0; i < rank; i++)
        inside = both(b, inside, vmc_cmpi(b, CMPI_ULT, subscripts[i], input_sizes[i]));
    for (uint32_t i = 0; i < c->ndims && c->output_low.n; i++) {
        Value *end = vmc_binary(b, "arith.subi", output_sizes[i], vmc_mixed_value(b, y->op, &c->output_high, i));
        inside = both(b, inside, vmc_cmpi(b, CMPI_SGE, y->at[i], vmc_mixed_value(b, y->op, &c->output_low, i)));
        inside = both(b, inside, vmc_cmpi(b, CMPI_SLT, y->at[i], end));
    }
    return inside;
}

Value **vmc_ext_im2col_expand(Builder *b, Op *op)
{
    Context *ctx = b->ctx;
    Im2col c;
    if (!vmc_ext_im2col(ctx, op, &c))
        return NULL;
    Value *input = op->operands[0].value, *output = op->operands[1].value, *element;
    Value **input_sizes = vmc_sizes_of(b, input), **output_sizes = vmc_sizes_of(b, output);
    Builder body, yes, no;
    Op *generic = vmc_build_map(b, 0, NULL, NULL, output, &body);
    Body y = {&body, op, &c, ARENA_ARRAY(&ctx->arena, Value *, c.ndims + 1)};
    for (uint32_t i = 0; i < c.ndims; i++)
        y.at[i] = vmc_build_index_op(&body, i);
    Value **subscripts = input_subscripts(&y, input->type->rank);
    if (c.pad) {
        Op *choice = vmc_build_choice(&body, is_inside(&y, subscripts, input_sizes, input->type->rank, output_sizes),
                                      input->type->elem, &yes, &no);
        Value *read = vmc_extract(&yes, input, subscripts);
        vmc_build_yield(&yes, "scf.yield", 1, &read);
        vmc_build_yield(&no, "scf.yield", 1, &c.pad);
        element = &choice->results[0];
    } else {
        element = vmc_extract(&body, input, subscripts);
    }
    vmc_build_yield(&body, "linalg.yield", 1, &element);
    Value **results = ARENA_ARRAY(&ctx->arena, Value *, 1);
    results[0] = &generic->results[0];
    return results;
}
