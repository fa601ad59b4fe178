/* Polynomials over the ints of a function, facts by region, and a bounded search for proofs.
 *
 * Facts are kept per region and found by walking outwards.  Atoms that come from min, max, mod, floor division and
 * select carry facts of their own, added when they turn up. */
#include "analysis/linear_private.h"
#include "ir/index.h"

enum { MAX_DEGREE = 4, MAX_TERMS = 24, MAX_FACTS = 96, SEARCH_DEPTH = 5, SEARCH_STEPS = 3000, MAX_CHECKS = 16,
       LOOK_BACK = 400, MAX_EITHERS = 3 };

/* ---- atoms and polynomials */

static int atom_add(Linear *l, Value *v, const char *sym, bool nonneg) {
    Atom a = {v, sym, NULL, nonneg, false};
    vec_push(l->arena, &l->atoms, a);
    return l->atoms.len - 1;
}

static bool mono_nonneg(const Linear *l, int mono) {
    const Mono *m = poly_mono(l->polys, mono);
    for (int i = 0; i < m->n; i++)
        if (!l->atoms.data[m->atom[i]].nonneg) return false;
    return true;
}

const Poly *linear_const(Linear *l, int64_t c) { return poly_const(l->polys, c); }
const Poly *linear_add(Linear *l, const Poly *a, const Poly *b) { return poly_add(l->polys, a, b); }
const Poly *linear_sub(Linear *l, const Poly *a, const Poly *b) { return poly_sub(l->polys, a, b); }
const Poly *linear_mul(Linear *l, const Poly *a, const Poly *b) { return poly_mul(l->polys, a, b); }

/* ---- reading sizes and values */

static void note_bind(void *ctx, Op *op) {
    Linear *l = ctx;
    if (op->code == OP_BIND) map_put(l->arena, &l->sym_def, op_sym(op, A_SYM), op_opnd(op, 0));
}

/* The values that symbols are bound to; looked up when the first one is asked for. */
static Value *definition_of(Linear *l, const char *sym) {
    if (!l->syms_known) region_walk(l->func->body, note_bind, l);
    l->syms_known = true;
    return map_get(&l->sym_def, sym);
}

static const Poly *sym_poly(Linear *l, const char *sym) {
    Value *def = definition_of(l, sym);
    if (def) return linear_value(l, def);
    intptr_t at = (intptr_t)map_get(&l->sym_atom, sym);
    if (!at) {
        at = atom_add(l, NULL, sym, true) + 1;
        map_put(l->arena, &l->sym_atom, sym, (void *)at);
    }
    return poly_atom(l->polys, (int)at - 1);
}

const Poly *linear_size(Linear *l, const Size *s) {
    SizeNode n = size_node(l->session, s);
    switch (n.op) {
    case 'c': return linear_const(l, n.c);
    case 's': return sym_poly(l, n.sym);
    case '+': return linear_add(l, linear_size(l, n.a), linear_size(l, n.b));
    case '*': return linear_mul(l, linear_size(l, n.a), linear_size(l, n.b));
    default: { /* floordiv, mod, max, min: an atom named by its text */
        const char *name = intern_printf(l->session, "(%s)", size_str(l->session, s));
        intptr_t at = (intptr_t)map_get(&l->sym_atom, name);
        if (!at) {
            at = atom_add(l, NULL, name, false) + 1;
            l->atoms.data[at - 1].size = s;
            map_put(l->arena, &l->sym_atom, name, (void *)at);
        }
        return poly_atom(l->polys, (int)at - 1);
    }
    }
}

bool linear_is_int(const Value *v) {
    return v->type->kind == TY_SCALAR && v->type->dtype == DT_I64;
}

