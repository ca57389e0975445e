/* Contractions of f16 into f16 with the arithmetic of FEAT_FP16: FMUL and FADD round to f16 once each, FMLA once for both,
 * subnormals and overflow as IEEE has them (the VM's entry clears FZ16), which is what the definition says.  NaNs are made
 * canonical at the end. Sums in f32 stay with the row for all: FMLAL would give the same bits (products of f16 are exact there) at
 * the same rate as the multiply-add of widened panels.
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif
#include "../cpu.h"
#if BVM_ARM_EXTENSIONS
#include "../../numeric/ops.h"

#ifdef __clang__
#pragma clang attribute push(__attribute__((target("arch=armv8.2-a+fp16"))), apply_to = function)
#else
#pragma GCC target("arch=armv8.2-a+fp16")
#endif
#include <arm_fp16.h>
#include <arm_neon.h>

#define ISA_NAME(name) name##_fp16
#define ISA_ROWS       12
#define ISA_CLASSES    5
#define V_BYTES        16
#define ISA_ONLY
#define ISA_ONLY_F16
#define ISA_STEP_F16(a, b, c)      ((v_H16)vaddq_f16((float16x8_t)(c), vmulq_f16((float16x8_t)(a), (float16x8_t)(b))))
#define ISA_STEP_FMA_F16(a, b, c)  ((v_H16)vfmaq_f16((float16x8_t)(c), (float16x8_t)(a), (float16x8_t)(b)))
#define ISA_CHAIN_F16(a, b, c)     vaddh_f16(c, vmulh_f16(a, b))
#define ISA_CHAIN_FMA_F16(a, b, c) vfmah_f16(c, a, b)

#include "../portable/contract.c"
#ifdef __clang__
#pragma clang attribute pop
#endif
#else
typedef int bvm_no_fp16; /* a file must declare something */
#endif
