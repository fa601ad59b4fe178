/* dslc bench FILE.dsl: runs the bench blocks; each prints the median time of its runs (runtime/cases.c). */
#include "driver/build.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int bench_in_memory(const Options *o, char **argv) {
    home_export(o, o->inputs.data[0]);
    MemoryProgram p = memory_make(o, EMIT_BENCHES);
    return p.entry ? memory_run(&p, argv) : p.status;
}

int cmd_bench(const Options *o) {
    const char *input = o->inputs.data[0];
    char *argv[] = {(char *)(uintptr_t)input, (char *)(uintptr_t)o->filter, NULL};
    if (o->threads > 0) setenv("DSL_NUM_THREADS", intern_printf(o->session, "%lld", (long long)o->threads), 1);
    if (memory_is_wanted(o)) return bench_in_memory(o, argv);
    Executable x = executable_get(o, input, EMIT_BENCHES);
    if (!x.path) return x.status;
    fflush(NULL);
    home_export(o, input);
    execv(x.path, argv);
    diag_report(o->session, NO_SPAN, E_CANNOT_RUN, x.path, strerror(errno));
    return diagnostics_flush(o);
}
