/* assemble: arrays that are put together of parts become pad and concat, and what is done with them is done with parts.
 *
 * Needs stage par, before index-form.  `r = zeros(n + m); r[0:n] = x; r[n:n + m] = y` is concat(x, y), and nothing is
 * written twice.  What is computed element by element of concats is concat of what is computed of the parts; a slice of
 * one part is a slice of that (the families concat and pad of the rewrites of XLA and Enzyme-JAX).  All are the same
 * bits. */
#include "analysis/linear.h"
#include "ir/index.h"
#include "opt/tensor/rules.h"

enum { MOST_PARTS = 32 };

typedef struct {
    Op *update[MOST_PARTS]; /* in the order in which they are done */
    int n;
    Value *base;            /* what the first one changes */
} Chain;

/* ---- updates */

static bool goes_into_update(const Op *op) {
    const Use *u = op->res[0].uses;
    if (!value_single_use(&op->res[0]) || u->user->code != OP_UPDATE) return false;
    return u->index == 0 && u->user->parent == op->parent;
}

static bool read_chain(Op *last, Chain *c) {
    Op *op = last;
    int n = 1;
    for (Op *up; (up = op_opnd(op, 0)->def) && up->code == OP_UPDATE && goes_into_update(up); op = up) n++;
    *c = (Chain){.n = n, .base = op_opnd(op, 0)};
    if (n > MOST_PARTS) return false;
    for (op = last; n > 0; op = op_opnd(op, 0)->def) c->update[--n] = op;
    return true;
}

static bool is_zero(const Poly *p) {
    int64_t c;
    return p && poly_is_const(p, &c) && c == 0;
}

/* Along the axis the parts' extents add up to the whole's, along the others they are the whole's. */
static bool extents_fit(Session *s, const Chain *c, int axis) {
    const Type *whole = c->base->type;
    const Size *sum = size_const(s, 0);
    for (int k = 0; k < c->n; k++) {
        const Type *part = op_opnd(c->update[k], 1)->type;
        for (int i = 0; i < whole->rank; i++)
            if (i != axis && part->dims[i] != whole->dims[i]) return false;
        sum = size_add(s, sum, part->dims[axis]);
    }
    return sum == whole->dims[axis];
}

static bool starts_at(Linear *l, const Op *update, int axis, const Poly *at) {
    return op_attr(update, A_STEPS)->ints[axis] == 1 &&
           is_zero(linear_sub(l, linear_value(l, op_opnd(update, axis + 2)), at));
}

/* Each part begins along the axis where the one before ends, and at 0 along the others. */
static bool starts_fit(Linear *l, const Chain *c, int axis) {
    const Poly *zero = linear_const(l, 0), *at = zero;
    for (int k = 0; k < c->n; k++) {
        for (int i = 0; i < c->base->type->rank; i++)
            if (!starts_at(l, c->update[k], i, i == axis ? at : zero)) return false;
        at = linear_add(l, at, linear_size(l, op_opnd(c->update[k], 1)->type->dims[axis]));
    }
    return true;
}

static bool is_concat(const Chain *c, int axis) {
    const Op *last = c->update[c->n - 1];
    if (!extents_fit(last->parent->func->module->session, c, axis)) return false;
    Linear *l = linear_new(last->parent->func);
    linear_at(l, last);
    bool fit = starts_fit(l, c, axis);
    linear_free(l);
    return fit;
}

static Value *concat_of(Builder *b, const Chain *c) {
    Value *parts[MOST_PARTS];
    for (int k = 0; k < c->n; k++) parts[k] = op_opnd(c->update[k], 1);
    for (int axis = 0; axis < c->base->type->rank; axis++)
        if (is_concat(c, axis)) return build_concat(b, c->n, parts, axis);
    return NULL;
}

static Value *pad_of(Builder *b, const Op *update) {
    Op *fill = op_opnd(update, 0)->def;
    if (!fill || fill->code != OP_FILL) return NULL;
    Value *opnds[MAX_RANK + 2] = {op_opnd(update, 1), op_opnd(fill, 0)};
    for (int i = 2; i < update->nopnds; i++) opnds[i] = op_opnd(update, i);
    const Type *t = update->res[0].type;
    Op *op = build_op(b, OP_PAD, update->nopnds, opnds, 1, &t, 0);
    op_copy_attrs(op, update);
    return &op->res[0];
}

