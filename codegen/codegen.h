/* What an emitter is asked for, whatever it writes. */
#ifndef DSL_CODEGEN_H
#define DSL_CODEGEN_H

#include "ir/ir.h"

/* What the result offers: a `main` that runs the program, its tests or its benches; or, for a library that is loaded,
 * void dsl_cell(const dsl_value *args, dsl_value *results), which owns its arrays as other functions do; or the
 * exported functions, called by the names of emit_c_export, whose failures come back (runtime/host.h). */
typedef enum { EMIT_PROGRAM, EMIT_TESTS, EMIT_BENCHES, EMIT_CELL, EMIT_LIBRARY } EmitKind;
/* Where launches run: where everything does; on the simulator; on a GPU */
typedef enum { TARGET_CPU, TARGET_SIM, TARGET_CUDA } EmitTarget;
enum { EMIT_FILE_BYTES = 4096 };
typedef VEC(const char *) EmitFiles;
typedef struct EmitOptions {
    EmitKind kind;
    /* NULL: comments and messages name the source files.  Else the C does not depend on what they are called: there are
     * no comments that show the source, and whoever loads it puts these names into its char
     * dsl_file[][EMIT_FILE_BYTES]. */
    EmitFiles *files;
    int64_t thread_cost;    /* estimated cycles from which on a loop is given to threads */
    EmitTarget target;
    int block;              /* on a GPU: threads of a block of a loop over elements */
    bool debug;             /* C: lines are those of the source, for debuggers */
    bool ranks;             /* C: processes run the program together (runtime/ranks.h) */
    bool beside_gpu;        /* C: the executable has the program for a GPU, too (dsl_gpu_takes of runtime/gen.h) */
    const char *schedule;   /* of OpenMP, for loops whose iterations take alike */
} EmitOptions;

#endif
