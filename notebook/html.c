/* A notebook as one page that needs nothing else: no network, no scripts; a policy in its head holds it to that. */
#include "notebook/write.h"

#include <string.h>

static const char style[] =
#include "notebook/style.css.inc"
    ;
static const char live_script[] =
#include "notebook/live.js.inc"
    ;

typedef struct Page {
    const Notebook *n;
    Text *out;
    Headings headings;
    int codes, figures; /* so far */
    int level;          /* of the last heading */
    double seconds;
    Text failed;        /* links to cells that failed and should not */
} Page;

static void put_text(Text *t, const char *s) { put_html(t, s, strlen(s)); }

/* ---- outputs */

static void put_time(Text *t, double seconds) {
    if (seconds < 0.001) put(t, "&lt;1 ms");
    else if (seconds < 1) text_printf(t, "%.0f ms", seconds * 1e3);
    else if (seconds < 100) text_printf(t, "%.1f s", seconds);
    else text_printf(t, "%.0f min", seconds / 60);
}

static void put_output(Page *p, const NotebookCell *c, const Output *x) {
    static const char *const classes[] = {
        [OUT_TEXT] = "text", [OUT_VALUE] = "value", [OUT_ERROR] = "error", [OUT_FIGURE] = ""};
    if (x->kind == OUT_FIGURE) {
        put_figure(p->out, &x->figure, ++p->figures);
        return;
    }
    bool meant = x->kind == OUT_ERROR && (!c->failed || !cell_went_wrong(c)); /* or only a warning */
    text_printf(p->out, "<pre class=\"%s\">", meant ? "note" : classes[x->kind]);
    put_text(p->out, x->text);
    put(p->out, "</pre>\n");
}

/* ---- cells */

/* A title is a heading below the last one of the prose. */
static void put_title(Page *p, const NotebookCell *c) {
    Heading h = {.level = p->level < 6 ? p->level + 1 : 6, .text = c->title};
    Text html;
    if (!*c->title) return;
    text_init(&html, p->out->arena);
    put_text(&html, c->title);
    h.html = text_str(&html);
    h.id = heading_id(p->out->arena, &p->headings, c->title);
    vec_push(p->out->arena, &p->headings, h);
    text_printf(p->out, "<h%d id=\"%s\">%s</h%d>\n", h.level, h.id, h.html, h.level);
}

static void put_about(Page *p, const NotebookCell *c) {
    Text *t = p->out;
    text_printf(t, "<p class=\"about\"><a href=\"#cell_%d\" title=\"line %d\">[%d]</a><span>", p->codes, c->line,
                p->codes);
    if (c->options & NO_RUN) put(t, "not run");
    else put_time(t, c->seconds);
    text_printf(t, "%s</span></p>\n", c->cached ? ", kept" : "");
}

static void put_source(Page *p, const NotebookCell *c) {
    bool hide = c->options & HIDE_CODE;
    if (hide) put(p->out, "<details><summary>Code</summary>\n");
    put(p->out, "<pre class=\"code\"><code>");
    put_code(p->out, c->text);
    put(p->out, "</code></pre>\n");
    if (hide) put(p->out, "</details>\n");
}

static void put_code_cell(Page *p, const NotebookCell *c) {
    put_title(p, c);
    text_printf(p->out, "<section class=\"code\" id=\"cell_%d\">\n", ++p->codes);
    put_about(p, c);
    if (*c->text) put_source(p, c);
    for (int i = 0; i < c->outputs.len; i++) put_output(p, c, &c->outputs.data[i]);
    if (cell_went_wrong(c) && !c->failed)
        put(p->out, "<pre class=\"error\">this cell should end with an error, but it does not</pre>\n");
    put(p->out, "</section>\n");
    p->seconds += c->seconds;
    if (cell_went_wrong(c)) text_printf(&p->failed, " <a href=\"#cell_%d\">[%d]</a>", p->codes, p->codes);
}

static void put_prose_cell(Page *p, const NotebookCell *c, int number) {
    put_title(p, c);
    int before = p->headings.len;
    text_printf(p->out, "<section class=\"prose\" id=\"text_%d\">\n", number);
    put_prose(p->out, p->n, c->text, &p->headings);
    put(p->out, "</section>\n");
    if (p->headings.len > before) p->level = vec_last(&p->headings).level;
}

static void put_cells(Page *p) {
    int proses = 0;
    for (int i = 0; i < p->n->cells.len; i++) {
        const NotebookCell *c = &p->n->cells.data[i];
        if (c->kind == CELL_PROSE) put_prose_cell(p, c, ++proses);
        else put_code_cell(p, c);
    }
}

/* ---- the page around them */

static void put_head(Text *t, const char *title, bool live) {
    put(t, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
           "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
           "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
           "img-src data:; "
           "base-uri 'none'; form-action 'none'");
    text_printf(t, "%s\">\n<link rel=\"icon\" href=\"data:,\">\n<title>",
                live ? "; script-src 'unsafe-inline'; connect-src 'self'" : "");
    put_text(t, title);
    text_printf(t, "</title>\n<style>\n%s</style>\n</head>\n", style);
}

/* Of all headings but the first, which is the title */
static void put_contents(Text *t, const Headings *all) {
    int least = 6;
    for (int i = 1; i < all->len; i++)
        if (all->data[i].level < least) least = all->data[i].level;
    put(t, "<nav aria-label=\"Contents\"><details open><summary>Contents</summary>\n<ul>\n");
    for (int i = 1; i < all->len; i++) {
        const Heading *h = &all->data[i];
        text_printf(t, "<li class=\"l%d\"><a href=\"#%s\">%s</a></li>\n", h->level - least, h->id, h->html);
    }
    put(t, "</ul></details></nav>\n");
}

static void put_footer(Page *p, Text *t) {
    put(t, "<footer>");
    put_text(t, path_name(p->n->path));
    put(t, ", run in ");
    put_time(t, p->seconds);
    put(t, "</footer>\n");
}

void put_page(Text *t, const Notebook *n, bool live) {
    Text body;
    text_init(&body, t->arena);
    Page p = {.n = n, .out = &body, .level = 1};
    text_init(&p.failed, t->arena);
    put_cells(&p);
    const Heading *first = p.headings.len ? &p.headings.data[0] : NULL;
    bool contents = p.headings.len > 2, titled = first && first->level == 1;
    put_head(t, first && *first->text ? first->text : n->title, live);
    text_printf(t, "<body%s>\n", contents ? " class=\"wide\"" : "");
    if (contents) put_contents(t, &p.headings);
    put(t, "<main>\n");
    if (!titled) {
        put(t, "<h1>");
        put_text(t, path_name(n->path));
        put(t, "</h1>\n");
    }
    if (p.failed.len) text_printf(t, "<p class=\"failed\">Cells that went wrong:%s</p>\n", text_str(&p.failed));
    text_add(t, text_str(&body), (size_t)body.len);
    put(t, "</main>\n");
    put_footer(&p, t);
    if (live) text_printf(t, "<p id=\"news\" role=\"status\"></p>\n<script>\n%s</script>\n", live_script);
    put(t, "</body>\n</html>\n");
}

bool notebook_html(const Notebook *n, FILE *to) {
    Arena *a = arena_new();
    Text t;
    text_init(&t, a);
    put_page(&t, n, false);
    fwrite(text_str(&t), 1, (size_t)t.len, to);
    arena_free(a);
    return !ferror(to);
}
