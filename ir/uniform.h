/* Which values are the same for all threads of a block at one time: threads that meet at a barrier agree on how they came
 * there, so that what a loop with barriers carries may be uniform although each thread computes it. */
#ifndef DSL_UNIFORM_H
#define DSL_UNIFORM_H

#include "ir/ir.h"

typedef struct { const Op *loop; Map varying; Arena *arena; } Uniform;

/* Of a parallel over threads. */
Uniform uniform_new(Arena *arena, const Op *loop);
/* Values from outside are uniform. Of values inside loops it says: the same for two threads in the same turn. */
bool value_varies(const Uniform *u, const Value *v);

#endif
