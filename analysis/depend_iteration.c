/* Where an instance stands in the loops around it: counters of loops, indices of threads, values that are carried.
 *
 * With i = block*blockdim + thread as a kernel's index, thread is read as i - block*blockdim: the product then cancels
 * wherever i itself is used, whatever blockdim is, and different threads have different i. */
#include "analysis/depend_private.h"
#include "analysis/uniform.h"

/* ---- where a loop stands */

bool env_outside(const Env *e, const Region *r) {
    for (; r; r = r->owner ? r->owner->parent : NULL)
        if (r->owner == e->at.loop) return false;
    return true;
}

static bool is_common(const Env *e, const Region *r) {
    const Region *c = e->q->pair->common;
    return c && region_encloses(r, c);
}

StepKind env_step(const Env *e, const Op *loop) {
    for (const Step *s = e->at.steps; s; s = s->outer)
        if (s->op == loop) return s->kind;
    return STEP_ANY;
}

Role env_role(const Env *e, const Region *r) {
    const Op *op = r->owner;
    if (op == e->at.loop) return ROLE_SELF;
    if (!op || env_outside(e, r)) return ROLE_OUTER;
    if (op == e->q->pair->succ)
        return e->inst == 2 ? ROLE_NEXT : env_step(e, op) == STEP_FIRST ? ROLE_INNER : ROLE_EQUAL;
    for (int i = 0; i < op->nregs; i++)
        if (is_common(e, op->regs[i])) return ROLE_EQUAL;
    return ROLE_INNER;
}

static bool is_uniform(Env *e, const Value *v) {
    Depend *d = e->q->d;
    Uniform *u = map_get(&d->uniform, e->at.loop);
    if (!u) {
        u = NEW(d->arena, Uniform);
        *u = uniform_new(d->arena, e->at.loop);
        map_put(d->arena, &d->uniform, e->at.loop, u);
    }
    return !value_varies(u, v);
}

/* The unknown that v is, between the bounds that it has where the instance runs */
static const Poly *read_bounded(Env *e, AtomKind kind, Value *v, int what, int inst) {
    Query *q = e->q;
    int atom = query_value(q, kind, v, what, inst);
    if (v->type->kind == TY_SCALAR && v->type->dtype == DT_I64) {
        IntRange r = range_of(q->d->ranges, v, e->at.op);
        if (r.lo > INT64_MIN) atom_at_least(q, atom, r.lo);
        if (r.hi < INT64_MAX) atom_at_most(q, atom, r.hi);
    }
    return poly_atom(q->ps, atom);
}

const Poly *read_unknown(Env *e, Value *v) {
    const Region *r = value_region(v);
    if (env_outside(e, r)) return read_bounded(e, ATOM_PARAM, v, 0, 0);
    bool thread = e->at.loop->code == OP_PARALLEL && e->q->env[0].at.loop == e->q->env[1].at.loop;
    /* an `if` around `common` is no repetition: uniform values in it are the same too */
    bool same = thread && is_common(e, r) && is_uniform(e, v);
    return read_bounded(e, ATOM_DATA, v, 0, same ? 0 : e->inst);
}

/* ---- loop counters */

const Poly *next_turn(Env *e, const Poly *p, Value *step) { return poly_add(e->q->ps, p, read_value(e, step)); }

/* How many turns b is behind a */
static const Poly *turns_behind(Query *q) {
    int64_t key[] = {-5};
    if (!q->pair->later) return poly_const(q->ps, 1);
    int k = query_atom(q, ATOM_IV, 1, key);
    atom_at_least(q, k, 1);
    return poly_atom(q->ps, k);
}

/* lo + step*k */
static const Poly *read_counter(Env *e, Op *op, Role role) {
    Query *q = e->q;
    Value *iv = op->regs[0]->args[0];
    if (q->d->wraps && !range_counts(q->d->ranges, op, e->at.op)) return read_unknown(e, iv);
    const Poly *lo = read_value(e, op_opnd(op, 0)), *step = read_value(e, op_opnd(op, 2));
    if (role == ROLE_NEXT) return poly_add(q->ps, read_value(&q->env[0], iv), poly_mul(q->ps, turns_behind(q), step));
    if (role == ROLE_INNER && env_step(e, op) == STEP_FIRST) return lo;
    if (role == ROLE_EQUAL && op == q->pair->fixed.loop)
        return poly_add(q->ps, lo, poly_scale(q->ps, step, q->pair->fixed.turn));
    int k = query_value(q, ATOM_IV, iv, 0, role == ROLE_EQUAL || role == ROLE_OUTER ? 0 : e->inst);
    atom_at_least(q, k, 0);
    return poly_add(q->ps, lo, poly_mul(q->ps, step, poly_atom(q->ps, k)));
}

