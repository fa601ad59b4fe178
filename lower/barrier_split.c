/* Cuts the code of a thread loop where that makes loops over the threads that vectors can do.
 *
 * `A; if t == 0 {B}; for k {C}` in one loop over the threads keeps the C compiler from using vectors for A, and for C
 * across threads; a store down a column does it for all.  A barrier more never changes what a program without races
 * computes, but for the order of sums of floats, so one is put on either side where it parts no sums into one array;
 * then the guard is all that its loop does, and narrow-guards makes it the loop's bounds.  In a guard likewise; one
 * with two sides becomes two guards first.  An inner loop in which neighbouring threads use neighbouring elements gets
 * a barrier inside, so that it goes around the threads.  A barrier stays only when it costs nothing: no value that
 * crosses it needs an array that it did not need before. */
#include "lower/barrier_plan.h"

enum { MAX_CUTS = 24 };

typedef struct { Op *loop; Region *body; int cost, cuts; } Split;

/* ---- guards */

static bool does_nothing(const Region *r) { return r->first == region_term(r); }

/* An index of the threads, or a remainder of it */
static bool is_index(const Region *body, const Value *v) {
    const Op *d = v->def;
    if (d && (d->code == OP_MOD || d->code == OP_AND) && d->nopnds == 2 &&
        !region_encloses(body, value_region(op_opnd(d, 1))))
        return value_shifted_arg(body, op_opnd(d, 0)) != NULL;
    return value_shifted_arg(body, v) != NULL;
}

/* A comparison of an index with what is the same for all, or several of which one is so */
static bool is_bound(const Region *body, const Value *c) {
    const Op *d = c->def;
    if (!d || !region_encloses(body, d->parent)) return false;
    switch (d->code) {
    case OP_NOT: return is_bound(body, op_opnd(d, 0));
    case OP_AND: return is_bound(body, op_opnd(d, 0)) || is_bound(body, op_opnd(d, 1));
    case OP_LT: case OP_LE: case OP_GT: case OP_GE: case OP_EQ:
        for (int i = 0; i < 2; i++)
            if (is_index(body, op_opnd(d, i)) && !region_encloses(body, value_region(op_opnd(d, 1 - i)))) return true;
        return false;
    default: return false;
    }
}

static bool is_guard(const Region *body, const Op *op) {
    return op->code == OP_IF && !op->nres && is_bound(body, op_opnd(op, 0)) && op_writes_memory(op);
}

/* `if c {A} else {B}` becomes `if c {A}; if not c {B}`. */
static void split_sides(Op *guard) {
    Builder b = builder_after(guard);
    Region *r = guard->regs[1];
    Builder in;
    build_when(&b, build_unary(&b, OP_NOT, op_opnd(guard, 0)), &in);
    op_move_range(r->first, region_term(r)->prev, in.region, in.before);
}

/* ---- inner loops and stores */

static const Value *fastest(const Split *s) { return s->body->args[s->body->nargs - 1]; }

/* A store whose elements of neighbouring threads lie a row apart: no vector does it. */
static bool is_scattered(const Split *s, const Op *op) {
    if (op->code != OP_STORE || value_shifted_arg(s->body, op_opnd(op, op->nopnds - 1)) == fastest(s)) return false;
    for (int i = 2; i + 1 < op->nopnds; i++)
        if (value_shifted_arg(s->body, op_opnd(op, i)) == fastest(s)) return true;
    return false;
}

/* Neighbouring threads use neighbouring elements, or (loads) the same one. */
static bool is_beside(const Split *s, const Op *op) {
    bool write = op->code == OP_STORE;
    int last = op->nopnds - 1;
    for (int i = write ? 2 : 1; i < last; i++)
        if (value_depends(op_opnd(op, i), fastest(s))) return false;
    return value_shifted_arg(s->body, op_opnd(op, last)) == fastest(s) ||
           (!write && !value_depends(op_opnd(op, last), fastest(s)));
}

static bool depends_on_threads(const Split *s, const Value *v) {
    return region_encloses(s->body, value_region(v)) && !value_const(v);
}

/* All that op does lies beside what neighbouring threads do. */
static bool is_vector_work(const Split *s, const Op *op) {
    if (op->nregs && op->code != OP_IF && op->code != OP_FOR) return false;
    if (op->code == OP_ATOMIC || op->code == OP_ALLOC || (!op->nregs && op_may_trap(op))) return false;
    if ((op->code == OP_LOAD || op->code == OP_STORE) && !is_beside(s, op)) return false;
    for (int i = 0; i < op->nregs; i++)
        for (const Op *o = op->regs[i]->first; o; o = o->next)
            if (!is_vector_work(s, o)) return false;
    return true;
}

