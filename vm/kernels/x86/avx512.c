/* The contraction compiled for AVX-512 (F, BW, DQ, VL) with FMA and VNNI.  Same source, same bits.  Tiles of 12 rows of two vectors
 * leave registers of the 32 for the products that the strict form rounds by themselves.
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif
#if defined(__x86_64__) && !defined(BUFVM_NO_SIMD)
#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512vnni,avx2,fma,f16c"))),               \
                             apply_to = function)
#else
#pragma GCC target("avx512f,avx512bw,avx512dq,avx512vl,avx512vnni,avx2,fma,f16c,prefer-vector-width=512")
#endif
#include <immintrin.h>

#define ISA_NAME(name)        name##_avx512
#define ISA_ROWS              12
#define ISA_CLASSES           5
#define V_BYTES               64
#define ISA_FMA_F32(a, b, c)  ((v_F32)_mm512_fmadd_ps((__m512)(a), (__m512)(b), (__m512)(c)))
#define ISA_FMA_F64(a, b, c)  ((v_F64)_mm512_fmadd_pd((__m512d)(a), (__m512d)(b), (__m512d)(c)))
#define ISA_MADD_I16(a, b, c) ((v_I32)_mm512_dpwssd_epi32((__m512i)(c), (__m512i)(a), (__m512i)(b)))
#define ISA_DOT_US(a, b, c)   ((v_I32)_mm512_dpbusd_epi32((__m512i)(c), (__m512i)(a), (__m512i)(b)))
#define ISA_ROUND_F16(x)      ((v_F32)_mm512_cvtph_ps(_mm512_cvtps_ph((__m512)(x), _MM_FROUND_TO_NEAREST_INT)))
#define ISA_WIDEN_F16(p)      ((v_F32)_mm512_cvtph_ps(_mm256_loadu_si256((const __m256i *)(const void *)(p))))

#include "../portable/contract.c"

/* Products that are rounded before they are added have units of their own in AVX2 on machines that work in halves: there the
   vectors of 256 bits are a quarter faster. */
bool bvm_contract_serves_avx512(const BvmKernelArgs *args)
{
    unsigned o = args->op[0].etype;
    bool exact = o == BVM_F32 && args->op[1].etype == BVM_F16 && args->op[2].etype == BVM_F16, fused = (args->flags & 1) || exact;
    return !bvm_cpu_has(args->cpu, BVM_CPU_HALVES) || fused || (o != BVM_F32 && o != BVM_F64);
}
#ifdef __clang__
#pragma clang attribute pop
#endif
#else
typedef int bvm_no_avx512; /* a file must declare something */
#endif
