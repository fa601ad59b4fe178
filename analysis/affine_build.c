/* isl_aff to values, conditions to bools: sums of induction variables and parameters with factors, floor quotients.
 *
 * isl says a function in pieces: `16b + t - 1` here, `0` where that is negative.  What a program would write is one
 * formula, so each of the pieces is tried everywhere, alone, with others of them as its lower and upper ends, or around
 * in a ring as long as they are apart, and isl decides whether that is the function. */
#include "analysis/affine.h"

#include <isl/constraint.h>
#include <isl/id.h>
#include <isl/local_space.h>
#include <isl/val.h>

enum { MAX_PIECES = 8, MOST = 1 << 30 };

/* ---- what can be written: ints of moderate size */

static bool take_number(isl_val *v, int64_t *out) {
    bool fits = isl_val_is_int(v) == isl_bool_true && isl_val_cmp_si(v, MOST) < 0 && isl_val_cmp_si(v, -MOST) > 0;
    *out = fits ? isl_val_get_num_si(v) : 0;
    isl_val_free(v);
    return fits;
}

static const enum isl_dim_type TERMS[] = {isl_dim_in, isl_dim_param, isl_dim_div};

static bool is_writable(isl_aff *f);

/* The dividend of quotient i, and by what it is divided */
static isl_aff *quotient(isl_aff *f, int i, isl_val **by) {
    isl_aff *div = isl_aff_get_div(f, i);
    *by = isl_aff_get_denominator_val(div);
    return isl_aff_scale_val(div, isl_val_copy(*by));
}

static bool is_writable_quotient(isl_aff *f, int i) {
    int64_t n;
    isl_val *by;
    isl_aff *dividend = quotient(f, i, &by);
    bool fits = take_number(by, &n) && is_writable(dividend);
    isl_aff_free(dividend);
    return fits;
}

static bool is_writable(isl_aff *f) {
    int64_t n;
    bool fits = take_number(isl_aff_get_constant_val(f), &n);
    for (int t = 0; t < 3; t++)
        for (int i = 0; i < isl_aff_dim(f, TERMS[t]) && fits; i++) {
            fits = take_number(isl_aff_get_coefficient_val(f, TERMS[t], i), &n);
            if (fits && n && TERMS[t] == isl_dim_div) fits = is_writable_quotient(f, i);
        }
    return fits;
}

static bool is_writable_form(const AffineForm *f) {
    return is_writable(f->base) && (!f->lo || is_writable(f->lo)) && (!f->hi || is_writable(f->hi)) &&
           (!f->ring || is_writable(f->ring));
}

static isl_stat ask_constraint(isl_constraint *c, void *ctx) {
    isl_aff *f = isl_constraint_get_aff(c);
    *(bool *)ctx &= is_writable(f);
    isl_aff_free(f);
    isl_constraint_free(c);
    return isl_stat_ok;
}

static isl_stat take(isl_basic_set *s, void *ctx) {
    *(isl_basic_set **)ctx = s;
    return isl_stat_ok;
}

isl_basic_set *affine_conjunction(isl_set *set) {
    isl_basic_set *one = NULL;
    bool fits = true;
    if (isl_set_n_basic_set(set) == 1) isl_set_foreach_basic_set(set, take, &one);
    isl_set_free(set);
    if (one && isl_basic_set_foreach_constraint(one, ask_constraint, &fits) == isl_stat_ok && fits) return one;
    return isl_basic_set_free(one);
}

/* ---- a function in pieces as one formula */

typedef struct { isl_aff *of[MAX_PIECES]; int n; } Affs;
typedef struct { Affs bases, ends; bool too_many; } Pieces; /* ends: name no induction variable */

static bool add_new(Affs *all, isl_aff *f) {
    for (int i = 0; i < all->n; i++)
        if (isl_aff_plain_is_equal(all->of[i], f)) return isl_aff_free(f), true;
    if (all->n == MAX_PIECES) return isl_aff_free(f), false;
    all->of[all->n++] = f;
    return true;
}

