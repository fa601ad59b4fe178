/* Operations whose results nobody uses and that do nothing else, results of branches and strands, carried values of
 * loops that matter to themselves alone, private memory that nobody reads, arrays that islands do nothing with, and
 * empty loops.
 *
 * One walk from the last operation to the first; what becomes unused by a removal lies above and is met later. */
#include "opt/dead.h"

#include <string.h>

static bool all_unused(const Op *op) {
    for (int i = 0; i < op->nres; i++)
        if (op->res[i].uses) return false;
    return true;
}

/* ---- calls of the library that only compute, of which nobody asks a size, either */

typedef struct { const Op *call; bool found; } Asked;

static void ask_sym(void *ctx, const char *sym) {
    Asked *a = ctx;
    const Type *t = a->call->res[0].type;
    for (int i = 0; i < t->rank; i++) a->found |= size_as_sym(t->dims[i]) == sym;
}

static void ask_op(void *ctx, Op *op) {
    const Asked *a = ctx;
    if (op != a->call) op_each_sym(op, ask_sym, ctx);
}

static bool is_idle_call(const Op *op) {
    if (op->code != OP_EXTERN || op->nres != 1 || !c_name_computes(op_sym(op, A_FUNC))) return false;
    Asked a = {.call = op};
    region_walk(op->parent, ask_op, &a);
    return !a.found;
}

/* ---- results that nobody uses */

static bool any_unused(const Op *op) {
    for (int i = 0; i < op->nres; i++)
        if (!op->res[i].uses) return true;
    return false;
}

/* op again without the results whose keep flag is false; the terminators have been trimmed. */
static Op *rebuild_results(Op *op, int nopnds, Value *const *opnds, const bool *keep) {
    Arena *a = op->parent->func->module->arena;
    const Type **types = NEWN(a, const Type *, op->nres);
    int n = 0;
    for (int i = 0; i < op->nres; i++)
        if (keep[i]) types[n++] = op->res[i].type;
    Op *new = op_rebuild(op, nopnds, opnds, n, types);
    n = 0;
    for (int i = 0; i < op->nres; i++) {
        if (!keep[i]) continue;
        new->res[n].name = op->res[i].name;
        value_replace_all(&op->res[i], &new->res[n++]);
    }
    op_erase(op);
    return new;
}

/* Removes what only made v, inside `within`. */
static void erase_chain(Value *v, const Op *within) {
    Op *op = v->def;
    if (!op || !op->parent || !op_inside(op, within) || !all_unused(op) || !op_is_removable(op)) return;
    int n = op->nregs ? 0 : op->nopnds;
    Value **opnds = NEWN(op->parent->func->module->arena, Value *, n);
    for (int i = 0; i < n; i++) opnds[i] = op_opnd(op, i);
    op_erase(op);
    for (int i = 0; i < n; i++) erase_chain(opnds[i], within);
}

static void trim_yield(Region *r, const bool *keep, int n) {
    Op *y = region_term(r);
    for (int i = n - 1; i >= 0; i--) {
        Value *v = op_opnd(y, i);
        if (keep[i]) continue;
        op_remove_opnd(y, i);
        erase_chain(v, r->owner);
    }
}

static Op *trim_if(Op *op) {
    if (!any_unused(op)) return op;
    bool *keep = NEWN(op->parent->func->module->arena, bool, op->nres);
    for (int i = 0; i < op->nres; i++) keep[i] = op->res[i].uses != NULL;
    for (int r = 0; r < 2; r++) trim_yield(op->regs[r], keep, op->nres);
    Value *cond = op_opnd(op, 0);
    return rebuild_results(op, 1, &cond, keep);
}

/* Each strand yields its own share of the results. */
static Op *trim_spawn(Op *op) {
    if (!any_unused(op)) return op;
    bool *keep = NEWN(op->parent->func->module->arena, bool, op->nres);
    for (int i = 0; i < op->nres; i++) keep[i] = op->res[i].uses != NULL;
    int first = region_term(op->regs[0])->nopnds;
    trim_yield(op->regs[0], keep, first);
    trim_yield(op->regs[1], keep + first, op->nres - first);
    return rebuild_results(op, 0, NULL, keep);
}

typedef struct { const Op *loop; int carried; Map seen; Arena *arena; } Idle;

static bool is_idle_value(Idle *k, const Value *v);

/* What a `for` in the loop carries and gives as its i-th value */
static bool is_idle_inside(Idle *k, const Op *loop, int i) {
    return i >= 0 && is_idle_value(k, loop_carried(loop, i)) && is_idle_value(k, &loop->res[i]);
}

/* What is done with a value: it is what the loop carries on, what a branch or a loop in it gives, or what only computes
 * such things. */
static bool is_idle_use(Idle *k, const Use *u) {
    const Op *op = u->user, *owner = op->parent->owner;
    if (op == region_term(k->loop->regs[k->loop->nregs - 1])) return u->index == k->carried;
    if (op->code == OP_YIELD && owner->code == OP_FOR) return is_idle_inside(k, owner, u->index);
    if (op->code == OP_YIELD) return owner->code == OP_IF && is_idle_value(k, &owner->res[u->index]);
    if (op->code == OP_FOR) return is_idle_inside(k, op, u->index - 3);
    if (op->nregs || !op_is_removable(op)) return false;
    for (int i = 0; i < op->nres; i++)
        if (!is_idle_value(k, &op->res[i])) return false;
    return true;
}

