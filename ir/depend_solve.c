/* Whether a formula over integer unknowns has a solution.
 *
 * Equalities are solved for an unknown and put in, also inside products; then bounds are tried, then isl, in which
 * each product is an unknown of its own.  What products obey is added as products of the constraints with
 * nonnegative unknowns (reformulation and linearization: Sherali and Adams, SIAM J. Discrete Math. 3, 1990).
 * Disjunctions are split while a solution remains. */
#include "ir/depend_private.h"

#include <isl/mat.h>
#include <isl/options.h>
#include <isl/set.h>
#include <isl/space.h>
#include <isl/val.h>

enum { MAX_STEPS = 400, MAX_VARS = 60, MAX_PRODUCTS = 160, ISL_CAP = 60000 };

typedef VEC(const IPoly *) Rows;
typedef VEC(const Formula *) Formulas;
typedef struct { int atom; const IPoly *by; } Solved;
typedef struct { Rows ge, eq; Formulas split; VEC(Solved) solved; VEC(int) lined; } System;
typedef struct { Query *q; Verdict v; } Solver;
typedef enum { EMPTY, OPEN, GIVEN_UP } State;

static System system_copy(Arena *a, const System *s) {
    System c = {0};
    for (int i = 0; i < s->ge.len; i++) vec_push(a, &c.ge, s->ge.data[i]);
    for (int i = 0; i < s->eq.len; i++) vec_push(a, &c.eq, s->eq.data[i]);
    for (int i = 0; i < s->split.len; i++) vec_push(a, &c.split, s->split.data[i]);
    for (int i = 0; i < s->solved.len; i++) vec_push(a, &c.solved, s->solved.data[i]);
    for (int i = 0; i < s->lined.len; i++) vec_push(a, &c.lined, s->lined.data[i]);
    return c;
}

/* ---- normal form of a constraint */

static int64_t gcd(int64_t a, int64_t b) {
    while (b) { int64_t t = a % b; a = b; b = t; }
    return a < 0 ? -a : a;
}

static int64_t floor_div(int64_t a, int64_t b) { return a / b - (a % b && (a < 0) != (b < 0)); }

static int64_t content(const IPoly *p) { /* of the terms with unknowns */
    int64_t g = 0;
    for (int i = 0; i < p->n; i++)
        if (p->t[i].mono) g = gcd(g, p->t[i].coef);
    return g;
}

/* p / g, the constant rounded down */
static const IPoly *divided(Query *q, const IPoly *p, int64_t g) {
    const IPoly *r = poly_const(q->ps, floor_div(poly_constant(p), g));
    for (int i = 0; i < p->n; i++) {
        const Mono *m = poly_mono(q->ps, p->t[i].mono);
        if (!m->n) continue;
        const IPoly *t = poly_const(q->ps, p->t[i].coef / g);
        for (int k = 0; k < m->n; k++) t = poly_mul(q->ps, t, poly_atom(q->ps, m->atom[k]));
        r = poly_add(q->ps, r, t);
    }
    return r;
}

static const IPoly *put_in(Query *q, const System *s, const IPoly *p) {
    for (int i = 0; p && i < s->solved.len; i++) p = poly_subst(q->ps, p, s->solved.data[i].atom, s->solved.data[i].by);
    return p;
}

/* ---- bounds */

static bool mono_low(Query *q, int mono, int64_t *lo) {
    const Mono *m = poly_mono(q->ps, mono);
    *lo = 1;
    for (int k = 0; k < m->n; k++) {
        const Atom *a = &q->atoms.data[m->atom[k]];
        if (!a->has_lo || (m->n > 1 && a->lo < 0) || __builtin_mul_overflow(*lo, a->lo, lo)) return false;
    }
    return true;
}

static bool mono_high(Query *q, int mono, int64_t *hi) {
    const Mono *m = poly_mono(q->ps, mono);
    if (m->n != 1 || !q->atoms.data[m->atom[0]].has_hi) return false;
    *hi = q->atoms.data[m->atom[0]].hi;
    return true;
}

