/* Selection of scalar arithmetic: arith, math, index and the constants.
 *
 * An op whose row names an opcodes.def row (hooks.numeric) needs nothing here.  Widths that have no row are computed on
 * the next wider one, or on 64 bits where the upper bits decide, with operands and results brought to slot form, so that
 * results equal num_eval_int of that width.  Floats without arithmetic of their own are computed in f32 (fma in f64).
 */
#include "select.h"

#include "../../vm/numeric/numeric.h"

/* ---- slots ----------------------------------------------------------------- */

Reg vmc_sext(Fn *f, Reg r, unsigned width)
{
    Reg out = vmc_reg(f, BANK_SCALAR);
    vmc_insn(f, ROW(sext), BVM_NONE, REGS(out, r, width), NULL);
    return out;
}

Reg vmc_zext(Fn *f, Reg r, unsigned width)
{
    Reg out = vmc_reg(f, BANK_SCALAR);
    vmc_insn(f, ROW(zext), BVM_NONE, REGS(out, r, width), NULL);
    return out;
}

Reg vmc_normalise(Fn *f, Reg r, unsigned width)
{
    if (width == 64)
        return r;
    return width == 1 ? vmc_zext(f, r, 1) : vmc_sext(f, r, width);
}

static Reg result2(Fn *f, unsigned row, unsigned etype, Reg a, Reg b)
{
    Reg out = vmc_reg(f, BANK_SCALAR);
    vmc_insn(f, row, etype, REGS(out, a, b), NULL);
    return out;
}

Reg vmc_convert(Fn *f, unsigned row, unsigned from, unsigned to, Reg a, bool nan_flag)
{
    Reg out = vmc_reg(f, BANK_SCALAR);
    vmc_insn(f, row, from, REGS(out, a, to), NULL)->nan_flag = nan_flag;
    return out;
}

static bool scalar_slot(Fn *f, const Op *op, const Type *type, Slot *out)
{
    if (vmc_slot(type, out))
        return true;
    Text text = {.arena = f->arena};
    vmc_print_type(&text, type);
    vmc_fail(f, op, "on values of type %s", text.at);
    return false;
}

/* ---- what is known of results --------------------------------------------------- */

static void type_range(Num *n, const Slot *slot)
{
    if (slot->is_float || slot->width == 64)
        return;
    int64_t half = INT64_C(1) << (slot->width - 1);
    int64_t lo = slot->width == 1 ? 0 : -half, hi = slot->width == 1 ? 1 : half - 1;
    n->lo = n->lo < lo ? lo : n->lo;
    n->hi = n->hi > hi ? hi : n->hi;
}

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}
static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* Range of a 64-bit result; everything else keeps that of its type. */
static void result_range(unsigned row, Num *out, Num a, Num b)
{
    bool positive = a.lo >= 0, by_constant = b.is_const && b.c > 0;
    switch (row) {
    case ROW(minsi):
        out->lo = smaller(a.lo, b.lo);
        out->hi = smaller(a.hi, b.hi);
        out->below = a.below ? a.below : b.below;
        break;
    case ROW(maxsi):
        out->lo = larger(a.lo, b.lo);
        out->hi = larger(a.hi, b.hi);
        out->below = a.below == b.below ? a.below : 0;
        break;
    case ROW(divsi):
    case ROW(divui):
    case ROW(floordivsi):
        if (positive && by_constant) {
            out->lo = a.lo / b.c;
            out->hi = a.hi / b.c;
            out->below = a.below;
        }
        break;
    case ROW(remsi):
    case ROW(remui):
        if (positive && by_constant) {
            out->lo = 0;
            out->hi = smaller(a.hi, b.c - 1);
            out->below = a.below;
        }
        break;
    case ROW(andi):
        if (b.is_const && b.c >= 0) {
            out->lo = 0;
            out->hi = b.c;
        }
        break;
    case ROW(shrui):
    case ROW(shrsi):
        if (positive && b.is_const && b.c >= 0 && b.c < 64) {
            out->lo = a.lo >> b.c;
            out->hi = a.hi >> b.c;
            out->below = a.below;
        }
        break;
    default:
        break;
    }
}

/* ---- integers of any width ----------------------------------------------------------- */

static bool is_native(unsigned width)
{
    return width == 8 || width == 16 || width == 32 || width == 64;
}

