/* Arithmetic in 113 bits with a running bound of the error, to first order: Higham, Accuracy and Stability of Numerical
 * Algorithms, 3.3.  Each operation adds what its operands' errors do by its derivatives, and a few units of its own. */
#include "accuracy/accuracy.h"

#include <math.h>
#include <string.h>

/* The functions of C for it: glibc has them under two names, and declares them for some compilers. */
#if __LDBL_MANT_DIG__ == 113
#define W(name) name##l
#else
#define W(name) name##f128
#define ONE(name) Wide W(name)(Wide);
#define TWO(name) Wide W(name)(Wide, Wide);
ONE(sqrt) ONE(cbrt) ONE(exp) ONE(exp2) ONE(expm1) ONE(log) ONE(log2) ONE(log10) ONE(log1p) ONE(sin) ONE(cos) ONE(tan)
ONE(asin) ONE(acos) ONE(atan) ONE(sinh) ONE(cosh) ONE(tanh) ONE(asinh) ONE(acosh) ONE(atanh) ONE(erf) ONE(erfc)
ONE(floor) ONE(fabs) TWO(pow) TWO(atan2) TWO(hypot)
#endif

static const double UNIT = 0x1p-112, LN2 = 0x1.62e42fefa39efp-1, LN10 = 0x1.26bb1bbb55516p+1,
                    TWO_BY_ROOT_PI = 0x1.20dd750429b6dp+0;

static Real unknown(void) { return (Real){(Wide)NAN, (Wide)INFINITY}; }
static Real undefined(Wide v) { return (Real){v, 0}; }
static bool is_finite(Wide v) { return v - v == 0; }
static Wide size(Wide v) { return W(fabs)(v); }

/* v, whose operands' errors make so much of it */
static Real result(Wide v, Wide e) {
    if (!is_finite(v)) return unknown();
    return (Real){v, e + 4 * (Wide)UNIT * size(v)};
}

/* ---- where functions are defined: from lo to hi; the ends belong to it, or are poles */

typedef struct { OpCode op; double lo, hi; bool poles; } Domain;
static const Domain domains[] = {
    {OP_SQRT, 0, INFINITY, false}, {OP_LOG, 0, INFINITY, true},    {OP_LOG2, 0, INFINITY, true},
    {OP_LOG10, 0, INFINITY, true}, {OP_LOG1P, -1, INFINITY, true}, {OP_ASIN, -1, 1, false},
    {OP_ACOS, -1, 1, false},       {OP_ACOSH, 1, INFINITY, false}, {OP_ATANH, -1, 1, true},
};

typedef enum { INSIDE, OUTSIDE, AT_END } Where;

/* AT_END: at a pole, or nobody knows on which side */
static Where place_in(const Domain *d, Real x) {
    if (x.v + x.e < d->lo || x.v - x.e > d->hi) return OUTSIDE;
    bool pole = d->poles && (x.v == d->lo || x.v == d->hi);
    return pole || x.v - x.e < d->lo || x.v + x.e > d->hi ? AT_END : INSIDE;
}

static Where domain_of(OpCode op, Real x) {
    for (size_t i = 0; i < sizeof domains / sizeof *domains; i++)
        if (domains[i].op == op) return place_in(&domains[i], x);
    return INSIDE;
}

/* ---- functions of one argument: the value, and how fast it changes */

static Wide value_of(OpCode op, Wide a) {
    switch (op) {
    case OP_NEG: return -a;
    case OP_ABS: return size(a);
#define F(id, name) case id: return W(name)(a);
    F(OP_SQRT, sqrt) F(OP_CBRT, cbrt) F(OP_EXP, exp) F(OP_EXP2, exp2) F(OP_EXPM1, expm1) F(OP_LOG, log) F(OP_LOG2, log2)
    F(OP_LOG10, log10) F(OP_LOG1P, log1p) F(OP_SIN, sin) F(OP_COS, cos) F(OP_TAN, tan) F(OP_ASIN, asin)
    F(OP_ACOS, acos) F(OP_ATAN, atan) F(OP_SINH, sinh) F(OP_COSH, cosh) F(OP_TANH, tanh) F(OP_ASINH, asinh)
    F(OP_ACOSH, acosh) F(OP_ATANH, atanh) F(OP_ERF, erf) F(OP_ERFC, erfc)
#undef F
    default: return (Wide)NAN;
    }
}

