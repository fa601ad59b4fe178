/* What derivatives keep of loops, and plans to keep less. */
#ifndef DSL_AD_CHECKPOINT_H
#define DSL_AD_CHECKPOINT_H

#include "ad/ad.h"

/* Loops of the vjp's region that ask for it, or keep too much, become loops over segments.  Before it is reversed */
void plan_checkpoints(Ad *ad, Op *vjp);
double kept_bytes(const Kept *k);                    /* -1: not known when compiling */
const Size *rows_of_loop(Ad *ad, const Op *loop);    /* how many turns, in words where it is not known */
double memory_of_machine(void);                      /* bytes */

void replace_in_order(Ad *ad, Value *v, Value *by);  /* uses of v become uses of by, in their order */

/* ---- kept.c */
void explain_kept(Ad *ad, Span of);                  /* to stderr; of: where the derivative is taken */
void explain_anew(const Ad *ad);                     /* what is computed once more, and why; to stderr */
void check_kept(Ad *ad);                             /* reports more than the limit */

/* ---- fits.c */
typedef VEC(Kept) KeptList;
/* The loop, of which a turn keeps this, and goes on from so many bytes, becomes a branch: the loop, where the limit has
 * room for all, or else calls that keep as many states as it has.  False: as with revolve */
bool revolve_unless_fits(Ad *ad, Op *loop, const Size *carried, const KeptList *kept);

/* ---- revolve.c */
enum { REVOLVE_TURNS = 1, REVOLVE_STATES = 5 }; /* operands of such a call: how many turns, the first that is a state */
/* The loop, `for` or `while`, becomes a call of a function that keeps so many states.  False: its sizes are not those
 * of what it carries, or it calls what prints */
bool revolve(Ad *ad, Op *loop, Value *slots);
/* Behind the reverse: the values of such loops are those of the loops, which run without it. */
void take_values(Ad *ad);

/* ---- differentiate.c */
/* The operations of op's region, and the reverse of them behind them; ad->failed: reported */
void reverse_vjp(Ad *ad, Op *op);

#endif
