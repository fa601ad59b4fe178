/* Derivatives: grad(f) and value_and_grad(f) are functions of what f is a function of.
 *
 * grad(f) is the lambda fn(x, ..) => grad of the call f(x, ..), where the checker's own call `grad` holds the call of f
 * as args[0].  Behind it stand the numbers of the call's arguments that are differentiated, as int literals: all floats, or
 * those that wrt=.. names. */
#include "frontend/check.h"

#include <string.h>

/* ---- the function */

static Expr *named(Check *c, const char *name, Span at) {
    Expr *e = expr_new(c->s, EX_NAME, at);
    e->name = name;
    return e;
}

static int count_params(const FType *f) { return f->lambda ? f->lambda->params.len : f->decl->params.len; }

static Expr *gradient_lambda(Check *c, Expr *e, Expr *f, int n, const NameVec *wrt) {
    Expr *lambda = expr_new(c->s, EX_LAMBDA, e->span), *grad = expr_new(c->s, EX_CALL, e->span), *call = expr_new(c->s, EX_CALL, f->span);
    call->callee = f;
    for (int i = 0; i < n; i++) {
        Param p = {.name = intern_printf(c->s, "x.%d", i), .span = f->span};
        vec_push(c->a, &lambda->params, p);
        vec_push(c->a, &call->args, named(c, p.name, f->span));
        vec_push(c->a, &call->arg_names, (const char *)NULL);
    }
    grad->builtin = e->builtin;
    vec_push(c->a, &grad->args, call);
    grad->arg_names = *wrt;
    lambda->a = grad;
    return lambda;
}

/* wrt=x or wrt=(x, y): names of parameters; false after reporting */
static bool take_wrt(Check *c, Expr *e, NameVec *names) {
    vec_push(c->a, names, (const char *)NULL); /* of the call of f */
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
            const Expr *one = x->kind == EX_TUPLE ? x->args.data[k] : x;
            if (one->kind != EX_NAME) return report_argument(c, one, e->builtin, "names of parameters: wrt=x, wrt=(x, y)");
            vec_push(c->a, names, one->name);
        }
        take_arg(e, i--);
    }
    return true;
}

static Expr *check_gradient_of(Check *c, Expr *e) {
    NameVec wrt = {0};
    if (!take_wrt(c, e, &wrt)) return error_expr(e);
    if (!want_count(c, e, e->builtin, 1, 1)) return error_expr(e);
    Expr *written = expr_clone(c->s, e->args.data[0]), *f = check_expr(c, e->args.data[0], NULL);
    if (is_error(f)) return error_expr(e);
    if (f->type->kind != FT_FUNC || (f->type->decl && f->type->decl->kind == DECL_KERNEL)) {
        Diag *d = report(c, f->span, E_GRAD_OF, builtin_info(e->builtin)->name);
        if (f->type->kind == FT_FUNC) diag_hint(c->s, d, "kernels are differentiated in a function that launches them and gives a number");
        else diag_hint(c->s, d, "the argument is the function alone: %s(f)(x), not %s(f(x))", builtin_info(e->builtin)->name, builtin_info(e->builtin)->name);
        return error_expr(e);
    }
    bool builtin = f->kind == EX_LAMBDA && written->kind == EX_NAME;
    return check_expr(c, gradient_lambda(c, e, builtin ? expr_clone(c->s, f) : written, count_params(f->type), &wrt), NULL);
}

/* ---- its call */

typedef VEC(int) IntVec;

static bool has_floats(const FType *t) {
    if (t->kind == FT_SCALAR) return dtype_is_float(t->dtype);
    if (t->kind == FT_ARRAY) return has_floats(t->elem);
    for (int i = 0; i < t->nfields && (t->kind == FT_TUPLE || t->kind == FT_STRUCT); i++)
        if (has_floats(t->fields[i])) return true;
    return false;
}

static bool report_not_number(Check *c, const Expr *e, const Expr *call) {
    const char *name = builtin_info(e->builtin)->name;
    Diag *d = report(c, e->span, E_GRAD_RESULT, name, ftype_str(c->s, call->type));
    if (call->inst && call->inst->decl) diag_note(c->s, d, call->inst->decl->name_span, "'%s' is defined here", call->inst->decl->name);
    if (call->type->kind == FT_ARRAY) diag_hint(c->s, d, "the gradient of a sum, say: %s(fn(x) => sum(f(x)))", name);
    return false;
}

static int param_named(const Inst *inst, const char *name) {
    for (int i = 0; i < inst->params.len; i++)
        if (inst->params.data[i]->name == name) return i;
    return -1;
}

/* Which arguments of the call are meant; false after reporting */
static bool choose_arguments(Check *c, Expr *e, const Expr *call, int written, IntVec *out) {
    for (int i = 1; i < e->arg_names.len; i++) {
        int k = param_named(call->inst, e->arg_names.data[i]);
        if (k < 0 || k >= written || !has_floats(call->args.data[k]->type)) {
            report(c, e->span, k < 0 ? E_GRAD_NO_PARAMETER : E_GRAD_PARAMETER, e->arg_names.data[i]);
            return false;
        }
        vec_push(c->a, out, k);
    }
    for (int i = 0; e->arg_names.len <= 1 && i < written; i++)
        if (has_floats(call->args.data[i]->type)) vec_push(c->a, out, i);
    if (out->len) return true;
    report(c, e->span, E_GRAD_NO_FLOATS, builtin_info(e->builtin)->name);
    return false;
}

static Expr *check_gradient_at(Check *c, Expr *e) {
    Expr *call = e->args.data[0];
    int written = call->args.len;
    call = e->args.data[0] = check_value(c, call, NULL);
    if (is_error(call)) return error_expr(e);
    if (call->kind != EX_CALL || call->call != CALL_FN) return report(c, e->span, E_GRAD_OF, builtin_info(e->builtin)->name), error_expr(e);
    if (call->type->kind != FT_SCALAR || !dtype_is_float(call->type->dtype)) return report_not_number(c, e, call), error_expr(e);
    if (written > call->args.len) written = call->args.len;
    IntVec chosen = {0};
    if (!choose_arguments(c, e, call, written, &chosen)) return error_expr(e);
    const FType **types = NEWN(c->a, const FType *, chosen.len + 1);
    for (int i = 0; i < chosen.len; i++) {
        Expr *at = expr_new(c->s, EX_INT, e->span);
        at->lit.i = chosen.data[i];
        at->type = ftype_scalar(c->s, DT_I64);
        vec_push(c->a, &e->args, at);
        types[i] = call->args.data[chosen.data[i]]->type;
    }
    const FType *grad = chosen.len == 1 ? types[0] : ftype_tuple(c->s, chosen.len, types);
    const FType *both[2] = {call->type, grad};
    e->arg_names.len = 0;
    e->type = e->builtin == BI_grad ? grad : ftype_tuple(c->s, 2, both);
    not_device(c, "take derivatives", e->span);
    return e;
}

Expr *check_grad(Check *c, Expr *e) { return e->callee ? check_gradient_of(c, e) : check_gradient_at(c, e); }
