/* What transforms share: plans, which are kept from call to call, and the steps that they are made of (see fft.c). */
#ifndef DSL_FFT_H
#define DSL_FFT_H

#include "runtime/dsl.h"

enum { WIDE = 8, MAX_PRIME = 31, MAX_FACTORS = 64, ROOTS_BITS = 10, BESIDE = 8 };

typedef struct { double *re, *im; } Pair;

static inline Pair pair_at(Pair p, int64_t by) { return (Pair){p.re + by, p.im ? p.im + by : NULL}; }
static inline Pair pair_swapped(Pair p) { return (Pair){p.im, p.re}; }

/* Roots of unity w^k, w = exp(-2 pi i / n), for 0 <= k <= n: high[k >> ROOTS_BITS] times low[the rest] */
typedef struct { Pair low, high; } Roots;

/* A step of radix r: m = what is left of n, over r; roots: of row p and k = 1 .. r-1 at (k - 1) m + p; own: w_r^j */
typedef struct { int radix; int64_t m; Pair roots, own; } Factor;

typedef enum { FFT_STEPS, FFT_SPLIT, FFT_CHIRP, FFT_REAL } PlanKind;

typedef struct Plan {
    int64_t n;
    PlanKind kind;
    int refs;      /* calls that have it */
    bool kept;     /* it is in the list */
    uint64_t used; /* when last asked for */
    int count;     /* steps */
    Factor factor[MAX_FACTORS];
    bool lanes_only;             /* too short for steps without lanes */
    struct Plan *first, *second; /* split: of columns, of rows; chirp: the convolution; real: of half the length */
    Roots roots;                 /* split, real */
    Pair beside;                 /* split: w^(k l) at k WIDE + l, l < WIDE */
    Pair chirp, filter;          /* chirp: w^(k^2 / 2); the transform of its conjugate, over its length */
} Plan;

/* The plan of length n, of n real numbers where real (n even); to be given back.  Fails without memory. */
const Plan *fft_plan(int64_t n, bool real);
void fft_plan_done(const Plan *p);

static inline void root_at(const Roots *r, int64_t k, double *c, double *s) {
    int64_t high = k >> ROOTS_BITS, low = k & ((1 << ROOTS_BITS) - 1);
    *c = r->high.re[high] * r->low.re[low] - r->high.im[high] * r->low.im[low];
    *s = r->high.re[high] * r->low.im[low] + r->high.im[high] * r->low.re[low];
}

/* x[p + m k] -> y[r p + k], s neighbours of each.  Rows of x and y are x_row and y_row apart; in those of y each WIDE
 * neighbours are y_group apart. */
typedef struct { Pair x, y; int64_t s, x_row, y_row, y_group; const Factor *factor; } Step;

/* s is 1 and m at least BESIDE, or whole rows of less than BESIDE may be read and written up to that */
void fft_step(const Step *t);

/* x becomes its transform; for plans of convolutions.  Fails without memory. */
void fft_in_place(const Plan *p, Pair x);

#endif
