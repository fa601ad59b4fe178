/* dslc run FILE.dsl [-- ARGS]: makes the executable, or takes it from the cache, and becomes it; or, with --jit
 * or without a C compiler, runs code in memory. */
#include "driver/build.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
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

/* ---- several processes */

/* What OpenMPI wants to be told: there may be more processes than cores, and dslc starts what its user has written. */
static void set_launcher(const Options *o) {
    setenv("OMPI_MCA_rmaps_base_oversubscribe", "1", 0);
    setenv("OMPI_MCA_orte_execute_quiet", "1", 0);
    if (o->processes > sysconf(_SC_NPROCESSORS_ONLN)) setenv("OMPI_MCA_mpi_yield_when_idle", "1", 0);
    if (geteuid()) return;
    setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 0);
    setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 0);
}

static Argv launcher(const Options *o, const char *program) {
    Argv v = {0};
    const char *said = getenv("DSL_MPIRUN"), *words = said && *said ? said : "mpirun";
    char *word = arena_strndup(session_arena(o->session), words, strlen(words));
    for (char *save, *w = strtok_r(word, " ", &save); w; w = strtok_r(NULL, " ", &save)) cc_arg(o, &v, w);
    if (o->processes) {
        cc_arg(o, &v, "-n");
        cc_arg(o, &v, intern_printf(o->session, "%lld", (long long)o->processes));
    }
    cc_arg(o, &v, program);
    for (int i = 0; i < o->prog_args.len; i++) cc_arg(o, &v, o->prog_args.data[i]);
    cc_arg(o, &v, NULL);
    return v;
}

/* The status of the program, 128 + its number for a signal */
static int status_of(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status); }

/* dslc becomes the launcher, unless it has to remove the executable behind it; then that ends when dslc is ended. */
static int run_ranks(const Options *o, const Executable *x) {
    set_launcher(o);
    home_export(o, o->inputs.data[0]);
    setenv("DSL_PROGRAM", o->inputs.data[0], 1); /* the launcher takes a path for its name */
    if (o->explain_messages) setenv("DSL_EXPLAIN_MESSAGES", "1", 1);
    Argv v = launcher(o, x->path);
    fflush(NULL);
    pid_t child = x->temp_dir ? fork() : 0;
    if (child == 0) {
        if (x->temp_dir) prctl(PR_SET_PDEATHSIG, SIGTERM);
        execvp(v.data[0], (char *const *)v.data);
        if (x->temp_dir) _exit(127);
        child = -1;
    }
    int status = 0;
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
    executable_drop(x);
    if (child > 0 && status_of(status) != 127) return status_of(status);
    Diag *d = diag_report(o->session, NO_SPAN, E_CANNOT_RUN, v.data[0], "it could not be started");
    diag_hint(o->session, d,
              "it starts the processes of MPI (Debian: apt install openmpi-bin); DSL_MPIRUN names another");
    return diagnostics_flush(o);
}

int cmd_run(const Options *o) {
    Options tuned = *o;
    bool ok = tuning_load(&tuned);
    if (diagnostics_flush(o) || !ok) return EXIT_DIAGNOSED;
    if (memory_is_wanted(&tuned)) return run_in_memory(o, &tuned);
    Executable x = executable_get(&tuned, o->inputs.data[0], EMIT_PROGRAM);
    if (!x.path) return x.status;
    set_threads(o, &tuned);
    return o->pass.ranks ? run_ranks(o, &x) : become(o, &x);
}
