/* Complex numbers.  c64 and c128 are structs of the library (stdlib/complex.dsl), pairs of f32 or f64, so that what
 * comes behind the checker knows only these.  Operators and elementary functions of them become calls of the library's
 * functions whose names begin with _c_; of arrays these are called for each element (check_each.c). */
#include "frontend/check.h"

/* ---- types */

/* NULL: the program has none of this type, or not yet */
Decl *complex_decl(const Check *c, DType part) {
    const Global *g = map_get(&c->std->own, part == DT_F32 ? c->n_c64 : c->n_c128);
    return g ? g->decl : NULL;
}

bool complex_struct(const Check *c, const Decl *d, DType *part) {
    for (int i = 0; i < 2; i++)
        if (d && d == complex_decl(c, *part = i ? DT_F32 : DT_F64)) return true;
    return false;
}

bool is_complex(const Check *c, const FType *t) {
    DType part;
    t = elem_of(t);
    return t->kind == FT_STRUCT && complex_struct(c, t->decl, &part);
}

DType complex_part(const FType *t) { return elem_of(t)->fields[0]->dtype; }

const FType *complex_type(Check *c, DType part) {
    library_find(c, c->n_c128);
    Decl *d = complex_decl(c, part);
    return d ? struct_type(c, d, NULL, NO_SPAN) : &ftype_error;
}

static DType part_of(const Check *c, const FType *t) { return is_complex(c, t) ? complex_part(t) : elem_of(t)->dtype; }

/* 2im, -2im, 1 + 2im: takes the type that its context asks for */
bool complex_literal(const Check *c, const Expr *e) {
    return e->kind == EX_CALL && !e->callee && e->call == CALL_STRUCT && is_complex(c, e->type);
}

static bool is_open(const Check *c, const Expr *e) { return e->flex || complex_literal(c, e); }

bool fits_complex(const Check *c, const FType *from, const Expr *e, const FType *to) {
    if (!is_complex(c, to) || from->rank != to->rank) return false;
    DType part = complex_part(to);
    if (is_complex(c, from)) return (e && complex_literal(c, e)) || dtype_widens(complex_part(from), part);
    return type_is_num(from) && ((e && flex_fits(e, part)) || dtype_widens(elem_of(from)->dtype, part));
}

/* ---- making them */

/* The library's function, of each element where arguments are arrays */
static Expr *call_elements(Check *c, Span at, const char *name, int n, Expr *const *args) {
    Expr *e = call_library(c, at, name, n, args), *each = check_each(c, e, named_global(c, e->callee)->decl);
    return each ? each : check_expr(c, e, NULL);
}

/* Each part is the number that is written at its place */
static Expr *literal(Check *c, Span at, const Span *places, double re, double im, DType part) {
    const double v[2] = {re, im};
    Expr *e = expr_new(c->s, EX_CALL, at);
    e->call = CALL_STRUCT;
    e->type = complex_type(c, part);
    for (int i = 0; i < 2; i++) {
        Expr *x = expr_new(c->s, EX_FLOAT, places[i]);
        x->type = ftype_scalar(c->s, part);
        set_const(c, x, const_cast((Const){.dtype = DT_F64, .f = v[i]}, part));
        vec_push(c->a, &e->args, x);
    }
    return e;
}

static double real_value(const Expr *e) { return dtype_is_float(e->lit.dtype) ? e->lit.f : (double)e->lit.i; }

static double part_value(const Expr *e, int i) { return real_value(e->args.data[i]); }

/* e, which is one, as another: each part times `by` */
static Expr *literal_again(Check *c, const Expr *e, Span at, double by, DType part) {
    const Span places[] = {e->args.data[0]->span, e->args.data[1]->span};
    return literal(c, at, places, by * part_value(e, 0), by * part_value(e, 1), part);
}

Expr *check_imaginary(Check *c, Expr *e) {
    if (complex_type(c, DT_F64)->kind == FT_ERROR)
        return report_unknown_name(c, e->span, intern(c->s, "c128"), NAME_READ), error_expr(e);
    return literal_again(c, e, e->span, 1, DT_F64);
}

Expr *to_complex(Check *c, Expr *e, DType part) {
    if (complex_literal(c, e)) return literal_again(c, e, e->span, 1, part);
    if (is_complex(c, e->type) && complex_part(e->type) == part) return e;
    if (!is_complex(c, e->type)) e = to_dtype(c, e, part);
    return call_elements(c, e->span, part == DT_F32 ? "_c_to_c64" : "_c_to_c128", 1, &e);
}

static const FType *real_of(Check *c, const FType *t) { return ftype_scalar(c->s, part_of(c, t)); }

bool join_complex(Check *c, Expr **v, int n, Span at, const char *what, DType *part) {
    ExprVec parts = {0};
    bool fixed = false;
    for (int i = 0; i < n; i++) fixed |= !is_open(c, v[i]);
    for (int i = 0; i < n; i++) {
        if (!is_complex(c, v[i]->type)) {
            vec_push(c->a, &parts, v[i]);
            continue;
        }
        if (complex_literal(c, v[i]) && fixed) continue;
        Expr *one = expr_new(c->s, EX_NAME, v[i]->span);
        one->type = real_of(c, v[i]->type);
        vec_push(c->a, &parts, one);
    }
    if (!values_join(c, parts.data, parts.len, at, what, part)) return false;
    if (*part != DT_F32) *part = *part == DT_F16 || *part == DT_BF16 ? DT_F32 : DT_F64;
    return true;
}

