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

/* What solves for rhs: the same factors or triangle, the matrix the other way round */
static Value *solved_turned(Builder *b, const Op *op, Value *const *matrix, Value *rhs) {
    Value *opnds[3];
    int n = op->nopnds - 1;
    for (int i = 0; i < n; i++) opnds[i] = matrix[i];
    opnds[n] = rhs;
    Op *turned = build_op(b, op->code, n + 1, opnds, 1, &rhs->type, 0);
    op_copy_attrs(turned, op);
    if (op_flag(op, A_TRANSPOSED)) op_remove_attr(turned, A_TRANSPOSED);
    else op_set_flag(turned, A_TRANSPOSED);
    return one_result(turned);
}

static Value *times_transpose(Builder *b, Value *x, Value *y, const Type *t) {
    return x->type->rank == 1 ? outer_product(b, x, y, t) : product(b, x, swapped(b, y), t);
}

/* a x = b: the adjoint of b solves with a transposed; that of a is -b' x^T, and of a transposed -x b'^T */
static Value *reverse_solution(Scope *s, Op *op, Value *g) {
    int n = op->nopnds - 1;
    Value *matrix[2], *x = primal_of(s, &op->res[0]), *rhs;
    for (int i = 0; i < n; i++) matrix[i] = primal_of(s, op_opnd(op, i));
    rhs = solved_turned(&s->b, op, matrix, g);
    add_adjoint(s, op_opnd(op, n), rhs);
    if (!is_active(s->ad, op_opnd(op, 0))) return NULL;
    const Type *t = op_opnd(op, 0)->type;
    Value *square = op_flag(op, A_TRANSPOSED) ? times_transpose(&s->b, x, rhs, t) : times_transpose(&s->b, rhs, x, t);
    return build_unary(&s->b, OP_NEG, square);
}

static void reverse_lu_solve(Scope *s, Op *op, Value *g) {
    Value *square = reverse_solution(s, op, g);
    if (square) add_adjoint(s, op_opnd(op, 0), square);
}

static void reverse_inv(Scope *s, Op *op, Value *g) {
    Value *x = swapped(&s->b, wide_primal(s, &op->res[0]));
    Value *both = product(&s->b, product(&s->b, x, g, g->type), x, g->type);
    add_adjoint(s, op_opnd(op, 0), build_unary(&s->b, OP_NEG, both));
}

static Value *lu_inverse(Builder *b, Value *f, Value *order, const char *asked) {
    Op *op = build_op(b, OP_LU_INV, 2, (Value *[]){f, order}, 1, &f->type, 0);
    if (asked) op_set_sym(op, A_MSG, asked);
    return one_result(op);
}

/* from: the matrix, and what its diagonal is multiplied with, or NULL: it is left out; kept: how row and column compare
 * where elements stay */
static Value *part_element(Builder *in, Value *const *idx, Value *const *from, OpCode kept) {
    Value *e = extract_safe(in, from[0], 2, idx), *zero = build_float(in, e->type->dtype, 0);
    Value *v = build_select(in, build_binary(in, kept, idx[0], idx[1]), e, zero);
    Value *on = from[1] ? build_binary(in, OP_MUL, e, from[1]) : zero;
    return build_select(in, build_binary(in, OP_EQ, idx[0], idx[1]), on, v);
}

static Value *lower_element(Builder *in, Value *const *idx, Value *const *from) {
    return part_element(in, idx, from, OP_GT);
}

static Value *upper_element(Builder *in, Value *const *idx, Value *const *from) {
    return part_element(in, idx, from, OP_LT);
}

/* The lower triangle of x, its diagonal times `diagonal` */
static Value *lower_triangle(Builder *b, Value *x, double diagonal) {
    Value *times = diagonal != 0 ? build_float(b, x->type->dtype, diagonal) : NULL;
    return elements(b, x->type, lower_element, (Value *[]){x, times});
}

static Value *upper_triangle(Builder *b, Value *x, double diagonal) {
    Value *times = diagonal != 0 ? build_float(b, x->type->dtype, diagonal) : NULL;
    return elements(b, x->type, upper_element, (Value *[]){x, times});
}

static Value *half_of_sum(Builder *b, Value *x) {
    Value *sum = build_binary(b, OP_ADD, x, swapped(b, x)),
          *half = build_fill(b, build_float(b, x->type->dtype, 0.5), x->type);
    return build_binary(b, OP_MUL, sum, half);
}

/* That part of x which a triangular solve reads */
static Value *part_read(Builder *b, const Op *op, Value *x) {
    double diagonal = op_flag(op, A_UNIT) ? 0 : 1;
    return op_flag(op, A_UPPER) ? upper_triangle(b, x, diagonal) : lower_triangle(b, x, diagonal);
}

static void reverse_trisolve(Scope *s, Op *op, Value *g) {
    Value *square = reverse_solution(s, op, g);
    if (square) add_adjoint(s, op_opnd(op, 0), part_read(&s->b, op, square));
}

enum { UPPER = 1, TRANSPOSED = 2, UNIT = 4 };