/* An induction variable that starts at 0 or later, so that it may be taken as nonnegative. */
static bool starts_nonneg(Linear *l, const Value *v) {
    Op *owner = v->region ? v->region->owner : NULL;
    if (!owner) return false;
    switch (owner->code) {
    case OP_PARALLEL: case OP_GENERATE: case OP_SCAN: return true;
    case OP_REDUCE: return v->region == owner->regs[0];
    case OP_FOR: {
        int64_t step, lo;
        return v->index == 0 && poly_is_const(linear_value(l, op_opnd(owner, 2)), &step) && step > 0 &&
               poly_is_const(linear_value(l, op_opnd(owner, 0)), &lo) && lo >= 0 &&
               range_counts(l->ranges, owner, owner->regs[0]->first);
    }
    default: return false;
    }
}

/* A value that is bound to a size symbol as soon as it is known: nothing runs before a negative one stops
 * the program. */
static bool bound_at_once(const Value *v) {
    for (Op *op = v->def ? v->def->next : v->region->first; op; op = op->next) {
        if (op->code == OP_BIND && op_opnd(op, 0) == v) return true;
        if (op->code != OP_BIND && !op_is_pure(op)) return false;
    }
    return false;
}

static bool has_bind(const Value *v) {
    for (const Use *u = v->uses; u; u = u->next)
        if (u->user->code == OP_BIND) return bound_at_once(v);
    return false;
}

static const Poly *opaque(Linear *l, Value *v) {
    intptr_t at = (intptr_t)map_get(&l->value_atom, v);
    if (at) return poly_atom(l->polys, (int)at - 1);
    bool nonneg = (!v->def && starts_nonneg(l, v)) || has_bind(v);
    at = atom_add(l, v, NULL, nonneg) + 1;
    map_put(l->arena, &l->value_atom, v, (void *)at);
    return poly_atom(l->polys, (int)at - 1);
}

/* max(x, 0), if it is computed */
static Value *above_zero(const Value *x) {
    for (const Use *u = x->uses; u; u = u->next)
        if (u->user->code == OP_MAX && value_is_const_int(op_opnd(u->user, 1 - u->index), 0)) return &u->user->res[0];
    return NULL;
}

/* max(-x, 0) is max(x, 0) - x: sizes made of an int name what it is above 0, and below. */
static const Poly *read_max(Linear *l, Value *v, const Op *op) {
    for (int i = 0; i < 2; i++) {
        Op *neg = op_opnd(op, i)->def;
        if (!neg || neg->code != OP_NEG || !value_is_const_int(op_opnd(op, 1 - i), 0)) continue;
        Value *x = op_opnd(neg, 0), *above = above_zero(x);
        if (above && range_exact(l->ranges, neg, l->place ? l->place : neg))
            return linear_sub(l, linear_value(l, above), linear_value(l, x));
    }
    return opaque(l, v);
}

/* What may wrap is no polynomial of its operands. */
static const Poly *read_op(Linear *l, Value *v, Op *op) {
    if (!range_exact(l->ranges, op, l->place ? l->place : op)) return opaque(l, v);
    switch (op->code) {
    case OP_CONST: return linear_const(l, op_attr(op, A_VALUE)->c.i);
    case OP_SIZE: return linear_size(l, op_attr(op, A_SIZE)->sizes[0]);
    case OP_ADD: return linear_add(l, linear_value(l, op_opnd(op, 0)), linear_value(l, op_opnd(op, 1)));
    case OP_SUB: return linear_sub(l, linear_value(l, op_opnd(op, 0)), linear_value(l, op_opnd(op, 1)));
    case OP_MUL: return linear_mul(l, linear_value(l, op_opnd(op, 0)), linear_value(l, op_opnd(op, 1)));
    case OP_NEG: return linear_sub(l, linear_const(l, 0), linear_value(l, op_opnd(op, 0)));
    case OP_MAX: return read_max(l, v, op);
    case OP_SHL: {
        int64_t k;
        if (poly_is_const(linear_value(l, op_opnd(op, 1)), &k) && k >= 0 && k < 40)
            return linear_mul(l, linear_value(l, op_opnd(op, 0)), linear_const(l, (int64_t)1 << k));
        return opaque(l, v);
    }
    default: return opaque(l, v);
    }
}

