/* Between the files of the dependence analysis: formulas over integer unknowns, instances of accesses, pairs of them.
 *
 * A question about two instances becomes a formula: each runs (its guards, its loops' ranges), both touch the same
 * element, and their iterations of the parallel differ.  depend_domain.c writes it down (by depend_read.c and
 * depend_iteration.c for values, depend_formula.c), depend_solve.c decides it, depend_phase.c says which pairs are
 * asked about. */
#ifndef DSL_DEPEND_PRIVATE_H
#define DSL_DEPEND_PRIVATE_H

#include "analysis/depend.h"
#include "analysis/poly.h"
#include "analysis/range.h"

#include <isl/ctx.h>

typedef enum { F_TRUE, F_FALSE, F_GE, F_EQ, F_AND, F_OR } FormulaKind; /* GE: p >= 0, EQ: p == 0 */
typedef struct Formula { FormulaKind kind; const Poly *p; const struct Formula *a, *b; } Formula;

typedef struct { const Formula *f; int defines; } Fact; /* defines: the unknown that it says all about, or -1 */

typedef enum {
    ATOM_SIZE,    /* size symbol */
    ATOM_PARAM,   /* another int from outside the parallel, the same for both instances */
    ATOM_IV,      /* counts the iterations of a loop */
    ATOM_DERIVED, /* defined by facts: quotients, min, max, select */
    ATOM_DATA,    /* nothing is known: loads, carried values, ... */
} AtomKind;
typedef VEC(int) Inputs; /* unknowns */
typedef struct {
    AtomKind kind;
    int extent;        /* number of blocks (1) or threads (2) of a launch, or of iterations (1) */
    int inst;          /* 1, 2: of one instance; 0: the same for both */
    const Value *value;
    const char *sym;
    bool has_lo, has_hi;
    int64_t lo, hi;
    int twin;          /* the same of the other instance, or -1 */
    Inputs inputs;     /* what it is computed from, in a way that is not followed */
    bool unsure;       /* it has not every value that it may have here: what a solution says of it need not be so */
} Atom;

/* Where an instance stands in the loops that the two do not share the iteration of */
typedef enum { STEP_ANY, STEP_FIRST, STEP_LAST, STEP_ZERO, STEP_THEN, STEP_ELSE } StepKind;
typedef struct Step { Op *op; StepKind kind; const struct Step *outer; } Step;

/* Two instances: a.op in one iteration of a.loop, b.op in another of b.loop (mostly the same).  Loops whose bodies
 * enclose `common` are in the same iteration; of `succ`, b is one iteration behind a, or (later) one or more. */
typedef struct { Op *op, *loop; const Step *steps; } Instance;
typedef struct {
    Instance a, b;
    Region *common;
    Op *succ;
    bool later;
    bool loose;            /* there may be a barrier between the two: no conflict is certain */
    struct { Op *loop; int64_t turn; } fixed; /* a for around `common`, in this very turn; or NULL */
    int depth;             /* the iterations differ in one of so many leading axes; 0: in any */
} Pair;

typedef struct Query Query;
/* Elements of a known array, of which `index` takes one, the unknown `atom`; inside: surely one of them */
typedef struct { int64_t n; const int64_t *v; const Poly *index; bool inside; int atom; } KnownLine;
typedef struct {
    Query *q;
    int inst;
    Instance at;
    Map memo;                 /* Value -> Poly */
    int depth;
    const Poly *iv[MAX_RANK]; /* of the loop */
    int dim[MAX_RANK];        /* atoms in which different iterations differ */
    int combined[MAX_RANK];   /* of block loops: atom for block*blockdim + thread, or -1 */
    const Op *threads;        /* the loop over threads that `combined` is about */
    int ndim;
} Env;
struct Query {
    Depend *d;
    Arena *arena;
    Polys *ps;
    VEC(Atom) atoms;
    VEC(int) by_key;   /* number of a key -> atom + 1 */
    Map size_memo;
    Map quotients[2];  /* of each instance: division -> atom + 1 */
    VEC(Fact) facts;
    VEC(KnownLine) lines;
    VEC(const Poly *)
    computed, divisors; /* results of arithmetic, which fit 64 bits, and what was divided by, which is not 0 */
    const Pair *pair;
    Env env[2];
    int conditions;    /* that were read so far */
};
struct Depend {
    Func *func;
    Session *session;
    Arena *arena;
    Arena *scratch;    /* of one question at a time */
    isl_ctx *ctx;
    Map bound;         /* size symbol -> its bind */
    Map uniform;       /* thread loop -> Map of values that vary */
    Ranges *ranges;
    bool wraps;        /* what may wrap is unknown: ints have 64 bits (bounds), or are taken not to overflow (races) */
    int64_t effort, limit; /* size of the linear forms asked about so far; beyond the limit every answer is UNKNOWN */
};

