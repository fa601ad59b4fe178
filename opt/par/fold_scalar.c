/* Folding of elementwise operations: constants through ir/eval.c, and identities that hold for every
 * value.  For floats that means strict IEEE: x*1, x/1, x - 0 and x + (-0) are x, but x + 0 is not (it turns
 * -0 into 0), nor is x*0 zero.  Division by a power of two is a product, exactly. */
#include "opt/par/fold.h"

#include <math.h>

bool fold_is_int(const Value *v, int64_t *out) {
    const Const *c = value_const(v);
    if (!c || !dtype_is_int(c->dtype)) return false;
    *out = c->i;
    return true;
}

bool fold_replace(Op *op, Value *v) {
    value_replace_all(&op->res[0], v);
    op_erase(op);
    return true;
}

static bool replace_const(Op *op, Const c) {
    Builder b = builder_before(op);
    return fold_replace(op, build_const(&b, c));
}

static bool replace_int(Op *op, int64_t i) { return replace_const(op, (Const){.dtype = op->res[0].type->dtype, .i = i}); }

static bool replace_binary(Op *op, OpCode c, Value *x, Value *y) {
    Builder b = builder_before(op);
    return fold_replace(op, build_binary(&b, c, x, y));
}

static Value *const_like(Op *op, const Value *v, int64_t i, double f) {
    Builder b = builder_before(op);
    return build_const(&b, (Const){.dtype = v->type->dtype, .i = i, .f = f});
}

/* ---- all operands constant */

static bool all_const(Op *op) {
    Const x[3], r;
    if (!op->nopnds || op->nopnds > 3 || op_flag(op, A_INDEFINITE) || op->res[0].type->kind != TY_SCALAR) return false;
    for (int i = 0; i < op->nopnds; i++) {
        const Const *c = value_const(op_opnd(op, i));
        if (!c) return false;
        x[i] = *c;
    }
    if (op->code == OP_SELECT) return fold_replace(op, op_opnd(op, x[0].i ? 1 : 2));
    return const_eval(op->code, op->res[0].type->dtype, op->nopnds, x, &r) && replace_const(op, r);
}

/* ---- ints and bools */

/* v as base + k, looking through one addition or subtraction of a constant. */
static Value *split_offset(Value *v, uint64_t *k) {
    int64_t c;
    *k = 0;
    if (!v->def || (v->def->code != OP_ADD && v->def->code != OP_SUB) || !fold_is_int(op_opnd(v->def, 1), &c)) return v;
    *k = v->def->code == OP_ADD ? (uint64_t)c : 0 - (uint64_t)c;
    return op_opnd(v->def, 0);
}

/* (x + a) + b, with either sign: x + (a+b). */
static bool fold_offsets(Op *op, int64_t c) {
    uint64_t inner, k = op->code == OP_ADD ? (uint64_t)c : 0 - (uint64_t)c;
    Value *base = split_offset(op_opnd(op, 0), &inner);
    if (base == op_opnd(op, 0)) return false;
    int64_t sum = const_wrap(base->type->dtype, (int64_t)(k + inner));
    if (sum == 0) return fold_replace(op, base);
    bool sub = sum < 0 && sum != INT64_MIN;
    return replace_binary(op, sub ? OP_SUB : OP_ADD, base, const_like(op, base, sub ? -sum : sum, 0));
}

/* (x * a) * b. */
static bool fold_factors(Op *op, int64_t c) {
    Op *inner = op_opnd(op, 0)->def;
    int64_t a;
    if (!inner || inner->code != OP_MUL || !fold_is_int(op_opnd(inner, 1), &a)) return false;
    Value *x = op_opnd(inner, 0);
    int64_t product = const_wrap(x->type->dtype, (int64_t)((uint64_t)a * (uint64_t)c));
    return replace_binary(op, OP_MUL, x, const_like(op, x, product, 0));
}

static int64_t all_ones(DType t) { return t == DT_BOOL ? 1 : const_wrap(t, -1); }

/* x op c for ints and bools. */
static bool int_right_const(Op *op, int64_t c) {
    Value *x = op_opnd(op, 0);
    DType t = x->type->dtype;
    switch (op->code) {
    case OP_ADD: case OP_SUB: return c == 0 ? fold_replace(op, x) : fold_offsets(op, c);
    case OP_MUL: return c == 0 ? replace_int(op, 0) : c == 1 ? fold_replace(op, x) : fold_factors(op, c);
    case OP_IDIV: return c == 1 && fold_replace(op, x);
    case OP_MOD: return c == 1 && replace_int(op, 0);
    case OP_IPOW: return c == 1 && fold_replace(op, x);
    case OP_SHL: case OP_SHR: return c == 0 && fold_replace(op, x);
    case OP_AND: return c == 0 ? replace_int(op, 0) : c == all_ones(t) && fold_replace(op, x);
    case OP_OR: return c == 0 ? fold_replace(op, x) : c == all_ones(t) && replace_int(op, c);
    case OP_XOR: return c == 0 && fold_replace(op, x);
    case OP_EQ: return t == DT_BOOL && c && fold_replace(op, x);
    case OP_NE: return t == DT_BOOL && !c && fold_replace(op, x);
    default: return false;
    }
}

