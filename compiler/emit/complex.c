/* Selection of complex arithmetic: two slots a value, each part by the float rows.
 *
 * Products are (ac - bd) + (ad + bc)i with each operation rounded once.  Quotients are Smith's: the parts are scaled by the
 * smaller over the larger part of the divisor, so that squares do not overflow; where the divisor is zero the parts are
 * divided by its real part's zero.  The functions follow their textbook formulas over the real ones.
 */
#include "select.h"

typedef struct Complex {
    Reg re, im;
} Complex;

static bool complex_slot(Fn *f, const Op *op, const Type *type, Slot *slot)
{
    if (type->kind == TYPE_COMPLEX && vmc_slot(type->elem, slot) && slot->is_float && !slot->is_small)
        return true;
    Text text = {.arena = f->arena};
    vmc_print_type(&text, type);
    vmc_fail(f, op, "on values of type %s", text.at);
    return false;
}

static Complex get(Fn *f, Value *value)
{
    Val *v = vmc_get(f, value);
    if (v->kind != VAL_COMPLEX)
        return (Complex){vmc_use(f, vmc_num(0)), vmc_use(f, vmc_num(0))};
    return (Complex){vmc_use(f, v->num[0]), vmc_use(f, v->num[1])};
}

static void set(Fn *f, Op *op, Complex z)
{
    Val *v = ARENA_NEW(f->arena, Val);
    v->kind = VAL_COMPLEX;
    v->num[0] = vmc_num_reg(z.re);
    v->num[1] = vmc_num_reg(z.im);
    vmc_set(f, &op->results[0], v);
}

static Reg op2(Fn *f, unsigned row, unsigned e, Reg a, Reg b)
{
    Reg out = vmc_reg(f, BANK_SCALAR);
    vmc_insn(f, row, e, REGS(out, a, b), NULL);
    return out;
}

static Reg op1(Fn *f, unsigned row, unsigned e, Reg a)
{
    return op2(f, row, e, a, 0);
}

/* A small integer as a float of the type. */
static Reg number(Fn *f, unsigned e, int64_t n)
{
    return vmc_convert(f, ROW(sitof), BVM_I64, e, vmc_use(f, vmc_num(n)), false);
}

static Complex multiply(Fn *f, unsigned e, Complex a, Complex b)
{
    Complex out;
    out.re = op2(f, ROW(subf), e, op2(f, ROW(mulf), e, a.re, b.re), op2(f, ROW(mulf), e, a.im, b.im));
    out.im = op2(f, ROW(addf), e, op2(f, ROW(mulf), e, a.re, b.im), op2(f, ROW(mulf), e, a.im, b.re));
    return out;
}

static Reg choose(Fn *f, unsigned e, Reg c, Reg a, Reg b)
{
    Reg out = vmc_reg(f, BANK_SCALAR);
    vmc_insn(f, ROW(select), e, REGS(out, c, a, b), NULL);
    return out;
}

static Complex divide(Fn *f, unsigned e, Complex a, Complex b)
{
    /* With |re| >= |im|: r = im / re, d = re + im r, ((a.re + a.im r) / d, (a.im - a.re r) / d); else the parts change roles. */
    Reg wide = op2(f, ROW(cmpf_oge), e, op1(f, ROW(absf), e, b.re), op1(f, ROW(absf), e, b.im));
    Reg big = choose(f, e, wide, b.re, b.im), small = choose(f, e, wide, b.im, b.re);
    Reg x = choose(f, e, wide, a.re, a.im), y = choose(f, e, wide, a.im, a.re);
    Reg r = op2(f, ROW(divf), e, small, big), d = op2(f, ROW(addf), e, big, op2(f, ROW(mulf), e, small, r));
    Reg re = op2(f, ROW(divf), e, op2(f, ROW(addf), e, x, op2(f, ROW(mulf), e, y, r)), d);
    Reg im = op2(f, ROW(divf), e, op2(f, ROW(subf), e, y, op2(f, ROW(mulf), e, x, r)), d);
    im = choose(f, e, wide, im, op1(f, ROW(negf), e, im));
    Reg zero = op2(f, ROW(cmpf_oeq), e, big, vmc_use(f, vmc_num(0)));
    return (Complex){choose(f, e, zero, op2(f, ROW(divf), e, a.re, b.re), re),
                     choose(f, e, zero, op2(f, ROW(divf), e, a.im, b.re), im)};
}

