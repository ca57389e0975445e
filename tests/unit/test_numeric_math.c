/* Unit tests of vm/numeric's math functions: f16 and bf16 on all inputs, f32 on many, f64 on known values, special values, and the
   hash that every machine must reproduce. */
#include <math.h>
#include <stdlib.h>

#include "expect.h"
#include "numeric_hash.h"

typedef struct Function {
    const char *name;
    uint16_t (*f16)(uint16_t);
    uint16_t (*bf16)(uint16_t);
    float (*f32)(float);
    double (*f64)(double);
} Function;

#define ROW(NAME) {#NAME, num_##NAME##_f16, num_##NAME##_bf16, num_##NAME##_f32, num_##NAME##_f64},
static const Function functions[] = {NUM_FUNCTIONS_1(ROW)};
enum { FUNCTIONS = sizeof functions / sizeof functions[0] };

static double value_of(unsigned etype, uint64_t bits)
{
    return num_float64(num_float_convert(etype, bits, BVM_F64, 0));
}

/* The f64 functions go another way, through pairs of doubles: rounded to the small type they are the correct answer. */
START_TEST(small_exhaustive)
{
    const Function *f = &functions[_i];
    for (uint32_t u = 0; u < 65536; u++) {
        uint64_t want = num_float_convert(BVM_F64, num_bits64(f->f64(value_of(BVM_F16, u))), BVM_F16, 0);
        EXPECT(f->f16((uint16_t)u) == want, "%s f16 %04x", f->name, u);
        want = num_float_convert(BVM_F64, num_bits64(f->f64(value_of(BVM_BF16, u))), BVM_BF16, 0);
        EXPECT(f->bf16((uint16_t)u) == want, "%s bf16 %04x", f->name, u);
    }
}
END_TEST

static double f32_last_place(double a)
{
    int e;
    frexp(a, &e);
    return ldexp(1.0, (e < -125 ? -125 : e) - 24);
}

/* tests/bench/accuracy does this on all inputs, against the C library. */
START_TEST(f32_sampled)
{
    const Function *f = &functions[_i];
    for (uint64_t u = (uint64_t)_i; u <= UINT32_MAX; u += 130003) {
        float x = num_float32((uint32_t)u), got = f->f32(x);
        double want = f->f64((double)x);
        float rounded = num_canon_f32((float)want);
        if (rounded != rounded || isinf(rounded) || rounded == 0) {
            EXPECT(num_bits32(got) == num_bits32(rounded), "%s %a: %a not %a", f->name, (double)x, (double)got, want);
            continue;
        }
        double error = fabs((double)got - want) / f32_last_place(want);
        EXPECT(error <= 0.501, "%s %a: %a, off by %g", f->name, (double)x, (double)got, error);
    }
}
END_TEST

