/* Where a program loses digits, and what to write instead: `dslc accuracy` (docs/accuracy.md).
 *
 * A formula is what the source says of floats of one type by elementwise operations alone, down to its leaves: names,
 * elements, calls (find.c).  The program runs once in the interpreter, which shows what values the leaves have together
 * (profile.c).  On these samples a formula is computed as programs do, and in 113 bits with a bound of the error
 * (real.c); what identities of real numbers make of it (opt/rules/accuracy.rules, search.c) is computed, too, and the
 * samples alone decide which is better.  What is best under a budget (choose.c) is reported, as source (report.c).
 *
 * Sources: Panchekha et al., Automatically Improving Accuracy for Floating Point Expressions, PLDI 2015 (bits of error,
 * rewriting by identities, regimes); Qian et al., Thinking Fast and Correct, CGO 2026 (values of a run in the place of
 * values at random, several formulas under one budget). */
#ifndef DSL_ACCURACY_H
#define DSL_ACCURACY_H

#include "accuracy/written.h"
#include "interp/interp.h"
#include "ir/ir.h"

/* ---- real.c: numbers of 113 bits, each with a bound of its error */

#if __LDBL_MANT_DIG__ == 113
typedef long double Wide;
#else
typedef __float128 Wide;
#endif
/* The exact number is within e of v, to first order; e is infinite where nobody knows.  NaN or infinite with e == 0:
 * the operation is not defined there, or has a pole. */
typedef struct { Wide v, e; } Real;
bool real_knows(OpCode op); /* whether real_apply computes it */
Real real_apply(OpCode op, const Real *x);
double real_round(DType t, Wide v); /* to the nearest number of type t (f32, f64) */
/* Known well enough to say what is the nearest number of the type, and how far others are */
bool real_is_known(DType t, Real x);
double real_off(double x, Real exact); /* how far x is from it, relative to it */
double real_lost(DType t, Real x);     /* bits that the bound of its error takes of those of type t */
/* So many numbers of type t lie between two, as log2(1 + n); all bits where one alone is NaN */
double bits_between(DType t, double x, double y);

/* ---- term.c: formulas, each subterm once */

enum { MOST_LEAVES = 12, SAMPLES = 192, MOST_GENS = 6, MOST_ELEMENTS = 1 << 14 };
/* op: OP_CONST, a number; OP_COUNT, a leaf; OP_REDUCE, of all samples of a group, `leaf` a Combine, `number` which
 * generator it is written with */
typedef struct { OpCode op; int nkids, kid[3], leaf; double number; } Term;
/* On all samples: computed in f32, in f64; exactly */
typedef struct { double *value[2]; Real *real; } TermValues;
typedef struct {
    Arena *arena;
    DType dtype;
    int nsamples;
    double *leaf[MOST_LEAVES]; /* room for SAMPLES, or for the elements of sums */
    int ngroups, group[SAMPLES + 1]; /* of formulas with sums: where the samples begin that are the terms of a sum */
    VEC(Term) terms;
    VEC(TermValues) values;
    int *table, size; /* 1 + term, by what it is */
} Terms;
static inline const Term *term_at(const Terms *t, int i) { return &t->terms.data[i]; }
static inline bool term_is(const Terms *t, int i, OpCode op) { return term_at(t, i)->op == op; }
int term_leaf(Terms *t, int leaf);
int term_number(Terms *t, double x);
int term_raw(Terms *t, OpCode op, int nkids, const int *kids);   /* as it is */
int term_make(Terms *t, OpCode op, int nkids, const int *kids);  /* or what it plainly is: x + 0, 2 * 3 */
int term_reduce(Terms *t, Combine kind, int gens, int kid);
int term_again(Terms *t, const Term *x, const int *kids); /* x of other terms */
int term_substitute(Terms *t, int root, int from, int to);       /* to for from, everywhere */
int term_subterms(const Terms *t, int root, int *out, int most); /* each once, the root first; how many */
int term_cost(const Terms *t, int root);                         /* of its operations, each once (ir/ops.def) */
int term_size(const Terms *t, int root);                         /* how many terms, as written */
const double *term_values(Terms *t, int root, DType as);         /* computed in that type, on all samples */
const Real *term_reals(Terms *t, int root);

/* ---- cancel.c */
/* The same as a sum of products, when that is less; else the term itself */
int term_cancel(Terms *t, int root);

/* ---- match.c */
/* Calls f with each term that a rule makes of this one, at its root. */
void term_rewrites(Terms *t, int root, void (*f)(void *ctx, int made), void *ctx);

/* ---- formulas */

/* A way to compute a formula: in type `as`; by `term` where leaf `split` is below `at`, by `other` elsewhere (split is
 * negative: by term).  Bits of error, on average and at most; the greatest relative error; what its operations cost;
 * the length of the text, more or less; bare: of some leaves no operation is left */
typedef struct Way {
    int term, other, split;
    double at;
    DType as;
    double bits, worst, off;
    int cost, size;
    bool bare;
    const char *text;
} Way;
typedef VEC(Way) Ways;
/* Where most is lost, and of values of what size, if they cancel (else 0); overflows: a value in between is infinite;
 * bits that are lost of operands that were rounded before */
