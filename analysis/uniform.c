/* Uniformity starts from "everything is the same for all" and takes back until nothing changes. */
#include "analysis/uniform.h"

bool value_varies(const Uniform *u, const Value *v) { return map_has(&u->varying, v); }

static bool uses_any(const Uniform *u, const Op *op, const Op *top) {
    for (int i = 0; i < op->nopnds; i++) {
        const Value *v = op_opnd(op, i);
        bool own = false;
        for (int k = 0; k < top->nregs; k++) own |= region_encloses(top->regs[k], value_region(v));
        if (!own && value_varies(u, v)) return true;
    }
    for (int i = 0; i < op->nregs; i++)
        for (const Op *o = op->regs[i]->first; o; o = o->next)
            if (uses_any(u, o, top)) return true;
    return false;
}

bool op_uses_varying(const Uniform *u, const Op *op) { return uses_any(u, op, op); }

/* It depends on its operands alone; that it may stop the program does not matter.  A load from memory that threads
 * share is of the same phase for all of them: whoever wrote the element meanwhile would race with it.  Memory of each
 * thread's own holds the same until something that varies is written to it. */
static bool is_function(const Op *op) {
    if (op->code == OP_LOAD || op->code == OP_ALLOC) return true;
    return op->code != OP_CALL && !op_has_effect(op) && !op_reads_memory(op) && !op_writes_memory(op);
}

static bool mark(Uniform *u, const Value *v) {
    if (map_has(&u->varying, v)) return false;
    map_put(u->arena, &u->varying, v, (void *)v);
    return true;
}

static bool vary_region(Uniform *u, const Region *r);

/* Threads that meet a barrier in the loop agree on its turns; otherwise its bounds or its condition say whether they
 * do. */
static bool turns_vary(const Uniform *u, const Op *op) {
    if (op_holds(op, OP_BARRIER)) return false;
    if (op->code == OP_WHILE) return value_varies(u, op_opnd(region_term(op->regs[0]), 0));
    return value_varies(u, op_opnd(op, 0)) || value_varies(u, op_opnd(op, 1)) || value_varies(u, op_opnd(op, 2));
}

bool op_under_varying(const Uniform *u, const Op *op) {
    for (const Op *o = op->parent->owner; o != u->loop; o = o->parent->owner) {
        if (o->code == OP_IF && value_varies(u, op_opnd(o, 0))) return true;
        if ((o->code == OP_FOR || o->code == OP_WHILE) && turns_vary(u, o)) return true;
    }
    return false;
}

static bool vary_memory(Uniform *u, const Op *op) {
    const Value *buf = op_opnd(op, 1);
    if (!region_encloses(u->loop->regs[0], value_region(buf))) return false;
    bool varies = op_under_varying(u, op);
    for (int i = 0; i < op->nopnds; i++) varies |= value_varies(u, op_opnd(op, i));
    return varies && mark(u, buf);
}

/* Carried values: the first one and each next one decide, and for the last one the number of turns. */
static bool vary_loop(Uniform *u, const Op *op) {
    bool is_for = op->code == OP_FOR, changed = false;
    int skip = is_for ? 3 : 0, ivs = is_for ? 1 : 0;
    const Region *body = op->regs[op->nregs - 1];
    const Op *next = region_term(body);
    if (is_for && !u->once && (value_varies(u, op_opnd(op, 0)) || value_varies(u, op_opnd(op, 2))))
        changed |= mark(u, body->args[0]);
    for (int i = 0; i < op->nres; i++) {
        if (turns_vary(u, op)) changed |= mark(u, &op->res[i]);
        if (!value_varies(u, op_opnd(op, i + skip)) && !value_varies(u, op_opnd(next, i))) continue;
        changed |= mark(u, &op->res[i]);
        changed |= mark(u, body->args[i + ivs]);
        if (!is_for) changed |= mark(u, op->regs[0]->args[i]);
    }
    for (int i = 0; i < op->nregs; i++) changed |= vary_region(u, op->regs[i]);
    return changed;
}

static bool vary_if(Uniform *u, const Op *op) {
    bool changed = false;
    for (int k = 0; k < 2; k++) changed |= vary_region(u, op->regs[k]);
    for (int i = 0; i < op->nres; i++)
        if (value_varies(u, op_opnd(op, 0)) || value_varies(u, op_opnd(region_term(op->regs[0]), i)) ||
            value_varies(u, op_opnd(region_term(op->regs[1]), i)))
            changed |= mark(u, &op->res[i]);
    return changed;
}

static bool vary_op(Uniform *u, const Op *op) {
    bool changed = false;
    if (u->once && !op_holds(op, OP_BARRIER)) {
        for (int i = 0; i < op->nres && !u->once(u, op); i++) changed |= mark(u, &op->res[i]);
        return changed;
    }
    switch (op->code) {
    case OP_IF: return vary_if(u, op);
    case OP_FOR: case OP_WHILE: return vary_loop(u, op);
    case OP_STORE: case OP_ATOMIC: return vary_memory(u, op);
    default: break;
    }
    for (int i = 0; i < op->nregs; i++) {
        for (int k = 0; k < op->regs[i]->nargs; k++) changed |= mark(u, op->regs[i]->args[k]);
        changed |= vary_region(u, op->regs[i]);
    }
    if (is_function(op) && !op_uses_varying(u, op) && !op_size_is_local(op)) return changed;
    for (int i = 0; i < op->nres; i++) changed |= mark(u, &op->res[i]);
    return changed;
}

static bool vary_region(Uniform *u, const Region *r) {
    bool changed = false;
    for (const Op *o = r->first; o; o = o->next) changed |= vary_op(u, o);
    return changed;
}

Uniform uniform_of(Arena *arena, const Op *loop, OnceFn *once) {
    Uniform u = {.loop = loop, .arena = arena, .once = once};
    const Region *body = loop->regs[0];
    for (int i = 0; i < body->nargs; i++) mark(&u, body->args[i]);
    while (vary_region(&u, body)) {}
    return u;
}

Uniform uniform_new(Arena *arena, const Op *loop) { return uniform_of(arena, loop, NULL); }