static Reg high_half(Fn *f, unsigned width, Reg a, Reg b, bool is_signed)
{
    Reg low = result2(f, ROW(muli), BVM_I64, a, b), high = result2(f, is_signed ? ROW(mulhsi) : ROW(mulhui), BVM_I64, a, b);
    Reg down = result2(f, ROW(shrui), BVM_I64, low, vmc_use(f, vmc_num(width)));
    Reg up = result2(f, ROW(shli), BVM_I64, high, vmc_use(f, vmc_num(64 - (int64_t)width)));
    return result2(f, ROW(ori), BVM_I64, down, up);
}

/* By the row's width rule (opcodes.def).  `b` is 0 for rows of one operand. */
static Reg odd_width(Fn *f, unsigned row, const Slot *slot, Reg a, Reg b)
{
    unsigned width = slot->width, wide = width <= 8 ? BVM_I8 : slot->etype;
    Reg r = 0;
    switch (bvm_ops[row].width_rule) {
    case 'l':
        r = result2(f, row, wide, a, b);
        break;
    case 'b':
        return result2(f, row, wide, a, b);
    default:
        a = width == 1 ? vmc_sext(f, a, 1) : a;
        b = width == 1 && b ? vmc_sext(f, b, 1) : b;
        r = result2(f, row, wide, a, b);
        break;
    case 'u':
        a = vmc_zext(f, a, width);
        b = b ? vmc_zext(f, b, width) : b;
        r = result2(f, row, BVM_I64, a, b);
        break;
    case 'S':
        a = width == 1 ? vmc_sext(f, a, 1) : a;
        r = result2(f, row, BVM_I64, a, vmc_zext(f, b, width));
        break;
    case 'U':
        r = result2(f, row, BVM_I64, vmc_zext(f, a, width), vmc_zext(f, b, width));
        break;
    case 'H':
        r = width == 1 ? high_half(f, 1, vmc_sext(f, a, 1), vmc_sext(f, b, 1), true) : high_half(f, width, a, b, true);
        break;
    case 'h':
        r = high_half(f, width, vmc_zext(f, a, width), vmc_zext(f, b, width), false);
        break;
    case 'z': {
        Reg n = result2(f, ROW(ctlz), BVM_I64, vmc_zext(f, a, width), 0);
        r = vmc_use(f, vmc_add(f, vmc_num_reg(n), vmc_num((int64_t)width - 64)));
        break;
    }
    case 't': {
        Reg stop = vmc_use(f, vmc_num((int64_t)(UINT64_C(1) << width)));
        r = result2(f, ROW(cttz), BVM_I64, result2(f, ROW(ori), BVM_I64, vmc_zext(f, a, width), stop), 0);
        break;
    }
    }
    return vmc_normalise(f, r, width);
}

static Reg integer_op(Fn *f, unsigned row, const Slot *slot, Reg a, Reg b)
{
    return is_native(slot->width) ? result2(f, row, slot->etype, a, b) : odd_width(f, row, slot, a, b);
}

static void emit_integer(Fn *f, Op *op, unsigned row, const Slot *slot)
{
    Num a = vmc_get_num(f, vmc_operand(op, 0)), b = op->noperands > 1 ? vmc_get_num(f, vmc_operand(op, 1)) : vmc_num(0), out;
    if (slot->width == 64 && row == ROW(addi)) {
        out = vmc_add(f, a, b);
    } else if (slot->width == 64 && row == ROW(muli)) {
        out = vmc_mul(f, a, b);
    } else if (slot->width == 64 && row == ROW(subi) && b.is_const && b.c != INT64_MIN) {
        out = vmc_add(f, a, vmc_num(-b.c));
    } else {
        out = vmc_num_reg(integer_op(f, row, slot, vmc_use(f, a), op->noperands > 1 ? vmc_use(f, b) : 0));
        if (slot->width > 1)
            result_range(row, &out, a, b);
        type_range(&out, slot);
        if (row == ROW(subi) && slot->width == 64 && a.lo >= 0 && b.lo >= 0) {
            out.lo = -b.hi;
            out.hi = a.hi;
        }
    }
    vmc_set_scalar(f, op, 0, out);
}

/* ---- floats --------------------------------------------------------------------------------- */

