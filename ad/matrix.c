/* Linear algebra: the rules of matrix operations, reverse and forward (Giles, Collected matrix derivative results,
 * 2008, section 2). Matrices that have to be symmetric vary as symmetric ones. */
#include "ad/ad.h"
#include "ad/forward.h"

static Value *one_result(Op *op) { return &op->res[0]; }

/* v at hand, in numbers like adjoints */
static Value *wide_primal(Scope *s, Value *v) {
    Builder b = builder_here(s);
    return as_adjoint(&b, primal_of(s, v));
}

/* The last two axes change places. */
static Value *swapped(Builder *b, Value *x) {
    int64_t perm[MAX_RANK];
    int rank = x->type->rank;
    for (int i = 0; i < rank; i++) perm[i] = i < rank - 2 ? i : 2 * rank - 3 - i;
    return build_transpose(b, x, perm);
}

static Value *product(Builder *b, Value *x, Value *y, const Type *t) {
    Value *opnds[] = {x, y};
    return one_result(build_op(b, OP_DOT, 2, opnds, 1, &t, 0));
}

/* The array of type t with these elements */
typedef Value *ElementFn(Builder *in, Value *const *idx, Value *const *from);

static Value *elements(Builder *b, const Type *t, ElementFn *element, Value *const *from) {
    Op *op = build_op(b, OP_GENERATE, 0, NULL, 1, &t, 1);
    for (int i = 0; i < t->rank; i++) region_add_arg(op->regs[0], type_scalar(b->module->session, DT_I64), "i");
    Builder in = builder_at_end(b->module, op->regs[0], b->span);
    Value *v = element(&in, op->regs[0]->args, from);
    build_yield(&in, 1, &v);
    return &op->res[0];
}

static Value *outer_element(Builder *in, Value *const *idx, Value *const *from) {
    return build_binary(in, OP_MUL, extract_safe(in, from[0], 1, &idx[0]), extract_safe(in, from[1], 1, &idx[1]));
}

/* x[i] * y[j] */
static Value *outer_product(Builder *b, Value *x, Value *y, const Type *t) {
    return elements(b, t, outer_element, (Value *[]){x, y});
}

/* ---- products */

static Value *plain_operand(Scope *s, const Op *op, int k) {
    Value *x = wide_primal(s, op_opnd(op, k));
    return dot_turns(op, k) && x->type->rank >= 2 ? swapped(&s->b, x) : x;
}

/* g is the adjoint of the operand as it takes part */
static void add_operand(Scope *s, const Op *op, int k, Value *g) {
    add_adjoint(s, op_opnd(op, k), dot_turns(op, k) && g->type->rank >= 2 ? swapped(&s->b, g) : g);
}

static void reverse_dot(Scope *s, Op *op, Value *g) {
    Value *x = plain_operand(s, op, 0), *y = plain_operand(s, op, 1);
    bool to_x = is_active(s->ad, op_opnd(op, 0)), to_y = is_active(s->ad, op_opnd(op, 1));
    Builder *b = &s->b;
    int ranks = x->type->rank * 10 + y->type->rank;
    if (to_x) add_operand(s, op, 0, ranks == 11 ? build_binary(b, OP_MUL, build_fill(b, g, y->type), y)
                                  : ranks == 21 ? outer_product(b, g, y, x->type)
                                  : ranks == 12 ? product(b, y, g, x->type) : product(b, g, swapped(b, y), x->type));
    if (to_y)
        add_operand(s, op, 1,
                    ranks == 11   ? build_binary(b, OP_MUL, build_fill(b, g, x->type), x)
                    : ranks == 21 ? product(b, swapped(b, x), g, y->type)
                    : ranks == 12 ? outer_product(b, x, g, y->type)
                                  : product(b, swapped(b, x), g, y->type));
}

/* a x = b: the adjoint of b solves with a transposed; that of a is -b' x^T */
static void reverse_solve(Scope *s, Op *op, Value *g) {
    Value *a = wide_primal(s, op_opnd(op, 0)), *x = wide_primal(s, &op->res[0]);
    Value *opnds[] = {swapped(&s->b, a), g}, *rhs = one_result(build_op(&s->b, OP_SOLVE, 2, opnds, 1, &g->type, 0));
    add_adjoint(s, op_opnd(op, 1), rhs);
    if (!is_active(s->ad, op_opnd(op, 0))) return;
    Value *square = x->type->rank == 1 ? outer_product(&s->b, rhs, x, a->type)
                                       : product(&s->b, rhs, swapped(&s->b, x), a->type);
    add_adjoint(s, op_opnd(op, 0), build_unary(&s->b, OP_NEG, square));
}

