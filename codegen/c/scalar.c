/* Scalar operations as C expressions.  What C means by an operator is what we mean, given -fwrapv and
 * -ffp-contract=off, but for: ints narrower than int (cast back), division (floors), shifts by any amount. */
#include "codegen/c/private.h"

#include <math.h>
#include <string.h>

static Expr expr_call(Emit *e, const char *name, const Op *op) {
    Text t;
    text_init(&t, e->arena);
    text_printf(&t, "%s(", name);
    for (int i = 0; i < op->nopnds; i++) text_printf(&t, "%s%s", i ? ", " : "", emit_opnd(e, op, i).text);
    text_printf(&t, ")");
    return (Expr){.text = text_str(&t), .prec = PREC_POSTFIX};
}

/* Halves round after each operation. */
static Expr rounded(Emit *e, DType t, Expr x) {
    if (!dtype_is_half(t)) return x;
    return expr_printf(e, PREC_POSTFIX, "dsl_round_%s(%s)", dtype_info(t)->name, x.text);
}

/* x as a value of ints narrower than int, or as it is */
static Expr wrapped(Emit *e, DType t, Expr x) {
    const char *cast = expr_narrow(e, t);
    return *cast ? expr_printf(e, PREC_UNARY, "%s%s", cast, expr_in(e, x, PREC_UNARY)) : x;
}

static Expr typed_literal(Emit *e, DType t, Expr x) {
    return x.literal ? expr_printf(e, PREC_UNARY, "(%s)%s", c_type(t), expr_in(e, x, PREC_UNARY)) : x;
}

static DType opnd_dtype(const Op *op, int i) { return op_opnd(op, i)->type->dtype; }

static Expr binary(Emit *e, const char *sign, const Op *op) {
    if (op->code == OP_SUB &&
        is_zero_constant(op_opnd(op, 0))) /* gcc 12 takes 0.0 - (double)i for a negation: -0 when i is 0 */
        return rounded(e, opnd_dtype(op, 0),
                       expr_printf(e, PREC_POSTFIX, "dsl_zero_minus_%s(%s)",
                                   dtype_info(dtype_computed(opnd_dtype(op, 0)))->name, emit_opnd(e, op, 1).text));
    Expr a = emit_opnd(e, op, 0), b = emit_opnd(e, op, 1);
    DType t = opnd_dtype(op, 0);
    if (a.literal && b.literal && dtype_info(t)->bytes == 8) a = typed_literal(e, t, a);
    Expr x = expr_binary(e, sign, a, b);
    return op_info(op->code)->traits & TR_BOOL ? x : rounded(e, t, wrapped(e, t, x));
}

Expr emit_const(Emit *e, const Op *op) { return expr_const(e, &op_attr(op, A_VALUE)->c); }

Expr emit_size(Emit *e, const Op *op) { return expr_size(e, op_attr(op, A_SIZE)->sizes[0]); }

/* Those of all processes */
Expr emit_threads(Emit *e, const Op *op) {
    (void)op;
    return expr_printf(e, PREC_POSTFIX, e->opts->ranks ? "dsl_ranks_threads()" : "dsl_threads()");
}

/* "$0 + $1": the operator stands between the operands */
Expr emit_template(Emit *e, const Op *op) {
    const char *tmpl = op_info(op->code)->ctemplate;
    char sign[4] = "";
    size_t n = strlen(tmpl);
    if (n < 7 || n > 8 || strncmp(tmpl, "$0 ", 3)) bug("C template '%s' of %s", tmpl, op_info(op->code)->mnemonic);
    memcpy(sign, tmpl + 3, n - 6);
    return binary(e, sign, op);
}

/* On bools these are && and ||: operands have no effects, and the compiler knows. */
Expr emit_logical(Emit *e, const Op *op) {
    bool is_and = op->code == OP_AND;
    if (opnd_dtype(op, 0) == DT_BOOL) return binary(e, is_and ? "&&" : "||", op);
    return binary(e, is_and ? "&" : "|", op);
}

Expr emit_helper(Emit *e, const Op *op) {
    DType t = opnd_dtype(op, 0);
    if (t == DT_BOOL) return binary(e, op->code == OP_MIN ? "&&" : "||", op);
    return expr_call(e, elementwise_function(e->arena, op), op);
}

/* ---- division */

static Expr divide_u32(Emit *e, const Op *op, const char *sign) {
    const char *x = expr_in(e, emit_opnd(e, op, 0), PREC_UNARY), *y = expr_in(e, emit_opnd(e, op, 1), PREC_UNARY);
    return expr_printf(e, PREC_UNARY, "(int64_t)((uint32_t)%s %s (uint32_t)%s)", x, sign, y);
}

static Expr divide_by_power(Emit *e, const Op *op, const char *shift, bool by_mask) {
    DType t = opnd_dtype(op, 0);
    int64_t k;
    int_constant(op_opnd(op, 1), &k);
    Expr amount = expr_int(e, by_mask ? k - 1 : __builtin_ctzll((unsigned long long)k));
    return wrapped(e, t, expr_binary(e, shift, typed_literal(e, t, emit_opnd(e, op, 0)), amount));
}

