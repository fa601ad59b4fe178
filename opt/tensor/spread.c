/* spread: elements of a reduction that cost much are computed by all threads, and combined then.
 *
 * needs: bodies that are fused.  A reduction of few elements runs in order, as its tree has chunks of a thousand; where
 * each element takes long, they become a comprehension, and the reduction reads its elements.  The tree is that of the
 * reduction, so the result has the same bits. */
#include "analysis/cost.h"
#include "ir/index.h"
#include "opt/pass.h"

enum { MUCH = 4000 }; /* cycles of an element: beside it a store and a load of it are nothing */

/* ---- cost */

static int64_t region_cost(const Region *r);

static int64_t turns_of(const Op *op) {
    int64_t n = 1, c;
    if (op->code == OP_WHILE) return COST_UNKNOWN_TURNS;
    if (op->code == OP_REDUCE) {
        for (int i = 0; i < op->regs[0]->nargs && n < MUCH; i++)
            n *= !value_const_int(op_opnd(op, i), &c) ? 1 : c < 0 ? 0 : c < MUCH ? c : MUCH;
        return n;
    }
    if (op->code != OP_FOR || !loop_turns(op, &n)) return 1; /* of which nothing is known is little */
    return n < 1 ? 1 : n < MUCH ? n : MUCH;
}

static int64_t op_cost(const Op *op) {
    int64_t inner = 0;
    if (op->code == OP_CALL) {
        const Func *f = module_find(op->parent->func->module, op_sym(op, A_FUNC));
        return f && f->kind == FUNC_FN ? (f->recursive ? MUCH : region_cost(f->body)) : 0;
    }
    for (int i = 0; i < op->nregs; i++) inner += region_cost(op->regs[i]);
    bool loop = op_info(op->code)->traits & TR_LOOP || op->code == OP_REDUCE;
    return op_info(op->code)->cost + inner * (loop ? turns_of(op) : 1);
}

/* At most MUCH */
static int64_t region_cost(const Region *r) {
    int64_t cost = 0;
    for (const Op *o = r->first; o && cost < MUCH; o = o->next) cost += op_cost(o);
    return cost < MUCH ? cost : MUCH;
}

/* ---- */

static bool at_function_level(const Op *op) {
    for (const Op *o = op->parent->owner; o; o = o->parent->owner)
        if (o->code != OP_FOR && o->code != OP_WHILE && o->code != OP_IF && o->code != OP_SPAWN) return false;
    return true;
}

static bool reaches_out(const Region *r) {
    for (const Op *o = r->first; o; o = o->next) {
        if (o->code == OP_EXTERN || o->code == OP_PRINT) return true;
        for (int i = 0; i < o->nregs; i++)
            if (reaches_out(o->regs[i])) return true;
    }
    return false;
}

static bool is_worth(const Op *op) {
    int64_t n;
    return op->code == OP_REDUCE && op->nregs == 1 && reduce_is_serial(op, &n) && n > 1 && at_function_level(op) &&
           region_cost(op->regs[0]) >= MUCH && !reaches_out(op->regs[0]);
}

static void visit(Region *r) {
    for (Op *o = r->first, *next; o; o = next) {
        next = o->next;
        for (int i = 0; i < o->nregs; i++) visit(o->regs[i]);
        if (is_worth(o)) split_elements(o);
    }
}

void pass_spread(Module *m, const PassOptions *opts) {
    (void)opts;
    for (int i = 0; i < m->funcs.len; i++)
        if (m->funcs.data[i]->kind != FUNC_EXTERN) visit(m->funcs.data[i]->body);
}
