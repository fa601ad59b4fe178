/* Small systems of equations inside islands: elimination with partial pivoting on private arrays (Golub and Van Loan,
 * Matrix Computations, section 3.4).
 *
 * The larger row comes up by choices, `a[k, j] = if larger { a[i, j] } else { a[k, j] }`, not by an index that is found
 * while the program runs: so all indices are constants once the loops are written out (opt/par/own_loops.c). */
#include "lower/ast/private.h"
#include "lower/ast/builtins.h"

/* a @ x = b, in place; b: a vector, or a matrix, of which each column is one; NULL: only the elimination.
 * sign: an array of one element, of the permutation; NULL: nobody asks */
typedef struct { Value *a, *b, *sign, *n, *columns; const char *what; } System;

typedef struct { Op *op; Mark mark; Value *i; } Loop;

static Loop loop_open(Fn *f, Value *lo, Value *hi) {
    Op *op = build_for(&f->b, lo, hi, build_int(&f->b, 1), 0, NULL);
    return (Loop){op, region_enter(f, op->regs[0]), op->regs[0]->args[0]};
}

static void loop_close(Fn *f, const Loop *l) {
    build_yield(&f->b, 0, NULL);
    region_leave(f, l->mark);
}

static Value *add(Fn *f, Value *x, int64_t k) { return build_binary(&f->b, OP_ADD, x, build_int(&f->b, k)); }

static Value *get(Fn *f, Value *m, Value *i, Value *j) {
    Value *at[] = {i, j};
    return build_load(&f->b, m, m->type->rank, at);
}

static void put(Fn *f, Value *v, Value *m, Value *i, Value *j) {
    Value *at[] = {i, j};
    build_store(&f->b, v, m, m->type->rank, at);
}

/* Rows k and i of m change places if `swap` holds. */
static void choose_rows(Fn *f, Value *m, Value *columns, Value *swap, Value *k, Value *i) {
    Loop l = loop_open(f, build_int(&f->b, 0), columns);
    Value *x = get(f, m, k, l.i), *y = get(f, m, i, l.i);
    put(f, build_select(&f->b, swap, y, x), m, k, l.i);
    put(f, build_select(&f->b, swap, x, y), m, i, l.i);
    loop_close(f, &l);
}

/* Of the rows from the k-th on the one with the largest element in column k comes first. */
static void bring_pivot(Fn *f, const System *s, Value *k) {
    Loop l = loop_open(f, add(f, k, 1), s->n);
    Value *here = build_unary(&f->b, OP_ABS, get(f, s->a, k, k));
    Value *swap = build_binary(&f->b, OP_GT, build_unary(&f->b, OP_ABS, get(f, s->a, l.i, k)), here);
    choose_rows(f, s->a, s->n, swap, k, l.i);
    if (s->b) choose_rows(f, s->b, s->columns, swap, k, l.i);
    if (s->sign) {
        Value *zero = build_int(&f->b, 0), *sign = get(f, s->sign, zero, zero);
        put(f, build_select(&f->b, swap, build_unary(&f->b, OP_NEG, sign), sign), s->sign, zero, zero);
    }
    loop_close(f, &l);
}

/* m[i, j] -= by * m[k, j] from the first column on */
static void subtract_row(Fn *f, Value *m, Value *first, Value *columns, Value *by, Value *k, Value *i) {
    Loop l = loop_open(f, first, columns);
    Value *product = build_binary(&f->b, OP_MUL, by, get(f, m, k, l.i));
    put(f, build_binary(&f->b, OP_SUB, get(f, m, i, l.i), product), m, i, l.i);
    loop_close(f, &l);
}

static void check_pivot(Fn *f, const System *s, Value *pivot, Value *zero) {
    Value *regular = build_binary(&f->b, OP_NE, pivot, zero);
    Op *op = build_op(&f->b, OP_CHECK, 1, &regular, 0, NULL, 0);
    op_set_sym(op, A_CODE, "E0615");
    op_set_sym(op, A_MSG, intern_printf(f->session, "%s: the matrix is singular", s->what));
}

