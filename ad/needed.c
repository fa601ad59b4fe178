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

/* seen: values of which no use asks, as far as it is known; sums of sums are met in many ways. */
static bool asks(const Ad *ad, Map *seen, const Value *v, int steps) {
    if (map_has(seen, v)) return false;
    if (steps == MOST_STEPS) return true;
    map_put(ad->arena, seen, v, seen);
    for (const Use *u = v->uses; u; u = u->next) {
        const Op *op = u->user;
        if (is_put(u)) continue;
        if (!(op_info(op->code)->traits & TR_ELEM) || op->nres != 1 || !is_active(ad, &op->res[0])) return true;
        if (!has_adjoint(op->code) || rule_asks(ad, op, u->index)) return true;
        if (asks(ad, seen, &op->res[0], steps + 1)) return true;
    }
    return false;
}

bool is_needed(const Ad *ad, const Value *v) {
    Map seen = {0};
    return asks(ad, &seen, v, 0);
}
