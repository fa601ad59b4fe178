/* What a launch does, counted over its operations: a loop inside counts as often as it turns (codegen/often.h). */
#include "codegen/work.h"
#include "analysis/axes.h"
#include "codegen/often.h"
#include "ir/index.h"

/* lane: NULL: no threads beside each other are known; team: they share out loops; turned: they lie along the last axis
 * but one */
typedef struct { Session *s; KernelWork *work; const Region *island; Lane *lane; bool team, turned; } Count;

/* ---- operations */

static void count_float(const Count *c, const Op *op, const Size *n) {
    DType t = op->nres ? op->res[0].type->dtype : DT_I64;
    if (!(op_info(op->code)->traits & TR_ELEM) || !dtype_is_float(t)) return;
    if (op->code == OP_SELECT || op->code == OP_CAST) return;
    KernelWork *w = c->work;
    w->operations = size_add(c->s, w->operations, size_mul(c->s, n, size_const(c->s, op_info(op->code)->cost)));
    if (dtype_info(t)->bytes > dtype_info(w->floats)->bytes) w->floats = t;
}

static void count_access(const Count *c, const Op *op) {
    if (!op_is_access(op) || !c->lane || op_buffer(op)->def || op_buffer(op)->region != c->island) return;
    c->work->lie[access_lies(c->lane, op)]++;
}

static void count_region(const Count *c, const Region *r, const Often *o);

/* Threads beside each other go along iv, from here on. */
static void count_along(const Count *c, const Op *op, const Value *iv, const Often *o) {
    Lane lane = {.arena = session_arena(c->s), .lane = iv, .around = c->team ? c->lane : NULL};
    Count in = *c;
    in.lane = &lane, in.team = false;
    for (int i = 0; i < op->nregs; i++) count_region(&in, op->regs[i], o);
}

/* Of the axes of a loop the last one that is longer than one, unless it has changed places with the one before */
static const Value *neighbours(const Count *c, const Op *loop) {
    int axis = loop->nopnds - 1;
    if (axis < 0) return NULL;
    while (!c->turned && axis > 0 && value_is_const_int(op_opnd(loop, axis), 1)) axis--;
    return loop->regs[0]->args[axis - c->turned];
}

static int axes_of(const Op *op) { return op->code == OP_PARALLEL ? op->nopnds : op->code == OP_REDUCE; }

static const Often *inside_axes(const Count *c, const Op *op, const Often *o) {
    for (int i = 0; i < axes_of(op); i++) {
        o = often_axis(c->s, o, op, i);
        c->work->guessed |= o->guessed;
    }
    return o;
}

static void count_loop(const Count *c, const Op *op, const Often *o) {
    int axes = axes_of(op);
    o = inside_axes(c, op, o);
    bool threads = op->code == OP_PARALLEL && op_loop(op) == LOOP_THREAD;
    bool shared = c->team && (op->code == OP_REDUCE ? op_flag(op, A_TEAM) : axes && !op_flag(op, A_SERIAL));
    if (threads) count_along(c, op, neighbours(c, op), o);
    else if (shared) count_along(c, op, op->code == OP_REDUCE ? op->regs[0]->args[0] : neighbours(c, op), o);
    else
        for (int i = 0; i < op->nregs; i++) count_region(c, op->regs[i], o);
}

/* The usual side, if there is one that does something; the one that sizes say; else both */
static void count_sides(const Count *c, const Op *op, const Often *o) {
    int side = often_side(c->s, op_opnd(op, 0));
    if (side < 0 && op_flag(op, A_FEW)) side = op->regs[0]->first->code == OP_YIELD;
    for (int i = 0; i < op->nregs; i++)
        if (side < 0 || i == side) count_region(c, op->regs[i], o);
}

static void count_for(const Count *c, const Op *op, const Often *o) {
    Often *in = often_for(c->s, o, op);
    c->work->guessed |= in->guessed;
    count_region(c, op->regs[0], in);
}

static void count_region(const Count *c, const Region *r, const Often *o) {
    for (const Op *op = r->first; op; op = op->next) {
        count_float(c, op, o->all);
        count_access(c, op);
        c->work->guessed |= op->code == OP_CALL || op->code == OP_WHILE;
        if (op->code == OP_IF) count_sides(c, op, o);
        else if (op->code == OP_FOR) count_for(c, op, o);
        else count_loop(c, op, o);
    }
}

/* ---- launches whose threads do several elements: what one of them takes stands in a loop, maybe once for those along
 * borders, too, which do less */

typedef struct { const Count *c; const Size *elements; KernelWork best; int64_t most; } Heaviest;

static void find_heaviest(void *ctx, Op *op) {
    Heaviest *h = ctx;
    KernelWork w = *h->c->work;
    Count in = *h->c;
    int64_t n = 0;
    if (op->code != OP_FOR || !op_flag(op, A_FEW)) return;
    in.work = &w;
    count_region(&in, op->regs[0], often_kernel(in.s, h->elements));
    if (!often_value(w.operations, OFTEN_SAMPLE, &n) || n <= h->most) return;
    h->most = n, h->best = w;
}

static void count_launch(Count *c, const Op *launch) {
    const Attr *elements = op_attr(launch, A_SIZE);
    const Op *threads = op_find_loop(launch, LOOP_THREAD);
    c->turned = threads && axes_turn(launch, threads);
    Lane lane = {.arena = session_arena(c->s)};
    if (op_loop(launch) != LOOP_BLOCK) lane.lane = neighbours(c, launch), c->lane = &lane;
    else if (elements && threads) lane.lane = neighbours(c, threads), c->lane = &lane;
    Heaviest h = {.c = c, .elements = elements ? elements->sizes[0] : NULL, .most = -1};
    if (elements) region_walk(launch->regs[0], find_heaviest, &h);
    if (h.most >= 0) *c->work = h.best;
    else count_region(c, launch->regs[0], inside_axes(c, launch, often_kernel(c->s, size_const(c->s, 1))));
    c->lane = NULL;
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

static void count_memory(const Count *c, const Op *loop, const Value *buf) {
    Touch t = {buf, false, false};
    const Size *bytes =
        size_mul(c->s, size_const(c->s, dtype_info(buf->type->dtype)->bytes), type_elements(c->s, buf->type));
    region_walk(loop->regs[0], touch, &t);
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
    KernelWork w = {.reads = none, .writes = none, .operations = none, .floats = DT_F16};
    const Region *island = loop->parent;
    while (island->owner && island->owner->code != OP_ISLAND) island = island->owner->parent;
    Count c = {.s = s, .work = &w, .island = island, .team = op_flag(loop, A_TEAM)};
    for (int i = 0; i < island->nargs; i++)
        if (island->args[i]->type->kind == TY_BUF) count_memory(&c, loop, island->args[i]);
    count_launch(&c, loop);
    const Attr *trans = op_attr(loop, A_TRANS);
    if (trans) w.operations = product_operations(s, island, trans->ints), w.guessed = false;
    return w;
}