/* What f is wherever `where` holds, if that is one value for all induction variables, as an expression of parameters;
 * but_zero: where it is not 0; or NULL */
static isl_aff *only_value(isl_set *where, isl_aff *f, bool but_zero) {
    isl_set *values = isl_set_apply(where, isl_map_from_aff(isl_aff_copy(f)));
    isl_set *zero = isl_set_fix_si(isl_set_copy(values), isl_dim_set, 0, 0);
    values = but_zero ? isl_set_subtract(values, zero) : (isl_set_free(zero), values);
    isl_basic_set *hull = isl_basic_set_remove_divs(isl_set_affine_hull(values));
    isl_constraint *equal = NULL;
    isl_aff *one = NULL;
    if (isl_basic_set_has_defining_equality(hull, isl_dim_set, 0, &equal) == isl_bool_true) {
        one = isl_aff_drop_dims(isl_constraint_get_bound(equal, isl_dim_set, 0), isl_dim_in, 0, 1);
        one = isl_aff_add_dims(one, isl_dim_in, (unsigned)isl_aff_dim(f, isl_dim_in));
        isl_constraint_free(equal);
    }
    isl_basic_set_free(hull);
    return one;
}

static isl_stat add_piece(isl_set *where, isl_aff *f, void *ctx) {
    Pieces *p = ctx;
    isl_aff *end = only_value(where, f, false);
    if (end && !add_new(&p->ends, end)) p->too_many = true;
    if (!add_new(&p->bases, f)) p->too_many = true;
    return isl_stat_ok;
}

static isl_pw_aff *whole(isl_aff *f) { return isl_pw_aff_from_aff(isl_aff_copy(f)); }

/* 0 in the space of f */
static isl_pw_aff *zero_as(isl_aff *f) {
    return isl_pw_aff_from_aff(isl_aff_zero_on_domain_space(isl_aff_get_domain_space(f)));
}

static isl_pw_aff *clamped(const AffineForm *f) {
    isl_pw_aff *p = whole(f->base);
    if (f->lo) p = isl_pw_aff_max(p, whole(f->lo));
    return f->hi ? isl_pw_aff_min(p, whole(f->hi)) : p;
}

/* Where p is defined, it is f. */
static bool is_form(isl_pw_aff *p, isl_pw_aff *f) {
    f = isl_pw_aff_intersect_domain(f, isl_pw_aff_domain(isl_pw_aff_copy(p)));
    bool same = isl_pw_aff_is_equal(f, p) == isl_bool_true;
    isl_pw_aff_free(f);
    return same;
}

static AffineForm form_copy(AffineForm f) {
    f.base = isl_aff_copy(f.base);
    f.lo = isl_aff_copy(f.lo);
    f.hi = isl_aff_copy(f.hi);
    f.ring = isl_aff_copy(f.ring);
    return f;
}

/* With the ends, NULL among them */
static bool find_ends(isl_pw_aff *p, const Affs *ends, isl_aff *base, AffineForm *out) {
    for (int i = -1; i < ends->n; i++)
        for (int k = -1; k < ends->n; k++) {
            AffineForm f = {.base = base, .lo = i < 0 ? NULL : ends->of[i], .hi = k < 0 ? NULL : ends->of[k]};
            if ((f.lo && f.lo == f.hi) || !is_form(p, clamped(&f))) continue;
            *out = form_copy(f);
            return true;
        }
    return false;
}

/* What a base and a piece are apart, both ways */
typedef struct { isl_aff *base; Affs rings; } Apart;

static isl_stat add_ring(isl_set *where, isl_aff *f, void *ctx) {
    Apart *a = ctx;
    isl_aff *apart = isl_aff_sub(isl_aff_copy(a->base), f), *ring = only_value(where, apart, true);
    isl_aff_free(apart);
    if (!ring || isl_aff_plain_is_zero(ring) == isl_bool_true) return isl_aff_free(ring), isl_stat_ok;
    add_new(&a->rings, isl_aff_neg(isl_aff_copy(ring)));
    add_new(&a->rings, ring);
    return isl_stat_ok;
}

