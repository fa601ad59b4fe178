/* join-stores: where branches store in the same element, one store behind them stores what they choose.
 *
 * Needs proved accesses (`safe`).  `if interior { v[i] = a } else if i < n { v[i] = u[i] }`, as stencils are written
 * for a GPU, becomes `if i < n { v[i] = interior ? a : u[i] }`: what sets all elements of an array is seen to do so,
 * and is a comprehension for derivatives.  A store before a branch that stores there again,
 * `v[i] = u[i]  if interior { v[i] = a }`, goes into the branch's other side first, and so does one under a condition.
 *
 * Where one side stores under a condition of its own, as `i < n` above, the condition of the whole has to be simple:
 * that of a side, or one conjunction of comparisons; isl says. */
#include "analysis/affine.h"
#include "opt/pass.h"

#include <isl/set.h>

enum { MOST_WORK = 50000 /* for one branch */ };

/* ---- one side of a branch */

static bool is_empty_side(const Region *r) {
    for (const Op *o = r->first; o != r->last; o = o->next)
        if (!op_is_removable(o)) return false;
    return true;
}

/* A branch that does something on one side only, in *side, and gives no values */
static bool has_one_side(const Op *op, int *side) {
    if (op->code != OP_IF || op->nres) return false;
    *side = is_empty_side(op->regs[0]);
    return is_empty_side(op->regs[!*side]) && !is_empty_side(op->regs[*side]);
}

/* What a side does is to be done under a condition: all of it, or what `guard` does */
typedef struct { Op *guard; int side; Region *does; } Side;

static Side side_of(Region *r) {
    Side s = {.does = r}, plain = s;
    for (Op *o = r->first; o != r->last; o = o->next) {
        if (op_is_removable(o)) continue;
        if (s.guard || !has_one_side(o, &s.side)) return plain;
        s.guard = o;
        s.does = o->regs[s.side];
    }
    return s;
}

/* ---- two stores in the same element */

/* Computed within op, of what is known before it */
static bool is_formula(const Op *op, const Value *v) {
    if (!op_encloses(op, v) || value_const(v)) return true;
    if (!v->def || op_size_is_local(v->def)) return false;
    if (v->def->code != OP_SIZE && !op_is_scalar_arithmetic(v->def)) return false;
    for (int i = 0; i < v->def->nopnds; i++)
        if (!is_formula(op, op_opnd(v->def, i))) return false;
    return true;
}

static bool same_formula(const Value *x, const Value *y) {
    if (value_same_int(x, y)) return true;
    const Op *a = x->def, *b = y->def;
    if (!a || !b || a->code != b->code || a->nopnds != b->nopnds || x->type != y->type) return false;
    if (!op_is_scalar_arithmetic(a) || !a->nopnds || !op_same_attrs(a, b)) return false;
    for (int i = 0; i < a->nopnds; i++)
        if (!same_formula(op_opnd(a, i), op_opnd(b, i))) return false;
    return true;
}

static bool is_store(const Op *op) { return op->code == OP_STORE && op_flag(op, A_SAFE); }

static bool same_place(const Op *x, const Op *y) {
    if (op_buffer(x) != op_buffer(y)) return false;
    for (int i = op_index_first(x); i < op_index_end(x); i++)
        if (!same_formula(op_opnd(x, i), op_opnd(y, i))) return false;
    return true;
}

/* Nothing that follows in its region would see that it comes later. */
static bool may_come_last(const Op *store) {
    for (const Op *o = store->next; o; o = o->next)
        if (op_mentions(o, op_buffer(store)) || op_holds(o, OP_BARRIER)) return false;
    return true;
}

static bool may_leave(const Op *branch, const Op *store) {
    if (!is_store(store) || op_encloses(branch, op_buffer(store)) || !may_come_last(store)) return false;
    for (int i = op_index_first(store); i < op_index_end(store); i++)
        if (!is_formula(branch, op_opnd(store, i))) return false;
    return true;
}

/* The last ones that both sides do, and that may come behind the branch */
static bool find_pair(const Op *branch, const Region *x, const Region *y, Op *pair[2]) {
    for (Op *s = x->last; s; s = s->prev) {
        if (!may_leave(branch, s)) continue;
        for (Op *t = y->last; t; t = t->prev) {
            if (!may_leave(branch, t) || !same_place(s, t)) continue;
            pair[0] = s;
            pair[1] = t;
            return true;
        }
    }
    return false;
}

/* ---- the condition of the whole */

/* When the branch goes each way, and when a side stores if it does */
typedef struct {
    Affine *affine;
    Op *branch;
    isl_set *domain, *goes[2], *stores[2];
    bool exact; /* goes: else they may be too large */
} When;

