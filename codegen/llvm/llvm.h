/* LLVM IR from stage loops, and what LLVM makes of it: a plugin (libdslllvm.so) that is loaded when somebody asks for
 * it, since loading LLVM takes longer than most compilations by it. */
#ifndef DSL_LLVM_H
#define DSL_LLVM_H

#include "codegen/codegen.h"

typedef struct LlvmOptions {
    EmitOptions emit;
    int level;       /* 0: at once; else what LLVM calls O1 to O3 */
    const char *cpu; /* NULL: this machine's */
} LlvmOptions;

/* Code in this process's memory, for as long as the process lives.  entry, by the kind of o->emit: the top level, void
 * (*)(void); a cell's dsl_cell; the tests' or benches' dsl_case[] */
typedef struct LlvmCode { void *entry; const char *failure; } LlvmCode;

typedef struct LlvmPlugin {
    void (*print)(Text *out, const Module *m, const LlvmOptions *o);  /* optimized as o says */
    LlvmCode (*compile)(Session *s, const Module *m, const LlvmOptions *o); /* failure: why there is no code */
} LlvmPlugin;
#define LLVM_PLUGIN_SYMBOL "dsl_llvm_plugin"
extern const LlvmPlugin dsl_llvm_plugin __attribute__((visibility("default")));

#endif
