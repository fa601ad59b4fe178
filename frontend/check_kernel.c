/* Barriers must be reached by all threads of a block, or by none.
 *
 * A value varies when it may differ between the threads of a block: thread.*, what is computed from it, loads at
 * a varying place, and what is assigned where only some threads come.  Control diverges under a varying condition, in a
 * loop that threads leave at different times, and after a return that only some take.  Marks only grow: the body is
 * walked until nothing changes, then once more to report. */
#include "frontend/check.h"

#include <stdlib.h>

typedef struct Cause { const Expr *source; Span at; const char *what; } Cause; /* why control diverges */

typedef struct {
    Check *c;
    Map varying;         /* Var -> Expr: what makes it vary */
    Map leaving;         /* loop Stmt -> Cause: threads leave it at different times */
    const Cause *left;   /* some threads have returned */
    const Cause *skipped; /* some threads have gone on to the next iteration */
    VEC(Stmt *) loops;
    bool changed, report;
} Uniform;

static void run_block(Uniform *u, const Block *b, const Cause *ctl);

/* ---- values */

static const Expr *varies(Uniform *u, const Expr *e);

static const Expr *any_varies(Uniform *u, const ExprVec *v) {
    const Expr *why = NULL;
    for (int i = 0; i < v->len && !why; i++) why = varies(u, v->data[i]);
    return why;
}

static const Expr *subs_vary(Uniform *u, const Expr *e) {
    const Expr *why = NULL;
    for (int i = 0; i < e->subs.len && !why; i++) {
        const Sub *s = &e->subs.data[i];
        why = varies(u, s->index);
        if (!why) why = varies(u, s->lo);
        if (!why) why = varies(u, s->hi);
    }
    return why;
}

static void mark(Uniform *u, const Var *v, const Expr *why) {
    if (!why || !v || map_has(&u->varying, v)) return;
    map_put(u->c->a, &u->varying, v, (void *)why);
    u->changed = true;
}

static const Expr *gens_vary(Uniform *u, const GenVec *gens) {
    const Expr *all = NULL;
    for (int i = 0; i < gens->len; i++) {
        const Gen *g = &gens->data[i];
        const Expr *why = varies(u, g->lo);
        if (!why) why = varies(u, g->hi);
        mark(u, g->var, why);
        if (!all) all = why;
    }
    return all;
}

static const Expr *if_varies(Uniform *u, const Expr *e) {
    const Expr *why = varies(u, e->a);
    const Block *blocks[2] = {e->then_block, e->else_block};
    Cause cause = {why, e->a->span, NULL};
    for (int i = 0; i < 2; i++) {
        run_block(u, blocks[i], why ? &cause : NULL);
        if (!why && blocks[i] && blocks[i]->stmts.len) why = varies(u, vec_last(&blocks[i]->stmts)->a);
    }
    return why;
}

static bool is_thread(const Uniform *u, const Expr *e) {
    return e->kind == EX_FIELD && e->a->kind == EX_NAME && !e->a->var && e->a->name == u->c->n_thread;
}

/* What makes the value vary, or NULL. */
static const Expr *varies(Uniform *u, const Expr *e) {
    if (!e || e->is_const || (e->type && e->type->kind == FT_TYPE)) return NULL;
    if (e->kind == EX_NAME) return e->var ? map_get(&u->varying, e->var) : NULL;
    if (is_thread(u, e)) return e;
    if (e->kind == EX_IF) return if_varies(u, e);
    const Expr *why = gens_vary(u, &e->gens);
    if (!why) why = varies(u, e->a);
    if (!why) why = varies(u, e->b);
    if (!why) why = any_varies(u, &e->args);
    return why ? why : subs_vary(u, e);
}

/* ---- statements */

static const Cause *cause_new(Uniform *u, const Expr *why, Span at, const char *what) {
    Cause *cause = NEW(u->c->a, Cause);
    *cause = (Cause){why, at, what};
    return cause;
}

static void assign(Uniform *u, const Expr *target, const Expr *value, const Cause *ctl) {
    const Expr *why = varies(u, value), *root = target;
    if (!why && ctl) why = ctl->source;
    for (; root->kind == EX_INDEX || root->kind == EX_FIELD; root = root->a)
        if (!why) why = subs_vary(u, root);
    for (int i = 0; root->kind == EX_TUPLE && i < root->args.len; i++) assign(u, root->args.data[i], value, ctl);
    if (root->var && root->var->kind == VAR_VAR) mark(u, root->var, why);
}

