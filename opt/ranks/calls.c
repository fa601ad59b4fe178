/* Functions that the loops of islands call. */
#include "opt/ranks/ranks.h"

typedef struct { const Module *module; Arena *scratch; Map seen; bool inside, other; } Calls;

static void note(void *ctx, Op *op) {
    Calls *c = ctx;
    switch (op->code) {
    case OP_ISLAND: case OP_PRINT: case OP_EXTERN: case OP_LOADFILE: case OP_EMPTY: case OP_BLAS: case OP_SPAWN:
        c->other = true;
        break;
    case OP_CALL: {
        Func *f = module_find(c->module, op_sym(op, A_FUNC));
        if (!f || map_has(&c->seen, f)) break;
        map_put(c->scratch, &c->seen, f, op);
        region_walk(f->body, note, c);
        break;
    }
    default: break;
    }
}

static void inside(void *ctx, Op *op) {
    if (op->code == OP_ISLAND) region_walk(op->regs[0], note, ctx);
}

Map ranks_called_inside(Arena *a, const Module *m) {
    Calls c = {.module = m, .scratch = a};
    for (int i = 0; i < m->funcs.len; i++)
        if (m->funcs.data[i]->kind != FUNC_EXTERN) region_walk(m->funcs.data[i]->body, inside, &c);
    return c.seen;
}

bool ranks_is_scalar(Arena *a, const Module *m, const Func *f) {
    Calls c = {.module = m, .scratch = a};
    map_put(a, &c.seen, f, f->body);
    if (f->kind == FUNC_EXTERN) return false;
    region_walk(f->body, note, &c);
    return !c.other;
}
