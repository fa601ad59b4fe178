/* C with OpenMP from IR at stage loops. */
#ifndef DSL_EMIT_H
#define DSL_EMIT_H

#include "codegen/codegen.h"

/* The line that generated C begins with: what begins so may be replaced by other generated C. */
#define GENERATED_C_LINE "/* Made by dslc. */\n"

/* Adds one C file to out. */
void emit_c(Text *out, const Module *m, const EmitOptions *o);
/* What an exported function of the module is called in the C of a library. */
const char *emit_c_export(Session *s, const char *func);

#endif
