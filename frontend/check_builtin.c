/* Calls of the functions that the compiler itself knows (builtins.def). */
#include "frontend/check.h"

#include <string.h>

static const BuiltinInfo table[] = {
#define BUILTIN(id, name, kind, doc) [id] = {name, kind, doc},
#include "frontend/builtins.def"
#undef BUILTIN
};

const BuiltinInfo *builtin_info(int b) { return &table[b]; }

/* ---- arguments */

static int arity_float(int b) { return b == BI_fma ? 3 : b == BI_atan2 || b == BI_hypot ? 2 : 1; }

bool report_count(Check *c, const Expr *e, int b, const char *wanted) {
    Diag *d = report(c, e->span, E_ARGUMENT_COUNT, table[b].name, wanted, e->args.len);
    if (table[b].doc[0]) diag_hint(c->s, d, "%s", table[b].doc);
    return false;
}

static const char *count_text(Check *c, int lo, int hi) {
    if (lo == hi) return intern_printf(c->s, "%d argument%s", lo, lo == 1 ? "" : "s");
    return hi > 99 ? intern_printf(c->s, "at least %d", lo) : intern_printf(c->s, "%d to %d arguments", lo, hi);
}

bool want_count(Check *c, const Expr *e, int b, int lo, int hi) {
    if (e->args.len >= lo && e->args.len <= hi) return true;
    return report_count(c, e, b, count_text(c, lo, hi));
}

/* Checks args[from..] as values. */
bool check_args(Check *c, Expr *e, int from) {
    bool ok = true;
    for (int i = from; i < e->args.len; i++) {
        e->args.data[i] = check_value(c, e->args.data[i], NULL);
        ok &= !is_error(e->args.data[i]);
    }
    return ok;
}

bool report_argument(Check *c, const Expr *at, int b, const char *wanted) {
    Diag *d = report(c, at->span, E_ARGUMENT_TYPE, table[b].name, wanted, ftype_str(c->s, at->type));
    if (!hint_gradient_parts(c, d, at) && !hint_flatten(c, d, at, false) && table[b].doc[0])
        diag_hint(c->s, d, "%s", table[b].doc);
    return false;
}

Expr *take_arg(Expr *e, int i) {
    Expr *arg = e->args.data[i];
    memmove(e->args.data + i, e->args.data + i + 1, (size_t)(e->args.len - i - 1) * sizeof *e->args.data);
    e->args.len--;
    if (e->arg_names.len > i) {
        memmove(e->arg_names.data + i, e->arg_names.data + i + 1,
                (size_t)(e->arg_names.len - i - 1) * sizeof *e->arg_names.data);
        e->arg_names.len--;
    }
    return arg;
}

Expr *call_builtin(Check *c, Span at, int b, int n, Expr *const *args) {
    Expr *e = expr_new(c->s, EX_CALL, at);
    e->builtin = b;
    for (int i = 0; i < n; i++) vec_push(c->a, &e->args, args[i]);
    return e;
}

/* Takes out keepdims=...; NULL when there is none */
static Expr *take_keep(Expr *e) {
    for (int i = 0; i < e->arg_names.len; i++)
        if (e->arg_names.data[i] && !strcmp(e->arg_names.data[i], "keepdims")) return take_arg(e, i);
    return NULL;
}

/* Flags that an operation has whose value is a constant: trisolve(l, b, upper=true) */
static const char *const triangle_flags[] = {"upper", "transposed", "unit"};
enum { TRIANGLE_FLAGS = sizeof triangle_flags / sizeof *triangle_flags };

/* Takes them out; false after reporting one that is no constant */
static bool take_flags(Check *c, Expr *e, bool *flag) {
    for (int k = 0; k < TRIANGLE_FLAGS; k++)
        for (int i = 0; i < e->arg_names.len; i++) {
            if (!e->arg_names.data[i] || strcmp(e->arg_names.data[i], triangle_flags[k]) != 0) continue;
            Expr *x = check_expr(c, take_arg(e, i), NULL);
            if (is_error(x)) return false;
            bool is_bool = type_is_scalar(x->type, DT_BOOL);
            if (!x->is_const || !is_bool)
                return report(c, x->span, E_TYPE_MISMATCH, triangle_flags[k], "true or false",
                              is_bool ? "a value" : ftype_str(c->s, x->type)), false;
            flag[k] = x->lit.i;
            break;
        }
    return true;
}

/* Takes out `axis=...`; NULL when there is none.  Reports any other name. */
static Expr *take_axis(Check *c, Expr *e, int b, bool allowed) {
    Expr *axis = NULL;
    for (int i = 0; i < e->arg_names.len; i++) {
        const char *name = e->arg_names.data[i];
        if (!name) continue;
        if (allowed && !strcmp(name, "axis") && !axis) {
            axis = take_arg(e, i--);
            continue;
        }
        Diag *d = report(c, arg_name_span(c, e->args.data[i], name), E_NO_PARAMETER, table[b].name, name);
        const Foreign *other = allowed ? foreign_find(FOREIGN_ARG, name) : NULL;
        if (other && !strcmp(other->ours, "axis")) {
            diag_hint(c->s, d, "%s", other->hint);
            take_arg(e, i--);
            continue;
        }
        else if (table[b].doc[0]) diag_hint(c->s, d, "%s", table[b].doc);
        e->arg_names.data[i] = NULL;
    }
    return axis;
}

