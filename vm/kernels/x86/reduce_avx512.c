/* argreduce with rows of f32 in AVX-512; the rest is compiled for AVX2, since gcc 12 takes unsigned compares of 16 bits apart
 * wrongly when it may use masks.
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif
#if defined(__x86_64__) && !defined(BUFVM_NO_SIMD)
#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx2,fma,avx512f,avx512bw,avx512dq,avx512vl"))), apply_to = function)
#else
#pragma GCC target("avx2,fma")
#endif
#include <immintrin.h>

#define ISA_NAME(name) name##_avx512
#define ISA_AVX512
#define V_BYTES        32
#define ISA_SEARCH_F32 "../x86/search_f32.h"

#include "../portable/argreduce.c"
#ifdef __clang__
#pragma clang attribute pop
#endif
#else
typedef int bvm_no_reduce_avx512; /* a file must declare something */
#endif
