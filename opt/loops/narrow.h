/* Conditions of a loop's body, taken apart into bounds of its indices (narrow.c). */
#ifndef DSL_NARROW_H
#define DSL_NARROW_H

#include "opt/loops/loops.h"
#include "analysis/linear.h"

typedef struct {
    Linear *facts;
    Op *loop;
    Region *body;
    Builder before;             /* the loop */
    Value *lo[MAX_RANK], *hi[MAX_RANK]; /* bounds found so far; NULL: none */
    Value *stride[MAX_RANK], *phase[MAX_RANK]; /* only every stride-th index, the one that is `phase` modulo it */
    Value *only_if;             /* fixed conditions; NULL: none */
    Value *remains;             /* what is still to be tested inside; NULL: nothing */
    Builder inside;             /* before the guard */
    int indices, parts;         /* of the body's arguments; the others are carried; of conditions, so far */
    bool ranges;                /* only lo and hi: all else remains, and nothing is computed earlier than before */
} Narrow;

/* Takes c, or not c, apart. */
void narrow_take_apart(Narrow *n, Value *c, bool negate);
/* The operation that does what remains of the guard: the guard with that condition, or nothing, and what is in it
 * stands before it */
void narrow_guard(Narrow *n, Op *guard);
/* Whether x >= y before the loop, for sure; the lesser one, without asking where that is sure */
bool narrow_at_least(const Narrow *n, Value *x, Value *y);
Value *narrow_least(Narrow *n, Value *extent, Value *hi);
/* What stood for index iv of the loop is now iv*stride + lo (NULL: 1, 0). */
void narrow_renumber(const Region *body, Value *iv, Value *stride, Value *lo);

/* ---- narrow_for.c: the same of a `for` that carries values, whose turns change nothing where the guard does not hold;
 * says whether anything has changed */
bool loops_narrow_for(Linear *facts, Op *loop);

/* ---- trim.c: the loop ends where its guard no longer holds, if that can be told when the program runs */
void loops_trim(Op *loop, const Op *guard);

/* ---- joint.c */
/* Guards that bound the same indices from the same sides: where all hold is the loop, without them; what is left
 * becomes loops of its own before it, with them. */
void loops_join_guards(Linear *facts, Op *loop);

#endif
