/* C with OpenMP from IR at stage loops. */
#ifndef DSL_EMIT_H
#define DSL_EMIT_H

#include "ir/ir.h"

/* What the file offers: a `main` that runs the program, its tests or its benches; or, for a library that is loaded,
 * void dsl_cell(const dsl_value *args, dsl_value *results), which owns its arrays as other functions do; or the exported
 * functions, called by the names of emit_c_export, whose failures come back (runtime/host.h). */
typedef enum { EMIT_PROGRAM, EMIT_TESTS, EMIT_BENCHES, EMIT_CELL, EMIT_LIBRARY } EmitKind;
enum { EMIT_FILE_BYTES = 4096 };
typedef VEC(const char *) EmitFiles;
typedef struct EmitOptions {
    EmitKind kind;
    /* NULL: comments and messages name the source files.  Else the C does not depend on what they are called: there are no
     * comments that show the source, and whoever loads it puts these names into its char dsl_file[][EMIT_FILE_BYTES]. */
    EmitFiles *files;
    int64_t thread_cost;    /* estimated cycles from which on a loop is given to threads */
    const char *schedule;   /* of OpenMP, for loops whose turns take alike */
} EmitOptions;

/* The line that generated C begins with: what begins so may be replaced by other generated C. */
#define GENERATED_C_LINE "/* Made by dslc. */\n"

/* Adds one C file to out. */
void emit_c(Text *out, const Module *m, const EmitOptions *o);
/* What an exported function of the module is called in the C of a library. */
const char *emit_c_export(Session *s, const char *func);
/* Tests (or benches) of the module; the names are the titles. */
int emit_c_cases(const Module *m, EmitKind kind);

#endif
