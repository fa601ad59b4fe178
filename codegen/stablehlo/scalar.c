/* Elementwise operations. */
#include "codegen/stablehlo/private.h"

#include <math.h>

/* ---- operations of the IR */

static const Ten *operand(Hlo *h, const Op *op, int i) { return ten_of(h, op_opnd(op, i)); }
static void result(Hlo *h, const Op *op, const Ten *t) { hlo_set(h, &op->res[0], t); }

/* All operands are known: so is the result */
static bool folded(Hlo *h, const Op *op) {
    Const x[4], c;
    if (op->nopnds > 4 || type_is_tensor(op->res[0].type)) return false;
    for (int i = 0; i < op->nopnds; i++) {
        if (!operand(h, op, i)->is_known) return false;
        x[i] = operand(h, op, i)->known;
    }
    if (!const_eval(op->code, op->res[0].type->dtype, op->nopnds, x, &c)) return false;
    return result(h, op, ten_const(h, c)), true;
}

void hlo_const(Hlo *h, const Op *op, const char *word) {
    (void)word;
    result(h, op, ten_const(h, op_attr(op, A_VALUE)->c));
}

void hlo_size(Hlo *h, const Op *op, const char *word) {
    (void)word;
    result(h, op, ten_int(h, hlo_extent(h, op->span, op_attr(op, A_SIZE)->sizes[0])));
}

void hlo_threads(Hlo *h, const Op *op, const char *word) {
    (void)word;
    result(h, op, ten_int(h, 1));
}

void hlo_same(Hlo *h, const Op *op, const char *word) {
    (void)word;
    result(h, op, operand(h, op, 0));
}

void hlo_unary(Hlo *h, const Op *op, const char *word) {
    if (!folded(h, op)) result(h, op, ten_unary(h, word, operand(h, op, 0)));
}

/* Operations of CHLO, which XLA takes too, name their result */
void hlo_chlo(Hlo *h, const Op *op, const char *word) {
    if (folded(h, op)) return;
    const Ten *x = ten_written(h, operand(h, op, 0));
    result(h, op, ten_like(h, x->dtype, x,
                           hlo_op(h, "%s %s : %s -> %s", word, x->ssa, ten_type(h, x), ten_type(h, x))));
}

void hlo_neg(Hlo *h, const Op *op, const char *word) {
    const Ten *x = operand(h, op, 0);
    if (folded(h, op)) return;
    result(h, op, x->is_linear ? ten_sub(h, ten_int(h, 0), x) : ten_unary(h, word, x));
}

void hlo_binary(Hlo *h, const Op *op, const char *word) {
    const Ten *x = operand(h, op, 0), *y = operand(h, op, 1);
    if (folded(h, op)) return;
    result(h, op, op->code == OP_ADD   ? ten_add(h, x, y)
                  : op->code == OP_SUB ? ten_sub(h, x, y)
                  : op->code == OP_MUL ? ten_mul(h, x, y)
                                       : ten_binary(h, word, x, y));
}

static int64_t lesser(bool is_min, int64_t a, int64_t b) { return (a < b) == is_min ? a : b; }

/* Of the minimum, or maximum, of x and y */
static void note_range(const Hlo *h, Ten *t, bool is_min, const Ten *x, const Ten *y) {
    int64_t a = 0, b = 0;
    if (t->dtype != DT_I64) return;
    bool of_x = ten_most(h, x, &a), of_y = ten_most(h, y, &b);
    t->has_most = is_min ? of_x || of_y : of_x && of_y;
    if (t->has_most) t->most = !of_y ? a : !of_x ? b : lesser(is_min, a, b);
    of_x = ten_least(h, x, &a), of_y = ten_least(h, y, &b);
    t->has_least = is_min ? of_x && of_y : of_x || of_y;
    if (t->has_least) t->least = !of_y ? a : !of_x ? b : lesser(is_min, a, b);
}

void hlo_min_max(Hlo *h, const Op *op, const char *word) {
    const Ten *x = operand(h, op, 0), *y = operand(h, op, 1);
    bool is_min = op->code == OP_MIN;
    if (folded(h, op)) return;
    bool ints = x->dtype == DT_I64 && !x->rank && !y->rank;
    const Ten *less = ints ? ten_compare(h, is_min ? "LE" : "GE", x, y) : NULL;
    if (less && less->is_known) {
        result(h, op, less->known.i ? x : y);
        return;
    }
    const Ten *both = ten_binary(h, word, x, y);
    Ten *r = ten_like(h, both->dtype, both, both->ssa);
    note_range(h, r, is_min, x, y);
    result(h, op, ints ? pick_noted(h, r, less, x, y) : r);
}

