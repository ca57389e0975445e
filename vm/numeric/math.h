/* Functions of the rows `rsqrt` to `powf`, own code: no call of the C library but sqrt.
 *
 * num_k_NAME takes a number of f32, f16 or bf16 as a double and computes in strict double arithmetic (no contraction, so every
 * machine gives the same bits) with an error far below half a unit of f32; the caller rounds once.  They are written without
 * tables and, but for sin, cos and tan of huge numbers, without branches: a loop over them vectorises.  For those three,
 * num_k_NAME_near is the part without a branch, for |x| < NUM_NEAR.
 *
 * num_NAME_f64 (math64.c) computes in pairs of doubles.  num_odd_NAME is the same rounded to odd, for f16 and bf16 whose results
 * of two operands can lie on or next to the middle between two numbers.
 *
 * Special values are those of C, Annex F.
 */
#ifndef BVM_NUMERIC_MATH_H
#define BVM_NUMERIC_MATH_H

#include <stdbool.h>

#include "base.h"

/* The unary functions that are neither exact nor roundings to integers. */
#define NUM_FUNCTIONS_1(X)                                                                                                         \
    NUM_FUNCTIONS_ANYWHERE(X)                                                                                                      \
    X(exp) X(tanh) X(erf)
#define NUM_FUNCTIONS_ANYWHERE(X)                                                                                                  \
    X(rsqrt)                                                                                                                       \
    X(cbrt)                                                                                                                        \
    X(exp2)                                                                                                                        \
    X(expm1) X(log) X(log2) X(log10) X(log1p) X(sin) X(cos) X(tan) X(asin) X(acos) X(atan) X(sinh) X(cosh) X(asinh) X(acosh)       \
        X(atanh) X(erfc)
/* In f32 these change no more where |x| is beyond the number with these bits, so num_k_NAME_inside is enough. */
#define NUM_FUNCTIONS_LIMITED(X) X(exp, 0x42f00000) X(tanh, 0x4111999a) X(erf, 0x40800000)
/* These have a part without a branch. */
#define NUM_FUNCTIONS_NEAR(X) X(sin) X(cos) X(tan)

#define NUM_DECLARE_F64(NAME) double num_##NAME##_f64(double x);
NUM_FUNCTIONS_1(NUM_DECLARE_F64)
#undef NUM_DECLARE_F64
double num_atan2_f64(double y, double x);
double num_powf_f64(double a, double b);
double num_odd_atan2(double y, double x);
double num_odd_powf(double a, double b);
/* x less the nearest multiple of pi/2; *quadrant: that multiple, modulo 4.  Any finite x; NaN otherwise. */
double num_reduce_far(double x, uint64_t *quadrant);

#define NUM_LN2_HI   0x1.62e42fefa4p-1 /* 40 bits: its product with an exponent is exact */
#define NUM_LN2_LO   -0x1.8432a1b0e2634p-43
#define NUM_LN2      0x1.62e42fefa39efp-1
#define NUM_LOG2E    0x1.71547652b82fep+0
#define NUM_LOG10E   0x1.bcb7b1526e50ep-2
#define NUM_LOG10_2H 0x1.34413509f8p-2
#define NUM_LOG10_2L -0x1.80433b83b532ap-44
#define NUM_PI       0x1.921fb54442d18p+1
#define NUM_PI_2     0x1.921fb54442d18p+0
#define NUM_PI_4     0x1.921fb54442d18p-1
#define NUM_PI_2_A   0x1.921fb54p+0 /* 27 bits, 27 bits and the rest of pi/2 */
#define NUM_PI_2_B   0x1.10b461p-30
#define NUM_PI_2_C   0x1.a62633145c06ep-58
#define NUM_2_PI     0x1.45f306dc9c883p-1
#define NUM_NEAR     0x1p26
#define NUM_NEAR_F32 0x4c800000u /* its bits as f32 */

/* a * b + c, rounded once or twice: only where all 2^32 inputs of f32 were seen to give the same result either way. */
#if defined(__FMA__) || defined(__aarch64__)
#define NUM_EITHER(a, b, c) __builtin_fma(a, b, c)
#else
#define NUM_EITHER(a, b, c) ((a) * (b) + (c))
#endif

