/* independent: a serial loop whose turns do not depend on each other becomes a parallel one.
 *
 * Needs stage loops, accesses proved (`safe`).  A loop that carries no value, stops nothing and prints nothing, and no
 * two turns of which touch an element that one of them writes (analysis/depend.h), may run in any order, as vectors or
 * by threads.
 *
 * First, a loop nest that adds to elements which the inner index alone chooses, `for (k) for (j) c[j] += a[k] *
 * b[k,j]`, is turned inside out when the turns of j are independent: then an element is carried through all k in a
 * register (scalar.c), neighbours side by side (lanes.c).  Each element sees the same operations in the same order.
 *
 * Last, `parallel(i) { parallel(j) {..} }` around serial loops becomes parallel(i, j), of which tiles can be cut; where
 * several stand in one row, each becomes a loop of its own, since iterations of i do not depend on each other.
 * Allen and Kennedy, Optimizing Compilers for Modern Architectures, 2001, sections 2.4, 5.2, 5.4. */
#include "analysis/depend.h"
#include "analysis/uniform.h"
#include "opt/loops/loops.h"

enum { MAX_OPS = 120 };

/* ---- which loops */

static bool is_quiet(const Op *op) {
    return !op_has_effect(op) && !op_may_trap(op) && !op_holds(op, OP_BARRIER) &&
           region_count_ops(op->regs[0]) <= MAX_OPS;
}

static bool is_plain_for(const Op *op) {
    int64_t step;
    return op->code == OP_FOR && !op->nres && value_const_int(op_opnd(op, 2), &step) && step == 1;
}

/* Sums by atomics keep their order. */
static bool is_independent(Depend *d, Op *op) {
    return is_quiet(op) && !op_holds(op, OP_ATOMIC) && depend_loop_carried(d, op) == ANSWER_NO;
}

/* ---- for -> parallel */

static void make_parallel(Op *op) {
    Builder b = builder_before(op), in;
    Value *lo = op_opnd(op, 0), *hi = op_opnd(op, 1), *count = index_sub(&b, hi, lo);
    if (count != hi || !hi->def || hi->def->code != OP_SIZE) count = index_max(&b, count, build_int(&b, 0));
    Op *loop = build_plain_parallel(&b, 1, &count, &in);
    Region *body = op->regs[0];
    Value *iv = loop->regs[0]->args[0], *i = index_add(&in, iv, lo);
    i->name = iv->name = body->args[0]->name;
    value_replace_all(body->args[0], i);
    if (region_term(body)->prev) op_move_range(body->first, region_term(body)->prev, loop->regs[0], in.before);
    op_erase(op);
}

/* ---- inside out */

/* The loop that is all the body does, its bounds known before; or NULL */
static Op *sole_inner(const Op *op) {
    const Region *r = op->regs[0];
    Op *inner = NULL;
    for (Op *o = r->first; o != region_term(r); o = o->next) {
        if (o->code == OP_FOR && !inner) inner = o;
        else if (!op_is_pure(o) || o->nregs) return NULL;
    }
    if (!inner || !is_plain_for(inner)) return NULL;
    for (int i = 0; i < 3; i++)
        if (!value_is_fixed_in(r, op_opnd(inner, i))) return NULL;
    return inner;
}

static bool moves(const Region *r, const Value *v, const Value *iv) {
    if (v == iv) return true;
    if (!v->def || !region_encloses(r, value_region(v))) return false;
    for (int i = 0; i < v->def->nopnds; i++)
        if (moves(r, op_opnd(v->def, i), iv)) return true;
    return false;
}

/* Straight code whose stores are to places that the outer index does not change; there is one */
static bool adds_up(const Op *outer, const Op *inner) {
    int stores = 0;
    for (const Op *o = inner->regs[0]->first; o; o = o->next) {
        if (o->nregs) return false;
        if (o->code != OP_STORE) continue;
        stores++;
        for (int i = 2; i < o->nopnds; i++)
            if (moves(outer->regs[0], op_opnd(o, i), outer->regs[0]->args[0])) return false;
    }
    return stores == 1;
}

/* A copy of the nest before it, with the loops exchanged */
static Op *exchanged(const Op *outer, const Op *inner) {
    Builder b = builder_before((Op *)outer);
    Value *bound[3];
    for (int i = 0; i < 3; i++) bound[i] = value_outside(&b, outer->regs[0], op_opnd(inner, i));
    Op *j = build_for(&b, bound[0], bound[1], bound[2], 0, NULL);
    Builder in = builder_at_end(b.module, j->regs[0], b.span);
    Op *k = build_for(&in, op_opnd(outer, 0), op_opnd(outer, 1), op_opnd(outer, 2), 0, NULL);
    build_yield(&in, 0, NULL);
    in = builder_at_end(b.module, k->regs[0], b.span);
    Cloner c = {.module = b.module};
    Arena *a = b.module->arena;
    k->regs[0]->args[0]->name = outer->regs[0]->args[0]->name;
    j->regs[0]->args[0]->name = inner->regs[0]->args[0]->name;
    map_put(a, &c.values, outer->regs[0]->args[0], k->regs[0]->args[0]);
    map_put(a, &c.values, inner->regs[0]->args[0], j->regs[0]->args[0]);
    for (const Op *o = outer->regs[0]->first; o != region_term(outer->regs[0]); o = o->next)
        if (o != inner) clone_op(&c, &in, o);
    clone_region_ops(&c, &in, inner->regs[0], false);
    build_yield(&in, 0, NULL);
    return j;
}

