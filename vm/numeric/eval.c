/* Rows by number, on slots: for the compiler's folder, the tests and the interpreter's slow paths.  All answers come from ops.h and
 * convert.c. */
#include "../bytecode/opnames.h"
#include <string.h>

#define NUM_MATH_EXTERN
#include "ops.h"

/* One case for each row of opcodes.def and each of its types, by the row's form. */
#define SLOT_A(E) NUM_FN(from_slot, E)(a)
#define SLOT_B(E) NUM_FN(from_slot, E)(b)
#define SLOT_C(E) NUM_FN(from_slot, E)(c)
#define CASE(E, name, value)                                                                                                       \
    case BVM_CODE(BVM_OP_##name, BVM_##E):                                                                                         \
        *result = value;                                                                                                           \
        return true;
#define CASE_1(E, name) CASE(E, name, NUM_FN(slot, E)(NUM_FN(name, E)(SLOT_A(E))))
#define CASE_2(E, name) CASE(E, name, NUM_FN(slot, E)(NUM_FN(name, E)(SLOT_A(E), SLOT_B(E))))
#define CASE_3(E, name) CASE(E, name, NUM_FN(slot, E)(NUM_FN(name, E)(SLOT_A(E), SLOT_B(E), SLOT_C(E))))
#define CASE_c(E, name) CASE(E, name, NUM_FN(name, E)(SLOT_A(E), SLOT_B(E)))
#define CASE_p(E, name) CASE(E, name, NUM_FN(name, E)(SLOT_A(E)))
#define CASE_s(E, name) CASE(E, name, NUM_FN(slot, E)(NUM_FN(name, E)((uint8_t)(a & 1), SLOT_B(E), SLOT_C(E))))
#define CASE_e(E, name) CASE(E, name, NUM_FN(slot, E)(NUM_FN(name, E)(SLOT_A(E), (int32_t)b)))
#define CASE_x(E, name) /* convert below: their second type is an operand */

static bool divides(unsigned row)
{
    switch (row) {
    case BVM_OP_divsi:
    case BVM_OP_divui:
    case BVM_OP_remsi:
    case BVM_OP_remui:
    case BVM_OP_ceildivsi:
    case BVM_OP_ceildivui:
    case BVM_OP_floordivsi:
        return true;
    default:
        return false;
    }
}

static unsigned int_width(unsigned etype)
{
    return bvm_elem_class(etype) == 'I' ? bvm_elem_bits(etype) : 0;
}

static bool convert(unsigned row, unsigned etype, unsigned dest, uint64_t a, uint64_t *result)
{
    unsigned from_width = int_width(etype), to_width = int_width(dest);
    bool from_float = num_is_float(etype), to_float = num_is_float(dest);
    switch (row) {
    case BVM_OP_fconv:
        *result = num_float_convert(etype, a, dest, 0);
        return from_float && to_float;
    case BVM_OP_sitof:
    case BVM_OP_uitof:
        if (!from_width || !to_float)
            return false;
        *result = num_int_to_float(from_width, row == BVM_OP_sitof, a, dest);
        return true;
    case BVM_OP_ftosi:
    case BVM_OP_ftoui:
        if (!from_float || !to_width)
            return false;
        *result = num_float_to_int(etype, a, to_width, row == BVM_OP_ftosi);
        return true;
    case BVM_OP_exts:
    case BVM_OP_extu: {
        if (!from_width || !to_width)
            return false;
        uint64_t wide = row == BVM_OP_exts ? (uint64_t)num_sext(a, from_width) : num_zext(a, from_width);
        *result = to_width == 1 ? wide & 1 : (uint64_t)num_sext(wide, to_width);
        return true;
    }
    default:
        return false;
    }
}

bool num_eval(unsigned row, unsigned etype, unsigned dest, uint64_t a, uint64_t b, uint64_t c, uint64_t *result)
{
    if (row >= BVM_TILE || etype >= BVM_ELEMS)
        return false;
    if (divides(row) && int_width(etype) && num_zext(b, int_width(etype)) == 0)
        return false;
    switch (BVM_CODE(row, etype)) {
#define OP(number, name, TYPES, kinds, doc)
#define EW(number, name, TYPES, form, doc) TYPES(NUM_PASTE2(CASE_, BVM_FORM_##name), name)
#include "../bytecode/opcodes.def"
#undef OP
#undef EW
    default:
        return convert(row, etype, dest, a, result);
    }
}

/* -- any width ------------------------------------------------------------------------------------------------------------- */

/* Upper half of a product of two numbers of `width` bits, each extended to 64. */
static uint64_t mulh(unsigned width, uint64_t high, uint64_t low)
{
    return width == 64 ? high : high << (64 - width) | low >> width;
}

static bool takes_any_width(unsigned row)
{
    const uint32_t integers = UINT32_C(1) << BVM_I8 | UINT32_C(1) << BVM_I16 | UINT32_C(1) << BVM_I32 | UINT32_C(1) << BVM_I64;
    return row < BVM_TILE && bvm_ops[row].etypes == integers && strchr("12c", bvm_ops[row].form) && bvm_ops[row].form;
}

bool num_eval_int(unsigned row, unsigned width, uint64_t a, uint64_t b, uint64_t *result)
{
    if (width < 1 || width > 64 || !takes_any_width(row))
        return false;
    int64_t sa = num_sext(a, width), sb = num_sext(b, width);
    uint64_t ua = num_zext(a, width), ub = num_zext(b, width), r = 0;
    if (divides(row) && ub == 0)
        return false;
    switch (bvm_ops[row].width_rule) {
    case 0:
    case 'l':
    case 'b': /* 64 bits of the extended operands hold the answer in their low bits */
        num_eval(row, BVM_I64, 0, (uint64_t)sa, (uint64_t)sb, 0, &r);
        break;
    case 'u':
        num_eval(row, BVM_I64, 0, ua, ub, 0, &r);
        break;
    case 'U':
        if (ub < width)
            num_eval(row, BVM_I64, 0, ua, ub, 0, &r);
        break;
    case 'S':
        num_eval(row, BVM_I64, 0, (uint64_t)sa, ub < width ? ub : width - 1, 0, &r);
        break;
    case 'H':
        r = mulh(width, (uint64_t)num_mulhs64(sa, sb), (uint64_t)sa * (uint64_t)sb);
        break;
    case 'h':
        r = mulh(width, num_mulhu64(ua, ub), ua * ub);
        break;
    case 'z':
        r = (uint64_t)num_ctlz_i64((int64_t)ua) - (64 - width);
        break;
    case 't':
        r = ua ? (uint64_t)num_cttz_i64((int64_t)ua) : width;
        break;
    default:
        return false;
    }
    bool is_bit = width == 1 || bvm_ops[row].form == 'c';
    *result = is_bit ? r & 1 : (uint64_t)num_sext(r, width);
    return true;
}
