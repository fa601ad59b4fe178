/* The elementwise operations on one element: a function for each operation and element type.
 *
 * They compute in the operand's own type with the helpers of runtime/dsl.h and math.h, so that the
 * emitted C gives the same bits.  f16 and bf16 are computed as f32 and rounded. */
#include "interp/private.h"
#include "runtime/elementary.h"

#include <math.h>

_Static_assert((int)DT_F64 == (int)DSL_F64 && (int)DT_STR == (int)DSL_STR && (int)DT_BF16 == (int)DSL_BF16,
               "the element types of compiler and runtime agree");

/* ---- elements in memory */

static float to_f16(float x) { return dsl_f16_to_f32(dsl_f32_to_f16(x)); }
static float to_bf16(float x) { return dsl_bf16_to_f32(dsl_f32_to_bf16(x)); }

Cell interp_load(DType t, const void *data, int64_t i) {
    switch (t) {
    case DT_BOOL: return (Cell){.i = ((const bool *)data)[i]};
    case DT_I8: return (Cell){.i = ((const int8_t *)data)[i]};
    case DT_I16: return (Cell){.i = ((const int16_t *)data)[i]};
    case DT_I32: return (Cell){.i = ((const int32_t *)data)[i]};
    case DT_U8: return (Cell){.i = ((const uint8_t *)data)[i]};
    case DT_U16: return (Cell){.i = ((const uint16_t *)data)[i]};
    case DT_U32: return (Cell){.i = ((const uint32_t *)data)[i]};
    case DT_F16: return (Cell){.s = dsl_f16_to_f32(((const dsl_f16 *)data)[i])};
    case DT_BF16: return (Cell){.s = dsl_bf16_to_f32(((const dsl_bf16 *)data)[i])};
    case DT_F32: return (Cell){.s = ((const float *)data)[i]};
    default: return ((const Cell *)data)[i];
    }
}

void interp_store(DType t, void *data, int64_t i, Cell v) {
    switch (t) {
    case DT_BOOL: ((bool *)data)[i] = v.i != 0; return;
    case DT_I8: case DT_U8: ((uint8_t *)data)[i] = (uint8_t)v.i; return;
    case DT_I16: case DT_U16: ((uint16_t *)data)[i] = (uint16_t)v.i; return;
    case DT_I32: case DT_U32: ((uint32_t *)data)[i] = (uint32_t)v.i; return;
    case DT_F16: ((dsl_f16 *)data)[i] = dsl_f32_to_f16(v.s); return;
    case DT_BF16: ((dsl_bf16 *)data)[i] = dsl_f32_to_bf16(v.s); return;
    case DT_F32: ((float *)data)[i] = v.s; return;
    default: ((Cell *)data)[i] = v;
    }
}

Cell interp_const(Const c) {
    switch (c.dtype) {
    case DT_STR: return (Cell){.text = c.s};
    case DT_F64: return (Cell){.f = c.f};
    case DT_F32: return (Cell){.s = (float)c.f};
    case DT_F16: return (Cell){.s = to_f16((float)c.f)};
    case DT_BF16: return (Cell){.s = to_bf16((float)c.f)};
    default: return (Cell){.i = c.i};
    }
}

/* ---- functions and rows of functions */

#define FN(name) static Cell name(Cell x, Cell y, Cell z)
#define UNUSED (void)x, (void)y, (void)z

/* ints: E over a, b of type T */
#define INT_ONE(OP, E, N, T) \
    FN(OP##_##N) { \
        UNUSED; \
        T a = (T)x.i, b = (T)y.i; \
        (void)a, (void)b; \
        return (Cell){.i = (int64_t)(T)(E(N))}; \
    }
#define INT_FNS(OP, E)                                                                         \
    INT_ONE(OP, E, i8, int8_t) INT_ONE(OP, E, i16, int16_t) INT_ONE(OP, E, i32, int32_t)       \
    INT_ONE(OP, E, i64, int64_t) INT_ONE(OP, E, u8, uint8_t) INT_ONE(OP, E, u16, uint16_t)     \
    INT_ONE(OP, E, u32, uint32_t) INT_ONE(OP, E, u64, uint64_t)
