/* Arrays of which a loop still has, at its end, whatever it has read, or put there. */
#ifndef DSL_LASTING_H
#define DSL_LASTING_H

#include "ir/ir.h"

typedef struct { Value *carried; Op *write; } Lasting;

/* In r, of arrays that a `for` carries.  read: from results of extracts, slices and loads that the loop still has to
 * the array as it carries it, and, where it has all that is read, from the array's versions there (what is carried, or
 * handed out, by the loop, by loops, branches and islands inside).  written, or NULL: from values that are put into the
 * array where they are computed (insert, update, store), and stay there, to a Lasting.  arena: of the maps. */
void lasting_find(Arena *arena, Region *r, Map *read, Map *written);

#endif