/* A NaN of this value is only seen by ops whose result does not depend on its sign and payload. */
bool vmc_nan_invisible(const Value *value)
{
    for (const Use *use = value->uses; use; use = use->next) {
        int row = vmc_numeric_row(use->owner);
        bool arithmetic = (row >= (int)ROW(addf) && row <= (int)ROW(fpowi)) || /* compares are among them */
                          row == (int)ROW(fconv) || row == (int)ROW(ftosi) || row == (int)ROW(ftoui);
        if (!arithmetic || row == (int)ROW(negf) || row == (int)ROW(absf) || row == (int)ROW(copysign))
            return false;
    }
    return true;
}

static Reg to_format(Fn *f, const Slot *slot, unsigned etype, Reg a)
{
    return slot->etype == etype ? a : vmc_convert(f, ROW(fconv), slot->etype, etype, a, false);
}

static void emit_float(Fn *f, Op *op, unsigned row, const Slot *slot, const Slot *result)
{
    unsigned etype = !slot->is_small ? slot->etype : row == ROW(fma) ? BVM_F64 : BVM_F32;
    Reg in[3] = {0, 0, 0};
    for (uint32_t i = 0; i < op->noperands && i < 3; i++)
        in[i] = to_format(f, slot, etype, vmc_get_reg(f, vmc_operand(op, i)));
    Reg out = vmc_reg(f, BANK_SCALAR);
    Insn *insn = vmc_insn(f, row, etype, REGS(out, in[0], in[1], in[2]), NULL);
    if (result->is_float && !slot->is_small)
        insn->nan_flag = vmc_nan_invisible(&op->results[0]);
    if (result->is_float && slot->is_small)
        out = vmc_convert(f, ROW(fconv), etype, slot->etype, out, false);
    Num n = vmc_num_reg(out);
    type_range(&n, result);
    vmc_set_scalar(f, op, 0, n);
}

/* x^n with an exponent that does not fit the row's i32: |x|^n by powf, with x's sign where n is odd. */
static Reg wide_power(Fn *f, unsigned etype, Reg x, Reg n, Reg narrow)
{
    Reg in_range = result2(f, ROW(cmpi_eq), BVM_I64, vmc_sext(f, n, 32), n);
    Reg magnitude =
        result2(f, ROW(powf), etype, result2(f, ROW(absf), etype, x, 0), vmc_convert(f, ROW(sitof), BVM_I64, etype, n, false));
    Reg odd = vmc_zext(f, n, 1), by_parity = vmc_reg(f, BANK_SCALAR), out = vmc_reg(f, BANK_SCALAR);
    vmc_insn(f, ROW(select), etype, REGS(by_parity, odd, result2(f, ROW(copysign), etype, magnitude, x), magnitude), NULL);
    vmc_insn(f, ROW(select), etype, REGS(out, in_range, narrow, by_parity), NULL);
    return out;
}

static void emit_fpowi(Fn *f, Op *op, const Slot *base)
{
    Slot exponent;
    if (!scalar_slot(f, op, vmc_operand(op, 1)->type, &exponent))
        return;
    unsigned etype = base->is_small ? BVM_F32 : base->etype;
    Reg x = to_format(f, base, etype, vmc_get_reg(f, vmc_operand(op, 0))), n = vmc_get_reg(f, vmc_operand(op, 1));
    n = exponent.width == 1 ? vmc_sext(f, n, 1) : n;
    Reg out = result2(f, ROW(fpowi), etype, x, n);
    if (exponent.width > 32)
        out = wide_power(f, etype, x, n, out);
    if (base->is_small)
        out = vmc_convert(f, ROW(fconv), etype, base->etype, out, false);
    vmc_set_scalar(f, op, 0, vmc_num_reg(out));
}

/* ---- conversions -------------------------------------------------------------------------------- */