/* The arguments in the places of the fields; false after reporting */
static bool order_parts(Check *c, const Expr *e, const char *name, Expr **parts) {
    static const char *const fields[] = {"re", "im"};
    for (int i = 0; i < e->args.len; i++) {
        const char *given = i < e->arg_names.len ? e->arg_names.data[i] : NULL;
        int k = given ? 0 : i;
        while (given && k < 2 && given != intern(c->s, fields[k])) k++;
        if (k > 1 || parts[k])
            return report(c, e->span, E_ARGUMENT_COUNT, name, "re and im", e->args.len), false;
        parts[k] = e->args.data[i];
    }
    return true;
}

/* What is no number, nor a complex one that stands alone */
static const Expr *no_part(Check *c, Expr *const *parts) {
    for (int i = 0; i < 2; i++)
        if (parts[i] && !type_is_num(parts[i]->type) && (parts[1] || !is_complex(c, parts[i]->type))) return parts[i];
    return NULL;
}

Expr *check_complex_struct(Check *c, Expr *e, DType part) {
    const char *name = part == DT_F32 ? "c64" : "c128";
    Expr *parts[2] = {NULL, NULL};
    Shape sh;
    if (!order_parts(c, e, name, parts)) return error_expr(e);
    const Expr *bad = no_part(c, parts);
    if (!parts[0] || bad) {
        report(c, e->span, E_ARGUMENT_TYPE, name, "numbers", parts[0] ? ftype_str(c->s, bad->type) : "nothing");
        return error_expr(e);
    }
    if (!parts[1]) return to_complex(c, parts[0], part);
    for (int i = 0; i < 2; i++) parts[i] = to_dtype(c, parts[i], part);
    if (!operands_broadcast(c, parts, 2, e->span, &sh)) return error_expr(e);
    e->args.len = e->arg_names.len = 0;
    for (int i = 0; i < 2; i++) vec_push(c->a, &e->args, parts[i]);
    e->call = CALL_STRUCT;
    e->each = sh.rank > 0;
    e->type = shape_type(c, complex_type(c, part), &sh);
    return e;
}

/* ---- operators */

static const char *function_of(Opr op) {
    switch (op) {
    case OPR_ADD: return "_c_add";
    case OPR_SUB: return "_c_sub";
    case OPR_MUL: return "_c_mul";
    case OPR_DIV: return "_c_div";
    case OPR_EQ: return "_c_eq";
    case OPR_NE: return "_c_ne";
    case OPR_POW: return "_c_pow";
    case OPR_MATMUL: return "_c_matmul";
    default: return NULL;
    }
}

/* 1 + 2im, 1 - 2im of literals stay one; NULL: it is nothing of the kind */
static Expr *fold_literals(Check *c, const Expr *e) {
    const Expr *v[2] = {e->a, e->b};
    double re[2], im[2];
    Span places[2] = {e->span, e->span};
    for (int i = 0; i < 2; i++) {
        bool both = complex_literal(c, v[i]);
        if (!both && !(v[i]->flex && v[i]->is_const)) return NULL;
        re[i] = both ? part_value(v[i], 0) : real_value(v[i]);
        im[i] = both ? part_value(v[i], 1) : 0;
        if (re[i] != 0) places[0] = both ? v[i]->args.data[0]->span : v[i]->span;
        if (im[i] != 0) places[1] = v[i]->args.data[1]->span;
    }
    if (e->op == OPR_ADD) return literal(c, e->span, places, re[0] + re[1], im[0] + im[1], DT_F64);
    if (e->op == OPR_SUB) return literal(c, e->span, places, re[0] - re[1], im[0] - im[1], DT_F64);
    return NULL;
}

static Expr *report_operation(Check *c, Expr *e) {
    const Expr *side = is_complex(c, e->a->type) ? e->a : e->b;
    Diag *d = report(c, side->span, E_NOT_NUMBER, intern_printf(c->s, "'%s'", opr_str(e->op)),
                     ftype_str(c->s, side->type));
    bool order = e->op >= OPR_LT && e->op <= OPR_GE;
    diag_hint(c->s, d,
              order ? "complex numbers have no order: compare abs(z), z.re or z.im"
                    : "of complex numbers there are + - * / ^ @ == and !=");
    return error_expr(e);
}

/* z^k of ints is a product, other powers are exp(w log z) */
static Expr *complex_power(Check *c, Expr *e, DType part, bool whole) {
    Expr *v[2] = {to_complex(c, e->a, part), whole ? to_dtype(c, e->b, DT_I64) : to_complex(c, e->b, part)};
    return call_elements(c, e->span, whole ? "_c_powi" : "_c_pow", 2, v);
}

