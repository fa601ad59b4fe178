/* What is decided about a program at stage loops before the first line or instruction of it is written, as data that
 * all emitters read: which functions there are, what is dead, which loops get threads and how, how atomic updates are
 * done, what lies on the stack, which checks are left.  Nothing here is about text. */
#ifndef DSL_PLAN_H
#define DSL_PLAN_H

#include "codegen/codegen.h"
#include "analysis/range.h"

/* ---- program.c: which functions */
typedef VEC(Func *) FuncVec;
FuncVec program_functions(Arena *a, const Module *m, EmitKind kind); /* callees first; extern functions too */
FuncKind program_root_kind(EmitKind kind);
const Func *program_script(const FuncVec *funcs);  /* the top level, or NULL */
bool func_has_spawn(const Func *f);                /* runs within a team of threads */
bool func_cannot_fail(const Func *f); /* only computes with what is there: no frame for the trace of failures */

/* ---- light.c: functions that call themselves and in which nothing can fail but the depth of these calls.  They need
 * no frames: from where there is no room calls come back, and only then frames are made (runtime/dsl.h). */
typedef struct Light {
    Map funcs;
    int64_t step; /* after so many calls the stack is looked at */
} Light;
Light program_light(Arena *a, const Module *m, const FuncVec *funcs);
static inline bool func_is_light(const Light *l, const Func *f) { return map_has(&l->funcs, f); }

/* ---- site.c: places in the source, for messages */
typedef VEC(Span) SpanVec;
typedef struct Sites {
    Session *session;
    Arena *arena;
    SpanVec spans;
    Map index; /* the span's text -> place in spans, from 1 */
} Sites;
typedef struct SiteRow {
    const char *path;   /* NULL: no place */
    int line, col, width;
    const char *text;   /* NULL: in the library */
    int caller;         /* number of the place of the call that the code stands for, or -1 */
    const char *how;
} SiteRow;
int site_number(Sites *s, Span at);
SiteRow site_row(Sites *s, int number);

/* ---- elementwise.c: what computes an operation where no operator does */
DType dtype_computed(DType t);                 /* halves are computed as f32 */
bool dtype_is_half(DType t);
const char *elementwise_function(Arena *a,
                                 const Op *op); /* of the runtime or of C: "dsl_min_f64", "dsl_exp", "floorf" */
const char *cast_function(Arena *a, const Op *op);        /* of floats to ints; NULL: an ordinary conversion */
bool int_constant(const Value *v, int64_t *k);
bool is_zero_constant(const Value *v);         /* 0.0 */

/* ---- size.c: the value of a size.  Sums and products of 64 bits do, or else those of the runtime that end at the
 * greatest int.  An array that exists has at most DSL_MAX_EXTENT along an axis: its extent is right modulo 2^64, so
 * that sums and products need neither. */
bool size_sum_fits(Session *s, const Size *a, const Size *b);
bool size_product_fits(Session *s, const Size *a, const Size *b);
bool size_quotient_truncates(Session *s,
                             const Size *quotient); /* or remainder: unsigned division gives what floor division does */

/* ---- library.c: operations that are calls of the runtime */
/* arrays: how many come back, 0: a number; word: what an error says was to be done, NULL: it says so itself.
 * The arguments are the place, operands, flags, the word, and where two arrays go. */
typedef struct { const char *name, *fn; int opnds, arrays; const char *word; } BlasRow;
const BlasRow *blas_row(const Op *op);
int blas_flags(const Op *op, int flag[3]);     /* how many */
const char *blas_word(const Op *op);
const char *print_function(const Type *t);     /* dsl_print_...: "array", "f64" */
bool check_is_formatted(const Op *op);         /* its message takes one text */
bool plan_looks(const Op *op); /* at function level, at the elements of its operands; extracts look at one alone */
bool view_is_same(const Op *op);               /* the same sizes: nothing happens when it runs */
/* The C function is one of the user's own, and a signal that stops it is told (runtime/crash.c). */
bool extern_is_watched(Session *s, const Op *op, EmitKind kind);

