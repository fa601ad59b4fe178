/* Sums of loops, `s += x`, which round each time: what a turn adds is added up in 113 bits beside what the program has,
 * along each run of the loop.  Told is the longest of them, where digits of the greatest sum on the way are lost: sums
 * that end near 0 lose others, whatever the order. */
#include "accuracy/accuracy.h"

#include <math.h>
#include <string.h>

/* What a loop carries and adds to: the operand of the addition that it is; -1: it is none */
static int carried_operand(const Op *add) {
    const Region *body = add->parent;
    const Op *loop = body->owner, *yield = body->last;
    bool loops = loop && (loop->code == OP_FOR || (loop->code == OP_WHILE && body == loop->regs[1]));
    if (add->code != OP_ADD || !loops || add->res[0].type->kind != TY_SCALAR) return -1;
    for (int k = 0; k < 2; k++) {
        const Value *v = op_opnd(add, k);
        int place = v->index - (loop->code == OP_FOR);
        if (!v->def && v->region == body && place >= 0 && op_opnd(yield, place) == &add->res[0]) return k;
    }
    return -1;
}

/* The same in each turn */
static bool is_fixed(const Op *add, int carried) {
    const Value *v = op_opnd(add, 1 - carried);
    return value_const(v) || !region_encloses(add->parent, value_region(v));
}

static void look_at(void *ctx, Op *op) {
    Profile *p = ctx;
    DType t = op->nres ? op->res[0].type->dtype : DT_COUNT;
    int carried = (t == DT_F32 || t == DT_F64) && op->span.file == p->file ? carried_operand(op) : -1;
    if (carried < 0) return;
    LoopSum *s = NEW(p->arena, LoopSum);
    *s = (LoopSum){.at = op->span, .dtype = t, .carried = carried, .fixed = is_fixed(op, carried), .last = NAN};
    map_put(p->arena, &p->loop_sums, op, s);
}

void find_loop_sums(Profile *p, const Module *m) {
    for (int i = 0; i < m->funcs.len; i++)
        if (m->funcs.data[i]->body) region_walk(m->funcs.data[i]->body, look_at, p);
}

static void begin_again(LoopSum *s, double from) {
    s->n = 0;
    s->exact = (Wide)from;
    s->greatest = fabs(from);
}

void loop_sum_see(LoopSum *s, const InterpOperands *operands) {
    double x[2] = {interp_operand(operands, 0, 0), interp_operand(operands, 1, 0)}, old = x[s->carried];
    if (memcmp(&old, &s->last, sizeof old) != 0) begin_again(s, old);
    s->last = interp_apply(OP_ADD, s->dtype, 2, x);
    s->exact += (Wide)x[1 - s->carried];
    s->greatest = fmax(s->greatest, fabs(s->last));
    if (++s->n < s->longest || !isfinite(s->last) || s->greatest == 0) return;
    double unit = s->dtype == DT_F64 ? 0x1p-53 : 0x1p-24;
    s->longest = s->n;
    s->bits = log2(1 + fabs((double)((Wide)s->last - s->exact)) / (s->greatest * unit));
}
