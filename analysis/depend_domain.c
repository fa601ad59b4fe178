/* Guards and domains of instances as formulas: when each runs, when both touch the same element.  Here questions begin.
 */
#include "analysis/depend_private.h"

#include <string.h>

enum { MAX_CHECKS = 16 };

/* ---- conditions */

static const Formula *read_compare(Env *e, Op *op, bool truth) {
    Query *q = e->q;
    const Poly *x = read_value(e, op_opnd(op, 0)), *y = read_value(e, op_opnd(op, 1));
    const Poly *d = poly_sub(q->ps, x, y);
    if (!d) return formula_unknown(q);
    switch (op->code) {
    case OP_LT: return truth ? formula_lt(q, x, y) : formula_ge(q, d);
    case OP_GE: return truth ? formula_ge(q, d) : formula_lt(q, x, y);
    case OP_GT: return truth ? formula_lt(q, y, x) : formula_ge(q, poly_scale(q->ps, d, -1));
    case OP_LE: return truth ? formula_ge(q, poly_scale(q->ps, d, -1)) : formula_lt(q, y, x);
    case OP_EQ: return truth ? formula_eq(q, d) : formula_ne(q, x, y);
    default: return truth ? formula_ne(q, x, y) : formula_eq(q, d);
    }
}

static bool compares_ints(const Op *op) {
    DType t = op_opnd(op, 0)->type->dtype;
    return op_opnd(op, 0)->type->kind == TY_SCALAR && (t == DT_BOOL || (dtype_is_int(t) && t != DT_U64));
}

enum { MOST_CONDITIONS = 1000 }; /* bools that are made of others twice grow without end */

const Formula *read_condition(Env *e, Value *c, bool truth) {
    Query *q = e->q;
    Op *op = c->def;
    if (q->conditions++ > MOST_CONDITIONS) return formula_unknown(q);
    switch (op ? op->code : OP_COUNT) {
    case OP_AND: case OP_OR: {
        const Formula *x = read_condition(e, op_opnd(op, 0), truth), *y = read_condition(e, op_opnd(op, 1), truth);
        return (op->code == OP_AND) == truth ? formula_and(q, x, y) : formula_or(q, x, y);
    }
    case OP_NOT: return read_condition(e, op_opnd(op, 0), !truth);
    case OP_LT: case OP_LE: case OP_GT: case OP_GE: case OP_EQ: case OP_NE:
        if (compares_ints(op)) return read_compare(e, op, truth);
        break;
    case OP_IF: case OP_SELECT: {
        Value *x = op->code == OP_IF ? op_opnd(region_term(op->regs[0]), c->index) : op_opnd(op, 1);
        Value *y = op->code == OP_IF ? op_opnd(region_term(op->regs[1]), c->index) : op_opnd(op, 2);
        Value *cond = op_opnd(op, 0);
        return formula_or(q, formula_and(q, read_condition(e, cond, true), read_condition(e, x, truth)),
                          formula_and(q, read_condition(e, cond, false), read_condition(e, y, truth)));
    }
    case OP_FOR: {
        const Formula *none, *last;
        if (!read_end(e, op, &none, &last)) break;
        none = formula_and(q, none, read_condition(e, op_opnd(op, 3 + c->index), truth));
        return formula_or(q, none,
                          formula_and(q, last, read_condition(e, op_opnd(region_term(op->regs[0]), c->index), truth)));
    }
    default: break;
    }
    const Poly *p = read_value(e, c);
    return formula_eq(q, truth ? poly_sub(q->ps, p, poly_const(q->ps, 1)) : p);
}

/* ---- domains */

static const Formula *between(Query *q, const Poly *x, const Poly *hi) {
    return formula_and(q, formula_ge(q, x), hi ? formula_lt(q, x, hi) : formula_unknown(q));
}

const Formula *read_before_end(Env *e, Op *op, const Poly *x, bool truth) {
    Query *q = e->q;
    int64_t step;
    const Poly *hi = read_value(e, op_opnd(op, 1));
    if (!poly_is_const(read_value(e, op_opnd(op, 2)), &step) || !step) return formula_unknown(q);
    if (q->d->wraps && !range_counts(q->d->ranges, op, e->at.op)) return formula_unknown(q);
    const Poly *a = step > 0 ? x : hi, *b = step > 0 ? hi : x;
    return truth ? formula_lt(q, a, b) : formula_ge(q, poly_sub(q->ps, a, b));
}

