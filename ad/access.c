/* Accesses to tensors from outside of a nest: gathered where their indices can be inverted, scattered else. */
#include "ad/solve.h"
#include "analysis/range.h"
#include "ir/index.h"

/* ---- tensors from outside */

/* An index of an access, made of an index of the nest by adding what the nest does not change, subtracting, and
 * remainders by `around`, which is how often the index is taken (x[(i + 1) % n]) */
typedef struct { Value *index; const Size *around; } Shift;

/* The operand of a sum or difference that depends on an index of the nest; -1: none, both */
static int moving(const Pull *p, const Op *op) {
    bool x = depends(p, op_opnd(op, 0)), y = depends(p, op_opnd(op, 1));
    return x != y ? y : -1;
}

/* A remainder of what wraps around at 2^64 is not solved for. */
static bool is_exact(const Pull *p, const Op *op) {
    Ranges *r = ranges_new(p->s->ad->module->session);
    bool exact = range_exact(r, op, op);
    ranges_free(r);
    return exact;
}

static bool read_shift(const Pull *p, Value *v, Shift *out) {
    *out = (Shift){0};
    for (; !inside_root(p, v) || v->def;) {
        Op *op = v->def;
        if (!op || v->type->kind != TY_SCALAR || v->type->dtype != DT_I64) return false;
        if (op->code == OP_MOD) {
            Session *s = p->s->ad->module->session;
            const Size *n = depends(p, op_opnd(op, 1)) ? NULL : value_size(s, op_opnd(op, 1), false);
            if (!n || (out->around && out->around != n)) return false;
            out->around = n, v = op_opnd(op, 0);
        } else {
            int at = op->code == OP_ADD || op->code == OP_SUB ? moving(p, op) : -1;
            if (at < 0 || (out->around && !is_exact(p, op))) return false;
            v = op_opnd(op, at);
        }
    }
    out->index = v;
    return true;
}

static int step_of(const Path *path, const Value *index) {
    for (int i = 0; i < path->n; i++)
        if (index_of(&path->step[i]) == index) return i;
    return -1;
}

/* The operand beside the moving one, taken away from j */
static Value *without(Emit *e, const Op *op, int at, Value *j) {
    Value *by = fixed_here(e, op_opnd(op, !at));
    if (op->code == OP_ADD) return build_binary(&e->b, OP_SUB, j, by);
    return at ? build_binary(&e->b, OP_SUB, by, j) : build_binary(&e->b, OP_ADD, j, by);
}

/* The index of the nest for which v, as read_shift has it, is j, an index of an axis with dim elements; where *when
 * does not hold, none is */
static Value *unshift(Emit *e, const Shift *sh, const Value *v, Value *j, const Size *dim, Value **when) {
    Value *at = j, *n = NULL;
    while (v != sh->index) {
        const Op *op = v->def;
        int moves = op->code == OP_MOD ? 0 : moving(e->p, op);
        if (op->code != OP_MOD) at = without(e, op, moves, at);
        else if (!n) {
            n = build_size(&e->b, sh->around);
            if (at != j || dim != sh->around) {
                *when = build_both(&e->b, *when, build_inside(&e->b, at, n));
                n = index_max(&e->b, n, build_int(&e->b, 1));
            }
        }
        v = op_opnd(op, moves);
    }
    return n ? imod_safe(&e->b, at, n) : at;
}

/* ---- whether */

/* Each axis of the access is an index of the nest of its own, shifted, also around, or fixed, or one that is planned */
static bool find_solutions(Pull *p, const Op *access, const Path *path, Plan *plan) {
    Shift sh;
    bool taken[MAX_PATH] = {0}, planned[MAX_RANK] = {0}, some = false;
    *plan = (Plan){0};
    for (int i = 1; i < access->nopnds; i++) {
        if (!depends(p, op_opnd(access, i))) continue;
        int at = read_shift(p, op_opnd(access, i), &sh) ? step_of(path, sh.index) : -1;
        bool plain = at >= 0 && !taken[at] && by_one(path->step[at].owner) && !path->step[at].won;
        if (plain && sh.around) plain = comes_around_once(p, &path->step[at], sh.around);
        if (plain) taken[at] = true;
        else planned[i - 1] = some = true;
    }
    return !some || plan_axes(p, access, path, taken, planned, plan);
}

bool can_gather(Pull *p, const Op *access, const Path *path) {
    Plan plan;
    return find_solutions(p, access, path, &plan);
}

