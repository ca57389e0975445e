/* Complex arithmetic and functions by definition, on the parts: arith and math, each operation rounded once.
 *
 * add, sub, neg, conj, eq and neq stay: emission takes them part by part.  A product is (ac - bd) + (ad + bc)i in the type
 * of its parts.  Quotients and functions of f32 are computed in f64 and rounded at the end, so that neither squares nor
 * differences lose what counts; for f64 the formulas scale by powers of two and carry the errors of products along where
 * they cancel.  Infinities, NaNs and signed zeros come out as Annex G of C99 has them; where it leaves a sign open it is plus.
 */
#include "builders.h"
#include "passes.h"

enum { OEQ = 1, OGT = 2, OGE = 3, OLT = 4, OLE = 5, UNO = 14 }; /* predicates of arith.cmpf */

typedef struct Maker {
    Builder b;
    const Type *t;    /* in which the parts are computed */
    const Type *part; /* of operands and results */
    bool wide;        /* t is wider than the parts: products are exact, squares in range */
} Maker;

typedef struct Parts {
    Value *re, *im;
} Parts;

/* ---- real arithmetic ------------------------------------------------------------------------- */

static Value *number(Maker *m, double value)
{
    uint64_t bits;
    if (m->t->format == FLOAT_F32) {
        float narrow = (float)value;
        uint32_t word;
        memcpy(&word, &narrow, sizeof word);
        bits = word;
    } else {
        memcpy(&bits, &value, sizeof bits);
    }
    return vmc_build_const(&m->b, vmc_attr_float_bits(m->b.ctx, m->t, bits), m->t);
}

static Value *fn(Maker *m, const char *op, Value *x)
{
    return vmc_build1(&m->b, op, m->t, 1, &x);
}
static Value *add(Maker *m, Value *x, Value *y)
{
    return vmc_binary(&m->b, "arith.addf", x, y);
}
static Value *sub(Maker *m, Value *x, Value *y)
{
    return vmc_binary(&m->b, "arith.subf", x, y);
}
static Value *mul(Maker *m, Value *x, Value *y)
{
    return vmc_binary(&m->b, "arith.mulf", x, y);
}
static Value *quo(Maker *m, Value *x, Value *y)
{
    return vmc_binary(&m->b, "arith.divf", x, y);
}
static Value *fma_of(Maker *m, Value *x, Value *y, Value *z)
{
    return vmc_build1(&m->b, "math.fma", m->t, 3, (Value *const[]){x, y, z});
}
static Value *negative(Maker *m, Value *x)
{
    return fn(m, "arith.negf", x);
}
static Value *magnitude(Maker *m, Value *x)
{
    return fn(m, "math.absf", x);
}
static Value *copysign_of(Maker *m, Value *x, Value *sign)
{
    return vmc_binary(&m->b, "math.copysign", x, sign);
}
static Value *choose(Maker *m, Value *condition, Value *yes, Value *no)
{
    return vmc_select(&m->b, condition, yes, no);
}
static Value *compare(Maker *m, int64_t predicate, Value *x, Value *y)
{
    const Type *i1 = vmc_type_int(m->b.ctx, 1, SIGNLESS);
    NamedAttr attr = {vmc_name(m->b.ctx, "predicate"), vmc_attr_i64(m->b.ctx, predicate)};
    return vmc_build(&m->b, "arith.cmpf", 2, (Value *const[]){x, y}, 1, &i1, 1, &attr, 0)->results;
}
static Value *both(Maker *m, Value *x, Value *y)
{
    return vmc_binary(&m->b, "arith.andi", x, y);
}
static Value *either(Maker *m, Value *x, Value *y)
{
    return vmc_binary(&m->b, "arith.ori", x, y);
}
static Value *is_nan(Maker *m, Value *x)
{
    return compare(m, UNO, x, x);
}
static Value *is_zero(Maker *m, Value *x)
{
    return compare(m, OEQ, x, number(m, 0));
}
static Value *is_infinite(Maker *m, Value *x)
{
    return compare(m, OEQ, magnitude(m, x), number(m, __builtin_inf()));
}
static Value *is_finite(Maker *m, Value *x)
{
    return compare(m, OLT, magnitude(m, x), number(m, __builtin_inf()));
}

/* x + y = sum + *error exactly. */
static Value *two_sum(Maker *m, Value *x, Value *y, Value **error)
{
    Value *sum = add(m, x, y), *back = sub(m, sum, x);
    *error = add(m, sub(m, x, sub(m, sum, back)), sub(m, y, back));
    return sum;
}

/* x * x = square + *error exactly, in range. */
static Value *square_of(Maker *m, Value *x, Value **error)
{
    Value *square = mul(m, x, x);
    *error = fma_of(m, x, x, negative(m, square));
    return square;
}

