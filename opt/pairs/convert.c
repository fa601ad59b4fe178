/* Pairs of floats, made of other numbers and made into them. */
#include "opt/pairs/pairs.h"

#include <float.h>

static bool same(const Value *x, DType t) { return x->type->dtype == t; }

/* ---- scalars */

/* x parted: the float nearest to it, and that nearest to the rest */
static Pair split_float(Builder *b, Value *x, DType part) {
    Value *hi = build_cast(b, x, part);
    Value *rest = build_cast(b, build_binary(b, OP_SUB, x, build_cast(b, hi, x->type->dtype)), part);
    return pair_or_high(b, pair_sum(b, hi, rest), hi);
}

static Pair split_int(Builder *b, Value *x, DType part) {
    DType exact = same(x, DT_U64) ? DT_U64 : DT_I64;
    Value *hi = build_cast(b, x, part);
    Value *rest = build_binary(b, OP_SUB, build_cast(b, x, exact), build_cast(b, hi, exact));
    return pair_sum(b, hi, build_cast(b, build_cast(b, rest, DT_I64), part));
}

/* Bits of whole numbers that a float holds */
static int digits(DType t) {
    switch (t) {
    case DT_BOOL: return 1;
    case DT_BF16: return 8;
    case DT_F16: return 11;
    case DT_F32: return FLT_MANT_DIG;
    case DT_F64: return DBL_MANT_DIG;
    default: return 8 * dtype_info(t)->bytes;
    }
}

Pair pair_from(Builder *b, Value *x, DType part) {
    if (digits(x->type->dtype) <= digits(part)) return pair_of(b, build_cast(b, x, part));
    return dtype_is_float(x->type->dtype) ? split_float(b, x, part) : split_int(b, x, part);
}

static Value *join_scalars(Builder *b, Pair x, DType wide) {
    return build_binary(b, OP_ADD, build_cast(b, x.hi, wide), build_cast(b, x.lo, wide));
}

/* The whole pair t as an i64: the parts' sum, which wraps where hi is 2^63 and lo below 0, to what is right, if the sum
 * is in range, else the end of the range. */
static Value *whole_i64(Builder *b, Pair t) {
    DType part = t.hi->type->dtype;
    Value *zero = build_float(b, part, 0), *end = build_float(b, part, 0x1p63);
    Value *size = build_unary(b, OP_ABS, t.hi), *hi = build_cast(b, t.hi, DT_I64), *lo = build_cast(b, t.lo, DT_I64);
    Value *back = build_binary(b, OP_LT, build_binary(b, OP_MUL, build_unary(b, OP_SIGN, t.hi), t.lo), zero);
    Value *at_end = build_binary(b, OP_AND, build_binary(b, OP_EQ, size, end), back);
    Value *inside = build_binary(b, OP_OR, build_binary(b, OP_LT, size, end), at_end);
    Value *one = build_cast(b, build_binary(b, OP_EQ, t.hi, end), DT_I64); /* hi was cut to 2^63 - 1 */
    return build_select(b, inside, build_binary(b, OP_ADD, build_binary(b, OP_ADD, hi, one), lo), hi);
}

static Value *whole_u64(Builder *b, Pair t) {
    DType part = t.hi->type->dtype;
    Value *zero = build_float(b, part, 0), *end = build_float(b, part, 0x1p64);
    Value *hi = build_cast(b, t.hi, DT_U64), *lo = build_cast(b, build_cast(b, t.lo, DT_I64), DT_U64);
    Value *is_end = build_binary(b, OP_EQ, t.hi, end);
    Value *at_end = build_binary(b, OP_AND, is_end, build_binary(b, OP_LT, t.lo, zero));
    Value *between = build_binary(b, OP_AND, build_binary(b, OP_GT, t.hi, zero), build_binary(b, OP_LT, t.hi, end));
    Value *sum = build_binary(b, OP_ADD, build_binary(b, OP_ADD, hi, build_cast(b, is_end, DT_U64)), lo);
    return build_select(b, build_binary(b, OP_OR, between, at_end), sum, hi);
}

Value *pair_to(Builder *b, Pair x, DType to, DType wide) {
    DType part = x.hi->type->dtype;
    if (to == DT_BOOL) return build_binary(b, OP_NE, x.hi, build_float(b, part, 0));
    if (to == part) return x.hi;
    if (dtype_is_float(to)) return digits(to) > digits(wide) ? join_scalars(b, x, to)
                                                             : build_cast(b, join_scalars(b, x, wide), to);
    if (part != wide) return build_cast(b, join_scalars(b, x, wide), to);
    Pair t = pair_trunc(b, x);
    return to == DT_I64 ? whole_i64(b, t) : to == DT_U64 ? whole_u64(b, t) : build_cast(b, t.hi, to);
}

/* ---- arrays */

/* A comprehension over the indices of `like`, whose elements have n results of this type; *in: where they are made */
static Op *elements(Builder *b, const Value *like, int n, DType t, Builder *in) {
    const Type *type = type_with_dtype(b->module->session, like->type, t);
    Op *g = build_op(b, OP_GENERATE, 0, NULL, n, (const Type *[]){type, type}, 1);
    for (int i = 0; i < type->rank; i++) region_add_arg(g->regs[0], type_i64(b->module), NULL);
    *in = builder_at_end(b->module, g->regs[0], b->span);
    return g;
}

Pair pair_split(Builder *b, Value *x, DType part) {
    if (!type_is_tensor(x->type)) return same(x, part) ? pair_of(b, x) : split_float(b, x, part);
    Builder in;
    Op *g = elements(b, x, 2, part, &in);
    Pair each = pair_split(&in, extract_safe(&in, x, x->type->rank, g->regs[0]->args), part);
    build_yield(&in, 2, (Value *[]){each.hi, each.lo});
    g->res[0].name = g->res[1].name = x->name;
    return (Pair){&g->res[0], &g->res[1]};
}

Pair pair_zeros(Builder *b, const Value *like, DType part) {
    Builder in;
    Op *g = elements(b, like, 2, part, &in);
    Value *zero = build_float(&in, part, 0);
    build_yield(&in, 2, (Value *[]){zero, zero});
    return (Pair){&g->res[0], &g->res[1]};
}

Value *pair_join(Builder *b, Pair x, DType wide) {
    if (!type_is_tensor(x.hi->type)) return join_scalars(b, x, wide);
    Builder in;
    Op *g = elements(b, x.hi, 1, wide, &in);
    int rank = x.hi->type->rank;
    Value **i = g->regs[0]->args;
    Value *each = join_scalars(&in, (Pair){extract_safe(&in, x.hi, rank, i), extract_safe(&in, x.lo, rank, i)}, wide);
    build_yield(&in, 1, &each);
    g->res[0].name = x.hi->name;
    return &g->res[0];
}
