/* The reference interpreter: slow, obvious, and the judge of every other back end. */
#ifndef DSL_INTERP_H
#define DSL_INTERP_H

#include "ir/ir.h"

/* Sees operations before they run: those of floats, and what chooses between them, that it wants, with the number of
 * their elements (1 of scalars); interp_operand gives element k of operand i.  And elements of arrays that it wants,
 * when they were read: interp_result. */
typedef struct { const void *frame, *inst; } InterpOperands;
typedef struct InterpObserver {
    void *ctx;
    bool (*wants)(void *ctx, const Op *op);
    void (*see)(void *ctx, const Op *op, int64_t count, const InterpOperands *operands);
} InterpObserver;
double interp_operand(const InterpOperands *operands, int i, int64_t k);
/* An elementwise operation on floats of type t, as programs compute it */
double interp_result(const InterpOperands *operands); /* of an element that was read */
double interp_apply(OpCode op, DType t, int n, const double *x);

typedef struct InterpOptions {
    uint64_t seed;        /* order of threads between barriers */
    bool check_races;     /* shadow memory: races, reads of memory never written */
    int64_t max_steps;    /* 0: no bound; else stop with an error (fuel for generated programs) */
    bool tell_where;      /* a failure tells the indices of the loops, blocks and threads around it */
    const char *only_test; /* run test functions (all when "") instead of main; NULL: main */
    const union dsl_value *args; /* for the parameters of main: arrays are borrowed */
    union dsl_value *results;    /* where main's results go: arrays are the caller's */
    bool tries;           /* to run out of max_steps is no error: status INTERP_NO_FUEL, without a message */
    const struct InterpObserver *observer; /* of elementwise operations; or NULL */
} InterpOptions;
enum { INTERP_NO_FUEL = 100 };
/* Runs; output to stdout, run-time errors to stderr as the runtime prints them. Returns the exit status. */
int interp_run(Module *m, const InterpOptions *opts);

#endif