void hlo_logic(Hlo *h, const Op *op, const char *word) {
    const Ten *x = operand(h, op, 0), *y = operand(h, op, 1);
    if (folded(h, op)) return;
    bool bools = x->dtype == DT_BOOL && !x->rank;
    result(h, op, !bools || op->code == OP_XOR ? ten_binary(h, word, x, y)
                  : op->code == OP_AND         ? ten_and(h, x, y)
                                               : ten_or(h, x, y));
}

void hlo_compare(Hlo *h, const Op *op, const char *word) {
    if (!folded(h, op)) result(h, op, ten_compare(h, word, operand(h, op, 0), operand(h, op, 1)));
}

void hlo_select(Hlo *h, const Op *op, const char *word) {
    (void)word;
    result(h, op, ten_select(h, operand(h, op, 0), operand(h, op, 1), operand(h, op, 2)));
}

void hlo_not(Hlo *h, const Op *op, const char *word) {
    (void)word;
    if (!folded(h, op)) result(h, op, ten_not(h, operand(h, op, 0)));
}

void hlo_cast(Hlo *h, const Op *op, const char *word) {
    (void)word;
    result(h, op, ten_cast(h, operand(h, op, 0), op->res[0].type->dtype));
}

static void check_divisor(Hlo *h, const Op *op, const Ten *y) {
    if (dtype_is_float(y->dtype) || op_flag(op, A_SAFE)) return;
    hlo_check(h, op->span, "E0602", "integer division or modulo by zero",
              ten_compare(h, "NE", y, ten_number(h, y, 0)));
}

static bool is_signed(const Ten *x) { return dtype_info(x->dtype)->kind != DK_UINT && x->dtype != DT_BOOL; }

/* The remainder has the sign of y */
static const Ten *floor_mod(Hlo *h, const Ten *x, const Ten *y) {
    const Ten *r = ten_binary(h, "stablehlo.remainder", x, y), *zero = ten_number(h, x, 0);
    if (!is_signed(x)) return r;
    const Ten *negative = ten_compare(h, "NE", ten_compare(h, "LT", r, zero), ten_compare(h, "LT", y, zero));
    return ten_select(h, ten_and(h, ten_compare(h, "NE", r, zero), negative), ten_binary(h, "stablehlo.add", r, y), r);
}

/* x and y with the remainder or quotient known from their ranges: 0 <= x < y, of linear ints */
static bool is_below(Hlo *h, const Ten *x, const Ten *y) {
    if (!linear_both(x, y)) return false;
    const Ten *small = ten_compare(h, "LT", x, y), *natural = ten_compare(h, "GE", x, ten_int(h, 0));
    return small->is_known && small->known.i && natural->is_known && natural->known.i;
}

/* Of a linear x and a constant y > 0 the part of x that y divides, the rest being from 0 to y; NULL: there is none */
static const Ten *divided_part(Hlo *h, const Ten *x, const Ten *y, const Ten **rest) {
    if (!linear_both(x, y) || !y->is_known || y->start <= 0) return NULL;
    Ten *whole = linear_zero(h, x, x), *left = linear_zero(h, x, x);
    left->start = x->start % y->start, whole->start = x->start - left->start;
    for (int i = 0; i < x->naxes; i++) {
        bool divides = x->coef[i] % y->start == 0;
        whole->coef[i] = divides ? x->coef[i] : 0, left->coef[i] = divides ? 0 : x->coef[i];
    }
    *rest = linear_tidied(h, left);
    return is_below(h, *rest, y) ? linear_tidied(h, whole) : NULL;
}

static const Ten *linear_quotient(Hlo *h, const Ten *whole, int64_t by) {
    Ten *r = linear_zero(h, whole, whole);
    r->start = whole->start / by;
    for (int i = 0; i < r->naxes; i++) r->coef[i] = whole->coef[i] / by;
    return linear_tidied(h, r);
}

/* r, with what it is a remainder of */
static const Ten *wrapped(Hlo *h, const Ten *r, const Ten *x, const Ten *y) {
    if (!y->is_known || y->dtype != DT_I64 || y->known.i < 1 || r->rank) return r;
    Ten *t = ten_like(h, DT_I64, r, r->ssa);
    t->has_least = t->has_most = true, t->most = y->known.i - 1;
    if (linear_alone(x)) t->around = x, t->wrap = y->known.i;
    return t;
}

const Ten *ten_mod(Hlo *h, const Ten *x, const Ten *y) {
    const Ten *rest;
    if (x->around && y->is_known && y->start == x->wrap)
        return ten_mod(h, ten_add(h, x->around, ten_int(h, x->past)), y);
    return divided_part(h, x, y, &rest) ? rest : wrapped(h, floor_mod(h, x, y), x, y);
}

