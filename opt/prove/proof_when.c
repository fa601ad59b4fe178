/* On which condition outside of its launch an operation runs: an `if` around it, or around all calls of its function.
 */
#include "opt/prove/proof_words.h"

enum { MAX_CALLS = 16 }; /* inside one another */

typedef struct {
    const Module *m;
    const Func *f;
    VEC(const Op *) calls;
    VEC(const Func *) callers;
    Arena *arena;
    const Func *now;
} Calls;

static void look_for_call(void *ctx, Op *op) {
    Calls *c = ctx;
    if (op->code != OP_CALL || op_sym(op, A_FUNC) != c->f->name) return;
    vec_push(c->arena, &c->calls, op);
    vec_push(c->arena, &c->callers, c->now);
}

static Calls calls_of(Arena *arena, const Module *m, const Func *f) {
    Calls c = {.m = m, .f = f, .arena = arena};
    for (int i = 0; i < m->funcs.len; i++) {
        c.now = m->funcs.data[i];
        if (c.now->body) region_walk(c.now->body, look_for_call, &c);
    }
    return c;
}

/* By the `if`s around it alone */
static When inside_function(const Op *op) {
    When w = {false, NULL, false};
    for (const Region *r = op->parent; r && r->owner; r = r->owner->parent) {
        const Op *owner = r->owner, *known = owner->code == OP_IF ? op_opnd(owner, 0)->def : NULL;
        bool then = owner->nregs && r == owner->regs[0], in_launch = owner->code == OP_ISLAND;
        if (in_launch) w.condition = NULL; /* what threads ask is part of the proof */
        if (owner->code != OP_IF) continue;
        if (!known || known->code != OP_CONST) w.condition = owner, w.holds = then;
        else w.never |= (op_attr(known, A_VALUE)->c.i != 0) != then;
    }
    return w;
}

static When when_at(Arena *arena, const Module *m, const Func *f, const Op *op, int depth) {
    When w = inside_function(op), all = {true, NULL, false};
    if (w.never || w.condition || f->kind != FUNC_FN || f->is_export || depth > MAX_CALLS) return w;
    Calls calls = calls_of(arena, m, f);
    for (int i = 0; i < calls.calls.len; i++) {
        When one = when_at(arena, m, calls.callers.data[i], calls.calls.data[i], depth + 1);
        if (!one.never && !one.condition) return w;
        if (all.never) all = one;
    }
    return calls.calls.len ? all : w;
}

When proof_when(Arena *arena, const Module *m, const Func *f, const Op *op) { return when_at(arena, m, f, op, 0); }