static const Formula *domain_of_for(Env *e, Op *op) {
    Query *q = e->q;
    const Poly *x = read_value(e, op->regs[0]->args[0]);
    const Formula *f = read_before_end(e, op, x, true);
    if (env_role(e, op->regs[0]) == ROLE_INNER && env_step(e, op) == STEP_LAST)
        f = formula_and(q, f, read_before_end(e, op, next_turn(e, x, op_opnd(op, 2)), false));
    return f;
}

/* Condition of a while on the values that follow those of the instance's iteration */
static const Formula *domain_of_while(Env *e, Op *op) {
    return read_condition(e, op_opnd(region_term(op->regs[0]), 0), true);
}

/* The first condition of a loop that is not entered */
static const Formula *never_entered(Env *e, Op *op) {
    Query *q = e->q;
    if (op->code == OP_FOR) return read_before_end(e, op, read_value(e, op_opnd(op, 0)), false);
    Step first = {op, STEP_FIRST, e->at.steps};
    Env now = *e;
    now.at.steps = &first;
    now.memo = (Map){0};
    return formula_and(q, formula_bool(q, true), read_condition(&now, op_opnd(region_term(op->regs[0]), 0), false));
}

/* After the last turn of a while the condition is false of what it yielded. */
static const Formula *left_while(Env *e, Op *op) {
    Query *q = e->q;
    Env now = *e;
    now.memo = (Map){0};
    for (int i = 0; i < op->regs[1]->nargs; i++)
        map_put(q->arena, &now.memo, op->regs[1]->args[i], (void *)read_value(e, op_opnd(region_term(op->regs[1]), i)));
    for (int i = 0; i < op->regs[0]->nargs; i++)
        map_put(q->arena, &now.memo, op->regs[0]->args[i], map_get(&now.memo, op->regs[1]->args[i]));
    return read_condition(&now, op_opnd(region_term(op->regs[0]), 0), false);
}

static const Formula *domain_of_region(Env *e, Region *r) {
    Query *q = e->q;
    Op *op = r->owner;
    const Formula *f = formula_bool(q, true);
    switch (op->code) {
    case OP_IF: return read_condition(e, op_opnd(op, 0), r == op->regs[0]);
    case OP_FOR: return domain_of_for(e, op);
    case OP_WHILE:
        if (r == op->regs[0]) return f;
        f = domain_of_while(e, op);
        if (env_role(e, r) == ROLE_INNER && env_step(e, op) == STEP_LAST) f = formula_and(q, f, left_while(e, op));
        return f;
    case OP_PARALLEL:
        for (int i = 0; i < r->nargs; i++)
            f = formula_and(q, f, between(q, read_value(e, r->args[i]), read_value(e, op_opnd(op, i))));
        return f;
    case OP_ISLAND: case OP_SPAWN: return f;
    default: return formula_unknown(q); /* the regions of reductions, which may have no turn */
    }
}

const Formula *read_way(Env *e, const Op *from, const Op *to) {
    const Formula *f = formula_bool(e->q, true);
    for (Region *r = to->parent; r && r->owner; r = r->owner->parent) {
        f = formula_and(e->q, f, domain_of_region(e, r));
        if (r->owner == from) break;
    }
    return f;
}

static const Formula *passed_over(Env *e, const Step *s) {
    Query *q = e->q;
    if (s->kind == STEP_ZERO) return never_entered(e, s->op);
    if (s->kind == STEP_THEN || s->kind == STEP_ELSE) return read_condition(e, op_opnd(s->op, 0), s->kind == STEP_THEN);
    return formula_bool(q, true);
}

const Formula *read_domain(Env *e) {
    Query *q = e->q;
    const Formula *f = formula_bool(q, true);
    for (Region *r = e->at.op->parent; r; r = r->owner->parent) {
        f = formula_and(q, f, domain_of_region(e, r));
        if (r->owner == e->at.loop) break;
    }
    for (const Step *s = e->at.steps; s; s = s->outer) f = formula_and(q, f, passed_over(e, s));
    return f;
}

/* There is memory enough, as far as sizes are those of programs. */
static bool is_of_memory(const Op *check) { return op_sym(check, A_CODE) && !strcmp(op_sym(check, A_CODE), "E0603"); }

/* Checks that have stopped the program unless they hold */
static const Formula *checked_before(Env *e, Op *op) {
    const Formula *f = formula_bool(e->q, true);
    int n = 0;
    for (; op && n < MAX_CHECKS; op = op->prev)
        if (op->code == OP_CHECK && !is_of_memory(op) && ++n)
            f = formula_and(e->q, f, read_condition(e, op_opnd(op, 0), true));
    bool more = false;
    for (; op && !more; op = op->prev) more = op->code == OP_CHECK && !is_of_memory(op);
    return more ? formula_and(e->q, f, formula_unknown(e->q)) : f;
}

