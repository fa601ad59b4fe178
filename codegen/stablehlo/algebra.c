/* Matrices: products, triangular systems, factors. */
#include "codegen/stablehlo/private.h"

static const Ten *operand(Hlo *h, const Op *op, int i) { return ten_of(h, op_opnd(op, i)); }
static void result(Hlo *h, const Op *op, const Ten *t) { hlo_set(h, &op->res[0], t); }

/* Sizes of dims 0, 1, .. n-1 */
static const char *first_dims(Hlo *h, int n) {
    int64_t v[HLO_RANK];
    for (int i = 0; i < n; i++) v[i] = i;
    return hlo_ints(h, n, v);
}

/* The dim that is summed over: of a vector its only one; of matrices the last of x, the one before of y, or turned */
static int summed(const Op *op, const Ten *t, int which, bool turned) {
    (void)op;
    bool is_vector = t->rank == 1;
    if (is_vector) return t->naxes;
    return t->naxes + t->rank - ((which == 0) != turned ? 1 : 2);
}

static const Ten *dot_general(Hlo *h, const Op *op, const Ten *x, const Ten *y) {
    int axes[MOST_AXES], n = axes_union(x->naxes, x->axis, y->naxes, y->axis, axes);
    x = ten_widen(h, x, n, axes), y = ten_widen(h, y, n, axes);
    int batch = x->rank > 2 ? x->rank - 2 : 0, sx = summed(op, x, 0, dot_turns(op, 0)),
        sy = summed(op, y, 1, dot_turns(op, 1));
    Ten *r = ten_new(h, x->dtype, n, axes, 0, NULL, NULL);
    for (int i = 0; i < batch; i++) r->dim[r->rank++] = x->dim[i];
    for (int i = batch; i < x->rank; i++)
        if (n + i != sx) r->dim[r->rank++] = x->dim[i];
    for (int i = batch; i < y->rank; i++)
        if (n + i != sy) r->dim[r->rank++] = y->dim[i];
    const char *all = first_dims(h, n + batch), *exact = h->fast ? "DEFAULT" : "HIGHEST";
    r->ssa = hlo_op(h, "stablehlo.dot_general %s, %s, batching_dims = [%s] x [%s], contracting_dims = [%d] x [%d], "
                       "precision = [%s, %s] : (%s, %s) -> %s",
                    x->ssa, y->ssa, all, all, sx, sy, exact, exact, ten_type(h, x), ten_type(h, y), ten_type(h, r));
    return r;
}

void hlo_dot(Hlo *h, const Op *op, const char *word) {
    (void)word;
    result(h, op, dot_general(h, op, operand(h, op, 0), operand(h, op, 1)));
}

/* Rows and columns of the last two dims as scalars along two new axes */
static const Ten *lower_part(Hlo *h, const Ten *x) {
    int from = h->naxes, i = axis_open(h, x->dim[0]), k = axis_open(h, x->dim[1]);
    const Ten *in = ten_compare(h, "GE", ten_axis(h, i), ten_axis(h, k)), *e = ten_open(h, x, 2, (int[]){i, k});
    const Ten *r = ten_close(h, ten_select(h, in, e, ten_const(h, (Const){.dtype = x->dtype})), from);
    axes_shut(h, 2);
    return r;
}

void hlo_cholesky(Hlo *h, const Op *op, const char *word) {
    const Ten *a = ten_written(h, operand(h, op, 0));
    const char *l = hlo_op(h, "%s %s, lower = true : %s", word, a->ssa, ten_type(h, a));
    result(h, op, lower_part(h, ten_like(h, a->dtype, a, l)));
}

typedef struct { bool upper, transposed, unit; } Triangle;