/* ---- operands and results --------------------------------------------------------------------- */

static Value *to_type(Maker *m, Value *x, const Type *type)
{
    if (x->type == type)
        return x;
    return vmc_build1(&m->b, vmc_float_bits(type->format) > vmc_float_bits(x->type->format) ? "arith.extf" : "arith.truncf", type,
                      1, &x);
}

static Parts parts_of(Maker *m, Value *z)
{
    Value *re, *im;
    if (z->op && vmc_is(z->op, "complex.create")) {
        re = vmc_operand(z->op, 0);
        im = vmc_operand(z->op, 1);
    } else {
        re = vmc_build1(&m->b, "complex.re", z->type->elem, 1, &z);
        im = vmc_build1(&m->b, "complex.im", z->type->elem, 1, &z);
    }
    return (Parts){to_type(m, re, m->t), to_type(m, im, m->t)};
}

static Value *complex_of(Maker *m, Parts z)
{
    Value *parts[2] = {to_type(m, z.re, m->part), to_type(m, z.im, m->part)};
    return vmc_build1(&m->b, "complex.create", vmc_type_complex(m->b.ctx, m->part), 2, parts);
}

/* ---- products and quotients --------------------------------------------------------------------- */

static Parts product(Maker *m, Parts a, Parts b)
{
    return (Parts){sub(m, mul(m, a.re, b.re), mul(m, a.im, b.im)), add(m, mul(m, a.re, b.im), mul(m, a.im, b.re))};
}

/* 1 with the sign of x if that is infinite, else 0 with its sign. */
static Value *boxed(Maker *m, Value *x)
{
    return copysign_of(m, choose(m, is_infinite(m, x), number(m, 1), number(m, 0)), x);
}
static Value *zero_if_nan(Maker *m, Value *condition, Value *x)
{
    return choose(m, both(m, condition, is_nan(m, x)), copysign_of(m, number(m, 0), x), x);
}
static Parts choose_parts(Maker *m, Value *condition, Parts yes, Parts no)
{
    return (Parts){choose(m, condition, yes.re, no.re), choose(m, condition, yes.im, no.im)};
}
static Parts boxed_parts(Maker *m, Parts z)
{
    return (Parts){boxed(m, z.re), boxed(m, z.im)};
}
static Parts zero_nans(Maker *m, Value *condition, Parts z)
{
    return (Parts){zero_if_nan(m, condition, z.re), zero_if_nan(m, condition, z.im)};
}
static Value *has_infinity(Maker *m, Parts z)
{
    return either(m, is_infinite(m, z.re), is_infinite(m, z.im));
}
static Value *all_finite(Maker *m, Parts z)
{
    return both(m, is_finite(m, z.re), is_finite(m, z.im));
}
static Parts times(Maker *m, Value *factor, Parts z)
{
    return (Parts){mul(m, factor, z.re), mul(m, factor, z.im)};
}

/* `plain`, or what recover() makes of the operands where both parts of it are NaN. */
static Parts recovered(Maker *m, Parts plain, Parts a, Parts b, Parts (*recover)(Maker *m, Parts plain, Parts a, Parts b))
{
    Value *lost = both(m, is_nan(m, plain.re), is_nan(m, plain.im));
    const Type *types[2] = {m->t, m->t};
    Op *branch = vmc_build(&m->b, "scf.if", 1, &lost, 2, types, 0, NULL, 2);
    for (uint32_t k = 0; k < 2; k++) {
        vmc_block_append(&branch->regions[k], vmc_block_create(m->b.ctx));
        Maker side = *m;
        side.b = vmc_at_end(m->b.ctx, vmc_entry(branch, k), m->b.pos);
        Parts z = k ? plain : recover(&side, plain, a, b);
        vmc_build_yield(&side.b, "scf.yield", 2, (Value *const[]){z.re, z.im});
    }
    return (Parts){&branch->results[0], &branch->results[1]};
}

/* Annex G.5.1: a product with an infinite factor, or one that overflows, is infinite. */
static Parts recover_product(Maker *m, Parts plain, Parts a, Parts b)
{
    Value *infinite_a = has_infinity(m, a), *infinite_b = has_infinity(m, b);
    Parts cross = {mul(m, a.re, b.re), mul(m, a.im, b.im)}, other = {mul(m, a.re, b.im), mul(m, a.im, b.re)};
    Value *overflow = either(m, has_infinity(m, cross), has_infinity(m, other));
    Value *any = either(m, either(m, infinite_a, infinite_b), overflow);
    Parts x = zero_nans(m, any, choose_parts(m, infinite_a, boxed_parts(m, a), a));
    Parts y = zero_nans(m, any, choose_parts(m, infinite_b, boxed_parts(m, b), b));
    return choose_parts(m, any, times(m, number(m, __builtin_inf()), product(m, x, y)), plain);
}