/* What p is made of beside iv depends on it. */
static bool hides(const Linear *l, const Poly *p, const Value *iv) {
    for (int i = 0; i < p->n; i++) {
        const Mono *m = poly_mono(l->polys, (int)p->t[i].mono);
        for (int k = 0; k < m->n; k++) {
            const Value *v = l->atoms.data[m->atom[k]].value;
            if (v && v != iv && value_depends(v, iv)) return true;
        }
    }
    return false;
}

const Poly *linear_step(Linear *l, const Poly *p, Value *iv) {
    const Poly *x = opaque(l, iv);
    int atom = poly_mono(l->polys, (int)x->t[0].mono)->atom[0];
    if (!p || hides(l, p, iv)) return NULL;
    const Poly *step = poly_sub(l->polys, poly_subst(l->polys, p, atom, linear_add(l, x, linear_const(l, 1))), p);
    return step && !poly_has_atom(l->polys, step, atom) ? step : NULL;
}

/* ---- what does not change */

typedef struct { const char *sym; bool found; } Brought;

static void find_brought(void *ctx, Op *op) {
    Brought *b = ctx;
    for (int i = 0; i < op->nres && op_brings_sizes(op); i++)
        for (int k = 0; k < op->res[i].type->rank; k++) b->found |= size_as_sym(op->res[i].type->dims[k]) == b->sym;
}

typedef struct { Linear *l; Region *r; bool fixed; } Fixed;

static void look_at_symbol(void *ctx, const char *sym) {
    Fixed *f = ctx;
    Value *def = definition_of(f->l, sym);
    Brought b = {.sym = sym};
    if (!def) region_walk(f->r, find_brought, &b);
    f->fixed &= def ? !region_encloses(f->r, value_region(def)) : !b.found;
}

static void look_at_atom(Fixed *f, const Atom *a) {
    if (a->value) f->fixed &= !region_encloses(f->r, value_region(a->value));
    else if (a->size) size_each_sym(a->size, look_at_symbol, f);
    else look_at_symbol(f, a->sym);
}

bool linear_is_fixed(Linear *l, const Poly *p, Region *r) {
    Fixed f = {l, r, p != NULL};
    for (int i = 0; p && i < p->n; i++) {
        const Mono *m = poly_mono(l->polys, (int)p->t[i].mono);
        for (int k = 0; k < m->n; k++) look_at_atom(&f, &l->atoms.data[m->atom[k]]);
    }
    return f.fixed;
}

/* ---- values */

/* The condition of a while loop has its own arguments for the carried values: they are read as those of the body. */
static Value *as_in_body(Value *v) {
    const Op *owner = v->def ? NULL : v->region->owner;
    return owner && owner->code == OP_WHILE && v->region == owner->regs[0] ? owner->regs[1]->args[v->index] : v;
}

const Poly *linear_value(Linear *l, Value *v) {
    if (!linear_is_int(v)) return NULL;
    v = as_in_body(v);
    const Poly *p = map_get(&l->value_poly, v);
    if (p) return p;
    if (l->reading > 200) return opaque(l, v);
    l->reading++;
    p = v->def ? read_op(l, v, v->def) : opaque(l, v);
    if (!p) p = opaque(l, v);
    l->reading--;
    map_put(l->arena, &l->value_poly, v, (void *)p);
    return p;
}

void linear_at(Linear *l, const Op *place) {
    if (l->place == place) return;
    l->place = place;
    l->value_poly = (Map){0};
}

Ranges *linear_ranges(Linear *l) { return l->ranges; }

/* ---- facts */

void linear_fact(Linear *l, PolyVec *facts, const Poly *p) {
    if (p && !poly_is_const(p, NULL) && facts->len < MAX_FACTS) vec_push(l->arena, facts, p);
}

static void fact_range(Linear *l, PolyVec *facts, Value *iv, const Poly *lo, const Poly *hi) {
    const Poly *p = linear_value(l, iv);
    linear_fact(l, facts, linear_sub(l, p, lo));
    linear_fact(l, facts, linear_sub(l, linear_sub(l, hi, p), linear_const(l, 1)));
}

