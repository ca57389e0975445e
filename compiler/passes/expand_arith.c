/* Ops of arith that are a few others by definition: the scaling conversions and flush_denormals.
 *
 * Works on scalars and vectors; tensors meet it element by element (elementwise_to_linalg.c).
 */
#include "expand_arith.h"

/* `like` with another element type. */
static const Type *with_elem(Context *ctx, const Type *like, const Type *elem)
{
    return like->kind == TYPE_VECTOR ? vmc_type_vector(ctx, like->rank, like->dims, like->scalable, elem) : elem;
}

static Value *convert(Builder *b, const char *name, Value *value, const Type *type)
{
    return value->type == type ? value : vmc_build1(b, name, type, 1, &value);
}

/* The scale as a power of two of type `type`: floats of 16 bits and more give their exponent through f8E8M0FNU. */
static Value *power_of_two(Builder *b, Value *scale, const Type *type)
{
    const Type *elem = vmc_elem_or_self(scale->type);
    if (vmc_float_bits(elem->format) >= 16)
        scale = vmc_build1(b, "arith.truncf", with_elem(b->ctx, scale->type, vmc_type_float(b->ctx, FLOAT_F8E8M0FNU)), 1, &scale);
    return convert(b, "arith.extf", scale, type);
}

static Value *expand_scaling_extf(Builder *b, Op *op)
{
    const Type *type = op->results[0].type;
    Value *in = convert(b, "arith.extf", op->operands[0].value, type);
    return vmc_build1(b, "arith.mulf", type, 2, (Value *const[]){in, power_of_two(b, op->operands[1].value, type)});
}

static Value *expand_scaling_truncf(Builder *b, Op *op)
{
    Value *in = op->operands[0].value;
    const Type *type = op->results[0].type;
    Value *quotient =
        vmc_build1(b, "arith.divf", in->type, 2, (Value *const[]){in, power_of_two(b, op->operands[1].value, in->type)});
    const Attr *mode = vmc_get_attr(op, "roundingmode");
    NamedAttr attr = {"roundingmode", mode};
    return vmc_build(b, "arith.truncf", 1, &quotient, 1, &type, mode ? 1 : 0, &attr, 0)->results;
}

/* Bits of the smallest normal number of the types that compute. */
static bool smallest_normal(const Type *elem, uint64_t *bits)
{
    static const struct {
        FloatFormat format;
        uint32_t mantissa;
    } formats[] = {{FLOAT_F16, 10}, {FLOAT_BF16, 7}, {FLOAT_F32, 23}, {FLOAT_F64, 52}};
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++)
        if (formats[i].format == elem->format) {
            *bits = UINT64_C(1) << formats[i].mantissa;
            return true;
        }
    return false;
}

static Value *expand_flush_denormals(Builder *b, Op *op)
{
    Value *in = op->operands[0].value;
    const Type *type = in->type, *i1 = with_elem(b->ctx, type, vmc_type_int(b->ctx, 1, SIGNLESS));
    uint64_t bits;
    if (!smallest_normal(vmc_elem_or_self(type), &bits))
        return NULL;
    Value *limit = vmc_build_const(b, vmc_attr_of_slot(b->ctx, type, bits), type);
    Value *zero = vmc_build_const(b, vmc_attr_of_slot(b->ctx, type, 0), type);
    Value *magnitude = vmc_build1(b, "math.absf", type, 1, &in);
    NamedAttr less = {"predicate", vmc_attr_i64(b->ctx, 4)}; /* olt */
    Value *is_small = vmc_build(b, "arith.cmpf", 2, (Value *const[]){magnitude, limit}, 1, &i1, 1, &less, 0)->results;
    Value *flushed = vmc_build1(b, "math.copysign", type, 2, (Value *const[]){zero, in});
    return vmc_build1(b, "arith.select", type, 3, (Value *const[]){is_small, flushed, in});
}

bool vmc_expand_arith(Context *ctx, Op *op)
{
    static const struct {
        const char *name;
        Value *(*expand)(Builder *b, Op *op);
    } rules[] = {{"arith.scaling_extf", expand_scaling_extf},
                 {"arith.scaling_truncf", expand_scaling_truncf},
                 {"arith.flush_denormals", expand_flush_denormals}};
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        if (!vmc_is(op, rules[i].name) || vmc_is_tensor(op->results[0].type))
            continue;
        Builder b = vmc_before(ctx, op);
        Value *value = rules[i].expand(&b, op);
        if (!value)
            return false;
        value->name = op->results[0].name;
        vmc_replace_uses(&op->results[0], value);
        vmc_op_erase(op);
        return true;
    }
    return false;
}
