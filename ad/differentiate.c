/* differentiate: each vjp becomes its function's operations and the reverse of them, each jvp these with their
 * tangents.
 *
 * needs: calls inlined where that is possible.  Leaves no vjp, jvp and no stop_gradient.  Those inside others come
 * first, so that what a derivative is taken of is made of ordinary operations.  What is made goes through the passes
 * before this one again (pass.c). */
#include "ad/forward.h"
#include "opt/pass.h"

static void dissolve(Op *op) {
    Region *r = op->regs[0];
    Op *y = region_term(r);
    for (int i = 0; i < r->nargs; i++) value_replace_all(r->args[i], op_opnd(op, i));
    for (int i = 0; i < op->nres; i++) value_replace_all(&op->res[i], op_opnd(y, i));
    op_erase(y);
    if (r->first) op_move_range(r->first, r->last, op->parent, op);
    op_erase(op);
}

static Ad begin(const Op *op) {
    Ad ad = {.module = op->parent->func->module, .arena = arena_new()};
    for (const Op *o = op->parent->owner; o; o = o->parent->owner) ad.again |= o->code == OP_VJP || o->code == OP_JVP;
    return ad;
}

/* The adjoints of the region's arguments are yielded behind its values. */
static bool reverse_vjp(Op *op) {
    Region *r = op->regs[0];
    Op *y = region_term(r);
    Ad ad = begin(op);
    Scope top = {.ad = &ad, .of = r, .b = builder_before(y)};
    active_mark(&ad, r);
    for (int i = 0, n = y->nopnds; i < n; i++) add_adjoint(&top, op_opnd(y, i), op_opnd(op, r->nargs + i));
    reverse_region(&top);
    for (int i = 0; i < r->nargs && !ad.failed; i++) op_add_opnd(y, adjoint_or_zero(&top, r->args[i]));
    arena_free(ad.arena);
    return !ad.failed;
}

/* The tangents of the region's values are yielded behind these. */
static bool forward_jvp(Op *op) {
    Region *r = op->regs[0];
    Op *y = region_term(r);
    Ad ad = begin(op);
    Forward fw = {.ad = &ad};
    active_mark(&ad, r);
    for (int i = 0; i < r->nargs; i++) set_tangent(&fw, r->args[i], op_opnd(op, r->nargs + i));
    forward_region(&fw, r);
    Builder b = builder_before(y);
    for (int i = 0, n = y->nopnds; i < n && !ad.failed; i++) op_add_opnd(y, tangent_here(&fw, &b, op_opnd(y, i)));
    arena_free(ad.arena);
    return !ad.failed;
}

bool differentiate_region(Region *r) {
    for (Op *o = r->first, *next; o; o = next) {
        next = o->next;
        for (int i = 0; i < o->nregs; i++)
            if (!differentiate_region(o->regs[i])) return false;
        if (o->code != OP_VJP && o->code != OP_JVP) continue;
        if (o->code == OP_VJP ? !reverse_vjp(o) : !forward_jvp(o)) return false;
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
        if (m->funcs.data[i]->kind != FUNC_EXTERN && !differentiate_region(m->funcs.data[i]->body)) return;
    for (int i = 0; i < m->funcs.len; i++) region_walk(m->funcs.data[i]->body, forget_stop, NULL);
    m->derives = false;
}
