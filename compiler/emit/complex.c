/* Selection of complex arithmetic: two slots a value, each part by the float rows.  Products, quotients and functions have been
 * expanded on their parts (passes/expand_complex.c).
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

const EmitRow vmc_complex_rows[] = {
    {"complex.create", emit_create},   {"complex.re", emit_re},
    {"complex.im", emit_im},           {"complex.add", emit_arithmetic},
    {"complex.sub", emit_arithmetic},  {"complex.neg", emit_arithmetic},
    {"complex.conj", emit_arithmetic}, {"complex.eq", emit_equal},
    {"complex.neq", emit_equal},       {NULL, NULL},
};
