/* Elementwise operations.  What is known of ints is kept: constants, and what is linear in the axes. */
#include "codegen/stablehlo/private.h"

#include <math.h>

/* ---- linear ints */

static Ten *linear_new(Hlo *h, const Ten *x, const Ten *y) {
    int axes[MOST_AXES], n = axes_union(x->naxes, x->axis, y->naxes, y->axis, axes);
    Ten *r = ten_new(h, DT_I64, n, axes, 0, NULL, NULL);
    r->is_linear = true;
    return r;
}

static int64_t coef_of(const Ten *t, int axis) {
    for (int i = 0; i < t->naxes; i++)
        if (t->axis[i] == axis) return t->coef[i];
    return 0;
}

/* t as a linear one; NULL: iterations disagree on it otherwise */
static const Ten *as_linear(Hlo *h, const Ten *t) {
    if (t->is_linear) return t;
    if (t->dtype != DT_I64 || t->naxes || t->rank || !t->ssa) return NULL;
    Ten *r = ten_new(h, DT_I64, 0, NULL, 0, NULL, NULL);
    return r->is_linear = true, r->base = t, r;
}

static bool same_base(const Ten *x, const Ten *y) { return x->base && y->base && x->base->ssa == y->base->ssa; }

/* Without axes of coefficient 0; a constant if nothing else is left, the base if nothing is added to it */
static const Ten *linear_tidied(Hlo *h, Ten *t) {
    int k = 0;
    for (int i = 0; i < t->naxes; i++)
        if (t->coef[i]) t->axis[k] = t->axis[i], t->coef[k++] = t->coef[i];
    t->naxes = k;
    if (t->base && !t->start && !k) return t->base;
    return k || t->base ? t : ten_int(h, t->start);
}

/* x + by*y of linear ones; NULL: it leaves 64 bits, or has two bases */
static const Ten *linear_sum(Hlo *h, const Ten *x, const Ten *y, int64_t by) {
    Ten *r = linear_new(h, x, y);
    int64_t more;
    if (x->base && y->base && !(by == -1 && same_base(x, y))) return NULL;
    if (!y->base || !x->base) r->base = y->base ? y->base : x->base;
    if (y->base && r->base && by != 1) r->base = ten_binary(h, "stablehlo.multiply", y->base, ten_int(h, by));
    if (__builtin_mul_overflow(by, y->start, &more) || __builtin_add_overflow(x->start, more, &r->start)) return NULL;
    for (int i = 0; i < r->naxes; i++)
        if (__builtin_mul_overflow(by, coef_of(y, r->axis[i]), &more) ||
            __builtin_add_overflow(coef_of(x, r->axis[i]), more, &r->coef[i]))
            return NULL;
    return linear_tidied(h, r);
}

/* The least and the greatest value that a linear one has; false: they leave 62 bits */
static bool linear_range(const Hlo *h, const Ten *t, int64_t *lo, int64_t *hi) {
    __int128 least = t->start, most = t->start, far = (__int128)1 << 62;
    for (int i = 0; i < t->naxes; i++) {
        __int128 reach = (__int128)t->coef[i] * (h->extent[t->axis[i]] - 1);
        if (h->extent[t->axis[i]] == 0) continue;
        if (reach < 0) least += reach;
        else most += reach;
    }
    *lo = (int64_t)least, *hi = (int64_t)most;
    return least > -far && most < far;
}

/* Linear without a base: it has a least and a greatest value */
static bool has_range(const Ten *t) { return t->is_linear && !t->base; }
static bool both_linear(const Ten *x, const Ten *y) { return has_range(x) && has_range(y); }

static const Ten *sum_of(Hlo *h, const Ten *x, const Ten *y, int64_t by) {
    bool plain = !x->is_linear && !y->is_linear; /* nothing is known of either */
    x = as_linear(h, x), y = as_linear(h, y);
    return !x || !y || (plain && !same_base(x, y)) ? NULL : linear_sum(h, x, y, by);
}