/* ---- elementwise */

static const char *quoted(Check *c, int b) { return intern_printf(c->s, "'%s'", table[b].name); }

static void fold_call(Check *c, Expr *e, bool flex) {
    Const args[3], v;
    if (e->type->kind != FT_SCALAR || e->args.len > 3) return;
    for (int i = 0; i < e->args.len; i++) {
        if (!e->args.data[i]->is_const) return;
        args[i] = e->args.data[i]->lit;
    }
    if (!fold_builtin(e->builtin, e->args.len, args, e->type->dtype, &v)) return;
    v.dtype = e->type->dtype;
    set_const(c, e, v);
    e->flex = flex && v.dtype != DT_BOOL;
}

static bool all_flex(const Expr *e) {
    for (int i = 0; i < e->args.len; i++)
        if (!e->args.data[i]->flex || e->args.data[i]->type->kind == FT_ARRAY) return false;
    return true;
}

/* Joins dtypes and shapes of all arguments; the result has dtype `result`, or theirs when DT_COUNT. */
static Expr *elementwise(Check *c, Expr *e, bool to_float, DType result) {
    DType d;
    Shape sh;
    bool flex = all_flex(e);
    if (!operands_join(c, e->args.data, e->args.len, e->span, quoted(c, e->builtin), &d)) return error_expr(e);
    if (to_float && !dtype_is_float(d)) d = DT_F64;
    for (int i = 0; i < e->args.len; i++) e->args.data[i] = to_dtype(c, e->args.data[i], d);
    if (!operands_broadcast(c, e->args.data, e->args.len, e->span, &sh)) return error_expr(e);
    e->type = shape_type(c, ftype_scalar(c->s, result == DT_COUNT ? d : result), &sh);
    fold_call(c, e, flex);
    return e;
}

static Expr *check_elem(Check *c, Expr *e, int b) {
    bool is_float = table[b].kind == BK_ELEM_FLOAT;
    int n = is_float ? arity_float(b) : 1;
    bool is_bool = b == BI_isnan || b == BI_isinf || b == BI_isfinite;
    if (!want_count(c, e, b, n, n) || !check_args(c, e, 0)) return error_expr(e);
    Expr *known = has_complex(c, &e->args) ? complex_builtin(c, e, b) : NULL;
    if (known) return known;
    return elementwise(c, e, is_float, is_bool ? DT_BOOL : DT_COUNT);
}

static const Size *minmax_size(Check *c, int b, const Expr *x, const Expr *y) {
    if (!x->size || !y->size) return NULL;
    return b == BI_min ? size_min(c->s, x->size, y->size) : size_max(c->s, x->size, y->size);
}

static Expr *check_pair(Check *c, Expr *e) {
    e = elementwise(c, e, false, DT_COUNT);
    if (!is_error(e) && type_is_scalar(e->type, DT_I64) && !e->is_const)
        e->size = minmax_size(c, e->builtin, e->args.data[0], e->args.data[1]);
    return e;
}

/* min(a, b, c) becomes min(min(a, b), c). */
static Expr *check_minmax(Check *c, Expr *e, int b) {
    if (!check_args(c, e, 0)) return error_expr(e);
    Expr *acc = e->args.data[0];
    for (int i = 1; i < e->args.len; i++) {
        bool last = i == e->args.len - 1;
        Expr *pair = last ? e : expr_new(c->s, EX_CALL, e->span);
        Expr *arg = e->args.data[i];
        if (last) pair->args = (ExprVec){0};
        pair->call = CALL_BUILTIN;
        pair->builtin = b;
        vec_push(c->a, &pair->args, acc);
        vec_push(c->a, &pair->args, arg);
        acc = check_pair(c, pair);
        if (is_error(acc)) return error_expr(e);
        if (last) break;
    }
    return e;
}

static Expr *where_complex(Check *c, Expr *e, DType part) {
    for (int i = 1; i < 3; i++) e->args.data[i] = to_complex(c, e->args.data[i], part);
    return complex_builtin(c, e, BI_where);
}

