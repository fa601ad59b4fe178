/* The array that a loop carries, and all that becomes of it in a turn. */
#ifndef DSL_VERSIONS_H
#define DSL_VERSIONS_H

#include "ir/ir.h"

typedef VEC(Op *) OpList;

typedef struct {
    Arena *arena;
    Op *loop;
    int number;         /* which of what the loop carries */
    Map is;             /* Value -> non-NULL: the array as it is at a time */
    VEC(Value *) order; /* these, each once: what the loop carries comes first */
    OpList reads;       /* extract, slice; load, in islands */
    OpList writes;      /* insert, update; store, atomic */
} Versions;

/* Of the number-th array that a `for` carries.  False: it is used otherwise than by these, by loops that carry it,
 * branches that hand it on and islands, or is mixed with other arrays; or there are more than so many of them. */
bool versions_find(Arena *arena, Op *loop, int number, int most, Versions *out);

/* Of what threads do with a buffer, adds the reads and the writes.  False: they do something else with it, too. */
bool versions_in_threads(Arena *arena, const Value *buf, OpList *reads, OpList *writes);

#endif
