#!/usr/bin/env python3
"""Prints the num_poly_* functions of math.h (but erf and tanh, whose rational minimax coefficients came from a Remez search).

Chebyshev interpolation in 200 bits, then rounding to double; the error in each comment is the measured one.  Needs mpmath.
"""
from mpmath import (asin, atan, cos, coth, erfc, exp, log, lu_solve, matrix, mp, mpf, pi, polyval, sin, sqrt)

mp.prec = 200
TINY = mpf(10) ** -20


def interpolate(f, low, high, n):
    low, high = mpf(low), mpf(high)
    nodes = [(low + high) / 2 + (high - low) / 2 * cos(pi * (2 * k + 1) / (2 * n)) for k in range(n)]
    powers, values = matrix(n, n), matrix(n, 1)
    for i, x in enumerate(nodes):
        for j in range(n):
            powers[i, j] = x ** j
        values[i] = f(x)
    found = [mpf(float(c)) for c in lu_solve(powers, values)]
    points = [low + (high - low) * k / 200 for k in range(201)]
    error = max(abs(polyval(found[::-1], x) - f(x)) for x in points)
    return found, float(log(error, 2))


def horner(c):
    head = float(c[0]).hex()
    return head if len(c) == 1 else f"{head} + w * ({horner(c[1:])})"


def emit(name, f, low, high, n, doc):
    c, error = interpolate(f, low, high, n)
    print(f"/* {doc}; error 2^{error:.1f}. */")
    print(f"static inline double num_poly_{name}(double z)\n{{\n    double w = z * z;")
    print(f"    double even = {horner(c[0::2])};\n    double odd = {horner(c[1::2])};\n    return even + z * odd;\n}}")


def series(f, start):
    """f(sqrt z), with the beginning of its series where that cancels."""
    return lambda z: start(z) if z < TINY else f(sqrt(z), z)


def scaled_erfc(t):
    x = mpf(2.5) * (1 + t) / (1 - t)
    return exp(x * x) * erfc(x) * (1 + 2 * x)


half_ln2 = log(2) / 2 * 1.0001
emit("coth", series(lambda r, z: r * coth(r / 2), lambda z: 2 + z / 6), 0, half_ln2 ** 2, 6, "r coth(r/2) for z = r^2, |r| <= ln(2)/2")
emit("log", series(lambda s, z: (log((1 + s) / (1 - s)) / s - 2) / z, lambda z: mpf(2) / 3 + 2 * z / 5), 0,
     ((sqrt(2) - 1) / (sqrt(2) + 1)) ** 2 * 1.001, 7, "(log((1+s)/(1-s)) / s - 2) / s^2 for z = s^2, |s| <= 0.1716")
emit("sin", series(lambda r, z: (sin(r) / r - 1) / z, lambda z: z / 120 - mpf(1) / 6), 0, (pi / 4) ** 2 * 1.001, 6,
     "(sin(r)/r - 1) / r^2 for z = r^2, |r| <= pi/4")
emit("cos", series(lambda r, z: (cos(r) - 1 + z / 2) / z ** 2, lambda z: mpf(1) / 24 - z / 720), 0, (pi / 4) ** 2 * 1.001, 6,
     "(cos(r) - 1 + r^2/2) / r^4 for z = r^2, |r| <= pi/4")
emit("asin", series(lambda u, z: (asin(u) / u - 1) / z, lambda z: mpf(1) / 6 + z * 3 / 40), 0, mpf(1) / 4, 12,
     "(asin(u)/u - 1) / u^2 for z = u^2, |u| <= 1/2")
emit("atan", series(lambda u, z: (atan(u) / u - 1) / z, lambda z: z / 5 - mpf(1) / 3), 0, mpf("0.1717"), 11,
     "(atan(u)/u - 1) / u^2 for z = u^2, |u| <= tan(pi/8)")
emit("erfc", scaled_erfc, -1, mpf(8) / 13, 20, "erfc(x) exp(x^2) (1 + 2x) for z = (x - 2.5) / (x + 2.5), 0 <= x <= 10.5")
