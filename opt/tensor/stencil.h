/* Comprehensions that are stencils: sums of elements at constant distances, times factors. */
#ifndef DSL_STENCIL_H
#define DSL_STENCIL_H

#include "opt/pass.h"

enum { MOST_TAPS = 64 };

/* A factor: a number, a scalar of the function (v), or what op makes of two */
typedef struct Factor {
    OpCode op; /* OP_CONST: of no others */
    double number;
    Value *v;
    const struct Factor *x, *y;
} Factor;
const Factor *factor_number(Arena *a, double x);
const Factor *factor_of(Arena *a, OpCode op, const Factor *x, const Factor *y); /* add, mul, div */
bool factor_is(const Factor *f, double x); /* known to be that number */
Value *factor_build(Builder *b, const Factor *f, DType t);

/* factor * array[i + at[0], j + at[1], ..] */
typedef struct { Value *array; int64_t at[MAX_RANK]; const Factor *factor; } Tap;

/* Where index + lo.. and so on: the element at p is the sum if lo[a] <= p[a] < extent[a] - up[a] along each axis;
 * what it is elsewhere the comprehension says. */
typedef struct {
    Tap tap[MOST_TAPS];
    int n;
    const Factor *more; /* beside them */
    int64_t lo[MAX_RANK], up[MAX_RANK];
} Stencil;

/* What a comprehension computes; false: it is no stencil of one type, or has too many taps. */
bool stencil_read(const Op *generate, const PassOptions *opts, Stencil *out);
/* outer with those of inner, the array's, in place of each of its taps; false: too many, or nobody knows where. */
bool stencil_compose(Session *s, Arena *a, const Stencil *outer, const Value *array, const Stencil *inner,
                     const Type *whole, Stencil *out);
bool stencil_has_border(const Stencil *l, int rank);
/* The sum, for the comprehension's indices; what does not depend on them is built before it. */
Value *stencil_build(Builder *b, Op *generate, Stencil *l);

#endif
