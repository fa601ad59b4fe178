/* coalesce: a loop around a loop, whose indices only count one index between them, is one loop.
 *
 * `for t in 0:n { for p in 0:16 { .. 16*t + p .. } }` is `for q in 0:16*n { .. q .. }`, turn by turn, when nothing else
 * asks for t or p and the outer loop does nothing but that.  Products by tiles are written so: what is left of them
 * when the tiles are read through (forward-shared) is a loop along the rows and columns themselves. */
#include "analysis/range.h"
#include "ir/index.h"
#include "opt/pass.h"

typedef struct { Op *outer, *inner; int64_t turns; } Pair; /* turns: of the inner one */

static bool counts_from_zero(const Op *loop) {
    return loop->code == OP_FOR && value_is_const_int(op_opnd(loop, 0), 0) && value_is_const_int(op_opnd(loop, 2), 1) &&
           !op_flag(loop, A_PROGRESS);
}

static bool is_nest(Pair *p) {
    p->inner = loop_only_inner(p->outer);
    return p->inner && counts_from_zero(p->inner) && value_const_int(op_opnd(p->inner, 1), &p->turns) && p->turns > 1;
}

static bool is_product(const Op *op, const Pair *p) {
    return op->code == OP_MUL &&
           (value_is_const_int(op_opnd(op, 0), p->turns) || value_is_const_int(op_opnd(op, 1), p->turns));
}

/* t * turns, of which only p->inner's index is ever added */
static bool counts_both(const Value *product, const Value *index) {
    for (const Use *u = product->uses; u; u = u->next)
        if (u->user->code != OP_ADD || op_opnd(u->user, 1 - u->index) != index) return false;
    return true;
}

/* Every use of the outer index is such a product, every use of the inner one such a sum. */
static bool count_one(const Pair *p) {
    const Value *t = p->outer->regs[0]->args[0], *index = p->inner->regs[0]->args[0];
    for (const Use *u = t->uses; u; u = u->next)
        if (!is_product(u->user, p) || !counts_both(&u->user->res[0], index)) return false;
    for (const Use *u = index->uses; u; u = u->next) {
        const Op *product = u->user->code == OP_ADD ? op_opnd(u->user, 1 - u->index)->def : NULL;
        if (!product || !is_product(product, p) || (op_opnd(product, 0) != t && op_opnd(product, 1) != t)) return false;
    }
    return !value_unused(t) && !value_unused(index);
}

static bool fits(const Pair *p) {
    Ranges *r = ranges_new(p->outer->parent->func->module->session);
    IntRange n = range_of(r, op_opnd(p->outer, 1), p->outer);
    ranges_free(r);
    return range_is_near(n.hi) && n.hi < INT64_MAX / 2 / p->turns && n.lo > INT64_MIN / 2 / p->turns;
}

static void make_one(const Pair *p) {
    Builder b = builder_before(p->outer);
    int n = p->outer->nres;
    Value **first = NEWN(b.module->arena, Value *, n + 1);
    for (int i = 0; i < n; i++) first[i] = loop_first(p->outer, i);
    Value *count = build_binary(&b, OP_MUL, op_opnd(p->outer, 1), build_int(&b, p->turns));
    Op *loop = build_for(&b, op_opnd(p->outer, 0), count, op_opnd(p->outer, 2), n, first);
    Value *q = loop->regs[0]->args[0], *t = p->outer->regs[0]->args[0], *index = p->inner->regs[0]->args[0];
    q->name = index->name;
    while (index->uses) {
        Op *sum = index->uses->user;
        value_replace_all(&sum->res[0], q);
        op_erase(sum);
    }
    while (t->uses) op_erase(t->uses->user);
    for (int i = 0; i < n; i++) value_replace_all(loop_carried(p->inner, i), loop_carried(loop, i));
    op_move_range(p->inner->regs[0]->first, region_term(p->inner->regs[0]), loop->regs[0], NULL);
    for (int i = 0; i < n; i++) value_replace_all(&p->outer->res[i], &loop->res[i]);
    op_erase(p->outer);
}

static void visit(Region *r) {
    for (Op *op = r->first, *next; op; op = next) {
        next = op->next;
        Pair p = {.outer = op};
        for (int i = 0; i < op->nregs; i++) visit(op->regs[i]);
        if (counts_from_zero(op) && is_nest(&p) && count_one(&p) && fits(&p)) make_one(&p);
    }
}

void pass_coalesce(Module *m, const PassOptions *opts) {
    (void)opts;
    for (int i = 0; i < m->funcs.len; i++) visit(m->funcs.data[i]->body);
}
