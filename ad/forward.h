/* Forward differentiation (forward.c says how): what its files share. */
#ifndef DSL_AD_FORWARD_H
#define DSL_AD_FORWARD_H

#include "ad/ad.h"

typedef struct Forward {
    Ad *ad;
    Map tangent; /* Value -> its tangent; none: 0 */
} Forward;

/* ---- forward.c */
Value *tangent_of(const Forward *fw, const Value *v);           /* NULL: 0 */
Value *tangent_here(const Forward *fw, Builder *b, Value *v);    /* 0 is made */
void set_tangent(Forward *fw, const Value *v, Value *t);
Op *copy_with(Builder *b, const Op *op, Value *const *opnds);    /* op, which has no regions, on other operands */
void forward_region(Forward *fw, Region *r);

/* ---- forward_control.c: branches, loops, strands, calls */
/* What region r yields has its tangents behind it, for the active ones of op's results from `first` on */
void yield_tangents(Forward *fw, const Op *op, Region *r, int first);
/* op with more operands and results; gives the new one.  Behind results come the tangents of those that are active. */
Op *with_tangents(Forward *fw, Op *op, int more, Value *const *opnds);
void forward_branch(Forward *fw, Op *op);
void forward_loop(Forward *fw, Op *op);
void forward_spawn(Forward *fw, Op *op);
void forward_call(Forward *fw, Op *op);

/* ---- forward_reduce.c: generate, reduce, scan */
void forward_comprehension(Forward *fw, Op *op);

/* ---- forward_island.c: memory */
bool forward_memory(Forward *fw, Op *op); /* false: another kind of operation */

/* ---- matrix.c */
bool forward_matrix(Forward *fw, Builder *b, Op *op); /* false: another kind of operation */

#endif
