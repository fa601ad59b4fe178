/* Sets of blocks of an array: of some rows the same columns.  For ranks.c */
#ifndef DSL_RANKS_BLOCKS_H
#define DSL_RANKS_BLOCKS_H

#include "runtime/ranks_runs.h"

/* Of rows from..to, of `stride` bytes each, the bytes first..end */
typedef struct Block { int64_t stride, from, to, first, end; } Block;
typedef struct Blocks { Block *v; int n, cap; } Blocks;

/* b becomes one with what it continues, or holds. */
void blocks_add(Blocks *s, Block b);
/* How many rows of b, from its first one on, lie in one of them */
int64_t blocks_cover(const Blocks *s, Block b);
/* All rows that meet the bytes from..to of the array are left out. */
void blocks_drop(Blocks *s, int64_t from, int64_t to);
void blocks_free(Blocks *s);

#endif