static Value *triangle_solves(Builder *b, Value *l, Value *rhs, int how) {
    Op *op = build_op(b, OP_TRISOLVE, 2, (Value *[]){l, rhs}, 1, &rhs->type, 0);
    if (how & UPPER) op_set_flag(op, A_UPPER);
    if (how & TRANSPOSED) op_set_flag(op, A_TRANSPOSED);
    if (how & UNIT) op_set_flag(op, A_UNIT);
    return one_result(op);
}

/* Murray, Differentiation of the Cholesky decomposition, 2016, equation 10: l^-T phi(l^T g) l^-1, made symmetric; phi
 * halves the diagonal of the lower triangle */
static void reverse_cholesky(Scope *s, Op *op, Value *g) {
    Builder *b = &s->b;
    Value *l = primal_of(s, &op->res[0]);
    Value *p = lower_triangle(b, product(b, swapped(b, l), lower_triangle(b, g, 1), g->type), 0.5);
    Value *half = triangle_solves(b, l, p, TRANSPOSED),
          *whole = triangle_solves(b, l, swapped(b, half), TRANSPOSED);
    add_adjoint(s, op_opnd(op, 0), half_of_sum(b, whole));
}

/* ---- the triangles of LU: with m = l^-1 a'[p] u^-1, l' = l (m below the diagonal), u' = (the rest of m) u */

static Value *row_element(Builder *in, Value *const *idx, Value *const *from) {
    return extract_safe(in, from[0], 2, (Value *[]){extract_safe(in, from[1], 1, &idx[0]), idx[1]});
}

/* Row p[i] of x is row i of the result. */
static Value *ordered_rows(Builder *b, Value *x, Value *p) {
    return elements(b, x->type, row_element, (Value *[]){x, p});
}

/* That of 0:n in which p stands in order, by its definition: the places that are less */
static Value *place_element(Builder *in, Value *const *idx, Value *const *from) {
    const Type *t = idx[0]->type;
    Op *sum = build_op(in, OP_REDUCE, 1, (Value *[]){build_size(in, from[0]->type->dims[0])}, 1, &t, 1);
    op_set_combine(sum, COMBINE_ADD);
    Value *k = region_add_arg(sum->regs[0], t, "k");
    Builder inner = builder_at_end(in->module, sum->regs[0], in->span);
    Value *here = build_binary(&inner, OP_EQ, extract_safe(&inner, from[0], 1, &k), idx[0]);
    Value *v = build_select(&inner, here, k, build_int(&inner, 0));
    build_yield(&inner, 1, &v);
    return one_result(sum);
}

static Value *inverse_order(Builder *b, Value *p) { return elements(b, p->type, place_element, &p); }

