/* The module of a program for a GPU of NVIDIA's: what only stands there, and how it becomes PTX.
 *
 * The runtime's short functions and elementary functions come in as bitcode, made for the processor and naming no
 * instruction of its own: so they have the same bits on both.  What C's mathematical library has comes from libdevice,
 * which is in the CUDA toolkit, under the name __nv_NAME. */
#include "codegen/llvm/private.h"
#include "runtime/gpu.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/BitReader.h>
#include <llvm-c/Linker.h>
#include <llvm-c/Target.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <glob.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static const char USUAL_GPU[] = "sm_80";

enum { GLOBAL_SPACE = 1, SHARED_SPACE = 3, KERNEL_CALL = 71, ALIGN = 64, SMALL_BLOCK = 256, WARP = 32,
       LOOKS = 64 /* at a box, then one at what has failed */ };

/* ---- from one module to the other */

void gen_switch(Gen *g) {
    Unit other = g->other;
    g->other = (Unit){g->out, g->funcs, g->texts};
    g->out = other.out, g->funcs = other.funcs, g->texts = other.texts;
    g->on_device = !g->on_device;
}

void gen_device_functions(Gen *g) {
    gen_switch(g);
    for (int i = 0; i < g->wanted.len; i++) gen_function(g, g->wanted.data[i]);
    gen_switch(g);
}

/* ---- what kernels do */

void gen_device_barrier(Gen *g) {
    static const char old[] = "llvm.nvvm.barrier0", now[] = "llvm.nvvm.barrier.cta.sync.aligned.all";
    LLVMValueRef zero = const_i32(g, 0);
    if (LLVMLookupIntrinsicID(old, sizeof old - 1)) gen_intrinsic(g, old, NULL, 0, NULL);
    else gen_intrinsic(g, now, NULL, 1, &zero);
}

/* ---- what blocks tell each other
 *
 * A number and that it is there are the two words of 16 aligned bytes, which GPUs write and read at once: so nobody has
 * to wait until memory is in order (a fence takes as long as two ways to memory and back).  NVIDIA's CUB does the same
 * (cub/agent/single_pass_scan_operators.cuh, "ScanTileState"). */

static LLVMValueRef on_box(Gen *g, const char *text, const char *operands, LLVMTypeRef result, int n,
                           LLVMValueRef *args) {
    LLVMTypeRef types[] = {g->ptr, g->i64}, fn = LLVMFunctionType(result, types, (unsigned)n, false);
    LLVMValueRef code = LLVMGetInlineAsm(fn, text, strlen(text), operands, strlen(operands), true, false,
                                         LLVMInlineAsmDialectATT, false);
    return LLVMBuildCall2(g->b, fn, code, args, (unsigned)n, "");
}

void gen_device_signal(Gen *g, LLVMValueRef box, LLVMValueRef bits) {
    LLVMValueRef args[] = {box, bits};
    on_box(g, "{ .reg .b64 there; mov.b64 there, 1; st.relaxed.gpu.v2.b64 [$0], {$1, there}; }", "l,l,~{memory}",
           g->nothing, 2, args);
}

LLVMValueRef gen_device_await(Gen *g, LLVMValueRef box) {
    LLVMTypeRef words[] = {g->i64, g->i64}, both = LLVMStructTypeInContext(g->ctx, words, 2, false);
    LLVMBasicBlockRef before = LLVMGetInsertBlock(g->b), look = gen_block(g, "await"), again = gen_block(g, "again"),
                      failed = gen_block(g, "failed"), go = gen_block(g, "go");
    LLVMBuildBr(g->b, look);
    gen_at(g, look);
    LLVMValueRef turn = LLVMBuildPhi(g->b, g->i32, ""), first = const_i32(g, 1), next;
    LLVMValueRef got = on_box(g, "ld.relaxed.gpu.v2.b64 {$0, $1}, [$2];", "=l,=l,l,~{memory}", both, 1, &box);
    LLVMValueRef there = LLVMBuildExtractValue(g->b, got, 1, ""), bits = LLVMBuildExtractValue(g->b, got, 0, "");
    LLVMBuildCondBr(g->b, LLVMBuildICmp(g->b, LLVMIntNE, there, const_i64(g, 0), ""), go, again);
    gen_at(g, again);
    next = LLVMBuildAdd(g->b, turn, first, "");
    LLVMAddIncoming(turn, &first, &before, 1);
    LLVMAddIncoming(turn, &next, &again, 1);
    LLVMValueRef some = LLVMBuildAnd(g->b, turn, const_i32(g, LOOKS - 1), "");
    LLVMBuildCondBr(g->b, LLVMBuildICmp(g->b, LLVMIntEQ, some, const_i32(g, 0), ""), failed, look);
    gen_at(g, failed);
    gen_call(g, "dsl_gpu_look", g->nothing, 0, NULL);
    LLVMAddIncoming(turn, &first, &failed, 1);
    LLVMBuildBr(g->b, look);
    gen_at(g, go);
    return bits;
}

