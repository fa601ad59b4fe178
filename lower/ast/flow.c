/* What a statement may do, known before it is lowered: the ways it may end, and the variables it assigns.
 * Structured operations need both when they are made.  Each statement and block is looked at once. */
#include "lower/ast/private.h"

typedef struct { Arena *arena; VarVec *vars; Map seen; Lower *l; } Collect;

static void add_var(Collect *c, Var *v) {
    if (!v || map_has(&c->seen, v)) return;
    map_put(c->arena, &c->seen, v, v);
    vec_push(c->arena, c->vars, v);
}

static void add_flow(Collect *c, const Flow *f) {
    for (int i = 0; i < f->assigned.len; i++) add_var(c, f->assigned.data[i]);
}

/* ---- walking expressions, without and with the blocks in them */

static void visit_list(const ExprVec *v, ExprVisit *f, void *ctx) {
    for (int i = 0; i < v->len; i++) expr_each(v->data[i], f, ctx);
}

static void visit_gens(const GenVec *gens, ExprVisit *f, void *ctx) {
    for (int i = 0; i < gens->len; i++) {
        expr_each(gens->data[i].lo, f, ctx);
        expr_each(gens->data[i].hi, f, ctx);
        expr_each(gens->data[i].step, f, ctx);
        expr_each(gens->data[i].over, f, ctx);
    }
}

static void visit_subs(const SubVec *subs, ExprVisit *f, void *ctx) {
    for (int i = 0; i < subs->len; i++) {
        expr_each(subs->data[i].index, f, ctx);
        expr_each(subs->data[i].lo, f, ctx);
        expr_each(subs->data[i].hi, f, ctx);
    }
}

void expr_each(const Expr *e, ExprVisit *f, void *ctx) {
    if (!e) return;
    f(ctx, e);
    expr_each(e->a, f, ctx);
    expr_each(e->b, f, ctx);
    expr_each(e->c, f, ctx);
    visit_list(&e->args, f, ctx);
    visit_subs(&e->subs, f, ctx);
    visit_gens(&e->gens, f, ctx);
    if (e->then_block) block_each(e->then_block, f, ctx);
    if (e->else_block) block_each(e->else_block, f, ctx);
}

static void stmt_each(const Stmt *s, ExprVisit *f, void *ctx) {
    expr_each(s->target, f, ctx);
    expr_each(s->a, f, ctx);
    expr_each(s->b, f, ctx);
    visit_gens(&s->gens, f, ctx);
    visit_list(&s->grid, f, ctx);
    visit_list(&s->block, f, ctx);
    visit_list(&s->args, f, ctx);
    if (s->body) block_each(s->body, f, ctx);
    if (s->else_body) block_each(s->else_body, f, ctx);
}

void block_each(const Block *b, ExprVisit *f, void *ctx) {
    for (int i = 0; i < b->stmts.len; i++) stmt_each(b->stmts.data[i], f, ctx);
}

typedef struct { const Var *var; bool found; } Mention;
static void visit_mention(void *ctx, const Expr *e) {
    Mention *m = ctx;
    if (e->kind == EX_NAME && e->var == m->var) m->found = true;
}
bool expr_mentions(const Expr *e, const Var *v) {
    Mention m = {v, false};
    expr_each(e, visit_mention, &m);
    return m.found;
}

/* ---- assigned variables */

Var *target_root(const Expr *e) {
    while (e->kind == EX_INDEX || e->kind == EX_FIELD || e->kind == EX_CONVERT) e = e->a;
    return e->kind == EX_NAME ? e->var : NULL;
}

static void add_target(Collect *c, const Expr *target) {
    if (target->kind != EX_TUPLE) add_var(c, target_root(target));
    else
        for (int i = 0; i < target->args.len; i++) add_target(c, target->args.data[i]);
}

/* Blocks inside an expression; they are looked into by flow_of_block, not by the walk. */
static void add_expr(Collect *c, const Expr *e) {
    if (!e) return;
    if (e->then_block) add_flow(c, flow_of_block(c->l, e->then_block));
    if (e->else_block) add_flow(c, flow_of_block(c->l, e->else_block));
    add_expr(c, e->a);
    add_expr(c, e->b);
    for (int i = 0; i < e->args.len; i++) add_expr(c, e->args.data[i]);
    for (int i = 0; i < e->subs.len; i++) add_expr(c, e->subs.data[i].index);
}

