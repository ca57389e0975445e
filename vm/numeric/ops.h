/* Typed scalar operations: num_ROW_TYPE for every elementwise row of opcodes.def and every element type that it takes.
 *
 * All are static inline on native types (NUM_CT_*): int8_t to int64_t, float, double, uint8_t for i1 (0 or 1), uint16_t holding the
 * bits of f16 and bf16.  They have no loops and, in f32, f64 and the integers, hardly a branch, so that a loop over them
 * vectorises.
 *
 *   form 1 2 3    NUM_CT num_addf_f32(NUM_CT a, NUM_CT b)
 *   form c p      uint8_t num_cmpf_olt_f32(a, b)
 *   form s        num_select_f32(uint8_t c, a, b)
 *   form e        num_fpowi_f32(a, int32_t n)
 *   form x        num_sitof_i32_f16(a): source, then destination
 *
 * num_raw_ROW_TYPE (addf subf mulf divf sqrt) leave sign and payload of a NaN to the machine: for instructions with BVM_FLAG_NAN.
 * The dividing rows expect that num_traps_ROW_TYPE(a, b) was asked first: a zero divisor there is undefined behaviour of C.
 */
#ifndef BVM_NUMERIC_OPS_H
#define BVM_NUMERIC_OPS_H

#include <float.h>
#include <string.h>

#include "math.h"
#include "numeric.h"

_Static_assert(FLT_EVAL_METHOD == 0, "float and double must be evaluated in their own precision");
_Static_assert(sizeof(float) == 4 && sizeof(double) == 8, "float and double must be binary32 and binary64");

/* Names and C types by the element type's column NAME. */
#define NUM_LC_I1                  i1
#define NUM_LC_I8                  i8
#define NUM_LC_I16                 i16
#define NUM_LC_I32                 i32
#define NUM_LC_I64                 i64
#define NUM_LC_F16                 f16
#define NUM_LC_BF16                bf16
#define NUM_LC_F32                 f32
#define NUM_LC_F64                 f64
#define NUM_LC_F8E5M2              f8E5M2
#define NUM_LC_F8E4M3FN            f8E4M3FN
#define NUM_LC_F8E4M3              f8E4M3
#define NUM_LC_F8E5M2FNUZ          f8E5M2FNUZ
#define NUM_LC_F8E4M3FNUZ          f8E4M3FNUZ
#define NUM_LC_F8E4M3B11FNUZ       f8E4M3B11FNUZ
#define NUM_LC_F8E3M4              f8E3M4
#define NUM_LC_F8E8M0FNU           f8E8M0FNU
#define NUM_LC_F6E2M3FN            f6E2M3FN
#define NUM_LC_F6E3M2FN            f6E3M2FN
#define NUM_LC_F4E2M1FN            f4E2M1FN
#define NUM_CT_I1                  uint8_t
#define NUM_CT_I8                  int8_t
#define NUM_CT_I16                 int16_t
#define NUM_CT_I32                 int32_t
#define NUM_CT_I64                 int64_t
#define NUM_CT_F16                 uint16_t
#define NUM_CT_BF16                uint16_t
#define NUM_CT_F32                 float
#define NUM_CT_F64                 double
#define NUM_CT_F8E5M2              uint8_t
#define NUM_CT_F8E4M3FN            uint8_t
#define NUM_CT_F8E4M3              uint8_t
#define NUM_CT_F8E5M2FNUZ          uint8_t
#define NUM_CT_F8E4M3FNUZ          uint8_t
#define NUM_CT_F8E4M3B11FNUZ       uint8_t
#define NUM_CT_F8E3M4              uint8_t
#define NUM_CT_F8E8M0FNU           uint8_t
#define NUM_CT_F6E2M3FN            uint8_t
#define NUM_CT_F6E3M2FN            uint8_t
#define NUM_CT_F4E2M1FN            uint8_t
#define NUM_PASTE2_(a, b)          a##b
#define NUM_PASTE2(a, b)           NUM_PASTE2_(a, b)
#define NUM_PASTE3_(a, b, c)       a##b##_##c
#define NUM_PASTE3(a, b, c)        NUM_PASTE3_(a, b, c)
#define NUM_FN(row, E)             NUM_PASTE2(num_##row##_, NUM_LC_##E)                 /* NUM_FN(addi, I32) is num_addi_i32 */
#define NUM_RAW_FN(row, E)         NUM_PASTE2(num_raw_##row##_, NUM_LC_##E)             /* the raw form of the rows that have one */
#define NUM_CONV_FN(row, FROM, TO) NUM_PASTE3(num_##row##_, NUM_LC_##FROM, NUM_LC_##TO) /* NUM_CONV_FN(fconv, F32, F16) */
#define NUM_CT(E)                  NUM_CT_##E

/* -- slots: num_slot_TYPE makes one, num_from_slot_TYPE reads the low bits of one -------------------------------------- */
#define NUM_INT_SLOT(T, S)                                                                                                         \
    static inline uint64_t num_slot_##T(S a)                                                                                       \
    {                                                                                                                              \
        return (uint64_t)(int64_t)a;                                                                                               \
    }                                                                                                                              \
    static inline S num_from_slot_##T(uint64_t a)                                                                                  \
    {                                                                                                                              \
        return (S)a;                                                                                                               \
    }
NUM_INT_SLOT(i8, int8_t)
NUM_INT_SLOT(i16, int16_t)
NUM_INT_SLOT(i32, int32_t)
NUM_INT_SLOT(i64, int64_t)
#define NUM_BITS_SLOT(T, U, MASK)                                                                                                  \
    static inline uint64_t num_slot_##T(U a)                                                                                       \
    {                                                                                                                              \
        return a;                                                                                                                  \
    }                                                                                                                              \
    static inline U num_from_slot_##T(uint64_t a)                                                                                  \
    {                                                                                                                              \
        return (U)(a & MASK);                                                                                                      \
    }
NUM_BITS_SLOT(i1, uint8_t, 1)
NUM_BITS_SLOT(f16, uint16_t, 0xffff)
NUM_BITS_SLOT(bf16, uint16_t, 0xffff)
NUM_BITS_SLOT(f8E5M2, uint8_t, 0xff)
NUM_BITS_SLOT(f8E4M3FN, uint8_t, 0xff)
NUM_BITS_SLOT(f8E4M3, uint8_t, 0xff)
NUM_BITS_SLOT(f8E5M2FNUZ, uint8_t, 0xff)
NUM_BITS_SLOT(f8E4M3FNUZ, uint8_t, 0xff)
NUM_BITS_SLOT(f8E4M3B11FNUZ, uint8_t, 0xff)
NUM_BITS_SLOT(f8E3M4, uint8_t, 0xff)
NUM_BITS_SLOT(f8E8M0FNU, uint8_t, 0xff)
NUM_BITS_SLOT(f6E2M3FN, uint8_t, 0x3f)
NUM_BITS_SLOT(f6E3M2FN, uint8_t, 0x3f)
NUM_BITS_SLOT(f4E2M1FN, uint8_t, 0x0f)
static inline uint64_t num_slot_f32(float a)
{
    return num_bits32(a);
}
static inline float num_from_slot_f32(uint64_t a)
{
    return num_float32((uint32_t)a);
}
static inline uint64_t num_slot_f64(double a)
{
    return num_bits64(a);
}
static inline double num_from_slot_f64(uint64_t a)
{
    return num_float64(a);
}

