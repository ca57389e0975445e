/* The functions of math.h in f64, within one unit in the last place (in fact 0.51 or less).
 *
 * Each is computed as an unevaluated sum of two doubles, good for about 95 bits, and rounded once.  Exponential, sine and cosine
 * are Taylor series; logarithm and arc tangent correct the approximation of math.h by one Newton step through them; the rest is
 * made of those.  Correct and alike on every machine before fast: a call takes some hundred operations.
 *
 * The pairs follow T. J. Dekker, "A floating-point technique for extending the available precision" (1971), and D. E. Knuth's exact
 * sum; the reduction of large angles M. H. Payne and R. N. Hanek, "Radian reduction for trigonometric functions" (1983).
 */
#include "math.h"
#define NUM_MATH_EXTERN
#include "ops.h"

typedef struct Pair {
    double hi, lo; /* |lo| at most half a unit of hi */
} Pair;

static const Pair ln2 = {0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56};
static const Pair inverse_ln2 = {0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56};
static const Pair inverse_ln10 = {0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57};
static const Pair pi = {0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53};
static const Pair half_pi = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};
static const Pair two_over_sqrt_pi = {0x1.20dd750429b6dp+0, 0x1.1ae3a914fed8p-56};
static const Pair sqrt_pi = {0x1.c5bf891b4ef6bp+0, -0x1.618f13eb7ca89p-54};

/* 1 / n! from n = 2 */
static const Pair inverse_factorial[] = {{0x1p-1, 0x0p+0},
                                         {0x1.5555555555555p-3, 0x1.5555555555555p-57},
                                         {0x1.5555555555555p-5, 0x1.5555555555555p-59},
                                         {0x1.1111111111111p-7, 0x1.1111111111111p-63},
                                         {0x1.6c16c16c16c17p-10, -0x1.f49f49f49f49fp-65},
                                         {0x1.a01a01a01a01ap-13, 0x1.a01a01a01a01ap-73},
                                         {0x1.a01a01a01a01ap-16, 0x1.a01a01a01a01ap-76},
                                         {0x1.71de3a556c734p-19, -0x1.c154f8ddc6cp-73},
                                         {0x1.27e4fb7789f5cp-22, 0x1.cbbc05b4fa99ap-76},
                                         {0x1.ae64567f544e4p-26, -0x1.c062e06d1f209p-80},
                                         {0x1.1eed8eff8d898p-29, -0x1.2aec959e14c06p-83},
                                         {0x1.6124613a86d09p-33, 0x1.f28e0cc748ebep-87},
                                         {0x1.93974a8c07c9dp-37, 0x1.05d6f8a2efd1fp-92},
                                         {0x1.ae7f3e733b81fp-41, 0x1.1d8656b0ee8cbp-97},
                                         {0x1.ae7f3e733b81fp-45, 0x1.1d8656b0ee8cbp-101},
                                         {0x1.952c77030ad4ap-49, 0x1.ac981465ddc6cp-103},
                                         {0x1.6827863b97d97p-53, 0x1.eec01221a8b0bp-107},
                                         {0x1.2f49b46814157p-57, 0x1.2650f61dbdcb4p-112},
                                         {0x1.e542ba4020225p-62, 0x1.ea72b4afe3c2fp-120},
                                         {0x1.71b8ef6dcf572p-66, -0x1.d043ae40c4647p-120},
                                         {0x1.0ce396db7f853p-70, -0x1.aebcdbd20331cp-124},
                                         {0x1.761b41316381ap-75, -0x1.3423c7d91404fp-130},
                                         {0x1.f2cf01972f578p-80, -0x1.9ada5fcc1ab14p-135},
                                         {0x1.3f3ccdd165fa9p-84, -0x1.58ddadf344487p-139},
                                         {0x1.88e85fc6a4e5ap-89, -0x1.71c37ebd1654p-143},
                                         {0x1.d1ab1c2dccea3p-94, 0x1.054d0c78aea14p-149},
                                         {0x1.0a18a2635085dp-98, 0x1.b9e2e28e1aa54p-153},
                                         {0x1.259f98b4358adp-103, 0x1.eaf8c39dd9bc5p-157}};
