/* Code in memory, by ORC; and the text of what it is made from. */
#include "codegen/llvm/private.h"
#include "runtime/gpu.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/BitWriter.h>
#include <llvm-c/LLJIT.h>
#include <llvm-c/LLJITUtils.h>
#include <llvm-c/Support.h>
#include <llvm-c/Target.h>
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

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

static LLVMTargetMachineRef make_machine_for(const LlvmOptions *o, LLVMCodeModel model) {
    char *triple = LLVMGetDefaultTargetTriple(), *failure = NULL, *cpu = LLVMGetHostCPUName(),
         *features = LLVMGetHostCPUFeatures();
    LLVMTargetRef target;
    if (LLVMGetTargetFromTriple(triple, &target, &failure)) bug("LLVM: %s", failure);
    LLVMTargetMachineRef machine =
        LLVMCreateTargetMachine(target, triple, o->cpu ? o->cpu : cpu, o->cpu ? "" : features, codegen_level(o->level),
                                LLVMRelocPIC, model);
    LLVMDisposeMessage(triple), LLVMDisposeMessage(cpu), LLVMDisposeMessage(features);
    return machine;
}

static LLVMTargetMachineRef make_machine(const LlvmOptions *o) {
    return make_machine_for(o, LLVMCodeModelJITDefault);
}

static void verify(LLVMModuleRef m) {
    char *failure = NULL;
    if (!LLVMVerifyModule(m, LLVMReturnStatusAction, &failure)) return LLVMDisposeMessage(failure);
    if (getenv("DSL_LLVM_DUMP")) LLVMDumpModule(m);
    bug("the LLVM IR is not valid: %s", failure);
}

static void print_module(Text *out, LLVMModuleRef m) {
    char *text = LLVMPrintModuleToString(m);
    text_printf(out, "%s", text);
    LLVMDisposeMessage(text);
}

/* The module of a program, and that of its kernels where it is for a GPU */
typedef struct {
    LLVMContextRef ctx;
    LLVMTargetMachineRef machine;
    LLVMModuleRef module;
    Device device, *gpu; /* gpu: NULL where it is for none */
} Made;

static void begin_module(Made *x, Session *s, const Module *m, const LlvmOptions *o) {
    x->ctx = LLVMContextCreate();
    x->machine = make_machine(o);
    x->gpu = llvm_device_begin(&x->device, o);
    x->module = llvm_module(s, m, o, x->ctx, x->machine, x->gpu);
}

static void verify_module(const Made *x) {
    verify(x->module);
    if (x->gpu) verify(x->gpu->module);
}

static void end_module(Made *x) {
    llvm_device_end(x->gpu);
    LLVMDisposeModule(x->module);
    LLVMDisposeTargetMachine(x->machine);
    LLVMContextDispose(x->ctx);
}

static void print(Text *out, const Module *m, const LlvmOptions *o) {
    Made x;
    begin_module(&x, m->session, m, o);
    verify_module(&x);
    llvm_optimize(x.module, x.machine, o->level);
    print_module(out, x.module);
    if (x.gpu && o->level) llvm_run_passes(x.gpu->module, x.gpu->machine, o->level);
    if (x.gpu) print_module(out, x.gpu->module);
    end_module(&x);
}

/* The kernels alone */
static LlvmCode kernels(Session *s, const Module *m, const LlvmOptions *o) {
    LlvmCode code = {.entry = NULL};
    Made x;
    begin_module(&x, s, m, o);
    verify_module(&x);
    if (x.gpu) llvm_device_ptx(s, x.gpu, &code);
    end_module(&x);
    return code;
}

/* ---- ORC */

static const char *message(Session *s, LLVMErrorRef e) {
    char *text = LLVMGetErrorMessage(e);
    const char *kept = intern(s, text);
    LLVMDisposeErrorMessage(text);
    return kept;
}

/* Debuggers are told of code by a function of LLVM's library, which ORC looks up among the symbols that all see.  Where
 * that fails, there are no lines. */
static void tell_debuggers(LLVMOrcLLJITRef jit) {
    Dl_info library;
    if (dladdr((void *)(uintptr_t)LLVMContextCreate, &library))
        dlopen(library.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_GLOBAL);
    LLVMErrorRef failed = LLVMOrcLLJITEnableDebugSupport(jit);
    if (failed) LLVMConsumeError(failed);
}

