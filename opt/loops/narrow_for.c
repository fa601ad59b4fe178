/* A guard on the index of a loop that carries values becomes the loop's bounds, as those of parallel loops do.
 *
 * Where the guard does not hold the turn changes nothing.  It may stand around what is added instead: with
 * `s += (if q < k { a[q] } else { 0.0 }) * (if q < k { b[q] } else { 0.0 })` other turns add 0, which leaves a sum as
 * it is that is never -0. */
#include "opt/loops/narrow.h"

/* ---- what is added is 0 but for one condition */

typedef struct { Op *loop; Value *cond; Value *added[MAX_RANK]; } Sums;

static bool of_body(const Sums *s, const Value *v) { return region_encloses(s->loop->regs[0], value_region(v)); }

static bool is_choice(const Op *op) { return op->code == OP_IF && op->nres == 1; }

/* What v is where the condition does not hold: a constant; the first condition that is met is the one */
static bool otherwise(Sums *s, Value *v, Const *out) {
    const Const *c = value_const(v);
    Const x[MAX_RANK];
    if (c) return *out = *c, true;
    if (!of_body(s, v) || !v->def) return false;
    const Op *op = v->def;
    if (is_choice(op)) {
        if (!s->cond) s->cond = op_opnd(op, 0);
        return s->cond == op_opnd(op, 0) && otherwise(s, op_opnd(region_term(op->regs[1]), 0), out);
    }
    if (!op_is_scalar_arithmetic(op)) return false;
    for (int i = 0; i < op->nopnds; i++)
        if (!otherwise(s, op_opnd(op, i), &x[i])) return false;
    return const_eval(op->code, v->type->dtype, op->nopnds, x, out);
}

static bool adds_nothing(Sums *s, Value *v) {
    Const c;
    bool known = v->type->kind == TY_SCALAR && otherwise(s, v, &c);
    return known && (dtype_is_float(c.dtype) ? c.f == 0 : c.i == 0);
}

/* What the turn adds to carried value i, in *added; it hands on the others as they are */
static bool find_sum(Sums *s, int i, Value **added) {
    Value *carried = loop_carried(s->loop, i), *next = loop_next(s->loop, i);
    const Op *sum = next->def;
    *added = NULL;
    if (next == carried) return true;
    if (!sum || sum->code != OP_ADD || sum->parent != s->loop->regs[0] || !value_single_use(next)) return false;
    bool second = op_opnd(sum, 1) == carried;
    if (!second && op_opnd(sum, 0) != carried) return false;
    *added = op_opnd(sum, !second);
    bool plain = !dtype_is_float(carried->type->dtype) || value_never_minus_zero(loop_first(s->loop, i));
    return plain && value_single_use(carried) && adds_nothing(s, *added);
}

/* v where the condition holds */
static Value *when_true(const Sums *s, Cloner *c, Builder *b, Value *v) {
    if (map_has(&c->values, v) || !of_body(s, v) || !v->def) return clone_value(c, v);
    Op *op = v->def;
    if (is_choice(op)) {
        clone_region_ops(c, b, op->regs[0], false);
        v = op_opnd(region_term(op->regs[0]), 0);
        map_put(c->module->arena, &c->values, &op->res[0], clone_value(c, v));
    } else {
        for (int i = 0; i < op->nopnds; i++) when_true(s, c, b, op_opnd(op, i));
        clone_op(c, b, op);
    }
    return clone_value(c, &op->res[0]);
}

/* One `if` around all that the turn adds */
static void gather_sums(Sums *s) {
    Op *yield = region_term(s->loop->regs[0]);
    Builder b = builder_before(yield);
    Cloner c = {.module = b.module};
    const Type *types[MAX_RANK];
    Value *on[MAX_RANK], *off[MAX_RANK];
    int n = s->loop->nres;
    for (int i = 0; i < n; i++) types[i] = s->loop->res[i].type;
    Op *guard = build_if(&b, s->cond, n, types);
    Builder yes = builder_at_end(b.module, guard->regs[0], b.span),
            no = builder_at_end(b.module, guard->regs[1], b.span);
    for (int i = 0; i < n; i++) {
        off[i] = on[i] = loop_carried(s->loop, i);
        if (s->added[i]) on[i] = build_binary(&yes, OP_ADD, off[i], when_true(s, &c, &yes, s->added[i]));
        op_set_opnd(yield, i, &guard->res[i]);
    }
    build_yield(&yes, n, on);
    build_yield(&no, n, off);
}

