/* Which values vary: those that depend on what is differentiated, and are floats. */
#include "ad/ad.h"

#include <stdlib.h>

bool is_active(const Ad *ad, const Value *v) { return map_has(&ad->active, v); }

static bool mark(Ad *ad, Value *v) {
    if (!dtype_is_float(v->type->dtype) || is_active(ad, v)) return false;
    map_put(ad->arena, &ad->active, v, v);
    return true;
}

static bool mark_region(Ad *ad, Region *r);

static bool any_operand(const Ad *ad, const Op *op) {
    for (int i = 0; i < op->nopnds; i++)
        if (is_active(ad, op_opnd(op, i))) return true;
    return false;
}

static bool mark_results(Ad *ad, Op *op) {
    bool changed = false;
    for (int i = 0; i < op->nres; i++) changed |= mark(ad, &op->res[i]);
    return changed;
}

/* Results from `first` on, which are what region r yields */
static bool mark_yields(Ad *ad, Op *op, const Region *r, int first) {
    const Op *y = region_term(r);
    bool changed = false;
    for (int i = 0; i < y->nopnds && first + i < op->nres; i++)
        if (is_active(ad, op_opnd(y, i))) changed |= mark(ad, &op->res[first + i]);
    return changed;
}

/* What a loop carries: the arguments of its regions behind the first `ivs` */
static bool mark_carried(Ad *ad, Op *op, int first, int body, int ivs) {
    bool changed = false, again = true;
    const Op *y = region_term(op->regs[body]);
    while (again) {
        again = false;
        for (int i = 0; i < op->nres; i++) {
            if (!is_active(ad, op_opnd(op, first + i)) && !is_active(ad, op_opnd(y, i))) continue;
            again |= mark(ad, op->regs[body]->args[ivs + i]) | mark(ad, &op->res[i]);
            if (body) again |= mark(ad, op->regs[0]->args[i]);
        }
        again |= mark_region(ad, op->regs[body]);
        changed |= again;
    }
    return changed;
}

/* Memory varies when something that varies is written to it. */
static bool mark_island(Ad *ad, Op *op) {
    bool changed = false, again = true;
    for (int i = 0; i < op->nopnds; i++)
        if (is_active(ad, op_opnd(op, i))) changed |= mark(ad, op->regs[0]->args[i]);
    while (again) changed |= again = mark_region(ad, op->regs[0]);
    for (int i = 0, r = 0; i < op->nopnds; i++) {
        if (!op_attr(op, A_MODES)->ints[i]) continue;
        if (is_active(ad, op->regs[0]->args[i])) changed |= mark(ad, &op->res[r]);
        r++;
    }
    return changed;
}

static bool mark_write(Ad *ad, Op *op) {
    bool changed = is_active(ad, op_opnd(op, 0)) && mark(ad, op_opnd(op, 1));
    return is_active(ad, op_opnd(op, 1)) ? changed | mark_results(ad, op) : changed;
}

/* What an operator of the program's own combines: elements, neutral ones, and what it gives */
static bool mark_combined(Ad *ad, Op *op) {
    Region *r = op->regs[1];
    int n = op->nres, first = op->nopnds - n;
    bool changed = mark_region(ad, op->regs[0]) | mark_yields(ad, op, op->regs[0], 0), again = true;
    while (again) {
        again = false;
        for (int i = 0; i < n; i++) {
            if (op->code == OP_REDUCE && is_active(ad, op_opnd(op, first + i))) again |= mark(ad, &op->res[i]);
            if (is_active(ad, &op->res[i])) again |= mark(ad, r->args[i]) | mark(ad, r->args[n + i]);
        }
        again |= mark_region(ad, r) | mark_yields(ad, op, r, 0);
        changed |= again;
    }
    return changed;
}

