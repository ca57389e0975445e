/* Functions of the rows `exp` to `powf`. */
#ifndef BVM_NUMERIC_MATH_H
#define BVM_NUMERIC_MATH_H

#include "base.h"

/* The unary functions that are neither exact nor roundings to integers. */
#define NUM_FUNCTIONS_1(X)                                                                                                         \
    X(rsqrt)                                                                                                                       \
    X(cbrt) X(exp) X(exp2) X(expm1) X(log) X(log2) X(log10) X(log1p) X(sin) X(cos) X(tan) X(asin) X(acos) X(atan) X(sinh) X(cosh)  \
        X(tanh) X(asinh) X(acosh) X(atanh) X(erf) X(erfc)

double num_k_rsqrt(double x);
double num_rsqrt_f64(double x);
double num_k_cbrt(double x);
double num_cbrt_f64(double x);
double num_k_exp(double x);
double num_exp_f64(double x);
double num_k_exp2(double x);
double num_exp2_f64(double x);
double num_k_expm1(double x);
double num_expm1_f64(double x);
double num_k_log(double x);
double num_log_f64(double x);
double num_k_log2(double x);
double num_log2_f64(double x);
double num_k_log10(double x);
double num_log10_f64(double x);
double num_k_log1p(double x);
double num_log1p_f64(double x);
double num_k_sin(double x);
double num_sin_f64(double x);
double num_k_cos(double x);
double num_cos_f64(double x);
double num_k_tan(double x);
double num_tan_f64(double x);
double num_k_asin(double x);
double num_asin_f64(double x);
double num_k_acos(double x);
double num_acos_f64(double x);
double num_k_atan(double x);
double num_atan_f64(double x);
double num_k_sinh(double x);
double num_sinh_f64(double x);
double num_k_cosh(double x);
double num_cosh_f64(double x);
double num_k_tanh(double x);
double num_tanh_f64(double x);
double num_k_asinh(double x);
double num_asinh_f64(double x);
double num_k_acosh(double x);
double num_acosh_f64(double x);
double num_k_atanh(double x);
double num_atanh_f64(double x);
double num_k_erf(double x);
double num_erf_f64(double x);
double num_k_erfc(double x);
double num_erfc_f64(double x);
double num_k_atan2(double a, double b);
double num_odd_atan2(double a, double b);
double num_atan2_f64(double a, double b);
double num_k_powf(double a, double b);
double num_odd_powf(double a, double b);
double num_powf_f64(double a, double b);

#endif