#define INVERSE_FACTORIAL(n) inverse_factorial[(n)-2]

/* -- pairs ------------------------------------------------------------------------------------------------------------------- */

static Pair pair(double hi)
{
    return (Pair){hi, 0.0};
}

static Pair quick_sum(double a, double b) /* |a| >= |b| or a is 0 */
{
    double s = a + b;
    return (Pair){s, b - (s - a)};
}

static Pair sum(double a, double b)
{
    double s = a + b, t = s - a;
    return (Pair){s, (a - (s - t)) + (b - t)};
}

static Pair product(double a, double b)
{
    double p = a * b, ta = a * 134217729.0, tb = b * 134217729.0; /* 2^27 + 1 */
    double ah = ta - (ta - a), al = a - ah, bh = tb - (tb - b), bl = b - bh;
    return (Pair){p, ((ah * bh - p) + ah * bl + al * bh) + al * bl};
}

static Pair add(Pair a, Pair b)
{
    Pair s = sum(a.hi, b.hi), t = sum(a.lo, b.lo);
    s = quick_sum(s.hi, s.lo + t.hi);
    return quick_sum(s.hi, s.lo + t.lo);
}

static Pair negate(Pair a)
{
    return (Pair){-a.hi, -a.lo};
}

static Pair sub(Pair a, Pair b)
{
    return add(a, negate(b));
}

static Pair mul(Pair a, Pair b)
{
    Pair p = product(a.hi, b.hi);
    return quick_sum(p.hi, p.lo + (a.hi * b.lo + a.lo * b.hi));
}

static Pair mul1(Pair a, double b)
{
    Pair p = product(a.hi, b);
    return quick_sum(p.hi, p.lo + a.lo * b);
}

static Pair times(Pair a, double power2)
{
    return (Pair){a.hi * power2, a.lo * power2};
}

static Pair div_pair(Pair a, Pair b)
{
    double q1 = a.hi / b.hi;
    Pair r = sub(a, mul1(b, q1));
    double q2 = r.hi / b.hi;
    r = sub(r, mul1(b, q2));
    Pair q = quick_sum(q1, q2);
    return add(q, pair(r.hi / b.hi));
}

static Pair sqrt_pair(Pair a)
{
    double s = __builtin_sqrt(a.hi);
    if (s == 0.0)
        return pair(0.0);
    Pair r = sub(a, product(s, s));
    return quick_sum(s, r.hi / (2.0 * s));
}

/* Rounded to odd: a later rounding to fewer bits is then the only one. */
static double odd(Pair a)
{
    uint64_t u = num_bits64(a.hi);
    if (a.lo == 0.0 || (u & 1))
        return a.hi;
    return num_float64((a.lo > 0.0) == (a.hi > 0.0) ? u + 1 : u - 1);
}

static double power2(int n)
{
    return num_float64((uint64_t)(n + 1023) << 52);
}

/* Magnitude as m * 2^*e with 1 <= m < 2; a is finite and not 0. */
static double split(double a, int *e)
{
    int offset = 0;
    a = __builtin_fabs(a);
    if (a < 0x1p-1022) {
        a *= 0x1p54;
        offset = 54;
    }
    uint64_t u = num_bits64(a);
    *e = (int)(u >> 52) - 1023 - offset;
    return num_float64((u & ((UINT64_C(1) << 52) - 1)) | UINT64_C(1023) << 52);
}

/* a * 2^n rounded once, also to a subnormal; 2^-4 < a < 2^4. */
static double scaled(Pair a, int n)
{
    int e;
    split(a.hi, &e);
    if (n > 0)
        return n < 1000 ? a.hi * power2(n) : a.hi * power2(1000) * power2(n < 2000 ? n - 1000 : 1000);
    if (n < -1100)
        n = -1100;
    double significand = a.hi;
    if (n + e < -1022) {
        /* Rounded at the place of the last subnormal bit, by adding the power of two that has its last bit there. */
        double large = power2(52 - 1074 - n);
        Pair s = sum(large, a.hi);
        significand = (s.hi + odd(sum(s.lo, a.lo))) - large;
    }
    /* Exact from here on. */
    return n > -900 ? significand * power2(n) : significand * power2(-900) * power2(n + 900);
}