static Wide slope_of(OpCode op, Wide a, Wide v) {
    switch (op) {
    case OP_SQRT: return 1 / (2 * v);
    case OP_CBRT: return 1 / (3 * v * v);
    case OP_EXP: return v;
    case OP_EXP2: return v * (Wide)LN2;
    case OP_EXPM1: return v + 1;
    case OP_LOG: return 1 / a;
    case OP_LOG2: return 1 / (a * (Wide)LN2);
    case OP_LOG10: return 1 / (a * (Wide)LN10);
    case OP_LOG1P: return 1 / (1 + a);
    case OP_SIN: return W(cos)(a);
    case OP_COS: return W(sin)(a);
    case OP_TAN: return 1 + v * v;
    case OP_ASIN: case OP_ACOS: return 1 / W(sqrt)((1 - a) * (1 + a));
    case OP_ATAN: return 1 / (1 + a * a);
    case OP_SINH: return W(cosh)(a);
    case OP_COSH: return W(sinh)(a);
    case OP_TANH: return 1 - v * v;
    case OP_ASINH: return 1 / W(sqrt)(a * a + 1);
    case OP_ACOSH: return 1 / W(sqrt)((a - 1) * (a + 1));
    case OP_ATANH: return 1 / ((1 - a) * (1 + a));
    case OP_ERF: case OP_ERFC: return (Wide)TWO_BY_ROOT_PI * W(exp)(-a * a);
    default: return 1;
    }
}

/* Where the slope may be 0: how fast that changes, at most */
static Wide curve_of(OpCode op, Wide v) {
    if (op == OP_SIN || op == OP_COS) return 1;
    return op == OP_COSH ? v : 0;
}

static Real apply_one(OpCode op, Real x) {
    if (!is_finite(x.v) || !is_finite(x.e)) return unknown();
    Where at = domain_of(op, x);
    Wide v = value_of(op, x.v);
    if (at == OUTSIDE) return undefined((Wide)NAN);
    if (at == AT_END && x.e == 0) return undefined(v);
    if (at == AT_END) return unknown();
    if (x.e == 0) return result(v, 0);
    return result(v, size(slope_of(op, x.v, v)) * x.e + curve_of(op, v) * x.e * x.e);
}

/* ---- of more */

static Real divide(Real a, Real b) {
    if (b.v == 0 && b.e == 0 && a.e < size(a.v)) return undefined(a.v / b.v);
    if (size(b.v) <= b.e) return unknown();
    Wide v = a.v / b.v;
    return result(v, (a.e + size(v) * b.e) / (size(b.v) - b.e));
}

static Real power(Real a, Real b) {
    bool whole = b.e == 0 && W(floor)(b.v) == b.v;
    if (!whole && a.v + a.e < 0) return undefined((Wide)NAN);
    if ((!whole && a.v <= a.e) || (a.v == 0 && b.v <= 0)) return unknown();
    Wide v = W(pow)(a.v, b.v), by_a = a.e == 0 ? 0 : size(b.v * v / a.v) * a.e;
    return result(v, by_a + (b.e == 0 ? 0 : size(v * W(log)(size(a.v))) * b.e));
}

static Real product(Real a, Real b) {
    return result(a.v * b.v, size(a.v) * b.e + size(b.v) * a.e + a.e * b.e);
}

static Real sum(Real a, Real b) {
    Real r = result(a.v + b.v, a.e + b.e);
    if (r.v == 0 && a.e == 0 && b.e == 0) r.e = 0;
    return r;
}