static Parts multiply(Maker *m, Parts a, Parts b)
{
    return recovered(m, product(m, a, b), a, b, recover_product);
}

/* (ac + bd, bc - ad): the quotient but for the divisor's square. */
static Parts cross_product(Maker *m, Parts a, Parts b)
{
    return (Parts){add(m, mul(m, a.re, b.re), mul(m, a.im, b.im)), sub(m, mul(m, a.im, b.re), mul(m, a.re, b.im))};
}

static Parts recover_quotient(Maker *m, Parts plain, Parts a, Parts b)
{
    Value *inf = number(m, __builtin_inf()), *zero = number(m, 0);
    Value *by_zero = both(m, is_zero(m, b.re), is_zero(m, b.im));
    Value *numerator = either(m, compare(m, OEQ, a.re, a.re), compare(m, OEQ, a.im, a.im));
    Value *first = both(m, by_zero, numerator);
    Value *second = both(m, has_infinity(m, a), all_finite(m, b)), *third = both(m, has_infinity(m, b), all_finite(m, a));
    Parts z = choose_parts(m, third, times(m, zero, cross_product(m, a, boxed_parts(m, b))), plain);
    z = choose_parts(m, second, times(m, inf, cross_product(m, boxed_parts(m, a), b)), z);
    return choose_parts(m, first, times(m, copysign_of(m, inf, b.re), a), z);
}

/* Smith: the parts are scaled by r, the smaller over the larger part of the divisor.  Where r underflows, x r is taken as
   small (x / big). */
static Parts divide(Maker *m, Parts a, Parts b)
{
    Value *wide = compare(m, OGE, magnitude(m, b.re), magnitude(m, b.im));
    Value *big = choose(m, wide, b.re, b.im), *small = choose(m, wide, b.im, b.re);
    Value *x = choose(m, wide, a.re, a.im), *y = choose(m, wide, a.im, a.re), *r = quo(m, small, big);
    Value *xr = mul(m, x, r), *yr = mul(m, y, r), *d = add(m, big, mul(m, small, r));
    if (!m->wide) {
        Value *lost = is_zero(m, r);
        xr = choose(m, lost, mul(m, small, quo(m, x, big)), xr);
        yr = choose(m, lost, mul(m, small, quo(m, y, big)), yr);
    }
    Value *im = choose(m, wide, sub(m, y, xr), sub(m, xr, y));
    return recovered(m, (Parts){quo(m, add(m, x, yr), d), quo(m, im, d)}, a, b, recover_quotient);
}

/* ---- modulus -------------------------------------------------------------------------------------- */

typedef struct Modulus {
    Value *big, *small;    /* magnitudes of the parts, the larger one first */
    Value *scale, *scaled; /* |z| * scale, without over- and underflow of squares; scale is a power of two */
    Value *value;          /* |z| */
} Modulus;

/* The root of the sum of squares, and once more a step of Newton on what rounding left of it. */
static Value *hypotenuse(Maker *m, Value *x, Value *y)
{
    if (m->wide)
        return fn(m, "math.sqrt", add(m, mul(m, x, x), mul(m, y, y)));
    Value *h = fn(m, "math.sqrt", fma_of(m, x, x, mul(m, y, y))), *x_error, *h_error;
    Value *x2 = square_of(m, x, &x_error), *h2 = square_of(m, h, &h_error);
    Value *rest = sub(m, add(m, fma_of(m, negative(m, y), y, sub(m, h2, x2)), h_error), x_error);
    Value *better = sub(m, h, quo(m, rest, add(m, h, h)));
    return choose(m, compare(m, OGT, h, number(m, 0)), better, h);
}

static Modulus modulus(Maker *m, Parts z)
{
    Modulus r;
    Value *a = magnitude(m, z.re), *b = magnitude(m, z.im), *inf = number(m, __builtin_inf());
    r.big = vmc_binary(&m->b, "arith.maximumf", a, b);
    r.small = vmc_binary(&m->b, "arith.minimumf", a, b);
    r.scale = number(m, 1);
    if (!m->wide) {
        r.scale = choose(m, compare(m, OGT, r.big, number(m, 0x1p500)), number(m, 0x1p-600), r.scale);
        r.scale = choose(m, compare(m, OLT, r.big, number(m, 0x1p-400)), number(m, 0x1p600), r.scale);
    }
    r.scaled = hypotenuse(m, mul(m, r.big, r.scale), mul(m, r.small, r.scale));
    r.scaled = choose(m, has_infinity(m, (Parts){a, b}), inf, r.scaled);
    r.value = m->wide ? r.scaled : quo(m, r.scaled, r.scale);
    return r;
}

