/* Arithmetic on constants while compiling: the same results as when the program runs (ints wrap to their
 * width, f32 is rounded after each operation, floor division). */
#include "frontend/check.h"

#include "runtime/dsl.h"
#include "runtime/elementary.h"

#include <math.h>
#include <string.h>

static int64_t wrap_int(DType d, int64_t v) {
    switch (d) {
    case DT_I8: return (int8_t)v;
    case DT_I16: return (int16_t)v;
    case DT_I32: return (int32_t)v;
    case DT_U8: return (uint8_t)v;
    case DT_U16: return (uint16_t)v;
    case DT_U32: return (uint32_t)v;
    default: return v;
    }
}

/* To `bits` of significand, numbers below the normal ones to multiples of `least`; ties to even */
static double round_bits(double v, int bits, double least, double most) {
    int e;
    if (!isfinite(v)) return v;
    frexp(v, &e);
    double ulp = fmax(ldexp(1, e - bits), least), r = nearbyint(v / ulp) * ulp;
    return fabs(r) > most ? copysign(INFINITY, v) : r;
}

/* Halves are made of an f32, as when the program runs. */
static double round_float(DType d, double v) {
    if (d == DT_F64) return v;
    v = (double)(float)v;
    if (d == DT_F16) return round_bits(v, 11, 0x1p-24, 65504);
    return d == DT_BF16 ? round_bits(v, 8, 0x1p-133, 0x1.fep127) : v;
}

static double int_to_float(DType d, int64_t v) { return d == DT_U64 ? (double)(uint64_t)v : (double)v; }

static int64_t float_to_int(DType d, double v) {
    if (isnan(v)) return 0;
    v = trunc(v);
    switch (d) { /* saturating */
    case DT_I8: return (int64_t)fmin(fmax(v, -128), 127);
    case DT_I16: return (int64_t)fmin(fmax(v, -32768), 32767);
    case DT_I32: return (int64_t)fmin(fmax(v, INT32_MIN), INT32_MAX);
    case DT_U8: return (int64_t)fmin(fmax(v, 0), 255);
    case DT_U16: return (int64_t)fmin(fmax(v, 0), 65535);
    case DT_U32: return (int64_t)fmin(fmax(v, 0), UINT32_MAX);
    case DT_U64: return v <= 0 ? 0 : v >= 18446744073709551616.0 ? -1 : (int64_t)(uint64_t)v;
    default: return v <= -9223372036854775808.0 ? INT64_MIN : v >= 9223372036854775808.0 ? INT64_MAX : (int64_t)v;
    }
}

Const const_cast(const Const v, DType d) {
    Const out = {.dtype = d, .s = v.s};
    bool from_float = dtype_is_float(v.dtype);
    if (d == DT_BOOL) out.i = from_float ? v.f != 0 : v.i != 0;
    else if (dtype_is_float(d)) out.f = round_float(d, from_float ? v.f : int_to_float(v.dtype, v.i));
    else if (d != DT_STR) out.i = from_float ? float_to_int(d, v.f) : wrap_int(d, v.i);
    return out;
}

void set_const(Check *c, Expr *e, const Const v) {
    e->is_const = true;
    e->lit = v;
    if (v.dtype == DT_I64) e->size = size_const(c->s, v.i);
}

Expr *int_literal(Check *c, Span at, int64_t v) {
    Expr *e = expr_new(c->s, EX_INT, at);
    e->type = ftype_scalar(c->s, DT_I64);
    set_const(c, e, (Const){.dtype = DT_I64, .i = v});
    return e;
}

bool const_is_zero(const Const v) { return dtype_is_float(v.dtype) ? v.f == 0 : v.i == 0; }

