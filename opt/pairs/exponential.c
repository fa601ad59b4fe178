/* exp, log, powers and hyperbolic functions of pairs of f64.
 *
 * exp(x) = 2^k exp(r / 256)^256, r = x - k log 2 with log 2 in three parts, expm1 by its series, and e -> 2 e + e^2
 * eight times (Y. Hida, X. S. Li, D. H. Bailey, Library for double-double and quad-double arithmetic, 2007, 3.7).
 * log x by one step of Newton from that of f64, log y + x / y - 1, and near 1 by 2 atanh((x - 1) / (x + 1)). */
#include "opt/pairs/functions.h"

enum { HALVINGS = 8, EXP_TERMS = 11, EXP_PAIRS = 6, LOG_TERMS = 14, LOG_PAIRS = 8 };

static const double log_2[] = {0x1.62e42fefa3800p-1, 0x1.ef35793c76800p-45, -0x1.9ff0342542fc3p-90}; /* 42 bits each */
static const Known log_2_pair = {0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56};
static const Known one_by_log_2 = {0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56};
static const Known one_by_log_10 = {0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57};

/* ---- exp */

/* x = k log 2 + r: r; products of k and the first two parts are exact */
static Pair exp_rest(Builder *b, Pair x, Value *k) {
    Value *minus = build_unary(b, OP_NEG, k);
    for (int i = 0; i < 3; i++) x = finite_add(b, x, pair_of(b, fn_mul(b, minus, fn_float(b, log_2[i]))));
    return x;
}

/* expm1(r), |r| < 0.35: r / 256 (1 + ..), and doubled again */
static Pair exp_series(Builder *b, Pair r) {
    Known factor = {1, 0}; /* 1 / (k + 1)! */
    Pair c[EXP_TERMS];
    for (int i = 0; i < EXP_TERMS; i++) {
        factor = fn_divided(factor, i + 1);
        c[i] = fn_known(b, factor);
    }
    Pair s = pair_scaled(b, r, fn_float(b, 1.0 / (1 << HALVINGS)));
    Pair e = finite_mul(b, s, fn_polynomial(b, s, EXP_TERMS, c, EXP_PAIRS));
    for (int i = 0; i < HALVINGS; i++) e = finite_add(b, pair_scaled(b, e, fn_float(b, 2)), finite_mul(b, e, e));
    return e;
}

/* e 2^k, by two powers that are in range */
static Pair times_power(Builder *b, Pair e, Value *k) {
    Value *k1 = build_unary(b, OP_TRUNC, fn_mul(b, k, fn_float(b, 0.5))), *k2 = build_binary(b, OP_SUB, k, k1);
    e = pair_scaled(b, e, build_unary(b, OP_EXP2, k1));
    return pair_scaled(b, e, build_unary(b, OP_EXP2, k2));
}

/* The whole number k next to x / log 2, 0 where x is too large for exp */
static Value *exp_power(Builder *b, Pair x, double by) {
    Value *k = build_unary(b, OP_ROUND, fn_mul(b, x.hi, fn_float(b, by)));
    return build_select(b, fn_size_below(b, x, 1100), k, fn_float(b, 0));
}

Pair fn_exp(Builder *b, Pair x) {
    Value *k = exp_power(b, x, one_by_log_2.hi);
    Pair e = times_power(b, fn_plus(b, exp_series(b, exp_rest(b, x, k)), 1), k);
    Value *small = fn_size_below(b, x, 709);
    return pair_select(b, small, e, pair_of(b, build_unary(b, OP_EXP, x.hi)));
}

Pair fn_expm1(Builder *b, Pair x) {
    Value *k = exp_power(b, x, one_by_log_2.hi), *none = build_binary(b, OP_EQ, k, fn_float(b, 0));
    Pair e = exp_series(b, exp_rest(b, x, k));
    Pair more = fn_plus(b, times_power(b, fn_plus(b, e, 1), k), -1);
    Pair high = pair_of(b, build_unary(b, OP_EXPM1, x.hi));
    return pair_select(b, fn_size_below(b, x, 709), pair_select(b, none, e, more), high);
}

Pair fn_exp2(Builder *b, Pair x) {
    Value *k = exp_power(b, x, 1);
    Pair r = finite_mul(b, finite_sub(b, x, pair_of(b, k)), fn_known(b, log_2_pair));
    Pair e = times_power(b, fn_plus(b, exp_series(b, r), 1), k);
    return pair_select(b, fn_size_below(b, x, 1022), e, pair_of(b, build_unary(b, OP_EXP2, x.hi)));
}

/* ---- log */

/* 2 atanh(z), |z| < 0.06 */
static Pair twice_atanh(Builder *b, Pair z) {
    Pair c[LOG_TERMS];
    for (int i = 0; i < LOG_TERMS; i++) c[i] = fn_known(b, fn_divided((Known){2, 0}, 2 * i + 1));
    return finite_mul(b, z, fn_polynomial(b, finite_mul(b, z, z), LOG_TERMS, c, LOG_PAIRS));
}

