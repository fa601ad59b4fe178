/* Accesses to tensors from outside of a nest: gathered where their indices can be inverted, scattered else. */
#include "ad/pull.h"
#include "analysis/range.h"
#include "ir/index.h"

/* ---- tensors from outside */

static bool depends(const Pull *p, const Value *v) { /* on an index of the nest */
    if (!inside_root(p, v)) return false;
    if (!v->def) return true;
    if (v->def->nregs) return true;
    for (int i = 0; i < v->def->nopnds; i++)
        if (depends(p, op_opnd(v->def, i))) return true;
    return false;
}

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
    Value *by = value_here(e, op_opnd(op, !at));
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

/* The index that goes around is taken no more often than to come around: each remainder is met once at most. */
static bool comes_around_once(const Pull *p, const Step *st, const Size *around) {
    const Size *n = extent_size(st);
    int64_t more;
    return n && (n == around || (size_is_const(size_sub(p->s->ad->module->session, around, n), &more) && more > 0));
}

/* ---- several indices of the nest in one of the access, x[l, i + a, j + b] of a convolution: one is solved for, when
 * the others, which are summed over, are known */

typedef struct { int n; struct { int axis, step; } of[MAX_RANK]; } Late;

/* The operand of a sum or difference that depends on the index; -1: none, both */
static int toward(const Op *op, const Value *index) {
    bool x = value_depends(op_opnd(op, 0), index), y = value_depends(op_opnd(op, 1), index);
    return x != y ? y : -1;
}

/* v is the index plus or minus something, or that minus the index. */
static bool is_shifted(const Value *v, const Value *index) {
    while (v != index) {
        const Op *op = v->def;
        bool sum = op && (op->code == OP_ADD || op->code == OP_SUB) && v->type->kind == TY_SCALAR;
        int at = sum && v->type->dtype == DT_I64 ? toward(op, index) : -1;
        if (at < 0) return false;
        v = op_opnd(op, at);
    }
    return true;
}

/* Indices whose loops have sizes that are known before the nest, and may be taken in any order */
static bool is_free(const Pull *p, const Path *path) {
    for (int i = 0; i < path->n; i++) {
        const Step *st = &path->step[i];
        bool plain = st->owner->code == OP_GENERATE || st->owner->code == OP_REDUCE;
        if (st->won) return false;
        if (!index_of(st)) continue;
        const Size *n = plain && by_one(st->owner) ? extent_size(st) : NULL;
        if (!n || !size_is_known_at(p->root, n)) return false; /* it may be one that the nest finds */
    }
    return true;
}

/* How often an index is taken, as far as it is known: those of results are thought to be more than those of sums. */
static int64_t length_of(const Step *st) {
    int64_t n;
    if (size_is_const(extent_size(st), &n)) return n;
    return st->owner->code == OP_GENERATE ? INT64_MAX : INT64_MAX - 1;
}

/* The longest of the loops whose indices v is made of, if v may be solved for its index: the others are summed over for
 * each element; -1: it may not, or nobody knows which is the longest */
static int step_to_solve(const Path *path, const Value *v, const bool *taken) {
    int best = -1;
    bool alike = false;
    for (int i = 0; i < path->n; i++) {
        const Value *index = index_of(&path->step[i]);
        if (!index || !value_depends(v, index)) continue;
        int64_t more = best < 0 ? 1 : length_of(&path->step[i]) - length_of(&path->step[best]);
        if (more >= 0) alike = more == 0 && !size_is_const(extent_size(&path->step[i]), NULL);
        if (more > 0) best = i;
    }
    return best >= 0 && !alike && !taken[best] && is_shifted(v, index_of(&path->step[best])) ? best : -1;
}

/* Axis `axis` of the access, of several indices, by one that no other axis is solved for, nor made of */
static bool solve_late(const Pull *p, const Op *access, const Path *path, int axis, bool *taken, Late *late) {
    const Value *v = op_opnd(access, axis);
    int best = is_free(p, path) ? step_to_solve(path, v, taken) : -1;
    if (best < 0) return false;
    for (int i = 0; i < path->n; i++) {
        const Value *index = index_of(&path->step[i]);
        if (!index || !value_depends(v, index)) continue;
        for (int k = 0; k < late->n; k++)
            if (late->of[k].step == i) return false;
        taken[i] = true;
    }
    late->of[late->n].axis = axis;
    late->of[late->n++].step = best;
    return true;
}

