/* What a loop accumulates: values that it carries, and combines with something new each turn. */
#ifndef DSL_ACCUMULATE_H
#define DSL_ACCUMULATE_H

#include "ir/ir.h"

enum { ACCUMULATE_DEEP = 4 };

typedef enum {
    CARRY_COMBINES, /* c op f(i), perhaps only where something holds: c + x[i], c and x[i] > 0 */
    CARRY_PICKS,    /* the greatest or least f(i) of floats; of ints, where another value follows */
    CARRY_FOLLOWS,  /* f(i), each time that another one picks */
    CARRY_SETS      /* f(i), each time that something holds which depends on the turn alone */
} CarryKind;

typedef struct {
    CarryKind kind;
    Combine combine; /* of COMBINES, PICKS */
    bool last;       /* PICKS: of equals the last one stays, else the first */
    bool compares;   /* PICKS by a comparison, which passes over NaN, else by min or max */
    int key;         /* FOLLOWS: the number of the one that picks */
    Value *leaf;     /* what is taken: f(i) */
    bool followed;   /* PICKS: others follow */
} Carry;

/* A loop, or loops one inside the other that hand on what they carry, over a box of turns */
typedef struct {
    Op *loop[ACCUMULATE_DEEP];
    int depth, n;      /* n: values carried */
    Carry *carry;
    Map tainted;       /* values inside that depend on what is carried */
} Accumulation;

Value *accumulate_first(const Accumulation *a, int k); /* before all turns */
Value *accumulate_now(const Accumulation *a, int k);   /* in the innermost body */
Value *accumulate_next(const Accumulation *a, int k);  /* what the turn hands on */
bool accumulate_is_free(const Accumulation *a, const Value *v); /* it depends on the turn alone */
/* The two sides of a choice, a select or the results of an if, and what decides; false: v is none */
typedef struct { Value *cond, *side[2]; } Choice;
bool accumulate_choice(const Value *v, Choice *c);
/* v is x op f(i), with x the side that the carried value comes from: the other one; NULL: v is nothing of the kind */
Value *accumulate_other(const Accumulation *a, const Value *v, Combine kind, Value **chain);
/* v is `x and f(i)`, `x or f(i)` with f(i) only computed where it matters: so too */
Value *accumulate_short(const Accumulation *a, const Value *v, Combine kind, Value **chain);

/* sums: floats may be added and multiplied in another order.  False: the loop does something else. */
bool accumulate_read(Op *loop, bool sums, Accumulation *a);

#endif
