#!/usr/bin/env python3
"""Coefficients of the polynomials in runtime/elementary_f32.h and _f64.h: tools/minimax.py [NAME...] prints them as C.

Each row says which function g is approximated on which interval, by how many terms, and what its error is weighted with: the
greatest |weight * (g - p)| becomes as small as it can, by least squares whose weights follow the errors (Lawson's algorithm; Rice and Usow, The Lawson
algorithm and extensions, Mathematics of Computation 22, 1968).  Coefficients are rounded to the type they are for, the first of them first, and the rest fitted again.
Needs mpmath."""
import struct
import sys

from mpmath import asin, atan, cos, erf, erfc, exp, fsum, log, log1p, lu_solve, matrix, mp, mpf, pi, sin, sinh, sqrt

mp.prec = 250


def lawson(g, w, lo, hi, n, fixed=()):
    """n coefficients, of which the first are fixed, and the greatest weighted error"""
    free, points = n - len(fixed), 8 * n + 9
    mid, half = (lo + hi) / 2, (hi - lo) / 2
    grid = [mid - half * cos(pi * (2 * i + 1) / (2 * points)) for i in range(points)]
    wants = [w(x) * (g(x) - fsum(c * x**j for j, c in enumerate(fixed))) for x in grid]
    rows_ = [[w(x) * x ** (len(fixed) + j) for j in range(free)] for x in grid]
    share, best = [mpf(1)] * points, None
    for _ in range(40):
        a, b = matrix(free, free), matrix(free, 1)
        for i in range(free):
            b[i] = fsum(s * r[i] * v for s, r, v in zip(share, rows_, wants))
            for j in range(i, free):
                a[i, j] = a[j, i] = fsum(s * r[i] * r[j] for s, r in zip(share, rows_))
        c = lu_solve(a, b)
        errors = [abs(v - fsum(r[j] * c[j] for j in range(free))) for r, v in zip(rows_, wants)]
        worst = max(errors)
        if best is None or worst < best[1]:
            best = list(fixed) + [c[j] for j in range(free)], worst
        share = [s * (e / worst + mpf('0.001')) for s, e in zip(share, errors)]
    return best


def rounded(c, bits):
    return mpf(float(c)) if bits == 64 else mpf(struct.unpack('f', struct.pack('f', float(c)))[0])


def fit(g, w, lo, hi, n, bits):
    fixed = []
    p, e = lawson(g, w, lo, hi, n)
    for i in range(n):
        fixed.append(rounded(p[i], bits))
        if i + 1 < n and i < 3:
            p, e = lawson(g, w, lo, hi, n, fixed)
    return fixed, e


def near(f, series):
    """f off 0, its series there"""
    return lambda x: f(x) if abs(x) > mpf(2) ** -40 else series(x)


