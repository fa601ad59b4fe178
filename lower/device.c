/* What the loops of a GPU that are made anew have in common (transpose_device.c,
 * counts_device.c, stencil_device.c, rows_device.c). */
#include "lower/lower.h"

bool loop_is_of_elements(const Op *op) {
    return op_loop(op) == LOOP_PLAIN && !op_flag(op, A_SERIAL) && !op_flag(op, A_TILES) && !op_flag(op, A_TEAM);
}

static void find_other(void *ctx, Op *op) {
    *(bool *)ctx |= op->code == OP_CALL || op->code == OP_EXTERN || op->code == OP_SPAWN || op->code == OP_PRINT ||
                    op->code == OP_FORMAT || op->code == OP_ISLAND || op->code == OP_PARALLEL ||
                    op->code == OP_BARRIER;
}

bool loop_computes_alone(const Op *loop) {
    bool other = false;
    region_walk(loop->regs[0], find_other, &other);
    return !other;
}

void loop_body_to(Builder *b, Op *loop, Value *const *iv) {
    Region *r = loop->regs[0];
    Op *term = region_term(r);
    for (int i = 0; i < r->nargs; i++) value_replace_all(r->args[i], iv[i]);
    if (term->prev) op_move_range(r->first, term->prev, b->region, b->before);
}

Value *loop_all_turns(Builder *b, const Op *loop) {
    if (loop->nopnds == 1) return op_opnd(loop, 0);
    Value *n = build_int(b, 1), *zero = build_int(b, 0);
    for (int i = 0; i < loop->nopnds; i++) n = index_mul(b, n, index_max(b, op_opnd(loop, i), zero));
    return n;
}

bool island_is_launches(const Op *island) {
    for (const Op *o = island->regs[0]->first; o; o = o->next)
        if (o->code != OP_PARALLEL && o->code != OP_YIELD && (o->nregs || !op_is_pure(o))) return false;
    return true;
}