/* Indices that are solved for late come behind all others, and then branches. */
static Path late_last(const Path *path, const Late *late) {
    Path sorted = {0};
    for (int turn = 0; turn < 3; turn++)
        for (int i = 0; i < path->n; i++) {
            bool last = false;
            for (int k = 0; k < late->n; k++) last |= late->of[k].step == i;
            int when = !index_of(&path->step[i]) ? 2 : last;
            if (when == turn) sorted.step[sorted.n++] = path->step[i];
        }
    return sorted;
}

Value *solve_here(Emit *e, const Solution *sol, int at, const Value *index) {
    Value *v = sol->expr[at], *j = sol->target[at];
    while (v != index) {
        const Op *op = v->def;
        int moves = toward(op, index);
        j = without(e, op, moves, j);
        v = op_opnd(op, moves);
    }
    return j;
}

/* ---- whether */

/* Each axis of the access is an index of the nest of its own, shifted, also around, or fixed, or of several (late) */
static bool find_solutions(Pull *p, const Op *access, const Path *path, Late *late) {
    Shift sh;
    bool taken[MAX_PATH] = {0};
    *late = (Late){0};
    for (int i = 1; i < access->nopnds; i++) {
        if (!depends(p, op_opnd(access, i)) || !read_shift(p, op_opnd(access, i), &sh)) continue;
        int at = step_of(path, sh.index);
        if (at < 0 || taken[at] || !by_one(path->step[at].owner) || path->step[at].won) return false;
        if (sh.around && !comes_around_once(p, &path->step[at], sh.around)) return false;
        taken[at] = true;
    }
    for (int i = 1; i < access->nopnds; i++)
        if (depends(p, op_opnd(access, i)) && !read_shift(p, op_opnd(access, i), &sh) &&
            !solve_late(p, access, path, i, taken, late))
            return false;
    return true;
}

bool can_gather(Pull *p, const Op *access, const Path *path) {
    Late late;
    return find_solutions(p, access, path, &late);
}

/* An index of the access is that of the nest, as can_gather has it */
static bool is_solved(const Pull *p, const Op *access, const Value *index) {
    Shift sh;
    for (int i = 1; i < access->nopnds; i++)
        if (depends(p, op_opnd(access, i)) && read_shift(p, op_opnd(access, i), &sh) && sh.index == index) return true;
    return false;
}

/* Of least and greatest elements the winner alone is looked at where else a sum over others would be: over these, or
 * for each of these over what they were compared for (the nearest of k for each of n: n elements, not n times k). */
void find_winners(Pull *p, Access *a) {
    bool sums = false;
    for (int i = 0; i < a->path.n; i++) {
        const Value *index = index_of(&a->path.step[i]);
        sums |= index && !is_extreme(&a->path.step[i]) && !is_solved(p, a->op, index);
    }
    for (int i = 0; i < a->path.n; i++) {
        Step *st = &a->path.step[i];
        st->won = is_extreme(st) && st->owner != p->root && (sums || !is_solved(p, a->op, index_of(st)));
    }
}

static Value *make_access(Emit *e, const End *end) { return pull(e, &end->access->res[0]); }

static Value *make_from(Emit *e, const End *end) {
    Value *idx[MAX_RANK];
    const Region *r = e->p->root->regs[0];
    for (int i = 0; i < r->nargs; i++) idx[i] = value_here(e, r->args[i]);
    return keep_mask(e->p->s->ad, extract_safe(&e->b, end->from, r->nargs, idx), end->from);
}

static End end_of(const Access *a) {
    return (End){
        .make = a->from ? make_from : make_access, .access = a->op, .from = a->from, .type = a->op->res[0].type};
}