L2 = log(mpf(2))
root = sqrt(mpf(2))
ONE = lambda x: mpf(1)
# exp(r) = 1 + r + r^2/2 + r^3 q(r), 2^r = 1 + r log(2) + r^2 q(r)
exp_q = near(lambda r: (exp(r) - 1 - r - r * r / 2) / r**3, lambda r: mpf(1) / 6 + r / 24 + r**2 / 120)
exp2_q = near(lambda r: (exp(r * L2) - 1 - L2 * r) / r**2, lambda r: L2**2 / 2 + r * L2**3 / 6 + r**2 * L2**4 / 24)
# log(1 + f) = f - f^2/2 + f^3 p(f)
log_p = near(lambda f: (log1p(f) - f + f * f / 2) / f**3, lambda f: mpf(1) / 3 - f / 4 + f**2 / 5)
# log((1+s)/(1-s)) = 2s + s R, R = z p(z), z = s^2
log_r = near(lambda z: (2 * mp.atanh(sqrt(z)) / sqrt(z) - 2) / z, lambda z: mpf(2) / 3 + 2 * z / 5 + 2 * z**2 / 7)
S = mpf('-0.3282') / mpf('1.6718')
sinh_p = near(lambda z: (sinh(sqrt(z)) / sqrt(z) - 1) / z, lambda z: mpf(1) / 6 + z / 120 + z**2 / 5040)
atan_p = near(lambda z: (atan(sqrt(z)) / sqrt(z) - 1) / z, lambda z: -mpf(1) / 3 + z / 5 - z**2 / 7)
asin_p = near(lambda z: (asin(sqrt(z)) / sqrt(z) - 1) / z, lambda z: mpf(1) / 6 + 3 * z / 40 + 15 * z**2 / 336)
sin_p = near(lambda z: (sin(sqrt(z)) / sqrt(z) - 1) / z, lambda z: -mpf(1) / 6 + z / 120 - z**2 / 5040)
cos_p = near(lambda z: (cos(sqrt(z)) - 1 + z / 2) / z**2, lambda z: mpf(1) / 24 - z / 720 + z**2 / 40320)
# atanh(s)/s = 1 + z (1/3 + z p(z)); for f32 1 + z p(z), z = s^2
pow_p = near(lambda z: ((mp.atanh(sqrt(z)) / sqrt(z) - 1) / z - mpf(1) / 3) / z, lambda z: mpf(1) / 5 + z / 7 + z**2 / 9)
pow_f = near(lambda z: (mp.atanh(sqrt(z)) / sqrt(z) - 1) / z, lambda z: mpf(1) / 3 + z / 5 + z**2 / 7)
# in numbers of 64 bits for results of 32
exp2_f = near(lambda r: (exp(r * L2) - 1) / r, lambda r: L2 + r * L2**2 / 2 + r**2 * L2**3 / 6)
# erf(x) = x (1 + p(x^2 - 1/2)) below 1, else 1 - exp(-x^2) p(t), t = (x - 2)/(x + 2)
erf_p = near(lambda z: erf(sqrt(z)) / sqrt(z) - 1, lambda z: 2 / sqrt(pi) * (1 - z / 3 + z * z / 10) - 1)
beyond = lambda t: 2 * (1 + t) / (1 - t)
erfc_p = lambda t: exp(beyond(t) ** 2) * erfc(beyond(t))
Q = (pi / 4) ** 2 * mpf('1.001')
T = (root - 1) ** 2 * mpf('1.0001')
rows = {  # name: function, weight, interval, terms for f32 and for f64
    'exp': (exp_q, lambda r: r**3, -L2 / 2 * mpf('1.001'), L2 / 2 * mpf('1.001'), 4, 10),
    'exp2': (exp2_q, lambda r: r * r, mpf('-0.5'), mpf('0.5'), 5, 10),
    'log': (log_p, lambda f: f * f, mpf('-0.3282'), mpf('0.3438'), 9, 0),
    'log_s': (log_r, lambda z: z, mpf(0), S * S, 0, 8),
    'sinh': (sinh_p, lambda z: z, mpf(0), mpf(1), 4, 7),
    'atan': (atan_p, lambda z: z, mpf(0), T, 5, 11),
    'asin': (asin_p, lambda z: z, mpf(0), mpf('0.25'), 5, 13),
    'sin': (sin_p, lambda z: z, mpf(0), Q, 0, 6),
    'cos': (cos_p, lambda z: z * z, mpf(0), Q, 0, 6),
    'sin_f': (sin_p, lambda z: z, mpf(0), Q, 0, 3),
    'cos_f': (cos_p, lambda z: z * z, mpf(0), Q, 0, 3),
    'pow': (pow_p, lambda z: z * z, mpf(0), S * S, 0, 8),
    'pow_f': (pow_f, lambda z: z, mpf(0), S * S, 0, 5),
    'erf': (lambda u: erf_p(u + mpf('0.5')), ONE, mpf('-0.5'), mpf('0.5'), 7, 13),
    'erfc': (erfc_p, lambda t: exp(-beyond(t) ** 2), -mpf(1) / 3, mpf('0.5'), 7, 13),
    'exp2_f': (exp2_f, lambda r: r, mpf('-0.5'), mpf('0.5'), 0, 6),
}


def show(name, bits, n):
    g, w, lo, hi = rows[name][:4]
    p, e = fit(g, w, lo, hi, n, bits)
    print('/* %s f%d: 2^%.1f */' % (name, bits, float(log(e) / L2)))
    print(', '.join(float(c).hex() + ('f' if bits == 32 else '') for c in p))


if __name__ == '__main__':
    for name in sys.argv[1:] or rows:
        for bits, n in ((32, rows[name][4]), (64, rows[name][5])):
            if n:
                show(name, bits, n)
