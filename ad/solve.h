/* Indices of an access that are more than an index of the nest and something fixed: read as sums (form.c), planned
 * (plan.c), solved where the gradient is made (solve.c). */
#ifndef DSL_AD_SOLVE_H
#define DSL_AD_SOLVE_H

#include "ad/pull.h"

enum { MAX_TERMS = 12 };

/* c times an atom: an index of the nest; what the nest does not change; a product with that, a quotient, a remainder, a
 * least or greatest of two, of which one side is what the nest does not change.  Without an atom: the element's index
 * along an axis. */
typedef struct { int64_t c; Value *atom; int axis; } Term;
/* Their sum and k, modulo 2^64 as ints are */
typedef struct { int n; int64_t k; Term term[MAX_TERMS]; } Form;

/* ---- form.c */
bool depends(const Pull *p, const Value *v); /* on an index of the nest */
bool read_form(const Pull *p, Form *f, Value *v); /* false: it is no such sum */
/* Of an atom that is no index: the operand that moves with the nest, and the other */
Value *moving_side(const Pull *p, const Value *atom);
Value *fixed_side(const Pull *p, const Value *atom);
bool is_index(const Pull *p, const Value *atom);
/* In f the index, of which `of` has 1 or -1, becomes what it is where `of` is the element's index along the axis */
bool form_replace(Form *f, const Value *index, const Form *of, int axis);

/* ---- plan.c: in which order */
/* What becomes of a step: its index is one of the path, summed over; or a class: it goes by steps, so that what is left
 * can be divided; or what is left is solved for it. */
typedef enum { ROLE_PATH, ROLE_CLASS, ROLE_SOLVED } Role;
typedef struct {
    Form form;
    bool used;    /* the axis is planned here */
    bool clamped; /* the index is a least or greatest of two as a whole */
} Equation;
typedef struct Plan {
    Equation eq[MAX_RANK];
    Role role[MAX_PATH];         /* by step of the path as it was, then as it is sorted */
    bool apart[MAX_PATH];        /* summed over inside of what is solved */
    bool bounded[MAX_PATH];      /* of a class: no turns but those for which what is solved for is there */
    int axis[MAX_PATH];          /* of classes and what is solved: of the access */
    int order[MAX_PATH], norder; /* steps of classes and what is solved, in the order in which they become known */
    bool several;                /* steps change places */
    bool asks;                   /* it holds where products fit 64 bits, factors and divisors are not 0 */
} Plan;
/* The axes of the access that `by_step` (steps that are known otherwise) leaves; false: they cannot be solved for */
bool plan_axes(const Pull *p, const Op *access, const Path *path, const bool *by_step, const bool *axes, Plan *plan);
Path sort_path(const Path *path, Plan *plan); /* as the plan says; the plan's steps are those of it then */
/* The remainders by n of an index that is taken so often are met once at most */
bool comes_around_once(const Pull *p, const Step *st, const Size *around);

/* ---- solve.c */
/* An equation that is being solved: its index is lo, or of `many` from lo (from_start: from the first) to hi (to_end:
 * to the last), where `when` holds.  width: how many, a number, or 0; chain: all that was looked through is clamped;
 * ends: so it is, with so many places below and above the ends. */
typedef struct {
    Form form;
    Value *lo, *hi, *from_start, *to_end, *when;
    int64_t width, below, above;
    bool many, chain, ends;
} Unsolved;

enum { MOST_COPIES = 8 }; /* of the body of what is gathered */

typedef struct Solving {
    Plan plan;
    const Region *over; /* its indices are the element's */
    const Type *type;   /* of the array */
    bool between;       /* what is clamped is between the ends */
    int copies;         /* of the body, so far */
    Unsolved at[MAX_RANK];
} Solving;
Solving start_solving(const Plan *plan, const Region *over, const Type *type);
Value *solve_step(Emit *e, const Path *path, int at, const Solution *sol, const End *end);
bool is_clamp(const Value *atom); /* a least or greatest of two */
/* x without what is known of the form; the form without that */
Value *less_known(Emit *e, const Region *over, const Path *path, const Form *f, Value *x);
void forget_known(const Emit *e, const Path *path, Form *f);

/* ---- holds.c */
/* Where the plan holds; NULL: everywhere */
Value *plan_holds(Emit *e, const Path *path, const Solving *s);
/* Where all that is clamped is between the ends, so that one place reads the element; NULL: nothing is */
Value *lies_between(Emit *e, const Path *path, Solving *s);

#endif
