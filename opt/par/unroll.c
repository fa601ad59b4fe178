/* unroll: a short loop around a barrier becomes its turns, one after the other.
 *
 * Needs constant bounds; leaves everything else alone.  Trees over the threads of a block (`for i in 0:4 { let power =
 * 1 << i; if t % power == 0 {..}; barrier }`) become straight code in which the guards and indices are known, so that
 * bounds can be proved and the loops over threads become vectors.  Other loops are the C compiler's business. */
#include "ir/index.h"
#include "opt/pass.h"

enum { MAX_TURNS = 10, MAX_OPS = 400 };

typedef struct { int ops, barriers; bool binds; } Census;

static void count(void *ctx, Op *op) {
    Census *c = ctx;
    c->ops++;
    c->barriers += op->code == OP_BARRIER;
    c->binds |= op->code == OP_BIND; /* a size has one definition */
}

/* The number of turns, or 0 when the loop stays */
static int64_t turns_of(const Op *op) {
    int64_t n;
    if (op->code != OP_FOR || op_flag(op, A_PROGRESS) || !loop_turns(op, &n) || n < 1 || n > MAX_TURNS) return 0;
    Census c = {0};
    region_walk(op->regs[0], count, &c);
    return c.barriers && !c.binds && c.ops * n <= MAX_OPS ? n : 0;
}

static void visit(Region *r) {
    for (Op *op = r->first, *next; op; op = next) {
        next = op->next;
        for (int i = 0; i < op->nregs; i++) visit(op->regs[i]);
        int64_t turns = turns_of(op);
        if (turns) loop_write_out(op, turns);
    }
}

void pass_unroll(Module *m, const PassOptions *opts) {
    (void)opts;
    for (int i = 0; i < m->funcs.len; i++) visit(m->funcs.data[i]->body);
}
