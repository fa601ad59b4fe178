/* fuse: the body of a comprehension goes where its elements are read.
 *
 * Needs index form.  Leaves fewer comprehensions: chains of elementwise operations, slices, transposes and the
 * reductions over them are one loop nest without temporaries.  Work is never repeated: a producer moves into its
 * consumer when each of its elements is read at most once there and nowhere else, or when computing an element
 * again costs no more than reading it.  Elements that cost much stay out of loops that are written in order: all
 * threads can compute them, and vectors.  A read that is not proved, x[k[i]], brings its check along: what only moves
 * elements goes where they are read, so that of slices, transposes, arrays side by side and gathers elements are
 * gathered; what computes goes where fewer elements are read than there are.
 * Comprehensions that merely copy disappear, as do those that nobody reads any more. */
#include "analysis/clock.h"
#include "analysis/columns.h"
#include "analysis/cost.h"
#include "opt/tensor/fuse.h"

#include <string.h>

/* ---- cost */

static int64_t region_cost(const Region *r);

/* (i + c) % n of an index i below n, for a small constant c: later that is a choice, of which loops are mostly split */
static bool goes_around_once(const Op *o) {
    int64_t k, n;
    if (o->code != OP_MOD || type_is_tensor(o->res[0].type) || o->res[0].type->dtype != DT_I64) return false;
    Session *s = o->parent->func->module->session;
    const Value *i = index_without_constant(op_opnd(o, 0), &k);
    const Size *end = i->def ? NULL : index_size(i), *by = value_size(s, op_opnd(o, 1), false);
    return end && end == by && (!size_is_const(end, &n) || (k < n && k > -n));
}

static int64_t op_cost(const Op *o) {
    int64_t inner = 0, turns = 1, c;
    if (goes_around_once(o)) return COST_CHOICE;
    for (int i = 0; i < o->nregs; i++) inner += region_cost(o->regs[i]);
    if (o->code == OP_REDUCE)
        for (int i = 0; i < o->regs[0]->nargs; i++)
            turns *= value_const_int(op_opnd(o, i), &c) && c < COST_UNKNOWN_TURNS ? c : COST_UNKNOWN_TURNS;
    else if (op_info(o->code)->traits & TR_LOOP) turns = COST_UNKNOWN_TURNS;
    int64_t cost = op_info(o->code)->cost + inner * turns;
    return cost < COST_UNKNOWN_TURNS * COST_UNKNOWN_TURNS ? cost : COST_UNKNOWN_TURNS * COST_UNKNOWN_TURNS;
}

static int64_t region_cost(const Region *r) {
    int64_t cost = 0;
    for (const Op *o = r->first; o; o = o->next) cost += op_cost(o);
    return cost;
}

/* ---- how often an element is read */

/* iv times a nonzero constant, plus what is fixed outside the loop of iv */
static bool moves_with(const Value *idx, const Value *iv) {
    if (idx == iv) return true;
    const Op *d = idx->def;
    if (!d || (d->code != OP_ADD && d->code != OP_SUB && d->code != OP_MUL)) return false;
    const Value *x = op_opnd(d, 0), *y = op_opnd(d, 1);
    int64_t c;
    if (d->code == OP_MUL) {
        if (value_const_int(x, &c)) return c != 0 && moves_with(y, iv);
        return value_const_int(y, &c) && c != 0 && moves_with(x, iv);
    }
    bool fx = !region_encloses(iv->region, value_region(x)), fy = !region_encloses(iv->region, value_region(y));
    return (fy && moves_with(x, iv)) || (fx && moves_with(y, iv));
}

/* Each turn of the loop that iv counts reads other elements. */
static bool separates(const Op *extract, const Value *iv, bool *used) {
    for (int i = 1; i < extract->nopnds; i++)
        if (!used[i] && moves_with(op_opnd(extract, i), iv)) return used[i] = true;
    return false;
}

/* Axis i of what a comprehension or a reduction goes over has one element. */
static bool is_single(const Op *o, int i) {
    int64_t n = 0;
    if (o->code == OP_GENERATE) return size_is_const(o->res[0].type->dims[i], &n) && n == 1;
    return o->code == OP_REDUCE && value_const_int(op_opnd(o, i), &n) && n == 1;
}

/* No element is read twice by e, counted from the region where the producer stands. */
static bool reads_once(const Op *e, const Region *home) {
    bool used[MAX_RANK + 1] = {false};
    for (const Region *r = e->parent; r != home; r = r->owner->parent) {
        const Op *o = r->owner;
        if (o->code == OP_IF) continue;
        if (o->code == OP_WHILE || o->code == OP_SPAWN) return false;
        if (o->code != OP_FOR && o->code != OP_GENERATE && o->code != OP_REDUCE && o->code != OP_SCAN) return false;
        if (r != o->regs[0]) return false; /* a combining region */
        int ivs = o->code == OP_FOR ? 1 : r->nargs;
        for (int i = 0; i < ivs; i++)
            if (!is_single(o, i) && !separates(e, r->args[i], used)) return false;
    }
    return true;
}

