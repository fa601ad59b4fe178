/* What the files of ir/ share and nobody else sees. */
#ifndef DSL_IR_PRIVATE_H
#define DSL_IR_PRIVATE_H

#include "ir/ir.h"

Region *region_new(Module *m, Op *owner, Func *func);
void use_link(Use *u, Op *user, int index, Value *v);
void use_unlink(Use *u);
/* Puts an unlinked op into the region's list, before `before` or at the end. */
void op_insert(Op *op, Region *r, Op *before);


/* ---- verify.c, verify_ops.c */
typedef struct Verifier {
    Session *session;
    const Module *module;
    const char *when;
    int errors;
} Verifier;
/* How many parameters, and results, derivatives are taken of: the floating ones */
int func_float_params(const Func *f);
int func_float_results(const Func *f);
/* Reports a broken rule of op; always false. */
bool verify_fail(Verifier *v, const Op *op, const char *fmt, ...) DSL_PRINTF(3, 4);
/* The rules of one operation: types, attributes, shapes of regions.  Counts are known to be right. */
bool verify_op_types(Verifier *v, const Op *op);

#endif