static Value *angle(Maker *m, Parts z)
{
    return vmc_binary(&m->b, "math.atan2", z.im, z.re);
}

/* ---- exponential, logarithm ------------------------------------------------------------------------- */

/* (factor * c, factor * s) for factor = e^x / divisor: in two steps where e^x alone would overflow. */
static Parts times_exp(Maker *m, Value *x, double divisor, Value *c, Value *s)
{
    Value *factor = fn(m, "math.exp", x), *by = number(m, 1 / divisor);
    if (divisor != 1)
        factor = mul(m, factor, by);
    Parts plain = times(m, factor, (Parts){c, s});
    if (m->wide)
        return plain;
    Value *half = fn(m, "math.exp", mul(m, x, number(m, 0.5)));
    Parts twice = times(m, mul(m, half, by), times(m, half, (Parts){c, s}));
    Value *large = both(m, compare(m, OGT, x, number(m, 709)), compare(m, OLT, x, number(m, 2000)));
    return choose_parts(m, large, twice, plain);
}

static Parts exponential(Maker *m, Parts z)
{
    Value *zero = number(m, 0), *open = is_finite(m, z.im), *inf = number(m, __builtin_inf());
    Parts e = times_exp(m, z.re, 1, fn(m, "math.cos", z.im), fn(m, "math.sin", z.im));
    Value *up = compare(m, OEQ, z.re, inf), *down = compare(m, OEQ, z.re, negative(m, inf));
    Value *re = choose(m, open, e.re, choose(m, up, inf, choose(m, down, zero, e.re)));
    Value *im = choose(m, open, e.im, choose(m, down, zero, e.im));
    Value *real = is_zero(m, z.im);
    return (Parts){choose(m, real, fn(m, "math.exp", z.re), re), choose(m, real, z.im, im)};
}

/* log(x^2 + y^2) / 2 for a sum near 1, x the larger one. */
static Value *log_near_one(Maker *m, Value *x, Value *y)
{
    Value *x_error, *y_error;
    Value *x2 = square_of(m, x, &x_error), *y2 = square_of(m, y, &y_error);
    Value *rest = add(m, add(m, sub(m, x2, number(m, 1)), y2), add(m, x_error, y_error));
    return mul(m, fn(m, "math.log1p", rest), number(m, 0.5));
}

static Parts logarithm(Maker *m, Parts z)
{
    Modulus r = modulus(m, z);
    Value *log = fn(m, "math.log", r.scaled);
    if (!m->wide) { /* the logarithm of the scale: 600 log 2 either way, in two pieces */
        Value *unit = compare(m, OEQ, r.scale, number(m, 1)), *up = compare(m, OGT, r.scale, number(m, 1));
        Value *high = choose(m, up, number(m, -0x1.9fe3682c00000p+8), number(m, 0x1.9fe3682c00000p+8));
        Value *low = choose(m, up, number(m, -0x1.a77c8a55425b6p-25), number(m, 0x1.a77c8a55425b6p-25));
        log = choose(m, unit, log, add(m, add(m, log, low), high));
    }
    Value *near = both(m, compare(m, OGE, r.big, number(m, 0.5)), compare(m, OLE, r.big, number(m, 1.5)));
    return (Parts){choose(m, near, log_near_one(m, r.big, r.small), log), angle(m, z)};
}

static Parts exponential_less_one(Maker *m, Parts z)
{
    Value *half = fn(m, "math.sin", mul(m, z.im, number(m, 0.5)));
    Value *less = mul(m, mul(m, half, half), number(m, 2));
    Value *re = sub(m, mul(m, fn(m, "math.expm1", z.re), fn(m, "math.cos", z.im)), less);
    Parts e = exponential(m, z);
    Value *large = compare(m, OGT, z.re, number(m, 700)), *low = compare(m, OEQ, z.re, number(m, -__builtin_inf()));
    re = choose(m, is_zero(m, z.im), fn(m, "math.expm1", z.re), choose(m, large, e.re, re));
    return (Parts){choose(m, low, number(m, -1), re), e.im};
}

static Parts logarithm_of_one_more(Maker *m, Parts z)
{
    Value *re = z.re, *im = z.im, *errors[5];
    Value *x2 = square_of(m, re, &errors[0]), *y2 = square_of(m, im, &errors[1]);
    Value *sum = two_sum(m, two_sum(m, add(m, re, re), y2, &errors[2]), x2, &errors[3]);
    Value *rest = add(m, sum, add(m, add(m, errors[0], errors[1]), add(m, errors[2], errors[3])));
    Value *small = both(m, compare(m, OGT, sum, number(m, -0.75)), compare(m, OLT, sum, number(m, 3)));
    Parts one_more = {add(m, re, number(m, 1)), im}, log = logarithm(m, one_more);
    return (Parts){choose(m, small, mul(m, fn(m, "math.log1p", rest), number(m, 0.5)), log.re), log.im};
}

