/* Bits of floats: what ops.h and math.h both stand on. */
#ifndef BVM_NUMERIC_BASE_H
#define BVM_NUMERIC_BASE_H

#include <stdint.h>
#include <string.h>

/* Inline whatever its size: what a loop vectorises over, or what has its arguments for constants.  Builds for coverage leave these
   functions as they are: a branch counts once there, not once more in each copy that some of its ways are closed in. */
#ifdef BUFVM_COVERAGE
#define NUM_INLINE static inline
#else
#define NUM_INLINE static inline __attribute__((always_inline))
#endif

/* The NaN that every operation yields: positive, quiet, payload 0. */
#define NUM_NAN_F32 UINT32_C(0x7fc00000)
#define NUM_NAN_F64 UINT64_C(0x7ff8000000000000)

static inline uint32_t num_bits32(float a)
{
    uint32_t u;
    memcpy(&u, &a, sizeof u);
    return u;
}
static inline float num_float32(uint32_t u)
{
    float a;
    memcpy(&a, &u, sizeof a);
    return a;
}
static inline uint64_t num_bits64(double a)
{
    uint64_t u;
    memcpy(&u, &a, sizeof u);
    return u;
}
static inline double num_float64(uint64_t u)
{
    double a;
    memcpy(&a, &u, sizeof a);
    return a;
}

#endif
