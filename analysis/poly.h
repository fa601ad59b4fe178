/* Polynomials with integer coefficients over numbered atoms, in normal form and one copy of each: equal polynomials are
 * equal pointers.  What an atom stands for is the user's business.  NULL (too large, or overflow) passes through. */
#ifndef DSL_POLY_H
#define DSL_POLY_H

#include "base/base.h"

enum { POLY_DEGREE = 5, POLY_TERMS = 40 };

typedef struct { int n, atom[POLY_DEGREE]; } Mono;     /* sorted; monomial 0 has no atom: it is 1 */
typedef struct { int64_t mono, coef; } PolyTerm;
typedef struct Poly { int id, n; PolyTerm t[]; } Poly; /* sorted by monomial */
typedef struct Polys Polys;

/* degree, terms: more than that, at most POLY_DEGREE and POLY_TERMS, is too large */
Polys *polys_new(Arena *a, int degree, int terms);
const Mono *poly_mono(const Polys *ps, int mono);
int poly_mono_mul(Polys *ps, int a, int b);   /* -1: degree too high */
int poly_mono_div(Polys *ps, int a, int atom); /* a without one factor `atom`; -1: it has none */

const Poly *poly_term(Polys *ps, int mono, int64_t coef);
const Poly *poly_const(Polys *ps, int64_t c);
const Poly *poly_atom(Polys *ps, int atom);
const Poly *poly_add(Polys *ps, const Poly *a, const Poly *b);
const Poly *poly_sub(Polys *ps, const Poly *a, const Poly *b);
const Poly *poly_scale(Polys *ps, const Poly *a, int64_t c);
const Poly *poly_sum(Polys *ps, const Poly *x, int64_t a, const Poly *y, int64_t b); /* a*x + b*y */
const Poly *poly_mul(Polys *ps, const Poly *a, const Poly *b);
const Poly *poly_subst(Polys *ps, const Poly *p, int atom, const Poly *by);
bool poly_is_const(const Poly *a, int64_t *out);
int64_t poly_coef(const Poly *a, int mono);
bool poly_has_atom(const Polys *ps, const Poly *p, int atom);

/* One number for each list of words. */
int poly_cons(Polys *ps, int n, const int64_t *words);

#endif