/* ---- roots and powers -------------------------------------------------------------------------------- */

/* t = sqrt((|re| + |z|) / 2): (t, im / 2t), or for re < 0 (|im| / 2t, t with im's sign). */
static Parts square_root(Maker *m, Parts z)
{
    Modulus r = modulus(m, z);
    Value *zero = number(m, 0), *half = number(m, 0.5), *x = mul(m, magnitude(m, z.re), r.scale);
    Value *t = fn(m, "math.sqrt", mul(m, add(m, x, r.scaled), half));
    Value *left = compare(m, OLT, z.re, zero), *other;
    if (m->wide) {
        other = quo(m, z.im, add(m, t, t));
    } else { /* the root of the scale */
        Value *up = compare(m, OGT, r.scale, number(m, 1)), *down = compare(m, OLT, r.scale, number(m, 1));
        Value *root = choose(m, up, number(m, 0x1p-300), choose(m, down, number(m, 0x1p300), number(m, 1)));
        Value *small = mul(m, quo(m, mul(m, z.im, r.scale), add(m, t, t)), root);
        t = mul(m, t, root);
        other = choose(m, up, small, quo(m, z.im, add(m, t, t)));
    }
    Value *none = both(m, is_zero(m, z.re), is_zero(m, z.im)), *upward = is_infinite(m, z.im);
    Value *re = choose(m, left, magnitude(m, other), t), *im = choose(m, left, copysign_of(m, t, z.im), other);
    re = choose(m, upward, number(m, __builtin_inf()), choose(m, none, zero, re));
    return (Parts){re, choose(m, either(m, upward, none), z.im, im)};
}

static Parts one(Maker *m)
{
    return (Parts){number(m, 1), number(m, 0)};
}

static Parts reciprocal_root(Maker *m, Parts z)
{
    return divide(m, one(m), square_root(m, z));
}

static Parts sign_of(Maker *m, Parts z)
{
    Parts half = z;
    if (!m->wide) { /* the modulus must not overflow alone */
        Value *large =
            compare(m, OGT, vmc_binary(&m->b, "arith.maximumf", magnitude(m, z.re), magnitude(m, z.im)), number(m, 0x1p1000));
        half = times(m, choose(m, large, number(m, 0.5), number(m, 1)), z);
    }
    Value *r = modulus(m, half).value;
    return choose_parts(m, both(m, is_zero(m, z.re), is_zero(m, z.im)), z, (Parts){quo(m, half.re, r), quo(m, half.im, r)});
}

/* e^(b log a); z^0 is 1, and 0^b is 0 where the real part of b is positive. */
static Parts power(Maker *m, Parts a, Parts b)
{
    Value *zero = number(m, 0);
    Parts z = exponential(m, multiply(m, b, logarithm(m, a)));
    Value *of_zero = both(m, both(m, is_zero(m, a.re), is_zero(m, a.im)), compare(m, OGT, b.re, zero));
    z = choose_parts(m, of_zero, (Parts){zero, zero}, z);
    return choose_parts(m, both(m, is_zero(m, b.re), is_zero(m, b.im)), one(m), z);
}

/* One turn's end: a loop runs while the exponent has bits. */
static void yield_state(Maker *m, const char *op, Value *first, Value *exponent, Parts base, Parts result)
{
    Value *values[6] = {first, exponent, base.re, base.im, result.re, result.im};
    vmc_build_yield(&m->b, op, first ? 6 : 5, first ? values : values + 1);
}

static Block *state_block(Maker *m, Op *loop, uint32_t region, Maker *inner)
{
    Block *block = vmc_block_create(m->b.ctx);
    vmc_block_append(&loop->regions[region], block);
    for (uint32_t i = 0; i < loop->nresults; i++)
        vmc_block_add_arg(m->b.ctx, block, loop->results[i].type, m->b.pos);
    *inner = *m;
    inner->b = vmc_at_end(m->b.ctx, block, m->b.pos);
    return block;
}