static void reverse_inv(Scope *s, Op *op, Value *g) {
    Value *x = swapped(&s->b, wide_primal(s, &op->res[0]));
    Value *both = product(&s->b, product(&s->b, x, g, g->type), x, g->type);
    add_adjoint(s, op_opnd(op, 0), build_unary(&s->b, OP_NEG, both));
}

static Value *solve_with(Builder *b, Value *a, Value *rhs) {
    Value *opnds[] = {a, rhs};
    return one_result(build_op(b, OP_SOLVE, 2, opnds, 1, &rhs->type, 0));
}

static Value *triangle_element(Builder *in, Value *const *idx, Value *const *from) {
    Value *e = extract_safe(in, from[0], 2, idx), *zero = build_float(in, e->type->dtype, 0);
    Value *v = build_select(in, build_binary(in, OP_GT, idx[0], idx[1]), e, zero);
    return build_select(in, build_binary(in, OP_EQ, idx[0], idx[1]), build_binary(in, OP_MUL, e, from[1]), v);
}

/* The lower triangle of x, its diagonal times `diagonal` */
static Value *lower_triangle(Builder *b, Value *x, double diagonal) {
    return elements(b, x->type, triangle_element, (Value *[]){x, build_float(b, x->type->dtype, diagonal)});
}

static Value *half_of_sum(Builder *b, Value *x) {
    Value *sum = build_binary(b, OP_ADD, x, swapped(b, x)),
          *half = build_fill(b, build_float(b, x->type->dtype, 0.5), x->type);
    return build_binary(b, OP_MUL, sum, half);
}

/* l x = b, l lower triangular */
static void reverse_trisolve(Scope *s, Op *op, Value *g) {
    Builder *b = &s->b;
    Value *l = lower_triangle(b, wide_primal(s, op_opnd(op, 0)), 1), *x = wide_primal(s, &op->res[0]);
    Value *rhs = solve_with(b, swapped(b, l), g);
    add_adjoint(s, op_opnd(op, 1), rhs);
    if (!is_active(s->ad, op_opnd(op, 0))) return;
    Value *square = x->type->rank == 1 ? outer_product(b, rhs, x, l->type) : product(b, rhs, swapped(b, x), l->type);
    add_adjoint(s, op_opnd(op, 0), build_unary(b, OP_NEG, lower_triangle(b, square, 1)));
}

/* Murray, Differentiation of the Cholesky decomposition, 2016, equation 10: l^-T phi(l^T g) l^-1, made symmetric; phi
 * halves the diagonal of the lower triangle */
static void reverse_cholesky(Scope *s, Op *op, Value *g) {
    Builder *b = &s->b;
    Value *l = wide_primal(s, &op->res[0]), *lt = swapped(b, l);
    Value *p = lower_triangle(b, product(b, lt, lower_triangle(b, g, 1), g->type), 0.5);
    Value *half = solve_with(b, lt, p), *whole = solve_with(b, lt, swapped(b, half));
    add_adjoint(s, op_opnd(op, 0), half_of_sum(b, whole));
}

/* ---- determinants: the matrix of cofactors, which holds the derivative by each element */

/* Element of the matrix without row from[1] and column from[2] */
static Value *minor_element(Builder *in, Value *const *idx, Value *const *from) {
    Value *at[2], *one = build_int(in, 1);
    for (int k = 0; k < 2; k++) {
        Value *past = build_binary(in, OP_GE, idx[k], from[1 + k]);
        at[k] = build_binary(in, OP_ADD, idx[k], build_select(in, past, one, build_int(in, 0)));
    }
    return extract_safe(in, from[0], 2, at);
}