static Expr *check_where(Check *c, Expr *e, int b) {
    DType d;
    Shape sh;
    if (!want_count(c, e, b, 3, 3) || !check_args(c, e, 0)) return error_expr(e);
    Expr **args = e->args.data;
    if (!type_is_scalar(elem_of(args[0]->type), DT_BOOL))
        return report_argument(c, args[0], b, "a bool, or an array of bools, first"), error_expr(e);
    if (has_complex(c, &e->args))
        return join_complex(c, args + 1, 2, e->span, "'where'", &d) ? where_complex(c, e, d) : error_expr(e);
    bool flex = args[1]->flex && args[2]->flex;
    bool bools = type_is_scalar(elem_of(args[1]->type), DT_BOOL) && type_is_scalar(elem_of(args[2]->type), DT_BOOL);
    if (bools) d = DT_BOOL;
    else if (!values_join(c, args + 1, 2, e->span, "'where'", &d)) return error_expr(e);
    for (int i = 1; i < 3; i++) args[i] = bools ? args[i] : to_dtype(c, args[i], d);
    if (!operands_broadcast(c, args, 3, e->span, &sh)) return error_expr(e);
    e->type = shape_type(c, ftype_scalar(c->s, d), &sh);
    fold_call(c, e, flex);
    return e;
}

/* ---- making arrays */

static bool is_ints(const FType *t) {
    for (int i = 0; t->kind == FT_TUPLE && i < t->nfields; i++)
        if (t->fields[i]->kind != FT_SCALAR || !dtype_is_int(t->fields[i]->dtype)) return false;
    return t->kind == FT_TUPLE;
}

/* A tuple's parts take its place, whether it is written out, has a name, or is shape(x).  What v->data[from] is
 * otherwise is checked. */
void spread_tuple(Check *c, ExprVec *v, int from) {
    Expr *whole = v->data[from], *t = whole->kind == EX_TUPLE ? whole : check_value(c, expr_clone(c->s, whole), NULL);
    bool has_name = (whole->kind == EX_NAME || whole->kind == EX_FIELD) && is_ints(t->type);
    if (t->kind != EX_TUPLE && !has_name) {
        v->data[from] = t;
        return;
    }
    v->len = from;
    for (int i = 0; t->kind == EX_TUPLE && i < t->args.len; i++) vec_push(c->a, v, t->args.data[i]);
    for (int i = 0; has_name && i < t->type->nfields; i++) {
        Expr *field = expr_field(c->s, expr_clone(c->s, whole), intern_printf(c->s, "%d", i));
        vec_push(c->a, v, field);
    }
}

static bool report_sizes_value(Check *c, const Expr *e, int b) {
    Diag *d = report(c, e->span, E_TYPE_MISMATCH, "a size", "int", ftype_str(c->s, e->type));
    if (e->type->kind == FT_TUPLE && e->kind != EX_NAME)
        diag_hint(c->s, d, "give the tuple a name before: let s = ...");
    else
        diag_hint(c->s, d, "each size is an argument, or all are a tuple: %s(%s, n, m), %s(%s, (n, m))", table[b].name,
                  b == BI_full      ? "v"
                  : b == BI_reshape ? "x"
                                    : "f64",
                  table[b].name,
                  b == BI_full      ? "v"
                  : b == BI_reshape ? "x"
                                    : "f64");
    return false;
}

/* zeros(f64, (n, m)) is zeros(f64, n, m); so is zeros(f64, s) of a tuple s. */
static bool spread_sizes(Check *c, Expr *e, int from, int b) {
    if (e->args.len != from + 1) return true;
    spread_tuple(c, &e->args, from);
    while (e->arg_names.len < e->args.len) vec_push(c->a, &e->arg_names, (const char *)NULL);
    const Expr *one = e->args.data[from];
    if (e->args.len != from + 1 || !one->type) return true;
    if (one->type->kind == FT_ARRAY || one->type->kind == FT_TUPLE) return report_sizes_value(c, one, b);
    return !is_error(one);
}

static bool check_dim(Check *c, Expr **dim, const Size **out) {
    int64_t k;
    Expr *e = *dim = coerce_int(c, check_value(c, *dim, NULL), "a size");
    if (is_error(e)) return false;
    *out = size_or_bind(c, e, "n");
    if (!size_is_const(*out, &k) || k >= 0) return true;
    report(c, e->span, E_SIZE_NEGATIVE, (long long)k);
    return false;
}

/* No machine holds so many elements: said at once, whether or not the array would ever be made. */
static bool check_count(Check *c, Expr *e, const Shape *sh) {
    int64_t count = 1, k;
    bool over = false;
    for (int i = 0; i < sh->rank; i++) {
        if (!size_is_const(sh->dims[i], &k)) continue;
        if (k == 0) return true;
        over |= __builtin_mul_overflow(count, k, &count);
    }
    if (!over && count <= (int64_t)1 << 44) return true;
    Diag *d = diag_report(c->s, e->span, E_TOO_MANY_ELEMENTS,
                          over ? "more than 2^63" : intern_printf(c->s, "%lld", (long long)count));
    diag_hint(c->s, d, "an array has its elements in memory, all at once");
    return false;
}

