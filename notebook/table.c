/* Tables of Markdown, as GitHub writes them (GitHub Flavored Markdown, 4.10): CommonMark takes one for a paragraph.
 *
 *     | a | b |
 *     |---|--:|
 *     | 1 | 2 |
 *
 * The lines of a paragraph are parted at bars in its text; bars in code and formulas are none, nor are those written
 * \|, which are marks by now (formula.c). */
#include "notebook/table.h"

#include <stdlib.h>
#include <string.h>

typedef VEC(cmark_node *) Nodes;
typedef VEC(const char *) Aligns; /* a class for each column */

typedef struct Table {
    Text *out;
    Nodes in;  /* of the paragraph, with its breaks */
    Aligns aligns;
} Table;

static bool is_break(cmark_node *x) {
    cmark_node_type type = cmark_node_get_type(x);
    return type == CMARK_NODE_SOFTBREAK || type == CMARK_NODE_LINEBREAK;
}

static const char *text_of(cmark_node *x) {
    return cmark_node_get_type(x) == CMARK_NODE_TEXT ? cmark_node_get_literal(x) : NULL;
}

static int line_end(const Table *t, int lo) {
    while (lo < t->in.len && !is_break(t->in.data[lo])) lo++;
    return lo;
}

static const char *skip_blanks(const char *p) { return p + strspn(p, " \t"); }

static size_t trimmed(const char *p, size_t n) {
    while (n && strchr(" \t\n", p[n - 1])) n--;
    return n;
}

/* ---- columns */

static bool begins_with_bar(const Table *t, int lo) {
    const char *text = text_of(t->in.data[lo]);
    return text && *skip_blanks(text) == '|';
}

static int columns(const Table *t, int lo, int hi) {
    int bars = 0;
    if (lo == hi) return 0;
    for (int i = lo; i < hi; i++)
        for (const char *p = text_of(t->in.data[i]); p && (p = strchr(p, '|')); p++) bars++;
    const char *last = text_of(t->in.data[hi - 1]);
    size_t n = last ? trimmed(last, strlen(last)) : 0;
    bool closed = n && last[n - 1] == '|' && bars > 1;
    return bars ? bars + 1 - begins_with_bar(t, lo) - closed : 0;
}

/* :--- left, ---: right, :---: in the middle.  False: the line is not the one below a head. */
static bool read_aligns(Arena *a, Table *t, int lo, int hi) {
    const char *p = hi == lo + 1 ? text_of(t->in.data[lo]) : NULL;
    if (!p || !strchr(p, '|')) return false;
    t->aligns.len = 0;
    p = skip_blanks(p);
    for (p += *p == '|'; *(p = skip_blanks(p)); p += *p == '|') {
        bool left = *p == ':';
        size_t dashes = strspn(p += left, "-");
        bool right = p[dashes] == ':';
        p = skip_blanks(p + dashes + right);
        if (!dashes || (*p && *p != '|')) return false;
        vec_push(a, &t->aligns, left && right ? "middle" : right ? "right" : "");
    }
    return t->aligns.len > 0;
}

/* ---- rows */

typedef struct Row { Table *table; const char *tag; cmark_node *cell; int column; } Row;

static void add_text(Row *r, const char *text, size_t n) {
    cmark_node *x = cmark_node_new(CMARK_NODE_TEXT);
    cmark_node_set_literal(x, arena_strndup(r->table->out->arena, text, n));
    cmark_node_append_child(r->cell, x);
}

/* Its nodes as a paragraph has them, without the <p>; columns beyond those of the head are left out. */
static void end_cell(Row *r) {
    const Aligns *aligns = &r->table->aligns;
    char *html = cmark_render_html(r->cell, CMARK_OPT_DEFAULT);
    const char *from = skip_blanks(html + strlen("<p>"));
    size_t n = trimmed(from, strlen(from) - strlen("</p>\n"));
    if (r->column < aligns->len) {
        const char *align = aligns->data[r->column];
        text_printf(r->table->out, *align ? "<%s class=\"%s\">" : "<%s>", r->tag, align);
        text_add(r->table->out, from, n);
        text_printf(r->table->out, "</%s>", r->tag);
    }
    free(html);
    cmark_node_free(r->cell);
    r->cell = cmark_node_new(CMARK_NODE_PARAGRAPH);
    r->column++;
}