const char *const_str(Check *c, const Const v) {
    if (v.dtype == DT_STR) return intern_printf(c->s, "\"%s\"", v.s);
    if (v.dtype == DT_BOOL) return v.i ? "true" : "false";
    if (v.dtype == DT_U64) return intern_printf(c->s, "%llu", (unsigned long long)v.i);
    if (!dtype_is_float(v.dtype)) return intern_printf(c->s, "%lld", (long long)v.i);
    for (int digits = 1; digits < 17; digits++) {
        const char *text = intern_printf(c->s, "%.*g", digits, v.f);
        double back;
        if (sscanf(text, "%lf", &back) == 1 && back == v.f) return text;
    }
    return intern_printf(c->s, "%.17g", v.f);
}

/* ---- ints */

static bool is_unsigned(DType d) { return dtype_info(d)->kind == DK_UINT; }

static bool int_div(DType d, int64_t a, int64_t b, int64_t *q, int64_t *r) {
    if (b == 0) return false;
    if (is_unsigned(d)) {
        *q = (int64_t)((uint64_t)a / (uint64_t)b);
        *r = (int64_t)((uint64_t)a % (uint64_t)b);
        return true;
    }
    if (b == -1) { /* the one quotient that overflows wraps */
        *q = (int64_t)(0 - (uint64_t)a);
        *r = 0;
        return true;
    }
    *q = a / b;
    *r = a % b;
    if (*r && (*r < 0) != (b < 0)) {
        *q -= 1;
        *r += b;
    }
    return true;
}

static bool int_pow(int64_t a, int64_t b, int64_t *out) {
    if (b < 0) return false;
    uint64_t r = 1, x = (uint64_t)a;
    for (; b; b >>= 1, x *= x)
        if (b & 1) r *= x;
    *out = (int64_t)r;
    return true;
}

static int64_t shift(Opr op, DType d, int64_t a, int64_t b) {
    int bits = 8 * dtype_info(d)->bytes;
    bool outside = b < 0 || b >= bits;
    if (op == OPR_SHL) return outside ? 0 : (int64_t)((uint64_t)a << b);
    if (is_unsigned(d)) return outside ? 0 : (int64_t)((uint64_t)a >> b);
    return outside ? (a < 0 ? -1 : 0) : a >> b;
}

static bool fold_int(Opr op, DType d, int64_t a, int64_t b, int64_t *out) {
    uint64_t x = (uint64_t)a, y = (uint64_t)b;
    int64_t q, r;
    switch (op) {
    case OPR_ADD: *out = (int64_t)(x + y); return true;
    case OPR_SUB: *out = (int64_t)(x - y); return true;
    case OPR_MUL: *out = (int64_t)(x * y); return true;
    case OPR_IDIV: return int_div(d, a, b, out, &r);
    case OPR_MOD: return int_div(d, a, b, &q, out);
    case OPR_POW: return int_pow(a, b, out);
    case OPR_BITAND: case OPR_AND: *out = a & b; return true;
    case OPR_BITOR: case OPR_OR: *out = a | b; return true;
    case OPR_BITXOR: *out = a ^ b; return true;
    case OPR_SHL: case OPR_SHR: *out = shift(op, d, a, b); return true;
    default: return false;
    }
}

static bool compare(Opr op, bool lt, bool eq, bool *out) {
    switch (op) {
    case OPR_EQ: *out = eq; return true;
    case OPR_NE: *out = !eq; return true;
    case OPR_LT: *out = lt; return true;
    case OPR_LE: *out = lt || eq; return true;
    default: return false;
    }
}

static bool fold_compare(Opr op, const Const a, const Const b, bool *out) {
    if (op == OPR_GT || op == OPR_GE) return fold_compare(op == OPR_GT ? OPR_LT : OPR_LE, b, a, out);
    if (dtype_is_float(a.dtype)) return compare(op, a.f < b.f, a.f == b.f, out);
    if (is_unsigned(a.dtype)) return compare(op, (uint64_t)a.i < (uint64_t)b.i, a.i == b.i, out);
    return compare(op, a.i < b.i, a.i == b.i, out);
}

