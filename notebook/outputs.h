/* Outputs that are kept beside a script, heat.dsl in heat.out, and what differs from them.
 *
 * The file is for people and for diffs: a block for each code cell that is run, in the order of the script,
 *     %% Title
 *     | what is printed         = the last value        ! a diagnostic
 *     ~ name of a figure        : what it shows
 * Blank lines and lines that begin with # say nothing. */
#ifndef DSL_NOTEBOOK_OUTPUTS_H
#define DSL_NOTEBOOK_OUTPUTS_H

#include "notebook/notebook.h"

/* ---- outputs.c */
const char *outputs_path(const Options *o, const char *script);
/* What is kept: cells with titles and outputs; line: in that file.  NULL: reported. */
Notebook *outputs_read(const Options *o, const char *script);
/* The lines of a cell's outputs, as they stand in the file */
typedef VEC(const char *) OutputLines;
void outputs_lines(Arena *a, const NotebookCell *c, OutputLines *into);
bool outputs_may_replace(const Options *o, const char *script);
/* Writes the file; where the outputs agree with those kept (NULL: none) those stay.  False: reported. */
bool outputs_write(const Options *o, const Notebook *n, const Notebook *kept);

/* ---- agree.c */
/* The most by which two numbers with a point differ, relative to the larger one, in texts that are else equal; 0 where
 * they differ by absolute at most, infinite when more than such numbers differs. */
double texts_distance(const char *a, const char *b, double absolute);
/* The same of the outputs of a cell and those kept. */
double outputs_distance(const NotebookCell *c, const NotebookCell *kept);

/* ---- compare.c */
/* pair[i]: the element of the second list that goes with i of the first, in order and as many as possible; or -1 */
typedef bool Same(const void *ctx, int i, int j);
void pair_up(Arena *a, int n, int m, Same *same, const void *ctx, int *pair);
int *cells_pair_up(const Notebook *n, const Notebook *kept); /* by their titles */
/* Prints what differs; the number of cells. */
int outputs_compare(const Notebook *n, const Notebook *kept, FILE *to);

#endif
