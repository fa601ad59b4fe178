/* block-code: on a GPU what a block does once is done by its first thread, between barriers.
 *
 * In the IR a block's own operations, those outside of the loops over its threads, run once, in order with these loops.
 * The threads of a GPU each run all of the kernel: what is pure they may all compute, but a store, an update or a
 * reading of what the block writes would be done by each of them, at any time. (Derivatives make such: the adjoint of a
 * sum that is the same for all threads adds to the array in the block.) So that becomes a loop over threads of its own,
 * in which the first one does it; code generation puts barriers between such loops. Results come to the other threads
 * through shared memory.
 *
 * needs: the last pass that moves operations between threads and their block has run. */
#include "ir/index.h"
#include "opt/pass.h"

typedef struct {
    Op *blocks;
    const Op *threads;    /* the first loop over them, which says how many there are */
    Arena *scratch;
    Map once;             /* operations that one thread does */
    VEC(Op *) alone;      /* the loops over threads made for these */
} Blocks;

/* ---- which operations */

/* Memory that each thread has for itself, or that this very operation makes */
static bool is_own(const Value *buf, const Op *op) {
    return buf->type->space == SPACE_PRIVATE || (buf->def && op_inside(buf->def, op));
}

static bool touches(const Blocks *b, const Op *top, const Op *op) {
    bool write = op->code == OP_STORE || op->code == OP_ATOMIC;
    if (write || op->code == OP_LOAD) {
        const Value *buf = op_opnd(op, write);
        if (!is_own(buf, top) && (write || op_holds_write(b->blocks, buf))) return true;
    }
    for (int i = 0; i < op->nopnds; i++)
        if (op_opnd(op, i)->def && map_has(&b->once, op_opnd(op, i)->def)) return true;
    for (int i = 0; i < op->nregs; i++)
        for (const Op *o = op->regs[i]->first; o; o = o->next)
            if (touches(b, top, o)) return true;
    return false;
}

/* ---- one thread does them */

static bool is_term(const Op *op) { return op_info(op->code)->traits & TR_TERM; }

static void move_to_thread(Blocks *b, Op **ops, int n, Op *before) {
    Builder at = builder_before(before);
    at.span = ops[0]->span;
    Value *extents[MAX_RANK], *first = NULL;
    for (int i = 0; i < b->threads->nopnds; i++) extents[i] = op_opnd(b->threads, i);
    Op *loop = build_parallel(&at, b->threads->nopnds, extents, LOOP_THREAD);
    Builder in = builder_at_end(at.module, loop->regs[0], at.span), when;
    for (int i = 0; i < loop->nopnds; i++)
        first = build_both(&in, first, build_binary(&in, OP_EQ, loop->regs[0]->args[i], build_int(&in, 0)));
    build_when(&in, first, &when);
    build_yield(&in, 0, NULL);
    for (int i = 0; i < n; i++) op_move_before(ops[i], when.before);
    vec_push(b->scratch, &b->alone, loop);
}

static void part_region(Blocks *b, Region *r) {
    VEC(Op *) run = {0};
    for (Op *op = r->first, *next; op; op = next) {
        next = op->next;
        bool threads = op_find_loop(op, LOOP_THREAD);
        if (!threads && !is_term(op) && op->code != OP_ALLOC && touches(b, op, op)) {
            map_put(b->scratch, &b->once, op, op);
            vec_push(b->scratch, &run, op);
        }
        if (!threads && !is_term(op)) continue;
        if (run.len) move_to_thread(b, run.data, run.len, op);
        run.len = 0;
        for (int i = 0; threads && op_loop(op) != LOOP_THREAD && i < op->nregs; i++) part_region(b, op->regs[i]);
    }
}

/* ---- what they give to others */

/* Behind it the block itself may read what the first thread has stored. */
static Op *build_meeting(const Blocks *b, Op *behind) {
    Builder at = builder_after(behind);
    at.span = behind->span;
    Value *extents[MAX_RANK];
    for (int i = 0; i < b->threads->nopnds; i++) extents[i] = op_opnd(b->threads, i);
    Op *loop = build_parallel(&at, b->threads->nopnds, extents, LOOP_THREAD);
    Builder in = builder_at_end(at.module, loop->regs[0], at.span);
    build_op(&in, OP_BARRIER, 0, NULL, 0, NULL, 0);
    build_yield(&in, 0, NULL);
    return loop;
}

static void share(Blocks *b, Op *alone, Value *v) {
    Builder top = builder_before(b->blocks->regs[0]->first), store = builder_after(v->def);
    const Size *one = size_const(top.module->session, 1);
    top.span = store.span = v->def->span;
    Value *cell = NULL, *zero = NULL;
    Map seen = {0};
    for (Use *u = v->uses, *next; u; u = next) {
        next = u->next;
        Op *user = u->user, *loop = op_loop_around(user, LOOP_THREAD);
        if (loop == alone) continue;
        if (!cell) {
            cell = build_shared(&top, v->type->dtype, 1, &one, v->name);
            zero = build_int(&top, 0);
        }
        Value *got = map_get(&seen, loop ? loop : b->blocks);
        if (!got) {
            Builder at = loop ? builder_before(loop->regs[0]->first) : builder_after(build_meeting(b, alone));
            got = load_safe(&at, cell, 1, &zero);
            map_put(b->scratch, &seen, loop ? loop : b->blocks, got);
        }
        op_set_opnd(user, u->index, got);
    }
    if (cell) store_safe(&store, v, cell, 1, &zero);
}

static void share_results(Blocks *b, Op *alone) {
    Op *when = region_term(alone->regs[0])->prev;
    for (Op *op = when->regs[0]->first; op && !is_term(op); op = op->next)
        for (int i = 0; i < op->nres; i++) share(b, alone, &op->res[i]);
}

static void visit(void *ctx, Op *op) {
    (void)ctx;
    if (op_loop(op) != LOOP_BLOCK) return;
    Blocks b = {.blocks = op, .threads = op_find_loop(op, LOOP_THREAD), .scratch = arena_new()};
    if (b.threads) part_region(&b, op->regs[0]);
    for (int i = 0; i < b.alone.len; i++) share_results(&b, b.alone.data[i]);
    arena_free(b.scratch);
}

void pass_block_code(Module *m, const PassOptions *opts) {
    if (!opts->device) return;
    for (int i = 0; i < m->funcs.len; i++)
        if (m->funcs.data[i]->body) region_walk(m->funcs.data[i]->body, visit, NULL);
}