static const struct {
    double (*f)(double);
    const char *name;
    double x, y;
} known[] = {
    {num_rsqrt_f64, "rsqrt", 0x1p+1, 0x1.6a09e667f3bcdp-1},
    {num_rsqrt_f64, "rsqrt", 0x0.012688b70e62bp-1022, 0x1.dd55745cbb7fap+514},
    {num_rsqrt_f64, "rsqrt", 0x1.999999999999ap-4, 0x1.94c583ada5b52p+1},
    {num_rsqrt_f64, "rsqrt", 0x1.7e43c8800759cp+996, 0x1.a2fe76a3f9475p-499},
    {num_cbrt_f64, "cbrt", 0x1p+1, 0x1.428a2f98d728bp+0},
    {num_cbrt_f64, "cbrt", -0x0.00000000007e8p-1022, -0x1.94c7f15ef7ddfp-355},
    {num_cbrt_f64, "cbrt", 0x1.999999999999ap-4, 0x1.db4c7760bcff3p-2},
    {num_cbrt_f64, "cbrt", -0x1.b8p+4, -0x1.825b1b6bac03bp+1},
    {num_exp_f64, "exp", 0x1p+0, 0x1.5bf0a8b145769p+1},
    {num_exp_f64, "exp", -0x1.748cccccccccdp+9, 0x0.0000000000001p-1022},
    {num_exp_f64, "exp", 0x1.62d999999999ap+9, 0x1.d75ae7a50ee14p+1023},
    {num_exp_f64, "exp", -0x1.6273333333333p+9, 0x0.9ab77c6e3d8a4p-1022},
    {num_exp_f64, "exp", 0x1.b7cdfd9d7bdbbp-34, 0x1.000000006df38p+0},
    {num_exp_f64, "exp", 0x1.999999999999ap-4, 0x1.1aec7b35a00d4p+0},
    {num_exp2_f64, "exp2", 0x1.999999999999ap-4, 0x1.125fbee250664p+0},
    {num_exp2_f64, "exp2", -0x1.0c93333333333p+10, 0x0.0000000000001p-1022},
    {num_exp2_f64, "exp2", 0x1.fff3333333333p+9, 0x1.ddb680117aa8ep+1023},
    {num_exp2_f64, "exp2", -0x1.01acccccccccdp+10, 0x0.009d9623dffc1p-1022},
    {num_expm1_f64, "expm1", 0x1.b7cdfd9d7bdbbp-34, 0x1.b7cdfd9dda4e3p-34},
    {num_expm1_f64, "expm1", 0x1p-1, 0x1.4c2531c3c0d38p-1},
    {num_expm1_f64, "expm1", -0x1.2cp+5, -0x1p+0},
    {num_expm1_f64, "expm1", -0x1.6666666666666p-1, -0x1.01bf92311555fp-1},
    {num_expm1_f64, "expm1", 0x1.4266666666666p+5, 0x1.1a350050bf58fp+58},
    {num_log_f64, "log", 0x1p+1, 0x1.62e42fefa39efp-1},
    {num_log_f64, "log", 0x1.000000006df38p+0, 0x1.b7cdffffa18d8p-34},
    {num_log_f64, "log", 0x1.fffeb074a771dp-1, -0x1.4f8bc681df714p-17},
    {num_log_f64, "log", 0x0.012688b70e62bp-1022, -0x1.64e69394d9508p+9},
    {num_log_f64, "log", 0x1.e42d130773b76p+1023, 0x1.62dd08fdc6f88p+9},
    {num_log2_f64, "log2", 0x1.8p+1, 0x1.95c01a39fbd68p+0},
    {num_log2_f64, "log2", 0x1.000000006df38p+0, 0x1.3d40846f44141p-33},
    {num_log2_f64, "log2", 0x0.012688b70e62bp-1022, -0x1.01730dabca5f6p+10},
    {num_log2_f64, "log2", 0x1.6666666666666p-1, -0x1.0776228967d13p-1},
    {num_log10_f64, "log10", 0x1p+1, 0x1.34413509f79ffp-2},
    {num_log10_f64, "log10", 0x1.fff2e48e8a71ep-1, -0x1.6c54b17ee96f3p-15},
    {num_log10_f64, "log10", 0x0.012688b70e62bp-1022, -0x1.36p+8},
    {num_log10_f64, "log10", 0x1.ddd4baa009303p+998, 0x1.2cb2efb2bd822p+8},
    {num_log1p_f64, "log1p", 0x1.b7cdfd9d7bdbbp-34, 0x1.b7cdfd9d1d693p-34},
    {num_log1p_f64, "log1p", 0x1.59e05f1e2674dp-53, 0x1.59e05f1e2674dp-53},
    {num_log1p_f64, "log1p", -0x1.fffeb074a771dp-1, -0x1.7069e2aa2b45dp+3},
    {num_log1p_f64, "log1p", -0x1.3333333333333p-2, -0x1.6d3c324e13f4ep-2},
    {num_log1p_f64, "log1p", 0x1.5af1d78b58c4p+66, 0x1.7069e2aa2aa5bp+5},
    {num_sin_f64, "sin", 0x1p+0, 0x1.aed548f090ceep-1},
    {num_sin_f64, "sin", 0x1.921fb54442d11p+1, 0x1.d1a62633145cp-49},
    {num_sin_f64, "sin", 0x1.0f0cf064dd592p+73, -0x1.b453ab76bf397p-1},
    {num_sin_f64, "sin", 0x1.6ac5b262ca1ffp+849, 0x1p+0},
    {num_sin_f64, "sin", -0x1.91eb851eb851fp-1, -0x1.69e4fd79ac743p-1},
    {num_sin_f64, "sin", 0x1.9p+6, -0x1.03425b78c4db8p-1},
    {num_cos_f64, "cos", 0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54},
    {num_cos_f64, "cos", 0x1.0f0cf064dd592p+73, 0x1.0be2cef01c8f4p-1},
    {num_cos_f64, "cos", 0x1.9p+6, 0x1.b981dbf665fdfp-1},
    {num_cos_f64, "cos", -0x1.8p+1, -0x1.fae04be85e5d2p-1},
    {num_cos_f64, "cos", 0x1.6666666666666p-1, 0x1.87996529f9d93p-1},
    {num_tan_f64, "tan", 0x1.921fb54442d18p+0, 0x1.d02967c31cdb5p+53},
    {num_tan_f64, "tan", 0x1.0f0cf064dd592p+73, -0x1.a0f79c1b6b257p+0},
    {num_tan_f64, "tan", 0x1.921fb54442d18p-1, 0x1.fffffffffffffp-1},
    {num_tan_f64, "tan", 0x1.9p+6, -0x1.2ca74d62b5d38p-1},
    {num_asin_f64, "asin", 0x1p-1, 0x1.0c152382d7366p-1},
    {num_asin_f64, "asin", 0x1.ffffffaa19c47p-1, 0x1.9216709c28b31p+0},
    {num_asin_f64, "asin", -0x1p+0, -0x1.921fb54442d18p+0},
    {num_asin_f64, "asin", 0x1.4f8b588e368f1p-17, 0x1.4f8b588e4e94p-17},
    {num_asin_f64, "asin", 0x1.6666666666666p-1, 0x1.8d00e692afd95p-1},
    {num_acos_f64, "acos", 0x1p-1, 0x1.0c152382d7366p+0},
    {num_acos_f64, "acos", 0x1.ffffffaa19c47p-1, 0x1.28950343cef55p-13},
    {num_acos_f64, "acos", -0x1.ffffffaa19c47p-1, 0x1.921b12f035c25p+1},
    {num_acos_f64, "acos", 0x1.b7cdfd9d7bdbbp-34, 0x1.921fb543d4dep+0},
    {num_acos_f64, "acos", -0x1p+0, 0x1.921fb54442d18p+1},
    {num_atan_f64, "atan", 0x1p-1, 0x1.dac670561bb4fp-2},
    {num_atan_f64, "atan", 0x1p+0, 0x1.921fb54442d18p-1},
    {num_atan_f64, "atan", 0x1.34fdf3b645a1dp+1, 0x1.2d95bb31dd8e2p+0},
    {num_atan_f64, "atan", 0x1.2a05f2p+33, 0x1.921fb543d4dep+0},
    {num_atan_f64, "atan", -0x1.4f8b588e368f1p-17, -0x1.4f8b588e06854p-17},
    {num_sinh_f64, "sinh", 0x1.999999999999ap-4, 0x1.9a487337b59b3p-4},
    {num_sinh_f64, "sinh", -0x1.4f8b588e368f1p-17, -0x1.4f8b588e4e94p-17},
    {num_sinh_f64, "sinh", 0x1.4p+4, 0x1.ceb088b68e804p+27},
    {num_sinh_f64, "sinh", 0x1.6326666666666p+9, 0x1.ad6eb7ccb4488p+1023},
    {num_sinh_f64, "sinh", -0x1.299999999999ap+5, -0x1.96d28cc229d82p+52},
    {num_cosh_f64, "cosh", 0x1.999999999999ap-4, 0x1.0147f40224b38p+0},
    {num_cosh_f64, "cosh", 0x1.4p+4, 0x1.ceb088b68e804p+27},
    {num_cosh_f64, "cosh", 0x1.6326666666666p+9, 0x1.ad6eb7ccb4488p+1023},
    {num_cosh_f64, "cosh", 0x1.4f8b588e368f1p-17, 0x1.0000000036f9cp+0},
    {num_tanh_f64, "tanh", 0x1.999999999999ap-4, 0x1.983d7795f413ap-4},
    {num_tanh_f64, "tanh", -0x1p-1, -0x1.d9353d7568af3p-2},
    {num_tanh_f64, "tanh", 0x1.8p+1, 0x1.fd77d111a0bp-1},
    {num_tanh_f64, "tanh", 0x1.3p+4, 0x1.fffffffffffffp-1},
    {num_tanh_f64, "tanh", 0x1.4f8b588e368f1p-17, 0x1.4f8b588e06854p-17},
    {num_asinh_f64, "asinh", 0x1.999999999999ap-4, 0x1.98eb9e7e5fc3ep-4},
    {num_asinh_f64, "asinh", -0x1.4f8b588e368f1p-17, -0x1.4f8b588e1e8a2p-17},
    {num_asinh_f64, "asinh", 0x1.8p+1, 0x1.d185b507edc0ep+0},
    {num_asinh_f64, "asinh", 0x1.7e43c8800759cp+996, 0x1.59bbfd8b83e44p+9},
    {num_asinh_f64, "asinh", 0x1.2a05f2p+33, 0x1.7b810429a7c2ap+4},
    {num_acosh_f64, "acosh", 0x1.8p+0, 0x1.ecc2caec5160ap-1},
    {num_acosh_f64, "acosh", 0x1.000001ad7f29bp+0, 0x1.d4effc065cae4p-12},
    {num_acosh_f64, "acosh", 0x1.8p+1, 0x1.c34366179d427p+0},
    {num_acosh_f64, "acosh", 0x1.7e43c8800759cp+996, 0x1.59bbfd8b83e44p+9},
    {num_atanh_f64, "atanh", 0x1p-1, 0x1.193ea7aad030bp-1},
    {num_atanh_f64, "atanh", -0x1.ffffffaa19c47p-1, -0x1.31d23d382188ep+3},
    {num_atanh_f64, "atanh", 0x1.4f8b588e368f1p-17, 0x1.4f8b588e6698ep-17},
    {num_atanh_f64, "atanh", 0x1.999999999999ap-4, 0x1.9af93cd234412p-4},
    {num_erf_f64, "erf", 0x1.999999999999ap-4, 0x1.cca5ea24fb334p-4},
    {num_erf_f64, "erf", 0x0.012688b70e62bp-1022, 0x0.014c5898977c4p-1022},
    {num_erf_f64, "erf", 0x1.7333333333333p+1, 0x1.fffa9cfbea4e3p-1},
    {num_erf_f64, "erf", 0x1.8cccccccccccdp+1, 0x1.fffe7922cb8dbp-1},
    {num_erf_f64, "erf", -0x1.6666666666666p-1, -0x1.5b08c21171646p-1},
    {num_erf_f64, "erf", 0x1.6p+2, 0x1.fffffffffffbep-1},
    {num_erfc_f64, "erfc", 0x1.999999999999ap-4, 0x1.c66b42bb60999p-1},
    {num_erfc_f64, "erfc", 0x1.7333333333333p+1, 0x1.58c1056c73872p-15},
    {num_erfc_f64, "erfc", 0x1.8cccccccccccdp+1, 0x1.86dd3472492c4p-17},
    {num_erfc_f64, "erfc", 0x1.acccccccccccdp+4, 0x0.000012bc9e6c8p-1022},
    {num_erfc_f64, "erfc", -0x1.cp+1, 0x1.fffff3886ab2fp+0},
    {num_erfc_f64, "erfc", -0x1p-1, 0x1.853f7ae0c76e9p+0},
    {num_erfc_f64, "erfc", 0x1.4p+3, 0x1.7d8a7f2a8a2dp-149},
};

