/* What the files that run a notebook share: capture.c, figures.c, run.c. */
#ifndef DSL_NOTEBOOK_RUN_H
#define DSL_NOTEBOOK_RUN_H

#include "notebook/notebook.h"

/* ---- capture.c: what this process, and those that it starts, print */
typedef struct Capture {
    int out, marks;            /* files in memory: the text; which parts of it are diagnostics */
    int out_copy, err_copy;    /* stdout and stderr as they were */
    FILE *err, *standard;      /* the stream that stands for stderr; stderr as it was */
} Capture;
bool capture_begin(Capture *c); /* false: reported */
/* Adds it to the cell's outputs, in order. */
void capture_end(Capture *c, Arena *a, NotebookCell *into);

/* ---- figures.c: pictures that a cell draws, in the folder that DSL_FIGURES names (runtime/plot.c) */
/* Adds them to the cell's outputs, in order; the files go. */
void figures_take(Arena *a, const char *dir, NotebookCell *into);

#endif