/* Squares and products, as many as the exponent has bits; for a negative exponent the reciprocal. */
static Parts integer_power(Maker *m, Parts base, Value *exponent)
{
    Context *ctx = m->b.ctx;
    const Type *i64 = vmc_type_int(ctx, 64, SIGNLESS), *types[5] = {i64, m->t, m->t, m->t, m->t};
    const char *widen = exponent->type->kind == TYPE_INDEX ? "arith.index_cast" : "arith.extsi";
    Value *n = exponent->type == i64 ? exponent : vmc_build1(&m->b, widen, i64, 1, &exponent);
    Value *zero = vmc_build_const(&m->b, vmc_attr_int(ctx, i64, 0), i64), *count = vmc_build1(&m->b, "math.absi", i64, 1, &n);
    Parts start = one(m);
    Op *loop =
        vmc_build(&m->b, "scf.while", 5, (Value *const[]){count, base.re, base.im, start.re, start.im}, 5, types, 0, NULL, 2);
    Maker test, turn;
    Block *before = state_block(m, loop, 0, &test), *after = state_block(m, loop, 1, &turn);
    Value *more = vmc_cmpi(&test.b, CMPI_NE, before->args[0], zero);
    yield_state(&test, "scf.condition", more, before->args[0], (Parts){before->args[1], before->args[2]},
                (Parts){before->args[3], before->args[4]});
    Parts b = {after->args[1], after->args[2]}, result = {after->args[3], after->args[4]};
    Value *unit = vmc_build_const(&turn.b, vmc_attr_int(ctx, i64, 1), i64);
    Value *odd = vmc_cmpi(&turn.b, CMPI_NE, vmc_binary(&turn.b, "arith.andi", after->args[0], unit), zero);
    Value *rest = vmc_binary(&turn.b, "arith.shrui", after->args[0], unit);
    yield_state(&turn, "scf.yield", NULL, rest, multiply(&turn, b, b),
                choose_parts(&turn, odd, multiply(&turn, result, b), result));
    Parts z = {&loop->results[3], &loop->results[4]};
    return choose_parts(m, vmc_cmpi(&m->b, CMPI_SLT, n, zero), divide(m, one(m), z), z);
}

/* ---- trigonometric and hyperbolic ------------------------------------------------------------------------ */

/* sinh(x) cos(y) + i cosh(x) sin(y), or cosh(x) cos(y) + i sinh(x) sin(y). */
static Parts hyperbolic(Maker *m, Parts z, bool cosine)
{
    Value *x = z.re, *y = z.im, *c = fn(m, "math.cos", y), *s = fn(m, "math.sin", y), *inf = number(m, __builtin_inf());
    Value *sh = fn(m, "math.sinh", x), *ch = fn(m, "math.cosh", x), *zero = number(m, 0);
    Parts r = cosine ? (Parts){mul(m, ch, c), mul(m, sh, s)} : (Parts){mul(m, sh, c), mul(m, ch, s)};
    if (!m->wide) {
        Parts e = times_exp(m, magnitude(m, x), 2, c, s);
        Value *large = compare(m, OGT, magnitude(m, x), number(m, 709)), *sign = copysign_of(m, number(m, 1), x);
        e = cosine ? (Parts){e.re, mul(m, e.im, sign)} : (Parts){mul(m, e.re, sign), e.im};
        r = choose_parts(m, large, e, r);
    }
    Value *flat = is_zero(m, y), *center = is_zero(m, x), *wild = both(m, is_infinite(m, x), is_nan(m, c));
    if (cosine) {
        Value *sign = mul(m, copysign_of(m, number(m, 1), x), copysign_of(m, number(m, 1), y));
        sign = choose(m, both(m, flat, is_infinite(m, x)), sign, zero);
        Value *im = choose(m, both(m, either(m, flat, center), is_nan(m, r.im)), copysign_of(m, zero, sign), r.im);
        return (Parts){choose(m, flat, ch, choose(m, wild, inf, r.re)), im};
    }
    return (Parts){choose(m, flat, sh, choose(m, either(m, both(m, center, is_nan(m, c)), wild), x, r.re)),
                   choose(m, flat, y, r.im)};
}

/* Kahan: with t = tan y, s = sinh x: (1 + t^2) sqrt(1 + s^2) s and t, both over 1 + (1 + t^2) s^2. */
static Parts hyperbolic_tangent(Maker *m, Parts z)
{
    Value *x = z.re, *y = z.im, *unit = number(m, 1), *t = fn(m, "math.tan", y), *s = fn(m, "math.sinh", x);
    Value *beta = add(m, unit, mul(m, t, t)), *rho = fn(m, "math.sqrt", add(m, unit, mul(m, s, s)));
    Value *d = add(m, unit, mul(m, beta, mul(m, s, s)));
    Parts r = {quo(m, mul(m, mul(m, beta, rho), s), d), quo(m, t, d)};
    Value *far = compare(m, OGT, magnitude(m, x), number(m, 22));
    Value *tail = fn(m, "math.exp", mul(m, magnitude(m, x), number(m, -2)));
    Value *im = mul(m, mul(m, mul(m, fn(m, "math.sin", y), fn(m, "math.cos", y)), number(m, 4)), tail);
    im = choose(m, both(m, is_infinite(m, x), is_nan(m, im)), copysign_of(m, number(m, 0), y), im);
    r = choose_parts(m, far, (Parts){copysign_of(m, unit, x), im}, r);
    Value *flat = is_zero(m, y), *center = is_zero(m, x);
    return (Parts){choose(m, flat, fn(m, "math.tanh", x), choose(m, center, x, r.re)), choose(m, flat, y, r.im)};
}

