/* The value of an elementwise operation on constants, by the helpers that compiled programs and the
 * interpreter use, so that folding never changes a bit.  Arithmetic of f16 and bf16 is left to the program. */
#include "ir/ir.h"
#include "runtime/dsl.h"
#include "runtime/elementary.h"

#include <math.h>

#define EACH_INT(X)                                                                            \
    X(DT_I8, i8, int8_t) X(DT_I16, i16, int16_t) X(DT_I32, i32, int32_t) X(DT_I64, i64, int64_t) \
    X(DT_U8, u8, uint8_t) X(DT_U16, u16, uint16_t) X(DT_U32, u32, uint32_t) X(DT_U64, u64, uint64_t)

/* ---- ints; false: not a case for folding (it would stop the program) */

#define DEFINE(D, N, T)                                                                        \
    static bool int_##N(OpCode c, T x, T y, int64_t *r) {                                      \
        switch (c) {                                                                           \
        case OP_ADD: *r = (int64_t)dsl_add_##N(x, y); return true;                             \
        case OP_SUB: *r = (int64_t)dsl_sub_##N(x, y); return true;                             \
        case OP_MUL: *r = (int64_t)dsl_mul_##N(x, y); return true;                             \
        case OP_IDIV: if (y) *r = (int64_t)dsl_idiv_##N(x, y); return y != 0;                  \
        case OP_MOD: if (y) *r = (int64_t)dsl_mod_##N(x, y); return y != 0;                    \
        case OP_IPOW: *r = (int64_t)dsl_ipow_##N(x, y); return true;                           \
        case OP_MIN: *r = (int64_t)dsl_min_##N(x, y); return true;                             \
        case OP_MAX: *r = (int64_t)dsl_max_##N(x, y); return true;                             \
        case OP_NEG: *r = (int64_t)dsl_neg_##N(x); return true;                                \
        case OP_ABS: *r = (int64_t)dsl_abs_##N(x); return true;                                \
        case OP_SIGN: *r = (int64_t)dsl_sign_##N(x); return true;                              \
        case OP_SHL: *r = (int64_t)dsl_shl_##N(x, y); return true;                             \
        case OP_SHR: *r = (int64_t)dsl_shr_##N(x, y); return true;                             \
        case OP_AND: *r = (int64_t)(T)(x & y); return true;                                    \
        case OP_OR: *r = (int64_t)(T)(x | y); return true;                                     \
        case OP_XOR: *r = (int64_t)(T)(x ^ y); return true;                                    \
        case OP_NOT: *r = (int64_t)(T)~x; return true;                                         \
        case OP_EQ: *r = x == y; return true;                                                  \
        case OP_NE: *r = x != y; return true;                                                  \
        case OP_LT: *r = x < y; return true;                                                   \
        case OP_LE: *r = x <= y; return true;                                                  \
        case OP_GT: *r = x > y; return true;                                                   \
        case OP_GE: *r = x >= y; return true;                                                  \
        default: return false;                                                                 \
        }                                                                                      \
    }
EACH_INT(DEFINE)
#undef DEFINE

static bool eval_int(OpCode c, DType t, int64_t x, int64_t y, int64_t *r) {
    if (c == OP_IPOW && y < 0 && dtype_info(t)->kind == DK_INT) return false;
    switch (t) {
#define CASE(D, N, T) case D: return int_##N(c, (T)x, (T)y, r);
        EACH_INT(CASE)
#undef CASE
    default: return false;
    }
}

static bool eval_bool(OpCode c, bool x, bool y, int64_t *r) {
    switch (c) {
    case OP_AND: *r = x && y; return true;
    case OP_OR: *r = x || y; return true;
    case OP_XOR: case OP_NE: *r = x != y; return true;
    case OP_EQ: *r = x == y; return true;
    case OP_NOT: *r = !x; return true;
    default: return false;
    }
}

/* ---- floats */

