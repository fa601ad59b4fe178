/* The cells of a notebook, one after the other, in one workspace.
 *
 * A cell is evaluated as the REPL does it, in the folder of the script and under its name, so that places in messages
 * are those in the script.  What it prints is captured; then its value, if it leaves one, is shown. */
#include "notebook/run.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct Runner {
    Notebook *n;
    Options o;             /* as the cells see them */
    Workspace *w;
    const char *label;     /* the script's name in its folder */
    const char *figures;   /* folder for pictures */
    int home;              /* the folder we came from */
    Cache cache;
    Missing missing;
} Runner;

/* ---- the folder */

/* The folder of a path changes what a relative one means. */
static const char *absolute(Session *s, const char *path) {
    char *full = realpath(path, NULL);
    if (!full) return path;
    path = intern(s, full);
    free(full);
    return path;
}

static void make_absolute(Options *o) {
    for (int i = 0; i < o->check.include_path.len; i++)
        o->check.include_path.data[i] = absolute(o->session, o->check.include_path.data[i]);
    for (int i = 0; i < o->link.len; i++) o->link.data[i] = absolute(o->session, o->link.data[i]);
}

static bool enter(Runner *r) {
    const char *path = r->n->path, *slash = strrchr(path, '/');
    r->label = arena_printf(r->n->arena, "%s", path_name(path));
    r->home = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const char *dir = !slash ? "." : slash == path ? "/" : arena_strndup(r->n->arena, path, (size_t)(slash - path));
    if (r->home >= 0 && chdir(dir) == 0) return true;
    diag_report(r->o.session, NO_SPAN, E_CANNOT_READ, dir, strerror(errno));
    return false;
}

static void leave(const Runner *r) {
    if (r->home < 0) return;
    if (fchdir(r->home)) bug("the working folder is gone");
    close(r->home);
}

/* ---- a cell */

/* With lines before it, so that its own have the numbers that they have in the script */
static const char *padded(Arena *a, const NotebookCell *c) {
    Text t;
    text_init(&t, a);
    for (int i = 1; i < c->line; i++) text_add(&t, "\n", 1);
    text_printf(&t, "%s", c->text);
    return text_str(&t);
}

static int print_value(void *ctx) {
    show_value(ctx);
    return EXIT_OK;
}

static void show_last_value(Runner *r, NotebookCell *c) {
    Variable *v = workspace_var(r->w, "_");
    Capture capture;
    int before = c->outputs.len;
    if (!v || !capture_begin(&capture)) return;
    contain(print_value, NULL, v);
    capture_end(&capture, r->n->arena, c, &(Drawings){0});
    for (int i = before; i < c->outputs.len; i++) c->outputs.data[i].kind = OUT_VALUE;
}

/* Runs it; what it left stays open in cell->result. */
static Outcome evaluate(Runner *r, Cell *cell, NotebookCell *c) {
    Capture capture;
    Drawings drawings = {0};
    Outcome out = {.status = EXIT_INTERNAL};
    workspace_prepare(r->w);
    if (capture_begin(&capture)) {
        out = workspace_run(cell);
        figures_take(r->n->arena, r->figures, &drawings);
        capture_end(&capture, r->n->arena, c, &drawings);
    }
    c->seconds = out.seconds;
    c->crashed = out.signal || out.status > EXIT_DIAGNOSED;
    c->failed = out.status || out.signal;
    return out;
}

/* One that lacks what a failed one should have made says only that; and nobody expects it. */
static void note_failure(Runner *r, const Cell *cell, NotebookCell *c) {
    Arena *a = r->n->arena;
    const MissingName *x = missing_in(&r->missing, c);
    if (x) {
        Output said = {.kind = OUT_ERROR, .text = missing_message(a, x, r->label, cell->text)};
        c->outputs.len = 0;
        vec_push(a, &c->outputs, said);
        c->crashed = true;
    }
    if (cell_went_wrong(c)) missing_add(&r->missing, c, x ? x->line : c->line);
}

/* False: Ctrl-C was pressed. */
static bool run_cell(Runner *r, NotebookCell *c, bool anew) {
    Cell cell = {.workspace = r->w,
                 .label = r->label,
                 .text = padded(r->w->arena, c),
                 .quiet = true,
                 .keep = true,
                 .result = -1};
    Hash key;
    bool has_key = !anew && cache_key(&r->o, &cell, &key);
    if (has_key && cache_find(&r->cache, key, &cell, c, r->n->arena)) return true;
    Outcome out = evaluate(r, &cell, c);
    if (!c->failed) {
        const Input *in = &vec_last(&r->w->inputs);
        if (in->has_value) show_last_value(r, c);
        if (has_key) cache_keep(&r->cache, key, in, cell.result, c);
    }
    if (c->failed) note_failure(r, &cell, c);
    if (cell.result >= 0) close(cell.result);
    return out.signal != SIGINT;
}

/* -D NAME=VALUE: some cell has the constant, or a file that one imports may have it. */
static bool has_const(const Workspace *w, const char *define) {
    size_t n = strcspn(define, "=");
    for (int i = 0; i < w->defs.len; i++) {
        const Definition *d = &w->defs.data[i];
        if (!strcmp(d->what, "import") ||
            (!strcmp(d->what, "const") && strlen(d->name) == n && !strncmp(d->name, define, n)))
            return true;
    }
    return false;
}

static bool defines_fit(const Runner *r) {
    const Options *o = &r->o;
    bool ok = true;
    for (int i = 0; i < o->check.defines.len; i++) {
        const char *define = o->check.defines.data[i];
        if (has_const(r->w, define)) continue;
        diag_report(o->session, NO_SPAN, E_DEFINE_UNKNOWN, intern_n(o->session, define, strcspn(define, "=")));
        ok = false;
    }
    return ok;
}

static int run_cells(Runner *r, const NotebookRun *how) {
    int status = EXIT_OK;
    for (int i = 0; i < r->n->cells.len; i++) {
        NotebookCell *c = &r->n->cells.data[i];
        if (!cell_is_run(c)) continue;
        if (how->begin) how->begin(how->ctx, r->n, i);
        if (!run_cell(r, c, how->anew) || interrupt_waits()) return EXIT_INTERRUPTED;
        if (cell_went_wrong(c)) status = EXIT_DIAGNOSED;
        if (how->end) how->end(how->ctx, r->n, i);
    }
    if (!how->anew) cache_clean(&r->cache);
    return defines_fit(r) ? status : diagnostics_flush(&r->o);
}

int notebook_run(Notebook *n, const Options *o, const NotebookRun *how) {
    Runner r = {.n = n, .o = *o, .home = -1, .missing.arena = n->arena};
    r.o.json = false;
    r.o.color = WHEN_NEVER;
    make_absolute(&r.o);
    r.figures = temp_dir_new(&r.o);
    int status = diagnostics_flush(o);
    if (!r.figures) return status;
    setenv("DSL_FIGURES", r.figures, 1);
    const sigset_t before = interrupts_hold(); /* Ctrl-C ends a cell, and so the run, or else the run before the next */
    r.w = workspace_new(&r.o);
    cache_open(&r.cache, &r.o, n->path);
    status = enter(&r) ? run_cells(&r, how) : diagnostics_flush(o);
    leave(&r);
    workspace_free(r.w);
    interrupt_take();
    sigprocmask(SIG_SETMASK, &before, NULL);
    unsetenv("DSL_FIGURES");
    rmdir(r.figures);
    return status;
}
