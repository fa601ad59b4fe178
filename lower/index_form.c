/* index-form: every tensor operation becomes a comprehension over its index space.
 *
 * Needs stage par.  Leaves no elementwise operation on tensors, fill, broadcast, transpose or slice; dot stays
 * where a library does it better; reshape, retype, update, pad, concat and insert stay (they are views and writes).
 * Afterwards one rule, "put the producer's body where an element is read", fuses everything (fuse). */
#include "lower/lower.h"

typedef struct { Builder in; Value *iv[MAX_RANK]; Op *op; } Body;

static const char *const iv_names[MAX_RANK] = {"i", "j", "k", "l", "p", "q", "r", "s"};

/* Opens a generate of type t before op. */
static Body body_open(Op *op, const Type *t) {
    Builder b = builder_before(op);
    Session *s = b.module->session;
    Body g = {.op = build_op(&b, OP_GENERATE, 0, NULL, 1, &t, 1)};
    for (int i = 0; i < t->rank; i++)
        g.iv[i] = region_add_arg(g.op->regs[0], type_i64(b.module), intern(s, iv_names[i]));
    g.in = builder_at_end(b.module, g.op->regs[0], op->span);
    return g;
}

static void body_close(Body *g, Op *op, Value *v) {
    build_yield(&g->in, 1, &v);
    value_replace_all(&op->res[0], &g->op->res[0]);
    op_erase(op);
}

static Value *element(Builder *b, Value *x, Value *const *idx) {
    if (!type_is_tensor(x->type)) return x;
    Value *v = extract_safe(b, x, x->type->rank, idx);
    return v;
}

static void index_elementwise(Op *op) {
    Body g = body_open(op, op->res[0].type);
    Value *x[4];
    for (int i = 0; i < op->nopnds; i++) x[i] = element(&g.in, op_opnd(op, i), g.iv);
    const Type *t = type_elem(g.in.module->session, op->res[0].type);
    Op *scalar = build_op(&g.in, op->code, op->nopnds, x, 1, &t, 0);
    op_copy_attrs(scalar, op);
    body_close(&g, op, &scalar->res[0]);
}

static void index_fill(Op *op) {
    Body g = body_open(op, op->res[0].type);
    body_close(&g, op, op_opnd(op, 0));
}

static void index_broadcast(Op *op) {
    Value *x = op_opnd(op, 0), *idx[MAX_RANK];
    const int64_t *axes = op_attr(op, A_AXES)->ints;
    Body g = body_open(op, op->res[0].type);
    for (int i = 0; i < x->type->rank; i++) {
        int64_t c;
        bool one = size_is_const(x->type->dims[i], &c) && c == 1;
        idx[i] = one ? build_int(&g.in, 0) : g.iv[axes[i]];
    }
    body_close(&g, op, element(&g.in, x, idx));
}

static void index_transpose(Op *op) {
    Value *x = op_opnd(op, 0), *idx[MAX_RANK];
    const int64_t *perm = op_attr(op, A_PERM)->ints;
    Body g = body_open(op, op->res[0].type);
    for (int i = 0; i < x->type->rank; i++) idx[perm[i]] = g.iv[i];
    body_close(&g, op, element(&g.in, x, idx));
}

static void index_slice(Op *op) {
    Value *x = op_opnd(op, 0), *idx[MAX_RANK], *start[MAX_RANK];
    const int64_t *steps = op_attr(op, A_STEPS)->ints;
    for (int i = 0; i < x->type->rank; i++) start[i] = op_opnd(op, i + 1);
    Builder b = builder_before(op);
    build_slice_check(&b, op, x->type, op->res[0].type, start, steps);
    Body g = body_open(op, op->res[0].type);
    for (int i = 0; i < x->type->rank; i++)
        idx[i] = index_add(&g.in, start[i], index_mul(&g.in, g.iv[i], build_int(&g.in, steps[i])));
    body_close(&g, op, element(&g.in, x, idx));
}

/* x[i], which is read from x itself */
static bool is_row(const Op *op) {
    const Value *x = op_opnd(op, 0);
    return op_flag(op, A_SAFE) && x->def && x->def->code == OP_GENERATE && value_single_use(x);
}

/* It goes into a larger array. */
static bool is_updating(const Value *r) {
    if (!value_single_use(r)) return false;
    OpCode user = r->uses->user->code;
    return user == OP_CONCAT || (user == OP_UPDATE && r->uses->index == 1) || (user == OP_PAD && r->uses->index == 0);
}

/* All that use it take elements of it. */
static bool is_taken_apart(const Value *r) {
    for (const Use *u = r->uses; u; u = u->next) {
        const Op *o = u->user;
        bool apart = (op_info(o->code)->traits & TR_ELEM) || o->code == OP_EXTRACT || o->code == OP_SLICE ||
                     o->code == OP_BROADCAST || o->code == OP_TRANSPOSE || (o->code == OP_UPDATE && u->index == 1);
        if (!apart) return false;
    }
    return true;
}

