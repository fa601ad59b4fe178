/* Loops that become several, of which each has some of the turns: split.c, interior.c. */
#ifndef DSL_LOOPS_SPLIT_H
#define DSL_LOOPS_SPLIT_H

#include "opt/loops/loops.h"

/* Whether loop is an innermost parallel one that can be cut: no block of threads, at most so many operations, and rows
 * enough for the threads when its last axis becomes a loop of its own */
bool split_is_innermost(Op *loop, int most_ops);
/* No int wraps on the way from the operands of op, a comparison in the body, to `at`, where its answer changes; built
 * before the loop, behind old. */
bool split_exact(Ranges *r, const Region *body, const Op *op, const Value *at, const Op *old);
Op *split_last_axis(Op *loop); /* a loop for the last axis, in one over the others; loop itself where it has one */
Op *split_copy(Builder *b, const Op *loop); /* of a loop with one index, at b */
void split_range(Op *loop, Value *lo, Value *count); /* its index runs from lo on, count times */

#endif
