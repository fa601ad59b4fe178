/* From stage par to stage loops: tensor operations become loop nests over memory.  One pass per file:
 *   loops_index.c     index-form   tensor operations -> generate
 *   loops_fuse.c      fuse         producers into their consumers
 *   loops_buffer.c    bufferize    generate, reduce, scan, update -> islands
 *   barrier_lower.c   barriers     barriers -> loops over the threads
 *   loops_coarsen.c   coarsen      threads and blocks -> fewer that do more (weave.c)
 *   loops_join.c      join-launch  blocks and threads -> one loop over their sum
 *   loops_distribute.c distribute  one loop -> two, where part of it runs in order, or for one value of an index
 *   loops_interchange.c interchange the innermost loop goes along the rows
 *   loops_independent.c independent  serial loops -> parallel ones
 *   loops_scalar.c    scalar-replace  elements that a loop adds to -> carried values
 *   loops_columns.c   columns    triangular nests: column by column, rows in parallel
 *   loops_wavefront.c wavefront  rows that wait for their neighbours -> staggered rows
 *   loops_guards.c    narrow-guards  guards -> loop bounds (narrow.c; of several copies: loops_joint.c); which loops run in order, which as vectors
 *   loops_wrap.c      wrap-index     remainders that go around at most once -> choices
 *   loops_split.c     split-index    loops where an index stops being clamped -> edges and a middle
 *   loops_checks.c    hoist-checks  bounds are checked before the loops that do not change the index
 *   loops_cast.c      cast-index  indices made from floats are checked as floats
 *   loops_expand.c    expand-index  such indices are computed a strip at a time
 *   loops_gather.c    gather      sums of floats by atomic into neighbours -> what each element gets from its neighbours
 *   loops_scatter.c   scatter     sums of floats by atomic -> lists that threads write, and add in order
 *   loops_flatten.c   flatten     branches in inner loops -> choices between values
 *   loops_skip.c      skip        turns whose guard does not hold are passed over, many at a time
 *   loops_search.c    search      loops that look for the first k with c(k) test many at a time
 *   loops_lanes.c     lanes        serial loops inside parallel ones -> vectors across the iterations
 *   loops_time_tile.c time-tile   loops over time -> bands of turns on tiles of rows (loops_time.c: what they reach)
 *   loops_prefetch.c  prefetch  loops along several arrays ask for what they will touch
 *   loops_owner.c     ownership    retain and release
 *   loops_ends.c      the least and greatest value of an index in a nest of loops
 *   loops_strip.c     a loop in strips, about which something is asked before they run: skip, expand-index, search
 * Below the passes: what their files share. */
#ifndef DSL_LOOPS_H
#define DSL_LOOPS_H

#include "ir/ir.h"
#include "ir/range.h"
#include "opt/pass.h"

PassFn pass_index_form, pass_fuse, pass_bufferize, pass_barriers, pass_join_launch, pass_distribute, pass_interchange,
    pass_narrow_guards, pass_wrap_index, pass_split_index, pass_hoist_checks, pass_cast_index, pass_expand_index, pass_scatter, pass_gather, pass_independent, pass_scalar_replace, pass_columns,
    pass_wavefront, pass_search, pass_skip, pass_time_tile, pass_flatten, pass_lanes, pass_prefetch, pass_ownership;

/* ---- loops_util.c */

bool loops_const(const Value *v, int64_t *out);      /* an integer (or bool) constant */
const Type *loops_i64(Module *m);
/* Integer arithmetic that folds constants and neutral elements */
Value *loops_add(Builder *b, Value *x, Value *y);
Value *loops_mul(Builder *b, Value *x, Value *y);
Value *loops_sub(Builder *b, Value *x, Value *y);
Value *loops_min(Builder *b, Value *x, Value *y);
Value *loops_max(Builder *b, Value *x, Value *y);
/* x + y, or x - y; NULL is 0 */
Value *loops_plus(Builder *b, Value *x, Value *y, bool minus);
/* v as coef*iv + rest, where rest does not change in r, the body of a loop that b stands before; rest NULL: 0 */
typedef struct { bool ok; int64_t coef; Value *rest; } LoopsLinear;
/* Nothing of what computes v in the body wraps where `at` runs; nor what was built for it before the loop, behind `old` (NULL: from the
 * start of the region on).  A comparison says something of an index only then. */
bool loops_exact_inside(Ranges *r, const Region *body, const Value *v, const Op *at);
bool loops_exact_before(Ranges *r, const Op *loop, const Value *v, const Op *old);
LoopsLinear loops_linear(Builder *b, const Region *r, const Value *iv, Value *v);
/* The size that v is the value of: a constant, a `size` operation; else a fresh symbol bound to max(v, 0) before
 * the point b (which must be dominated by v). */
const Size *loops_extent_size(Builder *b, Value *v);
/* i64 values of the dims of t, built with b */
void loops_dims(Builder *b, const Type *t, Value **out);
/* A tensor-valued result, or a region argument, somewhere in op's regions */
bool loops_has_tensors(const Op *op);
int loops_count_ops(const Region *r);
/* Copies r's operations (but its terminator) to b with its arguments replaced; out gets the copies of what it
 * yields.  Symbols bound inside get fresh names. */
void loops_inline_region(Builder *b, const Region *r, Value *const *args, Value **out);
/* Stops the program unless start + i*step is inside 0..extent for all 0 <= i < count */
void loops_check_slice(Builder *b, const Op *op, const Type *whole, const Type *part, Value *const *start, const int64_t *steps);

