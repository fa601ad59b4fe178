/* Comparisons that come out the same whatever the values, and literals and ints of literals that are not kept.
 *
 * What a comparison is about: both sides are one expression; or their ranges do not meet, where a literal, a remainder,
 * a size, an unsigned number and the index of a loop have ranges; or two comparisons of one expression with literals,
 * or of the same two expressions, exclude each other (and) or leave nothing out (or). Named constants are what a
 * program is configured by, asserts say what must hold, and an instance's types are not the function's: about these
 * nothing is said. */
#include "frontend/check.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

enum { NEVER, ALWAYS, OPEN };

static const Expr *bare(const Expr *e) {
    while (e->kind == EX_CONVERT) e = e->a;
    return e;
}

static bool is_float(const Expr *e) {
    return elem_of(e->type)->kind == FT_SCALAR && dtype_is_float(elem_of(e->type)->dtype);
}

/* A number that stands in the text, and no name of one */
static bool is_written(Check *c, const Expr *e) {
    if (!e->is_const || e->span.file < 0 || e->type->kind != FT_SCALAR) return false;
    for (const char *p = source_copy(c->s, e->span); *p; p++)
        if (isalpha((unsigned char)*p) && (p == source_copy(c->s, e->span) || !isalnum((unsigned char)p[-1])))
            return false;
    return true;
}

static double value_of(const Expr *e) {
    return dtype_is_float(e->lit.dtype) ? e->lit.f
           : e->lit.dtype == DT_U64     ? (double)(uint64_t)e->lit.i
                                        : (double)e->lit.i;
}

/* ---- one expression twice */

static bool same(const Expr *x, const Expr *y);

static bool same_subs(const Expr *x, const Expr *y) {
    for (int i = 0; i < x->subs.len; i++) {
        const Sub *a = &x->subs.data[i], *b = &y->subs.data[i];
        if (a->kind != SUB_INDEX || b->kind != SUB_INDEX || !same(a->index, b->index)) return false;
    }
    return true;
}

static bool same(const Expr *x, const Expr *y) {
    x = bare(x), y = bare(y);
    if (x->kind != y->kind) return false;
    switch (x->kind) {
    case EX_NAME: return x->name == y->name && x->var == y->var;
    case EX_INT: case EX_FLOAT: case EX_BOOL: return value_of(x) == value_of(y) && x->lit.dtype == y->lit.dtype;
    case EX_FIELD: return x->name == y->name && same(x->a, y->a);
    case EX_UNARY: return x->op == y->op && same(x->a, y->a);
    case EX_BINARY: return x->op == y->op && same(x->a, y->a) && same(x->b, y->b);
    case EX_INDEX: return x->subs.len == y->subs.len && same(x->a, y->a) && same_subs(x, y);
    default: return false; /* calls may have effects */
    }
}

/* any_type: the function is written for any type, of which some have nan */
static int same_sides(const Expr *e, bool any_type) {
    if (!same(e->a, e->b) || bare(e->a)->is_const) return OPEN;
    if (any_type && (e->op == OPR_EQ || e->op == OPR_NE)) return OPEN;
    bool strict = e->op == OPR_LT || e->op == OPR_GT;
    return strict || e->op == OPR_NE ? (strict || !is_float(e->a) ? NEVER : OPEN)
           : is_float(e->a)          ? OPEN
                                     : ALWAYS; /* nan differs from itself */
}

/* ---- indices of loops */

static const Opr turned[] = {
    [OPR_EQ] = OPR_EQ, [OPR_NE] = OPR_NE, [OPR_LT] = OPR_GT, [OPR_LE] = OPR_GE, [OPR_GT] = OPR_LT, [OPR_GE] = OPR_LE};

/* What the index of a loop that counts up runs over, or NULL */
static const Gen *loop_of(const Expr *e) {
    const Expr *x = bare(e);
    const Gen *g = x->kind == EX_NAME && x->var && x->var->kind == VAR_LOOP ? x->var->range : NULL;
    return g && g->step_value > 0 ? g : NULL;
}

