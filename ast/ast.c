/* Making and copying trees.  A copy is fresh all through and unchecked: what the checker filled in is
 * cleared, and its conversions are taken out.  Recursion is bounded: the parser drops statements that
 * nest too deeply. */
#include "ast/ast.h"

#include <string.h>

static const char PART[] = "part.";

const char *name_of_part(Session *s, int n) { return intern_printf(s, "%s%d", PART, n); }
bool name_is_part(const char *name) { return !strncmp(name, PART, sizeof PART - 1); }

Expr *expr_new(Session *s, ExprKind k, Span at) {
    Expr *e = NEW(session_arena(s), Expr);
    e->kind = k;
    e->span = at;
    e->op = OPR_NONE;
    return e;
}

Expr *expr_name(Session *s, Span at, const char *name) {
    Expr *e = expr_new(s, EX_NAME, at);
    e->name = name;
    return e;
}

Expr *expr_field(Session *s, Expr *of, const char *name) {
    Expr *e = expr_new(s, EX_FIELD, of->span);
    e->a = of;
    e->name = name;
    return e;
}

Expr *expr_operator(Session *s, Span at, Opr op, Expr *a, Expr *b) {
    Expr *e = expr_new(s, EX_BINARY, at);
    e->op = op;
    e->a = a;
    e->b = b;
    return e;
}

Stmt *stmt_new(Session *s, StmtKind k, Span at) {
    Stmt *st = NEW(session_arena(s), Stmt);
    st->kind = k;
    st->span = at;
    st->op = OPR_NONE;
    return st;
}

/* ---- copies; all may be given NULL and then return it */

static TypeExpr *type_clone(Session *s, const TypeExpr *t);

static ExprVec exprs_clone(Session *s, const ExprVec *v) {
    ExprVec out = {0};
    for (int i = 0; i < v->len; i++) vec_push(session_arena(s), &out, expr_clone(s, v->data[i]));
    return out;
}

static NameVec names_clone(Session *s, const NameVec *v) {
    NameVec out = {0};
    for (int i = 0; i < v->len; i++) vec_push(session_arena(s), &out, v->data[i]);
    return out;
}

static SubVec subs_clone(Session *s, const SubVec *v) {
    SubVec out = {0};
    for (int i = 0; i < v->len; i++) {
        const Sub *o = &v->data[i];
        Sub c = {.kind = o->kind, .span = o->span};
        c.index = expr_clone(s, o->index);
        c.lo = expr_clone(s, o->lo);
        c.hi = expr_clone(s, o->hi);
        c.step = expr_clone(s, o->step);
        vec_push(session_arena(s), &out, c);
    }
    return out;
}

static GenVec gens_clone(Session *s, const GenVec *v) {
    GenVec out = {0};
    for (int i = 0; i < v->len; i++) {
        const Gen *o = &v->data[i];
        Gen c = {.name = o->name, .span = o->span};
        c.lo = expr_clone(s, o->lo);
        c.hi = expr_clone(s, o->hi);
        c.step = expr_clone(s, o->step);
        c.over = expr_clone(s, o->over);
        vec_push(session_arena(s), &out, c);
    }
    return out;
}

static ParamVec params_clone(Session *s, const ParamVec *v) {
    ParamVec out = {0};
    for (int i = 0; i < v->len; i++) {
        Param c = v->data[i];
        c.type = type_clone(s, c.type);
        c.var = NULL;
        vec_push(session_arena(s), &out, c);
    }
    return out;
}

static TypeExpr *type_clone(Session *s, const TypeExpr *t) {
    if (!t) return NULL;
    TypeExpr *c = NEW(session_arena(s), TypeExpr);
    *c = *t;
    c->elem = type_clone(s, t->elem);
    c->dims = exprs_clone(s, &t->dims);
    c->items = (TypeExprVec){0};
    for (int i = 0; i < t->items.len; i++) vec_push(session_arena(s), &c->items, type_clone(s, t->items.data[i]));
    return c;
}

static bool is_literal(const Expr *e) {
    return e->kind == EX_INT || e->kind == EX_FLOAT || e->kind == EX_BOOL || e->kind == EX_STR;
}

Expr *expr_clone(Session *s, const Expr *e) {
    while (e && e->kind == EX_CONVERT) e = e->a;
    if (!e) return NULL;
    Expr *c = expr_new(s, e->kind, e->span);
    if (is_literal(e)) c->lit = e->lit;
    c->op = e->op;
    c->a = expr_clone(s, e->a);
    c->b = expr_clone(s, e->b);
    c->c = expr_clone(s, e->c);
    c->name = e->name;
    c->of_library = e->of_library;
    c->callee = expr_clone(s, e->callee);
    if (!e->callee) c->builtin = e->builtin;
    c->makes = e->makes;
    if (!e->callee && e->call == CALL_STRUCT) c->call = CALL_STRUCT; /* 2im, as it was read */
    c->args = exprs_clone(s, &e->args);
    c->arg_names = names_clone(s, &e->arg_names);
    c->subs = subs_clone(s, &e->subs);
    c->gens = gens_clone(s, &e->gens);
    c->params = params_clone(s, &e->params);
    c->then_block = block_clone(s, e->then_block);
    c->else_block = block_clone(s, e->else_block);
    return c;
}

static Stmt *stmt_clone(Session *s, const Stmt *st) {
    Stmt *c = stmt_new(s, st->kind, st->span);
    c->var_kind = st->var_kind;
    c->names = names_clone(s, &st->names);
    for (int i = 0; i < st->name_spans.len; i++) vec_push(session_arena(s), &c->name_spans, st->name_spans.data[i]);
    c->type = type_clone(s, st->type);
    c->op = st->op;
    c->target = expr_clone(s, st->target);
    c->a = expr_clone(s, st->a);
    c->b = expr_clone(s, st->b);
    c->body = block_clone(s, st->body);
    c->else_body = block_clone(s, st->else_body);
    c->gens = gens_clone(s, &st->gens);
    c->parallel = st->parallel;
    c->progress = st->progress;
    c->checkpoint = st->checkpoint;
    c->name = st->name;
    c->name_span = st->name_span;
    c->grid = exprs_clone(s, &st->grid);
    c->block = exprs_clone(s, &st->block);
    c->args = exprs_clone(s, &st->args);
    c->decl = st->decl;
    c->is_arg = st->is_arg;
    c->doc = st->doc;
    c->default_at = st->default_at;
    return c;
}

const char *rule_word(RuleKind kind) { return kind == RULE_VJP ? "vjp" : "jvp"; }

const char *rule_name(Session *s, const char *fn, RuleKind kind) {
    return intern_printf(s, "%s.%s_rule", fn, rule_word(kind));
}

Block *block_clone(Session *s, const Block *b) {
    if (!b) return NULL;
    Block *c = NEW(session_arena(s), Block);
    c->span = b->span;
    for (int i = 0; i < b->stmts.len; i++) vec_push(session_arena(s), &c->stmts, stmt_clone(s, b->stmts.data[i]));
    return c;
}
