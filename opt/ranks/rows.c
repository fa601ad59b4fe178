/* Bounds of an index over the iterations of a nest, as values in front of it.
 *
 * Interval arithmetic over symbols: a value from outside of the nest lies between itself and itself, an index between
 * the ends of its loop, sums and products by constants between those of their operands.  Conditions around the access
 * narrow what they compare.  A choice, and a remainder that goes around, lies in one of several intervals; where its
 * condition cannot hold that one is empty.  What may wrap is not known, nor what is read from memory. */
#include "opt/ranks/rows.h"

#include <string.h>

enum { MOST_READ = 400 };

static const RowsList unknown = {0};
static RowsList eval(RowsAsk *a, Value *v, bool bound);
static RowsList eval_bound(RowsAsk *a, Value *v);

static RowsList single(Value *lo, Value *hi) { return (RowsList){.n = 1, .v = {{lo, hi}}}; }

static bool is_outside(const RowsAsk *a, const Value *v) { return !op_encloses(a->nest, v); }

/* ---- conditions */

static void add_fact(RowsAsk *a, const Value *u, OpCode cmp, Value *w) {
    bool says = u->type->dtype == DT_I64 && !value_is_fixed(u);
    if (a->rest && (value_depends(u, a->iv) || value_depends(w, a->iv))) return;
    if (says && a->nfacts < ROWS_FACTS) a->facts[a->nfacts++] = (RowsFact){u, cmp, w};
}

static void assume(RowsAsk *a, Value *cond, bool holds) {
    const Op *d = cond->def;
    if (!d) return;
    if (d->code == OP_NOT) assume(a, op_opnd(d, 0), !holds);
    if (d->code == (holds ? OP_AND : OP_OR)) assume(a, op_opnd(d, 0), holds), assume(a, op_opnd(d, 1), holds);
    if (!opcode_is_compare(d->code)) return;
    OpCode cmp = holds ? d->code : opcode_negated(d->code);
    add_fact(a, op_opnd(d, 0), cmp, op_opnd(d, 1));
    add_fact(a, op_opnd(d, 1), opcode_mirrored(cmp), op_opnd(d, 0));
}

static Value *plus(RowsAsk *a, Value *x, int64_t k) { return index_add(a->b, x, build_int(a->b, k)); }

/* x, but one further where it is w */
static Value *step_off(RowsAsk *a, Value *x, Value *w, int64_t by) {
    return build_select(a->b, build_binary(a->b, OP_EQ, x, w), plus(a, x, by), x);
}

static void narrow(RowsAsk *a, Rows *r, OpCode cmp, Rows w) {
    Builder *b = a->b;
    if (cmp == OP_LT) r->hi = index_min(b, r->hi, plus(a, w.hi, -1));
    if (cmp == OP_LE || cmp == OP_EQ) r->hi = index_min(b, r->hi, w.hi);
    if (cmp == OP_GT) r->lo = index_max(b, r->lo, plus(a, w.lo, 1));
    if (cmp == OP_GE || cmp == OP_EQ) r->lo = index_max(b, r->lo, w.lo);
    if (cmp == OP_NE && w.lo == w.hi) r->lo = step_off(a, r->lo, w.lo, 1), r->hi = step_off(a, r->hi, w.lo, -1);
}

/* What is compared with does not need its own conditions. */
static bool bounds_of_other(RowsAsk *a, Value *w, Rows *out) {
    int n = a->nfacts;
    a->nfacts = 0;
    RowsList l = eval(a, w, true);
    a->nfacts = n;
    if (l.n == 1) *out = l.v[0];
    return l.n == 1;
}

static void apply_facts(RowsAsk *a, const Value *v, RowsList *l) {
    Rows w;
    for (int i = 0; i < a->nfacts; i++)
        if (a->facts[i].u == v && bounds_of_other(a, a->facts[i].w, &w))
            for (int k = 0; k < l->n; k++) narrow(a, &l->v[k], a->facts[i].cmp, w);
}