/* Chebyshev interpolation in 200 bits (coefficients.py); those of erf and tanh are minimax. */
/* r coth(r/2) for z = r^2, |r| <= ln(2)/2; error 2^-58.0. */
NUM_INLINE double num_poly_coth(double z)
{
    double w = z * z;
    double even = 0x1p+1 + w * (-0x1.6c16c16be45f2p-9 + w * -0x1.bbd3f65be23aap-20);
    double odd = 0x1.5555555555534p-3 + w * (0x1.1566aae04b2dfp-14 + w * 0x1.63681a7d7091dp-25);
    return even + z * odd;
}
/* Half of the same for exp. */
NUM_INLINE double num_poly_coth_either(double z)
{
    double w = z * z;
    double even = NUM_EITHER(w, NUM_EITHER(w, -0x1.bbd3f65be23aap-21, -0x1.6c16c16be45f2p-10), 0x1p+0);
    double odd = NUM_EITHER(w, NUM_EITHER(w, 0x1.63681a7d7091dp-26, 0x1.1566aae04b2dfp-15), 0x1.5555555555534p-4);
    return NUM_EITHER(z, odd, even);
}
/* (log((1+s)/(1-s)) / s - 2) / s^2 for z = s^2, |s| <= 0.1716; error 2^-51.5. */
NUM_INLINE double num_poly_log(double z)
{
    double w = z * z;
    double even = 0x1.5555555555558p-1 + w * (0x1.2492492dfd86cp-2 + w * (0x1.7462b91b8df65p-3 + w * 0x1.2b5f68a50d903p-3));
    double odd = 0x1.9999999995273p-2 + w * (0x1.c71c62d5e53ep-3 + w * 0x1.39fdcceb4bb45p-3);
    return even + z * odd;
}
/* (sin(r)/r - 1) / r^2 for z = r^2, |r| <= pi/4; error 2^-54.8. */
NUM_INLINE double num_poly_sin(double z)
{
    double w = z * z;
    double even = -0x1.5555555555555p-3 + w * (-0x1.a01a019e820aep-13 + w * -0x1.ae6008d114485p-26);
    double odd = 0x1.1111111110babp-7 + w * (0x1.71de37946ed6dp-19 + w * 0x1.5e0a4fc16be59p-33);
    return even + z * odd;
}
/* (cos(r) - 1 + r^2/2) / r^4 for z = r^2, |r| <= pi/4; error 2^-58.6. */
NUM_INLINE double num_poly_cos(double z)
{
    double w = z * z;
    double even = 0x1.5555555555555p-5 + w * (0x1.a01a019f4ddfdp-16 + w * 0x1.1eeb67d026ec6p-29);
    double odd = -0x1.6c16c16c16963p-10 + w * (-0x1.27e4fa16cc2d1p-22 + w * -0x1.907cd8ff5ede7p-37);
    return even + z * odd;
}
/* (asin(u)/u - 1) / u^2 for z = u^2, |u| <= 1/2; error 2^-51.9. */
NUM_INLINE double num_poly_asin(double z)
{
    double w = z * z;
    double even =
        0x1.555555555554fp-3 +
        w * (0x1.6db6db684b6a1p-5 +
             w * (0x1.6e8b2b3b10be4p-6 + w * (0x1.c87265d47ef49p-7 + w * (0x1.ff5fc4d14c735p-8 + w * -0x1.603991d6060ep-7))));
    double odd =
        0x1.3333333336da5p-4 +
        w * (0x1.f1c71f95269afp-6 +
             w * (0x1.1c593c7b1d958p-6 + w * (0x1.8522ddffa6208p-7 + w * (0x1.06b9d26d10838p-6 + w * 0x1.cd864394d2ff2p-6))));
    return even + z * odd;
}
/* (atan(u)/u - 1) / u^2 for z = u^2, |u| <= tan(pi/8); error 2^-54.3. */
NUM_INLINE double num_poly_atan(double z)
{
    double w = z * z;
    double even =
        -0x1.5555555555555p-2 +
        w * (-0x1.24924924358fep-3 +
             w * (-0x1.745d0b1a496d3p-4 + w * (-0x1.10fa65570f9fep-4 + w * (-0x1.a09318ec93cebp-5 + w * -0x1.3a03a36923274p-6))));
    double odd = 0x1.9999999999341p-3 +
                 w * (0x1.c71c7184e2ef2p-4 + w * (0x1.3b1261b89f53p-4 + w * (0x1.dfe50abb518e4p-5 + w * 0x1.414ff0b841a9cp-5)));
    return even + z * odd;
}
/* erfc(x) exp(x^2) (1 + 2x) for z = (x - 2.5) / (x + 2.5), 0 <= x <= 10.5; error 2^-51.2. */
NUM_INLINE double num_poly_erfc(double z)
{
    double w = z * z;
    double even =
        0x1.43cc6f6c9672cp+0 +
        w * (-0x1.959ac16f8530ap-4 +
             w * (-0x1.a5c0c8a419e47p-4 +
                  w * (0x1.e8948a89269a5p-11 +
                       w * (0x1.01e10eae70c0ap-11 +
                            w * (-0x1.73193897bac8ep-14 +
                                 w * (0x1.a412d0f4c9019p-18 +
                                      w * (0x1.5db1d9a170ea2p-19 + w * (-0x1.984fbfd06ae9ap-20 + w * 0x1.9cee9c09a7ec7p-22))))))));
    double odd =
        -0x1.f52c5d7e223e1p-4 +
        w * (0x1.42d379989e48ap-3 +
             w * (0x1.0c6092a41b0dcp-5 +
                  w * (-0x1.1f2f1259d42f7p-8 +
                       w * (0x1.4b6a0a9cc927cp-11 +
                            w * (-0x1.dc1917e392729p-14 +
                                 w * (0x1.7c0f0b0bd90aap-16 +
                                      w * (-0x1.13b9f60a5487ap-18 + w * (0x1.a717d099adfa8p-22 + w * 0x1.4b757a14c872fp-24))))))));
    return even + z * odd;
}
/* erf(x)/x = p/q for z = x^2, |x| <= 4; relative error 2^-41.3. */
NUM_INLINE double num_poly_erf_p(double z)
{
    double w = z * z;
    double even =
        NUM_EITHER(w,
                   NUM_EITHER(w, NUM_EITHER(w, NUM_EITHER(w, -0x1.14c33ab9e25a2p-36, 0x1.31c0790961c18p-20), 0x1.20631a433d00dp-11),
                              0x1.ddcf14253ce46p-5),
                   0x1.20dd75042a28fp+0);
    double odd = NUM_EITHER(w, NUM_EITHER(w, NUM_EITHER(w, 0x1.20b0e9f112972p-27, 0x1.8e13b7656b126p-16), 0x1.3ec9a1ddfffc7p-8),
                            0x1.8de6baeeb171cp-3);
    return NUM_EITHER(z, odd, even);
}
/* q */
NUM_INLINE double num_poly_erf_q(double z)
{
    double w = z * z;
    double even =
        NUM_EITHER(w, NUM_EITHER(w, NUM_EITHER(w, 0x1.74c181ae832bfp-18, 0x1.cb60274136f2ap-10), 0x1.ec526779bca0bp-4), 0x1p+0);
    double odd = NUM_EITHER(w, NUM_EITHER(w, NUM_EITHER(w, 0x1.340c60fafaedfp-23, 0x1.fa9649136235bp-14), 0x1.20ea7de4aa70cp-6),
                            0x1.02d30a4bf44edp-1);
    return NUM_EITHER(z, odd, even);
}
/* tanh(x)/x = p/q for z = x^2, |x| <= 9.1; relative error 2^-44.5. */
NUM_INLINE double num_poly_tanh_p(double z)
{
    double w = z * z;
    double even = NUM_EITHER(w, NUM_EITHER(w, NUM_EITHER(w, 0x1.33a2d1db1bap-44, 0x1.23112e30bd7c3p-22), 0x1.4b4e136c37e89p-8),
                             0x1.ffffffffffe96p-1);
    double odd = NUM_EITHER(w, NUM_EITHER(w, 0x1.95c2cdfeb8541p-32, 0x1.0020070288b57p-14), 0x1.2a0876382f63p-3);
    return NUM_EITHER(z, odd, even);
}
/* q */
NUM_INLINE double num_poly_tanh_q(double z)
{
    double w = z * z;
    double even =
        NUM_EITHER(w, NUM_EITHER(w, NUM_EITHER(w, 0x1.ff3d777edc332p-38, 0x1.36e677f5edae5p-18), 0x1.00beff57de3f2p-5), 0x1p+0);
    double odd = NUM_EITHER(w, NUM_EITHER(w, 0x1.984705478c05bp-27, 0x1.499f764f2c0cap-11), 0x1.ea5990716aaap-2);
    return NUM_EITHER(z, odd, even);
}

