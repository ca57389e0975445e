/* The C library's functions in double over arrays, in vector form where it has one: good to a few units of the 53rd bit, enough to
 * say how an f32 rounds unless it lies next to a middle, and quick enough for 2^32 inputs.
 */
#include <math.h>
#include <stddef.h>

#include "accuracy_reference.h"

#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__)
#pragma GCC optimize("O3,fast-math")
#define CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#define SIMD   __attribute__((simd("notinbranch")))
#else
#define CLONES
#define SIMD
#endif

#define FUNCTION(NAME)                                                                                                             \
    SIMD extern double NAME(double);                                                                                               \
    CLONES void reference_##NAME(const double *restrict x, double *restrict y, size_t n)                                           \
    {                                                                                                                              \
        for (size_t i = 0; i < n; i++)                                                                                             \
            y[i] = NAME(x[i]);                                                                                                     \
    }
REFERENCE_FUNCTIONS(FUNCTION)

CLONES void reference_rsqrt(const double *restrict x, double *restrict y, size_t n)
{
    for (size_t i = 0; i < n; i++)
        y[i] = 1.0 / sqrt(x[i]);
}
