/* Atomic updates: how each is done, which loops they keep in order, and of which buffers threads may have copies. */
#include "codegen/plan.h"

enum { PRIVATE_COPY = 4096 }; /* elements of a buffer that each thread may have a copy of */

typedef struct { const Op *loop; bool found; } OrderSearch;

static void find_ordered_atomic(void *ctx, Op *op) {
    OrderSearch *s = ctx;
    s->found |= op->code == OP_AWAIT;
    if (op->code != OP_ATOMIC || op_encloses(s->loop, op_opnd(op, 1))) return;
    DType t = op_opnd(op, 0)->type->dtype;
    Combine kind = op_combine(op);
    s->found |= dtype_info(t)->kind == DK_FLOAT &&
                (kind == COMBINE_ADD || kind == COMBINE_MUL || dtype_info(t)->bytes == 2);
}

bool plan_order_matters(const Op *op) {
    OrderSearch s = {op, false};
    for (int i = 0; i < op->nregs; i++) region_walk(op->regs[i], find_ordered_atomic, &s);
    return s.found;
}

/* ---- copies */

const Region *plan_region_of(const Op *loop) {
    const Region *r = loop->parent;
    while (r->owner && r->owner->code == OP_IF) r = r->owner->parent;
    return r;
}

Combine plan_copies_of(const Op *loop, const Value *buf) {
    const Type *t = buf->type;
    Session *s = loop->parent->func->module->session;
    if (buf->def || value_region(buf) != plan_region_of(loop) || t->kind != TY_BUF || !t->rank) return COMBINE_NONE;
    if (!type_few_elements(s, t, PRIVATE_COPY)) return COMBINE_NONE;
    return dtype_is_float(t->dtype) || t->dtype == DT_BOOL ? COMBINE_NONE : loop_combines(loop, buf);
}

/* ---- one update */

/* A constant, or known before the loop */
static bool is_fixed(const Op *loop, const Value *v) {
    return (v->def && v->def->code == OP_CONST) || !region_encloses(loop->regs[0], value_region(v));
}

/* All threads update elements of the array to the same value: who comes second changes nothing. */
static bool is_same_for_all(const Op *loop, const Op *op) {
    for (const Use *u = op_opnd(op, 1)->uses; loop && u; u = u->next) {
        if (u->user->code != OP_ATOMIC || !op_inside(u->user, loop)) continue;
        if (op_combine(u->user) != op_combine(op) || op_opnd(u->user, 0) != op_opnd(op, 0)) return false;
    }
    return loop && is_fixed(loop, op_opnd(op, 0));
}

/* One that nobody else disturbs where the loop runs in order */
static bool is_in_order(const Op *op) {
    DType t = op_opnd(op, 1)->type->dtype;
    return dtype_is_half(t) || (dtype_is_float(t) && combine_info(op_combine(op))->sign);
}

static Update indivisible(const Op *op, const Op *loop) {
    DType t = op_opnd(op, 1)->type->dtype;
    Combine kind = op_combine(op);
    const char *sign = combine_info(kind)->sign;
    bool extreme = kind == COMBINE_MIN || kind == COMBINE_MAX;
    if (!op->nres && sign && t != DT_BOOL) return UPDATE_OPERATOR;
    if (op->nres || !extreme) return UPDATE_FETCH;
    return is_same_for_all(loop, op) ? UPDATE_EXTREME_SAME : UPDATE_EXTREME;
}

Update plan_update(const Op *op, const Op *loop, bool threads) {
    if (!threads || is_in_order(op) || (loop && plan_copies_of(loop, op_opnd(op, 1)))) return UPDATE_ALONE;
    return indivisible(op, loop);
}

Update plan_update_on_device(const Op *op, Where where, const Op *launch) {
    return where == RUN_SIMULATED && is_in_order(op) ? UPDATE_ALONE : indivisible(op, launch);
}
