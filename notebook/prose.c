/* Markdown to HTML by cmark: headings get ids, formulas become MathML, tables (table.c) pictures that lie beside the
 * script become part of the page.
 *
 * cmark's tree is changed before it is rendered.  HTML in prose is shown as text: a page that is sent around should not
 * run what a script brought along.  cmark drops links to scripts by itself. */
#include "notebook/formula.h"
#include "notebook/table.h"

#include <cmark.h>
#include <stdlib.h>
#include <string.h>

typedef VEC(cmark_node *) Nodes;

typedef struct Prose {
    Arena *arena;
    const Notebook *n;
    Formulas formulas;
    Nodes replaced; /* no longer in the tree */
} Prose;

static Nodes all_nodes(Arena *a, cmark_node *root) {
    Nodes out = {0};
    cmark_iter *it = cmark_iter_new(root);
    for (cmark_event_type e; (e = cmark_iter_next(it)) != CMARK_EVENT_DONE;)
        if (e == CMARK_EVENT_ENTER) vec_push(a, &out, cmark_iter_get_node(it));
    cmark_iter_free(it);
    return out;
}

static cmark_node *text_node(const char *text) {
    cmark_node *x = cmark_node_new(CMARK_NODE_TEXT);
    cmark_node_set_literal(x, text);
    return x;
}

static cmark_node *html_node(const char *html) {
    cmark_node *x = cmark_node_new(CMARK_NODE_CUSTOM_INLINE);
    cmark_node_set_on_enter(x, html);
    return x;
}

static void replace(Prose *p, cmark_node *old, cmark_node *by) {
    if (by) cmark_node_replace(old, by);
    else cmark_node_unlink(old);
    vec_push(p->arena, &p->replaced, old);
}

/* ---- what is in a paragraph */

static const char *restored(Prose *p, const char *text) {
    return formulas_restore(p->arena, &p->formulas, text ? text : "");
}

static const char *math_of(Prose *p, const Formula *f) {
    Text out;
    text_init(&out, p->arena);
    if (f->plain) return "|";
    put_math(&out, f->tex, (size_t)f->tex_len, f->display);
    return text_str(&out);
}

/* What may not begin a line stays with the formula before it. */
static size_t closing(const char *text) { return strspn(text, ".,;:!?)"); }

static cmark_node *formula_node(Prose *p, const Formula *f, const char *text, size_t n) {
    const char *math = math_of(p, f);
    if (!n) return html_node(math);
    return html_node(arena_printf(p->arena, "<span class=\"whole\">%s%.*s</span>", math, (int)n, text));
}

static void put_formulas_back(Prose *p, cmark_node *x) {
    const char *text = cmark_node_get_literal(x), *lo, *hi;
    const Formula *f = formula_mark(&p->formulas, text, &lo, &hi);
    if (!f) return;
    for (; f; text = hi, f = formula_mark(&p->formulas, text, &lo, &hi)) {
        cmark_node_insert_before(x, text_node(arena_strndup(p->arena, text, (size_t)(lo - text))));
        size_t n = f->display || f->plain ? 0 : closing(hi);
        cmark_node_insert_before(x, formula_node(p, f, hi, n));
        hi += n;
    }
    replace(p, x, text_node(text));
}

static void show_markup(Prose *p, cmark_node *x) {
    const char *literal = restored(p, cmark_node_get_literal(x));
    bool block = cmark_node_get_type(x) == CMARK_NODE_HTML_BLOCK;
    const char *end = strncmp(literal, "<!--", 4) ? NULL : strstr(literal, "-->");
    if (end && !end[3 + strspn(end + 3, " \n")]) { /* a comment */
        replace(p, x, NULL);
        return;
    }
    cmark_node *by = text_node(literal);
    if (block) {
        cmark_node *paragraph = cmark_node_new(CMARK_NODE_PARAGRAPH);
        cmark_node_append_child(paragraph, by);
        by = paragraph;
    }
    replace(p, x, by);
}

static void mend_link(Prose *p, cmark_node *x) {
    cmark_node_set_url(x, restored(p, cmark_node_get_url(x)));
    cmark_node_set_title(x, restored(p, cmark_node_get_title(x)));
}

/* ---- pictures */

static const char *alternative(Prose *p, cmark_node *image) {
    Text out;
    text_init(&out, p->arena);
    Nodes in = all_nodes(p->arena, image);
    for (int i = 0; i < in.len; i++) {
        cmark_node_type type = cmark_node_get_type(in.data[i]);
        if (type == CMARK_NODE_TEXT || type == CMARK_NODE_CODE)
            put(&out, restored(p, cmark_node_get_literal(in.data[i])));
        if (type == CMARK_NODE_SOFTBREAK || type == CMARK_NODE_LINEBREAK) put(&out, " ");
    }
    return text_str(&out);
}