/* ---- check.c: which checks of indices and divisors are left.  0 <= index < extent holds here; extent NULL: index != 0
 */
typedef struct { const Value *index; const Size *extent; } Checked;
typedef VEC(Checked) CheckedVec;
bool check_needs_index(const CheckedVec *known, const Op *op, int first,
                       int axis); /* op is an access to operand first - 1 */
bool check_needs_divisor(const CheckedVec *known, const Op *op);
bool check_needs_exponent(const Op *op);

/* ---- cost.c */
/* Rough cycles of one run of the region; loops whose extents are known outside count as their product. */
double plan_cost(const Region *r);
bool plan_calls_itself(const Op *call); /* a call of a function that calls itself: of any length */
double plan_trip_count(const Op *loop); /* a guess where it is not known */
bool plan_is_simple(const Region *r);   /* straight enough for simd */
bool plan_may_cross(Arena *arena, const Op *loop); /* strided.c: but called so it would become another loop */
const Op *plan_heaviest_loop(const Region *r);

/* ---- turns.c */
int plan_turns_together(const Op *loop); /* of a for: how many of its turns stand one after the other; 1: as it is */

/* ---- bounds.c */
bool plan_is_natural(const Value *v); /* v >= 0 for sure, and so is what it was computed from; false: cannot tell */
bool plan_is_size(const Value *v);    /* is at least 0 and at most the greatest size */
bool plan_may_wrap(Ranges **ranges, Session *s,
                   const Op *loop); /* the counter of a for, on its way past the end; *ranges: made when it is needed */

/* ---- divide.c: floor division and its remainder */
typedef enum {
    DIVISION_FUNCTION, /* of the runtime */
    DIVISION_UNSIGNED, /* nothing is negative: as unsigned ints */
    DIVISION_U32,      /* the same, and both fit 32 bits, which is faster */
    DIVISION_POWER,    /* by a constant power of two: a shift, a mask */
} Division;
Division plan_division(Ranges **ranges, Session *s, const Op *op);

/* Where a parallel loop runs: as loops do; as a launch, simulated; as a launch on a GPU */
typedef enum { RUN_HERE, RUN_SIMULATED, RUN_ON_GPU } Where;

/* For a GPU: what the host does with an array of an island, beside its launches.  Single elements, outside loops, it
 * reads and writes wherever the array is. */
typedef enum { TOUCH_NOT, TOUCH_ELEMENTS, TOUCH_WHOLE } Touch;

/* ---- update.c: atomic updates */
typedef enum {
    UPDATE_ALONE,        /* nobody else is there */
    UPDATE_OPERATOR,     /* by the sign of the kind, indivisibly */
    UPDATE_FETCH,        /* dsl_fetch_add_i64, which gives what was there */
    UPDATE_EXTREME,      /* dsl_atomic_min_f64 */
    UPDATE_EXTREME_SAME, /* dsl_atomic_min_same_f64: all threads come with one value */
} Update;
/* loop: the one whose iterations threads share, or NULL; threads: others may run at the same time */
Update plan_update(const Op *op, const Op *loop, bool threads);
/* Of an op in a launch; the simulator keeps sums of floats in order. */
Update plan_update_on_device(const Op *op, Where where, const Op *launch);
/* The parallel op must run in order: it has float atomics into memory from outside it. */
bool plan_order_matters(const Op *parallel);
const Region *plan_region_of(const Op *loop);
/* The loop over threads in which every access to the small buffer is an atomic update of ints of one kind, so that each
 * thread may have a copy of its own: the kind, or NONE.  Only of an argument of the region in which the loop
 * stands, branches aside (plan_region_of): copies are made and brought together once, not with each turn
 * of a loop around it. */
Combine plan_copies_of(const Op *loop, const Value *buf);

/* ---- where.c: launches of a GPU */
bool plan_is_block(const Op *op); /* a launch that was written */

