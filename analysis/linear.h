/* Integer facts that hold at a place of the program, and proofs from them.
 *
 * An i64 value is read as a polynomial over "atoms": loop variables, size symbols, and values that the
 * reader does not see through.  Each region contributes facts (polynomials that are >= 0 inside it): ranges
 * of its induction variables, conditions of the `if` that owns it.  A goal g >= 0 is proved by subtracting
 * positive multiples of facts until only what is plainly nonnegative is left (a bounded search for a Farkas
 * certificate, so a proof is a proof, and "no" means "not found"). */
#ifndef DSL_LINEAR_H
#define DSL_LINEAR_H

#include "analysis/poly.h"
#include "ir/ir.h"

typedef struct Linear Linear;

/* One per function and state of its IR: values must not change while it is in use. */
Linear *linear_new(Func *f);
void linear_free(Linear *l);

/* From now on values are read as they are used at this place: conditions that hold there keep ints from wrapping.  What
 * may wrap is a polynomial of nothing but itself (analysis/range.h).  Without a place: where they are computed. */
void linear_at(Linear *l, const Op *place);
/* NULL: no answer (overflow, too many terms, or a value that is not an int) */
const Poly *linear_const(Linear *l, int64_t c);
const Poly *linear_value(Linear *l, Value *v);
const Poly *linear_size(Linear *l, const Size *s);
const Poly *linear_add(Linear *l, const Poly *a, const Poly *b);
const Poly *linear_sub(Linear *l, const Poly *a, const Poly *b);
const Poly *linear_mul(Linear *l, const Poly *a, const Poly *b);
/* By how much p grows when iv, an index, grows by one, if that is the same wherever iv is; else NULL */
const Poly *linear_step(Linear *l, const Poly *p, Value *iv);
/* p is the same wherever the region runs: nothing in it is found there. */
bool linear_is_fixed(Linear *l, const Poly *p, Region *r);
struct Ranges *linear_ranges(Linear *l);
/* p as a value; what is in it is known at b */
Value *linear_build(Linear *l, Builder *b, const Poly *p);
/* Whether g >= 0 follows from the facts that hold at `op`. */
bool linear_prove(Linear *l, Op *op, const Poly *g);
/* Whether x[idx..] lies inside x: operand `at` of op is x, operands from `first` on are the indices. */
bool linear_inside(Linear *l, Op *op, int at, int first);
/* Whether at op, where the reader is (linear_at), all of start, start + step, .. so many lie in [lo, hi) */
bool linear_slice_inside(Linear *l, Op *op, Value *start, const Size *count, int64_t step, const Poly *lo,
                         const Poly *hi);

#endif