static void eliminate(Fn *f, const System *s) {
    Loop k = loop_open(f, build_int(&f->b, 0), s->n);
    bring_pivot(f, s, k.i);
    Value *pivot = get(f, s->a, k.i, k.i), *zero = build_float(&f->b, pivot->type->dtype, 0);
    if (s->b) check_pivot(f, s, pivot, zero);
    else { /* a column of zeros stays one, and the determinant is 0 */
        Value *none = build_binary(&f->b, OP_EQ, pivot, zero);
        pivot = build_select(&f->b, none, build_float(&f->b, pivot->type->dtype, 1), pivot);
    }
    Loop i = loop_open(f, add(f, k.i, 1), s->n);
    Value *by = build_binary(&f->b, OP_DIV, get(f, s->a, i.i, k.i), pivot);
    subtract_row(f, s->a, add(f, k.i, 1), s->n, by, k.i, i.i);
    if (s->b) subtract_row(f, s->b, build_int(&f->b, 0), s->columns, by, k.i, i.i);
    loop_close(f, &i);
    loop_close(f, &k);
}

/* From the last row up */
static void substitute(Fn *f, const System *s) {
    Loop up = loop_open(f, build_int(&f->b, 0), s->n);
    Value *k = build_binary(&f->b, OP_SUB, add(f, s->n, -1), up.i);
    Loop j = loop_open(f, add(f, k, 1), s->n);
    subtract_row(f, s->b, build_int(&f->b, 0), s->columns, get(f, s->a, k, j.i), j.i, k);
    loop_close(f, &j);
    Loop c = loop_open(f, build_int(&f->b, 0), s->columns);
    put(f, build_binary(&f->b, OP_DIV, get(f, s->b, k, c.i), get(f, s->a, k, k)), s->b, k, c.i);
    loop_close(f, &c);
    loop_close(f, &up);
}

static System system_of(Fn *f, const Expr *a, const char *what) {
    return (System){.a = materialize(f, a).v[0], .n = fn_size_value(f, a->type->dims[0]), .what = what};
}

Value *solve_in_island(Fn *f, const Expr *e) {
    const Expr *b = e->args.data[1];
    System s = system_of(f, e->args.data[0], "solve");
    s.b = materialize(f, b).v[0];
    s.columns = b->type->rank > 1 ? fn_size_value(f, b->type->dims[1]) : build_int(&f->b, 1);
    eliminate(f, &s);
    substitute(f, &s);
    return s.b;
}

Value *inverse_in_island(Fn *f, const Expr *e) {
    System s = system_of(f, e->args.data[0], "inv");
    s.b = private_arrays(f, e->type).v[0];
    s.columns = s.n;
    Loop l = loop_open(f, build_int(&f->b, 0), s.n);
    put(f, build_float(&f->b, s.b->type->dtype, 1), s.b, l.i, l.i);
    loop_close(f, &l);
    eliminate(f, &s);
    substitute(f, &s);
    return s.b;
}

Value *determinant_in_island(Fn *f, const Expr *e) {
    const FType *t = e->args.data[0]->type;
    const Size *one = size_const(f->session, 1);
    System s = system_of(f, e->args.data[0], "det");
    s.sign = alloc_private(f, type_tensor(f->session, array_elem(t)->dtype, 1, &one));
    Value *zero = build_int(&f->b, 0);
    put(f, build_float(&f->b, array_elem(t)->dtype, 1), s.sign, zero, zero);
    eliminate(f, &s);
    Loop l = loop_open(f, zero, s.n);
    Value *product = build_binary(&f->b, OP_MUL, get(f, s.sign, zero, zero), get(f, s.a, l.i, l.i));
    put(f, product, s.sign, zero, zero);
    loop_close(f, &l);
    return get(f, s.sign, zero, zero);
}
