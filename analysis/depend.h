/* Dependence between accesses to memory: who may touch the same element, and in which order.
 *
 * Two instances of accesses conflict when they touch one element of one buffer, one of them writes, and they are not
 * both atomic updates of the same kind.  Distinct operands of an island and distinct allocs never overlap.
 * Threads of a block are ordered by their barriers alone; different blocks, the iterations of a plain parallel and the
 * two sides of a spawn are not ordered at all.
 *
 * The IR may change between questions.  Every answer is bounded in time; ANSWER_UNKNOWN is one that each caller
 * handles, and only ANSWER_NO (never a conflict) allows anything. */
#ifndef DSL_DEPEND_H
#define DSL_DEPEND_H

#include "ir/ir.h"

typedef struct Depend Depend;
Depend *depend_new(Func *f);
void depend_free(Depend *d);

/* Whether two different threads of a block would conflict if this barrier were not there (all others kept). */
Answer depend_barrier_needed(Depend *d, Op *barrier);

/* Accesses a and b (loads, stores, atomics; may be the same operation) inside `loop`, a parallel or a for: do they
 * touch one element in two different iterations of it?  What is defined outside of `loop` is the same for both, what
 * lies inside (barriers too) orders nothing. */
Answer depend_may_conflict(Depend *d, Op *loop, Op *a, Op *b);

/* The same whatever they do there, reads and atomic updates of one kind included */
Answer depend_may_meet(Depend *d, Op *loop, Op *a, Op *b);

/* Whether some iteration of a `for` conflicts with another (carried values are the caller's business). NO: they may
 * run in any order. */
Answer depend_loop_carried(Depend *d, Op *loop);

/* p and q are parallels of rank `depth` at least, p before q in one region (or in two islands whose buffers for one
 * tensor are given as pairs same[2*k] of p, same[2*k+1] of q): does iteration i of p conflict with an iteration j of q
 * that differs from i in the first `depth` indices?  NO: one loop over those that does both in each iteration gives the
 * same. */
Answer depend_across(Depend *d, Op *p, Op *q, int depth, int nsame, Value *const *same);

/* Whether a load, store or atomic inside some parallel is inside its buffer wherever it runs: NO says that it is, as
 * with conflicts. */
Answer depend_outside(Depend *d, Op *access);

#endif
