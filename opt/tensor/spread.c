/* spread: elements of a reduction that cost much are computed by all threads, and combined then.
 *
 * needs: bodies that are fused.  A reduction of reductions is one over both their indices, of which all threads take
 * rows: sum(sum(x[i, j] for j) for i), as derivatives make it, is sum(x[i, j] for i, j).  A reduction of few elements
 * runs in order, as its tree has chunks of a thousand; where each element takes long, they become a comprehension, and
 * the reduction reads its elements.  The tree is that of the reduction, so the result has the same bits. */
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

/* ---- a reduction of reductions */

enum { LITTLE = 12 }; /* cycles that an element of the outer one takes beside the inner one */

/* What stands beside the inner reduction is little, and goes where its elements are. */
static bool is_little_beside(const Op *op, const Op *inner) {
    int cost = 0;
    for (const Op *o = op->regs[0]->first; o != region_term(op->regs[0]); o = o->next) {
        if (o == inner) continue;
        if (o->nregs || !op_is_pure(o)) return false;
        cost += op_info(o->code)->cost;
    }
    return cost <= LITTLE;
}

static Op *inner_reduction(const Op *op) {
    const Region *body = op->nregs == 1 ? op->regs[0] : NULL;
    if (op->code != OP_REDUCE || !body || op->nres != 1 || op_combine(op) == COMBINE_CUSTOM) return NULL;
    Op *inner = op_opnd(region_term(body), 0)->def;
    if (!inner || inner->code != OP_REDUCE || inner->parent != body) return NULL;
    if (inner->nregs != 1 || inner->nres != 1) return NULL;
    if (op_combine(inner) != op_combine(op) || !value_single_use(&inner->res[0])) return NULL;
    for (int i = 0; i < inner->nopnds; i++)
        if (region_encloses(body, value_region(op_opnd(inner, i)))) return NULL;
    return op->nopnds + inner->nopnds <= MAX_RANK && is_little_beside(op, inner) ? inner : NULL;
}

/* The tree of several indices is the nest of those of each (lower/reduce_tree.h): the same bits. */
static Op *join_nest(Op *op, Op *inner) {
    Builder b = builder_before(op);
    Region *body = op->regs[0], *inside = inner->regs[0];
    Value *extents[MAX_RANK];
    int n = op->nopnds;
    for (int i = 0; i < n; i++) extents[i] = op_opnd(op, i);
    for (int i = 0; i < inner->nopnds; i++) extents[n + i] = op_opnd(inner, i);
    Op *both = build_op(&b, OP_REDUCE, n + inner->nopnds, extents, 1, &op->res[0].type, 1), *term = region_term(inside);
    op_copy_attrs(both, op);
    for (int i = 0; i < both->nopnds; i++) {
        Value *iv = i < n ? body->args[i] : inside->args[i - n];
        value_replace_all(iv, region_add_arg(both->regs[0], iv->type, iv->name));
    }
    Value *element = op_opnd(term, 0);
    if (term->prev) op_move_range(inside->first, term->prev, body, inner);
    op_set_opnd(region_term(body), 0, element);
    op_erase(inner);
    term = region_term(body);
    if (term->prev) op_move_range(body->first, term->prev, both->regs[0], NULL);
    Builder in = builder_at_end(b.module, both->regs[0], op->span);
    build_yield(&in, 1, &element);
    value_replace_all(&op->res[0], &both->res[0]);
    op_erase(op);
    return both;
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
        for (Op *inner; at_function_level(o) && (inner = inner_reduction(o));) o = join_nest(o, inner);
        if (is_worth(o)) split_elements(o);
    }
}

void pass_spread(Module *m, const PassOptions *opts) {
    (void)opts;
    for (int i = 0; i < m->funcs.len; i++)
        if (m->funcs.data[i]->kind != FUNC_EXTERN) visit(m->funcs.data[i]->body);
}
