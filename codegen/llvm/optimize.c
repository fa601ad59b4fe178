/* What LLVM does to a module: the runtime's short functions come in as bitcode, so that they can become part of loops;
 * then the passes of its optimization levels. */
#include "codegen/llvm/private.h"

#include <llvm-c/BitReader.h>
#include <llvm-c/Linker.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <string.h>

/* runtime/inlines.c */
__asm__(".section .rodata\ninlines_begin:\n.incbin \"" INLINES_BC "\"\ninlines_end:\n.byte 0\n.previous\n");
extern const char inlines_begin[] __attribute__((visibility("hidden"))),
    inlines_end[] __attribute__((visibility("hidden")));

/* Made with AVX2 and fma, as headers have more inline with them; here they are for the processor that m is for. */
static void adapt(LLVMValueRef fn) {
    static const char *const of_target[] = {"target-cpu", "target-features", "tune-cpu", "frame-pointer",
                                            "min-legal-vector-width"};
    for (size_t i = 0; i < sizeof of_target / sizeof *of_target; i++)
        LLVMRemoveStringAttributeAtIndex(fn, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, of_target[i],
                                         (unsigned)strlen(of_target[i]));
    LLVMSetLinkage(fn, LLVMLinkOnceODRLinkage); /* only what is called comes in */
}

static void link_inlines(LLVMModuleRef m) {
    LLVMModuleRef inlines;
    LLVMMemoryBufferRef bytes =
        LLVMCreateMemoryBufferWithMemoryRange(inlines_begin, (size_t)(inlines_end - inlines_begin), "inlines", true);
    if (LLVMGetBitcodeModuleInContext2(LLVMGetModuleContext(m), bytes, &inlines))
        bug("the runtime's bitcode cannot be read");
    LLVMSetTarget(inlines, LLVMGetTarget(m));
    LLVMSetModuleDataLayout(inlines, LLVMGetModuleDataLayout(m));
    for (LLVMValueRef f = LLVMGetFirstFunction(inlines); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f)) adapt(f);
    if (LLVMLinkModules2(m, inlines)) bug("the runtime's bitcode cannot be linked");
}

/* LLVM remarks which loops it has not made vectors of. */
static void note(LLVMDiagnosticInfoRef info, void *ctx) {
    (void)ctx;
    if (LLVMGetDiagInfoSeverity(info) == LLVMDSError) bug("LLVM: %s", LLVMGetDiagInfoDescription(info));
}

void llvm_optimize(LLVMModuleRef m, LLVMTargetMachineRef machine, int level) {
    if (!level) return;
    LLVMContextSetDiagnosticHandler(LLVMGetModuleContext(m), note, NULL);
    link_inlines(m);
    char passes[] = "default<O0>";
    passes[9] = (char)('0' + level);
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMErrorRef failed = LLVMRunPasses(m, passes, machine, options);
    if (failed) bug("LLVM: %s", LLVMGetErrorMessage(failed));
    LLVMDisposePassBuilderOptions(options);
}