/* ---- copies to shared memory on their own (cp.async) */

bool gen_device_copies(const Gen *g) {
    const char *gpu = g->opts->gpu ? g->opts->gpu : USUAL_GPU;
    return atoi(gpu + strcspn(gpu, "0123456789")) >= 80;
}

static LLVMValueRef in_space(Gen *g, LLVMValueRef p, unsigned space) {
    return LLVMBuildAddrSpaceCast(g->b, p, LLVMPointerTypeInContext(g->ctx, space), "");
}

void gen_device_copy(Gen *g, LLVMValueRef to, LLVMValueRef from, int64_t bytes) {
    const char *name = bytes == 16 ? "llvm.nvvm.cp.async.cg.shared.global.16"
                                   : arena_printf(g->arena, "llvm.nvvm.cp.async.ca.shared.global.%d", (int)bytes);
    LLVMValueRef args[] = {in_space(g, to, SHARED_SPACE), in_space(g, from, GLOBAL_SPACE)};
    gen_intrinsic(g, name, NULL, 2, args);
}

void gen_device_copied(Gen *g) { gen_intrinsic(g, "llvm.nvvm.cp.async.wait.all", NULL, 0, NULL); }

/* ---- what a team does, whose threads are neighbours in a warp */

/* The team's threads, a bit for each of the warp's */
static LLVMValueRef team_mask(Gen *g) {
    LLVMValueRef lane = gen_intrinsic(g, "llvm.nvvm.read.ptx.sreg.laneid", NULL, 0, NULL);
    LLVMValueRef first = LLVMBuildAnd(g->b, lane, const_i32(g, -DSL_TEAM), "");
    return LLVMBuildShl(g->b, const_i32(g, (1 << DSL_TEAM) - 1), first, "");
}

void gen_device_meet(Gen *g) {
    LLVMValueRef mask = team_mask(g);
    gen_intrinsic(g, "llvm.nvvm.bar.warp.sync", NULL, 1, &mask);
}

LLVMValueRef gen_device_shuffle(Gen *g, LLVMValueRef x, LLVMValueRef from) {
    LLVMValueRef parts = const_i32(g, (WARP - DSL_TEAM) << 8 | (WARP - 1)); /* the warp is cut into teams */
    LLVMValueRef args[] = {team_mask(g), x, LLVMBuildTrunc(g->b, from, g->i32, ""), parts};
    return gen_intrinsic(g, "llvm.nvvm.shfl.sync.idx.i32", NULL, 4, args);
}

/* Memory of a block, as any other pointer; bytes 0: all that was asked for when it was launched */
LLVMValueRef gen_device_shared(Gen *g, uint64_t bytes) {
    static const char dynamic[] = "dsl_shared";
    LLVMTypeRef t = LLVMArrayType2(g->i8, bytes);
    LLVMValueRef m = bytes ? NULL : LLVMGetNamedGlobal(g->out, dynamic);
    if (!m) {
        m = LLVMAddGlobalInAddressSpace(g->out, t, bytes ? "shared" : dynamic, SHARED_SPACE);
        if (bytes) LLVMSetInitializer(m, LLVMGetUndef(t));
        if (bytes) LLVMSetLinkage(m, LLVMInternalLinkage);
        LLVMSetAlignment(m, ALIGN);
    }
    return LLVMBuildAddrSpaceCast(g->b, m, g->ptr, "");
}

