/* Copies of a region that run side by side (unroll and jam).
 *
 * Operation by operation: what is the same for all copies stands there once, all else once per copy, the first copy's
 * before the second's.  A `for` or `parallel` with the same bounds in all copies is one loop with the copies inside,
 * and a barrier one barrier: all threads that a copy stands for reach it.  Memory that a copy allocates is its own.
 *
 * A copy that may have nothing to do has a condition.  Accesses and what else is not pure stand under it; structure
 * with barriers inside is entered when any copy enters it. */
#include "opt/weave.h"

#include "ir/index.h"

static Arena *arena_of(const Weave *w) { return w->module->arena; }

static Value *get(Weave *w, int c, Value *v) { return clone_value(&w->copy[c], v); }
static void put(Weave *w, int c, const Value *v, Value *to) { map_put(arena_of(w), &w->copy[c].values, v, to); }

static void put_all(Weave *w, const Value *v, Value *to) {
    for (int c = 0; c < w->n; c++) put(w, c, v, to);
}

static bool same_in_all(Weave *w, Value *v) {
    for (int c = 1; c < w->n; c++)
        if (get(w, c, v) != get(w, 0, v)) return false;
    return true;
}

static bool same_operands(Weave *w, const Op *op) {
    for (int i = 0; i < op->nopnds; i++)
        if (!same_in_all(w, op_opnd(op, i))) return false;
    return true;
}

static bool always(const Weave *w, Value *const *on) {
    for (int c = 0; c < w->n; c++)
        if (on[c]) return false;
    return true;
}

static Value *zero_of(Builder *b, const Type *t) { return build_const(b, (Const){.dtype = t->dtype}); }

/* ---- operations without barriers */

static void under_condition(Weave *w, Builder *b, const Op *op, int c, Value *on) {
    Module *m = w->module;
    const Type **types = NEWN(arena_of(w), const Type *, op->nres);
    Value **vals = NEWN(arena_of(w), Value *, op->nres);
    for (int i = 0; i < op->nres; i++) types[i] = op->res[i].type;
    Op *guard = build_if(b, on, op->nres, types);
    Builder then = builder_at_end(m, guard->regs[0], op->span), otherwise = builder_at_end(m, guard->regs[1], op->span);
    clone_op(&w->copy[c], &then, op);
    for (int i = 0; i < op->nres; i++) vals[i] = get(w, c, (Value *)&op->res[i]);
    build_yield(&then, op->nres, vals);
    for (int i = 0; i < op->nres; i++) vals[i] = zero_of(&otherwise, types[i]);
    build_yield(&otherwise, op->nres, vals);
    for (int i = 0; i < op->nres; i++) put(w, c, &op->res[i], &guard->res[i]);
}

static void copies_of(Weave *w, Builder *b, const Op *op, Value *const *on) {
    if (op_is_pure(op) && !op->nregs && same_operands(w, op)) {
        Op *one = clone_op(&w->copy[0], b, op);
        for (int i = 0; i < op->nres; i++) put_all(w, &op->res[i], &one->res[i]);
        return;
    }
    for (int c = 0; c < w->n; c++)
        if (!on[c] || op->code == OP_ALLOC || op_is_pure(op)) clone_op(&w->copy[c], b, op);
        else under_condition(w, b, op, c, on[c]);
}

/* ---- structure that the copies share */

/* Of the first copy that is there; all that are there agree. */
static Value *agreed(Weave *w, Builder *b, Value *v, Value *const *on) {
    Value *x = get(w, w->n - 1, v);
    for (int c = w->n - 2; c >= 0; c--) {
        Value *y = get(w, c, v);
        if (x != y) x = on[c] ? build_select(b, on[c], y, x) : y;
    }
    return x;
}

/* The copies' values beside each other: those of the first copy, then of the second, .. */
static Value **all_values(Weave *w, const Op *op, int from) {
    int n = op->nopnds - from;
    Value **v = NEWN(arena_of(w), Value *, n * w->n);
    for (int c = 0; c < w->n; c++)
        for (int i = 0; i < n; i++) v[c * n + i] = get(w, c, op_opnd(op, from + i));
    return v;
}

static void take_results(Weave *w, const Op *op, Op *by) {
    for (int c = 0; c < w->n; c++)
        for (int i = 0; i < op->nres; i++) {
            Value *to = &by->res[c * op->nres + i];
            to->name = op->res[i].name;
            put(w, c, &op->res[i], to);
        }
}

