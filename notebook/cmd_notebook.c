/* dslc notebook FILE.dsl: runs the cells and writes a page (or .ipynb), compares, or keeps the outputs. */
#include "driver/build.h"
#include "notebook/outputs.h"
#include "notebook/write.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- names */

static const char *with_ending(const Options *o, const char *path, const char *end) {
    size_t n = strlen(path), k = strlen(".dsl");
    bool usual = n > k && !strcmp(path + n - k, ".dsl");
    return intern_printf(o->session, "%.*s%s", (int)(usual ? n - k : n), path, end);
}

static const char *default_output(const Options *o, const char *path) {
    return with_ending(o, path_name(path), ".html");
}

typedef bool Writer(const Notebook *n, FILE *to);

/* What the ending of the page's name asks for */
static Writer *writer_of(const char *path) {
    static const struct { const char *end; Writer *write; } writers[] = {
        {".html", notebook_html}, {".htm", notebook_html}, {".ipynb", notebook_ipynb}};
    size_t n = strlen(path);
    if (!strcmp(path, "-")) return notebook_html;
    for (size_t i = 0; i < sizeof writers / sizeof *writers; i++) {
        size_t k = strlen(writers[i].end);
        if (n > k && !strcmp(path + n - k, writers[i].end)) return writers[i].write;
    }
    return NULL;
}

/* A folder that is there, or that is meant: out/ */
static bool names_folder(const char *path) {
    struct stat st;
    size_t n = strlen(path);
    return (n && path[n - 1] == '/') || (!writer_of(path) && !stat(path, &st) && S_ISDIR(st.st_mode));
}

/* Where the page of this notebook goes: to the file that was named, or into the folder; NULL: there is none */
static const char *page_of(const Options *o, const char *path) {
    if (!o->output && (o->compare || o->update)) return NULL;
    if (!o->output) return default_output(o, path);
    if (!names_folder(o->output)) return o->output;
    bool slash = o->output[strlen(o->output) - 1] == '/';
    return intern_printf(o->session, "%s%s%s", o->output, slash ? "" : "/", default_output(o, path));
}

/* False: reported. */
static bool may_write(const Options *o, const char *path) {
    if (!output_spares_sources(o, path)) return false;
    if (writer_of(path)) return true;
    Diag *d = diag_report(o->session, NO_SPAN, E_NOTEBOOK_END, path);
    diag_hint(o->session, d, "a page: -o %s; a Jupyter notebook: -o %s", default_output(o, o->inputs.data[0]),
              with_ending(o, path_name(o->inputs.data[0]), ".ipynb"));
    return false;
}

static bool write_page(const Options *o, const Notebook *n, const char *path) {
    char *text = NULL;
    size_t len = 0;
    FILE *f = open_memstream(&text, &len);
    if (!f) fatal_oom();
    bool whole = writer_of(path)(n, f);
    if (fclose(f) || !whole) fatal_oom();
    bool ok = output_write(o, path, text, len);
    free(text);
    return ok;
}

/* ---- progress */

static void show_begin(void *ctx, const Notebook *n, int cell) {
    (void)ctx;
    const NotebookCell *c = &n->cells.data[cell];
    if (!isatty(STDERR_FILENO)) return;
    if (*c->title) fprintf(stderr, "[%d/%d] %s", cell + 1, n->cells.len, c->title);
    else fprintf(stderr, "[%d/%d] line %d", cell + 1, n->cells.len, c->line);
}

static int place_of_line(const Notebook *n, const Session *s, int line) {
    size_t len;
    const char *text = source_text(s, n->file, &len), *p = text;
    while (--line > 0 && (p = memchr(p, '\n', len - (size_t)(p - text)))) p++;
    return p ? (int)(p - text) : (int)len;
}

static void miss_error(const Options *o, const Notebook *n, const NotebookCell *c) {
    int at = place_of_line(n, o->session, c->line);
    Diag *d = diag_report(o->session, (Span){n->file, at, at, 0}, E_CELL_NO_ERROR);
    diag_hint(o->session, d, "leave expect-error out of the line that begins the cell");
    diagnostics_flush(o);
    diag_clear(o->session);
}

static void show_errors(const NotebookCell *c) {
    for (int i = 0; i < c->outputs.len; i++)
        if (c->outputs.data[i].kind == OUT_ERROR) fputs(c->outputs.data[i].text, stderr);
}

static void show_end(void *ctx, const Notebook *n, int cell) {
    const NotebookCell *c = &n->cells.data[cell];
    if (isatty(STDERR_FILENO)) fprintf(stderr, c->cached ? "  as before\n" : "  %.2f s\n", c->seconds);
    if (!cell_went_wrong(c)) return;
    if (c->failed) show_errors(c);
    else miss_error(ctx, n, c);
}

