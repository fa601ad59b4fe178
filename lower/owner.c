/* ownership: retain and release.
 *
 * Needs stage loops, bufferized; run once.  Leaves every tensor with as many owners as holders: a use that
 * consumes takes an owner over (the last one, or one made by retain before it); a tensor whose last use only
 * borrows it is released right after; one that is never used, right where it is made.
 *
 * One backward walk over each region with the set of tensors live afterwards.  A loop's body does not own what it
 * sees from outside: that is live throughout and released after the loop.  The branches of an `if` do own what dies
 * there: a branch that has no use for it releases it first thing.
 *
 * What functions that call themselves only read and hand on is theirs on loan: their callers keep it (borrowed
 * parameters: Ullrich and de Moura, Counting immutable beans, IFL 2019).  Then no call of a recursion counts owners. */
#include "lower/lower.h"

#include <string.h>

typedef VEC(Value *) Values;
typedef struct {
    Module *module;
    Arena *arena;
    bool *live;  /* by Value.id */
    int *stamp;  /* by Value.id: the query it was last met in */
    int queries;
    const Map *lent; /* parameters on loan */
} Owner;

static void own_region(Owner *o, Region *r, bool owns_args);

static int number_region(Region *r, int n) {
    for (int i = 0; i < r->nargs; i++) r->args[i]->id = n++;
    for (Op *op = r->first; op; op = op->next) {
        for (int i = 0; i < op->nres; i++) op->res[i].id = n++;
        for (int i = 0; i < op->nregs; i++) n = number_region(op->regs[i], n);
    }
    return n;
}

static void emit(Builder b, OpCode code, Value *v) { build_op(&b, code, 1, &v, 0, NULL, 0); }
static void release_after(Op *op, Value *v) { emit(builder_after(op), OP_RELEASE, v); }

static void release_first(Region *r, Value *v) {
    emit(r->first ? builder_before(r->first) : builder_at_end(r->func->module, r, NO_SPAN), OP_RELEASE, v);
}

/* ---- what an op does to its operands */

static Value *param_of_call(const Op *op, int i) {
    return module_find(op->parent->func->module, op_sym(op, A_FUNC))->body->args[i];
}

static bool consumes(const Map *lent, const Op *op, int i) {
    switch (op->code) {
    case OP_ISLAND: return op_attr(op, A_MODES)->ints[i] != 0;
    case OP_CALL: return !map_get(lent, param_of_call(op, i));
    case OP_VIEW: case OP_RETURN: case OP_YIELD: case OP_FOR: case OP_WHILE: return true;
    default: return false;
    }
}

/* ---- parameters on loan */

typedef VEC(Value *) Params;

/* All tensors that functions that call themselves get, but from C */
static Params params_of_recursion(Arena *a, const Module *m) {
    Params all = {0};
    for (int i = 0; i < m->funcs.len; i++) {
        const Func *f = m->funcs.data[i];
        if (f->kind != FUNC_FN || !f->recursive || f->is_export) continue;
        for (int k = 0; k < f->body->nargs; k++)
            if (type_is_tensor(f->body->args[k]->type)) vec_push(a, &all, f->body->args[k]);
    }
    return all;
}

static bool only_read(const Map *lent, const Value *param) {
    for (const Use *u = param->uses; u; u = u->next)
        if (consumes(lent, u->user, u->index)) return false;
    return true;
}

typedef struct { Arena *arena; Map *lent; bool changed; } Loan;

/* What a recursion makes for its next call should go when that call is done with it, not when it comes back. */
static void find_owner(void *ctx, Op *op) {
    Loan *l = ctx;
    for (int i = 0; op->code == OP_CALL && i < op->nopnds; i++) {
        Value *param = param_of_call(op, i);
        if (!map_get(l->lent, param) || map_get(l->lent, op_opnd(op, i))) continue;
        map_put(l->arena, l->lent, param, NULL);
        l->changed = true;
    }
}

/* All that may be are taken for lent, and those that are not go out, until none does. */
static Map lent_params(Arena *a, const Module *m) {
    Map lent = {0};
    Params all = params_of_recursion(a, m);
    Loan l = {a, &lent, true};
    for (int i = 0; i < all.len; i++) map_put(a, &lent, all.data[i], all.data[i]);
    while (l.changed) {
        l.changed = false;
        for (int i = 0; i < m->funcs.len; i++)
            if (m->funcs.data[i]->recursive) region_walk(m->funcs.data[i]->body, find_owner, &l);
        for (int i = 0; i < all.len; i++) {
            if (!map_get(&lent, all.data[i]) || only_read(&lent, all.data[i])) continue;
            map_put(a, &lent, all.data[i], NULL);
            l.changed = true;
        }
    }
    return lent;
}