/* One int wherever both stand: a size, or a named constant */
static bool same_bound(const Expr *e, const Expr *bound) {
    if (!bound) return false;
    bool constant = e->kind == EX_NAME && bound->kind == EX_NAME && e->var && e->var == bound->var &&
                    e->var->kind == VAR_CONST;
    return constant || (e->size && e->size == bound->size && !size_is_const(e->size, NULL));
}

/* i op e, where i runs over a range that begins or ends with e */
static int loop_compare(Opr op, const Expr *i, const Expr *e) {
    const Gen *g = is_float(e) ? NULL : loop_of(i);
    if (!g) return OPEN;
    if (same_bound(e, g->hi)) return op == OPR_LT || op == OPR_LE || op == OPR_NE ? ALWAYS : NEVER;
    if (same_bound(e, g->lo)) return op == OPR_GE ? ALWAYS : op == OPR_LT ? NEVER : OPEN;
    return OPEN;
}

static int loop_sides(const Expr *e) {
    int is = loop_compare(e->op, e->a, e->b);
    return is != OPEN ? is : loop_compare(turned[e->op], e->b, e->a);
}

/* ---- ranges */

typedef struct { double lo, hi; const char *why; } Range;

/* Of the index of a loop whose bounds are written as numbers */
static Range range_of_loop(Check *c, const Gen *g, const char *name) {
    double lo = !g->lo                 ? 0
                : is_written(c, g->lo) ? value_of(g->lo)
                                       : -INFINITY,
           hi = g->hi && is_written(c, g->hi) ? value_of(g->hi) : INFINITY;
    double step = (double)g->step_value,
           last = isinf(lo) || isinf(hi) || hi <= lo ? hi - 1 : lo + floor((hi - 1 - lo) / step) * step;
    if (isinf(lo) && isinf(last)) return (Range){lo, last, NULL};
    const char *why = isinf(last) ? intern_printf(c->s, "'%s' begins at %.0f", name, lo)
                      : isinf(lo) ? intern_printf(c->s, "'%s' ends at %.0f", name, last)
                                  : intern_printf(c->s, "'%s' goes from %.0f to %.0f", name, lo, last);
    return (Range){lo, last, why};
}

static Range range_of(Check *c, const Expr *e) {
    const Expr *x = bare(e);
    bool generic = c->fn->inst && (!c->fn->inst->inst.decl || c->fn->inst->inst.decl->generic);
    if (x->is_const)
        return is_written(c, x) ? (Range){value_of(x), value_of(x), NULL} : (Range){-INFINITY, INFINITY, NULL};
    bool mod = x->kind == EX_BINARY && x->op == OPR_MOD && is_written(c, x->b) && type_is_int(x->type) &&
               value_of(x->b) > 0;
    if (mod)
        return (Range){0, value_of(x->b) - 1,
                       intern_printf(c->s, "a remainder of %lld lies between 0 and %lld", (long long)x->b->lit.i,
                                     (long long)x->b->lit.i - 1)};
    bool size = (x->kind == EX_NAME && x->var && x->var->kind == VAR_SIZE) ||
                (x->kind == EX_CALL && x->call == CALL_BUILTIN && builtin_info(x->builtin)->kind == BK_SIZE);
    if (size) return (Range){0, INFINITY, "sizes are never negative"};
    if (loop_of(x)) return range_of_loop(c, loop_of(x), x->name);
    const FType *elem = elem_of(x->type);
    bool uint = elem->kind == FT_SCALAR && dtype_info(elem->dtype)->kind == DK_UINT && !generic;
    if (uint) return (Range){0, INFINITY, intern_printf(c->s, "%s is never negative", ftype_str(c->s, elem))};
    return (Range){-INFINITY, INFINITY, NULL};
}

static int compare_ranges(Opr op, Range a, Range b) {
    switch (op) {
    case OPR_LT: return a.hi < b.lo ? ALWAYS : a.lo >= b.hi ? NEVER : OPEN;
    case OPR_LE: return a.hi <= b.lo ? ALWAYS : a.lo > b.hi ? NEVER : OPEN;
    case OPR_GT: return compare_ranges(OPR_LT, b, a);
    case OPR_GE: return compare_ranges(OPR_LE, b, a);
    case OPR_EQ: return a.hi < b.lo || a.lo > b.hi ? NEVER : OPEN;
    case OPR_NE: return a.hi < b.lo || a.lo > b.hi ? ALWAYS : OPEN;
    default: return OPEN;
    }
}