/* What the truth (or falsehood) of a comparison of ints says. */
static void fact_compare(Linear *l, PolyVec *facts, OpCode code, const Poly *a, const Poly *b, bool truth) {
    const Poly *one = linear_const(l, 1), *zero = linear_const(l, 0);
    if (!truth) code = opcode_negated(code);
    bool upper = code == OP_LT || code == OP_LE || code == OP_EQ;
    bool lower = code == OP_GT || code == OP_GE || code == OP_EQ;
    bool strict = code == OP_LT || code == OP_GT;
    if (upper) linear_fact(l, facts, linear_sub(l, linear_sub(l, b, a), strict ? one : zero));
    if (lower) linear_fact(l, facts, linear_sub(l, linear_sub(l, a, b), strict ? one : zero));
}

/* x + c == y, where the sum may wrap as far as is known: it does not if y - c does not. */
static void fact_equal_sum(Linear *l, PolyVec *facts, Value *sum, Value *y) {
    const Op *op = sum->def;
    int64_t c, far;
    if (!op || op->code != OP_ADD || !value_const_int(op_opnd(op, 1), &c) || !l->place) return;
    IntRange r = range_of(l->ranges, y, l->place);
    if (__builtin_sub_overflow(r.lo, c, &far) || __builtin_sub_overflow(r.hi, c, &far)) return;
    fact_compare(l, facts, OP_EQ, linear_value(l, op_opnd(op, 0)),
                 linear_sub(l, linear_value(l, y), linear_const(l, c)), true);
}

static void fact_condition(Linear *l, PolyVec *facts, Value *c, bool truth, int depth);
static void facts_of_for(Linear *l, PolyVec *facts, Op *op);

/* A flag that a loop leaves is not what it was before: some turn was the last one, and it set the flag.  What the loop
 * computes means what it was in that turn. */
static void fact_left_by(Linear *l, PolyVec *facts, const Value *c, Op *loop, bool truth, int depth) {
    const Op *init = op_opnd(loop, 3 + c->index)->def;
    if (!init || init->code != OP_CONST || (op_attr(init, A_VALUE)->c.i != 0) == truth) return;
    facts_of_for(l, facts, loop);
    fact_condition(l, facts, op_opnd(region_term(loop->regs[0]), c->index), truth, depth + 1);
}

/* One side of such a condition */
static void fact_side(Linear *l, PolyVec *facts, Either e, int side, int depth) {
    Op *op = e.c->def;
    if (op->code == OP_IF) {
        fact_condition(l, facts, op_opnd(op, 0), side == 0, depth);
        fact_condition(l, facts, op_opnd(region_term(op->regs[side]), e.c->index), e.truth, depth);
    } else fact_condition(l, facts, op_opnd(op, side), e.truth, depth);
}

/* The value of a branch one side of which says the contrary: it went the other way. */
static void fact_branch(Linear *l, PolyVec *facts, Either e, int depth) {
    int64_t c;
    for (int side = 0; side < 2; side++)
        if (value_const_int(op_opnd(region_term(e.c->def->regs[side]), e.c->index), &c) && (c != 0) != e.truth)
            return fact_side(l, facts, e, 1 - side, depth);
    vec_push(l->arena, &l->eithers, e);
}

