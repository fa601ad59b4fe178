/* From the typed tree to IR, and from tensors and kernels to loops. */
#ifndef DSL_LOWER_H
#define DSL_LOWER_H

#include "frontend/ast.h"
#include "ir/ir.h"

/* ---- ast_*.c: the program as written, stage ir */
/* One IR function per function instance, test and bench, and main for the top-level statements. */
Module *lower_program(Program *p);

#endif
