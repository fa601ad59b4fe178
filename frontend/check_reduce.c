/* Reductions and scans: sum, prod, min, max, any, all, reduce, scan, cumsum. */
#include "frontend/check.h"

/* The constant axis, counted from the front; -1 after reporting. */
int check_axis(Check *c, Expr **axis, const FType *t) {
    Expr *e = *axis = coerce_int(c, check_value(c, *axis, NULL), "an axis");
    if (is_error(e)) return -1;
    if (!e->is_const) return report(c, e->span, E_AXIS_NOT_CONST), -1;
    int64_t k = e->lit.i < 0 ? e->lit.i + t->rank : e->lit.i;
    if (k < 0 || k >= t->rank) {
        Diag *d = report(c, e->span, E_AXIS_RANGE, (long long)e->lit.i, ftype_str(c->s, t));
        diag_hint(c->s, d, "axes are numbered from 0 to %d", t->rank - 1);
        return -1;
    }
    *axis = int_literal(c, e->span, k);
    return (int)k;
}

static const FType *drop_axis(Check *c, const FType *t, int axis) {
    const Size *dims[MAX_RANK];
    int rank = 0;
    for (int i = 0; i < t->rank; i++)
        if (i != axis) dims[rank++] = t->dims[i];
    return rank ? ftype_array(c->s, t->elem, rank, dims) : t->elem;
}

DType reduce_dtype(int b, DType d) {
    if (b == BI_any || b == BI_all) return d == DT_BOOL ? d : DT_COUNT;
    if (b == BI_min || b == BI_max) return dtype_is_int(d) || dtype_is_float(d) ? d : DT_COUNT;
    if (d == DT_F16 || d == DT_BF16) return DT_F32;
    if (d == DT_BOOL) return b == BI_prod ? DT_COUNT : DT_I64; /* sum counts */
    if (dtype_info(d)->kind == DK_INT) return DT_I64;
    if (dtype_info(d)->kind == DK_UINT) return DT_U64;
    return dtype_is_float(d) ? d : DT_COUNT;
}

static bool report_reduce_type(Check *c, const Expr *at, int b, const FType *elem) {
    Diag *d = report(c, at->span, E_REDUCE_TYPE, builtin_info(b)->name, ftype_str(c->s, elem));
    if (b == BI_any || b == BI_all) diag_hint(c->s, d, "write a condition: %s(x > 0)", builtin_info(b)->name);
    else if (elem->kind == FT_TUPLE || elem->kind == FT_STRUCT)
        diag_hint(c->s, d, "reduce(f, init, x) combines any elements");
    return false;
}

static Expr *reduce_gen(Check *c, Expr *e, int b) {
    Expr *g = e->args.data[0] = check_gen(c, e->args.data[0], false);
    if (is_error(g)) return error_expr(e);
    Expr *known = is_complex(c, g->type) ? complex_reduce(c, e, b, NULL) : NULL;
    if (known) return known;
    DType d = g->type->kind == FT_SCALAR ? reduce_dtype(b, g->type->dtype) : DT_COUNT;
    if (d == DT_COUNT) return report_reduce_type(c, g->a, b, g->type), error_expr(e);
    g->a = to_dtype(c, g->a, d);
    filter_reduced(c, g, b);
    e->type = g->type = ftype_scalar(c->s, d);
    return e;
}

static Expr *reduce_array(Check *c, Expr *e, int b, Expr *axis) {
    Expr *x = e->args.data[0] = unflex(c, check_value(c, e->args.data[0], NULL));
    if (!axis && e->args.len == 2) axis = take_arg(e, 1);
    if (is_error(x)) return error_expr(e);
    if (x->type->kind != FT_ARRAY) {
        Diag *d = report(c, x->span, E_ARGUMENT_TYPE, builtin_info(b)->name, "an array, or an expression with `for`",
                         ftype_str(c->s, x->type));
        if (!hint_gradient_parts(c, d, x) && !hint_flatten(c, d, x, false))
            diag_hint(c->s, d, "%s(x[k] for k in 0:n)", builtin_info(b)->name);
        return error_expr(e);
    }
    Expr *known = is_complex(c, x->type) ? complex_reduce(c, e, b, axis) : NULL;
    if (known) return known;
    DType d = x->type->elem->kind == FT_SCALAR ? reduce_dtype(b, x->type->dtype) : DT_COUNT;
    if (d == DT_COUNT) return report_reduce_type(c, x, b, x->type->elem), error_expr(e);
    x = e->args.data[0] = to_dtype(c, x, d);
    e->type = x->type->elem;
    if (!axis) return e;
    int k = check_axis(c, &axis, x->type);
    if (k < 0) return error_expr(e);
    e->type = drop_axis(c, x->type, k);
    vec_push(c->a, &e->args, axis);
    return e;
}

