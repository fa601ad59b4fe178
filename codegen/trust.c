/* Launches that run behind one which has failed, before the host has looked, find in memory what that one left.  Most
 * of them compute with it, and nobody sees what comes out.  Some must not: where it says how often a loop runs, or
 * where an access lies that is not checked, as it is known what the program writes there. */
#include "codegen/plan.h"

/* read: by value->id, whether the value comes from memory; ops: by mark, what must not find what was left there */
typedef struct { const Op *launch; bool *read, *ops, found; } Trust;

/* A branch, or the loop over threads, is entered nevertheless. */
static bool is_entered(const Op *op) { return op->code == OP_IF || op_loop(op) == LOOP_THREAD; }

static void trusts(Trust *t, const Op *op, bool so) {
    if (!so) return;
    t->found = true;
    for (const Op *o = op; o != t->launch; o = o->parent->owner) t->ops[o->mark] |= o == op || !is_entered(o);
}

static void mark(Trust *t, const Value *v, bool read) { t->read[v->id] |= read; }

static bool is_read(const Trust *t, const Op *op, int from, int to) {
    for (int i = from; i < to; i++)
        if (t->read[op_opnd(op, i)->id]) return true;
    return false;
}

static void look_at(Trust *t, const Op *op);

static void look_at_region(Trust *t, const Region *r) {
    for (const Op *op = r->first; op; op = op->next) look_at(t, op);
}

/* The values that go around; whether one more of them is now known to be read */
static bool go_around(Trust *t, const Op *loop) {
    const Region *r = loop->regs[0];
    bool more = false;
    for (int i = 0; i < loop->nres; i++) {
        const Value *arg = r->args[1 + i], *next = op_opnd(r->last, i);
        bool read = t->read[next->id] || t->read[op_opnd(loop, 3 + i)->id];
        more |= read && !t->read[arg->id];
        mark(t, arg, read);
    }
    return more;
}

static void look_at_for(Trust *t, const Op *op) {
    trusts(t, op, is_read(t, op, 0, 3));
    do look_at_region(t, op->regs[0]);
    while (go_around(t, op));
}

static void look_at_access(Trust *t, const Op *op) {
    trusts(t, op, op_flag(op, A_SAFE) && is_read(t, op, op_index_first(op), op_index_end(op)));
}

/* Any other: what it gives comes from what it gets, and from what its regions yield. */
static bool gives_read(Trust *t, const Op *op) {
    bool read = is_read(t, op, 0, op->nopnds);
    for (int i = 0; i < op->nregs; i++) {
        if (op->code != OP_FOR) look_at_region(t, op->regs[i]);
        read |= is_read(t, op->regs[i]->last, 0, op->regs[i]->last->nopnds);
    }
    return read;
}

static void look_at(Trust *t, const Op *op) {
    bool read = op->code == OP_LOAD || op->code == OP_ATOMIC;
    if (read || op->code == OP_STORE) look_at_access(t, op);
    trusts(t, op, op->code == OP_WHILE || op->code == OP_CALL);
    if (op->code == OP_FOR) look_at_for(t, op);
    if (op->code == OP_PARALLEL || op->code == OP_REDUCE) trusts(t, op, is_read(t, op, 0, op->nopnds));
    read |= gives_read(t, op);
    for (int i = 0; i < op->nres; i++) mark(t, &op->res[i], read);
}

const bool *plan_trusting(const Plan *p, const Op *launch) {
    Trust t = {launch, NEWN(p->arena, bool, p->nvalues + 1), NEWN(p->arena, bool, p->nops + 1), false};
    look_at_region(&t, launch->regs[0]);
    return t.found ? t.ops : NULL;
}
