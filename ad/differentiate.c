/* differentiate: each vjp becomes its function's operations and the reverse of them.
 *
 * needs: calls inlined where that is possible.  Leaves no vjp and no stop_gradient.  Those inside others come first, so that what a derivative is taken
 * of is made of ordinary operations.  What is made goes through the passes before this one again (pass.c). */
#include "ad/ad.h"
#include "opt/pass.h"

static void dissolve(Op *op) {
    Region *r = op->regs[0];
    Op *y = region_term(r);
    int n = r->nargs, values = op->nres - n;
    for (int i = 0; i < n; i++) value_replace_all(r->args[i], op_opnd(op, i));
    for (int i = 0; i < values + n; i++) value_replace_all(&op->res[i], op_opnd(y, i));
    op_erase(y);
    if (r->first) op_move_range(r->first, r->last, op->parent, op);
    op_erase(op);
}

/* The adjoints of the region's arguments are yielded behind its values. */
static bool reverse_vjp(Op *op) {
    Module *m = op->parent->func->module;
    Region *r = op->regs[0];
    Op *y = region_term(r);
    Ad ad = {.module = m, .arena = arena_new()};
    for (const Op *o = op->parent->owner; o; o = o->parent->owner) ad.again |= o->code == OP_VJP;
    Scope top = {.ad = &ad, .of = r, .b = builder_before(y)};
    active_mark(&ad, r);
    for (int i = 0; i < y->nopnds; i++) add_adjoint(&top, op_opnd(y, i), op_opnd(op, r->nargs + i));
    reverse_region(&top);
    for (int i = 0; i < r->nargs && !ad.failed; i++) {
        Value *g = adjoint_of(&top, r->args[i]);
        op_add_opnd(y, g ? g : build_zero(&top.b, r->args[i]->type));
    }
    arena_free(ad.arena);
    return !ad.failed;
}

/* False: reported */
static bool visit(Region *r) {
    for (Op *o = r->first, *next; o; o = next) {
        next = o->next;
        for (int i = 0; i < o->nregs; i++)
            if (!visit(o->regs[i])) return false;
        if (o->code != OP_VJP) continue;
        if (!reverse_vjp(o)) return false;
        dissolve(o);
    }
    return true;
}

static void forget_stop(void *ctx, Op *op) {
    (void)ctx;
    if (op->code != OP_STOP_GRADIENT) return;
    value_replace_all(&op->res[0], op_opnd(op, 0));
    op_erase(op);
}

void pass_differentiate(Module *m, const PassOptions *opts) {
    (void)opts;
    if (!m->derives) return;
    for (int i = 0; i < m->funcs.len; i++)
        if (m->funcs.data[i]->kind != FUNC_EXTERN && !visit(m->funcs.data[i]->body)) return;
    for (int i = 0; i < m->funcs.len; i++) region_walk(m->funcs.data[i]->body, forget_stop, NULL);
    m->derives = false;
}
