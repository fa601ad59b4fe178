/* The checker: from a tree to a program in which every name, type and size is known.
 *
 * Names are collected first (library, imports, main file).  Then constants, functions and kernels that are
 * not generic, the main program's statements and the tests are checked; each call asks for the instance it needs, and
 * bodies of instances wait in a queue.  At the end instances are put in order, callees first. */
#include "frontend/check.h"

static void name_builtins(Check *c) {
    for (int b = 0; b < BI_COUNT; b++)
        map_put(c->a, &c->builtins, intern(c->s, builtin_info(b)->name), (void *)(intptr_t)(b + 1));
    c->n_int = intern(c->s, "int");
    c->n_c64 = intern(c->s, "c64");
    c->n_c128 = intern(c->s, "c128");
    c->n_x = intern(c->s, "x");
    c->n_y = intern(c->s, "y");
    c->n_z = intern(c->s, "z");
    c->n_T = intern(c->s, "T");
    c->n_thread = intern(c->s, "thread");
    c->n_block = intern(c->s, "block");
    c->n_blockdim = intern(c->s, "blockdim");
    c->n_griddim = intern(c->s, "griddim");
    c->n_underscore = intern(c->s, "_");
}

static Check *check_new(Session *s, const CheckOptions *opts) {
    Arena *a = session_arena(s);
    Check *c = NEW(a, Check);
    c->s = s;
    c->a = a;
    c->opts = opts;
    c->prog = NEW(a, Program);
    c->prog->session = s;
    name_builtins(c);
    c->main_fn = fn_new(c, FN_MAIN, "the main program");
    c->fn = c->main_fn;
    return c;
}

/* ---- cells of a session: variables from before, variables for later */

static void define_given(Check *c, Stmt *st) {
    if (st->kind != ST_LET) return;
    if (st->a) {
        check_let(c, st); /* known while compiling */
        for (int i = 0; i < st->vars.len; i++) st->vars.data[i]->given = true;
        return;
    }
    NewSizes fresh = {0};
    Var *v = var_new(c, st->var_kind, st->names.data[0], st->name_spans.data[0], type_resolve(c, st->type, &fresh));
    v->captured = v->given = true;
    scope_define(c, v);
    vec_push(c->a, &c->prog->given, v);
}

static void check_given(Check *c) {
    for (int i = 0; i < c->opts->given->stmts.len; i++) define_given(c, c->opts->given->stmts.data[i]);
}

static bool is_value(const FType *t) { return t->kind >= FT_SCALAR && t->kind <= FT_STRUCT; }

static bool returns_nothing(Check *c, const Expr *e) {
    if (e->kind != EX_CALL || !e->callee || e->callee->kind != EX_NAME || scope_find(c, e->callee->name)) return false;
    const Global *g = global_find(c, e->callee->name);
    if (g) return g->kind == GL_FN && !g->decl->ret && !g->decl->expr_body;
    return (intptr_t)map_get(&c->builtins, e->callee->name) == BI_print + 1;
}

/* Whether all branches of an `if` end in a value: else it is there for what its blocks do. */
static bool ends_in_value(Check *c, const Stmt *st) {
    if (st->kind == ST_EXPR) return !returns_nothing(c, st->a);
    if (st->kind != ST_IF || !st->else_body || !st->body->stmts.len || !st->else_body->stmts.len) return false;
    return ends_in_value(c, vec_last(&st->body->stmts)) && ends_in_value(c, vec_last(&st->else_body->stmts));
}

/* The value of an expression that ends a cell is a variable too. */
static Stmt *name_value(Check *c, Stmt *st) {
    if (ends_in_value(c, st)) if_as_value(c, st);
    if (st->kind != ST_EXPR) return st;
    st->a = check_expr(c, st->a, NULL);
    if (!is_value(st->a->type)) return st;
    Stmt *let = stmt_new(c->s, ST_LET, st->span);
    let->a = st->a;
    let->var_kind = VAR_LET;
    vec_push(c->a, &let->names, c->n_underscore);
    vec_push(c->a, &let->name_spans, st->span);
    return let;
}

static void check_cell(Check *c, StmtVec *stmts) {
    StmtVec last = {0};
    check_given(c);
    if (!stmts->len) return;
    check_first_stmts(c, stmts, stmts->len - 1);
    check_line_sign(c, stmts, stmts->len - 1);
    vec_push(c->a, &last, name_value(c, vec_last(stmts)));
    vec_last(stmts) = vec_last(&last);
    check_first_stmts(c, &last, 1);
}

/* Variables of the top level that are new or assigned to; those given that nobody asked for are left out. */
static void collect_kept(Check *c) {
    Program *p = c->prog;
    const Map *names = &c->main_fn->names;
    int used = 0;
    for (int i = 0; i < p->given.len; i++) {
        Var *v = p->given.data[i];
        if (v->used || v->assigned) p->given.data[used++] = v;
    }
    p->given.len = used;
    for (int i = 0; i < names->len; i++) {
        Var *v = names->vals[i];
        if (v && is_value(v->type) && (!v->given || v->assigned)) vec_push(c->a, &p->kept, v);
    }
}

static void check_main(Check *c, const Unit *u) {
    for (int i = 0; i < u->stmts.len; i++) {
        Stmt *st = u->stmts.data[i];
        bool constant = st->kind == ST_LET && st->var_kind == VAR_CONST;
        if (st->kind != ST_DECL && !constant) vec_push(c->a, &c->prog->main, st);
    }
    Block *body = NEW(c->a, Block);
    body->stmts = c->prog->main;
    c->main_fn->body = body;
    c->prog->in_session = c->opts && c->opts->given;
    if (c->prog->in_session) check_cell(c, &c->prog->main);
    else check_stmts(c, &c->prog->main);
}

Program *check_program(Session *s, Unit *main_unit, const CheckOptions *opts) {
    Check *c = check_new(s, opts);
    collect_program(c, main_unit);
    for (int i = 0; i < c->prog->units.len; i++) {
        const Unit *u = c->prog->units.data[i];
        if (file_scope(c, u->file) != c->std) check_decls(c, u);
    }
    check_main(c, main_unit);
    inst_run_queue(c);
    check_rules(c);
    c->prog->complex[0] = complex_decl(c, DT_F32);
    c->prog->complex[1] = complex_decl(c, DT_F64);
    inst_finish(c);
    warn_unused_parts(c, main_unit);
    if (opts && opts->given && !diag_error_count(s)) collect_kept(c);
    return diag_error_count(s) ? NULL : c->prog;
}
