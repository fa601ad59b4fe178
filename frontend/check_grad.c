/* Derivatives: grad(f), value_and_grad(f), jvp(f), vjp(f) are functions of what f is a function of, the last two of a
 * direction as well.
 *
 * grad(f) is the lambda fn(x, ..) => grad of the call f(x, ..), where the checker's own call `grad` holds the call of f
 * as args[0], and the direction, if it takes one, as args[1].  Behind it stand the numbers of the call's arguments that
 * are differentiated, as int literals: all floats, or those that wrt=.. names.  jacobian, hessian and hvp are made of
 * these. */
#include "frontend/check.h"

#include <string.h>

/* ---- the function */

static void push_named(Check *c, Expr *call, const char *name) {
    vec_push(c->a, &call->args, expr_name(c->s, call->span, intern(c->s, name)));
    vec_push(c->a, &call->arg_names, (const char *)NULL);
}

static const ParamVec *param_list(const FType *f) { return f->lambda ? &f->lambda->params : &f->decl->params; }

static const char *label_of(const Param *p) { return p->label ? p->label : p->name; }

/* The place of the parameter that the user calls so; -1: none */
static int param_called(const ParamVec *params, const char *label) {
    for (int i = 0; i < params->len; i++)
        if (label_of(&params->data[i]) == label) return i;
    return -1;
}

static bool takes_direction(int builtin) { return builtin == BI_jvp || builtin == BI_vjp || builtin == BI_hvp; }

/* fn(x.0, .., [d]) => ?, with the call of f on these in *call */
static Expr *derivative_lambda(Check *c, const Expr *e, Expr *f, const FType *type, bool direction, Expr **call) {
    Expr *lambda = expr_new(c->s, EX_LAMBDA, e->span);
    int n = param_list(type)->len;
    *call = expr_new(c->s, EX_CALL, f->span);
    (*call)->callee = f;
    for (int i = 0; i < n + direction; i++) {
        Param p = {.name = i < n ? intern_printf(c->s, "x.%d", i) : intern(c->s, "d."), .span = f->span};
        if (i < n) p.label = label_of(&param_list(type)->data[i]);
        vec_push(c->a, &lambda->params, p);
        if (i < n) push_named(c, *call, p.name);
    }
    lambda->derives = type->lambda ? type->lambda->derives : type->decl;
    return lambda;
}

static bool report_wrt(Check *c, Expr *at, int builtin) {
    at = check_expr(c, at, NULL);
    return !is_error(at) && report_argument(c, at, builtin, "names of parameters: wrt=x, wrt=(x, y)");
}

/* wrt=x or wrt=(x, y): names of parameters; false after reporting */
static bool take_wrt(Check *c, Expr *e, NameVec *names) {
    for (int i = 0; i < e->arg_names.len; i++) {
        const char *name = e->arg_names.data[i];
        if (!name) continue;
        Expr *x = e->args.data[i];
        if (strcmp(name, "wrt")) {
            Diag *d = report(c, arg_name_span(c, x, name), E_NO_PARAMETER, builtin_info(e->builtin)->name, name);
            diag_hint(c->s, d, "%s", builtin_info(e->builtin)->doc);
            return false;
        }
        int n = x->kind == EX_TUPLE ? x->args.len : 1;
        for (int k = 0; k < n; k++) {
            Expr *one = x->kind == EX_TUPLE ? x->args.data[k] : x;
            if (one->kind != EX_NAME) return report_wrt(c, one, e->builtin);
            vec_push(c->a, names, one->name);
        }
        take_arg(e, i--);
    }
    return true;
}

/* The checker's own call of e's builtin on the call of f */
static Expr *own_call(Check *c, const Expr *e, int builtin, Expr *call, const NameVec *wrt) {
    Expr *own = expr_new(c->s, EX_CALL, e->span);
    own->builtin = builtin;
    vec_push(c->a, &own->args, call);
    vec_push(c->a, &own->arg_names, (const char *)NULL);
    if (takes_direction(builtin)) push_named(c, own, "d.");
    for (int i = 0; i < wrt->len; i++) vec_push(c->a, &own->arg_names, wrt->data[i]);
    return own;
}