static void weave_for(Weave *w, Builder *b, const Op *op, Value *const *on) {
    const Region *body = op->regs[0];
    Value *bound[3];
    for (int i = 0; i < 3; i++) bound[i] = agreed(w, b, op_opnd(op, i), on);
    int n = op->nres;
    Op *loop = build_for(b, bound[0], bound[1], bound[2], n * w->n, all_values(w, op, 3));
    Value **args = loop->regs[0]->args;
    op_copy_attrs(loop, op);
    args[0]->name = body->args[0]->name;
    put_all(w, body->args[0], args[0]);
    for (int c = 0; c < w->n; c++)
        for (int i = 0; i < n; i++) {
            args[1 + c * n + i]->name = body->args[1 + i]->name;
            put(w, c, body->args[1 + i], args[1 + c * n + i]);
        }
    Builder in = builder_at_end(w->module, loop->regs[0], op->span);
    weave_region(w, &in, body, on);
    build_yield(&in, n * w->n, all_values(w, region_term(body), 0));
    take_results(w, op, loop);
}

static void weave_while(Weave *w, Builder *b, const Op *op, Value *const *on) {
    int n = op->nres, all = n * w->n;
    const Type **types = NEWN(arena_of(w), const Type *, all);
    for (int i = 0; i < all; i++) types[i] = op->res[i % n].type;
    Op *loop = build_op(b, OP_WHILE, all, all_values(w, op, 0), all, types, 2);
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < all; i++) {
            const Value *arg = op->regs[k]->args[i % n];
            put(w, i / n, arg, region_add_arg(loop->regs[k], types[i], arg->name));
        }
        Builder in = builder_at_end(w->module, loop->regs[k], op->span);
        weave_region(w, &in, op->regs[k], on);
        const Op *term = region_term(op->regs[k]);
        Value *go = k ? NULL : agreed(w, &in, op_opnd(term, 0), on);
        if (k) build_yield(&in, all, all_values(w, term, 0));
        else build_yield(&in, 1, &go);
    }
    take_results(w, op, loop);
}

static void weave_parallel(Weave *w, Builder *b, const Op *op, Value *const *on) {
    const Region *body = op->regs[0];
    Value *extents[MAX_RANK];
    for (int i = 0; i < op->nopnds; i++) extents[i] = get(w, 0, op_opnd(op, i));
    Op *loop = build_parallel(b, op->nopnds, extents, op_loop(op));
    for (int i = 0; i < body->nargs; i++) {
        loop->regs[0]->args[i]->name = body->args[i]->name;
        put_all(w, body->args[i], loop->regs[0]->args[i]);
        map_put(arena_of(w), &w->synced, body->args[i], loop->regs[0]->args[i]);
    }
    Builder in = builder_at_end(w->module, loop->regs[0], op->span);
    weave_region(w, &in, body, on);
    build_yield(&in, 0, NULL);
}

/* ---- branches with barriers */

/* Region k of the branch for the copies that go there; what it yields, per copy and result */
static Value **weave_side(Weave *w, Builder *b, const Op *op, int k, Value *any, Value *const *on) {
    int n = op->nres, all = n * w->n;
    const Type **types = NEWN(arena_of(w), const Type *, all);
    Value **vals = NEWN(arena_of(w), Value *, all);
    for (int i = 0; i < all; i++) types[i] = op->res[i % n].type;
    Op *guard = build_if(b, any, all, types);
    Builder in = builder_at_end(w->module, guard->regs[0], op->span),
            otherwise = builder_at_end(w->module, guard->regs[1], op->span);
    weave_region(w, &in, op->regs[k], on);
    build_yield(&in, all, all_values(w, region_term(op->regs[k]), 0));
    for (int i = 0; i < all; i++) vals[i] = zero_of(&otherwise, types[i]);
    build_yield(&otherwise, all, vals);
    for (int i = 0; i < all; i++) vals[i] = &guard->res[i];
    return vals;
}

static void weave_apart(Weave *w, Builder *b, const Op *op, Value *const *on) {
    Value *side[2][WEAVE_MAX], *any[2] = {NULL, NULL}, **vals[2];
    for (int k = 0; k < 2; k++)
        for (int c = 0; c < w->n; c++) {
            Value *cond = get(w, c, op_opnd(op, 0));
            if (k) cond = build_unary(b, OP_NOT, cond);
            side[k][c] = build_both(b, on[c], cond);
            any[k] = any[k] ? build_binary(b, OP_OR, any[k], side[k][c]) : side[k][c];
        }
    for (int k = 0; k < 2; k++) vals[k] = weave_side(w, b, op, k, any[k], side[k]);
    for (int c = 0; c < w->n; c++)
        for (int i = 0; i < op->nres; i++) {
            int at = c * op->nres + i;
            put(w, c, &op->res[i], build_select(b, get(w, c, op_opnd(op, 0)), vals[0][at], vals[1][at]));
        }
}