/* The index of the nest is known where the element is: that of the access, shifted, or one that is planned */
static bool is_solved(const Pull *p, const Op *access, const Path *path, const Plan *plan, int step) {
    Shift sh;
    if (plan->norder && plan->role[step] != ROLE_PATH) return true;
    for (int i = 1; i < access->nopnds; i++)
        if (depends(p, op_opnd(access, i)) && read_shift(p, op_opnd(access, i), &sh) &&
            sh.index == index_of(&path->step[step]))
            return true;
    return false;
}

/* Of least and greatest elements the winner alone is looked at where else a sum over others would be: over these, or
 * for each of these over what they were compared for (the nearest of k for each of n: n elements, not n times k). */
void find_winners(Pull *p, Access *a) {
    Plan plan;
    bool sums = false;
    if (!find_solutions(p, a->op, &a->path, &plan)) plan = (Plan){0};
    for (int i = 0; i < a->path.n; i++) {
        bool other = index_of(&a->path.step[i]) && !is_extreme(&a->path.step[i]);
        sums |= other && !is_solved(p, a->op, &a->path, &plan, i);
    }
    for (int i = 0; i < a->path.n; i++) {
        Step *st = &a->path.step[i];
        bool solved = index_of(st) && is_solved(p, a->op, &a->path, &plan, i);
        st->won = is_extreme(st) && st->owner != p->root && !plan.several && (sums || !solved);
    }
}

static Value *make_access(Emit *e, const End *end) { return pull(e, &end->access->res[0]); }

static Value *make_from(Emit *e, const End *end) {
    Value *idx[MAX_RANK];
    const Region *r = e->p->root->regs[0];
    for (int i = 0; i < r->nargs; i++) idx[i] = value_here(e, r->args[i]);
    return keep_mask(e->p->s->ad, extract_safe(&e->b, end->from, r->nargs, idx), end->from);
}

End end_of(const Pull *p, const Access *a) {
    const Type *type = adjoint_type(p->s->ad, a->op->res[0].type);
    return (End){
        .make = a->from ? make_from : make_access, .access = a->op, .from = a->from, .type = type};
}

/* ---- what the access gives the element at the indices of the region of `over` */

typedef struct { const Path *path; Solution sol; const End *end; Value *same; } Gathered;

static Value *go_down(Emit *e, const Gathered *g) {
    return g->same ? guarded(e, g->same, true, g->path, 0, &g->sol, g->end) : descend(e, g->path, 0, &g->sol, g->end);
}

static Value *or_zero(Emit *e, Value *v, const End *end) { return v ? v : build_float(&e->b, end->type->dtype, 0); }

/* What `then` gives where cond holds, else what `other` gives */
static Value *either_way(Emit *e, Value *cond, const Gathered *g, Value *(*then)(Emit *, const Gathered *),
                         Value *(*other)(Emit *, const Gathered *)) {
    Op *made = build_if(&e->b, cond, 1, &g->end->type), *outer = enter(e, made);
    Emit in = emit_inside(e, made->regs[0]), out = emit_inside(e, made->regs[1]);
    op_set_flag(made, A_FEW); /* the usual case */
    Value *x = or_zero(&in, then(&in, g), g->end);
    build_yield(&in.b, 1, &x);
    Value *y = or_zero(&out, other(&out, g), g->end);
    build_yield(&out.b, 1, &y);
    leave(e, outer);
    return keep_mask(e->p->s->ad, keep_mask(e->p->s->ad, &made->res[0], x), y);
}

/* Of all places that read the tensor, those that read the element */
static Value *make_match(Emit *e, const End *end) {
    Value *same = NULL;
    const Region *over = end->over;
    Path none = {0};
    End plain = *end;
    plain.make = end->from ? make_from : make_access;
    for (int i = 0; i < over->nargs; i++) {
        Value *here = value_here(e, op_opnd(end->access, i + 1));
        same = build_both(&e->b, same, build_binary(&e->b, OP_EQ, here, over->args[i]));
    }
    return guarded(e, same, true, &none, 0, NULL, &plain);
}

static Value *by_looking(Emit *e, const Gathered *g) {
    End match = *g->end;
    match.make = make_match;
    return descend(e, g->path, 0, NULL, &match);
}

static Value *by_intervals(Emit *e, const Gathered *g) { return go_down(e, g); }

