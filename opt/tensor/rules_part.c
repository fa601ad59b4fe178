/* A part of a matrix product, or of what is computed of one element by element, is the product of parts: rows of the
 * left operand, columns of the right one.  (XLA and Enzyme-JAX push slices up likewise: slice_dot_general,
 * slice_elementwise, slice_broadcast, slice_transpose.)  Where no product is reached nothing is done: comprehensions
 * compute no more than is read anyway. */
#include "ir/index.h"
#include "opt/tensor/rules.h"

/* Of each axis: start, start + step, .. so many */
typedef struct { int rank; Value *start[MAX_RANK]; int64_t step[MAX_RANK]; const Size *dims[MAX_RANK]; } Part;

typedef struct {
    Builder *b;
    Arena *arena;
    Map reaches; /* by values: 1 + whether a product is reached */
} Cone;

/* ---- parts */

static bool axis_whole(const Part *p, int i, const Size *all) {
    return value_is_const_int(p->start[i], 0) && p->step[i] == 1 && p->dims[i] == all;
}

static bool part_whole(const Part *p, const Type *t) {
    for (int i = 0; i < p->rank; i++)
        if (!axis_whole(p, i, t->dims[i])) return false;
    return true;
}

static Part part_all(Builder *b, const Type *t) {
    Part p = {.rank = t->rank};
    for (int i = 0; i < t->rank; i++) p.start[i] = build_int(b, 0), p.step[i] = 1, p.dims[i] = t->dims[i];
    return p;
}

static void part_take(Part *p, int i, const Part *from, int k) {
    p->start[i] = from->start[k], p->step[i] = from->step[k], p->dims[i] = from->dims[k];
}

static const Type *part_type(const Cone *c, const Part *p, DType t) {
    return type_tensor(c->b->module->session, t, p->rank, p->dims);
}

/* v[p], read from v itself */
static Value *cut(Cone *c, Value *v, const Part *p) {
    if (part_whole(p, v->type)) return v;
    return slice_safe(c->b, v, part_type(c, p, v->type->dtype), p->start, p->step);
}

/* ---- what a part is taken through */

static bool is_elementwise(const Op *op) { return op_info(op->code)->traits & TR_ELEM && !op_may_trap(op); }

static bool passes_parts(const Op *op) {
    switch (op->code) {
    case OP_BROADCAST: case OP_TRANSPOSE: return true;
    case OP_RETYPE: case OP_SLICE: return op_flag(op, A_SAFE);
    default: return is_elementwise(op);
    }
}

static bool is_product(const Op *op) {
    return op->code == OP_DOT || ((op->code == OP_SOLVE || op->code == OP_TRISOLVE) && op_opnd(op, 1)->type->rank == 2);
}

/* Whether v, which nothing but `user` uses, is a product, or made of one */
static bool reaches(Cone *c, const Value *v, const Op *user) {
    if (!type_is_tensor(v->type) || !only_for(v, user) || v->def->nres != 1) return false;
    if (is_product(v->def)) return true;
    uintptr_t known = passes_parts(v->def) ? (uintptr_t)map_get(&c->reaches, v) : 1;
    if (known) return known == 2;
    bool yes = false;
    for (int i = 0; i < v->def->nopnds; i++) yes |= reaches(c, op_opnd(v->def, i), v->def);
    map_put(c->arena, &c->reaches, v, (void *)(uintptr_t)(1 + yes));
    return yes;
}

static Value *part_of(Cone *c, Value *v, const Op *user, const Part *p);

static Value *part_of_elementwise(Cone *c, Op *op, const Part *p) {
    Value *opnds[4];
    const Type *t = part_type(c, p, op->res[0].type->dtype);
    for (int i = 0; i < op->nopnds; i++) {
        int same = 0;
        while (op_opnd(op, same) != op_opnd(op, i)) same++;
        opnds[i] = same < i ? opnds[same] : part_of(c, op_opnd(op, i), op, p);
    }
    Op *made = build_op(c->b, op->code, op->nopnds, opnds, 1, &t, 0);
    op_copy_attrs(made, op);
    return &made->res[0];
}

static Value *part_of_broadcast(Cone *c, Op *op, const Part *p) {
    Value *x = op_opnd(op, 0);
    const int64_t *axes = op_attr(op, A_AXES)->ints;
    Part inner = part_all(c->b, x->type);
    for (int i = 0; i < x->type->rank; i++)
        if (x->type->dims[i] == op->res[0].type->dims[axes[i]]) part_take(&inner, i, p, (int)axes[i]);
    Value *v = part_of(c, x, op, &inner);
    const Type *t = part_type(c, p, x->type->dtype);
    Op *made = build_op(c->b, OP_BROADCAST, 1, &v, 1, &t, 0);
    op_set_ints(made, A_AXES, x->type->rank, axes);
    return &made->res[0];
}

static Value *part_of_transpose(Cone *c, Op *op, const Part *p) {
    const int64_t *perm = op_attr(op, A_PERM)->ints;
    Part inner = {.rank = p->rank};
    for (int i = 0; i < p->rank; i++) part_take(&inner, (int)perm[i], p, i);
    return build_transpose(c->b, part_of(c, op_opnd(op, 0), op, &inner), perm);
}