/* f64(x), for instance */
static Expr *cast_call(Check *c, DType d, Expr *x) {
    return call_of(c, x->span, expr_name(c->s, x->span, intern(c->s, dtype_info(d)->name)), 1, &x);
}

/* fn(x) => sum(x, axis) / size(x, axis), the size in the type d of the sum; wide: of ints whose sum may not be one */
static Expr *mean_lambda(Check *c, Span at, Expr *axis, DType d, bool wide) {
    Param p = {.name = intern(c->s, "x.all"), .span = at};
    Expr *fn = expr_new(c->s, EX_LAMBDA, at), *div = expr_new(c->s, EX_BINARY, at), *all = expr_name(c->s, at, p.name);
    Expr *of[] = {expr_name(c->s, at, p.name), axis ? expr_clone(c->s, axis) : NULL};
    Expr *count = call_builtin(c, at, BI_size, axis ? 2 : 1, of);
    if (wide) all = cast_call(c, DT_F64, all);
    vec_push(c->a, &fn->params, p);
    fn->a = div;
    div->op = OPR_DIV;
    div->a = call_builtin(c, at, BI_sum, axis ? 2 : 1, (Expr *[]){all, axis});
    div->b = d == DT_I64 || wide ? count : cast_call(c, d, count);
    return fn;
}

static bool is_wide_int(DType d) { return d == DT_I64 || d == DT_U64; }

Expr *check_mean(Check *c, Expr *e, Expr *axis, const FType *want) {
    if (!want_count(c, e, BI_mean, 1, axis ? 1 : 2)) return error_expr(e);
    if (!axis && e->args.len == 2) axis = take_arg(e, 1);
    Expr *x = e->args.data[0];
    if (x->kind == EX_GEN) x->kind = EX_COMP;
    const Expr *seen = check_value(c, expr_clone(c->s, x), NULL);
    if (is_error(seen)) return error_expr(e);
    DType d = seen->type->kind == FT_ARRAY && seen->type->elem->kind == FT_SCALAR
                  ? reduce_dtype(BI_sum, seen->type->elem->dtype)
                  : DT_COUNT;
    bool complex = seen->type->kind == FT_ARRAY && is_complex(c, seen->type);
    if (complex) d = complex_part(seen->type);
    if (d == DT_COUNT) return report_argument(c, seen, BI_mean, "an array of numbers"), error_expr(e);
    if (axis && check_axis(c, &axis, seen->type) < 0) return error_expr(e);
    Expr *mean = mean_lambda(c, x->span, axis, d, !complex && is_wide_int(seen->type->elem->dtype));
    return check_expr(c, call_of(c, e->span, mean, 1, &x), want);
}

Expr *check_reduce(Check *c, Expr *e, int b, Expr *axis) {
    int most = axis || b == BI_min || b == BI_max ? 1 : 2;
    if (!want_count(c, e, b, 1, most)) return error_expr(e);
    if (e->args.data[0]->kind != EX_GEN) return reduce_array(c, e, b, axis);
    return axis || e->args.len == 2 ? (report_count(c, e, b, "a generator alone"), error_expr(e)) : reduce_gen(c, e, b);
}

/* ---- reduce(f, init, x) and scan(f, x) */

static bool check_operator(Check *c, Expr *e, int b, Expr *f, const FType *t) {
    const FType *types[2] = {t, t};
    if (f->type->kind != FT_FUNC)
        return is_error(f) ? false : report_argument(c, f, b, "a function of two values first");
    InstInfo *inst = func_inst(c, f->type, 2, types, t, f->span);
    if (!inst) return false;
    if (inst->inst.ret != t && inst->inst.ret->kind != FT_ERROR) {
        Diag *d = report(c, f->span, E_OPERATOR_TYPE, ftype_str(c->s, t), ftype_str(c->s, inst->inst.ret));
        diag_hint(c->s, d, "%s needs a function (T, T) -> T", builtin_info(b)->name);
        return false;
    }
    int from = e->args.len;
    Map found = {0};
    inst_uses(c, inst, f->span);
    e->inst = &inst->inst;
    e->operator = f->span;
    push_captures(c, &e->args, inst, e->span);
    return bind_call(c, inst, &e->args, from, 2, &e->binds, &found, NULL);
}