static void add_code(Row *r, cmark_node *x) {
    Text code;
    text_init(&code, r->table->out->arena);
    for (const char *p = cmark_node_get_literal(x); *p; p++)
        if (*p != '\\' || p[1] != '|') text_add(&code, p, 1);
    cmark_node_set_literal(x, text_str(&code));
}

static void add_node(Row *r, cmark_node *x, bool *at_bar) {
    const char *p = text_of(x);
    cmark_node_unlink(x);
    if (cmark_node_get_type(x) == CMARK_NODE_CODE) add_code(r, x);
    if (!p) {
        cmark_node_append_child(r->cell, x);
        *at_bar = false;
        return;
    }
    for (size_t n; *p; p += n) {
        n = strcspn(p, "|");
        if (n) add_text(r, p, n);
        *at_bar = *at_bar && !n;
        if (!p[n]) break;
        if (!*at_bar) end_cell(r);
        *at_bar = false;
        n++;
    }
    cmark_node_free(x);
}

static void put_row(Table *t, int lo, int hi, const char *tag) {
    Row r = {.table = t, .tag = tag, .cell = cmark_node_new(CMARK_NODE_PARAGRAPH)};
    bool at_bar = lo < hi && begins_with_bar(t, lo); /* the first bar of the line ends no cell */
    put(t->out, "<tr>");
    for (int i = lo; i < hi; i++) add_node(&r, t->in.data[i], &at_bar);
    while (r.column < t->aligns.len) end_cell(&r);
    cmark_node_free(r.cell);
    put(t->out, "</tr>\n");
}

static void put_table(Table *t, int head, int head_end, int body) {
    put(t->out, "<div class=\"table\"><table>\n<thead>\n");
    put_row(t, head, head_end, "th");
    put(t->out, "</thead>\n<tbody>\n");
    for (int hi; body < t->in.len; body = hi + 1) {
        hi = line_end(t, body);
        put_row(t, body, hi, "td");
    }
    put(t->out, "</tbody>\n</table></div>\n");
}

/* ---- paragraphs */

/* head: where it begins; the lines before it stay a paragraph. */
static void insert_table(Table *t, cmark_node *paragraph, int head) {
    cmark_node *by = cmark_node_new(CMARK_NODE_CUSTOM_BLOCK), *rest;
    cmark_node_set_on_enter(by, text_str(t->out));
    cmark_node_insert_after(paragraph, by);
    if (!head) {
        cmark_node_unlink(paragraph);
        cmark_node_free(paragraph);
        return;
    }
    while ((rest = cmark_node_next(t->in.data[head - 2]))) cmark_node_free(rest);
}

static void make_table(Arena *a, cmark_node *paragraph) {
    Text out;
    Table t = {.out = &out};
    text_init(&out, a);
    for (cmark_node *x = cmark_node_first_child(paragraph); x; x = cmark_node_next(x)) vec_push(a, &t.in, x);
    for (int head = 0, below; (below = line_end(&t, head) + 1) < t.in.len; head = below) {
        int end = line_end(&t, below);
        if (!read_aligns(a, &t, below, end) || columns(&t, head, below - 1) != t.aligns.len) continue;
        put_table(&t, head, below - 1, end + 1);
        insert_table(&t, paragraph, head);
        return;
    }
}

void tables_make(Arena *a, cmark_node *root) {
    Nodes paragraphs = {0};
    cmark_iter *it = cmark_iter_new(root);
    for (cmark_event_type e; (e = cmark_iter_next(it)) != CMARK_EVENT_DONE;) {
        cmark_node *x = cmark_iter_get_node(it);
        if (e == CMARK_EVENT_ENTER && cmark_node_get_type(x) == CMARK_NODE_PARAGRAPH) vec_push(a, &paragraphs, x);
    }
    cmark_iter_free(it);
    for (int i = 0; i < paragraphs.len; i++) make_table(a, paragraphs.data[i]);
}
