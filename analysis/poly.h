/* Polynomials with integer coefficients over numbered atoms, in normal form and one copy of each: equal polynomials are
 * equal pointers.  What an atom stands for is the user's business.  NULL (too large, or overflow) passes through. */
#ifndef DSL_POLY_H
#define DSL_POLY_H

#include "base/base.h"

enum { POLY_DEGREE = 5, POLY_TERMS = 40 };

typedef struct { int n, atom[POLY_DEGREE]; } Mono;       /* sorted; monomial 0 has no atom: it is 1 */
typedef struct { int mono; int64_t coef; } PolyTerm;
typedef struct IPoly { int id, n; PolyTerm t[]; } IPoly; /* sorted by monomial */
typedef struct Polys Polys;

Polys *polys_new(Arena *a);
const Mono *poly_mono(const Polys *ps, int mono);
int poly_mono_count(const Polys *ps);
int poly_mono_mul(Polys *ps, int a, int b);   /* -1: degree too high */
int poly_mono_div(Polys *ps, int a, int atom); /* a without one factor `atom`; -1: it has none */

const IPoly *poly_const(Polys *ps, int64_t c);
const IPoly *poly_atom(Polys *ps, int atom);
const IPoly *poly_add(Polys *ps, const IPoly *a, const IPoly *b);
const IPoly *poly_sub(Polys *ps, const IPoly *a, const IPoly *b);
const IPoly *poly_scale(Polys *ps, const IPoly *a, int64_t c);
const IPoly *poly_mul(Polys *ps, const IPoly *a, const IPoly *b);
const IPoly *poly_subst(Polys *ps, const IPoly *p, int atom, const IPoly *by);
bool poly_is_const(const IPoly *a, int64_t *out);
int64_t poly_constant(const IPoly *a);        /* the constant term */
bool poly_has_atom(const Polys *ps, const IPoly *p, int atom);

/* One number for each list of words. */
int poly_cons(Polys *ps, int n, const int64_t *words);

#endif