static Real angle(Real y, Real x) {
    Wide r = W(hypot)(y.v, x.v);
    if (r <= y.e + x.e) return unknown();
    return result(W(atan2)(y.v, x.v), (size(x.v) * y.e + size(y.v) * x.e) / r / r);
}

static Real greater(Real a, Real b) {
    return (Real){a.v > b.v ? a.v : b.v, a.e > b.e ? a.e : b.e};
}

static Real negated(Real x) { return (Real){-x.v, x.e}; }

static Real apply_more(OpCode op, const Real *x) {
    switch (op) {
    case OP_ADD: return sum(x[0], x[1]);
    case OP_SUB: return sum(x[0], negated(x[1]));
    case OP_MUL: return product(x[0], x[1]);
    case OP_DIV: return divide(x[0], x[1]);
    case OP_POW: return power(x[0], x[1]);
    case OP_FMA: return sum(product(x[0], x[1]), x[2]);
    case OP_MAX: return greater(x[0], x[1]);
    case OP_MIN: return negated(greater(negated(x[0]), negated(x[1])));
    case OP_HYPOT: return result(W(hypot)(x[0].v, x[1].v), x[0].e + x[1].e);
    case OP_ATAN2: return angle(x[0], x[1]);
    default: return unknown();
    }
}

bool real_knows(OpCode op) {
    switch (op) {
    case OP_ADD: case OP_SUB: case OP_MUL: case OP_DIV: case OP_POW: case OP_FMA: case OP_MAX: case OP_MIN:
    case OP_HYPOT: case OP_ATAN2: return true;
    default: return !isnan((double)value_of(op, 0.5)) || op == OP_ACOSH;
    }
}

Real real_apply(OpCode op, const Real *x) {
    int n = op == OP_FMA ? 3 : 2;
    if (op_info(op)->traits & TR_ELEM && isnan((double)value_of(op, 1))) {
        for (int i = 0; i < n; i++)
            if (!is_finite(x[i].v) || !is_finite(x[i].e)) return unknown();
        return apply_more(op, x);
    }
    return apply_one(op, x[0]);
}

/* ---- how far apart */

/* Numbers in their order, as ints without a gap */
static int64_t ordinal(DType t, double x) {
    if (t == DT_F64) {
        int64_t i;
        memcpy(&i, &x, sizeof i);
        return i < 0 ? INT64_MIN - i : i;
    }
    float f = (float)x;
    int32_t i;
    memcpy(&i, &f, sizeof i);
    return i < 0 ? INT32_MIN - (int64_t)i : i;
}

double bits_between(DType t, double x, double y) {
    double most = t == DT_F64 ? 64 : 32;
    if (isnan(x) || isnan(y)) return isnan(x) && isnan(y) ? 0 : most;
    int64_t a = ordinal(t, x), b = ordinal(t, y);
    double apart = (double)(a > b ? (uint64_t)a - (uint64_t)b : (uint64_t)b - (uint64_t)a);
    return fmin(most, log2(1 + apart));
}

double real_round(DType t, Wide v) { return t == DT_F64 ? (double)v : (double)(float)v; }

bool real_is_known(DType t, Real x) {
    if (x.e == 0) return true;
    return is_finite(x.e) && x.e <= size(x.v) * (Wide)(t == DT_F64 ? 0x1p-57 : 0x1p-28);
}

double real_off(double x, Real exact) {
    if (isnan(x)) return isnan((double)exact.v) ? 0 : INFINITY;
    if (x == (double)exact.v) return 0;
    return fabs((double)(((Wide)x - exact.v) / exact.v));
}

double real_lost(DType t, Real x) {
    if (!is_finite(x.e) || !is_finite(x.v) || x.v == 0) return 0;
    double unit = t == DT_F64 ? 0x1p-53 : 0x1p-24;
    return x.e == 0 ? 0 : fmin(t == DT_F64 ? 53 : 24, log2(1 + (double)(x.e / size(x.v) / (Wide)unit)));
}