/* A machine of its own for ORC, which consumes it; names of the program's are looked up in this process. */
static LLVMErrorRef make_jit(const LlvmOptions *o, LLVMOrcLLJITRef *jit) {
    LLVMOrcLLJITBuilderRef builder = LLVMOrcCreateLLJITBuilder();
    LLVMOrcLLJITBuilderSetJITTargetMachineBuilder(
        builder, LLVMOrcJITTargetMachineBuilderCreateFromTargetMachine(make_machine(o)));
    LLVMErrorRef failed = LLVMOrcCreateLLJIT(jit, builder);
    if (failed) return failed;
    if (o->emit.debug) tell_debuggers(*jit);
    LLVMOrcDefinitionGeneratorRef process;
    failed =
        LLVMOrcCreateDynamicLibrarySearchGeneratorForProcess(&process, LLVMOrcLLJITGetGlobalPrefix(*jit), NULL, NULL);
    if (!failed) LLVMOrcJITDylibAddGenerator(LLVMOrcLLJITGetMainJITDylib(*jit), process);
    return failed;
}

static LLVMMemoryBufferRef compile_module(LLVMModuleRef made, const LlvmOptions *o, LLVMTargetMachineRef machine) {
    LLVMMemoryBufferRef object;
    char *failure = NULL;
    llvm_optimize(made, machine, o->level);
    if (LLVMTargetMachineEmitToMemoryBuffer(machine, made, LLVMObjectFile, &failure, &object)) bug("LLVM: %s", failure);
    return object;
}

/* The object of a module: from the cache, or made and kept there */
static LLVMMemoryBufferRef object_of(LLVMModuleRef made, const LlvmOptions *o, LLVMTargetMachineRef machine) {
    if (!o->cache) return compile_module(made, o, machine);
    LLVMMemoryBufferRef ir = LLVMWriteBitcodeToMemoryBuffer(made), object;
    const char *text = LLVMGetBufferStart(ir);
    size_t n = LLVMGetBufferSize(ir), size;
    char *kept = o->cache->find(o->cache, text, n, o->level, &size);
    if (kept) object = LLVMCreateMemoryBufferWithMemoryRangeCopy(kept, size, "kept");
    else object = compile_module(made, o, machine);
    if (!kept) o->cache->keep(o->cache, text, n, o->level, LLVMGetBufferStart(object), LLVMGetBufferSize(object));
    free(kept);
    LLVMDisposeMemoryBuffer(ir);
    return object;
}

static void *look_up(LLVMOrcLLJITRef jit, const char *name, LLVMErrorRef *failed) {
    LLVMOrcExecutorAddress at = 0;
    if (!*failed) *failed = LLVMOrcLLJITLookup(jit, &at, name);
    return *failed ? NULL : (void *)(uintptr_t)at;
}

static void is_written(LlvmTiers *t);

/* One tier in memory, and kernels into code.  t: those of which it is the second one, or NULL */
static LLVMErrorRef make_code(Session *s, const Module *m, const LlvmOptions *o, LLVMOrcLLJITRef *jit, LlvmCode *code,
                              LlvmTiers *t) {
    LLVMErrorRef failed = make_jit(o, jit);
    if (failed) return failed;
    Made x;
    begin_module(&x, s, m, o);
    if (t) is_written(t);
    if (getenv("DSL_LLVM_VERIFY")) verify_module(&x);
    if (x.gpu) llvm_device_ptx(s, x.gpu, code);
    LLVMMemoryBufferRef object = object_of(x.module, o, x.machine);
    end_module(&x);
    return LLVMOrcLLJITAddObjectFile(*jit, LLVMOrcLLJITGetMainJITDylib(*jit), object);
}

/* ---- the second tier: a thread makes it while the first one runs */

/* For tests: "race": at once; "wait": the program waits for it */
#define TIERS "DSL_LLVM_TIERS"
enum { PATIENCE_MS = 20, STACK = 256 << 20 }; /* what ends soon needs no better code */

struct LlvmTiers {
    Session *session;
    const Module *module;
    LlvmOptions options;
    void **slots;       /* of the first tier */
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool over, written, done; /* the program has ended; session and module are no longer looked at; so are the slots */
    atomic_bool busy;   /* LLVM is at work */
};

static void say(LlvmTiers *t, bool *what) {
    pthread_mutex_lock(&t->lock);
    *what = true;
    pthread_cond_broadcast(&t->changed);
    pthread_mutex_unlock(&t->lock);
}

static void wait_for(LlvmTiers *t, const bool *what) {
    pthread_mutex_lock(&t->lock);
    while (!*what) pthread_cond_wait(&t->changed, &t->lock);
    pthread_mutex_unlock(&t->lock);
}

/* Session and module are no longer looked at. */
static void is_written(LlvmTiers *t) { say(t, &t->written); }

/* Whether the program still runs after a while */
static bool is_worth(LlvmTiers *t) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    if (!getenv(TIERS)) until.tv_nsec += PATIENCE_MS * 1000000;
    until.tv_sec += until.tv_nsec / 1000000000, until.tv_nsec %= 1000000000;
    pthread_mutex_lock(&t->lock);
    while (!t->over && pthread_cond_timedwait(&t->changed, &t->lock, &until) == 0) continue;
    bool worth = !t->over;
    if (worth) atomic_store(&t->busy, true);
    pthread_mutex_unlock(&t->lock);
    return worth;
}