/* x op x for ints and bools. */
static bool int_same(Op *op) {
    switch (op->code) {
    case OP_SUB: case OP_XOR: return replace_int(op, 0);
    case OP_EQ: case OP_LE: case OP_GE: return replace_int(op, 1);
    case OP_NE: case OP_LT: case OP_GT: return replace_int(op, 0);
    default: return false;
    }
}

/* ---- floats */

static bool is_zero(double f, bool negative) { return f == 0 && !!signbit(f) == negative; }

/* Whether 1/c is exact and, like c, a normal number. */
static bool has_exact_inverse(DType t, double c) {
    int e;
    if (!isnormal(c) || fabs(frexp(c, &e)) != 0.5) return false;
    return t == DT_F64 ? e > -1020 && e < 1020 : t == DT_F32 && e > -124 && e < 124;
}

static bool float_right_const(Op *op, double c) {
    Value *x = op_opnd(op, 0);
    switch (op->code) {
    case OP_ADD: return is_zero(c, true) && fold_replace(op, x);
    case OP_SUB: return is_zero(c, false) && fold_replace(op, x);
    case OP_MUL: return c == 1 && fold_replace(op, x);
    case OP_DIV:
        if (c == 1) return fold_replace(op, x);
        return has_exact_inverse(x->type->dtype, c) && replace_binary(op, OP_MUL, x, const_like(op, x, 0, 1 / c));
    default: return false;
    }
}

/* ---- sums that begin with 0: x + 0 is x but for x = -0, and a sum is -0 only where both sides are (IEEE 754, 6.3) */

enum { DEEP = 6, MANY_USES = 40 };

static bool is_code(const Value *v, OpCode c) { return v->def && v->def->code == c; }

static bool never_minus_zero(const Value *v, int deep);

/* Memory of the island's own, which begins as +0 or is written before it is read, where never -0 is stored; taken for
 * granted of `memory` while it is asked about */
static bool holds_no_minus_zero(const Value *memory, int deep) {
    int n = 0;
    if (!is_code(memory, OP_ALLOC) || deep <= 0) return false;
    for (const Use *u = memory->uses; u; u = u->next) {
        const Op *op = u->user;
        if (++n > MANY_USES || (op->code != OP_LOAD && (op->code != OP_STORE || u->index != 1))) return false;
        if (op->code != OP_STORE) continue;
        const Op *sum = op_opnd(op, 0)->def;
        const Op *first = sum && sum->code == OP_ADD ? op_opnd(sum, 0)->def : NULL;
        bool adds = first && first->code == OP_LOAD && op_opnd(first, 0) == memory;
        if (!adds && !never_minus_zero(op_opnd(op, 0), deep - 1)) return false;
    }
    return true;
}

/* A value that a for carries: never -0 at first, and what is added to it keeps it so */
static bool carries_no_minus_zero(const Op *loop, int at, int deep) {
    const Value *next = op_opnd(region_term(loop->regs[0]), at), *arg = loop->regs[0]->args[at + 1];
    bool adds = is_code(next, OP_ADD) && (op_opnd(next->def, 0) == arg || op_opnd(next->def, 1) == arg);
    return never_minus_zero(op_opnd(loop, at + 3), deep - 1) && (adds || next == arg || never_minus_zero(next, deep - 1));
}

static bool never_minus_zero(const Value *v, int deep) {
    const Op *op = v->def;
    const Const *c = value_const(v);
    if (c) return !(c->f == 0 && signbit(c->f));
    if (deep <= 0) return false;
    if (!op) {
        const Op *loop = v->region->owner;
        return loop && loop->code == OP_FOR && v->index > 0 && carries_no_minus_zero(loop, v->index - 1, deep);
    }
    switch (op->code) {
    case OP_ADD: return never_minus_zero(op_opnd(op, 0), deep - 1) || never_minus_zero(op_opnd(op, 1), deep - 1);
    case OP_ABS: return true;
    case OP_CAST: return !dtype_is_float(op_opnd(op, 0)->type->dtype);
    case OP_FOR: return carries_no_minus_zero(op, v->index, deep);
    case OP_LOAD: return holds_no_minus_zero(op_opnd(op, 0), deep);
    default: return false;
    }
}

/* x, where v is x + 0; else v */
static Value *without_zero(Value *v) {
    const Const *c = is_code(v, OP_ADD) ? value_const(op_opnd(v->def, 1)) : NULL;
    return c && is_zero(c->f, false) ? op_opnd(v->def, 0) : v;
}

