/* Quotients by a number that is known beforehand, rounded once, as x / c is: without the branches of a general
 * division.
 *
 * high is 1/c, low what it lacks.  q = x*high + x*low is x/c to within less than a unit of its last place, so that
 * x - q*c is exact, and q + (x - q*c)*high is rounded as the quotient is: Markstein, Computation of elementary
 * functions on the IBM RISC System/6000 processor, IBM J. Res. Dev. 34, 1990; Brisebarre, Muller and Raina,
 * Accelerating correctly rounded floating-point division when the divisor is known in advance, IEEE Trans. Comput. 53,
 * 2004.  Where x is so small or so large that a product could leave the range of T, or is no number, it is divided as
 * ever. */
#ifndef DSL_DIVIDE_H
#define DSL_DIVIDE_H

#include "runtime/dsl.h"

#include <stdint.h>
#include <string.h>

#define DSL_DIVIDE_BY(T, N, U, MANTISSA, EXPONENTS, LEAST, MOST)                                  \
    static inline T dsl_divide_by_##N(T x, T c, T high, T low) {                                  \
        T q = __builtin_fma##MANTISSA(x, high, x * low);                                          \
        T y = __builtin_fma##MANTISSA(__builtin_fma##MANTISSA(-q, c, x), high, q);                \
        U bits;                                                                                   \
        memcpy(&bits, &x, sizeof x);                                                              \
        U power = bits << 1 >> (EXPONENTS);                                                       \
        if (DSL_UNLIKELY(power - (LEAST) > (MOST) - (LEAST) && x != 0)) return x / c;             \
        return x == 0 ? x * high : y;                                                             \
    }
DSL_DIVIDE_BY(double, f64, uint64_t, , 53, 223, 1923)
DSL_DIVIDE_BY(float, f32, uint32_t, f, 24, 57, 217)
#undef DSL_DIVIDE_BY

/* For which c: of these sizes 1/c, and what is left of it, are ordinary numbers. */
enum { DSL_DIVIDE_MOST_F64 = 60, DSL_DIVIDE_MOST_F32 = 20 }; /* 2^-most <= |c| <= 2^most */

#endif