NUM_INLINE double num_nan(void)
{
    return num_float64(NUM_NAN_F64);
}
NUM_INLINE double num_inf(void)
{
    return num_float64(UINT64_C(0x7ff0000000000000));
}
NUM_INLINE double num_with_sign(double magnitude, double sign)
{
    return num_float64(num_bits64(magnitude) | (num_bits64(sign) & UINT64_C(0x8000000000000000)));
}
/* Limits that keep a NaN. */
NUM_INLINE double num_at_most(double x, double limit)
{
    return x > limit ? limit : x;
}
NUM_INLINE double num_at_least(double x, double limit)
{
    return x < limit ? limit : x;
}

/* The nearest integer of |x| < 2^51; the low bits of *n are that integer. */
NUM_INLINE double num_k_nearest(double x, uint64_t *n)
{
    double t = x + 0x1.8p52;
    *n = num_bits64(t);
    return t - 0x1.8p52;
}
/* 2^n, n from num_k_nearest, in -1022 .. 1023. */
NUM_INLINE double num_k_power2(uint64_t n)
{
    return num_float64((n + 1023) << 52);
}

/* -- exponentials: e^x = 2^n e^r, and e^r - 1 = 2r / (r coth(r/2) - r) --------------------------------------------------- */

NUM_INLINE double num_k_expm1_reduced(double r)
{
    return (r + r) / (num_poly_coth(r * r) - r);
}
/* |x| < 700.  e^x - 1 = (*scale - 1) + *scale * result */
NUM_INLINE double num_k_exp_parts(double x, double *scale)
{
    uint64_t n;
    double k = num_k_nearest(x * NUM_LOG2E, &n);
    *scale = num_k_power2(n);
    return num_k_expm1_reduced((x - k * NUM_LN2_HI) - k * NUM_LN2_LO);
}
/* Beyond 120 all f32 results are infinite, below -120 zero. */
NUM_INLINE double num_k_exp_plain(double x)
{
    double scale, p = num_k_exp_parts(num_at_least(num_at_most(x, 120.0), -120.0), &scale);
    return scale + scale * p;
}
NUM_INLINE double num_k_exp_inside(double x)
{
    double t = x * NUM_LOG2E + (0x1.8p52 + 1023), k = t - (0x1.8p52 + 1023); /* num_k_nearest and num_k_power2 in one */
    double scale = num_float64(num_bits64(t) << 52);
    double r = NUM_EITHER(-k, NUM_LN2_LO, NUM_EITHER(-k, NUM_LN2_HI, x));
    double p = r / NUM_EITHER(r, -0.5, num_poly_coth_either(r * r));
    return NUM_EITHER(scale, p, scale);
}
NUM_INLINE double num_k_exp(double x)
{
    return num_k_exp_inside(num_at_least(num_at_most(x, 120.0), -120.0));
}
NUM_INLINE double num_k_exp2(double x)
{
    uint64_t n;
    x = num_at_least(num_at_most(x, 200.0), -200.0);
    double r = x - num_k_nearest(x, &n), scale = num_k_power2(n);
    return scale + scale * num_k_expm1_reduced(r * NUM_LN2);
}
NUM_INLINE double num_k_expm1(double x)
{
    double scale, p = num_k_exp_parts(num_at_least(num_at_most(x, 120.0), -60.0), &scale);
    double y = (scale - 1.0) + scale * p;
    return x == 0.0 ? x : y;
}
NUM_INLINE double num_k_sinh(double x)
{
    double e = num_k_expm1(__builtin_fabs(x));
    return num_with_sign(0.5 * (e + e / (e + 1.0)), x);
}
NUM_INLINE double num_k_cosh(double x)
{
    double e = num_k_exp_plain(__builtin_fabs(x));
    return 0.5 * (e + 1.0 / e);
}
NUM_INLINE double num_k_tanh_inside(double x)
{
    double z = x * x;
    return x * num_poly_tanh_p(z) / num_poly_tanh_q(z);
}
NUM_INLINE double num_k_tanh(double x)
{
    return num_k_tanh_inside(num_at_least(num_at_most(x, 9.1), -9.1));
}