static Value *by_one_place(Emit *e, const Gathered *g) {
    Gathered one = *g;
    Solving s = *g->sol.solving;
    s.between = true;
    one.sol.solving = &s;
    return go_down(e, &one);
}

/* What is clamped is looked at at its ends alone. */
static Value *by_solving(Emit *e, const Gathered *g) {
    Value *between = g->sol.solving ? lies_between(e, g->path, g->sol.solving) : NULL;
    return between ? either_way(e, between, g, by_one_place, by_intervals) : go_down(e, g);
}

/* Axes that are solved one by one; g->same: where those that do not depend on the nest are the element's */
static void solve_shifts(Emit *e, const Op *access, const Region *over, const Plan *plan, Gathered *g) {
    const Path *path = g->path;
    const Type *t = op_opnd(access, 0)->type;
    for (int i = 1; i < access->nopnds; i++) {
        Value *v = op_opnd(access, i), *j = over->args[i - 1];
        Shift sh;
        if (!depends(e->p, v)) {
            Value *here = build_binary(&e->b, OP_EQ, fixed_here(e, v), j);
            g->same = g->same ? build_binary(&e->b, OP_AND, g->same, here) : here;
            continue;
        }
        if (plan->eq[i - 1].used || !read_shift(e->p, v, &sh)) continue;
        int at = step_of(path, sh.index);
        g->sol.solved[at] = unshift(e, &sh, v, j, t->dims[i - 1], &g->same);
        const Size *all = sh.around ? sh.around : v == sh.index ? t->dims[i - 1] : NULL;
        g->sol.inside[at] = all && extent_size(&path->step[at]) == all;
    }
}

static Value *gathered(Emit *e, const Access *a, const Region *over) {
    Plan plan;
    End end = end_of(e->p, a);
    find_solutions(e->p, a->op, &a->path, &plan);
    const Path sorted = sort_path(&a->path, &plan);
    Gathered g = {.path = &sorted, .end = &end};
    Solving s = start_solving(&plan, over, op_opnd(a->op, 0)->type);
    end.over = over;
    solve_shifts(e, a->op, over, &plan, &g);
    for (int i = 0; i < sorted.n; i++) g.sol.planned[i] = plan.role[i] != ROLE_PATH;
    if (plan.norder) g.sol.solving = &s;
    Value *holds = plan_holds(e, &sorted, &s);
    return holds ? either_way(e, holds, &g, by_solving, by_looking) : by_solving(e, &g);
}

static void reverse_gathered(Pull *p, Value *tensor, const Access *accesses, int n) {
    Session *ss = p->s->ad->module->session;
    const Type *t = adjoint_type(p->s->ad, tensor->type);
    Op *made = build_op(&p->s->b, OP_GENERATE, 0, NULL, 1, &t, 1);
    for (int i = 0; i < tensor->type->rank; i++) region_add_arg(made->regs[0], type_scalar(ss, DT_I64), "j");
    Emit top = {.p = p, .b = p->s->b};
    Emit e = emit_inside(&top, made->regs[0]);
    Value *sum = NULL;
    p->s->inner = made;
    for (int i = 0; i < n; i++) {
        Emit one = {.p = p, .up = &top, .b = e.b};
        sum = sum_adjoints(p->s->ad, &e.b, sum, gathered(&one, &accesses[i], made->regs[0]));
    }
    if (!sum) sum = build_float(&e.b, t->dtype, 0);
    build_yield(&e.b, 1, &sum);
    p->s->inner = NULL;
    add_adjoint(p->s, tensor, &made->res[0]);
}

/* The accesses of one tensor: what can be gathered, together */
void reverse_accesses(Pull *p, Value *tensor, const AccessList *all) {
    AccessList gather = {0}, scatter = {0};
    for (int i = 0; i < all->len && !p->s->ad->failed; i++) {
        const Access *a = &all->data[i];
        if (can_gather(p, a->op, &a->path)) vec_push(p->s->ad->arena, &gather, *a);
        else vec_push(p->s->ad->arena, &scatter, *a);
    }
    reverse_scattered(p, tensor, &scatter);
    if (gather.len && !p->s->ad->failed)
        explain_adjoint(p->s->ad, p->root->span, tensor,
                        "a gather: each element sums what the places that read it give, without atomic updates");
    if (gather.len && !p->s->ad->failed) reverse_gathered(p, tensor, gather.data, gather.len);
}