static void fact_condition(Linear *l, PolyVec *facts, Value *c, bool truth, int depth) {
    Op *op = c->def;
    Either e = {c, truth};
    if (!op || depth > 30 || facts->len >= MAX_FACTS || c->type->dtype != DT_BOOL) return;
    switch (op->code) {
    case OP_AND: case OP_OR:
        if ((op->code == OP_AND) == truth) {
            fact_side(l, facts, e, 0, depth + 1);
            fact_side(l, facts, e, 1, depth + 1);
        } else vec_push(l->arena, &l->eithers, e);
        return;
    case OP_IF: fact_branch(l, facts, e, depth + 1); return;
    case OP_NOT: fact_condition(l, facts, op_opnd(op, 0), !truth, depth + 1); return;
    case OP_LT: case OP_LE: case OP_GT: case OP_GE: case OP_EQ: case OP_NE: {
        Value *x = op_opnd(op, 0), *y = op_opnd(op, 1);
        if (!linear_is_int(x)) return;
        fact_compare(l, facts, op->code, linear_value(l, x), linear_value(l, y), truth);
        if (op->code != (truth ? OP_EQ : OP_NE)) return;
        fact_equal_sum(l, facts, x, y);
        fact_equal_sum(l, facts, y, x);
        return;
    }
    case OP_FOR: fact_left_by(l, facts, c, op, truth, depth); return;
    default: return;
    }
}

static void facts_of_for(Linear *l, PolyVec *facts, Op *op) {
    int64_t step;
    if (!poly_is_const(linear_value(l, op_opnd(op, 2)), &step) || !range_counts(l->ranges, op, op->regs[0]->first))
        return;
    const Poly *lo = linear_value(l, op_opnd(op, 0)), *hi = linear_value(l, op_opnd(op, 1));
    Value *iv = op->regs[0]->args[0];
    if (step > 0) fact_range(l, facts, iv, lo, hi);
    if (step < 0)
        fact_range(l, facts, iv, linear_add(l, hi, linear_const(l, 1)), linear_add(l, lo, linear_const(l, 1)));
}

static void facts_of_owner(Linear *l, PolyVec *facts, Region *r) {
    Op *op = r->owner;
    if (!op) return;
    const Poly *zero = linear_const(l, 0);
    switch (op->code) {
    case OP_PARALLEL:
        for (int i = 0; i < r->nargs; i++) fact_range(l, facts, r->args[i], zero, linear_value(l, op_opnd(op, i)));
        return;
    case OP_REDUCE:
        for (int i = 0; r == op->regs[0] && i < r->nargs; i++)
            fact_range(l, facts, r->args[i], zero, linear_value(l, op_opnd(op, i)));
        return;
    case OP_GENERATE: case OP_SCAN:
        for (int i = 0; r == op->regs[0] && i < r->nargs; i++)
            fact_range(l, facts, r->args[i], zero, linear_size(l, op->res[0].type->dims[i]));
        return;
    case OP_FOR:
        facts_of_for(l, facts, op);
        linear_facts_of_carried(l, facts, op);
        return;
    case OP_IF: fact_condition(l, facts, op_opnd(op, 0), r == op->regs[0], 0); return;
    case OP_WHILE:
        if (r == loop_body(op)) fact_condition(l, facts, op_opnd(region_term(op->regs[0]), 0), true, 0);
        linear_facts_of_carried(l, facts, op);
        return;
    default: return;
    }
}

static RegionFacts *facts_of(Linear *l, Region *r) {
    RegionFacts *f = map_get(&l->region_facts, r);
    if (f) return f;
    f = NEW(l->arena, RegionFacts);
    map_put(l->arena, &l->region_facts, r, f);
    const Op *place = l->place;
    Eithers before = l->eithers;
    l->eithers = (Eithers){0};
    linear_at(l, r->first);
    facts_of_owner(l, &f->facts, r);
    linear_at(l, place);
    f->eithers = l->eithers;
    l->eithers = before;
    return f;
}

/* q = floor(x / c): 0 <= x - c*q <= c - 1 */
static void fact_floordiv(Linear *l, PolyVec *facts, const Poly *q, const Poly *x, const Poly *y) {
    int64_t c;
    if (!poly_is_const(y, &c) || c <= 0) return;
    x = linear_sub(l, x, linear_mul(l, y, q));
    linear_fact(l, facts, x);
    linear_fact(l, facts, linear_sub(l, linear_const(l, c - 1), x));
}

