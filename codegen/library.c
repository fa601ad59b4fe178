/* Operations that are calls of the runtime: which function, of which operands. */
#include "codegen/plan.h"

#include <string.h>

const BlasRow *blas_row(const Op *op) {
    static const BlasRow table[] = {
        {"gemm", "dsl_gemm", 2, true, false},          {"solve", "dsl_solve", 2, false, false},
        {"trisolve", "dsl_trisolve", 2, false, false}, {"cholesky", "dsl_cholesky", 1, false, false},
        {"inv", "dsl_inv", 1, false, false},           {"det", "dsl_det", 1, false, true},
        {"eigh", "dsl_eigh", 1, false, false},
    };
    const char *name = op_sym(op, A_NAME);
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (!strcmp(table[i].name, name)) return &table[i];
    bug("no library function '%s'", name);
}

const char *print_function(const Type *t) {
    if (type_is_tensor(t)) return "array";
    switch (dtype_info(t->dtype)->kind) {
    case DK_BOOL: return "bool";
    case DK_INT: return "i64";
    case DK_UINT: return "u64";
    case DK_FLOAT: return t->dtype == DT_F64 ? "f64" : "f32";
    case DK_STR: return "str";
    }
    return "i64";
}

bool check_is_formatted(const Op *op) { return op->nopnds > 1 && op_sym(op, A_FORMAT); }

/* With a message it was a retype, whose sizes must be equal; else a reshape. */
bool view_is_same(const Op *op) {
    return type_same_dims(op_opnd(op, 0)->type, op->res[0].type) || (op_sym(op, A_MSG) && op_flag(op, A_SAFE));
}

bool extern_is_watched(Session *s, const Op *op, EmitKind kind) {
    return kind != EMIT_LIBRARY && !source_is_library(s, op->span);
}

/* Islands look at their arrays themselves; other operations hand arrays on, or take their sizes. */
bool plan_looks(const Op *op) {
    switch (op->code) {
    case OP_PRINT: case OP_FORMAT: case OP_CHECK: case OP_BLAS: case OP_EXTERN: return true;
    default: return false;
    }
}