/* Rows, and what goes into an update, under another number of axes of size 1, x[0, :] = y; elsewhere a reshape costs
 * nothing. */
static void index_reshape(Op *op) {
    Value *x = op_opnd(op, 0), *r = &op->res[0], *idx[MAX_RANK];
    int from[MAX_RANK], to[MAX_RANK], n = long_axes_alike(x->type, r->type, from, to);
    if (n < 0 || !(is_row(op) || is_updating(r) || is_taken_apart(r))) return;
    Body g = body_open(op, r->type);
    for (int i = 0; i < x->type->rank; i++) idx[i] = build_int(&g.in, 0);
    for (int i = 0; i < n; i++) idx[from[i]] = g.iv[to[i]];
    body_close(&g, op, element(&g.in, x, idx));
}

/* ---- dot */

static bool small(const Type *t) {
    int64_t c;
    for (int i = t->rank > 2 ? t->rank - 2 : 0; i < t->rank; i++)
        if (!size_is_const(t->dims[i], &c) || c > 8) return false;
    return true;
}

/* A library is worth its call for matrices of floats that are not tiny.  Products with a vector read each element once:
 * along rows loops are as fast, along columns of 1,000 to 4,000 elements twice as fast. */
static bool dot_stays(const Op *op) {
    const Value *x = op_opnd(op, 0), *y = op_opnd(op, 1);
    DType t = x->type->dtype;
    if ((t != DT_F32 && t != DT_F64) || (small(x->type) && small(y->type))) return false;
    return x->type->rank > 1 && y->type->rank > 1;
}

/* An element of a matrix that may be meant transposed, at `stack` of those before it; outer may be NULL for vectors */
static Value *matrix_element(Builder *b, Value *m, bool trans, Value *const *stack, Value *outer, Value *k,
                             bool k_last) {
    if (m->type->rank == 1) return element(b, m, &k);
    Value *idx[MAX_RANK];
    int leading = m->type->rank - 2;
    for (int i = 0; i < leading; i++) idx[i] = stack[i];
    idx[leading + (k_last != trans)] = k;
    idx[leading + (k_last == trans)] = outer;
    return element(b, m, idx);
}

/* sum(x[.., i, k] * y[.., k, j] for k), at b; iv: the indices of the result */
static Value *dot_element(Builder *b, const Op *op, Value *const *iv) {
    Value *x = op_opnd(op, 0), *y = op_opnd(op, 1);
    int leading = x->type->rank > 2 ? x->type->rank - 2 : 0,
        axis = x->type->rank == 1 ? 0 : leading + !dot_turns(op, 0);
    bool has_rows = x->type->rank > 1, has_columns = y->type->rank > 1;
    Value *row = has_rows ? iv[leading] : NULL, *column = has_columns ? iv[leading + has_rows] : NULL;
    Value *extent = build_size(b, x->type->dims[axis]);
    const Type *t = type_elem(b->module->session, x->type);
    if (value_is_const_int(extent, 0)) return build_zero(b, t);
    Op *sum = build_op(b, OP_REDUCE, 1, &extent, 1, &t, 1);
    op_set_combine(sum, COMBINE_ADD);
    Value *k = region_add_arg(sum->regs[0], type_i64(b->module), intern(b->module->session, "k"));
    Builder in = builder_at_end(b->module, sum->regs[0], op->span);
    Value *a = matrix_element(&in, x, dot_turns(op, 0), iv, row, k, true);
    Value *c = matrix_element(&in, y, dot_turns(op, 1), iv, column, k, false);
    Value *p = build_binary(&in, OP_MUL, a, c);
    build_yield(&in, 1, &p);
    return &sum->res[0];
}

static void index_dot(Op *op) {
    if (dot_stays(op)) return;
    if (!type_is_tensor(op->res[0].type)) {
        Builder b = builder_before(op);
        value_replace_all(&op->res[0], dot_element(&b, op, NULL));
        op_erase(op);
        return;
    }
    Body g = body_open(op, op->res[0].type);
    body_close(&g, op, dot_element(&g.in, op, g.iv));
}

static void index_op(void *ctx, Op *op) {
    (void)ctx;
    if (op->code == OP_DOT) index_dot(op);
    if (!op->parent || op->nres != 1 || !type_is_tensor(op->res[0].type)) return;
    switch (op->code) {
    case OP_FILL: index_fill(op); break;
    case OP_BROADCAST: index_broadcast(op); break;
    case OP_TRANSPOSE: index_transpose(op); break;
    case OP_SLICE: index_slice(op); break;
    case OP_RESHAPE: index_reshape(op); break;
    default:
        if (op_info(op->code)->traits & TR_ELEM) index_elementwise(op);
    }
}

void index_region(Region *r) { region_walk(r, index_op, NULL); }

void pass_index_form(Module *m, const PassOptions *opts) {
    (void)opts;
    for (int i = 0; i < m->funcs.len; i++) index_region(m->funcs.data[i]->body);
}
