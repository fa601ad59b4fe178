/* dslc bench FILE.dsl: runs the bench blocks; each prints the median time of its runs (runtime/cases.c). */
#include "driver/build.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int cmd_bench(const Options *o) {
    const char *input = o->inputs.data[0];
    Executable x = executable_get(o, input, EMIT_BENCHES);
    if (!x.path) return x.status;
    if (o->threads > 0) setenv("DSL_NUM_THREADS", intern_printf(o->session, "%lld", (long long)o->threads), 1);
    char *argv[] = {(char *)(uintptr_t)input, (char *)(uintptr_t)o->filter, NULL};
    fflush(NULL);
    home_export(o, input);
    execv(x.path, argv);
    diag_report(o->session, NO_SPAN, E_CANNOT_RUN, x.path, strerror(errno));
    return diagnostics_flush(o);
}
