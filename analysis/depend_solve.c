/* Whether a formula over integer unknowns has a solution.
 *
 * Equalities are solved for an unknown and put in, also inside products; then bounds are tried, then isl, in which
 * each product is an unknown of its own.  What products obey is added as products of the constraints with
 * nonnegative unknowns (reformulation and linearization: Sherali and Adams, SIAM J. Discrete Math. 3, 1990).
 * Disjunctions are split while a solution remains. */
#include "analysis/depend_private.h"

#include <isl/mat.h>
#include <isl/options.h>
#include <isl/point.h>
#include <isl/set.h>
#include <isl/space.h>
#include <isl/val.h>

enum {
    MAX_STEPS = 400,
    MAX_VARS = 60,
    MAX_PRODUCTS = 160,
    ISL_CAP = 60000,
    ISL_WORK = 1000000,
    GIVEN_UP_EFFORT = 1000
};

typedef VEC(const Poly *) Rows;
typedef VEC(const Formula *) Formulas;
typedef struct { int atom; const Poly *by; } Solved;
typedef struct {
    Rows ge, eq;
    Formulas split;
    VEC(Solved) solved;
    VEC(int) lined;
    VEC(bool) is_solved;
} System; /* is_solved: by atom */
typedef struct {
    Query *q;
    Verdict v;
    const Formula *formula;
    bool want_model;
    int64_t *model;
    const Value *other_data;
} Solver; /* formula: what a model obeys */
typedef enum { EMPTY, OPEN, GIVEN_UP } State;

static System system_copy(Arena *a, const System *s) {
    System c = {0};
    for (int i = 0; i < s->ge.len; i++) vec_push(a, &c.ge, s->ge.data[i]);
    for (int i = 0; i < s->eq.len; i++) vec_push(a, &c.eq, s->eq.data[i]);
    for (int i = 0; i < s->split.len; i++) vec_push(a, &c.split, s->split.data[i]);
    for (int i = 0; i < s->solved.len; i++) vec_push(a, &c.solved, s->solved.data[i]);
    for (int i = 0; i < s->lined.len; i++) vec_push(a, &c.lined, s->lined.data[i]);
    for (int i = 0; i < s->is_solved.len; i++) vec_push(a, &c.is_solved, s->is_solved.data[i]);
    return c;
}

/* ---- normal form of a constraint */

static int64_t content(const Poly *p) { /* of the terms with unknowns */
    int64_t g = 0;
    for (int i = 0; i < p->n; i++)
        if (p->t[i].mono) g = int_gcd(g, p->t[i].coef);
    return g;
}

/* p / g, the constant rounded down */
static const Poly *divided(Query *q, const Poly *p, int64_t g) {
    const Poly *r = poly_const(q->ps, int_floor_div(poly_coef(p, 0), g));
    for (int i = 0; i < p->n; i++) {
        const Mono *m = poly_mono(q->ps, p->t[i].mono);
        if (!m->n) continue;
        const Poly *t = poly_const(q->ps, p->t[i].coef / g);
        for (int k = 0; k < m->n; k++) t = poly_mul(q->ps, t, poly_atom(q->ps, m->atom[k]));
        r = poly_add(q->ps, r, t);
    }
    return r;
}

static bool mentions_solved(const Query *q, const System *s, const Poly *p) {
    for (int i = 0; i < p->n; i++) {
        const Mono *m = poly_mono(q->ps, p->t[i].mono);
        for (int k = 0; k < m->n; k++)
            if (m->atom[k] < s->is_solved.len && s->is_solved.data[m->atom[k]]) return true;
    }
    return false;
}

