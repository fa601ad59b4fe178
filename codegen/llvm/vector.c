/* Elementary functions in loops that become vectors: the runtime has them for several elements at a time, by the names
 * of the Vector Function ABI of x86-64 (runtime/elementary.c), with the same bits.  A call is told which there are. */
#include "codegen/llvm/private.h"

#include <dlfcn.h>
#include <string.h>

typedef struct { char isa; int bytes; bool there; } Isa;

/* The vector function with so many elements, declared and kept though nobody calls it yet */
static LLVMValueRef variant(Gen *g, const char *name, int n, LLVMTypeRef scalar, int lanes) {
    LLVMTypeRef v = LLVMVectorType(scalar, (unsigned)lanes), params[] = {v, v};
    LLVMValueRef fn = LLVMGetNamedFunction(g->out, name);
    return fn ? fn : LLVMAddFunction(g->out, name, LLVMFunctionType(v, params, (unsigned)n, false));
}

static void add_variants(Gen *g, const char *name, LLVMTypeRef t, int n, Text *list) {
#ifdef __x86_64__
    bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    const Isa all[] = {{'d', 32, avx2}, {'e', 64, avx2 && __builtin_cpu_supports("avx512f")}};
#else
    const Isa all[] = {{0, 0, false}};
#endif
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        int lanes = all[i].bytes / (t == g->f64 ? 8 : 4);
        const char *made = arena_printf(g->arena, "_ZGV%cN%d%s_%s", all[i].isa, lanes, n == 2 ? "vv" : "v", name);
        if (!all[i].there || !dlsym(RTLD_DEFAULT, made)) continue;
        text_printf(list, "%s%s(%s)", list->len ? "," : "", made, made);
        vec_push(g->arena, &g->variants, variant(g, made, n, t, lanes));
    }
}

void gen_vector_variants(Gen *g, const char *name, LLVMValueRef call) {
    LLVMTypeRef t = LLVMTypeOf(call);
    Text list;
    if (g->on_device || !g->opts->level || g->opts->cpu || (t != g->f32 && t != g->f64)) return;
    text_init(&list, g->arena);
    add_variants(g, name, t, (int)LLVMGetNumArgOperands(call), &list);
    if (!list.len) return;
    static const char key[] = "vector-function-abi-variant";
    LLVMAttributeRef told = LLVMCreateStringAttribute(g->ctx, key, sizeof key - 1, text_str(&list), (unsigned)list.len);
    LLVMAddCallSiteAttribute(call, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, told);
}

void gen_keep_variants(Gen *g) {
    if (!g->variants.len) return;
    LLVMValueRef all = LLVMConstArray2(g->ptr, g->variants.data, (uint64_t)g->variants.len);
    LLVMValueRef used = LLVMAddGlobal(g->out, LLVMTypeOf(all), "llvm.compiler.used");
    LLVMSetInitializer(used, all);
    LLVMSetLinkage(used, LLVMAppendingLinkage);
    LLVMSetSection(used, "llvm.metadata");
}