/* Values worked out in 300 bits. */
START_TEST(f64_known)
{
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        double got = known[i].f(known[i].x), want = known[i].y;
        double ulp = nextafter(fabs(want), INFINITY) - fabs(want);
        EXPECT(fabs(got - want) <= ulp && signbit(got) == signbit(want), "%s %a: %a not %a", known[i].name, known[i].x, got, want);
    }
    ck_assert(num_powf_f64(1.0000001, 1e10) == INFINITY && num_powf_f64(1.0000001, -1e10) == 0);
    ck_assert(num_powf_f64(3, 2) == 9 && num_powf_f64(2, -1074) == 0x1p-1074 && num_powf_f64(10, 22) == 1e22);
    ck_assert(num_powf_f64(0x3p-215, 5) == 0x7ap-1074); /* 121.5 of the last place */
    ck_assert(num_powf_f64(0x1.8000000000001p-214, 5) == 0x7ap-1074 && num_powf_f64(0x1.7ffffffffffffp-214, 5) == 0x79p-1074);
    ck_assert(num_powf_f64(-2, 3) == -8 && num_powf_f64(0.25, 0.5) == 0.5);
    ck_assert(num_atan2_f64(1, 1) == 0x1.921fb54442d18p-1 && num_atan2_f64(-1, -1) == -0x1.2d97c7f3321d2p+1);
    ck_assert(num_atan2_f64(0x1p-1074, 1) == 0x1p-1074 && num_atan2_f64(3e-308, 4e300) == 0);
}
END_TEST

