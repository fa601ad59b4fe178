/* Whether a float may be -0: x + 0 is x but for x = -0, and a sum is -0 only where both sides are (IEEE 754, 6.3). */
#include "ir/ir.h"

#include <math.h>

enum { DEEP = 8, MANY_ASKED = 1000 };

/* What is taken for granted while it is asked whether its next value keeps it so: what loops carry, and memory; how
 * many values may still be asked about */
typedef struct Granted { const struct Granted *up; const Value *v; int *left; } Granted;

static bool never(const Value *v, const Granted *g, int deep);

static bool is_granted(const Granted *g, const Value *v) { return g->v == v || (g->up && is_granted(g->up, v)); }

static bool all_never(const Op *op, int first, int n, const Granted *g, int deep) {
    for (int i = 0; i < n; i++)
        if (!never(op_opnd(op, first + i), g, deep - 1)) return false;
    return true;
}

/* What a region yields in place k */
static bool yields(const Region *r, int k, const Granted *g, int deep) {
    return never(op_opnd(region_term(r), k), g, deep - 1);
}

/* ---- loops */

static bool carries(const Op *loop, int k, const Granted *g, int deep) {
    Granted here = {g, loop->regs[0]->args[k + 1], g->left};
    return never(op_opnd(loop, k + 3), g, deep - 1) && yields(loop->regs[0], k, &here, deep);
}

/* ---- memory */

/* Only what is never -0 is stored there or added. */
static bool stays(const Value *memory, const Granted *g, int deep) {
    Granted here = {g, memory, g->left};
    for (const Use *u = memory->uses; u; u = u->next) {
        const Op *op = u->user;
        bool adds = op->code == OP_ATOMIC && u->index == 1 && op_combine(op) == COMBINE_ADD;
        if (op->code == OP_LOAD || adds) continue;
        if (op->code != OP_STORE || u->index != 1 || !never(op_opnd(op, 0), &here, deep - 1)) return false;
    }
    return true;
}

/* An island's own memory begins as +0, or is written before it is read; that of an operand holds what this does. */
static bool holds(const Value *memory, const Granted *g, int deep) {
    if (is_granted(g, memory)) return true;
    if (deep <= 0) return false;
    if (memory->def) return memory->def->code == OP_ALLOC && stays(memory, g, deep);
    const Op *island = memory->region->owner;
    return island && island->code == OP_ISLAND && never(op_opnd(island, memory->index), g, deep - 1) &&
           stays(memory, g, deep);
}

static bool from_island(const Value *v, const Granted *g, int deep) {
    const Op *island = v->def;
    int r = -1, k = 0;
    for (; k < island->nopnds; k++)
        if (op_attr(island, A_MODES)->ints[k] && ++r == v->index) break;
    return holds(island->regs[0]->args[k], g, deep);
}

/* ---- */

static bool never(const Value *v, const Granted *g, int deep) {
    const Op *op = v->def;
    const Const *c = value_const(v);
    if (c) return !(c->f == 0 && signbit(c->f));
    if (is_granted(g, v)) return true;
    if (deep <= 0 || --*g->left < 0) return false;
    if (!op) {
        const Op *loop = v->region->owner;
        return loop && loop->code == OP_FOR && v->index > 0 && carries(loop, v->index - 1, g, deep);
    }
    switch (op->code) {
    case OP_ADD: return all_never(op, 0, 1, g, deep) || all_never(op, 1, 1, g, deep);
    case OP_ABS: return true;
    case OP_CAST: return !dtype_is_float(op_opnd(op, 0)->type->dtype);
    case OP_MUL: return op_opnd(op, 0) == op_opnd(op, 1);
    case OP_FILL: case OP_RESHAPE: case OP_RETYPE: case OP_TRANSPOSE: case OP_BROADCAST: case OP_SLICE:
    case OP_EXTRACT: return all_never(op, 0, 1, g, deep);
    case OP_SELECT: return all_never(op, 1, 2, g, deep);
    case OP_UPDATE: case OP_INSERT: return all_never(op, 0, 2, g, deep);
    case OP_REDUCE: return op_combine(op) == COMBINE_ADD;
    case OP_GENERATE: return yields(op->regs[0], v->index, g, deep);
    case OP_IF: return yields(op->regs[0], v->index, g, deep) && yields(op->regs[1], v->index, g, deep);
    case OP_FOR: return carries(op, v->index, g, deep);
    case OP_LOAD: return holds(op_opnd(op, 0), g, deep);
    case OP_ISLAND: return from_island(v, g, deep);
    default: return false;
    }
}

bool value_never_minus_zero(const Value *v) {
    int left = MANY_ASKED;
    Granted none = {NULL, NULL, &left};
    return never(v, &none, DEEP);
}

/* ---- */

static bool sign_lost(const Value *v, int deep, int *left);

/* A sum begins with 0, which stays 0 where -0 is added. */
static bool yield_loses(const Use *u, int deep, int *left) {
    const Op *owner = u->user->parent->owner;
    if (owner && owner->code == OP_REDUCE) return op_combine(owner) == COMBINE_ADD;
    return owner && owner->code == OP_IF && sign_lost(&owner->res[u->index], deep - 1, left);
}

static bool use_loses(const Use *u, int deep, int *left) {
    const Op *op = u->user;
    if (deep <= 0 || --*left < 0) return false;
    if (op->code == OP_MUL && op_opnd(op, 0) == op_opnd(op, 1)) return true; /* a square */
    switch (op->code) {
    case OP_ABS: case OP_EQ: case OP_NE: case OP_LT: case OP_LE: case OP_GT: case OP_GE: return true;
    case OP_ADD: case OP_SUB: case OP_MUL: case OP_NEG: case OP_ROUND: case OP_TRUNC:
        return sign_lost(&op->res[0], deep - 1, left);
    case OP_DIV: return u->index == 0 && sign_lost(&op->res[0], deep - 1, left);
    case OP_SELECT: return u->index > 0 && sign_lost(&op->res[0], deep - 1, left);
    case OP_YIELD: return yield_loses(u, deep, left);
    default: return false;
    }
}

static bool sign_lost(const Value *v, int deep, int *left) {
    for (const Use *u = v->uses; u; u = u->next)
        if (!use_loses(u, deep, left)) return false;
    return true;
}

bool value_sign_of_zero_lost(const Value *v) {
    int left = MANY_ASKED;
    return sign_lost(v, 2 * DEEP, &left);
}
