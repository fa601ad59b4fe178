/* Whether a formula has a solution for all values of some of its unknowns: what holds for the sizes that were tried
 * need not hold for others.
 *
 * Both sides become isl sets, from which all but those unknowns are projected out; then one has to lie in the other.
 * Linear formulas only: of products the answer is UNKNOWN. */
#include "analysis/depend_private.h"

#include <isl/constraint.h>
#include <isl/local_space.h>
#include <isl/set.h>
#include <isl/space.h>

enum { MAX_UNKNOWNS = 24, ISL_CAP = 200000 };
typedef struct { const Query *q; const int *column; int n; isl_ctx *ctx; } Sets; /* column of an unknown + 1 */

static isl_constraint *constraint_of(const Sets *s, const Poly *p, bool equal) {
    isl_local_space *space = isl_local_space_from_space(isl_space_set_alloc(s->ctx, 0, (unsigned)s->n));
    isl_constraint *c = equal ? isl_constraint_alloc_equality(space) : isl_constraint_alloc_inequality(space);
    for (int i = 0; i < p->n; i++) {
        const Mono *m = poly_mono(s->q->ps, p->t[i].mono);
        isl_val *v = isl_val_int_from_si(s->ctx, p->t[i].coef);
        c = m->n ? isl_constraint_set_coefficient_val(c, isl_dim_set, s->column[m->atom[0]] - 1, v)
                 : isl_constraint_set_constant_val(c, v);
    }
    return c;
}

static isl_set *universe(const Sets *s) { return isl_set_universe(isl_space_set_alloc(s->ctx, 0, (unsigned)s->n)); }

static isl_set *set_of(const Sets *s, const Formula *f) {
    switch (f->kind) {
    case F_TRUE: return universe(s);
    case F_FALSE: return isl_set_empty(isl_space_set_alloc(s->ctx, 0, (unsigned)s->n));
    case F_AND: return isl_set_intersect(set_of(s, f->a), set_of(s, f->b));
    case F_OR: return isl_set_union(set_of(s, f->a), set_of(s, f->b));
    default: return isl_set_add_constraint(universe(s), constraint_of(s, f->p, f->kind == F_EQ));
    }
}

/* The solutions in the first n unknowns */
static isl_set *shadow(const Sets *s, const Formula *f, int n) {
    isl_set *set = set_of(s, f);
    for (int i = 0; i < s->q->atoms.len; i++) {
        const Atom *a = &s->q->atoms.data[i];
        if (s->column[i] && a->has_lo)
            set = isl_set_lower_bound_si(set, isl_dim_set, (unsigned)s->column[i] - 1, a->lo);
        if (s->column[i] && a->has_hi)
            set = isl_set_upper_bound_si(set, isl_dim_set, (unsigned)s->column[i] - 1, a->hi);
    }
    return isl_set_project_out(set, isl_dim_set, (unsigned)n, (unsigned)(s->n - n));
}

static bool is_linear(const Query *q, const Formula *f) {
    if (f->kind == F_AND || f->kind == F_OR) return is_linear(q, f->a) && is_linear(q, f->b);
    for (int i = 0; f->p && i < f->p->n; i++)
        if (poly_mono(q->ps, f->p->t[i].mono)->n > 1) return false;
    return true;
}

/* Those of `of` come first: how many they are */
static int number_columns(Sets *s, const bool *used, const bool *of, int *column) {
    int first = 0;
    for (int turn = 0; turn < 2; turn++) {
        for (int i = 0; i < s->q->atoms.len; i++)
            if (used[i] && of[i] == !turn) column[i] = ++s->n;
        if (!turn) first = s->n;
    }
    s->column = column;
    return first;
}

Answer query_for_all(Query *q, const Formula *f, const Formula *given, const bool *of) {
    bool *used = NEWN(q->arena, bool, q->atoms.len + 1);
    Sets s = {.q = q, .ctx = q->d->ctx};
    formula_atoms(q, f, used);
    formula_atoms(q, given, used);
    int n = number_columns(&s, used, of, NEWN(q->arena, int, q->atoms.len + 1));
    if (s.n > MAX_UNKNOWNS || !is_linear(q, f) || !is_linear(q, given)) return ANSWER_UNKNOWN;
    isl_ctx_reset_operations(s.ctx);
    isl_ctx_set_max_operations(s.ctx, ISL_CAP);
    isl_set *all = shadow(&s, given, n), *solved = shadow(&s, f, n);
    isl_bool inside = isl_set_is_subset(all, solved);
    isl_set_free(all);
    isl_set_free(solved);
    isl_ctx_set_max_operations(s.ctx, 0);
    isl_ctx_reset_error(s.ctx);
    return inside == isl_bool_true ? ANSWER_YES : inside == isl_bool_false ? ANSWER_NO : ANSWER_UNKNOWN;
}