/* Is sign*p below zero by the bounds of its unknowns? */
static bool below_zero(Query *q, const IPoly *p, int sign) {
    int64_t sum = 0;
    for (int i = 0; i < p->n; i++) {
        int64_t c = sign * p->t[i].coef, b = 1;
        if (p->t[i].mono && !(c < 0 ? mono_low(q, p->t[i].mono, &b) : mono_high(q, p->t[i].mono, &b))) return false;
        if (__builtin_mul_overflow(c, b, &b) || __builtin_add_overflow(sum, b, &sum)) return false;
    }
    return sum < 0;
}

/* ---- adding */

static bool add_ge(Query *q, System *s, const IPoly *p) { /* false: no solution */
    if (!p) return true;
    int64_t c, g;
    if (poly_is_const(p, &c)) return c >= 0;
    if (below_zero(q, p, 1)) return false;
    if ((g = content(p)) > 1) p = divided(q, p, g);
    for (int i = 0; i < s->ge.len; i++)
        if (s->ge.data[i] == p) return true;
    vec_push(q->arena, &s->ge, p);
    return true;
}

static bool add_eq(Query *q, System *s, const IPoly *p) {
    if (!p) return true;
    int64_t c, g = content(p);
    if (poly_is_const(p, &c)) return c == 0;
    if (poly_constant(p) % g) return false;
    if (below_zero(q, p, 1) || below_zero(q, p, -1)) return false;
    vec_push(q->arena, &s->eq, g > 1 ? divided(q, p, g) : p);
    return true;
}

static bool add(Query *q, System *s, const Formula *f) {
    switch (f->kind) {
    case F_TRUE: return true;
    case F_FALSE: return false;
    case F_GE: return add_ge(q, s, put_in(q, s, f->p));
    case F_EQ: return add_eq(q, s, put_in(q, s, f->p));
    case F_AND: return add(q, s, f->a) && add(q, s, f->b);
    default: vec_push(q->arena, &s->split, f); return true;
    }
}

/* Can f hold, by bounds alone? */
static bool possible(Query *q, const System *s, const Formula *f) {
    int64_t c;
    const IPoly *p = f->p ? put_in(q, s, f->p) : NULL;
    switch (f->kind) {
    case F_TRUE: return true;
    case F_FALSE: return false;
    case F_GE: return !p || (poly_is_const(p, &c) ? c >= 0 : !below_zero(q, p, 1));
    case F_EQ: return !p || (poly_is_const(p, &c) ? c == 0 : !below_zero(q, p, 1) && !below_zero(q, p, -1));
    case F_AND: return possible(q, s, f->a) && possible(q, s, f->b);
    default: return possible(q, s, f->a) || possible(q, s, f->b);
    }
}

/* ---- solving equalities */

/* An unknown that stands alone with coefficient 1 or -1: the newest one */
static int solvable(Query *q, const IPoly *p, int64_t *coef) {
    int best = -1;
    for (int i = 0; i < p->n; i++) {
        const Mono *m = poly_mono(q->ps, p->t[i].mono);
        if (m->n != 1 || (p->t[i].coef != 1 && p->t[i].coef != -1) || m->atom[0] <= best) continue;
        bool alone = true;
        for (int k = 0; k < p->n; k++)
            for (int j = 0; k != i && j < poly_mono(q->ps, p->t[k].mono)->n; j++)
                alone &= poly_mono(q->ps, p->t[k].mono)->atom[j] != m->atom[0];
        if (!alone) continue;
        best = m->atom[0];
        *coef = p->t[i].coef;
    }
    return best;
}

