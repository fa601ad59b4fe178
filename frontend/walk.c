/* Walking the tree, parents before children. */
#include "frontend/check.h"

static void walk_stmt(const Walk *w, Stmt *st);

static void walk_list(const Walk *w, const ExprVec *v) {
    for (int i = 0; i < v->len; i++) walk_expr(w, v->data[i]);
}

static void walk_gens(const Walk *w, const GenVec *v) {
    for (int i = 0; i < v->len; i++) {
        walk_expr(w, v->data[i].lo);
        walk_expr(w, v->data[i].hi);
        walk_expr(w, v->data[i].step);
        walk_expr(w, v->data[i].over);
    }
}

static void walk_type(const Walk *w, const TypeExpr *t) {
    if (!t) return;
    walk_list(w, &t->dims);
    walk_type(w, t->elem);
    for (int i = 0; i < t->items.len; i++) walk_type(w, t->items.data[i]);
}

void walk_expr(const Walk *w, Expr *e) {
    if (!e) return;
    if (w->expr) w->expr(w->ctx, e);
    walk_expr(w, e->a);
    walk_expr(w, e->b);
    walk_expr(w, e->c);
    walk_expr(w, e->callee);
    walk_list(w, &e->args);
    for (int i = 0; i < e->subs.len; i++) {
        const Sub *sub = &e->subs.data[i];
        walk_expr(w, sub->index);
        walk_expr(w, sub->lo);
        walk_expr(w, sub->hi);
        walk_expr(w, sub->step);
    }
    walk_gens(w, &e->gens);
    for (int i = 0; i < e->params.len; i++) walk_type(w, e->params.data[i].type);
    walk_block(w, e->then_block);
    walk_block(w, e->else_block);
}

static void walk_stmt(const Walk *w, Stmt *st) {
    if (w->stmt) w->stmt(w->ctx, st);
    walk_type(w, st->type);
    walk_expr(w, st->target);
    walk_expr(w, st->a);
    walk_expr(w, st->b);
    walk_gens(w, &st->gens);
    walk_list(w, &st->grid);
    walk_list(w, &st->block);
    walk_list(w, &st->args);
    walk_block(w, st->body);
    walk_block(w, st->else_body);
}

void walk_block(const Walk *w, Block *b) {
    if (!b) return;
    for (int i = 0; i < b->stmts.len; i++) walk_stmt(w, b->stmts.data[i]);
}
