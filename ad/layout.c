#include "ad/layout.h"

#include "ir/index.h"

/* ---- which way threads and turns go */

typedef struct { int columns, rows; } Ways;

static bool depends_on_loop(const Value *v, const Op *access, OpCode code) {
    for (const Op *o = access->parent->owner; o->code != OP_ISLAND; o = o->parent->owner)
        for (int i = 0; o->code == code && i < (code == OP_FOR ? 1 : o->nopnds); i++)
            if (value_depends(v, o->regs[0]->args[i])) return true;
    return false;
}

static void count_way(void *ctx, Op *op) {
    Ways *w = ctx;
    bool access = op->code == OP_LOAD || op->code == OP_STORE;
    if (!access || !op_around(op, OP_FOR) || op_index_end(op) == op_index_first(op)) return;
    const Value *last = op_opnd(op, op_index_end(op) - 1);
    bool by_thread = depends_on_loop(last, op, OP_PARALLEL), by_turn = depends_on_loop(last, op, OP_FOR);
    w->columns += by_thread && !by_turn, w->rows += by_turn;
}

bool threads_go_down(const Op *island) {
    Ways w = {0, 0};
    region_walk(island->regs[0], count_way, &w);
    return w.columns > w.rows;
}

/* ---- axes */

Value *blocks_beside(const Value *index) {
    const Op *loop = index->region->owner;
    bool thread = loop->code == OP_PARALLEL && op_loop(loop) == LOOP_THREAD;
    const Op *blocks = thread ? op_loop_around(loop, LOOP_BLOCK) : NULL;
    return blocks && index->index < blocks->regs[0]->nargs ? blocks->regs[0]->args[index->index] : NULL;
}

/* Which axis around is that of the blocks of threads that the i-th is; -1: none */
static int blocks_of(Value *const *index, int i) {
    const Value *blocks = index[i] ? blocks_beside(index[i]) : NULL;
    for (int k = 0; k < i && blocks; k++)
        if (index[k] == blocks) return k;
    return -1;
}

static bool is_of_threads(const Value *index) { return index && index->region->owner->code == OP_PARALLEL; }

Layout layout_of(Value *const *index, int n, bool columns) {
    Layout l = {.n = 0};
    bool joined[MAX_RANK] = {false};
    for (int i = 0; i < n; i++)
        if (blocks_of(index, i) >= 0) joined[blocks_of(index, i)] = true;
    for (int last = 0; last < 2; last++)
        for (int i = 0; i < n; i++)
            if ((columns && is_of_threads(index[i])) == last && !joined[i])
                l.blocks[l.n] = blocks_of(index, i), l.of[l.n++] = i;
    return l;
}

void layout_sizes(Session *s, const Layout *l, const Size *const *around, const Size **out) {
    for (int i = 0; i < l->n; i++) {
        const Size *own = around[l->of[i]];
        out[i] = l->blocks[i] < 0 ? own : size_mul(s, around[l->blocks[i]], own);
    }
}

void layout_places(Builder *b, const Layout *l, const Size *const *sizes, Value *const *around, Value **out) {
    for (int i = 0; i < l->n; i++) {
        out[i] = around[l->of[i]];
        if (l->blocks[i] < 0) continue;
        Value *before = index_mul(b, around[l->blocks[i]], build_size(b, sizes[l->of[i]]));
        out[i] = index_add(b, before, out[i]);
    }
}