static void open_size(Linear *l, PolyVec *facts, const Poly *v, const Size *size) {
    SizeNode n = size_node(l->session, size);
    const Poly *x = linear_size(l, n.a), *y = linear_size(l, n.b);
    int64_t c;
    if (n.op == '/') fact_floordiv(l, facts, v, x, y);
    if (n.op != '%' || !poly_is_const(y, &c) || c <= 0) return;
    linear_fact(l, facts, v);
    linear_fact(l, facts, linear_sub(l, linear_const(l, c - 1), v));
}

/* What its type, bits that are left of it, or the elements of a known array say of an int that was narrower, was
 * shifted, or is read */
static void fact_bounds(Linear *l, PolyVec *facts, const Poly *v, Value *value) {
    IntRange r = range_of(l->ranges, value, value->def);
    if (r.lo > INT64_MIN) linear_fact(l, facts, linear_sub(l, v, linear_const(l, r.lo)));
    if (r.hi < INT64_MAX) linear_fact(l, facts, linear_sub(l, linear_const(l, r.hi), v));
}

/* Facts that an atom brings along by its definition. */
static void open_atom(Linear *l, PolyVec *facts, int atom) {
    Atom *a = &l->atoms.data[atom];
    Op *op = a->value ? a->value->def : NULL;
    if (a->size) open_size(l, facts, poly_atom(l->polys, atom), a->size);
    if (!op) return;
    const Poly *v = poly_atom(l->polys, atom), *x, *y, *one = linear_const(l, 1);
    int64_t c;
    switch (op->code) {
    case OP_MIN: case OP_MAX:
        for (int i = 0; i < 2; i++) {
            x = linear_value(l, op_opnd(op, i));
            linear_fact(l, facts, op->code == OP_MIN ? linear_sub(l, x, v) : linear_sub(l, v, x));
        }
        return;
    case OP_MOD:
        y = linear_value(l, op_opnd(op, 1));
        if (!y) return;
        bool positive = poly_is_const(y, &c) ? c > 0 : false;
        if (!positive && y->n == 1 && y->t[0].coef > 0 && mono_nonneg(l, y->t[0].mono))
            positive = true; /* nonnegative, and not zero: the operation has stopped the program then */
        if (!positive) return;
        linear_fact(l, facts, v);
        linear_fact(l, facts, linear_sub(l, linear_sub(l, y, v), one));
        return;
    case OP_AND: /* with a number that is not negative */
        y = linear_value(l, op_opnd(op, 1));
        if (!poly_is_const(y, &c) || c < 0) return;
        linear_fact(l, facts, v);
        linear_fact(l, facts, linear_sub(l, y, v));
        return;
    case OP_IDIV:
        fact_floordiv(l, facts, v, linear_value(l, op_opnd(op, 0)), linear_value(l, op_opnd(op, 1)));
        return;
    case OP_EXCHANGE: /* from..to, of extent */
        if (!a->value->index) linear_fact(l, facts, v);
        else linear_fact(l, facts, linear_sub(l, linear_value(l, op_opnd(op, 0)), v));
        return;
    case OP_CAST: case OP_SHR: case OP_LOAD: case OP_EXTRACT: fact_bounds(l, facts, v, a->value); return;
    default: return;
    }
}

static void open_poly(Linear *l, PolyVec *facts, const Poly *p) {
    for (int i = 0; p && i < p->n; i++) {
        Mono m = *poly_mono(l->polys, p->t[i].mono);
        for (int j = 0; j < m.n; j++) {
            if (l->atoms.data[m.atom[j]].opened) continue;
            l->atoms.data[m.atom[j]].opened = true;
            open_atom(l, facts, m.atom[j]);
        }
    }
}

/* What is checked before op, the nearest first: where it does not hold the program has stopped. */
static void facts_of_checks(Linear *l, PolyVec *facts, const Op *op) {
    int checks = 0, looked = 0;
    for (const Op *at = op; at; at = at->parent->owner)
        for (const Op *o = at->prev; o && checks < MAX_CHECKS && looked < LOOK_BACK; o = o->prev, looked++)
            if (o->code == OP_CHECK) fact_condition(l, facts, op_opnd(o, 0), true, 0), checks++;
}

