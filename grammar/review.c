/* What a grammar cannot say about a statement: that it is not nested too deeply for the compiler's own
 * recursion, that an `if` used as a value has an `else`, and that declarations stand at the top level. */
#include "grammar/parse.h"

/* Levels of the tree around, in all and without those of chains: the left operand of an operator, what stands behind an
 * `else` */
typedef struct { int all, nested, elses; } Depth;

static Depth inside(Depth d) { return (Depth){d.all + 1, d.nested + 1, d.elses}; }
static Depth chained(Depth d) { return (Depth){d.all + 1, d.nested, d.elses}; }

static bool too_deep(Parser *p, Span at, Depth depth) {
    int limit = depth.nested >= MAX_DEPTH ? MAX_DEPTH : depth.elses >= MAX_ELSES ? MAX_ELSES : MAX_CHAIN;
    if (limit == MAX_CHAIN && depth.all < MAX_CHAIN) return false;
    Diag *d = diag_report(p->s, at, E_TOO_DEEP, limit);
    diag_hint(p->s, d, "give parts of it names with 'let'");
    return true;
}

static bool walk_block(Parser *p, const Block *b, Depth depth);
static bool walk_else(Parser *p, const Block *b, Depth depth);
static bool walk_expr(Parser *p, const Expr *e, Depth depth);
static bool walk_type(Parser *p, const TypeExpr *t, Depth depth);

static bool walk_exprs(Parser *p, const ExprVec *v, Depth depth) {
    for (int i = 0; i < v->len; i++)
        if (!walk_expr(p, v->data[i], depth)) return false;
    return true;
}

static bool walk_gens(Parser *p, const GenVec *v, Depth depth) {
    for (int i = 0; i < v->len; i++) {
        const Gen *g = &v->data[i];
        if (!walk_expr(p, g->lo, depth) || !walk_expr(p, g->hi, depth) || !walk_expr(p, g->step, depth) ||
            !walk_expr(p, g->over, depth))
            return false;
    }
    return true;
}

static bool walk_subs(Parser *p, const SubVec *v, Depth depth) {
    for (int i = 0; i < v->len; i++) {
        const Sub *s = &v->data[i];
        if (!walk_expr(p, s->index, depth) || !walk_expr(p, s->lo, depth) || !walk_expr(p, s->hi, depth) ||
            !walk_expr(p, s->step, depth))
            return false;
    }
    return true;
}

static bool walk_params(Parser *p, const ParamVec *v, Depth depth) {
    for (int i = 0; i < v->len; i++)
        if (!walk_type(p, v->data[i].type, depth)) return false;
    return true;
}

static bool is_if(const Stmt *st) { return st->kind == ST_IF || (st->kind == ST_EXPR && st->a->kind == EX_IF); }

/* Follows `else if` to its end. */
static void check_if_value(Parser *p, const Expr *e) {
    if (e->kind != EX_IF) return;
    const Block *other = e->else_block;
    Span at = e->span;
    while (other && other->stmts.len == 1 && other->stmts.data[0]->kind == ST_IF) {
        at = other->stmts.data[0]->span;
        other = other->stmts.data[0]->else_body;
    }
    if (other) return;
    Diag *d = diag_report(p->s, at, E_IF_VALUE);
    diag_hint(p->s, d, "add else { ... } with the value for the other case");
}

/* e may be NULL */
static bool walk_expr(Parser *p, const Expr *e, Depth depth) {
    if (!e) return true;
    if (too_deep(p, e->span, depth)) return false;
    check_if_value(p, e);
    Depth left = e->kind == EX_BINARY ? chained(depth) : inside(depth);
    depth = inside(depth);
    return walk_expr(p, e->a, left) && walk_expr(p, e->b, depth) && walk_expr(p, e->c, depth) &&
           walk_expr(p, e->callee, depth) && walk_exprs(p, &e->args, depth) && walk_subs(p, &e->subs, depth) &&
           walk_gens(p, &e->gens, depth) && walk_params(p, &e->params, depth) && walk_block(p, e->then_block, depth) &&
           walk_else(p, e->else_block, depth);
}

static bool walk_type(Parser *p, const TypeExpr *t, Depth depth) {
    if (!t) return true;
    if (too_deep(p, t->span, depth)) return false;
    depth = inside(depth);
    for (int i = 0; i < t->items.len; i++)
        if (!walk_type(p, t->items.data[i], depth)) return false;
    return walk_type(p, t->elem, depth) && walk_exprs(p, &t->dims, depth);
}

static bool walk_stmt(Parser *p, const Stmt *st, Depth depth) {
    if (too_deep(p, st->span, depth)) return false;
    depth = inside(depth);
    return walk_type(p, st->type, depth) && walk_expr(p, st->target, depth) && walk_expr(p, st->a, depth) &&
           walk_expr(p, st->b, depth) && walk_gens(p, &st->gens, depth) && walk_exprs(p, &st->grid, depth) &&
           walk_exprs(p, &st->block, depth) && walk_exprs(p, &st->args, depth) && walk_block(p, st->body, depth) &&
           walk_else(p, st->else_body, depth);
}

/* Of `else if` the levels of the statement, and of the expression that it may be, are part of a chain. */
static bool walk_else(Parser *p, const Block *b, Depth depth) {
    bool chain = b && b->stmts.len == 1 && is_if(b->stmts.data[0]);
    if (chain) depth.nested -= b->stmts.data[0]->kind == ST_IF ? 1 : 2;
    depth.elses += chain;
    return walk_block(p, b, depth);
}

static const char *decl_word(DeclKind k) {
    static const char *const words[] = {[DECL_FN] = "fn", [DECL_KERNEL] = "kernel", [DECL_STRUCT] = "struct",
                                        [DECL_IMPORT] = "import", [DECL_TEST] = "test", [DECL_BENCH] = "bench"};
    return words[k];
}

static void nested_decl(Parser *p, const Decl *d) {
    Diag *g = diag_report(p->s, d->span, E_NESTED_DECL, decl_word(d->kind));
    if (d->kind == DECL_FN) diag_hint(p->s, g, "move it out, or bind a lambda: let %s = fn(x) => ...", d->name);
}

static void nested_arg(Parser *p, const Stmt *st) {
    Diag *g = diag_report(p->s, st->span, E_NESTED_DECL, "arg");
    diag_hint(p->s, g, "it is an argument of the whole program; functions get its value as a parameter");
}

/* b may be NULL */
static bool walk_block(Parser *p, const Block *b, Depth depth) {
    for (int i = 0; b && i < b->stmts.len; i++) {
        const Stmt *st = b->stmts.data[i];
        if (st->kind == ST_DECL) nested_decl(p, st->decl);
        if (st->is_arg) nested_arg(p, st);
        if (!walk_stmt(p, st, depth)) return false;
    }
    return true;
}

static bool walk_decl(Parser *p, const Decl *d) {
    Depth one = {1, 1, 0};
    for (int i = 0; i < d->fields.len; i++)
        if (!walk_type(p, d->fields.data[i].type, one)) return false;
    return walk_params(p, &d->params, one) && walk_type(p, d->ret, one) && walk_block(p, d->body, one) &&
           walk_expr(p, d->expr_body, one);
}

bool review_statement(Parser *p, Stmt *st) {
    return walk_stmt(p, st, (Depth){0}) && (!st->decl || walk_decl(p, st->decl));
}