/* ---- by words of StableHLO */

static void alike(Hlo *h, const Ten **x, const Ten **y) {
    int axes[MOST_AXES], n = axes_union((*x)->naxes, (*x)->axis, (*y)->naxes, (*y)->axis, axes);
    *x = ten_widen(h, *x, n, axes), *y = ten_widen(h, *y, n, axes);
    if ((*x)->rank < (*y)->rank) *x = ten_fill(h, *x, (*y)->rank, (*y)->dim);
    if ((*y)->rank < (*x)->rank) *y = ten_fill(h, *y, (*x)->rank, (*x)->dim);
}

const Ten *ten_unary(Hlo *h, const char *word, const Ten *x) {
    x = ten_written(h, x);
    return ten_like(h, x->dtype, x, hlo_op(h, "%s %s : %s", word, x->ssa, ten_type(h, x)));
}

const Ten *ten_binary(Hlo *h, const char *word, const Ten *x, const Ten *y) {
    alike(h, &x, &y);
    return ten_like(h, x->dtype, x, hlo_op(h, "%s %s, %s : %s", word, x->ssa, y->ssa, ten_type(h, x)));
}

const Ten *ten_add(Hlo *h, const Ten *x, const Ten *y) {
    const Ten *sum = sum_of(h, x, y, 1);
    return sum ? sum : ten_binary(h, "stablehlo.add", x, y);
}

const Ten *ten_sub(Hlo *h, const Ten *x, const Ten *y) {
    const Ten *sum = sum_of(h, x, y, -1);
    return sum ? sum : ten_binary(h, "stablehlo.subtract", x, y);
}

const Ten *ten_mul(Hlo *h, const Ten *x, const Ten *y) {
    const Ten *product = NULL;
    if (x->is_linear && x->is_known && y->is_linear) product = linear_sum(h, ten_int(h, 0), y, x->start);
    else if (y->is_linear && y->is_known && x->is_linear) product = linear_sum(h, ten_int(h, 0), x, y->start);
    return product ? product : ten_binary(h, "stablehlo.multiply", x, y);
}

/* Whether a comparison of a difference from lo to hi with 0 holds always (1), never (0), or nobody knows (-1) */
static int decided(const char *how, int64_t lo, int64_t hi) {
    if (!strcmp(how, "LT")) return hi < 0 ? 1 : lo >= 0 ? 0 : -1;
    if (!strcmp(how, "LE")) return hi <= 0 ? 1 : lo > 0 ? 0 : -1;
    if (!strcmp(how, "GT")) return lo > 0 ? 1 : hi <= 0 ? 0 : -1;
    if (!strcmp(how, "GE")) return lo >= 0 ? 1 : hi < 0 ? 0 : -1;
    int equal = lo == 0 && hi == 0 ? 1 : lo > 0 || hi < 0 ? 0 : -1;
    return !strcmp(how, "EQ") || equal < 0 ? equal : !equal;
}

static const struct { const char *how; OpCode code; } comparisons[] = {
    {"EQ", OP_EQ}, {"NE", OP_NE}, {"LT", OP_LT}, {"LE", OP_LE}, {"GT", OP_GT}, {"GE", OP_GE}};

/* The same of two constants, or two linear ints */
static int compared(Hlo *h, const char *how, const Ten *x, const Ten *y) {
    int64_t lo, hi;
    Const c;
    for (size_t i = 0; x->is_known && y->is_known && i < sizeof comparisons / sizeof *comparisons; i++)
        if (!strcmp(how, comparisons[i].how) &&
            const_eval(comparisons[i].code, DT_BOOL, 2, (Const[]){x->known, y->known}, &c))
            return c.i != 0;
    const Ten *by = x->is_linear && y->is_linear ? linear_sum(h, x, y, -1) : NULL;
    return by && has_range(by) && linear_range(h, by, &lo, &hi) ? decided(how, lo, hi) : -1;
}

