/* Folding of control flow: branches that are decided, loops that run once or never, carried values that
 * never change, short branches that become selects; and of tensor operations that do nothing. */
#include "analysis/cost.h"
#include "ir/index.h"
#include "opt/par/fold.h"

/* ---- tensors */

static bool all_int(const Op *op, int from, int64_t want) {
    int64_t c;
    for (int i = from; i < op->nopnds; i++)
        if (!value_const_int(op_opnd(op, i), &c) || c != want) return false;
    return true;
}

static bool is_identity(const Attr *perm) {
    for (int i = 0; i < perm->n; i++)
        if (perm->ints[i] != i) return false;
    return true;
}

/* opt/rules/tensor.rules says most of it, too; here it is for -O0 and -O1, where those rules do not run. */
bool fold_tensor(Op *op) {
    Value *x = op->nopnds ? op_opnd(op, 0) : NULL;
    int64_t c;
    switch (op->code) {
    case OP_RETYPE: case OP_RESHAPE: return x->type == op->res[0].type && fold_replace(op, x);
    case OP_CONCAT: return op->nopnds == 1 && fold_replace(op, x);
    case OP_BROADCAST: return x->type == op->res[0].type && fold_replace(op, x);
    case OP_TRANSPOSE: return is_identity(op_attr(op, A_PERM)) && fold_replace(op, x);
    case OP_SLICE:
        return x->type == op->res[0].type && all_int(op, 1, 0) && op_unit_steps(op) && fold_replace(op, x);
    case OP_SIZE: {
        Builder b = builder_before(op);
        return size_is_const(op_attr(op, A_SIZE)->sizes[0], &c) && fold_replace(op, build_int(&b, c));
    }
    default: return false;
    }
}

/* ---- regions in place of their owner */

/* Moves r's operations before op, and op's results become the values that r yields. */
static bool splice(Op *op, Region *r) {
    Op *term = region_term(r);
    if (term->prev) op_move_range(r->first, term->prev, op->parent, op);
    for (int i = 0; i < op->nres; i++) value_replace_all(&op->res[i], op_opnd(term, i));
    op_erase(op);
    return true;
}

/* ---- if */

/* A result that both sides yield alike, so that it comes from outside. */
static bool drop_equal_results(Op *op) {
    const Op *then = region_term(op->regs[0]), *otherwise = region_term(op->regs[1]);
    bool changed = false;
    for (int i = 0; i < op->nres; i++) {
        if (op_opnd(then, i) != op_opnd(otherwise, i) || value_unused(&op->res[i])) continue;
        value_replace_all(&op->res[i], op_opnd(then, i));
        changed = true;
    }
    return changed;
}

/* Float arithmetic stays in its branch: the derivative of a side that is not taken must not be formed, since
 * infinity times zero would spoil the other one. */
static bool may_leave_branch(const Op *o) {
    for (int i = 0; i < o->nres; i++)
        if (o->res[i].type->kind != TY_SCALAR || dtype_is_float(o->res[i].type->dtype)) return o->code == OP_CONST;
    return !o->nregs && op_is_speculatable(o);
}

/* Cost of the region's operations, or a large number where one may not run unasked. */
static int speculation_cost(const Region *r) {
    int cost = 0;
    for (const Op *o = r->first; o; o = o->next) {
        if (op_info(o->code)->traits & TR_TERM) continue;
        if (!may_leave_branch(o)) return 1000;
        cost += op_info(o->code)->cost;
        if (cost > COST_WRONG_WAY) return cost;
    }
    return cost;
}

static bool scalar_results(const Op *op) {
    for (int i = 0; i < op->nres; i++)
        if (op->res[i].type->kind != TY_SCALAR || op->res[i].type->dtype == DT_STR) return false;
    return op->nres > 0;
}

static bool if_to_select(Op *op) {
    if (!scalar_results(op) || speculation_cost(op->regs[0]) + speculation_cost(op->regs[1]) > COST_WRONG_WAY)
        return false;
    Op *then = region_term(op->regs[0]), *otherwise = region_term(op->regs[1]);
    if (then->prev) op_move_range(op->regs[0]->first, then->prev, op->parent, op);
    if (otherwise->prev) op_move_range(op->regs[1]->first, otherwise->prev, op->parent, op);
    Builder b = builder_before(op);
    for (int i = 0; i < op->nres; i++) {
        Value *v = build_select(&b, op_opnd(op, 0), op_opnd(then, i), op_opnd(otherwise, i));
        v->name = op->res[i].name;
        value_replace_all(&op->res[i], v);
    }
    op_erase(op);
    return true;
}

/* if (not c) a b: if (c) b a */
static bool unnegate(Op *op) {
    Op *cond = op_opnd(op, 0)->def;
    if (!cond || cond->code != OP_NOT) return false;
    op_set_opnd(op, 0, op_opnd(cond, 0));
    Region *r = op->regs[0];
    op->regs[0] = op->regs[1];
    op->regs[1] = r;
    return true;
}

