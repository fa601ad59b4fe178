/* What the passes over islands at stage loops share: the ends of indices, strips, marks. */
#ifndef DSL_LOOPS_H
#define DSL_LOOPS_H

#include "analysis/range.h"
#include "ir/index.h"
#include "opt/pass.h"

/* ---- ends.c: the ends of an index in a nest of loops */

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

/* ---- strip.c: strip mining of a parallel loop with one index, over its strips */

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
/* A serial loop over the turns of a strip at b, with nothing in it but *i, the index as it was; whole: of all that a
 * strip can have */
Region *loops_strip_turns(const LoopsStrips *s, Builder *b, bool whole, Value **i);
/* The old loop's body becomes that of such a loop, and the old loop goes. */
void loops_strip_move(const LoopsStrips *s, Builder *b);

/* A loop at b over the turns from first on that counts, from none on: what is cloned into `in` by `copy` has iv as the
 * turn's index. */
typedef struct { Op *loop; Builder in; Cloner copy; Value *so_far; } LoopsCount;
LoopsCount loops_count_begin(Builder *b, int64_t strip, Value *none, Value *first, const Value *iv);
Value *loops_count_end(LoopsCount *c, Value *sum); /* sum: so_far and more; the whole count */

/* ---- order.c: sums of floats, whose order is part of the result, and loops around them */

bool loops_is_sum(const Op *op); /* an atomic update that adds floats */
/* A loop at b, and where its body goes, before its yield: the index */
Value *loops_open_for(Builder *b, Value *lo, Value *hi, Value *step, Builder *in);
Value *loops_count_to(Builder *b, Value *hi, Builder *in);
Value *loops_open_tiles(Builder *b, Value *n, Builder *in); /* a parallel one */
/* Turns lo to hi of the first axis of a parallel loop, one after the other, as a `for` at b, which is returned; in it
 * parallel loops around the operations that `which` picks are serial, too. b is left inside the innermost. */
typedef struct { bool (*is)(const void *ctx, const Op *op); const void *ctx; } LoopsOrder;
Op *loops_in_order(Builder *b, const Op *loop, Value *lo, Value *hi, LoopsOrder which);
double loops_turns_about(const Op *loop); /* how many, if a guess */
int loops_cost(const Op *op);             /* cycles */

/* ---- guards.c: how loops run, in flags */

void loops_mark(Func *f);
bool loops_is_plain(const Op *op); /* parallel, of elements: no blocks or threads, no team */
bool loops_inside_parallel(const Op *op); /* of the island of op */

/* ---- lanes.c */

/* A reduce in an island that reads elements beside each other along the last axis of the parallel loop around it: that
 * loop's iterations will run side by side if the reduction becomes loops that carry its values. */
bool loops_lanes_take(const Op *reduce);
/* Iterations of a parallel loop will run side by side, since an inner loop waits for what it computed the turn before.
 */
bool loops_lanes_are_chains(const Op *loop);
int loops_chains_width(const Op *inner); /* how many then */
/* How many blocks of so many iterations the last axis of a parallel loop has, built at b; the iterations that fill none
 * are a copy of it there, which is returned, or NULL. */
Op *loops_rest_of_blocks(Builder *b, Op *loop, int width, Value **blocks);

/* ---- search.c */

bool loops_search_takes(Op *loop); /* It looks for the first index for which something holds. */

/* ---- masks.c */

/* Iterations of a parallel loop will run side by side around a while. */
bool loops_masks_take(const Op *loop);
int loops_masks_width(const Op *inner); /* how many then */

#endif
