/* The bridge to isl: which instances of an operation run, and which elements each of them touches.
 *
 * Values are read as quasi-affine expressions of the induction variables around an operation and of
 * parameters (size symbols, and values that do not change inside the loops).  Every question has an operation
 * cap; "unknown" is an answer that each caller handles. */
#ifndef DSL_AFFINE_H
#define DSL_AFFINE_H

#include "ir/ir.h"

#include <isl/aff.h>
#include <isl/map.h>
#include <isl/set.h>

typedef struct Affine Affine;

/* For one function whose IR does not change meanwhile; max_operations caps each question (0: a default). */
Affine *affine_new(Func *f, unsigned long max_operations);
void affine_free(Affine *a);

/* From now on the cap is one for all questions together: when it was met, the answer to all others is "unknown". */
void affine_together(Affine *a);

/* From now on only loops inside of op, and op itself, are counted; what is known before op is a parameter. */
void affine_within(Affine *a, const Op *op);

/* { [i0, .., ik] } of the induction variables around op, outermost first, for which it runs.  A condition that is
 * not affine is left out, and *exact (may be NULL) becomes false: the set is then too large, never too small.
 * NULL: unknown.  The caller frees the set. */
isl_set *affine_domain(Affine *a, Op *op, bool *exact);

/* { [i0, .., ik] } without any condition */
isl_set *affine_everywhere(Affine *a, const Op *op);

/* { [i0, .., ik] } of the induction variables around op for which c is true, or false; *exact as above.  NULL: nothing
 * is known.  The caller frees the set. */
isl_set *affine_condition(Affine *a, Op *op, Value *c, bool truth, bool *exact);

/* { [i0, .., ik] -> [e0, .., er] }: element touched by each instance of an extract, insert, load, store or atomic, the
 * elements touched by a slice or an update, without the domain's conditions.  NULL: not affine.  The caller frees the
 * map. */
isl_map *affine_access(Affine *a, Op *op);

/* The elements that all instances of n such operations on one array touch; exact: NULL where that may be fewer.  NULL,
 * too: unknown, or n is 0.  The caller frees the set. */
isl_set *affine_touched(Affine *a, Op *const *ops, int n, bool exact);

/* Whether two sets of elements surely have none in common; not where one is NULL.  They stay the caller's. */
bool affine_apart(Affine *a, isl_set *x, isl_set *y);

/* { [e0, .., er] : 0 <= e < dim } of a tensor or buffer type.  The caller frees the set. */
isl_set *affine_extent(Affine *a, Op *op, const Type *t);

/* Whether no instance of the access leaves its array.  NO means that an instance outside was found for some values of
 * the parameters (not that the program runs it). */
Answer affine_in_bounds(Affine *a, Op *op);

/* What the caller asks isl itself, between begin and end, has the cap of one question.  End: false when it was met, or
 * isl failed; what was asked for is NULL then. */
void affine_begin(Affine *a);
bool affine_end(Affine *a);

/* How many induction variables there are around what r holds: the dimensions of its domain */
int affine_depth(const Affine *a, const Region *r);
/* The i-th of those around op */
Value *affine_iv(const Affine *a, const Op *op, int i);

/* ---- affine_build.c: back to the program.  Expressions and sets are of the space of affine_domain(at); values are
 * built at b, at which all that they name is known. */

/* min(max(base, lo), hi), or base % ring.  What is NULL is not there; the caller frees the others. */
typedef struct { isl_aff *base, *lo, *hi, *ring; } AffineForm;
/* The simplest that p is wherever p is defined; base is NULL: p is nothing of the kind, too large, or unknown */
AffineForm affine_simplest(isl_pw_aff *p);
void affine_form_free(AffineForm *f);
Value *affine_build(const Affine *a, Builder *b, const Op *at, const AffineForm *f);
/* The set, which goes, as one conjunction in which no number is too large to be written; NULL: it is none.  The caller
 * frees it. */
isl_basic_set *affine_conjunction(isl_set *set);
/* The bool that the induction variables are in such a set */
Value *affine_build_inside(const Affine *a, Builder *b, const Op *at, isl_basic_set *set);

#endif
