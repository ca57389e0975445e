/* Hand-written AVX2: the limits of the machine (reading, multiplying) and the fused, reordered row loops that ours are held
 * against. Compiled by the benchmark when it runs, on x86-64 only; same calling convention as native.c.
 */
#include <immintrin.h>
#include <math.h>
#include <stdint.h>

#define REPEAT(statement)                                                                                                          \
    while (repetitions--) {                                                                                                        \
        statement;                                                                                                                 \
        __asm__ volatile("" ::: "memory");                                                                                         \
    }

static inline float lanes_sum(__m256 v)
{
    __m128 a = _mm_add_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
    a = _mm_add_ps(a, _mm_movehl_ps(a, a));
    return _mm_cvtss_f32(_mm_add_ss(a, _mm_shuffle_ps(a, a, 1)));
}

static inline float lanes_max(__m256 v)
{
    __m128 a = _mm_max_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
    a = _mm_max_ps(a, _mm_movehl_ps(a, a));
    return _mm_cvtss_f32(_mm_max_ss(a, _mm_shuffle_ps(a, a, 1)));
}

/* Eight accumulators: as fast as the data comes. */
static __attribute__((noinline)) float sum_row(const float *x, long n)
{
    __m256 a[8];
    long i = 0;
    for (int k = 0; k < 8; k++)
        a[k] = _mm256_setzero_ps();
    for (; i + 64 <= n; i += 64)
        for (int k = 0; k < 8; k++)
            a[k] = _mm256_add_ps(a[k], _mm256_loadu_ps(x + i + 8 * k));
    for (int k = 1; k < 8; k++)
        a[0] = _mm256_add_ps(a[0], a[k]);
    float sum = lanes_sum(a[0]);
    for (; i < n; i++)
        sum += x[i];
    return sum;
}

static __attribute__((noinline)) float max_row(const float *x, long n)
{
    __m256 a[4];
    long i = 0;
    for (int k = 0; k < 4; k++)
        a[k] = _mm256_set1_ps(-INFINITY);
    for (; i + 32 <= n; i += 32)
        for (int k = 0; k < 4; k++)
            a[k] = _mm256_max_ps(_mm256_loadu_ps(x + i + 8 * k), a[k]);
    float top = lanes_max(_mm256_max_ps(_mm256_max_ps(a[0], a[1]), _mm256_max_ps(a[2], a[3])));
    for (; i < n; i++)
        top = x[i] > top ? x[i] : top;
    return top;
}

void sum_avx2(long repetitions, const float *x, float *out, long rows, long n)
{
    REPEAT(for (long i = 0; i < rows; i++) out[i] = sum_row(x + i * n, n))
}

void max_avx2(long repetitions, const float *x, float *out, long rows, long n)
{
    REPEAT(for (long i = 0; i < rows; i++) out[i] = max_row(x + i * n, n))
}