const Ten *ten_compare(Hlo *h, const char *how, const Ten *x, const Ten *y) {
    const Ten *left = x, *right = y;
    int known = compared(h, how, x, y);
    if (known >= 0) return ten_bool(h, known);
    alike(h, &x, &y);
    DTypeKind k = dtype_info(x->dtype)->kind;
    const char *type = k == DK_FLOAT ? "FLOAT" : k == DK_INT ? "SIGNED" : "UNSIGNED";
    Ten *r = ten_like(h, DT_BOOL, x, NULL);
    r->ssa = hlo_op(h, "stablehlo.compare %s, %s, %s, %s : (%s, %s) -> %s", how, x->ssa, y->ssa, type, ten_type(h, x),
                    ten_type(h, x), ten_type(h, r));
    return bounds_of_compare(h, r, how, left->is_linear && right->is_linear ? linear_sum(h, left, right, -1) : NULL);
}

/* The same in the text is the same value only along the same axes: those of one size look alike there */
static bool same_value(const Ten *x, const Ten *y) {
    bool same = x->ssa && y->ssa && x->ssa == y->ssa && x->naxes == y->naxes && x->rank == y->rank;
    for (int i = 0; same && i < x->naxes; i++) same = x->axis[i] == y->axis[i];
    return x == y || same;
}

const Ten *ten_and(Hlo *h, const Ten *x, const Ten *y) {
    if (!x || (x->is_known && x->known.i)) return y;
    if (!y || (y->is_known && y->known.i) || same_value(x, y)) return x;
    if (x->is_known) return x;
    if (y->is_known) return y;
    return bounds_of_and(h, ten_binary(h, "stablehlo.and", x, y), x, y);
}

static const Ten *ten_or(Hlo *h, const Ten *x, const Ten *y) {
    if (x->is_known) return x->known.i ? x : y;
    if (y->is_known) return y->known.i ? y : x;
    return ten_binary(h, "stablehlo.or", x, y);
}

const Ten *ten_not(Hlo *h, const Ten *x) {
    return x->is_known && x->dtype == DT_BOOL ? ten_bool(h, !x->known.i)
                                              : bounds_of_not(h, ten_unary(h, "stablehlo.not", x), x);
}

const Ten *ten_select(Hlo *h, const Ten *c, const Ten *x, const Ten *y) {
    if (c->is_known) return c->known.i ? x : y;
    if (same_value(x, y)) return x;
    alike(h, &x, &y), alike(h, &c, &x), alike(h, &c, &y);
    return ten_like(h, x->dtype, x,
                    hlo_op(h, "stablehlo.select %s, %s, %s : %s, %s", c->ssa, x->ssa, y->ssa, ten_type(h, c),
                           ten_type(h, x)));
}

static const Ten *constant_like(Hlo *h, const Ten *x, double v) {
    Const c = {.dtype = x->dtype, .f = v, .i = (int64_t)v};
    return ten_const(h, c);
}

const Ten *ten_cast(Hlo *h, const Ten *x, DType t) {
    Const c;
    if (x->dtype == t) return x;
    if (x->is_known && const_eval(OP_CAST, t, 1, &x->known, &c)) return ten_const(h, c);
    if (t == DT_BOOL) return ten_compare(h, "NE", x, constant_like(h, x, 0));
    x = ten_written(h, x);
    Ten *r = ten_like(h, t, x, NULL);
    r->ssa = hlo_op(h, "stablehlo.convert %s : (%s) -> %s", x->ssa, ten_type(h, x), ten_type(h, r));
    return r;
}

/* ---- combining many */

const char *combine_word(Combine kind, DType t) {
    static const char *const word[COMBINE_COUNT] = {
        [COMBINE_ADD] = "stablehlo.add", [COMBINE_MUL] = "stablehlo.multiply", [COMBINE_MIN] = "stablehlo.minimum",
        [COMBINE_MAX] = "stablehlo.maximum", [COMBINE_AND] = "stablehlo.and", [COMBINE_OR] = "stablehlo.or",
        [COMBINE_XOR] = "stablehlo.xor"};
    return (void)t, word[kind];
}

