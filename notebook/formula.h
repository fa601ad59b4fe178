/* Formulas in prose: they are taken out before Markdown sees them, for it would take their underscores, asterisks and
 * backslashes for its own, and put back into the tree that it makes. */
#ifndef DSL_NOTEBOOK_FORMULA_H
#define DSL_NOTEBOOK_FORMULA_H

#include "notebook/write.h"

/* source: with its dollars, at so many bytes of the prose.  plain: no formula, but a bar \| that parts no columns */
typedef struct Formula { const char *source, *tex; int at, source_len, tex_len; bool display, plain; } Formula;
typedef VEC(Formula) Formulas;

/* The Markdown with a mark for each formula */
const char *formulas_take(Arena *a, const char *markdown, Formulas *out);
/* The next mark in a text: where it begins and ends, and its formula; NULL: there is none. */
const Formula *formula_mark(const Formulas *f, const char *text, const char **lo, const char **hi);
/* The text with sources for marks */
const char *formulas_restore(Arena *a, const Formulas *f, const char *text);

#endif
