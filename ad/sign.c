/* The sign of zeros: a gradient is a sum that begins with 0, so an element of it is never -0 (IEEE 754, 6.3: a sum is
 * -0 only where both sides are).
 *
 * Without that the sign would tell how much is summed: a part that is 0 may be gone after optimization, and 0 + -0 is 0
 * where -0 alone is -0.  Where the adjoint can be seen never to be -0 nothing is added. */
#include "ad/ad.h"

#include <math.h>

enum { DEEP = 8 };

/* What is taken for granted: of what loops carry that are asked about, when their turns begin */
typedef struct Granted { const struct Granted *up; const Value *v; } Granted;

static bool never_minus(const Value *v, const Granted *g, int deep);

/* What a region yields in place k */
static bool yields(const Region *r, int k, const Granted *g, int deep) {
    return never_minus(op_opnd(region_term(r), k), g, deep);
}

static bool reads_of(const Value *v, const Value *buf) {
    return v->def && v->def->code == OP_LOAD && op_opnd(v->def, 0) == buf;
}

/* A buffer that begins so, and gets sums only: of an element and something, or others that are never -0 */
static bool holds(const Value *buf, const Granted *g, int deep) {
    for (const Use *u = buf->uses; u; u = u->next) {
        const Op *op = u->user;
        bool atomic = op->code == OP_ATOMIC && u->index == 1 && op_combine(op) == COMBINE_ADD;
        if (op->code == OP_LOAD || atomic) continue;
        if (op->code != OP_STORE || u->index != 1) return false;
        const Op *sum = op_opnd(op, 0)->def;
        bool adds = sum && sum->code == OP_ADD && (reads_of(op_opnd(sum, 0), buf) || reads_of(op_opnd(sum, 1), buf));
        if (!adds && !never_minus(op_opnd(op, 0), g, deep - 1)) return false;
    }
    return true;
}

static bool from_island(const Value *v, const Granted *g, int deep) {
    const Op *island = v->def;
    int r = -1, k = 0;
    for (; k < island->nopnds; k++)
        if (op_attr(island, A_MODES)->ints[k] && ++r == v->index) break;
    return never_minus(op_opnd(island, k), g, deep - 1) && holds(island->regs[0]->args[k], g, deep);
}

static bool carried(const Value *v, const Granted *g, int deep) {
    const Op *loop = v->def;
    Granted here = {g, loop->regs[0]->args[v->index + 1]};
    return never_minus(op_opnd(loop, v->index + 3), g, deep - 1) && yields(loop->regs[0], v->index, &here, deep - 1);
}

static bool is_granted(const Granted *g, const Value *v) { return g && (g->v == v || is_granted(g->up, v)); }

static bool all_never(const Op *op, int first, int n, const Granted *g, int deep) {
    for (int i = 0; i < n; i++)
        if (!never_minus(op_opnd(op, first + i), g, deep - 1)) return false;
    return true;
}

static bool never_minus(const Value *v, const Granted *g, int deep) {
    const Op *op = v->def;
    const Const *c = value_const(v);
    if (c) return !(c->f == 0 && signbit(c->f));
    if (!op || deep <= 0) return is_granted(g, v);
    switch (op->code) {
    case OP_ADD: return all_never(op, 0, 1, g, deep) || all_never(op, 1, 1, g, deep);
    case OP_ABS: return true;
    case OP_FILL: case OP_RESHAPE: case OP_RETYPE: case OP_TRANSPOSE: case OP_BROADCAST: case OP_SLICE:
    case OP_EXTRACT: return all_never(op, 0, 1, g, deep);
    case OP_SELECT: return all_never(op, 1, 2, g, deep);
    case OP_UPDATE: case OP_INSERT: return all_never(op, 0, 2, g, deep);
    case OP_REDUCE: return op_combine(op) == COMBINE_ADD;
    case OP_GENERATE: return yields(op->regs[0], v->index, g, deep - 1);
    case OP_IF: return yields(op->regs[0], v->index, g, deep - 1) && yields(op->regs[1], v->index, g, deep - 1);
    case OP_FOR: return carried(v, g, deep);
    case OP_ISLAND: return from_island(v, g, deep);
    default: return false;
    }
}

Value *without_minus_zero(Builder *b, Value *g) {
    if (!dtype_is_float(g->type->dtype) || never_minus(g, NULL, DEEP)) return g;
    return build_binary(b, OP_ADD, g, build_zero(b, g->type));
}