/* full(3, 0.5): the value stands first. */
static bool report_full_order(Check *c, Expr *e, int i) {
    const Expr *value = e->args.data[0], *x = e->args.data[i] = check_value(c, e->args.data[i], NULL);
    bool turned = e->args.len == 2 && value->type && (type_is_int(value->type) || value->type->kind == FT_TUPLE) &&
                  x->type->kind == FT_SCALAR && dtype_is_float(x->type->dtype);
    if (!turned || value->span.file < 0 || x->span.file < 0) return false;
    Diag *d = report(c, x->span, E_TYPE_MISMATCH, "a size", "int", ftype_str(c->s, x->type));
    diag_hint(c->s, d, "the value stands first: full(%s, %s)", source_copy(c->s, x->span),
              source_copy(c->s, value->span));
    return true;
}

/* Dims from args[from..] */
static bool check_dims(Check *c, Expr *e, int from, Shape *sh) {
    bool ok = true;
    sh->rank = e->args.len - from;
    if (sh->rank > MAX_RANK) return report(c, e->span, E_RANK_LIMIT, MAX_RANK), false;
    for (int i = 0; i < sh->rank; i++) {
        if (from && report_full_order(c, e, i + from)) return false;
        ok &= check_dim(c, &e->args.data[from + i], &sh->dims[i]);
    }
    return ok && check_count(c, e, sh);
}

/* ones(c128, n) is full(c128(1), n) */
static Expr *ones_complex(Check *c, Expr *e, const FType *elem) {
    Expr *one = expr_new(c->s, EX_FLOAT, e->span);
    one->type = ftype_scalar(c->s, DT_F64);
    set_const(c, one, (Const){.dtype = DT_F64, .f = 1});
    e->args.data[0] = to_complex(c, one, complex_part(elem));
    return check_builtin(c, e, BI_full, NULL);
}

static Expr *check_zeros(Check *c, Expr *e, int b) {
    Shape sh;
    if (!e->args.len) return report_count(c, e, b, "a type and sizes"), error_expr(e);
    Expr *t = e->args.data[0] = check_expr(c, e->args.data[0], NULL);
    if (is_error(t)) return error_expr(e);
    if (t->type->kind != FT_TYPE) {
        Diag *d = report(c, t->span, E_ARGUMENT_TYPE, table[b].name, "a type first", ftype_str(c->s, t->type));
        diag_hint(c->s, d, "write %s(f64, ...)", table[b].name);
        return error_expr(e);
    }
    const FType *elem = t->type->elem;
    if (b == BI_ones && is_complex(c, elem)) return ones_complex(c, e, elem);
    bool ok = b == BI_zeros ? elem->kind == FT_SCALAR || elem->kind == FT_STRUCT || elem->kind == FT_TUPLE
                            : elem->kind == FT_SCALAR;
    if (!ok || (b == BI_ones && type_is_scalar(elem, DT_STR)))
        return report(c, t->span, E_ELEMENT_TYPE, ftype_str(c->s, elem)), error_expr(e);
    if (!spread_sizes(c, e, 1, b)) return error_expr(e);
    if (e->args.len < 2) return report_count(c, e, b, "a type and sizes"), error_expr(e);
    if (!check_dims(c, e, 1, &sh)) return error_expr(e);
    e->type = ftype_array(c->s, elem, sh.rank, sh.dims);
    return e;
}

static Expr *check_full(Check *c, Expr *e, int b, const FType *want) {
    Shape sh;
    if (!spread_sizes(c, e, 1, b)) return error_expr(e);
    if (!want_count(c, e, b, 2, 100)) return error_expr(e);
    Expr *v = check_value(c, e->args.data[0], NULL);
    const FType *elem = want && want->kind == FT_ARRAY ? want->elem : NULL;
    if (elem && elem->kind == FT_SCALAR && flex_fits(v, elem->dtype)) v = to_dtype(c, v, elem->dtype);
    v = e->args.data[0] = unflex(c, v);
    if (is_error(v)) return error_expr(e);
    if (v->type->kind == FT_ARRAY)
        return report_argument(c, v, b, "a single value first"), error_expr(e);
    if (!check_dims(c, e, 1, &sh)) return error_expr(e);
    e->type = ftype_array(c->s, v->type, sh.rank, sh.dims);
    return e;
}

static const Size *count_of(Check *c, const FType *t) {
    const Size *n = size_const(c->s, 1);
    for (int i = 0; i < t->rank; i++) n = size_mul(c->s, n, t->dims[i]);
    return n;
}

/* reshape(x, -1): one size may be left to be found. */
static bool fill_reshape(Check *c, Expr *e, Shape *sh) {
    int open = -1;
    const Size *known = size_const(c->s, 1), *total = count_of(c, e->args.data[0]->type);
    sh->rank = e->args.len - 1;
    if (sh->rank > MAX_RANK) return report(c, e->span, E_RANK_LIMIT, MAX_RANK), false;
    for (int i = 0; i < sh->rank; i++) {
        Expr **dim = &e->args.data[i + 1];
        *dim = check_expr(c, *dim, NULL);
        if ((*dim)->is_const && (*dim)->lit.dtype == DT_I64 && (*dim)->lit.i == -1 && open < 0) {
            *dim = unflex(c, *dim);
            open = i;
            continue;
        }
        if (!check_dim(c, dim, &sh->dims[i])) return false;
        known = size_mul(c->s, known, sh->dims[i]);
    }
    if (open < 0) return true;
    int64_t k;
    if (size_is_const(known, &k) && k == 0)
        return report(c, e->args.data[open + 1]->span, E_RESHAPE, size_str(c->s, total), "0"), false;
    sh->dims[open] = size_floordiv(c->s, total, known);
    return true;
}