static bool met_before(const Op *op, int i) {
    for (int k = 0; k < i; k++)
        if (op_opnd(op, k) == op_opnd(op, i)) return true;
    return false;
}

/* A distinct operand: owners for all who take one, a release if nobody does and nobody needs it later */
static void own_operand(Owner *o, Op *op, Value *v) {
    int taken = 0, borrowed = 0;
    for (int i = 0; i < op->nopnds; i++)
        if (op_opnd(op, i) == v) {
            if (consumes(o->lent, op, i)) taken++;
            else borrowed++;
        }
    bool live = o->live[v->id], hands_over = taken && !live && !borrowed;
    for (int k = hands_over ? 1 : 0; k < taken; k++) emit(builder_before(op), OP_RETAIN, v);
    if (!live && !hands_over) release_after(op, v);
    o->live[v->id] = true;
}

/* ---- ops with regions */

static void find_captured(Owner *o, const Op *op, const Region *r, Values *out) {
    for (const Op *u = r->first; u; u = u->next) {
        for (int i = 0; i < u->nopnds; i++) {
            Value *v = op_opnd(u, i);
            if (!type_is_tensor(v->type) || o->stamp[v->id] == o->queries) continue;
            bool inside = false;
            for (int k = 0; k < op->nregs; k++) inside |= region_encloses(op->regs[k], value_region(v));
            if (inside) continue;
            o->stamp[v->id] = o->queries;
            vec_push(o->arena, out, v);
        }
        for (int i = 0; i < u->nregs; i++) find_captured(o, op, u->regs[i], out);
    }
}

/* Tensors from outside that op's regions use */
static Values captured(Owner *o, const Op *op) {
    Values v = {0};
    o->queries++;
    for (int i = 0; i < op->nregs; i++) find_captured(o, op, op->regs[i], &v);
    return v;
}

static void own_branches(Owner *o, Op *op) {
    Values seen = captured(o, op);
    bool *after = NEWN(o->arena, bool, seen.len + 1);
    for (int i = 0; i < seen.len; i++) after[i] = o->live[seen.data[i]->id];
    for (int k = 0; k < op->nregs; k++) {
        own_region(o, op->regs[k], true);
        for (int i = 0; i < seen.len; i++) {
            Value *v = seen.data[i];
            if (!o->live[v->id]) release_first(op->regs[k], v);
            o->live[v->id] = after[i];
        }
    }
    for (int i = 0; i < seen.len; i++) o->live[seen.data[i]->id] = true;
}

/* Regions that run any number of times, or at the same time, or only look at their arguments */
static void own_shared(Owner *o, Op *op) {
    Values seen = captured(o, op);
    for (int i = 0; i < seen.len; i++) {
        Value *v = seen.data[i];
        if (!o->live[v->id]) release_after(op, v);
        o->live[v->id] = true;
    }
    for (int k = 0; k < op->nregs; k++) {
        bool looks = op->code == OP_WHILE && k == 0;
        for (int i = 0; i < op->regs[k]->nargs; i++) o->live[op->regs[k]->args[i]->id] = looks;
        own_region(o, op->regs[k], !looks);
    }
}

static void own_op(Owner *o, Op *op) {
    for (int i = 0; i < op->nres; i++) {
        Value *v = &op->res[i];
        if (type_is_tensor(v->type) && !o->live[v->id]) release_after(op, v);
    }
    if (op->code == OP_IF) own_branches(o, op);
    else if (op->nregs && op->code != OP_ISLAND) own_shared(o, op);
    for (int i = 0; i < op->nopnds; i++)
        if (type_is_tensor(op_opnd(op, i)->type) && !met_before(op, i)) own_operand(o, op, op_opnd(op, i));
}

static void own_region(Owner *o, Region *r, bool owns_args) {
    for (Op *op = r->last, *prev; op; op = prev) {
        prev = op->prev;
        own_op(o, op);
    }
    for (int i = 0; owns_args && i < r->nargs; i++) {
        Value *v = r->args[i];
        if (type_is_tensor(v->type) && !o->live[v->id]) release_first(r, v);
    }
}

void own_tensors(Module *m) {
    Arena *a = arena_new();
    Map lent = lent_params(a, m);
    for (int i = 0; i < m->funcs.len; i++) {
        Func *f = m->funcs.data[i];
        if (f->kind == FUNC_EXTERN) continue;
        int n = number_region(f->body, 0);
        Owner o = {.module = m, .arena = a, .live = NEWN(a, bool, n + 1), .stamp = NEWN(a, int, n + 1), .lent = &lent};
        Value **args = f->body->args;
        for (int k = 0; k < f->body->nargs; k++) o.live[args[k]->id] = map_get(&lent, args[k]) != NULL;
        own_region(&o, f->body, true);
    }
    arena_free(a);
}

void pass_ownership(Module *m, const PassOptions *opts) {
    (void)opts;
    own_tensors(m);
}