/* (x + 0) + y is x + y where y is never -0; (x + 0) + (y + 0) is (x + y) + 0. */
static bool fold_zeros(Op *op) {
    Value *x = op_opnd(op, 0), *y = op_opnd(op, 1), *bare_x = without_zero(x), *bare_y = without_zero(y);
    if (op->code != OP_ADD) return false;
    if (bare_x != x && bare_y != y) {
        Builder b = builder_before(op);
        return replace_binary(op, OP_ADD, build_binary(&b, OP_ADD, bare_x, bare_y), const_like(op, x, 0, 0));
    }
    const Const *c = value_const(y);
    if (c) return is_zero(c->f, false) && never_minus_zero(x, DEEP) && fold_replace(op, x);
    if (bare_x != x && never_minus_zero(y, DEEP)) return replace_binary(op, OP_ADD, bare_x, y);
    return bare_y != y && never_minus_zero(x, DEEP) && replace_binary(op, OP_ADD, x, bare_y);
}

/* The least of x and infinity is x, also of NaN. */
static bool fold_infinite(Op *op) {
    const Const *x = value_const(op_opnd(op, 0)), *y = value_const(op_opnd(op, 1)), *c = y ? y : x;
    if ((op->code != OP_MIN && op->code != OP_MAX) || !c) return false;
    if (!isinf(c->f) || (c->f > 0) != (op->code == OP_MIN)) return false;
    return fold_replace(op, op_opnd(op, c == y ? 0 : 1));
}

/* ---- any type */
static bool fold_unary(Op *op) {
    Value *x = op_opnd(op, 0);
    Builder b = builder_before(op);
    switch (op->code) {
    case OP_NEG: case OP_NOT: return is_code(x, op->code) && fold_replace(op, op_opnd(x->def, 0));
    case OP_ABS:
        if (is_code(x, OP_ABS)) return fold_replace(op, x);
        return is_code(x, OP_NEG) && fold_replace(op, build_unary(&b, OP_ABS, op_opnd(x->def, 0)));
    case OP_CAST: return x->type == op->res[0].type && fold_replace(op, x);
    default: return false;
    }
}

static bool is_bool_const(const Value *v, bool want) {
    const Const *c = value_const(v);
    return c && c->dtype == DT_BOOL && (c->i != 0) == want;
}

static bool fold_select(Op *op) {
    Value *c = op_opnd(op, 0), *x = op_opnd(op, 1), *y = op_opnd(op, 2);
    Builder b = builder_before(op);
    if (x == y) return fold_replace(op, x);
    if (is_bool_const(c, true)) return fold_replace(op, x);
    if (is_bool_const(c, false)) return fold_replace(op, y);
    if (is_code(c, OP_NOT)) return fold_replace(op, build_select(&b, op_opnd(c->def, 0), y, x));
    if (x->type->dtype != DT_BOOL) return false;
    if (is_bool_const(x, true)) return fold_replace(op, build_binary(&b, OP_OR, c, y));
    if (is_bool_const(y, false)) return fold_replace(op, build_binary(&b, OP_AND, c, x));
    if (is_bool_const(x, false)) return fold_replace(op, build_binary(&b, OP_AND, build_unary(&b, OP_NOT, c), y));
    if (is_bool_const(y, true)) return fold_replace(op, build_binary(&b, OP_OR, build_unary(&b, OP_NOT, c), x));
    return false;
}

/* The operation that does the same with its operands swapped, or OP_COUNT */
static OpCode mirrored(OpCode c) {
    return opcode_is_compare(c) ? opcode_mirrored(c) : op_info(c)->traits & TR_COMMUTES ? c : OP_COUNT;
}

/* Constants go to the right.  (min and max are left: which NaN or zero comes out depends on the order.) */
static bool swap_const(Op *op) {
    Value *x = op_opnd(op, 0), *y = op_opnd(op, 1);
    OpCode c = mirrored(op->code);
    bool ordered = (op->code == OP_MIN || op->code == OP_MAX) && dtype_is_float(x->type->dtype);
    if (c == OP_COUNT || ordered || !value_const(x) || value_const(y)) return false;
    return replace_binary(op, c, y, x);
}

static bool fold_binary(Op *op) {
    Value *x = op_opnd(op, 0), *y = op_opnd(op, 1);
    bool is_float = dtype_is_float(x->type->dtype);
    bool idempotent = op->code == OP_MIN || op->code == OP_MAX || op->code == OP_AND || op->code == OP_OR;
    if (swap_const(op)) return true;
    if (x == y && idempotent) return fold_replace(op, x);
    if (x->type->kind != TY_SCALAR || x->type->dtype == DT_STR) return false;
    if (x == y && !is_float && int_same(op)) return true;
    if (is_float && (fold_zeros(op) || fold_infinite(op))) return true;
    const Const *c = value_const(y);
    if (!c) return false;
    return is_float ? float_right_const(op, c->f) : int_right_const(op, c->i);
}

bool fold_elementwise(Op *op) {
    if (all_const(op)) return true;
    if (op->code == OP_SELECT) return fold_select(op);
    return op->nopnds == 1 ? fold_unary(op) : op->nopnds == 2 && fold_binary(op);
}