/* -- logarithms: x = 2^n (1 + f), log(1 + f) = 2s + s^3 P(s^2), s = f / (2 + f) -------------------------------------------- */

/* Positive normal x; *n: its exponent so that 1 + f lies around 1. */
NUM_INLINE double num_k_log_reduced(double x, double *n)
{
    uint64_t u = num_bits64(x) - UINT64_C(0x3fe6a09e667f3bcd); /* sqrt(1/2) */
    uint64_t biased = (u + (UINT64_C(1024) << 52)) >> 52;
    *n = num_float64(UINT64_C(0x4330000000000000) | biased) - (0x1p52 + 1024.0);
    double f = num_float64(num_bits64(x) - ((biased - 1024) << 52)) - 1.0;
    double s = f / (2.0 + f), z = s * s;
    return s * (2.0 + z * num_poly_log(z));
}
/* The answers for 0, negative numbers, infinity and NaN. */
NUM_INLINE double num_k_log_special(double x, double y)
{
    y = x == 0.0 ? -num_inf() : y;
    y = x < 0.0 ? num_nan() : y;
    return x < num_inf() ? y : x;
}
NUM_INLINE double num_k_log(double x)
{
    double n, y = num_k_log_reduced(x, &n);
    return num_k_log_special(x, n * NUM_LN2_HI + (y + n * NUM_LN2_LO));
}
NUM_INLINE double num_k_log2(double x)
{
    double n, y = num_k_log_reduced(x, &n);
    return num_k_log_special(x, n + y * NUM_LOG2E);
}
NUM_INLINE double num_k_log10(double x)
{
    double n, y = num_k_log_reduced(x, &n);
    return num_k_log_special(x, n * NUM_LOG10_2H + (y * NUM_LOG10E + n * NUM_LOG10_2L));
}
/* What 1 + x loses is given back as a first-order term. */
NUM_INLINE double num_k_log1p(double x)
{
    double u = 1.0 + x, lost = u - 1.0 > 1.0 ? 1.0 - (u - x) : x - (u - 1.0), n;
    double y = num_k_log_reduced(u, &n);
    y = n * NUM_LN2_HI + (y + (n * NUM_LN2_LO + lost / u));
    return x == 0.0 ? x : num_k_log_special(u, y);
}
NUM_INLINE double num_k_asinh(double x)
{
    double a = __builtin_fabs(x), z = a * a;
    double y = num_k_log1p(a + z / (1.0 + __builtin_sqrt(1.0 + z)));
    return num_with_sign(a < num_inf() ? y : a, x);
}
NUM_INLINE double num_k_acosh(double x)
{
    double t = x - 1.0; /* exact near 1 */
    double y = num_k_log1p(t + __builtin_sqrt(t * (2.0 + t)));
    return x < 1.0 ? num_nan() : x < num_inf() ? y : x;
}
NUM_INLINE double num_k_atanh(double x)
{
    double a = __builtin_fabs(x);
    return num_with_sign(0.5 * num_k_log1p((a + a) / (1.0 - a)), x);
}