static bool mark_op(Ad *ad, Op *op) {
    bool changed = false;
    switch (op->code) {
    case OP_FOR: return mark_carried(ad, op, 3, 0, 1);
    case OP_WHILE: return mark_carried(ad, op, 0, 1, 0);
    case OP_ISLAND: return mark_island(ad, op);
    case OP_STORE: case OP_ATOMIC: return mark_write(ad, op);
    default: break;
    }
    if (op_info(op->code)->ad == AD_ZERO) return false;
    if (!op->nregs) return any_operand(ad, op) && mark_results(ad, op);
    if (op->nregs == 2 && (op->code == OP_REDUCE || op->code == OP_SCAN)) return mark_combined(ad, op);
    for (int i = 0; i < op->nregs; i++) changed |= mark_region(ad, op->regs[i]);
    for (int i = 0; i < op->nregs; i++)
        changed |= mark_yields(ad, op, op->regs[i], op->code == OP_SPAWN && i ? region_term(op->regs[0])->nopnds : 0);
    return changed;
}

static bool mark_region(Ad *ad, Region *r) {
    bool changed = false;
    for (Op *o = r->first; o; o = o->next) changed |= mark_op(ad, o);
    return changed;
}

void active_mark(Ad *ad, Region *r) {
    for (int i = 0; i < r->nargs; i++) mark(ad, r->args[i]);
    mark_region(ad, r);
}

void active_op(Ad *ad, Op *op) { mark_op(ad, op); }
void active_value(Ad *ad, Value *v) { mark(ad, v); }
void active_region(Ad *ad, Region *r) { mark_region(ad, r); }

void active_replace(Ad *ad, Op *op, Op *by) {
    for (int i = 0; i < op->nres; i++)
        if (is_active(ad, &op->res[i])) mark(ad, &by->res[i]);
    op_replace(op, by);
}

/* ---- what regions mention */

typedef struct { Ad *ad; const Op *op; ValueList list; Map seen; bool all; } Mentions;

static void mention(void *ctx, Op *o) {
    Mentions *m = ctx;
    for (int i = 0; i < o->nopnds; i++) {
        Value *v = op_opnd(o, i);
        bool inside = false;
        for (int k = 0; k < m->op->nregs; k++) inside |= region_encloses(m->op->regs[k], value_region(v));
        if (inside || (!m->all && (!is_active(m->ad, v) || v->type->kind == TY_BUF)) || map_has(&m->seen, v)) continue;
        map_put(m->ad->arena, &m->seen, v, v);
        vec_push(m->ad->arena, &m->list, v);
    }
}

static ValueList mentions(Ad *ad, const Op *op, bool all) {
    Mentions m = {.ad = ad, .op = op, .all = all};
    for (int i = 0; i < op->nregs; i++) region_walk(op->regs[i], mention, &m);
    return m.list;
}

/* ---- uses in the order of the program: adjoints are added in it whatever the lists of uses have been through */

static int depth_of(const Op *op) {
    int n = 0;
    for (const Op *o = op->parent->owner; o; o = o->parent->owner) n++;
    return n;
}

static int region_number(const Region *r) {
    int k = 0;
    while (r->owner && r->owner->regs[k] != r) k++;
    return k;
}

static bool comes_later(const Op *a, const Op *b) {
    int x = depth_of(a), y = depth_of(b), deeper = x - y;
    for (; x > y; x--) a = a->parent->owner;
    for (; y > x; y--) b = b->parent->owner;
    if (a == b) return deeper > 0;
    while (a->parent != b->parent && a->parent->owner != b->parent->owner) a = a->parent->owner, b = b->parent->owner;
    return a->parent == b->parent ? a->order > b->order : region_number(a->parent) > region_number(b->parent);
}

static int last_first(const void *x, const void *y) {
    const Use *a = *(const Use *const *)x, *b = *(const Use *const *)y;
    if (a->user == b->user) return b->index - a->index;
    return comes_later(a->user, b->user) ? -1 : 1;
}

UseList uses_from_last(Ad *ad, const Value *v) {
    UseList list = {0};
    for (const Use *u = v->uses; u; u = u->next) vec_push(ad->arena, &list, u);
    if (list.len > 1) qsort(list.data, (size_t)list.len, sizeof *list.data, last_first);
    return list;
}

ValueList active_free(Ad *ad, const Op *op) { return mentions(ad, op, false); }
ValueList all_free(Ad *ad, const Op *op) { return mentions(ad, op, true); }