/* p^T l^-T (l^T l' below the diagonal + u' u^T, the rest) u^-T */
static void reverse_lu_parts(Scope *s, Op *op) {
    Builder *b = &s->b;
    Value *l = primal_of(s, &op->res[0]), *u = primal_of(s, &op->res[1]), *p = primal_of(s, op_opnd(op, 1)),
          *to_l = adjoint_of(s, &op->res[0]), *to_u = adjoint_of(s, &op->res[1]), *sum = NULL;
    const Type *t = l->type;
    if (to_l) sum = lower_triangle(b, product(b, swapped(b, l), to_l, t), 0);
    if (to_u) {
        Value *of_u = upper_triangle(b, product(b, to_u, swapped(b, u), t), 1);
        sum = sum ? build_binary(b, OP_ADD, sum, of_u) : of_u;
    }
    Value *half = triangle_solves(b, l, sum, TRANSPOSED | UNIT);
    Value *whole = swapped(b, triangle_solves(b, u, swapped(b, half), UPPER));
    add_adjoint(s, op_opnd(op, 0), ordered_rows(b, whole, inverse_order(b, p)));
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
    Op *lu = build_lu_factor(b, less);
    Value *v = one_result(build_op(b, OP_LU_DET, 3, (Value *[]){less, &lu->res[0], &lu->res[1]}, 1, &elem, 0));
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

/* of: the matrix and its factors */
static Value *cofactors(Builder *b, Value *const *of, Value *det) {
    const Type *t = of[0]->type;
    Op *op = build_if(b, build_binary(b, OP_NE, det, build_float(b, t->dtype, 0)), 1, &t);
    Builder in = builder_at_end(b->module, op->regs[0], b->span);
    Value *inverse = lu_inverse(&in, of[1], of[2], NULL);
    Value *v = build_binary(&in, OP_MUL, swapped(&in, inverse), build_fill(&in, det, t));
    build_yield(&in, 1, &v);
    in = builder_at_end(b->module, op->regs[1], b->span);
    v = cofactors_of_singular(&in, of[0]);
    build_yield(&in, 1, &v);
    return &op->res[0];
}

static void reverse_det(Scope *s, Op *op, Value *g) {
    Value *of[3], *det = primal_of(s, &op->res[0]);
    for (int i = 0; i < 3; i++) of[i] = primal_of(s, op_opnd(op, i));
    add_adjoint(s, op_opnd(op, 0),
                build_binary(&s->b, OP_MUL, build_fill(&s->b, g, of[0]->type), cofactors(&s->b, of, det)));
}

static void reverse_logdet(Scope *s, Op *op, Value *g) {
    Value *f = primal_of(s, op_opnd(op, 0)), *p = primal_of(s, op_opnd(op, 1));
    Value *by = swapped(&s->b, lu_inverse(&s->b, f, p, "the derivative of logdet"));
    add_adjoint(s, op_opnd(op, 0), build_binary(&s->b, OP_MUL, build_fill(&s->b, g, f->type), by));
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
    case OP_TRISOLVE: return reverse_trisolve(s, op, g), true;
    case OP_CHOLESKY: return reverse_cholesky(s, op, g), true;
    case OP_LU_FACTOR: case OP_CHOL_FACTOR: /* it stands for the matrix */
        return add_adjoint(s, op_opnd(op, 0), g), true;
    case OP_LU_SOLVE: return reverse_lu_solve(s, op, g), true;
    case OP_LU_INV: return reverse_inv(s, op, g), true;
    case OP_LU_DET: return reverse_det(s, op, g), true;
    case OP_LU_LOGDET: return reverse_logdet(s, op, g), true;
    case OP_LU_PARTS: return reverse_lu_parts(s, op), true;
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
static void forward_solution(Forward *fw, Builder *b, Op *op) {
    int n = op->nopnds - 1;
    Value *da = tangent_of(fw, op_opnd(op, 0)), *rhs = tangent_here(fw, b, op_opnd(op, n)), *x = &op->res[0];
    Value *opnds[3];
    for (int i = 0; i < n; i++) opnds[i] = op_opnd(op, i);
    if (da && op->code == OP_TRISOLVE) da = part_read(b, op, da);
    if (da && op_flag(op, A_TRANSPOSED)) da = swapped(b, da);
    opnds[n] = da ? build_binary(b, OP_SUB, rhs, product(b, da, x, x->type)) : rhs;
    set_tangent(fw, x, one_result(copy_with(b, op, opnds)));
}

static void forward_inv(Forward *fw, Builder *b, Op *op) {
    Value *x = &op->res[0], *half = product(b, x, tangent_of(fw, op_opnd(op, 0)), x->type);
    set_tangent(fw, x, build_unary(b, OP_NEG, product(b, half, x, x->type)));
}

/* Murray 2016, equation 8: l phi(l^-1 a' l^-T) */
static void forward_cholesky(Forward *fw, Builder *b, Op *op) {
    Value *l = &op->res[0], *da = half_of_sum(b, tangent_of(fw, op_opnd(op, 0)));
    Value *half = triangle_solves(b, l, da, 0), *whole = triangle_solves(b, l, swapped(b, half), 0);
    set_tangent(fw, l, product(b, l, lower_triangle(b, whole, 0.5), l->type));
}

static void forward_det(Forward *fw, Builder *b, Op *op) {
    Value *of[3] = {op_opnd(op, 0), op_opnd(op, 1), op_opnd(op, 2)};
    Value *terms = build_binary(b, OP_MUL, cofactors(b, of, &op->res[0]), tangent_of(fw, of[0]));
    set_tangent(fw, &op->res[0], sum_axes(b, terms, 0, NULL, NULL));
}

static void forward_logdet(Forward *fw, Builder *b, Op *op) {
    Value *by = swapped(b, lu_inverse(b, op_opnd(op, 0), op_opnd(op, 1), "the derivative of logdet"));
    Value *terms = build_binary(b, OP_MUL, by, tangent_of(fw, op_opnd(op, 0)));
    set_tangent(fw, &op->res[0], sum_axes(b, terms, 0, NULL, NULL));
}

static void forward_lu_parts(Forward *fw, Builder *b, Op *op) {
    Value *l = &op->res[0], *u = &op->res[1];
    Value *da = ordered_rows(b, tangent_of(fw, op_opnd(op, 0)), op_opnd(op, 1));
    Value *half = triangle_solves(b, l, da, UNIT);
    Value *m = swapped(b, triangle_solves(b, u, swapped(b, half), UPPER | TRANSPOSED));
    set_tangent(fw, l, product(b, l, lower_triangle(b, m, 0), l->type));
    set_tangent(fw, u, product(b, upper_triangle(b, m, 1), u, u->type));
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
    case OP_LU_SOLVE: case OP_TRISOLVE: return forward_solution(fw, b, op), true;
    case OP_CHOLESKY: return forward_cholesky(fw, b, op), true;
    case OP_LU_FACTOR: case OP_CHOL_FACTOR: return set_tangent(fw, &op->res[0], tangent_of(fw, op_opnd(op, 0))), true;
    case OP_LU_INV: return forward_inv(fw, b, op), true;
    case OP_LU_DET: return forward_det(fw, b, op), true;
    case OP_LU_LOGDET: return forward_logdet(fw, b, op), true;
    case OP_LU_PARTS: return forward_lu_parts(fw, b, op), true;
    case OP_EIGH: return forward_eigh(fw, b, op), true;
    default: return false;
    }
}