/* Facts that come with what the goal and the facts speak of */
static void open_all(Linear *l, PolyVec *facts, const Poly *goal) {
    for (int i = 0; i < l->atoms.len; i++) l->atoms.data[i].opened = false;
    open_poly(l, facts, goal);
    for (int i = 0; i < facts->len; i++) open_poly(l, facts, facts->data[i]);
}

static void collect_facts(Linear *l, Op *op, PolyVec *facts, Eithers *eithers) {
    l->eithers = (Eithers){0};
    for (Region *r = op->parent; r; r = r->owner ? r->owner->parent : NULL) {
        RegionFacts *f = facts_of(l, r);
        for (int i = 0; i < f->facts.len; i++) linear_fact(l, facts, f->facts.data[i]);
        for (int i = 0; i < f->eithers.len; i++) vec_push(l->arena, eithers, f->eithers.data[i]);
    }
    facts_of_checks(l, facts, op);
}

/* ---- search */

typedef struct { Linear *l; PolyVec facts; int steps; } Search;

static bool plainly_nonneg(const Linear *l, const Poly *g) {
    for (int i = 0; i < g->n; i++)
        if (g->t[i].coef < 0 || !mono_nonneg(l, g->t[i].mono)) return false;
    return true;
}

/* The monomial to get rid of: a negative term, or one of unknown sign; else the constant. */
static int worst_mono(const Linear *l, const Poly *g) {
    for (int i = g->n - 1; i >= 0; i--)
        if (g->t[i].mono != 0 && (g->t[i].coef < 0 || !mono_nonneg(l, g->t[i].mono)))
            return g->t[i].mono;
    return 0;
}

static const Poly *substitute(Linear *l, const Poly *g, int mono, const Poly *by) {
    int64_t c = poly_coef(g, mono);
    return linear_add(l, linear_sub(l, g, poly_term(l->polys, mono, c)), poly_scale(l->polys, by, c));
}

static bool search(Search *s, const Poly *g, int depth);

/* A term that is a min, max or select by itself: both of its values must do. */
static bool split(Search *s, const Poly *g, int depth) {
    Linear *l = s->l;
    for (int i = 0; i < g->n; i++) {
        const Mono *m = poly_mono(l->polys, g->t[i].mono);
        if (m->n != 1) continue;
        Value *v = l->atoms.data[m->atom[0]].value;
        Op *op = v ? v->def : NULL;
        if (!op || (op->code != OP_MIN && op->code != OP_MAX && op->code != OP_SELECT)) continue;
        int first = op->code == OP_SELECT;
        const Poly *a = linear_value(l, op_opnd(op, first)), *b = linear_value(l, op_opnd(op, first + 1));
        int mono = g->t[i].mono;
        return search(s, substitute(l, g, mono, a), depth - 1) && search(s, substitute(l, g, mono, b), depth - 1);
    }
    return false;
}

static bool search(Search *s, const Poly *g, int depth) {
    if (!g) return false;
    if (plainly_nonneg(s->l, g)) return true;
    if (depth <= 0 || ++s->steps > SEARCH_STEPS) return false;
    int bad = worst_mono(s->l, g);
    for (int i = 0; i < s->facts.len; i++) {
        const Poly *f = s->facts.data[i];
        for (int k = 0; k < f->n; k++) {
            int mono = f->t[k].mono;
            if (bad ? mono != bad : mono == 0) continue;
            int64_t cg = poly_coef(g, mono), cf = f->t[k].coef;
            if (cg == 0 || (cg > 0) != (cf > 0) || cg == INT64_MIN || cf == INT64_MIN) continue;
            int64_t d = int_gcd(cg, cf);
            int64_t scale_g = (cf < 0 ? -cf : cf) / d, scale_f = (cg < 0 ? -cg : cg) / d;
            if (search(s, poly_sum(s->l->polys, g, scale_g, f, -scale_f), depth - 1)) return true;
        }
    }
    return split(s, g, depth);
}