typedef struct Special {
    const char *name;
    unsigned row;
    double a, b, want; /* NaN: the canonical one */
} Special;

#define S1(row, a, want)                                                                                                           \
    {                                                                                                                              \
#row, BVM_OP_##row, a, 0, want                                                                                             \
    }
#define S2(row, a, b, want)                                                                                                        \
    {                                                                                                                              \
#row, BVM_OP_##row, a, b, want                                                                                             \
    }

/* C, Annex F. */
static const Special specials[] = {
    S1(exp, -INFINITY, 0),
    S1(exp, INFINITY, INFINITY),
    S1(exp, -0.0, 1),
    S1(exp, 1000, INFINITY),
    S1(exp, -1000, 0),
    S1(exp2, -INFINITY, 0),
    S1(exp2, INFINITY, INFINITY),
    S1(exp2, 3, 8),
    S1(exp2, -14, 0x1p-14),
    S1(exp2, 5000, INFINITY),
    S1(exp2, -5000, 0),
    S1(expm1, -0.0, -0.0),
    S1(expm1, 0, 0),
    S1(expm1, -INFINITY, -1),
    S1(expm1, INFINITY, INFINITY),
    S1(log, 0, -INFINITY),
    S1(log, -0.0, -INFINITY),
    S1(log, 1, 0),
    S1(log, -1, NAN),
    S1(log, INFINITY, INFINITY),
    S1(log, -INFINITY, NAN),
    S1(log2, 8, 3),
    S1(log2, 0x1p-14, -14),
    S1(log2, 1, 0),
    S1(log2, 0, -INFINITY),
    S1(log2, -2, NAN),
    S1(log10, 1000, 3),
    S1(log10, 10000, 4),
    S1(log10, 1, 0),
    S1(log10, -0.0, -INFINITY),
    S1(log10, INFINITY, INFINITY),
    S1(log1p, -0.0, -0.0),
    S1(log1p, 0, 0),
    S1(log1p, -1, -INFINITY),
    S1(log1p, -2, NAN),
    S1(log1p, INFINITY, INFINITY),
    S1(sin, -0.0, -0.0),
    S1(sin, 0, 0),
    S1(sin, INFINITY, NAN),
    S1(cos, 0, 1),
    S1(cos, -0.0, 1),
    S1(cos, -INFINITY, NAN),
    S1(tan, -0.0, -0.0),
    S1(tan, INFINITY, NAN),
    S1(asin, -0.0, -0.0),
    S1(asin, 2, NAN),
    S1(asin, -1.5, NAN),
    S1(acos, 1, 0),
    S1(acos, 1.5, NAN),
    S1(acos, -2, NAN),
    S1(atan, -0.0, -0.0),
    S1(sinh, -0.0, -0.0),
    S1(sinh, INFINITY, INFINITY),
    S1(sinh, -INFINITY, -INFINITY),
    S1(cosh, 0, 1),
    S1(cosh, -INFINITY, INFINITY),
    S1(tanh, -0.0, -0.0),
    S1(tanh, INFINITY, 1),
    S1(tanh, -INFINITY, -1),
    S1(tanh, 1000, 1),
    S1(asinh, -0.0, -0.0),
    S1(asinh, -INFINITY, -INFINITY),
    S1(acosh, 1, 0),
    S1(acosh, 0.5, NAN),
    S1(acosh, -INFINITY, NAN),
    S1(acosh, INFINITY, INFINITY),
    S1(atanh, -0.0, -0.0),
    S1(atanh, 1, INFINITY),
    S1(atanh, -1, -INFINITY),
    S1(atanh, 1.5, NAN),
    S1(erf, -0.0, -0.0),
    S1(erf, INFINITY, 1),
    S1(erf, -INFINITY, -1),
    S1(erfc, INFINITY, 0),
    S1(erfc, -INFINITY, 2),
    S1(erfc, 0, 1),
    S1(sqrt, -0.0, -0.0),
    S1(sqrt, -1, NAN),
    S1(sqrt, INFINITY, INFINITY),
    S1(rsqrt, 0, INFINITY),
    S1(rsqrt, -0.0, -INFINITY),
    S1(rsqrt, INFINITY, 0),
    S1(rsqrt, -1, NAN),
    S1(rsqrt, 4, 0.5),
    S1(cbrt, -8, -2),
    S1(cbrt, 27, 3),
    S1(cbrt, -0.0, -0.0),
    S1(cbrt, -INFINITY, -INFINITY),
    S1(floor, -0.0, -0.0),
    S1(floor, -0.5, -1),
    S1(ceil, -0.5, -0.0),
    S1(trunc, -0.5, -0.0),
    S1(round, 2.5, 3),
    S1(round, -2.5, -3),
    S1(round, -0.25, -0.0),
    S1(roundeven, 2.5, 2),
    S1(roundeven, 3.5, 4),
    S1(roundeven, -0.5, -0.0),
    S1(floor, INFINITY, INFINITY),
    S2(atan2, 0, 1, 0),
    S2(atan2, -0.0, 1, -0.0),
    S2(atan2, 0, 0, 0),
    S2(atan2, -0.0, 0, -0.0),
    S2(atan2, 5, INFINITY, 0),
    S2(atan2, -5, INFINITY, -0.0),
    S2(atan2, NAN, 1, NAN),
    S2(atan2, 1, NAN, NAN),
    S2(powf, 0, -3, INFINITY),
    S2(powf, -0.0, -3, -INFINITY),
    S2(powf, -0.0, -2, INFINITY),
    S2(powf, -0.0, -0.5, INFINITY),
    S2(powf, 0, 3, 0),
    S2(powf, -0.0, 3, -0.0),
    S2(powf, -0.0, 2, 0),
    S2(powf, -1, INFINITY, 1),
    S2(powf, -1, -INFINITY, 1),
    S2(powf, 1, NAN, 1),
    S2(powf, NAN, 0, 1),
    S2(powf, NAN, -0.0, 1),
    S2(powf, NAN, 1, NAN),
    S2(powf, 2, NAN, NAN),
    S2(powf, -8, 0.5, NAN),
    S2(powf, -2, 3, -8),
    S2(powf, -2, 2, 4),
    S2(powf, 0.5, -INFINITY, INFINITY),
    S2(powf, 0.5, INFINITY, 0),
    S2(powf, 2, -INFINITY, 0),
    S2(powf, -3, INFINITY, INFINITY),
    S2(powf, -INFINITY, -3, -0.0),
    S2(powf, -INFINITY, 3, -INFINITY),
    S2(powf, -INFINITY, 2, INFINITY),
    S2(powf, -INFINITY, 0.5, INFINITY),
    S2(powf, INFINITY, -2, 0),
    S2(powf, INFINITY, 0.5, INFINITY),
    S2(powf, 0, 0, 1),
    S2(powf, 2, -1, 0.5),
    S2(powf, -2, INFINITY, INFINITY),
    S2(powf, 0, INFINITY, 0),
    S2(powf, 0, -INFINITY, INFINITY),
    S2(powf, 2, 0.0, 1),
    S2(powf, 16384, 8, INFINITY),
    S2(powf, 300, -300, 0),
    S2(powf, -300, 255, -INFINITY),
    S2(powf, -300, -255, -0.0),
};