static bool is_idle_value(Idle *k, const Value *v) {
    if (map_has(&k->seen, v)) return true;
    map_put(k->arena, &k->seen, v, k);
    for (const Use *u = v->uses; u; u = u->next)
        if (!is_idle_use(k, u)) return false;
    return true;
}

/* Whether carried value i matters only to its own next value. */
static bool is_idle(const Op *op, int skip, int i) {
    Idle k = {.loop = op, .carried = i, .arena = op->parent->func->module->arena};
    if (op->res[i].uses) return false;
    for (int r = 0; r < op->nregs; r++)
        if (!is_idle_value(&k, op->regs[r]->args[skip + i])) return false;
    return true;
}

static void visit_region(Region *r);

/* What is still computed with it is not used, and goes next. */
static void forget_arg(Region *r, int i, Value *any) {
    value_replace_all(r->args[i], any);
    region_remove_arg(r, i);
}

/* A loop's carried values: operands from `first`, arguments from `skip` of every region. */
static Op *trim_loop(Op *op, int first, int skip) {
    Arena *a = op->parent->func->module->arena;
    bool *keep = NEWN(a, bool, op->nres), any = false;
    Value **opnds = NEWN(a, Value *, op->nopnds);
    int n = 0;
    for (int i = 0; i < op->nres; i++) any |= !(keep[i] = !is_idle(op, skip, i));
    if (!any) return op;
    for (int i = 0; i < op->nopnds; i++)
        if (i < first || keep[i - first]) opnds[n++] = op_opnd(op, i);
    trim_yield(op->regs[op->nregs - 1], keep, op->nres);
    for (int r = 0; r < op->nregs; r++)
        for (int i = op->nres - 1; i >= 0; i--)
            if (!keep[i]) forget_arg(op->regs[r], skip + i, op_opnd(op, first + i));
    op = rebuild_results(op, n, opnds, keep);
    for (int r = op->nregs - 1; r >= 0; r--) visit_region(op->regs[r]); /* what computed these values */
    return op;
}

/* Arrays that the threads of an island do nothing with come out as they were. */
static Op *trim_island(Op *op) {
    Arena *a = op->parent->func->module->arena;
    const int64_t *had = op_attr(op, A_MODES)->ints;
    Region *r = op->regs[0];
    bool *keep = NEWN(a, bool, op->nres + 1);
    Value **opnds = NEWN(a, Value *, op->nopnds + 1);
    int64_t *modes = NEWN(a, int64_t, op->nopnds + 1);
    int n = 0, res = 0;
    for (int i = 0; i < op->nopnds; i++) {
        bool used = r->args[i]->uses;
        if (!used && had[i]) value_replace_all(&op->res[res], op_opnd(op, i));
        if (had[i]) keep[res++] = used;
        if (used) opnds[n] = op_opnd(op, i), modes[n++] = had[i];
    }
    if (n == op->nopnds) return op;
    for (int i = op->nopnds - 1; i >= 0; i--)
        if (!r->args[i]->uses) region_remove_arg(r, i);
    op = rebuild_results(op, n, opnds, keep);
    op_set_ints(op, A_MODES, n, modes);
    return op;
}

static Op *trim(Op *op) {
    switch (op->code) {
    case OP_ISLAND: return trim_island(op);
    case OP_IF: return trim_if(op);
    case OP_SPAWN: return trim_spawn(op);
    case OP_FOR: return trim_loop(op, 3, 1);
    case OP_WHILE: return trim_loop(op, 0, 0);
    default: return op;
    }
}

/* ---- memory */

/* A buffer of this region's own that is only written: the writes go with it. */
static bool is_write_only(const Op *alloc) {
    for (const Use *u = alloc->res[0].uses; u; u = u->next)
        if (u->user->code != OP_STORE || u->index != 1 || !op_flag(u->user, A_SAFE)) return false;
    return true;
}

static void erase_writes(Op *alloc) {
    while (alloc->res[0].uses) op_erase(alloc->res[0].uses->user);
}

/* ---- the walk */

/* At stage loops values have owners: what looks unused may be one's duty to release. */
static bool keeps_owner(const Op *op) {
    return op->parent->func->module->stage >= STAGE_LOOPS && op->nres && op->res[0].type->kind == TY_TENSOR;
}

static void visit(Op *op) {
    if (op_info(op->code)->traits & TR_TERM) return;
    if (all_unused(op) && !keeps_owner(op) && (op_is_removable(op) || is_idle_call(op))) {
        op_erase(op);
        return;
    }
    for (int i = 0; i < op->nregs; i++) visit_region(op->regs[i]);
    if (op->nregs && op->parent->func->module->stage < STAGE_LOOPS) op = trim(op);
    if (op->nregs && all_unused(op) && op_is_removable(op) && !keeps_owner(op)) op_erase(op);
    else if (op->code == OP_ALLOC && is_write_only(op)) {
        erase_writes(op);
        op_erase(op);
    }
}

static void visit_region(Region *r) {
    for (Op *op = r->last, *prev; op; op = prev) {
        prev = op->prev;
        visit(op);
    }
}

void dead_in_op(Op *op) { visit(op); }

void dead_in_region(Region *r) { visit_region(r); }