/* Whether the conditions from the first on can hold; NULL: they may */
static Value *can_hold(RowsAsk *a, int first) {
    Value *all = NULL;
    for (int i = first, n = a->nfacts; i < n; i++) {
        const Value *u = a->facts[i].u;
        if (is_outside(a, u)) continue;
        RowsList l = eval(a, (Value *)(uintptr_t)u, true);
        if (l.n == 1) all = build_both(a->b, all, build_binary(a->b, OP_LE, l.v[0].lo, l.v[0].hi));
    }
    return all;
}

/* Empty where it cannot be */
static void only_if(RowsAsk *a, RowsList *l, Value *possible) {
    for (int k = 0; possible && k < l->n; k++)
        l->v[k].hi = build_select(a->b, possible, l->v[k].hi, plus(a, l->v[k].lo, -1));
}

/* ---- values */

static RowsList both_of(RowsList x, RowsList y) {
    if (!x.n || !y.n || x.n + y.n > ROWS_MOST) return unknown;
    memcpy(x.v + x.n, y.v, sizeof *y.v * (size_t)y.n);
    x.n += y.n;
    return x;
}

static RowsList under(RowsAsk *a, Value *cond, bool holds, Value *v, bool bound) {
    int n = a->nfacts;
    assume(a, cond, holds);
    RowsList l = eval(a, v, bound);
    if (!a->rest) only_if(a, &l, can_hold(a, n));
    a->nfacts = n;
    return l;
}

static RowsList eval_choice(RowsAsk *a, Value *cond, Value *x, Value *y, bool bound) {
    RowsList l = under(a, cond, true, x, bound);
    return l.n ? both_of(l, under(a, cond, false, y, bound)) : unknown;
}

typedef Rows Combine2(RowsAsk *a, Rows x, Rows y);
static Rows add(RowsAsk *a, Rows x, Rows y) {
    return (Rows){index_add(a->b, x.lo, y.lo), index_add(a->b, x.hi, y.hi)};
}
static Rows sub(RowsAsk *a, Rows x, Rows y) {
    return (Rows){index_sub(a->b, x.lo, y.hi), index_sub(a->b, x.hi, y.lo)};
}
/* A bound of a minimum is one of either side, and how far writes lie apart is asked of constants. */
static Value *known(const RowsAsk *a, Value *x, Value *y, Value *both) {
    int64_t c;
    if (!a->rest || value_const_int(both, &c)) return both;
    return value_const_int(x, &c) ? x : value_const_int(y, &c) ? y : both;
}
static Rows lesser(RowsAsk *a, Rows x, Rows y) {
    return (Rows){index_min(a->b, x.lo, y.lo), known(a, x.hi, y.hi, index_min(a->b, x.hi, y.hi))};
}
static Rows greater(RowsAsk *a, Rows x, Rows y) {
    return (Rows){known(a, x.lo, y.lo, index_max(a->b, x.lo, y.lo)), index_max(a->b, x.hi, y.hi)};
}
/* Of what is not negative, although its bounds may be */
static Rows product(RowsAsk *a, Rows x, Rows y) {
    Value *zero = build_int(a->b, 0);
    return (Rows){index_mul(a->b, index_max(a->b, x.lo, zero), index_max(a->b, y.lo, zero)),
                  index_mul(a->b, x.hi, y.hi)};
}

static RowsList combine(RowsAsk *a, const Op *d, Combine2 *f, bool bound) {
    RowsList x = eval(a, op_opnd(d, 0), bound), y = x.n ? eval(a, op_opnd(d, 1), bound) : unknown, l = unknown;
    if (x.n * y.n > ROWS_MOST) return unknown;
    for (int i = 0; i < x.n; i++)
        for (int k = 0; k < y.n; k++) l.v[l.n++] = f(a, x.v[i], y.v[k]);
    return l;
}

static RowsList eval_mul(RowsAsk *a, const Op *d, bool bound) {
    int64_t c;
    int other = value_const_int(op_opnd(d, 1), &c) ? 0 : value_const_int(op_opnd(d, 0), &c) ? 1 : -1;
    if (other < 0) {
        bool natural = range_of(a->ranges, op_opnd(d, 0), a->at).lo >= 0;
        natural = natural && range_of(a->ranges, op_opnd(d, 1), a->at).lo >= 0;
        return natural ? combine(a, d, product, bound) : unknown;
    }
    RowsList l = eval(a, op_opnd(d, other), bound);
    for (int k = 0; k < l.n; k++) {
        Value *by = build_int(a->b, c), *lo = index_mul(a->b, l.v[k].lo, by), *hi = index_mul(a->b, l.v[k].hi, by);
        l.v[k] = c < 0 ? (Rows){hi, lo} : (Rows){lo, hi};
    }
    return l;
}