/* grad(f, wrt=x) for the derivative written at `at` */
static const char *with_wrt(Check *c, Span at, const char *name) {
    const char *text = source_copy(c->s, at);
    int n = (int)strlen(text);
    if (at.file < 0 || !n || text[n - 1] != ')') return intern_printf(c->s, "grad(f, wrt=%s)", name);
    return intern_printf(c->s, "%.*s, wrt=%s)", n - 1, text, name);
}

/* The first parameter that is not declared to be an int or the like, else the first */
static const char *likely_parameter(const ParamVec *params) {
    for (int i = 0; i < params->len; i++) {
        const TypeExpr *t = params->data[i].type;
        DType d;
        while (t && t->kind == TX_ARRAY) t = t->elem;
        if (!t || t->kind != TX_NAME || (strcmp(t->name, "int") && (!dtype_find(t->name, &d) || dtype_is_float(d))))
            return label_of(&params->data[i]);
    }
    return label_of(&params->data[0]);
}

/* The place of the parameter of f that is meant, by its name or the only one; -1 after reporting */
static int one_parameter(Check *c, const Expr *e, const FType *f, const NameVec *wrt) {
    const ParamVec *params = param_list(f);
    int named = wrt->len == 1 ? param_called(params, wrt->data[0]) : -1;
    if (named >= 0) return named;
    if (!wrt->len && params->len == 1) return 0;
    if (wrt->len == 1) {
        report(c, e->span, E_GRAD_NO_PARAMETER, wrt->data[0]);
        return -1;
    }
    Diag *d = report(c, e->span, E_GRAD_ONE_PARAMETER, builtin_info(e->builtin)->name,
                     wrt->len ? "this names several" : "this function has several");
    if (!wrt->len && params->len)
        diag_hint(c->s, d, "by one of them: %s", with_wrt(c, e->span, likely_parameter(params)));
    return -1;
}

/* fn(x.0, .., x.n) => jacobian of f(x.0, .., x.n) by x.k, and the hessian as that of its gradient */
static Expr *of_one_parameter(Check *c, const Expr *e, Expr *f, const FType *type, const NameVec *wrt) {
    int k = one_parameter(c, e, type, wrt);
    if (k < 0) return NULL;
    Expr *call, *lambda = derivative_lambda(c, e, f, type, false, &call);
    NameVec names = {0}, place = {0};
    vec_push(c->a, &names, label_of(&param_list(type)->data[k]));
    vec_push(c->a, &place, lambda->params.data[k].name);
    if (e->builtin == BI_hessian) {
        lambda->a = own_call(c, e, BI_grad, call, &names);
        Expr *slope = lambda;
        lambda = derivative_lambda(c, e, slope, type, false, &call);
    }
    lambda->a = own_call(c, e, BI_jacobian, call, e->builtin == BI_hessian ? &place : &names);
    return lambda;
}

/* fn(x.0, .., d) => hvp of the call (fn(x.0, ..) => grad of f(x.0, ..))(x.0, ..) */
static Expr *product_of_hessian(Check *c, const Expr *e, Expr *f, const FType *type, const NameVec *wrt) {
    Expr *call, *inner, *slope = derivative_lambda(c, e, f, type, false, &inner);
    NameVec places = {0};
    slope->a = own_call(c, e, BI_grad, inner, wrt);
    for (int i = 0; i < wrt->len; i++) {
        int k = param_called(param_list(type), wrt->data[i]);
        if (k >= 0) vec_push(c->a, &places, slope->params.data[k].name);
    }
    if (places.len != wrt->len) return report(c, e->span, E_GRAD_NO_PARAMETER, wrt->data[0]), NULL;
    Expr *lambda = derivative_lambda(c, e, slope, type, true, &call);
    lambda->a = own_call(c, e, BI_hvp, call, &places);
    return lambda;
}

