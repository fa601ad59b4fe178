/* Values of an instance as polynomials over unknowns, its guards as formulas.
 *
 * What cannot be computed with becomes an unknown of its own, numbered by operation and operands, so that the same
 * computation on the same operands is the same unknown in both instances: uniform values need no special case.
 * With i = block*blockdim + thread as a kernel's index, thread is read as i - block*blockdim: the product then cancels
 * wherever i itself is used, whatever blockdim is, and different threads have different i. */
#include "ir/depend_private.h"
#include "ir/uniform.h"

#include <string.h>

enum { MAX_DEPTH = 150, MAX_CHECKS = 16 };

/* ---- formulas */

static const Formula *formula_new(Query *q, FormulaKind k, const IPoly *p, const Formula *a, const Formula *b) {
    Formula *f = NEW(q->arena, Formula);
    *f = (Formula){k, p, a, b};
    return f;
}

static const Formula *formula_bool(Query *q, bool b) { return formula_new(q, b ? F_TRUE : F_FALSE, NULL, NULL, NULL); }

const Formula *formula_and(Query *q, const Formula *a, const Formula *b) {
    if (a->kind == F_TRUE || b->kind == F_FALSE) return b;
    if (b->kind == F_TRUE || a->kind == F_FALSE) return a;
    return formula_new(q, F_AND, NULL, a, b);
}

const Formula *formula_or(Query *q, const Formula *a, const Formula *b) {
    if (a->kind == F_FALSE || b->kind == F_TRUE) return b;
    if (b->kind == F_FALSE || a->kind == F_TRUE) return a;
    return formula_new(q, F_OR, NULL, a, b);
}

const Formula *formula_ge(Query *q, const IPoly *p) {
    int64_t c;
    if (!p) return formula_bool(q, true);
    if (poly_is_const(p, &c)) return formula_bool(q, c >= 0);
    return formula_new(q, F_GE, p, NULL, NULL);
}

const Formula *formula_eq(Query *q, const IPoly *p) {
    int64_t c;
    if (!p) return formula_bool(q, true);
    if (poly_is_const(p, &c)) return formula_bool(q, c == 0);
    return formula_new(q, F_EQ, p, NULL, NULL);
}

static const Formula *formula_lt(Query *q, const IPoly *x, const IPoly *y) {
    return formula_ge(q, poly_sub(q->ps, poly_sub(q->ps, y, x), poly_const(q->ps, 1)));
}

static const Formula *formula_ne(Query *q, const IPoly *x, const IPoly *y) {
    return formula_or(q, formula_lt(q, x, y), formula_lt(q, y, x));
}

const Formula *formula_true(Query *q) { return formula_bool(q, true); }

static void add_fact(Query *q, int defines, const Formula *f) {
    if (f->kind != F_TRUE) vec_push(q->arena, &q->facts, ((Fact){f, defines}));
}

/* ---- unknowns */

int query_atom(Query *q, AtomKind kind, int n, const int64_t *key) {
    int k = poly_cons(q->ps, n, key);
    while (q->by_key.len <= k) vec_push(q->arena, &q->by_key, 0);
    if (q->by_key.data[k]) return q->by_key.data[k] - 1;
    Atom a = {.kind = kind, .twin = -1};
    vec_push(q->arena, &q->atoms, a);
    return (q->by_key.data[k] = q->atoms.len) - 1;
}

enum { KEY_VALUE = 1000000, KEY_SYM, KEY_FLOOR, KEY_POWER };

static void set_lo(Query *q, int atom, int64_t lo) {
    Atom *a = &q->atoms.data[atom];
    a->lo = a->has_lo && a->lo > lo ? a->lo : lo;
    a->has_lo = true;
}

static void set_hi(Query *q, int atom, int64_t hi) {
    Atom *a = &q->atoms.data[atom];
    a->hi = a->has_hi && a->hi < hi ? a->hi : hi;
    a->has_hi = true;
}

/* What the type alone says */
static void bound_by_type(Query *q, int atom, DType t) {
    const DTypeInfo *i = dtype_info(t);
    if (i->kind == DK_BOOL) set_lo(q, atom, 0), set_hi(q, atom, 1);
    if (i->kind == DK_UINT && i->bytes < 8) set_lo(q, atom, 0), set_hi(q, atom, ((int64_t)1 << (8 * i->bytes)) - 1);
    if (i->kind == DK_INT && i->bytes < 8) {
        set_lo(q, atom, -((int64_t)1 << (8 * i->bytes - 1)));
        set_hi(q, atom, ((int64_t)1 << (8 * i->bytes - 1)) - 1);
    }
}