static Parts turned(Maker *m, Parts z) /* i z */
{
    return (Parts){negative(m, z.im), z.re};
}
static Parts turned_back(Maker *m, Parts z) /* -i z */
{
    return (Parts){z.im, negative(m, z.re)};
}
static Parts sine(Maker *m, Parts z)
{
    return turned_back(m, hyperbolic(m, turned(m, z), false));
}
static Parts cosine(Maker *m, Parts z)
{
    return hyperbolic(m, turned(m, z), true);
}
static Parts tangent(Maker *m, Parts z)
{
    return turned_back(m, hyperbolic_tangent(m, turned(m, z)));
}

/* -i log((x + i y) / sqrt(x^2 + y^2)), which is the angle of real numbers. */
static Parts arc_tangent(Maker *m, Parts y, Parts x)
{
    Parts iy = turned(m, y), top = {add(m, x.re, iy.re), add(m, x.im, iy.im)};
    Parts x2 = multiply(m, x, x), y2 = multiply(m, y, y);
    Parts root = square_root(m, (Parts){add(m, x2.re, y2.re), add(m, x2.im, y2.im)});
    Parts r = turned_back(m, logarithm(m, divide(m, top, root)));
    Value *real = both(m, is_zero(m, x.im), is_zero(m, y.im));
    return choose_parts(m, real, (Parts){vmc_binary(&m->b, "math.atan2", y.re, x.re), number(m, 0)}, r);
}

/* ---- the pass ---------------------------------------------------------------------------------------------- */

typedef struct Rule {
    const char *name;
    Parts (*unary)(Maker *m, Parts z);
    Parts (*binary)(Maker *m, Parts a, Parts b);
    bool narrow; /* in the type of the parts */
} Rule;

static const Rule rules[] = {
    {"complex.mul", NULL, multiply, true},
    {"complex.div", NULL, divide, false},
    {"complex.atan2", NULL, arc_tangent, false},
    {"complex.pow", NULL, power, false},
    {"complex.exp", exponential, NULL, false},
    {"complex.expm1", exponential_less_one, NULL, false},
    {"complex.log", logarithm, NULL, false},
    {"complex.log1p", logarithm_of_one_more, NULL, false},
    {"complex.sqrt", square_root, NULL, false},
    {"complex.rsqrt", reciprocal_root, NULL, false},
    {"complex.sign", sign_of, NULL, false},
    {"complex.sin", sine, NULL, false},
    {"complex.cos", cosine, NULL, false},
    {"complex.tan", tangent, NULL, false},
    {"complex.tanh", hyperbolic_tangent, NULL, false},
};

static bool is_part(const Type *type)
{
    return type->kind == TYPE_FLOAT && (type->format == FLOAT_F32 || type->format == FLOAT_F64);
}

static Maker maker_of(Context *ctx, Op *op, const Type *part, bool narrow)
{
    Maker m = {.b = vmc_before(ctx, op), .part = part, .t = narrow ? part : vmc_type_float(ctx, FLOAT_F64)};
    m.wide = m.t != part;
    return m;
}

static void replace_by(Op *op, Value *value)
{
    value->name = op->results[0].name;
    vmc_replace_uses(&op->results[0], value);
    vmc_op_erase(op);
}

static void expand_modulus(Context *ctx, Op *op, const Type *part)
{
    Maker m = maker_of(ctx, op, part, false);
    replace_by(op, to_type(&m, modulus(&m, parts_of(&m, vmc_operand(op, 0))).value, part));
}

static void expand_angle(Context *ctx, Op *op, const Type *part)
{
    Maker m = maker_of(ctx, op, part, true);
    replace_by(op, angle(&m, parts_of(&m, vmc_operand(op, 0))));
}

static void expand_integer_power(Context *ctx, Op *op, const Type *part)
{
    Maker m = maker_of(ctx, op, part, false);
    replace_by(op, complex_of(&m, integer_power(&m, parts_of(&m, vmc_operand(op, 0)), vmc_operand(op, 1))));
}