/* ---- floats */

static double float_pow(DType d, double x, double y) {
    return d == DT_F64 ? dsl_call_pow(x, y) : (double)dsl_call_powf((float)x, (float)y);
}

/* x^k as the program computes it: x^2 = x*x, x^3 = (x*x)*x, x^4 = (x*x)*(x*x), ... */
static double float_ipow(DType d, double x, int64_t k) {
    uint64_t n = k < 0 ? 0 - (uint64_t)k : (uint64_t)k;
    if (n > 64) return float_pow(d, x, (double)k);
    double r = 1, sq = x;
    bool any = false;
    for (; n; n >>= 1, sq = round_float(d, sq * sq)) {
        if (!(n & 1)) continue;
        r = any ? round_float(d, sq * r) : sq;
        any = true;
    }
    return k < 0 ? 1 / r : r;
}

/* The remainder has the sign of y.  As at run time, these compute in single for all but f64. */
static double float_mod(DType d, double x, double y) {
    double r = fmod(x, y);
    if (r == 0) return y < 0 ? -0.0 : 0.0;
    return (r < 0) != (y < 0) ? round_float(d == DT_F64 ? d : DT_F32, r + y) : r;
}

static double float_idiv(DType d, double x, double y) {
    DType in = d == DT_F64 ? d : DT_F32;
    if (y == 0) return x / y;
    double r = fmod(x, y), q = round_float(in, round_float(in, x - r) / y);
    if (r != 0 && (r < 0) != (y < 0)) q = round_float(in, q - 1);
    if (q == 0) return copysign(q, x / y);
    return q - floor(q) > 0.5 ? round_float(in, floor(q) + 1) : floor(q);
}

static bool fold_float(Opr op, DType d, double a, double b, double *out) {
    switch (op) {
    case OPR_ADD: *out = a + b; return true;
    case OPR_SUB: *out = a - b; return true;
    case OPR_MUL: *out = a * b; return true;
    case OPR_DIV: *out = a / b; return true;
    case OPR_IDIV: *out = float_idiv(d, a, b); return true;
    case OPR_MOD: *out = float_mod(d, a, b); return true;
    case OPR_POW: *out = float_pow(d, a, b); return true;
    default: return false;
    }
}

/* ---- the operators */

bool fold_unary(Opr op, Const a, Const *out) {
    *out = a;
    if (op == OPR_NOT) out->i = !a.i;
    else if (op == OPR_BITNOT) out->i = wrap_int(a.dtype, ~a.i);
    else if (op == OPR_NEG && dtype_is_float(a.dtype)) out->f = -a.f;
    else if (op == OPR_NEG) out->i = wrap_int(a.dtype, (int64_t)(0 - (uint64_t)a.i));
    else return false;
    return true;
}

bool fold_binary(Opr op, Const a, Const b, DType result, Const *out) {
    bool truth;
    *out = (Const){.dtype = result};
    if (a.dtype == DT_STR) return false;
    if (fold_compare(op, a, b, &truth)) return out->i = truth, true;
    if (op == OPR_POW && dtype_is_float(a.dtype) && dtype_is_int(b.dtype)) {
        out->f = float_ipow(result, a.f, b.i);
    } else if (dtype_is_float(a.dtype)) {
        if (!fold_float(op, a.dtype, a.f, b.f, &out->f)) return false;
    } else if (!fold_int(op, a.dtype, a.i, b.i, &out->i)) {
        return false;
    }
    out->f = round_float(result, out->f);
    out->i = wrap_int(result, out->i);
    return true;
}

/* ---- functions */

