/* What the files of the fold pass share: fold.c (the walk), fold_scalar.c, fold_flow.c, fold_size.c. */
#ifndef DSL_OPT_FOLD_H
#define DSL_OPT_FOLD_H

#include "ir/ir.h"

/* op's only result is v: replaces and erases op; always true. */
bool fold_replace(Op *op, Value *v);

/* Each: true when it changed or erased op. */
bool fold_elementwise(Op *op, bool constants); /* constants: they are computed */
bool fold_tensor(Op *op);
bool fold_flow(Op *op);

/* The strands of a spawn, one after the other, take its place. */
void fold_serialize(Op *spawn);

/* Symbols whose bind gives a constant or an expression of other sizes are replaced by it in the whole
 * function, and the bind goes. True when anything was replaced. */
bool fold_binds(Func *f);
/* Replaces size symbols in all types and sizes of a function, its parameters and results too. */
void func_subst_sizes(Func *f, SizeSubst subst, void *ctx);

#endif
