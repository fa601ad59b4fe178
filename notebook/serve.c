/* dslc notebook --watch: the page in a browser, made again when a file changes.
 *
 * Each run is a process of its own that leaves the page in a file in memory; the server answers meanwhile, with the
 * page before.  A script that changes while it runs stops that run. */
#include "notebook/serve.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { USUAL_PORT = 8000, PORTS_TRIED = 20, TURN = 150 /* ms */, TURNS_TO_STOP = 20 };

typedef struct Progress { int cell, cells; } Progress; /* shared with the process that runs */

typedef struct Watch {
    const Options *o;
    const char *path;
    Server server;
    Watched watched;     /* as it was when the run began, or since used it; then when it ended */
    bool stale;          /* something changed a turn ago: what writes it may not be done */
    pid_t running;       /* 0: nothing */
    int page;            /* file in memory */
    int notes;           /* ... of the names of files that the run uses */
    int stopping;        /* turns since it was told to stop; 0: it was not */
    Progress *progress;
} Watch;

static volatile sig_atomic_t asked_to_end; /* a handler can reach nothing else */
static void note_signal(int signal) { asked_to_end = signal; }

/* ---- in the process of a run */

static void note_cell(void *ctx, const Notebook *n, int cell) {
    Watch *w = ctx;
    w->progress->cells = n->cells.len;
    w->progress->cell = cell + 1;
}

static void put_notebook(Text *t, Notebook *n, const char *path, const char *message) {
    Notebook none = {.arena = t->arena, .path = path, .title = path};
    NotebookCell c = {.kind = CELL_CODE, .title = "", .text = "", .line = 1, .failed = true};
    if (message) {
        vec_push(t->arena, &c.outputs, ((Output){.kind = OUT_ERROR, .text = message}));
        vec_push(t->arena, &none.cells, c);
    }
    put_page(t, n ? n : &none, true);
}

static const char *messages(Session *s, Arena *a) {
    char *text = NULL;
    size_t len = 0;
    FILE *f = open_memstream(&text, &len);
    if (!f) fatal_oom();
    diag_flush(s, f, false);
    fclose(f);
    const char *copy = arena_strndup(a, text, len);
    free(text);
    return copy;
}

static int make_page(Watch *w) {
    Text t;
    text_init(&t, arena_new());
    Notebook *n = notebook_read(w->o, w->path);
    int status = n ? notebook_run(n, w->o, &(NotebookRun){.begin = note_cell, .ctx = w}) : EXIT_OK;
    if (status == EXIT_INTERRUPTED) return status;
    put_notebook(&t, n, w->path, n ? NULL : messages(w->o->session, t.arena));
    FILE *f = fdopen(w->page, "w");
    return f && fwrite(text_str(&t), 1, (size_t)t.len, f) == (size_t)t.len && !fclose(f) ? EXIT_OK : EXIT_INTERNAL;
}

static DSL_NORETURN void run_here(Watch *w) {
    char notes[32];
    snprintf(notes, sizeof notes, "/proc/self/fd/%d", w->notes);
    setenv("DSL_FILES", notes, 1);
    setpgid(0, 0); /* so that the server can stop it with all its cells */
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    signal(SIGINT, SIG_IGN); /* it ends cells */
    signal(SIGTERM, SIG_DFL);
    _exit(make_page(w));
}

/* ---- runs */

/* A page without cells; with a message one that holds it */
static void show_message(Watch *w, const char *message) {
    Text t;
    text_init(&t, arena_new());
    put_notebook(&t, NULL, w->path, message);
    server_page(&w->server, strdup(text_str(&t)), (size_t)t.len);
    arena_free(t.arena);
}

static void begin_run(Watch *w) {
    Watched now = watched_find(w->o, w->path, &w->watched);
    watched_free(&w->watched);
    w->watched = now;
    w->stale = false;
    w->stopping = 0;
    *w->progress = (Progress){0};
    w->page = memfd_create("page", MFD_CLOEXEC);
    fflush(NULL);
    w->running = w->page < 0 || ftruncate(w->notes, 0) ? -1 : fork();
    if (w->running == 0) run_here(w);
    if (w->running > 0) {
        setpgid(w->running, w->running);
        server_running(&w->server, "");
        return;
    }
    w->running = 0;
    show_message(w, arena_printf(w->watched.arena, "error: no process could be started: %s\n", strerror(errno)));
    if (w->page >= 0) close(w->page);
}

