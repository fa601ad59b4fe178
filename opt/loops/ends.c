/* The least and the greatest value that an index takes in a nest of loops, as values computed before the nest.
 *
 * An index that each loop's own index moves in one direction has its ends at corners of the iteration space: i + 2*j -
 * k is least where i and j are and k is not.  Both ends are reached if all the loops run and no loop's bounds depend on
 * another's index.  What stands before the nest and is added to the index as a whole is kept apart: the sum may wrap
 * where an end does not. */
#include "opt/loops/loops.h"

typedef struct {
    Ranges *ranges;
    const Region *nest;   /* the body of the outermost loop */
    const Op *at;         /* where the index is used */
    const Value *ups[MAX_RANK], *downs[MAX_RANK]; /* loops' indices by the direction in which they move it */
    int nups, ndowns;
} Ends;

static bool is_outside(const Region *nest, const Value *v) { return !region_encloses(nest, value_region(v)); }

/* ---- does it have ends */

static bool among(const Value *const *list, int n, const Value *v) {
    for (int i = 0; i < n; i++)
        if (list[i] == v) return true;
    return false;
}

static bool note(const Value **list, int *n, const Value *v) {
    if (among(list, *n, v)) return true;
    if (*n == MAX_RANK) return false;
    list[(*n)++] = v;
    return true;
}

/* The index of a loop that counts upwards */
static bool is_loop_index(const Value *v) {
    const Op *loop = v->def ? NULL : v->region->owner;
    int64_t step;
    if (!loop || (loop->code == OP_FOR && v->index > 0) || v->region != loop->regs[0]) return false;
    if (loop->code == OP_PARALLEL || loop->code == OP_REDUCE || loop->code == OP_GENERATE) return true;
    return loop->code == OP_FOR && value_const_int(op_opnd(loop, 2), &step) && step > 0;
}

static bool moves(Ends *e, const Value *v, bool up) {
    const Value **same = up ? e->ups : e->downs, **other = up ? e->downs : e->ups;
    int *n = up ? &e->nups : &e->ndowns;
    return is_loop_index(v) && !among(other, up ? e->ndowns : e->nups, v) && note(same, n, v);
}

static bool has_ends(Ends *e, Value *v, bool up);

/* A product with what stands outside, whose sign is known */
static bool product_has_ends(Ends *e, const Op *op, bool up) {
    int by = is_outside(e->nest, op_opnd(op, 0)) || value_const_int(op_opnd(op, 0), NULL) ? 0 : 1;
    Value *factor = op_opnd(op, by);
    if (!is_outside(e->nest, factor) && !value_const_int(factor, NULL)) return false;
    return range_of(e->ranges, factor, e->at).lo >= 0 && has_ends(e, op_opnd(op, !by), up);
}

static bool has_ends(Ends *e, Value *v, bool up) {
    if (is_outside(e->nest, v)) return true;
    if (!v->def) return moves(e, v, up);
    const Op *op = v->def;
    if (op->code == OP_CONST || op->code == OP_SIZE) return true;
    if (!range_exact(e->ranges, op, e->at)) return false;
    switch (op->code) {
    case OP_ADD: case OP_MIN: case OP_MAX: return has_ends(e, op_opnd(op, 0), up) && has_ends(e, op_opnd(op, 1), up);
    case OP_SUB: return has_ends(e, op_opnd(op, 0), up) && has_ends(e, op_opnd(op, 1), !up);
    case OP_MUL: return product_has_ends(e, op, up);
    default: return false;
    }
}

/* Sums may wrap if what moves in them does not. */
static bool sum_has_ends(Ends *e, Value *v, bool up) {
    const Op *op = v->def;
    if (is_outside(e->nest, v) || !op || (op->code != OP_ADD && op->code != OP_SUB)) return has_ends(e, v, up);
    return sum_has_ends(e, op_opnd(op, 0), up) && sum_has_ends(e, op_opnd(op, 1), op->code == OP_SUB ? !up : up);
}

/* The moving parts of the sum v, and between which bounds each of them lies */
static int moving_parts(Ends *e, Value *v, IntRange *all) {
    const Op *op = v->def;
    if (is_outside(e->nest, v)) return 0;
    if (op && (op->code == OP_ADD || op->code == OP_SUB) && !range_exact(e->ranges, op, e->at))
        return moving_parts(e, op_opnd(op, 0), all) + moving_parts(e, op_opnd(op, 1), all);
    const IntRange r = range_of(e->ranges, v, e->at);
    if (r.lo < all->lo) all->lo = r.lo;
    if (r.hi > all->hi) all->hi = r.hi;
    return 1;
}

