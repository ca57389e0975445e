/* flow.tensor.reshape and flow.tensor.bitcast: the elements in order, or their bits, under another type.
 *
 * Bits are those of the elements as they lie densely in a byte stream, low bits first: types of 1, 2 and 4 bits share bytes (i1
 * only under the encoding #iree_encoding.packed_storage; it takes a byte otherwise), other widths take whole bytes.  Both become
 * loops over the flat result. */
#include "generalize.h"

static bool is_packed(const Type *tensor)
{
    return tensor->layout && tensor->layout->kind == ATTR_OPAQUE && strcmp(tensor->layout->s, "iree_encoding.packed_storage") == 0;
}

/* Bits that an element takes in the stream; 0 where there is no such form. */
static uint32_t stream_bits(const Type *tensor)
{
    const Type *elem = tensor->elem;
    uint32_t bits = elem->kind == TYPE_INT     ? elem->width
                    : elem->kind == TYPE_FLOAT ? vmc_float_bits(elem->format)
                    : elem->kind == TYPE_INDEX ? 64
                                               : 0;
    if (bits > 64)
        return 0;
    if (bits == 1)
        return is_packed(tensor) ? 1 : 8;
    if (bits == 2 || bits == 4)
        return bits;
    for (uint32_t whole = 8; bits && whole <= 64; whole *= 2)
        if (bits <= whole)
            return whole;
    return 0;
}

static Value *convert(Builder *b, const char *op, const Type *to, Value *value)
{
    return value->type == to ? value : vmc_build1(b, op, to, 1, &value);
}

static Value *bits_of(Builder *b, Value *value, uint32_t width)
{
    const Type *type = value->type, *to = vmc_type_int(b->ctx, width, SIGNLESS);
    if (type->kind == TYPE_INDEX)
        return convert(b, "arith.index_cast", to, value);
    uint32_t own = type->kind == TYPE_FLOAT ? vmc_float_bits(type->format) : type->width;
    value = convert(b, "arith.bitcast", vmc_type_int(b->ctx, own, SIGNLESS), value);
    return convert(b, "arith.extui", to, value);
}

static Value *value_of_bits(Builder *b, Value *bits, const Type *type)
{
    if (type->kind == TYPE_INDEX)
        return convert(b, "arith.index_cast", type, bits);
    uint32_t own = type->kind == TYPE_FLOAT ? vmc_float_bits(type->format) : type->width;
    bits = convert(b, "arith.trunci", vmc_type_int(b->ctx, own, SIGNLESS), bits);
    return convert(b, "arith.bitcast", type, bits);
}

/* Arithmetic is on signless types. */
static const Type *signless_elem(Context *ctx, const Type *elem)
{
    return elem->kind == TYPE_INT ? vmc_type_int(ctx, elem->width, SIGNLESS) : elem;
}

static Value *whole_number(Builder *b, const Type *type, int64_t value)
{
    return vmc_build_const(b, vmc_attr_int(b->ctx, type, value), type);
}

/* Number of elements as an index value. */
static Value *count_of(Builder *b, uint32_t rank, Value *const *sizes)
{
    Value *count = vmc_build_index(b, 1);
    for (uint32_t i = 0; i < rank; i++)
        count = vmc_binary(b, "arith.muli", count, sizes[i]);
    return count;
}

static Value *reshaped(Builder *b, Value *source, const Type *type, Value *const *sizes)
{
    int64_t rank = type->rank;
    const Type *shape_type = vmc_type_tensor(b->ctx, 1, &rank, vmc_type_index(b->ctx), NULL);
    Value *operands[2] = {source, vmc_build1(b, "tensor.from_elements", shape_type, type->rank, sizes)};
    return vmc_build1(b, "tensor.reshape", type, 2, operands);
}

static Value **sizes_of_result(Builder *b, const Op *op)
{
    const Type *type = op->results[0].type;
    uint32_t next = vmc_operand_group(op, "result_dims").first;
    Value **sizes = ARENA_ARRAY(&b->ctx->arena, Value *, type->rank + 1);
    for (uint32_t i = 0; i < type->rank; i++)
        sizes[i] = type->dims[i] == VMC_DYNAMIC ? op->operands[next++].value : vmc_build_index(b, type->dims[i]);
    return sizes;
}

/* Static counts are compared here, others at run time. */
static bool check_amount(Builder *b, const Op *op, const Type *from, const Type *to, Value *have, Value *want)
{
    int64_t nfrom, nto;
    if (vmc_num_elements(from, &nfrom) && vmc_num_elements(to, &nto)) {
        uint32_t in_bits = stream_bits(from), out_bits = stream_bits(to);
        bool same = from->elem == to->elem && is_packed(from) == is_packed(to)
                        ? nfrom == nto
                        : (__int128)nfrom * in_bits == (__int128)nto * out_bits;
        if (!same)
            vmc_error(&b->ctx->diag, op->pos, "the result of '%s' does not have as many bits as the operand", op->name);
        return same;
    }
    vmc_assert_that(b, vmc_cmpi(b, CMPI_EQ, have, want),
                    vmc_arena_printf(&b->ctx->arena, "%s: the result does not have as many bits as the operand", op->name));
    return true;
}