/* ---- two comparisons of one expression */

typedef struct {
    const Expr *of;
    double lo, hi;
    bool lo_open, hi_open, not_equal;
} Part; /* which values pass; not_equal: all but lo */

static bool is_comparison(const Expr *e) { return e->kind == EX_BINARY && e->op >= OPR_EQ && e->op <= OPR_GE; }

static bool part_of(Check *c, const Expr *e, bool negated, Part *out) {
    static const Opr opposite[] = {[OPR_EQ] = OPR_NE, [OPR_NE] = OPR_EQ, [OPR_LT] = OPR_GE,
                                   [OPR_LE] = OPR_GT, [OPR_GT] = OPR_LE, [OPR_GE] = OPR_LT};
    if (!is_comparison(e)) return false;
    bool left = is_written(c, bare(e->a)), right = is_written(c, bare(e->b));
    if (left == right) return false;
    Opr op = left ? turned[e->op] : e->op;
    const Expr *of = left ? e->b : e->a;
    if (negated && is_float(of) && op != OPR_NE) return false; /* nan is neither below nor above */
    if (negated) op = opposite[op];
    double v = value_of(bare(left ? e->a : e->b));
    *out = (Part){of, -INFINITY, INFINITY, false, false, op == OPR_NE};
    if (op != OPR_LT && op != OPR_LE) out->lo = v;
    if (op != OPR_GT && op != OPR_GE) out->hi = v;
    out->lo_open = op == OPR_GT;
    out->hi_open = op == OPR_LT;
    if (!is_float(of) && out->lo_open) out->lo = floor(v) + 1, out->lo_open = false;
    if (!is_float(of) && out->hi_open) out->hi = ceil(v) - 1, out->hi_open = false;
    return true;
}

static bool exclude(const Part *x, const Part *y) {
    if (x->not_equal || y->not_equal) {
        const Part *point = x->not_equal ? y : x, *hole = x->not_equal ? x : y;
        return !point->not_equal && point->lo == point->hi && point->lo == hole->lo;
    }
    double lo = fmax(x->lo, y->lo), hi = fmin(x->hi, y->hi);
    bool open = (lo == x->lo && x->lo_open) || (lo == y->lo && y->lo_open) || (hi == x->hi && x->hi_open) ||
                (hi == y->hi && y->hi_open);
    return lo > hi || (lo == hi && open);
}

static bool exclude_as_parts(Check *c, const Expr *x, const Expr *y, bool or) {
    Part a, b;
    return part_of(c, x, or, &a) && part_of(c, y, or, &b) && same(a.of, b.of) && exclude(&a, &b);
}

/* Of two comparisons of the same two expressions no outcome passes both; with `or`, each passes one.  nan is beside <,
 * = and >. */
static bool exclude_as_outcomes(const Expr *x, const Expr *y, bool or) {
    enum { LESS = 1, EQUAL = 2, GREATER = 4, BESIDE = 8 };
    static const int passes[] = {
        [OPR_EQ] = EQUAL,   [OPR_NE] = LESS | GREATER | BESIDE, [OPR_LT] = LESS, [OPR_LE] = LESS | EQUAL,
        [OPR_GT] = GREATER, [OPR_GE] = GREATER | EQUAL};
    if (!is_comparison(x) || !is_comparison(y) || same(x->a, x->b)) return false;
    bool straight = same(x->a, y->a) && same(x->b, y->b), crossed = same(x->a, y->b) && same(x->b, y->a);
    int all = LESS | EQUAL | GREATER | (is_float(x->a) || is_float(x->b) ? BESIDE : 0);
    int p = passes[x->op], q = passes[straight ? y->op : turned[y->op]];
    return (straight || crossed) && (or ? ((p | q) & all) == all : !(p & q & all));
}

/* Each comparison left of the last operator, of as many as people write, with the one right of it */
static const Expr *excluded(Check *c, const Expr *e) {
    enum { MOST = 64 };
    bool or = e->op == OPR_OR;
    const Expr *x = e->a;
    for (int i = 0; i < MOST; i++, x = x->a) {
        bool more = x->kind == EX_BINARY && x->op == e->op;
        const Expr *one = more ? x->b : x;
        if (exclude_as_parts(c, one, e->b, or) || exclude_as_outcomes(one, e->b, or)) return one;
        if (!more) break;
    }
    return NULL;
}

