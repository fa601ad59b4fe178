/* What LLVM does to a module: the runtime's short functions come in as bitcode, so that they can become part of loops;
 * then the passes of its optimization levels. */
#include "codegen/llvm/private.h"

#include <llvm-c/BitReader.h>
#include <llvm-c/Linker.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <string.h>

/* runtime/inlines.c: for any processor, and for those with AVX2 and fma, with which headers have more inline */
BITCODE(inlines, INLINES ".bc");
BITCODE(inlines_fma, INLINES "_fma.bc");

LLVMModuleRef llvm_bitcode(LLVMContextRef ctx, const char *begin, const char *end) {
    LLVMModuleRef m;
    LLVMMemoryBufferRef bytes = LLVMCreateMemoryBufferWithMemoryRange(begin, (size_t)(end - begin), "bitcode", true);
    if (LLVMGetBitcodeModuleInContext2(ctx, bytes, &m)) bug("the runtime's bitcode cannot be read");
    return m;
}

static LLVMModuleRef short_functions(LLVMContextRef ctx, LLVMTargetMachineRef machine) {
    char *features = LLVMGetTargetMachineFeatureString(machine);
    bool fma = strstr(features, "+fma,") && strstr(features, "+avx2,");
    LLVMDisposeMessage(features);
    return fma ? llvm_bitcode(ctx, inlines_fma, inlines_fma_end) : llvm_bitcode(ctx, inlines, inlines_end);
}

/* For the processor that m is for */
static void adapt(LLVMValueRef fn) {
    static const char *const of_target[] = {"target-cpu", "target-features", "tune-cpu", "frame-pointer",
                                            "min-legal-vector-width"};
    for (size_t i = 0; i < sizeof of_target / sizeof *of_target; i++)
        LLVMRemoveStringAttributeAtIndex(fn, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, of_target[i],
                                         (unsigned)strlen(of_target[i]));
    LLVMSetLinkage(fn, LLVMLinkOnceODRLinkage); /* only what is called comes in */
}

static bool is_llvms_own(LLVMValueRef fn) {
    size_t n;
    const char *name = LLVMGetValueName2(fn, &n);
    return !strncmp(name, "llvm.", 5) || !strcmp(name, "__nvvm_reflect");
}

void llvm_link_bitcode(LLVMModuleRef m, LLVMModuleRef part) {
    LLVMSetTarget(part, LLVMGetTarget(m));
    LLVMSetModuleDataLayout(part, LLVMGetModuleDataLayout(m));
    for (LLVMValueRef f = LLVMGetFirstFunction(part); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f) && !is_llvms_own(f)) adapt(f);
    if (LLVMLinkModules2(m, part)) bug("the runtime's bitcode cannot be linked");
}

/* LLVM remarks which loops it has not made vectors of. */
static void note(LLVMDiagnosticInfoRef info, void *ctx) {
    (void)ctx;
    if (LLVMGetDiagInfoSeverity(info) == LLVMDSError) bug("LLVM: %s", LLVMGetDiagInfoDescription(info));
}

void llvm_run(LLVMModuleRef m, LLVMTargetMachineRef machine, const char *passes) {
    LLVMContextSetDiagnosticHandler(LLVMGetModuleContext(m), note, NULL);
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMErrorRef failed = LLVMRunPasses(m, passes, machine, options);
    if (failed) bug("LLVM: %s", LLVMGetErrorMessage(failed));
    LLVMDisposePassBuilderOptions(options);
}

void llvm_run_passes(LLVMModuleRef m, LLVMTargetMachineRef machine, int level) {
    char passes[] = "default<O0>";
    passes[9] = (char)('0' + level);
    llvm_run(m, machine, passes);
}

void llvm_optimize(LLVMModuleRef m, LLVMTargetMachineRef machine, int level) {
    if (!level) return;
    llvm_link_bitcode(m, short_functions(LLVMGetModuleContext(m), machine));
    llvm_run_passes(m, machine, level);
}