/* -- exponential ------------------------------------------------------------------------------------------------------------- */

/* e^r - 1 for |r| < 0.36: the series for r / 64, then six times (1 + q)^2 - 1. */
static Pair expm1_reduced(Pair r)
{
    r = times(r, 0x1p-6);
    double tail = 0.0;
    for (int n = 12; n > 7; n--)
        tail = (tail + INVERSE_FACTORIAL(n).hi) * r.hi;
    Pair p = add(INVERSE_FACTORIAL(7), pair(tail));
    for (int n = 6; n >= 2; n--)
        p = add(INVERSE_FACTORIAL(n), mul(p, r));
    Pair q = add(r, mul(mul(r, r), p));
    for (int i = 0; i < 6; i++)
        q = add(times(q, 2.0), mul(q, q));
    return q;
}

/* e^x = 2^*n (1 + result), |x| < 1500 */
static Pair exp_parts(Pair x, int *n)
{
    uint64_t bits;
    double k = num_k_nearest(x.hi * NUM_LOG2E, &bits);
    *n = (int)k;
    /* ln 2 in three parts, of which the first two have exact products with k. */
    Pair r = sum(x.hi - k * 0x1.62e42feep-1, -k * 0x1.a39ef356p-33);
    return expm1_reduced(add(r, sum(x.lo, -k * 0x1.93c7673007e5fp-65)));
}

static Pair exp_pair(Pair x, int *n)
{
    return add(pair(1.0), exp_parts(x, n));
}

/* e^x - 1, |x| < 100 */
static Pair expm1_pair(Pair x)
{
    int n;
    Pair q = exp_parts(x, &n);
    double scale = power2(n);
    return n == 0 ? q : add(times(q, scale), sum(scale, -1.0));
}

static bool is_nan(double x)
{
    return x != x;
}

static double exp_scaled(Pair x)
{
    int n;
    Pair e = exp_pair(x, &n);
    return scaled(e, n);
}

double num_exp_f64(double x)
{
    if (is_nan(x))
        return num_nan();
    if (x > 710.0)
        return num_inf();
    return x < -750.0 ? 0.0 : exp_scaled(pair(x));
}

double num_exp2_f64(double x)
{
    if (is_nan(x))
        return num_nan();
    if (x >= 1024.0)
        return num_inf();
    if (x < -1080.0)
        return 0.0;
    uint64_t bits;
    double k = num_k_nearest(x, &bits);
    return scaled(add(pair(1.0), expm1_reduced(mul1(ln2, x - k))), (int)k);
}

double num_expm1_f64(double x)
{
    if (is_nan(x))
        return num_nan();
    if (__builtin_fabs(x) < 0x1p-54)
        return x;
    if (x > 80.0)
        return num_exp_f64(x);
    return x < -50.0 ? -1.0 : expm1_pair(pair(x)).hi;
}

double num_sinh_f64(double x)
{
    double a = __builtin_fabs(x);
    int n;
    if (is_nan(x))
        return num_nan();
    if (a < 0x1p-28)
        return x;
    if (a > 711.0)
        return num_with_sign(num_inf(), x);
    if (a > 50.0) {
        Pair e = exp_pair(pair(a), &n);
        return num_with_sign(scaled(e, n - 1), x);
    }
    Pair e = expm1_pair(pair(a));
    return num_with_sign(0.5 * add(e, div_pair(e, add(e, pair(1.0)))).hi, x);
}

double num_cosh_f64(double x)
{
    double a = __builtin_fabs(x);
    int n;
    if (is_nan(x))
        return num_nan();
    if (a > 711.0)
        return num_inf();
    Pair e = exp_pair(pair(a), &n);
    if (a > 50.0)
        return scaled(e, n - 1);
    e = times(e, power2(n));
    return 0.5 * add(e, div_pair(pair(1.0), e)).hi;
}

