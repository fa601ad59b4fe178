/* Elementwise operations: the functions that compute them where neither C nor LLVM has an operator for it. */
#include "codegen/plan.h"

#include <math.h>

bool dtype_is_half(DType t) { return t == DT_F16 || t == DT_BF16; }

DType dtype_computed(DType t) { return dtype_is_half(t) ? DT_F32 : t; }

bool int_constant(const Value *v, int64_t *k) {
    if (!v->def || v->def->code != OP_CONST) return false;
    if (k) *k = op_attr(v->def, A_VALUE)->c.i;
    return true;
}

bool is_zero_constant(const Value *v) {
    const Op *def = v->def;
    return def && def->code == OP_CONST && dtype_is_float(v->type->dtype) && op_attr(def, A_VALUE)->c.f == 0 &&
           !signbit(op_attr(def, A_VALUE)->c.f);
}

/* The innermost loop around op ends when it likes, so it is none for vectors. */
static bool in_while(const Op *op) {
    const Op *o = op->parent->owner;
    while (o && !(op_info(o->code)->traits & TR_LOOP)) o = o->parent->owner;
    return o && o->code == OP_WHILE;
}

/* math.h, where the mnemonic is C's name, or runtime/elementary.h */
static const char *math_function(Arena *a, const Op *op, DType t) {
    const char *own = !(op_info(op->code)->traits & TR_OWN) ? "" : in_while(op) ? "dsl_call_" : "dsl_";
    return arena_printf(a, "%s%s%s", own, op_info(op->code)->mnemonic, t == DT_F64 ? "" : "f");
}

/* As its row says: by a trait, or since LLVM knows it, too.  Others of floats alone have a helper of the runtime. */
static bool is_of_math(const Op *op) {
    const OpInfo *row = op_info(op->code);
    return row->traits & (TR_CALL | TR_OWN) || (row->traits & TR_FLOAT && *row->llvm);
}

const char *elementwise_function(Arena *a, const Op *op) {
    DType t = dtype_computed(op_opnd(op, 0)->type->dtype);
    if (is_of_math(op)) return math_function(a, op, t);
    if (op->code == OP_ABS && dtype_is_float(t)) return t == DT_F32 ? "fabsf" : "fabs";
    return arena_printf(a, "dsl_%s_%s", op_info(op->code)->mnemonic, dtype_info(t)->name);
}

const char *cast_function(Arena *a, const Op *op) {
    DType from = dtype_computed(op_opnd(op, 0)->type->dtype), to = op->res[0].type->dtype;
    if (from == to || to == DT_BOOL) return NULL;
    if (op_flag(op, A_INDEFINITE)) return op_flag(op, A_SIMD) ? "dsl_trunc_lanes_i64" : "dsl_trunc_i64";
    bool to_int = dtype_is_float(from) && !dtype_is_float(to);
    return to_int ? arena_printf(a, "dsl_cast_%s_%s", dtype_info(from)->name, dtype_info(to)->name) : NULL;
}
