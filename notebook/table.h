/* Tables of Markdown, which cmark does not know. */
#ifndef DSL_NOTEBOOK_TABLE_H
#define DSL_NOTEBOOK_TABLE_H

#include "notebook/write.h"

#include <cmark.h>

/* Paragraphs that are tables, or end in one, become HTML; formulas and markup have been mended before. */
void tables_make(Arena *a, cmark_node *root);

#endif
