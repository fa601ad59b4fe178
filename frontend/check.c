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

static void check_main(Check *c, const Unit *u) {
    for (int i = 0; i < u->stmts.len; i++) {
        Stmt *st = u->stmts.data[i];
        bool constant = st->kind == ST_LET && st->var_kind == VAR_CONST;
        if (st->kind != ST_DECL && !constant) vec_push(c->a, &c->prog->main, st);
    }
    Block *body = NEW(c->a, Block);
    body->stmts = c->prog->main;
    c->main_fn->body = body;
    check_stmts(c, &c->prog->main);
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
    inst_finish(c);
    return diag_error_count(s) ? NULL : c->prog;
}