/* The elements' type of an array or generator argument; NULL after reporting. */
static const FType *folded_elem(Check *c, Expr *e, int i, bool need_extent) {
    Expr *x = e->args.data[i];
    if (x->kind == EX_GEN && x->c && need_extent) x->kind = EX_COMP; /* how many there are is known behind it */
    if (x->kind != EX_GEN || !x->type)
        x = e->args.data[i] = x->kind == EX_GEN ? check_gen(c, x, need_extent) : unflex(c, check_value(c, x, NULL));
    if (is_error(x)) return NULL;
    if (x->kind == EX_GEN) return x->type;
    if (x->type->kind != FT_ARRAY)
        return report_argument(c, x, e->builtin, "an array or an expression with `for`"), NULL;
    return x->type->elem;
}

static void elems_to_dtype(Check *c, Expr **x, DType d) {
    if ((*x)->kind != EX_GEN) {
        *x = to_dtype(c, *x, d);
        return;
    }
    (*x)->a = to_dtype(c, (*x)->a, d);
    (*x)->type = (*x)->a->type;
}

Expr *check_fold_reduce(Check *c, Expr *e, int b) {
    if (!want_count(c, e, b, 3, 3)) return error_expr(e);
    Expr *f = check_expr(c, take_arg(e, 0), NULL);
    const FType *elem = folded_elem(c, e, 1, false);
    Expr *init = e->args.data[0] = check_value(c, e->args.data[0], elem);
    if (!elem || is_error(init) || is_error(f)) return error_expr(e);
    DType d;
    if (elem->kind == FT_SCALAR && init->type->kind == FT_SCALAR && !init->flex &&
        dtype_join(elem->dtype, init->type->dtype, &d)) {
        elems_to_dtype(c, &e->args.data[1], d);
        elem = ftype_scalar(c->s, d);
    } else if (elem->kind == FT_SCALAR && init->flex && !flex_fits(init, elem->dtype) &&
               dtype_join(elem->dtype, init->type->dtype, &d)) {
        elems_to_dtype(c, &e->args.data[1], d);
        elem = ftype_scalar(c->s, d);
    }
    Reason why = {.what = "the initial value"};
    e->args.data[0] = coerce(c, init, elem, &why);
    e->type = elem;
    if (is_error(e->args.data[0])) return error_expr(e);
    if (e->args.data[1]->kind == EX_GEN) filter_values(c, e->args.data[1], e->args.data[0]);
    if (!check_operator(c, e, b, f, elem)) return error_expr(e);
    return e;
}

static Expr *report_rank1(Check *c, Expr *e, const Expr *x) {
    Diag *d = report(c, x->span, E_ARGUMENT_TYPE, builtin_info(e->builtin)->name, "an array with one axis",
                     ftype_str(c->s, x->type));
    diag_hint(c->s, d, "along one of several axes: cumsum(x, axis=0)");
    return error_expr(e);
}

Expr *check_scan(Check *c, Expr *e, int b) {
    if (!want_count(c, e, b, 2, 2)) return error_expr(e);
    Expr *f = check_expr(c, take_arg(e, 0), NULL);
    const FType *elem = folded_elem(c, e, 0, true);
    if (!elem || is_error(f)) return error_expr(e);
    const Expr *x = e->args.data[0];
    bool one = x->kind == EX_GEN ? x->gens.len == 1 : x->type->rank == 1;
    if (!one) return report_rank1(c, e, x);
    const Size *n = x->kind == EX_GEN ? x->gens.data[0].extent : x->type->dims[0];
    e->type = ftype_array(c->s, elem, 1, &n);
    return check_operator(c, e, b, f, elem) ? e : error_expr(e);
}

Expr *check_cumsum(Check *c, Expr *e, int b, Expr *axis) {
    if (!want_count(c, e, b, 1, 1) || !check_args(c, e, 0)) return error_expr(e);
    Expr *x = e->args.data[0] = unflex(c, e->args.data[0]);
    const int rank = x->type->kind == FT_ARRAY ? x->type->rank : 0;
    if (axis && rank && check_axis(c, &axis, x->type) < 0) return error_expr(e);
    if (axis ? rank == 0 : rank != 1) return report_rank1(c, e, x);
    const bool complex = is_complex(c, x->type);
    if (complex && rank == 1) return complex_builtin(c, e, b);
    DType d = x->type->elem->kind == FT_SCALAR ? reduce_dtype(BI_sum, x->type->dtype) : DT_COUNT;
    if (d == DT_COUNT && !complex) return report_reduce_type(c, x, b, x->type->elem), error_expr(e);
    if (!complex) x = e->args.data[0] = to_dtype(c, x, d);
    if (rank > 1) return check_expr(c, call_library(c, e->span, "_cumsum", 2, (Expr *[]){x, axis}), NULL);
    e->type = x->type;
    return e;
}

