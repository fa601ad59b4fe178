/* Loops at function level that are reversed, and what is kept of their turns (loop_tape.c). */
#ifndef DSL_AD_LOOP_H
#define DSL_AD_LOOP_H

#include "ad/checkpoint.h"

typedef struct { Value *of; int place; } LoopPart;

typedef struct {
    Op *loop;       /* of the function, ... */
    Op *counted;    /* ... and where that is a while, the one that counts its iterations */
    Region *body;
    int ivs;        /* arguments of the body before what is carried */
    Op *forward;    /* the `for` that fills tapes: the loop itself, or one that runs it again; NULL: not made yet */
    Op *at;         /* where that goes: before this */
    bool from_zero; /* by steps of one */
    Value *lo, *step, *count; /* iterations */
    const Size *size;
    Value *turn;    /* of the reverse loop: the iteration that it reverses */
    struct LoopTape {
        int place;       /* which result of `forward` it is; 0: none yet */
        Value *with_end; /* the tape with a last row, of what the loop gives, or NULL */
        Value *given;    /* what the loop gives, if that was asked for */
    } *tapes;            /* of each carried value */
    VEC(LoopPart) parts; /* values of the body that are kept themselves */
    Cloner copy;         /* values of the body -> those of `forward`, where that is another loop */
} Loop;

/* If it was computed anew before, that run writes its tapes. */
void loop_ran_again(Scope *s, Loop *l);
/* The loop with one more carried value */
Op *with_carried(Ad *ad, Op *loop, Value *init);
/* The branch with one more result of type t, which its regions do not yield yet */
Op *with_handed_out(Ad *ad, Op *branch, const Type *t);

/* Of turn l->turn, in the reverse: what the loop carries as its k-th value, when the turn begins; what it hands on as
 * that; a value of the body that is read from a part of what is carried, for use in `at`; NULL: it is computed anew */
Value *kept_carried(Scope *in, Loop *l, int k);
Value *given_by_loop(Scope *in, Loop *l, int k); /* what it is at the loop's end */
Value *kept_yielded(Scope *in, Loop *l, int k);
Value *kept_part(Scope *in, Scope *at, Loop *l, Value *v);

#endif
