/* Stands in for writers that are not there yet: goes with html.c, ipynb.c, serve.c. */
#include "notebook/notebook.h"

static bool plain(const Notebook *n, FILE *to) {
    for (int i = 0; i < n->cells.len; i++) {
        const NotebookCell *c = &n->cells.data[i];
        fprintf(to, "%%%% %s\n%s", c->title, c->text);
        for (int k = 0; k < c->outputs.len; k++) {
            const Output *x = &c->outputs.data[k];
            fprintf(to, "-- output %d\n%s", x->kind, x->kind == OUT_FIGURE ? x->figure.data : x->text);
        }
    }
    return !ferror(to);
}

__attribute__((weak)) bool notebook_html(const Notebook *n, FILE *to) { return plain(n, to); }
__attribute__((weak)) bool notebook_ipynb(const Notebook *n, FILE *to) { return plain(n, to); }
__attribute__((weak)) int notebook_watch(const Options *o) { return (void)o, EXIT_USAGE; }
