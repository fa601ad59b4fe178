/* What LLVM does to a module: the runtime's short functions come in as bitcode, so that they can become part of loops;
 * then the passes of its optimization levels. */
#include "codegen/llvm/private.h"

#include <llvm-c/BitReader.h>
#include <llvm-c/Linker.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <string.h>

/* runtime/inlines.c: for any processor, and for those with AVX2 and fma, with which headers have more inline */
#define BITCODE(NAME, END)                                                                            \
    __asm__(".section .rodata\n" #NAME ":\n.incbin \"" INLINES END "\"\n" #NAME "_end:\n.byte 0\n.previous\n"); \
    extern const char NAME[] __attribute__((visibility("hidden"))), NAME##_end[] __attribute__((visibility("hidden")))
BITCODE(inlines, ".bc");
BITCODE(inlines_fma, "_fma.bc");

static LLVMMemoryBufferRef bitcode(LLVMTargetMachineRef machine) {
    char *features = LLVMGetTargetMachineFeatureString(machine);
    bool fma = strstr(features, "+fma,") && strstr(features, "+avx2,");
    const char *from = fma ? inlines_fma : inlines, *to = fma ? inlines_fma_end : inlines_end;
    LLVMDisposeMessage(features);
    return LLVMCreateMemoryBufferWithMemoryRange(from, (size_t)(to - from), "inlines", true);
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

static void link_inlines(LLVMModuleRef m, LLVMTargetMachineRef machine) {
    LLVMModuleRef short_functions;
    if (LLVMGetBitcodeModuleInContext2(LLVMGetModuleContext(m), bitcode(machine), &short_functions))
        bug("the runtime's bitcode cannot be read");
    LLVMSetTarget(short_functions, LLVMGetTarget(m));
    LLVMSetModuleDataLayout(short_functions, LLVMGetModuleDataLayout(m));
    for (LLVMValueRef f = LLVMGetFirstFunction(short_functions); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f)) adapt(f);
    if (LLVMLinkModules2(m, short_functions)) bug("the runtime's bitcode cannot be linked");
}

/* LLVM remarks which loops it has not made vectors of. */
static void note(LLVMDiagnosticInfoRef info, void *ctx) {
    (void)ctx;
    if (LLVMGetDiagInfoSeverity(info) == LLVMDSError) bug("LLVM: %s", LLVMGetDiagInfoDescription(info));
}

void llvm_optimize(LLVMModuleRef m, LLVMTargetMachineRef machine, int level) {
    if (!level) return;
    LLVMContextSetDiagnosticHandler(LLVMGetModuleContext(m), note, NULL);
    link_inlines(m, machine);
    char passes[] = "default<O0>";
    passes[9] = (char)('0' + level);
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMErrorRef failed = LLVMRunPasses(m, passes, machine, options);
    if (failed) bug("LLVM: %s", LLVMGetErrorMessage(failed));
    LLVMDisposePassBuilderOptions(options);
}