/* One that is not beside the script becomes a link: the page asks no one for anything. */
static void embed_picture(Prose *p, cmark_node *x) {
    const char *url = restored(p, cmark_node_get_url(x)), *alt = alternative(p, x);
    Text html;
    text_init(&html, p->arena);
    if (put_picture_file(&html, p->n->path, url, alt)) {
        replace(p, x, html_node(text_str(&html)));
        return;
    }
    cmark_node *text = text_node(*alt ? alt : url), *link = cmark_node_new(CMARK_NODE_LINK);
    cmark_node_set_url(link, url);
    bool linked = cmark_node_get_type(cmark_node_parent(x)) == CMARK_NODE_LINK;
    if (!linked) cmark_node_append_child(link, text);
    else cmark_node_free(link);
    replace(p, x, linked ? text : link);
}

static void mend(Prose *p, cmark_node *x) {
    switch (cmark_node_get_type(x)) {
    case CMARK_NODE_TEXT: put_formulas_back(p, x); break;
    case CMARK_NODE_CODE:
    case CMARK_NODE_CODE_BLOCK: cmark_node_set_literal(x, restored(p, cmark_node_get_literal(x))); break;
    case CMARK_NODE_HTML_INLINE: case CMARK_NODE_HTML_BLOCK: show_markup(p, x); break;
    case CMARK_NODE_LINK: mend_link(p, x); break;
    case CMARK_NODE_IMAGE: embed_picture(p, x); break;
    default: break;
    }
}

/* ---- headings */

static bool is_word(unsigned char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c >= 0x80; }

static bool is_taken(const Headings *all, const char *id) {
    for (int i = 0; i < all->len; i++)
        if (!strcmp(all->data[i].id, id)) return true;
    return false;
}

const char *heading_id(Arena *a, const Headings *all, const char *text) {
    Text clean, t;
    text_init(&clean, a);
    text_init(&t, a);
    put_clean(&clean, text, strlen(text));
    for (text = text_str(&clean); *text; text++) {
        char c = *text >= 'A' && *text <= 'Z' ? (char)(*text + 'a' - 'A') : *text;
        if (is_word((unsigned char)c)) text_add(&t, &c, 1);
        else if (t.len && t.data[t.len - 1] != '-') put(&t, "-");
    }
    if (t.len && t.data[t.len - 1] == '-') t.data[--t.len] = 0;
    if (!t.len) put(&t, "section");
    const char *id = text_str(&t);
    for (int k = 2; is_taken(all, id); k++) id = arena_printf(a, "%s-%d", text_str(&t), k);
    return id;
}

/* As it stands in the contents: without links and pictures */
static const char *heading_html(Arena *a, cmark_node *x, Text *plain) {
    Text html;
    text_init(&html, a);
    Nodes in = all_nodes(a, x);
    for (int i = 0; i < in.len; i++) {
        cmark_node_type type = cmark_node_get_type(in.data[i]);
        const char *text = cmark_node_get_literal(in.data[i]);
        if (type == CMARK_NODE_CUSTOM_INLINE) {
            const char *formula = cmark_node_get_on_enter(in.data[i]);
            if (strncmp(formula, "<img", 4) != 0) put(&html, formula);
        }
        else if (type == CMARK_NODE_SOFTBREAK || type == CMARK_NODE_LINEBREAK) put(&html, " "), put(plain, " ");
        else if (text) {
            put_html(&html, text, strlen(text));
            put(plain, text);
        }
    }
    return text_str(&html);
}

static void put_heading(Text *t, cmark_node *x, const char *html, Headings *all) {
    Text plain;
    text_init(&plain, t->arena);
    Heading h = {.level = cmark_node_get_heading_level(x), .html = heading_html(t->arena, x, &plain)};
    h.text = text_str(&plain);
    h.id = heading_id(t->arena, all, h.text);
    vec_push(t->arena, all, h);
    text_printf(t, "<h%d id=\"%s\">%s", h.level, h.id, html + strlen("<h1>"));
}

/* ---- public */

void put_prose(Text *t, const Notebook *n, const char *markdown, Headings *headings) {
    Prose p = {.arena = t->arena, .n = n};
    const char *text = formulas_take(t->arena, markdown, &p.formulas);
    cmark_node *root = cmark_parse_document(text, strlen(text), CMARK_OPT_DEFAULT);
    cmark_consolidate_text_nodes(root);
    Nodes all = all_nodes(t->arena, root);
    for (int i = 0; i < all.len; i++) mend(&p, all.data[i]);
    tables_make(t->arena, root);
    for (cmark_node *x = cmark_node_first_child(root); x; x = cmark_node_next(x)) {
        char *html = cmark_render_html(x, CMARK_OPT_DEFAULT);
        if (cmark_node_get_type(x) == CMARK_NODE_HEADING) put_heading(t, x, html, headings);
        else put(t, html);
        free(html);
    }
    for (int i = 0; i < p.replaced.len; i++) cmark_node_free(p.replaced.data[i]);
    cmark_node_free(root);
}