static RowsList eval_quotient(RowsAsk *a, const Op *d, bool bound) {
    int64_t c;
    if (!value_const_int(op_opnd(d, 1), &c) || c <= 0) return unknown;
    RowsList l = eval(a, op_opnd(d, 0), bound);
    for (int k = 0; k < l.n; k++)
        l.v[k] = (Rows){index_floordiv(a->b, l.v[k].lo, c), index_floordiv(a->b, l.v[k].hi, c)};
    return l;
}

/* lo..hi modulo n: from where lo comes to lie on, and what goes around from 0 on */
static RowsList eval_remainder(RowsAsk *a, const Op *d, bool bound) {
    Value *n = op_opnd(d, 1);
    RowsList x = eval(a, op_opnd(d, 0), bound), size = eval(a, n, true);
    if (x.n != 1 || size.n != 1 || size.v[0].lo != size.v[0].hi) return unknown;
    if (range_of(a->ranges, n, a->at).lo < 0) return unknown;
    Builder *b = a->b;
    Value *by = index_max(b, size.v[0].lo, build_int(b, 1)), *last = plus(a, by, -1);
    Value *lo = imod_safe(b, x.v[0].lo, by), *hi = index_add(b, lo, index_sub(b, x.v[0].hi, x.v[0].lo));
    return (RowsList){.n = 2, .v = {{lo, index_min(b, hi, last)}, {build_int(b, 0), index_sub(b, hi, by)}}};
}

/* v & mask, mask a power of two less one, or (down) less than 0 one less than it: the power; else 0 */
static int64_t masked(const Value *v, bool down, Value **of) {
    int64_t c;
    if (!v->def || v->def->code != OP_AND || !value_const_int(op_opnd(v->def, 1), &c)) return 0;
    *of = op_opnd(v->def, 0);
    int64_t power = down ? (c < 0 && c != INT64_MIN ? -c : 0) : c + 1;
    return power > 0 && !(power & (power - 1)) ? power : 0;
}

/* x & 7 lies between 0 and 7; x & -8 is x rounded down */
static RowsList eval_mask(RowsAsk *a, const Value *v, bool bound) {
    int64_t c;
    Value *x, *mask = op_opnd(v->def, 1);
    if (value_const_int(mask, &c) && c >= 0) return single(build_int(a->b, 0), build_int(a->b, c));
    if (!masked(v, true, &x)) return unknown;
    RowsList l = eval(a, x, bound);
    mask = build_int(a->b, c);
    for (int k = 0; k < l.n; k++)
        l.v[k] = (Rows){build_binary(a->b, OP_AND, l.v[k].lo, mask), build_binary(a->b, OP_AND, l.v[k].hi, mask)};
    return l;
}

/* first + (n & -8) + l, where l counts to n & 7: what is left of n elements behind groups of 8 lies before first + n.
 */
static RowsList eval_rest_of_groups(RowsAsk *a, const Op *sum, bool bound) {
    const Value *l = op_opnd(sum, 1);
    const Op *loop = l->def ? NULL : l->region->owner, *start = op_opnd(sum, 0)->def;
    if (!loop || loop->code != OP_PARALLEL || !start || start->code != OP_ADD) return unknown;
    Value *n, *same;
    int64_t by = masked(op_opnd(start, 1), true, &n);
    if (!by || masked(op_opnd(loop, l->index), false, &same) != by || same != n) return unknown;
    RowsList first = eval(a, op_opnd(start, 0), bound), many = first.n == 1 ? eval(a, n, true) : unknown;
    if (many.n != 1) return unknown;
    Value *least = build_binary(a->b, OP_AND, many.v[0].lo, build_int(a->b, -by));
    return single(index_add(a->b, first.v[0].lo, least),
                  index_add(a->b, first.v[0].hi, plus(a, many.v[0].hi, -1)));
}