static const Poly *put_in(Query *q, const System *s, const Poly *p) {
    if (!p || !mentions_solved(q, s, p)) return p;
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
static bool below_zero(Query *q, const Poly *p, int sign) {
    int64_t sum = 0;
    for (int i = 0; i < p->n; i++) {
        int64_t c = sign * p->t[i].coef, b = 1;
        if (p->t[i].mono && !(c < 0 ? mono_low(q, p->t[i].mono, &b) : mono_high(q, p->t[i].mono, &b))) return false;
        if (__builtin_mul_overflow(c, b, &b) || __builtin_add_overflow(sum, b, &sum)) return false;
    }
    return sum < 0;
}

/* ---- adding */

static bool add_eq(Query *q, System *s, const Poly *p);

static bool add_ge(Query *q, System *s, const Poly *p) { /* false: no solution */
    if (!p) return true;
    int64_t c, g;
    if (poly_is_const(p, &c)) return c >= 0;
    if (below_zero(q, p, 1)) return false;
    if ((g = content(p)) > 1) p = divided(q, p, g);
    const Poly *opposite = poly_scale(q->ps, p, -1);
    for (int i = 0; i < s->ge.len; i++) {
        if (s->ge.data[i] == p) return true;
        if (s->ge.data[i] == opposite) return add_eq(q, s, p);
    }
    vec_push(q->arena, &s->ge, p);
    return true;
}

/* Does row >= 0 say that the unknown is above 0, or below it? */
static bool bounds_away(const Query *q, const Poly *row, int atom) {
    if (row->n != 2 || poly_coef(row, 0) >= 0 || (row->t[1].coef != 1 && row->t[1].coef != -1)) return false;
    const Mono *m = poly_mono(q->ps, row->t[1].mono);
    return m->n == 1 && m->atom[0] == atom;
}

/* p without an unknown that is a factor of all its terms and surely not 0 */
static const Poly *without_factor(Query *q, const System *s, const Poly *p) {
    const Mono *first = poly_mono(q->ps, p->t[0].mono);
    for (int k = 0; k < first->n; k++) {
        int atom = first->atom[k];
        const Poly *r = poly_const(q->ps, 0);
        bool nonzero = q->atoms.data[atom].has_lo && q->atoms.data[atom].lo > 0;
        for (int i = 0; i < s->ge.len && !nonzero; i++) nonzero = bounds_away(q, s->ge.data[i], atom);
        for (int i = 0; i < p->n && nonzero; i++) {
            int less = poly_mono_div(q->ps, p->t[i].mono, atom);
            nonzero = less >= 0;
            if (!nonzero) break;
            const Poly *t = poly_const(q->ps, p->t[i].coef);
            for (int j = 0; j < poly_mono(q->ps, less)->n; j++)
                t = poly_mul(q->ps, t, poly_atom(q->ps, poly_mono(q->ps, less)->atom[j]));
            r = poly_add(q->ps, r, t);
        }
        if (nonzero) return r;
    }
    return p;
}

static bool add_eq(Query *q, System *s, const Poly *p) {
    if (!p) return true;
    for (const Poly *less; p && p->n && (less = without_factor(q, s, p)) != p;) p = less;
    if (!p) return true;
    int64_t c, g = content(p);
    if (poly_is_const(p, &c)) return c == 0;
    if (poly_coef(p, 0) % g) return false;
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
    const Poly *p = f->p ? put_in(q, s, f->p) : NULL;
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
static int solvable(Query *q, const Poly *p, int64_t *coef) {
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

static bool substitute(Query *q, System *s, int atom, const Poly *by) {
    Rows ge = s->ge, eq = s->eq;
    const Atom *a = &q->atoms.data[atom];
    vec_push(q->arena, &s->solved, ((Solved){atom, by}));
    while (s->is_solved.len <= atom) vec_push(q->arena, &s->is_solved, false);
    s->is_solved.data[atom] = true;
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
        const Poly *p = s->eq.data[i];
        int64_t c;
        if (without_factor(q, s, p) != p) { /* more is known by now */
            s->eq.data[i] = vec_last(&s->eq);
            s->eq.len--;
            if (!add_eq(q, s, p)) return false;
            i = -1;
            continue;
        }
        int atom = solvable(q, p, &c);
        if (atom < 0) continue;
        s->eq.data[i] = vec_last(&s->eq);
        s->eq.len--;
        const Poly *by = poly_sub(q->ps, poly_atom(q->ps, atom), poly_scale(q->ps, p, c));
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

/* ---- linear form */

typedef struct { int n; int mono[MAX_VARS]; bool product; int64_t entries; } Columns; /* entries: of the matrices */

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

static bool all_known(const Columns *c, const Poly *p) {
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
        const Poly *x = poly_atom(q->ps, m->atom[0]);
        if (a->has_lo) vec_push(q->arena, ge, poly_sub(q->ps, x, poly_const(q->ps, a->lo)));
        if (a->has_hi) vec_push(q->arena, ge, poly_sub(q->ps, poly_const(q->ps, a->hi), x));
    }
}

/* Sums of two constraints in which an unknown cancels and little is left: they follow, but their products do not. */
static void add_sums(Query *q, const Rows *ge, Rows *sums) {
    for (int i = 0; i < ge->len; i++)
        for (int k = 0; k < i && sums->len < MAX_PRODUCTS; k++) {
            const Poly *a = ge->data[i], *b = ge->data[k], *p = poly_add(q->ps, a, b);
            if (p && p->n > 1 && p->n <= 3 && p->n < a->n + b->n - 1) vec_push(q->arena, sums, p);
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
        const Poly *x = poly_atom(q->ps, m->atom[0]);
        if (!equal && a->lo) x = poly_sub(q->ps, x, poly_const(q->ps, a->lo));
        for (int k = 0; k < end && made < MAX_PRODUCTS; k++) {
            const Poly *p = poly_mul(q->ps, from->data[k], x);
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

/* ---- constraints that say nothing */

typedef struct {
    bool up, down, other;
} Signs; /* of an unknown: x may be wanted great, or small; in a product or an equality */

static Signs *signs_of(Query *q, const Rows *ge, const Rows *eq) {
    Signs *signs = NEWN(q->arena, Signs, q->atoms.len);
    for (int e = 0; e < 2; e++)
        for (int i = 0; i < (e ? eq : ge)->len; i++) {
            const Poly *p = (e ? eq : ge)->data[i];
            for (int k = 0; k < p->n; k++) {
                const Mono *m = poly_mono(q->ps, p->t[k].mono);
                for (int j = 0; j < m->n; j++) {
                    Signs *x = &signs[m->atom[j]];
                    x->other |= e || m->n > 1;
                    x->up |= p->t[k].coef > 0;
                    x->down |= p->t[k].coef < 0;
                }
            }
        }
    return signs;
}

/* Great, or small enough, one of its unknowns satisfies p and everything else that mentions it. */
static bool says_nothing(const Query *q, const Poly *p, const Signs *signs) {
    for (int k = 0; k < p->n; k++) {
        const Mono *m = poly_mono(q->ps, p->t[k].mono);
        if (m->n != 1 || signs[m->atom[0]].other) continue;
        const Atom *a = &q->atoms.data[m->atom[0]];
        const Signs *x = &signs[m->atom[0]];
        if ((!x->down && !a->has_hi) || (!x->up && !a->has_lo)) return true;
    }
    return false;
}

static Rows telling(Query *q, const System *s) {
    Rows ge = s->ge;
    for (int before = -1; before != ge.len;) {
        Signs *signs = signs_of(q, &ge, &s->eq);
        Rows kept = {0};
        before = ge.len;
        for (int i = 0; i < ge.len; i++)
            if (!says_nothing(q, ge.data[i], signs)) vec_push(q->arena, &kept, ge.data[i]);
        ge = kept;
    }
    return ge;
}

/* ---- isl */

/* The constraints as isl sees them, after the columns that *c has already. NULL: too many */
static isl_basic_set *linear_form(Query *q, const Rows *from, const Rows *equal, Columns *c) {
    Rows ge = {0}, eq = {0};
    for (int i = 0; i < from->len; i++) vec_push(q->arena, &ge, from->data[i]);
    for (int i = 0; i < equal->len; i++) vec_push(q->arena, &eq, equal->data[i]);
    if (!columns_of(q, &ge, c) || !columns_of(q, &eq, c)) return NULL;
    if (c->product && !add_factors(q, c)) return NULL;
    add_bounds(q, c, &ge);
    if (c->product) {
        Rows sums = {0};
        add_sums(q, &ge, &sums);
        multiply(q, c, &ge, ge.len, &ge, false);
        multiply(q, c, &sums, sums.len, &ge, false);
        multiply(q, c, &eq, eq.len, &eq, true);
    }
    c->entries = (int64_t)c->n * (ge.len + eq.len);
    q->d->effort += 1 + c->entries / 16;
    isl_space *space = isl_space_set_alloc(q->d->ctx, 0, (unsigned)c->n);
    return isl_basic_set_from_constraint_matrices(space, matrix(q, c, &eq), matrix(q, c, &ge), isl_dim_cst,
                                                  isl_dim_param, isl_dim_set, isl_dim_div);
}

/* Most operations go through the whole matrix. */
static void isl_begin(Query *q, const Columns *c) {
    int64_t most = ISL_WORK / (c->entries + 1);
    isl_ctx_reset_operations(q->d->ctx);
    isl_ctx_set_max_operations(q->d->ctx, (unsigned long)(most < ISL_CAP ? most : ISL_CAP));
}

/* What isl gave up counts as much as a large question. */
static void isl_end(Query *q) {
    if (isl_ctx_last_error(q->d->ctx) == isl_error_quota) q->d->effort += GIVEN_UP_EFFORT;
    isl_ctx_set_max_operations(q->d->ctx, 0);
    isl_ctx_reset_error(q->d->ctx);
}

static bool has_product(const Query *q, const Rows *rows) {
    for (int i = 0; i < rows->len; i++)
        for (int k = 0; k < rows->data[i]->n; k++)
            if (poly_mono(q->ps, rows->data[i]->t[k].mono)->n > 1) return true;
    return false;
}

/* *product: of unknowns, somewhere in the system */
static State ask_isl(Query *q, const System *s, bool *product) {
    Columns c = {0};
    Rows ge = telling(q, s);
    *product = has_product(q, &s->ge) || has_product(q, &s->eq);
    if (!ge.len && !s->eq.len) return OPEN;
    isl_basic_set *set = linear_form(q, &ge, &s->eq, &c);
    isl_begin(q, &c);
    isl_bool empty = set ? isl_basic_set_is_empty(set) : isl_bool_error;
    isl_basic_set_free(set);
    isl_end(q);
    return empty == isl_bool_true ? EMPTY : empty == isl_bool_false ? OPEN : GIVEN_UP;
}

/* ---- solutions */

bool poly_value(const Query *q, const Poly *p, const int64_t *value, int64_t *out) {
    int64_t sum = 0;
    for (int i = 0; i < p->n; i++) {
        int64_t t = p->t[i].coef;
        const Mono *m = poly_mono(q->ps, p->t[i].mono);
        for (int k = 0; k < m->n; k++)
            if (__builtin_mul_overflow(t, value[m->atom[k]], &t)) return false;
        if (__builtin_add_overflow(sum, t, &sum)) return false;
    }
    *out = sum;
    return true;
}

static bool holds(const Query *q, const Formula *f, const int64_t *value) {
    int64_t x;
    switch (f->kind) {
    case F_TRUE: return true;
    case F_FALSE: return false;
    case F_GE: return poly_value(q, f->p, value, &x) && x >= 0;
    case F_EQ: return poly_value(q, f->p, value, &x) && x == 0;
    case F_AND: return holds(q, f->a, value) && holds(q, f->b, value);
    default: return holds(q, f->a, value) || holds(q, f->b, value);
    }
}

/* Sizes first, then what else comes from outside, then counters: the least of these in this order is the clearest. */
static int rank_of(const Query *q, int mono) {
    const Mono *m = poly_mono(q->ps, mono);
    const Atom *a = &q->atoms.data[m->atom[0]];
    return (m->n > 1 ? 1000 : 0) + 100 * (int)a->kind + 10 * (a->inst ? a->inst : 0);
}

static void order_columns(const Query *q, Columns *c) {
    for (int i = 1; i < c->n; i++)
        for (int k = i; k > 0 && rank_of(q, c->mono[k - 1]) > rank_of(q, c->mono[k]); k--) {
            int t = c->mono[k];
            c->mono[k] = c->mono[k - 1];
            c->mono[k - 1] = t;
        }
}

static bool take_point(Query *q, const Columns *c, isl_point *pt, int64_t *value) {
    bool ok = pt && isl_point_is_void(pt) == isl_bool_false;
    for (int i = 0; ok && i < c->n; i++) {
        const Mono *m = poly_mono(q->ps, c->mono[i]);
        isl_val *v = isl_point_get_coordinate_val(pt, isl_dim_set, i);
        ok = v && isl_val_is_int(v) == isl_bool_true && isl_val_cmp_si(v, INT32_MAX) < 0 &&
             isl_val_cmp_si(v, INT32_MIN) > 0;
        if (ok && m->n == 1) value[m->atom[0]] = isl_val_get_num_si(v);
        isl_val_free(v);
    }
    isl_point_free(pt);
    return ok;
}

static bool sample(Query *q, const System *s, int64_t *value) {
    Columns c = {0};
    isl_basic_set *set = linear_form(q, &s->ge, &s->eq, &c);
    isl_basic_set_free(set);
    order_columns(q, &c);
    set = linear_form(q, &s->ge, &s->eq, &c);
    isl_point *pt = NULL;
    isl_begin(q, &c);
    if (set) {
        isl_set *least = isl_basic_set_lexmin(isl_basic_set_copy(set));
        pt = least ? isl_set_sample_point(least) : NULL;
    }
    isl_end(q);
    isl_begin(q, &c);
    bool ok = take_point(q, &c, pt, value);
    if (!ok && set) ok = take_point(q, &c, isl_basic_set_sample_point(isl_basic_set_copy(set)), value);
    isl_basic_set_free(set);
    isl_end(q);
    return ok;
}

static bool in_bounds(const Query *q, const int64_t *value) {
    for (int i = 0; i < q->atoms.len; i++) {
        const Atom *a = &q->atoms.data[i];
        if ((a->has_lo && value[i] < a->lo) || (a->has_hi && value[i] > a->hi)) return false;
    }
    return true;
}

/* ---- solutions that are certain */

bool atom_is_unsure(const Atom *a) {
    return a->kind == ATOM_DATA || a->unsure || (a->kind == ATOM_PARAM && (!a->value || !a->value->name));
}

static bool mentions(const Query *q, const Poly *p, const bool *marked) {
    for (int i = 0; i < p->n; i++) {
        const Mono *m = poly_mono(q->ps, p->t[i].mono);
        for (int k = 0; k < m->n; k++)
            if (marked[m->atom[k]]) return true;
    }
    return false;
}

/* f holds, and would with any other values of what is unsure. */
static bool holds_surely(const Query *q, const Formula *f, const int64_t *value, const bool *unsure) {
    switch (f->kind) {
    case F_AND: return holds_surely(q, f->a, value, unsure) && holds_surely(q, f->b, value, unsure);
    case F_OR: return holds_surely(q, f->a, value, unsure) || holds_surely(q, f->b, value, unsure);
    default: return holds(q, f, value) && !(f->p && mentions(q, f->p, unsure));
    }
}

static bool is_made_from(const Query *q, const Atom *a, const bool *used, int depth) {
    bool any = depth > 20;
    for (int i = 0; i < a->inputs.len && !any; i++)
        any = used[a->inputs.data[i]] || is_made_from(q, &q->atoms.data[a->inputs.data[i]], used, depth + 1);
    return any;
}

/* What is defined by something that is unsure is unsure, too, and what is made from something that f is about. */
static bool *unsure_atoms(const Query *q, const bool *used, const int64_t *value) {
    bool *unsure = NEWN(q->arena, bool, q->atoms.len + 1), changed = true;
    for (int i = 0; i < q->atoms.len; i++)
        unsure[i] = atom_is_unsure(&q->atoms.data[i]) || is_made_from(q, &q->atoms.data[i], used, 0);
    while (changed) {
        changed = false;
        for (int i = 0; i < q->facts.len; i++) {
            const Fact *f = &q->facts.data[i];
            if (f->defines < 0 || unsure[f->defines] || holds_surely(q, f->f, value, unsure)) continue;
            unsure[f->defines] = changed = true;
        }
    }
    return unsure;
}

/* No int that has to do with the question has wrapped around, and no division has stopped the program. */
static bool runs_on(const Query *q, const bool *used, const int64_t *value) {
    int64_t x;
    for (int i = 0; i < q->computed.len; i++)
        if (mentions(q, q->computed.data[i], used) && !poly_value(q, q->computed.data[i], value, &x)) return false;
    for (int i = 0; i < q->divisors.len; i++)
        if (mentions(q, q->divisors.data[i], used) && (!poly_value(q, q->divisors.data[i], value, &x) || !x))
            return false;
    return true;
}

static bool is_certain(const Query *q, const Formula *f, const int64_t *value) {
    bool *used = NEWN(q->arena, bool, q->atoms.len + 1);
    formula_atoms(q, f, used);
    for (int i = 0; i < q->facts.len; i++)
        if (formula_mentions(q, q->facts.data[i].f, used)) formula_atoms(q, q->facts.data[i].f, used);
    return holds_surely(q, f, value, unsure_atoms(q, used, value)) && runs_on(q, used, value);
}

/* A solution in all unknowns that obeys everything, products and bounds too, and is certain; NULL if none was met */
static int64_t *model_of(Query *q, const System *s, const Formula *f) {
    int64_t *value = NEWN(q->arena, int64_t, q->atoms.len);
    for (int i = 0; i < q->atoms.len; i++) value[i] = q->atoms.data[i].has_lo ? q->atoms.data[i].lo : 0;
    if (!sample(q, s, value)) return NULL;
    for (int i = s->solved.len - 1; i >= 0; i--)
        if (!poly_value(q, s->solved.data[i].by, value, &value[s->solved.data[i].atom])) return NULL;
    if (!in_bounds(q, value) || !holds(q, f, value)) return NULL;
    for (int i = 0; i < q->facts.len; i++)
        if (!holds(q, q->facts.data[i].f, value)) return NULL;
    return is_certain(q, f, value) ? value : NULL;
}

/* ---- search */

static void search(Solver *v, System *s);

/* Who wants a solution goes on until one is certain. */
static bool finished(const Solver *v) { return v->want_model ? v->model != NULL : v->v.sat != ANSWER_NO; }

static bool exhausted(const Solver *v) { return v->v.steps > MAX_STEPS || v->q->d->effort > v->q->d->limit; }

static void branch(Solver *v, const System *s, const Formula *f) {
    System c = system_copy(v->q->arena, s);
    if (add(v->q, &c, f)) search(v, &c);
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
    const Poly *x = poly_atom(q->ps, a), *y = poly_atom(q->ps, b);
    vec_push(q->arena, &s->lined, a);
    vec_push(q->arena, &s->lined, b);
    branch(v, s, formula_eq(q, poly_sub(q->ps, y, x)));
    for (int side = 0; side < 2; side++) {
        int64_t key[] = {-1, a, side};
        int d = query_atom(q, ATOM_IV, 3, key);
        q->atoms.data[d].has_lo = true;
        q->atoms.data[d].lo = 1;
        System c = system_copy(q->arena, s);
        const Poly *by = poly_add(q->ps, side ? y : x, poly_atom(q->ps, d));
        if (substitute(q, &c, side ? a : b, by)) search(v, &c);
    }
}

static bool unknown_atom(Solver *v, int atom) {
    const Atom *a = &v->q->atoms.data[atom];
    if (!atom_is_unsure(a)) return false;
    if (!v->v.why) v->v.why = a->value;
    return true;
}

/* A solution that uses nothing unknown is one of the program. */
static void found(Solver *v, const System *s, bool product) {
    Query *q = v->q;
    bool data = false;
    v->v.why = NULL;
    for (int e = 0; e < 3; e++) {
        int n = e == 0 ? s->ge.len : e == 1 ? s->eq.len : s->solved.len;
        for (int i = 0; i < n; i++) {
            const Poly *p = e == 0 ? s->ge.data[i] : e == 1 ? s->eq.data[i] : s->solved.data[i].by;
            if (e == 2) data |= unknown_atom(v, s->solved.data[i].atom);
            for (int k = 0; k < p->n; k++)
                for (int j = 0; j < poly_mono(q->ps, p->t[k].mono)->n; j++)
                    data |= unknown_atom(v, poly_mono(q->ps, p->t[k].mono)->atom[j]);
        }
    }
    if (!data && v->other_data) data = true, v->v.why = v->other_data;
    v->v.sat = ANSWER_YES;
    v->v.data = data;
    v->v.product = product;
    v->v.exact = !data && !product;
    if (!v->want_model) return;
    v->model = model_of(q, s, v->formula);
    v->v.exact = v->model != NULL;
}

static void search(Solver *v, System *s) {
    Query *q = v->q;
    bool product = false;
    if (finished(v)) return;
    v->v.steps++;
    if (exhausted(v)) {
        if (v->v.sat == ANSWER_NO) v->v.sat = ANSWER_UNKNOWN;
        return;
    }
    if (!solve_equalities(q, s) || !settle_splits(q, s)) return;
    State state = ask_isl(q, s, &product);
    if (state == EMPTY) return;
    int a = product ? twin_in_product(q, s) : -1;
    if (a >= 0) line_up(v, s, a);
    else if (s->split.len) {
        const Formula *f = vec_pop(&s->split);
        branch(v, s, f->a);
        branch(v, s, f->b);
    } else if (state == GIVEN_UP) v->v.sat = ANSWER_UNKNOWN;
    else found(v, s, product);
}

static void solve(Solver *v, const Formula *f) {
    System s = {0};
    if (add(v->q, &s, f)) search(v, &s);
}

Verdict query_solve(Query *q, const Formula *goal, const Formula *context) {
    Solver v = {.q = q, .v = {.sat = ANSWER_NO}};
    solve(&v, relevant(q, goal, context, &v.other_data));
    return v.v;
}

Verdict query_model(Query *q, const Formula *f, int64_t **value) {
    Solver v = {.q = q, .formula = f, .v = {.sat = ANSWER_NO}, .want_model = true};
    for (int i = q->facts.len - 1; i >= 0; i--) f = formula_and(q, q->facts.data[i].f, f);
    solve(&v, f);
    *value = v.model;
    return v.v;
}
