/* Loops that sums of floats make run in order, and loops around them. */
#include "opt/loops/loops.h"

enum { UNKNOWN_TURNS = 16 };

bool loops_is_sum(const Op *op) {
    DType t = op->code == OP_ATOMIC ? op_opnd(op, 0)->type->dtype : DT_BOOL;
    return (t == DT_F32 || t == DT_F64) && op_combine(op) == COMBINE_ADD;
}

Value *loops_open_for(Builder *b, Value *lo, Value *hi, Value *step, Builder *in) {
    Op *loop = build_for(b, lo, hi, step, 0, NULL);
    Builder end = builder_at_end(b->module, loop->regs[0], b->span);
    build_yield(&end, 0, NULL);
    *in = builder_before(region_term(loop->regs[0]));
    in->span = b->span;
    return loop->regs[0]->args[0];
}

Value *loops_count_to(Builder *b, Value *hi, Builder *in) {
    return loops_open_for(b, build_int(b, 0), hi, build_int(b, 1), in);
}

Value *loops_open_tiles(Builder *b, Value *n, Builder *in) {
    Op *loop = build_plain_parallel(b, 1, &n, in);
    op_set_flag(loop, A_TILES);
    return loop->regs[0]->args[0];
}

/* ---- a parallel loop in order */

/* Iterations of loop run in order. */
static void run_in_order(Op *loop) {
    Builder in = builder_before(loop);
    Region *body = loop->regs[0];
    for (int i = 0; i < loop->nopnds; i++) {
        Builder at = in;
        Value *iv = loops_count_to(&at, op_opnd(loop, i), &in);
        iv->name = body->args[i]->name;
        value_replace_all(body->args[i], iv);
    }
    if (region_term(body)->prev) op_move_range(body->first, region_term(body)->prev, in.region, in.before);
    op_erase(loop);
}

static bool holds_one(const Op *op, LoopsOrder which) {
    for (int i = 0; i < op->nregs; i++)
        for (const Op *o = op->regs[i]->first; o; o = o->next)
            if (which.is(which.ctx, o) || holds_one(o, which)) return true;
    return false;
}

static void order_loops(Region *r, LoopsOrder which) {
    for (Op *o = r->first, *next; o; o = next) {
        next = o->next;
        if (!holds_one(o, which)) continue;
        for (int i = 0; i < o->nregs; i++) order_loops(o->regs[i], which);
        if (o->code == OP_PARALLEL) run_in_order(o);
    }
}

/* The threads of a block that is a turn of a serial loop now are iterations like others. */
static void be_plain(void *ctx, Op *op) {
    (void)ctx;
    if (op->code == OP_PARALLEL) op_set_loop(op, LOOP_PLAIN);
}

Op *loops_in_order(Builder *b, const Op *loop, Value *lo, Value *hi, LoopsOrder which) {
    Value *ivs[MAX_RANK] = {NULL};
    Builder in;
    Op *first = NULL;
    Region *body = loop->regs[0];
    for (int i = 0; i < loop->nopnds; i++) {
        ivs[i] = i ? loops_count_to(b, op_opnd(loop, i), &in) : loops_open_for(b, lo, hi, build_int(b, 1), &in);
        ivs[i]->name = body->args[i]->name;
        if (!i) first = ivs[0]->region->owner;
        *b = in;
    }
    region_inline(b, body, ivs, NULL);
    region_walk(first->regs[0], be_plain, NULL);
    order_loops(first->regs[0], which);
    return first;
}

/* ---- estimates */

double loops_turns_about(const Op *loop) {
    int64_t n;
    double all = 1;
    if (loop->code == OP_FOR && loop_turns(loop, &n)) return (double)n;
    if (loop->code != OP_PARALLEL) return UNKNOWN_TURNS;
    for (int i = 0; i < loop->nopnds; i++)
        all *= value_const_int(op_opnd(loop, i), &n) ? (double)n : UNKNOWN_TURNS;
    return all;
}

/* A quotient by a constant is no division. */
int loops_cost(const Op *op) {
    bool quotient = (op->code == OP_IDIV || op->code == OP_MOD) && value_const_int(op_opnd(op, 1), NULL);
    return quotient ? 2 : op_info(op->code)->cost;
}