static void add_gens(Collect *c, const GenVec *gens) {
    for (int i = 0; i < gens->len; i++) {
        add_expr(c, gens->data[i].lo);
        add_expr(c, gens->data[i].hi);
        add_expr(c, gens->data[i].over);
    }
}

static void add_launch(Collect *c, const Stmt *s) {
    for (int i = 0; i < s->args.len; i++)
        if (s->inst->params.data[i]->mode != MODE_IN) add_var(c, target_root(s->args.data[i]));
}

static unsigned branch_exits(Collect *c, const Block *b) {
    if (!b) return X_FALL;
    const Flow *f = flow_of_block(c->l, b);
    for (int i = 0; i < f->assigned.len; i++) add_var(c, f->assigned.data[i]);
    return f->exits;
}

static unsigned if_exits(Collect *c, const Stmt *s) {
    if (s->a->is_const) return branch_exits(c, s->a->lit.i ? s->body : s->else_body);
    unsigned then_exits = branch_exits(c, s->body);
    return then_exits | branch_exits(c, s->else_body);
}

static unsigned stmt_exits(Collect *c, const Stmt *s) {
    switch (s->kind) {
    case ST_BREAK: return X_BREAK;
    case ST_CONTINUE: return X_CONTINUE;
    case ST_RETURN: return X_RETURN;
    case ST_BLOCK: return branch_exits(c, s->body);
    case ST_IF: return if_exits(c, s);
    case ST_FOR:
    case ST_WHILE: return X_FALL | (branch_exits(c, s->body) & X_RETURN);
    case ST_SPAWN: branch_exits(c, s->body); return X_FALL;
    case ST_ASSIGN:
    case ST_ATOMIC: add_target(c, s->target); return X_FALL;
    case ST_LAUNCH: add_launch(c, s); return X_FALL;
    default: return X_FALL;
    }
}

const Flow *flow_of_stmt(Lower *l, const Stmt *s) {
    Flow *f = map_get(&l->flows, s);
    if (f) return f;
    f = NEW(l->arena, Flow);
    Collect c = {.arena = l->arena, .vars = &f->assigned, .l = l};
    add_expr(&c, s->a);
    add_expr(&c, s->b);
    add_gens(&c, &s->gens);
    f->exits = stmt_exits(&c, s);
    map_put(l->arena, &l->flows, s, f);
    return f;
}

/* Variables that the block defines end with it */
static VarVec without_own(Lower *l, const Block *b, const VarVec *all) {
    Map own = {0};
    VarVec rest = {0};
    for (int i = 0; i < b->stmts.len; i++) {
        const Stmt *s = b->stmts.data[i];
        for (int k = 0; (s->kind == ST_LET || s->kind == ST_ATOMIC) && k < s->vars.len; k++)
            map_put(l->arena, &own, s->vars.data[k], s->vars.data[k]);
    }
    for (int i = 0; i < all->len; i++)
        if (!map_has(&own, all->data[i])) vec_push(l->arena, &rest, all->data[i]);
    return rest;
}

const Flow *flow_of_block(Lower *l, const Block *b) {
    Flow *f = map_get(&l->flows, b);
    if (f) return f;
    f = NEW(l->arena, Flow);
    VarVec all = {0};
    Collect c = {.arena = l->arena, .vars = &all, .l = l};
    unsigned char *rest = NEWN(l->arena, unsigned char, b->stmts.len + 1);
    rest[b->stmts.len] = X_FALL;
    for (int i = 0; i < b->stmts.len; i++) add_flow(&c, flow_of_stmt(l, b->stmts.data[i]));
    for (int i = b->stmts.len; i-- > 0;) {
        unsigned exits = flow_of_stmt(l, b->stmts.data[i])->exits;
        rest[i] = (unsigned char)(exits & X_FALL ? (exits & ~(unsigned)X_FALL) | rest[i + 1] : exits);
    }
    f->rest = rest;
    f->exits = rest[0];
    f->assigned = without_own(l, b, &all);
    f->all = all;
    map_put(l->arena, &l->flows, b, f);
    return f;
}
