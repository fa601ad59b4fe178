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

static void unroll(Op *op, int64_t turns) {
    int64_t lo = 0, step = 1;
    value_const_int(op_opnd(op, 0), &lo), value_const_int(op_opnd(op, 2), &step);
    Builder b = builder_before(op);
    Region *body = op->regs[0];
    Value **carried = NEWN(b.module->arena, Value *, op->nres + 1);
    for (int i = 0; i < op->nres; i++) carried[i] = op_opnd(op, 3 + i);
    for (int64_t t = 0; t < turns; t++) {
        Cloner c = {.module = b.module};
        int64_t at = (int64_t)((uint64_t)lo + (uint64_t)t * (uint64_t)step);
        map_put(b.module->arena, &c.values, body->args[0], build_int(&b, at));
        for (int i = 0; i < op->nres; i++) map_put(b.module->arena, &c.values, body->args[1 + i], carried[i]);
        clone_region_ops(&c, &b, body, false);
        for (int i = 0; i < op->nres; i++) carried[i] = clone_value(&c, op_opnd(region_term(body), i));
    }
    for (int i = 0; i < op->nres; i++) value_replace_all(&op->res[i], carried[i]);
    op_erase(op);
}

static void visit(Region *r) {
    for (Op *op = r->first, *next; op; op = next) {
        next = op->next;
        for (int i = 0; i < op->nregs; i++) visit(op->regs[i]);
        int64_t turns = turns_of(op);
        if (turns) unroll(op, turns);
    }
}

void pass_unroll(Module *m, const PassOptions *opts) {
    (void)opts;
    for (int i = 0; i < m->funcs.len; i++) visit(m->funcs.data[i]->body);
}