static void emit_create(Fn *f, Op *op)
{
    set(f, op, (Complex){vmc_get_reg(f, vmc_operand(op, 0)), vmc_get_reg(f, vmc_operand(op, 1))});
}
static void emit_re(Fn *f, Op *op)
{
    vmc_set_scalar(f, op, 0, vmc_num_reg(get(f, vmc_operand(op, 0)).re));
}
static void emit_im(Fn *f, Op *op)
{
    vmc_set_scalar(f, op, 0, vmc_num_reg(get(f, vmc_operand(op, 0)).im));
}

static void emit_arithmetic(Fn *f, Op *op)
{
    Slot slot;
    if (!complex_slot(f, op, op->results[0].type, &slot))
        return;
    unsigned e = slot.etype;
    Complex a = get(f, vmc_operand(op, 0)), b = op->noperands > 1 ? get(f, vmc_operand(op, 1)) : a;
    if (vmc_is(op, "complex.add"))
        set(f, op, (Complex){op2(f, ROW(addf), e, a.re, b.re), op2(f, ROW(addf), e, a.im, b.im)});
    else if (vmc_is(op, "complex.sub"))
        set(f, op, (Complex){op2(f, ROW(subf), e, a.re, b.re), op2(f, ROW(subf), e, a.im, b.im)});
    else if (vmc_is(op, "complex.mul"))
        set(f, op, multiply(f, e, a, b));
    else if (vmc_is(op, "complex.div"))
        set(f, op, divide(f, e, a, b));
    else if (vmc_is(op, "complex.neg"))
        set(f, op, (Complex){op1(f, ROW(negf), e, a.re), op1(f, ROW(negf), e, a.im)});
    else
        set(f, op, (Complex){a.re, op1(f, ROW(negf), e, a.im)});
}

static void emit_equal(Fn *f, Op *op)
{
    Slot slot;
    if (!complex_slot(f, op, vmc_operand(op, 0)->type, &slot))
        return;
    Complex a = get(f, vmc_operand(op, 0)), b = get(f, vmc_operand(op, 1));
    bool equal = vmc_is(op, "complex.eq");
    unsigned row = equal ? ROW(cmpf_oeq) : ROW(cmpf_une);
    Reg re = op2(f, row, slot.etype, a.re, b.re), im = op2(f, row, slot.etype, a.im, b.im);
    vmc_set_scalar(f, op, 0, vmc_num_reg(op2(f, equal ? ROW(andi) : ROW(ori), BVM_I8, re, im)));
}

/* Larger part times sqrt(1 + q^2), q the smaller over the larger; an infinite part gives infinity even beside a NaN. */
static Reg modulus(Fn *f, unsigned e, Complex z)
{
    Reg a = op1(f, ROW(absf), e, z.re), b = op1(f, ROW(absf), e, z.im);
    Reg big = op2(f, ROW(maximumf), e, a, b), small = op2(f, ROW(minimumf), e, a, b), one = number(f, e, 1);
    Reg q = op2(f, ROW(divf), e, small, big);
    Reg m = op2(f, ROW(mulf), e, big, op1(f, ROW(sqrt), e, op2(f, ROW(addf), e, one, op2(f, ROW(mulf), e, q, q))));
    m = choose(f, e, op2(f, ROW(cmpf_oeq), e, big, vmc_use(f, vmc_num(0))), big, m);
    Reg infinite = op2(f, ROW(ori), BVM_I8, op1(f, ROW(isinf), e, a), op1(f, ROW(isinf), e, b));
    return choose(f, e, infinite, op2(f, ROW(maxnumf), e, a, b), m);
}

static Complex exponential(Fn *f, unsigned e, Complex z)
{
    Reg scale = op1(f, ROW(exp), e, z.re);
    Reg im = op2(f, ROW(mulf), e, scale, op1(f, ROW(sin), e, z.im));
    Reg real = op2(f, ROW(cmpf_oeq), e, z.im, vmc_use(f, vmc_num(0)));
    return (Complex){op2(f, ROW(mulf), e, scale, op1(f, ROW(cos), e, z.im)), choose(f, e, real, z.im, im)};
}