double num_tanh_f64(double x)
{
    double a = __builtin_fabs(x);
    if (is_nan(x))
        return num_nan();
    if (a < 0x1p-28)
        return x;
    if (a > 20.0)
        return num_with_sign(1.0, x);
    Pair e = expm1_pair(pair(a + a));
    return num_with_sign(div_pair(e, add(e, pair(2.0))).hi, x);
}

/* -- logarithm --------------------------------------------------------------------------------------------------------------- */

/* Of m * 2^e + rest, where rest is below half a unit of m and 1 <= m < 2. */
static Pair log_scaled(double m, int e, double rest)
{
    if (m > 1.5) {
        m *= 0.5;
        rest *= 0.5;
        e++;
    }
    double y = num_k_log(m);
    /* log m = y + log(1 + t) with t = m e^-y - 1, small. */
    Pair t = add(pair(m - 1.0), mul1(expm1_pair(pair(-y)), m));
    t = sub(t, pair(0.5 * t.hi * t.hi));
    if (rest != 0.0) {
        Pair q = div_pair(pair(rest), pair(m));
        t = add(t, quick_sum(q.hi, q.lo - 0.5 * q.hi * q.hi));
    }
    return add(add(mul1(ln2, (double)e), pair(y)), t);
}

static Pair log_pair(double x)
{
    int e;
    double m = split(x, &e);
    return log_scaled(m, e, 0.0);
}

/* log(1 + a), 1 + a > 0 */
static Pair log1p_pair(Pair a)
{
    Pair u = sum(1.0, a.hi);
    int e;
    u = quick_sum(u.hi, u.lo + a.lo);
    double m = split(u.hi, &e);
    return log_scaled(m, e, u.lo * power2(-e));
}

/* True when the logarithm of x is not an ordinary number, which is then in *y. */
static bool log_special(double x, double *y)
{
    if (x > 0.0 && x < num_inf())
        return false;
    *y = x == 0.0 ? -num_inf() : x > 0.0 ? x : num_nan();
    return true;
}

double num_log_f64(double x)
{
    double y;
    return log_special(x, &y) ? y : log_pair(x).hi;
}

double num_log2_f64(double x)
{
    double y;
    return log_special(x, &y) ? y : mul(log_pair(x), inverse_ln2).hi;
}

double num_log10_f64(double x)
{
    double y;
    return log_special(x, &y) ? y : mul(log_pair(x), inverse_ln10).hi;
}

double num_log1p_f64(double x)
{
    double y;
    if (__builtin_fabs(x) < 0x1p-54)
        return x;
    if (log_special(x + 1.0, &y))
        return y;
    return x > 0x1p60 ? log_pair(x).hi : log1p_pair(pair(x)).hi;
}

double num_asinh_f64(double x)
{
    double a = __builtin_fabs(x);
    if (is_nan(x))
        return num_nan();
    if (a < 0x1p-28 || a == num_inf())
        return x;
    if (a > 0x1p50)
        return num_with_sign(add(log_pair(a), ln2).hi, x);
    Pair z = product(a, a), root = sqrt_pair(add(z, pair(1.0)));
    Pair t = add(pair(a), div_pair(z, add(root, pair(1.0))));
    return num_with_sign(log1p_pair(t).hi, x);
}

double num_acosh_f64(double x)
{
    if (is_nan(x) || x < 1.0)
        return num_nan();
    if (x == num_inf())
        return x;
    if (x > 0x1p50)
        return add(log_pair(x), ln2).hi;
    Pair t = sum(x, -1.0);
    return log1p_pair(add(t, sqrt_pair(mul(t, add(t, pair(2.0)))))).hi;
}

double num_atanh_f64(double x)
{
    double a = __builtin_fabs(x);
    if (is_nan(x) || a > 1.0)
        return num_nan();
    if (a < 0x1p-28)
        return x;
    if (a == 1.0)
        return num_with_sign(num_inf(), x);
    return num_with_sign(0.5 * log1p_pair(div_pair(pair(a + a), sum(1.0, -a))).hi, x);
}

/* -- circle ------------------------------------------------------------------------------------------------------------------ */

