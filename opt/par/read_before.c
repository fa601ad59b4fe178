/* read-before: for derivatives, elements that an island reads at places known before it are read before it.
 *
 * `v[i] = p[0] * u[i] + p[1]`, with p an array of parameters, is then about numbers.  What all threads add to the
 * adjoint of an element is a reduction; of the array it would be a scatter, and the island could be no comprehension.
 * On a GPU the host would wait for the element. */
#include "opt/pass.h"

static const Op *island_around(const Op *op) {
    const Op *o = op->parent->owner;
    while (o && o->code != OP_ISLAND) o = o->parent->owner;
    return o;
}

static bool is_derived(const Op *op) {
    for (const Op *o = op->parent->owner; o; o = o->parent->owner)
        if (o->code == OP_VJP) return true;
    return false;
}

/* The element is there whether the island comes to the load or not, and nobody writes it. */
static bool may_be_before(const Op *load, const Op *island) {
    bool comes = load->parent == island->regs[0] && op_flag(load, A_SAFE);
    if (!value_is_only_read(op_opnd(load, 0)) || (!comes && !op_is_speculatable_read(load))) return false;
    for (int i = 1; i < load->nopnds; i++)
        if (!value_const(op_opnd(load, i)) && !value_dominates(op_opnd(load, i), island)) return false;
    return true;
}

static void read_before(void *ctx, Op *op) {
    Value *index[MAX_RANK];
    (void)ctx;
    Op *island = op->code == OP_LOAD ? (Op *)(uintptr_t)island_around(op) : NULL;
    if (!island || !is_derived(island) || !may_be_before(op, island)) return;
    Builder b = builder_before(island);
    for (int i = 1; i < op->nopnds; i++) {
        const Const *c = value_const(op_opnd(op, i));
        index[i - 1] = c ? build_const(&b, *c) : op_opnd(op, i);
    }
    Value *v = extract_safe(&b, op_opnd(island, op_opnd(op, 0)->index), op->nopnds - 1, index);
    value_take_over(&op->res[0], v);
    op_erase(op);
}

void pass_read_before(Module *m, const PassOptions *opts) {
    (void)opts;
    for (int i = 0; i < m->funcs.len; i++)
        if (m->funcs.data[i]->kind != FUNC_EXTERN) region_walk(m->funcs.data[i]->body, read_before, NULL);
}
