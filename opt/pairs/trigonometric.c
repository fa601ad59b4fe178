/* sin, cos, tan and their inverses of pairs of f64.
 *
 * x = k pi/2 + r with pi/2 in parts of 33 bits, whose products with k are exact while k is below 2^20 (W. J. Cody,
 * W. Waite, Software manual for the elementary functions, 1980); sin and cos of r by their series.  Inverses by one step
 * of Newton from that of f64. */
#include "opt/pairs/functions.h"

enum { TERMS = 15, IN_PAIRS = 9 };

static const double half_pi[] = {0x1.921fb54400000p+0, 0x1.0b4611a600000p-34, 0x1.3198a2e000000p-69,
                                 0x1.b839a252049c1p-104};

static Pair pi_times(Builder *b, double half) {
    return fn_number(b, half * 0x1.921fb54442d18p+1, half * 0x1.1a62633145c07p-53);
}

/* ---- sin and cos */

typedef struct { Pair sin, cos; } Both;

/* 1 / (2 k + odd)! with alternating signs */
static void factors(Known *c, int odd) {
    c[0] = (Known){1, 0};
    for (int i = 1; i < TERMS; i++) {
        Known next = fn_divided(c[i - 1], -(2.0 * i + odd) * (2 * i + odd - 1));
        c[i] = next;
    }
}

/* |r| < 0.8 */
static Both series(Builder *b, Pair r) {
    Known of_sin[TERMS], of_cos[TERMS];
    factors(of_sin, 1);
    factors(of_cos, 0);
    Pair square = pair_mul(b, r, r);
    return (Both){pair_mul(b, r, fn_polynomial(b, square, TERMS, of_sin, IN_PAIRS)),
                  fn_polynomial(b, square, TERMS, of_cos, IN_PAIRS)};
}

/* Of large x as in f64: sin(hi) + lo cos(hi), cos(hi) - lo sin(hi) */
static Both of_large(Builder *b, Pair x) {
    Value *s = build_unary(b, OP_SIN, x.hi), *c = build_unary(b, OP_COS, x.hi);
    Value *more = fn_mul(b, x.lo, c), *less = fn_mul(b, x.lo, s);
    return (Both){pair_of(b, fn_add(b, s, more)), pair_of(b, build_binary(b, OP_SUB, c, less))};
}

static Both sin_cos(Builder *b, Pair x) {
    Value *large = build_unary(b, OP_NOT, fn_size_below(b, x, 0x1p20));
    Value *k = build_unary(b, OP_ROUND, fn_mul(b, x.hi, fn_float(b, 0x1.45f306dc9c883p-1))); /* 2 / pi */
    k = build_select(b, large, fn_float(b, 0), k);
    Pair r = x;
    for (int i = 0; i < 4; i++)
        r = pair_sub(b, r, pair_of(b, fn_mul(b, k, fn_float(b, half_pi[i]))));
    Both f = series(b, r), far = of_large(b, x);
    Value *turn = build_cast(b, k, DT_I64);
    Value *odd = build_binary(b, OP_NE, build_binary(b, OP_AND, turn, build_int(b, 1)), build_int(b, 0));
    Value *beyond = build_binary(b, OP_NE, build_binary(b, OP_AND, turn, build_int(b, 2)), build_int(b, 0));
    Pair s = pair_select(b, odd, f.cos, f.sin), c = pair_select(b, odd, f.sin, f.cos);
    s = pair_select(b, beyond, pair_neg(b, s), s);
    c = pair_select(b, build_binary(b, OP_XOR, odd, beyond), pair_neg(b, c), c);
    return (Both){pair_select(b, large, far.sin, s), pair_select(b, large, far.cos, c)};
}

Pair fn_sin(Builder *b, Pair x) { return sin_cos(b, x).sin; }

Pair fn_cos(Builder *b, Pair x) { return sin_cos(b, x).cos; }

Pair fn_tan(Builder *b, Pair x) {
    Both f = sin_cos(b, x);
    return pair_div(b, f.sin, f.cos);
}

/* ---- inverses */

/* y + (x cos y - sin y) / (cos y + x sin y), y = atan(hi): the tangent of what is left is that itself.  Of infinities
 * pi / 2 to all its digits */
Pair fn_atan(Builder *b, Pair x) {
    Value *first = build_unary(b, OP_ATAN, x.hi);
    Both f = sin_cos(b, pair_of(b, first));
    Pair left = pair_sub(b, pair_mul(b, x, f.cos), f.sin), by = pair_add(b, f.cos, pair_mul(b, x, f.sin));
    Pair y = fn_or_high(b, pair_add(b, pair_of(b, first), pair_div(b, left, by)), first);
    Pair end = pi_times(b, 0.5);
    end = pair_select(b, fn_below(b, x.hi, 0), pair_neg(b, end), end);
    return pair_select(b, build_unary(b, OP_ISINF, x.hi), end, y);
}

/* atan(x / sqrt((1 - x) (1 + x))) */
Pair fn_asin(Builder *b, Pair x) {
    Pair one = fn_number(b, 1, 0);
    Pair root = pair_sqrt(b, pair_mul(b, pair_sub(b, one, x), pair_add(b, one, x)));
    return fn_atan(b, pair_div(b, x, root));
}

/* 2 atan(sqrt((1 - x) / (1 + x))) */
Pair fn_acos(Builder *b, Pair x) {
    Pair one = fn_number(b, 1, 0);
    Pair y = fn_atan(b, pair_sqrt(b, pair_div(b, pair_sub(b, one, x), pair_add(b, one, x))));
    return pair_add(b, y, y);
}

/* atan(y / x), half a turn more or less where x is below 0; of two zeros that of f64 */
Pair fn_atan2(Builder *b, Pair y, Pair x) {
    Value *high = build_binary(b, OP_ATAN2, y.hi, x.hi), *zero = fn_float(b, 0);
    Pair half = pair_select(b, fn_below(b, y.hi, 0), pi_times(b, -1), pi_times(b, 1));
    Pair right = fn_atan(b, pair_div(b, y, x));
    Pair z = pair_select(b, fn_below(b, x.hi, 0), pair_add(b, right, half), right);
    Value *none = build_binary(b, OP_AND, build_binary(b, OP_EQ, x.hi, zero), build_binary(b, OP_EQ, y.hi, zero));
    return fn_or_high(b, pair_select(b, none, pair_of(b, high), z), high);
}
