/* spawn: strands that are over sooner than a task would start run in order.
 *
 * needs: nothing; gives what comes after it straight code.  A spawn is parallel composition inside one region (Schardl,
 * Moses, Leiserson: Tapir, PPoPP 2017): its strands see all values from before it, so the passes over operations need
 * not know it, and its serial elision is its strands one after the other.  It is taken when the shorter strand, which
 * is all that could overlap, surely costs less than starting a task and waiting for it.  Costs are those of the
 * operations, times the turns of loops whose number is known; other loops, recursive calls, and what reaches the
 * outside world cost more than any limit. */
#include "ir/index.h"
#include "opt/par/fold.h"
#include "opt/pass.h"

enum { TASK_COST = 2000, NO_LIMIT = 1 << 30 }; /* cycles: a task of libgomp, begun and waited for */

/* costs: Func -> 1 + its cost; all: all run in order, since processes must come to what they send in the same order */
typedef struct { Module *module; Arena *scratch; Map costs; bool all; } Spawn;

static int64_t region_cost(Spawn *s, const Region *r);

static int64_t call_cost(Spawn *s, const Op *call) {
    Func *f = module_find(s->module, op_sym(call, A_FUNC));
    if (!f || f->recursive || f->kind != FUNC_FN) return NO_LIMIT;
    if (!map_has(&s->costs, f)) map_put(s->scratch, &s->costs, f, (void *)(intptr_t)(1 + region_cost(s, f->body)));
    return (intptr_t)map_get(&s->costs, f) - 1;
}

static int64_t times(int64_t x, int64_t y) { return x > 0 && y > NO_LIMIT / x ? NO_LIMIT : x * y; }

static int64_t shape_turns(const Type *t) {
    int64_t n = 1, c;
    for (int i = 0; i < t->rank; i++) n = size_is_const(t->dims[i], &c) ? times(n, c) : NO_LIMIT;
    return n;
}

static int64_t extent_turns(const Op *op, int n) {
    int64_t turns = 1, c;
    for (int i = 0; i < n; i++) turns = value_const_int(op_opnd(op, i), &c) ? times(turns, c < 0 ? 0 : c) : NO_LIMIT;
    return turns;
}

static int64_t for_turns(const Op *op) {
    int64_t n;
    return loop_turns(op, &n) && n < NO_LIMIT ? n : NO_LIMIT;
}

/* How often an operation runs its regions, or touches an element */
static int64_t turns_of(const Op *op) {
    switch (op->code) {
    case OP_FOR: return for_turns(op);
    case OP_WHILE: return NO_LIMIT;
    case OP_PARALLEL: return extent_turns(op, op->nopnds);
    case OP_REDUCE: return extent_turns(op, op->regs[0]->nargs);
    case OP_ISLAND: case OP_IF: case OP_SPAWN: return 1;
    default: return op->nres && type_is_tensor(op->res[0].type) ? shape_turns(op->res[0].type) : 1;
    }
}

static int64_t op_cost(Spawn *s, const Op *op) {
    if (op->code == OP_CALL) return call_cost(s, op);
    if (op->code == OP_EXTERN || op->code == OP_PRINT || op->code == OP_LOADFILE) return NO_LIMIT;
    int64_t inner = op_info(op->code)->cost;
    for (int i = 0; i < op->nregs; i++) inner += region_cost(s, op->regs[i]);
    return times(turns_of(op), inner);
}

static int64_t region_cost(Spawn *s, const Region *r) {
    int64_t cost = 0;
    for (const Op *o = r->first; o && cost < NO_LIMIT; o = o->next) cost += op_cost(s, o);
    return cost < NO_LIMIT ? cost : NO_LIMIT;
}

static void visit(Spawn *s, Region *r) {
    for (Op *o = r->first, *next; o; o = next) {
        next = o->next;
        for (int i = 0; i < o->nregs; i++) visit(s, o->regs[i]);
        if (o->code != OP_SPAWN) continue;
        if (s->all || region_cost(s, o->regs[0]) < TASK_COST || region_cost(s, o->regs[1]) < TASK_COST)
            fold_serialize(o);
    }
}

void pass_spawn(Module *m, const PassOptions *opts) {
    Spawn s = {.module = m, .scratch = arena_new(), .all = opts->ranks};
    for (int i = 0; i < m->funcs.len; i++) visit(&s, m->funcs.data[i]->body);
    arena_free(s.scratch);
}
