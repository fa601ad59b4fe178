/* Parallel loops whose turns may make arrays of their own: those that write elements, rows and other parts of arrays
 * from outside at places of their own, and read these arrays nowhere else.
 *
 * Needs a checked body.  A place is a turn's own when one subscript, along the same axis wherever the array is
 * mentioned, is the index of the loop itself: r[k], m[k, :], m[i, k].  So no turn sees what another one writes, and the
 * loop does the same when its turns run in order (lower/ast/turns.c). */
#include "frontend/check.h"

/* An array from outside that is assigned; mentions of it, and those with the index along each axis */
typedef struct { const Var *var; int mentions, own[MAX_RANK]; } Written;
typedef struct {
    Check *c;
    const Var *index;
    Map inside; /* variables of the turn */
    VEC(Written) written;
    bool fits;
} Turns;

static void note_inside(Turns *t, const Var *v) {
    if (v) map_put(t->c->a, &t->inside, v, (void *)(intptr_t)1);
}

static const Var *root_of(const Expr *e) {
    while (e->kind == EX_INDEX || e->kind == EX_FIELD || e->kind == EX_CONVERT) e = e->a;
    return e->kind == EX_NAME ? e->var : NULL;
}

static void note_target(Turns *t, const Expr *target) {
    const Var *v = root_of(target);
    if (!v) t->fits = false;
    if (!v || map_has(&t->inside, v)) return;
    for (int i = 0; i < t->written.len; i++)
        if (t->written.data[i].var == v) return;
    vec_push(t->c->a, &t->written, (Written){.var = v});
}

static void look_at_stmt(void *ctx, Stmt *st) {
    Turns *t = ctx;
    for (int i = 0; i < st->vars.len; i++) note_inside(t, st->vars.data[i]);
    for (int i = 0; i < st->gens.len; i++) note_inside(t, st->gens.data[i].var);
    switch (st->kind) {
    case ST_ASSIGN: note_target(t, st->target); break;
    case ST_ATOMIC: case ST_BARRIER: case ST_LAUNCH: case ST_SPAWN: t->fits = false; break;
    default: break;
    }
}

static void look_at_expr(void *ctx, Expr *e) {
    Turns *t = ctx;
    bool part = e->kind == EX_INDEX && e->a->kind == EX_NAME;
    const Expr *name = e->kind == EX_NAME ? e : part ? e->a : NULL;
    for (int i = 0; name && i < t->written.len; i++) {
        Written *w = &t->written.data[i];
        if (w->var != name->var && (name->var || w->var->name != name->name)) continue; /* in a lambda: by its name */
        w->mentions += !part;
        for (int k = 0; part && k < e->subs.len && k < MAX_RANK; k++) {
            const Expr *at = e->subs.data[k].kind == SUB_INDEX ? e->subs.data[k].index : NULL;
            w->own[k] += at && at->kind == EX_NAME && at->var == t->index;
        }
    }
}

static bool has_own_axis(const Written *w) {
    for (int k = 0; k < MAX_RANK; k++)
        if (w->own[k] == w->mentions) return true;
    return false;
}

bool turns_are_own(Check *c, Stmt *loop) {
    const Gen *g = &loop->gens.data[0];
    if (loop->gens.len != 1 || g->over || !g->var) return false;
    Turns t = {.c = c, .index = g->var, .fits = true};
    walk_block(&(Walk){.stmt = look_at_stmt, .ctx = &t}, loop->body);
    walk_block(&(Walk){.expr = look_at_expr, .ctx = &t}, loop->body);
    for (int i = 0; i < t.written.len; i++) t.fits &= has_own_axis(&t.written.data[i]);
    return t.fits;
}