static Expr *check_reshape(Check *c, Expr *e, int b) {
    Shape sh = {0};
    if (!spread_sizes(c, e, 1, b)) return error_expr(e);
    if (!want_count(c, e, b, 2, 100)) return error_expr(e);
    Expr *x = e->args.data[0] = unflex(c, check_value(c, e->args.data[0], NULL));
    if (is_error(x)) return error_expr(e);
    if (x->type->kind != FT_ARRAY) return report_argument(c, x, b, "an array first"), error_expr(e);
    if (!fill_reshape(c, e, &sh)) return error_expr(e);
    e->type = ftype_array(c->s, x->type->elem, sh.rank, sh.dims);
    const Size *have = count_of(c, x->type), *need = count_of(c, e->type);
    if (size_differs(c->s, have, need) <= 0) return e;
    Diag *d = report(c, e->span, E_RESHAPE, size_str(c->s, have), size_str(c->s, need));
    diag_note(c->s, d, x->span, "this is %s", ftype_str(c->s, x->type));
    return error_expr(e);
}

static Expr *check_transpose(Check *c, Expr *e, int b) {
    if (!want_count(c, e, b, 1, 100) || !check_args(c, e, 0)) return error_expr(e);
    Expr *x = e->args.data[0] = unflex(c, e->args.data[0]);
    if (x->type->kind != FT_ARRAY) return report_argument(c, x, b, "an array first"), error_expr(e);
    const FType *t = x->type;
    const Size *dims[MAX_RANK];
    bool seen[MAX_RANK] = {false};
    if (e->args.len > 1 && e->args.len != t->rank + 1) return report_count(c, e, b, "each axis once"), error_expr(e);
    for (int i = 0; i < t->rank; i++) {
        int k = e->args.len > 1 ? check_axis(c, &e->args.data[i + 1], t) : t->rank - 1 - i;
        if (k < 0) return error_expr(e);
        if (seen[k]) return report(c, e->args.data[i + 1]->span, E_AXIS_TWICE, k), error_expr(e);
        seen[k] = true;
        dims[i] = t->dims[k];
    }
    e->type = ftype_array(c->s, t->elem, t->rank, dims);
    return e;
}

/* ---- sizes */

/* The argument of len and size is not read: an `out` parameter will do. */
static Expr *check_shape_only(Check *c, Expr *e) {
    if (e->kind != EX_NAME || !scope_find(c, e->name)) return check_value(c, e, NULL);
    check_name(c, e, false);
    e->var->used = true;
    return e;
}

static Expr *check_size(Check *c, Expr *e, int b, Expr *axis) {
    if (!want_count(c, e, b, 1, b == BI_size && !axis ? 2 : 1)) return error_expr(e);
    Expr *x = e->args.data[0] = check_shape_only(c, e->args.data[0]);
    if (is_error(x)) return error_expr(e);
    if (b == BI_len && type_is_scalar(x->type, DT_STR))
        return check_expr(c, call_library(c, e->span, "_text_length", 1, &x), NULL);
    if (x->type->kind != FT_ARRAY) {
        Diag *d = report(c, x->span, E_ARGUMENT_TYPE, table[b].name, "an array", ftype_str(c->s, x->type));
        if (type_is_scalar(x->type, DT_STR)) diag_hint(c->s, d, "%s", TEXT_HINT);
        return error_expr(e);
    }
    if (!axis && e->args.len == 2) axis = take_arg(e, 1);
    int k = b == BI_len ? 0 : axis ? check_axis(c, &axis, x->type) : -2;
    if (k == -1) return error_expr(e);
    e->type = ftype_scalar(c->s, DT_I64);
    e->size = k >= 0 ? x->type->dims[k] : count_of(c, x->type);
    if (axis) vec_push(c->a, &e->args, axis);
    int64_t v;
    if (size_is_const(e->size, &v)) set_const(c, e, (Const){.dtype = DT_I64, .i = v});
    return e;
}

