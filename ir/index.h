/* Index arithmetic on i64 values: built folded, and read as linear in one index. */
#ifndef DSL_INDEX_H
#define DSL_INDEX_H

#include "ir/ir.h"

/* Constants and neutral elements are folded; what wraps stays an operation, which shows that it does. */
Value *index_add(Builder *b, Value *x, Value *y);
Value *index_mul(Builder *b, Value *x, Value *y);
Value *index_sub(Builder *b, Value *x, Value *y);
Value *index_min(Builder *b, Value *x, Value *y);
Value *index_max(Builder *b, Value *x, Value *y);
Value *index_floordiv(Builder *b, Value *n, int64_t by); /* by > 0 */
Value *index_ceildiv(Builder *b, Value *n, int64_t by); /* n / by rounded up; n > -by */
/* x + y, or x - y; NULL is 0 */
Value *index_plus(Builder *b, Value *x, Value *y, bool minus);
/* v as coef*iv + rest, where rest does not change in r, the body of a loop that b stands before; rest NULL: 0 */
typedef struct { bool ok; int64_t coef; Value *rest; } IndexLinear;
IndexLinear index_linear(Builder *b, const Region *r, const Value *iv, Value *v);
/* The index at which x and y, whose coefficients differ by one, are equal */
Value *index_meeting(Builder *b, IndexLinear x, IndexLinear y);
/* v without the constants of 32 bits that are added to it, *k */
Value *index_without_constant(Value *v, int64_t *k);
int index_log2(int64_t n); /* rounded down; n > 0 */
/* In r and the regions in it, x + (y + 1) becomes (x + y) + 1, and (y + 1) * 3 becomes y * 3 + 3, so that neighbours
 * are computed of the same sum */
void index_constants_last(Region *r);
/* The indices of element `flat`, counted row by row, of an array with these extents */
void index_unflatten(Builder *b, Value *flat, int rank, Value *const *extents, Value **out);
Value *index_flatten(Builder *b, Value *const *idx, int rank, Value *const *extents); /* its inverse */
/* The axes of x that are not 1, and those of y, if they have the same sizes in the same order: how many; else -1 */
int long_axes_alike(const Type *x, const Type *y, int *of_x, int *of_y);
/* What an operation on ints makes of two sizes; NULL: no size */
const Size *size_combined(Session *s, OpCode code, const Size *x, const Size *y);
/* The size that an i64 is, looking through arithmetic; at_most: of a minimum the side that is known, which may be more;
 * NULL: it is not made of sizes */
const Size *value_size(Session *s, const Value *v, bool at_most);
/* The size that v is the value of, a constant or a `size` operation, or 0 where that is less; else a fresh symbol bound
 * to max(v, 0) before the point b (which must be dominated by v). */
const Size *build_size_of(Builder *b, Value *v);
Value *build_both(Builder *b, Value *x, Value *y);          /* x and y, of which NULL is true */
/* also, lo <= i and i < hi; NULL: nothing is asked */
Value *build_between(Builder *b, Value *also, Value *i, Value *lo, Value *hi);
Value *build_inside(Builder *b, Value *i, Value *extent); /* 0 <= i and i < extent */
/* Stops the program with the message of an access where `inside` does not hold */
void build_index_check(Builder *b, Value *inside, Value *index, Value *extent, int axis);
/* What stops the program where an element is read that is not there, before e, unless that is proved */
void check_extract(Op *e);
/* Stops the program unless start + i*step is inside 0..extent for all 0 <= i < count */
void build_slice_check(Builder *b, const Op *op, const Type *whole, const Type *part, Value *const *start,
                       const int64_t *steps);
/* A slice, update or pad whose elements lie side by side */
bool op_unit_steps(const Op *op);
/* The elements of a reduce or scan become a comprehension of their own, before it, which is returned; op reads them. */
Op *split_elements(Op *op);
/* What result i of a reduction is where nothing is combined */
Value *build_neutral(Builder *b, const Op *reduce, int i);
/* How many turns a `for` with constant bounds takes */
bool loop_turns(const Op *loop, int64_t *turns);
/* The body of a `for`, a parallel loop, a reduction, a scan or a comprehension runs, whatever the program is given. */
bool op_surely_runs(const Op *loop);
/* The same at b of a for whose step is a number, not 0; less than 0 where it ends before it begins */
Value *index_turns(Builder *b, const Op *loop);
/* The `for` that is all that a `for` does, but for what is pure before it, and through which what the outer one carries
 * goes; NULL: it does otherwise */
Op *loop_only_inner(const Op *outer);
/* The turns of a `for` that goes through the bits of ints: few of them, arithmetic of ints alone, and what is shifted
 * is shifted by its index.  Written out, shifts are by constants, and a loop around is one without a loop in it.  Else
 * 0. */
int loop_bits(const Op *loop);

/* Of few elements, which do little: it may be written out, from the first element to the last as it is computed */
bool reduce_is_short(const Op *op);
void reduce_write_out(Op *op);
/* A loop of so many turns, with constant bounds, becomes these */
void loop_write_out(Op *loop, int64_t turns);

#endif
