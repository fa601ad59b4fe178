/* The numbers of the built-in functions: Expr.builtin. */
#ifndef DSL_LOWER_BUILTINS_H
#define DSL_LOWER_BUILTINS_H

enum {
#define BUILTIN(id, name, kind, doc) id,
#include "frontend/builtins.def"
#undef BUILTIN
    BI_COUNT
};

#endif