static Pair newton_log(Builder *b, Pair x) {
    Value *first = build_unary(b, OP_LOG, x.hi);
    Pair d = fn_plus(b, finite_mul(b, x, fn_exp(b, pair_of(b, build_unary(b, OP_NEG, first)))), -1);
    Value *square = fn_mul(b, fn_mul(b, d.hi, d.hi), fn_float(b, -0.5));
    Pair y = finite_add(b, pair_of(b, first), finite_add(b, d, pair_of(b, square)));
    return pair_or_high(b, y, first);
}

Pair fn_log1p(Builder *b, Pair x) {
    Pair near = twice_atanh(b, finite_div(b, x, fn_plus(b, x, 2)));
    Pair far = newton_log(b, fn_plus(b, x, 1));
    Pair y = pair_select(b, fn_size_below(b, x, 0.1), near, far);
    return pair_or_high(b, y, build_unary(b, OP_LOG1P, x.hi));
}

Pair fn_log(Builder *b, Pair x) {
    Pair away = fn_plus(b, x, -1);
    Pair near = twice_atanh(b, finite_div(b, away, fn_plus(b, x, 1)));
    return pair_select(b, fn_size_below(b, away, 0.1), near, newton_log(b, x));
}

Pair fn_log2(Builder *b, Pair x) {
    return pair_or_high(b, finite_mul(b, fn_log(b, x), fn_known(b, one_by_log_2)), build_unary(b, OP_LOG2, x.hi));
}

Pair fn_log10(Builder *b, Pair x) {
    return pair_or_high(b, finite_mul(b, fn_log(b, x), fn_known(b, one_by_log_10)), build_unary(b, OP_LOG10, x.hi));
}

/* exp(y log |x|) with the sign of the power of f64, which tells ends, and what is no number */
Pair fn_pow(Builder *b, Pair x, Pair y) {
    Value *high = build_binary(b, OP_POW, x.hi, y.hi), *zero = fn_float(b, 0);
    Pair size = fn_signed(b, fn_below(b, x.hi, 0), x);
    Pair power = pair_or_high(b, fn_exp(b, finite_mul(b, y, fn_log(b, size))), high);
    power = fn_signed(b, fn_below(b, high, 0), power);
    Value *plain = build_binary(b, OP_AND, build_unary(b, OP_ISFINITE, high), build_binary(b, OP_NE, high, zero));
    Value *some = build_binary(b, OP_NE, y.hi, zero); /* x^0 is 1 of all x */
    return pair_select(b, build_binary(b, OP_AND, plain, some), power, pair_of(b, high));
}

/* ---- hyperbolic functions */

#define LARGE 0x1p300 /* x + 1 is x */

/* (e + e / (e + 1)) / 2, e = expm1(|x|), with the sign of x */
Pair fn_sinh(Builder *b, Pair x) {
    Value *below = fn_below(b, x.hi, 0);
    Pair e = fn_expm1(b, fn_signed(b, below, x));
    Pair y = fn_half(b, finite_add(b, e, finite_div(b, e, fn_plus(b, e, 1))));
    y = fn_signed(b, below, y);
    return pair_or_high(b, y, build_unary(b, OP_SINH, x.hi));
}

Pair fn_cosh(Builder *b, Pair x) {
    Pair e = fn_exp(b, x);
    Pair y = fn_half(b, finite_add(b, e, finite_div(b, fn_number(b, 1, 0), e)));
    return pair_or_high(b, y, build_unary(b, OP_COSH, x.hi));
}

Pair fn_tanh(Builder *b, Pair x) {
    Pair e = fn_expm1(b, finite_add(b, x, x));
    return pair_or_high(b, finite_div(b, e, fn_plus(b, e, 2)), build_unary(b, OP_TANH, x.hi));
}

/* log1p(|x| + x^2 / (1 + sqrt(1 + x^2))), with the sign of x; the square of a large x is not needed */
Pair fn_asinh(Builder *b, Pair x) {
    Value *below = fn_below(b, x.hi, 0);
    Pair size = fn_signed(b, below, x), square = finite_mul(b, x, x);
    Pair rest = finite_div(b, square, fn_plus(b, pair_sqrt(b, fn_plus(b, square, 1)), 1));
    Pair y = fn_log1p(b, finite_add(b, size, pair_select(b, fn_size_below(b, x, LARGE), rest, size)));
    return pair_or_high(b, fn_signed(b, below, y), build_unary(b, OP_ASINH, x.hi));
}

/* log1p(t + sqrt(t (t + 2))), t = x - 1 */
Pair fn_acosh(Builder *b, Pair x) {
    Pair t = fn_plus(b, x, -1), root = pair_sqrt(b, finite_mul(b, t, fn_plus(b, t, 2)));
    Pair y = fn_log1p(b, finite_add(b, t, pair_select(b, fn_size_below(b, x, LARGE), root, t)));
    return pair_or_high(b, y, build_unary(b, OP_ACOSH, x.hi));
}

/* log1p(2 |x| / (1 - |x|)) / 2, with the sign of x */
Pair fn_atanh(Builder *b, Pair x) {
    Value *below = fn_below(b, x.hi, 0);
    Pair size = fn_signed(b, below, x), rest = finite_sub(b, fn_number(b, 1, 0), size);
    Pair y = fn_half(b, fn_log1p(b, finite_div(b, finite_add(b, size, size), rest)));
    return pair_or_high(b, fn_signed(b, below, y), build_unary(b, OP_ATANH, x.hi));
}
