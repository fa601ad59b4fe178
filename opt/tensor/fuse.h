/* What the files of fuse share. */
#ifndef DSL_FUSE_H
#define DSL_FUSE_H

#include "ir/index.h"
#include "opt/pass.h"

/* Work in comprehensions that does not depend on all indices is done once, before them. */
void hoist_work(Region *r);
/* Of an operation with all that it holds, loops taken once, in rough cycles: from COST_PASS on a table is worth it. */
int64_t hoist_cost(const Op *op);
/* A branch that gives what op, of scalars, gives, where guard holds, else zeros; in: of that side.  guard_close takes
 * what was computed there, and gives the branch's results. */
Op *guard_open(Builder *b, Value *guard, const Op *op, Builder *in);
void guard_close(Builder *in, Op *branch, Value **out);

/* A C function is called between g and e: it may read the clock, and what stands before it is to be done before. */
bool fuse_extern_between(const Op *g, const Op *e);

#endif