/* Bits of 2 / pi behind the point, after a word of zeros. */
static const uint64_t two_over_pi[] = {0,
                                       UINT64_C(0xa2f9836e4e441529),
                                       UINT64_C(0xfc2757d1f534ddc0),
                                       UINT64_C(0xdb6295993c439041),
                                       UINT64_C(0xfe5163abdebbc561),
                                       UINT64_C(0xb7246e3a424dd2e0),
                                       UINT64_C(0x06492eea09d1921c),
                                       UINT64_C(0xfe1deb1cb129a73e),
                                       UINT64_C(0xe88235f52ebb4484),
                                       UINT64_C(0xe99c7026b45f7e41),
                                       UINT64_C(0x3991d639835339f4),
                                       UINT64_C(0x9c845f8bbdf9283b),
                                       UINT64_C(0x1ff897ffde05980f),
                                       UINT64_C(0xef2f118b5a0a6d1f),
                                       UINT64_C(0x6d367ecf27cb09b7),
                                       UINT64_C(0x4f463f669e5fea2d),
                                       UINT64_C(0x7527bac7ebe5f17b),
                                       UINT64_C(0x3d0739f78a5292ea),
                                       UINT64_C(0x6bfb5fb11f8d5d08),
                                       UINT64_C(0x56033046fc7b6bab),
                                       UINT64_C(0xf0cfbc209af4361d)};

/* The product of x = m 2^e and 2/pi, of which the bits above the unit's two are left out: multiples of four turns of pi/2. */
static Pair reduce_far(double x, uint64_t *quadrant)
{
    uint64_t u = num_bits64(x), m = (u & ((UINT64_C(1) << 52) - 1)) | UINT64_C(1) << 52, w[4], p[5] = {0};
    int e = (int)(u >> 52 & 0x7ff) - 1075;
    unsigned start = (unsigned)(e - 2 + 64), word = start / 64, bit = start % 64;
    for (unsigned i = 0; i < 4; i++)
        w[i] = bit ? two_over_pi[word + i] << bit | two_over_pi[word + i + 1] >> (64 - bit) : two_over_pi[word + i];
    /* p[1..4] = m * w modulo 2^256, in units of 2^-254. */
    uint64_t carry = 0;
    for (int i = 3; i >= 0; i--) {
        uint64_t low = m * w[i];
        p[i + 1] = low + carry;
        carry = num_mulhu64(m, w[i]) + (p[i + 1] < low);
    }
    uint64_t q = p[1] >> 62;
    for (int i = 1; i < 5; i++)
        p[i] = p[i] << 2 | (i < 4 ? p[i + 1] >> 62 : 0);
    bool below = p[1] >> 63; /* nearer to the next one */
    q += below;
    if (below) {
        bool borrow = true;
        for (int i = 4; i > 0; i--) {
            p[i] = ~p[i] + borrow;
            borrow = borrow && p[i] == 0;
        }
    }
    int first = 1, zeros;
    while (first < 3 && p[first] == 0)
        first++;
    zeros = p[first] ? __builtin_clzll(p[first]) : 63;
    uint64_t next = first < 4 ? p[first + 1] : 0;
    uint64_t high = zeros ? p[first] << zeros | next >> (64 - zeros) : p[first], low = next << zeros;
    if (zeros && first + 2 < 5)
        low |= p[first + 2] >> (64 - zeros);
    Pair f = quick_sum((double)(high >> 11) * 0x1p-53, (double)((high & 2047) << 42 | low >> 22) * 0x1p-106);
    f = mul(times(f, power2(-zeros - 64 * (first - 1))), half_pi);
    if (u >> 63) {
        below = !below;
        q = 0 - q;
    }
    *quadrant = q & 3;
    return below ? negate(f) : f;
}

double num_reduce_far(double x, uint64_t *quadrant)
{
    *quadrant = 0;
    if (!(__builtin_fabs(x) < num_inf()))
        return num_nan();
    return reduce_far(x, quadrant).hi;
}

