/* Which values are the same for all threads of a block at one time: threads that meet at a barrier agree on how they
 * came there, so that what a loop with barriers carries may be uniform although each thread computes it. */
#ifndef DSL_UNIFORM_H
#define DSL_UNIFORM_H

#include "ir/ir.h"

typedef struct Uniform Uniform;
typedef bool OnceFn(const Uniform *u, const Op *op); /* may the block compute op once, for all its threads? */
struct Uniform { const Op *loop; Map varying; Arena *arena; OnceFn *once; };

/* Of a parallel over threads. */
Uniform uniform_new(Arena *arena, const Op *loop);
/* Values from outside are uniform. Of values inside loops it says: the same for two threads in the same turn. */
bool value_varies(const Uniform *u, const Value *v);
/* The same where operations without barriers inside are uniform only if `once` says so, and loops around barriers have
 * one counter. */
Uniform uniform_of(Arena *arena, const Op *loop, OnceFn *once);
bool op_uses_varying(const Uniform *u, const Op *op);
/* Only some threads come to op. */
bool op_under_varying(const Uniform *u, const Op *op);

#endif