bool vmc_expand_flow_reshape(Context *ctx, Op *op)
{
    Builder b = vmc_before(ctx, op);
    Value *source = op->operands[0].value;
    const Type *type = op->results[0].type;
    Value **in_sizes = vmc_sizes_of(&b, source), **out_sizes = sizes_of_result(&b, op);
    if (!check_amount(&b, op, source->type, type, count_of(&b, source->type->rank, in_sizes), count_of(&b, type->rank, out_sizes)))
        return false;
    Value *result = reshaped(&b, source, type, out_sizes);
    vmc_replace_op(op, &result);
    return true;
}

static Value *extract_at(Builder *b, Value *flat, Value *index)
{
    Value *operands[2] = {flat, index};
    return vmc_build1(b, "tensor.extract", flat->type->elem, 2, operands);
}

/* One result element out of a part of a source element. */
static Value *part_of_element(Builder *b, Value *flat, Value *at, uint32_t in_bits, uint32_t out_bits)
{
    Value *ratio = vmc_build_index(b, in_bits / out_bits);
    Value *bits = bits_of(b, extract_at(b, flat, vmc_binary(b, "arith.divui", at, ratio)), in_bits);
    if (in_bits == out_bits)
        return bits;
    Value *shift = vmc_binary(b, "arith.muli", vmc_binary(b, "arith.remui", at, ratio), vmc_build_index(b, out_bits));
    shift = convert(b, "arith.index_cast", bits->type, shift);
    return convert(b, "arith.trunci", vmc_type_int(b->ctx, out_bits, SIGNLESS), vmc_binary(b, "arith.shrui", bits, shift));
}

/* One result element out of several source elements, the first in the low bits. */
static Value *joined_elements(Builder *b, Value *flat, Value *at, uint32_t in_bits, uint32_t out_bits)
{
    const Type *type = vmc_type_int(b->ctx, out_bits, SIGNLESS);
    uint32_t ratio = out_bits / in_bits;
    Value *first = vmc_binary(b, "arith.muli", at, vmc_build_index(b, ratio)), *sum = NULL;
    for (uint32_t k = 0; k < ratio; k++) {
        Value *index = k ? vmc_binary(b, "arith.addi", first, vmc_build_index(b, k)) : first;
        Value *bits = convert(b, "arith.extui", type, bits_of(b, extract_at(b, flat, index), in_bits));
        if (k)
            bits = vmc_binary(b, "arith.shli", bits, whole_number(b, type, (int64_t)k * in_bits));
        sum = sum ? vmc_binary(b, "arith.ori", sum, bits) : bits;
    }
    return sum;
}

bool vmc_expand_flow_bitcast(Context *ctx, Op *op)
{
    Builder b = vmc_before(ctx, op);
    Value *source = op->operands[0].value;
    const Type *from = source->type, *type = op->results[0].type;
    uint32_t in_bits = stream_bits(from), out_bits = stream_bits(type);
    if (from->elem == type->elem && in_bits == out_bits)
        return vmc_expand_flow_reshape(ctx, op);
    if (!in_bits || !out_bits) {
        vmc_error(&ctx->diag, op->pos, "'%s' is there for integers and floats of up to 64 bits", op->name);
        return false;
    }
    Value **in_sizes = vmc_sizes_of(&b, source), **out_sizes = sizes_of_result(&b, op);
    Value *count = count_of(&b, from->rank, in_sizes), *out_count = count_of(&b, type->rank, out_sizes);
    if (!check_amount(&b, op, from, type, vmc_binary(&b, "arith.muli", count, vmc_build_index(&b, in_bits)),
                      vmc_binary(&b, "arith.muli", out_count, vmc_build_index(&b, out_bits))))
        return false;
    int64_t dynamic = VMC_DYNAMIC, n;
    const int64_t *flat_dim = vmc_num_elements(from, &n) ? &n : &dynamic;
    Value *flat = reshaped(&b, source, vmc_type_tensor(ctx, 1, flat_dim, from->elem, NULL), &count);
    flat = convert(&b, "tensor.bitcast", vmc_type_tensor(ctx, 1, flat_dim, signless_elem(ctx, from->elem), NULL), flat);
    flat_dim = vmc_num_elements(type, &n) ? &n : &dynamic;
    const Type *out_elem = signless_elem(ctx, type->elem);
    Value *out = vmc_empty_tensor(&b, vmc_type_tensor(ctx, 1, flat_dim, out_elem, NULL), &out_count);
    const AffineMap *identity = vmc_affine_identity(ctx, 1);
    const LoopKind parallel = LOOP_PARALLEL;
    Op *generic = vmc_build_generic(&b, 0, NULL, 1, &out, &identity, 1, &parallel);
    Builder body = vmc_at_end(ctx, vmc_entry(generic, 0), op->pos);
    Value *at = vmc_build_index_op(&body, 0);
    Value *bits = in_bits >= out_bits ? part_of_element(&body, flat, at, in_bits, out_bits)
                                      : joined_elements(&body, flat, at, in_bits, out_bits);
    Value *element = value_of_bits(&body, bits, out_elem);
    vmc_build_yield(&body, "linalg.yield", 1, &element);
    Value *result = convert(&b, "tensor.bitcast", vmc_type_tensor(ctx, 1, flat_dim, type->elem, NULL), &generic->results[0]);
    result = reshaped(&b, result, type, out_sizes);
    vmc_replace_op(op, &result);
    return true;
}
