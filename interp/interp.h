/* The reference interpreter: slow, obvious, and the judge of every other back end. */
#ifndef DSL_INTERP_H
#define DSL_INTERP_H

#include "ir/ir.h"

typedef struct InterpOptions {
    uint64_t seed;        /* order of threads between barriers */
    bool check_races;     /* shadow memory: races, reads of memory never written */
    int64_t max_steps;    /* 0: no bound; else stop with an error (fuel for generated programs) */
    bool tell_where;      /* a failure tells the indices of the loops, blocks and threads around it */
    const char *only_test; /* run test functions (all when "") instead of main; NULL: main */
    const union dsl_value *args; /* for the parameters of main: arrays are borrowed */
    union dsl_value *results;    /* where main's results go: arrays are the caller's */
    bool tries;           /* to run out of max_steps is no error: status INTERP_NO_FUEL, without a message */
} InterpOptions;
enum { INTERP_NO_FUEL = 100 };
/* Runs; output to stdout, run-time errors to stderr as the runtime prints them. Returns the exit status. */
int interp_run(Module *m, const InterpOptions *opts);

#endif
