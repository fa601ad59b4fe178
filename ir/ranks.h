/* Operations by which processes tell each other what they need (docs/ir.md, Processes), of arrays or of an island's
 * buffers. */
#ifndef DSL_IR_RANKS_H
#define DSL_IR_RANKS_H

#include "ir/ir.h"

Value *build_partition(Builder *b, Value *extent, Value *rows, int64_t scale, Value *offset, Value *work, int n,
                       Value *const *arrays);
/* The loop over so many processes, in which is said what each needs: *in stands in it, where its yield goes; *p and the
 * results of *share: the process, and between which iterations its own are */
Op *build_over_processes(Builder *b, Value *n, Builder *in, Value **p, Op **share);
void build_rows(Builder *b, OpCode code, Value *x, Value *p, Value *from, Value *to); /* p NULL: of all processes */
Op *build_exchange(Builder *b, Value *extent, int n, Value *const *arrays);

#endif
