/* Between the files of linear.c */
#ifndef DSL_LINEAR_PRIVATE_H
#define DSL_LINEAR_PRIVATE_H

#include "analysis/linear.h"
#include "analysis/range.h"

typedef struct {
    Value *value;
    const char *sym;
    const Size *size;
    bool nonneg;
    bool opened;
} Atom; /* size: of no symbol */
typedef VEC(const Poly *) PolyVec;
/* A condition of which one side or the other is so: an `or` that is true, an `and` that is false, a branch's value */
typedef struct { Value *c; bool truth; } Either;
typedef VEC(Either) Eithers;
typedef struct { PolyVec facts; Eithers eithers; } RegionFacts;

struct Linear {
    Func *func;
    Arena *arena;
    Session *session;
    VEC(Atom) atoms;
    Polys *polys;
    Map value_atom, sym_atom; /* index + 1 */
    Map sym_def;              /* symbol -> Value bound to it */
    bool syms_known;
    Map value_poly;           /* Value -> Poly, as read at `place` */
    const Op *place;          /* where what is read is used; NULL: where it is computed */
    Map region_facts;
    Ranges *ranges;
    int reading;              /* depth of linear_value, against deep recursion */
    Eithers eithers;          /* met since it was emptied */
    int choosing;             /* depth of linear_prove_chosen */
};

bool linear_is_int(const Value *v);                          /* an i64 */
void linear_fact(Linear *l, PolyVec *facts, const Poly *p); /* p >= 0; NULL says nothing */
void linear_facts_of_carried(Linear *l, PolyVec *facts, const Op *loop); /* linear_carried.c; in its body */

bool linear_prove_chosen(Linear *l, const Poly *g); /* linear_chosen.c: g >= 0, of ints in it that loops choose */

#endif
