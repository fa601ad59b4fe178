/* raise: sums of products over one index that are matrix products become them: [sum(a[i, k] * b[k, j] for k) for i, j]
 * is a @ b.
 *
 * Only with --fp=reassoc or fast, since a library adds up in another order.  Needs stage par, before index-form, and
 * leaves `dot`s of whole arrays, with the operand transposed that is read so, in stacks where both have further indices
 * in common: the sum is an element of that, wherever else it is part of (Reactant raises loops to such operations;
 * Tensor Comprehensions begin with them).
 *
 * The sum stands in a comprehension, or in a reduction, at function level; each operand is read at its indices and at
 * k, over all of its axes: [s.., i, k] or [s.., k, i] and [s.., k, j] or [s.., j, k].  What has no i or no j of its own
 * stays: it is as fast as loops. */
#include "opt/pass.h"

enum { MOST_SCALES = 4, SMALL = 8 };

typedef struct { const Op *read; int stack, outer, inner; } Factor; /* axes: how many of stacks; its own; the sum's */

typedef struct {
    Op *owner, *sum;  /* the operation whose indices the sum is for */
    Factor x, y;
    Value *scale[MOST_SCALES]; /* factors that are the same for all of the sum */
    int nscales, nfactors;
} Raise;

/* ---- what is read */

static bool is_own_index(const Raise *r, const Value *v) { return !v->def && v->region == r->owner->regs[0]; }
static bool is_sum_index(const Raise *r, const Value *v) { return !v->def && v->region == r->sum->regs[0]; }

/* The two last axes: one of them the sum's index, the other one of the owner's; those before are the owner's. */
static bool read_factor(const Raise *r, const Value *v, Factor *f) {
    const Op *op = v->def;
    if (!op || op->code != OP_EXTRACT || op->parent != r->sum->regs[0] || op->nopnds < 3) return false;
    int rank = op->nopnds - 1;
    bool inner_last = is_sum_index(r, op_opnd(op, rank));
    *f = (Factor){op, rank - 2, rank - 1 - inner_last, rank - 2 + inner_last};
    if (region_encloses(r->owner->regs[0], value_region(op_opnd(op, 0)))) return false;
    for (int i = 0; i < rank; i++) {
        const Value *index = op_opnd(op, i + 1);
        bool fits = i == f->inner ? is_sum_index(r, index) : is_own_index(r, index);
        if (!fits || index_size(index) != op_opnd(op, 0)->type->dims[i]) return false;
    }
    return true;
}

static Value *index_at(const Factor *f, int axis) { return op_opnd(f->read, axis + 1); }

/* The stacks' indices are the same of both, each once, and none of them is a factor's own. */
static bool factors_pair(const Raise *r) {
    const Value *i = index_at(&r->x, r->x.outer), *j = index_at(&r->y, r->y.outer);
    if (i == j || r->x.stack != r->y.stack) return false;
    for (int a = 0; a < r->x.stack; a++) {
        const Value *s = index_at(&r->x, a);
        if (s != index_at(&r->y, a) || s == i || s == j) return false;
        for (int b = 0; b < a; b++)
            if (index_at(&r->x, b) == s) return false;
    }
    return true;
}

/* A library is worth its call where both of the result's sizes may be large. */
static bool may_be_large(const Factor *f) {
    int64_t n;
    return !size_is_const(op_opnd(f->read, 0)->type->dims[f->outer], &n) || n > SMALL;
}

/* The two factors of a product of several that depend on the sum's index, and those that do not */
static bool read_product(Raise *r, Value *v) {
    const Op *op = v->def;
    if (!region_encloses(r->sum->regs[0], value_region(v)))
        return r->nscales < MOST_SCALES && (r->scale[r->nscales++] = v, true);
    if (op && op->code == OP_MUL) return read_product(r, op_opnd(op, 0)) && read_product(r, op_opnd(op, 1));
    return r->nfactors < 2 && read_factor(r, v, r->nfactors++ ? &r->y : &r->x);
}

/* The product's rows are those of the owner's index that comes first. */
static void order_factors(Raise *r) {
    if (index_at(&r->x, r->x.outer)->index < index_at(&r->y, r->y.outer)->index) return;
    Factor x = r->x;
    r->x = r->y, r->y = x;
}

static bool is_product(Raise *r) {
    const Op *sum = r->sum;
    DType t = sum->res[0].type->dtype;
    if (sum->nopnds != 1 || sum->nres != 1 || op_combine(sum) != COMBINE_ADD || (t != DT_F64 && t != DT_F32))
        return false;
    return read_product(r, op_opnd(region_term(sum->regs[0]), 0)) && r->nfactors == 2 && factors_pair(r) &&
           (may_be_large(&r->x) || may_be_large(&r->y));
}

/* ---- the product */

static Value *whole_product(const Raise *r) {
    Builder b = builder_before(r->owner);
    b.span = r->sum->span;
    const int64_t trans[] = {r->x.inner < r->x.outer, r->y.inner > r->y.outer};
    return build_dot(&b, op_opnd(r->x.read, 0), op_opnd(r->y.read, 0), trans);
}

static void put_element(const Raise *r, Value *product) {
    Value *at[MAX_RANK];
    for (int i = 0; i < r->x.stack; i++) at[i] = index_at(&r->x, i);
    at[r->x.stack] = index_at(&r->x, r->x.outer);
    at[r->x.stack + 1] = index_at(&r->y, r->y.outer);
    Builder b = builder_before(r->sum);
    Value *v = extract_safe(&b, product, r->x.stack + 2, at);
    for (int i = 0; i < r->nscales; i++) v = build_binary(&b, OP_MUL, v, r->scale[i]);
    value_replace_all(&r->sum->res[0], v);
    op_erase(r->sum);
}

/* Sums that are computed for each index of owner, unconditionally */
static void raise_in(Op *owner) {
    for (Op *o = owner->regs[0]->first, *next; o; o = next) {
        next = o->next;
        Raise r = {.owner = owner, .sum = o};
        if (o->code != OP_REDUCE || !is_product(&r)) continue;
        order_factors(&r);
        put_element(&r, whole_product(&r));
    }
}

static void visit(Region *region) {
    for (Op *o = region->first; o; o = o->next) {
        if (o->code == OP_GENERATE || o->code == OP_REDUCE) raise_in(o);
        else if (o->code != OP_ISLAND)
            for (int i = 0; i < o->nregs; i++) visit(o->regs[i]);
    }
}

void pass_raise(Module *m, const PassOptions *opts) {
    if (!may_reassociate(opts)) return;
    for (int i = 0; i < m->funcs.len; i++) visit(m->funcs.data[i]->body);
}