static void weave_if(Weave *w, Builder *b, const Op *op, Value *const *on) {
    if (!same_operands(w, op)) {
        weave_apart(w, b, op, on);
        return;
    }
    int n = op->nres, all = n * w->n;
    const Type **types = NEWN(arena_of(w), const Type *, all);
    for (int i = 0; i < all; i++) types[i] = op->res[i % n].type;
    Op *branch = build_if(b, get(w, 0, op_opnd(op, 0)), all, types);
    for (int k = 0; k < 2; k++) {
        Builder in = builder_at_end(w->module, branch->regs[k], op->span);
        weave_region(w, &in, op->regs[k], on);
        build_yield(&in, all, all_values(w, region_term(op->regs[k]), 0));
    }
    take_results(w, op, branch);
}

/* ---- branches without barriers, of copies that have something to share */

static const Type **types_of_all(Weave *w, const Op *op) {
    const Type **types = NEWN(arena_of(w), const Type *, op->nres * w->n + 1);
    for (int i = 0; i < op->nres * w->n; i++) types[i] = op->res[i % op->nres].type;
    return types;
}

static Value **results_of_all(Weave *w, const Op *op) {
    Value **v = NEWN(arena_of(w), Value *, op->nres * w->n + 1);
    for (int i = 0; i < op->nres * w->n; i++) v[i] = get(w, i / op->nres, (Value *)&op->res[i % op->nres]);
    return v;
}

/* All take the first side, or the second where the first does nothing, as that of `if outside { return }`: they stand
 * there side by side, under one condition, and read what they have in common once.  Else each for itself. */
static void weave_together(Weave *w, Builder *b, const Op *op, Value *const *on) {
    int all = op->nres * w->n, side = op->regs[0]->first == region_term(op->regs[0]);
    Value *every = NULL, *none[WEAVE_MAX] = {NULL};
    for (int c = 0; c < w->n; c++) {
        Value *cond = get(w, c, op_opnd(op, 0));
        every = build_both(b, build_both(b, every, on[c]), side ? build_unary(b, OP_NOT, cond) : cond);
    }
    Op *branch = build_if(b, every, all, types_of_all(w, op));
    op_set_flag(branch, A_FEW);
    Builder usual = builder_at_end(w->module, branch->regs[0], op->span),
            other = builder_at_end(w->module, branch->regs[1], op->span);
    copies_of(w, &other, op, on);
    build_yield(&other, all, results_of_all(w, op));
    weave_region(w, &usual, op->regs[side], none);
    build_yield(&usual, all, all_values(w, region_term(op->regs[side]), 0));
    take_results(w, op, branch);
}

/* ---- a region */

static void weave_barrier(Weave *w, Builder *b, const Op *op) {
    Value *ivs[MAX_RANK];
    for (int i = 0; i < op->nopnds; i++) {
        ivs[i] = map_get(&w->synced, op_opnd(op, i));
        if (!ivs[i]) ivs[i] = op_opnd(op, i);
    }
    build_op(b, OP_BARRIER, op->nopnds, ivs, 0, NULL, 0);
}

static bool same_bounds(Weave *w, const Op *op) {
    for (int i = 0; i < 3; i++)
        if (!same_in_all(w, op_opnd(op, i))) return false;
    return true;
}

static void weave_op(Weave *w, Builder *b, const Op *op, Value *const *on) {
    bool barrier = op_holds(op, OP_BARRIER), free = always(w, on);
    if (op->code == OP_BARRIER) weave_barrier(w, b, op);
    else if (op->code == OP_FOR && (barrier || (free && same_bounds(w, op)))) weave_for(w, b, op, on);
    else if (op->code == OP_IF && (barrier || (free && same_operands(w, op)))) weave_if(w, b, op, on);
    else if (op->code == OP_PARALLEL && (barrier || (free && same_operands(w, op)))) weave_parallel(w, b, op, on);
    else if (op->code == OP_WHILE && barrier) weave_while(w, b, op, on);
    else if (op->code == OP_IF && w->together && op_holds(op, OP_LOAD)) weave_together(w, b, op, on);
    else copies_of(w, b, op, on);
}

void weave_region(Weave *w, Builder *b, const Region *r, Value *const *on) {
    const Op *term = region_term(r);
    for (const Op *o = r->first; o != term; o = o->next) {
        b->span = o->span;
        weave_op(w, b, o, on);
    }
}
