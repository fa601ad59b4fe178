/* What the files that pull adjoints out of comprehensions share (comprehension.c says how). */
#ifndef DSL_AD_PULL_H
#define DSL_AD_PULL_H

#include "ad/ad.h"

enum { MAX_PATH = 24 };

/* A place in the nest: an index, or a branch of an if */
typedef struct {
    Op *owner;
    int index; /* which argument of region 0; of an if: which region */
    bool won;  /* of a least or greatest element: the index is that of it alone, as others get nothing */
} Step;
typedef struct { Step step[MAX_PATH]; int n; } Path;

typedef struct {
    Scope *s;
    Op *root;
    Value *except; /* an element that a product leaves out, by its number */
    Map kept;      /* value of the root's body -> its adjoints, an array, or NULL: they are computed where needed */
    Map winners;   /* reduction to the least or greatest -> indices of it, an array over the indices around */
} Pull;

/* Where code goes while a nest is rebuilt; values of the nest that are known here */
typedef struct Emit Emit;
struct Emit {
    Pull *p;
    Emit *up;
    Builder b;
    Map primal, pulled;
    Map won; /* reductions of which the index that is known is that of the winner */
};

/* What stands at the end of the path */
typedef struct End End;
struct End {
    Value *(*make)(Emit *e, const End *end);
    const Use *use;
    Op *access;
    Value *from;
    const Type *type;
    const Region *over; /* whose indices are the element's */
};

/* For index steps that are solved: NULL elsewhere.  Those that are `planned` are when others are known (solve.h). */
typedef struct Solution {
    Value *solved[MAX_PATH];
    bool inside[MAX_PATH], planned[MAX_PATH];
    struct Solving *solving;
} Solution;

/* A place that reads a tensor from outside; from: the adjoints of what it reads, where they were computed before */
typedef struct { Op *op; Path path; Value *from; } Access;
typedef VEC(Access) AccessList;

/* ---- nest.c: the nest of indices, rebuilt */
Arena *arena_of(const Emit *e);
Emit emit_inside(Emit *up, Region *r);
void know(Emit *e, const Value *v, Value *now);
bool inside_root(const Pull *p, const Value *v);
bool known_here(const Emit *e, const Value *v);
/* op is being made by e: if that is where the reverse itself goes, what is computed there goes before it. */
Op *enter(Emit *e, Op *op);
void leave(Emit *e, Op *outer);
Value *value_here(Emit *e, Value *v);          /* a value of the nest, or from outside */
/* The same of one that does not change in the nest, where that may have no turns, or branches around it: 0 if it cannot
 * be computed */
Value *fixed_here(Emit *e, Value *v);
bool is_sum(const Op *op);                     /* a loop that only adds up */
bool is_map(const Op *op);
bool path_to(Pull *p, Path *path, const Op *op, const Region *outer); /* false: through something that is no nest */
/* False: what holds op, up to that region or the root, gives ints alone (where the greatest is) */
bool may_vary(const Pull *p, const Op *op, const Region *outer);
Value *index_of(const Step *st);               /* NULL: a branch */
Value *extent_here(Emit *e, const Step *st);
Value *times_here(Emit *e, const Step *st);    /* how often a step's index is taken, ... */
Value *index_here(Emit *e, const Step *st, Value *k); /* ... and which it is the k-th time */
bool by_one(const Op *owner);
/* A step through a reduction to the least or greatest element, along one axis */
bool is_extreme(const Step *st);
const Size *extent_size(const Step *st);       /* of indices from 0 by steps of one; NULL: no plain size */

/* ---- pull.c */
Value *pull(Emit *e, Value *v);                /* the adjoint of a value of the nest; NULL: none */
Value *make_use(Emit *e, const End *end);
/* What `end` makes at the end of the path, from step `at` on; NULL: nothing */
Value *descend(Emit *e, const Path *path, int at, const Solution *sol, const End *end);
/* The same where cond is `when`; 0 elsewhere */
Value *guarded(Emit *e, Value *cond, bool when, const Path *path, int at, const Solution *sol, const End *end);

/* The sum of what body makes of k = 0 .. count - 1 */
typedef Value *TurnFn(Emit *e, Value *k, void *ctx);
Value *summed_over(Emit *e, Value *count, const End *end, TurnFn *body, void *ctx);

/* ---- access.c */
void find_winners(Pull *p, Access *a);
bool can_gather(Pull *p, const Op *access, const Path *path);
bool nest_dims(Pull *p, const Path *path, const Size **dims, int *n); /* false: reported */
void reverse_accesses(Pull *p, Value *tensor, const AccessList *all);
End end_of(const Pull *p, const Access *a);

/* ---- pull.c */
bool only_adds(const Op *root); /* it and what it holds: no place is looked for by comparing */

/* ---- scattered.c */
void reverse_scattered(Pull *p, Value *tensor, const AccessList *all);

#endif
