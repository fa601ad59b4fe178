/* interchange: the indices of a parallel loop change places so that the last one runs along the rows of memory.
 *
 * Needs plain parallel loops, at stage par or loops.  On a GPU neighbouring threads that touch neighbouring rows are
 * only slow; on a CPU the innermost loop must touch neighbouring elements.  Each index is asked what an innermost loop
 * over it would cost: nothing for an access that does not depend on it, little when it walks along the last axis, much
 * when it jumps (McKinley, Carr, Tseng, Improving data locality with loop transformations, TOPLAS 1996, section 3).
 * Only a much cheaper index takes the last place.  Sums of floats by `atomic` keep the order of the loop. */
#include "opt/loops/loops.h"

enum { ALONG = 1, JUMP = 8, DEEPER = 8, SHORT = 8, MARGIN = 2, FUEL = 200 };

/* ---- how an index moves with iv */

typedef enum { STAYS, STEPS, JUMPS } Motion; /* not at all; by one; else */

static Motion motion(const Region *body, const Value *iv, const Value *v, int *fuel) {
    if (v == iv) return STEPS;
    if (--*fuel < 0) return JUMPS;
    if (!v->def || !region_encloses(body, value_region(v))) return STAYS;
    const Op *d = v->def;
    Motion most = STAYS;
    for (int i = 0; i < d->nopnds; i++) {
        Motion m = motion(body, iv, op_opnd(d, i), fuel);
        if (m > most) most = m;
    }
    bool sum = d->code == OP_ADD || d->code == OP_SUB || d->code == OP_CAST || d->code == OP_MIN || d->code == OP_MAX;
    return most == STEPS && !sum ? JUMPS : most;
}

typedef struct { const Region *body; const Value *iv; double cost; bool ordered; } Survey;

static void look_at(void *ctx, Op *op) {
    Survey *s = ctx;
    double weight = op->code == OP_LOAD ? 1 : 2;
    if (!op_is_access(op)) return;
    s->ordered |= op->code == OP_ATOMIC && dtype_is_float(op_opnd(op, 0)->type->dtype);
    if (op_buffer(op)->type->space == SPACE_PRIVATE) return;
    for (const Op *o = op->parent->owner; o->regs[0] != s->body; o = o->parent->owner)
        if (op_info(o->code)->traits & TR_LOOP) weight *= DEEPER;
    for (int i = op_index_first(op); i < op_index_end(op); i++) {
        int fuel = FUEL;
        Motion m = motion(s->body, s->iv, op_opnd(op, i), &fuel);
        if (m == STAYS) continue;
        bool last = i + 1 == op_index_end(op);
        s->cost += weight * (m == STEPS && last ? ALONG : JUMP);
        return;
    }
}

/* ---- */

static Survey survey(Op *loop, int k) {
    Survey s = {.body = loop->regs[0], .iv = loop->regs[0]->args[k]};
    region_walk(loop->regs[0], look_at, &s);
    return s;
}

static bool is_short(const Op *loop, int k) {
    int64_t n;
    return value_const_int(op_opnd(loop, k), &n) && n < SHORT;
}

/* Index k goes to the end, those behind it one to the front. */
static void rotate(Op *loop, int k) {
    Region *body = loop->regs[0];
    Value *extent = op_opnd(loop, k), *iv = body->args[k];
    int last = loop->nopnds - 1;
    for (int i = k; i < last; i++) {
        op_set_opnd(loop, i, op_opnd(loop, i + 1));
        body->args[i] = body->args[i + 1];
        body->args[i]->index = i;
    }
    op_set_opnd(loop, last, extent);
    body->args[last] = iv;
    iv->index = last;
}

static void interchange(Op *loop) {
    int last = loop->nopnds - 1, best = last;
    Survey now = survey(loop, last);
    double least = now.cost / MARGIN;
    if (now.ordered || now.cost == 0) return;
    for (int k = 0; k < last; k++) {
        Survey s = survey(loop, k);
        if (s.cost < least && !is_short(loop, k)) least = s.cost, best = k;
    }
    if (best != last) rotate(loop, best);
}

static void visit(Region *r) {
    for (Op *o = r->first; o; o = o->next) {
        if (o->code == OP_PARALLEL && o->nopnds > 1 && op_loop(o) == LOOP_PLAIN) interchange(o);
        for (int i = 0; i < o->nregs; i++) visit(o->regs[i]);
    }
}

void pass_interchange(Module *m, const PassOptions *opts) {
    (void)opts;
    for (int i = 0; i < m->funcs.len; i++)
        if (m->funcs.data[i]->body) visit(m->funcs.data[i]->body);
}