/* The loop that took its place, already known to be independent; or NULL */
static Op *turn_inside_out(Depend *d, Op *op) {
    Op *inner = is_plain_for(op) && is_quiet(op) ? sole_inner(op) : NULL;
    if (!inner || !adds_up(op, inner)) return NULL;
    Op *swapped = exchanged(op, inner);
    bool fine = is_independent(d, swapped);
    op_erase(fine ? op : swapped);
    return fine ? swapped : NULL;
}

static void visit(Depend *d, Region *r) {
    for (Op *o = r->first, *next; o; o = next) {
        next = o->next;
        if (o->code == OP_FOR && op_around(o, OP_ISLAND)) {
            Op *swapped = turn_inside_out(d, o);
            if (swapped || (is_plain_for(o) && is_independent(d, o))) {
                Op *prev = swapped ? swapped->prev : o->prev;
                make_parallel(swapped ? swapped : o);
                for (o = prev ? prev->next : r->first; o->code != OP_PARALLEL; o = o->next) {}
            }
        }
        for (int i = 0; i < o->nregs; i++) visit(d, o->regs[i]);
    }
}

/* ---- parallel in parallel */

static bool is_plain_parallel(const Op *op) { return op_loop(op) == LOOP_PLAIN; }

static bool has_for(const Op *loop) {
    for (const Op *o = loop->regs[0]->first; o; o = o->next) {
        if (o->code == OP_FOR) return true;
        if (o->code != OP_IF) continue;
        for (const Op *p = o->regs[0]->first; p; p = p->next)
            if (p->code == OP_FOR) return true;
    }
    return false;
}

/* A serial loop inside, and extents that do not change with the outer indices */
static bool can_join(const Op *outer, const Op *inner) {
    if (!is_plain_parallel(inner) || !has_for(inner) || outer->nopnds + inner->nopnds > MAX_RANK) return false;
    for (int i = 0; i < inner->nopnds; i++)
        if (!value_is_fixed_in(outer->regs[0], op_opnd(inner, i))) return false;
    return true;
}

/* The body is parallel loops and what they need; one of them can be joined. */
static bool is_row_of_loops(const Op *outer) {
    bool any = false;
    for (const Op *o = outer->regs[0]->first; o != region_term(outer->regs[0]); o = o->next) {
        if (!is_plain_parallel(o) && (!op_is_pure(o) || o->nregs)) return false;
        any |= is_plain_parallel(o) && can_join(outer, o);
    }
    return any;
}

/* A copy of outer, before it, that does nothing but `part` */
static void part_alone(const Op *outer, const Op *part) {
    Builder b = builder_before((Op *)outer), in;
    Value *extents[MAX_RANK];
    int n = outer->nopnds, inner = can_join(outer, part) ? part->nopnds : 0;
    for (int i = 0; i < n; i++) extents[i] = op_opnd(outer, i);
    for (int i = 0; i < inner; i++) extents[n + i] = value_outside(&b, outer->regs[0], op_opnd(part, i));
    b.span = part->span;
    Op *loop = build_plain_parallel(&b, n + inner, extents, &in);
    Cloner c = {.module = b.module};
    for (int i = 0; i < n + inner; i++) {
        Value *from = i < n ? outer->regs[0]->args[i] : part->regs[0]->args[i - n];
        loop->regs[0]->args[i]->name = from->name;
        map_put(b.module->arena, &c.values, from, loop->regs[0]->args[i]);
    }
    for (const Op *o = outer->regs[0]->first; o != part; o = o->next)
        if (!is_plain_parallel(o)) clone_op(&c, &in, o);
    if (inner) clone_region_ops(&c, &in, part->regs[0], false);
    else clone_op(&c, &in, part);
}

static void join(Region *r) {
    for (Op *o = r->first, *next; o; o = next) {
        next = o->next;
        for (int i = 0; i < o->nregs; i++) join(o->regs[i]);
        if (!is_plain_parallel(o) || !is_row_of_loops(o)) continue;
        for (Op *part = o->regs[0]->first; part; part = part->next)
            if (is_plain_parallel(part)) part_alone(o, part);
        op_erase(o);
    }
}

void pass_independent(Module *m, const PassOptions *opts) {
    (void)opts;
    for (int i = 0; i < m->funcs.len; i++) {
        if (m->funcs.data[i]->kind == FUNC_EXTERN) continue;
        Depend *d = depend_new(m->funcs.data[i]);
        visit(d, m->funcs.data[i]->body);
        depend_free(d);
        join(m->funcs.data[i]->body);
    }
}
