/* Functions that the loops of islands call. */
#include "opt/ranks/ranks.h"

typedef struct { const Module *module; Arena *scratch; Map seen; } Calls;

static void note(void *ctx, Op *op) {
    Calls *c = ctx;
    Func *f = op->code == OP_CALL ? module_find(c->module, op_sym(op, A_FUNC)) : NULL;
    if (!f || map_has(&c->seen, f)) return;
    map_put(c->scratch, &c->seen, f, op);
    region_walk(f->body, note, c);
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

static bool is_more(const Op *op) {
    switch (op->code) {
    case OP_ISLAND: case OP_PRINT: case OP_EXTERN: case OP_LOADFILE: case OP_EMPTY: case OP_BLAS: case OP_SPAWN:
        return true;
    default: return false;
    }
}

bool ranks_is_scalar(const Func *f) { return f->kind != FUNC_EXTERN && !region_reaches(f->body, is_more); }