/* ---- fresh.c: all elements of an array of an island's are written before they are read */
bool plan_is_overwritten(const Op *alloc);
bool plan_is_written_over(const Op *island, int operand); /* all elements, and none is read: whole.c */

/* ---- schedule.c: parallel loops */
typedef struct { const Value *buf; Combine kind; } Copies;
typedef struct LoopPlan {
    Where where;            /* not here: a launch */
    bool team;              /* of a launch: DSL_TEAM threads do an iteration together (codegen/llvm/team.c) */
    bool ordered;           /* of a launch: it has sums of floats by atomic, whose order counts, or awaits others */
    bool threads, simd;
    int64_t unroll;         /* 0: no */
    /* A short loop that comes by again and again: to start a team costs as much as some hundred elements, even one of
     * one thread, so it is written for a team and for none. */
    bool twice;
    int loops;              /* those whose extent is not 1 */
    int collapse;           /* how many of them share the threads */
    /* threads only when the product of these values is greater; 0: always */
    int64_t least;
    int nfactors;
    const Value **factors;
    const Value *turns;     /* of a loop that may have few, each of much work: threads only if there are several */
    bool dynamic;           /* iterations are handed out as threads get done, by the handful; else as the options say */
    int handful;
    int ncopies;
    Copies *copies;         /* buffers of which each thread has its own copy */
} LoopPlan;
bool plan_is_unit(const Value *extent); /* 1: no loop */

/* Where an operation stands.  loop: the one whose iterations threads share; threads: what runs here may run at the same
 * time as other things; taken: in a turn, with memory of its own, of a loop at function level that threads share;
 * where, launch: in a launch, which one; touch: what the host does with arrays of the island */
typedef struct { const Op *loop, *launch; bool threads, taken; Touch touch; Where where; } Around;

/* ---- plan.c: one function.  Its operations are numbered by op->mark, its values by value->id. */
typedef struct Plan {
    Arena *arena;
    const EmitOptions *opts;
    Func *func;
    int nops, nvalues;
    Op **ops;
    bool *dead, *stack;     /* by mark; stack: of an alloc */
    bool *zero;             /* of an alloc: it is to be filled with zeros */
    LoopPlan **loops;       /* by mark; NULL: no parallel loop, nor an independent one */
    Update *updates;        /* by mark, of atomics */
    Touch *touch;           /* by value->id, of an island's buffers */
} Plan;
Plan *plan_function(Arena *a, Func *f, const EmitOptions *opts);
static inline bool plan_is_dead(const Plan *p, const Op *op) { return p->dead[op->mark]; }
static inline bool plan_on_stack(const Plan *p, const Op *alloc) { return p->stack[alloc->mark]; }
static inline bool plan_zeroed(const Plan *p, const Op *alloc) { return p->zero[alloc->mark]; }
static inline const LoopPlan *plan_loop(const Plan *p, const Op *loop) { return p->loops[loop->mark]; }
/* ---- trust.c */
/* By mark, operations of the launch that must find in memory what the program has put there: how long they run depends
 * on that, or where they read and write without a check; what is around them, too, but branches.  NULL: there are
 * none. */
const bool *plan_trusting(const Plan *p, const Op *launch);

/* ---- remarks.c: the IR at stage loops, with comments that say what is decided */
void plan_print(Text *out, const Module *m, const EmitOptions *opts);
/* of schedule.c, for plan.c */
LoopPlan *plan_parallel(const Plan *p, const Op *op, Around around);
LoopPlan *plan_turns(const Plan *p, const Op *op, Around around); /* of an independent for */
/* of where.c */
Touch plan_touch(const Plan *p, const Region *island, const Value *buf);
Touch plan_island_touch(const Plan *p, const Region *island); /* the most of its buffers' */
bool plan_may_call_launch(const Plan *p, const Op *loop); /* in a function that it calls */
Where plan_where(const Plan *p, const Op *loop, Touch around);

#endif