/* How far a loop from 0 on by ones goes; NULL: it is another one */
static Value *turns_of(const Value *l) {
    const Op *loop = l->def ? NULL : l->region->owner;
    int64_t lo, step;
    if (loop && loop->code == OP_PARALLEL) return op_opnd(loop, l->index);
    if (!loop || loop->code != OP_FOR || l->index) return NULL;
    bool ones = value_const_int(op_opnd(loop, 0), &lo) && !lo && value_const_int(op_opnd(loop, 2), &step) && step == 1;
    return ones ? op_opnd(loop, 1) : NULL;
}

/* (first + skipped) + l, where l counts to n - skipped, lies before first + n. */
static RowsList eval_rest_of_turns(RowsAsk *a, const Op *sum, bool bound) {
    const Op *start = op_opnd(sum, 0)->def;
    const Value *turns = turns_of(op_opnd(sum, 1));
    const Op *left = turns ? turns->def : NULL;
    if (!start || start->code != OP_ADD || !left || left->code != OP_SUB) return unknown;
    if (op_opnd(start, 1) != op_opnd(left, 1)) return unknown;
    RowsList first = eval(a, op_opnd(start, 0), bound);
    RowsList skipped = first.n == 1 ? eval_bound(a, op_opnd(left, 1)) : unknown;
    RowsList n = skipped.n ? eval_bound(a, op_opnd(left, 0)) : unknown;
    if (!n.n) return unknown;
    return single(index_add(a->b, first.v[0].lo, skipped.v[0].lo),
                  index_add(a->b, first.v[0].hi, plus(a, n.v[0].hi, -1)));
}

static RowsList eval_sum(RowsAsk *a, const Op *d, bool bound) {
    RowsList l = eval_rest_of_groups(a, d, bound);
    if (!l.n) l = eval_rest_of_turns(a, d, bound);
    return l.n ? l : combine(a, d, add, bound);
}

static RowsList eval_op(RowsAsk *a, Value *v, bool bound) {
    const Op *d = v->def;
    int64_t c;
    if (value_const_int(v, &c)) v = build_int(a->b, c), d = v->def;
    if (d->code == OP_CONST) return single(v, v);
    bool sum = d->code == OP_ADD || d->code == OP_SUB || d->code == OP_MUL;
    if (sum && !range_exact(a->ranges, d, a->at)) return unknown;
    switch (d->code) {
    case OP_ADD: return eval_sum(a, d, bound);
    case OP_SUB: return combine(a, d, sub, bound);
    case OP_MUL: return eval_mul(a, d, bound);
    case OP_MIN: return combine(a, d, lesser, bound);
    case OP_MAX: return combine(a, d, greater, bound);
    case OP_IDIV: return eval_quotient(a, d, bound);
    case OP_MOD: return eval_remainder(a, d, bound);
    case OP_AND: return eval_mask(a, v, bound);
    case OP_SELECT: return eval_choice(a, op_opnd(d, 0), op_opnd(d, 1), op_opnd(d, 2), bound);
    case OP_IF:
        if (a->rest) return unknown; /* iv may hide in it */
        return eval_choice(a, op_opnd(d, 0), op_opnd(region_term(d->regs[0]), v->index),
                           op_opnd(region_term(d->regs[1]), v->index), bound);
    case OP_SIZE:
        if (op_size_is_local(d)) return unknown;
        v = build_size(a->b, op_attr(d, A_SIZE)->sizes[0]);
        return single(v, v);
    default: return unknown;
    }
}

/* How far loops go is asked of one interval. */
static RowsList eval_bound(RowsAsk *a, Value *v) {
    RowsList l = eval(a, v, true);
    for (int k = 1; k < l.n; k++) l.v[0] = rows_hull(a->b, l.v[0], l.v[k]);
    l.n = l.n > 1 ? 1 : l.n;
    return l;
}