/* What the access gives the element at the indices of the region of `over` */
static Value *gathered(Emit *e, const Access *a, const Region *over) {
    Solution sol = {0};
    Value *same = NULL;
    Op *access = a->op;
    Late late;
    find_solutions(e->p, access, &a->path, &late);
    const Path sorted = late_last(&a->path, &late), *path = late.n ? &sorted : &a->path;
    const Type *t = op_opnd(access, 0)->type;
    End end = end_of(a);
    for (int k = 0; k < late.n; k++) {
        int at = step_of(path, index_of(&a->path.step[late.of[k].step]));
        sol.expr[at] = op_opnd(access, late.of[k].axis);
        sol.target[at] = over->args[late.of[k].axis - 1];
    }
    for (int i = 1; i < access->nopnds; i++) {
        Value *v = op_opnd(access, i), *j = over->args[i - 1];
        Shift sh;
        if (!depends(e->p, v)) {
            Value *here = build_binary(&e->b, OP_EQ, value_here(e, v), j);
            same = same ? build_binary(&e->b, OP_AND, same, here) : here;
            continue;
        }
        if (!read_shift(e->p, v, &sh)) continue;
        int at = step_of(path, sh.index);
        sol.solved[at] = unshift(e, &sh, v, j, t->dims[i - 1], &same);
        const Size *all = sh.around ? sh.around : v == sh.index ? t->dims[i - 1] : NULL;
        sol.inside[at] = all && extent_size(&path->step[at]) == all;
    }
    return same ? guarded(e, same, true, path, 0, &sol, &end) : descend(e, path, 0, &sol, &end);
}

static void reverse_gathered(Pull *p, Value *tensor, const Access *accesses, int n) {
    Session *ss = p->s->ad->module->session;
    Op *made = build_op(&p->s->b, OP_GENERATE, 0, NULL, 1, &tensor->type, 1);
    for (int i = 0; i < tensor->type->rank; i++) region_add_arg(made->regs[0], type_scalar(ss, DT_I64), "j");
    Emit top = {.p = p, .b = p->s->b};
    Emit e = emit_inside(&top, made->regs[0]);
    Value *sum = NULL;
    p->s->inner = made;
    for (int i = 0; i < n; i++) {
        Emit one = {.p = p, .up = &top, .b = e.b};
        sum = sum_adjoints(p->s->ad, &e.b, sum, gathered(&one, &accesses[i], made->regs[0]));
    }
    if (!sum) sum = build_float(&e.b, tensor->type->dtype, 0);
    build_yield(&e.b, 1, &sum);
    p->s->inner = NULL;
    add_adjoint(p->s, tensor, &made->res[0]);
}

/* ---- scattered accesses: values and indices for all of the nest, then atomic updates */

static Value *make_index(Emit *e, const End *end) { return value_here(e, end->use->val); }

/* A comprehension over the indices of the path (branches become 0) of what `end` makes */
static Value *over_nest(Pull *p, const Path *path, const Type *t, const End *end) {
    Op *made = build_op(&p->s->b, OP_GENERATE, 0, NULL, 1, &t, 1);
    Emit top = {.p = p, .b = p->s->b}, e = emit_inside(&top, made->regs[0]);
    Solution sol = {0};
    p->s->inner = made;
    for (int i = 0; i < path->n; i++) {
        if (!index_of(&path->step[i]) || path->step[i].won) continue;
        sol.solved[i] = region_add_arg(made->regs[0], type_scalar(p->s->ad->module->session, DT_I64), "i");
        sol.inside[i] = true;
    }
    Value *v = descend(&e, path, 0, &sol, end);
    if (!v) v = build_const(&e.b, (Const){.dtype = end->type->dtype});
    build_yield(&e.b, 1, &v);
    p->s->inner = NULL;
    return &made->res[0];
}

