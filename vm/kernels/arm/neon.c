/* The contraction for AArch64: tiles for 32 vector registers, with the fused multiply-add and the conversions of f16 that every
 * AArch64 has.  Same source, same bits.
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif
#if defined(__aarch64__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ && !defined(BUFVM_NO_SIMD)
#include <arm_neon.h>

#define ISA_NAME(name)        name##_neon
#define ISA_ROWS              12
#define ISA_CLASSES           5
#define V_BYTES               16
#define ISA_FMA_F32(a, b, c)  ((v_F32)vfmaq_f32((float32x4_t)(c), (float32x4_t)(a), (float32x4_t)(b)))
#define ISA_FMA_F64(a, b, c)  ((v_F64)vfmaq_f64((float64x2_t)(c), (float64x2_t)(a), (float64x2_t)(b)))
#define ISA_MADD_I16(a, b, c) ((v_I32)madd_i16((int16x8_t)(a), (int16x8_t)(b), (int32x4_t)(c)))
#define ISA_ROUND_F16(x)      ((v_F32)vcvt_f32_f16(vcvt_f16_f32((float32x4_t)(x))))
#define ISA_WIDEN_F16(p)      ((v_F32)vcvt_f32_f16(vreinterpret_f16_u8(vld1_u8(p))))

/* The pairs' products, added: even and odd lanes apart. */
static inline int32x4_t madd_i16(int16x8_t a, int16x8_t b, int32x4_t c)
{
    int16x8_t even = vuzp1q_s16(a, a), odd = vuzp2q_s16(a, a), even_b = vuzp1q_s16(b, b), odd_b = vuzp2q_s16(b, b);
    return vmlal_s16(vmlal_s16(c, vget_low_s16(even), vget_low_s16(even_b)), vget_low_s16(odd), vget_low_s16(odd_b));
}

#include "../portable/contract.c"
#else
typedef int bvm_no_neon; /* a file must declare something */
#endif