typedef struct { int builtin; double (*f)(double); } Math1;
static const Math1 math1[] = {
    {BI_sqrt, sqrt},
    {BI_cbrt, cbrt},
    {BI_exp, dsl_call_exp},
    {BI_exp2, dsl_call_exp2},
    {BI_expm1, dsl_call_expm1},
    {BI_log, dsl_call_log},
    {BI_log2, dsl_call_log2},
    {BI_log10, dsl_call_log10},
    {BI_log1p, dsl_call_log1p},
    {BI_sin, dsl_call_sin},
    {BI_cos, dsl_call_cos},
    {BI_tan, dsl_call_tan},
    {BI_asin, dsl_call_asin},
    {BI_acos, dsl_call_acos},
    {BI_atan, dsl_call_atan},
    {BI_sinh, dsl_call_sinh},
    {BI_cosh, dsl_call_cosh},
    {BI_tanh, dsl_call_tanh},
    {BI_asinh, asinh},
    {BI_acosh, acosh},
    {BI_atanh, atanh},
    {BI_erf, dsl_call_erf},
    {BI_erfc, erfc},
    {BI_tgamma, tgamma},
    {BI_lgamma, lgamma},
    {BI_floor, floor},
    {BI_ceil, ceil},
    {BI_round, round},
    {BI_trunc, trunc},
};

static bool fold_math(int b, int n, const Const *args, DType result, double *out) {
    bool exact = b == BI_sqrt || b == BI_floor || b == BI_ceil || b == BI_round || b == BI_trunc;
    if (result != DT_F64 && !exact) return false; /* the program calls sinf and the like */
    for (size_t i = 0; n == 1 && i < sizeof math1 / sizeof *math1; i++)
        if (math1[i].builtin == b) return *out = round_float(result, math1[i].f(args[0].f)), true;
    if (b == BI_atan2 && n == 2) *out = atan2(args[0].f, args[1].f);
    else if (b == BI_hypot && n == 2) *out = hypot(args[0].f, args[1].f);
    else if (b == BI_fma && n == 3) *out = fma(args[0].f, args[1].f, args[2].f);
    else return false;
    *out = round_float(result, *out);
    return true;
}

static bool fold_minmax(int b, const Const x, const Const y, Const *out) {
    bool first;
    fold_compare(b == BI_min ? OPR_LT : OPR_GT, x, y, &first); /* of equal ones the second: -0.0 and 0.0 are */
    *out = first || (dtype_is_float(x.dtype) && isnan(x.f)) ? x : y;
    return true;
}

static bool fold_abs_sign(int b, const Const x, Const *out) {
    bool is_float = dtype_is_float(x.dtype);
    bool negative = is_float ? x.f < 0 : !is_unsigned(x.dtype) && x.i < 0;
    *out = x;
    if (b == BI_abs && is_float) out->f = fabs(x.f);
    else if (b == BI_abs) out->i = negative ? wrap_int(x.dtype, (int64_t)(0 - (uint64_t)x.i)) : x.i;
    else if (is_float) out->f = isnan(x.f) ? x.f : (x.f > 0) - (x.f < 0);
    else out->i = negative ? -1 : x.i != 0;
    return true;
}

bool fold_builtin(int b, int n, const Const *args, DType result, Const *out) {
    *out = (Const){.dtype = result};
    switch (b) {
    case BI_abs: case BI_sign: return fold_abs_sign(b, args[0], out);
    case BI_min: case BI_max: return n == 2 && fold_minmax(b, args[0], args[1], out);
    case BI_isnan: out->i = isnan(args[0].f) != 0; return true;
    case BI_isinf: out->i = isinf(args[0].f) != 0; return true;
    case BI_isfinite: out->i = isfinite(args[0].f) != 0; return true;
    case BI_stop_gradient: *out = args[0]; return true;
    case BI_where: *out = args[0].i ? args[1] : args[2]; return true;
    case BI_ceildiv: {
        int64_t q, r;
        if (!int_div(DT_I64, args[0].i, args[1].i, &q, &r)) return false;
        out->i = q + (r != 0);
        return true;
    }
    default: return fold_math(b, n, args, result, &out->f);
    }
}
