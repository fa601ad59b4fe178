/* What loops cost, as far as it is known before they run. */
#include "codegen/plan.h"

#include <math.h>

double plan_trip_count(const Op *loop) {
    const double unknown = 16;
    double n = 1;
    if (loop->code == OP_WHILE) return unknown;
    int first = loop->code == OP_FOR ? 1 : 0, last = loop->code == OP_FOR ? 2 : loop->nopnds;
    for (int i = first; i < last; i++) {
        int64_t k;
        n *= int_constant(op_opnd(loop, i), &k) ? (double)k : unknown;
    }
    return n > 1 ? n : 1;
}

static bool is_loop(const Op *op) { return op->code == OP_FOR || op->code == OP_WHILE || op->code == OP_PARALLEL; }

bool plan_calls_itself(const Op *call) {
    const Func *f = call->code == OP_CALL ? module_find(call->parent->func->module, op_sym(call, A_FUNC)) : NULL;
    return f && f->recursive;
}

static double cost_up_to(const Region *r, double most);

/* What a call costs beside itself: one of a function that calls itself, as much as is worth threads soon.  Functions
 * that call others twice are not walked for ever. */
static double callee_cost(const Op *call) {
    const double recursion = 20000, most = 1e6;
    const Func *f = module_find(call->parent->func->module, op_sym(call, A_FUNC));
    return !f || f->kind != FUNC_FN ? 0 : f->recursive ? recursion : cost_up_to(f->body, most);
}

static double cost_up_to(const Region *r, double most) {
    double sum = 0;
    for (const Op *op = r->first; op && sum < most; op = op->next) {
        double inside = op->code == OP_CALL ? callee_cost(op) : 0;
        for (int i = 0; i < op->nregs; i++) inside += cost_up_to(op->regs[i], most);
        sum += op_info(op->code)->cost + inside * (is_loop(op) ? plan_trip_count(op) : 1);
    }
    return sum;
}

double plan_cost(const Region *r) { return cost_up_to(r, INFINITY); }

typedef struct { const Op *loop; double cost; } Heaviest;

static void find_heaviest(Heaviest *h, const Region *r) {
    for (const Op *op = r->first; op; op = op->next) {
        for (int i = 0; (op->code == OP_IF || op->code == OP_ISLAND) && i < op->nregs; i++)
            find_heaviest(h, op->regs[i]);
        if (!is_loop(op)) continue;
        double cost = plan_cost(op->regs[op->nregs - 1]) * plan_trip_count(op);
        if (cost > h->cost) *h = (Heaviest){op, cost};
    }
}

/* The loop of region r, also under a guard, that costs most, or NULL */
const Op *plan_heaviest_loop(const Region *r) {
    Heaviest h = {0};
    find_heaviest(&h, r);
    return h.loop;
}

/* Straight-line arithmetic, loads and stores, as vector instructions can do it; calls into libm they cannot. */
bool plan_is_simple(const Region *r) {
    for (const Op *op = r->first; op; op = op->next) {
        const OpInfo *info = op_info(op->code);
        bool checked = info->traits & TR_TRAP && !op_flag(op, A_SAFE);
        bool plain = op->code == OP_LOAD || op->code == OP_STORE || op->code == OP_IF || op->code == OP_YIELD ||
                     info->traits & TR_ELEM || op->code == OP_CONST || op->code == OP_SIZE;
        if (!plain || checked || info->traits & TR_CALL) return false;
        for (int i = 0; i < op->nregs; i++)
            if (!plan_is_simple(op->regs[i])) return false;
    }
    return true;
}
