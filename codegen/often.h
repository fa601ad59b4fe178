/* How often a place in a kernel runs, all threads together: formulas of the program's sizes. */
#ifndef DSL_OFTEN_H
#define DSL_OFTEN_H

#include "ir/ir.h"

enum { OFTEN_SAMPLE = 4096 }; /* what sizes are where a number is asked for */

/* A loop around the place, or the kernel itself */
typedef struct Often {
    const struct Often *up; /* NULL: the kernel */
    const Value *iv;        /* its index */
    const Value *end;       /* of a `for`: where it ends; else NULL */
    int64_t step;
    const Size *all;        /* how often its body runs, all together */
    const Size *each;       /* how many turns it has */
    const Size *mean;       /* what its index is in the middle; NULL: not known */
    const Size *starts;     /* how often somebody begins to go through what it divides .. */
    const Size *covers;     /* .. which is so much each time, in steps of one */
    bool guessed;           /* its turns are not known: it counts as one */
} Often;

Often *often_kernel(Session *s, const Size *times);
/* Inside of a `for`, of an axis of a parallel loop, of a reduction */
Often *often_for(Session *s, const Often *up, const Op *loop);
Often *often_axis(Session *s, const Often *up, const Op *loop, int axis);
/* Which side an `if` or `select` takes that asks for sizes alone: 0 the first, 1 the second, where sizes are
 * OFTEN_SAMPLE; -1: it asks for something else */
int often_side(Session *s, const Value *cond);
/* n where all sizes are `sizes`; false: too large */
bool often_value(const Size *n, int64_t sizes, int64_t *out);

#endif