static void affs_free(Affs *all) {
    for (int i = 0; i < all->n; i++) isl_aff_free(all->of[i]);
}

/* base, or once around from there */
static isl_pw_aff *around(isl_aff *base, isl_aff *ring) {
    isl_set *below = isl_pw_aff_lt_set(whole(base), zero_as(base));
    isl_set *above = isl_pw_aff_ge_set(whole(base), whole(ring));
    isl_pw_aff *up = isl_pw_aff_add(whole(base), whole(ring)), *down = isl_pw_aff_sub(whole(base), whole(ring));
    isl_pw_aff *f = isl_pw_aff_cond(isl_set_indicator_function(above), down, whole(base));
    return isl_pw_aff_cond(isl_set_indicator_function(below), up, f);
}

/* All that it is lies in the ring. */
static bool is_inside(isl_pw_aff *p, isl_aff *ring) {
    isl_set *in = isl_set_intersect(isl_pw_aff_ge_set(isl_pw_aff_copy(p), zero_as(ring)),
                                    isl_pw_aff_lt_set(isl_pw_aff_copy(p), whole(ring)));
    isl_set *domain = isl_pw_aff_domain(isl_pw_aff_copy(p));
    bool all = isl_set_is_subset(domain, in) == isl_bool_true;
    isl_set_free(domain);
    isl_set_free(in);
    return all;
}

static bool find_ring(isl_pw_aff *p, isl_aff *base, AffineForm *out) {
    Apart apart = {.base = base};
    bool found = false;
    isl_pw_aff_foreach_piece(p, add_ring, &apart);
    for (int i = 0; i < apart.rings.n && !found; i++) {
        AffineForm f = {.base = base, .ring = apart.rings.of[i]};
        found = is_form(p, around(base, f.ring)) && is_inside(p, f.ring);
        if (found) *out = form_copy(f);
    }
    affs_free(&apart.rings);
    return found;
}

void affine_form_free(AffineForm *f) {
    isl_aff_free(f->base);
    isl_aff_free(f->lo);
    isl_aff_free(f->hi);
    isl_aff_free(f->ring);
    *f = (AffineForm){0};
}

AffineForm affine_simplest(isl_pw_aff *p) {
    AffineForm f = {0};
    Pieces all = {.too_many = false};
    bool found = isl_pw_aff_foreach_piece(p, add_piece, &all) != isl_stat_ok || all.too_many;
    for (int i = 0; i < all.bases.n && !found; i++) found = find_ends(p, &all.ends, all.bases.of[i], &f);
    for (int i = 0; i < all.bases.n && !found; i++) found = find_ring(p, all.bases.of[i], &f);
    affs_free(&all.bases);
    affs_free(&all.ends);
    if (f.base && !is_writable_form(&f)) affine_form_free(&f);
    return f;
}

/* ---- values */

typedef struct { const Affine *a; Builder *b; const Op *at; } Writer;

static int64_t number(isl_val *v) {
    int64_t n;
    if (!take_number(v, &n)) bug("affine_build: what was not asked for");
    return n;
}

/* sum + factor * x; sum: NULL, nothing yet */
static Value *add_term(Writer *w, Value *sum, int64_t factor, Value *x) {
    int64_t size = factor < 0 ? -factor : factor;
    if (size != 1) x = build_binary(w->b, OP_MUL, x, build_int(w->b, size));
    if (!sum) return factor < 0 ? build_unary(w->b, OP_NEG, x) : x;
    return build_binary(w->b, factor < 0 ? OP_SUB : OP_ADD, sum, x);
}

static Value *add_number(Writer *w, Value *sum, int64_t n) {
    if (!sum) return build_int(w->b, n);
    return n ? build_binary(w->b, n < 0 ? OP_SUB : OP_ADD, sum, build_int(w->b, n < 0 ? -n : n)) : sum;
}

