/* Arithmetic of pairs of floats, double-word arithmetic: M. Joldes, J.-M. Muller, V. Popescu, Tight and rigorous error
 * bounds for basic building blocks of double-word arithmetic, ACM TOMS 44(2), 2017; square root: V. Lefevre, N. Louvet,
 * J.-M. Muller, J. Picot, L. Rideau, Accurate calculation of Euclidean norms using double-word arithmetic, ACM TOMS
 * 49(1), 2023.  Error-free sums: D. Knuth, TAOCP 2, 4.2.2; T. Dekker, Numer. Math. 18, 1971.
 *
 * With infinities and NaN these sums of errors give NaN: what the operation gives of the high parts alone counts. */
#include "opt/pairs/pairs.h"

#include <math.h>

static Value *add(Builder *b, Value *x, Value *y) { return build_binary(b, OP_ADD, x, y); }
static Value *sub(Builder *b, Value *x, Value *y) { return build_binary(b, OP_SUB, x, y); }
static Value *mul(Builder *b, Value *x, Value *y) { return build_binary(b, OP_MUL, x, y); }
static Value *divide(Builder *b, Value *x, Value *y) { return build_binary(b, OP_DIV, x, y); }
static Value *negative(Builder *b, Value *x) { return build_unary(b, OP_NEG, x); }
static Value *zero(Builder *b, const Value *like) { return build_float(b, like->type->dtype, 0); }

static Value *fma3(Builder *b, Value *x, Value *y, Value *z) {
    Value *opnds[] = {x, y, z};
    return &build_op(b, OP_FMA, 3, opnds, 1, &x->type, 0)->res[0];
}

/* ---- without error: what two floats make, rounded, and what rounding took away */

static Pair two_sum(Builder *b, Value *x, Value *y) {
    Value *s = add(b, x, y), *of_y = sub(b, s, x), *of_x = sub(b, s, of_y);
    return (Pair){s, add(b, sub(b, x, of_x), sub(b, y, of_y))};
}

Pair pair_sum(Builder *b, Value *x, Value *y) {
    Value *s = add(b, x, y);
    return (Pair){s, sub(b, y, sub(b, s, x))};
}

static Pair two_product(Builder *b, Value *x, Value *y) {
    Value *p = mul(b, x, y);
    return (Pair){p, fma3(b, x, y, negative(b, p))};
}

/* ---- pairs */

void pair_parts(DType part, double x, double *hi, double *lo) {
    *hi = const_round(part, x);
    *lo = isfinite(*hi) ? const_round(part, x - *hi) : 0;
}

Pair pair_const(Builder *b, DType part, double x) {
    double hi, lo;
    pair_parts(part, x, &hi, &lo);
    return (Pair){build_float(b, part, hi), build_float(b, part, lo)};
}

Pair pair_of(Builder *b, Value *x) { return (Pair){x, zero(b, x)}; }

Pair pair_select(Builder *b, Value *cond, Pair x, Pair y) {
    return (Pair){build_select(b, cond, x.hi, y.hi), build_select(b, cond, x.lo, y.lo)};
}

Pair pair_or_high(Builder *b, Pair z, Value *high) {
    return pair_select(b, build_unary(b, OP_ISFINITE, z.hi), z, pair_of(b, high));
}

static bool is_float(Pair x) {
    const Const *lo = value_const(x.lo);
    return lo && lo->f == 0;
}

Pair pair_neg(Builder *b, Pair x) { return (Pair){negative(b, x.hi), is_float(x) ? x.lo : negative(b, x.lo)}; }

/* The algorithms, and the high part of the result before that of errors is added */
typedef struct { Pair z; Value *high; } Rounded;

/* Algorithm 6, AccurateDWPlusDW; where y is a float the same is Algorithm 4, DWPlusFP */
static Rounded sum(Builder *b, Pair x, Pair y) {
    if (is_float(x) && !is_float(y)) return sum(b, y, x);
    Pair s = two_sum(b, x.hi, y.hi);
    if (is_float(y)) return (Rounded){pair_sum(b, s.hi, is_float(x) ? s.lo : add(b, s.lo, x.lo)), s.hi};
    Pair t = two_sum(b, x.lo, y.lo);
    Pair v = pair_sum(b, s.hi, add(b, s.lo, t.hi));
    return (Rounded){pair_sum(b, v.hi, add(b, t.lo, v.lo)), s.hi};
}

/* Algorithm 10, DWTimesDW1: the same for x, y and y, x, to the last bit, and where it is known that one is a float */
static Rounded product(Builder *b, Pair x, Pair y) {
    Pair c = two_product(b, x.hi, y.hi);
    Value *rest = is_float(y) ? NULL : mul(b, x.hi, y.lo);
    Value *more = is_float(x) ? NULL : mul(b, x.lo, y.hi);
    if (rest && more) rest = add(b, rest, more);
    else if (more) rest = more;
    return (Rounded){pair_sum(b, c.hi, rest ? add(b, c.lo, rest) : c.lo), c.hi};
}

/* Algorithm 9, DWTimesFP3 */
static Pair times_float(Builder *b, Pair x, Value *y) {
    Pair c = two_product(b, x.hi, y);
    return pair_sum(b, c.hi, fma3(b, x.lo, y, c.lo));
}

/* Algorithm 17, DWDivDW2 */
static Rounded quotient(Builder *b, Pair x, Pair y) {
    Value *high = divide(b, x.hi, y.hi);
    Pair r = times_float(b, y, high);
    Value *rest = add(b, sub(b, x.hi, r.hi), sub(b, x.lo, r.lo));
    return (Rounded){pair_sum(b, high, divide(b, rest, y.hi)), high};
}

