/* Plain loops, as a C programmer writes them: what `gcc -O3 -march=native` makes of them is the bar of `make bench`.
 *
 * Compiled by the benchmark when it runs, once strict and once with -ffast-math.  Every function repeats its work and takes
 * (repetitions, operands..., rows, columns) or, elementwise, (repetitions, operands..., elements).
 */
#include <float.h>
#include <math.h>
#include <stdint.h>

#define NOINLINE __attribute__((noinline))
/* The compiler must not drop or join repetitions. */
#define REPEAT(statement)                                                                                                          \
    while (repetitions--) {                                                                                                        \
        statement;                                                                                                                 \
        __asm__ volatile("" ::: "memory");                                                                                         \
    }

/* ---- rows ---- */

static NOINLINE int64_t argmax_row(const float *x, long n)
{
    float best = -FLT_MAX;
    int64_t at = 0;
    for (long i = 0; i < n; i++)
        if (x[i] > best) {
            best = x[i];
            at = i;
        }
    return at;
}

static NOINLINE float max_row(const float *x, long n)
{
    float best = -FLT_MAX;
    for (long i = 0; i < n; i++)
        best = x[i] > best ? x[i] : best;
    return best;
}

static NOINLINE float sum_row(const float *x, long n)
{
    float sum = 0;
    for (long i = 0; i < n; i++)
        sum += x[i];
    return sum;
}

static NOINLINE int32_t isum_row(const int32_t *x, long n)
{
    uint32_t sum = 0;
    for (long i = 0; i < n; i++)
        sum += (uint32_t)x[i];
    return (int32_t)sum;
}

static NOINLINE void softmax_row(const float *restrict x, float *restrict y, long n)
{
    float top = max_row(x, n);
    for (long i = 0; i < n; i++)
        y[i] = expf(x[i] - top);
    float scale = 1 / sum_row(y, n);
    for (long i = 0; i < n; i++)
        y[i] *= scale;
}

static NOINLINE void layernorm_row(const float *restrict x, const float *restrict scale, const float *restrict shift,
                                   float *restrict y, long n)
{
    float mean = sum_row(x, n) / (float)n, square = 0;
    for (long i = 0; i < n; i++)
        square += (x[i] - mean) * (x[i] - mean);
    float inverse = 1 / sqrtf(square / (float)n + 1e-5f);
    for (long i = 0; i < n; i++)
        y[i] = (x[i] - mean) * inverse * scale[i] + shift[i];
}

#define ROWS(name, in_type, out_type, row)                                                                                         \
    void name(long repetitions, const in_type *x, out_type *out, long rows, long n)                                                \
    {                                                                                                                              \
        REPEAT(for (long i = 0; i < rows; i++) out[i] = row(x + i * n, n))                                                         \
    }
ROWS(argmax, float, int64_t, argmax_row)
ROWS(maxr, float, float, max_row)
ROWS(sum, float, float, sum_row)
ROWS(isum, int32_t, int32_t, isum_row)

void softmax(long repetitions, const float *x, float *out, long rows, long n)
{
    REPEAT(for (long i = 0; i < rows; i++) softmax_row(x + i * n, out + i * n, n))
}

void layernorm(long repetitions, const float *x, const float *scale, const float *shift, float *out, long rows, long n)
{
    REPEAT(for (long i = 0; i < rows; i++) layernorm_row(x + i * n, scale, shift, out + i * n, n))
}

/* ---- elementwise ---- */

static inline float gelu_polynomial(float x)
{
    float u = (x + x * x * x * 0.044715f) * 0.797884583f;
    u = u < -1 ? -1 : u;
    u = u > 1 ? 1 : u;
    float gelu = x * 0.5f * (u + 1);
    return x < 0 ? u : gelu;
}

#define UNARY(name, expression)                                                                                                    \
    static NOINLINE void name##_all(const float *restrict a, float *restrict out, long n)                                          \
    {                                                                                                                              \
        for (long i = 0; i < n; i++)                                                                                               \
            out[i] = expression;                                                                                                   \
    }                                                                                                                              \
    void name(long repetitions, const float *a, float *out, long n)                                                                \
    {                                                                                                                              \
        REPEAT(name##_all(a, out, n))                                                                                              \
    }
UNARY(vexp, expf(a[i]))
UNARY(vtanh, tanhf(a[i]))
UNARY(vgelu, 0.5f * a[i] * (1 + erff(a[i] * 0.70710678f)))
UNARY(gelupoly, gelu_polynomial(a[i]))

static NOINLINE void add_all(const float *restrict a, const float *restrict b, float *restrict out, long n)
{
    for (long i = 0; i < n; i++)
        out[i] = a[i] + b[i];
}
void add(long repetitions, const float *a, const float *b, float *out, long n)
{
    REPEAT(add_all(a, b, out, n))
}

static NOINLINE void fma3_all(const float *restrict a, const float *restrict b, const float *restrict c, float *restrict out,
                              long n)
{
    for (long i = 0; i < n; i++)
        out[i] = a[i] * b[i] + c[i];
}
void fma3(long repetitions, const float *a, const float *b, const float *c, float *out, long n)
{
    REPEAT(fma3_all(a, b, c, out, n))
}