static isl_set *condition(When *w, Value *c, bool truth, bool *exact) {
    isl_set *s = affine_condition(w->affine, w->branch, c, truth, exact);
    if (!s) *exact = false;
    return s ? isl_set_intersect(s, isl_set_copy(w->domain)) : isl_set_copy(w->domain);
}

static bool when_begin(When *w, const Side side[2]) {
    w->domain = affine_domain(w->affine, w->branch, NULL);
    bool known = w->domain, exact;
    w->exact = true;
    for (int k = 0; k < 2 && known; k++) {
        w->goes[k] = condition(w, op_opnd(w->branch, 0), k == 0, &exact);
        w->exact &= exact;
        w->stores[k] = side[k].guard ? condition(w, op_opnd(side[k].guard, 0), side[k].side == 0, &known)
                                     : isl_set_copy(w->domain);
    }
    return known;
}

static void when_end(When *w) {
    isl_set_free(w->domain);
    for (int k = 0; k < 2; k++) {
        isl_set_free(w->goes[k]);
        isl_set_free(w->stores[k]);
    }
}

/* When the branch goes the other way than k, that one's condition says the same as k's: k's is that of the whole. */
static bool is_whole(const When *w, int k) {
    isl_set *is = isl_set_intersect(isl_set_copy(w->goes[!k]), isl_set_copy(w->stores[!k]));
    isl_set *says = isl_set_intersect(isl_set_copy(w->goes[!k]), isl_set_copy(w->stores[k]));
    bool same = isl_set_is_equal(is, says) == isl_bool_true;
    isl_set_free(is);
    isl_set_free(says);
    return same;
}

/* When the whole stores, as one conjunction; NULL: it is none */
static isl_basic_set *whole_set(const When *w) {
    if (!w->exact) return NULL;
    isl_set *x = isl_set_intersect(isl_set_copy(w->goes[0]), isl_set_copy(w->stores[0]));
    isl_set *y = isl_set_intersect(isl_set_copy(w->goes[1]), isl_set_copy(w->stores[1]));
    isl_set *all = isl_set_union(x, y), *hull = isl_set_from_basic_set(isl_set_simple_hull(isl_set_copy(all)));
    bool whole = isl_set_is_subset(hull, all) == isl_bool_true;
    isl_set_free(all);
    if (!whole) return isl_set_free(hull), NULL;
    return affine_conjunction(isl_set_gist(hull, isl_set_copy(w->domain)));
}

/* v, a formula within the branch, at b, which is before or behind it */
static Value *outside(Builder *b, const Op *branch, Value *v) {
    Cloner c = {.module = b->module};
    for (int k = 0; k < 2; k++) v = clone_slice(&c, b, branch->regs[k], v);
    return v;
}

/* The condition of side k, computed before the branch */
static Value *guard_before(Op *branch, const Side *s) {
    Builder b = builder_before(branch);
    Value *v = outside(&b, branch, op_opnd(s->guard, 0));
    return s->side ? build_unary(&b, OP_NOT, v) : v;
}

/* Under *out, NULL: always, one side or the other stores; false: nothing so simple holds. */
static bool find_whole(Func *f, Op *branch, const Side side[2], Value **out) {
    When w = {.affine = affine_new(f, MOST_WORK), .branch = branch};
    affine_within(w.affine, op_around(branch, OP_ISLAND));
    affine_together(w.affine);
    int found = -1;
    isl_basic_set *set = NULL;
    bool known = when_begin(&w, side);
    affine_begin(w.affine);
    for (int k = 0; k < 2 && known && found < 0; k++)
        if (!side[k].guard && is_whole(&w, k)) found = k;
    for (int k = 0; k < 2 && known && found < 0; k++)
        if (side[k].guard && is_formula(branch, op_opnd(side[k].guard, 0)) && is_whole(&w, k)) found = k;
    if (known && found < 0) set = whole_set(&w);
    known = affine_end(w.affine) && (found >= 0 || set);
    Builder b = builder_before(branch);
    if (!known) *out = NULL;
    else if (set) *out = affine_build_inside(w.affine, &b, branch, set);
    else *out = side[found].guard ? guard_before(branch, &side[found]) : NULL;
    isl_basic_set_free(set);
    when_end(&w);
    affine_free(w.affine);
    return known;
}

/* ---- the change */

