/* Quotients by a number that many are divided by, rounded once, as x / c is: without the branches of a general
 * division.
 *
 * f64: high is 1/c, low what it lacks.  q = x*high + x*low is x/c to within less than a unit of its last place, so that
 * x - q*c is exact, and q + (x - q*c)*high is rounded as the quotient is: Markstein, Computation of elementary
 * functions on the IBM RISC System/6000 processor, IBM J. Res. Dev. 34, 1990; Brisebarre, Muller and Raina,
 * Accelerating correctly rounded floating-point division when the divisor is known in advance, IEEE Trans. Comput. 53,
 * 2004.  Where x is so small or so large that a product could leave the range, or is no number, it is divided as ever.
 *
 * f32: in f64, whose range is enough for all.  The quotient of two numbers of 24 bits is one of 53 bits, or is
 * farther from all that are halfway between two f32 than f64 is from it: it is rounded to f64 as above, then to f32. */
#ifndef DSL_DIVIDE_H
#define DSL_DIVIDE_H

#include "runtime/dsl.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static inline uint64_t dsl_exponent(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof x);
    return bits << 1 >> 53;
}

/* known: c is of a size for which DSL_DIVIDE_MOST is */
static inline double dsl_divide_checked(double x, double c, double high, double low, bool known) {
    enum { LEAST = 223, MOST = 1923 }; /* exponents of x for which no product leaves the range */
    double q = __builtin_fma(x, high, x * low), y = __builtin_fma(__builtin_fma(-q, c, x), high, q);
    bool good = (dsl_exponent(x) - LEAST <= MOST - LEAST) | (x == 0);
    if (DSL_UNLIKELY(!(good & known))) return x / c;
    return x == 0 ? x * high : y;
}

static inline double dsl_divide_by_f64(double x, double c, double high, double low) {
    return dsl_divide_checked(x, c, high, low, true);
}

/* 1/c is computed once where c is the same for many x. */
static inline double dsl_divide_same_f64(double x, double c) {
    enum { LEAST = 1023 - 60, MOST = 1023 + 59 };
    double high = 1 / c, low = __builtin_fma(-high, c, 1) * high;
    return dsl_divide_checked(x, c, high, low, dsl_exponent(c) - LEAST <= MOST - LEAST);
}

static inline float dsl_divide_same_f32(float x, float c) {
    double by = 1 / (double)c, q = x * by, rest = __builtin_fma(-q, c, x), y = __builtin_fma(rest, by, q);
    return (float)(rest < 0 || rest > 0 ? y : q);
}

/* dsl_divide_by_f64 is for 2^-most <= |c| <= 2^most. */
enum { DSL_DIVIDE_MOST = 60 };

#endif
