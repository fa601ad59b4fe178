/* A nest of loops that is to be reversed: which arrays it reads and changes later, and where. */
#ifndef DSL_AD_HISTORY_NEST_H
#define DSL_AD_HISTORY_NEST_H

#include "ad/history_axes.h"
#include "analysis/lasting.h"
#include "analysis/versions.h"

/* v, an argument of the region or made in it; or, v NULL, what the loop or branch gives that has it, by its number */
typedef struct { Value *v; Region *of; int number; } Seen;

typedef struct {
    Ad *ad;
    Region *body;     /* of the outermost loop, the root */
    Versions *arrays; /* of each that it carries */
    bool *kept;       /* whose reads are written down */
    bool *known;      /* these, and those of which the loop has at its end whatever is read */
    Map met;          /* regions that have been met */
    VEC(Region *) order;    /* the bodies of the others that read or change what is kept */
    VEC(Op *) islands;      /* that read what is kept */
    VEC(Region *) branches; /* of branches around such reads, one of each */
    Axes axes;
    VEC(Seen) seen;
} Nest;

/* The outermost loop, which is made anew for each history */
Op *nest_root(const Nest *n);
/* What was read is read again, of what the root, or a loop around it, gives. */
bool nest_lasts(const Nest *n, const Value *v);
/* A read that the reverse may ask for, of what will have been changed; of what is read in loops of the nest itself, all
 * that is */
bool nest_is_lost(const Nest *n, const Op *read);
/* Finds the arrays whose reads are written down, and the loops, branches and islands around those; false: there is
 * nothing to write down. */
bool nest_find(Nest *n);
/* Which of the arrays that are known v is, at a time; -1: none */
int nest_array_of(const Nest *n, const Value *v);

#endif
