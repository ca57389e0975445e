/* Contractions of bytes with FEAT_I8MM: SMMLA, UMMLA and USMMLA multiply two rows with two lanes, eight k at once, in blocks of
 * several rows and lanes; SDOT, UDOT and USDOT do the rest.
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif
#include "../cpu.h"
#if BVM_ARM_EXTENSIONS
#include "../../numeric/ops.h"

#ifdef __clang__
#pragma clang attribute push(__attribute__((target("arch=armv8.2-a+dotprod+i8mm"))), apply_to = function)
#else
#pragma GCC target("arch=armv8.2-a+dotprod+i8mm")
#endif
#include <arm_neon.h>

#define ISA_NAME(name) name##_i8mm
#define ISA_ROWS       12
#define ISA_CLASSES    5
#define V_BYTES        16
#define ISA_ONLY
#define ISA_ONLY_BYTES
#define ISA_DOT_SS(a, b, c)    ((v_I32)vdotq_s32((int32x4_t)(c), (int8x16_t)(a), (int8x16_t)(b)))
#define ISA_DOT_UU(a, b, c)    ((v_I32)vdotq_u32((uint32x4_t)(c), (uint8x16_t)(a), (uint8x16_t)(b)))
#define ISA_DOT_US(a, b, c)    ((v_I32)vusdotq_s32((int32x4_t)(c), (uint8x16_t)(a), (int8x16_t)(b)))
#define ISA_SQUARE_SS(a, b, c) ((v_I32)vmmlaq_s32((int32x4_t)(c), (int8x16_t)(a), (int8x16_t)(b)))
#define ISA_SQUARE_UU(a, b, c) ((v_I32)vmmlaq_u32((uint32x4_t)(c), (uint8x16_t)(a), (uint8x16_t)(b)))
#define ISA_SQUARE_US(a, b, c) ((v_I32)vusmmlaq_s32((int32x4_t)(c), (uint8x16_t)(a), (int8x16_t)(b)))

#include "../portable/contract.c"
#ifdef __clang__
#pragma clang attribute pop
#endif
#else
typedef int bvm_no_i8mm; /* a file must declare something */
#endif