START_TEST(special_values)
{
    static const unsigned etypes[] = {BVM_F16, BVM_BF16, BVM_F32, BVM_F64};
    for (unsigned t = 0; t < 4; t++)
        for (size_t i = 0; i < sizeof specials / sizeof specials[0]; i++) {
            const Special *s = &specials[i];
            /* Finite in the wider types. */
            if (etypes[t] != BVM_F16 && s->row == BVM_OP_powf && s->a == 16384)
                continue;
            uint64_t a = num_float_convert(BVM_F64, num_bits64(s->a), etypes[t], 0),
                     b = num_float_convert(BVM_F64, num_bits64(s->b), etypes[t], 0);
            uint64_t want = num_float_convert(BVM_F64, num_bits64(s->want), etypes[t], 0), got = 0;
            EXPECT_TRUE(num_eval(s->row, etypes[t], 0, a, b, 0, &got));
            EXPECT(got == want, "%s %s(%a, %a): %llx not %llx", bvm_elem_name(etypes[t]), s->name, s->a, s->b,
                   (unsigned long long)got, (unsigned long long)want);
        }
}
END_TEST

START_TEST(signs_of_atan2)
{
    static const double y[] = {0, -0.0, 1, -1, INFINITY, -INFINITY}, x[] = {0, -0.0, 1, -1, INFINITY, -INFINITY};
    for (int i = 0; i < 6; i++)
        for (int k = 0; k < 6; k++) {
            float want = (float)atan2(y[i], x[k]);
            EXPECT_EQ(num_bits32(num_atan2_f32((float)y[i], (float)x[k])), num_bits32(want));
            EXPECT_TRUE(fabs(num_atan2_f64(y[i], x[k]) - atan2(y[i], x[k])) < 1e-15);
            uint16_t small = num_atan2_f16(num_f64_to_f16(y[i]), num_f64_to_f16(x[k]));
            EXPECT_EQ(small, num_f64_to_f16(atan2(y[i], x[k])));
        }
}
END_TEST