/* The sizes of x, as if each were asked for; x is evaluated with the first. */
static Expr *check_shape(Check *c, Expr *e) {
    if (!want_count(c, e, BI_shape, 1, 1)) return error_expr(e);
    Expr *x = check_shape_only(c, e->args.data[0]);
    if (is_error(x)) return error_expr(e);
    if (x->type->kind != FT_ARRAY) return report_argument(c, x, BI_shape, "an array"), error_expr(e);
    Expr *tuple = expr_new(c->s, EX_TUPLE, e->span), *nothing = expr_new(c->s, EX_TUPLE, e->span);
    const FType *types[MAX_RANK];
    nothing->type = ftype_tuple(c->s, 0, types);
    for (int k = 0; k < x->type->rank; k++) {
        Expr *size = expr_new(c->s, EX_CALL, e->span);
        int64_t v;
        size->call = CALL_BUILTIN;
        size->builtin = BI_size;
        size->type = types[k] = ftype_scalar(c->s, DT_I64);
        size->size = x->type->dims[k];
        vec_push(c->a, &size->args, k ? nothing : x);
        if (size_is_const(size->size, &v)) set_const(c, size, (Const){.dtype = DT_I64, .i = v});
        vec_push(c->a, &tuple->args, size);
    }
    tuple->type = ftype_tuple(c->s, x->type->rank, types);
    return tuple;
}

static Expr *check_sizefn(Check *c, Expr *e, int b) {
    if (!want_count(c, e, b, 2, 2)) return error_expr(e);
    bool flex = true;
    for (int i = 0; i < 2; i++) {
        e->args.data[i] = check_value(c, e->args.data[i], NULL);
        flex &= e->args.data[i]->flex;
        e->args.data[i] = coerce_int(c, e->args.data[i], "an argument of ceildiv");
        if (is_error(e->args.data[i])) return error_expr(e);
    }
    const Expr *x = e->args.data[0], *y = e->args.data[1];
    e->type = ftype_scalar(c->s, DT_I64);
    if (y->is_const && y->lit.i == 0) report(c, y->span, E_ZERO_DIVISOR);
    fold_call(c, e, flex);
    if (!e->is_const && x->size && y->is_const && y->lit.i > 0)
        e->size = size_floordiv(c->s, size_add(c->s, x->size, size_const(c->s, y->lit.i - 1)), y->size);
    return e;
}

/* ---- linear algebra */

static Expr *check_dot(Check *c, Expr *e, int b) {
    if (!want_count(c, e, b, 2, 2)) return error_expr(e);
    e->kind = EX_BINARY;
    e->op = OPR_MATMUL;
    e->a = e->args.data[0];
    e->b = e->args.data[1];
    e->args.len = 0;
    e->call = CALL_NONE;
    e->callee = NULL;
    return check_expr(c, e, NULL);
}

static bool float_array(Check *c, Expr **x, int b, int lo, int hi) {
    const FType *t = (*x)->type;
    bool ok = t->kind == FT_ARRAY && t->rank >= lo && t->rank <= hi && type_is_num(t);
    return ok || report_argument(c, *x, b, lo == 2 ? "a matrix" : "a vector or matrix");
}

static bool make_square(Check *c, Expr **x) {
    const FType *t = (*x)->type;
    if (t->dims[0] == t->dims[1]) return true;
    if (size_differs(c->s, t->dims[0], t->dims[1]) > 0) {
        Diag *d = report(c, (*x)->span, E_NOT_SQUARE, ftype_str(c->s, t));
        note_size(c, d, t->dims[0]);
        note_size(c, d, t->dims[1]);
        return false;
    }
    const Size *dims[2] = {t->dims[0], t->dims[0]};
    *x = wrap_sizes(c, *x, ftype_array(c->s, t->elem, 2, dims), NO_SPAN);
    return true;
}

/* Rows of b as those of the square matrix a. */
static bool match_rows(Check *c, Expr *e, Expr *a, Expr **b) {
    const FType *t = (*b)->type;
    const Size *dims[2] = {a->type->dims[0], t->rank == 2 ? t->dims[1] : NULL};
    if (t->dims[0] == dims[0]) return true;
    if (size_differs(c->s, dims[0], t->dims[0]) > 0) {
        report_sizes(c, e->span, dims[0], t->dims[0], a->type, a->span, t, (*b)->span);
        return false;
    }
    *b = wrap_sizes(c, *b, ftype_array(c->s, t->elem, t->rank, dims), a->span);
    return true;
}

static const FType *linalg_type(Check *c, const Expr *e, int b) {
    const FType *t = e->args.data[0]->type;
    switch (b) {
    case BI_det: return t->elem;
    case BI_slogdet: return ftype_tuple(c->s, 2, (const FType *[]){t->elem, t->elem});
    case BI_eigh: return ftype_tuple(c->s, 2, (const FType *[]){ftype_array(c->s, t->elem, 1, t->dims), t});
    case BI_lu_square: {
        const FType *order = ftype_array(c->s, ftype_scalar(c->s, DT_I64), 1, t->dims);
        return ftype_tuple(c->s, 3, (const FType *[]){order, t, t});
    }
    default: return e->args.data[e->args.len - 1]->type;
    }
}

