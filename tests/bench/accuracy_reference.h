/* accuracy_reference.c: functions of the C library over arrays. */
#ifndef ACCURACY_REFERENCE_H
#define ACCURACY_REFERENCE_H

#include <stddef.h>

#define REFERENCE_FUNCTIONS(X)                                                                                                     \
    X(cbrt)                                                                                                                        \
    X(exp)                                                                                                                         \
    X(exp2)                                                                                                                        \
    X(expm1)                                                                                                                       \
    X(log)                                                                                                                         \
    X(log2)                                                                                                                        \
    X(log10)                                                                                                                       \
    X(log1p)                                                                                                                       \
    X(sin)                                                                                                                         \
    X(cos)                                                                                                                         \
    X(tan)                                                                                                                         \
    X(asin)                                                                                                                        \
    X(acos)                                                                                                                        \
    X(atan)                                                                                                                        \
    X(sinh)                                                                                                                        \
    X(cosh)                                                                                                                        \
    X(tanh)                                                                                                                        \
    X(asinh)                                                                                                                       \
    X(acosh)                                                                                                                       \
    X(atanh)                                                                                                                       \
    X(erf)                                                                                                                         \
    X(erfc)
#define REFERENCE_DECLARE(NAME) void reference_##NAME(const double *x, double *y, size_t n);
REFERENCE_FUNCTIONS(REFERENCE_DECLARE)
REFERENCE_DECLARE(rsqrt)

#endif
