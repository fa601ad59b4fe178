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
    bool chunks_first;         /* the first axis of partials counts chunks, not the last one */
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
/* Chunk c of the innermost axis, which has n elements; the outer indices are f->outer.  nested: as ReduceTree says */
void fold_chunk(Builder *b, Fold *f, Value *c, Value *n, bool nested, Value **out);
/* The chunks of the innermost axis in parallel, their results into f->partials */
void fold_parallel_chunks(Builder *b, Fold *f, Value *const *extents, Value *n);
/* n chunks, the first of them at the indices `at`: those that stand together at this level of the tree combine first,
 * left to right. */
void fold_level(Builder *b, Fold *f, int level, Value *const *at, Value *n, Value **out);
void fold_row(void *ctx, Builder *b, Value *const *idx, Value **out); /* all chunks for fixed outer indices */

/* ---- reduce_device.c */
void reduce_on_device(Fold *f); /* islands in place of f->op (erased) */

/* ---- scan.c */
/* Blocks of a level are 16 of the level below, up to level 5; a chunk is one of level 3. */
enum { SCAN_FAN = 16, SCAN_LEVELS = 5, SCAN_CHUNK_LEVEL = 3, SCAN_CHUNK = SCAN_FAN * SCAN_FAN * SCAN_FAN };
int64_t scan_span(int level); /* elements of a block */
/* Values that stand for some elements; for none, where the bool `some` is false.  NULL: they always do, as those of
 * operations with neutral elements. */
typedef struct { Value *some, **v; } Partial;
Partial scan_none(Builder *b, const Fold *f);
Partial scan_some(const Fold *f, Value *const *v);
Partial scan_behind(Builder *b, const Fold *f, Value *i, Value *const *v); /* v stands for something where i > 0 */
Op *scan_if(Builder *b, const Fold *f, Value *cond); /* its results are such values */
Partial scan_join(Builder *b, const Fold *f, const Partial *x, const Partial *y); /* x stands left */
Value **scan_results(const Fold *f, Op *op); /* those of the values */
/* A loop of n turns, each of which combines something into `sum`, and hands that to scan_turns_end: what they all come
 * to, if there is one at least */
typedef struct { Op *op; Builder in; Value *i; Partial sum; } ScanTurns;
ScanTurns scan_turns_begin(Builder *b, const Fold *f, Value *n);
Partial scan_turns_end(const Fold *f, ScanTurns *t, const Partial *sum);
void scan_load(Builder *b, const Fold *f, Value *const *bufs, Value *at, Value **out); /* an index that is inside */
void scan_store(Builder *b, const Fold *f, Value *const *v, Value *const *bufs, Value *at);

/* ---- scan_device.c */
void scan_on_device(Fold *f); /* islands in place of f->op (erased) */

#endif
