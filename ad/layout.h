/* How what threads keep lies in memory: in which order its axes are those of the loops around. */
#ifndef DSL_AD_LAYOUT_H
#define DSL_AD_LAYOUT_H

#include "ir/ir.h"

/* Threads of the island lie beside each other along the last axis of arrays, down which their loops go: so does what
 * they keep, turns first, then threads.  Else each thread's turns lie beside each other. */
bool threads_go_down(const Op *island);
/* The index of the blocks, along the axis of the threads of a block whose index this is; NULL: it is no such index */
Value *blocks_beside(const Value *index);

/* Each axis of what is kept, of those around: the threads of all blocks are one (block * threads + thread), else blocks
 * is -1. */
typedef struct { int n, blocks[MAX_RANK], of[MAX_RANK]; } Layout;

/* index: of the n axes around, outermost first; NULL: that of a `while`.  columns: threads come last. */
Layout layout_of(Value *const *index, int n, bool columns);
/* The sizes of these axes, of the sizes around; where something lies along them, at b, of where it is around.  Of the
 * sizes only those of threads are asked for there. */
void layout_sizes(Session *s, const Layout *l, const Size *const *around, const Size **out);
void layout_places(Builder *b, const Layout *l, const Size *const *sizes, Value *const *around, Value **out);

#endif
