/* Serial loops whose turns the C compiler should write out several at a time.
 *
 * A loop that changes elements whose place it reads (a histogram, the places of a sort) is no vector, and of a short
 * body a third of what it does is its own counting.  A loop through the bits of an int is a few shifts by constants in
 * the loop around it.  gcc writes out no loop of more than 16 turns of its own accord. */
#include "codegen/plan.h"
#include "ir/index.h"

enum { LONG = 64 };

/* What v is computed from is read in the region */
static bool is_read(const Region *r, const Value *v, int fuel) {
    const Op *op = v->def;
    if (!op || !fuel || !region_encloses(r, value_region(v))) return false;
    if (op->code == OP_LOAD) return true;
    for (int i = 0; i < op->nopnds; i++)
        if (is_read(r, op_opnd(op, i), fuel - 1)) return true;
    return false;
}

static bool updates_by_data(const Op *op) {
    enum { FUEL = 8 };
    if (op->code != OP_STORE && op->code != OP_ATOMIC) return false;
    for (int i = op_index_first(op); i < op_index_end(op); i++)
        if (is_read(op->parent, op_opnd(op, i), FUEL)) return true;
    return false;
}

/* Of many turns, as far as is known */
static bool is_long(const Op *loop) {
    int64_t lo, hi, step;
    if (!int_constant(op_opnd(loop, 0), &lo) || !int_constant(op_opnd(loop, 2), &step) || step != 1) return false;
    return int_constant(op_opnd(loop, 1), &hi) ? hi - lo >= LONG : plan_is_size(op_opnd(loop, 1));
}

/* Then that loop is one of vectors, once the turns of this one are written out. */
static bool in_loop(const Op *op) {
    const Op *around = op->parent->owner;
    return around && op_info(around->code)->traits & TR_LOOP;
}

int plan_turns_together(const Op *loop) {
    enum { SHORT = 16, MOST = 32 };
    int n = 0;
    bool found = false;
    const int bits = in_loop(loop) ? loop_bits(loop) : 0;
    if (bits) return bits;
    if (loop->nres || op_flag(loop, A_FEW) || op_flag(loop, A_PROGRESS) || !is_long(loop)) return 1;
    for (const Op *o = loop->regs[0]->first; o; o = o->next, n++) {
        if (o->nregs || o->code == OP_CALL) return 1;
        found |= updates_by_data(o);
    }
    return !found || n > MOST ? 1 : n > SHORT ? 4 : 8;
}
