/* Formulas and pictures that a page cannot show as they are meant, with their places in the script. */
#include "notebook/formula.h"

#include <cmark.h>
#include <string.h>

/* Line k of a text, from 1 on; NULL: there is none */
static const char *line_of(const char *text, int k) {
    while (text && --k > 0)
        if ((text = strchr(text, '\n'))) text++;
    return text;
}

/* What stands at p in the prose of a cell, as far as it goes on its line: a line of prose is the end of one of the
 * script. */
static Span place(const Session *s, const Notebook *n, const NotebookCell *c, const char *p, size_t len) {
    int line = c->line;
    for (const char *q = c->text; q < p; q++) line += *q == '\n';
    size_t whole, tail = strcspn(p, "\n");
    const char *script = source_text(s, n->file, &whole), *from = line_of(script, line);
    size_t k = from ? strcspn(from, "\n") : 0;
    while (k && strchr(" \t\r", from[k - 1])) k--;
    if (k < tail) return NO_SPAN;
    int lo = (int)(from - script + (long)(k - tail));
    return (Span){n->file, lo, lo + (int)(len < tail ? len : tail), 0};
}

static void check_formula(Session *s, const Notebook *n, const NotebookCell *c, const Formula *f) {
    const char *unknown, *source = c->text + f->at;
    if (!math_is_whole(n->arena, f->tex, (size_t)f->tex_len, &unknown)) {
        Diag *d = diag_report(s, place(s, n, c, source, (size_t)f->source_len), W_FORMULA);
        diag_hint(
            s, d,
            "it is shown as it is written: look for braces or environments that do not match, or for a second _ or ^");
    } else if (unknown) {
        size_t k = strlen(unknown);
        const char *at = memmem(source, (size_t)f->source_len, unknown, k);
        Diag *d = diag_report(s, place(s, n, c, at ? at : source, k), W_FORMULA_COMMAND, unknown);
        diag_hint(s, d, "it is shown as it is written; \\operatorname{...} and \\text{...} set words");
    }
}

/* One that is to lie beside the script */
static void check_picture(Session *s, const Notebook *n, const NotebookCell *c, const char *url) {
    const char *at = strstr(c->text, url);
    if (strstr(url, "://") || picture_file_is_there(n->arena, n->path, url)) return;
    Diag *d = diag_report(s, at ? place(s, n, c, at, strlen(url)) : NO_SPAN, W_PICTURE, url);
    diag_hint(s, d, "it becomes a link; pictures lie beside the script and end in .png, .svg, .jpg, .gif or .webp");
}

/* Marks that stand in text: those in code, links and comments are put back as they were. */
static void check_prose(Session *s, const Notebook *n, const NotebookCell *c) {
    Formulas all = {0};
    const char *text = formulas_take(n->arena, c->text, &all), *lo, *hi;
    cmark_node *root = cmark_parse_document(text, strlen(text), CMARK_OPT_DEFAULT);
    cmark_consolidate_text_nodes(root);
    cmark_iter *it = cmark_iter_new(root);
    for (cmark_event_type e; (e = cmark_iter_next(it)) != CMARK_EVENT_DONE;) {
        cmark_node *x = cmark_iter_get_node(it);
        if (e == CMARK_EVENT_ENTER && cmark_node_get_type(x) == CMARK_NODE_IMAGE)
            check_picture(s, n, c, formulas_restore(n->arena, &all, cmark_node_get_url(x)));
        if (e != CMARK_EVENT_ENTER || cmark_node_get_type(x) != CMARK_NODE_TEXT) continue;
        text = cmark_node_get_literal(x);
        for (const Formula *f; (f = formula_mark(&all, text, &lo, &hi)); text = hi)
            if (!f->plain) check_formula(s, n, c, f);
    }
    cmark_iter_free(it);
    cmark_node_free(root);
}

void prose_check(Session *s, const Notebook *n) {
    for (int i = 0; i < n->cells.len; i++)
        if (n->cells.data[i].kind == CELL_PROSE) check_prose(s, n, &n->cells.data[i]);
}