static Num convert_integer(Fn *f, unsigned row, const Slot *from, const Slot *to, Num a)
{
    if (a.is_const) {
        uint64_t v = row == ROW(exts) ? (uint64_t)num_sext((uint64_t)a.c, from->width) : num_zext((uint64_t)a.c, from->width);
        return vmc_num(to->width == 1 ? (int64_t)(v & 1) : num_sext(v, to->width));
    }
    Reg r = a.r;
    bool widen = to->width > from->width;
    if (!widen)
        r = to->width == from->width ? r : vmc_normalise(f, r, to->width);
    else if (row == ROW(extu))
        r = from->width == 1 ? r : vmc_zext(f, r, from->width);
    else
        r = from->width == 1 ? vmc_sext(f, r, 1) : r;
    Num out = vmc_num_reg(r);
    type_range(&out, to);
    bool keeps = widen ? row == ROW(exts) ? from->width > 1 : a.lo >= 0 : a.lo >= out.lo && a.hi <= out.hi;
    if (keeps || to->width == from->width)
        return (Num){.r = r, .lo = a.lo, .hi = a.hi, .below = a.below};
    if (widen && row == ROW(extu)) {
        out.lo = 0;
        out.hi = (INT64_C(1) << from->width) - 1;
    } else if (widen) {
        out.lo = -1;
        out.hi = 0;
    }
    return out;
}

static unsigned rounding_mode(const Op *op)
{
    int64_t mode = 0;
    return vmc_get_int(op, "roundingmode", &mode) && mode > 0 && mode <= 4 ? (unsigned)mode : 0;
}

static void emit_conversion(Fn *f, Op *op, unsigned row, const Slot *from, const Slot *to)
{
    Num a = vmc_get_num(f, vmc_operand(op, 0)), out;
    unsigned mode = rounding_mode(op);
    switch (row) {
    case ROW(exts):
    case ROW(extu):
        out = convert_integer(f, row, from, to, a);
        break;
    case ROW(fconv):
        if (from->etype == to->etype) {
            out = a;
        } else if (mode) {
            Reg r = vmc_reg(f, BANK_SCALAR);
            vmc_insn(f, ROW(fconv_round), from->etype, REGS(r, vmc_use(f, a), to->etype, mode), NULL);
            out = vmc_num_reg(r);
        } else {
            out = vmc_num_reg(
                vmc_convert(f, row, from->etype, to->etype, vmc_use(f, a), !from->is_small && vmc_nan_invisible(&op->results[0])));
        }
        break;
    case ROW(sitof):
    case ROW(uitof): {
        Reg r = vmc_use(f, a);
        if (row == ROW(uitof) && from->width > 1 && !is_native(from->width))
            r = vmc_zext(f, r, from->width);
        out = vmc_num_reg(vmc_convert(f, row, from->etype, to->etype, r, false));
        break;
    }
    default: { /* ftosi, ftoui */
        Reg r = vmc_use(f, a);
        if (is_native(to->width)) {
            r = vmc_convert(f, row, from->etype, to->etype, r, false);
        } else {
            r = vmc_convert(f, row == ROW(ftosi) ? ROW(ftosi_width) : ROW(ftoui_width), from->etype, to->width, r, false);
            r = to->width == 1 ? vmc_zext(f, r, 1) : r;
        }
        out = vmc_num_reg(r);
        type_range(&out, to);
        break;
    }
    }
    vmc_set_scalar(f, op, 0, out);
}

/* ---- compare and select ----------------------------------------------------------------------------- */

static const char *predicate_name(const Op *op)
{
    const Attr *a = vmc_get_attr(op, "predicate");
    const char *name = "cmpi_predicate";
    if (vmc_is(op, "arith.cmpf"))
        name = "cmpf_predicate";
    if (!a) {
        a = vmc_get_attr(op, "pred");
        name = "index_predicate";
    }
    if (!a)
        return NULL;
    if (a->kind == ATTR_INT)
        return vmc_enum_name(vmc_find_enum(name), a->i);
    if (a->kind != ATTR_OPAQUE && a->kind != ATTR_STRING)
        return NULL;
    const EnumDef *def = vmc_find_enum(name);
    for (uint32_t i = 0; def && i < def->n; i++) { /* #index<cmp_predicate slt> */
        const char *at = strstr(a->s, def->cases[i].name);
        size_t n = strlen(def->cases[i].name);
        if (at && (at == a->s || at[-1] == ' ') && (at[n] == '\0' || at[n] == '>' || at[n] == ')'))
            return def->cases[i].name;
    }
    return NULL;
}

