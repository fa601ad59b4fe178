/* first-write: arrays of one constant, all elements of which an island writes, need not be filled before.
 *
 * Of an operand of an island that is filled (zeros, full) all accesses in it are stores, or updates: a load, what is
 * done with it and a store of that, of one element.  Each runs once for each element: in no other iteration of the
 * loops around it is it at the same element (analysis/depend.h), and no other access is, which has another constant
 * in some place.  As many stores run as there are elements; so each element is written, and once.  Then the constant
 * takes the place of what is loaded, and the operand is an empty array.
 *
 * needs: guards that are loop bounds (narrow-guards), updates that are not atomic (atomics). */
#include "analysis/depend.h"
#include "ir/index.h"
#include "opt/pass.h"

enum { MANY = 32 };

typedef struct { Op *load, *store; } Write; /* load: of an update, or NULL */

typedef struct {
    Session *session;
    Op *island;
    Value *buf;
    Write all[MANY];
    int n;
} Target;

/* ---- what is filled */

static const Const *constant_of(const Value *tensor) {
    const Op *op = tensor->def;
    if (op && op->code == OP_FILL) return value_const(op_opnd(op, 0));
    return op && op->code == OP_GENERATE ? value_const(op_opnd(region_term(op->regs[0]), tensor->index)) : NULL;
}

/* ---- the accesses */

/* The store of the update that load begins: nothing but arithmetic reads what is loaded, in the store's region */
static bool begins(const Op *load, const Op *store) {
    return load->parent == store->parent && op_dominates(load, store) && op_same_element(load, store);
}

static bool read_accesses(Target *t) {
    for (const Use *u = t->buf->uses; u; u = u->next) {
        if (u->user->code == OP_LOAD) continue;
        if (u->user->code != OP_STORE || u->index != 1 || t->n == MANY) return false;
        t->all[t->n++] = (Write){NULL, u->user};
    }
    for (const Use *u = t->buf->uses; u; u = u->next) {
        bool found = false;
        for (int i = 0; u->user->code == OP_LOAD && i < t->n && !found; i++)
            if (!t->all[i].load && begins(u->user, t->all[i].store)) t->all[i].load = u->user, found = true;
        if (u->user->code == OP_LOAD && !found) return false;
    }
    return t->n > 0;
}

/* Different constants in some place */
static bool are_apart(const Op *x, const Op *y) {
    int64_t a, b;
    for (int i = 2; i < x->nopnds; i++)
        if (value_const_int(op_opnd(x, i), &a) && value_const_int(op_opnd(y, i), &b) && a != b) return true;
    return false;
}

/* ---- how often */

/* Of an index that a branch on the way to op compares with a constant there is one. */
static bool is_fixed_by_branch(const Op *op, const Op *loop, const Value *iv) {
    int64_t c;
    for (const Region *r = op->parent; r->owner != loop; r = r->owner->parent) {
        const Op *cond = r->owner->code == OP_IF && r == r->owner->regs[0] ? op_opnd(r->owner, 0)->def : NULL;
        if (cond && cond->code == OP_EQ && op_opnd(cond, 0) == iv && value_const_int(op_opnd(cond, 1), &c)) return true;
    }
    return false;
}

/* A branch that is only that, and the only one that asks for its index */
static bool is_plain_branch(const Target *t, const Op *op, const Region *inner) {
    const Op *cond = op_opnd(op, 0)->def;
    const Value *iv = cond && cond->code == OP_EQ ? op_opnd(cond, 0) : NULL;
    int64_t c, n;
    if (!iv || iv->def || inner != op->regs[0] || !value_const_int(op_opnd(cond, 1), &c) || c < 0) return false;
    const Op *loop = iv->region->owner;
    return loop->code == OP_PARALLEL && op_inside(loop, t->island) && value_const_int(op_opnd(loop, iv->index), &n) &&
           c < n && !is_fixed_by_branch(op, loop, iv);
}