/* One store behind the branch, of one more value that it gives: the branch that does so */
static Op *join_pair(Op *branch, Op *const pair[2]) {
    const Type **types = NEWN(branch->parent->func->module->arena, const Type *, branch->nres + 1);
    for (int i = 0; i < branch->nres; i++) types[i] = branch->res[i].type;
    types[branch->nres] = op_opnd(pair[0], 0)->type;
    Builder b = builder_before(branch);
    Value *index[MAX_RANK], *buf = op_buffer(pair[0]), *cond = op_opnd(branch, 0);
    int n = op_index_end(pair[0]) - op_index_first(pair[0]);
    for (int i = 0; i < n; i++) index[i] = outside(&b, branch, op_opnd(pair[0], op_index_first(pair[0]) + i));
    for (int k = 0; k < 2; k++) op_add_opnd(region_term(branch->regs[k]), op_opnd(pair[k], 0));
    Op *gives = op_rebuild(branch, 1, &cond, branch->nres + 1, types);
    for (int i = 0; i < branch->nres; i++) value_take_over(&branch->res[i], &gives->res[i]);
    op_erase(branch);
    b = builder_after(gives);
    b.span = pair[0]->span;
    store_safe(&b, &gives->res[gives->nres - 1], buf, n, index);
    for (int k = 0; k < 2; k++) op_erase(pair[k]);
    return gives;
}

/* What guard does on that side is done without asking. */
static void do_always(const Side *s) {
    if (s->does->first != s->does->last) op_move_range(s->does->first, s->does->last->prev, s->guard->parent, s->guard);
    op_erase(s->guard);
}

/* Conditions of the sides become one around the branch. */
static bool join_guards(Func *f, Op *branch, const Side side[2]) {
    Value *cond;
    if (branch->nres || !find_whole(f, branch, side, &cond)) return false;
    if (cond) {
        Builder in, b = builder_before(branch);
        b.span = branch->span;
        build_when(&b, cond, &in);
        op_move_before(branch, in.before);
    }
    for (int k = 0; k < 2; k++)
        if (side[k].guard) do_always(&side[k]);
    return true;
}

static void join(Func *f, Op *branch) {
    Op *pair[2];
    for (;;) {
        Side side[2];
        while (find_pair(branch, branch->regs[0], branch->regs[1], pair)) branch = join_pair(branch, pair);
        for (int k = 0; k < 2; k++) side[k] = side_of(branch->regs[k]);
        if ((!side[0].guard && !side[1].guard) || !find_pair(branch, side[0].does, side[1].does, pair) ||
            !join_guards(f, branch, side))
            return;
    }
}

/* ---- a store before the branch */

/* The side of the branch stores in the element, and nothing there asks what stood in it. */
static bool is_overwritten(const Op *store, const Region *r) {
    for (const Op *o = r->first; o; o = o->next) {
        if (is_store(o) && same_place(o, store)) return true;
        if (op_mentions(o, op_buffer(store))) return false;
    }
    return false;
}

/* All that op does are stores which are overwritten. */
static bool is_in_vain(const Op *op, const Region *r) {
    int side;
    if (op->code == OP_STORE) return is_store(op) && is_overwritten(op, r);
    if (!has_one_side(op, &side)) return false;
    for (const Op *o = op->regs[side]->first; o != op->regs[side]->last; o = o->next)
        if (!op_is_removable(o) && !(is_store(o) && is_overwritten(o, r))) return false;
    return true;
}

static bool reads_what(const Op *op, const Op *store_or_branch) {
    if (store_or_branch->code == OP_STORE) return op_mentions(op, op_buffer(store_or_branch));
    for (int k = 0; k < 2; k++)
        for (const Op *o = store_or_branch->regs[k]->first; o; o = o->next)
            if (o->code == OP_STORE && op_mentions(op, op_buffer(o))) return true;
    return false;
}

/* What is overwritten where the branch goes its way is done where it goes the other. */
static void take_in(Op *branch) {
    int side;
    if (!has_one_side(branch, &side)) return;
    Op *before = branch->prev;
    while (before && op_is_removable(before)) before = before->prev;
    if (!before || !is_in_vain(before, branch->regs[side])) return;
    for (const Op *o = before->next; o != branch; o = o->next)
        if (reads_what(o, before)) return;
    op_move_before(before, region_term(branch->regs[!side]));
}

static void visit(Func *f, Region *r) {
    for (Op *o = r->first, *next; o; o = next) {
        next = o->next;
        for (int i = 0; i < o->nregs; i++) visit(f, o->regs[i]);
        if (o->code != OP_IF) continue;
        take_in(o);
        join(f, o);
    }
}

void pass_join_stores(Module *m, const PassOptions *opts) {
    (void)opts;
    for (int i = 0; i < m->funcs.len; i++) {
        Func *f = m->funcs.data[i];
        if (f->body && f->kind != FUNC_EXTERN) visit(f, f->body);
    }
}