const Formula *read_outer(Env *e) {
    Query *q = e->q;
    const Formula *f = formula_bool(q, true);
    for (Op *op = e->at.loop; op; op = op->parent->owner) {
        f = formula_and(q, f, checked_before(e, op->prev));
        if (op->parent->owner) f = formula_and(q, f, domain_of_region(e, op->parent));
    }
    return f;
}

const Formula *read_same_element(Query *q) {
    const Formula *f = formula_bool(q, true);
    Value *buf;
    int x, y;
    access_parts(q->env[0].at.op, &buf, &x);
    access_parts(q->env[1].at.op, &buf, &y);
    int xs = op_index_end(q->env[0].at.op), ys = op_index_end(q->env[1].at.op);
    for (; x < xs && y < ys; x++, y++)
        f = formula_and(q, f, formula_eq(q, poly_sub(q->ps, read_value(&q->env[0], op_opnd(q->env[0].at.op, x)),
                                                     read_value(&q->env[1], op_opnd(q->env[1].at.op, y)))));
    return f;
}

const Formula *read_inside(Env *e) {
    Query *q = e->q;
    const Formula *f = formula_bool(q, true);
    Value *buf;
    int first;
    access_parts(e->at.op, &buf, &first);
    for (int k = 0; k < buf->type->rank; k++)
        f = formula_and(q, f,
                        between(q, read_value(e, op_opnd(e->at.op, first + k)), read_size(e, buf->type->dims[k])));
    return f;
}

/* ---- the two instances */

static void read_self(Env *e) {
    Query *q = e->q;
    Op *op = e->at.loop;
    if (op->code == OP_FOR) {
        e->dim[0] = new_counter(e, op->regs[0]->args[0], 0, e->inst);
        e->iv[0] = poly_add(q->ps, read_value(e, op_opnd(op, 0)),
                            poly_mul(q->ps, read_value(e, op_opnd(op, 2)), poly_atom(q->ps, e->dim[0])));
        e->ndim = 1;
        if (!e->iv[0]) e->iv[0] = poly_atom(q->ps, e->dim[0]), q->atoms.data[e->dim[0]].unsure = true;
        return;
    }
    if (op->code != OP_PARALLEL) return; /* spawn: no indices */
    e->ndim = op->nopnds;
    for (int i = 0; i < e->ndim; i++) e->iv[i] = read_thread(e, op, i, e->inst, &e->dim[i]);
}

/* The atoms for block*blockdim + thread that grow with the block */
static void read_combined(Env *e) {
    Op *threads = NULL, *loop = e->at.loop;
    for (int i = 0; i < MAX_RANK; i++) e->combined[i] = -1;
    if (loop->code != OP_PARALLEL) return;
    for (Region *r = e->at.op->parent; r && r->owner != loop; r = r->owner->parent)
        if (r->owner->code == OP_PARALLEL) threads = r->owner;
    for (int i = 0, axis; threads && i < threads->nopnds; i++) {
        if (blocks_of(threads, i, &axis) != loop) continue;
        int atom;
        const Poly *t = read_thread(e, threads, i, e->inst, &atom);
        if (t != poly_atom(e->q->ps, atom)) e->combined[axis] = atom, e->threads = threads;
    }
}

static void mark_extents(Query *q, const Op *loop) {
    for (; loop; loop = loop->parent->owner)
        for (int i = 0; loop->code == OP_PARALLEL && i < loop->nopnds; i++) {
            const Poly *p = read_value(&q->env[0], op_opnd(loop, i));
            if (p->n == 1 && p->t[0].coef == 1 && poly_mono(q->ps, p->t[0].mono)->n == 1)
                q->atoms.data[poly_mono(q->ps, p->t[0].mono)->atom[0]].extent = op_loop(loop) == LOOP_THREAD ? 2 : 1;
        }
}

Query *query_new(Depend *d, const Pair *p) {
    Arena *arena = d->scratch;
    arena_clear(arena);
    Query *q = NEW(arena, Query);
    ranges_forget(d->ranges);
    *q = (Query){.d = d, .arena = arena, .ps = polys_new(arena, POLY_DEGREE, POLY_TERMS), .pair = p};
    for (int i = 0; i < 2; i++) q->env[i] = (Env){.q = q, .inst = i + 1, .at = i ? p->b : p->a};
    for (int i = 0; i < 2; i++) read_self(&q->env[i]);
    for (int i = 0; i < 2; i++) read_combined(&q->env[i]);
    mark_extents(q, p->a.op->parent->owner);
    return q;
}
