/* Parallel loops whose turns make arrays: what threads cannot do in an island, whole turns do at function level.
 *
 * Such a loop is lowered as one that runs in order, which does the same, since its turns have places of their own
 * (frontend/check_turns.c); threads share it later if that is proved of the loop itself (opt/loops/ensembles.c).
 * Arrays of few elements, as many as the types say, are those of a thread (whole.c). */
#include "lower/ast/private.h"
#include "lower/ast/builtins.h"

enum { DEEPEST = 8 /* calls inside one another that are looked into */, MOST_ELEMENTS = 64 };

/* known: the sizes in the function that is looked at are numbers here */
typedef struct { bool makes, known; int depth; } Makes;

static void look_at_block(Makes *m, const Block *b);
static void visit(void *ctx, const Expr *e);

/* Each array in it has few elements. */
static bool is_small(const FType *t) {
    int64_t n = 1, dim;
    for (int i = 0; t->kind == FT_ARRAY && i < t->rank; i++) {
        if (!size_is_const(t->dims[i], &dim) || dim > MOST_ELEMENTS) return false;
        n *= dim;
    }
    for (int i = 0; i < t->nfields; i++)
        if (!is_small(t->fields[i])) return false;
    return n <= MOST_ELEMENTS;
}

/* A vector that a thread can scan */
static bool is_short(const FType *t) {
    int64_t n;
    return size_is_const(t->dims[0], &n) && n <= SHORT_SCAN;
}

/* The body stands in place of the call where it is given arrays, and they must be there. */
static void look_at_call(Makes *m, const Expr *e) {
    bool known = true, given = type_has_array(e->type);
    for (int i = 0; i < e->args.len; i++) {
        const Expr *x = e->args.data[i];
        known &= m->known || ftype_has_const_size(x->type);
        given |= type_has_array(x->type);
        m->makes |= type_has_array(x->type) && x->kind != EX_NAME && x->kind != EX_FIELD && !known;
    }
    m->makes |= !(m->known || is_small(e->type)) || (given && e->inst->recursive);
    if (m->makes || !given || m->depth == DEEPEST) return;
    Makes in = {.known = known, .depth = m->depth + 1};
    if (e->inst->body) look_at_block(&in, e->inst->body);
    else expr_each(e->inst->expr_body, visit, &in);
    m->makes = in.makes;
}

/* What no thread does by itself */
static bool takes_whole_turn(const Makes *m, const Expr *e) {
    if (e->call == CALL_EXTERN) return true;
    if (e->call != CALL_BUILTIN) return false;
    switch (e->builtin) {
    case BI_scan: case BI_cumsum: return m->known || !is_short(e->type);
    case BI_cholesky: case BI_trisolve: case BI_eigh: return true;
    case BI_solve: case BI_inv: case BI_det: return !m->known && !is_small(e->args.data[0]->type);
    default: return false;
    }
}

static void visit(void *ctx, const Expr *e) {
    Makes *m = ctx;
    if (e->kind == EX_CALL && e->call == CALL_FN && !e->each) look_at_call(m, e);
    if (e->kind == EX_CALL) m->makes |= takes_whole_turn(m, e);
    if (e->kind == EX_BINARY && e->op == OPR_MATMUL) m->makes |= !m->known && !is_small(e->type);
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

/* ---- functions of numbers that make arrays */

typedef struct { Makes makes; bool arrays, small; } Inside;

/* A table, which is there once for all calls of the function */
static bool is_table(const Expr *e) {
    for (int i = 0; i < e->args.len; i++)
        if (!e->args.data[i]->is_const) return false;
    return e->kind == EX_ARRAY;
}

static void look_inside(void *ctx, const Expr *e) {
    Inside *in = ctx;
    visit(&in->makes, e);
    if (!e->type || !type_has_array(e->type)) return;
    in->arrays |= e->kind != EX_NAME && !is_table(e);
    in->small &= is_small(e->type);
}

bool makes_small_arrays(const Inst *inst) {
    Inside in = {.small = true};
    for (size_t i = 0; i < sizeof inst->rule / sizeof *inst->rule; i++)
        if (inst->rule[i]) return false;
    if (inst->recursive) return false;
    if (inst->body) look_at_vars(&in.makes, inst->body), block_each(inst->body, look_inside, &in);
    else if (inst->expr_body) expr_each(inst->expr_body, look_inside, &in);
    return in.arrays && in.small && !in.makes.makes;
}
