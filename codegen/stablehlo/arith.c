/* Arithmetic on values.  What is known of ints is kept: constants, what is linear in the axes, ranges. */
#include "codegen/stablehlo/private.h"

/* ---- linear ints */

Ten *linear_zero(Hlo *h, const Ten *x, const Ten *y) {
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
const Ten *linear_tidied(Hlo *h, Ten *t) {
    int k = 0;
    for (int i = 0; i < t->naxes; i++)
        if (t->coef[i]) t->axis[k] = t->axis[i], t->coef[k++] = t->coef[i];
    t->naxes = k;
    if (t->base && !t->start && !k) return t->base;
    return k || t->base ? t : ten_int(h, t->start);
}

const Ten *ten_between(Hlo *h, const Ten *t, int64_t least, int64_t most) {
    Ten *r = ten_like(h, DT_I64, t, t->ssa);
    return r->has_least = r->has_most = true, r->least = least, r->most = most, r;
}

/* A scalar by a number, with the range that it has then */
static const Ten *times(Hlo *h, const Ten *x, int64_t by) {
    const Ten *r = ten_binary(h, "stablehlo.multiply", x, ten_int(h, by));
    int64_t lo, hi;
    if (!x->has_least || !x->has_most || __builtin_mul_overflow(x->least, by, &lo) ||
        __builtin_mul_overflow(x->most, by, &hi))
        return r;
    return ten_between(h, r, by < 0 ? hi : lo, by < 0 ? lo : hi);
}

/* x + by*y of linear ones; NULL: it leaves 64 bits, or has two bases */
static const Ten *linear_sum(Hlo *h, const Ten *x, const Ten *y, int64_t by) {
    Ten *r = linear_zero(h, x, y);
    int64_t more;
    if (x->base && y->base && !(by == -1 && same_base(x, y))) return NULL;
    if (!y->base || !x->base) r->base = y->base ? y->base : x->base;
    if (y->base && r->base && by != 1) r->base = times(h, y->base, by);
    if (__builtin_mul_overflow(by, y->start, &more) || __builtin_add_overflow(x->start, more, &r->start)) return NULL;
    for (int i = 0; i < r->naxes; i++)
        if (__builtin_mul_overflow(by, coef_of(y, r->axis[i]), &more) ||
            __builtin_add_overflow(coef_of(x, r->axis[i]), more, &r->coef[i]))
            return NULL;
    return linear_tidied(h, r);
}

/* The least and the greatest value that is known of an i64; false: one is not known, or leaves 62 bits */
static bool range_of_ten(const Hlo *h, const Ten *t, int64_t *lo, int64_t *hi) {
    __int128 least = t->start, most = t->start, far = (__int128)1 << 62;
    if (!t->is_linear) return *lo = t->least, *hi = t->most, t->has_least && t->has_most;
    if (t->base && !(t->base->has_least && t->base->has_most)) return false;
    if (t->base) least += t->base->least, most += t->base->most;
    for (int i = 0; i < t->naxes; i++) {
        __int128 reach = (__int128)t->coef[i] * (h->extent[t->axis[i]] - 1);
        if (h->extent[t->axis[i]] == 0) continue;
        if (reach < 0) least += reach;
        else most += reach;
    }
    *lo = (int64_t)least, *hi = (int64_t)most;
    return least > -far && most < far;
}

/* Linear without a base */
bool linear_alone(const Ten *t) { return t->is_linear && !t->base; }
bool linear_both(const Ten *x, const Ten *y) { return linear_alone(x) && linear_alone(y); }

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
    return sum ? sum : pick_shifted(h, ten_binary(h, "stablehlo.add", x, y), x, y, 1);
}

const Ten *ten_sub(Hlo *h, const Ten *x, const Ten *y) {
    const Ten *sum = sum_of(h, x, y, -1);
    return sum ? sum : pick_shifted(h, ten_binary(h, "stablehlo.subtract", x, y), x, y, -1);
}