enum { ASSUMED_DEPTH = 6 };

/* In r the bool v is known, and what it is made of as far as that follows. */
static bool assume(Region *r, Value *v, bool truth, int depth) {
    Value *known = NULL;
    for (Use *u = v->uses, *next; u; u = next) {
        next = u->next;
        if (!region_encloses(r, u->user->parent) || value_const(v)) continue;
        Builder b = {r->func->module, r, r->first, r->first->span};
        if (!known) known = build_bool(&b, truth);
        op_set_opnd(u->user, u->index, known);
    }
    const Op *def = v->def;
    bool parts = def && v->type->kind == TY_SCALAR && def->code == (truth ? OP_AND : OP_OR);
    if (depth < ASSUMED_DEPTH && (parts || (def && def->code == OP_NOT))) {
        truth ^= def->code == OP_NOT;
        for (int i = 0; i < def->nopnds; i++) known = assume(r, op_opnd(def, i), truth, depth + 1) ? v : known;
    }
    return known;
}

static bool assume_condition(Op *op) {
    bool yes = assume(op->regs[0], op_opnd(op, 0), true, 0), no = assume(op->regs[1], op_opnd(op, 0), false, 0);
    return yes || no;
}

static bool used_only_within(const Op *op, const Op *user) {
    for (int i = 0; i < op->nres; i++)
        for (const Use *u = op->res[i].uses; u; u = u->next)
            if (!op_inside(u->user, user)) return false;
    return op->nres > 0;
}

/* The branch of the same condition before op that makes what only op takes; nothing that has an effect is between. */
static Op *maker_of(const Op *op) {
    Op *before = op->prev;
    while (before && before->code != OP_IF && op_is_pure(before)) before = before->prev;
    if (!before || before->code != OP_IF || op_opnd(before, 0) != op_opnd(op, 0)) return NULL;
    if (!used_only_within(before, op) || op_holds(before, OP_BARRIER) || op_holds(op, OP_BARRIER)) return NULL;
    return before;
}

/* v = if (c) x y; if (c) .. v ..: if (c) .. x .. */
static bool take_in_maker(Op *op) {
    Op *maker = maker_of(op);
    if (!maker) return false;
    for (int k = 0; k < 2; k++) {
        Op *term = region_term(maker->regs[k]);
        if (term->prev) op_move_range(maker->regs[k]->first, term->prev, op->regs[k], op->regs[k]->first);
        for (int i = 0; i < maker->nres; i++)
            for (Use *u = maker->res[i].uses, *next; u; u = next) {
                next = u->next;
                if (op_ancestor(u->user, op->regs[k])) op_set_opnd(u->user, u->index, op_opnd(term, i));
            }
    }
    op_erase(maker);
    return true;
}

static bool fold_if(Op *op) {
    const Const *c = value_const(op_opnd(op, 0));
    if (c) return splice(op, op->regs[c->i ? 0 : 1]);
    return unnegate(op) || assume_condition(op) || drop_equal_results(op) || take_in_maker(op) || if_to_select(op);
}

/* ---- loops */

/* A carried value that the body passes on unchanged is its first value. */
static bool drop_unchanged(Op *op, int first, int skip) {
    Region *body = op->regs[op->nregs - 1];
    bool changed = false;
    for (int i = 0; i < op->nres; i++) {
        Value *init = op_opnd(op, first + i), *next = op_opnd(region_term(body), i);
        if (next != body->args[skip + i] && next != init) continue;
        for (int r = 0; r < op->nregs; r++) {
            Value *arg = op->regs[r]->args[skip + i];
            changed |= !value_unused(arg);
            value_replace_all(arg, init);
        }
        changed |= !value_unused(&op->res[i]);
        value_replace_all(&op->res[i], init);
    }
    return changed;
}

static bool trip_count(const Op *op, uint64_t *n) {
    int64_t lo, hi, step;
    if (!value_const_int(op_opnd(op, 0), &lo) || !value_const_int(op_opnd(op, 1), &hi) ||
        !value_const_int(op_opnd(op, 2), &step))
        return false;
    if (step == 0 || dtype_info(op_opnd(op, 0)->type->dtype)->kind == DK_UINT) return false;
    uint64_t distance = step > 0 ? (uint64_t)hi - (uint64_t)lo : (uint64_t)lo - (uint64_t)hi;
    uint64_t stride = step > 0 ? (uint64_t)step : 0 - (uint64_t)step;
    bool empty = step > 0 ? lo >= hi : lo <= hi;
    *n = empty ? 0 : (distance - 1) / stride + 1;
    return true;
}

static bool replace_results(Op *op, int first) {
    for (int i = 0; i < op->nres; i++) value_replace_all(&op->res[i], op_opnd(op, first + i));
    op_erase(op);
    return true;
}