static Op *scatter_island(Scope *s, Value *into, Value *values, Value *const *idx, const Op *access) {
    int n = access->nopnds - 1;
    Value *opnds[MAX_RANK + 2] = {into, values};
    int64_t modes[MAX_RANK + 2] = {2, 0};
    for (int i = 0; i < n; i++) opnds[2 + i] = idx[i];
    Op *island = build_island(&s->b, 2 + n, opnds, modes);
    Builder b = builder_at_end(s->ad->module, island->regs[0], s->b.span);
    Value *extents[MAX_RANK], **buf = island->regs[0]->args;
    for (int i = 0; i < values->type->rank; i++) extents[i] = build_size(&b, values->type->dims[i]);
    Op *par = build_parallel(&b, values->type->rank, extents, LOOP_PLAIN);
    build_yield(&b, 0, NULL);
    Builder in = builder_at_end(s->ad->module, par->regs[0], s->b.span);
    Value *v = load_safe(&in, buf[1], values->type->rank, par->regs[0]->args), *at[MAX_RANK], *some = NULL;
    for (int i = 0; i < n && s->ad->again; i++) { /* of a 0 the derivative may be something else */
        at[i] = load_safe(&in, buf[2 + i], values->type->rank, par->regs[0]->args);
        some = build_both(&in, some, build_binary(&in, OP_LT, at[i], build_size(&in, into->type->dims[i])));
    }
    if (!some) some = build_binary(&in, OP_NE, v, build_float(&in, v->type->dtype, 0));
    Builder then;
    build_when(&in, some, &then);
    build_yield(&in, 0, NULL);
    for (int i = 0; i < n && !s->ad->again; i++)
        at[i] = load_safe(&then, buf[2 + i], values->type->rank, par->regs[0]->args);
    checked_as(atomic_safe(&then, COMBINE_ADD, v, buf[0], n, at), access);
    return island;
}

bool nest_dims(Pull *p, const Path *path, const Size **dims, int *n) {
    *n = 0;
    for (int i = 0; i < path->n; i++) {
        if (!index_of(&path->step[i]) || path->step[i].won) continue;
        if (*n == TENSOR_RANK) return cannot(p->s->ad, p->root, "a nest of this many indices"), false;
        dims[*n] = extent_size(&path->step[i]);
        if (!dims[(*n)++])
            return cannot(p->s->ad, p->root, "an access through other arrays in a nest of uneven loops"), false;
    }
    return true;
}

static void reverse_scattered(Pull *p, Value *tensor, const Access *a) {
    Op *access = a->op;
    explain_adjoint(p->s->ad, access->span, tensor,
                    "a scatter by atomic updates: the indices that are read cannot be solved for");
    const Path *path = &a->path;
    Session *ss = p->s->ad->module->session;
    const Size *dims[MAX_RANK];
    Value *idx[MAX_RANK];
    int n;
    if (!nest_dims(p, path, dims, &n)) return;
    End values = end_of(a);
    Value *v = a->from ? a->from : over_nest(p, path, type_tensor(ss, values.type->dtype, n, dims), &values);
    for (int i = 1; i < access->nopnds && !p->s->ad->failed; i++) {
        End index = {.make = make_index, .use = &access->opnds[i], .type = type_scalar(ss, DT_I64)};
        idx[i - 1] = over_nest(p, path, type_tensor(ss, DT_I64, n, dims), &index);
    }
    if (p->s->ad->failed) return;
    Value *into = adjoint_or_zero(p->s, tensor);
    set_adjoint(p->s, tensor, &scatter_island(p->s, into, v, idx, access)->res[0]);
}

/* The accesses of one tensor: what can be gathered, together */
void reverse_accesses(Pull *p, Value *tensor, const AccessList *all) {
    AccessList gather = {0};
    for (int i = 0; i < all->len && !p->s->ad->failed; i++) {
        const Access *a = &all->data[i];
        if (can_gather(p, a->op, &a->path)) vec_push(p->s->ad->arena, &gather, *a);
        else reverse_scattered(p, tensor, a);
    }
    if (gather.len && !p->s->ad->failed)
        explain_adjoint(p->s->ad, p->root->span, tensor,
                        "a gather: each element sums what the places that read it give, without atomic updates");
    if (gather.len && !p->s->ad->failed) reverse_gathered(p, tensor, gather.data, gather.len);
}