static Complex logarithm(Fn *f, unsigned e, Complex z)
{
    return (Complex){op1(f, ROW(log), e, modulus(f, e, z)), op2(f, ROW(atan2), e, z.im, z.re)};
}

/* t = sqrt((|re| + |z|) / 2): (t, im / 2t), or for re < 0 (|im| / 2t, t with im's sign). */
static Complex square_root(Fn *f, unsigned e, Complex z)
{
    Reg two = number(f, e, 2), zero = vmc_use(f, vmc_num(0));
    Reg t = op1(f, ROW(sqrt), e, op2(f, ROW(divf), e, op2(f, ROW(addf), e, op1(f, ROW(absf), e, z.re), modulus(f, e, z)), two));
    Reg other = op2(f, ROW(divf), e, op1(f, ROW(absf), e, z.im), op2(f, ROW(mulf), e, two, t));
    Reg none = op2(f, ROW(cmpf_oeq), e, t, zero);
    other = choose(f, e, none, zero, other);
    Reg negative = op2(f, ROW(cmpf_olt), e, z.re, zero);
    Complex out = {choose(f, e, negative, other, t), choose(f, e, negative, t, other)};
    out.im = op2(f, ROW(copysign), e, out.im, z.im);
    return out;
}

static void emit_function(Fn *f, Op *op)
{
    Slot slot;
    if (!complex_slot(f, op, op->results[0].type, &slot))
        return;
    unsigned e = slot.etype;
    Complex z = get(f, vmc_operand(op, 0));
    if (vmc_is(op, "complex.exp")) {
        set(f, op, exponential(f, e, z));
    } else if (vmc_is(op, "complex.log")) {
        set(f, op, logarithm(f, e, z));
    } else if (vmc_is(op, "complex.sqrt")) {
        set(f, op, square_root(f, e, z));
    } else if (vmc_is(op, "complex.pow")) {
        set(f, op, exponential(f, e, multiply(f, e, get(f, vmc_operand(op, 1)), logarithm(f, e, z))));
    } else { /* sin: (sin x cosh y, cos x sinh y); cos: (cos x cosh y, -sin x sinh y) */
        bool sine = vmc_is(op, "complex.sin");
        Reg ch = op1(f, ROW(cosh), e, z.im), sh = op1(f, ROW(sinh), e, z.im);
        Reg re = op2(f, ROW(mulf), e, op1(f, sine ? ROW(sin) : ROW(cos), e, z.re), ch);
        Reg im = op2(f, ROW(mulf), e, op1(f, sine ? ROW(cos) : ROW(sin), e, z.re), sh);
        set(f, op, (Complex){re, sine ? im : op1(f, ROW(negf), e, im)});
    }
}

static void emit_real_function(Fn *f, Op *op)
{
    Slot slot;
    if (!complex_slot(f, op, vmc_operand(op, 0)->type, &slot))
        return;
    Complex z = get(f, vmc_operand(op, 0));
    Reg out = vmc_is(op, "complex.abs") ? modulus(f, slot.etype, z) : op2(f, ROW(atan2), slot.etype, z.im, z.re);
    vmc_set_scalar(f, op, 0, vmc_num_reg(out));
}

const EmitRow vmc_complex_rows[] = {
    {"complex.create", emit_create},
    {"complex.re", emit_re},
    {"complex.im", emit_im},
    {"complex.add", emit_arithmetic},
    {"complex.sub", emit_arithmetic},
    {"complex.mul", emit_arithmetic},
    {"complex.div", emit_arithmetic},
    {"complex.neg", emit_arithmetic},
    {"complex.conj", emit_arithmetic},
    {"complex.eq", emit_equal},
    {"complex.neq", emit_equal},
    {"complex.abs", emit_real_function},
    {"complex.angle", emit_real_function},
    {"complex.exp", emit_function},
    {"complex.log", emit_function},
    {"complex.sqrt", emit_function},
    {"complex.pow", emit_function},
    {"complex.sin", emit_function},
    {"complex.cos", emit_function},
    {NULL, NULL},
};