/* -- circle ------------------------------------------------------------------------------------------------------------------ */

NUM_INLINE double num_k_reduce_near(double x, uint64_t *quadrant)
{
    double k = num_k_nearest(x * NUM_2_PI, quadrant);
    return ((x - k * NUM_PI_2_A) - k * NUM_PI_2_B) - k * NUM_PI_2_C;
}
NUM_INLINE double num_k_sin_reduced(double r)
{
    double z = r * r;
    return r + r * z * num_poly_sin(z);
}
NUM_INLINE double num_k_cos_reduced(double r)
{
    double z = r * r;
    return 1.0 + (z * z * num_poly_cos(z) - 0.5 * z);
}
/* sin(r + quadrant * pi/2) */
NUM_INLINE double num_k_sin_quadrant(double r, uint64_t quadrant)
{
    double y = quadrant & 1 ? num_k_cos_reduced(r) : num_k_sin_reduced(r);
    return num_float64(num_bits64(y) ^ (quadrant & 2) << 62);
}
NUM_INLINE double num_k_tan_quadrant(double r, uint64_t quadrant)
{
    double s = num_k_sin_reduced(r), c = num_k_cos_reduced(r);
    return (quadrant & 1 ? -c : s) / (quadrant & 1 ? s : c);
}
NUM_INLINE double num_k_sin_near(double x)
{
    uint64_t quadrant;
    double r = num_k_reduce_near(x, &quadrant), y = num_k_sin_quadrant(r, quadrant);
    return x == 0.0 ? x : y;
}
NUM_INLINE double num_k_cos_near(double x)
{
    uint64_t quadrant;
    double r = num_k_reduce_near(x, &quadrant);
    return num_k_sin_quadrant(r, quadrant + 1);
}
NUM_INLINE double num_k_tan_near(double x)
{
    uint64_t quadrant;
    double r = num_k_reduce_near(x, &quadrant), y = num_k_tan_quadrant(r, quadrant);
    return x == 0.0 ? x : y;
}
NUM_INLINE double num_k_sin(double x)
{
    uint64_t quadrant;
    if (__builtin_fabs(x) < NUM_NEAR)
        return num_k_sin_near(x);
    double r = num_reduce_far(x, &quadrant);
    return num_k_sin_quadrant(r, quadrant);
}
NUM_INLINE double num_k_cos(double x)
{
    uint64_t quadrant;
    if (__builtin_fabs(x) < NUM_NEAR)
        return num_k_cos_near(x);
    double r = num_reduce_far(x, &quadrant);
    return num_k_sin_quadrant(r, quadrant + 1);
}
NUM_INLINE double num_k_tan(double x)
{
    uint64_t quadrant;
    if (__builtin_fabs(x) < NUM_NEAR)
        return num_k_tan_near(x);
    double r = num_reduce_far(x, &quadrant);
    return num_k_tan_quadrant(r, quadrant);
}