static Expr *linalg_complex(Check *c, Expr *e, int b) {
    DType part;
    if (!join_complex(c, e->args.data, e->args.len, e->span, quoted(c, b), &part)) return error_expr(e);
    for (int i = 0; i < e->args.len; i++) e->args.data[i] = to_complex(c, e->args.data[i], part);
    return complex_builtin(c, e, b);
}

static Expr *check_linalg(Check *c, Expr *e, int b) {
    DType d;
    int n = b == BI_solve || b == BI_trisolve ? 2 : 1;
    if (!want_count(c, e, b, n, n) || !check_args(c, e, 0)) return error_expr(e);
    Expr **args = e->args.data;
    Expr *known = has_complex(c, &e->args) ? linalg_complex(c, e, b) : NULL;
    if (known) return known;
    if (!float_array(c, &args[0], b, 2, 2) || (n == 2 && !float_array(c, &args[1], b, 1, 2))) return error_expr(e);
    if (!operands_join(c, args, n, e->span, quoted(c, b), &d)) return error_expr(e);
    if (dtype_is_int(d)) d = DT_F64;
    for (int i = 0; i < n; i++) args[i] = to_dtype(c, args[i], d);
    if (!make_square(c, &args[0]) || (n == 2 && !match_rows(c, e, args[0], &args[1]))) return error_expr(e);
    e->type = linalg_type(c, e, b);
    return e;
}

/* trisolve(l, b) with its flags as operands, all of them */
static Expr *check_trisolve(Check *c, Expr *e) {
    bool flag[TRIANGLE_FLAGS] = {0};
    if (!take_flags(c, e, flag)) return error_expr(e);
    take_axis(c, e, BI_trisolve, false);
    e = check_linalg(c, e, BI_trisolve);
    for (int k = 0; k < TRIANGLE_FLAGS && !is_error(e); k++) {
        Expr *x = expr_new(c->s, EX_BOOL, e->span);
        x->type = ftype_scalar(c->s, DT_BOOL);
        set_const(c, x, (Const){.dtype = DT_BOOL, .i = flag[k]});
        vec_push(c->a, &e->args, x);
    }
    return e;
}


/* ---- the world */

static Expr *check_print(Check *c, Expr *e) {
    not_device(c, "print", e->span);
    if (!check_args(c, e, 0)) return error_expr(e);
    for (int i = 0; i < e->args.len; i++) {
        Expr *x = e->args.data[i] = unflex(c, e->args.data[i]);
        if (x->type->kind == FT_ARRAY && is_complex(c, x->type)) e->args.data[i] = complex_text(c, x);
        if (is_error(e->args.data[i])) return error_expr(e);
    }
    e->type = &ftype_unit;
    impure(c);
    return e;
}

static Expr *text_const(Check *c, Span span, const char *text) {
    Expr *e = expr_new(c->s, EX_STR, span);
    e->type = ftype_scalar(c->s, DT_STR);
    set_const(c, e, (Const){.dtype = DT_STR, .s = intern(c->s, text)});
    return e;
}

/* The parts are loaded as an axis, and become numbers.  A part of the file is asked for with these words behind it. */
static Expr *load_complex(Check *c, Expr *e, const FType *want) {
    const Size *dims[MAX_RANK];
    bool named = e->args.len == 2;
    Expr *part = named ? call_library(c, e->span, "_c_part", 1, &e->args.data[1]) : text_const(c, e->span, ": re, im");
    for (int i = 0; i < want->rank; i++) dims[i] = want->dims[i];
    dims[want->rank] = size_const(c->s, 2);
    if (named) e->args.data[1] = check_expr(c, part, NULL);
    else vec_push(c->a, &e->args, part);
    e->type = ftype_array(c->s, ftype_scalar(c->s, complex_part(want)), want->rank + 1, dims);
    return check_expr(c, call_library(c, e->span, "_c_of_pairs", 1, &e), NULL);
}

/* A text; or a number: an array of one, whose element it is */
static Expr *load_one(Check *c, Expr *e, const FType *want) {
    const Size *one = size_const(c->s, 1);
    if (type_is_scalar(want, DT_STR)) {
        if (e->args.len == 1) vec_push(c->a, &e->args, text_const(c, e->span, ""));
        return check_expr(c, call_library(c, e->span, "_load_text", 2, e->args.data), NULL);
    }
    e->type = ftype_array(c->s, want, 1, &one);
    return check_expr(c, call_library(c, e->span, "_first", 1, &e), NULL);
}

static Expr *check_load(Check *c, Expr *e, int b, const FType *want) {
    Reason why = {.what = "the path of load"}, column = {.what = "the name of a column"};
    if (!want_count(c, e, b, 1, 2) || !check_args(c, e, 0)) return error_expr(e);
    for (int i = 0; i < e->args.len; i++) {
        e->args.data[i] = coerce(c, e->args.data[i], ftype_scalar(c->s, DT_STR), i ? &column : &why);
        if (is_error(e->args.data[i])) return error_expr(e);
    }
    not_device(c, "read a file", e->span);
    impure(c);
    if (want && want->kind == FT_ARRAY && is_complex(c, want) && want->rank < MAX_RANK)
        return load_complex(c, e, want);
    if (want && want->kind == FT_ARRAY && want->elem->kind == FT_SCALAR) {
        e->type = want;
        return e;
    }
    if (want && want->kind == FT_SCALAR) return load_one(c, e, want);
    Diag *d = report(c, e->span, E_LOAD_TYPE);
    diag_hint(c->s, d, "let x: f64[n] = load(...)   # n is new, and is the size found in the file");
    return error_expr(e);
}