/* x^2 and x^-1 are roundings of exact numbers, among them many in the middle between two. */
START_TEST(exact_powers)
{
    for (uint32_t u = 0; u < 65536; u++) {
        uint16_t x = (uint16_t)u;
        if (num_isnan_f16(x) || num_isnan_bf16(x))
            continue;
        EXPECT(num_powf_f16(x, 0x4000) == num_mulf_f16(x, x), "f16 %04x", u);
        EXPECT(num_powf_bf16(x, 0x4000) == num_mulf_bf16(x, x), "bf16 %04x", u);
        EXPECT(num_powf_f16(x, 0xbc00) == num_divf_f16(0x3c00, x), "f16 %04x", u);
        EXPECT(num_fpowi_bf16(x, 2) == num_mulf_bf16(x, x), "bf16 %04x", u);
    }
    NumericHash random = {41, 0, 0};
    for (int i = 0; i < 300000; i++) {
        uint32_t bits = (uint32_t)hash_random(&random) & 0x807fffff, short_bits = bits & 0xfffff800; /* squares of 13 bits: ties */
        float x = num_float32((i & 1 ? bits : short_bits) | (100 + (uint32_t)i % 50) << 23);
        EXPECT(num_powf_f32(x, 2) == x * x, "%a", (double)x);
        EXPECT(num_fpowi_f32(x, 2) == x * x, "%a", (double)x);
    }
    /* The exponent of fpowi need not be an f32. */
    ck_assert(num_fpowi_f32(-1, 16777217) == -1 && num_fpowi_f32(-1, INT32_MIN) == 1 && num_fpowi_f32(-1, INT32_MAX) == -1);
    ck_assert(num_fpowi_f64(2, -1074) == 0x1p-1074 && num_fpowi_f32(1.5f, 2) == 2.25f && num_fpowi_f32(NAN, 0) == 1);
    ck_assert_uint_eq(num_bits32(num_fpowi_f32(-0.0f, -3)), 0xff800000);
}
END_TEST

