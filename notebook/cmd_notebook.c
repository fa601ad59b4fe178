/* dslc notebook FILE.dsl: runs the cells and writes a page (or .ipynb), compares, or keeps the outputs. */
#include "notebook/notebook.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- names */

static const char *with_ending(const Options *o, const char *path, const char *end) {
    size_t n = strlen(path), k = strlen(".dsl");
    bool usual = n > k && !strcmp(path + n - k, ".dsl");
    return intern_printf(o->session, "%.*s%s", (int)(usual ? n - k : n), path, end);
}

static const char *default_output(const Options *o, const char *path) {
    const char *slash = strrchr(path, '/');
    return with_ending(o, slash ? slash + 1 : path, ".html");
}

typedef bool Writer(const Notebook *n, FILE *to);

/* What the ending asks for; NULL: reported. */
static Writer *writer_of(const Options *o, const char *path) {
    static const struct { const char *end; Writer *write; } writers[] = {
        {".html", notebook_html}, {".htm", notebook_html}, {".ipynb", notebook_ipynb}};
    size_t n = strlen(path);
    if (!strcmp(path, "-")) return notebook_html;
    for (size_t i = 0; i < sizeof writers / sizeof *writers; i++) {
        size_t k = strlen(writers[i].end);
        if (n > k && !strcmp(path + n - k, writers[i].end)) return writers[i].write;
    }
    Diag *d = diag_report(o->session, NO_SPAN, E_NOTEBOOK_END, path);
    diag_hint(o->session, d, "a page: -o %s", default_output(o, o->inputs.data[0]));
    return NULL;
}

static bool write_page(const Options *o, const Notebook *n, const char *path) {
    char *text = NULL;
    size_t len = 0;
    FILE *f = open_memstream(&text, &len);
    if (!f) fatal_oom();
    bool whole = writer_of(o, path)(n, f);
    if (fclose(f) || !whole) fatal_oom();
    bool ok = output_write(o, path, text, len);
    free(text);
    return ok;
}

/* ---- progress */

static void show_begin(void *ctx, const Notebook *n, int cell) {
    (void)ctx;
    const NotebookCell *c = &n->cells.data[cell];
    if (isatty(STDERR_FILENO)) fprintf(stderr, "%d/%d %s ", cell + 1, n->cells.len, *c->title ? c->title : n->title);
}

/* The messages of a cell that should not have any */
static void show_errors(const NotebookCell *c) {
    for (int i = 0; i < c->outputs.len; i++)
        if (c->outputs.data[i].kind == OUT_ERROR) fputs(c->outputs.data[i].text, stderr);
}

static void show_end(void *ctx, const Notebook *n, int cell) {
    (void)ctx;
    const NotebookCell *c = &n->cells.data[cell];
    if (isatty(STDERR_FILENO)) fprintf(stderr, "%.2f s\n", c->seconds);
    if (c->failed && !(c->options & EXPECT_ERROR)) show_errors(c);
}

/* ---- a notebook */

static int render(const Options *o, const char *path) {
    const char *out = o->output ? o->output : default_output(o, path);
    Notebook *n = writer_of(o, out) ? notebook_read(o, path) : NULL;
    if (!n) return diagnostics_flush(o);
    int status = notebook_run(n, o, &(NotebookRun){.begin = show_begin, .end = show_end});
    if (status != EXIT_INTERRUPTED && !write_page(o, n, out)) status = diagnostics_flush(o);
    notebook_free(n);
    return status;
}

int cmd_notebook(const Options *o) {
    signal(SIGPIPE, SIG_IGN);
    if (o->watch) return notebook_watch(o);
    return render(o, o->inputs.data[0]);
}