/* The unknown that v is in instance inst, `what` telling apart several of one value. */
static int value_atom(Query *q, AtomKind kind, const Value *v, int what, int inst) {
    int64_t key[] = {KEY_VALUE, (intptr_t)v, what, inst}, other[] = {KEY_VALUE, (intptr_t)v, what, 3 - inst};
    int a = query_atom(q, kind, 4, key);
    q->atoms.data[a].value = v;
    q->atoms.data[a].inst = inst;
    bound_by_type(q, a, v->type->dtype);
    if (inst) {
        int b = query_atom(q, kind, 4, other);
        q->atoms.data[b].value = v;
        q->atoms.data[b].inst = 3 - inst;
        bound_by_type(q, b, v->type->dtype);
        q->atoms.data[a].twin = b;
        q->atoms.data[b].twin = a;
    }
    return a;
}

/* ---- where a loop stands */

typedef enum { ROLE_OUTER, ROLE_SELF, ROLE_EQUAL, ROLE_NEXT, ROLE_INNER } Role;

static bool outside(const Env *e, const Region *r) {
    for (; r; r = r->owner ? r->owner->parent : NULL)
        if (r->owner == e->at.loop) return false;
    return true;
}

static bool is_common(const Env *e, const Region *r) {
    const Region *c = e->q->pair->common;
    return c && region_encloses(r, c);
}

static StepKind step_of(const Env *e, const Op *loop) {
    for (const Step *s = e->at.steps; s; s = s->outer)
        if (s->op == loop) return s->kind;
    return STEP_ANY;
}

