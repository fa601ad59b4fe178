/* A process for each cell.  It has a copy of the session's memory, costs a millisecond, and may crash, run for ever or
 * take all memory without harm. */
#include "driver/build.h"
#include "repl/workspace.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* ---- Ctrl-C reaches the session and its cell alike: the session's waits while a cell runs, or a whole notebook */

static sigset_t interrupts(void) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    return set;
}

sigset_t interrupts_hold(void) {
    sigset_t set = interrupts(), before;
    sigprocmask(SIG_BLOCK, &set, &before);
    return before;
}

bool interrupt_waits(void) {
    sigset_t waiting;
    return !sigpending(&waiting) && sigismember(&waiting, SIGINT) == 1;
}

void interrupt_take(void) {
    sigset_t set = interrupts();
    while (interrupt_waits() && sigtimedwait(&set, NULL, &(struct timespec){0}) < 0 && errno == EINTR) continue;
}

/* ---- the process of a cell */

static DSL_NORETURN void inside(int (*f)(void *ctx), void *ctx) {
    sigset_t set = interrupts();
    signal(SIGINT, SIG_DFL);
    signal(SIGPIPE, SIG_DFL);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    int status = f(ctx);
    fflush(NULL);
    if (!status && ferror(stdout)) {
        fputs("error[E0616]: cannot write the output\n", stderr);
        status = EXIT_DIAGNOSED;
    }
    _exit(status);
}

Outcome contain(int (*f)(void *ctx), void (*beside)(void *ctx, pid_t pid), void *ctx) {
    fflush(NULL);
    const sigset_t before = interrupts_hold();
    Outcome out = {.status = EXIT_INTERNAL};
    double start = seconds_now();
    pid_t pid = fork();
    if (pid == 0) inside(f, ctx);
    if (pid > 0 && interrupt_waits()) kill(pid, SIGINT); /* it came before there was a cell */
    int status = 0;
    if (pid > 0 && beside) beside(ctx, pid);
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR) continue;
    out.seconds = seconds_now() - start;
    if (WIFEXITED(status)) out.status = WEXITSTATUS(status);
    if (WIFSIGNALED(status)) out.signal = WTERMSIG(status);
    if (out.signal == SIGINT) interrupt_take();
    sigprocmask(SIG_SETMASK, &before, NULL);
    if (pid < 0) {
        out.status = EXIT_INTERNAL;
        fprintf(stderr, "error: no process could be started: %s\n", strerror(errno));
    }
    return out;
}

/* ---- a cell */

static void say_what_stopped(const Outcome *out) {
    if (!out->signal || out->signal == SIGPIPE) return;
    if (out->signal == SIGINT) fprintf(stderr, "interrupted; variables are as they were\n");
    else if (out->signal == SIGKILL)
        fprintf(stderr, "error: the computation was killed, perhaps for lack of memory; the session is as it was\n");
    else fprintf(stderr, "error: the computation crashed (%s); the session is as it was\n", strsignal(out->signal));
}

static void mark(Workspace *w, const char *key, bool broken) {
    for (int i = 0; i < w->defs.len; i++)
        if (!strcmp(w->defs.data[i].key, key)) w->defs.data[i].broken = broken;
}

static void forget(Workspace *w, const char *name) {
    const Variable *v = workspace_var(w, name);
    for (int i = 0; v && i < w->inputs.len; i++)
        for (int k = 0; k < w->inputs.data[i].vars.len; k++) {
            Binding *b = &w->inputs.data[i].vars.data[k];
            b->gone |= !strcmp(b->name, name) && !strcmp(b->type, v->type);
        }
    workspace_forget(w, name);
}

static void take_over(Workspace *w, const Result *r) {
    for (int i = 0; i < r->broken.len; i++) mark(w, r->broken.data[i], true);
    for (int i = 0; i < r->mended.len; i++) mark(w, r->mended.data[i], false);
    for (int i = 0; i < r->gone.len; i++) forget(w, r->gone.data[i]);
    for (int i = 0; i < r->defs.len; i++) workspace_define(w, &r->defs.data[i]);
    for (int i = 0; i < r->vars.len; i++) workspace_assign(w, &r->vars.data[i]);
    blob_drop(w, r->blob);
}

static void remember(const Cell *c, const Result *r) {
    Workspace *w = c->workspace;
    Input in = {.label = c->label, .text = arena_printf(w->arena, "%s", c->text)};
    for (int i = 0; i < r->defs.len; i++) vec_push(w->arena, &in.defs, r->defs.data[i]);
    for (int i = 0; i < r->vars.len; i++) {
        const Variable *v = &r->vars.data[i];
        in.has_value |= !strcmp(v->name, "_");
        vec_push(w->arena, &in.vars, ((Binding){.name = v->name, .type = v->type}));
    }
    in.again = r->again;
    for (int i = 0; i < r->files.len; i++) vec_push(w->arena, &in.files, r->files.data[i]);
    vec_push(w->arena, &w->inputs, in);
}

static void leave(const Cell *c, const Result *r) {
    c->workspace->compiles |= r->is_compiled;
    take_over(c->workspace, r);
    remember(c, r);
}

bool workspace_take(const Cell *c) {
    Result r;
    if (!result_read(c->result, c->workspace, 0, &r)) return false;
    leave(c, &r);
    return true;
}

void workspace_prepare(const Workspace *w) {
    if (w->compiles) cell_code_prepare(w->options);
}

/* The session's side of a cell that runs: ends of the way between them, the cell's first; -1: through the file alone */
typedef struct { Cell *cell; int ends[2]; bool taken; Result result; } Meeting;

static int run(void *ctx) {
    const Meeting *m = ctx;
    if (m->ends[1] >= 0) close(m->ends[1]);
    return cell_run(m->cell);
}

static void meet(void *ctx, pid_t pid) {
    Meeting *m = ctx;
    if (m->ends[0] < 0) return;
    close(m->ends[0]);
    m->taken = take_result(m->cell, m->ends[1], pid, &m->result);
    close(m->ends[1]);
}

static bool leaves(const Cell *c) { return c->mode == CELL_RUN || c->mode == CELL_TIME; }

Outcome workspace_run(Cell *c) {
    Meeting m = {.cell = c};
    c->result = memfd_create("cell", MFD_CLOEXEC);
    if (c->result < 0) {
        fprintf(stderr, "error: no memory for results: %s\n", strerror(errno));
        return (Outcome){.status = EXIT_INTERNAL};
    }
    bool apart = leaves(c) && !c->keep && !socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, m.ends);
    if (!apart) m.ends[0] = m.ends[1] = -1;
    c->session = m.ends[0];
    Outcome out = contain(run, meet, &m);
    say_what_stopped(&out);
    bool well = !out.signal && !out.status;
    if (m.taken && !well) blob_free(c->workspace, m.result.blob);
    if (!apart) m.taken = well && leaves(c) && result_read(c->result, c->workspace, 0, &m.result);
    if (well && m.taken) leave(c, &m.result);
    if (well && leaves(c) && !m.taken) out.status = EXIT_INTERNAL;
    if (!c->keep) close(c->result);
    return out;
}
