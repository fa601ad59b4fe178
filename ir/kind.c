/* The kinds of reductions, scans and atomic updates: which operation each is, and what it leaves as it is. */
#include "ir/ir.h"

#include <math.h>
#include <string.h>

bool reduce_kind_op(const char *kind, OpCode *out) { return opcode_find(kind, out); }

static int64_t int_min(DType t) {
    bool is_unsigned = dtype_info(t)->kind == DK_UINT;
    return is_unsigned ? 0 : -(int64_t)(((uint64_t)1 << (8 * dtype_info(t)->bytes - 1)) - 1) - 1;
}

static int64_t int_max(DType t) {
    int bits = 8 * dtype_info(t)->bytes - (dtype_info(t)->kind == DK_INT);
    return (int64_t)(bits == 64 ? ~(uint64_t)0 : ((uint64_t)1 << bits) - 1);
}

Const reduce_kind_identity(const char *kind, DType t) {
    Const c = {.dtype = t};
    bool real = dtype_is_float(t);
    if (!strcmp(kind, "mul")) c.i = 1, c.f = 1;
    else if (!strcmp(kind, "and")) c.i = t == DT_BOOL ? 1 : -1;
    else if (!strcmp(kind, "min")) c.f = INFINITY, c.i = real ? 0 : t == DT_BOOL ? 1 : int_max(t);
    else if (!strcmp(kind, "max")) c.f = -INFINITY, c.i = real || t == DT_BOOL ? 0 : int_min(t);
    if (!real) c.f = 0;
    else c.i = 0;
    return c;
}

bool reduce_is_serial(const Op *op, int64_t *n) {
    enum { FEW = 4096 };
    int64_t c;
    *n = 1;
    for (int i = 0; i < op->regs[0]->nargs; i++) {
        if (!value_const_int(op_opnd(op, i), &c) || c > FEW) return false;
        *n *= c < 0 ? 0 : c;
        if (*n > FEW) return false;
    }
    return true;
}
