/* What the writers of notebooks share.  All text that comes from outside goes through escape.c: what it writes is valid
 * UTF-8 and cannot end the element or the string it stands in.
 *
 *   html.c             the page: head, contents, cells, outputs     prose*.c, formula.c, table.c  Markdown, by cmark
 *   code.c             code in colours                               math*.c              TeX formulas to MathML
 *   picture.c, svg.c   pictures in the page                          ipynb.c              the other format */
#ifndef DSL_NOTEBOOK_WRITE_H
#define DSL_NOTEBOOK_WRITE_H

#include "notebook/notebook.h"

/* ---- escape.c */
void put_clean(Text *t, const char *s, size_t n); /* markup stays as it is */
void put_html(Text *t, const char *s, size_t n);
void put_json(Text *t, const char *s, size_t n);  /* with its quotes */
void put_base64(Text *t, const void *bytes, size_t n);
static inline void put(Text *t, const char *s) { text_add(t, s, __builtin_strlen(s)); }

/* ---- math.c: a formula without its dollars; what is no formula is shown as it was written */
void put_math(Text *t, const char *tex, size_t n, bool display);
/* False: it is no formula.  unknown: its first command that is not known, or NULL */
bool math_is_whole(Arena *a, const char *tex, size_t n, const char **unknown);

/* ---- prose_check.c: warns of formulas and pictures that cannot be drawn */
void prose_check(Session *s, const Notebook *n);

/* ---- code.c */
void put_code(Text *t, const char *code);

/* ---- svg.c: a picture as part of the page, its ids begun with prefix; false, and nothing: it holds what a page should
 * not take over */
bool put_svg(Text *t, const char *svg, size_t n, const char *prefix, const char *alt);

/* ---- picture.c */
void put_figure(Text *t, const Figure *f, int number); /* number: of the page's figures */
/* What it shows, for those who do not see it: the first lines of its data, as far as they have words */
const char *figure_words(Arena *a, const Figure *f);
/* A picture file that prose names, relative to the script; false: there is none. */
bool put_picture_file(Text *t, const char *script, const char *name, const char *alt);

bool picture_file_is_there(Arena *a, const char *script, const char *name);

/* ---- prose.c */
typedef struct Heading { int level; const char *id, *html, *text; } Heading;
typedef VEC(Heading) Headings;
/* Adds its headings to those of the page. */
void put_prose(Text *t, const Notebook *n, const char *markdown, Headings *headings);
/* An id for a heading, unlike those of the others */
const char *heading_id(Arena *a, const Headings *headings, const char *text);

/* ---- html.c: live: the page asks the server that sent it for news */
void put_page(Text *t, const Notebook *n, bool live);

#endif