#define DEFINE(N, T, F)                                                                        \
    static bool test_##N(OpCode c, T x, T y, int64_t *r) {                                     \
        switch (c) {                                                                           \
        case OP_EQ: *r = x == y; return true;                                                  \
        case OP_NE: *r = x != y; return true;                                                  \
        case OP_LT: *r = x < y; return true;                                                   \
        case OP_LE: *r = x <= y; return true;                                                  \
        case OP_GT: *r = x > y; return true;                                                   \
        case OP_GE: *r = x >= y; return true;                                                  \
        case OP_ISNAN: *r = isnan(x); return true;                                             \
        case OP_ISINF: *r = isinf(x) != 0; return true;                                        \
        case OP_ISFINITE: *r = isfinite(x) != 0; return true;                                  \
        default: return false;                                                                 \
        }                                                                                      \
    }                                                                                          \
    static bool float_##N(OpCode c, T x, T y, T z, double *r) {                                \
        switch (c) {                                                                           \
        case OP_ADD: *r = x + y; return true;                                                  \
        case OP_SUB: *r = x - y; return true;                                                  \
        case OP_MUL: *r = x * y; return true;                                                  \
        case OP_DIV: *r = x / y; return true;                                                  \
        case OP_IDIV: *r = dsl_idiv_##N(x, y); return true;                                    \
        case OP_MOD: *r = dsl_mod_##N(x, y); return true;                                      \
        case OP_MIN: *r = dsl_min_##N(x, y); return true;                                      \
        case OP_MAX: *r = dsl_max_##N(x, y); return true;                                      \
        case OP_SIGN: *r = dsl_sign_##N(x); return true;                                       \
        case OP_NEG: *r = -x; return true;                                                     \
        case OP_ABS: *r = fabs##F(x); return true;                                             \
        case OP_POW: *r = dsl_call_pow##F(x, y); return true;                                  \
        case OP_ATAN2: *r = atan2##F(x, y); return true;                                       \
        case OP_HYPOT: *r = hypot##F(x, y); return true;                                       \
        case OP_FMA: *r = fma##F(x, y, z); return true;                                        \
        case OP_SQRT: *r = sqrt##F(x); return true;                                            \
        case OP_CBRT: *r = cbrt##F(x); return true;                                            \
        case OP_EXP: *r = dsl_call_exp##F(x); return true;                                     \
        case OP_EXP2: *r = dsl_call_exp2##F(x); return true;                                   \
        case OP_EXPM1: *r = dsl_call_expm1##F(x); return true;                                 \
        case OP_LOG: *r = dsl_call_log##F(x); return true;                                     \
        case OP_LOG2: *r = dsl_call_log2##F(x); return true;                                   \
        case OP_LOG10: *r = dsl_call_log10##F(x); return true;                                 \
        case OP_LOG1P: *r = dsl_call_log1p##F(x); return true;                                 \
        case OP_SIN: *r = dsl_call_sin##F(x); return true;                                     \
        case OP_COS: *r = dsl_call_cos##F(x); return true;                                     \
        case OP_TAN: *r = dsl_call_tan##F(x); return true;                                     \
        case OP_ASIN: *r = dsl_call_asin##F(x); return true;                                   \
        case OP_ACOS: *r = dsl_call_acos##F(x); return true;                                   \
        case OP_ATAN: *r = dsl_call_atan##F(x); return true;                                   \
        case OP_SINH: *r = dsl_call_sinh##F(x); return true;                                   \
        case OP_COSH: *r = dsl_call_cosh##F(x); return true;                                   \
        case OP_TANH: *r = dsl_call_tanh##F(x); return true;                                   \
        case OP_ASINH: *r = asinh##F(x); return true;                                          \
        case OP_ACOSH: *r = acosh##F(x); return true;                                          \
        case OP_ATANH: *r = atanh##F(x); return true;                                          \
        case OP_ERF: *r = dsl_call_erf##F(x); return true;                                     \
        case OP_ERFC: *r = erfc##F(x); return true;                                            \
        case OP_TGAMMA: *r = tgamma##F(x); return true;                                        \
        case OP_FLOOR: *r = floor##F(x); return true;                                          \
        case OP_CEIL: *r = ceil##F(x); return true;                                            \
        case OP_TRUNC: *r = trunc##F(x); return true;                                          \
        default: return false;                                                                 \
        }                                                                                      \
    }
DEFINE(f32, float, f)
DEFINE(f64, double, )
#undef DEFINE

/* ---- casts */

static bool float_to_int(DType from, double x, DType to, int64_t *r) {
    switch (to) {
    case DT_BOOL: *r = x != 0; return true;
#define CASE(D, N, T) \
    case D: *r = (int64_t)(from != DT_F64 ? dsl_cast_f32_##N((float)x) : dsl_cast_f64_##N(x)); return true;
        EACH_INT(CASE)
#undef CASE
    default: return false;
    }
}

/* f16 and bf16 by way of f32. */
static double int_to_float(DType from, int64_t i, DType to) {
    if (to == DT_F64) return from == DT_U64 ? (double)(uint64_t)i : (double)i;
    return const_round(to, from == DT_U64 ? (double)(float)(uint64_t)i : (double)(float)i);
}

static bool eval_cast(const Const *x, Const *out) {
    DType from = x->dtype, to = out->dtype;
    if (to == DT_STR || from == DT_STR) return false;
    if (dtype_is_float(from)) {
        if (!dtype_is_float(to)) return float_to_int(from, x->f, to, &out->i);
        out->f = const_round(to, x->f);
        return true;
    }
    if (dtype_is_float(to)) out->f = int_to_float(from, x->i, to);
    else out->i = const_wrap(to, x->i);
    return true;
}

bool const_eval(OpCode c, DType result, int n, const Const *x, Const *out) {
    static const Const none;
    const Const *y = n > 1 ? &x[1] : &none, *z = n > 2 ? &x[2] : &none;
    *out = (Const){.dtype = result};
    if (c == OP_CAST) return eval_cast(x, out);
    switch (x->dtype) {
    case DT_BOOL: return eval_bool(c, x->i, y->i, &out->i);
    case DT_F32:
        if (result == DT_BOOL) return test_f32(c, (float)x->f, (float)y->f, &out->i);
        return float_f32(c, (float)x->f, (float)y->f, (float)z->f, &out->f);
    case DT_F64:
        if (result == DT_BOOL) return test_f64(c, x->f, y->f, &out->i);
        return float_f64(c, x->f, y->f, z->f, &out->f);
    default: return eval_int(c, x->dtype, x->i, y->i, &out->i);
    }
}