static bool follows(Linear *l, const PolyVec *facts, const Poly *g) {
    Search s = {.l = l};
    for (int i = 0; i < facts->len; i++) linear_fact(l, &s.facts, facts->data[i]);
    open_all(l, &s.facts, g);
    for (int depth = 1; depth <= SEARCH_DEPTH; depth++)
        if (search(&s, g, depth)) return true;
    return false;
}

/* Whichever side is so */
static bool follows_either_way(Linear *l, const PolyVec *facts, Either e, const Poly *g) {
    for (int side = 0; side < 2; side++) {
        PolyVec more = {0};
        fact_side(l, &more, e, side, 0);
        for (int i = 0; i < facts->len; i++) linear_fact(l, &more, facts->data[i]);
        if (!follows(l, &more, g)) return false;
    }
    return true;
}

bool linear_prove(Linear *l, Op *op, const Poly *g) {
    PolyVec facts = {0};
    Eithers eithers = {0};
    if (!g) return false;
    if (plainly_nonneg(l, g)) return true;
    collect_facts(l, op, &facts, &eithers);
    if (follows(l, &facts, g)) return true;
    for (int i = 0; i < eithers.len && i < MAX_EITHERS; i++)
        if (follows_either_way(l, &facts, eithers.data[i], g)) return true;
    return linear_prove_chosen(l, g);
}

/* ---- life */

Linear *linear_new(Func *f) {
    Arena *a = arena_new();
    Linear *l = NEW(a, Linear);
    l->arena = a;
    l->func = f;
    l->session = f->module->session;
    l->ranges = ranges_new(l->session);
    l->polys = polys_new(a, MAX_DEGREE, MAX_TERMS);
    return l;
}

void linear_free(Linear *l) {
    if (!l) return;
    ranges_free(l->ranges);
    arena_free(l->arena);
}

static bool index_in(Linear *l, Op *op, Value *index, const Size *dim) {
    const Poly *i = linear_value(l, index);
    const Poly *last = linear_sub(l, linear_size(l, dim), linear_const(l, 1));
    return linear_prove(l, op, i) && linear_prove(l, op, linear_sub(l, last, i));
}

bool linear_inside(Linear *l, Op *op, int at, int first) {
    const Type *t = op_opnd(op, at)->type;
    linear_at(l, op);
    for (int k = 0; k < t->rank; k++)
        if (!index_in(l, op, op_opnd(op, first + k), t->dims[k])) return false;
    return true;
}

bool linear_slice_inside(Linear *l, Op *op, Value *start, const Size *count, int64_t step, const Poly *lo,
                         const Poly *hi) {
    const Poly *one = linear_const(l, 1), *first = linear_value(l, start),
               *reach = linear_mul(l, linear_sub(l, linear_size(l, count), one), linear_const(l, step)),
               *last = linear_add(l, first, reach);
    const Poly *least = step > 0 ? first : last, *most = step > 0 ? last : first;
    return linear_prove(l, op, linear_sub(l, least, lo)) &&
           linear_prove(l, op, linear_sub(l, linear_sub(l, hi, one), most));
}

static Value *build_atom(Builder *b, const Atom *a) {
    if (a->value) return a->value;
    return build_size(b, a->sym ? size_sym(b->module->session, a->sym) : a->size);
}

Value *linear_build(Linear *l, Builder *b, const Poly *p) {
    Value *sum = NULL;
    for (int i = 0; i < p->n; i++) {
        const Mono *m = poly_mono(l->polys, (int)p->t[i].mono);
        Value *term = build_int(b, p->t[i].coef);
        for (int k = 0; k < m->n; k++) term = index_mul(b, term, build_atom(b, &l->atoms.data[m->atom[k]]));
        sum = sum ? index_add(b, sum, term) : term;
    }
    return sum ? sum : build_int(b, 0);
}