LLVMValueRef gen_device_failed(Gen *g) {
    LLVMValueRef failure = LLVMGetNamedGlobal(g->out, DSL_GPU_FAILURE);
    if (!failure) failure = LLVMAddGlobal(g->out, LLVMArrayType2(g->i32, sizeof(dsl_gpu_failure) / 4), DSL_GPU_FAILURE);
    LLVMValueRef taken = LLVMBuildLoad2(g->b, g->i32, gen_offset(g, failure, offsetof(dsl_gpu_failure, taken)), "");
    return LLVMBuildICmp(g->b, LLVMIntNE, taken, const_i32(g, 0), "");
}

/* ---- checks whose message is the program's: the thread writes down the operands, the host makes the message */

static LLVMValueRef check_function(Gen *g, Op *op) {
    LLVMTypeRef params[] = {g->ptr, g->ptr};
    LLVMValueRef fn = LLVMAddFunction(g->out, "check", LLVMFunctionType(g->nothing, params, 2, false));
    LLVMSetLinkage(fn, LLVMInternalLinkage);
    Fn *f = gen_fn_begin(g, fn, NULL);
    for (int i = 1; i < op->nopnds; i++)
        gen_set(g, op_opnd(op, i), gen_from_slot(g, op_opnd(op, i)->type, gen_offset(g, LLVMGetParam(fn, 1), 8 * i)));
    gen_check_failure(g, op);
    gen_fn_end(g, f);
    return fn;
}

void gen_device_check(Gen *g, Op *op) {
    int n = op->nopnds < DSL_GPU_VALUES ? op->nopnds : DSL_GPU_VALUES;
    LLVMValueRef slots = gen_stack(g, LLVMArrayType2(g->i64, (uint64_t)n + 1));
    gen_to_slot(g, const_i64(g, g->checks.len), slots);
    for (int i = 1; i < n; i++) gen_to_slot(g, gen_opnd(g, op, i), gen_offset(g, slots, 8 * i));
    gen_call(g, "dsl_gpu_fail_check", g->nothing, ARGS(gen_site(g, op->span), const_i32(g, n), slots));
    LLVMBuildUnreachable(g->b);
    LLVMBasicBlockRef here = LLVMGetInsertBlock(g->b);
    Fn *fn = g->fn;
    Kernel *kernel = g->kernel;
    gen_switch(g), g->kernel = NULL;
    vec_push(g->arena, &g->checks, check_function(g, op));
    gen_switch(g), g->kernel = kernel;
    g->fn = fn;
    gen_at(g, here);
}

/* ---- the host's side: a dsl_gpu_kernel for each launch, dsl_gpu_tables once */

static LLVMValueRef variable(Gen *g, const char *name, LLVMValueRef x) {
    LLVMValueRef v = gen_constant(g, name, x);
    LLVMSetGlobalConstant(v, false);
    return v;
}

LLVMValueRef gen_device_kernel(Gen *g, const DeviceKernel *k) {
    if (!g->tables) g->tables = LLVMAddGlobal(g->out, g->i8, "tables");
    LLVMValueRef none = LLVMConstNull(g->ptr);
    LLVMValueRef fields[] = {const_text(g, k->name),   const_i64(g, k->nparams), const_text(g, k->kinds), g->tables,
                             const_i64(g, k->dynamic), const_i64(g, k->fails),   const_i64(g, k->team),
                             k->shadow ? k->shadow : none, none};
    return variable(g, "launch", LLVMConstStructInContext(g->ctx, fields, 9, false));
}

void gen_device_tables(Gen *g) {
    if (!g->tables) return;
    LLVMValueRef checks =
        gen_constant(g, "checks", LLVMConstArray2(g->ptr, g->checks.data, (uint64_t)g->checks.len));
    LLVMValueRef fields[] = {g->site_table, checks};
    LLVMValueRef table = gen_constant(g, "tables", LLVMConstStructInContext(g->ctx, fields, 2, false));
    LLVMReplaceAllUsesWith(g->tables, table);
    LLVMDeleteGlobal(g->tables);
}

/* ---- the kernel as the driver calls it */