static bool substitute(Query *q, System *s, int atom, const IPoly *by) {
    Rows ge = s->ge, eq = s->eq;
    const Atom *a = &q->atoms.data[atom];
    vec_push(q->arena, &s->solved, ((Solved){atom, by}));
    s->ge = s->eq = (Rows){0};
    for (int i = 0; i < ge.len; i++)
        if (!add_ge(q, s, poly_subst(q->ps, ge.data[i], atom, by))) return false;
    for (int i = 0; i < eq.len; i++)
        if (!add_eq(q, s, poly_subst(q->ps, eq.data[i], atom, by))) return false;
    if (a->has_lo && !add_ge(q, s, poly_sub(q->ps, by, poly_const(q->ps, a->lo)))) return false;
    return !a->has_hi || add_ge(q, s, poly_sub(q->ps, poly_const(q->ps, a->hi), by));
}

static bool solve_equalities(Query *q, System *s) {
    for (int i = 0; i < s->eq.len; i++) {
        const IPoly *p = s->eq.data[i];
        int64_t c;
        int atom = solvable(q, p, &c);
        if (atom < 0) continue;
        s->eq.data[i] = vec_last(&s->eq);
        s->eq.len--;
        const IPoly *by = poly_sub(q->ps, poly_atom(q->ps, atom), poly_scale(q->ps, p, c));
        if (by && !substitute(q, s, atom, by)) return false;
        if (!by) continue;
        i = -1;
    }
    return true;
}

/* Disjunctions of which one side is left */
static bool settle_splits(Query *q, System *s) {
    for (int i = 0; i < s->split.len; i++) {
        const Formula *f = s->split.data[i];
        bool a = possible(q, s, f->a), b = possible(q, s, f->b);
        if (a && b) continue;
        if (!a && !b) return false;
        s->split.data[i] = vec_last(&s->split);
        s->split.len--;
        if (!add(q, s, a ? f->a : f->b) || !solve_equalities(q, s)) return false;
        i = -1;
    }
    return true;
}

/* ---- linear form, for isl */

typedef struct { int n; int mono[MAX_VARS]; bool product; } Columns;

static int column_of(const Columns *c, int mono) {
    for (int i = 0; i < c->n; i++)
        if (c->mono[i] == mono) return i;
    return -1;
}

static bool column_add(Columns *c, int mono) {
    if (!mono || column_of(c, mono) >= 0) return true;
    if (c->n == MAX_VARS) return false;
    c->mono[c->n++] = mono;
    return true;
}

static bool columns_of(Query *q, const Rows *rows, Columns *c) {
    for (int i = 0; i < rows->len; i++)
        for (int k = 0; k < rows->data[i]->n; k++) {
            c->product |= poly_mono(q->ps, rows->data[i]->t[k].mono)->n > 1;
            if (!column_add(c, rows->data[i]->t[k].mono)) return false;
        }
    return true;
}

/* Products and their factors, and products with one factor less */
static bool add_factors(Query *q, Columns *c) {
    for (int i = 0; i < c->n; i++) {
        Mono m = *poly_mono(q->ps, c->mono[i]);
        for (int k = 0; m.n > 1 && k < m.n; k++) {
            int less = poly_mono_div(q->ps, c->mono[i], m.atom[k]);
            if (!column_add(c, less)) return false;
        }
    }
    return true;
}

static bool all_known(const Columns *c, const IPoly *p) {
    for (int i = 0; i < p->n; i++)
        if (p->t[i].mono && column_of(c, p->t[i].mono) < 0) return false;
    return true;
}

/* Bounds of the unknowns as constraints; row of ge for each column of one unknown */
static void add_bounds(Query *q, const Columns *c, Rows *ge) {
    for (int i = 0; i < c->n; i++) {
        const Mono *m = poly_mono(q->ps, c->mono[i]);
        if (m->n != 1) continue;
        const Atom *a = &q->atoms.data[m->atom[0]];
        const IPoly *x = poly_atom(q->ps, m->atom[0]);
        if (a->has_lo) vec_push(q->arena, ge, poly_sub(q->ps, x, poly_const(q->ps, a->lo)));
        if (a->has_hi) vec_push(q->arena, ge, poly_sub(q->ps, poly_const(q->ps, a->hi), x));
    }
}