typedef struct { Span at; OpCode op; bool overflows; double near, rounded; } Loss;
typedef struct { Real *exact; bool *known; int n; } Truth;
/* What a tap of a formula with sums has shown since the formula ended */
typedef struct { int leaf; VEC(double) all; } Shown;
/* Of a leaf: it has the shape of the whole; it is an array; it calls something; it was rounded before; in a sum */
typedef struct { bool whole, array, costly, computed, sum; } LeafKind;

typedef struct {
    Arena *arena;
    Terms *terms; /* gone when all is said of them */
    int root, nleaves, level;
    Span span;
    DType dtype;
    bool array, broken, shared; /* broken: one leaf had two values; shared: another has the place, too */
    const Map *functions; /* names of the program's own, which builtins of that name are hidden by */
    bool constant;      /* the compiler computes it */
    bool later;         /* it takes what another formula computes that is changed: it is judged anew then */
    bool squared;       /* it squares a sum */
    bool sums;          /* it has reductions */
    bool dropped;       /* another formula says the same better */
    const char *gens[MOST_GENS]; /* what they are written with, `i in 0:n`; "": a whole array */
    int ngens;
    VEC(Shown) shown;
    bool distance;      /* how far apart values are, abs(x - y): that they cancel is what is hoped for */
    Source *source;     /* by term: what it is in the source, or no text */
    Span *place;        /* by term: of its operation */
    int nsource;
    LeafKind leaf[MOST_LEAVES];
    double pending[MOST_LEAVES][SAMPLES];
    bool fresh[MOST_LEAVES];
    bool unchosen[SAMPLES]; /* where(..) takes another value */
    int64_t times, seen; /* how many elements were computed; how many samples were offered */
    uint64_t random;
    Ways ways; /* the first is the formula as it is */
    Truth truth;
    Loss loss;
    int known, nsamples, chosen;
} Formula;

/* A sum of a loop.  carried: the operand that is the sum so far; fixed: each turn adds the same.  Of the run that is
 * under way: the sum so far, exactly, and its greatest; how many terms.  Of the longest: that, and the bits lost */
typedef struct {
    Span at;
    DType dtype;
    int carried;
    bool fixed;
    double last, greatest, bits;
    Wide exact;
    int64_t n, longest;
} LoopSum;

typedef struct {
    Session *session;
    Arena *arena;
    int file;
    bool derived; /* operations of derivatives stand at the places of those of the function */
    VEC(Formula *) formulas;
    Map functions; /* names of the program's own */
    Map of_op; /* Op -> Taps */
    Map loop_sums; /* Op -> LoopSum */
} Profile;

/* ---- find.c */
/* An operand of an operation is a leaf of a formula; or the operation is its root, and the last; or it takes the
 * formula where its condition holds (operand 1), or does not (2); or it is the first; or its result is a leaf */
enum { TAP_END = -1, TAP_CHOICE = -2, TAP_START = -3, TAP_RESULT = -4 };
typedef struct { Formula *formula; int operand, leaf, shown; } Tap; /* shown: of a formula with sums, which of those */
typedef VEC(Tap) Taps;
OpCode written_operator(const Expr *e); /* an operator or function of numbers; else OP_COUNT */
const char *reduction_name(Combine kind); /* sum, prod, min, max; or NULL */
void find_formulas(Profile *p, Module *m, const Program *program);
/* Those stay that were found, of the same text, in the module as it was lowered: passes that take derivatives merge and
 * move operations.  What was found there is gone. */
void keep_formulas(Profile *p, const Profile *written);

/* ---- loops.c */
void find_loop_sums(Profile *p, const Module *m);
void loop_sum_see(LoopSum *s, const InterpOperands *operands);

/* ---- profile.c */
int profile_run(Profile *p, Module *m, const InterpOptions *opts); /* the exit status of the program */

/* ---- search.c
 * Sets the ways of a formula: behind the first, in order of cost, those that are better than the cheaper ones.  None is
 * much worse on any sample, but where it is within `loose` of the exact number, relative to it (0: never). */
void search_formula(Formula *f, double loose);

/* ---- loss.c */
void find_loss(Formula *f);

/* ---- choose.c */
/* cost: all formulas together, how many times what it was; 0: any.  error > 0: the cheapest within it, relative */
typedef struct { double cost, error; } AccuracyBudget;
bool has_better(const Formula *f); /* it loses, and one of its ways loses less */
/* A formula that goes through a `let` whose own formula is changed waits: that may be all that it needs. */
void put_off_ways(Profile *p);
bool choose_ways(Profile *p, const AccuracyBudget *budget); /* false: nothing costs so little */

/* ---- write.c */
const char *write_way(const Formula *f, const Way *w); /* as source; NULL: it cannot be written here */

/* ---- reread.c
 * Both expressions are the same real number, whatever the names are, relative to the tolerance */
bool reads_alike(const Writing *a, Span x, const Writing *b, Span y, double tolerance);

/* ---- report.c */
/* Reports where digits are lost, with what to write; and a table to out. */
void report_profile(Profile *p, FILE *out);

#endif
