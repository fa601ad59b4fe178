/* Launches that are matrix products (lower/product_device.c): what a library needs to know, which may do them. */
#include "codegen/llvm/private.h"
#include "runtime/gpu.h"

#include <stddef.h>

bool gen_is_product(const Op *launch) { return op_attr(launch, A_TRANS) != NULL; }

static int param_of(const Fn *f, const Value *buf) {
    for (int i = 0; i < f->captures.len; i++)
        if (f->captures.data[i].value == buf) return i;
    return -1;
}

static void put(Gen *g, LLVMValueRef p, size_t offset, LLVMValueRef x) {
    LLVMBuildStore(g->b, x, gen_offset(g, p, (int64_t)offset));
}

static LLVMValueRef stack_of(Gen *g, const Type *t) {
    LLVMValueRef n = const_i64(g, 1);
    for (int i = 0; i < t->rank - 2; i++) n = LLVMBuildNSWMul(g->b, n, gen_size(g, t->dims[i]), "");
    return n;
}

LLVMValueRef gen_product(Gen *g, const Op *launch, const Fn *f) {
    if (!gen_is_product(launch)) return NULL;
    const Region *island = launch->parent;
    const int64_t *trans = op_attr(launch, A_TRANS)->ints;
    const Value *out = island->args[0], *a = island->args[1], *b = island->args[island->nargs > 2 ? 2 : 1];
    const Type *t = out->type, *left = a->type;
    int params[] = {param_of(f, out), param_of(f, a), param_of(f, b)};
    LLVMValueRef p = gen_stack(g, LLVMArrayType2(g->i64, sizeof(dsl_gpu_product) / 8));
    for (int i = 0; i < 3; i++)
        if (params[i] < 0) return NULL;
    put(g, p, offsetof(dsl_gpu_product, f64), const_i64(g, t->dtype == DT_F64));
    for (int i = 0; i < 3; i++) put(g, p, offsetof(dsl_gpu_product, param) + 8 * (size_t)i, const_i64(g, params[i]));
    for (int i = 0; i < 2; i++) put(g, p, offsetof(dsl_gpu_product, turned) + 8 * (size_t)i, const_i64(g, trans[i]));
    put(g, p, offsetof(dsl_gpu_product, rows), gen_size(g, t->dims[t->rank - 2]));
    put(g, p, offsetof(dsl_gpu_product, cols), gen_size(g, t->dims[t->rank - 1]));
    put(g, p, offsetof(dsl_gpu_product, inner), gen_size(g, left->dims[left->rank - (trans[0] ? 2 : 1)]));
    put(g, p, offsetof(dsl_gpu_product, stack), stack_of(g, t));
    return p;
}
