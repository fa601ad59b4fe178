/* Several processes: the launcher of MPI starts them.  What it prints goes through here, since it does not tell whether
 * that could be written, and dies of a pipe that nobody reads in words of its own. */
#include "cli/processes.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CHUNK = 1 << 16, TURN = 200, GRACE = 5000 }; /* milliseconds */

/* ---- the launcher */

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

/* The pid, and from where its output is read; it ends when dslc is ended. */
static pid_t start(const Argv *v, int *output) {
    int ends[2] = {-1, -1};
    fflush(NULL);
    pid_t child = pipe2(ends, O_CLOEXEC) ? -1 : fork();
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGTERM);
        dup2(ends[1], STDOUT_FILENO);
        execvp(v->data[0], (char *const *)v->data);
        _exit(127);
    }
    if (ends[1] >= 0) close(ends[1]);
    *output = ends[0];
    return child;
}

/* ---- its output */

/* failed: why no more can be written */
typedef struct { pid_t child; int output, status, failed, waited; bool ended, told; } Job;

static int write_all(const char *text, ssize_t n) {
    while (n > 0) {
        ssize_t k = write(STDOUT_FILENO, text, (size_t)n);
        if (k < 0 && errno != EINTR) return errno;
        if (k > 0) text += k, n -= k;
    }
    return 0;
}

/* As read does: 0 where there is no more, -1 where there is none now */
static ssize_t pass_on(Job *j) {
    char text[CHUNK];
    ssize_t n = read(j->output, text, sizeof text);
    if (n > 0 && !j->failed) j->failed = write_all(text, n);
    return n;
}

/* Those whose output is lost are ended, at last by force. */
static void end_failed(Job *j) {
    if (!j->failed || j->ended) return;
    if (!j->told) kill(j->child, SIGTERM);
    if (j->told && j->waited > GRACE) kill(j->child, SIGKILL);
    j->told = true;
    j->waited += TURN;
}

/* Until the launcher has ended: others that it has started may hold the pipe for longer. */
static void watch(Job *j) {
    struct pollfd from = {.fd = j->output, .events = POLLIN};
    fcntl(j->output, F_SETFL, O_NONBLOCK);
    while (!j->ended) {
        bool last = poll(&from, 1, TURN) > 0 && pass_on(j) == 0;
        if (last) from.fd = -1;
        j->ended = waitpid(j->child, &j->status, last && !j->failed ? 0 : WNOHANG) == j->child;
        end_failed(j);
    }
    while (pass_on(j) > 0) continue;
}

/* ---- how it ends */

static int report_output(const Options *o, const Job *j) {
    if (j->failed == EPIPE) signal(SIGPIPE, SIG_DFL), raise(SIGPIPE); /* as a program of one process ends */
    diag_report(o->session, NO_SPAN, E_RT_OUTPUT, strerror(j->failed));
    return diagnostics_flush(o);
}

static int report_launcher(const Options *o, const char *name) {
    Diag *d = diag_report(o->session, NO_SPAN, E_CANNOT_RUN, name, "it could not be started");
    diag_hint(o->session, d,
              "it starts the processes of MPI (Debian: apt install openmpi-bin); DSL_MPIRUN names another");
    return diagnostics_flush(o);
}

/* The status of the program, 128 + its number for a signal, which is told by nobody else */
static int report_status(const Options *o, int status) {
    int n = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), sig = n - 128;
    if (sig <= 0 || sig >= NSIG) return n;
    diag_report(o->session, NO_SPAN, E_PROCESS_ENDED, sig, strsignal(sig));
    diagnostics_flush(o);
    return n;
}

int processes_run(const Options *o, const Executable *x) {
    set_launcher(o);
    home_export(o, o->inputs.data[0]);
    setenv("DSL_PROGRAM", o->inputs.data[0], 1); /* the launcher takes a path for its name */
    if (o->explain_messages) setenv("DSL_EXPLAIN_MESSAGES", "1", 1);
    for (int fd = 0; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0) open("/dev/null", O_RDONLY); /* what is closed is not the pipe */
    Argv v = launcher(o, x->path);
    Job j = {0};
    j.child = start(&v, &j.output);
    signal(SIGINT, SIG_IGN), signal(SIGQUIT, SIG_IGN), signal(SIGPIPE, SIG_IGN);
    if (j.child > 0) watch(&j);
    executable_drop(x);
    if (j.child < 0 || (WIFEXITED(j.status) && WEXITSTATUS(j.status) == 127)) return report_launcher(o, v.data[0]);
    return j.failed ? report_output(o, &j) : report_status(o, j.status);
}