static Role role_of(const Env *e, const Region *r) {
    const Op *op = r->owner;
    if (op == e->at.loop) return ROLE_SELF;
    if (!op || outside(e, r)) return ROLE_OUTER;
    if (op == e->q->pair->succ) return e->inst == 2 ? ROLE_NEXT : step_of(e, op) == STEP_FIRST ? ROLE_INNER : ROLE_EQUAL;
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

/* Nothing is known of v but whether it is the same for both instances. */
static const IPoly *unknown(Env *e, Value *v) {
    Query *q = e->q;
    const Region *r = value_region(v);
    if (outside(e, r)) return poly_atom(q->ps, value_atom(q, ATOM_PARAM, v, 0, 0));
    bool thread = e->at.loop->code == OP_PARALLEL && q->env[0].at.loop == q->env[1].at.loop;
    /* an `if` around `common` is no repetition: uniform values in it are the same too */
    bool same = thread && is_common(e, r) && is_uniform(e, v);
    return poly_atom(q->ps, value_atom(q, ATOM_DATA, v, 0, same ? 0 : e->inst));
}

/* ---- loop counters */

static const IPoly *one_more(Env *e, const IPoly *p, Value *step) { return poly_add(e->q->ps, p, read_value(e, step)); }

/* How many turns b is behind a */
static const IPoly *turns_behind(Query *q) {
    int64_t key[] = {-5};
    if (!q->pair->later) return poly_const(q->ps, 1);
    int k = query_atom(q, ATOM_IV, 1, key);
    set_lo(q, k, 1);
    return poly_atom(q->ps, k);
}

/* lo + step*k */
static const IPoly *read_counter(Env *e, Op *op, Role role) {
    Query *q = e->q;
    Value *iv = op->regs[0]->args[0];
    if (q->d->wraps && !range_counts(q->d->ranges, op, e->at.op)) return unknown(e, iv);
    const IPoly *lo = read_value(e, op_opnd(op, 0)), *step = read_value(e, op_opnd(op, 2));
    if (role == ROLE_NEXT) return poly_add(q->ps, read_value(&q->env[0], iv), poly_mul(q->ps, turns_behind(q), step));
    if (role == ROLE_INNER && step_of(e, op) == STEP_FIRST) return lo;
    if (role == ROLE_EQUAL && op == q->pair->fixed.loop)
        return poly_add(q->ps, lo, poly_scale(q->ps, step, q->pair->fixed.turn));
    int k = value_atom(q, ATOM_IV, iv, 0, role == ROLE_EQUAL || role == ROLE_OUTER ? 0 : e->inst);
    set_lo(q, k, 0);
    return poly_add(q->ps, lo, poly_mul(q->ps, step, poly_atom(q->ps, k)));
}

/* What is added to carried value v in each turn, when that is the same in all of them; NULL: it changes otherwise */
static const IPoly *read_stride(Env *e, const Value *v, const Region *body, int at) {
    bool down;
    Value *by = carried_stride(v, body, at, &down);
    const IPoly *p = by ? read_value(e, by) : NULL;
    return p && down ? poly_scale(e->q->ps, p, -1) : p;
}

/* How often a loop has turned: of a for the unknown behind its index */
static int turns_atom(Env *e, Op *op, int inst) {
    Region *body = op->regs[op->nregs - 1];
    int k = value_atom(e->q, ATOM_IV, body->args[0], op->code == OP_FOR ? 0 : 2, inst);
    set_lo(e->q, k, 0);
    return k;
}

/* first + stride*turns */
static const IPoly *read_progression(Env *e, Value *v, Op *op, Role role, int at, int skip) {
    Polys *ps = e->q->ps;
    if (role == ROLE_NEXT || (role == ROLE_EQUAL && op == e->q->pair->fixed.loop)) return NULL;
    const IPoly *stride = read_stride(e, v, op->regs[op->nregs - 1], at);
    if (!stride || (e->q->d->wraps && !range_steps(e->q->d->ranges, v, e->at.op))) return NULL;
    int inst = role == ROLE_EQUAL || role == ROLE_OUTER ? 0 : e->inst;
    return poly_add(ps, read_value(e, op_opnd(op, at + skip)), poly_mul(ps, stride, poly_atom(ps, turns_atom(e, op, inst))));
}

/* Some turns more than the other instance */
static const IPoly *read_next(Env *e, Value *v, Op *op, int at, int skip) {
    Polys *ps = e->q->ps;
    const IPoly *stride = read_stride(e, v, op->regs[op->nregs - 1], at), *turns = turns_behind(e->q);
    if (step_of(&e->q->env[0], op) != STEP_FIRST) turns = poly_add(ps, turns, poly_atom(ps, turns_atom(e, op, 0)));
    return poly_add(ps, read_value(e, op_opnd(op, at + skip)), poly_mul(ps, stride, turns));
}

static const IPoly *read_carried(Env *e, Value *v, Op *op, Role role) {
    bool is_for = op->code == OP_FOR;
    int at = v->index - is_for, skip = is_for ? 3 : 0;
    Region *body = op->regs[op->nregs - 1];
    if (role == ROLE_INNER && step_of(e, op) == STEP_FIRST) return read_value(e, op_opnd(op, at + skip));
    const IPoly *p = read_progression(e, v, op, role, at, skip);
    if (p) return p;
    if (role == ROLE_NEXT && read_stride(e, v, body, at))
        return read_next(e, v, op, at, skip);
    if (role == ROLE_NEXT && !e->q->pair->later && e->at.loop->code == OP_PARALLEL && is_uniform(e, v))
        return read_value(&e->q->env[0], op_opnd(region_term(body), at));
    if (role == ROLE_NEXT) return poly_atom(e->q->ps, value_atom(e->q, ATOM_DATA, v, 1, e->inst));
    if (role == ROLE_EQUAL && e->at.loop->code == OP_PARALLEL && is_uniform(e, v))
        return poly_atom(e->q->ps, value_atom(e->q, ATOM_DATA, v, 0, 0));
    if (role == ROLE_OUTER) return unknown(e, v);
    return poly_atom(e->q->ps, value_atom(e->q, ATOM_DATA, v, 0, e->inst));
}

/* The parallel over blocks right around a parallel over threads; *axis: its axis that goes with axis i. */
static Op *blocks_of(const Op *threads, int i, int *axis) {
    const char *kind = op_sym(threads, A_KIND);
    if (!kind || strcmp(kind, "thread")) return NULL;
    Op *op = threads->parent->owner;
    while (op && op->code == OP_IF) op = op->parent->owner;
    if (!op || op->code != OP_PARALLEL || !op_sym(op, A_KIND) || strcmp(op_sym(op, A_KIND), "block")) return NULL;
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

static int new_counter(Env *e, Value *iv, int what, int inst) {
    int k = value_atom(e->q, ATOM_IV, iv, what, inst);
    set_lo(e->q, k, 0);
    return k;
}

/* thread = (block*blockdim + thread) - block*blockdim */
static const IPoly *read_thread(Env *e, Op *op, int i, int inst, int *atom) {
    Query *q = e->q;
    int axis;
    Op *blocks = blocks_of(op, i, &axis);
    if (!blocks || !combines(e, blocks->regs[0]->args[axis], op_opnd(op, i))) {
        *atom = new_counter(e, op->regs[0]->args[i], 0, inst);
        return poly_atom(q->ps, *atom);
    }
    *atom = new_counter(e, op->regs[0]->args[i], 1, inst);
    const IPoly *base = poly_mul(q->ps, read_value(e, blocks->regs[0]->args[axis]), read_value(e, op_opnd(op, i)));
    if (!base) return poly_atom(q->ps, *atom = new_counter(e, op->regs[0]->args[i], 0, inst));
    return poly_sub(q->ps, poly_atom(q->ps, *atom), base);
}

static const IPoly *read_parallel_iv(Env *e, Value *v, Op *op, Role role) {
    int atom;
    if (role == ROLE_SELF && e->iv[v->index]) return e->iv[v->index];
    return read_thread(e, op, v->index, role == ROLE_OUTER || role == ROLE_EQUAL ? 0 : e->inst, &atom);
}

static const IPoly *read_arg(Env *e, Value *v) {
    Op *op = v->region->owner;
    if (!op) return unknown(e, v);
    Role role = role_of(e, v->region);
    switch (op->code) {
    case OP_PARALLEL: return read_parallel_iv(e, v, op, role);
    case OP_FOR:
        if (v->index) return role == ROLE_SELF ? unknown(e, v) : read_carried(e, v, op, role);
        return role == ROLE_SELF ? e->iv[0] : read_counter(e, op, role);
    case OP_WHILE: return v->region == op->regs[0] ? read_value(e, op->regs[1]->args[v->index]) : read_carried(e, v, op, role);
    default: return unknown(e, v);
    }
}

/* ---- sizes */

static const IPoly *read_symbol(Env *e, const char *sym) {
    Query *q = e->q;
    const IPoly *p = map_get(&q->size_memo, sym);
    if (p) return p;
    Op *bind = map_get(&q->d->bound, sym);
    if (bind && !outside(e, bind->parent)) return read_value(e, op_opnd(bind, 0));
    if (bind) p = read_value(e, op_opnd(bind, 0));
    else {
        int64_t key[] = {KEY_SYM, (intptr_t)sym};
        int a = query_atom(q, ATOM_SIZE, 2, key);
        q->atoms.data[a].sym = sym;
        set_lo(q, a, 0);
        p = poly_atom(q->ps, a);
    }
    map_put(q->arena, &q->size_memo, sym, (void *)p);
    if (bind && op_dominates(bind, q->pair->a.loop)) add_fact(q, -1, formula_ge(q, p));
    return p;
}

/* x // y with 0 <= x - y*(x//y) < y (y > 0), or y < x - y*(x//y) <= 0, or y = 0: then the division does not run */
static const IPoly *read_floor(Query *q, const IPoly *x, const IPoly *y, int inst) {
    int64_t a, b, key[] = {KEY_FLOOR, x ? x->id : 0, y ? y->id : 0};
    if (!x || !y) return NULL;
    if (poly_is_const(x, &a) && poly_is_const(y, &b) && b) {
        int64_t d = a / b;
        return poly_const(q->ps, a % b && (a < 0) != (b < 0) ? d - 1 : d);
    }
    int before = q->atoms.len, atom = query_atom(q, ATOM_DERIVED, 3, key);
    const IPoly *v = poly_atom(q->ps, atom);
    if (atom < before) return v;
    q->atoms.data[atom].inst = inst;
    const IPoly *rest = poly_sub(q->ps, x, poly_mul(q->ps, y, v)), *one = poly_const(q->ps, 1), *zero = poly_const(q->ps, 0);
    const Formula *up = formula_and(q, formula_ge(q, rest), formula_lt(q, rest, y));
    const Formula *down = formula_and(q, formula_ge(q, poly_sub(q->ps, zero, rest)), formula_lt(q, y, rest));
    up = formula_and(q, up, formula_ge(q, poly_sub(q->ps, y, one)));
    down = formula_and(q, down, formula_lt(q, y, zero));
    add_fact(q, atom, formula_or(q, formula_or(q, up, down), formula_eq(q, y)));
    return v;
}

/* Quotients that one operation computes in the two instances are twins. */
static const IPoly *read_quotient(Env *e, Op *op, const IPoly *x, const IPoly *y) {
    Query *q = e->q;
    const IPoly *p = read_floor(q, x, y, e->inst);
    if (!p || p->n != 1 || poly_mono(q->ps, p->t[0].mono)->n != 1) return p;
    int a = poly_mono(q->ps, p->t[0].mono)->atom[0], b = (int)(intptr_t)map_get(&q->quotients[2 - e->inst], op) - 1;
    map_put(q->arena, &q->quotients[e->inst - 1], op, (void *)(intptr_t)(a + 1));
    if (b >= 0 && a != b) q->atoms.data[a].twin = b, q->atoms.data[b].twin = a;
    return p;
}

/* y is not 0, where a division by it has run before the access. */
static void divisor_known(Env *e, Op *op, const IPoly *y) {
    if (y && (outside(e, op->parent) ? op_dominates(op, e->at.loop) : op_dominates(op, e->at.op)))
        add_fact(e->q, -1, formula_ne(e->q, y, poly_const(e->q->ps, 0)));
}

/* max or min: not below (above) either, and one of them */
static const IPoly *read_extreme(Query *q, const IPoly *x, const IPoly *y, bool max, int inst) {
    int64_t a, key[] = {max ? OP_MAX : OP_MIN, x ? x->id : 0, y ? y->id : 0};
    if (!x || !y) return NULL;
    if (poly_is_const(poly_sub(q->ps, x, y), &a)) return (a > 0) == max ? x : y;
    int before = q->atoms.len, atom = query_atom(q, ATOM_DERIVED, 3, key);
    const IPoly *v = poly_atom(q->ps, atom);
    if (atom < before) return v;
    q->atoms.data[atom].inst = inst;
    const IPoly *dx = max ? poly_sub(q->ps, v, x) : poly_sub(q->ps, x, v), *dy = max ? poly_sub(q->ps, v, y) : poly_sub(q->ps, y, v);
    add_fact(q, atom, formula_or(q, formula_and(q, formula_eq(q, dx), formula_ge(q, dy)), formula_and(q, formula_eq(q, dy), formula_ge(q, dx))));
    return v;
}

const IPoly *read_size(Env *e, const Size *s) {
    Query *q = e->q;
    SizeNode n = size_node(q->d->session, s);
    if (n.op == 'c') return poly_const(q->ps, n.c);
    if (n.op == 's') return read_symbol(e, n.sym);
    const IPoly *x = read_size(e, n.a), *y = read_size(e, n.b);
    switch (n.op) {
    case '+': return poly_add(q->ps, x, y);
    case '*': return poly_mul(q->ps, x, y);
    case '/': return read_floor(q, x, y, 0);
    case '%': return poly_sub(q->ps, x, poly_mul(q->ps, y, read_floor(q, x, y, 0)));
    case 'M': return read_extreme(q, x, y, true, 0);
    default: return read_extreme(q, x, y, false, 0);
    }
}

/* ---- operations */

/* The loop has ended: its counter is in the last turn (yields tell what is left behind), or there was none (the initial values do). */
static bool read_end(Env *e, Op *op, const Formula **none, const Formula **last) {
    const Region *body = op->regs[0];
    if (op->code != OP_FOR || role_of(e, body) != ROLE_INNER || region_encloses(body, e->at.op->parent)) return false;
    const IPoly *x = read_value(e, body->args[0]);
    *none = read_before_end(e, op, read_value(e, op_opnd(op, 0)), false);
    *last = formula_and(e->q, read_before_end(e, op, x, true),
                        read_before_end(e, op, poly_add(e->q->ps, x, read_value(e, op_opnd(op, 2))), false));
    return (*none)->kind != F_TRUE && (*last)->kind != F_TRUE;
}

static bool is_int(const Value *v) { return v->type->kind == TY_SCALAR && v->type->dtype == DT_I64; }

/* Computed with ints alone from the indices of a comprehension and from what lies outside of it */
static bool follows_indices(const Value *v, const Region *body, int depth) {
    const Op *op = v->def;
    if (v->region == body || !region_encloses(body, value_region(v))) return true;
    if (!op || !is_int(v) || op->nregs || depth > MAX_CHECKS) return false;
    switch (op->code) {
    case OP_CONST: case OP_SIZE: case OP_ADD: case OP_SUB: case OP_MUL: case OP_NEG: case OP_IDIV: case OP_MOD: case OP_MIN: case OP_MAX: break;
    default: return false;
    }
    for (int i = 0; i < op->nopnds; i++)
        if (!follows_indices(op_opnd(op, i), body, depth + 1)) return false;
    return true;
}

/* An element of [expression of i for i]: the expression at the index that is read */
static const IPoly *read_element(Env *e, Op *op) {
    Region *body;
    Value *element = op_comprehended(op, &body);
    if (!element || body->nargs != op->nopnds - 1 || !follows_indices(element, body, 0)) return NULL;
    Env there = *e;
    there.memo = (Map){0};
    for (int i = 0; i < body->nargs; i++) {
        const IPoly *p = read_value(e, op_opnd(op, i + 1));
        if (!p) return NULL;
        map_put(e->q->arena, &there.memo, body->args[i], (void *)p);
    }
    return read_value(&there, element);
}

/* An unknown named by what computes it */
static const IPoly *by_operands(Env *e, Value *v) {
    Query *q = e->q;
    Op *op = v->def;
    int64_t key[16];
    int n = 0;
    bool pure = op_info(op->code)->traits & (TR_PURE | TR_ELEM) || op_reads_constant(op);
    if (op->code == OP_CALL) { /* functions on scalars compute the same from the same */
        Func *f = module_find(q->d->func->module, op_sym(op, A_FUNC));
        pure = f && f->kind == FUNC_FN;
    }
    if (!pure || op->nregs || op->nopnds > 10) return unknown(e, v);
    key[n++] = op->code;
    key[n++] = (intptr_t)v->type;
    key[n++] = op->code == OP_CALL ? (intptr_t)op_sym(op, A_FUNC) : 0;
    key[n++] = v->index;
    bool outside_loop = outside(e, value_region(v)), outer = true, one_instance = false;
    for (int i = 0; i < op->nopnds; i++) {
        Value *x = op_opnd(op, i);
        const IPoly *p = x->type->kind == TY_SCALAR ? read_value(e, x) : NULL;
        if (x->type->kind == TY_SCALAR && !p) return unknown(e, v);
        key[n++] = p ? p->id : (intptr_t)x;
        for (int k = 0; p && k < p->n; k++)
            for (int m = 0; m < poly_mono(q->ps, p->t[k].mono)->n; m++) {
                const Atom *a = &q->atoms.data[poly_mono(q->ps, p->t[k].mono)->atom[m]];
                outer &= a->kind == ATOM_SIZE || a->kind == ATOM_PARAM;
                one_instance |= a->inst != 0;
            }
        if (!p) outer = false;
    }
    int before = q->atoms.len, atom = query_atom(q, (outer || outside_loop) && !one_instance ? ATOM_PARAM : ATOM_DATA, n, key);
    if (atom == before) {
        q->atoms.data[atom].value = v;
        q->atoms.data[atom].inst = one_instance ? e->inst : 0;
        bound_by_type(q, atom, v->type->dtype);
    }
    return poly_atom(q->ps, atom);
}

static const IPoly *read_constant(Env *e, Value *v) {
    Const c = op_attr(v->def, A_VALUE)->c;
    if (c.dtype == DT_BOOL || dtype_is_int(c.dtype)) return poly_const(e->q->ps, c.i);
    int64_t key[] = {OP_CONST, c.dtype, 0};
    memcpy(&key[2], &c.f, sizeof c.f);
    if (!dtype_is_float(c.dtype)) return unknown(e, v);
    return poly_atom(e->q->ps, query_atom(e->q, ATOM_PARAM, 3, key));
}

/* One of two, by a condition */
static const IPoly *read_choice(Env *e, Value *v, Value *cond, Value *x, Value *y) {
    Query *q = e->q;
    const IPoly *c = read_value(e, cond), *a = read_value(e, x), *b = read_value(e, y);
    int64_t known;
    if (!c || !a || !b) return unknown(e, v);
    if (poly_is_const(c, &known)) return known ? a : b;
    if (a == b) return a;
    int64_t key[] = {OP_SELECT, c->id, a->id, b->id};
    int before = q->atoms.len, atom = query_atom(q, ATOM_DERIVED, 4, key);
    const IPoly *p = poly_atom(q->ps, atom);
    if (atom < before) return p;
    q->atoms.data[atom].value = v;
    bound_by_type(q, atom, v->type->dtype);
    add_fact(q, atom, formula_or(q, formula_and(q, read_condition(e, cond, true), formula_eq(q, poly_sub(q->ps, p, a))),
                           formula_and(q, read_condition(e, cond, false), formula_eq(q, poly_sub(q->ps, p, b)))));
    return p;
}

/* What a loop leaves behind */
static const IPoly *read_result(Env *e, Value *v, Op *op) {
    Query *q = e->q;
    const Formula *none, *last;
    if (!read_end(e, op, &none, &last)) return unknown(e, v);
    int64_t key[] = {OP_FOR, (intptr_t)v, e->inst};
    int before = q->atoms.len, atom = query_atom(q, ATOM_DERIVED, 3, key);
    const IPoly *p = poly_atom(q->ps, atom);
    if (atom < before) return p;
    q->atoms.data[atom].value = v;
    q->atoms.data[atom].inst = e->inst;
    bound_by_type(q, atom, v->type->dtype);
    const IPoly *init = read_value(e, op_opnd(op, 3 + v->index)), *yield = read_value(e, op_opnd(region_term(op->regs[0]), v->index));
    none = formula_and(q, none, formula_eq(q, poly_sub(q->ps, p, init)));
    add_fact(q, atom, formula_or(q, none, formula_and(q, last, formula_eq(q, poly_sub(q->ps, p, yield)))));
    return p;
}

static const IPoly *read_cast(Env *e, Value *v, Value *x) {
    const DTypeInfo *to = dtype_info(v->type->dtype), *from = dtype_info(x->type->dtype);
    bool whole = from->kind == DK_BOOL || from->kind == DK_INT || from->kind == DK_UINT;
    bool wider = to->kind == DK_INT && (to->bytes > from->bytes || (to->bytes == from->bytes && from->kind == DK_INT));
    return whole && wider ? read_value(e, x) : by_operands(e, v);
}

/* 2^y for y that is not negative; 2^(y+1) is its double. */
static const IPoly *read_power(Query *q, const IPoly *y) {
    int64_t c = y ? poly_constant(y) : -1;
    if (c < 0 || c > 40) return NULL;
    for (int i = 0; i < y->n; i++) {
        const Mono *m = poly_mono(q->ps, y->t[i].mono);
        for (int k = 0; k < m->n; k++)
            if (!q->atoms.data[m->atom[k]].has_lo || q->atoms.data[m->atom[k]].lo < 0 || y->t[i].coef < 0) return NULL;
    }
    const IPoly *rest = poly_sub(q->ps, y, poly_const(q->ps, c));
    int64_t key[] = {KEY_POWER, rest->id};
    if (!rest->n) return poly_const(q->ps, (int64_t)1 << c);
    int atom = query_atom(q, ATOM_DATA, 2, key);
    set_lo(q, atom, 1);
    return poly_scale(q->ps, poly_atom(q->ps, atom), (int64_t)1 << c);
}

static const IPoly *read_int_op(Env *e, Op *op) {
    Query *q = e->q;
    Polys *ps = q->ps;
    const IPoly *x = read_value(e, op_opnd(op, 0)), *y = op->nopnds > 1 ? read_value(e, op_opnd(op, 1)) : NULL;
    int64_t c;
    switch (op->code) {
    case OP_ADD: return poly_add(ps, x, y);
    case OP_SUB: return poly_sub(ps, x, y);
    case OP_MUL: return poly_mul(ps, x, y);
    case OP_NEG: return poly_scale(ps, x, -1);
    case OP_IDIV: divisor_known(e, op, y); return read_quotient(e, op, x, y);
    case OP_MOD:
        divisor_known(e, op, y);
        return poly_sub(ps, x, poly_mul(ps, y, read_quotient(e, op, x, y)));
    case OP_AND: /* x & 2^k - 1 is x modulo 2^k, below 0 too */
        if (!poly_is_const(y, &c) || c < 0 || c >= INT32_MAX || (c & (c + 1))) return NULL;
        y = poly_const(ps, c + 1);
        return poly_sub(ps, x, poly_mul(ps, y, read_quotient(e, op, x, y)));
    case OP_MIN: return read_extreme(q, x, y, false, e->inst);
    case OP_MAX: return read_extreme(q, x, y, true, e->inst);
    case OP_SHL: return poly_mul(ps, x, read_power(q, y));
    case OP_IPOW: return poly_is_const(x, &c) && c == 2 ? read_power(q, y) : NULL;
    case OP_SHR:
        return poly_is_const(y, &c) && c >= 0 && c < 40 ? read_floor(q, x, poly_const(ps, (int64_t)1 << c), e->inst) : NULL;
    default: return NULL;
    }
}

static const IPoly *read_op(Env *e, Value *v, Op *op) {
    switch (op->code) {
    case OP_CONST: return read_constant(e, v);
    case OP_SIZE: return read_size(e, op_attr(op, A_SIZE)->sizes[0]);
    case OP_CAST: return read_cast(e, v, op_opnd(op, 0));
    case OP_SELECT: return read_choice(e, v, op_opnd(op, 0), op_opnd(op, 1), op_opnd(op, 2));
    case OP_IF:
        return read_choice(e, v, op_opnd(op, 0), op_opnd(region_term(op->regs[0]), v->index),
                           op_opnd(region_term(op->regs[1]), v->index));
    case OP_FOR: return read_result(e, v, op);
    default: break;
    }
    const IPoly *p = is_int(v) && (op->code == OP_LOAD || op->code == OP_EXTRACT) ? read_element(e, op) : NULL;
    if (p) return p;
    bool exact = !e->q->d->wraps || range_exact(e->q->d->ranges, op, e->at.op);
    p = is_int(v) && !op->nregs && op->nopnds && exact ? read_int_op(e, op) : NULL;
    return p ? p : by_operands(e, v);
}

const IPoly *read_value(Env *e, Value *v) {
    const IPoly *p = map_get(&e->memo, v);
    if (p) return p;
    if (v->type->kind != TY_SCALAR || e->depth > MAX_DEPTH) return unknown(e, v);
    e->depth++;
    p = v->def ? read_op(e, v, v->def) : read_arg(e, v);
    e->depth--;
    if (!p) p = unknown(e, v);
    map_put(e->q->arena, &e->memo, v, (void *)p);
    return p;
}

/* ---- conditions */

static const Formula *read_compare(Env *e, Op *op, bool truth) {
    Query *q = e->q;
    const IPoly *x = read_value(e, op_opnd(op, 0)), *y = read_value(e, op_opnd(op, 1));
    const IPoly *d = poly_sub(q->ps, x, y);
    if (!d) return formula_bool(q, true);
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

const Formula *read_condition(Env *e, Value *c, bool truth) {
    Query *q = e->q;
    Op *op = c->def;
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
        return formula_or(q, none, formula_and(q, last, read_condition(e, op_opnd(region_term(op->regs[0]), c->index), truth)));
    }
    default: break;
    }
    const IPoly *p = read_value(e, c);
    return formula_eq(q, truth ? poly_sub(q->ps, p, poly_const(q->ps, 1)) : p);
}

/* ---- domains */

static const Formula *between(Query *q, const IPoly *x, const IPoly *hi) {
    return formula_and(q, formula_ge(q, x), hi ? formula_lt(q, x, hi) : formula_bool(q, true));
}

const Formula *read_before_end(Env *e, Op *op, const IPoly *x, bool truth) {
    Query *q = e->q;
    int64_t step;
    const IPoly *hi = read_value(e, op_opnd(op, 1));
    if (!poly_is_const(read_value(e, op_opnd(op, 2)), &step) || !step) return formula_bool(q, true);
    if (q->d->wraps && !range_counts(q->d->ranges, op, e->at.op)) return formula_bool(q, true);
    const IPoly *a = step > 0 ? x : hi, *b = step > 0 ? hi : x;
    return truth ? formula_lt(q, a, b) : formula_ge(q, poly_sub(q->ps, a, b));
}

static const Formula *domain_of_for(Env *e, Op *op) {
    Query *q = e->q;
    const IPoly *x = read_value(e, op->regs[0]->args[0]);
    const Formula *f = read_before_end(e, op, x, true);
    if (role_of(e, op->regs[0]) == ROLE_INNER && step_of(e, op) == STEP_LAST)
        f = formula_and(q, f, read_before_end(e, op, one_more(e, x, op_opnd(op, 2)), false));
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
        if (role_of(e, r) == ROLE_INNER && step_of(e, op) == STEP_LAST) f = formula_and(q, f, left_while(e, op));
        return f;
    case OP_PARALLEL:
        for (int i = 0; i < r->nargs; i++)
            f = formula_and(q, f, between(q, read_value(e, r->args[i]), read_value(e, op_opnd(op, i))));
        return f;
    default: return f;
    }
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

/* Checks that have stopped the program unless they hold */
static const Formula *checked_before(Env *e, Op *op) {
    const Formula *f = formula_bool(e->q, true);
    for (int n = 0; op && n < MAX_CHECKS; op = op->prev)
        if (op->code == OP_CHECK && ++n) f = formula_and(e->q, f, read_condition(e, op_opnd(op, 0), true));
    return f;
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
    for (; x < q->env[0].at.op->nopnds && y < q->env[1].at.op->nopnds; x++, y++)
        f = formula_and(q, f, formula_eq(q, poly_sub(q->ps, read_value(&q->env[0], op_opnd(q->env[0].at.op, x)),
                                                     read_value(&q->env[1], op_opnd(q->env[1].at.op, y)))));
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
        if (!e->iv[0]) e->iv[0] = poly_atom(q->ps, e->dim[0]);
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
        const IPoly *t = read_thread(e, threads, i, e->inst, &atom);
        if (t != poly_atom(e->q->ps, atom)) e->combined[axis] = atom, e->threads = threads;
    }
}

