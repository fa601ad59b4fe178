/* dslc run FILE.dsl [-- ARGS]: makes the executable, or takes it from the cache, and becomes it; or, with --jit
 * or without a C compiler, runs code in memory. */
#include "cli/processes.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern char **environ;

/* What has no place in a cache is removed before it runs; the open file lives on. */
static int become(const Options *o, const Executable *x) {
    fflush(NULL);
    home_export(o, o->inputs.data[0]);
    char **argv = program_argv(o);
    int fd = x->temp_dir ? open(x->path, O_RDONLY | O_CLOEXEC) : -1;
    executable_drop(x);
    if (fd >= 0) fexecve(fd, argv, environ);
    else execv(x->path, argv);
    diag_report(o->session, NO_SPAN, E_CANNOT_RUN, x->path, strerror(errno));
    return diagnostics_flush(o);
}

static void set_threads(const Options *o, const Options *tuned) {
    int64_t n = o->threads > 0 ? o->threads : tuned->threads;
    if (n > 0) setenv("DSL_NUM_THREADS", intern_printf(o->session, "%lld", (long long)n), o->threads > 0);
}

static int run_in_memory(const Options *o, const Options *tuned) {
    set_threads(o, tuned);
    home_export(o, o->inputs.data[0]);
    MemoryProgram p = memory_make(tuned, EMIT_PROGRAM);
    return p.entry ? memory_run(&p, program_argv(o)) : p.status;
}

int cmd_run(const Options *o) {
    Options tuned = *o;
    bool ok = tuning_load(&tuned);
    if (diagnostics_flush(o) || !ok) return EXIT_DIAGNOSED;
    if (memory_is_wanted(&tuned)) return run_in_memory(o, &tuned);
    Executable x = executable_get(&tuned, o->inputs.data[0], EMIT_PROGRAM);
    if (!x.path) return x.status;
    set_threads(o, &tuned);
    return o->pass.ranks ? processes_run(o, &x) : become(o, &x);
}