/* row * (unknown - its lower bound), where every product in it is already known */
static void multiply(Query *q, const Columns *c, const Rows *from, int end, Rows *to, bool equal) {
    int made = 0;
    for (int i = 0; i < c->n; i++) {
        const Mono *m = poly_mono(q->ps, c->mono[i]);
        if (m->n != 1) continue;
        const Atom *a = &q->atoms.data[m->atom[0]];
        if (!equal && (!a->has_lo || a->lo < 0)) continue;
        const IPoly *x = poly_atom(q->ps, m->atom[0]);
        if (!equal && a->lo) x = poly_sub(q->ps, x, poly_const(q->ps, a->lo));
        for (int k = 0; k < end && made < MAX_PRODUCTS; k++) {
            const IPoly *p = poly_mul(q->ps, from->data[k], x);
            if (!p || !p->n || !all_known(c, p)) continue;
            vec_push(q->arena, to, p);
            made++;
        }
    }
}

static isl_mat *matrix(Query *q, const Columns *c, const Rows *rows) {
    isl_ctx *ctx = q->d->ctx;
    isl_mat *m = isl_mat_alloc(ctx, (unsigned)rows->len, (unsigned)(c->n + 1));
    for (int i = 0; i < rows->len; i++) {
        for (int k = 0; k <= c->n; k++) m = isl_mat_set_element_si(m, i, k, 0);
        for (int k = 0; k < rows->data[i]->n; k++) {
            PolyTerm t = rows->data[i]->t[k];
            isl_val *v = isl_val_int_from_si(ctx, t.coef);
            m = isl_mat_set_element_val(m, i, t.mono ? column_of(c, t.mono) + 1 : 0, v);
        }
    }
    return m;
}

static State ask_isl(Query *q, const System *s, bool *product) {
    Columns c = {0};
    Rows ge = {0}, eq = {0};
    for (int i = 0; i < s->ge.len; i++) vec_push(q->arena, &ge, s->ge.data[i]);
    for (int i = 0; i < s->eq.len; i++) vec_push(q->arena, &eq, s->eq.data[i]);
    if (!columns_of(q, &ge, &c) || !columns_of(q, &eq, &c)) return GIVEN_UP;
    *product = c.product;
    if (c.product && !add_factors(q, &c)) return GIVEN_UP;
    add_bounds(q, &c, &ge);
    if (c.product) {
        int first = ge.len;
        multiply(q, &c, &ge, first, &ge, false);
        multiply(q, &c, &eq, eq.len, &eq, true);
    }
    isl_ctx *ctx = q->d->ctx;
    isl_space *space = isl_space_set_alloc(ctx, 0, (unsigned)c.n);
    isl_ctx_reset_operations(ctx);
    isl_ctx_set_max_operations(ctx, ISL_CAP);
    isl_basic_set *set = isl_basic_set_from_constraint_matrices(space, matrix(q, &c, &eq), matrix(q, &c, &ge), isl_dim_cst,
                                                                isl_dim_param, isl_dim_set, isl_dim_div);
    isl_bool empty = isl_basic_set_is_empty(set);
    isl_basic_set_free(set);
    isl_ctx_set_max_operations(ctx, 0);
    isl_ctx_reset_error(ctx);
    return empty == isl_bool_true ? EMPTY : empty == isl_bool_false ? OPEN : GIVEN_UP;
}

/* ---- search */

static void search(Solver *v, System *s);

static bool finished(const Solver *v) { return v->v.sat == ANSWER_UNKNOWN || v->v.sat == ANSWER_YES || v->v.steps > MAX_STEPS; }

static void branch(Solver *v, const System *s, const Formula *f) {
    System c = system_copy(v->q->arena, s);
    if (!finished(v) && add(v->q, &c, f)) search(v, &c);
}