/* ---- reports */

static bool is_quiet(const Check *c) { return c->asserts || in_std(c); }

void warn_comparison(Check *c, const Expr *e) {
    if (is_quiet(c) || e->is_const) return;
    Range a = range_of(c, e->a), b = range_of(c, e->b);
    int same_is = same_sides(e, c->fn->types.len > 0), loop_is = loop_sides(e),
        verdict = same_is != OPEN   ? same_is
                  : loop_is != OPEN ? loop_is
                                    : compare_ranges(e->op, a, b);
    if (verdict == OPEN) return;
    Diag *d = report(c, e->span, W_CONSTANT_COMPARISON, verdict == ALWAYS ? "true" : "false");
    const char *why = a.why ? a.why : b.why;
    if (same_is != OPEN) diag_hint(c->s, d, "both sides are the same");
    else if (loop_is != OPEN)
        diag_hint(c->s, d, "that is where the loop %s",
                  same_bound(loop_of(e->a) ? e->b : e->a, loop_of(loop_of(e->a) ? e->a : e->b)->hi) ? "ends"
                                                                                                    : "begins");
    else if (why) diag_hint(c->s, d, "%s", why);
}

void warn_logic(Check *c, const Expr *e) {
    if (is_quiet(c) || e->is_const) return;
    const Expr *other = excluded(c, e);
    if (!other) return;
    bool or = e->op == OPR_OR;
    Diag *d = report(c, e->b->span, W_CONSTANT_COMPARISON,
                     or ? "true where the one before it is false" : "false where the one before it is true");
    diag_note(c->s, d, other->span, "the other one");
    diag_hint(c->s, d, or ? "where both must hold write `and`" : "where one is enough write `or`");
}

/* ---- literals */

enum { LONG_NUMBER = 40 };

/* As it is written */
static const char *number(Check *c, const Expr *e) {
    const char *text = e->span.file >= 0 ? source_copy(c->s, e->span) : "";
    return *text && strlen(text) <= LONG_NUMBER ? text : const_str(c, e->lit);
}

void warn_literal(Check *c, const Expr *e, DType d) {
    if (in_std(c) || !e->flex || e->type->kind != FT_SCALAR || !e->is_const || !dtype_is_float(d)) return;
    Const as = const_cast(e->lit, d);
    bool whole = !dtype_is_float(e->lit.dtype);
    bool lost = whole ? as.f != value_of(e) || (d == DT_F64 && fabs(as.f) < 0x1p63 && (int64_t)as.f != e->lit.i)
                      : e->lit.f != 0 && as.f == 0;
    if (!lost || isinf(as.f)) return;
    Diag *diag = report(c, e->span, W_LOSSY_LITERAL, number(c, e), const_str(c, as), dtype_info(d)->name);
    if (whole)
        diag_hint(c->s, diag, "%s has no such number; write the one that is meant, or take a wider type",
                  dtype_info(d)->name);
    else
        diag_hint(c->s, diag, "the least %s that is not 0 is about %s", dtype_info(d)->name,
                  d == DT_F16    ? "6e-8"
                  : d == DT_BF16 ? "9e-41"
                                 : "1.4e-45");
}

static bool is_decimal(Check *c, const Expr *e) {
    const char *text = source_copy(c->s, e->span);
    return e->lit.dtype == DT_I64 && e->lit.i <= UINT32_MAX && isdigit((unsigned char)*text) &&
           !text[strspn(text, "0123456789_")];
}

/* Whether the number becomes infinite in a float, another one in an int.  f32(1e-50), which asks for rounding, u8(300),
 * patterns of bits, and -1 for all bits, u8(-1.0) as well, are no mistake. */
