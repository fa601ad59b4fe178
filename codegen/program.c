/* Which functions a program, its tests or a library have: those that the roots reach. */
#include "codegen/plan.h"

typedef struct { const Module *module; Map found; Arena *arena; FuncVec order; } Reach;

static void reach_func(Reach *r, Func *f);

static void reach_op(void *ctx, Op *op) {
    Reach *r = ctx;
    if (op->code == OP_CALL || op->code == OP_EXTERN) reach_func(r, module_find(r->module, op_sym(op, A_FUNC)));
}

/* Callees come first, so that what is printed reads from small to large. */
static void reach_func(Reach *r, Func *f) {
    if (!f || map_has(&r->found, f)) return;
    map_put(r->arena, &r->found, f, f);
    if (f->kind != FUNC_EXTERN) region_walk(f->body, reach_op, r);
    vec_push(r->arena, &r->order, f);
}

FuncKind program_root_kind(EmitKind k) {
    return k == EMIT_TESTS ? FUNC_TEST : k == EMIT_BENCHES ? FUNC_BENCH : FUNC_MAIN;
}

static bool is_root(const Func *f, EmitKind k) {
    return f->is_export || (k != EMIT_LIBRARY && f->kind == program_root_kind(k));
}

FuncVec program_functions(Arena *a, const Module *m, EmitKind kind) {
    Reach r = {.module = m, .arena = a};
    for (int i = 0; i < m->funcs.len; i++)
        if (is_root(m->funcs.data[i], kind)) reach_func(&r, m->funcs.data[i]);
    return r.order;
}

const Func *program_script(const FuncVec *funcs) {
    for (int i = 0; i < funcs->len; i++)
        if (funcs->data[i]->kind == FUNC_MAIN) return funcs->data[i];
    return NULL;
}

static void find_spawn(void *ctx, Op *op) { *(bool *)ctx |= op->code == OP_SPAWN; }

bool func_has_spawn(const Func *f) {
    bool found = false;
    region_walk(f->body, find_spawn, &found);
    return found;
}

/* A text needs memory. */
static bool cannot_fail(const Region *r) {
    for (const Op *op = r->first; op; op = op->next) {
        if (op_info(op->code)->traits & TR_TERM) continue;
        if (!op_is_pure(op) || op->code == OP_FORMAT) return false;
        for (int i = 0; i < op->nregs; i++)
            if (!cannot_fail(op->regs[i])) return false;
    }
    return true;
}

bool func_cannot_fail(const Func *f) { return cannot_fail(f->body); }