/* |r| < 0.8 */
static Pair sin_reduced(Pair r)
{
    Pair z = mul(r, r), p = INVERSE_FACTORIAL(27);
    for (int n = 25; n >= 3; n -= 2)
        p = sub(INVERSE_FACTORIAL(n), mul(p, z));
    return sub(r, mul(mul(r, z), p));
}
static Pair cos_reduced(Pair r)
{
    Pair z = mul(r, r), p = INVERSE_FACTORIAL(28);
    for (int n = 26; n >= 2; n -= 2)
        p = sub(INVERSE_FACTORIAL(n), mul(p, z));
    return sub(pair(1.0), mul(z, p));
}

static Pair reduce(double x, uint64_t *quadrant)
{
    *quadrant = 0;
    return __builtin_fabs(x) < 0.785 ? pair(x) : reduce_far(x, quadrant);
}

/* sin(x + turns * pi/2) */
static double sin_turned(double x, uint64_t turns)
{
    uint64_t quadrant;
    if (!(__builtin_fabs(x) < num_inf()))
        return num_nan();
    Pair r = reduce(x, &quadrant);
    quadrant += turns;
    Pair y = quadrant & 1 ? cos_reduced(r) : sin_reduced(r);
    return quadrant & 2 ? -y.hi : y.hi;
}

double num_sin_f64(double x)
{
    return __builtin_fabs(x) < 0x1p-28 ? x : sin_turned(x, 0);
}
double num_cos_f64(double x)
{
    return __builtin_fabs(x) < 0x1p-28 ? 1.0 : sin_turned(x, 1);
}

double num_tan_f64(double x)
{
    uint64_t quadrant;
    if (__builtin_fabs(x) < 0x1p-28)
        return x;
    if (!(__builtin_fabs(x) < num_inf()))
        return num_nan();
    Pair r = reduce(x, &quadrant), s = sin_reduced(r), c = cos_reduced(r);
    return quadrant & 1 ? -div_pair(c, s).hi : div_pair(s, c).hi;
}

/* 0 <= t <= 1 */
static Pair atan_low(Pair t)
{
    if (t.hi < 0x1p-26)
        return quick_sum(t.hi, t.lo - t.hi * t.hi * t.hi / 3.0);
    /* atan t = y + atan((t - tan y) / (1 + t tan y)), with a small argument */
    double y = num_k_atan_positive(t.hi);
    Pair s = sin_reduced(pair(y)), c = cos_reduced(pair(y));
    return add(pair(y), div_pair(sub(mul(t, c), s), add(c, mul(t, s))));
}

/* The angle of the point (x, y), both at least 0 and not both 0, of like size. */
static Pair angle(Pair y, Pair x)
{
    return y.hi <= x.hi ? atan_low(div_pair(y, x)) : sub(half_pi, atan_low(div_pair(x, y)));
}

double num_atan_f64(double x)
{
    double a = __builtin_fabs(x);
    if (is_nan(x))
        return num_nan();
    if (a < 0x1p-28)
        return x;
    if (a > 0x1p60)
        return num_with_sign(half_pi.hi, x);
    return num_with_sign(angle(pair(a), pair(1.0)).hi, x);
}

/* sqrt(1 - a^2), a <= 1 */
static Pair other_leg(double a)
{
    return sqrt_pair(mul(sum(1.0, -a), sum(1.0, a)));
}

double num_asin_f64(double x)
{
    double a = __builtin_fabs(x);
    if (is_nan(x) || a > 1.0)
        return num_nan();
    return a < 0x1p-28 ? x : num_with_sign(angle(pair(a), other_leg(a)).hi, x);
}

double num_acos_f64(double x)
{
    double a = __builtin_fabs(x);
    if (is_nan(x) || a > 1.0)
        return num_nan();
    if (x == 1.0)
        return 0.0;
    if (a < 0x1p-60)
        return half_pi.hi;
    Pair y = angle(other_leg(a), pair(a));
    return x < 0.0 ? sub(pi, y).hi : y.hi;
}