static Pair checked(Builder *b, Rounded r) { return pair_or_high(b, r.z, r.high); }

Pair pair_add(Builder *b, Pair x, Pair y) { return checked(b, sum(b, x, y)); }
Pair pair_sub(Builder *b, Pair x, Pair y) { return pair_add(b, x, pair_neg(b, y)); }
Pair pair_mul(Builder *b, Pair x, Pair y) { return checked(b, product(b, x, y)); }
Pair pair_div(Builder *b, Pair x, Pair y) { return checked(b, quotient(b, x, y)); }
Pair finite_add(Builder *b, Pair x, Pair y) { return sum(b, x, y).z; }
Pair finite_sub(Builder *b, Pair x, Pair y) { return sum(b, x, pair_neg(b, y)).z; }
Pair finite_mul(Builder *b, Pair x, Pair y) { return product(b, x, y).z; }
Pair finite_div(Builder *b, Pair x, Pair y) { return quotient(b, x, y).z; }

/* SQRTDWtoDW; of 0 the root itself */
Pair pair_sqrt(Builder *b, Pair x) {
    Value *root = build_unary(b, OP_SQRT, x.hi);
    Value *rest = add(b, x.lo, fma3(b, negative(b, root), root, x.hi));
    return pair_or_high(b, pair_sum(b, root, divide(b, rest, add(b, root, root))), root);
}

Pair pair_scaled(Builder *b, Pair x, Value *factor) { return (Pair){mul(b, x.hi, factor), mul(b, x.lo, factor)}; }

/* ---- comparisons */

/* Of the high parts, or where these are equal of the low ones */
Value *pair_compare(Builder *b, OpCode c, Pair x, Pair y) {
    Value *low = build_binary(b, c, x.lo, y.lo);
    if (c == OP_EQ) return build_binary(b, OP_AND, build_binary(b, c, x.hi, y.hi), low);
    if (c == OP_NE) return build_binary(b, OP_OR, build_binary(b, c, x.hi, y.hi), low);
    OpCode strict = c == OP_LE ? OP_LT : c == OP_GE ? OP_GT : c;
    Value *same = build_binary(b, OP_AND, build_binary(b, OP_EQ, x.hi, y.hi), low);
    return build_binary(b, OP_OR, build_binary(b, strict, x.hi, y.hi), same);
}

/* NaN if either is */
static Pair pair_least(Builder *b, OpCode min_or_max, Pair x, Pair y) {
    Value *before = pair_compare(b, min_or_max == OP_MIN ? OP_LT : OP_GT, x, y);
    return pair_select(b, build_binary(b, OP_OR, before, build_unary(b, OP_ISNAN, x.hi)), x, y);
}

static Pair pair_abs(Builder *b, Pair x) {
    Value *below = build_binary(b, OP_LT, x.hi, zero(b, x.hi));
    return (Pair){build_unary(b, OP_ABS, x.hi), build_select(b, below, negative(b, x.lo), x.lo)};
}

/* ---- to whole numbers */

/* f of the high part, or where that is whole of the low one */
static Pair rounded(Builder *b, OpCode f, Pair x) {
    Value *high = build_unary(b, f, x.hi), *whole = build_binary(b, OP_EQ, high, x.hi);
    Value *low = build_select(b, whole, build_unary(b, f, x.lo), zero(b, x.lo));
    return pair_or_high(b, pair_sum(b, high, low), high);
}

Pair pair_trunc(Builder *b, Pair x) {
    Value *below = build_binary(b, OP_LT, x.hi, zero(b, x.hi));
    return pair_select(b, below, rounded(b, OP_CEIL, x), rounded(b, OP_FLOOR, x));
}

/* Halves away from 0 */
static Pair pair_round(Builder *b, Pair x) {
    Pair half = pair_const(b, x.hi->type->dtype, 0.5);
    Value *below = build_binary(b, OP_LT, x.hi, zero(b, x.hi));
    return pair_select(b, below, rounded(b, OP_CEIL, pair_sub(b, x, half)),
                       rounded(b, OP_FLOOR, pair_add(b, x, half)));
}

/* ---- by operation */

static Pair one_operand(Builder *b, OpCode c, Pair x) {
    switch (c) {
    case OP_NEG: return pair_neg(b, x);
    case OP_ABS: return pair_abs(b, x);
    case OP_SQRT: return pair_sqrt(b, x);
    case OP_FLOOR:
    case OP_CEIL: return rounded(b, c, x);
    case OP_TRUNC: return pair_trunc(b, x);
    case OP_ROUND: return pair_round(b, x);
    case OP_SIGN: return pair_of(b, build_unary(b, c, x.hi));
    case OP_ISNAN:
    case OP_ISINF:
    case OP_ISFINITE: return (Pair){build_unary(b, c, x.hi), NULL};
    default: return (Pair){0};
    }
}

static Pair two_operands(Builder *b, OpCode c, Pair x, Pair y) {
    switch (c) {
    case OP_ADD: return pair_add(b, x, y);
    case OP_SUB: return pair_sub(b, x, y);
    case OP_MUL: return pair_mul(b, x, y);
    case OP_DIV: return pair_div(b, x, y);
    case OP_MIN:
    case OP_MAX: return pair_least(b, c, x, y);
    default: return opcode_is_compare(c) ? (Pair){pair_compare(b, c, x, y), NULL} : (Pair){0};
    }
}

Pair pair_operation(Builder *b, OpCode c, int n, const Pair *x) {
    if (n == 1) return one_operand(b, c, x[0]);
    if (n == 2) return two_operands(b, c, x[0], x[1]);
    return c == OP_FMA ? pair_add(b, pair_mul(b, x[0], x[1]), x[2]) : (Pair){0};
}
