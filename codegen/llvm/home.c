/* Where arrays are, for a program that uses a GPU (runtime/gpu.h): before something of the host's looks at an array, it
 * comes home. */
#include "codegen/llvm/private.h"

#include <string.h>

static bool is_for_gpu(const Gen *g) { return g->opts->emit.target == TARGET_CUDA && !g->on_device; }

void gen_home_of(Gen *g, LLVMValueRef array, bool writes) {
    if (is_for_gpu(g))
        gen_call(g, "dsl_gpu_home", g->nothing, ARGS(array, LLVMConstInt(g->i1, writes, false)));
}

void gen_fresh(Gen *g, LLVMValueRef array) {
    if (is_for_gpu(g)) gen_call(g, "dsl_gpu_fresh", g->nothing, 1, &array);
}

void gen_given(Gen *g, LLVMValueRef array) {
    if (is_for_gpu(g)) gen_call(g, "dsl_gpu_given", g->nothing, 1, &array);
}

/* What a GPU has its own way for, which takes arrays where they are: some C functions of the library, and views */
const char *gen_on_gpu(const Gen *g, const Op *op) {
    static const char *const names[][2] = {
        {"dsl_m_fft", "dsl_gpu_m_fft"}, {"dsl_m_rfft", "dsl_gpu_m_rfft"}, {"dsl_m_irfft", "dsl_gpu_m_irfft"},
        {"dsl_x_time", "dsl_gpu_x_time"}};
    if (is_for_gpu(g) && op->code == OP_VIEW) return "dsl_gpu_reshape";
    const char *name = is_for_gpu(g) && op->code == OP_EXTERN ? op_sym(op, A_FUNC) : NULL;
    for (size_t i = 0; name && i < sizeof names / sizeof *names; i++)
        if (!strcmp(name, names[i][0])) return names[i][1];
    return NULL;
}

/* The world sees what they do: nothing that comes behind a launch which failed. */
static bool is_seen(const Op *op) {
    return op->code == OP_PRINT || op->code == OP_EXTERN || op->code == OP_LOADFILE;
}

void gen_look(Gen *g) {
    if (is_for_gpu(g)) gen_call(g, "dsl_gpu_look", g->nothing, 0, NULL);
}

void gen_home(Gen *g, const Op *op) {
    if (!is_for_gpu(g) || gen_on_gpu(g, op)) return;
    if (is_seen(op)) gen_look(g);
    if (!plan_looks(op)) return;
    for (int i = 0; i < op->nopnds; i++)
        if (type_is_tensor(op_opnd(op, i)->type)) gen_home_of(g, gen_opnd(g, op, i), false);
}

/* The element at p of those at data: it comes alone, unless many do */
LLVMValueRef gen_element(Gen *g, LLVMValueRef data, DType t, LLVMValueRef p) {
    LLVMTypeRef type = type_in_memory(g, t);
    if (!is_for_gpu(g)) return LLVMBuildLoad2(g->b, type, p, "");
    LLVMValueRef here = gen_stack(g, g->i64), bytes = const_i64(g, dtype_info(t)->bytes);
    gen_call(g, "dsl_gpu_element", g->nothing, ARGS(data, p, bytes, here));
    return LLVMBuildLoad2(g->b, type, here, "");
}

/* x, as in memory, becomes that element, where it is */
void gen_poke(Gen *g, LLVMValueRef data, DType t, LLVMValueRef p, LLVMValueRef x) {
    LLVMValueRef here = gen_stack(g, g->i64), bytes = const_i64(g, dtype_info(t)->bytes);
    LLVMBuildStore(g->b, x, here);
    gen_call(g, "dsl_gpu_poke", g->nothing, ARGS(data, p, bytes, here));
}

bool gen_is_apart(const Gen *g, const Value *buf) {
    return is_for_gpu(g) && !g->kernel && g->plan->touch[buf->id] == TOUCH_ELEMENTS;
}

LLVMValueRef gen_unique(Gen *g, LLVMValueRef array) {
    return gen_call(g, is_for_gpu(g) ? "dsl_gpu_unique" : "dsl_unique", g->ptr, 1, &array);
}

LLVMValueRef gen_written(Gen *g, const Op *island, int operand) {
    LLVMValueRef array = gen_opnd(g, island, operand);
    if (!is_for_gpu(g) || !plan_is_written_over(island, operand)) return gen_unique(g, array);
    return gen_call(g, "dsl_gpu_renewed", g->ptr, 1, &array);
}