static Expr *check_identity(Check *c, Expr *e, int b) {
    if (!want_count(c, e, b, 1, 1) || !check_args(c, e, 0)) return error_expr(e);
    e->args.data[0] = unflex(c, e->args.data[0]);
    e->type = e->args.data[0]->type;
    fold_call(c, e, false);
    return e;
}

/* ---- all of them */

static bool is_reduction(const Expr *e, int b, const Expr *axis) {
    return table[b].kind == BK_REDUCE || (table[b].kind == BK_MINMAX && (e->args.len == 1 || axis));
}

Expr *check_builtin(Check *c, Expr *e, int b, const FType *want) {
    bool has_axis = table[b].kind == BK_REDUCE || table[b].kind == BK_MINMAX || table[b].kind == BK_MEAN ||
                    b == BI_size;
    if (table[b].kind == BK_GRAD) return e->call = CALL_BUILTIN, e->builtin = b, check_grad(c, e);
    e->call = CALL_BUILTIN;
    e->builtin = b;
    if (b == BI_trisolve) return check_trisolve(c, e);
    const Expr *keep = has_axis && b != BI_size ? take_keep(e) : NULL;
    Expr *axis = take_axis(c, e, b, has_axis || table[b].kind == BK_SCAN);
    if (keep || (axis && axis->kind == EX_TUPLE && b != BI_size)) return check_axes(c, e, b, axis, keep);
    if (is_reduction(e, b, axis)) return check_reduce(c, e, b, axis);
    switch (table[b].kind) {
    case BK_ELEM: case BK_ELEM_FLOAT: return check_elem(c, e, b);
    case BK_MINMAX: return e->args.len ? check_minmax(c, e, b) : (report_count(c, e, b, "at least 1"), error_expr(e));
    case BK_MEAN: return check_mean(c, e, axis, want);
    case BK_WHERE: return check_where(c, e, b);
    case BK_FOLD: return b == BI_reduce ? check_fold_reduce(c, e, b) : check_scan(c, e, b);
    case BK_SCAN: return check_cumsum(c, e, b, axis);
    case BK_LIMIT: return check_limit(c, e, b);
    case BK_SHAPE:
        if (b == BI_zeros || b == BI_ones) return check_zeros(c, e, b);
        return b == BI_full      ? check_full(c, e, b, want)
               : b == BI_reshape ? check_reshape(c, e, b)
                                 : check_transpose(c, e, b);
    case BK_SIZE: return b == BI_shape ? check_shape(c, e) : check_size(c, e, b, axis);
    case BK_DOT: return check_dot(c, e, b);
    case BK_LINALG: return check_linalg(c, e, b);
    case BK_PRINT: return check_print(c, e);
    case BK_LOAD: return check_load(c, e, b, want);
    case BK_SIZEFN: return check_sizefn(c, e, b);
    case BK_IDENTITY: return check_identity(c, e, b);
    case BK_PARTS: return check_parts_call(c, e, b);
    case BK_REDUCE: case BK_GRAD: break;
    }
    bug("builtin %s", table[b].name);
}

Expr *builtin_as_lambda(Check *c, Expr *e, int b) {
    BuiltinKind k = table[b].kind;
    int n = k == BK_MINMAX || k == BK_SIZEFN || k == BK_DOT ? 2 : k == BK_ELEM_FLOAT ? arity_float(b) : 1;
    bool can = k == BK_ELEM || k == BK_ELEM_FLOAT || k == BK_MINMAX || k == BK_SIZEFN || k == BK_REDUCE ||
               k == BK_MEAN || k == BK_IDENTITY || k == BK_DOT || k == BK_SIZE || (k == BK_PARTS && b == BI_flatten);
    if (!can) {
        diag_hint(c->s, report(c, e->span, E_FUNCTION_AS_VALUE, e->name), "wrap it: fn(x) => %s(x)", e->name);
        return error_expr(e);
    }
    Expr *lambda = expr_new(c->s, EX_LAMBDA, e->span), *args[3];
    for (int i = 0; i < n; i++) {
        Param p = {.name = intern_printf(c->s, "%c", "abc"[i]), .span = e->span};
        args[i] = expr_name(c->s, e->span, p.name);
        vec_push(c->a, &lambda->params, p);
    }
    lambda->a = call_of(c, e->span, expr_name(c->s, e->span, e->name), n, args);
    lambda->name = e->name;
    return check_expr(c, lambda, NULL);
}