/* ---- the guard */

/* The `if` that is all the body does; where it does not hold every value is handed on as it was. */
static Op *sole_guard(const Op *loop) {
    const Region *body = loop->regs[0];
    Op *guard = region_term(body)->prev;
    if (!guard || guard->code != OP_IF || guard->nres != loop->nres || op_holds(guard, OP_BARRIER)) return NULL;
    if (guard->regs[1]->first != region_term(guard->regs[1])) return NULL;
    for (int i = 0; i < loop->nres; i++) {
        const Value *next = loop_next(loop, i);
        bool same = next == &guard->res[i] && op_opnd(region_term(guard->regs[1]), i) == loop_carried(loop, i);
        if (!same || !value_single_use(next)) return NULL;
    }
    for (Op *o = body->first; o != guard; o = o->next)
        if (op_has_effect(o) || op_writes_memory(o) || op_may_trap(o)) return NULL;
    return guard;
}

static bool is_outside(const Region *body, const Value *v) {
    return value_is_fixed(v) || !region_encloses(body, value_region(v));
}

/* iv, or it and something from outside */
static bool counts(const Region *body, const Value *v) {
    const Op *op = v->def;
    if (v == body->args[0]) return true;
    if (!op || op->parent != body || (op->code != OP_ADD && op->code != OP_SUB)) return false;
    const Value *x = op_opnd(op, 0), *y = op_opnd(op, 1);
    return (counts(body, x) && is_outside(body, y)) || (op->code == OP_ADD && counts(body, y) && is_outside(body, x));
}

/* Something in the condition bounds the index. */
static bool bounds(const Region *body, const Value *cond) {
    const Op *op = cond->def;
    if (!op || op->parent != body) return false;
    if (op->code == OP_AND) return bounds(body, op_opnd(op, 0)) || bounds(body, op_opnd(op, 1));
    if (!opcode_is_compare(op->code) || op->code == OP_EQ || op->code == OP_NE) return false;
    const Value *x = op_opnd(op, 0), *y = op_opnd(op, 1);
    return (counts(body, x) && is_outside(body, y)) || (counts(body, y) && is_outside(body, x));
}

/* The guard, which may stand around what is added only */
static Op *find_guard(Op *loop) {
    Op *guard = sole_guard(loop);
    Sums s = {.loop = loop};
    if (guard) return bounds(loop->regs[0], op_opnd(guard, 0)) ? guard : NULL;
    if (loop->nres > MAX_RANK) return NULL;
    for (int i = 0; i < loop->nres; i++)
        if (!find_sum(&s, i, &s.added[i])) return NULL;
    if (!s.cond || s.cond->def->parent != loop->regs[0] || !bounds(loop->regs[0], s.cond)) return NULL;
    for (Op *o = loop->regs[0]->first; o; o = o->next)
        if (op_has_effect(o) || op_writes_memory(o) || op_may_trap(o)) return NULL;
    gather_sums(&s);
    return sole_guard(loop);
}

static void take_results(Op *guard) {
    for (int i = 0; i < guard->nres; i++) value_replace_all(&guard->res[i], op_opnd(region_term(guard->regs[0]), i));
}

bool loops_narrow_for(Linear *facts, Op *loop) {
    bool counted = value_is_const_int(op_opnd(loop, 2), 1) && loop->nres && !op_flag(loop, A_PROGRESS);
    Op *guard = counted ? find_guard(loop) : NULL;
    if (!guard) return false;
    Narrow n = {.facts = facts, .loop = loop, .body = loop->regs[0], .before = builder_before(loop),
                .inside = builder_before(guard), .ranges = true, .indices = 1};
    narrow_take_apart(&n, op_opnd(guard, 0), false);
    if (n.lo[0]) op_set_opnd(loop, 0, index_max(&n.before, op_opnd(loop, 0), n.lo[0]));
    if (n.hi[0]) op_set_opnd(loop, 1, narrow_least(&n, op_opnd(loop, 1), n.hi[0]));
    if (!n.remains) take_results(guard);
    narrow_guard(&n, guard);
    return true;
}
