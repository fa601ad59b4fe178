/* Forward differentiation: beside each value that varies stands its tangent.
 *
 * The region of a jvp is changed where it stands: behind an operation go those that make the tangents of its results
 * from the tangents of its operands; branches, loops and comprehensions yield and carry tangents as well; memory that
 * varies has a second memory beside it, which is written, read and awaited in the same places.  So everything has a
 * forward derivative that is built of what is here, launches with barriers and functions that call themselves as well,
 * and the values stay what they were. */
#include "ad/forward.h"

#include <string.h>

Value *tangent_of(const Forward *fw, const Value *v) { return map_get(&fw->tangent, v); }

Value *tangent_here(const Forward *fw, Builder *b, Value *v) {
    Value *t = tangent_of(fw, v);
    if (!t && v->def && v->def->code == OP_EMPTY) return build_empty(b, v->type, NULL);
    return t ? t : build_zero(b, v->type);
}

void set_tangent(Forward *fw, const Value *v, Value *t) {
    if (t) map_put(fw->ad->arena, &fw->tangent, v, t);
}

Op *copy_with(Builder *b, const Op *op, Value *const *opnds) {
    const Type *types[4];
    for (int i = 0; i < op->nres; i++) types[i] = op->res[i].type;
    Op *copy = build_op(b, op->code, op->nopnds, opnds, op->nres, types, 0);
    op_copy_attrs(copy, op);
    if (strstr(op_info(op->code)->attrs, "safe?")) op_set_flag(copy, A_SAFE); /* op itself is checked */
    return copy;
}

/* ---- operations that are linear in their first n operands */

static void forward_linear(Forward *fw, Builder *b, Op *op, int n) {
    Value **opnds = NEWN(fw->ad->arena, Value *, op->nopnds);
    for (int i = 0; i < op->nopnds; i++) opnds[i] = i < n ? tangent_here(fw, b, op_opnd(op, i)) : op_opnd(op, i);
    set_tangent(fw, &op->res[0], &copy_with(b, op, opnds)->res[0]);
}

/* ---- elementwise: the rule of each operand, on its tangent */

/* A tangent of 0 stays one where the derivative is infinite. */
static Value *strict_zero(Builder *b, const Op *op, Value *t, Value *v) {
    const Rule *rule = rule_find(op->code);
    if (op->nopnds != 1 || !rule || strncmp(rule->adjoint[0], "(div", 4)) return v;
    Value *zero = build_zero(b, v->type), *none = build_binary(b, OP_EQ, t, zero);
    return build_select(b, build_binary(b, OP_AND, none, build_unary(b, OP_ISNAN, v)), zero, v);
}

static void forward_select(Forward *fw, Builder *b, Op *op) {
    Value *x = tangent_here(fw, b, op_opnd(op, 1)), *y = tangent_here(fw, b, op_opnd(op, 2));
    set_tangent(fw, &op->res[0], build_select(b, op_opnd(op, 0), x, y));
}

static void forward_elementwise(Forward *fw, Builder *b, Op *op) {
    Value *x[3], *sum = NULL;
    if (op->code == OP_SELECT) return forward_select(fw, b, op);
    if (!has_adjoint(op->code)) return cannot(fw->ad, op, op_info(op->code)->mnemonic);
    for (int i = 0; i < op->nopnds; i++) x[i] = op_opnd(op, i);
    for (int i = 0; i < op->nopnds; i++) {
        Value *t = tangent_of(fw, x[i]), *v = NULL;
        if (!t) continue;
        if (op->code == OP_CAST) v = build_cast(b, t, op->res[0].type->dtype);
        else v = rule_adjoint(b, op, i, x, &op->res[0], t);
        if (!v) continue;
        v = strict_zero(b, op, t, v);
        sum = sum ? build_binary(b, OP_ADD, sum, v) : v;
    }
    set_tangent(fw, &op->res[0], sum);
}

/* ---- all of them */

static bool any_result_active(const Forward *fw, const Op *op) {
    for (int i = 0; i < op->nres; i++)
        if (is_active(fw->ad, &op->res[i])) return true;
    return false;
}

static void forward_op(Forward *fw, Op *op) {
    Builder b = builder_after(op);
    b.span = op->span;
    switch (op->code) {
    case OP_IF: return forward_branch(fw, op);
    case OP_FOR: case OP_WHILE: return forward_loop(fw, op);
    case OP_SPAWN: return forward_spawn(fw, op);
    default: break;
    }
    if (forward_memory(fw, op) || !any_result_active(fw, op)) return;
    switch (op->code) {
    case OP_CALL: case OP_EXTERN: return forward_call(fw, op);
    case OP_GENERATE: case OP_REDUCE: case OP_SCAN: return forward_comprehension(fw, op);
    default: break;
    }
    if (op_info(op->code)->traits & TR_MOVES) return forward_linear(fw, &b, op, op_moved(op));
    if (op_info(op->code)->traits & TR_ELEM) return forward_elementwise(fw, &b, op);
    if (!forward_matrix(fw, &b, op)) cannot(fw->ad, op, op_info(op->code)->mnemonic);
}

void forward_region(Forward *fw, Region *r) {
    for (Op *o = r->first, *next; o && !(op_info(o->code)->traits & TR_TERM) && !fw->ad->failed; o = next) {
        next = o->next;
        if (op_info(o->code)->ad != AD_ZERO) forward_op(fw, o);
    }
}