int vmc_compare_row(const Op *op, bool *swap)
{
    const char *predicate = predicate_name(op);
    char name[32];
    *swap = false;
    if (!predicate || strlen(predicate) > 8)
        return -1;
    size_t n = 0;
    for (const char *p = vmc_is(op, "arith.cmpf") ? "cmpf_" : "cmpi_"; *p; p++)
        name[n++] = *p;
    for (const char *p = predicate; *p; p++)
        name[n++] = *p;
    const Type *type = vmc_operand(op, 0)->type;
    /* i1 is 0 or 1 and means 0 or -1: signed order is the other way round. */
    if (type->kind == TYPE_INT && type->width == 1 && predicate[0] == 's')
        *swap = true;
    return bvm_op_by_name(name, n);
}

static void emit_compare(Fn *f, Op *op)
{
    Slot slot;
    bool swap = false;
    const char *predicate = predicate_name(op);
    if (!scalar_slot(f, op, vmc_operand(op, 0)->type, &slot))
        return;
    vmc_report_promises(f, op, false);
    int row = vmc_compare_row(op, &swap);
    if (row < 0) {
        if (predicate && (strcmp(predicate, "false") == 0 || strcmp(predicate, "true") == 0))
            vmc_set_scalar(f, op, 0, vmc_num(predicate[0] == 't'));
        else
            vmc_fail(f, op, "unknown predicate");
        return;
    }
    if (!slot.is_float && vmc_same(vmc_get_num(f, vmc_operand(op, 0)), vmc_get_num(f, vmc_operand(op, 1)))) {
        bool holds = row == (int)ROW(cmpi_eq) || row == (int)ROW(cmpi_sle) || row == (int)ROW(cmpi_sge) ||
                     row == (int)ROW(cmpi_ule) || row == (int)ROW(cmpi_uge);
        vmc_set_scalar(f, op, 0, vmc_num(holds)); /* sizes of memrefs that are one register, mostly */
        return;
    }
    Reg a = vmc_get_reg(f, vmc_operand(op, swap)), b = vmc_get_reg(f, vmc_operand(op, !swap));
    unsigned etype = slot.etype == BVM_I1 ? BVM_I8 : slot.etype;
    if (slot.is_small) {
        a = to_format(f, &slot, BVM_F32, a);
        b = to_format(f, &slot, BVM_F32, b);
        etype = BVM_F32;
    }
    Num out = vmc_num_reg(result2(f, (unsigned)row, etype, a, b));
    out.lo = 0;
    out.hi = 1;
    vmc_set_scalar(f, op, 0, out);
}

static Num select_num(Fn *f, Reg condition, unsigned etype, Num a, Num b)
{
    Reg out = vmc_reg(f, BANK_SCALAR);
    vmc_insn(f, ROW(select), etype, REGS(out, condition, vmc_use(f, a), vmc_use(f, b)), NULL);
    Num n = vmc_num_reg(out);
    n.lo = smaller(a.lo, b.lo);
    n.hi = larger(a.hi, b.hi);
    n.below = a.below == b.below ? a.below : 0;
    return n;
}

/* Memrefs: the fields of one or the other. */
static void select_by_branch(Fn *f, Op *op)
{
    Val *out = vmc_new_val(f, op->results[0].type);
    if (!out)
        return;
    Label other = vmc_label(f), end = vmc_label(f);
    vmc_insn(f, ROW(jz), BVM_NONE, REGS(vmc_get_reg(f, vmc_operand(op, 0))), WIDE(other));
    vmc_copy_val(f, &f->copies, out, vmc_get(f, vmc_operand(op, 1)));
    vmc_parallel_copy(f, &f->copies);
    vmc_jump(f, end);
    vmc_place(f, other);
    vmc_copy_val(f, &f->copies, out, vmc_get(f, vmc_operand(op, 2)));
    vmc_parallel_copy(f, &f->copies);
    vmc_place(f, end);
    vmc_set(f, &op->results[0], out);
}