static const Ten *triangular(Hlo *h, const Ten *l, const Ten *b, Triangle t) {
    int axes[MOST_AXES], n = axes_union(l->naxes, l->axis, b->naxes, b->axis, axes);
    bool is_vector = b->rank == 1;
    l = ten_widen(h, l, n, axes), b = ten_widen(h, b, n, axes);
    if (is_vector) b = ten_reshape(h, b, 2, (int64_t[]){b->dim[0], 1});
    const char *x = hlo_op(h, "\"stablehlo.triangular_solve\"(%s, %s) <{left_side = true, lower = %s, "
                              "unit_diagonal = %s, transpose_a = #stablehlo<transpose %s>}> : (%s, %s) -> %s",
                           l->ssa, b->ssa, t.upper ? "false" : "true", t.unit ? "true" : "false",
                           t.transposed ? "TRANSPOSE" : "NO_TRANSPOSE", ten_type(h, l), ten_type(h, b), ten_type(h, b));
    const Ten *r = ten_like(h, b->dtype, b, x);
    return is_vector ? ten_reshape(h, r, 1, b->dim) : r;
}

void hlo_trisolve(Hlo *h, const Op *op, const char *word) {
    (void)word;
    result(h, op, triangular(h, operand(h, op, 0), operand(h, op, 1),
                             (Triangle){op_flag(op, A_UPPER), op_flag(op, A_TRANSPOSED), op_flag(op, A_UNIT)}));
}

/* ---- LU with partial pivoting: both triangles in one matrix, and which row of a stands where */

static const Ten *entry(Hlo *h, const Ten *a, const Ten *i, const Ten *k) {
    return ten_read(h, a, (const Ten *[]){i, k});
}

static const Ten *float_of(Hlo *h, const Ten *like, double v) {
    return ten_const(h, (Const){.dtype = like->dtype, .f = v});
}

/* The row, from j on, with the greatest element of column j, and the least of those */
static const Ten *pivot(Hlo *h, const Ten *a, const Ten *j) {
    int i = axis_open(h, a->dim[0]);
    const Ten *at = ten_axis(h, i), *size = ten_unary(h, "stablehlo.abs", entry(h, a, at, j));
    const Ten *below = ten_compare(h, "GE", at, j);
    size = ten_select(h, below, size, float_of(h, a, -1));
    const Ten *most = ten_compare(h, "EQ", size, ten_reduce(h, COMBINE_MAX, size, 1, &i));
    const Ten *row =
        ten_reduce(h, COMBINE_MIN, ten_select(h, ten_and(h, most, below), at, ten_int(h, a->dim[0])), 1, &i);
    axes_shut(h, 1);
    /* with NaN no element is the greatest */
    return ten_select(h, ten_compare(h, "LT", row, ten_int(h, a->dim[0])), row, j);
}

/* x with elements (rows) j and p exchanged along the axis */
static const Ten *exchanged(Hlo *h, const Ten *x, const Ten *i, const Ten *j, const Ten *p, const Ten *at_j,
                            const Ten *at_p) {
    return ten_select(h, ten_compare(h, "EQ", i, j), at_p, ten_select(h, ten_compare(h, "EQ", i, p), at_j, x));
}

static const Ten *eliminated(Hlo *h, const Ten *a, const Ten *j, const Ten *p) {
    int from = h->naxes, axes[2] = {axis_open(h, a->dim[0]), axis_open(h, a->dim[0])};
    const Ten *i = ten_axis(h, axes[0]), *k = ten_axis(h, axes[1]), *at_p = entry(h, a, p, k),
              *at_j = entry(h, a, j, k);
    const Ten *x = exchanged(h, ten_open(h, a, 2, axes), i, j, p, at_j, at_p), *own = entry(h, a, p, j);
    const Ten *column = exchanged(h, entry(h, a, i, j), i, j, p, entry(h, a, j, j), own);
    const Ten *zero = float_of(h, a, 0), *below = ten_compare(h, "GT", i, j);
    const Ten *factor = ten_binary(h, "stablehlo.divide", column, own);
    factor = ten_select(h, ten_compare(h, "EQ", own, zero), zero, factor);
    const Ten *less = ten_binary(h, "stablehlo.subtract", x, ten_binary(h, "stablehlo.multiply", factor, at_p));
    const Ten *new =
        ten_select(h, ten_compare(h, "GT", k, j), less, ten_select(h, ten_compare(h, "EQ", k, j), factor, x));
    const Ten *r = ten_close(h, ten_widen(h, ten_select(h, below, new, x), 2, axes), from);
    axes_shut(h, 2);
    return r;
}

