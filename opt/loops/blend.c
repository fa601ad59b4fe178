/* blend: a store under a condition becomes a store of a choice, where the iteration owns the element.
 *
 * Needs stage loops, guards narrowed.  `parallel(n) (i) { if v < d[i] { d[i] = v } }` stores through a mask, element by
 * element where a processor has none; `d[i] = v < d[i] ? v : d[i]` is a minimum and a plain store (if-conversion:
 * Allen, Kennedy, Porterfield, Warren, POPL 1983).  What the other iterations read is the same: where nothing was
 * stored, the value that stood there is, and nobody else stores there.
 *
 * Worth it when the condition asks for the value that is there (a minimum, a maximum, what comes nearer), or when the
 * array surely fits a cache, or the loop runs again and again: else elements are written back to memory that need not
 * be. */
#include "opt/loops/loops.h"

enum { MAX_OPS = 8, CACHE = 4 << 20 };

/* ---- who owns the element */

static bool is_one_subscript(const Op *store, const Region *r, const Value *index) {
    for (int i = 2; i < op_index_end(store); i++)
        if (value_shifted_arg(r, op_opnd(store, i)) == index) return true;
    return false;
}

/* No other iteration of the parallel loops around stores in this element: each index is a subscript, and nothing else
 * is stored in the array. */
static bool owns(const Op *loop, const Op *store) {
    const Op *outermost = loop;
    for (const Op *l = loop; l && l->code != OP_ISLAND; l = l->parent->owner) {
        if (l->code != OP_PARALLEL) continue;
        outermost = l;
        for (int k = 0; k < l->nopnds; k++)
            if (!is_one_subscript(store, l->regs[0], l->regs[0]->args[k])) return false;
    }
    for (const Use *u = op_opnd(store, 1)->uses; u; u = u->next) {
        const Op *o = u->user;
        if (o == store || !op_inside(o, outermost) || (o->code == OP_LOAD && u->index == 0)) continue;
        if (o->code != OP_STORE || u->index != 1 || !op_same_element(o, store)) return false;
    }
    return true;
}

/* ---- does it pay */

static bool fits_cache(Session *s, const Type *t) {
    return type_few_elements(s, t, CACHE / dtype_info(t->dtype)->bytes) > 0;
}

static bool runs_again(const Op *loop) {
    const Op *island = op_around(loop, OP_ISLAND), *around = island ? island->parent->owner : NULL;
    return around && op_is_sequential_loop(around);
}

/* Is v the comparison of the stored value with the element, `there`? */
static bool asks_for(const Value *v, const Value *stored, const Op *there) {
    const Op *op = v->def;
    if (!op || !opcode_is_compare(op->code)) return false;
    for (int i = 0; i < 2; i++)
        if (op_opnd(op, i) == &there->res[0] && op_opnd(op, !i) == stored) return true;
    return false;
}

/* ---- doing it */

/* The load of the element that every turn makes before the branch */
static Op *element_before(const Op *branch, const Op *store) {
    for (Op *o = branch->prev; o; o = o->prev)
        if (o->code == OP_LOAD && op_flag(o, A_SAFE) && op_same_element(o, store)) return o;
    return NULL;
}

/* The one store of the branch, which is all it does but for a few operations that may always run */
static Op *only_store(const Op *branch) {
    Op *store = NULL;
    int ops = 0;
    if (branch->nres || branch->regs[1]->first != region_term(branch->regs[1])) return NULL;
    for (Op *o = branch->regs[0]->first; o != region_term(branch->regs[0]); o = o->next) {
        if (++ops > MAX_OPS || store) return NULL;
        if (o->code == OP_STORE && op_flag(o, A_SAFE)) store = o;
        else if (o->nregs || o->code == OP_LOAD || op_may_trap(o) || !op_is_pure(o)) return NULL;
    }
    return store;
}

/* A vector loop otherwise: no inner loops, no calls */
static bool is_innermost(const Op *loop) {
    for (const Op *o = loop->regs[0]->first; o; o = o->next) {
        if (op_info(o->code)->traits & (TR_LOOP | TR_CALL) || o->code == OP_CALL) return false;
        if (!o->nregs && op_may_trap(o)) return false;
    }
    return true;
}

static void blend(Op *loop, Op *branch) {
    Op *store = only_store(branch);
    Op *there = store ? element_before(branch, store) : NULL;
    if (!there || op_opnd(store, 1)->type->space == SPACE_PRIVATE || !owns(loop, store)) return;
    bool asks = asks_for(op_opnd(branch, 0), op_opnd(store, 0), there);
    if (!asks && !fits_cache(loop->parent->func->module->session, op_opnd(store, 1)->type) && !runs_again(loop)) return;
    Op *first = branch->regs[0]->first;
    op_move_range(first, store, loop->regs[0], branch);
    Builder b = builder_before(store);
    Value *idx[MAX_RANK];
    int n = op_index_end(store) - 2;
    for (int i = 0; i < n; i++) idx[i] = op_opnd(store, 2 + i);
    Value *old = build_load(&b, op_opnd(store, 1), n, idx);
    op_set_flag(old->def, A_SAFE);
    op_set_opnd(store, 0, build_select(&b, op_opnd(branch, 0), op_opnd(store, 0), old));
    op_erase(branch);
}

static void visit(Region *r) {
    for (Op *o = r->first; o; o = o->next) {
        for (int i = 0; i < o->nregs; i++) visit(o->regs[i]);
        if (o->code != OP_PARALLEL || !is_innermost(o)) continue;
        for (Op *branch = o->regs[0]->first, *next; branch; branch = next) {
            next = branch->next;
            if (branch->code == OP_IF) blend(o, branch);
        }
    }
}

void pass_blend(Module *m, const PassOptions *opts) {
    (void)opts;
    for (int i = 0; i < m->funcs.len; i++)
        if (m->funcs.data[i]->body) visit(m->funcs.data[i]->body);
}
