/* Functions of pairs of f64, made of arithmetic of pairs and of the function of f64 as a first value.  Steps take all
 * to be finite; where the result is not, that of f64 is chosen in the end.  Errors are some
 * units of 2^-104 relative to the result, unless said otherwise. */
#ifndef DSL_PAIR_FUNCTIONS_H
#define DSL_PAIR_FUNCTIONS_H

#include "opt/pairs/pairs.h"

/* ---- small steps */
static inline Value *fn_float(Builder *b, double x) { return build_float(b, DT_F64, x); }
static inline Pair fn_number(Builder *b, double hi, double lo) { return (Pair){fn_float(b, hi), fn_float(b, lo)}; }
static inline Value *fn_add(Builder *b, Value *x, Value *y) { return build_binary(b, OP_ADD, x, y); }
static inline Value *fn_mul(Builder *b, Value *x, Value *y) { return build_binary(b, OP_MUL, x, y); }
static inline Pair fn_plus(Builder *b, Pair x, double y) { return finite_add(b, x, fn_number(b, y, 0)); }
static inline Pair fn_half(Builder *b, Pair x) { return pair_scaled(b, x, fn_float(b, 0.5)); }
static inline Value *fn_below(Builder *b, Value *x, double y) { return build_binary(b, OP_LT, x, fn_float(b, y)); }
static inline Value *fn_size_below(Builder *b, Pair x, double y) {
    return fn_below(b, build_unary(b, OP_ABS, x.hi), y);
}
static inline Pair fn_signed(Builder *b, Value *minus, Pair x) { return pair_select(b, minus, pair_neg(b, x), x); }
/* sum(c[k] * x^k for k); terms from `few` on are small, and computed in f64 */
Pair fn_polynomial(Builder *b, Pair x, int n, const Pair *c, int few);
/* A pair known when compiling */
typedef struct { double hi, lo; } Known;
Known fn_divided(Known x, double by);
static inline Pair fn_known(Builder *b, Known x) { return fn_number(b, x.hi, x.lo); }

/* ---- exponential.c */
Pair fn_exp(Builder *b, Pair x);
Pair fn_expm1(Builder *b, Pair x);
Pair fn_exp2(Builder *b, Pair x);
Pair fn_log(Builder *b, Pair x);
Pair fn_log1p(Builder *b, Pair x);
Pair fn_log2(Builder *b, Pair x);
Pair fn_log10(Builder *b, Pair x);
Pair fn_pow(Builder *b, Pair x, Pair y); /* units of 2^-104 of y log x */
Pair fn_sinh(Builder *b, Pair x);
Pair fn_cosh(Builder *b, Pair x);
Pair fn_tanh(Builder *b, Pair x);
Pair fn_asinh(Builder *b, Pair x);
Pair fn_acosh(Builder *b, Pair x);
Pair fn_atanh(Builder *b, Pair x);

/* ---- trigonometric.c; from 2^20 on sin, cos and tan have the digits of f64 */
Pair fn_sin(Builder *b, Pair x);
Pair fn_cos(Builder *b, Pair x);
Pair fn_tan(Builder *b, Pair x);
Pair fn_asin(Builder *b, Pair x);
Pair fn_acos(Builder *b, Pair x);
Pair fn_atan(Builder *b, Pair x);
Pair fn_atan2(Builder *b, Pair y, Pair x);

#endif