/* A loop that does the same turns for all threads, and vectors across them */
static bool goes_around(const Split *s, const Op *loop) {
    for (int i = 0; i < loop->nopnds; i++)
        if (depends_on_threads(s, op_opnd(loop, i))) return false;
    for (const Op *o = loop->regs[0]->first; o; o = o->next)
        if (!is_vector_work(s, o)) return false;
    return true;
}

static bool is_inner_loop(const Op *op) {
    bool loop = op->code == OP_FOR || (op->code == OP_PARALLEL && op->nopnds == 1);
    return loop && !op->nres && !op_holds(op, OP_BARRIER) && op_writes_memory(op);
}

/* The loop as one that goes around the threads: in order, with a barrier in its body */
static Op *serial(Op *loop) {
    if (loop->code == OP_FOR) return loop;
    Builder b = builder_before(loop);
    Op *in_order = build_for(&b, build_int(&b, 0), op_opnd(loop, 0), build_int(&b, 1), 0, NULL);
    Region *from = loop->regs[0], *to = in_order->regs[0];
    to->args[0]->name = from->args[0]->name;
    value_replace_all(from->args[0], to->args[0]);
    op_move_range(from->first, from->last, to, NULL);
    op_erase(loop);
    return in_order;
}

static bool stands_alone(const Split *s, const Op *op) {
    return is_inner_loop(op) || is_scattered(s, op) || (is_guard(s->body, op) && !op_holds(op, OP_BARRIER));
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
        if (op_holds(o, OP_BARRIER)) return false;
        if (op_writes_memory(o)) return true;
    }
    return false;
}

static Op *put_barrier(const Split *s, Builder b) {
    return build_op(&b, OP_BARRIER, s->body->nargs, s->body->args, 0, NULL, 0);
}

/* The barriers (NULL: none) stay if they cost nothing. */
static void keep_if_free(Split *s, Op *one, Op *other) {
    s->cuts++;
    if (plan_cost(s->loop) <= s->cost) return;
    if (one) op_erase(one);
    if (other) op_erase(other);
}

/* op adds floats to what others in the loop add to: thread by thread, not one of them for all threads before the other.
 */
static bool shares_sums(const Split *s, const Op *op, const Op *in) {
    bool sum = in->code == OP_ATOMIC && dtype_is_float(op_opnd(in, 0)->type->dtype);
    for (const Use *u = sum ? op_opnd(in, 1)->uses : NULL; u; u = u->next)
        if (u->user->code == OP_ATOMIC && u->user != op && op_inside(u->user, s->loop) && !op_inside(u->user, op))
            return true;
    for (int i = 0; i < in->nregs; i++)
        for (const Op *o = in->regs[i]->first; o; o = o->next)
            if (shares_sums(s, op, o)) return true;
    return false;
}

static void cut_around(Split *s, Op *op) {
    if (shares_sums(s, op, op)) return;
    Op *before = busy(op, true) ? put_barrier(s, builder_before(op)) : NULL;
    Op *after = busy(op, false) ? put_barrier(s, builder_after(op)) : NULL;
    if (before || after) keep_if_free(s, before, after);
}

static Op *turn_inside_out(Split *s, Op *loop) {
    loop = serial(loop);
    keep_if_free(s, put_barrier(s, builder_before(loop->regs[0]->first)), NULL);
    return loop;
}

static void visit(Split *s, Region *r) {
    for (Op *o = r->first; o && s->cuts < MAX_CUTS; o = o->next) {
        bool guard = is_guard(s->body, o);
        if (guard && !op_holds(o, OP_BARRIER) && !does_nothing(o->regs[1]) && !does_nothing(o->regs[0])) split_sides(o);
        if (stands_alone(s, o)) cut_around(s, o);
        if (is_inner_loop(o) && goes_around(s, o)) o = turn_inside_out(s, o);
        else if (guard || op_holds(o, OP_BARRIER))
            for (int i = 0; i < o->nregs; i++) visit(s, o->regs[i]);
    }
}

void barrier_split(Op *loop) {
    Split s = {.loop = loop, .body = loop->regs[0], .cost = plan_cost(loop)};
    visit(&s, s.body);
}
