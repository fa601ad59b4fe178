/* Several copies of a region side by side, as one stretch of code: loops around barriers and loops with the same bounds
 * become one loop, barriers are met once. */
#ifndef DSL_WEAVE_H
#define DSL_WEAVE_H

#include "ir/ir.h"

enum { WEAVE_MAX = 16 };

typedef struct Weave {
    Module *module;
    int n;              /* copies */
    Cloner copy[WEAVE_MAX]; /* what the original's values are in each */
    bool together;      /* branches without barriers, too, where all copies take the side that does something */
    Map synced;         /* index of a loop with barriers -> the index that they name now */
} Weave;

/* The copies of r's operations but its terminator, at b.  on: per copy the bool without which it does nothing, NULL:
 * always; copies must be independent of each other between barriers. */
void weave_region(Weave *w, Builder *b, const Region *r, Value *const *on);

#endif
