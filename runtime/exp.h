/* exp for f64 and f32, by plain arithmetic: compiled programs get vectors of it, the interpreter the same bits.
 *
 * exp(x) = 2^(n/128) * exp(r), r = x - n*log(2)/128 in two parts (Cody and Waite, Software Manual for the Elementary
 * Functions, 1980, chapter 6), |r| <= log(2)/256.  2^(n/128) is a power of two and an entry of a table, with what the
 * entry lacks (Tang, Table-driven implementation of the exponential function, ACM TOMS 15, 1989); exp(r) - 1 is its
 * series to r^5, whose remainder is below 2^-60.  Within 0.52 units in the last place (f32: 0.501). */
#ifndef DSL_EXP_H
#define DSL_EXP_H

#include <stdint.h>
#include <string.h>

enum { DSL_EXP_BITS = 7, DSL_EXP_STEPS = 1 << DSL_EXP_BITS };
extern const double dsl_exp_table[2 * DSL_EXP_STEPS];

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
#define DSL_LN2_HI 0x1.62e42feep-1 /* so few bits that n times it is exact */
#define DSL_LN2_LO 0x1.a39ef35793c76p-33

/* x*128/log(2) rounded, as a double whose low bits are the int; *rest is what is left of x */
static inline __attribute__((always_inline)) double dsl_exp_split(double x, double *rest) {
    double t = x * (DSL_LOG2_E * DSL_EXP_STEPS) + DSL_EXP_SHIFT, n = t - DSL_EXP_SHIFT;
    *rest = (x - n * (DSL_LN2_HI / DSL_EXP_STEPS)) - n * (DSL_LN2_LO / DSL_EXP_STEPS);
    return t;
}

/* exp(x) without its power of two, which is *t / 128 rounded down.  (The table has subscripts: with a pointer into it gcc
 * makes no vectors.) */
static inline __attribute__((always_inline)) double dsl_exp_factor(double x, uint64_t *t) {
    double r, split = dsl_exp_split(x, &r), r2 = r * r;
    uint64_t at = 2 * (dsl_to_bits(split) & (DSL_EXP_STEPS - 1));
    double scale = dsl_exp_table[at], lost = dsl_exp_table[at + 1];
    *t = dsl_to_bits(split) - dsl_to_bits(DSL_EXP_SHIFT);
    double p = ((lost + r) + r2 * (1.0 / 2 + r * (1.0 / 6))) + (r2 * r2) * (1.0 / 24 + r * (1.0 / 120));
    return scale + scale * p;
}

/* Without branches, for vectors: choices come last, so that no side of one is a constant to compute with. */
static inline __attribute__((always_inline)) double dsl_exp(double x) {
    uint64_t t;
    double y = dsl_exp_factor(x, &t);
    /* the power of two as two factors, each of which is a normal number */
    uint64_t k = (t + (2048 << DSL_EXP_BITS)) >> DSL_EXP_BITS, half = k >> 1;
    y = y * dsl_from_bits((half - 1) << 52) * dsl_from_bits((k - half - 1) << 52);
    y = x > 710.0 ? __builtin_inf() : y;
    return x < -746.0 ? 0.0 : y;
}

/* The same bits where nothing becomes a vector: calls are shorter, and where the result is a normal number the power of two
 * is added to its exponent. */
static __attribute__((noinline, unused)) double dsl_call_exp(double x) {
    if (__builtin_expect(!(x > -708.0 && x < 709.0), 0)) return dsl_exp(x);
    uint64_t t;
    double y = dsl_exp_factor(x, &t);
    return dsl_from_bits(dsl_to_bits(y) + (t >> DSL_EXP_BITS << 52));
}

static inline __attribute__((always_inline)) float dsl_expf(float x) {
    double r, split = dsl_exp_split((double)x, &r);
    uint64_t t = dsl_to_bits(split) - dsl_to_bits(DSL_EXP_SHIFT);
    double s = dsl_exp_table[2 * (t & (DSL_EXP_STEPS - 1))], y = s + s * (r + r * r * (1.0 / 2 + r * (1.0 / 6)));
    y *= dsl_from_bits(((t + (1023 << DSL_EXP_BITS)) >> DSL_EXP_BITS) << 52);
    y = x > 90.0f ? __builtin_inf() : y;
    return (float)(x < -110.0f ? 0.0 : y);
}
static __attribute__((noinline, unused)) float dsl_call_expf(float x) { return dsl_expf(x); }
#endif
