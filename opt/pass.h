/* What a pass is, and how a pipeline of them is run. */
#ifndef DSL_PASS_H
#define DSL_PASS_H

#include "ir/ir.h"

/* How many neighbours one thread (kind "thread") or block ("block") does the work of, along x, y, z; kernel NULL: of every launch */
typedef struct { const char *kind, *kernel; int by[3]; } Coarsening;

typedef struct PassOptions {
    int level;              /* -O0 .. -O3 */
    bool unchecked;         /* drop bounds checks */
    bool verify_each;
    bool time_passes;       /* table to stderr */
    const char *print_after; /* pass name, or "all": IR to stderr */
    const Coarsening *coarsen; /* later ones count more, those that name a kernel most */
    int ncoarsen;
    bool explain_checks;    /* list each access: proved, checked, and why */
} PassOptions;

/* A pass changes the module in place. It reports user errors through diag_report (then the pipeline stops). */
typedef void PassFn(Module *m, const PassOptions *opts);

typedef struct { const char *name; PassFn *run; Stage in, out; int level; const char *doc; } PassInfo;
const PassInfo *pass_find(const char *name);
const PassInfo *pass_table(int *n);

/* Runs the default pipeline up to `until`; false when errors were reported. */
bool pipeline_run(Module *m, Stage until, const PassOptions *opts);
/* Runs the passes named in a comma-separated list. */
bool pipeline_run_list(Module *m, const char *list, const PassOptions *opts);

#endif