/* -- integers ------------------------------------------------------------------------------------------------------------ */

static inline uint64_t num_mulhu64(uint64_t a, uint64_t b)
{
#ifdef __SIZEOF_INT128__
    return (uint64_t)((unsigned __int128)a * b >> 64);
#else
    uint64_t al = (uint32_t)a, ah = a >> 32, bl = (uint32_t)b, bh = b >> 32;
    uint64_t mid = ah * bl + (al * bl >> 32), mid2 = al * bh + (uint32_t)mid;
    return ah * bh + (mid >> 32) + (mid2 >> 32);
#endif
}
static inline int64_t num_mulhs64(int64_t a, int64_t b)
{
    return (int64_t)(num_mulhu64((uint64_t)a, (uint64_t)b) - (a < 0 ? (uint64_t)b : 0) - (b < 0 ? (uint64_t)a : 0));
}

/* By halves and shifts, not __builtin_popcountll nor the usual multiplication, which gcc takes for it: gcc 12 for s390x vectorises
 * that over bytes with one count of all eight. */
static inline uint64_t num_popcount(uint64_t a)
{
    a -= a >> 1 & UINT64_C(0x5555555555555555);
    a = (a & UINT64_C(0x3333333333333333)) + (a >> 2 & UINT64_C(0x3333333333333333));
    a = (a + (a >> 4)) & UINT64_C(0x0F0F0F0F0F0F0F0F);
    a += a >> 8;
    a += a >> 16;
    a += a >> 32;
    return a & 127;
}

/* `1u *` lifts the narrow types to unsigned int: their own promotion is to int, where a product of two uint16_t can overflow. */
#define NUM_INT_OPS(T, S, U, W)                                                                                                    \
    static inline S num_addi_##T(S a, S b)                                                                                         \
    {                                                                                                                              \
        return (S)(U)(1u * (U)a + (U)b);                                                                                           \
    }                                                                                                                              \
    static inline S num_subi_##T(S a, S b)                                                                                         \
    {                                                                                                                              \
        return (S)(U)(1u * (U)a - (U)b);                                                                                           \
    }                                                                                                                              \
    static inline S num_muli_##T(S a, S b)                                                                                         \
    {                                                                                                                              \
        return (S)(U)(1u * (U)a * (U)b);                                                                                           \
    }                                                                                                                              \
    static inline uint8_t num_traps_divsi_##T(S a, S b)                                                                            \
    {                                                                                                                              \
        return (void)a, b == 0;                                                                                                    \
    }                                                                                                                              \
    static inline uint8_t num_traps_divui_##T(S a, S b)                                                                            \
    {                                                                                                                              \
        return (void)a, b == 0;                                                                                                    \
    }                                                                                                                              \
    static inline uint8_t num_traps_remsi_##T(S a, S b)                                                                            \
    {                                                                                                                              \
        return (void)a, b == 0;                                                                                                    \
    }                                                                                                                              \
    static inline uint8_t num_traps_remui_##T(S a, S b)                                                                            \
    {                                                                                                                              \
        return (void)a, b == 0;                                                                                                    \
    }                                                                                                                              \
    static inline uint8_t num_traps_ceildivsi_##T(S a, S b)                                                                        \
    {                                                                                                                              \
        return (void)a, b == 0;                                                                                                    \
    }                                                                                                                              \
    static inline uint8_t num_traps_ceildivui_##T(S a, S b)                                                                        \
    {                                                                                                                              \
        return (void)a, b == 0;                                                                                                    \
    }                                                                                                                              \
    static inline uint8_t num_traps_floordivsi_##T(S a, S b)                                                                       \
    {                                                                                                                              \
        return (void)a, b == 0;                                                                                                    \
    }                                                                                                                              \
    static inline S num_divsi_##T(S a, S b)                                                                                        \
    {                                                                                                                              \
        return b == -1 ? (S)(U)(0u - (U)a) : (S)(a / b);                                                                           \
    }                                                                                                                              \
    static inline S num_divui_##T(S a, S b)                                                                                        \
    {                                                                                                                              \
        return (S)(U)((U)a / (U)b);                                                                                                \
    }                                                                                                                              \
    static inline S num_remsi_##T(S a, S b)                                                                                        \
    {                                                                                                                              \
        return b == -1 ? (S)0 : (S)(a % b);                                                                                        \
    }                                                                                                                              \
    static inline S num_remui_##T(S a, S b)                                                                                        \
    {                                                                                                                              \
        return (S)(U)((U)a % (U)b);                                                                                                \
    }                                                                                                                              \
    static inline S num_ceildivsi_##T(S a, S b)                                                                                    \
    {                                                                                                                              \
        S q = num_divsi_##T(a, b), r = num_remsi_##T(a, b);                                                                        \
        return (S)(q + (r != 0 && (r < 0) == (b < 0)));                                                                            \
    }                                                                                                                              \
    static inline S num_floordivsi_##T(S a, S b)                                                                                   \
    {                                                                                                                              \
        S q = num_divsi_##T(a, b), r = num_remsi_##T(a, b);                                                                        \
        return (S)(q - (r != 0 && (r < 0) != (b < 0)));                                                                            \
    }                                                                                                                              \
    static inline S num_ceildivui_##T(S a, S b)                                                                                    \
    {                                                                                                                              \
        return (S)(U)((U)a / (U)b + ((U)a % (U)b != 0));                                                                           \
    }                                                                                                                              \
    static inline S num_andi_##T(S a, S b)                                                                                         \
    {                                                                                                                              \
        return (S)(a & b);                                                                                                         \
    }                                                                                                                              \
    static inline S num_ori_##T(S a, S b)                                                                                          \
    {                                                                                                                              \
        return (S)(a | b);                                                                                                         \
    }                                                                                                                              \
    static inline S num_xori_##T(S a, S b)                                                                                         \
    {                                                                                                                              \
        return (S)(a ^ b);                                                                                                         \
    }                                                                                                                              \
    static inline S num_shli_##T(S a, S b)                                                                                         \
    {                                                                                                                              \
        return (U)b < W ? (S)(U)(1u * (U)a << ((U)b & (W - 1))) : (S)0;                                                            \
    }                                                                                                                              \
    static inline S num_shrsi_##T(S a, S b)                                                                                        \
    {                                                                                                                              \
        return (S)(a >> ((U)b < W ? (U)b : (U)(W - 1)));                                                                           \
    }                                                                                                                              \
    static inline S num_shrui_##T(S a, S b)                                                                                        \
    {                                                                                                                              \
        return (U)b < W ? (S)(U)((U)a >> ((U)b & (W - 1))) : (S)0;                                                                 \
    }                                                                                                                              \
    static inline S num_maxsi_##T(S a, S b)                                                                                        \
    {                                                                                                                              \
        return a > b ? a : b;                                                                                                      \
    }                                                                                                                              \
    static inline S num_minsi_##T(S a, S b)                                                                                        \
    {                                                                                                                              \
        return a < b ? a : b;                                                                                                      \
    }                                                                                                                              \
    static inline S num_maxui_##T(S a, S b)                                                                                        \
    {                                                                                                                              \
        return (U)a > (U)b ? a : b;                                                                                                \
    }                                                                                                                              \
    static inline S num_minui_##T(S a, S b)                                                                                        \
    {                                                                                                                              \
        return (U)a < (U)b ? a : b;                                                                                                \
    }                                                                                                                              \
    static inline S num_absi_##T(S a)                                                                                              \
    {                                                                                                                              \
        return a < 0 ? (S)(U)(0u - (U)a) : a;                                                                                      \
    }                                                                                                                              \
    static inline S num_ctpop_##T(S a)                                                                                             \
    {                                                                                                                              \
        return (S)num_popcount((U)a);                                                                                              \
    }                                                                                                                              \
    static inline S num_ctlz_##T(S a)                                                                                              \
    {                                                                                                                              \
        return (U)a ? (S)(__builtin_clzll((U)a) - (64 - W)) : (S)W;                                                                \
    }                                                                                                                              \
    static inline S num_cttz_##T(S a)                                                                                              \
    {                                                                                                                              \
        return (U)a ? (S)__builtin_ctzll((U)a) : (S)W;                                                                             \
    }                                                                                                                              \
    static inline uint8_t num_cmpi_eq_##T(S a, S b)                                                                                \
    {                                                                                                                              \
        return a == b;                                                                                                             \
    }                                                                                                                              \
    static inline uint8_t num_cmpi_ne_##T(S a, S b)                                                                                \
    {                                                                                                                              \
        return a != b;                                                                                                             \
    }                                                                                                                              \
    static inline uint8_t num_cmpi_slt_##T(S a, S b)                                                                               \
    {                                                                                                                              \
        return a < b;                                                                                                              \
    }                                                                                                                              \
    static inline uint8_t num_cmpi_sle_##T(S a, S b)                                                                               \
    {                                                                                                                              \
        return a <= b;                                                                                                             \
    }                                                                                                                              \
    static inline uint8_t num_cmpi_sgt_##T(S a, S b)                                                                               \
    {                                                                                                                              \
        return a > b;                                                                                                              \
    }                                                                                                                              \
    static inline uint8_t num_cmpi_sge_##T(S a, S b)                                                                               \
    {                                                                                                                              \
        return a >= b;                                                                                                             \
    }                                                                                                                              \
    static inline uint8_t num_cmpi_ult_##T(S a, S b)                                                                               \
    {                                                                                                                              \
        return (U)a < (U)b;                                                                                                        \
    }                                                                                                                              \
    static inline uint8_t num_cmpi_ule_##T(S a, S b)                                                                               \
    {                                                                                                                              \
        return (U)a <= (U)b;                                                                                                       \
    }                                                                                                                              \
    static inline uint8_t num_cmpi_ugt_##T(S a, S b)                                                                               \
    {                                                                                                                              \
        return (U)a > (U)b;                                                                                                        \
    }                                                                                                                              \
    static inline uint8_t num_cmpi_uge_##T(S a, S b)                                                                               \
    {                                                                                                                              \
        return (U)a >= (U)b;                                                                                                       \
    }
