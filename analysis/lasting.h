/* Arrays of which a loop still has, at its end, whatever it has read. */
#ifndef DSL_LASTING_H
#define DSL_LASTING_H

#include "ir/ir.h"

/* In r, of arrays that a `for` carries: from results of its extracts and slices of which that holds to the array as the
 * loop carries it, and, where it holds of all of them, from the array's versions there (what is carried, or handed out,
 * by the loop, by loops and branches inside).  arena: of the map. */
void lasting_find(Arena *arena, Region *r, Map *out);

#endif
