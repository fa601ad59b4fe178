/* Comprehensions and reductions over the elements of arrays: [f(x, y) for x in xs, y in ys] is
 * [(fn(x, y) => f(x, y))(xs[x.at], ys[y.at]) for x.at, y.at], with names for the places that no program can write.  Their ranges
 * follow from the indices. */
#include "frontend/check.h"

/* Is it an array?  False after reporting. */
static bool check_over(Check *c, const Gen *g) {
    Expr *over = check_value(c, expr_clone(c->s, g->over), NULL);
    if (is_error(over)) return false;
    if (over->type->kind == FT_ARRAY) return true;
    Diag *d = report(c, g->over->span, E_LOOP_RANGE);
    diag_note(c->s, d, g->over->span, "this is %s", ftype_str(c->s, over->type));
    if (type_is_int(over->type) && g->over->kind == EX_NAME) {
        diag_hint(c->s, d, "write 0:%s", g->over->name);
        diag_fix(c->s, d, false, g->over->span, "0:%s", g->over->name);
    }
    else diag_hint(c->s, d, "write 0:n, or the name of an array for its elements");
    return false;
}

/* over[g.at] */
static Expr *element(Check *c, Gen *g) {
    Expr *at = expr_new(c->s, EX_NAME, g->span), *e = expr_new(c->s, EX_INDEX, g->over->span);
    Sub sub = {.kind = SUB_INDEX, .span = g->span, .index = at};
    g->name = at->name = intern_printf(c->s, "%s.at", g->name);
    e->a = g->over;
    g->over = NULL;
    vec_push(c->a, &e->subs, sub);
    return e;
}

bool name_elements(Check *c, Expr *e) {
    Expr *fn = expr_new(c->s, EX_LAMBDA, e->a->span), *call = expr_new(c->s, EX_CALL, e->a->span);
    for (int i = 0; i < e->gens.len; i++) {
        Gen *g = &e->gens.data[i];
        if (!g->over) continue;
        if (!check_over(c, g)) return false;
        Param p = {.name = g->name, .span = g->span};
        vec_push(c->a, &fn->params, p);
        vec_push(c->a, &call->args, element(c, g));
        vec_push(c->a, &call->arg_names, NULL);
    }
    if (!fn->params.len) return true;
    fn->a = e->a;
    call->callee = fn;
    e->a = call;
    return true;
}
