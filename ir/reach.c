/* What an operation does in the end: itself, in its regions, and in the functions that it calls, at any depth. */
#include "ir/ir.h"

typedef struct { bool (*is)(const Op *op); Arena *scratch; Map seen; } Reach; /* seen: functions, each looked at once */

static bool reaches(Reach *r, const Op *op);

static bool reaches_in(Reach *r, const Region *in) {
    for (const Op *o = in->first; o; o = o->next)
        if (reaches(r, o)) return true;
    return false;
}

static bool reaches_by_call(Reach *r, const Op *call) {
    const Func *f = module_find(call->parent->func->module, op_sym(call, A_FUNC));
    if (!f || map_has(&r->seen, f)) return false;
    if (!r->scratch) r->scratch = arena_new();
    map_put(r->scratch, &r->seen, f, r);
    return reaches_in(r, f->body);
}

static bool reaches(Reach *r, const Op *op) {
    if (r->is(op) || (op->code == OP_CALL && reaches_by_call(r, op))) return true;
    for (int i = 0; i < op->nregs; i++)
        if (reaches_in(r, op->regs[i])) return true;
    return false;
}

bool op_reaches(const Op *op, bool (*is)(const Op *op)) {
    Reach r = {.is = is};
    bool found = reaches(&r, op);
    if (r.scratch) arena_free(r.scratch);
    return found;
}

bool region_reaches(const Region *in, bool (*is)(const Op *op)) {
    Reach r = {.is = is};
    bool found = reaches_in(&r, in);
    if (r.scratch) arena_free(r.scratch);
    return found;
}
