/* From the typed tree to IR. */
#ifndef DSL_LOWER_AST_H
#define DSL_LOWER_AST_H

#include "ast/ast.h"
#include "ir/ir.h"

/* ---- the program as written, stage ir */
/* One IR function per function instance, test and bench, and main for the top-level statements. */
Module *lower_program(Program *p);
/* The same with a function `kernel.NAME` for each kernel that nothing launches: its arguments, the numbers of blocks
 * and of threads are parameters.  For proofs only. */
Module *lower_for_proofs(Program *p);
/* The same for kernels of that name, launched or not: to be shown. */
Module *lower_with_kernel(Program *p, const char *name);
/* The scalars and arrays that a value of the type is */
int leaf_count(const FType *t);

#endif