static RowsList eval_for_index(RowsAsk *a, const Op *loop) {
    int64_t step;
    RowsList lo = eval_bound(a, op_opnd(loop, 0)), hi = lo.n ? eval_bound(a, op_opnd(loop, 1)) : unknown;
    if (lo.n != 1 || hi.n != 1 || !value_const_int(op_opnd(loop, 2), &step)) return unknown;
    if (step > 1 && lo.v[0].lo == lo.v[0].hi) { /* the last turn may stand well before the end */
        Value *way = index_sub(a->b, plus(a, hi.v[0].hi, -1), lo.v[0].lo), *turns = index_floordiv(a->b, way, step);
        return single(lo.v[0].lo, index_add(a->b, lo.v[0].lo, index_mul(a->b, turns, build_int(a->b, step))));
    }
    if (step > 0) return single(lo.v[0].lo, plus(a, hi.v[0].hi, -1));
    return single(plus(a, hi.v[0].lo, 1), lo.v[0].hi);
}

static RowsList eval_argument(RowsAsk *a, const Value *v) {
    const Op *owner = v->region->owner;
    if (owner->code == OP_FOR && v->index == 0) return eval_for_index(a, owner);
    if (owner->code != OP_PARALLEL) return unknown;
    RowsList n = eval_bound(a, op_opnd(owner, v->index));
    return n.n == 1 ? single(build_int(a->b, 0), plus(a, n.v[0].hi, -1)) : unknown;
}

/* bound: it says how far a loop goes */
static RowsList eval(RowsAsk *a, Value *v, bool bound) {
    if (is_outside(a, v)) return single(v, v);
    if (v->type->dtype != DT_I64 || a->left-- <= 0) return unknown;
    Rows own = bound ? a->bound : a->term;
    RowsList l = v == a->iv ? single(own.lo, own.hi) : v->def ? eval_op(a, v, bound) : eval_argument(a, v);
    if (l.n) apply_facts(a, v, &l);
    return l;
}

/* ---- the public functions */

RowsAsk rows_ask(Builder *b, const Op *nest, const Op *at, Ranges *ranges) {
    return (RowsAsk){.b = b, .nest = nest, .at = at, .ranges = ranges, .left = MOST_READ};
}

/* What the branches around `at` ask */
static void assume_around(RowsAsk *a) {
    for (const Region *r = a->at->parent; r->owner && op_inside(a->at, a->nest) && r->owner != a->nest;
         r = r->owner->parent)
        if (r->owner->code == OP_IF) assume(a, op_opnd(r->owner, 0), r == r->owner->regs[0]);
}

RowsList rows_of(RowsAsk *a, Value *index) {
    a->nfacts = 0;
    assume_around(a);
    RowsList l = eval(a, index, false);
    if (l.n && !a->rest) only_if(a, &l, can_hold(a, 0));
    return l;
}

bool rows_slope(const Value *index, const Value *iv, int64_t *slope) {
    const Op *d = index->def;
    int64_t x, y, c;
    *slope = 0;
    if (index == iv) return *slope = 1, true;
    if (!value_depends(index, iv)) return true;
    if (!d || (d->code != OP_ADD && d->code != OP_SUB && d->code != OP_MUL)) return false;
    if (!rows_slope(op_opnd(d, 0), iv, &x) || !rows_slope(op_opnd(d, 1), iv, &y)) return false;
    if (d->code != OP_MUL) return !__builtin_add_overflow(x, d->code == OP_SUB ? -y : y, slope);
    int other = value_const_int(op_opnd(d, 1), &c) ? 0 : value_const_int(op_opnd(d, 0), &c) ? 1 : -1;
    return other >= 0 && !__builtin_mul_overflow(other ? y : x, c, slope);
}

static Value *extreme(Builder *b, Value *x, Value *y, bool most) {
    int64_t i, j;
    if (index_without_constant(x, &i) == index_without_constant(y, &j)) return (i < j) == most ? y : x;
    return most ? index_max(b, x, y) : index_min(b, x, y);
}

Rows rows_hull(Builder *b, Rows x, Rows y) {
    return (Rows){extreme(b, x.lo, y.lo, false), extreme(b, x.hi, y.hi, true)};
}

int64_t rows_width(Rows r) {
    int64_t i, j, lo, hi, width;
    if (value_const_int(r.lo, &lo) && value_const_int(r.hi, &hi))
        return __builtin_sub_overflow(hi, lo, &width) ? -1 : width;
    return index_without_constant(r.lo, &i) == index_without_constant(r.hi, &j) ? j - i : -1;
}