/* ---- a notebook */

static int worst(int a, int b) { return a > b ? a : b; }

static int compare(const Options *o, const Notebook *n, const Notebook *kept) {
    int cells = outputs_compare(n, kept, stdout);
    if (!cells) return EXIT_OK;
    Diag *d = diag_report(o->session, NO_SPAN, E_OUTPUTS_DIFFER, cells, n->path, kept->path);
    diag_hint(o->session, d, "'dslc notebook --update %s' keeps the new ones", n->path);
    fflush(stdout);
    return diagnostics_flush(o);
}

static int update(const Options *o, const Notebook *n, const Notebook *kept, int status) {
    if (!status) return outputs_write(o, n, kept) ? EXIT_OK : diagnostics_flush(o);
    diag_report(o->session, NO_SPAN, E_NOT_KEPT, outputs_path(o, n->path));
    return diagnostics_flush(o);
}

/* Outputs are read before a long run so that what is wrong with them is said at once. */
static bool read_kept(const Options *o, const char *path, Notebook **kept) {
    *kept = NULL;
    if (o->update && !outputs_may_replace(o, path)) return false;
    if (!o->compare && (!o->update || access(outputs_path(o, path), F_OK))) return true;
    *kept = outputs_read(o, path);
    if (!*kept && !o->compare) diag_clear(o->session); /* they are written anew */
    return *kept || !o->compare;
}

static int run_and_write(const Options *o, Notebook *n, const Notebook *kept, const char *page) {
    int ran = notebook_run(
            n, o,
            &(NotebookRun){.anew = o->compare, .begin = show_begin, .end = show_end, .ctx = (void *)(uintptr_t)o}),
        status = ran;
    if (ran == EXIT_INTERRUPTED)
        return fprintf(stderr, "%sinterrupted; nothing was written\n", isatty(STDERR_FILENO) ? "\n" : ""), ran;
    if (o->compare) status = worst(status, compare(o, n, kept));
    if (o->update) status = worst(status, update(o, n, kept, ran));
    if (page && !write_page(o, n, page)) status = worst(status, diagnostics_flush(o));
    return status;
}

static int process(const Options *o, const char *path) {
    const char *page = page_of(o, path);
    Notebook *kept = NULL, *n = NULL;
    int status = EXIT_DIAGNOSED;
    if (!page || may_write(o, page)) n = notebook_read(o, path);
    if (n && (!page || writer_of(page) == notebook_html)) prose_check(o->session, n);
    if (n) diagnostics_flush(o);
    bool ready = n && read_kept(o, path, &kept);
    if (ready) status = run_and_write(o, n, kept, page);
    else diagnostics_flush(o);
    if (n) notebook_free(n);
    if (kept) notebook_free(kept);
    diag_clear(o->session);
    return status;
}

/* Two notebooks of one name in two folders would have one page. False: reported. */
static bool pages_differ(const Options *o) {
    for (int i = 0; i < o->inputs.len; i++)
        for (int k = 0; k < i; k++) {
            const char *a = o->inputs.data[k], *b = o->inputs.data[i], *page = page_of(o, a);
            if (!page || strcmp(page, page_of(o, b)) || same_file(a, b)) continue;
            Diag *d = diag_report(o->session, NO_SPAN, E_CANNOT_WRITE, page,
                                  intern_printf(o->session, "'%s' and '%s' both write it", a, b));
            diag_hint(o->session, d, "give each a page of its own: dslc notebook %s -o FILE.html", b);
            return false;
        }
    return true;
}

int cmd_notebook(const Options *given) {
    Options own = *given;
    const Options *o = &own;
    signal(SIGPIPE, SIG_IGN);
    int status = cell_code_begin(&own);
    if (status) return status;
    if (o->watch) return notebook_watch(o);
    if (o->output && o->inputs.len > 1 && !names_folder(o->output)) {
        diag_report(o->session, NO_SPAN, E_CANNOT_WRITE, o->output, "there is more than one notebook");
        return diagnostics_flush(o), EXIT_USAGE;
    }
    if (!pages_differ(o)) return diagnostics_flush(o);
    if (o->output && names_folder(o->output))
        mkdir(o->output, 0777); /* what goes wrong is said when the page is written */
    for (int i = 0; i < o->inputs.len && status != EXIT_INTERRUPTED; i++)
        status = worst(status, process(o, o->inputs.data[i]));
    return status;
}
