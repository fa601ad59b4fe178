/* Functions of single values called with arrays: for each element, with the arguments brought to one shape, as
 * operators are.
 *
 * fn f(x: f64, k: int) -> f64 is called as f(x, 2) with x: f64[n]; the result is an array of f's results. */
#include "frontend/check.h"

static bool any_array(const ExprVec *args) {
    for (int i = 0; i < args->len; i++)
        if (args->data[i]->type->kind == FT_ARRAY) return true;
    return false;
}

/* One element of e, for matching */
static Expr *element_of(Check *c, Expr *e) {
    if (e->type->kind != FT_ARRAY) return e;
    Expr *one = expr_new(c->s, EX_NAME, e->span);
    one->type = e->type->elem;
    return one;
}

static ExprVec elements_of(Check *c, const ExprVec *args) {
    ExprVec out = {0};
    for (int i = 0; i < args->len; i++) vec_push(c->a, &out, element_of(c, args->data[i]));
    return out;
}

static bool is_plain(Check *c, Decl *head) {
    for (Decl *d = head; d; d = d->next_overload)
        if (d->is_extern || decl_info(c, d)->has_fn) return false;
    return true;
}

/* The argument that has the place of an element, as what the parameter takes */
static Expr *converted(Check *c, Expr *e, const FType *param) {
    const FType *t = e->type->kind == FT_ARRAY ? ftype_array(c->s, param, e->type->rank, e->type->dims) : param;
    return coerce(c, e, t, &(Reason){.what = "an argument"});
}

/* Arrays among args get one shape; false after reporting. */
static bool one_shape(Check *c, ExprVec *args, Span at, Shape *sh) {
    ExprVec arrays = {0};
    for (int i = 0; i < args->len; i++)
        if (args->data[i]->type->kind == FT_ARRAY) vec_push(c->a, &arrays, args->data[i]);
    if (!operands_broadcast(c, arrays.data, arrays.len, at, sh)) return false;
    for (int i = 0, k = 0; i < args->len; i++)
        if (args->data[i]->type->kind == FT_ARRAY) args->data[i] = arrays.data[k++];
    return true;
}

static Expr *report_result(Check *c, Expr *e, const Decl *d, const FType *ret) {
    Diag *diag = report(c, e->span, E_EACH_RESULT, d->name, ftype_str(c->s, ret));
    diag_hint(c->s, diag, "write a loop over the elements: for v in x { ... }");
    note_decl(c, diag, d);
    return error_expr(e);
}

/* The given arguments in the places where the match has their elements */
static void put_back(const ExprVec *args, const ExprVec *elements, Expr **ordered, int n) {
    for (int k = 0; k < n; k++)
        for (int i = 0; i < args->len; i++)
            if (ordered[k] == elements->data[i]) ordered[k] = args->data[i];
}

Expr *check_each(Check *c, Expr *e, Decl *head) {
    Match m;
    Shape sh;
    Expr **ordered;
    if (!any_array(&e->args) || !is_plain(c, head)) return NULL;
    ExprVec elements = elements_of(c, &e->args), given = e->args;
    if (find_overload(c, head, &elements, &e->arg_names, e->span, &m, &ordered) != FOUND_ONE) return NULL;
    InstInfo *inst = inst_of_decl(c, m.d, &m.b, e->span);
    if (!inst || !inst->inst.ret || inst->inst.ret->kind == FT_ERROR) return error_expr(e);
    const FType *ret = inst->inst.ret;
    if (ret->kind == FT_ARRAY || !is_element(ret)) return report_result(c, e, m.d, ret);
    put_back(&given, &elements, ordered, m.d->params.len);
    e->args = (ExprVec){0};
    for (int i = 0; i < m.d->params.len; i++)
        vec_push(c->a, &e->args, converted(c, ordered[i], inst->inst.params.data[i]->type));
    for (int i = 0; i < e->args.len; i++)
        if (is_error(e->args.data[i])) return error_expr(e);
    if (!one_shape(c, &e->args, e->span, &sh)) return error_expr(e);
    inst_uses(c, inst, e->span);
    e->call = CALL_FN;
    e->each = true;
    e->inst = &inst->inst;
    e->arg_names.len = 0;
    e->type = shape_type(c, ret, &sh);
    return e;
}
