/* The reductions compiled for AVX2, with a row search of their own for f32. */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif
#if defined(__x86_64__) && !defined(BUFVM_NO_SIMD)
#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#else
#pragma GCC target("avx2,fma")
#endif
#include <immintrin.h>

#define ISA_NAME(name) name##_avx2
#define V_BYTES        32
#define ISA_SEARCH_F32 "../x86/search_f32.h"

#include "../portable/argreduce.c"
#include "../portable/reduce.c"
#ifdef __clang__
#pragma clang attribute pop
#endif
#else
typedef int bvm_no_reduce_avx2; /* a file must declare something */
#endif
