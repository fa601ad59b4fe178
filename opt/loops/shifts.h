/* Values of a nest of two loops that are the same but for a constant shift of its indices: shifts.c. */
#ifndef DSL_LOOPS_SHIFTS_H
#define DSL_LOOPS_SHIFTS_H

#include "opt/loops/loops.h"

enum { SHIFTS_AXES = 2, SHIFTS_KIDS = 3 }; /* the index of the rows, and that along a row */

/* An index: that of `axis` (-1: none) + c + base, or - base; base NULL: 0 */
typedef struct { bool ok; int axis; int64_t c; Value *base; bool minus; } ShiftsIndex;

typedef enum { SHIFTS_FIXED, SHIFTS_INDEX, SHIFTS_LOAD, SHIFTS_OP } ShiftsKind;

/* What is computed at a place (row, column): all values that are this at one place or another.  Kids come before it. */
typedef struct {
    ShiftsKind kind;
    OpCode code;             /* of an operation */
    const Type *type;
    Value *value;            /* fixed: itself; of a load the buffer; else one that is of the class */
    int n;                   /* operands, or indices of a load */
    ShiftsIndex index[MAX_RANK]; /* of a load, or that which it is; c counts from the class's place */
    int kid[SHIFTS_KIDS];
    int64_t by[SHIFTS_KIDS][SHIFTS_AXES]; /* the kid's place from that of the class */
    bool minus[SHIFTS_KIDS]; /* the kid is taken with the other sign */
    bool moves[SHIFTS_AXES]; /* whether it depends on the axis */
    uint64_t hash;
} ShiftsClass;

/* A value is (minus) its class at the place of the loop's indices + at. */
typedef struct { int class; int64_t at[SHIFTS_AXES]; bool minus; } ShiftsValue; /* class -1: nothing is known */

typedef struct {
    const Op *outer;         /* the outermost loop that matters: what it writes is not read here */
    const Region *body;      /* of the loop along a row */
    Value *iv[SHIFTS_AXES];  /* indices of the rows, along a row */
    Value *base;             /* along a row places are counted from iv + base on; NULL: from iv on */
    bool has_base;
    Arena *arena;
    VEC(ShiftsClass) classes;
    VEC(ShiftsValue) values;
    Map of;                  /* Value* to 1 + its place in values */
} Shifts;

/* The classes of what the operations of s->body compute; outer, body, iv and arena are given, the rest 0. */
void shifts_read(Shifts *s);
/* NULL: nothing is known of it */
const ShiftsValue *shifts_of(const Shifts *s, const Value *v);

#endif