/* asin(u) for u in 0 .. 1/2; beyond, asin(a) = pi/2 - 2 asin(sqrt((1 - a) / 2)).  NaN for a > 1. */
NUM_INLINE double num_k_asin_part(double a)
{
    double half = 0.5 * (1.0 - a);
    double z = a > 0.5 ? half : a * a, u = a > 0.5 ? __builtin_sqrt(half) : a;
    return u + u * z * num_poly_asin(z);
}
NUM_INLINE double num_k_asin(double x)
{
    double a = __builtin_fabs(x), p = num_k_asin_part(a);
    return num_with_sign(a > 0.5 ? NUM_PI_2 - 2.0 * p : p, x);
}
NUM_INLINE double num_k_acos(double x)
{
    double a = __builtin_fabs(x), p = num_k_asin_part(a);
    double middle = NUM_PI_2 - num_with_sign(p, x), end = x > 0.0 ? 2.0 * p : NUM_PI - 2.0 * p;
    return a > 0.5 ? end : middle;
}
/* a >= 0: around 0, 1 and infinity */
NUM_INLINE double num_k_atan_positive(double a)
{
    bool low = a <= 0x1.a827999fcef32p-2, high = a > 0x1.3504f333f9de6p+1; /* tan(pi/8), tan(3 pi/8) */
    double n = low ? a : high ? -1.0 : a - 1.0, d = low ? 1.0 : high ? a : a + 1.0;
    double base = low ? 0.0 : high ? NUM_PI_2 : NUM_PI_4, u = n / d, z = u * u;
    return base + (u + u * z * num_poly_atan(z));
}
NUM_INLINE double num_k_atan(double x)
{
    return num_with_sign(num_k_atan_positive(__builtin_fabs(x)), x);
}
NUM_INLINE double num_k_atan2(double y, double x)
{
    double a = __builtin_fabs(y), b = __builtin_fabs(x), t = a / b;
    t = a == 0.0 && b == 0.0 ? 0.0 : t;
    t = a == num_inf() && b == num_inf() ? 1.0 : t;
    double p = num_k_atan_positive(t);
    return num_with_sign(num_bits64(x) >> 63 ? NUM_PI - p : p, y);
}