static const Ten *order_exchanged(Hlo *h, const Ten *order, const Ten *j, const Ten *p) {
    int from = h->naxes, axis = axis_open(h, order->dim[0]);
    const Ten *at_j = ten_read(h, order, &j), *at_p = ten_read(h, order, &p);
    const Ten *r = exchanged(h, ten_open(h, order, 1, &axis), ten_axis(h, axis), j, p, at_j, at_p);
    r = ten_close(h, ten_widen(h, r, 1, &axis), from);
    axes_shut(h, 1);
    return r;
}

static const Ten *lu_more(Hlo *h, Loop *l) {
    return ten_compare(h, "LT", l->slots.slot[0].in, ten_int(h, l->slots.slot[1].in->dim[0]));
}

static void lu_turn(Hlo *h, Loop *l) {
    Slot *s = l->slots.slot;
    const Ten *j = s[0].in, *p = pivot(h, s[1].in, j);
    s[0].next = ten_add(h, j, ten_int(h, 1));
    s[1].next = eliminated(h, s[1].in, j, p);
    s[2].next = order_exchanged(h, s[2].in, j, p);
}

void hlo_lu_factor(Hlo *h, const Op *op, const char *word) {
    const Ten *a = operand(h, op, 0), *out[3];
    int from = h->naxes, axis = axis_open(h, a->dim[0]);
    const Ten *order = ten_close(h, ten_written(h, ten_axis(h, axis)), from);
    (void)word;
    axes_shut(h, 1);
    Loop l = {.n = 3, .first = (const Ten *[]){ten_int(h, 0), a, order}, .counts = 1, .more = lu_more, .turn = lu_turn};
    loop_write(h, &l, out);
    for (int i = 0; i < 2; i++) hlo_set(h, &op->res[i], out[1 + i]);
}

/* What is made of the diagonal, all together; what: the function of each element, or NULL */
typedef const Ten *OfElement(Hlo *h, const Ten *d);

static const Ten *diagonal(Hlo *h, const Ten *lu, OfElement *what, Combine kind) {
    int i = axis_open(h, lu->dim[0]);
    const Ten *at = ten_axis(h, i), *d = entry(h, lu, at, at);
    const Ten *r = ten_reduce(h, kind, what ? what(h, d) : d, 1, &i);
    axes_shut(h, 1);
    return r;
}

static const Ten *is_zero(Hlo *h, const Ten *d) { return ten_compare(h, "EQ", d, float_of(h, d, 0)); }

static const Ten *log_of_size(Hlo *h, const Ten *d) {
    return ten_unary(h, "stablehlo.log", ten_unary(h, "stablehlo.abs", d));
}

static const Ten *sign_of(Hlo *h, const Ten *d) { return ten_unary(h, "stablehlo.sign", d); }

/* -1 where an odd number of pairs of rows stands the other way round */
static const Ten *sign_of_order(Hlo *h, const Ten *order, const Ten *like) {
    int axes[2] = {axis_open(h, order->dim[0]), axis_open(h, order->dim[0])};
    const Ten *i = ten_axis(h, axes[0]), *k = ten_axis(h, axes[1]);
    const Ten *turned = ten_and(h, ten_compare(h, "LT", i, k),
                                ten_compare(h, "GT", ten_read(h, order, &i), ten_read(h, order, &k)));
    const Ten *sign = ten_select(h, turned, float_of(h, like, -1), float_of(h, like, 1));
    sign = ten_reduce(h, COMBINE_MUL, sign, 2, axes);
    axes_shut(h, 2);
    return sign;
}

/* Of a determinant all or the sign; the factors are the last operands */
static const Ten *signed_product(Hlo *h, const Op *op, OfElement *what) {
    const Ten *lu = operand(h, op, op->nopnds - 2), *order = operand(h, op, op->nopnds - 1);
    return ten_binary(h, "stablehlo.multiply", diagonal(h, lu, what, COMBINE_MUL), sign_of_order(h, order, lu));
}

void hlo_lu_det(Hlo *h, const Op *op, const char *word) {
    (void)word;
    result(h, op, signed_product(h, op, NULL));
}

void hlo_lu_sign(Hlo *h, const Op *op, const char *word) {
    const Ten *sign = signed_product(h, op, sign_of), *zero = float_of(h, sign, 0);
    (void)word;
    result(h, op, ten_select(h, ten_compare(h, "EQ", sign, zero), zero, sign)); /* no -0 */
}