void hlo_mod(Hlo *h, const Op *op, const char *word) {
    const Ten *x = operand(h, op, 0), *y = operand(h, op, 1);
    (void)word;
    if (folded(h, op)) return;
    check_divisor(h, op, y);
    result(h, op, ten_mod(h, x, y));
}

/* As dsl_idiv_f64 of runtime/dsl.h: by the remainder, rounded, by 0 as a quotient */
static const Ten *float_idiv(Hlo *h, const Ten *x, const Ten *y) {
    const Ten *zero = ten_number(h, x, 0), *one = ten_number(h, x, 1),
              *r = ten_binary(h, "stablehlo.remainder", x, y);
    const Ten *other = ten_compare(h, "NE", ten_compare(h, "LT", r, zero), ten_compare(h, "LT", y, zero));
    const Ten *q = ten_binary(h, "stablehlo.divide", ten_binary(h, "stablehlo.subtract", x, r), y);
    const Ten *less = ten_and(h, ten_compare(h, "NE", r, zero), other),
              *plain = ten_binary(h, "stablehlo.divide", x, y);
    q = ten_select(h, less, ten_binary(h, "stablehlo.subtract", q, one), q);
    q = ten_unary(h, "stablehlo.round_nearest_even", q);
    return ten_select(h, ten_compare(h, "EQ", y, zero), plain, q);
}

/* One less than the quotient towards 0, where something remains and the signs differ */
static const Ten *int_idiv(Hlo *h, const Ten *x, const Ten *y) {
    const Ten *q = ten_binary(h, "stablehlo.divide", x, y), *zero = ten_number(h, x, 0);
    if (!is_signed(x)) return q;
    const Ten *r = ten_binary(h, "stablehlo.remainder", x, y);
    const Ten *other = ten_compare(h, "NE", ten_compare(h, "LT", x, zero), ten_compare(h, "LT", y, zero));
    const Ten *less = ten_binary(h, "stablehlo.subtract", q, ten_number(h, x, 1));
    return ten_select(h, ten_and(h, ten_compare(h, "NE", r, zero), other), less, q);
}

void hlo_idiv(Hlo *h, const Op *op, const char *word) {
    const Ten *x = operand(h, op, 0), *y = operand(h, op, 1), *rest, *whole, *r;
    (void)word;
    if (folded(h, op)) return;
    check_divisor(h, op, y);
    whole = divided_part(h, x, y, &rest);
    if (whole) {
        result(h, op, linear_quotient(h, whole, y->start));
        return;
    }
    if (dtype_is_float(x->dtype)) r = float_idiv(h, x, y);
    else r = int_idiv(h, x, y);
    result(h, op, r);
}

void hlo_div(Hlo *h, const Op *op, const char *word) { hlo_binary(h, op, word); }

/* By squaring, bit by bit of y */
void hlo_ipow(Hlo *h, const Op *op, const char *word) {
    const Ten *x = operand(h, op, 0), *y = operand(h, op, 1), *r = ten_number(h, x, 1);
    if (folded(h, op)) return;
    const Ten *one = ten_number(h, y, 1), *zero = ten_number(h, y, 0);
    if (is_signed(y) && !op_flag(op, A_SAFE))
        hlo_check(h, op->span, "E0608", "integer power with a negative exponent", ten_compare(h, "GE", y, zero));
    for (int bit = 0; bit < 8 * dtype_info(y->dtype)->bytes; bit++) {
        const Ten *odd = ten_compare(h, "NE", ten_binary(h, "stablehlo.and", y, one), zero);
        r = ten_select(h, odd, ten_binary(h, word, r, x), r);
        x = ten_binary(h, word, x, x), y = ten_binary(h, "stablehlo.shift_right_logical", y, one);
    }
    result(h, op, r);
}

void hlo_sign(Hlo *h, const Op *op, const char *word) {
    const Ten *x = operand(h, op, 0);
    if (folded(h, op)) return;
    if (is_signed(x)) result(h, op, ten_unary(h, word, x));
    else result(h, op, ten_cast(h, ten_compare(h, "NE", x, ten_number(h, x, 0)), x->dtype));
}

void hlo_exp2(Hlo *h, const Op *op, const char *word) {
    const Ten *x = operand(h, op, 0);
    if (!folded(h, op)) result(h, op, ten_binary(h, word, ten_number(h, x, 2), x));
}

static void log_by(Hlo *h, const Op *op, const char *word, double base) {
    const Ten *x = operand(h, op, 0);
    if (!folded(h, op))
        result(h, op, ten_binary(h, "stablehlo.divide", ten_unary(h, word, x), ten_number(h, x, log(base))));
}
void hlo_log2(Hlo *h, const Op *op, const char *word) { log_by(h, op, word, 2); }
void hlo_log10(Hlo *h, const Op *op, const char *word) { log_by(h, op, word, 10); }

