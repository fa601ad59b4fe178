/* A reduction or scan while it becomes loops: what reduce.c, reduce_device.c, scan.c and scan_device.c share. */
#ifndef DSL_FOLD_H
#define DSL_FOLD_H

#include "lower/lower.h"
#include "lower/reduce_tree.h"

typedef struct Fold {
    Op *op;
    int rank, nvals;
    Value **identity;
    Region *element, *combine; /* combine NULL: the operation `code` */
    OpCode code;
    Value *outer[MAX_RANK];    /* indices of the outer axes while a chunk of the innermost is built */
    Value **partials;          /* buffers */
    Value *chunks;             /* how many chunks the innermost axis has */
    bool team;                 /* threads of a GPU do a chunk together */
    bool across;               /* chunks of neighbours in the outer axes are computed beside each other */
} Fold;

/* ---- reduce.c */
Arena *fold_arena(const Fold *f);
Fold fold_of(Builder *b, Op *op); /* op stands before b's point; the neutral elements are built with b */
void fold_element(void *ctx, Builder *b, Value *const *idx, Value **out);                     /* ctx: the Fold */
void fold_combine(void *ctx, Builder *b, Value *const *x, Value *const *y, Value **out);
bool fold_has_loops(const Region *r);
enum { FOLD_BIG_BODY = 48 }; /* operations; beyond, the body is not worth copies */
/* One-element tensors, one per value, of the values' types */
void fold_result_tensors(Builder *b, const Op *op, Value **out);
/* The results, read from their tensors after the island; op goes. */
void fold_take_results(Op *op, Op *island);
void fold_store_results(Builder *b, const Fold *f, Op *island, Value *const *vals);
const int64_t *fold_all_out(Arena *a, int n); /* modes */
/* The number of chunks of a size; chunk c of an axis of extent n begins at lo and has len elements. */
const Size *fold_chunks(Session *s, const Size *n, int64_t chunk);
void fold_chunk_bounds(Builder *b, Value *c, Value *n, int64_t chunk, Value **lo, Value **len);
/* The chunks of the innermost axis in parallel, their results into f->partials */
void fold_parallel_chunks(Builder *b, Fold *f, Value *const *extents, Value *n);
/* n chunks, the first of them at the indices `at`: those that stand together at this level of the tree combine first,
 * left to right. */
void fold_level(Builder *b, Fold *f, int level, Value *const *at, Value *n, Value **out);
void fold_row(void *ctx, Builder *b, Value *const *idx, Value **out); /* all chunks for fixed outer indices */

/* ---- reduce_device.c */
void reduce_on_device(Fold *f); /* islands in place of f->op (erased) */

/* ---- scan.c */
enum { SCAN_CHUNK = 4096 };
bool scan_has_start(const Fold *f); /* it may begin with a neutral element, which gives back each operand as it is */
void scan_start(Builder *b, const Fold *f, Value **out); /* neutral elements; some value where there is none */
/* Into totals[c]: the combination of the totals up to chunk c */
void scan_totals(Builder *b, Fold *f, Value *const *totals, Value *chunks);
void scan_totals_before(Builder *b, Fold *f, Value *const *totals, Value *chunks); /* of the chunks before */
bool scan_is_cheap(const Fold *f, bool device); /* its elements may be read twice, and nothing stops the program */
void scan_load(Builder *b, const Fold *f, Value *const *bufs, Value *at, Value **out); /* an index that is inside */
void scan_store(Builder *b, const Fold *f, Value *const *v, Value *const *bufs, Value *at);

/* ---- scan_device.c */
void scan_on_device(Fold *f); /* islands in place of f->op (erased) */

#endif