const Ten *ten_combine(Hlo *h, Combine kind, const Ten *x, const Ten *y) {
    return kind == COMBINE_SET ? ten_alike(h, y, x) : ten_binary(h, combine_word(kind, x->dtype), x, y);
}

/* Those of the axes, without any along which all are the same, where the kind asks for no number of times */
static int axes_reduced(const Hlo *h, Combine kind, const Ten *x, int n, const int *axes, int *out) {
    bool once = kind == COMBINE_MIN || kind == COMBINE_MAX || kind == COMBINE_AND || kind == COMBINE_OR;
    int k = 0;
    for (int i = 0; i < n; i++)
        if (!once || ten_has_axis(x, axes[i]) || !h->extent[axes[i]]) out[k++] = axes[i];
    return k;
}

const Ten *ten_reduce(Hlo *h, Combine kind, const Ten *x, int n, const int *axes) {
    int64_t over[MOST_AXES];
    int left[MOST_AXES], k = 0, m = 0, needed[MOST_AXES];
    n = axes_reduced(h, kind, x, n, axes, needed), axes = needed;
    x = ten_widen(h, x, n, axes);
    for (int i = 0; i < x->naxes; i++) {
        bool goes = false;
        for (int j = 0; j < n; j++) goes = goes || axes[j] == x->axis[i];
        if (goes) over[m++] = i;
        else left[k++] = x->axis[i];
    }
    if (!m) return x;
    const Ten *zero = ten_written(h, ten_const(h, combine_identity(kind, x->dtype)));
    Ten *r = ten_new(h, x->dtype, k, left, x->rank, x->dim, NULL);
    r->ssa = hlo_op(h, "stablehlo.reduce(%s init: %s) applies %s across dimensions = [%s] : (%s, %s) -> %s", x->ssa,
                    zero->ssa, combine_word(kind, x->dtype), hlo_ints(h, m, over), ten_type(h, x), ten_type(h, zero),
                    ten_type(h, r));
    return r;
}

/* ---- operations of the IR */

static const Ten *operand(Hlo *h, const Op *op, int i) { return ten_of(h, op_opnd(op, i)); }
static void result(Hlo *h, const Op *op, const Ten *t) { hlo_set(h, &op->res[0], t); }

/* All operands are known: so is the result */
static bool folded(Hlo *h, const Op *op) {
    Const x[4], c;
    if (op->nopnds > 4 || type_is_tensor(op->res[0].type)) return false;
    for (int i = 0; i < op->nopnds; i++) {
        if (!operand(h, op, i)->is_known) return false;
        x[i] = operand(h, op, i)->known;
    }
    if (!const_eval(op->code, op->res[0].type->dtype, op->nopnds, x, &c)) return false;
    return result(h, op, ten_const(h, c)), true;
}

void hlo_const(Hlo *h, const Op *op, const char *word) {
    (void)word;
    result(h, op, ten_const(h, op_attr(op, A_VALUE)->c));
}

void hlo_size(Hlo *h, const Op *op, const char *word) {
    (void)word;
    result(h, op, ten_int(h, hlo_extent(h, op->span, op_attr(op, A_SIZE)->sizes[0])));
}

void hlo_threads(Hlo *h, const Op *op, const char *word) {
    (void)word;
    result(h, op, ten_int(h, 1));
}

void hlo_same(Hlo *h, const Op *op, const char *word) {
    (void)word;
    result(h, op, operand(h, op, 0));
}

void hlo_unary(Hlo *h, const Op *op, const char *word) {
    if (!folded(h, op)) result(h, op, ten_unary(h, word, operand(h, op, 0)));
}

/* Operations of CHLO, which XLA takes too, name their result */
void hlo_chlo(Hlo *h, const Op *op, const char *word) {
    if (folded(h, op)) return;
    const Ten *x = ten_written(h, operand(h, op, 0));
    result(h, op, ten_like(h, x->dtype, x,
                           hlo_op(h, "%s %s : %s -> %s", word, x->ssa, ten_type(h, x), ten_type(h, x))));
}