/* Quotients in the middle between two numbers: the angle is below its tangent, so they round down. */
START_TEST(atan2_ties)
{
    int ties = 0;
    for (uint32_t y = 1; y < 0x400; y++)
        for (uint32_t e = 16; e < 26; e++) {
            uint16_t a = (uint16_t)y, b = (uint16_t)(e << 10); /* y 2^-24 / 2^(e-15) */
            double quotient = value_of(BVM_F16, a) / value_of(BVM_F16, b);
            uint16_t down = (uint16_t)num_float_convert(BVM_F64, num_bits64(quotient), BVM_F16, 3);
            bool tie = value_of(BVM_F16, down) + 0x1p-25 == quotient;
            uint16_t want = tie ? down : num_f64_to_f16(quotient);
            ties += tie;
            EXPECT(num_atan2_f16(a, b) == want, "%04x %04x", a, b);
        }
    ck_assert_int_gt(ties, 100);
    for (uint32_t y = 1; y < 0x80; y += 2) /* y 2^-133 / 2 */
        EXPECT_EQ(num_atan2_bf16((uint16_t)y, 0x4000), y >> 1);
}
END_TEST

START_TEST(far_angles)
{
    /* sin of 2^120 and of the f32 nearest to a multiple of pi/2. */
    ck_assert(num_sin_f32(0x1p120f) == (float)sin(0x1p120));
    ck_assert(num_cos_f32(0x1.f5f64p+127f) == (float)cos(0x1.f5f64p+127));
    static const float close[] = {0x1.f9cbe2p+95f, 0x1.2d97c8p+2f,  0x1.6ac5b2p+68f, 67108864.0f,
                                  67108868.0f,     0x1.fffffep+25f, 0x1.fffffep127f};
    for (size_t i = 0; i < sizeof close / sizeof close[0]; i++) {
        double x = (double)close[i];
        EXPECT(num_sin_f32(close[i]) == (float)sin(x), "sin %a", x);
        EXPECT(num_cos_f32(close[i]) == (float)cos(x), "cos %a", x);
        EXPECT(num_tan_f32(close[i]) == (float)tan(x), "tan %a", x);
        EXPECT(num_sin_f32(-close[i]) == -num_sin_f32(close[i]), "sin %a", -x);
    }
    /* Both reductions agree where they meet. */
    for (double x = 1; x < NUM_NEAR; x *= 1.37) {
        uint64_t q, p;
        double far = num_reduce_far(x, &q), near = num_k_reduce_near(x, &p);
        EXPECT(((q ^ p) & 3) == 0 && fabs(far - near) < 4e-16 * fmax(1e-3, fabs(far)), "%a", x);
    }
}
END_TEST

START_TEST(same_everywhere)
{
    uint64_t got = numeric_hash_all(500);
    EXPECT(got == NUMERIC_HASH, "%016llx", (unsigned long long)got);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("numeric math");
    TCase *all = tcase_create("math");
    tcase_set_timeout(all, 240);
    tcase_add_loop_test(all, small_exhaustive, 0, FUNCTIONS);
    tcase_add_loop_test(all, f32_sampled, 0, FUNCTIONS);
    tcase_add_test(all, f64_known);
    tcase_add_test(all, special_values);
    tcase_add_test(all, signs_of_atan2);
    tcase_add_test(all, exact_powers);
    tcase_add_test(all, atan2_ties);
    tcase_add_test(all, far_angles);
    tcase_add_test(all, same_everywhere);
    suite_add_tcase(suite, all);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? 1 : 0;
}
