/* fold: constants are computed, identities applied, decided branches and trivial loops dissolved, known
 * size symbols replaced by what they are.
 *
 * needs: nothing.  Leaves operations without uses behind (dce takes them).  Values keep every bit: arithmetic is
 * that of the runtime's helpers, and only identities of strict IEEE are used.  Floats that are to become pairs are
 * computed behind that, so that constants have the digits of others. */
#include "opt/par/fold.h"
#include "opt/pass.h"

enum { MAX_ROUNDS = 8, FUEL = 16 };

/* It takes or gives floats of this type. */
static bool is_of(const Op *op, DType t) {
    bool any = op->nres && op->res[0].type->dtype == t;
    for (int i = 0; i < op->nopnds; i++) any |= op_opnd(op, i)->type->dtype == t;
    return any;
}

static bool fold_op(Op *op, DType later) {
    if (op_info(op->code)->traits & TR_ELEM) return fold_elementwise(op, !is_of(op, later));
    return fold_tensor(op) || fold_flow(op);
}

/* later: the type of floats of which constants are not computed */
static void fold_region(Region *r, DType later) {
    for (Op *op = r->first, *next; op; op = next) {
        Op *prev = op->prev;
        int fuel = FUEL;
        while (op->parent && op->nregs && fuel-- > 0 && fold_op(op, later)) continue;
        for (int i = 0; op->parent && i < op->nregs; i++) fold_region(op->regs[i], later);
        while (op->parent && fuel-- > 0 && fold_op(op, later)) continue;
        next = op->parent ? op->next : prev ? prev->next : r->first;
    }
}

void pass_fold(Module *m, const PassOptions *opts) {
    DType later = m->stage == STAGE_LOOPS ? DT_COUNT : pairs_wide(opts);
    for (int i = 0; i < m->funcs.len; i++) {
        Func *f = m->funcs.data[i];
        fold_region(f->body, later);
        for (int k = 0; k < MAX_ROUNDS && fold_binds(f); k++) fold_region(f->body, later);
    }
}