/* ---- depend_formula.c */
const Formula *formula_bool(Query *q, bool b);
const Formula *formula_and(Query *q, const Formula *a, const Formula *b);
const Formula *formula_or(Query *q, const Formula *a, const Formula *b);
/* p >= 0, p == 0, x < y, x != y; of what is NULL (too large to compute with) nothing is known */
const Formula *formula_ge(Query *q, const Poly *p);
const Formula *formula_eq(Query *q, const Poly *p);
const Formula *formula_lt(Query *q, const Poly *x, const Poly *y);
const Formula *formula_ne(Query *q, const Poly *x, const Poly *y);
/* The unknown that a key of n ints stands for */
enum { KEY_VALUE = 1000000, KEY_SYM, KEY_FLOOR, KEY_POWER, KEY_BITS, KEY_WRAP, KEY_LIST, KEY_UNKNOWN, KEY_TABLE };
int query_atom(Query *q, AtomKind kind, int n, const int64_t *key);
/* The unknown that v is in instance inst (0: in both), `what` telling apart several of one value */
int query_value(Query *q, AtomKind kind, const Value *v, int what, int inst);
void query_fact(Query *q, int defines, const Formula *f);
/* By the bounds of its unknowns: at least 0; at least 1 */
bool poly_is_natural(const Query *q, const Poly *p);
bool poly_is_positive(Query *q, const Poly *p);
void atom_at_least(Query *q, int atom, int64_t lo);
void atom_at_most(Query *q, int atom, int64_t hi);
/* It may hold, and never does for certain. */
const Formula *formula_unknown(Query *q);
/* What the type alone says */
void atom_has_type(Query *q, int atom, DType t);

/* ---- depend_iteration.c */
/* What the instance shares with the other of a loop: all of it (it lies outside), the iteration, its place behind b,
 * nothing */
typedef enum { ROLE_OUTER, ROLE_SELF, ROLE_EQUAL, ROLE_NEXT, ROLE_INNER } Role;
Role env_role(const Env *e, const Region *r);
StepKind env_step(const Env *e, const Op *loop);
bool env_outside(const Env *e, const Region *r);
/* Nothing is known of v but whether it is the same for both instances. */
const Poly *read_unknown(Env *e, Value *v);
/* An argument of a loop's region: counter, carried value, index of a thread */
const Poly *read_arg(Env *e, Value *v);
/* Index i of a parallel in instance inst; *atom: in which different threads differ */
const Poly *read_thread(Env *e, Op *op, int i, int inst, int *atom);
const Poly *next_turn(Env *e, const Poly *p, Value *step);
int new_counter(Env *e, Value *iv, int what, int inst);
/* The parallel over blocks right around a parallel over threads; *axis: its axis that goes with axis i. */
Op *blocks_of(const Op *threads, int i, int *axis);

/* ---- depend_bits.c */
/* &, | and xor; NULL: not followed */
const Poly *read_bits(Env *e, Op *op);
/* p as an int of the type, which has lost what does not fit */
const Poly *read_wrapped(Env *e, const Poly *p, DType t);

/* ---- depend_table.c */
/* An element of an array of ints that are all known; NULL: op reads none, or more than one index is not known */
const Poly *read_table(Env *e, Op *op);

/* ---- depend_read.c */
const Poly *read_value(Env *e, Value *v);
/* Quotients that one place, what of op, computes in the two instances are twins. */
const Poly *read_quotient(Env *e, Op *op, int what, const Poly *x, const Poly *y);
/* x // y */
const Poly *read_floor(Query *q, const Poly *x, const Poly *y, int inst);
const Poly *read_size(Env *e, const Size *s);
/* The loop has ended: its counter is in the last turn (yields tell what is left behind), or there was none (the initial
 * values do). */
bool read_end(Env *e, Op *op, const Formula **none, const Formula **last);

/* ---- depend_domain.c */
/* In d->scratch: the query before is gone. */
Query *query_new(Depend *d, const Pair *p);
const Formula *read_condition(Env *e, Value *c, bool truth);
/* What holds when the instance runs; what holds around the loop. */
const Formula *read_domain(Env *e);
const Formula *read_outer(Env *e);
/* Having come to `from`, the instance goes on to `to`, inside of it. */
const Formula *read_way(Env *e, const Op *from, const Op *to);
/* The counter x of a for has not reached its end (or has, by one step). */
const Formula *read_before_end(Env *e, Op *op, const Poly *x, bool truth);
/* a's indices are b's */
const Formula *read_same_element(Query *q);
/* The indices are inside the array: the access stops the program otherwise. */
const Formula *read_inside(Env *e);

