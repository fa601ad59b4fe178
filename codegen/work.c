/* What a launch does, counted over its operations: a loop inside counts as often as it turns. */
#include "codegen/work.h"
#include "ir/index.h"

typedef struct { Session *s; const Op *loop; KernelWork *work; } Count;

/* ---- values as sizes */

static const Size *size_of(const Count *c, const Value *v) { return value_size(c->s, v, true); }

static const Size *times(const Count *c, const Size *n, const Value *extent) {
    const Size *k = size_of(c, extent);
    c->work->guessed |= !k;
    return k ? size_mul(c->s, n, k) : n;
}

static const Size *turns(const Count *c, const Size *n, const Op *loop) {
    const Size *lo = size_of(c, op_opnd(loop, 0)), *hi = size_of(c, op_opnd(loop, 1));
    int64_t step;
    if (!lo || !hi || !value_const_int(op_opnd(loop, 2), &step) || step < 1) {
        c->work->guessed = true;
        return n;
    }
    const Size *up = size_add(c->s, size_sub(c->s, hi, lo), size_const(c->s, step - 1));
    return size_mul(c->s, n, size_floordiv(c->s, up, size_const(c->s, step)));
}

/* ---- operations */

static void count_float(const Count *c, const Op *op, const Size *n) {
    DType t = op->nres ? op->res[0].type->dtype : DT_I64;
    if (!(op_info(op->code)->traits & TR_ELEM) || !dtype_is_float(t)) return;
    if (op->code == OP_SELECT || op->code == OP_CAST) return;
    KernelWork *w = c->work;
    w->operations = size_add(c->s, w->operations, size_mul(c->s, n, size_const(c->s, op_info(op->code)->cost)));
    if (dtype_info(t)->bytes > dtype_info(w->floats)->bytes) w->floats = t;
}

/* How often the regions of op run, op running n times */
static const Size *inside(const Count *c, const Op *op, const Size *n) {
    switch (op->code) {
    case OP_FOR: return turns(c, n, op);
    case OP_PARALLEL:
        for (int i = 0; i < op->nopnds; i++) n = times(c, n, op_opnd(op, i));
        return n;
    case OP_REDUCE: return times(c, n, op_opnd(op, 0));
    case OP_WHILE: c->work->guessed = true; return n;
    default: return n;
    }
}

static void count_region(const Count *c, const Region *r, const Size *n) {
    for (const Op *op = r->first; op; op = op->next) {
        count_float(c, op, n);
        c->work->guessed |= op->code == OP_CALL;
        const Size *often = op->nregs ? inside(c, op, n) : n;
        for (int i = 0; i < (op->code == OP_IF && op_flag(op, A_FEW) ? 1 : op->nregs); i++)
            count_region(c, op->regs[i], often);
    }
}

static void find_few(void *ctx, Op *op) {
    const Op **found = ctx;
    if (op->code == OP_FOR && op_flag(op, A_FEW)) *found = op;
}

/* A launch whose threads do several elements: what one of them takes stands in a loop */
static void count_launch(const Count *c, const Op *launch) {
    const Attr *elements = op_attr(launch, A_SIZE);
    const Op *each = NULL;
    if (elements) region_walk(launch->regs[0], find_few, &each);
    if (each) count_region(c, each->regs[0], elements->sizes[0]);
    else count_region(c, launch->regs[0], inside(c, launch, size_const(c->s, 1)));
}

/* ---- memory */

typedef struct { const Value *buf; bool read, written; } Touch;

static void touch(void *ctx, Op *op) {
    Touch *t = ctx;
    bool load = op->code == OP_LOAD, store = op->code == OP_STORE, atomic = op->code == OP_ATOMIC;
    if (!load && !store && !atomic) return;
    if (op_opnd(op, load ? 0 : 1) != t->buf) return;
    t->read |= load || atomic, t->written |= store || atomic;
}

static void count_memory(const Count *c, const Value *buf) {
    Touch t = {buf, false, false};
    const Size *bytes =
        size_mul(c->s, size_const(c->s, dtype_info(buf->type->dtype)->bytes), type_elements(c->s, buf->type));
    region_walk(c->loop->regs[0], touch, &t);
    if (t.read) c->work->reads = size_add(c->s, c->work->reads, bytes);
    if (t.written) c->work->writes = size_add(c->s, c->work->writes, bytes);
}

/* A matrix product: two for each step of each element, whatever stands outside of the matrices in the tiles */
static const Size *product_operations(Session *s, const Region *island, const int64_t *trans) {
    const Type *out = island->args[0]->type, *left = island->args[1]->type;
    const Size *n = size_mul(s, size_const(s, 2), left->dims[left->rank - (trans[0] ? 2 : 1)]);
    return size_mul(s, n, type_elements(s, out));
}

KernelWork kernel_work(Session *s, const Op *loop) {
    const Size *none = size_const(s, 0);
    KernelWork w = {none, none, none, DT_F16, false};
    Count c = {s, loop, &w};
    const Region *island = loop->parent;
    while (island->owner && island->owner->code != OP_ISLAND) island = island->owner->parent;
    for (int i = 0; i < island->nargs; i++)
        if (island->args[i]->type->kind == TY_BUF) count_memory(&c, island->args[i]);
    count_launch(&c, loop);
    const Attr *trans = op_attr(loop, A_TRANS);
    if (trans) w.operations = product_operations(s, island, trans->ints), w.guessed = false;
    return w;
}