NUM_INT_OPS(i8, int8_t, uint8_t, 8)
NUM_INT_OPS(i16, int16_t, uint16_t, 16)
NUM_INT_OPS(i32, int32_t, uint32_t, 32)
NUM_INT_OPS(i64, int64_t, uint64_t, 64)

#define NUM_MULH(T, S, U, WIDES, WIDEU, W)                                                                                         \
    static inline S num_mulhsi_##T(S a, S b)                                                                                       \
    {                                                                                                                              \
        return (S)((WIDES)a * (WIDES)b >> W);                                                                                      \
    }                                                                                                                              \
    static inline S num_mulhui_##T(S a, S b)                                                                                       \
    {                                                                                                                              \
        return (S)(U)((WIDEU)(U)a * (WIDEU)(U)b >> W);                                                                             \
    }
NUM_MULH(i8, int8_t, uint8_t, int32_t, uint32_t, 8)
NUM_MULH(i16, int16_t, uint16_t, int32_t, uint32_t, 16)
NUM_MULH(i32, int32_t, uint32_t, int64_t, uint64_t, 32)
static inline int64_t num_mulhsi_i64(int64_t a, int64_t b)
{
    return num_mulhs64(a, b);
}
static inline int64_t num_mulhui_i64(int64_t a, int64_t b)
{
    return (int64_t)num_mulhu64((uint64_t)a, (uint64_t)b);
}

#define NUM_SELECT(E, ...)                                                                                                         \
    static inline NUM_CT_##E NUM_FN(select, E)(uint8_t c, NUM_CT_##E a, NUM_CT_##E b)                                              \
    {                                                                                                                              \
        return c & 1 ? a : b;                                                                                                      \
    }
T_MEM(NUM_SELECT, )

/* -- f16, bf16: exact widening, one rounding ------------------------------------------------------------------------------- */

static inline float num_widen_f32(float a)
{
    return a;
}
static inline double num_widen_f64(double a)
{
    return a;
}
static inline float num_widen_bf16(uint16_t a)
{
    return num_float32((uint32_t)a << 16);
}
static inline float num_widen_f16(uint16_t a)
{
    uint32_t sign = (uint32_t)(a & 0x8000) << 16, m = a & 0x7fff;
    /* Below 2^-14 the fraction is added to and taken off 2^-14, an exact way to make it a normal number. */
    float small = num_float32(0x38800000 + (m << 13)) - num_float32(0x38800000);
    uint32_t bits = m < 0x400 ? num_bits32(small) : (m << 13) + (m < 0x7c00 ? 0x38000000u : 0x70000000u);
    return num_float32(bits | sign);
}

/* To nearest even; NaN becomes the canonical one. */
static inline uint16_t num_f32_to_bf16(float a)
{
    uint32_t u = num_bits32(a), r = (u + 0x7fff + (u >> 16 & 1)) >> 16;
    return (uint16_t)(a != a ? 0x7fc0 : r);
}
static inline uint16_t num_f32_to_f16(float a)
{
    uint32_t u = num_bits32(a), sign = u >> 16 & 0x8000, m = u & 0x7fffffff;
    /* Below 2^-14 adding 0.5 makes the addition itself round at 2^-24, the last place of a subnormal. */
    uint32_t small = num_bits32(num_float32(m < 0x38800000 ? m : 0) + 0.5f) - 0x3f000000;
    uint32_t normal = (m - 0x38000000 + 0xfff + (m >> 13 & 1)) >> 13;
    uint32_t r = m < 0x38800000 ? small : m < 0x47800000 ? normal : 0x7c00;
    return (uint16_t)(a != a ? 0x7e00 : r | sign);
}

/* f64 to f32 rounded to odd: a second rounding to at most 22 bits then gives what one rounding would have given. */
static inline float num_f64_to_f32_odd(double a)
{
    float f = (float)a;
    double back = (double)f;
    uint32_t u = num_bits32(f);
    bool away = __builtin_fabs(back) > __builtin_fabs(a);
    uint32_t step = (uint32_t)(back < a || back > a) & ~u & 1; /* in bits: of choices compilers make branches */
    return num_float32(u + step - 2 * (step & (uint32_t)away));
}
static inline uint16_t num_f64_to_f16(double a)
{
    return num_f32_to_f16(num_f64_to_f32_odd(a));
}
static inline uint16_t num_f64_to_bf16(double a)
{
    return num_f32_to_bf16(num_f64_to_f32_odd(a));
}

