/* Folding of elementwise operations: of constants through ir/eval.c; by the rules of opt/rules/scalar.rules, which
 * expect constants on the right. */
#include "opt/par/fold.h"
#include "opt/rewrite.h"

#include <math.h>

bool fold_replace(Op *op, Value *v) {
    value_replace_all(&op->res[0], v);
    op_erase(op);
    return true;
}

/* An operation that makes NaN, or an infinity, of numbers stays, so that --check-nan finds it. */
static bool makes_nan(const Op *op, const Const *x, const Const *r) {
    if (!dtype_is_float(r->dtype) || isfinite(r->f)) return false;
    for (int i = 0; i < op->nopnds; i++)
        if (dtype_is_float(x[i].dtype) && !isfinite(x[i].f) && (isnan(x[i].f) || !isnan(r->f))) return false;
    return true;
}

static bool all_const(Op *op) {
    Const x[3], r;
    if (!op->nopnds || op->nopnds > 3 || op_flag(op, A_INDEFINITE) || op->res[0].type->kind != TY_SCALAR) return false;
    for (int i = 0; i < op->nopnds; i++) {
        const Const *c = value_const(op_opnd(op, i));
        if (!c) return false;
        x[i] = *c;
    }
    Builder b = builder_before(op);
    if (op->code == OP_SELECT) return fold_replace(op, op_opnd(op, x[0].i ? 1 : 2));
    return const_eval(op->code, op->res[0].type->dtype, op->nopnds, x, &r) && !makes_nan(op, x, &r) &&
           fold_replace(op, build_const(&b, r));
}

/* The operation that does the same with its operands swapped, or OP_COUNT */
static OpCode mirrored(OpCode c) {
    return opcode_is_compare(c) ? opcode_mirrored(c) : op_info(c)->traits & TR_COMMUTES ? c : OP_COUNT;
}

/* Constants go to the right.  (min and max are left: which NaN or zero comes out depends on the order.) */
static bool swap_const(Op *op) {
    if (op->nopnds != 2) return false;
    Value *x = op_opnd(op, 0), *y = op_opnd(op, 1);
    OpCode c = mirrored(op->code);
    bool ordered = (op->code == OP_MIN || op->code == OP_MAX) && dtype_is_float(x->type->dtype);
    if (c == OP_COUNT || ordered || !value_const(x) || value_const(y)) return false;
    Builder b = builder_before(op);
    return fold_replace(op, build_binary(&b, c, y, x));
}

bool fold_elementwise(Op *op, bool constants) {
    return (constants && all_const(op)) || swap_const(op) || rewrite_op(&scalar_rules, op);
}