static void annotate(Gen *g, LLVMValueRef fn, const char *what, int n) {
    LLVMMetadataRef parts[] = {LLVMValueAsMetadata(fn), LLVMMDStringInContext2(g->ctx, what, strlen(what)),
                               LLVMValueAsMetadata(const_i32(g, n))};
    LLVMAddNamedMetadataOperand(g->out, "nvvm.annotations",
                                LLVMMetadataAsValue(g->ctx, LLVMMDNodeInContext2(g->ctx, parts, 3)));
}

static void add_attribute(Gen *g, LLVMValueRef fn, LLVMAttributeIndex at, const char *name, uint64_t value) {
    LLVMAddAttributeAtIndex(fn, at, LLVMCreateEnumAttribute(g->ctx, gen_attribute(name), value));
}

/* Slot i, as the body reads it */
static LLVMTypeRef slot_type(Gen *g, const Fn *body, int i) {
    const Value *v = body->captures.data[i].value;
    return v ? type_in_slot(g, v->type) : g->i64;
}

/* Threads have up to 255 registers, a block up to 65536: what fits anyway is left to ptxas, which else trades
 * registers for blocks side by side, down to spills.
 * Buffers share no memory; what only is read may be taken through the cache for constants.  meet: what a thread writes
 * others may read, which LLVM would not expect of memory that is one pointer's alone. */
void gen_device_entry(Gen *g, const char *name, const Fn *body, const char *kinds, int threads, int blocks,
                      bool meet) {
    int n = body->captures.len;
    LLVMTypeRef *types = NEWN(g->arena, LLVMTypeRef, n + 1);
    for (int i = 0; i < n; i++) types[i] = slot_type(g, body, i);
    LLVMValueRef fn = LLVMAddFunction(g->out, name, LLVMFunctionType(g->nothing, types, (unsigned)n, false));
    LLVMSetFunctionCallConv(fn, KERNEL_CALL);
    LLVMPositionBuilderAtEnd(g->b, LLVMAppendBasicBlockInContext(g->ctx, fn, "entry"));
    LLVMValueRef env = LLVMBuildAlloca(g->b, LLVMArrayType2(g->i64, (uint64_t)n + 1), "env");
    for (int i = 0; i < n; i++) {
        LLVMBuildStore(g->b, LLVMGetParam(fn, (unsigned)i), gen_offset(g, env, 8 * i));
        LLVMAttributeIndex param = (LLVMAttributeIndex)i + 1;
        if (kinds[i] != 's') add_attribute(g, fn, param, "align", ALIGN);
        if (kinds[i] == 'r' || (kinds[i] == 'w' && !meet)) add_attribute(g, fn, param, "noalias", 0);
        if (kinds[i] == 'r') add_attribute(g, fn, param, "readonly", 0);
    }
    LLVMValueRef args[] = {env, LLVMConstNull(g->ptr)};
    LLVMBuildCall2(g->b, LLVMGlobalGetValueType(body->fn), body->fn, args, 2, "");
    LLVMBuildRetVoid(g->b);
    annotate(g, fn, "kernel", 1);
    if (threads <= SMALL_BLOCK && !blocks) return;
    annotate(g, fn, "maxntidx", threads);
    annotate(g, fn, "minctasm", blocks ? blocks : 1);
}

/* ---- from the module to PTX */

static const char *newest(Gen *g, const char *pattern) {
    glob_t found;
    const char *path = NULL;
    if (!glob(pattern, 0, NULL, &found)) path = intern(g->session, found.gl_pathv[found.gl_pathc - 1]);
    globfree(&found);
    return path;
}

/* libdevice, where toolkits and Debian have it; NULL: not found */
static const char *libdevice_path(Gen *g) {
    static const char *const variables[] = {"CUDA_HOME", "CUDA_PATH"};
    static const char *const patterns[] = {"/usr/local/cuda/nvvm/libdevice/libdevice.*.bc",
                                           "/usr/local/cuda-*/nvvm/libdevice/libdevice.*.bc",
                                           "/usr/lib/cuda/nvvm/libdevice/libdevice.*.bc",
                                           "/usr/lib/nvidia-cuda-toolkit/libdevice/libdevice.*.bc"};
    const char *path = NULL;
    for (int i = 0; i < 2 && !path; i++)
        if (getenv(variables[i]))
            path = newest(g, arena_printf(g->arena, "%s/nvvm/libdevice/libdevice.*.bc", getenv(variables[i])));
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns && !path; i++) path = newest(g, patterns[i]);
    return path;
}

