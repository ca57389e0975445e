/* The contraction for the instructions that every x86-64 has: as the portable one, with the multiply-add of pairs of i16. */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif
#if defined(__x86_64__) && !defined(BUFVM_NO_SIMD)
#include <emmintrin.h>

#define ISA_NAME(name)        name##_sse2
#define ISA_ROWS              4
#define ISA_CLASSES           3
#define V_BYTES               16
#define ISA_MADD_I16(a, b, c) ((c) + (v_I32)_mm_madd_epi16((__m128i)(a), (__m128i)(b)))

#include "../portable/contract.c"
#else
typedef int bvm_no_sse2; /* a file must declare something */
#endif
