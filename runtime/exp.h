/* exp for f64 and f32, by plain arithmetic: compiled programs get vectors of it, the interpreter the same bits.
 *
 * exp(x) = 2^k * exp(r), r = x - k*log(2) in two parts (Cody and Waite, Software Manual for the Elementary Functions,
 * 1980, chapter 6), |r| <= log(2)/2; exp(r) by its series to r^13, whose remainder is below 2^-57.  What the sum
 * 1 + r rounds off is kept: the error stays within 0.75 units in the last place (f32: 0.51). */
#ifndef DSL_EXP_H
#define DSL_EXP_H

#include <stdint.h>
#include <string.h>

static inline double dsl_from_bits(uint64_t u) {
    double d;
    memcpy(&d, &u, sizeof d);
    return d;
}

static inline uint64_t dsl_to_bits(double d) {
    uint64_t u;
    memcpy(&u, &d, sizeof u);
    return u;
}

/* Adding it rounds a small number to an int, which is then in the low bits. */
#define DSL_EXP_SHIFT 0x1.8p52
#define DSL_LOG2_E 0x1.71547652b82fep+0
#define DSL_LN2_HI 0x1.62e42feep-1 /* so few bits that k times it is exact */
#define DSL_LN2_LO 0x1.a39ef35793c76p-33

static inline __attribute__((always_inline)) double dsl_exp(double x) {
    /* beyond these bounds the result is infinite, or 0; what is no number stays so */
    double c = x > 710.0 ? 710.0 : x;
    c = c < -746.0 ? -746.0 : c;
    double t = c * DSL_LOG2_E + DSL_EXP_SHIFT, k = t - DSL_EXP_SHIFT;
    double hi = c - k * DSL_LN2_HI, lo = k * DSL_LN2_LO, r = hi - lo, e = (hi - r) - lo;
    double r2 = r * r, r4 = r2 * r2;
    double a = (1.0 / 2 + r * (1.0 / 6)) + r2 * (1.0 / 24 + r * (1.0 / 120));
    double b = (1.0 / 720 + r * (1.0 / 5040)) + r2 * (1.0 / 40320 + r * (1.0 / 362880));
    double d = (1.0 / 3628800 + r * (1.0 / 39916800)) + r2 * (1.0 / 479001600 + r * (1.0 / 6227020800));
    double tail = r2 * (a + r4 * (b + r4 * d)) + e;
    double sum = 1.0 + r, rest = (1.0 - sum) + r;
    double y = sum + (rest + tail);
    /* 2^k as two factors, each of which is a normal number */
    uint64_t n = dsl_to_bits(t) - dsl_to_bits(DSL_EXP_SHIFT) + 2048, half = n >> 1;
    return y * dsl_from_bits((half - 1) << 52) * dsl_from_bits((n - half - 1) << 52);
}

/* Where nothing becomes a vector, calls are shorter. */
static __attribute__((noinline, unused)) double dsl_call_exp(double x) { return dsl_exp(x); }

static inline __attribute__((always_inline)) float dsl_expf(float x) {
    double c = x > 90.0f ? 90.0 : (double)x;
    c = c < -110.0 ? -110.0 : c;
    double t = c * DSL_LOG2_E + DSL_EXP_SHIFT, k = t - DSL_EXP_SHIFT;
    double r = (c - k * DSL_LN2_HI) - k * DSL_LN2_LO, r2 = r * r;
    double a = (1.0 / 2 + r * (1.0 / 6)) + r2 * (1.0 / 24 + r * (1.0 / 120));
    double b = (1.0 / 720 + r * (1.0 / 5040)) + r2 * (1.0 / 40320 + r * (1.0 / 362880));
    double y = 1.0 + (r + r2 * (a + r2 * r2 * b));
    return (float)(y * dsl_from_bits((dsl_to_bits(t) - dsl_to_bits(DSL_EXP_SHIFT) + 1023) << 52));
}
static __attribute__((noinline, unused)) float dsl_call_expf(float x) { return dsl_expf(x); }
#endif
