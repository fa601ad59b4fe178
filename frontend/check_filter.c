/* Conditions behind ranges: [v for x in xs if c], sum(v for x in xs if c).
 *
 * A reduction takes what changes nothing where the condition does not hold: sum(if c { v } else { 0 } for x in xs),
 * also in kernels, of any ranges.  An array is made of the elements for which it holds: [v for x in _chosen(xs, fn(x)
 * => c)]; how many these are is known when the program runs.  Ranges and arrays are evaluated once. */
#include "frontend/check.h"

#include <math.h>

static Expr *condition_lambda(Check *c, const Gen *g, Expr *cond) {
    Expr *e = expr_new(c->s, EX_LAMBDA, cond->span);
    Param p = {.name = g->name, .span = g->span};
    vec_push(c->a, &e->params, p);
    e->a = cond;
    return e;
}

/* The array that the range, or what stands for it, is */
static Expr *elements_of(Check *c, const Gen *g) {
    Expr *ends[] = {g->lo, g->hi, g->step};
    return g->over ? g->over : call_library(c, g->span, "arange", g->step ? 3 : 2, ends);
}

bool check_filter(Check *c, Expr *e) {
    Gen *g = &e->gens.data[0];
    if (in_device(c)) {
        Diag *d = report(c, e->c->span, E_FILTER_DEVICE);
        diag_hint(c->s, d, "a reduction may have a condition; else loop over it: for %s in ... { if %s { ... } }",
                  g->name, source_copy(c->s, e->c->span));
        return false;
    }
    Expr *args[] = {elements_of(c, g), condition_lambda(c, g, e->c)};
    *g = (Gen){.name = g->name, .span = g->span, .over = call_library(c, e->c->span, "_chosen", 2, args)};
    e->c = NULL;
    return true;
}

/* ---- reductions */

/* What changes no result of the reduction */
static Const neutral_of(int b, DType d) {
    bool one = b == BI_prod || b == BI_all, extreme = b == BI_min || b == BI_max;
    if (extreme && dtype_is_float(d)) return (Const){.dtype = d, .f = b == BI_max ? -INFINITY : INFINITY};
    if (extreme) return int_limit(d, b == BI_min);
    return (Const){.dtype = d, .i = one, .f = one};
}

static Block *block_of(Check *c, Expr *value) {
    Block *b = NEW(c->a, Block);
    Stmt *st = stmt_new(c->s, ST_EXPR, value->span);
    b->span = value->span;
    st->a = value;
    vec_push(c->a, &b->stmts, st);
    return b;
}

void filter_values(Check *c, Expr *gen, Expr *otherwise) {
    if (!gen->c || is_error(gen)) return;
    Expr *e = expr_new(c->s, EX_IF, gen->a->span);
    e->a = gen->c;
    e->then_block = block_of(c, gen->a);
    e->else_block = block_of(c, otherwise);
    e->type = gen->a->type;
    gen->a = e;
    gen->c = NULL;
}

void filter_reduced(Check *c, Expr *gen, int b) {
    Expr *neutral = expr_new(c->s, EX_INT, gen->a->span);
    neutral->type = gen->a->type;
    if (gen->c) set_const(c, neutral, neutral_of(b, neutral->type->dtype));
    filter_values(c, gen, neutral);
}
