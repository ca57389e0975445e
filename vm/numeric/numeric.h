/* Scalar operations on numbers: the one definition of every result.
 *
 * The interpreter, the portable kernels and the compiler's folder include this; nothing
 * else in the project does arithmetic on program values.  Rules: DESIGN section 6.
 *
 * Conventions.  A value travels in a 64-bit slot: iN sign-extended, i1 as 0 or 1, floats as
 * their bits, zero-extended.  Every function reads only the low bits of its type.
 */
#ifndef BVM_NUMERIC_H
#define BVM_NUMERIC_H

#include <stdbool.h>
#include <stdint.h>

#include "../bytecode/format.h"

#ifdef __FAST_MATH__
#error "bufvm must not be built with -ffast-math"
#endif

/* -- slot level: any row of opcodes.def by number, for the folder, the tests and the slow paths -------------- */

/* Result of an EW row on slots.  etype as in the instruction; for conversions dest is the destination's code.
   false when the operation traps (division by zero) or the row does not take etype. */
bool num_eval(unsigned row, unsigned etype, unsigned dest, uint64_t a, uint64_t b, uint64_t c, uint64_t *result);

/* The same on any integer width 1..64 (i1: signed 1 is -1): operands are normalised from their low bits. */
bool num_eval_int(unsigned row, unsigned width, uint64_t a, uint64_t b, uint64_t *result);
uint64_t num_int_to_float(unsigned width, bool is_signed, uint64_t a, unsigned dest_etype);
/* Truncates and saturates at `width` bits; NaN gives 0; result sign-extended. */
uint64_t num_float_to_int(unsigned etype, uint64_t a, unsigned width, bool is_signed);
/* mode: 0 nearest even, 1 down, 2 up, 3 toward zero, 4 nearest away. */
uint64_t num_float_convert(unsigned from, uint64_t a, unsigned to, unsigned mode);
bool num_is_float(unsigned etype); /* classes F and S */
static inline int64_t num_sext(uint64_t a, unsigned width)
{
    return width >= 64 ? (int64_t)a : (int64_t)(a << (64 - width)) >> (64 - width);
}
static inline uint64_t num_zext(uint64_t a, unsigned width)
{
    return width >= 64 ? a : a & ((UINT64_C(1) << width) - 1);
}

/* -- text ---------------------------------------------------------------------------------------------------- */

/* Decimal or hexadecimal float text (also inf, nan, -inf) rounded once to the type: correct for any number of digits,
   no locale.  Returns bytes consumed, 0 if it is no number. */
size_t num_parse_float(const char *text, size_t n, unsigned etype, uint64_t *bits);
/* Shortest decimal that reads back to the same bits of that type; nan, inf, -0.  Returns length; `out` holds at least 40 bytes. */
size_t num_print_float(unsigned etype, uint64_t bits, char *out);

/* -- floating-point environment ------------------------------------------------------------------------------ */
typedef struct NumEnv {
    uint64_t saved;
} NumEnv;
void num_env_enter(NumEnv *env); /* round to nearest, no flushing; saves the caller's mode */
void num_env_leave(const NumEnv *env);

/* -- typed level, for the loops: num_addi_i32(a, b) and so on, static inline on native types, in ops.h ---------- */

#endif
