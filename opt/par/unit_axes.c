/* unit-axes: along an axis with one block the index of a block is 0, and no loop.
 *
 * needs: prove-cover has seen them: it asks whether a launch was meant to have more blocks there. */
#include "opt/pass.h"

static bool has_unit_axis(const Op *op) {
    if (op_loop(op) != LOOP_BLOCK) return false;
    for (int i = 0; i < op->nopnds; i++)
        if (value_is_const_int(op_opnd(op, i), 1)) return op->nopnds > 1;
    return false;
}

/* One axis stays. */
static void visit(void *ctx, Op *op) {
    (void)ctx;
    Value *extents[MAX_RANK];
    int n = 0;
    if (!has_unit_axis(op)) return;
    Builder b = builder_before(op);
    for (int i = 0, left = op->nopnds; i < op->nopnds; i++) {
        if (!value_is_const_int(op_opnd(op, i), 1) || (n == 0 && left == 1)) extents[n++] = op_opnd(op, i);
        else {
            value_replace_all(op->regs[0]->args[n], build_int(&b, 0));
            region_remove_arg(op->regs[0], n);
        }
        left--;
    }
    op_rebuild(op, n, extents, 0, NULL);
    op_erase(op);
}

void pass_unit_axes(Module *m, const PassOptions *opts) {
    (void)opts;
    for (int i = 0; i < m->funcs.len; i++)
        if (m->funcs.data[i]->body) region_walk(m->funcs.data[i]->body, visit, NULL);
}