/* ---- merging reads of the same element */

static bool same_read(const Op *a, const Op *b) {
    if (a->code != OP_EXTRACT || b->code != OP_EXTRACT || a->nopnds != b->nopnds) return false;
    if (op_flag(a, A_SAFE) != op_flag(b, A_SAFE)) return false;
    for (int i = 0; i < a->nopnds; i++)
        if (!value_same_int(op_opnd(a, i), op_opnd(b, i))) return false;
    return true;
}

/* Of the values that all reads of e's element have in common, the one with the fewest uses. */
static Value *least_used(const Op *e) {
    const Use *at[MAX_RANK + 1] = {op_opnd(e, 0)->uses};
    int64_t c;
    for (int i = 1; i < e->nopnds; i++)
        if (!value_const_int(op_opnd(e, i), &c)) at[i] = op_opnd(e, i)->uses;
    for (;;)
        for (int i = 0; i < e->nopnds; i++)
            if (at[i] && !(at[i] = at[i]->next)) return op_opnd(e, i);
}

/* Reads of e's element elsewhere, where e has been done before, take e's. */
static void merge_reads(Op *e) {
    for (Use *u = least_used(e)->uses, *next; u; u = next) {
        Op *other = u->user;
        for (next = u->next; next && next->user == other;) next = next->next;
        if (other == e || !same_read(e, other) || !op_dominates(e, other)) continue;
        value_replace_all(&other->res[0], &e->res[0]);
        op_erase(other);
    }
}

/* ---- inlining */

static int uses_of(const Op *g) {
    int n = 0;
    for (int i = 0; i < g->nres; i++)
        for (const Use *u = g->res[i].uses; u; u = u->next) n++;
    return n;
}

bool fuse_extern_between(const Op *g, const Op *e) {
    const Op *end = op_ancestor(e, g->parent);
    for (const Op *o = g; o != end; o = o->next)
        if (o->code == OP_EXTERN) return true;
    return clock_between(g, e);
}

/* x is changed there, in place if nobody needs it any more. */
static bool is_changed_by(const Use *u) {
    const Op *o = u->user;
    switch (o->code) {
    case OP_UPDATE: case OP_INSERT: return u->index == 0;
    case OP_FOR: case OP_WHILE: return true;
    case OP_ISLAND: return op_attr(o, A_MODES)->ints[u->index] != 0;
    default: return false;
    }
}

static bool is_needed_after(const Value *x, const Op *change) {
    for (const Use *u = x->uses; u; u = u->next) {
        const Op *at = op_ancestor(u->user, change->parent);
        if (!at || (at != change && op_dominates(change, at))) return true;
    }
    return false;
}

/* Of x what has fewer elements, as its type says */
static bool is_less(const Type *part, const Type *x) {
    int64_t n, some = 1, all = 1;
    int open = 0;
    for (int i = 0; i < part->rank; i++)
        if (size_is_const(part->dims[i], &n)) some *= n;
        else open++;
    for (int i = 0; i < x->rank; i++)
        if (size_is_const(x->dims[i], &n)) all *= n;
        else open--;
    return open < 0 || (open == 0 && some < all);
}

/* Between g and e the array x, of which g reads a part, is changed in place: read at e it would be copied before. */
static bool is_changed_between(const Op *g, const Op *end, const Value *x) {
    if (!type_is_tensor(x->type) || value_region(x) != g->parent || !is_less(g->res[0].type, x->type)) return false;
    for (const Use *u = x->uses; u; u = u->next) {
        const Op *o = u->user;
        if (o->parent != g->parent || o == end || !is_changed_by(u)) continue;
        if (op_dominates(g, o) && op_dominates(o, end) && !is_needed_after(x, o)) return true;
    }
    return false;
}

static bool reads_what_changes(const Region *r, const Op *g, const Op *end) {
    for (const Op *o = r->first; o; o = o->next) {
        if (o->code == OP_EXTRACT && is_changed_between(g, end, op_opnd(o, 0))) return true;
        for (int i = 0; i < o->nregs; i++)
            if (reads_what_changes(o->regs[i], g, end)) return true;
    }
    return false;
}

/* A for between the producer and e, which reads in each turn of it: a condition may spare much of the work. */
static bool is_in_order(const Op *e, const Region *home) {
    bool found = false;
    for (const Region *r = e->parent; r != home; r = r->owner->parent) {
        if (r->owner->code == OP_IF) return false;
        found |= r->owner->code == OP_FOR;
    }
    return found;
}