/* m with the cofactor of row i, column j at its place */
static Value *with_cofactor(Builder *b, Value *m, Value *x, Value *i, Value *j) {
    Session *ss = b->module->session;
    const Size *n = size_sub(ss, x->type->dims[0], size_const(ss, 1)), *dims[] = {n, n};
    const Type *t = type_tensor(ss, x->type->dtype, 2, dims), *elem = type_elem(ss, t);
    Value *less = elements(b, t, minor_element, (Value *[]){x, i, j});
    Value *v = one_result(build_op(b, OP_DET, 1, &less, 1, &elem, 0));
    Value *odd = build_binary(b, OP_AND, build_binary(b, OP_ADD, i, j), build_int(b, 1));
    v = build_select(b, build_binary(b, OP_EQ, odd, build_int(b, 0)), v, build_unary(b, OP_NEG, v));
    Value *opnds[] = {m, v, i, j};
    Op *put = build_op(b, OP_INSERT, 4, opnds, 1, &m->type, 0);
    op_set_flag(put, A_SAFE);
    return &put->res[0];
}

/* One by one, where the matrix is singular */
static Value *cofactors_of_singular(Builder *b, Value *x) {
    Value *zero = build_int(b, 0), *one = build_int(b, 1), *n = build_size(b, x->type->dims[0]),
          *m = build_zero(b, x->type);
    Op *rows = build_for(b, zero, n, one, 1, &m);
    Builder in = builder_at_end(b->module, rows->regs[0], b->span);
    Op *columns = build_for(&in, zero, n, one, 1, &rows->regs[0]->args[1]);
    Builder inner = builder_at_end(b->module, columns->regs[0], b->span);
    m = with_cofactor(&inner, columns->regs[0]->args[1], x, rows->regs[0]->args[0], columns->regs[0]->args[0]);
    build_yield(&inner, 1, &m);
    m = &columns->res[0];
    build_yield(&in, 1, &m);
    return &rows->res[0];
}

static Value *cofactors(Builder *b, Value *x, Value *det) {
    const Type *t = x->type;
    Op *op = build_if(b, build_binary(b, OP_NE, det, build_float(b, t->dtype, 0)), 1, &t);
    Builder in = builder_at_end(b->module, op->regs[0], b->span);
    Value *inverse = one_result(build_op(&in, OP_INV, 1, &x, 1, &t, 0));
    Value *v = build_binary(&in, OP_MUL, swapped(&in, inverse), build_fill(&in, det, t));
    build_yield(&in, 1, &v);
    in = builder_at_end(b->module, op->regs[1], b->span);
    v = cofactors_of_singular(&in, x);
    build_yield(&in, 1, &v);
    return &op->res[0];
}

static void reverse_det(Scope *s, Op *op, Value *g) {
    Value *x = wide_primal(s, op_opnd(op, 0)), *det = wide_primal(s, &op->res[0]);
    add_adjoint(s, op_opnd(op, 0),
                build_binary(&s->b, OP_MUL, build_fill(&s->b, g, x->type), cofactors(&s->b, x, det)));
}

/* ---- eigenvalues and eigenvectors: f[i, j] = 1 / (w[j] - w[i]), 0 where these are equal */

static Value *gap_element(Builder *in, Value *const *idx, Value *const *from) {
    Value *gap = build_binary(in, OP_SUB, extract_safe(in, from[0], 1, &idx[1]), extract_safe(in, from[0], 1, &idx[0]));
    Value *zero = build_float(in, gap->type->dtype, 0), *one = build_float(in, gap->type->dtype, 1);
    return build_select(in, build_binary(in, OP_EQ, gap, zero), zero, build_binary(in, OP_DIV, one, gap));
}

static Value *diagonal_element(Builder *in, Value *const *idx, Value *const *from) {
    Value *zero = build_float(in, from[0]->type->dtype, 0);
    return build_select(in, build_binary(in, OP_EQ, idx[0], idx[1]), extract_safe(in, from[0], 1, idx), zero);
}

static Value *from_diagonal(Builder *in, Value *const *idx, Value *const *from) {
    return extract_safe(in, from[0], 2, (Value *[]){idx[0], idx[0]});
}

static void reverse_eigh(Scope *s, Op *op) {
    Builder *b = &s->b;
    Value *w = wide_primal(s, &op->res[0]), *v = wide_primal(s, &op->res[1]), *to_w = adjoint_of(s, &op->res[0]),
          *to_v = adjoint_of(s, &op->res[1]);
    const Type *t = v->type;
    Value *sum = to_w ? elements(b, t, diagonal_element, &to_w) : NULL;
    if (to_v) {
        Value *turned = build_binary(b, OP_MUL, elements(b, t, gap_element, &w), product(b, swapped(b, v), to_v, t));
        sum = sum ? build_binary(b, OP_ADD, sum, turned) : turned;
    }
    add_adjoint(s, op_opnd(op, 0), half_of_sum(b, product(b, product(b, v, sum, t), swapped(b, v), t)));
}