static void take_page(Watch *w) {
    off_t size = lseek(w->page, 0, SEEK_END);
    char *text = malloc(size > 0 ? (size_t)size : 1);
    if (!text) fatal_oom();
    if (size > 0 && pread(w->page, text, (size_t)size, 0) == size) server_page(&w->server, text, (size_t)size);
    else free(text);
}

/* A run that was stopped left no page; the next one begins at once. */
static void end_run(Watch *w, int status) {
    w->running = 0;
    if (WIFEXITED(status) && WEXITSTATUS(status) == EXIT_OK) take_page(w);
    else if (!w->stopping) show_message(w, "error: the run ended before there was a page\n");
    close(w->page);
    if (w->stopping) {
        begin_run(w);
        return;
    }
    watched_settle(&w->watched);
}

/* SIGINT ends its cells; SIGKILL is for what does not heed it. */
static void stop_run(Watch *w) {
    kill(-w->running, w->stopping++ < TURNS_TO_STOP ? SIGINT : SIGKILL);
}

static void look_at_run(Watch *w) {
    int status;
    bool ended = waitpid(w->running, &status, WNOHANG) == w->running;
    watched_note(&w->watched, w->path, w->notes);
    if (ended) {
        end_run(w, status);
        return;
    }
    if (w->stopping || watched_changed(&w->watched, true)) {
        stop_run(w);
        return;
    }
    char how_far[32];
    snprintf(how_far, sizeof how_far, "%d/%d", w->progress->cell, w->progress->cells);
    server_running(&w->server, w->progress->cell ? how_far : "");
}

/* ---- the loop */

static void look_at_files(Watch *w) {
    bool changed = watched_changed(&w->watched, false);
    if (changed && w->stale) begin_run(w);
    else w->stale = changed;
}

static void serve(Watch *w) {
    while (!asked_to_end) {
        server_turn(&w->server, TURN);
        if (w->running) look_at_run(w);
        else look_at_files(w);
    }
    for (int i = 0; w->running && waitpid(w->running, NULL, WNOHANG) == 0; i++) {
        stop_run(w);
        usleep(20000);
    }
}

/* ---- public */

/* The usual port, or one of the next, when none is asked for */
static bool open_server(Watch *w) {
    int first = w->o->port ? (int)w->o->port : USUAL_PORT, tries = w->o->port ? 1 : PORTS_TRIED;
    for (int i = 0; i < tries; i++) {
        if (server_open(&w->server, first + i)) return true;
        if (errno != EADDRINUSE) break;
    }
    diag_report(w->o->session, NO_SPAN, E_NOTEBOOK_PORT, first, strerror(errno));
    return false;
}

static bool usable(const Options *o) {
    if (o->inputs.len > 1) diag_report(o->session, NO_SPAN, E_OPTION_VALUE, "watch", "several files");
    if (o->port < 0 || o->port > 65535)
        diag_report(o->session, NO_SPAN, E_OPTION_VALUE, "port", intern_printf(o->session, "%lld", (long long)o->port));
    return !diag_error_count(o->session);
}

int notebook_watch(const Options *o) {
    Watch w = {.o = o,
               .path = o->inputs.data[0],
               .progress = mmap(NULL, sizeof *w.progress, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)};
    w.notes = memfd_create("notes", MFD_CLOEXEC);
    if (w.progress == MAP_FAILED || w.notes < 0) fatal_oom();
    if (!usable(o)) return diagnostics_flush(o), EXIT_USAGE;
    if (!open_server(&w)) return diagnostics_flush(o);
    signal(SIGINT, note_signal);
    signal(SIGTERM, note_signal);
    printf("http://127.0.0.1:%d/ shows %s; Ctrl-C ends it\n", w.server.port, w.path);
    w.watched = watched_find(o, w.path, NULL);
    show_message(&w, NULL);
    begin_run(&w);
    serve(&w);
    watched_free(&w.watched);
    server_close(&w.server);
    munmap(w.progress, sizeof *w.progress);
    close(w.notes);
    return EXIT_OK;
}