void hlo_neg(Hlo *h, const Op *op, const char *word) {
    const Ten *x = operand(h, op, 0);
    if (folded(h, op)) return;
    result(h, op, x->is_linear ? ten_sub(h, ten_int(h, 0), x) : ten_unary(h, word, x));
}

void hlo_binary(Hlo *h, const Op *op, const char *word) {
    const Ten *x = operand(h, op, 0), *y = operand(h, op, 1);
    if (folded(h, op)) return;
    result(h, op, op->code == OP_ADD   ? ten_add(h, x, y)
                  : op->code == OP_SUB ? ten_sub(h, x, y)
                  : op->code == OP_MUL ? ten_mul(h, x, y)
                                       : ten_binary(h, word, x, y));
}

bool ten_most(const Hlo *h, const Ten *t, int64_t *out) {
    int64_t lo;
    if (has_range(t)) return linear_range(h, t, &lo, out);
    return *out = t->most, t->has_most;
}

static void note_most(const Hlo *h, Ten *t, bool is_min, const Ten *x, const Ten *y) {
    int64_t a, b;
    bool of_x = t->dtype == DT_I64 && ten_most(h, x, &a), of_y = t->dtype == DT_I64 && ten_most(h, y, &b);
    t->has_most = is_min ? of_x || of_y : of_x && of_y;
    if (t->has_most) t->most = !of_y ? a : !of_x ? b : (a < b) == is_min ? a : b;
}

void hlo_min_max(Hlo *h, const Op *op, const char *word) {
    const Ten *x = operand(h, op, 0), *y = operand(h, op, 1);
    bool is_min = op->code == OP_MIN;
    if (folded(h, op)) return;
    const Ten *less = both_linear(x, y) ? ten_compare(h, is_min ? "LE" : "GE", x, y) : NULL;
    if (less && less->is_known) {
        result(h, op, less->known.i ? x : y);
        return;
    }
    const Ten *both = ten_binary(h, word, x, y);
    Ten *r = ten_like(h, both->dtype, both, both->ssa);
    note_most(h, r, is_min, x, y);
    result(h, op, r);
}

void hlo_logic(Hlo *h, const Op *op, const char *word) {
    const Ten *x = operand(h, op, 0), *y = operand(h, op, 1);
    if (folded(h, op)) return;
    bool bools = x->dtype == DT_BOOL && !x->rank;
    result(h, op, !bools || op->code == OP_XOR ? ten_binary(h, word, x, y)
                  : op->code == OP_AND         ? ten_and(h, x, y)
                                               : ten_or(h, x, y));
}

void hlo_compare(Hlo *h, const Op *op, const char *word) {
    if (!folded(h, op)) result(h, op, ten_compare(h, word, operand(h, op, 0), operand(h, op, 1)));
}

void hlo_select(Hlo *h, const Op *op, const char *word) {
    (void)word;
    result(h, op, ten_select(h, operand(h, op, 0), operand(h, op, 1), operand(h, op, 2)));
}

void hlo_not(Hlo *h, const Op *op, const char *word) {
    (void)word;
    if (!folded(h, op)) result(h, op, ten_not(h, operand(h, op, 0)));
}

void hlo_cast(Hlo *h, const Op *op, const char *word) {
    (void)word;
    result(h, op, ten_cast(h, operand(h, op, 0), op->res[0].type->dtype));
}

static void check_divisor(Hlo *h, const Op *op, const Ten *y) {
    if (dtype_is_float(y->dtype) || op_flag(op, A_SAFE)) return;
    hlo_check(h, op->span, "E0602", "integer division or modulo by zero",
              ten_compare(h, "NE", y, constant_like(h, y, 0)));
}

static bool is_signed(const Ten *x) { return dtype_info(x->dtype)->kind != DK_UINT && x->dtype != DT_BOOL; }

