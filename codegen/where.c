/* Which loops are launches, for a GPU and its simulator: those that were written, and loops over elements of the
 * island's arrays.  What a GPU cannot do, such as calling a function that makes arrays, the simulator does. */
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

/* op runs where the arrays are: on the GPU, or, if everything is simulated, anywhere */
static bool is_launched(const Plan *p, const Op *op) {
    if (op->code != OP_PARALLEL) return false;
    if (!plan_is_block(op)) return is_of_elements(p, op);
    return p->opts->target == TARGET_SIM || is_possible(p, op);
}

static bool touches_arrays(const Plan *p, const Region *r) {
    for (const Op *op = r->first; op; op = op->next) {
        if (is_launched(p, op)) continue;
        for (int i = 0; i < op->nopnds; i++)
            if (op_opnd(op, i)->type->kind == TY_BUF) return true;
        for (int i = 0; i < op->nregs; i++)
            if (touches_arrays(p, op->regs[i])) return true;
    }
    return false;
}

bool plan_is_mixed(const Plan *p, const Region *island) {
    return p->opts->target != TARGET_CPU && touches_arrays(p, island);
}

Where plan_where(const Plan *p, const Op *op, bool mixed) {
    EmitTarget target = p->opts->target;
    if (target == TARGET_CPU || (!plan_is_block(op) && (mixed || !is_of_elements(p, op)))) return RUN_HERE;
    return target == TARGET_CUDA && is_possible(p, op) ? RUN_ON_GPU : RUN_SIMULATED;
}