static LLVMModuleRef libdevice(Gen *g) {
    const char *path = libdevice_path(g);
    LLVMMemoryBufferRef bytes;
    LLVMModuleRef m;
    char *failure;
    if (!path || LLVMCreateMemoryBufferWithContentsOfFile(path, &bytes, &failure)) return NULL;
    return LLVMGetBitcodeModuleInContext2(g->ctx, bytes, &m) ? NULL : m;
}

static bool is_missing(LLVMValueRef fn) {
    static const char *const of_device[] = {"malloc", "free", "dsl_gpu_exit", "__nvvm_reflect"};
    size_t n;
    const char *name = LLVMGetValueName2(fn, &n);
    for (size_t i = 0; i < sizeof of_device / sizeof *of_device; i++)
        if (!strcmp(name, of_device[i])) return false;
    return LLVMIsDeclaration(fn) && LLVMGetFirstUse(fn) && strncmp(name, "llvm.", 5);
}

static LLVMValueRef first_missing(LLVMModuleRef m) {
    LLVMValueRef f = LLVMGetFirstFunction(m);
    while (f && !is_missing(f)) f = LLVMGetNextFunction(f);
    return f;
}

/* Mathematical functions under the names that libdevice has for them; the first that it has not, or NULL */
static const char *link_libdevice(Gen *g) {
    LLVMValueRef missing = first_missing(g->out);
    LLVMModuleRef library = missing ? libdevice(g) : NULL;
    size_t n;
    for (LLVMValueRef f = missing; f && library; f = LLVMGetNextFunction(f)) {
        const char *name = arena_printf(g->arena, "__nv_%s", LLVMGetValueName2(f, &n));
        if (is_missing(f) && LLVMGetNamedFunction(library, name)) LLVMSetValueName2(f, name, strlen(name));
    }
    if (library) llvm_link_bitcode(g->out, library);
    missing = first_missing(g->out);
    return missing ? intern(g->session, LLVMGetValueName2(missing, &n)) : NULL;
}

/* The runtime's, made by runtime/gpu/device.c, runtime/gpu/warp.c, runtime/inlines.c and runtime/elementary.c */
BITCODE(gpu_device, DEVICE_BC "device.bc");
BITCODE(gpu_warp, DEVICE_BC "warp.bc");
BITCODE(gpu_inlines, DEVICE_BC "inlines.bc");
BITCODE(gpu_elementary, DEVICE_BC "elementary.bc");

/* Of each what those before it call */
static void link_runtime(Gen *g) {
    const char *const parts[][2] = {{gpu_elementary, gpu_elementary_end},
                                    {gpu_inlines, gpu_inlines_end},
                                    {gpu_device, gpu_device_end},
                                    {gpu_warp, gpu_warp_end}};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        llvm_link_bitcode(g->out, llvm_bitcode(g->ctx, parts[i][0], parts[i][1]));
}

/* Ends the thread; the others of its block do not wait for it. */
static void define_exit(Gen *g) {
    LLVMValueRef fn = LLVMGetNamedFunction(g->out, "dsl_gpu_exit");
    if (!fn) return;
    LLVMPositionBuilderAtEnd(g->b, LLVMAppendBasicBlockInContext(g->ctx, fn, "entry"));
    gen_intrinsic(g, "llvm.nvvm.exit", NULL, 0, NULL);
    LLVMBuildUnreachable(g->b);
}

static bool is_quotient(LLVMValueRef fn) {
    size_t n;
    return !strncmp(LLVMGetValueName2(fn, &n), DEVICE_QUOTIENT, sizeof DEVICE_QUOTIENT - 1);
}