/* |angle of (x, y)| = result * 2^*n, for finite y and x that are not 0. */
static Pair atan2_parts(double y, double x, int *n)
{
    int ey, ex;
    double my = split(y, &ey), mx = split(x, &ex);
    int difference = ey - ex;
    *n = 0;
    if (difference > 60)
        return half_pi;
    if (difference < -60) {
        if (x < 0.0)
            return pi;
        /* A quotient q, less q^3 / 3: that is never seen but beside a quotient without a remainder. */
        *n = difference;
        Pair q = div_pair(pair(my), pair(mx));
        return (Pair){q.hi, q.lo - q.hi * 0x1p-120};
    }
    Pair a = angle(pair(my * power2(difference)), pair(mx));
    if (x < 0.0)
        return sub(pi, a);
    if (difference < -2) {
        *n = difference;
        a = times(a, power2(-difference));
    }
    return a;
}

/* Answers that need no arithmetic. */
static bool atan2_special(double y, double x, double *result)
{
    double a = __builtin_fabs(y), b = __builtin_fabs(x);
    bool left = num_bits64(x) >> 63;
    if (is_nan(x) || is_nan(y)) {
        *result = num_nan();
        return true;
    }
    if (a == 0.0 || (b == num_inf() && a < num_inf()))
        *result = num_with_sign(left ? pi.hi : 0.0, y);
    else if (b == 0.0 || (a == num_inf() && b < num_inf()))
        *result = num_with_sign(half_pi.hi, y);
    else if (a == num_inf())
        *result = num_with_sign(left ? 0x1.2d97c7f3321d2p+1 : NUM_PI_4, y);
    else
        return false;
    return true;
}

double num_atan2_f64(double y, double x)
{
    double special;
    if (atan2_special(y, x, &special))
        return special;
    int n;
    Pair a = atan2_parts(y, x, &n);
    return num_with_sign(scaled(a, n), y);
}

double num_odd_atan2(double y, double x)
{
    double special;
    if (atan2_special(y, x, &special))
        return special;
    int n;
    Pair a = atan2_parts(y, x, &n);
    return num_with_sign(odd(a) * power2(n), y);
}

/* -- erf, erfc --------------------------------------------------------------------------------------------------------------- */

/* erf(a) = 2/sqrt(pi) e^(-a^2) (a + 2/3 a^3 + 4/15 a^5 + ...): no term is negative.  a <= 3 */
static Pair erf_series(double a)
{
    Pair z = product(a, a), z2 = times(z, 2.0), term = pair(a), total = term;
    for (int n = 1; n < 200 && term.hi > total.hi * 0x1p-108; n++) {
        term = div_pair(mul(term, z2), pair((double)(2 * n + 1)));
        total = add(total, term);
    }
    int n;
    Pair e = exp_pair(negate(z), &n);
    return mul(two_over_sqrt_pi, mul(times(e, power2(n)), total));
}

/* erfc(a) = e^(-a^2) / sqrt(pi) / (a + (1/2) / (a + (2/2) / (a + ...))) = result * 2^*n; from 3 on 60 levels give 80 bits. */
static Pair erfc_fraction(double a, int *n)
{
    Pair f = pair(a);
    for (int i = 60; i > 0; i--)
        f = add(pair(a), div_pair(pair(0.5 * (double)i), f));
    Pair e = exp_pair(negate(product(a, a)), n);
    /* Between 1/4 and 1 again. */
    Pair y = div_pair(e, mul(sqrt_pi, f));
    int shift;
    split(y.hi, &shift);
    *n += shift;
    return times(y, power2(-shift));
}

static Pair erfc_pair(double a)
{
    int n;
    Pair y = erfc_fraction(a, &n);
    return times(y, power2(n));
}

double num_erf_f64(double x)
{
    double a = __builtin_fabs(x), y = 1.0;
    if (is_nan(x))
        return num_nan();
    if (x == 0.0)
        return x;
    if (a < 0x1p-30) {
        int e;
        double m = split(a, &e);
        return num_with_sign(scaled(mul1(two_over_sqrt_pi, m), e), x);
    }
    if (a < 3.0)
        y = erf_series(a).hi;
    else if (a < 6.0)
        y = sub(pair(1.0), erfc_pair(a)).hi;
    return num_with_sign(y, x);
}

