/* largest(type), smallest(type), epsilon(type): numbers that are known when compiling. */
#include "frontend/check.h"

#include <float.h>
#include <math.h>

typedef struct { double largest, smallest, epsilon; } FloatLimits;

static FloatLimits limits_of(DType d) {
    switch (d) {
    case DT_F16: return (FloatLimits){65504, 0x1p-14, 0x1p-10};
    case DT_BF16: return (FloatLimits){0x1.fep127, 0x1p-126, 0x1p-7};
    case DT_F32: return (FloatLimits){FLT_MAX, FLT_MIN, FLT_EPSILON};
    default: return (FloatLimits){DBL_MAX, DBL_MIN, DBL_EPSILON};
    }
}

static Const float_limit(int b, DType d) {
    FloatLimits f = limits_of(d);
    return (Const){.dtype = d, .f = b == BI_largest ? f.largest : b == BI_smallest ? f.smallest : f.epsilon};
}

Const int_limit(DType d, bool largest) {
    int bits = 8 * dtype_info(d)->bytes;
    bool sign = dtype_info(d)->kind == DK_INT;
    uint64_t all = bits == 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1;
    uint64_t most = sign ? all >> 1 : all;
    return (Const){.dtype = d, .i = (int64_t)(largest ? most : sign ? ~most : 0)};
}

Expr *check_limit(Check *c, Expr *e, int b) {
    if (!want_count(c, e, b, 1, 1)) return error_expr(e);
    const Expr *t = e->args.data[0] = check_expr(c, e->args.data[0], NULL);
    if (is_error(t)) return error_expr(e);
    const FType *elem = t->type->kind == FT_TYPE ? t->type->elem : t->type;
    bool is_float = elem->kind == FT_SCALAR && dtype_is_float(elem->dtype),
         ok = t->type->kind == FT_TYPE && type_is_num(elem) && elem->kind == FT_SCALAR;
    if (!ok || (b == BI_epsilon && !is_float)) {
        report_argument(c, t, b, b == BI_epsilon ? "a type of floats" : "a type of numbers");
        return error_expr(e);
    }
    e->type = elem;
    set_const(c, e, is_float ? float_limit(b, elem->dtype) : int_limit(elem->dtype, b == BI_largest));
    return e;
}