/* ---- depend_relevant.c */
/* Marks the unknowns of f. */
void formula_atoms(const Query *q, const Formula *f, bool *used);
bool formula_mentions(const Query *q, const Formula *f, const bool *used);
/* goal and what of context and the facts has to do with it; *data: an unknown value in the rest, when it is NULL */
const Formula *relevant(Query *q, const Formula *goal, const Formula *context, const Value **data);

/* ---- depend_solve.c */
typedef struct {
    Answer sat;        /* NO: no solution; YES: there may be one (exact: there is one) */
    bool exact;
    bool data, product;/* why not exact */
    const Value *why;  /* data: what is not known; may be NULL */
    int steps;
} Verdict;
/* goal, where context (what holds anyway) holds */
Verdict query_solve(Query *q, const Formula *goal, const Formula *context);
/* As above, and the solution itself: value[atom].  It is one that is certain: every condition was read, and holds
 * whatever is not known. */
Verdict query_model(Query *q, const Formula *f, int64_t **value);
bool poly_value(const Query *q, const Poly *p, const int64_t *value, int64_t *out);
/* ---- depend_always.c
 * For all values of the unknowns in `of`, where `given` holds, is there a solution of f?  UNKNOWN: of products, or too
 * large */
Answer query_for_all(Query *q, const Formula *f, const Formula *given, const bool *of);

/* ---- depend_solve.c
 * What a solution says of the unknown is no value of the program: it comes from data, or is computed in a way that is
 * not followed. */
bool atom_is_unsure(const Atom *a);

/* ---- depend_phase.c */
bool access_parts(const Op *op, Value **buf, int *first_index);
bool accesses_clash(const Op *a, const Op *b);
typedef VEC(Pair) PairVec;
/* All pairs of accesses inside `loop` that are not ordered and may clash, as if `ignored` (may be NULL) were not there.
 * False: its barriers order nothing, since maybe not all threads come to them. */
bool pairs_of(Depend *d, Arena *arena, Op *loop, Op *ignored, PairVec *out);

/* ---- depend.c */
enum { EFFORT_ACCESS = 1000, EFFORT_PAIR = 4000, EFFORT_WITNESS = 10000, EFFORT_ALL = 8000 };
/* From now on, so much more effort may be spent. */
static inline void depend_allow(Depend *d, int64_t effort) {
    d->limit = d->effort > EFFORT_ALL ? d->effort + 100 : d->effort + effort;
}
Verdict pair_solve(Depend *d, const Pair *p);
/* Pairs that were proved, as long as the IR does not change: those of other arrays with the same indices are too. */
typedef struct Proved Proved;
Proved *proved_new(Arena *arena);
Verdict pair_solve_once(Depend *d, Proved *k, const Pair *p);
/* Iterations differ first in axis k, where b's is the greater (side 0) or the lesser one. */
const Formula *iterations_differ(Query *q, int k, int side);


/* ---- depend_witness.c: conflicts that are certain */
enum { MAX_NAMED = 8 };
typedef struct {
    bool found;
    bool always;       /* for all sizes and launches that were tried, and all values of other ints */
    bool computed;     /* it takes values that were computed before, which may never be those */
    int64_t iv[2][2 * MAX_RANK]; /* of the parallels around each access, outermost first */
    int64_t index[MAX_RANK];
    int64_t extent[MAX_RANK];    /* of the array (access_witness) */
    struct { const char *name; int64_t value; } free[MAX_NAMED]; /* what comes from outside */
    int nfree;
} Witness;
Witness pair_witness(Depend *d, const Pair *p);
/* An instance of the access (op in some parallel) outside of its array */
Witness access_witness(Depend *d, Op *loop, Op *op);
/* Can v, a flag or an int, differ between two threads of the loop that both come to `at`, in the same turns of the
 * loops around it? */
Verdict depend_differs(Depend *d, Op *loop, Op *at, Value *v);
/* Two threads for which it certainly does, so that the first goes on to the barrier.  Without v: it takes a turn of
 * `at`, a for, that the other has not. */
Witness differs_witness(Depend *d, Op *loop, Op *at, Value *v, Op *barrier);
Op *outermost_parallel(const Op *op);
/* The int that the source calls by the name of the loop's index */
Value *named_counter(Value *iv);

#endif