double num_erfc_f64(double x)
{
    double a = __builtin_fabs(x);
    if (is_nan(x))
        return num_nan();
    if (a < 0x1p-60)
        return 1.0;
    if (a < 3.0)
        return x < 0.0 ? add(pair(1.0), erf_series(a)).hi : sub(pair(1.0), erf_series(a)).hi;
    if (x < 0.0)
        return x < -6.0 ? 2.0 : sub(pair(2.0), erfc_pair(a)).hi;
    if (x > 28.0)
        return 0.0;
    int n;
    Pair y = erfc_fraction(a, &n);
    return scaled(y, n);
}

/* -- roots and powers -------------------------------------------------------------------------------------------------------- */

double num_rsqrt_f64(double x)
{
    if (!(x > 0.0 && x < num_inf()))
        return num_canon_f64(1.0 / __builtin_sqrt(x));
    int e;
    double m = split(x, &e);
    if (e & 1) {
        m *= 2.0;
        e--;
    }
    double y = 1.0 / __builtin_sqrt(m);
    /* y + y (1 - m y^2) / 2 */
    Pair rest = sub(pair(1.0), mul1(product(y, y), m));
    return (y + 0.5 * y * rest.hi) * power2(-e / 2);
}

double num_cbrt_f64(double x)
{
    if (x == 0.0 || __builtin_fabs(x) == num_inf())
        return x;
    if (is_nan(x))
        return num_nan();
    int e;
    double m = split(x, &e);
    int third = (e + 3 * 400) / 3 - 400; /* toward minus infinity */
    m *= power2(e - 3 * third);
    double y = num_k_cbrt(m);
    Pair rest = sub(mul1(product(y, y), y), pair(m));
    return num_with_sign((y - rest.hi / (3.0 * y * y)) * power2(third), x);
}

static bool is_integer(double y)
{
    return __builtin_trunc(y) == y;
}
static bool is_odd(double y)
{
    return is_integer(y) && !is_integer(0.5 * y);
}

/* |x|^y for x that is finite and not 0, y finite: result * 2^*n.  *limit: far out of range, the result being 0 or infinity. */
static Pair power_parts(double x, double y, int *n, double *limit)
{
    Pair l = log_pair(x);
    *limit = -1.0;
    *n = 0;
    double estimate = y * l.hi;
    if (__builtin_fabs(estimate) > 800.0) {
        *limit = estimate > 0.0 ? num_inf() : 0.0;
        return pair(1.0);
    }
    Pair p = exp_pair(mul1(l, y), n);
    if (__builtin_fabs(p.lo) < p.hi * 0x1p-80)
        p.lo = 0.0; /* an exact power but for what the pairs lose */
    return p;
}

static bool power_special(double x, double y, double *result)
{
    double a = __builtin_fabs(x);
    if (x == 1.0 || y == 0.0)
        *result = 1.0;
    else if (is_nan(x) || is_nan(y))
        *result = num_nan();
    else if (__builtin_fabs(y) == num_inf())
        *result = a == 1.0 ? 1.0 : (a > 1.0) == (y > 0.0) ? num_inf() : 0.0;
    else if (a == 0.0 || a == num_inf())
        *result = num_with_sign((a == 0.0) == (y < 0.0) ? num_inf() : 0.0, is_odd(y) ? x : 1.0);
    else if (x < 0.0 && !is_integer(y))
        *result = num_nan();
    else
        return false;
    return true;
}

double num_powf_f64(double x, double y)
{
    double special, limit;
    int n;
    if (power_special(x, y, &special))
        return special;
    Pair p = power_parts(x, y, &n, &limit);
    double magnitude = limit < 0.0 ? scaled(p, n) : limit;
    return num_with_sign(magnitude, is_odd(y) ? x : 1.0);
}

double num_odd_powf(double x, double y)
{
    double special, limit;
    int n;
    if (power_special(x, y, &special))
        return special;
    Pair p = power_parts(x, y, &n, &limit);
    n = n > 1000 ? 1000 : n < -1000 ? -1000 : n;
    double magnitude = limit < 0.0 ? odd(p) * power2(n) : limit;
    return num_with_sign(magnitude, is_odd(y) ? x : 1.0);
}
