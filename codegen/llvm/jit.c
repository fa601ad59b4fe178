/* Code in memory, by ORC; and the text of what it is made from. */
#include "codegen/llvm/private.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/LLJIT.h>
#include <llvm-c/Support.h>
#include <llvm-c/Target.h>
#include <stdlib.h>

static LLVMCodeGenOptLevel codegen_level(int level) {
    return level ? LLVMCodeGenLevelAggressive : LLVMCodeGenLevelNone;
}

/* As for clang (driver/cc.c): loops whose length is known have at most 8 copies of the body, too. */
static void __attribute__((constructor)) begin(void) {
    static const char *const words[] = {"dslc", "-unroll-max-count=8"};
    LLVMInitializeNativeTarget();
    LLVMInitializeNativeAsmPrinter();
    LLVMParseCommandLineOptions(2, words, NULL);
}

static LLVMTargetMachineRef make_machine(const LlvmOptions *o) {
    char *triple = LLVMGetDefaultTargetTriple(), *failure = NULL, *cpu = LLVMGetHostCPUName(),
         *features = LLVMGetHostCPUFeatures();
    LLVMTargetRef target;
    if (LLVMGetTargetFromTriple(triple, &target, &failure)) bug("LLVM: %s", failure);
    LLVMTargetMachineRef machine =
        LLVMCreateTargetMachine(target, triple, o->cpu ? o->cpu : cpu, o->cpu ? "" : features, codegen_level(o->level),
                                LLVMRelocPIC, LLVMCodeModelJITDefault);
    LLVMDisposeMessage(triple), LLVMDisposeMessage(cpu), LLVMDisposeMessage(features);
    return machine;
}

static void verify(LLVMModuleRef m) {
    char *failure = NULL;
    if (!LLVMVerifyModule(m, LLVMReturnStatusAction, &failure)) return LLVMDisposeMessage(failure);
    if (getenv("DSL_LLVM_DUMP")) LLVMDumpModule(m);
    bug("the LLVM IR is not valid: %s", failure);
}

static void print(Text *out, const Module *m, const LlvmOptions *o) {
    LLVMContextRef ctx = LLVMContextCreate();
    LLVMTargetMachineRef machine = make_machine(o);
    LLVMModuleRef made = llvm_module(m->session, m, o, ctx, machine);
    verify(made);
    llvm_optimize(made, machine, o->level);
    char *text = LLVMPrintModuleToString(made);
    text_printf(out, "%s", text);
    LLVMDisposeMessage(text);
    LLVMDisposeModule(made);
    LLVMDisposeTargetMachine(machine);
    LLVMContextDispose(ctx);
}

/* ---- ORC */

static const char *message(Session *s, LLVMErrorRef e) {
    char *text = LLVMGetErrorMessage(e);
    const char *kept = intern(s, text);
    LLVMDisposeErrorMessage(text);
    return kept;
}

/* A machine of its own for ORC, which consumes it; names of the program's are looked up in this process. */
static LLVMErrorRef make_jit(const LlvmOptions *o, LLVMOrcLLJITRef *jit) {
    LLVMOrcLLJITBuilderRef builder = LLVMOrcCreateLLJITBuilder();
    LLVMOrcLLJITBuilderSetJITTargetMachineBuilder(
        builder, LLVMOrcJITTargetMachineBuilderCreateFromTargetMachine(make_machine(o)));
    LLVMErrorRef failed = LLVMOrcCreateLLJIT(jit, builder);
    if (failed) return failed;
    LLVMOrcDefinitionGeneratorRef process;
    failed =
        LLVMOrcCreateDynamicLibrarySearchGeneratorForProcess(&process, LLVMOrcLLJITGetGlobalPrefix(*jit), NULL, NULL);
    if (!failed) LLVMOrcJITDylibAddGenerator(LLVMOrcLLJITGetMainJITDylib(*jit), process);
    return failed;
}

static LLVMErrorRef add_program(LLVMOrcLLJITRef jit, Session *s, const Module *m, const LlvmOptions *o) {
    LLVMOrcThreadSafeContextRef shared = LLVMOrcCreateNewThreadSafeContext();
    LLVMTargetMachineRef machine = make_machine(o);
    LLVMModuleRef made = llvm_module(s, m, o, LLVMOrcThreadSafeContextGetContext(shared), machine);
    if (getenv("DSL_LLVM_VERIFY")) verify(made);
    llvm_optimize(made, machine, o->level);
    LLVMDisposeTargetMachine(machine);
    LLVMOrcThreadSafeModuleRef safe = LLVMOrcCreateNewThreadSafeModule(made, shared);
    LLVMOrcDisposeThreadSafeContext(shared);
    return LLVMOrcLLJITAddLLVMIRModule(jit, LLVMOrcLLJITGetMainJITDylib(jit), safe);
}

static LlvmCode compile(Session *s, const Module *m, const LlvmOptions *o) {
    LLVMOrcLLJITRef jit;
    LLVMOrcExecutorAddress entry = 0;
    LLVMErrorRef failed = make_jit(o, &jit);
    if (!failed) failed = add_program(jit, s, m, o);
    if (!failed) failed = LLVMOrcLLJITLookup(jit, &entry, llvm_entry(o->emit.kind));
    if (failed) return (LlvmCode){NULL, message(s, failed)};
    return (LlvmCode){(void *)(uintptr_t)entry, NULL};
}

const LlvmPlugin dsl_llvm_plugin = {print, compile};