/* What is added to carried value v in each turn, when that is the same in all of them; NULL: it changes otherwise */
static const Poly *read_stride(Env *e, const Value *v, const Region *body, int at) {
    bool down;
    Value *by = carried_stride(v, body, at, &down);
    const Poly *p = by ? read_value(e, by) : NULL;
    return p && down ? poly_scale(e->q->ps, p, -1) : p;
}

/* A while that goes on as long as a value that grows is below a bound that does not change, or the other way round: in
 * each of the turns before one that it takes it went on, too. */
static bool while_counts(Env *e, const Op *op) {
    const Op *c = op_opnd(region_term(op->regs[0]), 0)->def;
    for (int i = 0; c && (c->code == OP_LT || c->code == OP_LE || c->code == OP_GT || c->code == OP_GE) && i < 2; i++) {
        const Value *v = op_opnd(c, i), *bound = op_opnd(c, 1 - i);
        if (v->def || v->region != op->regs[0] || !value_is_invariant(bound, op->regs[0])) continue;
        bool up = (c->code == OP_LT || c->code == OP_LE) == (i == 0);
        const Poly *stride = read_stride(e, op->regs[1]->args[v->index], op->regs[1], v->index);
        return poly_is_natural(e->q, up ? stride : poly_scale(e->q->ps, stride, -1));
    }
    return false;
}

/* How often a loop has turned: of a for the unknown behind its index */
static int turns_atom(Env *e, Op *op, int inst) {
    Region *body = op->regs[op->nregs - 1];
    int k = query_value(e->q, ATOM_IV, body->args[0], op->code == OP_FOR ? 0 : 2, inst);
    atom_at_least(e->q, k, 0);
    e->q->atoms.data[k].unsure = op->code == OP_WHILE && !while_counts(e, op); /* it may have ended before */
    return k;
}

/* first + stride*turns */
static const Poly *read_progression(Env *e, Value *v, Op *op, Role role, int at, int skip) {
    Polys *ps = e->q->ps;
    if (role == ROLE_NEXT || (role == ROLE_EQUAL && op == e->q->pair->fixed.loop)) return NULL;
    const Poly *stride = read_stride(e, v, op->regs[op->nregs - 1], at);
    if (!stride || (e->q->d->wraps && !range_steps(e->q->d->ranges, v, e->at.op))) return NULL;
    int inst = role == ROLE_EQUAL || role == ROLE_OUTER ? 0 : e->inst;
    return poly_add(ps, read_value(e, op_opnd(op, at + skip)),
                    poly_mul(ps, stride, poly_atom(ps, turns_atom(e, op, inst))));
}

/* Some turns more than the other instance */
static const Poly *read_next(Env *e, Value *v, Op *op, int at, int skip) {
    Polys *ps = e->q->ps;
    const Poly *stride = read_stride(e, v, op->regs[op->nregs - 1], at), *turns = turns_behind(e->q);
    if (env_step(&e->q->env[0], op) != STEP_FIRST) turns = poly_add(ps, turns, poly_atom(ps, turns_atom(e, op, 0)));
    return poly_add(ps, read_value(e, op_opnd(op, at + skip)), poly_mul(ps, stride, turns));
}

/* v, which each turn multiplies: it does not fall; and when another value w is divided by as much, v*w does not grow.
 */
static void note_growth(Env *e, Value *v, Op *op, int at, const Poly *p) {
    Query *q = e->q;
    bool is_for = op->code == OP_FOR, down, other;
    Region *body = op->regs[op->nregs - 1];
    int64_t by = carried_factor(v, op, at, &down);
    IntRange first = by && !down ? range_of(q->d->ranges, op_opnd(op, at + (is_for ? 3 : 0)), e->at.op)
                                 : (IntRange){-1, -1};
    bool exact = !q->d->wraps || range_of(q->d->ranges, v, e->at.op).hi < INT64_MAX;
    if (first.lo < 0 || !exact || v->region != body) return;
    int atom = poly_mono(q->ps, p->t[0].mono)->atom[0];
    atom_at_least(q, atom, first.lo);
    for (int i = is_for; i < body->nargs; i++) {
        Value *w = body->args[i], *w_first = op_opnd(op, i - is_for + (is_for ? 3 : 0));
        if (w == v || carried_factor(w, op, i - is_for, &other) != by || !other ||
            range_of(q->d->ranges, w_first, e->at.op).lo < 0)
            continue;
        const Poly *most = poly_mul(q->ps, read_value(e, op_opnd(op, at + (is_for ? 3 : 0))), read_value(e, w_first));
        const Poly *now = poly_mul(q->ps, p, read_value(e, w));
        if (most && now) query_fact(q, atom, formula_ge(q, poly_sub(q->ps, most, now)));
    }
}

