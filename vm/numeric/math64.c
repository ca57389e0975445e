/* f64 functions. */
#include "math.h"
#include "ops.h"
#include <math.h>
double num_k_rsqrt(double x)
{
    return 1 / sqrt(x);
}
double num_rsqrt_f64(double x)
{
    return num_canon_f64(1 / sqrt(x));
}
double num_k_cbrt(double x)
{
    return cbrt(x);
}
double num_cbrt_f64(double x)
{
    return num_canon_f64(cbrt(x));
}
double num_k_exp(double x)
{
    return exp(x);
}
double num_exp_f64(double x)
{
    return num_canon_f64(exp(x));
}
double num_k_exp2(double x)
{
    return exp2(x);
}
double num_exp2_f64(double x)
{
    return num_canon_f64(exp2(x));
}
double num_k_expm1(double x)
{
    return expm1(x);
}
double num_expm1_f64(double x)
{
    return num_canon_f64(expm1(x));
}
double num_k_log(double x)
{
    return log(x);
}
double num_log_f64(double x)
{
    return num_canon_f64(log(x));
}
double num_k_log2(double x)
{
    return log2(x);
}
double num_log2_f64(double x)
{
    return num_canon_f64(log2(x));
}
double num_k_log10(double x)
{
    return log10(x);
}
double num_log10_f64(double x)
{
    return num_canon_f64(log10(x));
}
double num_k_log1p(double x)
{
    return log1p(x);
}
double num_log1p_f64(double x)
{
    return num_canon_f64(log1p(x));
}
double num_k_sin(double x)
{
    return sin(x);
}
double num_sin_f64(double x)
{
    return num_canon_f64(sin(x));
}
double num_k_cos(double x)
{
    return cos(x);
}
double num_cos_f64(double x)
{
    return num_canon_f64(cos(x));
}
double num_k_tan(double x)
{
    return tan(x);
}
double num_tan_f64(double x)
{
    return num_canon_f64(tan(x));
}
double num_k_asin(double x)
{
    return asin(x);
}
double num_asin_f64(double x)
{
    return num_canon_f64(asin(x));
}
double num_k_acos(double x)
{
    return acos(x);
}
double num_acos_f64(double x)
{
    return num_canon_f64(acos(x));
}
double num_k_atan(double x)
{
    return atan(x);
}
double num_atan_f64(double x)
{
    return num_canon_f64(atan(x));
}
double num_k_sinh(double x)
{
    return sinh(x);
}
double num_sinh_f64(double x)
{
    return num_canon_f64(sinh(x));
}
double num_k_cosh(double x)
{
    return cosh(x);
}
double num_cosh_f64(double x)
{
    return num_canon_f64(cosh(x));
}
double num_k_tanh(double x)
{
    return tanh(x);
}
double num_tanh_f64(double x)
{
    return num_canon_f64(tanh(x));
}
double num_k_asinh(double x)
{
    return asinh(x);
}
double num_asinh_f64(double x)
{
    return num_canon_f64(asinh(x));
}
double num_k_acosh(double x)
{
    return acosh(x);
}
double num_acosh_f64(double x)
{
    return num_canon_f64(acosh(x));
}
double num_k_atanh(double x)
{
    return atanh(x);
}
double num_atanh_f64(double x)
{
    return num_canon_f64(atanh(x));
}
double num_k_erf(double x)
{
    return erf(x);
}
double num_erf_f64(double x)
{
    return num_canon_f64(erf(x));
}
double num_k_erfc(double x)
{
    return erfc(x);
}
double num_erfc_f64(double x)
{
    return num_canon_f64(erfc(x));
}
double num_k_atan2(double a, double b)
{
    return num_canon_f64(atan2(a, b));
}
double num_odd_atan2(double a, double b)
{
    return num_canon_f64(atan2(a, b));
}
double num_atan2_f64(double a, double b)
{
    return num_canon_f64(atan2(a, b));
}
double num_k_powf(double a, double b)
{
    return num_canon_f64(pow(a, b));
}
double num_odd_powf(double a, double b)
{
    return num_canon_f64(pow(a, b));
}
double num_powf_f64(double a, double b)
{
    return num_canon_f64(pow(a, b));
}