bool reverse_matrix(Scope *s, Op *op) {
    Value *g = adjoint_of(s, &op->res[0]);
    switch (op->code) {
    case OP_DOT: return reverse_dot(s, op, g), true;
    case OP_SOLVE: return reverse_solve(s, op, g), true;
    case OP_TRISOLVE: return reverse_trisolve(s, op, g), true;
    case OP_CHOLESKY: return reverse_cholesky(s, op, g), true;
    case OP_INV: return reverse_inv(s, op, g), true;
    case OP_DET: return reverse_det(s, op, g), true;
    case OP_EIGH: return reverse_eigh(s, op), true;
    default: return false;
    }
}

/* ---- forward */

static void forward_dot(Forward *fw, Builder *b, Op *op) {
    Value *sum = NULL;
    for (int k = 0; k < 2; k++) {
        Value *opnds[] = {op_opnd(op, 0), op_opnd(op, 1)}, *t = tangent_of(fw, opnds[k]);
        if (!t) continue;
        opnds[k] = t;
        Value *v = one_result(copy_with(b, op, opnds));
        sum = sum ? build_binary(b, OP_ADD, sum, v) : v;
    }
    set_tangent(fw, &op->res[0], sum);
}

/* a x = b: a solves for x' with b' - a' x */
static void forward_solve(Forward *fw, Builder *b, Op *op) {
    Value *da = tangent_of(fw, op_opnd(op, 0)), *rhs = tangent_here(fw, b, op_opnd(op, 1)), *x = &op->res[0];
    if (da && op->code == OP_TRISOLVE) da = lower_triangle(b, da, 1);
    if (da) rhs = build_binary(b, OP_SUB, rhs, product(b, da, x, x->type));
    set_tangent(fw, x, one_result(copy_with(b, op, (Value *[]){op_opnd(op, 0), rhs})));
}

static void forward_inv(Forward *fw, Builder *b, Op *op) {
    Value *x = &op->res[0], *half = product(b, x, tangent_of(fw, op_opnd(op, 0)), x->type);
    set_tangent(fw, x, build_unary(b, OP_NEG, product(b, half, x, x->type)));
}

/* Murray 2016, equation 8: l phi(l^-1 a' l^-T) */
static void forward_cholesky(Forward *fw, Builder *b, Op *op) {
    Value *l = &op->res[0], *da = half_of_sum(b, tangent_of(fw, op_opnd(op, 0)));
    Value *half = solve_with(b, l, da), *whole = solve_with(b, l, swapped(b, half));
    set_tangent(fw, l, product(b, l, lower_triangle(b, whole, 0.5), l->type));
}

static void forward_det(Forward *fw, Builder *b, Op *op) {
    Value *x = op_opnd(op, 0), *terms = build_binary(b, OP_MUL, cofactors(b, x, &op->res[0]), tangent_of(fw, x));
    set_tangent(fw, &op->res[0], sum_axes(b, terms, 0, NULL, NULL));
}

static void forward_eigh(Forward *fw, Builder *b, Op *op) {
    Value *w = &op->res[0], *v = &op->res[1], *da = half_of_sum(b, tangent_of(fw, op_opnd(op, 0)));
    Value *m = product(b, product(b, swapped(b, v), da, v->type), v, v->type);
    set_tangent(fw, w, elements(b, w->type, from_diagonal, &m));
    set_tangent(fw, v, product(b, v, build_binary(b, OP_MUL, elements(b, v->type, gap_element, &w), m), v->type));
}

bool forward_matrix(Forward *fw, Builder *b, Op *op) {
    switch (op->code) {
    case OP_DOT: return forward_dot(fw, b, op), true;
    case OP_SOLVE: case OP_TRISOLVE: return forward_solve(fw, b, op), true;
    case OP_CHOLESKY: return forward_cholesky(fw, b, op), true;
    case OP_INV: return forward_inv(fw, b, op), true;
    case OP_DET: return forward_det(fw, b, op), true;
    case OP_EIGH: return forward_eigh(fw, b, op), true;
    default: return false;
    }
}
