/* Where arrays are, for a program that uses a GPU (runtime/gpu.h): before something of the host's looks at an array, it
 * comes home. */
#include "codegen/llvm/private.h"

static bool is_for_gpu(const Gen *g) { return g->opts->emit.target == TARGET_CUDA && !g->on_device; }

void gen_home_of(Gen *g, LLVMValueRef array, bool writes) {
    if (is_for_gpu(g))
        gen_call(g, "dsl_gpu_home", g->nothing, ARGS(array, LLVMConstInt(g->i1, writes, false)));
}

void gen_fresh(Gen *g, LLVMValueRef array) {
    if (is_for_gpu(g)) gen_call(g, "dsl_gpu_fresh", g->nothing, 1, &array);
}

/* Islands bring home what they look at themselves; the others hand arrays on, or take their sizes. */
static bool looks(const Op *op) {
    switch (op->code) {
    case OP_PRINT: case OP_FORMAT: case OP_CHECK: case OP_BLAS: case OP_EXTERN: return true;
    case OP_VIEW: return !view_is_same(op) && !op_sym(op, A_MSG); /* it copies what others hold, too */
    default: return false;
    }
}

void gen_home(Gen *g, const Op *op) {
    if (!is_for_gpu(g) || !looks(op)) return;
    for (int i = 0; i < op->nopnds; i++)
        if (type_is_tensor(op_opnd(op, i)->type)) gen_home_of(g, gen_opnd(g, op, i), false);
}

/* The element at p of the array: it comes alone, unless many do */
LLVMValueRef gen_element(Gen *g, LLVMValueRef array, DType t, LLVMValueRef p) {
    LLVMTypeRef type = type_in_memory(g, t);
    if (!is_for_gpu(g)) return LLVMBuildLoad2(g->b, type, p, "");
    LLVMValueRef here = gen_stack(g, g->i64), bytes = const_i64(g, dtype_info(t)->bytes);
    gen_call(g, "dsl_gpu_element", g->nothing, ARGS(array, p, bytes, here));
    return LLVMBuildLoad2(g->b, type, here, "");
}

LLVMValueRef gen_unique(Gen *g, LLVMValueRef array) {
    return gen_call(g, is_for_gpu(g) ? "dsl_gpu_unique" : "dsl_unique", g->ptr, 1, &array);
}