static void leave_loop(Uniform *u, const Stmt *loop, const Cause *cause) {
    if (map_has(&u->leaving, loop)) return;
    map_put(u->c->a, &u->leaving, loop, (void *)cause);
    u->changed = true;
}

static void report_barrier(Uniform *u, const Stmt *st, const Cause *why) {
    if (!u->report) return;
    Check *c = u->c;
    Diag *d = report(c, st->span, E_BARRIER_DIVERGENT);
    diag_note(c->s, d, why->at, "%s", why->what ? why->what : "this differs between the threads of a block");
    if (why->source && (why->source->span.lo != why->at.lo || why->source->span.hi != why->at.hi))
        diag_note(c->s, d, why->source->span, "because of this");
    diag_hint(c->s, d, "a barrier waits for every thread of the block: move it to where all of them come");
}

static void run_loop(Uniform *u, const Stmt *st, const Cause *ctl) {
    const Cause *skipped = u->skipped, *leaving = map_get(&u->leaving, st);
    const Expr *why = st->kind == ST_WHILE ? varies(u, st->a) : gens_vary(u, &st->gens);
    if (!ctl && why) {
        Span at = st->kind == ST_WHILE ? st->a->span : st->gens.data[0].hi ? st->gens.data[0].hi->span : st->span;
        ctl = cause_new(u, why, at, "the number of iterations differs between the threads of a block");
    }
    if (!ctl) ctl = leaving;
    vec_push(u->c->a, &u->loops, (Stmt *)st);
    run_block(u, st->body, ctl);
    u->loops.len--;
    u->skipped = skipped;
}

static void run_if(Uniform *u, const Stmt *st, const Cause *ctl) {
    const Expr *why = varies(u, st->a);
    const Cause *inner = ctl ? ctl : why ? cause_new(u, why, st->a->span, NULL) : NULL;
    run_block(u, st->body, inner);
    run_block(u, st->else_body, inner);
}

static void run_exit(Uniform *u, const Stmt *st, const Cause *ctl) {
    if (!ctl) return;
    const Cause *cause = cause_new(u, ctl->source, st->span, "only some of the threads leave here");
    if (st->kind == ST_CONTINUE) u->skipped = cause;
    else if (st->kind == ST_BREAK) u->skipped = cause;
    else u->left = u->left ? u->left : cause;
    if (st->kind == ST_BREAK && u->loops.len) leave_loop(u, vec_last(&u->loops), cause);
    for (int i = 0; st->kind == ST_RETURN && i < u->loops.len; i++) leave_loop(u, u->loops.data[i], cause);
}

static void run_stmt(Uniform *u, const Stmt *st, const Cause *ctl) {
    if (!ctl) ctl = u->left ? u->left : u->skipped;
    switch (st->kind) {
    case ST_LET: {
        const Expr *why = varies(u, st->a);
        for (int i = 0; i < st->vars.len; i++) mark(u, st->vars.data[i], why ? why : ctl && st->vars.data[i]->kind == VAR_VAR ? ctl->source : NULL);
        return;
    }
    case ST_ASSIGN: assign(u, st->target, st->a, ctl); return;
    case ST_EXPR: varies(u, st->a); return;
    case ST_IF: run_if(u, st, ctl); return;
    case ST_FOR: case ST_WHILE: run_loop(u, st, ctl); return;
    case ST_BREAK: case ST_CONTINUE: case ST_RETURN: run_exit(u, st, ctl); return;
    case ST_BLOCK: run_block(u, st->body, ctl); return;
    case ST_BARRIER:
        if (ctl) report_barrier(u, st, ctl);
        return;
    default: return;
    }
}

static void run_block(Uniform *u, const Block *b, const Cause *ctl) {
    for (int i = 0; b && i < b->stmts.len; i++) run_stmt(u, b->stmts.data[i], ctl);
}

static void look_for_barrier(void *ctx, Stmt *st) { *(bool *)ctx |= st->kind == ST_BARRIER; }

void check_uniform(Check *c, Inst *kernel) {
    bool any = false;
    Walk w = {.stmt = look_for_barrier, .ctx = &any};
    walk_block(&w, kernel->body);
    if (!any) return;
    Uniform u = {.c = c};
    do {
        u.changed = false;
        u.left = u.skipped = NULL;
        run_block(&u, kernel->body, NULL);
    } while (u.changed);
    u.report = true;
    u.left = u.skipped = NULL;
    run_block(&u, kernel->body, NULL);
}
