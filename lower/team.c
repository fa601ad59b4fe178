/* Which loops a GPU does by teams: some threads beside each other do an iteration together (codegen/llvm/team.c).
 *
 * The elements of a reduction along rows lie beside each other for the threads of a team, and far apart for threads
 * each of which has a row of its own; of columns it is the other way round.  So a loop is for teams when all its
 * reductions read along their own index, and none along the loop's. */
#include "analysis/columns.h"
#include "lower/lower.h"

enum { SHORT = 32 };

static bool is_short(const Op *reduce, int axis) {
    int64_t n;
    return value_const_int(op_opnd(reduce, axis), &n) && n <= SHORT;
}

static bool reads_rows(const Op *reduce, const Op *loop) {
    ReadsLie reads = reduce_reads(reduce, loop->regs[0]->args[loop->nopnds - 1]);
    return reads.along && !reads.beside && !is_short(reduce, reduce->regs[0]->nargs - 1);
}

typedef struct { const Op *loop; int good, bad; } Look;

static void look(Look *l, const Region *r) {
    for (const Op *o = r->first; o; o = o->next) {
        l->bad += o->code == OP_ATOMIC || o->code == OP_CALL || o->code == OP_SPAWN;
        if (o->code == OP_REDUCE) {
            bool rows = reads_rows(o, l->loop);
            l->good += rows, l->bad += !rows;
            continue;
        }
        for (int i = 0; i < o->nregs && o->code != OP_PARALLEL; i++) look(l, o->regs[i]);
    }
}

static bool is_plain(const Op *op) { return op_loop(op) == LOOP_PLAIN; }

void team_choose(Op *island) {
    for (Op *o = island->regs[0]->first; o; o = o->next) {
        Look l = {o, 0, 0};
        if (!is_plain(o) || !o->nopnds) continue;
        look(&l, o->regs[0]);
        if (l.good && !l.bad) op_set_flag(o, A_TEAM);
    }
}

bool team_does(const Op *op) {
    for (const Op *o = op->parent->owner; o; o = o->parent->owner) {
        if (o->code == OP_REDUCE) return false;
        if (o->code == OP_PARALLEL && !op_flag(o, A_SERIAL)) return op_flag(o, A_TEAM);
    }
    return false;
}