/* How many arrays are read for an element: of two branches one is taken. */
static int reads_in(const Region *r) {
    int n = 0;
    for (const Op *o = r->first; o; o = o->next) {
        int x = o->nregs ? reads_in(o->regs[0]) : 0, y = o->nregs > 1 ? reads_in(o->regs[1]) : 0;
        n += o->code == OP_EXTRACT;
        n += o->code == OP_IF && y < x ? x : o->code == OP_IF ? y : x + y;
    }
    return n;
}

/* No arithmetic but that of indices */
static bool only_moves(const Region *r) {
    for (const Op *o = r->first; o; o = o->next) {
        if (o->nregs && o->code != OP_IF) return false;
        bool computes = op_info(o->code)->traits & TR_ELEM && o->code != OP_SELECT;
        if (computes && dtype_is_float(o->res[0].type->dtype)) return false;
        for (int i = 0; i < o->nregs; i++)
            if (!only_moves(o->regs[i])) return false;
    }
    return true;
}

/* Each element of the comprehension around e reads one of g. */
static const Type *read_by(const Op *e, const Op *g) {
    const Op *around = e->parent->owner;
    return around && around->code == OP_GENERATE && around->parent == g->parent ? around->res[0].type : NULL;
}

/* Any element may be read, any number of times.  Two gathers are one where it is not known which has more elements. */
static bool pays_unproved(const Op *e, const Op *g, int64_t cost) {
    bool moves = only_moves(g->regs[0]) && cost <= COST_PASS;
    int reads = reads_in(g->regs[0]);
    if (reads <= 1 && (moves || cost <= COST_READ_BACK)) return true;
    const Type *read = uses_of(g) == 1 ? read_by(e, g) : NULL;
    return read && ((moves && reads <= 2) || is_less(read, g->res[0].type));
}

/* Long columns on a GPU are for more threads than there are columns. */
static bool may_inline(const Op *e, const PassOptions *opts) {
    const Op *g = op_opnd(e, 0)->def;
    if (!g || g->code != OP_GENERATE) return false;
    if (op_has_effect(g) || op_has_tensors(g)) return false;
    if (opts->device && long_columns(g)) return false;
    int64_t cost = region_cost(g->regs[0]);
    if (cost > COST_OF_A_LOOP && is_in_order(e, g->parent)) return false;
    if (reads_what_changes(g->regs[0], g, op_ancestor(e, g->parent))) return false;
    if (fuse_extern_between(g, e)) return false;
    if (!op_flag(e, A_SAFE)) return pays_unproved(e, g, cost);
    return cost <= COST_READ_BACK || (uses_of(g) == 1 && reads_once(e, g->parent));
}

/* ---- comprehensions that copy */

/* The tensor whose elements g yields at their own places, if its type is the same */
static Value *copied(const Op *g) {
    if (g->code != OP_GENERATE || g->nres != 1) return NULL;
    const Region *r = g->regs[0];
    const Op *e = op_opnd(region_term(r), 0)->def;
    if (!e || e->code != OP_EXTRACT || e->parent != r || r->first != e || e->next != region_term(r)) return NULL;
    if (op_opnd(e, 0)->type != g->res[0].type || !op_flag(e, A_SAFE)) return NULL;
    for (int i = 0; i < r->nargs; i++)
        if (op_opnd(e, i + 1) != r->args[i]) return NULL;
    return op_opnd(e, 0);
}

static void fuse_region(Region *r, const PassOptions *opts) {
    for (Op *o = r->first, *next; o; o = next) {
        next = o->next;
        if (o->code == OP_ISLAND) continue;
        if (o->code == OP_EXTRACT) {
            merge_reads(o);
            next = o->next;
            if (!may_inline(o, opts)) continue;
            Op *prev = o->prev;
            check_extract(o);
            extract_inline(o);
            next = prev ? prev->next : r->first;
            continue;
        }
        for (int i = 0; i < o->nregs; i++) fuse_region(o->regs[i], opts);
        Value *same = copied(o);
        if (same) {
            value_replace_all(&o->res[0], same);
            op_erase(o);
        }
    }
}

/* Comprehensions and reductions that are not read; a body's reads go with it, so backwards. */
static void drop_unread(Region *r) {
    for (Op *o = r->last, *prev; o; o = prev) {
        prev = o->prev;
        if (o->code == OP_ISLAND) continue;
        for (int i = 0; i < o->nregs; i++) drop_unread(o->regs[i]);
        bool read = o->nres == 0;
        for (int i = 0; i < o->nres; i++) read |= !value_unused(&o->res[i]);
        if (!read && op_is_removable(o)) op_erase(o);
    }
}

void pass_fuse(Module *m, const PassOptions *opts) {
    for (int i = 0; i < m->funcs.len; i++) {
        Func *f = m->funcs.data[i];
        if (f->kind == FUNC_EXTERN) continue;
        drop_unread(f->body);
        hoist_work(f->body);
        fuse_region(f->body, opts);
        hoist_work(f->body);
        drop_unread(f->body);
    }
}