static Value *part_of_slice(Cone *c, Op *op, const Part *p) {
    const int64_t *steps = op_attr(op, A_STEPS)->ints;
    Part inner = *p;
    for (int i = 0; i < p->rank; i++) {
        Value *offset = index_mul(c->b, p->start[i], build_int(c->b, steps[i]));
        inner.start[i] = index_add(c->b, op_opnd(op, i + 1), offset);
        inner.step[i] = p->step[i] * steps[i];
    }
    return part_of(c, op_opnd(op, 0), op, &inner);
}

/* Axes of the stack, then rows, then columns */
static Value *part_of_dot(Cone *c, Op *op, const Part *p) {
    Value *x = op_opnd(op, 0), *y = op_opnd(op, 1);
    const Attr *trans = op_attr(op, A_TRANS);
    Part px = part_all(c->b, x->type), py = part_all(c->b, y->type);
    int stack = x->type->rank > 2 ? x->type->rank - 2 : 0, at = stack;
    for (int i = 0; i < stack; i++) part_take(&px, i, p, i), part_take(&py, i, p, i);
    if (x->type->rank > 1) part_take(&px, stack + dot_turns(op, 0), p, at++);
    if (y->type->rank > 1) part_take(&py, stack + !dot_turns(op, 1), p, at++);
    Value *left = part_of(c, x, op, &px), *right = x == y && part_whole(&py, y->type) ? y : part_of(c, y, op, &py);
    return build_dot(c->b, left, right, trans ? trans->ints : NULL);
}

/* Columns of the solution are solutions for columns; of rows all are needed. */
static Value *part_of_solution(Cone *c, Op *op, const Part *p) {
    Part columns = part_all(c->b, op_opnd(op, 1)->type), rows = *p;
    part_take(&columns, 1, p, 1);
    rows.start[1] = build_int(c->b, 0), rows.step[1] = 1;
    Value *opnds[] = {op_opnd(op, 0), part_of(c, op_opnd(op, 1), op, &columns)};
    const Type *t = part_type(c, &columns, op->res[0].type->dtype);
    return cut(c, &build_op(c->b, op->code, 2, opnds, 1, &t, 0)->res[0], &rows);
}

static Value *part_of(Cone *c, Value *v, const Op *user, const Part *p) {
    if (part_whole(p, v->type)) return v;
    Op *op = v->def;
    const Type *t = part_type(c, p, v->type->dtype);
    if (op && op->code == OP_FILL) return build_fill(c->b, op_opnd(op, 0), t);
    if (op && op->code == OP_SLICE && op_flag(op, A_SAFE)) return part_of_slice(c, op, p);
    if (!reaches(c, v, user)) return cut(c, v, p);
    switch (op->code) {
    case OP_DOT: return part_of_dot(c, op, p);
    case OP_SOLVE: case OP_TRISOLVE: return part_of_solution(c, op, p);
    case OP_BROADCAST: return part_of_broadcast(c, op, p);
    case OP_TRANSPOSE: return part_of_transpose(c, op, p);
    case OP_RETYPE: return part_of(c, op_opnd(op, 0), op, p);
    default: return part_of_elementwise(c, op, p);
    }
}

/* ---- the rule */

static Part part_that_op_takes(Builder *b, const Op *op) {
    const Type *t = op_opnd(op, 0)->type;
    Part p = {.rank = t->rank};
    for (int i = 0; i < t->rank; i++) {
        p.start[i] = op_opnd(op, i + 1);
        p.step[i] = op->code == OP_SLICE ? op_attr(op, A_STEPS)->ints[i] : 1;
        p.dims[i] = op->code == OP_SLICE ? op->res[0].type->dims[i] : size_const(b->module->session, 1);
    }
    return p;
}

static void check_indices(Builder *b, const Op *extract) {
    const Type *t = op_opnd(extract, 0)->type;
    for (int i = 0; i < t->rank; i++) {
        Value *at = op_opnd(extract, i + 1), *extent = build_size(b, t->dims[i]);
        build_index_check(b, build_inside(b, at, extent), at, extent, i);
    }
}

Value *rule_part(Builder *b, Op *op) {
    Value *x = op_opnd(op, 0), *zeros[MAX_RANK];
    Cone c = {.b = b, .arena = b->module->arena};
    Part p = part_that_op_takes(b, op);
    if (part_whole(&p, x->type) || !reaches(&c, x, op)) return NULL;
    if (op->code == OP_SLICE) build_slice_check(b, op, x->type, op->res[0].type, p.start, p.step);
    else if (!op_flag(op, A_SAFE)) check_indices(b, op);
    Value *v = part_of(&c, x, op, &p);
    if (op->code == OP_SLICE) return v;
    for (int i = 0; i < p.rank; i++) zeros[i] = build_int(b, 0);
    v = extract_safe(b, v, p.rank, zeros);
    return v;
}