static const Poly *read_carried(Env *e, Value *v, Op *op, Role role) {
    bool is_for = op->code == OP_FOR;
    int at = v->index - is_for, skip = is_for ? 3 : 0;
    Region *body = op->regs[op->nregs - 1];
    if (role == ROLE_INNER && env_step(e, op) == STEP_FIRST) return read_value(e, op_opnd(op, at + skip));
    const Poly *p = read_progression(e, v, op, role, at, skip);
    if (p) return p;
    if (role == ROLE_NEXT && read_stride(e, v, body, at))
        return read_next(e, v, op, at, skip);
    if (role == ROLE_NEXT && !e->q->pair->later && e->at.loop->code == OP_PARALLEL && is_uniform(e, v))
        return read_value(&e->q->env[0], op_opnd(region_term(body), at));
    if (role == ROLE_NEXT) return read_bounded(e, ATOM_DATA, v, 1, e->inst);
    if (role == ROLE_OUTER) return read_unknown(e, v);
    bool same = role == ROLE_EQUAL && e->at.loop->code == OP_PARALLEL && is_uniform(e, v);
    p = read_bounded(e, ATOM_DATA, v, 0, same ? 0 : e->inst);
    note_growth(e, v, op, at, p);
    return p;
}

Op *blocks_of(const Op *threads, int i, int *axis) {
    if (op_loop(threads) != LOOP_THREAD) return NULL;
    Op *op = threads->parent->owner;
    while (op && op->code == OP_IF) op = op->parent->owner;
    if (!op || op_loop(op) != LOOP_BLOCK) return NULL;
    *axis = i - threads->nopnds + op->nopnds;
    return *axis >= 0 ? op : NULL;
}

/* Does the program multiply block index by number of threads? */
static bool combines(Env *e, const Value *block, Value *extent) {
    for (const Use *u = block->uses; u; u = u->next) {
        if (u->user->code != OP_MUL) continue;
        Value *other = op_opnd(u->user, 1 - u->index);
        if (other == extent || read_value(e, other) == read_value(e, extent)) return true;
    }
    return false;
}

int new_counter(Env *e, Value *iv, int what, int inst) {
    int k = query_value(e->q, ATOM_IV, iv, what, inst);
    atom_at_least(e->q, k, 0);
    return k;
}

/* thread = (block*blockdim + thread) - block*blockdim */
const Poly *read_thread(Env *e, Op *op, int i, int inst, int *atom) {
    Query *q = e->q;
    int axis;
    Op *blocks = blocks_of(op, i, &axis);
    if (!blocks || !combines(e, blocks->regs[0]->args[axis], op_opnd(op, i))) {
        *atom = new_counter(e, op->regs[0]->args[i], 0, inst);
        return poly_atom(q->ps, *atom);
    }
    *atom = new_counter(e, op->regs[0]->args[i], 1, inst);
    const Poly *base = poly_mul(q->ps, read_value(e, blocks->regs[0]->args[axis]), read_value(e, op_opnd(op, i)));
    if (!base) return poly_atom(q->ps, *atom = new_counter(e, op->regs[0]->args[i], 0, inst));
    return poly_sub(q->ps, poly_atom(q->ps, *atom), base);
}

static const Poly *read_parallel_iv(Env *e, Value *v, Op *op, Role role) {
    int atom;
    if (role == ROLE_SELF && e->iv[v->index]) return e->iv[v->index];
    return read_thread(e, op, v->index, role == ROLE_OUTER || role == ROLE_EQUAL ? 0 : e->inst, &atom);
}

const Poly *read_arg(Env *e, Value *v) {
    Op *op = v->region->owner;
    if (!op) return read_unknown(e, v);
    Role role = env_role(e, v->region);
    switch (op->code) {
    case OP_PARALLEL: return read_parallel_iv(e, v, op, role);
    case OP_FOR:
        if (v->index) return role == ROLE_SELF ? read_unknown(e, v) : read_carried(e, v, op, role);
        return role == ROLE_SELF ? e->iv[0] : read_counter(e, op, role);
    case OP_WHILE:
        return v->region == op->regs[0] ? read_value(e, op->regs[1]->args[v->index]) : read_carried(e, v, op, role);
    default: return read_unknown(e, v);
    }
}
