/* Between which bounds the ints of a function lie, and which operations on them cannot wrap.
 *
 * Proofs compute with ints as if they had no end.  That is right of an operation only where its result fits 64 bits,
 * whatever the operands are; the result of any other is, to a proof, an int that nothing is known of.  Bounds come from
 * constants and types, from arrays (no axis has more than DSL_MAX_EXTENT elements, and none is negative), from loops,
 * and from the conditions and checks that hold at the place which is asked about.  Scalar arguments and elements of
 * arrays have no bounds of their own. */
#ifndef DSL_RANGE_H
#define DSL_RANGE_H

#include "ir/ir.h"

typedef struct { int64_t lo, hi; } IntRange; /* both included */
typedef struct Ranges Ranges;

bool range_is_near(int64_t n); /* no further from 0 than sizes can be */

/* Values must not change while it is in use. */
Ranges *ranges_new(Session *s);
void ranges_free(Ranges *r);
void ranges_forget(Ranges *r); /* the IR has changed */

IntRange range_of_type(DType t);
/* Of an i64, where `at` runs */
IntRange range_of(Ranges *r, Value *v, const Op *at);
/* Whether the result of op, an operation on i64s, is what it would be without end of the ints, where `at` runs */
bool range_exact(Ranges *r, const Op *op, const Op *at);
/* Nothing of what computes v in the body wraps where `at` runs; nor what was built for it before the loop, behind `old`
 * (NULL: from the start of the region on).  A comparison says something of an index only then. */
bool range_exact_inside(Ranges *r, const Region *body, const Value *v, const Op *at);
bool range_exact_before(Ranges *r, const Op *loop, const Value *v, const Op *old);
/* lo, lo + step, .. up to hi: a for that counts so does not wrap before it ends. */
bool range_counts(Ranges *r, const Op *loop, const Op *at);
/* v, carried by a for or while: where it began and so many times what each turn adds, always the same */
bool range_steps(Ranges *r, const Value *v, const Op *at);
/* Between what bounds lies what each turn adds to v, which a for or while carries; false: unknown */
bool range_changes(Ranges *r, const Value *v, const Op *at, IntRange *out);
/* The same of v + times * w, i64s that one loop carries; modulo 2^64, as each of them may wrap */
bool range_changes_both(Ranges *r, const Value *v, const Value *w, int64_t times, const Op *at, IntRange *out);
/* By what each turn of the loop multiplies what it carries at `at` (v in the body), or (*down) divides it: a constant
 * of at least 1, a power of two of shifts; 0: it changes otherwise */
int64_t carried_factor(const Value *v, const Op *loop, int at, bool *down);
/* Computed from what is defined outside of the body */
bool value_is_invariant(const Value *v, const Region *body);
/* What each turn adds to v, an i64 carried by a loop, or (*down) takes from it, when that is the same in all turns;
 * NULL: it changes otherwise.  at: v's operand of the yield that ends the body. */
Value *carried_stride(const Value *v, const Region *body, int at, bool *down);

#endif
