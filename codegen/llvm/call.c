/* Calls of the runtime and of LLVM's own functions; blocks. */
#include "codegen/llvm/private.h"

#include <string.h>

unsigned gen_attribute(const char *name) { return LLVMGetEnumAttributeKindForName(name, strlen(name)); }

static void add_attribute(Gen *g, LLVMValueRef call, LLVMAttributeIndex at, const char *name) {
    LLVMAddCallSiteAttribute(call, at, LLVMCreateEnumAttribute(g->ctx, gen_attribute(name), 0));
}

static LLVMValueRef declared(Gen *g, const char *name, LLVMTypeRef type) {
    LLVMValueRef fn = LLVMGetNamedFunction(g->out, name);
    return fn ? fn : LLVMAddFunction(g->out, name, type);
}

static LLVMTypeRef type_of_call(Gen *g, LLVMTypeRef result, int n, LLVMValueRef *args) {
    LLVMTypeRef *types = NEWN(g->arena, LLVMTypeRef, n + 1);
    for (int i = 0; i < n; i++) types[i] = LLVMTypeOf(args[i]);
    return LLVMFunctionType(result, types, (unsigned)n, false);
}

LLVMValueRef gen_call(Gen *g, const char *name, LLVMTypeRef result, int n, LLVMValueRef *args) {
    LLVMTypeRef type = type_of_call(g, result, n, args);
    LLVMValueRef call = LLVMBuildCall2(g->b, type, declared(g, name, type), args, (unsigned)n, "");
    for (int i = 0; i < n; i++)
        if (LLVMTypeOf(args[i]) == g->i1) add_attribute(g, call, (LLVMAttributeIndex)i + 1, "zeroext");
    return call;
}

/* How C passes what is narrower than its int */
static const char *extension(DType t) {
    const DTypeInfo *info = dtype_info(t);
    if (info->bytes >= 4 || info->kind == DK_FLOAT) return NULL;
    return info->kind == DK_INT ? "signext" : "zeroext";
}

void gen_extend(Gen *g, LLVMValueRef call, int i, DType t) {
    if (extension(t)) add_attribute(g, call, (LLVMAttributeIndex)i + 1, extension(t));
}

LLVMValueRef gen_call_of(Gen *g, const char *name, DType result, DType t, int n, LLVMValueRef *args) {
    LLVMValueRef call = gen_call(g, name, type_of_scalar(g, result), n, args);
    for (int i = 0; i < n; i++)
        if (LLVMTypeOf(args[i]) == type_of_scalar(g, t)) gen_extend(g, call, i, t);
    if (dtype_is_float(t)) add_attribute(g, call, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, "nobuiltin");
    return call;
}

LLVMValueRef gen_call_pure(Gen *g, const char *name, DType result, DType t, int n, LLVMValueRef *args) {
    static const char *const facts[] = {"memory", "nounwind", "willreturn"}; /* memory(none) */
    LLVMValueRef call = gen_call_of(g, name, result, t, n, args);
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
        add_attribute(g, call, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, facts[i]);
    gen_vector_variants(g, name, call);
    return call;
}

LLVMValueRef gen_intrinsic(Gen *g, const char *name, LLVMTypeRef overload, int n, LLVMValueRef *args) {
    unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
    if (!id) bug("LLVM has no intrinsic '%s'", name);
    LLVMValueRef fn = LLVMGetIntrinsicDeclaration(g->out, id, &overload, overload ? 1 : 0);
    LLVMTypeRef type = LLVMIntrinsicGetType(g->ctx, id, &overload, overload ? 1 : 0);
    return LLVMBuildCall2(g->b, type, fn, args, (unsigned)n, "");
}

/* ---- blocks */

LLVMBasicBlockRef gen_block(Gen *g, const char *name) { return LLVMAppendBasicBlockInContext(g->ctx, g->fn->fn, name); }

void gen_at(Gen *g, LLVMBasicBlockRef block) { LLVMPositionBuilderAtEnd(g->b, block); }

/* Marks what hardly ever happens. */
static LLVMValueRef unlikely(Gen *g, LLVMValueRef bad) {
    LLVMValueRef args[] = {bad, LLVMConstInt(g->i1, 0, false)};
    return gen_intrinsic(g, "llvm.expect", g->i1, 2, args);
}

void gen_fail_if(Gen *g, LLVMValueRef bad, const char *name, int n, LLVMValueRef *args) {
    LLVMBasicBlockRef fail = gen_block(g, "fail"), on = gen_block(g, "on");
    gen_kernel_fails(g);
    LLVMBuildCondBr(g->b, unlikely(g, bad), fail, on);
    gen_at(g, fail);
    LLVMValueRef call = gen_call(g, name, g->nothing, n, args);
    add_attribute(g, call, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, "noreturn");
    add_attribute(g, call, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, "cold");
    LLVMBuildUnreachable(g->b);
    gen_at(g, on);
}