/* The remainder has the sign of y */
static const Ten *floor_mod(Hlo *h, const Ten *x, const Ten *y) {
    const Ten *r = ten_binary(h, "stablehlo.remainder", x, y), *zero = constant_like(h, x, 0);
    if (!is_signed(x)) return r;
    const Ten *negative = ten_compare(h, "NE", ten_compare(h, "LT", r, zero), ten_compare(h, "LT", y, zero));
    return ten_select(h, ten_and(h, ten_compare(h, "NE", r, zero), negative), ten_binary(h, "stablehlo.add", r, y), r);
}

/* x and y with the remainder or quotient known from their ranges: 0 <= x < y, of linear ints */
static bool is_below(Hlo *h, const Ten *x, const Ten *y) {
    if (!both_linear(x, y)) return false;
    const Ten *small = ten_compare(h, "LT", x, y), *natural = ten_compare(h, "GE", x, ten_int(h, 0));
    return small->is_known && small->known.i && natural->is_known && natural->known.i;
}

/* Of a linear x and a constant y > 0 the part of x that y divides, the rest being from 0 to y; NULL: there is none */
static const Ten *divided_part(Hlo *h, const Ten *x, const Ten *y, const Ten **rest) {
    if (!both_linear(x, y) || !y->is_known || y->start <= 0) return NULL;
    Ten *whole = linear_new(h, x, x), *left = linear_new(h, x, x);
    left->start = x->start % y->start, whole->start = x->start - left->start;
    for (int i = 0; i < x->naxes; i++) {
        bool divides = x->coef[i] % y->start == 0;
        whole->coef[i] = divides ? x->coef[i] : 0, left->coef[i] = divides ? 0 : x->coef[i];
    }
    *rest = linear_tidied(h, left);
    return is_below(h, *rest, y) ? linear_tidied(h, whole) : NULL;
}

static const Ten *linear_quotient(Hlo *h, const Ten *whole, int64_t by) {
    Ten *r = linear_new(h, whole, whole);
    r->start = whole->start / by;
    for (int i = 0; i < r->naxes; i++) r->coef[i] = whole->coef[i] / by;
    return linear_tidied(h, r);
}

void hlo_mod(Hlo *h, const Op *op, const char *word) {
    const Ten *x = operand(h, op, 0), *y = operand(h, op, 1), *rest;
    (void)word;
    if (folded(h, op)) return;
    check_divisor(h, op, y);
    result(h, op, divided_part(h, x, y, &rest) ? rest : floor_mod(h, x, y));
}

/* As dsl_idiv_f64 of runtime/dsl.h: by the remainder, rounded, by 0 as a quotient */
static const Ten *float_idiv(Hlo *h, const Ten *x, const Ten *y) {
    const Ten *zero = constant_like(h, x, 0), *one = constant_like(h, x, 1),
              *r = ten_binary(h, "stablehlo.remainder", x, y);
    const Ten *other = ten_compare(h, "NE", ten_compare(h, "LT", r, zero), ten_compare(h, "LT", y, zero));
    const Ten *q = ten_binary(h, "stablehlo.divide", ten_binary(h, "stablehlo.subtract", x, r), y);
    const Ten *less = ten_and(h, ten_compare(h, "NE", r, zero), other),
              *plain = ten_binary(h, "stablehlo.divide", x, y);
    q = ten_select(h, less, ten_binary(h, "stablehlo.subtract", q, one), q);
    q = ten_unary(h, "stablehlo.round_nearest_even", q);
    return ten_select(h, ten_compare(h, "EQ", y, zero), plain, q);
}