/* What e is of f, as a function; NULL: reported */
static Expr *made_of(Check *c, const Expr *e, Expr *f, const FType *type, const NameVec *wrt) {
    Expr *call, *lambda;
    if (e->builtin == BI_jacobian || e->builtin == BI_hessian) return of_one_parameter(c, e, f, type, wrt);
    if (e->builtin == BI_hvp) return product_of_hessian(c, e, f, type, wrt);
    lambda = derivative_lambda(c, e, f, type, takes_direction(e->builtin), &call);
    lambda->a = own_call(c, e, e->builtin, call, wrt);
    return lambda;
}

static Expr *check_gradient_of(Check *c, Expr *e) {
    NameVec wrt = {0};
    if (!take_wrt(c, e, &wrt)) return error_expr(e);
    if (!want_count(c, e, e->builtin, 1, 1)) return error_expr(e);
    Expr *written = expr_clone(c->s, e->args.data[0]), *f = check_expr(c, e->args.data[0], NULL);
    if (is_error(f)) return error_expr(e);
    if (f->type->kind != FT_FUNC || (f->type->decl && f->type->decl->kind == DECL_KERNEL)) {
        Diag *d = report(c, f->span, E_GRAD_OF, builtin_info(e->builtin)->name);
        if (f->type->kind == FT_FUNC)
            diag_hint(c->s, d, "kernels are differentiated in a function that launches them and gives a number");
        else
            diag_hint(c->s, d, "the argument is the function alone: %s(f)(x), not %s(f(x))",
                      builtin_info(e->builtin)->name, builtin_info(e->builtin)->name);
        return error_expr(e);
    }
    bool builtin = f->kind == EX_LAMBDA && written->kind == EX_NAME;
    Expr *made = made_of(c, e, builtin ? expr_clone(c->s, f) : written, f->type, &wrt);
    return made ? check_expr(c, made, NULL) : error_expr(e);
}

/* ---- its call */

typedef VEC(int) IntVec;

bool has_floats(const FType *t) {
    if (t->kind == FT_SCALAR) return dtype_is_float(t->dtype);
    if (t->kind == FT_ARRAY) return has_floats(t->elem);
    for (int i = 0; i < t->nfields && (t->kind == FT_TUPLE || t->kind == FT_STRUCT); i++)
        if (has_floats(t->fields[i])) return true;
    return false;
}

/* Whether t is what e differentiates: one float for gradients, anything with floats else */
static bool result_fits(const Expr *e, const FType *t) {
    if (e->builtin != BI_grad && e->builtin != BI_value_and_grad) return has_floats(t);
    return t->kind == FT_SCALAR && dtype_is_float(t->dtype);
}

/* by: what the derivatives are by, of jacobians */
static Expr *report_result(Check *c, Expr *e, const Expr *call, const Expr *by) {
    const char *name = builtin_info(e->builtin)->name;
    bool number = e->builtin == BI_grad || e->builtin == BI_value_and_grad;
    Diag *d = report(c, e->span, E_GRAD_RESULT, name,
                     number                      ? "gives one float"
                     : e->builtin == BI_jacobian ? "takes and gives a float or an array of at most 2 axes"
                                                 : "gives floats",
                     ftype_str(c->s, call->type));
    if (call->inst && call->inst->decl)
        diag_note(c->s, d, call->inst->decl->name_span, "'%s' is defined here", call->inst->decl->name);
    if (by && hint_flatten(c, d, by, true)) return error_expr(e);
    if (by && holds_floats(c, call)) diag_hint(c->s, d, "fn(x) => flatten(f(x)) gives an array of its floats");
    if (call->type->kind == FT_ARRAY && has_floats(call->type))
        diag_hint(c->s, d, "the gradient of a sum, say: %s(fn(x) => sum(f(x))); of all elements: jacobian(f)", name);
    return error_expr(e);
}

