/* What nobody uses (pass dce, and where derivatives have been made). */
#ifndef DSL_OPT_DEAD_H
#define DSL_OPT_DEAD_H

#include "ir/ir.h"

/* Removes op, or what its regions hold of such; it may be gone then, or made anew. */
void dead_in_op(Op *op);
void dead_in_region(Region *r);

#endif