/* One less than the quotient towards 0, where something remains and the signs differ */
static const Ten *int_idiv(Hlo *h, const Ten *x, const Ten *y) {
    const Ten *q = ten_binary(h, "stablehlo.divide", x, y), *zero = constant_like(h, x, 0);
    if (!is_signed(x)) return q;
    const Ten *r = ten_binary(h, "stablehlo.remainder", x, y);
    const Ten *other = ten_compare(h, "NE", ten_compare(h, "LT", x, zero), ten_compare(h, "LT", y, zero));
    const Ten *less = ten_binary(h, "stablehlo.subtract", q, constant_like(h, x, 1));
    return ten_select(h, ten_and(h, ten_compare(h, "NE", r, zero), other), less, q);
}

void hlo_idiv(Hlo *h, const Op *op, const char *word) {
    const Ten *x = operand(h, op, 0), *y = operand(h, op, 1), *rest, *whole, *r;
    (void)word;
    if (folded(h, op)) return;
    check_divisor(h, op, y);
    whole = divided_part(h, x, y, &rest);
    if (whole) {
        result(h, op, linear_quotient(h, whole, y->start));
        return;
    }
    if (dtype_is_float(x->dtype)) r = float_idiv(h, x, y);
    else r = int_idiv(h, x, y);
    result(h, op, r);
}

void hlo_div(Hlo *h, const Op *op, const char *word) { hlo_binary(h, op, word); }

/* By squaring, bit by bit of y */
void hlo_ipow(Hlo *h, const Op *op, const char *word) {
    const Ten *x = operand(h, op, 0), *y = operand(h, op, 1), *r = constant_like(h, x, 1);
    if (folded(h, op)) return;
    const Ten *one = constant_like(h, y, 1), *zero = constant_like(h, y, 0);
    if (is_signed(y) && !op_flag(op, A_SAFE))
        hlo_check(h, op->span, "E0608", "integer power with a negative exponent", ten_compare(h, "GE", y, zero));
    for (int bit = 0; bit < 8 * dtype_info(y->dtype)->bytes; bit++) {
        const Ten *odd = ten_compare(h, "NE", ten_binary(h, "stablehlo.and", y, one), zero);
        r = ten_select(h, odd, ten_binary(h, word, r, x), r);
        x = ten_binary(h, word, x, x), y = ten_binary(h, "stablehlo.shift_right_logical", y, one);
    }
    result(h, op, r);
}

void hlo_sign(Hlo *h, const Op *op, const char *word) {
    const Ten *x = operand(h, op, 0);
    if (folded(h, op)) return;
    if (is_signed(x)) result(h, op, ten_unary(h, word, x));
    else result(h, op, ten_cast(h, ten_compare(h, "NE", x, constant_like(h, x, 0)), x->dtype));
}

void hlo_exp2(Hlo *h, const Op *op, const char *word) {
    const Ten *x = operand(h, op, 0);
    if (!folded(h, op)) result(h, op, ten_binary(h, word, constant_like(h, x, 2), x));
}

static void log_by(Hlo *h, const Op *op, const char *word, double base) {
    const Ten *x = operand(h, op, 0);
    if (!folded(h, op))
        result(h, op, ten_binary(h, "stablehlo.divide", ten_unary(h, word, x), constant_like(h, x, log(base))));
}
void hlo_log2(Hlo *h, const Op *op, const char *word) { log_by(h, op, word, 2); }
void hlo_log10(Hlo *h, const Op *op, const char *word) { log_by(h, op, word, 10); }

static const Ten *chlo(Hlo *h, const char *word, const Ten *x) {
    x = ten_written(h, x);
    return ten_like(h, x->dtype, x, hlo_op(h, "%s %s : %s -> %s", word, x->ssa, ten_type(h, x), ten_type(h, x)));
}

