/* Polynomials: terms sorted by monomial, all interned in one table of word lists. */
#include "analysis/poly.h"

#include <string.h>

typedef struct { int n, id; const int64_t *words; } Entry;
typedef struct { Entry *slot; int cap, len; } Table;
struct Polys {
    Arena *arena;
    int degree, terms;
    Table lists, monos, polys;
    VEC(Mono) mono;
    VEC(const Poly *) poly;
};

/* ---- one copy of each list of words */

static uint64_t hash_words(int n, const int64_t *w) {
    uint64_t h = 0x9e3779b97f4a7c15u ^ (uint64_t)n;
    for (int i = 0; i < n; i++) {
        h = (h ^ (uint64_t)w[i]) * 0xff51afd7ed558ccdu;
        h ^= h >> 32;
    }
    return h;
}

static Entry *find(const Table *t, int n, const int64_t *w) {
    uint64_t at = hash_words(n, w) & (uint64_t)(t->cap - 1);
    for (;; at = (at + 1) & (uint64_t)(t->cap - 1)) {
        Entry *e = &t->slot[at];
        if (!e->words || (e->n == n && !memcmp(e->words, w, sizeof *w * (size_t)n))) return e;
    }
}

static void grow(Arena *a, Table *t) {
    Table old = *t;
    t->cap = old.cap ? 2 * old.cap : 64;
    t->slot = NEWN(a, Entry, t->cap);
    for (int i = 0; i < old.cap; i++)
        if (old.slot[i].words) *find(t, old.slot[i].n, old.slot[i].words) = old.slot[i];
}

/* The number of the list; *fresh when it is new (its number is then the count so far). */
static int cons(Polys *ps, Table *t, int n, const int64_t *w, bool *fresh) {
    if (2 * t->len >= t->cap) grow(ps->arena, t);
    Entry *e = find(t, n, w);
    *fresh = !e->words;
    if (!*fresh) return e->id;
    int64_t *copy = NEWN(ps->arena, int64_t, n + 1);
    memcpy(copy, w, sizeof *w * (size_t)n);
    *e = (Entry){n, t->len++, copy};
    return e->id;
}

int poly_cons(Polys *ps, int n, const int64_t *words) {
    bool fresh;
    return cons(ps, &ps->lists, n, words, &fresh);
}

/* ---- monomials */

static int mono_find(Polys *ps, const Mono *m) {
    int64_t w[POLY_DEGREE];
    bool fresh;
    for (int i = 0; i < m->n; i++) w[i] = m->atom[i];
    int id = cons(ps, &ps->monos, m->n, w, &fresh);
    if (fresh) vec_push(ps->arena, &ps->mono, *m);
    return id;
}

const Mono *poly_mono(const Polys *ps, int mono) { return &ps->mono.data[mono]; }

int poly_mono_mul(Polys *ps, int a, int b) {
    Mono x = ps->mono.data[a], y = ps->mono.data[b], r = {0};
    if (x.n + y.n > ps->degree) return -1;
    for (int i = 0, j = 0; i < x.n || j < y.n;)
        r.atom[r.n++] = j == y.n || (i < x.n && x.atom[i] <= y.atom[j]) ? x.atom[i++] : y.atom[j++];
    return mono_find(ps, &r);
}

int poly_mono_div(Polys *ps, int a, int atom) {
    Mono m = ps->mono.data[a];
    for (int i = 0; i < m.n; i++) {
        if (m.atom[i] != atom) continue;
        memmove(m.atom + i, m.atom + i + 1, sizeof *m.atom * (size_t)(m.n - i - 1));
        m.n--;
        return mono_find(ps, &m);
    }
    return -1;
}

/* ---- polynomials */

/* Of sorted terms, none of them 0 */
static const Poly *poly_of(Polys *ps, int n, const PolyTerm *t) {
    if (n > ps->terms) return NULL;
    bool fresh;
    int id = cons(ps, &ps->polys, 2 * n, &t->mono, &fresh);
    if (!fresh) return ps->poly.data[id];
    Poly *p = arena_alloc(ps->arena, sizeof *p + sizeof *p->t * (size_t)n);
    p->id = id;
    p->n = n;
    memcpy(p->t, t, sizeof *t * (size_t)n);
    vec_push(ps->arena, &ps->poly, p);
    return p;
}