static Value *write_parameter(Writer *w, isl_aff *f, int i) {
    isl_local_space *space = isl_aff_get_domain_local_space(f);
    isl_id *id = isl_local_space_get_dim_id(space, isl_dim_param, (unsigned)i);
    Value *v = isl_id_get_user(id);
    const char *sym = isl_id_get_name(id) + 2; /* behind "s_" */
    Session *s = w->b->module->session;
    if (!v) v = build_size(w->b, size_sym(s, intern(s, sym)));
    isl_id_free(id);
    isl_local_space_free(space);
    return v;
}

static Value *write_aff(Writer *w, isl_aff *f);

static Value *write_quotient(Writer *w, isl_aff *f, int i) {
    isl_val *by;
    isl_aff *dividend = quotient(f, i, &by);
    Value *x = write_aff(w, dividend);
    isl_aff_free(dividend);
    return idiv_safe(w->b, x, build_int(w->b, number(by)));
}

static Value *write_dim(Writer *w, isl_aff *f, enum isl_dim_type type, int i) {
    switch (type) {
    case isl_dim_in: return affine_iv(w->a, w->at, i);
    case isl_dim_param: return write_parameter(w, f, i);
    default: return write_quotient(w, f, i);
    }
}

/* Negative ones behind the others, if there are any */
static Value *add_terms(Writer *w, Value *sum, isl_aff *f, bool negative) {
    for (int t = 0; t < 3; t++)
        for (int i = 0; i < isl_aff_dim(f, TERMS[t]); i++) {
            int64_t factor = number(isl_aff_get_coefficient_val(f, TERMS[t], i));
            if (factor && (factor < 0) == negative) sum = add_term(w, sum, factor, write_dim(w, f, TERMS[t], i));
        }
    return sum;
}

static Value *write_aff(Writer *w, isl_aff *f) {
    Value *sum = add_terms(w, add_terms(w, NULL, f, false), f, true);
    return add_number(w, sum, number(isl_aff_get_constant_val(f)));
}

Value *affine_build(const Affine *a, Builder *b, const Op *at, const AffineForm *f) {
    Writer w = {a, b, at};
    Value *v = write_aff(&w, f->base);
    if (f->lo) v = build_binary(b, OP_MAX, v, write_aff(&w, f->lo));
    if (f->hi) v = build_binary(b, OP_MIN, v, write_aff(&w, f->hi));
    return f->ring ? imod_safe(b, v, write_aff(&w, f->ring)) : v;
}

/* ---- conditions */

typedef struct { Writer w; Value *all; } Condition;

/* f >= 0, or f == 0, with what is taken away on the left side: y < x, y <= x, y == x */
static isl_stat add_constraint(isl_constraint *c, void *ctx) {
    Condition *all = ctx;
    Writer *w = &all->w;
    isl_aff *f = isl_constraint_get_aff(c), *minus = isl_aff_neg(isl_aff_copy(f));
    Value *x = add_terms(w, NULL, f, false), *y = add_terms(w, NULL, minus, false);
    int64_t n = number(isl_aff_get_constant_val(f));
    bool equal = isl_constraint_is_equality(c) == isl_bool_true, less = !equal && n == -1 && x && y;
    x = add_number(w, x, n > 0 ? n : 0);
    y = add_number(w, y, n < 0 && !less ? -n : 0);
    Value *holds = build_binary(w->b, equal ? OP_EQ : less ? OP_LT : OP_LE, y, x);
    all->all = all->all ? build_binary(w->b, OP_AND, all->all, holds) : holds;
    isl_aff_free(minus);
    isl_aff_free(f);
    isl_constraint_free(c);
    return isl_stat_ok;
}

Value *affine_build_inside(const Affine *a, Builder *b, const Op *at, isl_basic_set *set) {
    Condition c = {{a, b, at}, NULL};
    isl_basic_set_foreach_constraint(set, add_constraint, &c);
    return c.all ? c.all : build_bool(b, true);
}
