/* Where the text of each operation of a function goes, before its first line is written.
 *
 * An operation with one use and no name of its own becomes part of the expression that uses it, if nothing between the
 * two changes what it reads: stores for loads, consumed tensors for elements of tensors, early overwritten variables
 * for carried values.  It does not move into loops.  A value handed on for the last time (as an init, to an island that
 * updates it, through an if that may change it) passes on its C variable: loop-carried accumulators become one
 * variable. */
#include "codegen/c/private.h"

#include <string.h>

Placement *place_of(const Emit *e, const Op *op) { return &e->places[op->mark]; }

static bool is_dead(const Emit *e, const Op *op) { return plan_is_dead(e->plan, op); }

/* ---- who passes on its variable */

static bool is_carried_arg(const Value *v) {
    const Region *r = v->region;
    if (!r || !r->owner) return false;
    return (r->owner->code == OP_FOR && v->index > 0) || r->owner->code == OP_WHILE;
}

static bool is_loop_result(const Value *v) { return v->def && op_is_sequential_loop(v->def); }

/* Its C variable changes while the value is alive in the IR, or is not const. */
static bool may_change(const Value *v) {
    return is_carried_arg(v) || is_loop_result(v) || (v->def && v->def->code == OP_IF);
}

static bool has_own_variable(const Value *v) {
    if (is_carried_arg(v)) return v->region->owner->code == OP_FOR || v->region == v->region->owner->regs[1];
    return is_loop_result(v) || type_is_tensor(v->type);
}

/* No operation after `at` uses v; at itself has `allowed` uses of it, and its regions none unless `inside`. */
static bool ends_at(const Emit *e, const Value *v, Op *at, bool inside, int allowed) {
    if (!has_own_variable(v) || value_region(v) != at->parent) return false;
    for (const Use *u = v->uses; u; u = u->next) {
        if (is_dead(e, u->user)) continue;
        Op *a = op_ancestor(u->user, at->parent);
        if (!a || a->order > at->order) return false;
        if (a != at) continue;
        if (u->user != at && !inside) return false;
        if (u->user == at && --allowed < 0) return false;
    }
    return true;
}

static bool already_shared(const Placement *p, int n, const Value *v) {
    for (int i = 0; i < n; i++)
        if (p->shares[i] == v) return true;
    return false;
}

static void share_inits(const Emit *e, Op *op, Placement *p, int first) {
    for (int i = 0; i < op->nres; i++) {
        Value *v = op_opnd(op, first + i);
        if (ends_at(e, v, op, false, 1)) p->shares[i] = v;
    }
}

/* if c { yield(v') } else { yield(v) } changes v in place */
static void share_choices(const Emit *e, Op *op, Placement *p) {
    for (int i = 0; i < op->nres; i++)
        for (int side = 0; side < 2 && !p->shares[i]; side++) {
            Value *v = op_opnd(op->regs[side]->last, i);
            if (ends_at(e, v, op, true, 0) && !already_shared(p, i, v)) p->shares[i] = v;
        }
}

/* Updated tensors stay in the variables they came in. */
static void share_updates(const Emit *e, Op *op, Placement *p) {
    const Attr *modes = op_attr(op, A_MODES);
    for (int i = 0, r = 0; i < op->nopnds; i++) {
        if (modes->ints[i] == 0) continue;
        Value *v = op_opnd(op, i);
        if (ends_at(e, v, op, false, 1)) p->shares[r] = v;
        r++;
    }
}

static void place_shares(Emit *e, Op *op) {
    Placement *p = place_of(e, op);
    if (!op->nres || (op->code != OP_FOR && op->code != OP_WHILE && op->code != OP_IF && op->code != OP_ISLAND)) return;
    p->shares = NEWN(e->arena, Value *, op->nres);
    if (op->code == OP_FOR) share_inits(e, op, p, 3);
    if (op->code == OP_WHILE) share_inits(e, op, p, 0);
    if (op->code == OP_IF) share_choices(e, op, p);
    if (op->code == OP_ISLAND) share_updates(e, op, p);
}

/* ---- what folds */

static bool consumes_tensors(const Op *op) {
    switch (op->code) {
    case OP_RELEASE:
    case OP_ISLAND:
    case OP_VIEW:
    case OP_CALL:
    case OP_FOR:
    case OP_WHILE:
    case OP_IF:
    case OP_SPAWN:
    case OP_EXTERN: return true;
    default: return false;
    }
}

static void count_hazards(Emit *e, Op *op) {
    Placement *p = place_of(e, op), *before = op->prev ? place_of(e, op->prev) : NULL;
    bool shares = false;
    for (int i = 0; p->shares && i < op->nres; i++) shares |= p->shares[i] != NULL;
    p->writes = (before ? before->writes : 0) + (op_writes_memory(op) || op->code == OP_CALL);
    p->owns = (before ? before->owns : 0) + consumes_tensors(op);
    p->early = (before ? before->early : 0) + shares;
}