static Value *rule_update(Builder *b, Op *op) {
    Chain c;
    if (goes_into_update(op)) return NULL; /* the last one of the chain sees all */
    Value *whole = read_chain(op, &c) ? concat_of(b, &c) : NULL;
    if (whole || c.n > MOST_PARTS) return whole;
    Builder first = builder_before(c.update[0]);
    Value *padded = pad_of(&first, c.update[0]);
    if (padded && c.n == 1) return padded;
    if (padded) op_replace(c.update[0], padded->def);
    return NULL;
}

/* ---- what concats are read by */

static bool is_concat_for(const Value *v, const Op *user) { return only_for(v, user) && v->def->code == OP_CONCAT; }

static int64_t axis_of(const Op *concat) { return op_attr(concat, A_AXES)->ints[0]; }

static bool same_parts(const Op *x, const Op *y) {
    if (x->nopnds != y->nopnds || axis_of(x) != axis_of(y)) return false;
    for (int k = 0; k < x->nopnds; k++)
        if (op_opnd(x, k)->type->dims[axis_of(x)] != op_opnd(y, k)->type->dims[axis_of(x)]) return false;
    return true;
}

/* A concat that others of op are like, beside numbers that are everywhere the same; NULL: there is none */
static Op *concats_of(const Op *op) {
    Op *found = NULL;
    for (int i = 0; i < op->nopnds; i++) {
        const Value *v = op_opnd(op, i);
        if (v->def && v->def->code == OP_FILL) continue;
        if (!is_concat_for(v, op) || (found && !same_parts(found, v->def))) return NULL;
        found = v->def;
    }
    return found;
}

/* f(concat(a, b), concat(c, d)) = concat(f(a, c), f(b, d)) */
static Value *rule_elementwise(Builder *b, Op *op) {
    if (!(op_info(op->code)->traits & TR_ELEM) || !type_is_tensor(op->res[0].type)) return NULL;
    const Op *concat = concats_of(op);
    if (!concat) return NULL;
    int n = concat->nopnds;
    Value **parts = NEWN(b->module->arena, Value *, n), *opnds[4];
    for (int k = 0; k < n; k++) {
        const Type *like = op_opnd(concat, k)->type;
        for (int i = 0; i < op->nopnds; i++) {
            Value *v = op_opnd(op, i);
            const Type *t = type_tensor(b->module->session, v->type->dtype, like->rank, like->dims);
            opnds[i] = v->def->code == OP_CONCAT ? op_opnd(v->def, k) : build_fill(b, op_opnd(v->def, 0), t);
        }
        const Type *t = type_tensor(b->module->session, op->res[0].type->dtype, like->rank, like->dims);
        Op *part = build_op(b, op->code, op->nopnds, opnds, 1, &t, 0);
        op_copy_attrs(part, op);
        parts[k] = &part->res[0];
    }
    return build_concat(b, n, parts, (int)axis_of(concat));
}

/* concat(a, concat(b, c)) = concat(a, b, c) */
static Value *rule_nested(Builder *b, Op *op) {
    Value *parts[MOST_PARTS];
    int n = 0;
    bool nested = false;
    for (int k = 0; k < op->nopnds; k++) {
        Value *v = op_opnd(op, k);
        bool inner = is_concat_for(v, op) && value_single_use(v) && axis_of(v->def) == axis_of(op);
        if (n + (inner ? v->def->nopnds : 1) > MOST_PARTS) return NULL;
        for (int i = 0; inner && i < v->def->nopnds; i++) parts[n++] = op_opnd(v->def, i);
        if (!inner) parts[n++] = v;
        nested |= inner;
    }
    return nested ? build_concat(b, n, parts, (int)axis_of(op)) : NULL;
}

/* ---- slices */

/* Whether along the axis all that the slice reads lies in [lo, hi) */
static bool lies_in(Linear *l, Op *slice, int axis, const Poly *lo, const Poly *hi) {
    return linear_slice_inside(l, slice, op_opnd(slice, axis + 1), slice->res[0].type->dims[axis],
                               op_attr(slice, A_STEPS)->ints[axis], lo, hi);
}