/* e^x to an ulp or two: 2^k times a polynomial of the rest. */
static inline __m256 exponential(__m256 x)
{
    static const float terms[] = {1.0f / 720, 1.0f / 120, 1.0f / 24, 1.0f / 6, 0.5f, 1, 1};
    x = _mm256_min_ps(_mm256_max_ps(x, _mm256_set1_ps(-87)), _mm256_set1_ps(88));
    __m256 k = _mm256_round_ps(_mm256_mul_ps(x, _mm256_set1_ps(1.44269504f)), _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
    x = _mm256_fnmadd_ps(k, _mm256_set1_ps(0.693359375f), x);
    x = _mm256_fnmadd_ps(k, _mm256_set1_ps(-2.12194440e-4f), x);
    __m256 y = _mm256_set1_ps(terms[0]);
    for (int i = 1; i < 7; i++)
        y = _mm256_fmadd_ps(y, x, _mm256_set1_ps(terms[i]));
    __m256i power = _mm256_slli_epi32(_mm256_add_epi32(_mm256_cvtps_epi32(k), _mm256_set1_epi32(127)), 23);
    return _mm256_mul_ps(y, _mm256_castsi256_ps(power));
}

/* Columns are a multiple of 32 in what follows. */
static void softmax_row(const float *x, float *out, long n)
{
    __m256 top = _mm256_set1_ps(max_row(x, n)), s0 = _mm256_setzero_ps(), s1 = s0;
    for (long i = 0; i < n; i += 16) {
        __m256 e0 = exponential(_mm256_sub_ps(_mm256_loadu_ps(x + i), top));
        __m256 e1 = exponential(_mm256_sub_ps(_mm256_loadu_ps(x + i + 8), top));
        _mm256_storeu_ps(out + i, e0);
        _mm256_storeu_ps(out + i + 8, e1);
        s0 = _mm256_add_ps(s0, e0);
        s1 = _mm256_add_ps(s1, e1);
    }
    __m256 scale = _mm256_set1_ps(1 / lanes_sum(_mm256_add_ps(s0, s1)));
    for (long i = 0; i < n; i += 8)
        _mm256_storeu_ps(out + i, _mm256_mul_ps(scale, _mm256_loadu_ps(out + i)));
}

void softmax_avx2(long repetitions, const float *x, float *out, long rows, long n)
{
    REPEAT(for (long i = 0; i < rows; i++) softmax_row(x + i * n, out + i * n, n))
}

static void layernorm_row(const float *x, const float *scale, const float *shift, float *out, long n)
{
    float mean = sum_row(x, n) / (float)n;
    __m256 m = _mm256_set1_ps(mean), a[4];
    for (int k = 0; k < 4; k++)
        a[k] = _mm256_setzero_ps();
    for (long i = 0; i < n; i += 32)
        for (int k = 0; k < 4; k++) {
            __m256 d = _mm256_sub_ps(_mm256_loadu_ps(x + i + 8 * k), m);
            a[k] = _mm256_fmadd_ps(d, d, a[k]);
        }
    float square = lanes_sum(_mm256_add_ps(_mm256_add_ps(a[0], a[1]), _mm256_add_ps(a[2], a[3])));
    __m256 inverse = _mm256_set1_ps(1 / sqrtf(square / (float)n + 1e-5f));
    for (long i = 0; i < n; i += 8) {
        __m256 d = _mm256_mul_ps(_mm256_sub_ps(_mm256_loadu_ps(x + i), m), inverse);
        _mm256_storeu_ps(out + i, _mm256_fmadd_ps(d, _mm256_loadu_ps(scale + i), _mm256_loadu_ps(shift + i)));
    }
}

void layernorm_avx2(long repetitions, const float *x, const float *scale, const float *shift, float *out, long rows, long n)
{
    REPEAT(for (long i = 0; i < rows; i++) layernorm_row(x + i * n, scale, shift, out + i * n, n))
}

/* ---- registers only ---- */

/* Twelve independent chains cover the latency of two multipliers; named one by one so that none lives in memory. */
#define EACH(DO) DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7) DO(8) DO(9) DO(10) DO(11)
enum { CHAINS = 12, TURNS = 1000 };

/* 8 lanes a chain, 2 operations a lane: returns the operations of one repetition. */
double peak_avx2(long repetitions)
{
#define START(k) __m256 a##k = _mm256_set1_ps(k);
#define STEP(k)                                                                                                                    \
    a##k = _mm256_fmadd_ps(a##k, x, y);                                                                                            \
    __asm__ volatile("" : "+x"(a##k));
#define FINISH(k) sum = _mm256_add_ps(sum, a##k);
    __m256 x = _mm256_set1_ps(0.999f), y = _mm256_set1_ps(0.001f), sum = _mm256_setzero_ps();
    EACH(START)
    REPEAT(for (int t = 0; t < TURNS; t++){EACH(STEP)})
    EACH(FINISH)
    volatile float keep = lanes_sum(sum);
    (void)keep;
    return 2.0 * 8 * CHAINS * TURNS;
#undef START
#undef STEP
#undef FINISH
}

#ifdef __AVX512F__
double peak_avx512(long repetitions)
{
#define START(k) __m512 a##k = _mm512_set1_ps(k);
#define STEP(k)                                                                                                                    \
    a##k = _mm512_fmadd_ps(a##k, x, y);                                                                                            \
    __asm__ volatile("" : "+v"(a##k));
#define FINISH(k) sum = _mm512_add_ps(sum, a##k);
    __m512 x = _mm512_set1_ps(0.999f), y = _mm512_set1_ps(0.001f), sum = _mm512_setzero_ps();
    EACH(START)
    REPEAT(for (int t = 0; t < TURNS; t++){EACH(STEP)})
    EACH(FINISH)
    volatile float keep = _mm512_reduce_add_ps(sum);
    (void)keep;
    return 2.0 * 16 * CHAINS * TURNS;
}
#endif
