/* The fixed tree by which every reduction combines, as loops.  Both the tree's shape and the order inside it
 * depend on the extent only, so that results are the same bits at every level and with any number of threads:
 *
 *   R1(v0 .. v(n-1)): n <= 16: in increasing order, starting from the identity.  Else chunks of 1024; inside a chunk
 *   lane l of 8 combines the elements j with j % 8 == l in increasing order, starting from the identity; the lanes
 *   combine as ((0+4)+(2+6))+((1+5)+(3+7)); 64 chunks are a group and 64 groups a block, in each of which the results
 *   combine left to right, starting from the first one's, as do those of the blocks.
 *
 * So no partial result takes more than 128 others up to 2^28 elements, and errors of sums stay small (Higham, The
 * accuracy of floating point summation, SIAM J. Sci. Comput. 14, 1993, section 3). Several axes: R1 over the last axis
 * for each index of the others, then R1 over the one before, and so on.
 */
#ifndef DSL_REDUCE_TREE_H
#define DSL_REDUCE_TREE_H

#include "ir/ir.h"

/* levels: groups and blocks */
enum { REDUCE_FEW = 16, REDUCE_LANES = 8, REDUCE_CHUNK = 1024, REDUCE_FAN = 64, REDUCE_LEVELS = 2 };

/* How many elements stand together at a level: in a chunk (0), a group (1), a block (2) */
static inline int64_t reduce_span(int level) { return level ? REDUCE_FAN * reduce_span(level - 1) : REDUCE_CHUNK; }

typedef struct ReduceTree {
    int nvals;                    /* values per element (more than one: tuples, structs) */
    Value *const *identity;       /* nvals neutral elements */
    /* Builds the element at idx (one index per axis) with b; fills out[0 .. nvals-1]. */
    void (*element)(void *ctx, Builder *b, Value *const *idx, Value **out);
    /* Builds x op y; x stands left.  out may be x. */
    void (*combine)(void *ctx, Builder *b, Value *const *x, Value *const *y, Value **out);
    /* The same where y is the element after those of x */
    void (*combine_next)(void *ctx, Builder *b, Value *const *x, Value *const *y, Value **out);
    void *ctx;
    bool compact;                 /* one copy of the element code instead of three: smaller, slower */
    bool exact;                   /* combining with a neutral element changes nothing, to the bit */
    bool free;                    /* any order gives the same bits: a plain loop, whose vectors the C compiler makes */
    bool team;                    /* a chunk stays a reduce, which threads of a GPU do together */
    bool nested; /* one lane after the other, in loops that carry a value each; the neutral elements are exact */
} ReduceTree;

/* Builds the whole reduction over 0 <= idx[a] < extents[a] with scalar operations, `for` and `if`. */
void reduce_tree_build(Builder *b, int rank, Value *const *extents, const ReduceTree *t, Value **out);
/* One axis of n elements, one chunk: elements lo .. lo+len-1, len <= REDUCE_CHUNK; rank of the element's index is 1. */
void reduce_tree_chunk(Builder *b, Value *n, Value *lo, Value *len, const ReduceTree *t, Value **out);

#endif
