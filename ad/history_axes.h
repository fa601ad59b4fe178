/* The axes of what a nest of loops writes down: one for each loop, or one for several. */
#ifndef DSL_AD_HISTORY_AXES_H
#define DSL_AD_HISTORY_AXES_H

#include "ad/ad.h"
#include "ad/layout.h"

/* Of the nest whose outermost loop has this body; of: each index that has been asked for -> its axis */
typedef struct { Ad *ad; Region *body; Map of; } Axes;

/* The indices of the loops of the nest, and of the parallel ones in its islands, around a place, outermost first */
typedef struct { Value *index[MAX_RANK]; int len; } Turns;

Turns turns_around(const Region *body, const Region *r); /* body: of the outermost loop; r: where the place is */

/* How often the loop of the nest goes around, or how many threads run, can be computed before the nest. */
bool axes_known(const Axes *a, const Op *loop);
/* Makes the axis of the index of a loop of which that is so, and those of the loops around it, before the nest. */
void axes_find(Axes *a, Value *index);
/* Makes those of the loops in an island around op, one of each; false: there is one that is not so, or is another in
 * each turn of those around, and not by a sum of their indices. */
bool axes_in_island(Axes *a, const Op *op);
const Size *axes_rows(const Axes *a); /* the length of the first, if it is the outermost loop's alone */

/* The axes of the first `loops` indices around: their lengths; where on them a turn of each is, at b.  Their number */
int axes_sizes(const Axes *a, const Turns *t, int loops, const Size **dims);
int axes_place(const Axes *a, const Turns *t, Builder *b, int loops, Value *const *turn, Value **at);

/* How what is in an island lies, behind the `outer` axes around that; sizes: of each of the axes in it */
Layout axes_of_threads(const Axes *a, const Turns *t, int outer, const Size **sizes);

/* Behind the reverse, in f: sizes that nobody asked for go. */
void axes_drop(Ad *ad, Func *f);

#endif
