/* Elements of arrays of ints that are known while compiling, as unknowns: which values there are, which index gives
 * which, and how far elements of two indices lie apart. */
#include "analysis/depend_private.h"

#include <string.h>

enum { MOST_CASES = 8, MOST_COMPARED = 512 }; /* elements told one by one; compared with each other */

/* Wherever there is such an index, it is one of the axis. */
static bool is_inside(Env *e, Value *index, int64_t n) {
    IntRange r = range_of(e->q->d->ranges, index, value_region(index)->first);
    return r.lo >= 0 && r.hi < n;
}

/* The elements that indices which are known leave, along the one axis whose index is not.  false: two axes have indices
 * that are not known, or one is outside */
static bool line_of(Env *e, Op *op, const IntTable *t, KnownLine *line) {
    int64_t at[MAX_RANK], first = 0, stride = 1;
    int free = -1;
    for (int i = 0; i < t->rank; i++) {
        const Poly *p = read_value(e, op_opnd(op, 1 + i));
        if (!p) return false;
        if (poly_is_const(p, &at[i])) {
            if (at[i] < 0 || at[i] >= t->dim[i]) return false;
            continue;
        }
        if (free >= 0) return false;
        free = i, at[i] = 0, line->index = p;
        line->inside = is_inside(e, op_opnd(op, 1 + i), t->dim[i]);
    }
    for (int i = 0; i < t->rank; i++) first = first * t->dim[i] + at[i];
    for (int i = free + 1; i < t->rank; i++) stride *= t->dim[i];
    line->n = free < 0 ? 1 : t->dim[free];
    int64_t *v = NEWN(e->q->arena, int64_t, line->n);
    for (int64_t i = 0; i < line->n; i++) v[i] = t->v[first + i * stride];
    line->v = v;
    return true;
}

/* v[i] = v[0] + i * step */
static bool is_even(const KnownLine *line, int64_t *step) {
    if (line->n == 1) return *step = 0, true;
    if (__builtin_sub_overflow(line->v[1], line->v[0], step)) return false;
    for (int64_t i = 1; i < line->n; i++) {
        int64_t d;
        if (__builtin_sub_overflow(line->v[i], line->v[i - 1], &d) || d != *step) return false;
    }
    return true;
}

/* The index is none of the table's: then the element was not read, and is whatever it is. */
static const Formula *outside(Query *q, const KnownLine *line) {
    if (line->inside) return formula_bool(q, false);
    return formula_or(q, formula_lt(q, line->index, poly_const(q->ps, 0)),
                      formula_lt(q, poly_const(q->ps, line->n - 1), line->index));
}

/* Element i for index i, for each i: all that there is to know */
static void tell_cases(Query *q, const KnownLine *line) {
    const Formula *f = outside(q, line);
    const Poly *p = poly_atom(q->ps, line->atom);
    for (int64_t i = 0; i < line->n; i++) {
        const Formula *here = formula_eq(q, poly_sub(q->ps, line->index, poly_const(q->ps, i)));
        here = formula_and(q, here, formula_eq(q, poly_sub(q->ps, p, poly_const(q->ps, line->v[i]))));
        f = formula_or(q, here, f);
    }
    query_fact(q, line->atom, f);
}

static bool is_same(const KnownLine *x, const KnownLine *y) {
    return x->n == y->n && !memcmp(x->v, y->v, sizeof *x->v * (size_t)x->n);
}

/* Elements of different indices, or of two tables, differ by so much at least; 0: two are equal, or there are too many
 * of them */
static int64_t least_distance(const KnownLine *x, const KnownLine *y) {
    uint64_t least = INT32_MAX;
    bool same = is_same(x, y);
    if (x->n > MOST_COMPARED || y->n > MOST_COMPARED) return 0;
    for (int64_t i = 0; i < x->n; i++)
        for (int64_t k = 0; k < (same ? i : y->n); k++) {
            uint64_t a = (uint64_t)x->v[i], b = (uint64_t)y->v[k], d = x->v[i] < y->v[k] ? b - a : a - b;
            if (d < least) least = d;
        }
    return (int64_t)least;
}

/* Elements of one table are equal where their indices are, or apart; those of two tables without a common element are
 * apart. */
static void tell_distance(Query *q, const KnownLine *x, const KnownLine *y) {
    int64_t d = least_distance(x, y);
    if (!d) return;
    const Poly *p = poly_atom(q->ps, x->atom), *r = poly_atom(q->ps, y->atom), *gap = poly_const(q->ps, d);
    const Formula *f = formula_or(q, formula_ge(q, poly_sub(q->ps, poly_sub(q->ps, p, r), gap)),
                                  formula_ge(q, poly_sub(q->ps, poly_sub(q->ps, r, p), gap)));
    const Formula *equal = formula_and(q, formula_eq(q, poly_sub(q->ps, p, r)),
                                       formula_eq(q, poly_sub(q->ps, x->index, y->index)));
    if (is_same(x, y)) f = formula_or(q, equal, f);
    query_fact(q, y->atom, formula_or(q, f, formula_or(q, outside(q, x), outside(q, y))));
}

/* ---- */

static bool of_one_instance(const Query *q, const Poly *p) {
    for (int i = 0; i < p->n; i++)
        for (int k = 0; k < poly_mono(q->ps, p->t[i].mono)->n; k++)
            if (q->atoms.data[poly_mono(q->ps, p->t[i].mono)->atom[k]].inst) return true;
    return false;
}

static const Poly *new_element(Env *e, KnownLine *line, Value *v) {
    Query *q = e->q;
    int64_t *list = NEWN(q->arena, int64_t, line->n + 1);
    list[0] = KEY_TABLE;
    memcpy(list + 1, line->v, sizeof *list * (size_t)line->n);
    int64_t key[] = {KEY_TABLE, poly_cons(q->ps, (int)line->n + 1, list), line->index->id};
    int before = q->atoms.len;
    line->atom = query_atom(q, ATOM_DERIVED, 3, key);
    if (line->atom < before) return poly_atom(q->ps, line->atom);
    Atom *a = &q->atoms.data[line->atom];
    a->value = v;
    a->inst = of_one_instance(q, line->index) ? e->inst : 0;
    a->unsure = line->n > MOST_CASES;
    for (int64_t i = 0; i < line->n; i++) {
        a->lo = i && a->lo < line->v[i] ? a->lo : line->v[i];
        a->hi = i && a->hi > line->v[i] ? a->hi : line->v[i];
    }
    a->has_lo = a->has_hi = true;
    if (line->n <= MOST_CASES) tell_cases(q, line);
    else for (int i = 0; i < q->lines.len; i++) tell_distance(q, &q->lines.data[i], line);
    vec_push(q->arena, &q->lines, *line);
    return poly_atom(q->ps, line->atom);
}

const Poly *read_table(Env *e, Op *op) {
    Query *q = e->q;
    IntTable t;
    KnownLine line = {0};
    int64_t step;
    if (!op_reads_table(op, q->arena, &t) || !line_of(e, op, &t, &line)) return NULL;
    if (!is_even(&line, &step)) return new_element(e, &line, &op->res[0]);
    const Poly *first = poly_const(q->ps, line.v[0]);
    return step ? poly_add(q->ps, first, poly_scale(q->ps, line.index, step)) : first;
}