static bool fold_for(Op *op) {
    uint64_t n;
    Region *body = op->regs[0];
    bool known = trip_count(op, &n);
    if (known && n == 0) return replace_results(op, 3);
    if (known && n == 1 && !op_flag(op, A_PROGRESS)) {
        value_replace_all(body->args[0], op_opnd(op, 0));
        for (int i = 0; i < op->nres; i++) value_replace_all(body->args[1 + i], op_opnd(op, 3 + i));
        return splice(op, body);
    }
    return drop_unchanged(op, 3, 1);
}

static bool fold_while(Op *op) {
    Region *test = op->regs[0];
    const Const *c = value_const(op_opnd(region_term(test), 0));
    if (!c || c->i) return drop_unchanged(op, 0, 0);
    for (const Op *o = test->first; o; o = o->next)
        if (o != region_term(test) && !op_is_removable(o)) return false;
    return replace_results(op, 0);
}

/* ---- spawn: both strands run in any case, so what they hand on is known as if they ran in order */

static bool yields_known(Op *op, int res, Value *v) {
    if (value_unused(&op->res[res]) || v->type->kind != TY_SCALAR) return false; /* a tensor has its owners */
    const Const *c = value_const(v);
    if (c) {
        Builder b = builder_before(op);
        v = build_const(&b, *c);
    } else if (v->def ? op_inside(v->def, op)
                      : region_encloses(op->regs[0], v->region) || region_encloses(op->regs[1], v->region))
        return false;
    value_replace_all(&op->res[res], v);
    return true;
}

/* A strand without anything in it */
static bool is_idle(const Region *r) { return r->first == region_term(r); }

static bool fold_spawn(Op *op) {
    bool changed = false;
    int res = 0;
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < region_term(op->regs[k])->nopnds; i++)
            changed |= yields_known(op, res++, op_opnd(region_term(op->regs[k]), i));
    if (!is_idle(op->regs[0]) && !is_idle(op->regs[1])) return changed;
    fold_serialize(op);
    return true;
}

void fold_serialize(Op *op) {
    int res = 0;
    for (int k = 0; k < 2; k++) {
        Op *term = region_term(op->regs[k]);
        if (term->prev) op_move_range(op->regs[k]->first, term->prev, op->parent, op);
        for (int i = 0; i < term->nopnds; i++) value_replace_all(&op->res[res++], op_opnd(term, i));
    }
    op_erase(op);
}

/* An index below 1 is 0; only a barrier goes on naming it. */
static bool fold_unit_index(Region *r, int i) {
    Value *iv = r->args[i], *zero = NULL;
    bool changed = false;
    for (Use *u = iv->uses, *next; u; u = next) {
        next = u->next;
        if (u->user->code == OP_BARRIER) continue;
        Builder b = {r->func->module, r, r->first, r->first->span};
        if (!zero) zero = build_int(&b, 0);
        op_set_opnd(u->user, u->index, zero);
        changed = true;
    }
    return changed;
}

static bool fold_unit_extents(Op *op, int extents) {
    bool changed = false;
    int64_t c;
    for (int i = 0; i < extents; i++)
        if (value_const_int(op_opnd(op, i), &c) && c == 1) changed |= fold_unit_index(op->regs[0], i);
    return changed;
}

/* No iterations at all: a reduction is its neutral element. */
static bool fold_never(Op *op) {
    int64_t c;
    bool never = false;
    for (int i = 0; i < op->regs[0]->nargs; i++) never |= value_const_int(op_opnd(op, i), &c) && c <= 0;
    if (!never) return false;
    Builder b = builder_before(op);
    for (int i = 0; i < op->nres; i++) value_replace_all(&op->res[i], build_neutral(&b, op, i));
    op_erase(op);
    return true;
}

static bool fold_unit_dims(Op *op) {
    const Type *t = op->res[0].type;
    bool changed = false;
    int64_t c;
    for (int i = 0; i < t->rank; i++)
        if (size_is_const(t->dims[i], &c) && c == 1) changed |= fold_unit_index(op->regs[0], i);
    return changed;
}

static bool fold_check(Op *op) {
    const Const *c = value_const(op_opnd(op, 0));
    if (!c || !c->i) return false;
    op_erase(op);
    return true;
}

bool fold_flow(Op *op) {
    switch (op->code) {
    case OP_IF: return fold_if(op);
    case OP_FOR: return fold_for(op);
    case OP_WHILE: return fold_while(op);
    case OP_SPAWN: return fold_spawn(op);
    case OP_PARALLEL: return fold_never(op) || fold_unit_extents(op, op->nopnds);
    case OP_REDUCE: return fold_never(op) || fold_unit_extents(op, op->regs[0]->nargs);
    case OP_GENERATE: return fold_unit_dims(op);
    case OP_CHECK: return fold_check(op);
    default: return false;
    }
}