/* v as a size that is never below 0: plainly, or since it is an extent of the array; NULL: not so */
static const Size *natural(const Target *t, const Value *v) {
    const Size *n = value_size(t->session, v, false);
    for (int i = 0; n && i < t->buf->type->rank; i++)
        if (t->buf->type->dims[i] == n) return n;
    return n && size_is_natural(t->session, n) ? n : NULL;
}

static const Size *turns_of(const Target *t, const Op *loop) {
    int64_t lo, step;
    const Size *hi = natural(t, op_opnd(loop, 1));
    bool counts = value_const_int(op_opnd(loop, 0), &lo) && value_const_int(op_opnd(loop, 2), &step) && !lo &&
                  step == 1;
    return counts && !loop->nres ? hi : NULL;
}

/* How often the store runs; NULL: that cannot be told */
static const Size *count_runs(const Target *t, const Op *store) {
    const Size *n = size_const(t->session, 1), *k;
    for (const Region *r = store->parent; n && r->owner != t->island; r = r->owner->parent) {
        const Op *o = r->owner;
        if (o->code == OP_IF && is_plain_branch(t, o, r)) continue;
        if (o->code == OP_FOR) n = (k = turns_of(t, o)) ? size_mul(t->session, n, k) : NULL;
        else if (o->code != OP_PARALLEL) return NULL;
        for (int i = 0; n && o->code == OP_PARALLEL && i < o->nopnds; i++) {
            if (is_fixed_by_branch(store, o, o->regs[0]->args[i])) continue;
            n = (k = natural(t, op_opnd(o, i))) ? size_mul(t->session, n, k) : NULL;
        }
    }
    return n;
}

static bool writes_all(const Target *t) {
    const Size *n = size_const(t->session, 0);
    for (int i = 0; i < t->n; i++) {
        const Size *k = count_runs(t, t->all[i].store);
        if (!k) return false;
        n = size_add(t->session, n, k);
    }
    return n == type_elements(t->session, t->buf->type);
}

/* ---- each element once */

static bool is_once(Depend *d, const Target *t, Op *store) {
    for (const Region *r = store->parent; r->owner != t->island; r = r->owner->parent)
        if ((r->owner->code == OP_PARALLEL || r->owner->code == OP_FOR) &&
            depend_may_meet(d, r->owner, store, store) != ANSWER_NO)
            return false;
    return true;
}

static bool all_once(Depend *d, const Target *t) {
    for (int i = 0; i < t->n; i++)
        for (int k = 0; k < i; k++)
            if (!are_apart(t->all[i].store, t->all[k].store)) return false;
    for (int i = 0; i < t->n; i++)
        if (!is_once(d, t, t->all[i].store)) return false;
    return true;
}

/* ---- the walk */

static void make_empty(const Target *t, int k, Const c) {
    Builder b = builder_before(t->island);
    Value *old = op_opnd(t->island, k);
    for (int i = 0; i < t->n; i++) {
        Op *load = t->all[i].load;
        if (!load) continue;
        Builder here = builder_before(load);
        op_replace(load, build_const(&here, c)->def);
    }
    op_set_opnd(t->island, k, build_empty(&b, old->type, old->name));
    if (value_unused(old) && old->def->nres == 1) op_erase(old->def);
}

static void visit(void *ctx, Op *island) {
    Depend *d = ctx;
    if (island->code != OP_ISLAND) return;
    for (int k = 0; k < island->nopnds; k++) {
        const Const *c = op_attr(island, A_MODES)->ints[k] ? constant_of(op_opnd(island, k)) : NULL;
        Session *session = island->parent->func->module->session;
        Target t = {.session = session, .island = island, .buf = island->regs[0]->args[k]};
        if (c && read_accesses(&t) && writes_all(&t) && all_once(d, &t)) make_empty(&t, k, *c);
    }
}

void pass_first_write(Module *m, const PassOptions *opts) {
    (void)opts;
    for (int i = 0; i < m->funcs.len; i++) {
        if (!m->funcs.data[i]->body) continue;
        Depend *d = depend_new(m->funcs.data[i]);
        region_walk(m->funcs.data[i]->body, visit, d);
        depend_free(d);
    }
}
