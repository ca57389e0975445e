/* Contractions of bf16 into bf16 with the conversion of FEAT_BF16: BFCVTN rounds f32 to the nearest bf16, ties to even, overflow to
 * infinity, subnormals kept, as the definition does; it leaves a NaN a NaN, which the store makes canonical.
 *
 * The other instructions of the extension are not used.  BFDOT and BFMMLA add two products before they add the sum, round it to odd
 * and flush subnormals: other bits than loop order with a rounding each.  BFMLALB and BFMLALT are the fused multiply-add of f32 on
 * widened lanes: right only where the program asks for one rounding (a product of two bf16 fits f32 but for overflow and underflow,
 * where one rounding and two differ), and there no faster than FMLA on panels that are widened already.
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif
#include "../cpu.h"
#if BVM_ARM_EXTENSIONS
#include "../../numeric/ops.h"

#ifdef __clang__
#pragma clang attribute push(__attribute__((target("arch=armv8.2-a+bf16"))), apply_to = function)
#else
#pragma GCC target("arch=armv8.2-a+bf16")
#endif
#include <arm_neon.h>

#define ISA_NAME(name) name##_bf16
#define ISA_ROWS       12
#define ISA_CLASSES    5
#define V_BYTES        16
#define ISA_ONLY
#define ISA_ONLY_BF16
#define ISA_ROUND_BF16(x) ((v_F32)vshll_n_u16(vreinterpret_u16_bf16(vcvt_bf16_f32((float32x4_t)(x))), 16))

#include "../portable/contract.c"
#ifdef __clang__
#pragma clang attribute pop
#endif
#else
typedef int bvm_no_bf16; /* a file must declare something */
#endif
