/* What the files of pass pairs share: numbers that are the sum of two floats.
 *
 * A pair (hi, lo) of floats of one type stands for hi + lo, where hi is that sum rounded: |lo| <= ulp(hi) / 2.  So it
 * has twice the digits of a float, more where zeros follow, and the range of one.  lo is 0 where hi is not finite. */
#ifndef DSL_PAIRS_H
#define DSL_PAIRS_H

#include "ir/index.h"
#include "opt/pass.h"

/* lo NULL: a value as it is, no pair */
typedef struct { Value *hi, *lo; } Pair;

/* ---- arithmetic.c: operations on pairs of scalars, made of operations on floats, without branches.  Relative errors
 * in units of u^2, u half a unit in the last place of a part. */
void pair_parts(DType part, double x, double *hi, double *lo); /* x rounded to a pair, ... */
Pair pair_const(Builder *b, DType part, double x);            /* ... as values */
Pair pair_of(Builder *b, Value *x);                           /* (x, 0) */
Pair pair_sum(Builder *b, Value *x, Value *y);                /* of floats, |x| >= |y|: exact */
Pair pair_neg(Builder *b, Pair x);                            /* exact */
Pair pair_add(Builder *b, Pair x, Pair y);                    /* 3 */
Pair pair_sub(Builder *b, Pair x, Pair y);                    /* 3 */
Pair pair_mul(Builder *b, Pair x, Pair y);                    /* 5 */
Pair pair_div(Builder *b, Pair x, Pair y);                    /* 15 */
Pair pair_sqrt(Builder *b, Pair x);                           /* 25/8 */
Pair pair_scaled(Builder *b, Pair x, Value *factor);          /* factor a power of 2: exact */
/* The same where operands and result are finite: without looking, NaN where they are not */
Pair finite_add(Builder *b, Pair x, Pair y);
Pair finite_sub(Builder *b, Pair x, Pair y);
Pair finite_mul(Builder *b, Pair x, Pair y);
Pair finite_div(Builder *b, Pair x, Pair y);
Pair pair_select(Builder *b, Value *cond, Pair x, Pair y);
Pair pair_or_high(Builder *b, Pair z, Value *high);           /* z, or where that is not finite (high, 0) */
Pair pair_trunc(Builder *b, Pair x);
Value *pair_compare(Builder *b, OpCode c, Pair x, Pair y);
/* An elementwise operation on n pairs that there is arithmetic for: its result, a bool has no lo; hi NULL: there is
 * none */
Pair pair_operation(Builder *b, OpCode c, int n, const Pair *x);

/* ---- functions.c: exp, log, sin, .. of pairs of f64, which there is no wider float for; hi NULL: there is none */
Pair pair_function(Builder *b, OpCode c, int n, const Pair *x);

void pair_functions_inline(Module *m, Arena *scratch); /* those that few places call */

/* ---- convert.c: scalars, and arrays element by element */
Pair pair_split(Builder *b, Value *x, DType part);            /* of a float of more digits, or one of `part`: (x, 0) */
Value *pair_join(Builder *b, Pair x, DType wide);             /* hi + lo rounded to `wide` */
Pair pair_zeros(Builder *b, const Value *like, DType part);   /* an array of zeros with its sizes */
Pair pair_from(Builder *b, Value *x, DType part);             /* of an int, bool, or any float: scalar */
Value *pair_to(Builder *b, Pair x, DType to, DType wide);     /* cast: scalar */

#endif
