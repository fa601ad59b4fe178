/* What the reverse may ask for: the operands and results that rules read, and what these are computed of; "to be
 * recorded" of Hascoet, Naumann and Pascual (2005). */
#include "ad/ad.h"

enum { MOST_STEPS = 32 };

static bool is_put(const Use *u) {
    OpCode code = u->user->code;
    if (code == OP_STORE || code == OP_ATOMIC) return u->index == 0;
    return (code == OP_INSERT || code == OP_UPDATE) && u->index == 1;
}

/* The operation's own rule reads operand i, or its result, which is computed of that. */
static bool rule_asks(const Ad *ad, const Op *op, int i) {
    for (int k = 0; k < op->nopnds; k++)
        if (is_active(ad, op_opnd(op, k)) && (rule_reads(op, k, i) || rule_reads(op, k, op->nopnds))) return true;
    return false;
}

static bool asks(const Ad *ad, const Value *v, int steps) {
    if (steps == MOST_STEPS) return true;
    for (const Use *u = v->uses; u; u = u->next) {
        const Op *op = u->user;
        if (is_put(u)) continue;
        if (!(op_info(op->code)->traits & TR_ELEM) || op->nres != 1 || !is_active(ad, &op->res[0])) return true;
        if (!has_adjoint(op->code) || rule_asks(ad, op, u->index) || asks(ad, &op->res[0], steps + 1)) return true;
    }
    return false;
}

bool is_needed(const Ad *ad, const Value *v) { return asks(ad, v, 0); }
