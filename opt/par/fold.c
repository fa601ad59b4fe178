/* fold: constants are computed, identities applied, decided branches and trivial loops dissolved, known
 * size symbols replaced by what they are.
 *
 * needs: nothing.  Leaves operations without uses behind (dce takes them).  Values keep every bit: arithmetic is
 * that of the runtime's helpers, and only identities of strict IEEE are used. */
#include "opt/par/fold.h"
#include "opt/pass.h"

enum { MAX_ROUNDS = 8, FUEL = 16 };

static bool fold_op(Op *op) {
    if (op_info(op->code)->traits & TR_ELEM) return fold_elementwise(op);
    return fold_tensor(op) || fold_flow(op);
}

static void fold_region(Region *r) {
    for (Op *op = r->first, *next; op; op = next) {
        Op *prev = op->prev;
        int fuel = FUEL;
        while (op->parent && op->nregs && fuel-- > 0 && fold_op(op)) continue;
        for (int i = 0; op->parent && i < op->nregs; i++) fold_region(op->regs[i]);
        while (op->parent && fuel-- > 0 && fold_op(op)) continue;
        next = op->parent ? op->next : prev ? prev->next : r->first;
    }
}

void pass_fold(Module *m, const PassOptions *opts) {
    (void)opts;
    for (int i = 0; i < m->funcs.len; i++) {
        Func *f = m->funcs.data[i];
        fold_region(f->body);
        for (int k = 0; k < MAX_ROUNDS && fold_binds(f); k++) fold_region(f->body);
    }
}
