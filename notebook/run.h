/* What the files that run a notebook share: capture.c, figures.c, missing.c, cache.c, run.c. */
#ifndef DSL_NOTEBOOK_RUN_H
#define DSL_NOTEBOOK_RUN_H

#include "driver/build.h"
#include "notebook/notebook.h"

/* ---- figures.c: pictures that a cell draws, in the folder that DSL_FIGURES names (runtime/figure.c) */
typedef struct Drawing { Figure figure; size_t at; } Drawing; /* at: bytes that were printed before */
typedef VEC(Drawing) Drawings;
void figures_take(Arena *a, const char *dir, Drawings *into); /* in order; the files go */

/* ---- capture.c: what this process, and those that it starts, print */
typedef struct Capture {
    int out, marks;            /* files in memory: the text; which parts of it are diagnostics */
    int out_copy, err_copy;    /* stdout and stderr as they were */
    FILE *err, *standard;      /* the stream that stands for stderr; stderr as it was */
} Capture;
bool capture_begin(Capture *c); /* false: reported */
/* Adds it to the cell's outputs, in order, the drawings at their places. */
void capture_end(Capture *c, Arena *a, NotebookCell *into, const Drawings *drawings);

/* ---- missing.c: names that failed cells would have defined */
typedef struct MissingName { const char *name; int line; } MissingName; /* line: of the cell that failed */
typedef struct Missing { Arena *arena; VEC(MissingName) names; } Missing;
void missing_add(Missing *m, const NotebookCell *c, int line);
/* The one for want of which a failed cell was not run, or NULL */
const MissingName *missing_in(const Missing *m, const NotebookCell *c);
/* What the cell says then; script: its text, with as many lines before it as there are */
const char *missing_message(Arena *a, const MissingName *x, const char *label, const char *script);

/* ---- cache.c: cells that need not run */
typedef struct Cache {
    const Options *o;
    const char *dir, *prefix; /* dir: NULL when there is none */
    VEC(const char *) used;   /* files of this run */
} Cache;
void cache_open(Cache *c, const Options *o, const char *path);
bool cache_key(const Options *o, const Cell *c, Hash *key); /* false: it has none */
/* The cell's outputs from an earlier run; the workspace takes over its result. */
bool cache_find(Cache *c, Hash key, Cell *cell, NotebookCell *into, Arena *a);
/* Keeps what a cell that just ran left, unless it has to run each time. */
void cache_keep(Cache *c, Hash key, const Input *in, int result, const NotebookCell *cell);
void cache_clean(const Cache *c); /* removes what this run did not use */

#endif
