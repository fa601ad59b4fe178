/* Parallel loops whose turns make arrays: what threads cannot do in an island, whole turns do at function level.
 *
 * Such a loop is lowered as one that runs in order, which does the same, since its turns have places of their own
 * (frontend/check_turns.c); threads share it later if that is proved of the loop itself (opt/loops/ensembles.c). */
#include "lower/ast/private.h"

enum { DEEPEST = 8 }; /* calls inside one another that are looked into */

/* known: the sizes in the function that is looked at are numbers here */
typedef struct { bool makes, known; int depth; } Makes;

static void look_at_block(Makes *m, const Block *b);
static void visit(void *ctx, const Expr *e);

/* The body stands in place of the call where it is given arrays, and they must be there. */
static void look_at_call(Makes *m, const Expr *e) {
    bool known = true, given = false;
    for (int i = 0; i < e->args.len; i++) {
        const Expr *x = e->args.data[i];
        known &= m->known || ftype_has_const_size(x->type);
        given |= type_has_array(x->type);
        m->makes |= type_has_array(x->type) && x->kind != EX_NAME && x->kind != EX_FIELD && !known;
    }
    m->makes |= type_has_array(e->type) || (given && e->inst->recursive);
    if (m->makes || !given || m->depth == DEEPEST) return;
    Makes in = {.known = known, .depth = m->depth + 1};
    if (e->inst->body) look_at_block(&in, e->inst->body);
    else expr_each(e->inst->expr_body, visit, &in);
    m->makes = in.makes;
}

static void visit(void *ctx, const Expr *e) {
    Makes *m = ctx;
    if (e->kind == EX_CALL && e->call == CALL_FN && !e->each) look_at_call(m, e);
    if (e->kind == EX_BINARY && e->op == OPR_MATMUL) m->makes |= type_has_array(e->type);
}

static void look_at_vars(Makes *m, const Block *b) {
    for (int i = 0; i < b->stmts.len; i++) {
        const Stmt *s = b->stmts.data[i];
        for (int k = 0; k < s->vars.len; k++) m->makes |= !m->known && !ftype_has_const_size(s->vars.data[k]->type);
        if (s->body) look_at_vars(m, s->body);
        if (s->else_body) look_at_vars(m, s->else_body);
    }
}

static void look_at_block(Makes *m, const Block *b) {
    look_at_vars(m, b);
    block_each(b, visit, m);
}

bool turns_make_arrays(const Stmt *loop) {
    Makes m = {0};
    look_at_block(&m, loop->body);
    return m.makes;
}