/* The place among the arguments of the call of what wrt calls so; -1: none */
static int param_named(const Inst *inst, const char *label) {
    int at = inst->lambda ? param_called(&inst->lambda->params, label) : -1;
    const char *name = at < 0 ? label : inst->lambda->params.data[at].name;
    for (int i = 0; i < inst->params.len; i++)
        if (inst->params.data[i]->name == name) return i;
    return -1;
}

/* Which arguments of the call are meant; false after reporting */
static bool choose_arguments(Check *c, Expr *e, const Expr *call, int written, IntVec *out) {
    for (int i = 0; i < e->arg_names.len; i++) {
        if (!e->arg_names.data[i]) continue;
        int k = param_named(call->inst, e->arg_names.data[i]);
        if (k < 0 || k >= written || !has_floats(call->args.data[k]->type)) {
            report(c, e->span, k < 0 ? E_GRAD_NO_PARAMETER : E_GRAD_PARAMETER, e->arg_names.data[i]);
            return false;
        }
        vec_push(c->a, out, k);
    }
    for (int i = 0; e->arg_names.len == e->args.len && i < written; i++)
        if (has_floats(call->args.data[i]->type)) vec_push(c->a, out, i);
    if (out->len) return true;
    report(c, e->span, E_GRAD_NO_FLOATS, builtin_info(e->builtin)->name);
    return false;
}

/* The type of the gradient; the numbers of the arguments become arguments of e */
static const FType *gradient_type(Check *c, Expr *e, const Expr *call, const IntVec *chosen) {
    const FType **types = NEWN(c->a, const FType *, chosen->len + 1);
    for (int i = 0; i < chosen->len; i++) {
        Expr *at = expr_new(c->s, EX_INT, e->span);
        at->lit.i = chosen->data[i];
        at->type = ftype_scalar(c->s, DT_I64);
        vec_push(c->a, &e->args, at);
        types[i] = call->args.data[chosen->data[i]]->type;
    }
    return chosen->len == 1 ? types[0] : ftype_tuple(c->s, chosen->len, types);
}

/* Directions are like what they change: that of jvp like the arguments, that of vjp like the value. */
static bool check_direction(Check *c, Expr *e, const FType *grad, const FType *value) {
    const FType *want = e->builtin == BI_vjp ? value : grad;
    Reason why = {.what = intern_printf(c->s, "the last argument of %s(f)", builtin_info(e->builtin)->name)};
    Expr *d = e->args.data[1] = check_value(c, e->args.data[1], want);
    if (!is_error(d)) d = e->args.data[1] = coerce(c, d, want, &why);
    return !is_error(d);
}

/* ---- jacobians: gradients of numbers, changes along a number; of arrays by arrays the library's, a column at a time
 */

static int rank_of(const FType *t) {
    return t->kind == FT_ARRAY ? t->rank : t->kind == FT_SCALAR && dtype_is_float(t->dtype) ? 0 : -1;
}

static Expr *in_columns(Check *c, const Expr *e, Expr *call, int k, int of, int by) {
    Expr *f = expr_new(c->s, EX_LAMBDA, e->span), *x = call->args.data[k];
    Param p = {.name = intern(c->s, "y."), .span = e->span};
    vec_push(c->a, &f->params, p);
    call->args.data[k] = expr_name(c->s, e->span, p.name);
    f->a = call;
    return call_library(c, e->span, intern_printf(c->s, "_jacobian_%d_%d", of, by), 2, (Expr *[]){f, x});
}