/* Bits of a complex<f32> as in memory: the real part is the lower half. */
static Value *bits_of(Builder *b, Value *z)
{
    Context *ctx = b->ctx;
    const Type *i32 = vmc_type_int(ctx, 32, SIGNLESS), *i64 = vmc_type_int(ctx, 64, SIGNLESS);
    Value *halves[2];
    for (uint32_t k = 0; k < 2; k++) {
        Value *part = vmc_build1(b, k ? "complex.im" : "complex.re", z->type->elem, 1, &z);
        part = vmc_build1(b, "arith.bitcast", i32, 1, &part);
        halves[k] = vmc_build1(b, "arith.extui", i64, 1, &part);
    }
    Value *shift = vmc_build_const(b, vmc_attr_int(ctx, i64, 32), i64);
    return vmc_binary(b, "arith.ori", halves[0], vmc_binary(b, "arith.shli", halves[1], shift));
}

static Value *of_bits(Builder *b, Value *bits, const Type *type)
{
    Context *ctx = b->ctx;
    const Type *i32 = vmc_type_int(ctx, 32, SIGNLESS);
    Value *shift = vmc_build_const(b, vmc_attr_int(ctx, bits->type, 32), bits->type), *parts[2];
    for (uint32_t k = 0; k < 2; k++) {
        Value *half = k ? vmc_binary(b, "arith.shrui", bits, shift) : bits;
        half = vmc_build1(b, "arith.trunci", i32, 1, &half);
        parts[k] = vmc_build1(b, "arith.bitcast", type->elem, 1, &half);
    }
    return vmc_build1(b, "complex.create", type, 2, parts);
}

static void expand_bitcast(Context *ctx, Op *op)
{
    Builder b = vmc_before(ctx, op);
    Value *in = vmc_operand(op, 0);
    const Type *to = op->results[0].type, *i64 = vmc_type_int(ctx, 64, SIGNLESS);
    if (in->type == to) {
        vmc_replace_uses(&op->results[0], in);
        vmc_op_erase(op);
        return;
    }
    if (in->type->kind == TYPE_COMPLEX && in->type->elem->format == FLOAT_F32)
        in = bits_of(&b, in);
    if (in->type->kind == TYPE_COMPLEX || (to->kind == TYPE_COMPLEX && to->elem->format != FLOAT_F32))
        return; /* 128 bits: no integer has them; refused by name later */
    if (in->type != i64 && in->type != to)
        in = vmc_build1(&b, "arith.bitcast", i64, 1, &in);
    if (to->kind == TYPE_COMPLEX)
        in = of_bits(&b, in, to);
    else if (to != i64)
        in = vmc_build1(&b, "arith.bitcast", to, 1, &in);
    replace_by(op, in);
}

static void expand(Context *ctx, Op *op)
{
    if (vmc_is(op, "complex.bitcast")) {
        expand_bitcast(ctx, op);
        return;
    }
    const Type *type = vmc_operand(op, 0)->type;
    if (type->kind != TYPE_COMPLEX || !is_part(type->elem))
        return; /* refused by name later */
    if (vmc_is(op, "complex.abs")) {
        expand_modulus(ctx, op, type->elem);
        return;
    }
    if (vmc_is(op, "complex.angle")) {
        expand_angle(ctx, op, type->elem);
        return;
    }
    if (vmc_is(op, "complex.powi")) {
        const Type *exponent = vmc_operand(op, 1)->type;
        if (exponent->kind == TYPE_INT && exponent->width > 64)
            return;
        expand_integer_power(ctx, op, type->elem);
        return;
    }
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        const Rule *rule = &rules[i];
        if (!vmc_is(op, rule->name))
            continue;
        Maker m = maker_of(ctx, op, type->elem, rule->narrow);
        Parts a = parts_of(&m, vmc_operand(op, 0));
        replace_by(op, complex_of(&m, rule->unary ? rule->unary(&m, a) : rule->binary(&m, a, parts_of(&m, vmc_operand(op, 1)))));
        return;
    }
}

typedef VEC(Op *) Ops;

typedef struct Collector {
    Arena *arena;
    Ops ops;
} Collector;

static bool collect(Op *op, void *user)
{
    Collector *c = user;
    if (strncmp(op->name, "complex.", 8) == 0 && op->def && op->noperands)
        VEC_PUSH(c->arena, &c->ops, op);
    return true;
}

bool vmc_pass_expand_complex(PassContext *pc)
{
    Collector c = {.arena = &pc->ctx->arena};
    vmc_walk(pc->ctx->module, collect, &c);
    for (size_t i = 0; i < c.ops.n; i++)
        expand(pc->ctx, c.ops.at[i]);
    return true;
}