static bool is_lost(Check *c, const Expr *e, DType d) {
    double v = value_of(e), room = ldexp(1.0, 8 * dtype_info(d)->bytes);
    if (dtype_is_float(d)) return isfinite(v) && isinf(const_cast(e->lit, d).f);
    bool sign = dtype_info(d)->kind == DK_INT && is_decimal(c, e);
    if (!dtype_is_float(e->lit.dtype))
        return v > (sign ? room / 2 : room) - 1 || v < -room / 2; /* 2^64 - 1 is 2^64 as a double */
    return trunc(v) >= (dtype_info(d)->kind == DK_UINT ? room : room / 2) || trunc(v) < -room / 2;
}

void warn_cast(Check *c, const Expr *e, DType d) {
    if (in_std(c) || !e->is_const || e->type->kind != FT_SCALAR || d == DT_BOOL || d == DT_STR || !is_written(c, e) ||
        !is_lost(c, e, d))
        return;
    Diag *diag = report(c, e->span, W_LOSSY_LITERAL, number(c, e), const_str(c, const_cast(e->lit, d)),
                        dtype_info(d)->name);
    diag_hint(c->s, diag, "take a wider type");
}

/* ---- ints that wrap */

typedef __int128 Exact; /* of operands of 64 bits: sums, products, and powers until they are far too great */

/* 2^63 where -2^63 or 2^63 - 1 is meant, which wrap back */
static bool is_passing(const Expr *e) {
    return e->from_here && e->kind == EX_BINARY && (e->op == OPR_POW || e->op == OPR_SHL) && e->lit.i == INT64_MIN &&
           e->lit.dtype == DT_I64;
}

static Exact exact_side(const Expr *e) {
    if (e->lit.dtype == DT_U64) return (uint64_t)e->lit.i;
    return is_passing(bare(e)) ? -(Exact)INT64_MIN : (Exact)e->lit.i;
}

/* a * x^n, but no more of it than leaves the 64 bits */
static Exact times_power(Exact a, Exact x, Exact n) {
    if (x == 0 || x == 1) return n > 0 ? a * x : a;
    if (x == -1) return n % 2 ? -a : a;
    for (const Exact most = (Exact)1 << 64; n > 0 && a && a < most && a > -most; n--) a *= x;
    return a;
}

/* Without wrapping; false: the operator leaves ints as small as they are. */
static bool exact_value(const Expr *e, Exact *out) {
    Exact a = exact_side(e->a), b = exact_side(e->b);
    switch (e->op) {
    case OPR_ADD: *out = a + b; return true;
    case OPR_SUB: *out = a - b; return true;
    case OPR_MUL: *out = a * b; return true;
    case OPR_POW: *out = times_power(1, a, b); return true;
    case OPR_SHL: *out = times_power(a, 2, b); return b >= 0;
    default: return false;
    }
}

/* Who writes a type of fewer bits, or u64, may mean that it wraps; so may int(x). */
static bool may_wrap(const Expr *e) {
    const Expr *a = bare(e->a), *b = bare(e->b);
    if (e->type->dtype == DT_U64)
        return a->kind != EX_INT || b->kind != EX_INT; /* literals that are too great for an int */
    return !e->flex && !(e->type->dtype == DT_I64 && (a->kind == EX_NAME || b->kind == EX_NAME));
}

static bool overflows(const Expr *e) {
    Exact v;
    if (e->kind != EX_BINARY || !e->is_const || e->type->kind != FT_SCALAR || !dtype_is_int(e->type->dtype) ||
        !dtype_is_int(e->a->lit.dtype))
        return false;
    if (is_passing(e) || !exact_value(e, &v)) return false;
    return v != (e->type->dtype == DT_U64 ? (Exact)(uint64_t)e->lit.i : (Exact)e->lit.i);
}

void warn_overflow(Check *c, const Expr *e) {
    if (in_std(c) || e->span.file < 0 || !overflows(e) || may_wrap(e) || overflows(bare(e->a)) || overflows(bare(e->b)))
        return;
    Diag *d = report(c, e->span, W_LOSSY_LITERAL, number(c, e), const_str(c, e->lit), dtype_info(e->type->dtype)->name);
    bool power = e->op == OPR_POW && e->a->kind == EX_INT;
    if (power) diag_hint(c->s, d, "ints have 64 bits; write a float, %s.0^%s", number(c, e->a), number(c, e->b));
    else diag_hint(c->s, d, "ints have 64 bits; write a float, such as 1e20 or 10.0^20");
}