static void emit_select(Fn *f, Op *op)
{
    const Type *type = op->results[0].type, *condition = vmc_operand(op, 0)->type;
    Slot slot;
    if (condition->kind != TYPE_INT) {
        vmc_fail(f, op, "on vector values");
        return;
    }
    if (type->kind == TYPE_MEMREF || type->kind == TYPE_UNRANKED_MEMREF) {
        select_by_branch(f, op);
        return;
    }
    Val *a = vmc_get(f, vmc_operand(op, 1)), *b = vmc_get(f, vmc_operand(op, 2));
    Reg c = vmc_get_reg(f, vmc_operand(op, 0));
    if (type->kind == TYPE_COMPLEX && vmc_slot(type->elem, &slot) && a->kind == VAL_COMPLEX && b->kind == VAL_COMPLEX) {
        Val *out = ARENA_NEW(f->arena, Val);
        out->kind = VAL_COMPLEX;
        out->num[0] = select_num(f, c, slot.etype, a->num[0], b->num[0]);
        out->num[1] = select_num(f, c, slot.etype, a->num[1], b->num[1]);
        vmc_set(f, &op->results[0], out);
    } else if (type->kind == TYPE_FUNCTION) {
        vmc_set_scalar(f, op, 0, select_num(f, c, BVM_I64, a->num[0], b->num[0]));
    } else if (scalar_slot(f, op, type, &slot)) {
        vmc_set_scalar(f, op, 0, select_num(f, c, slot.is_small ? BVM_I8 : slot.etype, a->num[0], b->num[0]));
    }
}

void vmc_emit_numeric(Fn *f, Op *op)
{
    Slot from, to;
    int row = vmc_numeric_row(op);
    if (row < 0) {
        vmc_fail(f, op, "the instruction set has no '%s'", op->def->hooks.numeric);
        return;
    }
    if (!op->noperands || !op->nresults || !scalar_slot(f, op, vmc_operand(op, 0)->type, &from) ||
        !scalar_slot(f, op, op->results[0].type, &to))
        return;
    vmc_report_promises(f, op, false);
    char form = bvm_ops[row].form;
    if (form == 'x')
        emit_conversion(f, op, (unsigned)row, &from, &to);
    else if (form == 'e')
        emit_fpowi(f, op, &from);
    else if (from.is_float)
        emit_float(f, op, (unsigned)row, &from, &to);
    else
        emit_integer(f, op, (unsigned)row, &from);
    if (!f->failed)
        vmc_report_promises(f, op, true);
}

/* ---- ops of their own --------------------------------------------------------------------------------- */

static Num attr_num(const Attr *a, const Slot *slot)
{
    uint64_t bits = (uint64_t)a->i;
    if (slot->is_float)
        return vmc_num((int64_t)num_zext(bits, slot->width));
    return vmc_num(slot->width == 1 ? (int64_t)(bits & 1) : num_sext(bits, slot->width));
}

static void emit_constant(Fn *f, Op *op)
{
    const Attr *a = vmc_get_attr(op, "value");
    const Type *type = op->results[0].type;
    Slot slot;
    if (a && type->kind == TYPE_COMPLEX && a->kind == ATTR_ARRAY && a->n == 2 && vmc_slot(type->elem, &slot)) {
        Val *out = ARENA_NEW(f->arena, Val);
        out->kind = VAL_COMPLEX;
        out->num[0] = attr_num(a->elems[0], &slot);
        out->num[1] = attr_num(a->elems[1], &slot);
        vmc_set(f, &op->results[0], out);
    } else if (a && (a->kind == ATTR_INT || a->kind == ATTR_FLOAT) && vmc_slot(type, &slot)) {
        vmc_set_scalar(f, op, 0, attr_num(a, &slot));
    } else {
        scalar_slot(f, op, type, &slot);
        if (!f->failed)
            vmc_fail(f, op, "its value is neither a number nor a boolean");
    }
}

static void emit_sizeof(Fn *f, Op *op)
{
    vmc_set_scalar(f, op, 0, vmc_num(64));
}

static void emit_poison(Fn *f, Op *op)
{
    const Type *type = op->results[0].type;
    Slot slot;
    if (vmc_slot(type, &slot)) {
        vmc_set_scalar(f, op, 0, vmc_num(0));
        return;
    }
    Val *out = vmc_new_val(f, type);
    if (!out)
        return;
    if (out->kind == VAL_COMPLEX) {
        out->num[0] = out->num[1] = vmc_num(0);
    } else if (out->kind == VAL_VIEW) { /* a null buffer: every access is out of its bounds */
        View *v = out->view;
        v->offset = v->offset.is_const ? v->offset : vmc_num(0);
        for (uint32_t i = 0; i < v->rank; i++) {
            v->sizes[i] = v->sizes[i].is_const ? v->sizes[i] : vmc_num(0);
            v->strides[i] = v->strides[i].is_const ? v->strides[i] : vmc_num(0);
        }
    }
    vmc_set(f, &op->results[0], out);
}

