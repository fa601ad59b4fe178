/* What the files of ir/ share and nobody else sees. */
#ifndef DSL_IR_PRIVATE_H
#define DSL_IR_PRIVATE_H

#include "ir/ir.h"

Region *region_new(Module *m, Op *owner, Func *func);
void use_link(Use *u, Op *user, int index, Value *v);
void use_unlink(Use *u);
/* Puts an unlinked op into the region's list, before `before` or at the end. */
void op_insert(Op *op, Region *r, Op *before);

#endif