/* The moving parts together do not wrap, nor does a size minus their sum. */
static bool is_moderate(Ends *e, Value *v) {
    const int64_t most = (int64_t)1 << 60;
    IntRange all = {0, 0};
    int n = moving_parts(e, v, &all);
    return n < 7 && all.lo >= -most && (n == 1 || all.hi <= most);
}

LoopsEndsKind loops_has_ends(Ranges *r, const Op *outer, const Op *at, Value *index) {
    Ends e = {.ranges = r, .nest = outer->regs[0], .at = at};
    if (has_ends(&e, index, true)) return LOOPS_ENDS;
    e.nups = e.ndowns = 0;
    return sum_has_ends(&e, index, true) && is_moderate(&e, index) ? LOOPS_ENDS_APART : LOOPS_NO_ENDS;
}

/* ---- computing them */

Value *loops_bound(Builder *b, const Op *loop, int i) {
    int64_t c;
    if (loop->code == OP_GENERATE) return build_size(b, loop->res[0].type->dims[i]);
    Value *v = op_opnd(loop, i);
    if (value_const_int(v, &c)) return build_int(b, c);
    return v->def && v->def->code == OP_SIZE ? build_size(b, op_attr(v->def, A_SIZE)->sizes[0]) : v;
}

/* What the loop's index is in its last iteration; it has one. */
static Value *last_index(Builder *b, const Value *iv) {
    const Op *loop = iv->region->owner;
    Value *one = build_int(b, 1);
    if (loop->code != OP_FOR) return index_sub(b, loops_bound(b, loop, iv->index), one);
    Value *lo = loops_bound(b, loop, 0), *hi = loops_bound(b, loop, 1);
    int64_t step = 1;
    value_const_int(op_opnd(loop, 2), &step);
    if (step == 1) return index_sub(b, hi, one);
    Value *by = build_int(b, step), *turns = idiv_safe(b, index_sub(b, index_sub(b, hi, lo), one), by);
    return index_add(b, lo, index_mul(b, turns, by));
}

static Value *first_index(Builder *b, const Value *iv) {
    return iv->region->owner->code == OP_FOR ? loops_bound(b, iv->region->owner, 0) : build_int(b, 0);
}

static Value *end_of(Builder *b, const Region *nest, Value *v, bool most) {
    int64_t c;
    if (is_outside(nest, v)) return v;
    if (value_const_int(v, &c)) return build_int(b, c);
    if (!v->def) return most ? last_index(b, v) : first_index(b, v);
    Op *op = v->def;
    if (op->code == OP_SIZE) return build_size(b, op_attr(op, A_SIZE)->sizes[0]);
    Value *x = end_of(b, nest, op_opnd(op, 0), most);
    Value *y = end_of(b, nest, op_opnd(op, 1), op->code == OP_SUB ? !most : most);
    switch (op->code) {
    case OP_ADD: return index_add(b, x, y);
    case OP_SUB: return index_sub(b, x, y);
    case OP_MUL: return index_mul(b, x, y);
    case OP_MIN: return index_min(b, x, y);
    default: return index_max(b, x, y);
    }
}

/* The part of a sum that stands outside, or the part that moves; NULL: 0 */
static Value *part_of(Builder *b, const Region *nest, Value *v, bool most, bool moving) {
    const Op *op = v->def;
    if (is_outside(nest, v)) return moving ? NULL : v;
    if (!op || (op->code != OP_ADD && op->code != OP_SUB)) return moving ? end_of(b, nest, v, most) : NULL;
    bool minus = op->code == OP_SUB;
    Value *x = part_of(b, nest, op_opnd(op, 0), most, moving);
    Value *y = part_of(b, nest, op_opnd(op, 1), minus ? !most : most, moving);
    return x || y ? index_plus(b, x, y, minus) : NULL;
}

/* All integers between the ends are taken: a sum of indices of loops that count by 1 */
static bool takes_all(const Region *nest, const Value *v) {
    const Op *op = v->def;
    int64_t step = 1;
    if (is_outside(nest, v)) return true;
    if (op) return op->code == OP_ADD && takes_all(nest, op_opnd(op, 0)) && takes_all(nest, op_opnd(op, 1));
    if (v->region->owner->code == OP_FOR) value_const_int(op_opnd(v->region->owner, 2), &step);
    return step == 1;
}

LoopsEnds loops_ends(Builder *b, const Op *outer, Value *index, LoopsEndsKind kind) {
    const Region *nest = outer->regs[0];
    LoopsEnds e = {.takes_all = takes_all(nest, index)};
    if (kind == LOOPS_ENDS) {
        e.least = end_of(b, nest, index, false), e.most = end_of(b, nest, index, true);
        return e;
    }
    e.fixed = part_of(b, nest, index, true, false);
    e.least = part_of(b, nest, index, false, true), e.most = part_of(b, nest, index, true, true);
    if (!e.least) e.least = e.most = build_int(b, 0);
    return e;
}
