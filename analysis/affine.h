/* The bridge to isl: which instances of an operation run, and which elements each of them touches.
 *
 * Values are read as quasi-affine expressions of the induction variables around an operation and of
 * parameters (size symbols, and values that do not change inside the loops).  Every question has an operation
 * cap; "unknown" is an answer that each caller handles. */
#ifndef DSL_AFFINE_H
#define DSL_AFFINE_H

#include "ir/ir.h"

#include <isl/map.h>
#include <isl/set.h>

typedef struct Affine Affine;

/* For one function whose IR does not change meanwhile; max_operations caps each question (0: a default). */
Affine *affine_new(Func *f, unsigned long max_operations);
void affine_free(Affine *a);

/* { [i0, .., ik] } of the induction variables around op, outermost first, for which it runs.  A condition that is
 * not affine is left out, and *exact (may be NULL) becomes false: the set is then too large, never too small.
 * NULL: unknown.  The caller frees the set. */
isl_set *affine_domain(Affine *a, Op *op, bool *exact);

/* { [i0, .., ik] -> [e0, .., er] }: element touched by each instance of an extract, insert, load, store or atomic,
 * without the domain's conditions.  NULL: not affine.  The caller frees the map. */
isl_map *affine_access(Affine *a, Op *op);

/* The elements that all instances of n such operations on one array touch; exact: NULL where that may be fewer.  NULL,
 * too: unknown, or n is 0.  The caller frees the set. */
isl_set *affine_touched(Affine *a, Op *const *ops, int n, bool exact);

/* { [e0, .., er] : 0 <= e < dim } of a tensor or buffer type.  The caller frees the set. */
isl_set *affine_extent(Affine *a, Op *op, const Type *t);

/* Whether no instance of the access leaves its array.  NO means that an instance outside was found for some values of
 * the parameters (not that the program runs it). */
Answer affine_in_bounds(Affine *a, Op *op);

#endif