static void emit_bitcast(Fn *f, Op *op)
{
    const Type *in = vmc_operand(op, 0)->type, *result = op->results[0].type;
    Slot from, to;
    if (in->kind == TYPE_MEMREF) {
        View *source = vmc_get_view(f, vmc_operand(op, 0));
        if (!source)
            return;
        View *view = vmc_arena_dup(f->arena, source, sizeof *source);
        view->elem = result->elem;
        vmc_set(f, &op->results[0], vmc_view_val(f, view));
        return;
    }
    if (!scalar_slot(f, op, in, &from) || !scalar_slot(f, op, result, &to))
        return;
    Num a = vmc_get_num(f, vmc_operand(op, 0));
    if (from.is_float == to.is_float || from.width == 64)
        vmc_set_scalar(f, op, 0, a);
    else if (to.is_float)
        vmc_set_scalar(f, op, 0, vmc_num_reg(vmc_zext(f, vmc_use(f, a), from.width)));
    else
        vmc_set_scalar(f, op, 0, vmc_num_reg(vmc_normalise(f, vmc_use(f, a), to.width)));
}

static void emit_extended(Fn *f, Op *op)
{
    Slot slot;
    if (!scalar_slot(f, op, vmc_operand(op, 0)->type, &slot))
        return;
    Reg a = vmc_get_reg(f, vmc_operand(op, 0)), b = vmc_get_reg(f, vmc_operand(op, 1));
    unsigned etype = slot.etype == BVM_I1 ? BVM_I8 : slot.etype;
    Num first, second;
    if (vmc_is(op, "arith.addui_extended")) {
        Reg sum = integer_op(f, ROW(addi), &slot, a, b);
        first = vmc_num_reg(sum);
        second = vmc_num_reg(result2(f, ROW(cmpi_ult), etype, sum, a));
    } else if (vmc_is(op, "arith.subui_extended")) {
        first = vmc_num_reg(integer_op(f, ROW(subi), &slot, a, b));
        second = vmc_num_reg(result2(f, ROW(cmpi_ult), etype, a, b));
    } else {
        first = vmc_num_reg(integer_op(f, ROW(muli), &slot, a, b));
        second = vmc_num_reg(integer_op(f, vmc_is(op, "arith.mulsi_extended") ? ROW(mulhsi) : ROW(mulhui), &slot, a, b));
    }
    vmc_set_scalar(f, op, 0, first);
    vmc_set_scalar(f, op, 1, second);
}

static void emit_sincos(Fn *f, Op *op)
{
    Slot slot;
    if (!scalar_slot(f, op, vmc_operand(op, 0)->type, &slot))
        return;
    unsigned etype = slot.is_small ? BVM_F32 : slot.etype;
    Reg x = to_format(f, &slot, etype, vmc_get_reg(f, vmc_operand(op, 0)));
    for (uint32_t i = 0; i < 2; i++) {
        Reg out = result2(f, i == 0 ? ROW(sin) : ROW(cos), etype, x, 0);
        vmc_set_scalar(f, op, i, vmc_num_reg(slot.is_small ? vmc_convert(f, ROW(fconv), etype, slot.etype, out, false) : out));
    }
}

/* clampf = min(max(value, min), max), as MLIR expands it. */
static void emit_clampf(Fn *f, Op *op)
{
    Slot slot;
    if (!scalar_slot(f, op, vmc_operand(op, 0)->type, &slot))
        return;
    unsigned etype = slot.is_small ? BVM_F32 : slot.etype;
    Reg v[3];
    for (uint32_t i = 0; i < 3; i++)
        v[i] = to_format(f, &slot, etype, vmc_get_reg(f, vmc_operand(op, i)));
    Reg out = result2(f, ROW(minimumf), etype, result2(f, ROW(maximumf), etype, v[0], v[1]), v[2]);
    vmc_set_scalar(f, op, 0, vmc_num_reg(slot.is_small ? vmc_convert(f, ROW(fconv), etype, slot.etype, out, false) : out));
}

