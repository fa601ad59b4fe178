/* straight: bodies of sums become straight code.
 *
 * needs: bodies that are fused.  Sums of a few elements and loops of a few turns within them are written out;
 * branches become choices between values, where all that they do is a little arithmetic.  So
 * `sum(if i != j { f(sum((x[i, k] - x[j, k])^2 for k in 0:3)) } else { 0.0 } for i, j)` computes f for each pair and
 * takes it or not: neighbours run side by side as vector lanes, and what two branches have in common is found once
 * (join-sums).  Only elements are read that are there whatever the condition says.  If-conversion: Allen, Kennedy,
 * Porterfield, Warren, POPL 1983. */
#include "analysis/cost.h"
#include "ir/index.h"
#include "opt/pass.h"

enum {
    MOST = 8 * COST_CALL, /* cycles of what a branch may leave out */
    SHORT = 4,            /* turns */
    MANY_OPS = 160,       /* of a loop that is written out */
};

/* ---- short loops in sums */

static bool is_short_loop(const Op *op, int64_t *n) {
    if (op->code != OP_FOR || !op->nres || !loop_turns(op, n) || *n < 1 || *n > SHORT) return false;
    return region_count_ops(op->regs[0]) * *n <= MANY_OPS && !op_holds(op, OP_WHILE) && !op_has_effect(op) &&
           !op_has_tensors(op);
}

/* ---- branches */

/* An index of a comprehension or a sum that goes over the axis, or a number */
static bool is_always_inside(Value *index, const Size *dim) {
    int64_t i, n;
    if (value_const_int(index, &i)) return size_is_const(dim, &n) && i >= 0 && i < n;
    index = index_without_constant(index, &i);
    return i == 0 && !index->def && index_size(index) == dim;
}

static bool reads_what_is_there(const Op *extract) {
    const Type *t = op_opnd(extract, 0)->type;
    for (int i = 0; i < t->rank; i++)
        if (!is_always_inside(op_opnd(extract, i + 1), t->dims[i])) return false;
    return true;
}

static bool is_simple(const Op *op) {
    bool divides = op->code == OP_DIV || op->code == OP_SQRT;
    if (op->code == OP_CONST || op->code == OP_YIELD || op->code == OP_SIZE) return true;
    if (op->code == OP_EXTRACT) return op_flag(op, A_SAFE) && reads_what_is_there(op);
    return op_info(op->code)->traits & TR_ELEM && op_is_pure(op) && (op_info(op->code)->cost < COST_CALL || divides);
}

static bool is_little(const Region *r, int *cost) {
    for (const Op *o = r->first; o && *cost <= MOST; o = o->next) {
        *cost += op_info(o->code)->cost;
        if (o->code != OP_IF ? !is_simple(o) : !is_little(o->regs[0], cost) || !is_little(o->regs[1], cost))
            return false;
    }
    return *cost <= MOST;
}

static bool may_choose(const Op *op) {
    int cost = 0;
    return op->code == OP_IF && op->nres > 0 && !op_flag(op, A_FEW) && is_little(op->regs[0], &cost) &&
           is_little(op->regs[1], &cost);
}

static void choose(Op *op) {
    for (int i = 0; i < 2; i++) {
        Region *r = op->regs[i];
        for (Op *o = r->first, *next; o; o = next) {
            next = o->next;
            if (o->code == OP_IF) choose(o);
        }
        if (region_term(r)->prev) op_move_range(r->first, region_term(r)->prev, op->parent, op);
    }
    Builder b = builder_before(op);
    for (int i = 0; i < op->nres; i++) {
        Value *x = op_opnd(region_term(op->regs[0]), i), *y = op_opnd(region_term(op->regs[1]), i);
        value_replace_all(&op->res[i], x == y ? x : build_select(&b, op_opnd(op, 0), x, y));
    }
    op_erase(op);
}

static void choose_in(Region *r) {
    for (Op *o = r->first, *next; o; o = next) {
        next = o->next;
        if (may_choose(o)) choose(o);
        else if (o->code == OP_IF) choose_in(o->regs[0]), choose_in(o->regs[1]);
    }
}

/* ---- */

static void visit(Region *r, bool in_sum, bool chooses) {
    for (Op *o = r->first, *next; o; o = next) {
        int64_t n;
        next = o->next;
        if (o->code == OP_ISLAND) continue;
        bool sum = o->code == OP_REDUCE && o->nregs == 1;
        for (int i = 0; i < o->nregs; i++) visit(o->regs[i], in_sum || sum, chooses);
        if (sum && in_sum && reduce_is_short(o)) reduce_write_out(o);
        else if (in_sum && is_short_loop(o, &n)) loop_write_out(o, n);
        else if (sum && chooses) choose_in(o->regs[0]);
    }
}

void pass_straight(Module *m, const PassOptions *opts) {
    bool chooses = !opts->check_nan && !opts->device;
    for (int i = 0; i < m->funcs.len; i++)
        if (m->funcs.data[i]->kind != FUNC_EXTERN) visit(m->funcs.data[i]->body, false, chooses);
}
