/* Formulas over the unknowns of a question, and the unknowns themselves, each numbered by what it stands for. */
#include "analysis/depend_private.h"

/* ---- formulas */

static const Formula *formula_new(Query *q, FormulaKind k, const Poly *p, const Formula *a, const Formula *b) {
    Formula *f = NEW(q->arena, Formula);
    *f = (Formula){k, p, a, b};
    return f;
}

const Formula *formula_bool(Query *q, bool b) { return formula_new(q, b ? F_TRUE : F_FALSE, NULL, NULL, NULL); }

const Formula *formula_and(Query *q, const Formula *a, const Formula *b) {
    if (a->kind == F_TRUE || b->kind == F_FALSE) return b;
    if (b->kind == F_TRUE || a->kind == F_FALSE) return a;
    return formula_new(q, F_AND, NULL, a, b);
}

const Formula *formula_or(Query *q, const Formula *a, const Formula *b) {
    if (a->kind == F_FALSE || b->kind == F_TRUE) return b;
    if (b->kind == F_FALSE || a->kind == F_TRUE) return a;
    return formula_new(q, F_OR, NULL, a, b);
}

/* Whether an unknown that nothing else mentions is at least 0 */
const Formula *formula_unknown(Query *q) {
    int64_t key[] = {KEY_UNKNOWN};
    return formula_new(q, F_GE, poly_atom(q->ps, query_atom(q, ATOM_DATA, 1, key)), NULL, NULL);
}

const Formula *formula_ge(Query *q, const Poly *p) {
    int64_t c;
    if (!p) return formula_unknown(q);
    if (poly_is_const(p, &c)) return formula_bool(q, c >= 0);
    return formula_new(q, F_GE, p, NULL, NULL);
}

const Formula *formula_eq(Query *q, const Poly *p) {
    int64_t c;
    if (!p) return formula_unknown(q);
    if (poly_is_const(p, &c)) return formula_bool(q, c == 0);
    return formula_new(q, F_EQ, p, NULL, NULL);
}

const Formula *formula_lt(Query *q, const Poly *x, const Poly *y) {
    return formula_ge(q, poly_sub(q->ps, poly_sub(q->ps, y, x), poly_const(q->ps, 1)));
}

const Formula *formula_ne(Query *q, const Poly *x, const Poly *y) {
    return formula_or(q, formula_lt(q, x, y), formula_lt(q, y, x));
}

bool poly_is_natural(const Query *q, const Poly *p) {
    for (int i = 0; p && i < p->n; i++) {
        const Mono *m = poly_mono(q->ps, p->t[i].mono);
        if (p->t[i].coef < 0) return false;
        for (int k = 0; k < m->n; k++)
            if (!q->atoms.data[m->atom[k]].has_lo || q->atoms.data[m->atom[k]].lo < 0) return false;
    }
    return p != NULL;
}

/* A product of unknowns that are, or something more than 0 */
bool poly_is_positive(Query *q, const Poly *p) {
    if (!poly_is_natural(q, p) || !p->n) return false;
    if (poly_coef(p, 0) > 0) return true;
    for (int i = 0; i < p->n; i++) {
        const Mono *m = poly_mono(q->ps, p->t[i].mono);
        bool positive = true;
        for (int k = 0; k < m->n; k++) positive &= q->atoms.data[m->atom[k]].lo > 0;
        if (positive) return true;
    }
    return false;
}

void query_fact(Query *q, int defines, const Formula *f) {
    if (f->kind != F_TRUE) vec_push(q->arena, &q->facts, ((Fact){f, defines}));
}

/* ---- unknowns */

int query_atom(Query *q, AtomKind kind, int n, const int64_t *key) {
    int k = poly_cons(q->ps, n, key);
    while (q->by_key.len <= k) vec_push(q->arena, &q->by_key, 0);
    if (q->by_key.data[k]) return q->by_key.data[k] - 1;
    Atom a = {.kind = kind, .twin = -1};
    vec_push(q->arena, &q->atoms, a);
    return (q->by_key.data[k] = q->atoms.len) - 1;
}

void atom_at_least(Query *q, int atom, int64_t lo) {
    Atom *a = &q->atoms.data[atom];
    a->lo = a->has_lo && a->lo > lo ? a->lo : lo;
    a->has_lo = true;
}

void atom_at_most(Query *q, int atom, int64_t hi) {
    Atom *a = &q->atoms.data[atom];
    a->hi = a->has_hi && a->hi < hi ? a->hi : hi;
    a->has_hi = true;
}

void atom_has_type(Query *q, int atom, DType t) {
    const DTypeInfo *i = dtype_info(t);
    if (i->kind == DK_BOOL) atom_at_least(q, atom, 0), atom_at_most(q, atom, 1);
    if (i->kind == DK_UINT && i->bytes < 8)
        atom_at_least(q, atom, 0), atom_at_most(q, atom, ((int64_t)1 << (8 * i->bytes)) - 1);
    if (i->kind == DK_INT && i->bytes < 8) {
        atom_at_least(q, atom, -((int64_t)1 << (8 * i->bytes - 1)));
        atom_at_most(q, atom, ((int64_t)1 << (8 * i->bytes - 1)) - 1);
    }
}

int query_value(Query *q, AtomKind kind, const Value *v, int what, int inst) {
    int64_t key[] = {KEY_VALUE, (intptr_t)v, what, inst}, other[] = {KEY_VALUE, (intptr_t)v, what, 3 - inst};
    int a = query_atom(q, kind, 4, key);
    q->atoms.data[a].value = v;
    q->atoms.data[a].inst = inst;
    atom_has_type(q, a, v->type->dtype);
    if (inst) {
        int b = query_atom(q, kind, 4, other);
        q->atoms.data[b].value = v;
        q->atoms.data[b].inst = 3 - inst;
        atom_has_type(q, b, v->type->dtype);
        q->atoms.data[a].twin = b;
        q->atoms.data[b].twin = a;
    }
    return a;
}
