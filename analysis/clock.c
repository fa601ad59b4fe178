/* Where the clock is read: by the C function behind time(), in functions that are called, too. */
#include "analysis/clock.h"

#include "analysis/cost.h"

#include <string.h>

static const char *const CLOCK = "dsl_x_time";

static bool is_clock(const Op *op) { return op->code == OP_EXTERN && !strcmp(op_sym(op, A_FUNC), CLOCK); }

static bool has_clock(const Op *op) { return module_find(op->parent->func->module, CLOCK) != NULL; }

static bool is_called_in(const Region *r, const Func *f) {
    for (const Op *o = r->first; o; o = o->next) {
        if (o->code == OP_CALL && !strcmp(op_sym(o, A_FUNC), f->name)) return true;
        for (int i = 0; o->code != OP_ISLAND && i < o->nregs; i++)
            if (is_called_in(o->regs[i], f)) return true;
    }
    return false;
}

bool clock_is_read(const Op *op) { return has_clock(op) && op_reaches(op, is_clock); }

bool clock_between(const Op *op, const Op *at) {
    if (!has_clock(op) || op_inside(op, at)) return false;
    for (; at; at = at->parent->owner) {
        for (const Op *o = at->prev; o && o != op; o = o->prev)
            if (clock_is_read(o)) return true;
        const Op *owner = at->parent->owner;
        if (at->parent == op->parent || !owner) return false;
        if (op_info(owner->code)->traits & TR_LOOP && clock_is_read(owner)) return true;
    }
    return false;
}

bool clock_overlooks(const Op *op) {
    for (int i = 0; i < op->nres; i++)
        if (type_is_tensor(op->res[i].type)) return false;
    return !op->nregs && op_info(op->code)->cost <= COST_KEEP;
}

bool clock_may_part(const Func *f) {
    const Module *m = f->module;
    for (int i = 0; module_find(m, CLOCK) && i < m->funcs.len; i++)
        if (is_called_in(m->funcs.data[i]->body, f)) return true;
    return false;
}