/* A place whose text runs more than once, or stands there twice */
typedef enum { PLACE_ONCE, PLACE_REPEATED, PLACE_TWICE } Runs;

static Runs place_of_use(const Op *user, int index) {
    bool safe = op_flag(user, A_SAFE);
    switch (user->code) {
    case OP_FOR:
        if (op_flag(user, A_PROGRESS)) return index < 3 ? PLACE_TWICE : PLACE_ONCE;
        return index == 1 || index == 2 ? PLACE_REPEATED : PLACE_ONCE;
    case OP_PARALLEL: return PLACE_REPEATED;
    case OP_LOAD: case OP_EXTRACT: return safe ? PLACE_ONCE : PLACE_TWICE;
    case OP_STORE: case OP_ATOMIC:
        return (safe && !op_expected(user)) || index == 0 ? PLACE_ONCE : PLACE_TWICE;
    case OP_IDIV: case OP_MOD: case OP_IPOW: return safe || index == 0 ? PLACE_ONCE : PLACE_TWICE;
    case OP_BIND: return PLACE_TWICE;
    default: return PLACE_ONCE;
    }
}

static bool is_leaf(const Value *v) { return !v->def || !emit_is_expr(v->def->code) || v->def->code == OP_CONST; }

/* i + 1 and the like: no harm in writing it twice */
static bool is_trivial(const Op *op) {
    if (op->code != OP_ADD && op->code != OP_SUB && op->code != OP_MUL) return false;
    for (int i = 0; i < op->nopnds; i++) {
        const Value *v = op_opnd(op, i);
        if (!is_leaf(v) && !v->name && value_single_use(v) && !emit_is_inline(v->def)) return false;
        if (may_change(v)) return false;
    }
    return true;
}

static bool reads_elements(const Op *op) { return op->code == OP_LOAD || op->code == OP_EXTRACT; }

static bool reads_changing(const Op *op) {
    for (int i = 0; i < op->nopnds; i++)
        if (may_change(op_opnd(op, i))) return true;
    return false;
}

/* Only through regions that run at most once for each run of op's own */
static bool reachable_without_loops(const Op *op, const Op *root) {
    for (const Region *r = root->parent; r != op->parent; r = r->owner->parent)
        if (!r->owner || (r->owner->code != OP_IF && r->owner->code != OP_ISLAND)) return false;
    return true;
}

static bool hazard_between(const Emit *e, Op *op, Op *until) {
    const Placement *from = place_of(e, op), *to = place_of(e, until->prev);
    if (op->code == OP_LOAD && to->writes != from->writes) return true;
    if (op->code == OP_EXTRACT && to->owns != from->owns) return true;
    return reads_changing(op) && to->early != from->early;
}

static const Use *only_use(const Emit *e, const Value *v) {
    const Use *found = NULL;
    for (const Use *u = v->uses; u; u = u->next) {
        if (is_dead(e, u->user)) continue;
        if (found) return NULL;
        found = u;
    }
    return found;
}

static void place_fold(Emit *e, Op *op) {
    Placement *p = place_of(e, op);
    p->root = op;
    if (is_dead(e, op) || !emit_is_expr(op->code) || op->nres != 1 || op->res[0].name) return;
    const Use *u = only_use(e, &op->res[0]);
    if (!u) return;
    Placement *user = place_of(e, u->user);
    Runs place = place_of_use(u->user, u->index);
    if (place == PLACE_TWICE && !is_trivial(op)) return;
    bool repeat = user->repeat || place == PLACE_REPEATED;
    if (repeat && (!is_trivial(op) || reads_changing(op))) return;
    Op *root = user->fold ? user->root : u->user;
    if (root->parent != op->parent && (reads_elements(op) || !reachable_without_loops(op, root))) return;
    Op *until = op_ancestor(root, op->parent);
    if (!until || hazard_between(e, op, until)) return;
    p->fold = true;
    p->repeat = repeat;
    p->root = root;
}

void place_function(Emit *e) {
    const Plan *plan = e->plan;
    e->places = NEWN(e->arena, Placement, plan->nops + 1);
    e->values = NEWN(e->arena, ValueState, plan->nvalues + 1);
    for (int i = 0; i < plan->nops; i++) place_shares(e, plan->ops[i]);
    for (int i = 0; i < plan->nops; i++) count_hazards(e, plan->ops[i]);
    for (int i = plan->nops - 1; i >= 0; i--) place_fold(e, plan->ops[i]);
}