static Expr divide(Emit *e, const Op *op, const char *sign, const char *shift, bool by_mask) {
    DType t = opnd_dtype(op, 0);
    if (!dtype_is_float(t)) emit_check_divisor(e, op);
    switch (plan_division(&e->ranges, e->session, op)) {
    case DIVISION_UNSIGNED: return wrapped(e, t, binary(e, sign, op));
    case DIVISION_U32: return divide_u32(e, op, sign);
    case DIVISION_POWER: return divide_by_power(e, op, shift, by_mask);
    case DIVISION_FUNCTION: break;
    }
    return rounded(e, t, expr_call(e, elementwise_function(e->arena, op), op));
}

/* Floor division; by a power of two it is a shift, the remainder a mask, for negative numbers too. */
Expr emit_idiv(Emit *e, const Op *op) { return divide(e, op, "/", ">>", 0); }
Expr emit_mod(Emit *e, const Op *op) { return divide(e, op, "%", "&", 1); }

Expr emit_ipow(Emit *e, const Op *op) {
    if (check_needs_exponent(op)) {
        Expr y = emit_opnd(e, op, 1);
        emit_line(e, "if (DSL_UNLIKELY(%s < 0)) dsl_fail_negpow(%s, %s);", expr_in(e, y, PREC_ADD),
                  emit_site(e, op->span), y.text);
    }
    return expr_call(e, elementwise_function(e->arena, op), op);
}

/* ---- one operand */

Expr emit_neg(Emit *e, const Op *op) {
    Expr x = emit_opnd(e, op, 0);
    const char *inner = expr_in(e, x, PREC_UNARY);
    return wrapped(e, opnd_dtype(op, 0), expr_printf(e, PREC_UNARY, *inner == '-' ? "-(%s)" : "-%s", inner));
}

Expr emit_abs(Emit *e, const Op *op) {
    DType t = opnd_dtype(op, 0);
    return dtype_info(t)->kind == DK_UINT ? emit_opnd(e, op, 0) : emit_helper(e, op);
}

Expr emit_not(Emit *e, const Op *op) {
    DType t = opnd_dtype(op, 0);
    const char *x = expr_in(e, emit_opnd(e, op, 0), PREC_UNARY);
    return t == DT_BOOL ? expr_printf(e, PREC_UNARY, "!%s", x) : wrapped(e, t, expr_printf(e, PREC_UNARY, "~%s", x));
}

Expr emit_math(Emit *e, const Op *op) {
    return rounded(e, op->res[0].type->dtype, expr_call(e, elementwise_function(e->arena, op), op));
}

Expr emit_classify(Emit *e, const Op *op) { return expr_call(e, op_info(op->code)->mnemonic, op); }

/* ---- shifts, select, cast */

Expr emit_shift(Emit *e, const Op *op) {
    DType t = opnd_dtype(op, 0);
    int64_t k;
    bool in_range = int_constant(op_opnd(op, 1), &k) && k >= 0 && k < 8 * dtype_info(t)->bytes;
    if (!in_range) return emit_helper(e, op);
    Expr x = typed_literal(e, t, emit_opnd(e, op, 0));
    return wrapped(e, t, expr_binary(e, op->code == OP_SHL ? "<<" : ">>", x, expr_int(e, k)));
}

static bool is_plain_zero(const Value *v) {
    const Const *c = value_const(v);
    return c && c->f == 0 && !signbit(c->f);
}

/* `x == 0 ? 0 : v` of floats that C computes with */
static bool is_unless_zero(const Op *op) {
    const Op *eq = op_opnd(op, 0)->def;
    DType t = op->res[0].type->dtype;
    if ((t != DT_F32 && t != DT_F64) || !eq || eq->code != OP_EQ || opnd_dtype(eq, 0) != t) return false;
    return is_plain_zero(op_opnd(eq, 1)) && is_plain_zero(op_opnd(op, 1));
}

Expr emit_select(Emit *e, const Op *op) {
    if (is_unless_zero(op))
        return expr_printf(e, PREC_POSTFIX, "dsl_unless_%s(%s, %s)", dtype_info(op->res[0].type->dtype)->name,
                           emit_opnd(e, op, 0).text, emit_opnd(e, op, 2).text);
    Expr c = emit_opnd(e, op, 0), x = emit_opnd(e, op, 1), y = emit_opnd(e, op, 2);
    Expr r = expr_printf(e, PREC_COND, "%s ? %s : %s", expr_in(e, c, PREC_LOR), expr_in(e, x, PREC_LOR),
                         expr_in(e, y, PREC_COND));
    r.literal = x.literal && y.literal;
    return r;
}

static Expr cast_to(Emit *e, DType t, Expr x) {
    return expr_printf(e, PREC_UNARY, "(%s)%s", c_type(t), expr_in(e, x, PREC_UNARY));
}

Expr emit_cast(Emit *e, const Op *op) {
    DType from = opnd_dtype(op, 0), to = op->res[0].type->dtype;
    Expr x = emit_opnd(e, op, 0);
    if (from == to) return x;
    if (to == DT_BOOL) return expr_binary(e, "!=", x, expr_atom("0"));
    const char *function = cast_function(e->arena, op);
    if (function) return expr_printf(e, PREC_POSTFIX, "%s(%s)", function, x.text);
    if (dtype_computed(from) == to) return x;
    return rounded(e, to, cast_to(e, to, x));
}
