/* dslc run FILE.dsl [-- ARGS]: makes the executable, or takes it from the cache, and becomes it. */
#include "driver/build.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static char **program_argv(const Options *o) {
    char **argv = NEWN(session_arena(o->session), char *, o->prog_args.len + 2);
    argv[0] = (char *)(uintptr_t)o->inputs.data[0];
    for (int i = 0; i < o->prog_args.len; i++) argv[i + 1] = (char *)(uintptr_t)o->prog_args.data[i];
    return argv;
}

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

int cmd_run(const Options *o) {
    Options tuned = *o;
    bool ok = tuning_load(&tuned);
    if (diagnostics_flush(o) || !ok) return EXIT_DIAGNOSED;
    Executable x = executable_get(&tuned, o->inputs.data[0], EMIT_PROGRAM);
    if (!x.path) return x.status;
    if (o->threads > 0) setenv("DSL_NUM_THREADS", intern_printf(o->session, "%lld", (long long)o->threads), 1);
    else if (tuned.threads > 0) setenv("DSL_NUM_THREADS", intern_printf(o->session, "%lld", (long long)tuned.threads), 0);
    return become(o, &x);
}