static bool is_kind(const Op *loop, const char *kind) { return op_sym(loop, A_KIND) && !strcmp(op_sym(loop, A_KIND), kind); }

static void mark_extents(Query *q, const Op *loop) {
    for (; loop; loop = loop->parent->owner)
        for (int i = 0; loop->code == OP_PARALLEL && i < loop->nopnds; i++) {
            const IPoly *p = read_value(&q->env[0], op_opnd(loop, i));
            if (p->n == 1 && p->t[0].coef == 1 && poly_mono(q->ps, p->t[0].mono)->n == 1)
                q->atoms.data[poly_mono(q->ps, p->t[0].mono)->atom[0]].extent = is_kind(loop, "thread") ? 2 : 1;
        }
}

Query *query_new(Depend *d, const Pair *p) {
    Arena *arena = d->scratch;
    arena_clear(arena);
    Query *q = NEW(arena, Query);
    *q = (Query){.d = d, .arena = arena, .ps = polys_new(arena), .pair = p};
    for (int i = 0; i < 2; i++) q->env[i] = (Env){.q = q, .inst = i + 1, .at = i ? p->b : p->a};
    for (int i = 0; i < 2; i++) read_self(&q->env[i]);
    for (int i = 0; i < 2; i++) read_combined(&q->env[i]);
    mark_extents(q, p->a.loop);
    return q;
}