/* a * b exact in f64, plus c, rounded to odd: for fma of the types below f64. */
static inline double num_mul_add_odd(double a, double b, double c)
{
    double p = a * b, s = p + c, t = s - p;
    double err = (p - (s - t)) + (c - t); /* exact; NaN when s is not finite, which then counts as exact */
    uint64_t u = num_bits64(s);
    bool inexact = err < 0 || err > 0;
    bool outward = (err > 0) == (s > 0);
    return num_float64(inexact && !(u & 1) ? (outward ? u + 1 : u - 1) : u);
}

/* -- floats ---------------------------------------------------------------------------------------------------------------- */

static inline float num_canon_f32(float a)
{
    return a == a ? a : num_float32(NUM_NAN_F32);
}
static inline double num_canon_f64(double a)
{
    return a == a ? a : num_float64(NUM_NAN_F64);
}

#define NUM_ARITH(NAME, EXPR32, EXPR64)                                                                                            \
    static inline float num_raw_##NAME##_f32(float a, float b)                                                                     \
    {                                                                                                                              \
        return EXPR32;                                                                                                             \
    }                                                                                                                              \
    static inline double num_raw_##NAME##_f64(double a, double b)                                                                  \
    {                                                                                                                              \
        return EXPR64;                                                                                                             \
    }                                                                                                                              \
    static inline float num_##NAME##_f32(float a, float b)                                                                         \
    {                                                                                                                              \
        return num_canon_f32(num_raw_##NAME##_f32(a, b));                                                                          \
    }                                                                                                                              \
    static inline double num_##NAME##_f64(double a, double b)                                                                      \
    {                                                                                                                              \
        return num_canon_f64(num_raw_##NAME##_f64(a, b));                                                                          \
    }                                                                                                                              \
    static inline uint16_t num_##NAME##_f16(uint16_t a, uint16_t b)                                                                \
    {                                                                                                                              \
        return num_f32_to_f16(num_raw_##NAME##_f32(num_widen_f16(a), num_widen_f16(b)));                                           \
    }                                                                                                                              \
    static inline uint16_t num_##NAME##_bf16(uint16_t a, uint16_t b)                                                               \
    {                                                                                                                              \
        return num_f32_to_bf16(num_raw_##NAME##_f32(num_widen_bf16(a), num_widen_bf16(b)));                                        \
    }                                                                                                                              \
    static inline uint16_t num_raw_##NAME##_f16(uint16_t a, uint16_t b)                                                            \
    {                                                                                                                              \
        return num_##NAME##_f16(a, b);                                                                                             \
    }                                                                                                                              \
    static inline uint16_t num_raw_##NAME##_bf16(uint16_t a, uint16_t b)                                                           \
    {                                                                                                                              \
        return num_##NAME##_bf16(a, b);                                                                                            \
    }
/* Through f32: 24 >= 2p + 2 for p = 11 and 8 makes the double rounding innocuous (Figueroa 1995), also where results are subnormal.
 */
NUM_ARITH(addf, a + b, a + b)
NUM_ARITH(subf, a - b, a - b)
NUM_ARITH(mulf, a *b, a *b)
NUM_ARITH(divf, a / b, a / b)
/* Remainders are exact in every type. */
NUM_ARITH(remf, __builtin_fmodf(a, b), __builtin_fmod(a, b))

static inline float num_raw_sqrt_f32(float a)
{
    return __builtin_sqrtf(a);
}
static inline double num_raw_sqrt_f64(double a)
{
    return __builtin_sqrt(a);
}
static inline float num_sqrt_f32(float a)
{
    return num_canon_f32(__builtin_sqrtf(a));
}
static inline double num_sqrt_f64(double a)
{
    return num_canon_f64(__builtin_sqrt(a));
}
static inline uint16_t num_sqrt_f16(uint16_t a)
{
    return num_f32_to_f16(__builtin_sqrtf(num_widen_f16(a)));
}
static inline uint16_t num_sqrt_bf16(uint16_t a)
{
    return num_f32_to_bf16(__builtin_sqrtf(num_widen_bf16(a)));
}
static inline uint16_t num_raw_sqrt_f16(uint16_t a)
{
    return num_sqrt_f16(a);
}
static inline uint16_t num_raw_sqrt_bf16(uint16_t a)
{
    return num_sqrt_bf16(a);
}

static inline float num_fma_f32(float a, float b, float c)
{
#if defined(__FMA__) || defined(__aarch64__) || defined(__s390x__)
    return num_canon_f32(__builtin_fmaf(a, b, c));
#else
    return num_canon_f32((float)num_mul_add_odd((double)a, (double)b, (double)c));
#endif
}
static inline double num_fma_f64(double a, double b, double c)
{
    return num_canon_f64(__builtin_fma(a, b, c));
}
static inline uint16_t num_fma_f16(uint16_t a, uint16_t b, uint16_t c)
{
    return num_f64_to_f16(num_mul_add_odd((double)num_widen_f16(a), (double)num_widen_f16(b), (double)num_widen_f16(c)));
}
static inline uint16_t num_fma_bf16(uint16_t a, uint16_t b, uint16_t c)
{
    return num_f64_to_bf16(num_mul_add_odd((double)num_widen_bf16(a), (double)num_widen_bf16(b), (double)num_widen_bf16(c)));
}

/* Bits of a type: rows that move, compare or classify. */
#define NUM_NOBITS(x) (x)
#define NUM_FLOAT_BITS(T, C, U, BITS, FROM, SIGN, INF, MINNORMAL)                                                                  \
    static inline C num_negf_##T(C a)                                                                                              \
    {                                                                                                                              \
        return FROM((U)(BITS(a) ^ SIGN));                                                                                          \
    }                                                                                                                              \
    static inline C num_absf_##T(C a)                                                                                              \
    {                                                                                                                              \
        return FROM((U)(BITS(a) & (U)~SIGN));                                                                                      \
    }                                                                                                                              \
    static inline C num_copysign_##T(C a, C b)                                                                                     \
    {                                                                                                                              \
        return FROM((U)((BITS(a) & (U)~SIGN) | (BITS(b) & SIGN)));                                                                 \
    }                                                                                                                              \
    static inline uint8_t num_isnan_##T(C a)                                                                                       \
    {                                                                                                                              \
        return (BITS(a) & (U)~SIGN) > INF;                                                                                         \
    }                                                                                                                              \
    static inline uint8_t num_isinf_##T(C a)                                                                                       \
    {                                                                                                                              \
        return (BITS(a) & (U)~SIGN) == INF;                                                                                        \
    }                                                                                                                              \
    static inline uint8_t num_isfinite_##T(C a)                                                                                    \
    {                                                                                                                              \
        return (BITS(a) & (U)~SIGN) < INF;                                                                                         \
    }                                                                                                                              \
    static inline uint8_t num_isnormal_##T(C a)                                                                                    \
    {                                                                                                                              \
        return (U)((BITS(a) & (U)~SIGN) - MINNORMAL) < (U)(INF - MINNORMAL);                                                       \
    }

/* Equal operands have equal bits but for zeros, which and (or) orders.  On the bits for the small types, on floats for the others.
 */
#define NUM_EXTREMA_BITS(T, C, NAN)                                                                                                \
    static inline C num_maximumf_##T(C a, C b)                                                                                     \
    {                                                                                                                              \
        C x = a, y = b, r = num_widen_##T(a) > num_widen_##T(b) ? x : y;                                                           \
        r = num_widen_##T(a) == num_widen_##T(b) ? (C)(x & y) : r;                                                                 \
        return ((C)((num_isnan_##T(a) | num_isnan_##T(b)) ? NAN : r));                                                             \
    }                                                                                                                              \
    static inline C num_minimumf_##T(C a, C b)                                                                                     \
    {                                                                                                                              \
        C x = a, y = b, r = num_widen_##T(a) < num_widen_##T(b) ? x : y;                                                           \
        r = num_widen_##T(a) == num_widen_##T(b) ? (C)(x | y) : r;                                                                 \
        return ((C)((num_isnan_##T(a) | num_isnan_##T(b)) ? NAN : r));                                                             \
    }                                                                                                                              \
    static inline C num_maxnumf_##T(C a, C b)                                                                                      \
    {                                                                                                                              \
        C x = a, y = b, r = num_widen_##T(a) > num_widen_##T(b) ? x : y;                                                           \
        r = num_widen_##T(a) == num_widen_##T(b) ? (C)(x & y) : r;                                                                 \
        r = num_isnan_##T(b) ? x : r; /* a NaN in a alone has chosen y above */                                                    \
        return ((C)((num_isnan_##T(a) & num_isnan_##T(b)) ? NAN : r));                                                             \
    }                                                                                                                              \
    static inline C num_minnumf_##T(C a, C b)                                                                                      \
    {                                                                                                                              \
        C x = a, y = b, r = num_widen_##T(a) < num_widen_##T(b) ? x : y;                                                           \
        r = num_widen_##T(a) == num_widen_##T(b) ? (C)(x | y) : r;                                                                 \
        r = num_isnan_##T(b) ? x : r;                                                                                              \
        return ((C)((num_isnan_##T(a) & num_isnan_##T(b)) ? NAN : r));                                                             \
    }
#define NUM_EXTREMA(T, C, BITS, FROM, NAN)                                                                                         \
    static inline C num_maximumf_##T(C a, C b)                                                                                     \
    {                                                                                                                              \
        C r = a > b ? a : b;                                                                                                       \
        r = a == b ? FROM(BITS(a) & BITS(b)) : r;                                                                                  \
        return __builtin_isunordered(a, b) ? FROM(NAN) : r;                                                                        \
    }                                                                                                                              \
    static inline C num_minimumf_##T(C a, C b)                                                                                     \
    {                                                                                                                              \
        C r = a < b ? a : b;                                                                                                       \
        r = a == b ? FROM(BITS(a) | BITS(b)) : r;                                                                                  \
        return __builtin_isunordered(a, b) ? FROM(NAN) : r;                                                                        \
    }                                                                                                                              \
    /* A NaN in a alone has chosen b. */                                                                                           \
    static inline C num_maxnumf_##T(C a, C b)                                                                                      \
    {                                                                                                                              \
        C r = a > b ? a : b;                                                                                                       \
        r = a == b ? FROM(BITS(a) & BITS(b)) : r;                                                                                  \
        return num_canon_##T(b != b ? a : r);                                                                                      \
    }                                                                                                                              \
    static inline C num_minnumf_##T(C a, C b)                                                                                      \
    {                                                                                                                              \
        C r = a < b ? a : b;                                                                                                       \
        r = a == b ? FROM(BITS(a) | BITS(b)) : r;                                                                                  \
        return num_canon_##T(b != b ? a : r);                                                                                      \
    }
NUM_FLOAT_BITS(f16, uint16_t, uint16_t, NUM_NOBITS, NUM_NOBITS, 0x8000, 0x7c00, 0x0400)
NUM_FLOAT_BITS(bf16, uint16_t, uint16_t, NUM_NOBITS, NUM_NOBITS, 0x8000, 0x7f80, 0x0080)
NUM_FLOAT_BITS(f32, float, uint32_t, num_bits32, num_float32, 0x80000000, 0x7f800000, 0x00800000)
NUM_FLOAT_BITS(f64, double, uint64_t, num_bits64, num_float64, UINT64_C(0x8000000000000000), UINT64_C(0x7ff0000000000000),
               UINT64_C(0x0010000000000000))
NUM_EXTREMA_BITS(f16, uint16_t, 0x7e00)
NUM_EXTREMA_BITS(bf16, uint16_t, 0x7fc0)
NUM_EXTREMA(f32, float, num_bits32, num_float32, NUM_NAN_F32)
NUM_EXTREMA(f64, double, num_bits64, num_float64, NUM_NAN_F64)

#define NUM_CMPF_ROW(NAME, T, C, EXPR)                                                                                             \
    static inline uint8_t num_cmpf_##NAME##_##T(C p, C q)                                                                          \
    {                                                                                                                              \
        __typeof__(num_widen_##T(p)) a = num_widen_##T(p), b = num_widen_##T(q);                                                   \
        return (uint8_t)(EXPR);                                                                                                    \
    }
#define NUM_CMPF(T, C)                                                                                                             \
    NUM_CMPF_ROW(oeq, T, C, a == b)                                                                                                \
    NUM_CMPF_ROW(ogt, T, C, a > b)                                                                                                 \
    NUM_CMPF_ROW(oge, T, C, a >= b)                                                                                                \
    NUM_CMPF_ROW(olt, T, C, a < b)                                                                                                 \
    NUM_CMPF_ROW(ole, T, C, a <= b)                                                                                                \
    NUM_CMPF_ROW(one, T, C, (a < b) | (a > b))                                                                                     \
    NUM_CMPF_ROW(ord, T, C, (a == a) & (b == b))                                                                                   \
    NUM_CMPF_ROW(ueq, T, C, !((a < b) | (a > b)))                                                                                  \
    NUM_CMPF_ROW(ugt, T, C, !(a <= b))                                                                                             \
    NUM_CMPF_ROW(uge, T, C, !(a < b))                                                                                              \
    NUM_CMPF_ROW(ult, T, C, !(a >= b))                                                                                             \
    NUM_CMPF_ROW(ule, T, C, !(a > b))                                                                                              \
    NUM_CMPF_ROW(une, T, C, !(a == b))                                                                                             \
    NUM_CMPF_ROW(uno, T, C, (a != a) | (b != b))
NUM_CMPF(f16, uint16_t)
NUM_CMPF(bf16, uint16_t)
NUM_CMPF(f32, float)
NUM_CMPF(f64, double)

/* -- functions --------------------------------------------------------------------------------------------------------------- */

/* Rounding to integers is exact in f32 for the small types.  rint is roundeven under the rounding mode that num_env_enter sets. */
#define NUM_TO_INTEGRAL(NAME, F32, F64)                                                                                            \
    static inline float num_##NAME##_f32(float a)                                                                                  \
    {                                                                                                                              \
        return num_canon_f32(F32(a));                                                                                              \
    }                                                                                                                              \
    static inline double num_##NAME##_f64(double a)                                                                                \
    {                                                                                                                              \
        return num_canon_f64(F64(a));                                                                                              \
    }                                                                                                                              \
    static inline uint16_t num_##NAME##_f16(uint16_t a)                                                                            \
    {                                                                                                                              \
        return num_f32_to_f16(F32(num_widen_f16(a)));                                                                              \
    }                                                                                                                              \
    static inline uint16_t num_##NAME##_bf16(uint16_t a)                                                                           \
    {                                                                                                                              \
        return num_f32_to_bf16(F32(num_widen_bf16(a)));                                                                            \
    }
NUM_TO_INTEGRAL(floor, __builtin_floorf, __builtin_floor)
NUM_TO_INTEGRAL(ceil, __builtin_ceilf, __builtin_ceil)
NUM_TO_INTEGRAL(trunc, __builtin_truncf, __builtin_trunc)
NUM_TO_INTEGRAL(round, __builtin_roundf, __builtin_round)
NUM_TO_INTEGRAL(roundeven, __builtin_rintf, __builtin_rint)

/* num_k_NAME of math.h computes in f64 with an error far below half a unit of f32; f64 functions are in math64.c.
 *
 * A file whose loops should vectorise gets the bodies inline.  One that defines NUM_MATH_EXTERN gets declarations: the bodies
 * are compiled once, in math32.c, which keeps the dispatch loops small. */
#ifdef NUM_MATH_EXTERN
#define NUM_DECLARE_MATH(NAME)                                                                                                     \
    float num_##NAME##_f32(float a);                                                                                               \
    uint16_t num_##NAME##_f16(uint16_t a);                                                                                         \
    uint16_t num_##NAME##_bf16(uint16_t a);
NUM_FUNCTIONS_1(NUM_DECLARE_MATH)
#undef NUM_DECLARE_MATH
float num_atan2_f32(float y, float x);
float num_powf_f32(float a, float b);
float num_fpowi_f32(float a, int32_t n);
uint16_t num_atan2_f16(uint16_t y, uint16_t x);
uint16_t num_powf_f16(uint16_t a, uint16_t b);
uint16_t num_fpowi_f16(uint16_t a, int32_t n);
uint16_t num_atan2_bf16(uint16_t y, uint16_t x);
uint16_t num_powf_bf16(uint16_t a, uint16_t b);
uint16_t num_fpowi_bf16(uint16_t a, int32_t n);
double num_fpowi_f64(double a, int32_t n);
#else
#ifndef NUM_MATH_FN
#define NUM_MATH_FN static inline
#endif
#define NUM_FUNCTION1(NAME)                                                                                                        \
    NUM_MATH_FN float num_##NAME##_f32(float a)                                                                                    \
    {                                                                                                                              \
        return num_canon_f32((float)num_k_##NAME((double)a));                                                                      \
    }
NUM_FUNCTIONS_ANYWHERE(NUM_FUNCTION1)
/* Limits and NaN in operations on bits: compilers make branches of the same in floats, and no vector code of the loop. */
#define NUM_FUNCTION1_LIMITED(NAME, LIMIT)                                                                                         \
    NUM_MATH_FN float num_##NAME##_f32(float a)                                                                                    \
    {                                                                                                                              \
        uint32_t u = num_bits32(a), m = u & 0x7fffffff, nan = 0u - (uint32_t)(m > 0x7f800000);                                     \
        m = m < LIMIT ? m : LIMIT;                                                                                                 \
        float y = (float)num_k_##NAME##_inside((double)num_float32(m | (u & 0x80000000)));                                         \
        return num_float32((num_bits32(y) & ~nan) | (NUM_NAN_F32 & nan));                                                          \
    }
NUM_FUNCTIONS_LIMITED(NUM_FUNCTION1_LIMITED)
#define NUM_FUNCTION1_SMALL(NAME)                                                                                                  \
    NUM_MATH_FN uint16_t num_##NAME##_f16(uint16_t a)                                                                              \
    {                                                                                                                              \
        return num_f64_to_f16(num_k_##NAME((double)num_widen_f16(a)));                                                             \
    }                                                                                                                              \
    NUM_MATH_FN uint16_t num_##NAME##_bf16(uint16_t a)                                                                             \
    {                                                                                                                              \
        return num_f64_to_bf16(num_k_##NAME((double)num_widen_bf16(a)));                                                           \
    }
NUM_FUNCTIONS_1(NUM_FUNCTION1_SMALL)
/* Where all numbers of a loop are near, sin, cos and tan have no branch. */
static inline bool num_far_f32(float a)
{
    return (num_bits32(a) & 0x7fffffff) >= NUM_NEAR_F32;
}
static inline bool num_far_f16(uint16_t a)
{
    return (a & 0x7fff) >= 0x7c00;
}
static inline bool num_far_bf16(uint16_t a)
{
    return (a & 0x7fff) >= NUM_NEAR_F32 >> 16;
}
#define NUM_FUNCTION1_NEAR(NAME)                                                                                                   \
    NUM_MATH_FN float num_near_##NAME##_f32(float a)                                                                               \
    {                                                                                                                              \
        return num_canon_f32((float)num_k_##NAME##_near((double)a));                                                               \
    }                                                                                                                              \
    NUM_MATH_FN uint16_t num_near_##NAME##_f16(uint16_t a)                                                                         \
    {                                                                                                                              \
        return num_f64_to_f16(num_k_##NAME##_near((double)num_widen_f16(a)));                                                      \
    }                                                                                                                              \
    NUM_MATH_FN uint16_t num_near_##NAME##_bf16(uint16_t a)                                                                        \
    {                                                                                                                              \
        return num_f64_to_bf16(num_k_##NAME##_near((double)num_widen_bf16(a)));                                                    \
    }
NUM_FUNCTIONS_NEAR(NUM_FUNCTION1_NEAR)

NUM_MATH_FN float num_atan2_f32(float y, float x)
{
    return num_canon_f32((float)num_k_atan2((double)y, (double)x));
}
NUM_MATH_FN float num_powf_f32(float a, float b)
{
    return num_canon_f32((float)num_k_powf((double)a, (double)b));
}
NUM_MATH_FN float num_fpowi_f32(float a, int32_t n)
{
    return num_canon_f32((float)num_k_powf((double)a, (double)n));
}
#define NUM_FUNCTION2_SMALL(T)                                                                                                     \
    NUM_MATH_FN uint16_t num_atan2_##T(uint16_t y, uint16_t x)                                                                     \
    {                                                                                                                              \
        return num_f64_to_##T(num_odd_atan2((double)num_widen_##T(y), (double)num_widen_##T(x)));                                  \
    }                                                                                                                              \
    NUM_MATH_FN uint16_t num_powf_##T(uint16_t a, uint16_t b)                                                                      \
    {                                                                                                                              \
        return num_f64_to_##T(num_odd_powf((double)num_widen_##T(a), (double)num_widen_##T(b)));                                   \
    }                                                                                                                              \
    NUM_MATH_FN uint16_t num_fpowi_##T(uint16_t a, int32_t n)                                                                      \
    {                                                                                                                              \
        return num_f64_to_##T(num_odd_powf((double)num_widen_##T(a), (double)n));                                                  \
    }
NUM_FUNCTION2_SMALL(f16)
NUM_FUNCTION2_SMALL(bf16)
NUM_MATH_FN double num_fpowi_f64(double a, int32_t n)
{
    return num_powf_f64(a, (double)n);
}
#endif

/* -- conversions --------------------------------------------------------------------------------------------------------------- */

/* Integer to integer.  i1 as a signed source is 0 or -1. */
#define NUM_EXT(FROM, S, SIGNED, UNSIGNED, TO, D, DU)                                                                              \
    static inline D num_exts_##FROM##_##TO(S a)                                                                                    \
    {                                                                                                                              \
        return (D)(DU)(SIGNED);                                                                                                    \
    }                                                                                                                              \
    static inline D num_extu_##FROM##_##TO(S a)                                                                                    \
    {                                                                                                                              \
        return (D)(DU)(UNSIGNED);                                                                                                  \
    }
#define NUM_EXT_ALL(FROM, S, U, SIGNED)                                                                                            \
    NUM_EXT(FROM, S, SIGNED, (U)a, i8, int8_t, uint8_t)                                                                            \
    NUM_EXT(FROM, S, SIGNED, (U)a, i16, int16_t, uint16_t)                                                                         \
    NUM_EXT(FROM, S, SIGNED, (U)a, i32, int32_t, uint32_t)                                                                         \
    NUM_EXT(FROM, S, SIGNED, (U)a, i64, int64_t, uint64_t)                                                                         \
    static inline uint8_t num_exts_##FROM##_i1(S a)                                                                                \
    {                                                                                                                              \
        return (uint8_t)(a & 1);                                                                                                   \
    }                                                                                                                              \
    static inline uint8_t num_extu_##FROM##_i1(S a)                                                                                \
    {                                                                                                                              \
        return (uint8_t)(a & 1);                                                                                                   \
    }
NUM_EXT_ALL(i1, uint8_t, uint8_t, -(int64_t)(a & 1))
NUM_EXT_ALL(i8, int8_t, uint8_t, a)
NUM_EXT_ALL(i16, int16_t, uint16_t, a)
NUM_EXT_ALL(i32, int32_t, uint32_t, a)
NUM_EXT_ALL(i64, int64_t, uint64_t, a)

/* Integer to float, one rounding. */
static inline float num_s64_to_f32(int64_t a)
{
    return (float)a;
}
static inline float num_u64_to_f32(uint64_t a)
{
    return (float)a;
}
/* Bits below the 53 that f64 holds become one sticky bit: rounding to odd, as num_f64_to_f32_odd does next. */
static inline double num_u64_to_f64_odd(uint64_t a)
{
    return (double)(a >> 53 ? (a & ~UINT64_C(4095)) | (uint64_t)((a & 4095) != 0) << 12 : a);
}
static inline double num_s64_to_f64_odd(int64_t a)
{
    return a < 0 ? -num_u64_to_f64_odd(0 - (uint64_t)a) : num_u64_to_f64_odd((uint64_t)a);
}
#define NUM_ITOF(FROM, S, SIGNED, UNSIGNED)                                                                                        \
    static inline float num_sitof_##FROM##_f32(S a)                                                                                \
    {                                                                                                                              \
        return (float)(SIGNED);                                                                                                    \
    }                                                                                                                              \
    static inline float num_uitof_##FROM##_f32(S a)                                                                                \
    {                                                                                                                              \
        return (float)(UNSIGNED);                                                                                                  \
    }                                                                                                                              \
    static inline double num_sitof_##FROM##_f64(S a)                                                                               \
    {                                                                                                                              \
        return (double)(SIGNED);                                                                                                   \
    }                                                                                                                              \
    static inline double num_uitof_##FROM##_f64(S a)                                                                               \
    {                                                                                                                              \
        return (double)(UNSIGNED);                                                                                                 \
    }                                                                                                                              \
    static inline uint16_t num_sitof_##FROM##_f16(S a)                                                                             \
    {                                                                                                                              \
        return num_f64_to_f16(num_s64_to_f64_odd(SIGNED));                                                                         \
    }                                                                                                                              \
    static inline uint16_t num_uitof_##FROM##_f16(S a)                                                                             \
    {                                                                                                                              \
        return num_f64_to_f16(num_u64_to_f64_odd(UNSIGNED));                                                                       \
    }                                                                                                                              \
    static inline uint16_t num_sitof_##FROM##_bf16(S a)                                                                            \
    {                                                                                                                              \
        return num_f64_to_bf16(num_s64_to_f64_odd(SIGNED));                                                                        \
    }                                                                                                                              \
    static inline uint16_t num_uitof_##FROM##_bf16(S a)                                                                            \
    {                                                                                                                              \
        return num_f64_to_bf16(num_u64_to_f64_odd(UNSIGNED));                                                                      \
    }
NUM_ITOF(i1, uint8_t, -(int32_t)(a & 1), a & 1u)
NUM_ITOF(i8, int8_t, a, (uint8_t)a)
NUM_ITOF(i16, int16_t, a, (uint16_t)a)
NUM_ITOF(i32, int32_t, a, (uint32_t)a)
NUM_ITOF(i64, int64_t, a, (uint64_t)a)

/* Float to integer: truncate, saturate, NaN is 0.  LO and HI are exact in f64; the result is LO at or below, HI's number at or
 * above. */
#define NUM_FTOI_FROM(FROM, C)                                                                                                     \
    static inline int32_t num_ftos_clamp_##FROM(C a, double lo, double hi)                                                         \
    {                                                                                                                              \
        double v = (double)num_widen_##FROM(a);                                                                                    \
        v = v > lo ? v : lo; /* NaN becomes lo, replaced below */                                                                  \
        v = v < hi ? v : hi;                                                                                                       \
        return num_isnan_##FROM(a) ? 0 : (int32_t)v;                                                                               \
    }                                                                                                                              \
    static inline int8_t num_ftosi_##FROM##_i8(C a)                                                                                \
    {                                                                                                                              \
        return (int8_t)num_ftos_clamp_##FROM(a, -128.0, 127.0);                                                                    \
    }                                                                                                                              \
    static inline int16_t num_ftosi_##FROM##_i16(C a)                                                                              \
    {                                                                                                                              \
        return (int16_t)num_ftos_clamp_##FROM(a, -32768.0, 32767.0);                                                               \
    }                                                                                                                              \
    static inline int32_t num_ftosi_##FROM##_i32(C a)                                                                              \
    {                                                                                                                              \
        return num_ftos_clamp_##FROM(a, -2147483648.0, 2147483647.0);                                                              \
    }                                                                                                                              \
    static inline int64_t num_ftosi_##FROM##_i64(C a)                                                                              \
    {                                                                                                                              \
        double v = (double)num_widen_##FROM(a);                                                                                    \
        return v >= 0x1p63 ? INT64_MAX : v > -0x1p63 ? (int64_t)v : num_isnan_##FROM(a) ? 0 : INT64_MIN;                           \
    }                                                                                                                              \
    static inline uint8_t num_ftosi_##FROM##_i1(C a)                                                                               \
    {                                                                                                                              \
        return (uint8_t)(num_ftos_clamp_##FROM(a, -1.0, 0.0) & 1);                                                                 \
    }                                                                                                                              \
    static inline int8_t num_ftoui_##FROM##_i8(C a)                                                                                \
    {                                                                                                                              \
        return (int8_t)num_ftos_clamp_##FROM(a, 0.0, 255.0);                                                                       \
    }                                                                                                                              \
    static inline int16_t num_ftoui_##FROM##_i16(C a)                                                                              \
    {                                                                                                                              \
        return (int16_t)num_ftos_clamp_##FROM(a, 0.0, 65535.0);                                                                    \
    }                                                                                                                              \
    static inline int32_t num_ftoui_##FROM##_i32(C a)                                                                              \
    {                                                                                                                              \
        double v = (double)num_widen_##FROM(a);                                                                                    \
        v = v > 0.0 ? v : 0.0;                                                                                                     \
        v = v < 4294967295.0 ? v : 4294967295.0;                                                                                   \
        return (int32_t)(uint32_t)(uint64_t)v;                                                                                     \
    }                                                                                                                              \
    static inline int64_t num_ftoui_##FROM##_i64(C a)                                                                              \
    {                                                                                                                              \
        double v = (double)num_widen_##FROM(a);                                                                                    \
        return v >= 0x1p64 ? -1 : v > 0 ? (int64_t)(uint64_t)v : 0;                                                                \
    }                                                                                                                              \
    static inline uint8_t num_ftoui_##FROM##_i1(C a)                                                                               \
    {                                                                                                                              \
        return (uint8_t)(num_ftos_clamp_##FROM(a, 0.0, 1.0) & 1);                                                                  \
    }
NUM_FTOI_FROM(f16, uint16_t)
NUM_FTOI_FROM(bf16, uint16_t)
NUM_FTOI_FROM(f32, float)
NUM_FTOI_FROM(f64, double)

/* Float to float.  The four with arithmetic among themselves; the storage formats through the tables of convert.c. */
static inline float num_fconv_f32_f32(float a)
{
    return num_canon_f32(a);
}
static inline double num_fconv_f32_f64(float a)
{
    return num_canon_f64((double)a);
}
static inline uint16_t num_fconv_f32_f16(float a)
{
    return num_f32_to_f16(a);
}
static inline uint16_t num_fconv_f32_bf16(float a)
{
    return num_f32_to_bf16(a);
}
static inline float num_fconv_f64_f32(double a)
{
    return num_canon_f32((float)a);
}
static inline double num_fconv_f64_f64(double a)
{
    return num_canon_f64(a);
}
static inline uint16_t num_fconv_f64_f16(double a)
{
    return num_f64_to_f16(a);
}
static inline uint16_t num_fconv_f64_bf16(double a)
{
    return num_f64_to_bf16(a);
}
static inline float num_fconv_f16_f32(uint16_t a)
{
    return num_canon_f32(num_widen_f16(a));
}
static inline double num_fconv_f16_f64(uint16_t a)
{
    return num_canon_f64((double)num_widen_f16(a));
}
static inline uint16_t num_fconv_f16_f16(uint16_t a)
{
    return num_isnan_f16(a) ? 0x7e00 : a;
}
static inline uint16_t num_fconv_f16_bf16(uint16_t a)
{
    return num_f32_to_bf16(num_widen_f16(a));
}
static inline float num_fconv_bf16_f32(uint16_t a)
{
    return num_canon_f32(num_widen_bf16(a));
}
static inline double num_fconv_bf16_f64(uint16_t a)
{
    return num_canon_f64((double)num_widen_bf16(a));
}
static inline uint16_t num_fconv_bf16_f16(uint16_t a)
{
    return num_f32_to_f16(num_widen_bf16(a));
}
static inline uint16_t num_fconv_bf16_bf16(uint16_t a)
{
    return num_isnan_bf16(a) ? 0x7fc0 : a;
}

#define NUM_T_STORAGE(X, ...)                                                                                                      \
    X(F8E5M2, __VA_ARGS__)                                                                                                         \
    X(F8E4M3FN, __VA_ARGS__)                                                                                                       \
    X(F8E4M3, __VA_ARGS__)                                                                                                         \
    X(F8E5M2FNUZ, __VA_ARGS__)                                                                                                     \
    X(F8E4M3FNUZ, __VA_ARGS__)                                                                                                     \
    X(F8E4M3B11FNUZ, __VA_ARGS__)                                                                                                  \
    X(F8E3M4, __VA_ARGS__) X(F8E8M0FNU, __VA_ARGS__) X(F6E2M3FN, __VA_ARGS__) X(F6E3M2FN, __VA_ARGS__) X(F4E2M1FN, __VA_ARGS__)
#define NUM_STORAGE_WITH(S, F)                                                                                                     \
    static inline NUM_CT_##F NUM_CONV_FN(fconv, S, F)(NUM_CT_##S a)                                                                \
    {                                                                                                                              \
        return NUM_FN(from_slot, F)(num_float_convert(BVM_##S, a, BVM_##F, 0));                                                    \
    }                                                                                                                              \
    static inline NUM_CT_##S NUM_CONV_FN(fconv, F, S)(NUM_CT_##F a)                                                                \
    {                                                                                                                              \
        return (NUM_CT_##S)num_float_convert(BVM_##F, NUM_FN(slot, F)(a), BVM_##S, 0);                                             \
    }
#define NUM_STORAGE_INT(S, I, W)                                                                                                   \
    static inline NUM_CT_##I NUM_CONV_FN(ftosi, S, I)(NUM_CT_##S a)                                                                \
    {                                                                                                                              \
        return NUM_FN(from_slot, I)(num_float_to_int(BVM_##S, a, W, true));                                                        \
    }                                                                                                                              \
    static inline NUM_CT_##I NUM_CONV_FN(ftoui, S, I)(NUM_CT_##S a)                                                                \
    {                                                                                                                              \
        return NUM_FN(from_slot, I)(num_float_to_int(BVM_##S, a, W, false));                                                       \
    }                                                                                                                              \
    static inline NUM_CT_##S NUM_CONV_FN(sitof, I, S)(NUM_CT_##I a)                                                                \
    {                                                                                                                              \
        return (NUM_CT_##S)num_int_to_float(W, true, NUM_FN(slot, I)(a), BVM_##S);                                                 \
    }                                                                                                                              \
    static inline NUM_CT_##S NUM_CONV_FN(uitof, I, S)(NUM_CT_##I a)                                                                \
    {                                                                                                                              \
        return (NUM_CT_##S)num_int_to_float(W, false, NUM_FN(slot, I)(a), BVM_##S);                                                \
    }
#define NUM_STORAGE(S, ...)                                                                                                        \
    NUM_STORAGE_WITH(S, F16)                                                                                                       \
    NUM_STORAGE_WITH(S, BF16)                                                                                                      \
    NUM_STORAGE_WITH(S, F32)                                                                                                       \
    NUM_STORAGE_WITH(S, F64)                                                                                                       \
    NUM_STORAGE_INT(S, I1, 1)                                                                                                      \
    NUM_STORAGE_INT(S, I8, 8)                                                                                                      \
    NUM_STORAGE_INT(S, I16, 16)                                                                                                    \
    NUM_STORAGE_INT(S, I32, 32)                                                                                                    \
    NUM_STORAGE_INT(S, I64, 64)
NUM_T_STORAGE(NUM_STORAGE, )

#endif