static const Ten *chlo(Hlo *h, const char *word, const Ten *x) {
    x = ten_written(h, x);
    return ten_like(h, x->dtype, x, hlo_op(h, "%s %s : %s -> %s", word, x->ssa, ten_type(h, x), ten_type(h, x)));
}

/* exp(lgamma(x)), and below 0 by the reflection formula: pi / (sin(pi x) gamma(1 - x)) */
void hlo_tgamma(Hlo *h, const Op *op, const char *word) {
    const Ten *x = operand(h, op, 0), *one = ten_number(h, x, 1), *pi = ten_number(h, x, 3.14159265358979323846);
    if (folded(h, op)) return;
    const Ten *up = ten_unary(h, "stablehlo.exponential", chlo(h, word, x));
    const Ten *other =
        ten_unary(h, "stablehlo.exponential", chlo(h, word, ten_binary(h, "stablehlo.subtract", one, x)));
    const Ten *sine = ten_unary(h, "stablehlo.sine", ten_binary(h, "stablehlo.multiply", pi, x));
    const Ten *down = ten_binary(h, "stablehlo.divide", pi, ten_binary(h, "stablehlo.multiply", sine, other));
    result(h, op, ten_select(h, ten_compare(h, "LT", x, ten_number(h, x, 0)), down, up));
}

/* The greater times sqrt(1 + (less / greater)^2) */
void hlo_hypot(Hlo *h, const Op *op, const char *word) {
    if (folded(h, op)) return;
    const Ten *x = ten_unary(h, "stablehlo.abs", operand(h, op, 0)),
              *y = ten_unary(h, "stablehlo.abs", operand(h, op, 1));
    const Ten *most = ten_binary(h, "stablehlo.maximum", x, y), *least = ten_binary(h, "stablehlo.minimum", x, y);
    const Ten *zero = ten_number(h, x, 0), *part = ten_binary(h, "stablehlo.divide", least, most);
    const Ten *sum =
        ten_binary(h, "stablehlo.add", ten_number(h, x, 1), ten_binary(h, "stablehlo.multiply", part, part));
    const Ten *r = ten_binary(h, "stablehlo.multiply", most, ten_unary(h, word, sum));
    const Ten *plain = ten_binary(h, "stablehlo.add", x, y);
    const Ten *odd = ten_or(h, ten_compare(h, "EQ", least, zero),
                            ten_not(h, ten_compare(h, "LT", most, ten_number(h, x, INFINITY))));
    result(h, op, ten_select(h, odd, plain, r));
}

void hlo_fma(Hlo *h, const Op *op, const char *word) {
    if (!folded(h, op))
        result(h, op, ten_binary(h, word, ten_binary(h, "stablehlo.multiply", operand(h, op, 0), operand(h, op, 1)),
                                 operand(h, op, 2)));
}

void hlo_isnan(Hlo *h, const Op *op, const char *word) {
    const Ten *x = operand(h, op, 0);
    if (!folded(h, op)) result(h, op, ten_compare(h, word, x, x));
}

/* |x| beside infinity */
void hlo_isinf(Hlo *h, const Op *op, const char *word) {
    const Ten *x = operand(h, op, 0);
    if (!folded(h, op))
        result(h, op, ten_compare(h, word, ten_unary(h, "stablehlo.abs", x), ten_number(h, x, INFINITY)));
}

void hlo_trunc(Hlo *h, const Op *op, const char *word) {
    const Ten *x = operand(h, op, 0);
    if (folded(h, op)) return;
    const Ten *down = ten_unary(h, word, ten_unary(h, "stablehlo.abs", x));
    result(h, op,
           ten_select(h, ten_compare(h, "LT", x, ten_number(h, x, 0)), ten_unary(h, "stablehlo.negate", down),
                      down));
}

/* Amounts beyond the bits give 0, or the sign */
void hlo_shift(Hlo *h, const Op *op, const char *word) {
    const Ten *x = operand(h, op, 0), *y = operand(h, op, 1);
    if (folded(h, op)) return;
    int bits = 8 * dtype_info(x->dtype)->bytes;
    bool by_sign = op->code == OP_SHR && is_signed(x);
    const Ten *most = ten_number(h, y, bits - 1), *zero = ten_number(h, y, 0);
    const Ten *in = ten_and(h, ten_compare(h, "LE", y, most), ten_compare(h, "GE", y, zero));
    const char *how = !by_sign && op->code == OP_SHR ? "stablehlo.shift_right_logical" : word;
    const Ten *other = by_sign ? ten_binary(h, how, x, most) : ten_number(h, x, 0);
    result(h, op, ten_select(h, in, ten_binary(h, how, x, ten_select(h, in, y, zero)), other));
}
