/* LLVM IR from stage loops, and what LLVM makes of it: a plugin (libdslllvm.so) that is loaded when somebody asks for
 * it, since loading LLVM takes longer than most compilations by it. */
#ifndef DSL_LLVM_H
#define DSL_LLVM_H

#include "codegen/codegen.h"
#include "codegen/work.h"

/* ONLY: the code that runs is the only one.  FIRST: optimized code takes its place when that is made; SECOND: that one
 * (unit.c) */
typedef enum { TIER_ONLY, TIER_FIRST, TIER_SECOND } Tier;

/* Objects that were made of the same IR before.  Any thread asks. */
typedef struct LlvmCache LlvmCache;
struct LlvmCache {
    char *(*find)(LlvmCache *c, const char *ir, size_t n, int level, size_t *size); /* to be freed; NULL: none */
    void (*keep)(LlvmCache *c, const char *ir, size_t n, int level, const char *object, size_t size);
};

typedef struct LlvmOptions {
    EmitOptions emit;
    Tier tier;
    int level;       /* 0: at once; else what LLVM calls O1 to O3 */
    const char *cpu; /* NULL: this machine's */
    LlvmCache *cache; /* NULL: none */
    bool shadow;     /* kernels for the simulator beside those for a GPU, for tests */
    const char *gpu; /* for TARGET_CUDA: "sm_90"; NULL: the least that there may be */
} LlvmOptions;

/* Code in this process's memory, for as long as the process lives.  entry, by the kind of o->emit: the top level, void
 * (*)(void); a cell's dsl_cell; the tests' or benches' dsl_case[] */
typedef struct LlvmTiers LlvmTiers;
typedef struct LlvmCode {
    void *entry;
    const char *failure;
    LlvmTiers *tiers; /* of o->tier FIRST */
    const char *ptx;  /* the kernels, for TARGET_CUDA */
    const KernelNote *notes; /* of each of them */
    int nnotes;
    const char *object; /* in the session's memory */
    size_t size;
} LlvmCode;

typedef struct LlvmPlugin {
    void (*print)(Text *out, const Module *m, const LlvmOptions *o);  /* optimized as o says */
    LlvmCode (*compile)(Session *s, const Module *m, const LlvmOptions *o); /* failure: why there is no code */
    /* With o->tier FIRST a thread reads session and module while the program runs, until this returns. */
    void (*settle)(LlvmTiers *t);
    LlvmCode (*kernels)(Session *s, const Module *m, const LlvmOptions *o); /* ptx alone */
    /* The program, for an executable: an object with dsl_script, and, for TARGET_CUDA, the kernels as dsl_gpu_ptx */
    LlvmCode (*object)(Session *s, const Module *m, const LlvmOptions *o);
} LlvmPlugin;
#define LLVM_PLUGIN_SYMBOL "dsl_llvm_plugin"
extern const LlvmPlugin dsl_llvm_plugin __attribute__((visibility("default")));

#endif
