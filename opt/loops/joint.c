/* Guards of several copies, in one loop over the threads: where all hold, the loop has none.
 *
 * Part of narrow-guards.  A thread that does the work of two (coarsen) is `if r < n {A}; if r + 8 < n {B}`.  The loop
 * keeps the indices for which every guard holds, and A and B stand in it side by side; what is left below and above,
 * one index after the other, becomes loops with the guards (`rest`), before it: iterations do not depend on each other.
 *
 * Guards that bound other indices, or from other sides, are no copies of each other: borders and corners of an image.
 */
#include "opt/loops/narrow.h"

enum { MAX_GUARDS = 8, MAX_OPS = 240, DEEP = 4 };

typedef struct { Op *guard[MAX_GUARDS]; Narrow bounds[MAX_GUARDS]; int n; } Guards;

static bool does_nothing(const Region *r) { return r->first == region_term(r); }

static bool is_one_sided(const Op *op) {
    return op->code == OP_IF && !op->nres && !does_nothing(op->regs[0]) && does_nothing(op->regs[1]) &&
           !op_holds(op, OP_BARRIER);
}

/* The body's guards, when all else it does is arithmetic */
static bool find_guards(Region *body, Guards *g) {
    for (Op *o = body->first; o != region_term(body); o = o->next) {
        if (is_one_sided(o) && g->n < MAX_GUARDS) g->guard[g->n++] = o;
        else if (!op_is_pure(o)) return false;
    }
    return g->n > 1 && region_count_ops(body) <= MAX_OPS;
}

/* All bound the same indices from the same sides. */
static bool take_bounds(Linear *facts, Op *loop, Guards *g) {
    Region *body = loop->regs[0];
    bool any = false;
    for (int i = 0; i < g->n; i++) {
        Narrow *n = &g->bounds[i];
        *n = (Narrow){.facts = facts,
                      .loop = loop,
                      .body = body,
                      .before = builder_before(loop),
                      .inside = builder_before(g->guard[i]),
                      .indices = body->nargs,
                      .ranges = true};
        narrow_take_apart(n, op_opnd(g->guard[i], 0), false);
        for (int k = 0; k < body->nargs; k++) {
            if (!n->lo[k] != !g->bounds[0].lo[k] || !n->hi[k] != !g->bounds[0].hi[k]) return false;
            any |= n->lo[k] || n->hi[k];
        }
    }
    return any;
}

/* The same number, computed once or twice */
static bool is_same(const Value *x, const Value *y, int depth) {
    if (!x || !y) return x == y;
    if (value_same_int(x, y)) return true;
    if (!x->def || !y->def || x->def->code != y->def->code || !x->def->nopnds || x->def->nregs || !op_is_pure(x->def) ||
        depth == DEEP)
        return false;
    for (int i = 0; i < x->def->nopnds; i++)
        if (!is_same(op_opnd(x->def, i), op_opnd(y->def, i), depth + 1)) return false;
    return true;
}

/* All guards have one bound there: beyond it nothing is left. */
static bool is_common(const Guards *g, int k, bool low) {
    for (int i = 1; i < g->n; i++)
        if (!(low ? is_same(g->bounds[i].lo[k], g->bounds[0].lo[k], 0)
                  : is_same(g->bounds[i].hi[k], g->bounds[0].hi[k], 0)))
            return false;
    return true;
}

/* The loop over another box, with its guards */
static void rest(Op *loop, Value *const *from, Value *const *count) {
    Builder b = builder_before(loop);
    Region *body = loop->regs[0];
    Op *copy = build_parallel(&b, loop->nopnds, (Value **)(uintptr_t)count, op_loop(loop));
    Value *idx[MAX_RANK];
    Builder in = builder_at_end(b.module, copy->regs[0], loop->span);
    build_yield(&in, 0, NULL);
    in = builder_before(region_term(copy->regs[0]));
    for (int k = 0; k < loop->nopnds; k++) {
        copy->regs[0]->args[k]->name = body->args[k]->name;
        idx[k] = index_add(&in, from[k], copy->regs[0]->args[k]);
    }
    region_inline(&in, body, idx, NULL);
    op_set_flag(copy, A_REST);
}

/* Index k from the highest lower bound to the lowest upper one, and what is left on both sides */
static void cut(Op *loop, const Guards *g, int k, Value **from, Value **count) {
    Builder b = builder_before(loop);
    Value *zero = build_int(&b, 0), *extent = op_opnd(loop, k), *lo = zero, *hi = extent;
    for (int i = 0; i < g->n; i++) {
        if (g->bounds[i].lo[k]) lo = index_max(&b, lo, g->bounds[i].lo[k]);
        if (g->bounds[i].hi[k]) hi = index_min(&b, hi, g->bounds[i].hi[k]);
    }
    lo = index_min(&b, lo, extent);
    hi = index_max(&b, hi, lo);
    from[k] = zero, count[k] = lo;
    if (!is_common(g, k, true)) rest(loop, from, count);
    from[k] = hi, count[k] = index_sub(&b, extent, hi);
    if (!is_common(g, k, false)) rest(loop, from, count);
    from[k] = lo, count[k] = index_sub(&b, hi, lo);
}

void loops_join_guards(Linear *facts, Op *loop) {
    Region *body = loop->regs[0];
    Guards g = {.n = 0};
    if (op_flag(loop, A_REST) || !find_guards(body, &g) || !take_bounds(facts, loop, &g)) return;
    Builder b = builder_before(loop);
    Value *from[MAX_RANK], *count[MAX_RANK];
    for (int k = 0; k < body->nargs; k++) from[k] = build_int(&b, 0), count[k] = op_opnd(loop, k);
    for (int k = 0; k < body->nargs; k++)
        if (g.bounds[0].lo[k] || g.bounds[0].hi[k]) cut(loop, &g, k, from, count);
    for (int i = 0; i < g.n; i++) narrow_guard(&g.bounds[i], g.guard[i]);
    for (int k = 0; k < body->nargs; k++) {
        if (!g.bounds[0].lo[k] && !g.bounds[0].hi[k]) continue;
        op_set_opnd(loop, k, count[k]);
        if (!value_is_const_int(from[k], 0)) narrow_renumber(body, body->args[k], NULL, from[k]);
    }
}
