/* Axes of size 1: x[:, newaxis], keepdims=true, and reductions along several axes. */
#include "frontend/check.h"

#include <stdlib.h>
#include <string.h>

Expr *with_axes(Check *c, Expr *x, int rank, const Size *const *dims, Span at) {
    Expr *e = expr_new(c->s, EX_CALL, at);
    e->call = CALL_BUILTIN;
    e->builtin = BI_reshape;
    e->type = ftype_array(c->s, elem_of(x->type), rank, dims);
    vec_push(c->a, &e->args, x);
    return e;
}

/* ---- x[:, newaxis] */

static bool is_new_axis(const Sub *s) {
    return s->kind == SUB_INDEX && s->index->kind == EX_NAME && !strcmp(s->index->name, "newaxis");
}

bool has_new_axis(const Expr *e) {
    for (int i = 0; i < e->subs.len; i++)
        if (is_new_axis(&e->subs.data[i])) return true;
    return false;
}

static bool is_vector(const Sub *s) {
    return s->kind == SUB_INDEX && s->index->type && s->index->type->kind == FT_ARRAY;
}

/* Whether subscript i leaves the axis away: an index, known by its type once it is checked, or a vector of indices
 * that goes with one before */
static bool drops(const SubVec *subs, int i) {
    bool again = false;
    for (int k = 0; k < i; k++) again |= is_vector(&subs->data[k]);
    return subs->data[i].kind == SUB_INDEX && (again || !is_vector(&subs->data[i]));
}

/* A new axis of all that stands between vectors of indices among subs, which are the others; or NULL */
static const Sub *axis_between(const SubVec *all, const SubVec *subs) {
    const Sub *axis = NULL;
    bool before = false;
    for (int i = 0, k = 0; i < all->len; i++) {
        if (is_new_axis(&all->data[i])) {
            if (before) axis = &all->data[i];
        } else if (is_vector(&subs->data[k++])) {
            if (axis) return axis;
            before = true;
        }
    }
    return NULL;
}

Expr *check_new_axis(Check *c, Expr *e) {
    SubVec all = e->subs;
    const Size *dims[MAX_RANK];
    int rank = 0, next = 0, given = 0;
    e->subs = (SubVec){0};
    for (int i = 0; i < all.len; i++)
        if (!is_new_axis(&all.data[i])) vec_push(c->a, &e->subs, all.data[i]);
    bool array = e->a->type->kind == FT_ARRAY;
    if (!array || e->subs.len) check_subs(c, e);
    if (!array) return error_expr(e);
    Expr *x = e->subs.len ? e : e->a;
    if (is_error(x)) return x;
    const Sub *between = axis_between(&all, &e->subs);
    if (between) {
        diag_hint(c->s, report(c, between->span, E_VECTORS_APART, "newaxis"),
                  "write newaxis before the vectors, or behind them");
        return error_expr(e);
    }
    int have = x->type->kind == FT_ARRAY ? x->type->rank : 0;
    if (!have || have + all.len - e->subs.len > MAX_RANK)
        return report(c, e->span, E_RANK_LIMIT, MAX_RANK), error_expr(e);
    for (int i = 0; i < all.len; i++) {
        if (is_new_axis(&all.data[i])) dims[rank++] = size_const(c->s, 1);
        else if (!drops(&e->subs, given++)) dims[rank++] = x->type->dims[next++];
    }
    while (next < have) dims[rank++] = x->type->dims[next++];
    return with_axes(c, x, rank, dims, e->span);
}

/* ---- reductions along several axes, and those that keep them */

static int downwards(const void *a, const void *b) { return *(const int *)b - *(const int *)a; }

/* The axes, the last first; their number, or -1 after reporting */
static int axes_of(Check *c, Expr *axis, const FType *t, int *out) {
    ExprVec list = {0};
    if (axis->kind == EX_TUPLE) list = axis->args;
    else vec_push(c->a, &list, axis);
    if (list.len > MAX_RANK) return report(c, axis->span, E_RANK_LIMIT, MAX_RANK), -1;
    for (int i = 0; i < list.len; i++)
        if ((out[i] = check_axis(c, &list.data[i], t)) < 0) return -1;
    qsort(out, (size_t)list.len, sizeof *out, downwards);
    for (int i = 1; i < list.len; i++)
        if (out[i] == out[i - 1]) return report(c, axis->span, E_AXIS_TWICE, out[i]), -1;
    return list.len;
}

static Expr *reduce_along(Check *c, Expr *x, int b, int axis, Span at) {
    Expr *e = call_builtin(c, at, b, 2, (Expr *[]){x, int_literal(c, at, axis)});
    vec_push(c->a, &e->arg_names, (const char *)NULL);
    vec_push(c->a, &e->arg_names, (const char *)intern(c->s, "axis"));
    return check_expr(c, e, NULL);
}

/* x as a single element: an array of rank axes of size 1 */
static Expr *as_array(Check *c, Expr *x, int rank, Span at) {
    Expr *one = expr_new(c->s, EX_ARRAY, at);
    const Size *dims[MAX_RANK];
    vec_push(c->a, &one->args, x);
    for (int i = 0; i < rank; i++) dims[i] = size_const(c->s, 1);
    one = check_expr(c, one, NULL);
    return is_error(one) || rank == 1 ? one : with_axes(c, one, rank, dims, at);
}

Expr *check_axes(Check *c, Expr *e, int b, Expr *axis, const Expr *keep) {
    int axes[MAX_RANK], n;
    const Size *dims[MAX_RANK];
    Expr *x = e->args.len == 1 && e->args.data[0]->kind != EX_GEN ? check_value(c, e->args.data[0], NULL) : NULL;
    if (!x || x->type->kind != FT_ARRAY) {
        if (!x || !is_error(x)) report_count(c, e, b, "one array");
        return error_expr(e);
    }
    if (keep && keep->kind != EX_BOOL)
        return report(c, keep->span, E_TYPE_MISMATCH, "keepdims", "true or false", "a value"), error_expr(e);
    const FType *t = x->type;
    if (axis && (n = axes_of(c, axis, t, axes)) < 0) return error_expr(e);
    if (!axis)
        for (n = 0; n < t->rank; n++) axes[n] = t->rank - 1 - n;
    for (int i = 0; i < t->rank; i++) dims[i] = t->dims[i];
    for (int i = 0; i < n && !is_error(x); i++) {
        x = reduce_along(c, x, b, axes[i], e->span);
        dims[axes[i]] = size_const(c->s, 1);
    }
    if (is_error(x)) return error_expr(e);
    if (!keep || !keep->lit.i) return x;
    return x->type->kind == FT_ARRAY ? with_axes(c, x, t->rank, dims, e->span) : as_array(c, x, t->rank, e->span);
}
