/* What an operation may do, all its regions taken together.
 *
 * Memory lives only inside islands, so seen from outside an island neither reads nor writes.  A loop
 * that may run forever counts as a trap: it may be deleted, but not started where it did not run. */
#include "ir/ir.h"

enum { MAY_TRAP = 1, MAY_EFFECT = 2, MAY_READ = 4, MAY_WRITE = 8, MAY_ALLOC = 16 };

/* At stage loops values have owners, and an operation that consumes its operands is no pure one. */
static bool consumes(const Op *op) {
    bool loops = op->parent && op->parent->func->module->stage >= STAGE_LOOPS;
    return op->code == OP_VIEW || (op->code == OP_ISLAND && loops);
}

static int own_effects(const Op *op) {
    int traits = op_info(op->code)->traits, e = 0;
    if (traits & TR_TRAP && !op_flag(op, A_SAFE)) e |= MAY_TRAP;
    if (traits & TR_EFFECT) e |= MAY_EFFECT;
    if (traits & TR_READ) e |= MAY_READ;
    if (traits & TR_WRITE) e |= MAY_WRITE;
    if (traits & TR_ALLOC) e |= MAY_ALLOC;
    if (op->code == OP_WHILE) e |= MAY_TRAP;
    if (consumes(op)) e |= MAY_EFFECT;
    return e;
}

static int effects(const Op *op) {
    int e = own_effects(op);
    for (int i = 0; i < op->nregs; i++)
        for (const Op *o = op->regs[i]->first; o; o = o->next) e |= effects(o);
    return op->code == OP_ISLAND ? e & ~(MAY_READ | MAY_WRITE | MAY_ALLOC) : e;
}

bool op_is_pure(const Op *op) { return !(op_info(op->code)->traits & TR_TERM) && effects(op) == 0; }
bool op_may_trap(const Op *op) { return effects(op) & MAY_TRAP; }
bool op_has_effect(const Op *op) { return effects(op) & MAY_EFFECT; }
bool op_reads_memory(const Op *op) { return effects(op) & MAY_READ; }
bool op_writes_memory(const Op *op) { return effects(op) & MAY_WRITE; }

bool op_is_removable(const Op *op) {
    return !(op_info(op->code)->traits & TR_TERM) && !(effects(op) & (MAY_EFFECT | MAY_WRITE));
}
