/* Which loops are launches, for a GPU and its simulator: those that were written, and loops over elements of the
 * island's arrays.  What a GPU cannot do, such as calling a function that makes arrays, the simulator does.  And what
 * the host does with the arrays of an island beside its launches. */
#include "codegen/plan.h"

bool plan_is_block(const Op *op) { return op_loop(op) == LOOP_BLOCK; }

/* ---- what threads of a GPU cannot do */

typedef struct Search { const Module *module; const struct Search *outer; const Func *func; bool found; } Search;

static bool is_open(const Search *s, const Func *f) {
    for (; s; s = s->outer)
        if (s->func == f) return true;
    return false;
}

/* Tensors; and texts, which are addresses of the processor's memory */
static bool is_of_processor(const Type *t) { return type_is_tensor(t) || t->dtype == DT_STR; }

static bool has_processors(const Op *op) {
    for (int i = 0; i < op->nres; i++)
        if (is_of_processor(op->res[i].type)) return true;
    for (int i = 0; i < op->nopnds; i++)
        if (is_of_processor(op_opnd(op, i)->type)) return true;
    return false;
}

static void find_impossible(void *ctx, Op *op) {
    Search *s = ctx;
    s->found |= op->code == OP_SPAWN || op->code == OP_EXTERN || op->code == OP_PRINT || op->code == OP_FORMAT;
    s->found |= op->code == OP_ISLAND || has_processors(op);
    const Func *f = op->code == OP_CALL ? module_find(s->module, op_sym(op, A_FUNC)) : NULL;
    if (!f || s->found || is_open(s, f)) return;
    Search inner = {s->module, s, f, false};
    region_walk(f->body, find_impossible, &inner);
    s->found = inner.found;
}

static void find_launch(void *ctx, Op *op) {
    Search *s = ctx;
    s->found |= op->code == OP_PARALLEL && s->func;
    const Func *f = op->code == OP_CALL ? module_find(s->module, op_sym(op, A_FUNC)) : NULL;
    if (!f || s->found || is_open(s, f)) return;
    Search inner = {s->module, s, f, false};
    region_walk(f->body, find_launch, &inner);
    s->found = inner.found;
}

/* Launches are one thread's of the host. */
bool plan_may_call_launch(const Plan *p, const Op *loop) {
    Search s = {p->func->module, NULL, NULL, false};
    if (p->opts->target == TARGET_CUDA) region_walk(loop->regs[0], find_launch, &s);
    return s.found;
}

static bool is_possible(const Plan *p, const Op *launch) {
    Search s = {p->func->module, NULL, NULL, false};
    region_walk(launch->regs[0], find_impossible, &s);
    return !s.found;
}

/* ---- loops that were not written as launches */

typedef struct { const Op *loop; bool found; } Memory;

static void find_other_memory(void *ctx, Op *op) {
    Memory *m = ctx;
    for (int i = 0; i < op->nopnds; i++) {
        const Value *v = op_opnd(op, i);
        m->found |= v->type->kind == TY_BUF && v->def && !region_encloses(m->loop->regs[0], value_region(v));
    }
}

static bool is_of_elements(const Plan *p, const Op *loop) {
    Memory m = {loop, false};
    if (op_flag(loop, A_SERIAL) || op_flag(loop, A_TILES) || plan_order_matters(loop)) return false;
    region_walk(loop->regs[0], find_other_memory, &m);
    return !m.found && is_possible(p, loop);
}

/* ---- islands */

/* op runs where the arrays are: on the GPU, or, if everything is simulated, anywhere.  What is not planned yet will, if
 * it can. */
static bool is_launched(const Plan *p, const Op *op) {
    bool simulated = p->opts->target == TARGET_SIM;
    if (op->code != OP_PARALLEL) return false;
    if (plan_loop(p, op)) return plan_loop(p, op)->where == (simulated ? RUN_SIMULATED : RUN_ON_GPU);
    return plan_is_block(op) ? simulated || is_possible(p, op) : is_of_elements(p, op);
}

/* A loop of one turn is none. */
static bool is_once(const Op *op) {
    if (op->code != OP_PARALLEL || op_loop(op) != LOOP_PLAIN) return op->code == OP_IF;
    for (int i = 0; i < op->nopnds; i++)
        if (!plan_is_unit(op_opnd(op, i))) return false;
    return true;
}

enum { FEW = 8, MANY = 1 << 10 };

/* How many elements of the buffer the host touches, one by one, outside loops; MANY: it is not only that */
static int touched(const Plan *p, const Region *r, const Value *buf) {
    int n = 0;
    for (const Op *op = r->first; op && n < MANY; op = op->next) {
        if (is_launched(p, op)) continue;
        for (int i = 0; i < op->nopnds; i++)
            if (op_opnd(op, i) == buf) n += op->code == OP_LOAD || op->code == OP_STORE ? 1 : MANY;
        for (int i = 0; i < op->nregs; i++) {
            int inner = touched(p, op->regs[i], buf);
            n += inner && !is_once(op) ? MANY : inner;
        }
    }
    return n;
}

Touch plan_touch(const Plan *p, const Region *island, const Value *buf) {
    int n = p->opts->target == TARGET_CPU ? 0 : touched(p, island, buf);
    return n > FEW ? TOUCH_WHOLE : n ? TOUCH_ELEMENTS : TOUCH_NOT;
}

Touch plan_island_touch(const Plan *p, const Region *island) {
    Touch most = TOUCH_NOT;
    for (int i = 0; i < island->nargs; i++) {
        Touch t = plan_touch(p, island, island->args[i]);
        if (t > most) most = t;
    }
    return most;
}

/* Loops over elements are not launched where the host has the arrays anyway. */
static bool stays_here(const Plan *p, const Op *op, Touch around) {
    if (plan_is_block(op)) return false;
    return around == TOUCH_WHOLE || (around == TOUCH_ELEMENTS && is_once(op)) || !is_of_elements(p, op);
}

Where plan_where(const Plan *p, const Op *op, Touch around) {
    EmitTarget target = p->opts->target;
    if (target == TARGET_CPU || stays_here(p, op, around)) return RUN_HERE;
    return target == TARGET_CUDA && is_possible(p, op) ? RUN_ON_GPU : RUN_SIMULATED;
}
