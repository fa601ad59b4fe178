/* Loops over time, as time-tile sees them: what time.c reads and time_tile.c builds from. */
#ifndef DSL_LOOPS_TIME_H
#define DSL_LOOPS_TIME_H

#include "opt/loops/loops.h"

enum { TIME_SLOTS = 24, TIME_STEPS = 16, TIME_ACCESSES = 160, TIME_PERIOD = 4 };

/* One turn of the loop is a list of steps: parallel nests.  A step's rows are the values of its index `axis`, or the
 * one row from + base when it has no such index. */
typedef struct {
    Op *island, *nest;
    int axis;     /* -1: one row */
    Value *from;  /* of the row, if it has one only; NULL: 0 */
    int64_t base;
} TimeStep;

/* Row x of the step touches row x + delta of the tensor. */
typedef struct { int step, root; int64_t delta; bool writes; } TimeAccess;

/* A root is a tensor as a turn of the loop finds it: carried, made in the turn, or from outside; a slot is the memory
 * behind it in the first turn.  With each turn roots move on to other slots: next[r] is the root that leaves its memory
 * to root r of the next turn, and after `period` turns all are back. */
typedef struct {
    Op *loop;
    Value *root[TIME_SLOTS];
    int nroots, ncarried, nmade;
    int next[TIME_SLOTS];
    int slot[TIME_PERIOD][TIME_SLOTS]; /* of a root, in a turn */
    int period;
    bool written[TIME_SLOTS];          /* slots */
    bool by_turn[TIME_SLOTS];          /* roots of which each turn has a part of its own: root[turn, ..] */
    int writer[TIME_SLOTS];            /* the step that writes it */
    int64_t by;                        /* turns count up, by 1, or down, by -1 */
    int dim;                           /* the rows' axis of the tensors */
    const Size *ring;                  /* behind the last of so many rows the first one follows; NULL: none does */
    TimeStep step[TIME_STEPS];
    int nsteps;
    TimeAccess access[TIME_ACCESSES];
    int naccesses;
    Map roots;                         /* tensor -> 1 + its root */
    /* Of step u = turn*nsteps + step of one period: its tile begins left[u] + grow_left*k rows further right, ends
     * right[u] + grow_right*k rows further left than the tile, in the k-th period */
    int64_t left[TIME_PERIOD * TIME_STEPS], right[TIME_PERIOD * TIME_STEPS], grow_left, grow_right;
    int64_t reach; /* the farthest that one row is from another that it depends on */
} TimeLoop;

/* Whether the loop's turns may run tile by tile; fills t in. */
bool loops_time_read(TimeLoop *t, Op *loop);

/* time_rows.c: a copy of the loop before it, in which nests of the turn that write several rows are one for each; NULL:
 * there are none */
Op *loops_time_split(Op *loop);

int loops_time_root(const TimeLoop *t, const Value *tensor);

#endif