static Value *moved_slice(Builder *b, const Op *slice, Value *x, Value *const *start) {
    const Attr *steps = op_attr(slice, A_STEPS);
    const Type *t = slice->res[0].type;
    bool whole = x->type == t;
    for (int i = 0; i < t->rank; i++) whole &= value_is_const_int(start[i], 0) && steps->ints[i] == 1;
    return whole ? x : slice_safe(b, x, t, start, steps->ints);
}

/* start - at, 0 where they are plainly the same */
static Value *start_from(Builder *b, Linear *l, Value *start, Value *at) {
    if (is_zero(linear_sub(l, linear_value(l, start), linear_value(l, at)))) return build_int(b, 0);
    return index_sub(b, start, at);
}

static Value *slice_of_concat(Builder *b, Linear *l, Op *slice, const Op *concat) {
    Session *s = b->module->session;
    int axis = (int)axis_of(concat);
    const Size *at = size_const(s, 0);
    for (int k = 0; k < concat->nopnds; k++) {
        Value *part = op_opnd(concat, k), *start[MAX_RANK];
        const Size *end = size_add(s, at, part->type->dims[axis]);
        if (lies_in(l, slice, axis, linear_size(l, at), linear_size(l, end))) {
            for (int i = 0; i < part->type->rank; i++) start[i] = op_opnd(slice, i + 1);
            start[axis] = start_from(b, l, start[axis], build_size(b, at));
            return moved_slice(b, slice, part, start);
        }
        at = end;
    }
    return NULL;
}

static Value *slice_of_pad(Builder *b, Linear *l, Op *slice, const Op *pad) {
    Value *x = op_opnd(pad, 0), *start[MAX_RANK];
    for (int i = 0; i < x->type->rank; i++) {
        const Poly *lo = linear_value(l, op_opnd(pad, i + 2)),
                   *hi = linear_add(l, lo, linear_size(l, x->type->dims[i]));
        if (op_attr(pad, A_STEPS)->ints[i] != 1 || !lies_in(l, slice, i, lo, hi)) return NULL;
    }
    for (int i = 0; i < x->type->rank; i++) start[i] = start_from(b, l, op_opnd(slice, i + 1), op_opnd(pad, i + 2));
    return moved_slice(b, slice, x, start);
}

static Value *rule_slice(Builder *b, Op *slice) {
    const Op *made = op_opnd(slice, 0)->def;
    bool of_concat = made && made->code == OP_CONCAT, of_pad = made && made->code == OP_PAD && op_flag(made, A_SAFE);
    if (!op_flag(slice, A_SAFE) || !(of_concat || of_pad)) return NULL;
    Linear *l = linear_new(slice->parent->func);
    linear_at(l, slice);
    Value *v = of_concat ? slice_of_concat(b, l, slice, made) : slice_of_pad(b, l, slice, made);
    linear_free(l);
    return v;
}

/* ---- the walk */

static Value *apply(Builder *b, Op *op) {
    switch (op->code) {
    case OP_UPDATE: return rule_update(b, op);
    case OP_CONCAT: return rule_nested(b, op);
    case OP_SLICE: return rule_slice(b, op);
    default: return op->nres == 1 ? rule_elementwise(b, op) : NULL;
    }
}

static void visit(Region *r) {
    for (Op *op = r->first, *next; op; op = next) {
        next = op->next;
        if (op->code == OP_ISLAND) continue;
        Builder b = builder_before(op);
        Value *v = apply(&b, op);
        if (v) {
            if (!v->name) v->name = op->res[0].name;
            value_replace_all(&op->res[0], v);
            op_erase(op);
            if (v->def && v->def->parent == r && v->def->code == OP_CONCAT) next = v->def; /* of concats? */
            continue;
        }
        for (int i = 0; i < op->nregs; i++) visit(op->regs[i]);
    }
}

void pass_assemble(Module *m, const PassOptions *opts) {
    (void)opts;
    for (int i = 0; i < m->funcs.len; i++)
        if (m->funcs.data[i]->body) visit(m->funcs.data[i]->body);
}
