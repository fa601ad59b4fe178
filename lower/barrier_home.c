/* Where a value lies in memory anyway: a thread that needs a loaded or stored value beyond a barrier may load it
 * (again), instead of keeping a copy in an array of its own, if nobody has written the element meanwhile.
 *
 * The place is that of the load that made the value, or of a store of it.  It serves a later use when no write to the
 * buffer stands between, and other threads, which may be ahead in the phase of the use, do not write the element in
 * the rest of that phase.  They surely do not where the place and the write both have each index of the thread on the
 * same axis (s[t], x[base + t]): threads that differ there differ in the element. */
#include "lower/barrier_plan.h"

enum { MAX_CONSUMERS = 64 };

static bool has_barrier(const Op *op) { return op->nregs && op_holds(op, OP_BARRIER); }

static bool is_unit(const Value *extent) {
    return value_is_const_int(extent, 1);
}

/* Whether different threads use different elements in a and b */
static bool keeps_apart(const ThreadPlan *p, const Op *a, const Op *b) {
    int rank = op_buffer(a)->type->rank, at = op_index_first(a), bt = op_index_first(b);
    for (int i = 0; i < p->body->nargs; i++) {
        bool found = is_unit(op_opnd(p->loop, i));
        for (int k = 0; k < rank && !found; k++) {
            const Value *x = op_opnd(a, at + k);
            found = x == op_opnd(b, bt + k) && value_shifted_arg(p->body, x) == p->body->args[i];
        }
        if (!found) return false;
    }
    return true;
}

static bool writes(const Op *op, const Value *buf) {
    if ((op->code == OP_STORE || op->code == OP_ATOMIC) && op_opnd(op, 1) == buf) return true;
    for (int i = 0; i < op->nregs; i++)
        for (const Op *o = op->regs[i]->first; o; o = o->next)
            if (writes(o, buf)) return true;
    return false;
}

/* In op another thread may write the element. */
static bool others_write(const ThreadPlan *p, const Op *place, const Op *op) {
    bool write = op->code == OP_STORE || op->code == OP_ATOMIC;
    if (write && op_opnd(op, 1) == op_buffer(place) && !keeps_apart(p, place, op)) return true;
    for (int i = 0; i < op->nregs; i++)
        for (const Op *o = op->regs[i]->first; o; o = o->next)
            if (others_write(p, place, o)) return true;
    return false;
}

/* No other thread writes the element from `at` on until the phase surely ends. */
static bool quiet_to_barrier(const ThreadPlan *p, const Op *place, const Op *at) {
    for (const Op *o = at; o; o = o->next) {
        if (o->code == OP_BARRIER) return true;
        if (others_write(p, place, o)) return false;
    }
    const Region *r = at->parent;
    if (r == p->body) return true;
    if (op_info(r->owner->code)->traits & TR_LOOP && others_write(p, place, r->owner)) return false;
    return !r->owner->next || quiet_to_barrier(p, place, r->owner->next);
}

static bool serves(const ThreadPlan *p, const Op *place, const Op *user) {
    const Op *at = op_ancestor(user, place->parent);
    if (!at || at->order <= place->order) return false;
    for (const Op *o = place->next; o != at; o = o->next)
        if (writes(o, op_buffer(place))) return false;
    return !(has_barrier(at) && writes(at, op_buffer(place))) && quiet_to_barrier(p, place, at);
}

/* Serves all users of v in other segments, and those of what may be computed from it there */
static bool serves_all(const ThreadPlan *p, const Op *place, const Value *v, int mark, int *left) {
    for (const Use *u = v->uses; u; u = u->next) {
        if (--*left < 0) return false;
        if (u->user->code == OP_IF && has_barrier(u->user)) return false; /* asked for throughout */
        if (u->user->mark != mark && !serves(p, place, u->user)) return false;
        for (int i = 0; plan_again(u->user) && i < u->user->nres; i++)
            if (!serves_all(p, place, &u->user->res[i], mark, left)) return false;
    }
    return true;
}

static bool is_home(const ThreadPlan *p, const Op *place, const Value *v) {
    int left = MAX_CONSUMERS;
    return op_buffer(place)->type->space != SPACE_PRIVATE && serves_all(p, place, v, v->def->mark, &left);
}

Op *plan_home(const ThreadPlan *p, const Value *v) {
    if (!v->def) return NULL;
    for (const Use *u = v->uses; u; u = u->next) {
        Op *store = u->user;
        bool holds = store->code == OP_STORE && u->index == 0 && store->parent == v->def->parent &&
                     store->mark == v->def->mark;
        if (holds && is_home(p, store, v)) return store;
    }
    return v->def->code == OP_LOAD && is_home(p, v->def, v) ? v->def : NULL;
}