/* ---- loops_ends.c: the ends of an index in a nest of loops */

/* Not known; as they are; without what is fixed, with which they may wrap */
typedef enum { LOOPS_NO_ENDS, LOOPS_ENDS, LOOPS_ENDS_APART } LoopsEndsKind;
/* fixed: added to both; NULL: nothing.  takes_all: the index is every int between them. */
typedef struct { Value *fixed, *least, *most; bool takes_all; } LoopsEnds;

/* Of an index used at `at` in the nest that begins with `outer`, none of whose loops has bounds that change inside */
LoopsEndsKind loops_has_ends(Ranges *r, const Op *outer, const Op *at, Value *index);
/* A bound of a for; how many iterations a parallel loop, reduction or comprehension has along axis i */
Value *loops_bound(Builder *b, const Op *loop, int i);
/* Computed at b, before outer; right if all loops of the nest that move the index run */
LoopsEnds loops_ends(Builder *b, const Op *outer, Value *index, LoopsEndsKind kind);

/* ---- loops_strip.c: strip mining of a parallel loop with one index, over its strips */

typedef struct {
    Op *loop;      /* as it was */
    int64_t strip; /* turns of a strip */
    Value *first, *room; /* of a strip: its first turn; how many turns there are, NULL: a whole strip */
    Builder in;    /* the body of the loop over strips, which loops_strips puts before the loop */
} LoopsStrips;
typedef Value *LoopsStripFn(void *ctx, Builder *b, Value *first);

LoopsStrips loops_strips(Op *loop, int64_t strip);
/* What test says of a whole strip; of what is no whole strip, `rest` */
Value *loops_strip_ask(LoopsStrips *s, LoopsStripFn *test, void *ctx, bool rest);
/* A serial loop over the turns of a strip at b, with nothing in it but *i, the index as it was; whole: of all that a strip can have */
Region *loops_strip_turns(const LoopsStrips *s, Builder *b, bool whole, Value **i);
/* The old loop's body becomes that of such a loop, and the old loop goes. */
void loops_strip_move(const LoopsStrips *s, Builder *b);

/* A loop at b over the turns from first on that counts, from none on: what is cloned into `in` by `copy` has iv as the turn's index. */
typedef struct { Op *loop; Builder in; Cloner copy; Value *so_far; } LoopsCount;
LoopsCount loops_count_begin(Builder *b, int64_t strip, Value *none, Value *first, const Value *iv);
Value *loops_count_end(LoopsCount *c, Value *sum); /* sum: so_far and more; the whole count */

/* ---- loops_guards.c: how loops run, in flags */

void loops_mark(Func *f);

/* ---- loops_reduce.c: reduce and scan */

/* A reduce inside an island: the fixed tree as loops, in place of op (erased). */
void loops_expand_reduce(Op *op);
/* A reduce or scan at function level, free of tensors inside: an island in place of op (erased). */
void loops_island_reduce(Op *op);
void loops_island_scan(Op *op);

/* ---- loops_update.c: part of bufferize */

/* A comprehension that is done where the update that uses it stands */
bool loops_is_update_part(const Op *g);
void loops_island_update(Op *op);

/* ---- loops_merge.c: part of bufferize */

/* Islands over the same index space become one. */
void loops_merge(Func *f);

/* ---- loops_lanes.c */

/* A reduce in an island that reads elements beside each other along the last axis of the parallel loop around it: that loop's iterations will run side by side if the reduction becomes loops that carry its values. */
bool loops_lanes_take(const Op *reduce);

/* ---- loops_owner.c */

/* Inserts retain and release; once per module. */
void loops_own(Module *m);

/* ---- loops_serial.c */

/* A for or while at function level over carried tensors becomes one island, if it only touches their elements; says
 * whether. */
bool loops_serial_island(Op *op);

/* ---- loops_hoist.c: part of fuse */

/* Work in comprehensions that does not depend on all indices is done once, before them. */
void loops_hoist(Region *r);

/* ---- loops_island.c: making islands */

/* An island over outs (modes 1: out, 2: inout), with an empty region but for their buffers. */
Op *loops_island(Builder *b, int n, Value *const *outs, const int64_t *modes);
/* Makes the region complete: every extract of a tensor from outside becomes a load from an `in` operand, every
 * reduce becomes loops; the yield is added.  in_place: reads of an inout operand are reads of its buffer (each element
 * is read before it is written), not of what the tensor was. */
void loops_island_finish(Op *island, bool in_place);
/* Every reduce inside an island becomes loops. */
void loops_expand_reduces(Region *r);
/* A parallel loop over the extents in the island; in is left at its end. Ends in a yield that in stands before. */
Op *loops_parallel(Builder *b, int n, Value *const *extents, Builder *in);
/* Nothing in op's regions that an island could not hold: no tensors but those whose elements are read */
bool loops_fits_island(const Op *op);
/* Where a comprehension's elements go: bufs[k][start + i*step]; start NULL: bufs[k][i] */
typedef struct { Value **bufs; Value *const *start; const int64_t *steps; } LoopsTarget;
/* The comprehension op as a parallel loop at b, its body moved there */
void loops_nest(Builder *b, Op *op, Value *const *extents, const LoopsTarget *to);
/* by's results take the place of op's; op goes. */
void loops_replace(Op *op, Op *by);
/* An uninitialised tensor of t */
Value *loops_empty(Builder *b, const Type *t, const char *name);

#endif
