/* Forward derivatives of memory: beside a buffer that varies lies one with the tangents of its elements. */
#include "ad/forward.h"

/* The same access to the buffer of tangents; v: what is written there */
static Op *access_tangent(Forward *fw, Op *op, int buf, Value *v) {
    Builder b = builder_after(op);
    Value *opnds[MAX_RANK + 2];
    for (int i = 0; i < op->nopnds; i++) opnds[i] = op_opnd(op, i);
    opnds[buf] = tangent_of(fw, opnds[buf]);
    if (v) opnds[0] = v;
    return copy_with(&b, op, opnds);
}

static void forward_store(Forward *fw, Op *op) {
    Builder b = builder_before(op);
    if (!is_active(fw->ad, op_opnd(op, 1))) return;
    access_tangent(fw, op, 1, tangent_here(fw, &b, op_opnd(op, 0)));
}

/* What was there before the update goes into values that vary. */
static bool is_read(const Ad *ad, const Op *op) {
    for (const Use *u = op->nres ? op->res[0].uses : NULL; u; u = u->next) {
        const Op *o = u->user;
        bool looks = o->code == OP_CHECK || o->code == OP_PRINT, matters = o->nregs || (!o->nres && !looks);
        for (int i = 0; i < o->nres; i++) matters |= is_active(ad, &o->res[i]);
        if (matters) return true;
    }
    return false;
}

static void forward_atomic(Forward *fw, Op *op) {
    if (!is_active(fw->ad, op_opnd(op, 1))) return;
    if (op_combine(op) != COMBINE_ADD) return cannot(fw->ad, op, "an atomic update other than +=, min= and max=");
    if (is_read(fw->ad, op)) return cannot(fw->ad, op, "what was there before an atomic update");
    Value *t = tangent_of(fw, op_opnd(op, 0));
    if (t) access_tangent(fw, op, 1, t);
}

/* Operands with tangents come twice, the second time with these. */
static Op *forward_plain(Forward *fw, Op *op) {
    Builder b = builder_before(op);
    Region *r = op->regs[0];
    int n = op->nopnds, more = 0;
    Value **opnds = NEWN(fw->ad->arena, Value *, n + 1);
    int64_t *modes = NEWN(fw->ad->arena, int64_t, 2 * n + 1);
    for (int i = 0; i < n; i++) {
        modes[i] = op_attr(op, A_MODES)->ints[i];
        if (!is_active(fw->ad, r->args[i])) continue;
        opnds[more] = tangent_here(fw, &b, op_opnd(op, i));
        set_tangent(fw, r->args[i], region_add_buf(r, op_opnd(op, i)->type, "d"));
        modes[n + more++] = modes[i];
    }
    forward_region(fw, r);
    Op *new = with_tangents(fw, op, more, opnds);
    op_set_ints(new, A_MODES, n + more, modes);
    return new;
}

static void forward_launch(Forward *fw, Op *op) {
    Op *plain = extremes_as_stores(fw->ad, op), *made = plain ? forward_plain(fw, plain) : NULL;
    for (int i = 0; made && plain != op && i < op->nres; i++)
        set_tangent(fw, &op->res[i], tangent_of(fw, &made->res[i]));
}

bool forward_memory(Forward *fw, Op *op) {
    switch (op->code) {
    case OP_ISLAND: return forward_launch(fw, op), true;
    case OP_PARALLEL: return forward_region(fw, op->regs[0]), true;
    case OP_STORE: return forward_store(fw, op), true;
    case OP_ATOMIC: return forward_atomic(fw, op), true;
    case OP_LOAD:
        if (is_active(fw->ad, &op->res[0])) set_tangent(fw, &op->res[0], &access_tangent(fw, op, 0, NULL)->res[0]);
        return true;
    case OP_ALLOC: {
        Builder b = builder_after(op);
        if (is_active(fw->ad, &op->res[0])) set_tangent(fw, &op->res[0], &copy_with(&b, op, NULL)->res[0]);
        return true;
    }
    case OP_BARRIER: case OP_PREFETCH: return true;
    default: return false;
    }
}