const Ten *ten_mul(Hlo *h, const Ten *x, const Ten *y) {
    const Ten *product = NULL;
    int64_t by;
    if (x->is_known && as_linear(h, y) && ten_known_int(x, &by))
        product = linear_sum(h, ten_int(h, 0), as_linear(h, y), by);
    else if (y->is_known && as_linear(h, x) && ten_known_int(y, &by))
        product = linear_sum(h, ten_int(h, 0), as_linear(h, x), by);
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

/* The range of x - y, by the ranges of both */
static bool apart(const Hlo *h, const Ten *x, const Ten *y, int64_t *lo, int64_t *hi) {
    int64_t xl, xm, yl, ym;
    if (x->dtype != DT_I64 || x->rank || y->rank || !range_of_ten(h, x, &xl, &xm) || !range_of_ten(h, y, &yl, &ym))
        return false;
    return !__builtin_sub_overflow(xl, ym, lo) && !__builtin_sub_overflow(xm, yl, hi);
}

/* The same of two constants, or two linear ints */
static int compared(Hlo *h, const char *how, const Ten *x, const Ten *y) {
    int64_t lo, hi;
    Const c;
    for (size_t i = 0; x->is_known && y->is_known && i < sizeof comparisons / sizeof *comparisons; i++)
        if (!strcmp(how, comparisons[i].how) &&
            const_eval(comparisons[i].code, DT_BOOL, 2, (Const[]){x->known, y->known}, &c))
            return c.i != 0;
    const Ten *a = as_linear(h, x), *b = as_linear(h, y), *by = a && b ? linear_sum(h, a, b, -1) : NULL;
    if (by && range_of_ten(h, by, &lo, &hi)) return decided(how, lo, hi);
    return apart(h, x, y, &lo, &hi) ? decided(how, lo, hi) : -1;
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
    if (linear_both(left, right)) {
        Compared *c = NEW(h->arena, Compared);
        *c = (Compared){how, left, right};
        r->compared = c;
    }
    return bounds_of_compare(h, r, how, left->is_linear && right->is_linear ? linear_sum(h, left, right, -1) : NULL);
}

const Ten *ten_and(Hlo *h, const Ten *x, const Ten *y) {
    if (!x || (x->is_known && x->known.i)) return y;
    if (!y || (y->is_known && y->known.i) || ten_same(x, y)) return x;
    if (x->is_known) return x;
    if (y->is_known) return y;
    return bounds_of_and(h, ten_binary(h, "stablehlo.and", x, y), x, y);
}

const Ten *ten_or(Hlo *h, const Ten *x, const Ten *y) {
    if (x->is_known) return x->known.i ? x : y;
    if (y->is_known) return y->known.i ? y : x;
    return ten_binary(h, "stablehlo.or", x, y);
}

const Ten *ten_not(Hlo *h, const Ten *x) {
    return x->is_known && x->dtype == DT_BOOL ? ten_bool(h, !x->known.i)
                                              : bounds_of_not(h, ten_unary(h, "stablehlo.not", x), x);
}

/* Of one of two ints the range that holds both */
static const Ten *within_both(const Hlo *h, Ten *t, const Ten *x, const Ten *y) {
    int64_t a, b;
    if (t->dtype != DT_I64 || t->rank) return t;
    t->has_least = ten_least(h, x, &a) && ten_least(h, y, &b);
    if (t->has_least) t->least = a < b ? a : b;
    t->has_most = ten_most(h, x, &a) && ten_most(h, y, &b);
    if (t->has_most) t->most = a > b ? a : b;
    return t;
}

const Ten *ten_select(Hlo *h, const Ten *c, const Ten *x, const Ten *y) {
    if (c->is_known) return c->known.i ? x : y;
    if (ten_same(x, y)) return x;
    const Ten *cond = c, *then = x, *other = y;
    alike(h, &x, &y), alike(h, &c, &x), alike(h, &c, &y);
    Ten *r = ten_like(h, x->dtype, x,
                      hlo_op(h, "stablehlo.select %s, %s, %s : %s, %s", c->ssa, x->ssa, y->ssa, ten_type(h, c),
                             ten_type(h, x)));
    return pick_noted(h, within_both(h, r, then, other), cond, then, other);
}

const Ten *ten_number(Hlo *h, const Ten *x, double v) {
    Const c = {.dtype = x->dtype, .f = v, .i = (int64_t)v};
    return ten_const(h, c);
}

const Ten *ten_cast(Hlo *h, const Ten *x, DType t) {
    Const c;
    if (x->dtype == t) return x;
    if (x->is_known && const_eval(OP_CAST, t, 1, &x->known, &c)) return ten_const(h, c);
    if (t == DT_BOOL) return ten_compare(h, "NE", x, ten_number(h, x, 0));
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

/* ---- ranges */

bool ten_least(const Hlo *h, const Ten *t, int64_t *out) {
    int64_t hi;
    if (!t->is_linear) return *out = t->least, t->has_least;
    return range_of_ten(h, t, out, &hi);
}

bool ten_most(const Hlo *h, const Ten *t, int64_t *out) {
    int64_t lo;
    if (!t->is_linear) return *out = t->most, t->has_most;
    return range_of_ten(h, t, &lo, out);
}