#define INT_ROW(OP)                                                                            \
    [DT_I8] = OP##_i8, [DT_I16] = OP##_i16, [DT_I32] = OP##_i32, [DT_I64] = OP##_i64,          \
    [DT_U8] = OP##_u8, [DT_U16] = OP##_u16, [DT_U32] = OP##_u32, [DT_U64] = OP##_u64
/* floats: D over doubles a, b, c; S over floats a, b, c */
#define FLOAT_FNS(OP, D, S)                                                                    \
    FN(OP##_f64) { double a = x.f, b = y.f, c = z.f; (void)b, (void)c; return (Cell){.f = D}; } \
    FN(OP##_f32) { float a = x.s, b = y.s, c = z.s; (void)b, (void)c; return (Cell){.s = S}; } \
    FN(OP##_f16) { float a = x.s, b = y.s, c = z.s; (void)b, (void)c; return (Cell){.s = to_f16(S)}; } \
    FN(OP##_bf16) { float a = x.s, b = y.s, c = z.s; (void)b, (void)c; return (Cell){.s = to_bf16(S)}; }
#define FLOAT_ROW(OP) [DT_F64] = OP##_f64, [DT_F32] = OP##_f32, [DT_F16] = OP##_f16, [DT_BF16] = OP##_bf16
/* bool results: E over a, b */
#define TEST_ONE(OP, E, N, T, FIELD) \
    FN(OP##_##N) { \
        UNUSED; \
        T a = (T)x.FIELD, b = (T)y.FIELD; \
        (void)b; \
        return (Cell){.i = E}; \
    }

#define ROW(OP, ...) static ElemFn *const OP##_row[DT_COUNT] = {__VA_ARGS__};
#define NUMBER2(OP, E, D, S) INT_FNS(OP, E) FLOAT_FNS(OP, D, S) ROW(OP, INT_ROW(OP), FLOAT_ROW(OP))
#define FLOAT1(OP, D, S) FLOAT_FNS(OP, D, S) ROW(OP, FLOAT_ROW(OP))

#define E_ADD(N) dsl_add_##N(a, b)
#define E_SUB(N) dsl_sub_##N(a, b)
#define E_MUL(N) dsl_mul_##N(a, b)
#define E_IDIV(N) dsl_idiv_##N(a, b)
#define E_MOD(N) dsl_mod_##N(a, b)
#define E_MIN(N) dsl_min_##N(a, b)
#define E_MAX(N) dsl_max_##N(a, b)
#define E_NEG(N) dsl_neg_##N(a)
#define E_ABS(N) dsl_abs_##N(a)
#define E_SIGN(N) dsl_sign_##N(a)
#define E_IPOW(N) dsl_ipow_##N(a, b)
#define E_SHL(N) dsl_shl_##N(a, b)
#define E_SHR(N) dsl_shr_##N(a, b)
NUMBER2(add, E_ADD, a + b, a + b)
NUMBER2(sub, E_SUB, a - b, a - b)
NUMBER2(mul, E_MUL, a * b, a * b)
NUMBER2(idiv, E_IDIV, dsl_idiv_f64(a, b), dsl_idiv_f32(a, b))
NUMBER2(mod, E_MOD, dsl_mod_f64(a, b), dsl_mod_f32(a, b))
NUMBER2(min, E_MIN, dsl_min_f64(a, b), dsl_min_f32(a, b))
NUMBER2(max, E_MAX, dsl_max_f64(a, b), dsl_max_f32(a, b))
NUMBER2(neg, E_NEG, -a, -a)
NUMBER2(abs, E_ABS, fabs(a), fabsf(a))
NUMBER2(sign, E_SIGN, dsl_sign_f64(a), dsl_sign_f32(a))
INT_FNS(ipow, E_IPOW) ROW(ipow, INT_ROW(ipow))
INT_FNS(shl, E_SHL) ROW(shl, INT_ROW(shl))
INT_FNS(shr, E_SHR) ROW(shr, INT_ROW(shr))
FLOAT1(div, a / b, a / b)
FLOAT1(pow, dsl_call_pow(a, b), dsl_call_powf(a, b))
FLOAT1(atan2, atan2(a, b), atan2f(a, b))
FLOAT1(hypot, hypot(a, b), hypotf(a, b))
FLOAT1(fma, fma(a, b, c), fmaf(a, b, c))
#define MATH(NAME) FLOAT1(NAME, NAME(a), NAME##f(a))
#define OWN(NAME) FLOAT1(NAME, dsl_call_##NAME(a), dsl_call_##NAME##f(a))
DSL_ELEMENTARY(OWN) DSL_ELEMENTARY_TRIG(OWN)
MATH(sqrt) MATH(cbrt)
MATH(asinh) MATH(acosh) MATH(atanh) MATH(erfc) MATH(tgamma) MATH(lgamma)
MATH(floor) MATH(ceil) MATH(round) MATH(trunc)

/* tests */
#define FLOAT_TEST(OP, E)                                                                      \
    TEST_ONE(OP, E, f64, double, f) TEST_ONE(OP, E, f32, float, s)                             \
    ROW(OP, [DT_F64] = OP##_f64, [DT_F32] = OP##_f32, [DT_F16] = OP##_f32, [DT_BF16] = OP##_f32)
FLOAT_TEST(isnan, a != a)
FLOAT_TEST(isinf, isinf(a) != 0)
FLOAT_TEST(isfinite, isfinite(a) != 0)
#define COMPARE(OP, E)                                                                         \
    TEST_ONE(OP, E, f64, double, f) TEST_ONE(OP, E, f32, float, s) TEST_ONE(OP, E, int, int64_t, i) \
    TEST_ONE(OP, E, u64, uint64_t, u)                                                          \
    ROW(OP, [DT_BOOL] = OP##_int, [DT_I8] = OP##_int, [DT_I16] = OP##_int, [DT_I32] = OP##_int, \
        [DT_I64] = OP##_int, [DT_U8] = OP##_int, [DT_U16] = OP##_int, [DT_U32] = OP##_int,     \
        [DT_U64] = OP##_u64, [DT_F64] = OP##_f64, [DT_F32] = OP##_f32, [DT_F16] = OP##_f32, [DT_BF16] = OP##_f32)
COMPARE(eq, a == b)
COMPARE(ne, a != b)
COMPARE(lt, a < b)
COMPARE(le, a <= b)
COMPARE(gt, a > b)
COMPARE(ge, a >= b)

/* bits: canonical cells (sign- or zero-extended) stay canonical */
#define BITS(OP, E)                                                                            \
    FN(OP##_any) { UNUSED; return (Cell){.u = E}; }                                            \
    ROW(OP, [DT_BOOL] = OP##_any, [DT_I8] = OP##_any, [DT_I16] = OP##_any, [DT_I32] = OP##_any, \
        [DT_I64] = OP##_any, [DT_U8] = OP##_any, [DT_U16] = OP##_any, [DT_U32] = OP##_any, [DT_U64] = OP##_any)
BITS(and, x.u & y.u)
BITS(or, x.u | y.u)
BITS(xor, x.u ^ y.u)
#define E_NOT(N) ~a
INT_FNS(not, E_NOT)
FN(not_bool) { UNUSED; return (Cell){.i = !x.i}; }
ROW(not, [DT_BOOL] = not_bool, INT_ROW(not))

FN(select_any) { return x.i ? y : z; }

/* ---- casts: from one of four classes to each type */

#define CAST_INT(N, T)                                                                         \
    FN(cast_i_##N) { UNUSED; return (Cell){.i = (int64_t)(T)x.i}; }                            \
    FN(cast_s_##N) { UNUSED; return (Cell){.i = (int64_t)dsl_cast_f32_##N(x.s)}; }             \
    FN(cast_d_##N) { UNUSED; return (Cell){.i = (int64_t)dsl_cast_f64_##N(x.f)}; }
DSL_EACH_SIGNED(CAST_INT)
DSL_EACH_UNSIGNED(CAST_INT)
FN(cast_s_indefinite) { UNUSED; return (Cell){.i = dsl_trunc_i64((double)x.s)}; }
FN(cast_d_indefinite) { UNUSED; return (Cell){.i = dsl_trunc_i64(x.f)}; }
#define CAST_FLOAT(FROM, EXPR)                                                                 \
    FN(cast_##FROM##_bool) { UNUSED; return (Cell){.i = (EXPR) != 0}; }                        \
    FN(cast_##FROM##_f64) { UNUSED; return (Cell){.f = (double)(EXPR)}; }                      \
    FN(cast_##FROM##_f32) { UNUSED; return (Cell){.s = (float)(EXPR)}; }                       \
    FN(cast_##FROM##_f16) { UNUSED; return (Cell){.s = to_f16((float)(EXPR))}; }            \
    FN(cast_##FROM##_bf16) { UNUSED; return (Cell){.s = to_bf16((float)(EXPR))}; }
CAST_FLOAT(i, x.i)
CAST_FLOAT(u, x.u)
CAST_FLOAT(s, x.s)
CAST_FLOAT(d, x.f)

#define CAST_ROW(INTS, FLOATS)                                                                 \
    {[DT_BOOL] = cast_##FLOATS##_bool, INT_ROW(cast_##INTS), FLOAT_ROW(cast_##FLOATS)}
enum { FROM_INT, FROM_U64, FROM_F32, FROM_F64 };
static ElemFn *const casts[][DT_COUNT] = {CAST_ROW(i, i), CAST_ROW(i, u), CAST_ROW(s, s), CAST_ROW(d, d)};

static ElemFn *cast_fn(DType from, DType to) {
    if (from == DT_STR) return NULL;
    return casts[from == DT_F64         ? FROM_F64
                 : dtype_is_float(from) ? FROM_F32
                 : from == DT_U64       ? FROM_U64
                                        : FROM_INT][to];
}

/* ---- the table */

static ElemFn *const *row_of(OpCode c) {
    switch (c) {
#define IS(id, row) case id: return row##_row;
    IS(OP_ADD, add) IS(OP_SUB, sub) IS(OP_MUL, mul) IS(OP_DIV, div) IS(OP_IDIV, idiv) IS(OP_MOD, mod)
    IS(OP_POW, pow) IS(OP_IPOW, ipow) IS(OP_MIN, min) IS(OP_MAX, max) IS(OP_NEG, neg) IS(OP_ABS, abs)
    IS(OP_SIGN, sign) IS(OP_SQRT, sqrt) IS(OP_CBRT, cbrt) IS(OP_EXP, exp) IS(OP_EXP2, exp2)
    IS(OP_EXPM1, expm1) IS(OP_LOG, log) IS(OP_LOG2, log2) IS(OP_LOG10, log10) IS(OP_LOG1P, log1p)
    IS(OP_SIN, sin) IS(OP_COS, cos) IS(OP_TAN, tan) IS(OP_ASIN, asin) IS(OP_ACOS, acos) IS(OP_ATAN, atan)
    IS(OP_SINH, sinh) IS(OP_COSH, cosh) IS(OP_TANH, tanh) IS(OP_ASINH, asinh) IS(OP_ACOSH, acosh)
    IS(OP_ATANH, atanh) IS(OP_ERF, erf) IS(OP_ERFC, erfc) IS(OP_TGAMMA, tgamma) IS(OP_LGAMMA, lgamma)
    IS(OP_FLOOR, floor) IS(OP_CEIL, ceil) IS(OP_ROUND, round) IS(OP_TRUNC, trunc) IS(OP_ATAN2, atan2)
    IS(OP_HYPOT, hypot) IS(OP_FMA, fma) IS(OP_ISNAN, isnan) IS(OP_ISINF, isinf) IS(OP_ISFINITE, isfinite)
    IS(OP_EQ, eq) IS(OP_NE, ne) IS(OP_LT, lt) IS(OP_LE, le) IS(OP_GT, gt) IS(OP_GE, ge)
    IS(OP_AND, and) IS(OP_OR, or) IS(OP_XOR, xor) IS(OP_NOT, not) IS(OP_SHL, shl) IS(OP_SHR, shr)
#undef IS
    default: return NULL;
    }
}

ElemFn *interp_elem_fn(const Op *op) {
    DType t = op_opnd(op, 0)->type->dtype;
    ElemFn *const *row = row_of(op->code), *fn = NULL;
    if (op->code == OP_SELECT) return select_any;
    if (op_flag(op, A_INDEFINITE)) return t == DT_F64 ? cast_d_indefinite : cast_s_indefinite;
    if (op->code == OP_CAST) fn = cast_fn(t, op->res[0].type->dtype);
    else if (row) fn = row[t];
    if (!fn) bug("no %s of %s", op_info(op->code)->mnemonic, dtype_info(t)->name);
    return fn;
}

/* ---- kinds of reductions */

ElemFn *interp_kind_fn(Combine kind, DType t) {
    ElemFn *const *row = row_of(combine_info(kind)->op);
    if (row && row[t]) return row[t];
    bug("no reduction by %s of %s", combine_info(kind)->word, dtype_info(t)->name);
}

Cell interp_kind_identity(Combine kind, DType t) {
    Const c = combine_identity(kind, t);
    Cell none = {0};
    if (dtype_is_float(t)) return cast_fn(DT_F64, t)((Cell){.f = c.f}, none, none);
    return cast_fn(DT_I64, t)((Cell){.i = c.i}, none, none);
}

/* ---- on tensors */

static bool divides(OpCode c) { return c == OP_IDIV || c == OP_MOD; }

static void check_divisor(Frame *fr, const Inst *in, DType t, Cell y) {
    if (dtype_is_float(t)) return;
    bool bad = divides(in->op->code) ? y.i == 0 : in->op->code == OP_IPOW && y.i < 0 && dtype_info(t)->kind == DK_INT;
    if (!bad) return;
    interp_check_proved(fr, in);
    const dsl_site *at = interp_site(fr, in->op);
    if (divides(in->op->code)) dsl_fail_divzero(at);
    dsl_fail_negpow(at, y.i);
}

static void elementwise(Frame *fr, const Inst *in) {
    int n = in->op->nopnds;
    if (in->op->res[0].type->kind == TY_SCALAR) { /* those that may trap come here */
        Cell y = interp_opnd(fr, in, n - 1);
        check_divisor(fr, in, interp_dtype(in, n - 1), y);
        fr->env[in->r] = in->fn(interp_opnd(fr, in, 0), y, (Cell){0});
        return;
    }
    Tensor *x[3] = {NULL}, *r = interp_result_like(fr, in, 0);
    for (int i = 0; i < n; i++) {
        x[i] = interp_defined(fr, in, i);
        if (x[i]->a->count != r->a->count) interp_broken(fr, in->op, "operand %d has another shape", i);
    }
    DType to = in->op->res[0].type->dtype, from = interp_dtype(in, n - 1);
    bool traps = op_info(in->op->code)->traits & TR_TRAP;
    for (int64_t k = 0; k < r->a->count; k++) {
        Cell c[3] = {{0}};
        for (int i = 0; i < n; i++) c[i] = interp_load(interp_dtype(in, i), x[i]->a->data, k);
        if (traps) check_divisor(fr, in, from, c[1]);
        interp_store(to, r->a->data, k, in->fn(c[0], c[1], c[2]));
    }
    interp_put_tensor(fr, in, r);
}

#define ELEM(id) void interp_##id(Frame *fr, const Inst *in) { elementwise(fr, in); }
ELEM(OP_ADD) ELEM(OP_SUB) ELEM(OP_MUL) ELEM(OP_DIV) ELEM(OP_IDIV) ELEM(OP_MOD) ELEM(OP_POW) ELEM(OP_IPOW)
ELEM(OP_MIN) ELEM(OP_MAX) ELEM(OP_NEG) ELEM(OP_ABS) ELEM(OP_SIGN) ELEM(OP_SQRT) ELEM(OP_CBRT) ELEM(OP_EXP)
ELEM(OP_EXP2) ELEM(OP_EXPM1) ELEM(OP_LOG) ELEM(OP_LOG2) ELEM(OP_LOG10) ELEM(OP_LOG1P) ELEM(OP_SIN) ELEM(OP_COS)
ELEM(OP_TAN) ELEM(OP_ASIN) ELEM(OP_ACOS) ELEM(OP_ATAN) ELEM(OP_SINH) ELEM(OP_COSH) ELEM(OP_TANH) ELEM(OP_ASINH)
ELEM(OP_ACOSH) ELEM(OP_ATANH) ELEM(OP_ERF) ELEM(OP_ERFC) ELEM(OP_TGAMMA) ELEM(OP_LGAMMA) ELEM(OP_FLOOR)
ELEM(OP_CEIL) ELEM(OP_ROUND) ELEM(OP_TRUNC) ELEM(OP_ATAN2) ELEM(OP_HYPOT) ELEM(OP_FMA) ELEM(OP_ISNAN)
ELEM(OP_ISINF) ELEM(OP_ISFINITE) ELEM(OP_EQ) ELEM(OP_NE) ELEM(OP_LT) ELEM(OP_LE) ELEM(OP_GT) ELEM(OP_GE)
ELEM(OP_AND) ELEM(OP_OR) ELEM(OP_XOR) ELEM(OP_NOT) ELEM(OP_SHL) ELEM(OP_SHR) ELEM(OP_SELECT) ELEM(OP_CAST)

/* ---- for observers */

static double as_double(DType t, Cell v) {
    if (t == DT_BOOL) return v.i != 0;
    return t == DT_F64 ? v.f : (double)v.s;
}

double interp_operand(const InterpOperands *operands, int i, int64_t k) {
    const Inst *in = operands->inst;
    const Type *t = op_opnd(in->op, i)->type;
    Cell v = interp_opnd(operands->frame, in, i);
    return as_double(t->dtype, t->kind == TY_SCALAR ? v : interp_load(t->dtype, v.t->a->data, k));
}

double interp_result(const InterpOperands *operands) {
    const Inst *in = operands->inst;
    return as_double(in->op->res[0].type->dtype, ((const Frame *)operands->frame)->env[in->r]);
}

void interp_watched_read(Frame *fr, const Inst *in) {
    const InterpObserver *o = fr->in->opts.observer;
    const InterpOperands operands = {fr, in};
    interp_OP_EXTRACT(fr, in);
    o->see(o->ctx, in->op, 1, &operands);
}

void interp_watched(Frame *fr, const Inst *in) {
    const InterpObserver *o = fr->in->opts.observer;
    const InterpOperands operands = {fr, in};
    bool scalar = in->op->res[0].type->kind == TY_SCALAR;
    o->see(o->ctx, in->op, scalar ? 1 : interp_opnd(fr, in, 0).t->a->count, &operands);
    if (!scalar) elementwise(fr, in);
    else fr->env[in->r] = in->fn(fr->env[in->a], fr->env[in->b], fr->env[in->c]);
}

double interp_apply(OpCode op, DType t, int n, const double *x) {
    Cell c[3] = {{0}};
    for (int i = 0; i < n; i++)
        if (t == DT_F64) c[i].f = x[i];
        else c[i].s = (float)x[i];
    return as_double(t, row_of(op)[t](c[0], c[1], c[2]));
}
