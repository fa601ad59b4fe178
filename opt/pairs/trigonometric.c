/* sin, cos, tan and their inverses of pairs of f64.
 *
 * x = k pi/2 + r with pi/2 in parts of 33 bits, whose products with k are exact while k is below 2^20 (W. J. Cody,
 * W. Waite, Software manual for the elementary functions, 1980); sin and cos of r by their series.  Inverses by one
 * step of Newton from that of f64. */
#include "opt/pairs/functions.h"

enum { TERMS = 15, IN_PAIRS = 9 };

static const double half_pi[] = {0x1.921fb54400000p+0, 0x1.0b4611a600000p-34, 0x1.3198a2e000000p-69,
                                 0x1.b839a252049c1p-104};

static Pair pi_times(Builder *b, double half) {
    return fn_number(b, half * 0x1.921fb54442d18p+1, half * 0x1.1a62633145c07p-53);
}

/* ---- sin and cos */

/* x = k pi/2 + r: r, and whether k is odd, and has 2 in it; large: k is too large, x stays */
typedef struct { Pair r; Value *odd, *beyond, *large; } Turned;

static Value *has_bit(Builder *b, Value *k, int bit) {
    return build_binary(b, OP_NE, build_binary(b, OP_AND, k, build_int(b, bit)), build_int(b, 0));
}

static Turned turned(Builder *b, Pair x) {
    Value *large = build_unary(b, OP_NOT, fn_size_below(b, x, 0x1p20));
    Value *k = build_unary(b, OP_ROUND, fn_mul(b, x.hi, fn_float(b, 0x1.45f306dc9c883p-1))); /* 2 / pi */
    k = build_select(b, large, fn_float(b, 0), k);
    for (int i = 0; i < 4; i++)
        x = finite_sub(b, x, pair_of(b, fn_mul(b, k, fn_float(b, half_pi[i]))));
    Value *turn = build_cast(b, k, DT_I64);
    return (Turned){x, has_bit(b, turn, 1), has_bit(b, turn, 2), large};
}

/* 1 / (2 k + odd)! with alternating signs */
static void factors(Known *c, int odd) {
    c[0] = (Known){1, 0};
    for (int i = 1; i < TERMS; i++) c[i] = fn_divided(c[i - 1], -(2.0 * i + odd) * (2 * i + odd - 1));
}

/* cos r where `is_cos` holds, else sin r; |r| < 0.8 */
static Pair series(Builder *b, Pair r, Value *is_cos) {
    Known of_sin[TERMS], of_cos[TERMS];
    Pair c[TERMS];
    factors(of_sin, 1);
    factors(of_cos, 0);
    for (int i = 0; i < TERMS; i++)
        c[i] = pair_select(b, is_cos, fn_known(b, of_cos[i]), fn_known(b, of_sin[i]));
    Pair sum = fn_polynomial(b, finite_mul(b, r, r), TERMS, c, IN_PAIRS);
    return pair_select(b, is_cos, sum, finite_mul(b, r, sum));
}

/* In f64: the sine, or cosine, of hi + lo by those of both */
static Pair far_sin(Builder *b, Pair x) {
    Value *s = fn_mul(b, build_unary(b, OP_SIN, x.hi), build_unary(b, OP_COS, x.lo));
    return pair_of(b, fn_add(b, s, fn_mul(b, build_unary(b, OP_COS, x.hi), build_unary(b, OP_SIN, x.lo))));
}

static Pair far_cos(Builder *b, Pair x) {
    Value *c = fn_mul(b, build_unary(b, OP_COS, x.hi), build_unary(b, OP_COS, x.lo));
    Value *s = fn_mul(b, build_unary(b, OP_SIN, x.hi), build_unary(b, OP_SIN, x.lo));
    return pair_of(b, build_binary(b, OP_SUB, c, s));
}

Pair fn_sin(Builder *b, Pair x) {
    Turned t = turned(b, x);
    return pair_select(b, t.large, far_sin(b, x), fn_signed(b, t.beyond, series(b, t.r, t.odd)));
}

Pair fn_cos(Builder *b, Pair x) {
    Turned t = turned(b, x);
    Pair near = series(b, t.r, build_unary(b, OP_NOT, t.odd));
    return pair_select(b, t.large, far_cos(b, x), fn_signed(b, build_binary(b, OP_XOR, t.odd, t.beyond), near));
}

Pair fn_tan(Builder *b, Pair x) { return finite_div(b, fn_sin(b, x), fn_cos(b, x)); }

/* ---- inverses */

/* y + (x cos y - sin y) / (cos y + x sin y), y = atan(hi): the tangent of what is left is that itself.  Of infinities
 * pi / 2 to all its digits */
Pair fn_atan(Builder *b, Pair x) {
    Value *first = build_unary(b, OP_ATAN, x.hi);
    Pair s = fn_sin(b, pair_of(b, first)), c = fn_cos(b, pair_of(b, first));
    Pair left = finite_sub(b, finite_mul(b, x, c), s), by = finite_add(b, c, finite_mul(b, x, s));
    Pair y = pair_or_high(b, finite_add(b, pair_of(b, first), finite_div(b, left, by)), first);
    Pair end = pi_times(b, 0.5);
    end = fn_signed(b, fn_below(b, x.hi, 0), end);
    return pair_select(b, build_unary(b, OP_ISINF, x.hi), end, y);
}

/* atan(x / sqrt((1 - x) (1 + x))) */
Pair fn_asin(Builder *b, Pair x) {
    Pair one = fn_number(b, 1, 0);
    Pair root = pair_sqrt(b, finite_mul(b, finite_sub(b, one, x), finite_add(b, one, x)));
    return fn_atan(b, pair_div(b, x, root));
}

/* 2 atan(sqrt((1 - x) / (1 + x))) */
Pair fn_acos(Builder *b, Pair x) {
    Pair one = fn_number(b, 1, 0);
    Pair y = fn_atan(b, pair_sqrt(b, pair_div(b, finite_sub(b, one, x), finite_add(b, one, x))));
    return finite_add(b, y, y);
}

/* atan(y / x), half a turn more or less where x is below 0; of two zeros that of f64.  A zero x is positive. */
Pair fn_atan2(Builder *b, Pair y, Pair x) {
    Value *high = build_binary(b, OP_ATAN2, y.hi, x.hi), *zero = fn_float(b, 0);
    x.hi = fn_add(b, x.hi, zero);
    Pair half = pair_select(b, fn_below(b, y.hi, 0), pi_times(b, -1), pi_times(b, 1));
    Pair right = fn_atan(b, pair_div(b, y, x));
    Pair z = pair_select(b, fn_below(b, x.hi, 0), finite_add(b, right, half), right);
    Value *none = build_binary(b, OP_AND, build_binary(b, OP_EQ, x.hi, zero), build_binary(b, OP_EQ, y.hi, zero));
    return pair_or_high(b, pair_select(b, none, pair_of(b, high), z), high);
}
