/* Uniformity starts from "everything is the same for all" and takes back until nothing changes. */
#include "ir/uniform.h"

bool op_has_barrier(const Op *op) {
    if (op->code == OP_BARRIER) return true;
    for (int i = 0; i < op->nregs; i++)
        for (const Op *o = op->regs[i]->first; o; o = o->next)
            if (op_has_barrier(o)) return true;
    return false;
}

bool value_varies(const Uniform *u, const Value *v) { return map_has(&u->varying, v); }

/* A load from memory that nobody writes in the island */
static bool constant_load(const Op *op) {
    if (op->code != OP_LOAD) return false;
    const Value *buf = op_opnd(op, 0);
    if (buf->def || !buf->region->owner || buf->region->owner->code != OP_ISLAND) return false;
    return op_attr(buf->region->owner, A_MODES)->ints[buf->index] == 0;
}

static bool uses_varying(const Uniform *u, const Op *op, const Op *top) {
    for (int i = 0; i < op->nopnds; i++) {
        const Value *v = op_opnd(op, i);
        bool own = false;
        for (int k = 0; k < top->nregs; k++) own |= region_encloses(top->regs[k], value_region(v));
        if (!own && value_varies(u, v)) return true;
    }
    for (int i = 0; i < op->nregs; i++)
        for (const Op *o = op->regs[i]->first; o; o = o->next)
            if (uses_varying(u, o, top)) return true;
    return false;
}

/* It depends on its operands alone; that it may stop the program does not matter. */
static bool is_function(const Op *op) {
    if (op->code == OP_CALL || op->code == OP_ALLOC) return false;
    return constant_load(op) || (!op_has_effect(op) && !op_reads_memory(op) && !op_writes_memory(op));
}

bool op_is_uniform(const Uniform *u, const Op *op) { return is_function(op) && !uses_varying(u, op, op); }

static bool mark(Uniform *u, const Value *v) {
    if (map_has(&u->varying, v)) return false;
    map_put(u->arena, &u->varying, v, (void *)v);
    return true;
}

static bool vary_region(Uniform *u, const Region *r);

/* Carried values: the first one and each next one decide. Threads that meet a barrier agree on the turns. */
static bool vary_loop(Uniform *u, const Op *op) {
    bool is_for = op->code == OP_FOR, changed = false;
    int skip = is_for ? 3 : 0, ivs = is_for ? 1 : 0;
    const Region *body = op->regs[op->nregs - 1];
    const Op *next = region_term(body);
    for (int i = 0; i < op->nres; i++) {
        if (!value_varies(u, op_opnd(op, i + skip)) && !value_varies(u, op_opnd(next, i))) continue;
        changed |= mark(u, &op->res[i]) | mark(u, body->args[i + ivs]);
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
    if (op_has_barrier(op)) {
        if (op->code == OP_IF) return vary_if(u, op);
        return op->code == OP_FOR || op->code == OP_WHILE ? vary_loop(u, op) : false;
    }
    if (op_is_uniform(u, op)) return false;
    for (int i = 0; i < op->nres; i++) changed |= mark(u, &op->res[i]);
    return changed;
}

static bool vary_region(Uniform *u, const Region *r) {
    bool changed = false;
    for (const Op *o = r->first; o; o = o->next) changed |= vary_op(u, o);
    return changed;
}

Uniform uniform_new(Arena *arena, const Op *loop) {
    Uniform u = {.loop = loop, .arena = arena};
    const Region *body = loop->regs[0];
    for (int i = 0; i < body->nargs; i++) mark(&u, body->args[i]);
    while (vary_region(&u, body)) {}
    return u;
}
