/* Vectors of V_BYTES bytes over memory of any alignment: element types by their codes, masks, selection.
 *
 * For little-endian hosts only; the kernels have scalar code for all.  x_T is a vector of the element type's numbers (f16 and
 * bf16: of their bits), m_T the integers of the same width that compares give.
 */
#ifndef BVM_LANES_H
#define BVM_LANES_H

#include "isa.h"

#define LANES_TYPE(T, C, M)                                                                                                        \
    typedef C x_##T __attribute__((vector_size(V_BYTES)));                                                                         \
    typedef C u_##T __attribute__((vector_size(V_BYTES), aligned(1), may_alias));                                                  \
    typedef M n_##T __attribute__((vector_size(V_BYTES)));                                                                         \
    typedef C e_##T __attribute__((aligned(1), may_alias));
LANES_TYPE(I8, int8_t, int8_t)
LANES_TYPE(I16, int16_t, int16_t)
LANES_TYPE(I32, int32_t, int32_t)
LANES_TYPE(I64, int64_t, int64_t)
LANES_TYPE(U8, uint8_t, int8_t)
LANES_TYPE(U16, uint16_t, int16_t)
LANES_TYPE(U32, uint32_t, int32_t)
LANES_TYPE(U64, uint64_t, int64_t)
LANES_TYPE(F16, int16_t, int16_t)
LANES_TYPE(BF16, int16_t, int16_t)
LANES_TYPE(F32, float, int32_t)
LANES_TYPE(F64, double, int64_t)

/* In front of a short loop of constant length over vectors: they stay in registers. */
#ifdef __clang__
#define UNROLL
#else
#define UNROLL _Pragma("GCC unroll 32")
#endif

#define X_COUNT(T)       ((int)(V_BYTES / sizeof(((x_##T){0})[0])))
#define X_LOAD(T, p)     (*(const u_##T *)(p))
#define X_STORE(T, p, x) (*(u_##T *)(p) = (x))
#define X_SPLAT(T, v)    ((v) - (x_##T){0}) /* no -0 */

/* x > best ? x : best and x < best ? x : best */
#if V_BYTES == 32
#define X_MAX_F32(x, best)    ((x_F32)_mm256_max_ps((__m256)(x), (__m256)(best)))
#define X_MIN_F32(x, best)    ((x_F32)_mm256_min_ps((__m256)(x), (__m256)(best)))
#define X_MAX_F64(x, best)    ((x_F64)_mm256_max_pd((__m256d)(x), (__m256d)(best)))
#define X_MIN_F64(x, best)    ((x_F64)_mm256_min_pd((__m256d)(x), (__m256d)(best)))
#define X_UNORDERED_F32(x, y) ((n_F32)_mm256_cmp_ps((__m256)(x), (__m256)(y), _CMP_UNORD_Q))
#define X_UNORDERED_F64(x, y) ((n_F64)_mm256_cmp_pd((__m256d)(x), (__m256d)(y), _CMP_UNORD_Q))
#elif defined(__SSE2__) && V_BYTES == 16
#include <emmintrin.h>
#define X_MAX_F32(x, best)    ((x_F32)_mm_max_ps((__m128)(x), (__m128)(best)))
#define X_MIN_F32(x, best)    ((x_F32)_mm_min_ps((__m128)(x), (__m128)(best)))
#define X_MAX_F64(x, best)    ((x_F64)_mm_max_pd((__m128d)(x), (__m128d)(best)))
#define X_MIN_F64(x, best)    ((x_F64)_mm_min_pd((__m128d)(x), (__m128d)(best)))
#define X_UNORDERED_F32(x, y) ((n_F32)_mm_cmpunord_ps((__m128)(x), (__m128)(y)))
#define X_UNORDERED_F64(x, y) ((n_F64)_mm_cmpunord_pd((__m128d)(x), (__m128d)(y)))
#else
#define X_UNORDERED_F32(x, y) ((n_F32)(((x) != (x)) | ((y) != (y))))
#define X_UNORDERED_F64(x, y) ((n_F64)(((x) != (x)) | ((y) != (y))))
#define X_MAX_F32(x, best)    X_SELECT(x_F32, (x) > (best), x, best)
#define X_MIN_F32(x, best)    X_SELECT(x_F32, (x) < (best), x, best)
#define X_MAX_F64(x, best)    X_SELECT(x_F64, (x) > (best), x, best)
#define X_MIN_F64(x, best)    X_SELECT(x_F64, (x) < (best), x, best)
#endif

#ifdef __clang__
#define X_SHUFFLE(T, a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
#define X_SHUFFLE(T, a, b, ...) __builtin_shuffle(a, b, (n_##T){__VA_ARGS__})
#endif

/* Lane by lane mask ? a : b; masks are all ones or all zeros. */
#if V_BYTES == 32
#define X_SELECT(V, mask, a, b) ((V)_mm256_blendv_epi8((__m256i)(b), (__m256i)(a), (__m256i)(mask)))
#else
#define X_SELECT(V, mask, a, b) ((V)(((x_U64)(mask) & (x_U64)(a)) | (~(x_U64)(mask) & (x_U64)(b))))
#endif

static inline bool x_any(x_U64 mask)
{
#if V_BYTES == 32
    return !_mm256_testz_si256((__m256i)mask, (__m256i)mask);
#else
    uint64_t all = 0;
    for (int i = 0; i < V_BYTES / 8; i++)
        all |= mask[i];
    return all != 0;
#endif
}

#endif