const Poly *poly_term(Polys *ps, int mono, int64_t coef) { return poly_of(ps, coef != 0, &(PolyTerm){mono, coef}); }
const Poly *poly_const(Polys *ps, int64_t c) { return poly_term(ps, 0, c); }

const Poly *poly_atom(Polys *ps, int atom) {
    Mono m = {1, {atom}};
    return poly_term(ps, mono_find(ps, &m), 1);
}

const Poly *poly_sum(Polys *ps, const Poly *x, int64_t a, const Poly *y, int64_t b) {
    PolyTerm t[2 * POLY_TERMS];
    int n = 0;
    if (!x || !y) return NULL;
    for (int i = 0, j = 0; i < x->n || j < y->n;) {
        int64_t mx = i < x->n ? x->t[i].mono : INT64_MAX, my = j < y->n ? y->t[j].mono : INT64_MAX;
        int64_t cx = mx <= my ? x->t[i++].coef : 0, cy = my <= mx ? y->t[j++].coef : 0;
        t[n].mono = mx < my ? mx : my;
        if (__builtin_mul_overflow(cx, a, &cx) || __builtin_mul_overflow(cy, b, &cy) ||
            __builtin_add_overflow(cx, cy, &t[n].coef))
            return NULL;
        n += t[n].coef != 0;
    }
    return poly_of(ps, n, t);
}

const Poly *poly_add(Polys *ps, const Poly *a, const Poly *b) { return poly_sum(ps, a, 1, b, 1); }
const Poly *poly_sub(Polys *ps, const Poly *a, const Poly *b) { return poly_sum(ps, a, 1, b, -1); }
const Poly *poly_scale(Polys *ps, const Poly *a, int64_t c) { return poly_sum(ps, a, c, poly_const(ps, 0), 0); }

const Poly *poly_mul(Polys *ps, const Poly *a, const Poly *b) {
    const Poly *sum = poly_const(ps, 0);
    if (!a || !b) return NULL;
    for (int i = 0; sum && i < a->n; i++)
        for (int j = 0; sum && j < b->n; j++) {
            int mono = poly_mono_mul(ps, a->t[i].mono, b->t[j].mono);
            int64_t c;
            if (mono < 0 || __builtin_mul_overflow(a->t[i].coef, b->t[j].coef, &c)) return NULL;
            sum = poly_add(ps, sum, poly_term(ps, mono, c));
        }
    return sum;
}

bool poly_has_atom(const Polys *ps, const Poly *p, int atom) {
    for (int i = 0; i < p->n; i++) {
        const Mono *m = poly_mono(ps, p->t[i].mono);
        for (int k = 0; k < m->n; k++)
            if (m->atom[k] == atom) return true;
    }
    return false;
}

const Poly *poly_subst(Polys *ps, const Poly *p, int atom, const Poly *by) {
    if (!p || !by || !poly_has_atom(ps, p, atom)) return p;
    const Poly *sum = poly_const(ps, 0);
    for (int i = 0; sum && i < p->n; i++) {
        int mono = p->t[i].mono, power = 0, less;
        while ((less = poly_mono_div(ps, mono, atom)) >= 0) mono = less, power++;
        const Poly *t = poly_term(ps, mono, p->t[i].coef);
        while (power--) t = poly_mul(ps, t, by);
        sum = poly_add(ps, sum, t);
    }
    return sum;
}

bool poly_is_const(const Poly *a, int64_t *out) {
    if (!a || a->n > 1 || (a->n == 1 && a->t[0].mono != 0)) return false;
    if (out) *out = poly_coef(a, 0);
    return true;
}

int64_t poly_coef(const Poly *a, int mono) {
    for (int i = 0; i < a->n && a->t[i].mono <= mono; i++)
        if (a->t[i].mono == mono) return a->t[i].coef;
    return 0;
}

Polys *polys_new(Arena *a, int degree, int terms) {
    Polys *ps = NEW(a, Polys);
    *ps = (Polys){.arena = a, .degree = degree, .terms = terms};
    mono_find(ps, &(Mono){0});
    return ps;
}