static void exchange(LlvmTiers *t, LLVMOrcLLJITRef jit) {
    LLVMErrorRef failed = NULL;
    for (int i = 0; t->slots[i] && !failed; i++) {
        char name[32];
        snprintf(name, sizeof name, "unit.%d", i);
        void *better = look_up(jit, name, &failed);
        if (better) __atomic_store_n(&t->slots[i], better, __ATOMIC_RELEASE);
    }
    if (failed) LLVMConsumeError(failed);
}

static void *make_second(void *arg) {
    LlvmTiers *t = arg;
    LLVMOrcLLJITRef jit;
    LLVMErrorRef failed = NULL;
    if (is_worth(t)) {
        failed = make_code(t->session, t->module, &t->options, &jit, NULL, t);
        if (!failed) exchange(t, jit);
        else LLVMConsumeError(failed);
    }
    is_written(t);
    atomic_store(&t->busy, false);
    say(t, &t->done);
    return NULL;
}

/* A process that ends while LLVM is at work does not wait for it, and takes nothing of its away. */
static void leave(int status, void *arg) {
    LlvmTiers *t = arg;
    if (!atomic_load(&t->busy)) return;
    fflush(NULL);
    _exit(status);
}

static LlvmTiers *begin_second(Session *s, const Module *m, const LlvmOptions *o, void **slots) {
    LlvmTiers *t = calloc(1, sizeof *t);
    if (!t) fatal_oom();
    *t = (LlvmTiers){.session = s, .module = m, .options = *o, .slots = slots};
    t->options.tier = TIER_SECOND, t->options.level = 3;
    pthread_mutex_init(&t->lock, NULL);
    pthread_cond_init(&t->changed, NULL);
    on_exit(leave, t);
    pthread_attr_t attr;
    pthread_t thread;
    sigset_t all, before;
    sigfillset(&all);
    pthread_attr_init(&attr);
    pthread_attr_setstacksize(&attr, STACK);
    pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
    pthread_sigmask(SIG_SETMASK, &all, &before); /* signals are the program's */
    if (pthread_create(&thread, &attr, make_second, t)) t->written = t->done = true;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attr);
    const char *tiers = getenv(TIERS);
    if (tiers && !strcmp(tiers, "wait")) wait_for(t, &t->done);
    return t;
}

static void settle(LlvmTiers *t) {
    if (!t) return;
    say(t, &t->over);
    wait_for(t, &t->written);
}

/* ---- what the driver asks for */

static LlvmCode compile(Session *s, const Module *m, const LlvmOptions *o) {
    LLVMOrcLLJITRef jit;
    LlvmCode code = {.entry = NULL};
    LLVMErrorRef failed = make_code(s, m, o, &jit, &code, NULL);
    if (!failed && code.failure) return code;
    code.entry = failed ? NULL : look_up(jit, llvm_entry(o->emit.kind), &failed);
    void **slots = !failed && o->tier == TIER_FIRST ? look_up(jit, SLOTS, &failed) : NULL;
    if (failed) return (LlvmCode){.failure = message(s, failed)};
    if (slots) code.tiers = begin_second(s, m, o, slots);
    return code;
}

static void add_text(LLVMModuleRef m, const char *name, const char *text) {
    LLVMValueRef x = LLVMConstStringInContext(LLVMGetModuleContext(m), text, (unsigned)strlen(text), false);
    LLVMValueRef v = LLVMAddGlobal(m, LLVMTypeOf(x), name);
    LLVMSetInitializer(v, x);
    LLVMSetGlobalConstant(v, true);
}

static LlvmCode object(Session *s, const Module *m, const LlvmOptions *o) {
    LlvmCode code = {.entry = NULL};
    Made x;
    begin_module(&x, s, m, o);
    LLVMTargetMachineRef machine = make_machine_for(o, LLVMCodeModelDefault);
    if (getenv("DSL_LLVM_VERIFY")) verify_module(&x);
    if (x.gpu) llvm_device_ptx(s, x.gpu, &code);
    if (!code.failure) {
        if (x.gpu) add_text(x.module, DSL_GPU_PTX, code.ptx);
        LLVMMemoryBufferRef made = compile_module(x.module, o, machine);
        code.size = LLVMGetBufferSize(made);
        char *copy = arena_alloc(session_arena(s), code.size);
        code.object = memcpy(copy, LLVMGetBufferStart(made), code.size);
        LLVMDisposeMemoryBuffer(made);
    }
    LLVMDisposeTargetMachine(machine);
    end_module(&x);
    return code;
}

const LlvmPlugin dsl_llvm_plugin = {print, compile, settle, kernels, object};