/* exp(lgamma(x)), and below 0 by the reflection formula: pi / (sin(pi x) gamma(1 - x)) */
void hlo_tgamma(Hlo *h, const Op *op, const char *word) {
    const Ten *x = operand(h, op, 0), *one = constant_like(h, x, 1), *pi = constant_like(h, x, 3.14159265358979323846);
    if (folded(h, op)) return;
    const Ten *up = ten_unary(h, "stablehlo.exponential", chlo(h, word, x));
    const Ten *other =
        ten_unary(h, "stablehlo.exponential", chlo(h, word, ten_binary(h, "stablehlo.subtract", one, x)));
    const Ten *sine = ten_unary(h, "stablehlo.sine", ten_binary(h, "stablehlo.multiply", pi, x));
    const Ten *down = ten_binary(h, "stablehlo.divide", pi, ten_binary(h, "stablehlo.multiply", sine, other));
    result(h, op, ten_select(h, ten_compare(h, "LT", x, constant_like(h, x, 0)), down, up));
}

/* The greater times sqrt(1 + (less / greater)^2) */
void hlo_hypot(Hlo *h, const Op *op, const char *word) {
    if (folded(h, op)) return;
    const Ten *x = ten_unary(h, "stablehlo.abs", operand(h, op, 0)),
              *y = ten_unary(h, "stablehlo.abs", operand(h, op, 1));
    const Ten *most = ten_binary(h, "stablehlo.maximum", x, y), *least = ten_binary(h, "stablehlo.minimum", x, y);
    const Ten *zero = constant_like(h, x, 0), *part = ten_binary(h, "stablehlo.divide", least, most);
    const Ten *sum =
        ten_binary(h, "stablehlo.add", constant_like(h, x, 1), ten_binary(h, "stablehlo.multiply", part, part));
    const Ten *r = ten_binary(h, "stablehlo.multiply", most, ten_unary(h, word, sum));
    const Ten *plain = ten_binary(h, "stablehlo.add", x, y);
    const Ten *odd = ten_or(h, ten_compare(h, "EQ", least, zero),
                            ten_not(h, ten_compare(h, "LT", most, constant_like(h, x, INFINITY))));
    result(h, op, ten_select(h, odd, plain, r));
}

void hlo_fma(Hlo *h, const Op *op, const char *word) {
    if (!folded(h, op))
        result(h, op, ten_binary(h, word, ten_binary(h, "stablehlo.multiply", operand(h, op, 0), operand(h, op, 1)),
                                 operand(h, op, 2)));
}

void hlo_isnan(Hlo *h, const Op *op, const char *word) {
    const Ten *x = operand(h, op, 0);
    if (!folded(h, op)) result(h, op, ten_compare(h, word, x, x));
}

/* |x| beside infinity */
void hlo_isinf(Hlo *h, const Op *op, const char *word) {
    const Ten *x = operand(h, op, 0);
    if (!folded(h, op))
        result(h, op, ten_compare(h, word, ten_unary(h, "stablehlo.abs", x), constant_like(h, x, INFINITY)));
}

void hlo_trunc(Hlo *h, const Op *op, const char *word) {
    const Ten *x = operand(h, op, 0);
    if (folded(h, op)) return;
    const Ten *down = ten_unary(h, word, ten_unary(h, "stablehlo.abs", x));
    result(h, op,
           ten_select(h, ten_compare(h, "LT", x, constant_like(h, x, 0)), ten_unary(h, "stablehlo.negate", down),
                      down));
}

/* Amounts beyond the bits give 0, or the sign */
void hlo_shift(Hlo *h, const Op *op, const char *word) {
    const Ten *x = operand(h, op, 0), *y = operand(h, op, 1);
    if (folded(h, op)) return;
    int bits = 8 * dtype_info(x->dtype)->bytes;
    bool by_sign = op->code == OP_SHR && is_signed(x);
    const Ten *most = constant_like(h, y, bits - 1), *zero = constant_like(h, y, 0);
    const Ten *in = ten_and(h, ten_compare(h, "LE", y, most), ten_compare(h, "GE", y, zero));
    const char *how = !by_sign && op->code == OP_SHR ? "stablehlo.shift_right_logical" : word;
    const Ten *other = by_sign ? ten_binary(h, how, x, most) : constant_like(h, x, 0);
    result(h, op, ten_select(h, in, ten_binary(h, how, x, ten_select(h, in, y, zero)), other));
}
