/* Where values come from: elements of arrays, as functions of induction variables.
 *
 * A value may be made by branches and choices; each way through them is an origin of it.  What the origins read is a
 * relation of indices; if that is one formula, one load reads it without the branches. */
#ifndef DSL_ORIGIN_H
#define DSL_ORIGIN_H

#include "analysis/affine.h"

enum { MAX_WAYS = 8 };

/* What v is at `at` where each `made` went its way: a branch of an `if`, or what a select takes */
typedef struct {
    Op *at;
    struct { Op *made; bool truth; } way[MAX_WAYS];
    int nways;
    Value *value;
} Origin;
typedef VEC(Origin) OriginVec;

/* All that v may be at `at`, in the arena; false: too many */
bool origins_of(Arena *arena, Op *at, Value *v, OriginVec *out);
/* What r holds runs once where `at` does, but for conditions. */
bool origin_same_loops(const Region *r, const Op *at);
/* The instances of `at` where the value is this one, if they run at all; NULL: they are not known exactly.  The caller
 * frees it. */
isl_set *origin_where(Affine *a, const Origin *o);
/* { instances of `at` -> the element that the load reads }; origin_same_loops holds of it.  The caller frees it. */
isl_map *origin_access(Affine *a, const Origin *o, Op *load);

/* The element of an array, by formulas of the induction variables around a place */
typedef struct { AffineForm of[TENSOR_RANK]; } ElementPlace;
/* false: it is not one formula.  `out` is empty before; the caller frees it in either case. */
bool element_find(Affine *a, isl_map *element, ElementPlace *out);
void element_free(ElementPlace *p);
bool element_has_quotients(const ElementPlace *p);
/* Reads it at b, which is known to be inside, from the array that `like`, a load or an extract, reads; at: a place with
 * the induction variables */
Value *element_read(const Affine *a, Builder *b, const Op *at, const Op *like, const ElementPlace *p);

#endif