void hlo_lu_logdet(Hlo *h, const Op *op, const char *word) {
    (void)word;
    result(h, op, diagonal(h, operand(h, op, 0), log_of_size, COMBINE_ADD));
}

void hlo_lu_parts(Hlo *h, const Op *op, const char *word) {
    const Ten *lu = operand(h, op, 0);
    int from = h->naxes, axes[2] = {axis_open(h, lu->dim[0]), axis_open(h, lu->dim[0])};
    const Ten *i = ten_axis(h, axes[0]), *k = ten_axis(h, axes[1]), *e = ten_open(h, lu, 2, axes),
              *zero = float_of(h, lu, 0), *one = float_of(h, lu, 1);
    const Ten *l = ten_select(h, ten_compare(h, "GT", i, k), e, ten_select(h, ten_compare(h, "EQ", i, k), one, zero)),
              *u = ten_select(h, ten_compare(h, "LE", i, k), e, zero);
    l = ten_close(h, ten_widen(h, l, 2, axes), from), u = ten_close(h, ten_widen(h, u, 2, axes), from);
    (void)word;
    axes_shut(h, 2);
    hlo_set(h, &op->res[0], l), hlo_set(h, &op->res[1], u);
}

/* Rows of b, or elements, in the order of the factors */
static const Ten *ordered(Hlo *h, const Ten *b, const Ten *order) {
    int from = h->naxes, axes[2];
    const Ten *index[2];
    for (int i = 0; i < b->rank; i++) index[i] = ten_axis(h, axes[i] = axis_open(h, b->dim[i]));
    index[0] = ten_read(h, order, index);
    const Ten *r = ten_close(h, ten_widen(h, ten_read(h, b, index), b->rank, axes), from);
    axes_shut(h, b->rank);
    return r;
}

/* The order that undoes it */
static const Ten *undone(Hlo *h, const Ten *order) {
    int from = h->naxes, axes[2] = {axis_open(h, order->dim[0]), axis_open(h, order->dim[0])};
    const Ten *i = ten_axis(h, axes[0]), *k = ten_axis(h, axes[1]);
    const Ten *here = ten_compare(h, "EQ", ten_read(h, order, &k), i);
    const Ten *r = ten_reduce(h, COMBINE_MIN, ten_select(h, here, k, ten_int(h, order->dim[0])), 1, &axes[1]);
    axes_shut(h, 1);
    r = ten_close(h, ten_widen(h, r, 1, axes), from);
    axes_shut(h, 1);
    return r;
}

static const Ten *solved(Hlo *h, const Op *op, const Ten *b) {
    const Triangle l = {.unit = true}, u = {.upper = true};
    const Ten *lu = operand(h, op, 0), *order = operand(h, op, 1);
    hlo_check(h, op->span, "E0615", "the matrix is singular", ten_not(h, diagonal(h, lu, is_zero, COMBINE_OR)));
    if (!op_flag(op, A_TRANSPOSED)) return triangular(h, lu, triangular(h, lu, ordered(h, b, order), l), u);
    b = triangular(h, lu, b, (Triangle){.upper = true, .transposed = true});
    return ordered(h, triangular(h, lu, b, (Triangle){.unit = true, .transposed = true}), undone(h, order));
}

void hlo_lu_solve(Hlo *h, const Op *op, const char *word) {
    (void)word;
    result(h, op, solved(h, op, operand(h, op, 2)));
}

void hlo_lu_inv(Hlo *h, const Op *op, const char *word) {
    const Ten *a = operand(h, op, 0);
    int from = h->naxes, axes[2] = {axis_open(h, a->dim[0]), axis_open(h, a->dim[0])};
    const Ten *one = ten_compare(h, "EQ", ten_axis(h, axes[0]), ten_axis(h, axes[1]));
    const Ten *unit = ten_select(h, one, float_of(h, a, 1), float_of(h, a, 0));
    unit = ten_close(h, ten_widen(h, unit, 2, axes), from);
    (void)word;
    axes_shut(h, 2);
    result(h, op, solved(h, op, unit));
}