/* ipowi by squaring; a negative exponent gives 1 / base^|n| in integers: 0 unless base is 1 or -1, and base 0 divides by zero. */
static void emit_ipowi(Fn *f, Op *op)
{
    Slot slot;
    if (!scalar_slot(f, op, vmc_operand(op, 0)->type, &slot))
        return;
    Reg base = vmc_get_reg(f, vmc_operand(op, 0)), n = vmc_get_reg(f, vmc_operand(op, 1));
    if (slot.width == 1) {
        base = vmc_sext(f, base, 1);
        n = vmc_sext(f, n, 1);
    }
    Reg zero = vmc_use(f, vmc_num(0)), one = vmc_use(f, vmc_num(1));
    Reg result = vmc_reg(f, BANK_SCALAR), square = vmc_reg(f, BANK_SCALAR), left = vmc_reg(f, BANK_SCALAR);
    Label loop = vmc_label(f), skip = vmc_label(f), done = vmc_label(f), positive = vmc_label(f);
    vmc_assign(f, square, vmc_num_reg(base));
    vmc_assign(f, left, vmc_num_reg(n));
    vmc_insn(f, ROW(jsge), BVM_I64, REGS(n, zero), WIDE(positive));
    vmc_insn(f, ROW(divsi), BVM_I64, REGS(square, one, base), NULL); /* 1, -1, 0, or the trap */
    vmc_insn(f, ROW(subi), BVM_I64, REGS(left, zero, n), NULL);
    vmc_place(f, positive);
    vmc_assign(f, result, vmc_num(1));
    vmc_place(f, loop);
    vmc_insn(f, ROW(jeq), BVM_I64, REGS(left, zero), WIDE(done));
    vmc_insn(f, ROW(jz), BVM_NONE, REGS(left), WIDE(skip));
    vmc_insn(f, ROW(muli), BVM_I64, REGS(result, result, square), NULL);
    vmc_place(f, skip);
    vmc_insn(f, ROW(muli), BVM_I64, REGS(square, square, square), NULL);
    vmc_insn(f, ROW(shrui), BVM_I64, REGS(left, left, one), NULL);
    vmc_jump(f, loop);
    vmc_place(f, done);
    vmc_set_scalar(f, op, 0, vmc_num_reg(vmc_normalise(f, result, slot.width)));
}

static void emit_identity(Fn *f, Op *op)
{
    for (uint32_t i = 0; i < op->nresults && i < op->noperands; i++)
        vmc_set(f, &op->results[i], vmc_get(f, vmc_operand(op, i)));
}

/* A cast between types that are one thing here (index and i64, ui8 and i8): the value itself. */
static void emit_unrealized(Fn *f, Op *op)
{
    if (op->noperands != op->nresults) {
        vmc_fail(f, op, "it joins or splits values");
        return;
    }
    for (uint32_t i = 0; i < op->nresults; i++) {
        const Type *in = vmc_operand(op, i)->type, *out = op->results[i].type;
        Slot a, b;
        bool alike = in == out || (vmc_slot(in, &a) && vmc_slot(out, &b) && a.etype == b.etype && a.width == b.width);
        if (!alike) {
            vmc_fail(f, op, "its types are not the same thing");
            return;
        }
    }
    emit_identity(f, op);
}

const EmitRow vmc_scalar_rows[] = {
    {"arith.constant", emit_constant},
    {"index.constant", emit_constant},
    {"index.bool.constant", emit_constant},
    {"complex.constant", emit_constant},
    {"index.sizeof", emit_sizeof},
    {"ub.poison", emit_poison},
    {"arith.cmpi", emit_compare},
    {"arith.cmpf", emit_compare},
    {"index.cmp", emit_compare},
    {"arith.select", emit_select},
    {"arith.bitcast", emit_bitcast},
    {"arith.addui_extended", emit_extended},
    {"arith.subui_extended", emit_extended},
    {"arith.mulsi_extended", emit_extended},
    {"arith.mului_extended", emit_extended},
    {"math.sincos", emit_sincos},
    {"math.clampf", emit_clampf},
    {"math.ipowi", emit_ipowi},
    {"util.optimization_barrier", emit_identity},
    {"util.unfoldable_constant", emit_constant},
    {"builtin.unrealized_conversion_cast", emit_unrealized},
    {NULL, NULL},
};