static void set_inline(LLVMValueRef fn, bool now) {
    const LLVMAttributeIndex whole = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
    const char *const names[] = {"noinline", "alwaysinline"};
    LLVMContextRef ctx = LLVMGetModuleContext(LLVMGetGlobalParent(fn));
    LLVMRemoveEnumAttributeAtIndex(fn, whole, gen_attribute(names[!now]));
    LLVMRemoveEnumAttributeAtIndex(fn, whole, gen_attribute(names[now]));
    LLVMAddAttributeAtIndex(fn, whole, LLVMCreateEnumAttribute(ctx, gen_attribute(names[now]), 0));
}

/* All but kernels is the module's own, and part of who calls it: around a call registers would be saved in memory.
 * Quotients have branches inside, and wait till loads stand before them. */
static void close_module(Gen *g) {
    for (LLVMValueRef f = LLVMGetFirstFunction(g->out); f; f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f) || LLVMGetFunctionCallConv(f) == KERNEL_CALL) continue;
        LLVMSetLinkage(f, LLVMInternalLinkage);
        set_inline(f, !is_quotient(f));
    }
}

static void inline_quotients(Device *d) {
    for (LLVMValueRef f = LLVMGetFirstFunction(d->module); f; f = LLVMGetNextFunction(f))
        if (is_quotient(f)) set_inline(f, true);
    llvm_run(d->module, d->machine,
             "always-inline,function(early-cse,loop-mssa(licm),instcombine<no-verify-fixpoint>,simplifycfg),globaldce");
}

static void no_flush_to_zero(Gen *g) {
    static const char name[] = "nvvm-reflect-ftz";
    LLVMAddModuleFlag(g->out, LLVMModuleFlagBehaviorOverride, name, sizeof name - 1,
                      LLVMValueAsMetadata(const_i32(g, 0)));
}

LLVMModuleRef gen_device_finish(Gen *g, const char **missing) {
    gen_switch(g);
    link_runtime(g);
    define_exit(g);
    *missing = link_libdevice(g);
    no_flush_to_zero(g);
    close_module(g);
    LLVMModuleRef m = g->out;
    gen_switch(g);
    return m;
}

/* ---- the machine */

static LLVMTargetMachineRef make_machine(const LlvmOptions *o) {
    static const char triple[] = "nvptx64-nvidia-cuda", language[] = "+ptx63"; /* the least: which threads are here */
    LLVMTargetRef target;
    char *failure;
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
    if (LLVMGetTargetFromTriple(triple, &target, &failure)) bug("LLVM: %s", failure);
    return LLVMCreateTargetMachine(target, triple, o->gpu ? o->gpu : USUAL_GPU, language, LLVMCodeGenLevelAggressive,
                                   LLVMRelocDefault, LLVMCodeModelDefault);
}

Device *llvm_device_begin(Device *d, const LlvmOptions *o) {
    if (o->emit.target != TARGET_CUDA) return NULL;
    *d = (Device){.machine = make_machine(o)};
    return d;
}

void llvm_device_ptx(Session *s, Device *d, LlvmCode *code) {
    LLVMMemoryBufferRef text;
    char *failure;
    if (d->missing) {
        code->failure = intern_printf(s, "a kernel calls '%s', which there is not on a GPU (or only with libdevice, "
                                         "which is in the CUDA toolkit)", d->missing);
        return;
    }
    llvm_run(d->module, d->machine, "always-inline"); /* callsite-splitting would double a barrier before a call */
    llvm_run_passes(d->module, d->machine, 3);
    llvm_run(d->module, d->machine, "function(infer-address-spaces,infer-alignment)"); /* for loads of several */
    llvm_loads_first(d->module);
    inline_quotients(d);
    if (LLVMTargetMachineEmitToMemoryBuffer(d->machine, d->module, LLVMAssemblyFile, &failure, &text))
        bug("LLVM: %s", failure);
    code->notes = d->notes.data, code->nnotes = d->notes.len;
    code->ptx = intern_n(s, LLVMGetBufferStart(text), (int)LLVMGetBufferSize(text));
    LLVMDisposeMemoryBuffer(text);
}

void llvm_device_end(Device *d) {
    if (!d) return;
    LLVMDisposeModule(d->module);
    LLVMDisposeTargetMachine(d->machine);
}