static Expr *check_jacobian_at(Check *c, Expr *e) {
    Expr *written = expr_clone(c->s, e->args.data[0]), *call = check_value(c, e->args.data[0], NULL);
    if (is_error(call)) return error_expr(e);
    if (call->kind != EX_CALL || call->call != CALL_FN)
        return report(c, e->span, E_GRAD_OF, builtin_info(e->builtin)->name), error_expr(e);
    IntVec chosen = {0};
    if (!choose_arguments(c, e, call, written->args.len, &chosen)) return error_expr(e);
    int k = chosen.data[0], of = rank_of(call->type), by = rank_of(call->args.data[k]->type);
    if (of < 0 || by < 0 || of > 2 || by > 2) return report_result(c, e, call, call->args.data[k]);
    if (of && by) return check_expr(c, in_columns(c, e, written, k, of, by), NULL);
    Expr *own = own_call(c, e, of ? BI_hvp : BI_grad, written, &(NameVec){0});
    vec_push(c->a, &own->arg_names, e->arg_names.data[e->arg_names.len - 1]);
    if (!of) return check_expr(c, own, NULL);
    Expr *one = own->args.data[1] = expr_new(c->s, EX_FLOAT, e->span);
    one->lit = (Const){.dtype = DT_F64, .f = 1};
    return check_expr(c, own, NULL);
}

static Expr *check_gradient_at(Check *c, Expr *e) {
    Expr *call = e->args.data[0];
    if (e->builtin == BI_jacobian) return check_jacobian_at(c, e);
    int written = call->args.len;
    call = e->args.data[0] = check_value(c, call, NULL);
    if (is_error(call)) return error_expr(e);
    if (call->kind != EX_CALL || (call->call != CALL_FN && call->call != CALL_EXTERN))
        return report(c, e->span, E_GRAD_OF, builtin_info(e->builtin)->name), error_expr(e);
    if (!result_fits(e, call->type)) return report_result(c, e, call, NULL);
    if (written > call->args.len) written = call->args.len;
    IntVec chosen = {0};
    if (!choose_arguments(c, e, call, written, &chosen)) return error_expr(e);
    const FType *grad = gradient_type(c, e, call, &chosen),
                *both[2] = {call->type, e->builtin == BI_jvp ? call->type : grad};
    if (takes_direction(e->builtin) && !check_direction(c, e, grad, call->type)) return error_expr(e);
    e->arg_names.len = 0;
    e->type = e->builtin == BI_grad ? grad : e->builtin == BI_hvp ? call->type : ftype_tuple(c->s, 2, both);
    not_device(c, "take derivatives", e->span);
    return e;
}

/* The name of the first argument of the call that has floats; NULL: there is none */
static const char *label_with_floats(const Expr *e) {
    const ParamVec *params = &e->callee->params;
    for (int i = 0; i < params->len && i < e->args.len; i++)
        if (has_floats(e->args.data[i]->type)) return label_of(&params->data[i]);
    return NULL;
}

bool hint_gradient_parts(Check *c, Diag *d, const Expr *e) {
    enum { LONG_ARGUMENTS = 40 };
    bool call = e->kind == EX_CALL && e->callee && e->callee->kind == EX_LAMBDA && e->callee->derives;
    const Expr *own = call ? e->callee->a : NULL;
    if (!own || own->builtin != BI_grad || e->type->kind != FT_TUPLE || e->span.file < 0) return false;
    Span of = e->callee->span;
    if (of.file != e->span.file || of.lo != e->span.lo || of.hi > e->span.hi) return false;
    const char *args = source_copy(c->s, e->span) + (of.hi - of.lo);
    const char *first = label_with_floats(e);
    bool shown = strlen(args) <= LONG_ARGUMENTS && !strchr(args, '\n');
    if (!first || strncmp(args, "(", 1)) return false;
    diag_hint(c->s, d, "this has a part for each parameter; that by one alone is %s%s",
              with_wrt(c, e->callee->span, first), shown ? args : "(...)");
    return true;
}

Expr *check_grad(Check *c, Expr *e) { return e->callee ? check_gradient_of(c, e) : check_gradient_at(c, e); }
