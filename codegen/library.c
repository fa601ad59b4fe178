/* Operations that are calls of the runtime: which function, of which operands. */
#include "codegen/plan.h"

#include <string.h>

const BlasRow *blas_row(const Op *op) {
    static const BlasRow table[] = {
        {"gemm", "dsl_gemm", 2, 1, NULL},
        {"trisolve", "dsl_trisolve", 2, 1, NULL},
        {"chol_factor", "dsl_chol_factor", 1, 1, NULL},
        {"cholesky", "dsl_cholesky", 1, 1, NULL},
        {"eigh", "dsl_eigh", 1, 2, NULL},
        {"lu_factor", "dsl_lu_factor", 1, 2, NULL},
        {"lu_solve", "dsl_lu_solve", 3, 1, "solve"},
        {"lu_inv", "dsl_lu_inv", 2, 1, "inv"},
        {"lu_det", "dsl_lu_det", 2, 0, NULL},
        {"lu_logdet", "dsl_lu_logdet", 2, 0, NULL},
        {"lu_sign", "dsl_lu_sign", 2, 0, NULL},
        {"lu_parts", "dsl_lu_parts", 2, 2, NULL},
    };
    const char *name = op_sym(op, A_NAME);
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (!strcmp(table[i].name, name)) return &table[i];
    bug("no library function '%s'", name);
}

int blas_flags(const Op *op, int flag[3]) {
    const char *name = op_sym(op, A_NAME);
    if (!strcmp(name, "gemm")) return flag[0] = dot_turns(op, 0), flag[1] = dot_turns(op, 1), 2;
    if (!strcmp(name, "lu_solve")) return flag[0] = op_flag(op, A_TRANSPOSED), 1;
    if (strcmp(name, "trisolve") != 0) return 0;
    flag[0] = op_flag(op, A_UPPER), flag[1] = op_flag(op, A_TRANSPOSED), flag[2] = op_flag(op, A_UNIT);
    return 3;
}

const char *blas_word(const Op *op) {
    const char *asked = op_sym(op, A_MSG);
    return asked ? asked : blas_row(op)->word;
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
