/* Updates at places that vectors of indices give: m[rows, cols] += v, m[rows] += v, t[k, :, cols] *= v.
 *
 * They become a block that evaluates subscripts and value once, and a loop over the places, one after the other, so
 * that a place that stands there twice is updated twice:
 *
 *     { let at.0 = rows; let at.1 = cols; let value = v; for p in 0:len(at.0) { m[at.0[p], at.1[p]] += value[p] } } */
#include "frontend/check.h"

/* Adds let NAME = e, checked; its name */
static Expr *add_let(Check *c, Block *b, const char *name, Expr *e) {
    Stmt *st = stmt_new(c->s, ST_LET, e->span);
    name = intern_printf(c->s, "%s.%d", name, b->stmts.len); /* that nobody can write */
    st->var_kind = VAR_LET;
    st->a = e;
    vec_push(c->a, &st->names, name);
    vec_push(c->a, &st->name_spans, e->span);
    check_let(c, st);
    vec_push(c->a, &b->stmts, st);
    return expr_name(c->s, e->span, name);
}

/* The bound with what it is computed from evaluated before: -k stays a bound that counts from the end. */
static Expr *bound_once(Check *c, Block *b, Expr *e) {
    if (!e || e->kind == EX_INT) return e;
    if (e->kind != EX_UNARY && e->kind != EX_BINARY) return add_let(c, b, "bound", e);
    e->a = bound_once(c, b, e->a);
    e->b = bound_once(c, b, e->b);
    return e;
}

/* Indices and bounds of t as names.  What may be a vector stays. */
static void evaluate_once(Check *c, Block *b, const Expr *t) {
    for (int i = 0; i < t->subs.len; i++) {
        Sub *sub = &t->subs.data[i];
        if (sub->kind == SUB_SLICE) {
            sub->lo = bound_once(c, b, sub->lo);
            sub->hi = bound_once(c, b, sub->hi);
            continue;
        }
        const Expr *index = check_value(c, expr_clone(c->s, sub->index), NULL);
        if (index->type->kind == FT_SCALAR && !index->is_const) sub->index = add_let(c, b, "index", sub->index);
    }
}

static Expr *element_at(Check *c, Expr *array, int axis, Expr *index) {
    Expr *e = expr_new(c->s, EX_INDEX, array->span);
    e->a = array;
    for (int i = 0; i <= axis; i++) {
        Sub sub = {.kind = i == axis ? SUB_INDEX : SUB_SLICE, .span = array->span};
        if (i == axis) sub.index = expr_clone(c->s, index);
        vec_push(c->a, &e->subs, sub);
    }
    return e;
}

/* Vectors of indices, which x has checked, become their elements at p; the first is returned. */
static Expr *take_elements(Check *c, Block *b, const Expr *t, const Expr *x, Expr *p) {
    Expr *first = NULL;
    for (int i = 0; i < t->subs.len; i++) {
        Expr *index = x->subs.data[i].kind == SUB_INDEX ? x->subs.data[i].index : NULL;
        if (index && index->kind == EX_INDEX && index->type->kind == FT_SCALAR) /* of a vector with one element */
            t->subs.data[i].index = add_let(c, b, "index", index);
        if (!index || index->type->kind != FT_ARRAY) continue;
        Expr *at = add_let(c, b, "at", index);
        t->subs.data[i].index = element_at(c, at, 0, p);
        if (!first) first = expr_clone(c->s, at);
    }
    return first;
}

/* The axis of x, an index expression, that is that of its vectors of indices */
static int vector_axis(const Expr *x) {
    int axis = 0;
    for (int i = 0; i < x->subs.len; i++) {
        const Sub *sub = &x->subs.data[i];
        if (sub->kind == SUB_INDEX && sub->index->type->kind == FT_ARRAY) return axis;
        axis += sub->kind == SUB_SLICE;
    }
    return axis;
}

/* What updates the places of x: a number, or an array of x's shape.  NULL after reporting */
static Expr *value_for(Check *c, Expr *v, const Expr *x) {
    v = check_value(c, v, NULL);
    Reason why = {.what = "the value", .repeat = REPEAT_ARRAY, .target = x, .like = x};
    if (!is_error(v)) v = coerce(c, v, v->type->kind == FT_ARRAY ? x->type : x->type->elem, &why);
    return is_error(v) ? NULL : v;
}

/* What the update at place p takes of it */
static Expr *value_at(Check *c, Block *b, Expr *v, const Expr *x, Expr *p) {
    if (v->is_const) return v;
    bool many = v->type->kind == FT_ARRAY;
    Expr *name = add_let(c, b, "value", v);
    return many ? element_at(c, name, vector_axis(x), p) : name;
}

static Stmt *loop_over(Check *c, Expr *vector, const char *p, Stmt *body) {
    Stmt *st = stmt_new(c->s, ST_FOR, body->span);
    Gen g = {.name = p, .span = body->span, .lo = int_literal(c, body->span, 0)};
    g.hi = call_builtin(c, vector->span, BI_len, 1, &vector);
    vec_push(c->a, &st->gens, g);
    st->body = NEW(c->a, Block);
    st->body->span = body->span;
    vec_push(c->a, &st->body->stmts, body);
    return st;
}

/* Fills b; false after reporting. */
static bool write_loop(Check *c, Block *b, const Stmt *st) {
    Expr *t = st->target, *p = expr_name(c->s, t->span, intern(c->s, "p."));
    evaluate_once(c, b, t);
    const Expr *x = check_value(c, expr_clone(c->s, t), NULL);
    if (is_error(x) || x->kind != EX_INDEX) return false;
    Expr *v = value_for(c, st->a, x);
    if (!v) return false;
    Expr *first = take_elements(c, b, t, x, p);
    v = value_at(c, b, v, x, p); /* behind the places, from which its size may come */
    Stmt *body = stmt_new(c->s, ST_ASSIGN, st->span);
    body->op = st->op;
    body->target = t;
    body->a = v;
    Stmt *loop = loop_over(c, first, p->name, body);
    vec_push(c->a, &b->stmts, loop);
    StmtVec rest = {0};
    vec_push(c->a, &rest, loop);
    check_stmts(c, &rest);
    return true;
}

bool update_places(Check *c, Stmt *st) {
    if (has_new_axis(st->target)) return false;
    Block *b = NEW(c->a, Block);
    b->span = st->span;
    scope_push(c);
    bool ok = write_loop(c, b, st);
    scope_pop(c);
    if (!ok) return error_expr(st->target), true;
    st->kind = ST_BLOCK;
    st->body = b;
    return true;
}
