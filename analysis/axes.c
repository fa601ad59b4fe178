/* Which of a launch's thread axes lies along warps of a GPU.
 *
 * The language does not say which threads are neighbours: usually those along x.  Where the program reads arrays along
 * y, as one does that gives rows to x, threads along y become the neighbours: they read beside each other then.  The
 * two axes change places for threads, not for blocks; what memory of the block is shared is laid out for the written
 * order, so that such launches stay as they are. */
#include "analysis/axes.h"

enum { FEWEST = 8 }; /* threads along the axis that are worth it */

/* How an access lies for neighbours along an axis: at one element, beside each other, elsewhere */
typedef enum { SAME, BESIDE, FAR } Lie;

static Lie index_lies(const Value *v, const Value *iv) {
    if (v == iv) return BESIDE;
    if (!value_depends(v, iv)) return SAME;
    const Op *op = v->def;
    if (op && op->code == OP_CAST) return index_lies(op_opnd(op, 0), iv);
    if (!op || (op->code != OP_ADD && op->code != OP_SUB)) return FAR;
    Lie x = index_lies(op_opnd(op, 0), iv), y = index_lies(op_opnd(op, 1), iv);
    return x == SAME ? y : y == SAME ? x : FAR;
}

static Lie access_lies(const Op *op, int first, const Value *iv) {
    Lie last = op->nopnds > first ? index_lies(op_opnd(op, op->nopnds - 1), iv) : SAME;
    for (int i = first; i < op->nopnds - 1; i++)
        if (index_lies(op_opnd(op, i), iv) != SAME) return FAR;
    return last;
}

typedef struct { const Value *x, *y; int far_x, far_y; bool shared; } Axes;

static void count_access(void *ctx, Op *op) {
    Axes *a = ctx;
    bool load = op->code == OP_LOAD;
    a->shared |= op->code == OP_ALLOC && op->res[0].type->space == SPACE_SHARED;
    if ((!load && op->code != OP_STORE) || op_opnd(op, !load)->def) return;
    a->far_x += access_lies(op, load ? 1 : 2, a->x) == FAR;
    a->far_y += access_lies(op, load ? 1 : 2, a->y) == FAR;
}

bool axes_turn(const Op *launch, const Op *threads) {
    int n = threads ? threads->nopnds : 0;
    int64_t y;
    if (n < 2 || !value_const_int(op_opnd(threads, n - 2), &y) || y < FEWEST) return false;
    Axes a = {.x = threads->regs[0]->args[n - 1], .y = threads->regs[0]->args[n - 2]};
    region_walk(launch->regs[0], count_access, &a);
    return !a.shared && a.far_x > 2 * a.far_y;
}