/* -- erf, erfc -------------------------------------------------------------------------------------------------------------------
 */

NUM_INLINE double num_k_erf_inside(double x)
{
    double z = x * x;
    return x * num_poly_erf_p(z) / num_poly_erf_q(z);
}
NUM_INLINE double num_k_erf(double x)
{
    return num_k_erf_inside(num_at_least(num_at_most(x, 4.0), -4.0));
}
/* The square of an f32 is exact, so that exp(-x^2) keeps its accuracy; from 10.5 on the result is below half of the least f32. */
NUM_INLINE double num_k_erfc(double x)
{
    double a = num_at_most(__builtin_fabs(x), 10.5), t = (a - 2.5) / (a + 2.5);
    double y = num_k_exp_plain(-(a * a)) * num_poly_erfc(t) / (1.0 + 2.0 * a);
    return x < 0.0 ? 2.0 - y : y;
}

/* -- roots and powers
 * -------------------------------------------------------------------------------------------------------------- */

NUM_INLINE double num_k_rsqrt(double x)
{
    return 1.0 / __builtin_sqrt(x);
}
/* Halley's */
NUM_INLINE double num_k_cbrt_step(double y, double a)
{
    double cube = y * y * y;
    return y - y * ((cube - a) / (cube + cube + a));
}
/* A third of the exponent to begin with, then three steps: 4, 13, 40 and more bits. */
NUM_INLINE double num_k_cbrt(double x)
{
    double a = __builtin_fabs(x);
    double y = num_float64((uint64_t)((uint32_t)(num_bits64(a) >> 32) / 3 + 715094163u) << 32);
    y = num_k_cbrt_step(y, a);
    y = num_k_cbrt_step(y, a);
    y = num_k_cbrt_step(y, a);
    return x == 0.0 || !(a < num_inf()) ? x : num_with_sign(y, x);
}

/* y is an integer: 1, an odd one: 3, neither: 0.  Beyond 2^50 all f32 are even. */
NUM_INLINE unsigned num_k_parity(double y)
{
    uint64_t n;
    double nearest = num_k_nearest(num_at_least(num_at_most(y, 0x1p50), -0x1p50), &n);
    bool large = __builtin_fabs(y) >= 0x1p50;
    return large ? 1 : nearest != y ? 0 : n & 1 ? 3 : 1;
}
/* x^y = 2^(y log2 |x|) with C's sign and special values; y an f32 or an i32. */
NUM_INLINE double num_k_powf(double x, double y)
{
    double a = __builtin_fabs(x);
    double p = num_k_exp2(y * num_k_log2(a));
    /* A result that is nearly a number of 30 bits is that number: squares and the like can lie exactly between two f32. */
    double big = p * 0x1.000002p+23, snapped = big - (big - p);
    p = __builtin_fabs(p - snapped) <= p * 0x1p-44 ? snapped : p;
    unsigned parity = num_k_parity(y);
    p = num_float64(num_bits64(p) | (parity == 3 ? num_bits64(x) & UINT64_C(0x8000000000000000) : 0));
    p = x < 0.0 && a < num_inf() && parity == 0 ? num_nan() : p;
    p = a == 1.0 && __builtin_fabs(y) == num_inf() ? 1.0 : p;
    return x == 1.0 || y == 0.0 ? 1.0 : p;
}

#endif
