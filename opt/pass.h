/* What a pass is, and what it is told. */
#ifndef DSL_PASS_H
#define DSL_PASS_H

#include "ir/ir.h"

/* How many neighbours one thread (kind LOOP_THREAD) or block (LOOP_BLOCK) does the work of, along x, y, z; kernel NULL:
 * of every launch */
typedef struct {
    LoopKind kind;
    const char *kernel;
    int by[3];
    Span at;
} Coarsening; /* at: the line of FILE.tune that says so */

/* Which way where there are several with the same results (choices.def, choices.c) */
typedef enum {
#define CHOICE(id, name, where, doc, ...) id,
#include "opt/choices.def"
#undef CHOICE
    CHOICE_COUNT
} ChoiceId;
enum { CHOICE_WORDS = 6 };
typedef enum { FOR_ANY, FOR_CPU, FOR_GPU } ChoiceWhere; /* which code it changes: the tuner asks of no other */
typedef struct {
    const char *name, *doc;
    ChoiceWhere where;
    const char *words[CHOICE_WORDS];
} ChoiceInfo; /* words: the usual one first; NULL behind the last */

/* One change of the default pipeline: rows of pipeline/passes.def, by number, -1: none.  `drop` is left out, `run` runs
 * behind `behind` (pipeline/edits.c). */
typedef struct { int drop, run, behind; } PassEdit;

/* --fp: as written; products and sums become one operation; sums in another order; both, and products with reciprocals
 */
typedef enum { FP_STRICT, FP_CONTRACT, FP_REASSOC, FP_FAST } FpMode;

/* --pairs: each f64 is computed as two f32; as two f64, with twice the digits; each f32 as two bf16 */
typedef enum { PAIRS_NONE, PAIRS_F32, PAIRS_F64, PAIRS_BF16 } PairsMode;

/* --check-nan: operations that make NaN stop the program; also those that make infinities */
typedef enum { CHECK_NONE, CHECK_NAN, CHECK_INF } CheckNan;

typedef struct PassOptions {
    int level;              /* -O0 .. -O3 */
    bool unchecked;         /* drop bounds checks */
    bool device;            /* for a GPU or its simulator: launches stay launches */
    bool ranks;             /* for processes that run the program together */
    bool arrays;            /* for StableHLO: whole arrays stay whole */
    bool unordered;         /* for a GPU: sums of floats by atomic in a launch are added as threads come */
    int fp;                 /* FpMode */
    int pairs;              /* PairsMode */
    int check_nan;          /* CheckNan */
    bool derive_first;      /* derivatives are taken of what was written, not of what passes made of it */
    bool derive_only;       /* stop behind derivatives, if there are any: --emit=grad */
    bool verify_each;
    bool time_passes;       /* table to stderr */
    const char *print_after; /* pass name, or "all": IR to stderr */
    const Coarsening *coarsen; /* later ones count more, those that name a kernel most */
    int ncoarsen;
    bool explain_checks;    /* list each access: proved, checked, and why */
    const char *memory_limit; /* for what derivatives keep; NULL: half of what the machine has, by checkpoints */
    bool explain_memory;    /* list what derivatives keep, with its bytes */
    bool explain_ranks;     /* list which loops processes part, and which all of them do */
    bool explain_grad;      /* list what derivatives keep and compute anew, and how they add up */
    const PassEdit *edits;
    int nedits;
    unsigned char choice[CHOICE_COUNT]; /* 1 + which word; 0: nothing was said, the usual */
} PassOptions;

/* The type of floats that become pairs; DT_COUNT: none do */
static inline DType pairs_wide(const PassOptions *opts) {
    return opts->pairs == PAIRS_NONE ? DT_COUNT : opts->pairs == PAIRS_BF16 ? DT_F32 : DT_F64;
}

/* Sums may be taken in another order */
static inline bool may_reassociate(const PassOptions *opts) { return opts->fp == FP_REASSOC || opts->fp == FP_FAST; }

const ChoiceInfo *choice_info(ChoiceId id);
const char *choice_word(const PassOptions *opts, ChoiceId id);
bool choice_is(const PassOptions *opts, ChoiceId id, const char *word);
int64_t choice_int(const PassOptions *opts, ChoiceId id);
/* The choice of this name (n bytes) with this word; false when there is none. */
bool choice_find(const char *name, size_t n, const char *word, ChoiceId *id, int *which);
bool choice_say(PassOptions *opts, const char *text); /* "NAME=WORD"; false when there is none */
bool choice_leaves_out(const PassOptions *opts, const char *pass); /* the pass is not to run */

/* --explain-grad: how what derivatives give to `name` is added up, at a place of the program; to stderr */
void explain_sum(const PassOptions *opts, const Module *m, Span at, const char *name, const char *how);

/* --explain-processes: so many turns of the loop there as there are processes run at a time */
void explain_turns(const PassOptions *opts, const Module *m, Span at);

/* A pass changes the module in place. It reports user errors through diag_report (then the pipeline stops). */
typedef void PassFn(Module *m, const PassOptions *opts);

#endif
