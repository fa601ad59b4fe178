/* Cuts the code of a thread loop around guards that become loop bounds, inner loops and stores across rows.
 *
 * `A; if t == 0 {B}; for k {C}` in one loop over the threads keeps the C compiler from using vectors for A, and for C
 * across threads; a store down a column does it for all.  A barrier more never changes what a program without races
 * computes, so one is put on either side; then the guard is all that its loop does, and narrow-guards makes it the loop's bounds, and the inner loop with that
 * over the threads is a perfect nest.  It stays only when it costs nothing: no value that crosses it needs an array
 * that it did not need before. */
#include "lower/barrier_plan.h"

enum { MAX_CUTS = 16 };

typedef struct { Op *loop; int cost, cuts; } Split;

/* ---- guards */

static bool does_nothing(const Region *r) { return r->first == region_term(r); }

/* An index of the threads, or a remainder of it */
static bool is_index(const Region *body, const Value *v) {
    const Op *d = v->def;
    if (d && (d->code == OP_MOD || d->code == OP_AND) && d->nopnds == 2 && !region_encloses(body, value_region(op_opnd(d, 1))))
        return value_shifted_arg(body, op_opnd(d, 0)) != NULL;
    return value_shifted_arg(body, v) != NULL;
}

/* A comparison of an index with what is the same for all, or several of which one is so */
static bool is_bound(const Region *body, const Value *c) {
    const Op *d = c->def;
    if (!d || !region_encloses(body, d->parent)) return false;
    switch (d->code) {
    case OP_AND: return is_bound(body, op_opnd(d, 0)) || is_bound(body, op_opnd(d, 1));
    case OP_LT: case OP_LE: case OP_GT: case OP_GE: case OP_EQ:
        for (int i = 0; i < 2; i++)
            if (is_index(body, op_opnd(d, i)) && !region_encloses(body, value_region(op_opnd(d, 1 - i)))) return true;
        return false;
    default: return false;
    }
}

static bool is_guard(const Region *body, const Op *op) {
    return op->code == OP_IF && !op->nres && !plan_has_barrier(op) && does_nothing(op->regs[1]) && is_bound(body, op_opnd(op, 0));
}

/* A store whose elements of neighbouring threads lie a row apart: no vector does it. */
static bool is_scattered(const Region *body, const Op *op) {
    const Value *x = body->args[body->nargs - 1];
    if (op->code != OP_STORE || value_shifted_arg(body, op_opnd(op, op->nopnds - 1)) == x) return false;
    for (int i = 2; i + 1 < op->nopnds; i++)
        if (value_shifted_arg(body, op_opnd(op, i)) == x) return true;
    return false;
}

static bool stands_alone(const Region *body, const Op *op) {
    bool loop = op->code == OP_FOR && !op->nres && !plan_has_barrier(op);
    return (loop || is_guard(body, op) || is_scattered(body, op)) && op_writes_memory(op);
}

/* ---- what a cut costs */

static int count_crossing(const Region *r) {
    int n = 0;
    for (const Op *o = r->first; o; o = o->next) {
        for (const Use *u = o->code == OP_ALLOC ? o->res[0].uses : NULL; u; u = u->next)
            if (u->user->mark != o->mark) {
                n++;
                break;
            }
        for (int i = 0; i < o->nregs; i++) n += count_crossing(o->regs[i]);
    }
    return n;
}

/* Arrays with an element per thread */
static int plan_cost(Op *loop) {
    Arena *arena = arena_new();
    ThreadPlan p = barrier_plan(arena, loop);
    int n = count_crossing(p.body);
    for (int i = 0; i < p.nvalues; i++) n += p.stored[i];
    arena_free(arena);
    return n;
}

/* ---- cuts */

/* Whether op's own stretch of code does something to memory on this side */
static bool busy(const Op *op, bool before) {
    for (const Op *o = before ? op->prev : op->next; o; o = before ? o->prev : o->next) {
        if (plan_has_barrier(o)) return false;
        if (op_writes_memory(o)) return true;
    }
    return false;
}

static Op *put_barrier(const Split *s, Builder b) {
    Region *body = s->loop->regs[0];
    return build_op(&b, OP_BARRIER, body->nargs, body->args, 0, NULL, 0);
}

static void cut_around(Split *s, Op *op) {
    Op *before = busy(op, true) ? put_barrier(s, builder_before(op)) : NULL;
    Op *after = busy(op, false) ? put_barrier(s, builder_after(op)) : NULL;
    if (!before && !after) return;
    s->cuts++;
    if (plan_cost(s->loop) <= s->cost) return;
    if (before) op_erase(before);
    if (after) op_erase(after);
}

static void visit(Split *s, Region *r) {
    for (Op *o = r->first; o; o = o->next) {
        if (plan_has_barrier(o))
            for (int i = 0; i < o->nregs; i++) visit(s, o->regs[i]);
        else if (stands_alone(s->loop->regs[0], o) && s->cuts < MAX_CUTS) cut_around(s, o);
    }
}

void barrier_split(Op *loop) {
    Split s = {.loop = loop, .cost = plan_cost(loop)};
    visit(&s, loop->regs[0]);
}