static bool known_sides(Check *c, Expr *e) {
    Expr *v[2] = {e->a, e->b};
    for (int i = 0; i < 2; i++)
        if (!is_complex(c, v[i]->type) && !type_is_num(v[i]->type)) {
            report(c, v[i]->span, E_NOT_NUMBER, intern_printf(c->s, "'%s'", opr_str(e->op)),
                   ftype_str(c->s, v[i]->type));
            return false;
        }
    return true;
}

Expr *check_complex_binary(Check *c, Expr *e) {
    DType part;
    Expr *v[2] = {e->a, e->b}, *known = fold_literals(c, e);
    if (known) return known;
    if (!function_of(e->op)) return report_operation(c, e);
    if (!known_sides(c, e)) return error_expr(e);
    bool int_power = e->op == OPR_POW && type_is_num(v[1]->type) && dtype_is_int(elem_of(v[1]->type)->dtype);
    if (!join_complex(c, v, int_power ? 1 : 2, e->span, intern_printf(c->s, "'%s'", opr_str(e->op)), &part))
        return error_expr(e);
    if (e->op == OPR_POW) return complex_power(c, e, part, int_power);
    bool arithmetic = e->op >= OPR_ADD && e->op <= OPR_DIV;
    for (int i = 0; i < 2; i++)
        v[i] = is_complex(c, v[i]->type) || !arithmetic ? to_complex(c, v[i], part) : to_dtype(c, v[i], part);
    if (e->op == OPR_MATMUL) return check_expr(c, call_library(c, e->span, function_of(e->op), 2, v), NULL);
    return call_elements(c, e->span, function_of(e->op), 2, v);
}

Expr *check_complex_unary(Check *c, Expr *e) {
    if (complex_literal(c, e->a)) return literal_again(c, e->a, e->span, -1, DT_F64);
    return call_elements(c, e->span, "_c_neg", 1, &e->a);
}

/* ---- functions */

bool has_complex(const Check *c, const ExprVec *args) {
    for (int i = 0; i < args->len; i++)
        if (args->data[i]->type && is_complex(c, args->data[i]->type)) return true;
    return false;
}

Expr *complex_builtin(Check *c, Expr *e, int b) {
    const char *name = intern_printf(c->s, "_c_%s", builtin_info(b)->name);
    if (!map_has(&c->std->own, name)) return NULL;
    BuiltinKind kind = builtin_info(b)->kind;
    if (kind == BK_ELEM || kind == BK_ELEM_FLOAT || kind == BK_WHERE)
        return call_elements(c, e->span, name, e->args.len, e->args.data);
    return check_expr(c, call_library(c, e->span, name, e->args.len, e->args.data), NULL);
}

static Expr *sum_of_part(Check *c, Span at, const char *x, const char *field, Expr *axis) {
    Expr *part = expr_field(c->s, expr_name(c->s, at, x), intern(c->s, field));
    return call_builtin(c, at, BI_sum, 2, (Expr *[]){part, expr_clone(c->s, axis)});
}

/* (fn(z) => c128(sum(z.re, axis), sum(z.im, axis)))(x) */
static Expr *sum_along(Check *c, Expr *x, Expr *axis) {
    Span at = x->span;
    Param p = {.name = intern(c->s, "z.all"), .span = at};
    Expr *fn = expr_new(c->s, EX_LAMBDA, at);
    Expr *parts[2] = {sum_of_part(c, at, p.name, "re", axis), sum_of_part(c, at, p.name, "im", axis)};
    fn->a = call_library(c, at, complex_part(x->type) == DT_F32 ? "c64" : "c128", 2, parts);
    vec_push(c->a, &fn->params, p);
    return check_expr(c, call_of(c, at, fn, 1, &x), NULL);
}

/* The library has a function for each axis; NULL: none for so many */
static Expr *prod_along(Check *c, Expr *x, Expr *axis) {
    static const char *const names[3][3] = {
        {"_c_prod"}, {"_c_prod_down", "_c_prod_along"}, {"_c_prod_first", "_c_prod_second", "_c_prod_third"}};
    if (x->type->rank > 3) return NULL;
    int k = check_axis(c, &axis, x->type);
    if (k < 0) return error_expr(x);
    return check_expr(c, call_library(c, x->span, names[x->type->rank - 1][k], 1, &x), NULL);
}

Expr *complex_reduce(Check *c, Expr *e, int b, Expr *axis) {
    Expr *x = e->args.data[0];
    if (axis && b == BI_sum) return sum_along(c, x, axis);
    if (axis && b == BI_prod) return prod_along(c, x, axis);
    if (axis || (b != BI_sum && b != BI_prod)) return NULL;
    Expr *f = library_name(c, e->span, b == BI_sum ? "_c_add" : "_c_mul");
    const Span places[] = {e->span, e->span};
    Expr *args[] = {f, literal(c, e->span, places, b == BI_prod, 0, complex_part(x->type)), x};
    return check_expr(c, call_builtin(c, e->span, BI_reduce, 3, args), NULL);
}

Expr *complex_text(Check *c, Expr *e) { return check_expr(c, call_library(c, e->span, "_c_text", 1, &e), NULL); }
