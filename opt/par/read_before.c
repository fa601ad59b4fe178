/* read-before: for derivatives, elements that an island reads at places known before it are read before it.
 *
 * `v[i] = p[0] * u[i] + p[1]`, with p an array of parameters, is then about numbers.  What all threads add to the
 * adjoint of an element is a reduction; of the array it would be a scatter, and the island could be no comprehension.
 * On a GPU the host would wait for the element. */
#include "opt/pass.h"

/* The element is there whether the island comes to the load or not, and nobody writes it. */
static bool may_be_before(const Op *load, const Op *island) {
    bool comes = load->parent == island->regs[0] && op_flag(load, A_SAFE);
    if (!value_is_only_read(op_opnd(load, 0)) || (!comes && !op_is_speculatable_read(load))) return false;
    for (int i = 1; i < load->nopnds; i++)
        if (!value_const(op_opnd(load, i)) && !value_dominates(op_opnd(load, i), island)) return false;
    return true;
}

static void read_before(void *ctx, Op *op) {
    (void)ctx;
    Op *island = op->code == OP_LOAD ? op_around(op, OP_ISLAND) : NULL;
    if (!island || !op_around(island, OP_VJP) || !may_be_before(op, island)) return;
    Builder b = builder_before(island);
    for (int i = 1; i < op->nopnds; i++) {
        const Const *c = value_const(op_opnd(op, i));
        if (c) op_set_opnd(op, i, build_const(&b, *c));
    }
    op_set_flag(op, A_SAFE);
    op_move_before(op, island);
    island_load_to_extract(island, op);
}

void pass_read_before(Module *m, const PassOptions *opts) {
    (void)opts;
    for (int i = 0; i < m->funcs.len; i++)
        if (m->funcs.data[i]->kind != FUNC_EXTERN) region_walk(m->funcs.data[i]->body, read_before, NULL);
}
