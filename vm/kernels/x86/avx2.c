/* The portable kernels compiled for AVX2, FMA and F16C, with the FMA instruction where a kernel asks for one rounding.  Same
 * source, same bits: -ffp-contract=off holds here too.
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif
#if defined(__x86_64__) && !defined(BUFVM_NO_SIMD)
#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx2,fma,f16c"))), apply_to = function)
#else
#pragma GCC target("avx2,fma,f16c")
#endif
#include <immintrin.h>

#define ISA_NAME(name)        name##_avx2
#define ISA_ROWS              6
#define ISA_CLASSES           4
#define V_BYTES               32
#define ISA_FMA_F32(a, b, c)  ((v_F32)_mm256_fmadd_ps((__m256)(a), (__m256)(b), (__m256)(c)))
#define ISA_FMA_F64(a, b, c)  ((v_F64)_mm256_fmadd_pd((__m256d)(a), (__m256d)(b), (__m256d)(c)))
#define ISA_MADD_I16(a, b, c) ((c) + (v_I32)_mm256_madd_epi16((__m256i)(a), (__m256i)(b)))
#define ISA_ROUND_F16(x)      ((v_F32)_mm256_cvtph_ps(_mm256_cvtps_ph((__m256)(x), _MM_FROUND_TO_NEAREST_INT)))
#define ISA_WIDEN_F16(p)      ((v_F32)_mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)(const void *)(p))))

#include "../portable/contract.c"
#ifdef __clang__
#pragma clang attribute pop
#endif
#else
typedef int bvm_no_avx2; /* a file must declare something */
#endif
