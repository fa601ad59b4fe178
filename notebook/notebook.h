/* A notebook: a script in percent format with what its cells put out.
 *
 * notebook_read parts the script into cells; notebook_run evaluates them in one workspace (repl/workspace.h) and
 * collects what each puts out, in order; the writers only read.  Text and figures live in the notebook's arena. */
#ifndef DSL_NOTEBOOK_H
#define DSL_NOTEBOOK_H

#include "repl/workspace.h"

typedef enum { CELL_CODE, CELL_PROSE } CellKind;       /* `# %%`, `# %% [markdown]` */
enum { HIDE_CODE = 1, NO_RUN = 2, EXPECT_ERROR = 4 };  /* `# %% Title {hide-code, no-run, expect-error}` */

typedef enum {
    OUT_TEXT,
    OUT_VALUE,
    OUT_ERROR,
    OUT_FIGURE
} OutputKind; /* printed; the last value; a diagnostic; a picture */

typedef struct Figure {
    const char *name;           /* as the program named it: "heat.png", or "" */
    const char *type;           /* "image/svg+xml" or "image/png" */
    const void *bytes; size_t size;
    const char *data;           /* what it shows, as text: compared instead of pixels */
} Figure;

/* text: UTF-8 without NULs, ends with a newline; "" for a figure */
typedef struct Output { OutputKind kind; const char *text; Figure figure; } Output;

typedef struct NotebookCell {
    CellKind kind;
    const char *title;          /* "" when it has none */
    unsigned options;
    double tolerance,
        absolute; /* of --check: {tolerance=1e-9} is relative; both hold until another cell says otherwise */
    const char *text;           /* code, or prose in Markdown without its leading "# "; no blank lines around it */
    int line;                   /* of its first line in the script, from 1 */
    VEC(Output) outputs;
    double seconds;
    bool failed, cached;        /* cached: nothing it depends on has changed; its outputs are the kept ones */
    bool crashed; /* ... by a signal, by an error of ours, or for want of a cell that failed: nobody expects that */
} NotebookCell;

typedef struct Notebook {
    Arena *arena;
    const char *path, *title;   /* title: the first heading, or the file's name */
    int file;                   /* the script, in the session */
    VEC(NotebookCell) cells;
} Notebook;

static inline bool cell_is_run(const NotebookCell *c) { return c->kind == CELL_CODE && !(c->options & NO_RUN); }
static inline bool cell_went_wrong(const NotebookCell *c) {
    return cell_is_run(c) && (c->crashed || c->failed != ((c->options & EXPECT_ERROR) != 0));
}

/* ---- read.c */
/* The cells of a script, not yet run.  NULL: reported to the session (diagnostics_flush prints it). */
Notebook *notebook_read(const Options *o, const char *path);
void notebook_free(Notebook *n);

/* ---- run.c */
typedef struct NotebookRun {
    bool anew;                  /* run every cell, without the cache */
    void (*begin)(void *ctx, const Notebook *n, int cell); /* before and after each code cell; may be NULL */
    void (*end)(void *ctx, const Notebook *n, int cell);
    void *ctx;
} NotebookRun;
/* Runs the code cells in order in the folder of the script, in a process for each, and collects what they put out.  A
 * cell that fails does not stop those after it.  The exit status: EXIT_DIAGNOSED when a cell failed that should not, or
 * did not that should; EXIT_INTERRUPTED after Ctrl-C: the outputs are not complete and nothing should be written. */
enum { EXIT_INTERRUPTED = 130 };
int notebook_run(Notebook *n, const Options *o, const NotebookRun *how);

/* ---- html.c: one self-contained page.  ipynb.c: nbformat 4.5.  To an open file; false: it could not be written. */
bool notebook_html(const Notebook *n, FILE *to);
bool notebook_ipynb(const Notebook *n, FILE *to);

/* ---- serve.c: --watch: shows the page and runs again when a file changes, until Ctrl-C; the exit status */
int notebook_watch(const Options *o);

#endif