/* An unknown of one instance in a product, with its twin: which is greater decides a great deal. */
static int twin_in_product(Query *q, const System *s) {
    for (int e = 0; e < 2; e++) {
        const Rows *rows = e ? &s->eq : &s->ge;
        for (int i = 0; i < rows->len; i++)
            for (int k = 0; k < rows->data[i]->n; k++) {
                const Mono *m = poly_mono(q->ps, rows->data[i]->t[k].mono);
                for (int j = 0; m->n > 1 && j < m->n; j++) {
                    int a = m->atom[j], b = q->atoms.data[a].twin;
                    bool done = b < 0;
                    for (int n = 0; n < s->lined.len; n++) done |= s->lined.data[n] == a;
                    for (int n = 0; n < s->solved.len; n++) done |= s->solved.data[n].atom == b;
                    if (!done) return a;
                }
            }
    }
    return -1;
}

static void line_up(Solver *v, System *s, int a) {
    Query *q = v->q;
    int b = q->atoms.data[a].twin;
    const IPoly *x = poly_atom(q->ps, a), *y = poly_atom(q->ps, b);
    vec_push(q->arena, &s->lined, a);
    vec_push(q->arena, &s->lined, b);
    branch(v, s, formula_eq(q, poly_sub(q->ps, y, x)));
    for (int side = 0; side < 2; side++) {
        int64_t key[] = {-1, a, side};
        int d = query_atom(q, ATOM_IV, 3, key);
        q->atoms.data[d].has_lo = true;
        q->atoms.data[d].lo = 1;
        System c = system_copy(q->arena, s);
        const IPoly *by = poly_add(q->ps, side ? y : x, poly_atom(q->ps, d));
        if (!finished(v) && substitute(q, &c, side ? a : b, by)) search(v, &c);
    }
}

/* A solution that uses nothing unknown is one of the program. */
static void found(Solver *v, const System *s, bool product) {
    Query *q = v->q;
    bool data = false;
    for (int e = 0; e < 3; e++) {
        int n = e == 0 ? s->ge.len : e == 1 ? s->eq.len : s->solved.len;
        for (int i = 0; i < n; i++) {
            const IPoly *p = e == 0 ? s->ge.data[i] : e == 1 ? s->eq.data[i] : s->solved.data[i].by;
            data |= e == 2 && q->atoms.data[s->solved.data[i].atom].kind == ATOM_DATA;
            for (int k = 0; k < p->n; k++)
                for (int j = 0; j < poly_mono(q->ps, p->t[k].mono)->n; j++)
                    data |= q->atoms.data[poly_mono(q->ps, p->t[k].mono)->atom[j]].kind == ATOM_DATA;
        }
    }
    v->v.sat = ANSWER_YES;
    v->v.data = data;
    v->v.product = product;
    v->v.exact = !data && !product;
}

static void search(Solver *v, System *s) {
    Query *q = v->q;
    bool product = false;
    if (finished(v)) return;
    if (++v->v.steps > MAX_STEPS) { v->v.sat = ANSWER_UNKNOWN; return; }
    if (!solve_equalities(q, s) || !settle_splits(q, s)) return;
    State state = ask_isl(q, s, &product);
    if (state == EMPTY) return;
    if (s->split.len) {
        const Formula *f = vec_pop(&s->split);
        branch(v, s, f->a);
        branch(v, s, f->b);
        return;
    }
    int a = product ? twin_in_product(q, s) : -1;
    if (a >= 0) line_up(v, s, a);
    else if (state == GIVEN_UP) v->v.sat = ANSWER_UNKNOWN;
    else found(v, s, product);
}

Verdict query_solve(Query *q, const Formula *f) {
    Solver v = {.q = q, .v = {.sat = ANSWER_NO}};
    System s = {0};
    bool ok = true;
    for (int i = 0; ok && i < q->facts.len; i++) ok = add(q, &s, q->facts.data[i]);
    if (ok && add(q, &s, f)) search(&v, &s);
    return v.v;
}
