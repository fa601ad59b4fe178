/* Sums of products: a term is multiplied out into monomials over what is neither sum nor product, and what is alike is
 * put together.  Where less is left the term is built anew of it: (x + 1) - x is 1, b*b - (b*b - 4*a*c) is 4*a*c.
 * Roots that meet themselves go, and so does what stands above and below. */
#include "accuracy/accuracy.h"

#include <math.h>
#include <string.h>

enum { MOST_FACTORS = 8, MOST_MONOMIALS = 24 };
typedef struct { double coef; int n, factor[MOST_FACTORS]; } Monomial;
typedef struct { bool ok; int n; Monomial m[MOST_MONOMIALS]; } Sum;

static const Sum too_much = {.ok = false};

static Sum one(double coef, int n, int factor) {
    Sum s = {.ok = true, .n = coef != 0, .m = {{.coef = coef, .n = n, .factor = {factor}}}};
    return s;
}

static bool alike(const Monomial *a, const Monomial *b) {
    return a->n == b->n && !memcmp(a->factor, b->factor, sizeof *a->factor * (size_t)a->n);
}

static void drop_zeros(Sum *s) {
    int n = 0;
    for (int i = 0; i < s->n; i++)
        if (s->m[i].coef != 0) s->m[n++] = s->m[i];
    s->n = n;
}

/* False: the coefficient is rounded, or there are too many. */
static bool add_monomial(Sum *s, const Monomial *m) {
    for (int i = 0; i < s->n; i++) {
        if (!alike(&s->m[i], m)) continue;
        Wide exact = (Wide)s->m[i].coef + (Wide)m->coef;
        s->m[i].coef += m->coef;
        return (Wide)s->m[i].coef == exact;
    }
    if (s->n == MOST_MONOMIALS) return false;
    s->m[s->n++] = *m;
    return true;
}

static void add_sum(Sum *s, const Sum *x, double sign) {
    for (int i = 0; i < x->n && s->ok; i++) {
        Monomial m = x->m[i];
        m.coef *= sign;
        s->ok = add_monomial(s, &m);
    }
    s->ok &= x->ok;
    drop_zeros(s);
}

static void insert_factor(Monomial *m, int factor) {
    int i = m->n++;
    for (; i > 0 && m->factor[i - 1] > factor; i--) m->factor[i] = m->factor[i - 1];
    m->factor[i] = factor;
}

static Sum product(Terms *t, const Sum *a, const Sum *b);
static Sum expand(Terms *t, int root, int depth);

/* sqrt(u) * sqrt(u) is u. */
static Sum without_roots(Terms *t, Monomial m) {
    for (int i = 0; i + 1 < m.n; i++) {
        int root = m.factor[i];
        if (root != m.factor[i + 1] || !term_is(t, root, OP_SQRT)) continue;
        memmove(&m.factor[i], &m.factor[i + 2], sizeof *m.factor * (size_t)(m.n - i - 2));
        m.n -= 2;
        Sum rest = without_roots(t, m), inside = expand(t, term_at(t, root)->kid[0], 1);
        return product(t, &rest, &inside);
    }
    Sum s = one(m.coef, 0, 0);
    s.m[0] = m;
    return s;
}

static Sum product(Terms *t, const Sum *a, const Sum *b) {
    Sum out = {.ok = a->ok && b->ok};
    for (int i = 0; i < a->n && out.ok; i++)
        for (int k = 0; k < b->n && out.ok; k++) {
            Monomial m = a->m[i];
            m.coef *= b->m[k].coef;
            if ((Wide)m.coef != (Wide)a->m[i].coef * (Wide)b->m[k].coef) return too_much;
            if (m.n + b->m[k].n > MOST_FACTORS) return too_much;
            for (int f = 0; f < b->m[k].n; f++) insert_factor(&m, b->m[k].factor[f]);
            Sum s = without_roots(t, m);
            add_sum(&out, &s, 1);
        }
    return out;
}

static Sum expand_pair(Terms *t, const Term *x, int depth) {
    Sum a = expand(t, x->kid[0], depth), b = expand(t, x->kid[1], depth);
    if (x->op == OP_MUL) return product(t, &a, &b);
    add_sum(&a, &b, x->op == OP_SUB ? -1 : 1);
    return a;
}

static bool halves(const Terms *t, int i) {
    int e;
    return term_is(t, i, OP_CONST) && fabs(frexp(term_at(t, i)->number, &e)) == 0.5;
}

static Sum expand(Terms *t, int root, int depth) {
    const Term x = *term_at(t, root);
    if (depth > 12) return too_much;
    if (x.op == OP_CONST) return one(x.number, 0, 0);
    if (x.op == OP_ADD || x.op == OP_SUB || x.op == OP_MUL) return expand_pair(t, &x, depth + 1);
    Sum s = one(1, 1, root), by = one(-1, 0, 0);
    if (x.op != OP_NEG && !(x.op == OP_DIV && halves(t, x.kid[1]))) return s;
    if (x.op == OP_DIV) by = one(1 / term_at(t, x.kid[1])->number, 0, 0);
    s = expand(t, x.kid[0], depth + 1);
    return product(t, &s, &by);
}

/* ---- and back */

static int build_monomial(Terms *t, const Monomial *m) {
    int x = term_number(t, fabs(m->coef));
    for (int i = 0; i < m->n; i++) x = term_make(t, OP_MUL, 2, (int[]){x, m->factor[i]});
    return x;
}

static int build(Terms *t, const Sum *s) {
    int x = term_number(t, 0);
    for (int sign = 1; sign >= -1; sign -= 2)
        for (int i = 0; i < s->n; i++) {
            if ((s->m[i].coef > 0) != (sign > 0)) continue;
            int term = build_monomial(t, &s->m[i]);
            x = term_make(t, sign > 0 ? OP_ADD : OP_SUB, 2, (int[]){x, term});
        }
    return x;
}

/* ---- quotients: what divides each monomial above and stands below goes */

typedef struct { double coef; int n, factor[MOST_FACTORS]; } Product;

/* False: too many factors, or a coefficient that is rounded */
static bool flatten(const Terms *t, int root, Product *p) {
    const Term *x = term_at(t, root);
    if (x->op == OP_MUL) return flatten(t, x->kid[0], p) && flatten(t, x->kid[1], p);
    if (x->op == OP_NEG) return p->coef = -p->coef, flatten(t, x->kid[0], p);
    if (x->op == OP_CONST) {
        Wide exact = (Wide)p->coef * (Wide)x->number;
        p->coef *= x->number;
        return (Wide)p->coef == exact && p->coef != 0;
    }
    if (p->n == MOST_FACTORS) return false;
    p->factor[p->n++] = root;
    return true;
}

static int find_factor(const Monomial *m, int factor) {
    for (int i = 0; i < m->n; i++)
        if (m->factor[i] == factor) return i;
    return -1;
}

static bool divides_all(const Sum *s, int factor) {
    for (int i = 0; i < s->n; i++)
        if (find_factor(&s->m[i], factor) < 0) return false;
    return s->n > 0;
}

static void divide_all(Sum *s, int factor) {
    for (int i = 0; i < s->n; i++) {
        int k = find_factor(&s->m[i], factor);
        memmove(&s->m[i].factor[k], &s->m[i].factor[k + 1], sizeof(int) * (size_t)(s->m[i].n - k - 1));
        s->m[i].n--;
    }
}

static bool divide_coefs(Sum *s, double by) {
    Sum out = *s;
    for (int i = 0; i < s->n; i++) {
        out.m[i].coef /= by;
        if ((Wide)out.m[i].coef * (Wide)by != (Wide)s->m[i].coef) return false;
    }
    *s = out;
    return true;
}

static int cancel_quotient(Terms *t, int root) {
    Product below = {.coef = 1};
    int kept = 0, x;
    Sum above = expand(t, term_at(t, root)->kid[0], 0);
    if (!above.ok || !flatten(t, term_at(t, root)->kid[1], &below)) return root;
    for (int i = 0; i < below.n; i++)
        if (divides_all(&above, below.factor[i])) divide_all(&above, below.factor[i]);
        else below.factor[kept++] = below.factor[i];
    bool number_goes = divide_coefs(&above, below.coef);
    if (kept == below.n && (!number_goes || below.coef == 1)) return root;
    x = term_number(t, number_goes ? 1 : below.coef);
    for (int i = 0; i < kept; i++) x = term_make(t, OP_MUL, 2, (int[]){x, below.factor[i]});
    return term_make(t, OP_DIV, 2, (int[]){build(t, &above), x});
}

int term_cancel(Terms *t, int root) {
    Sum s = {.ok = false};
    int x = root;
    if (term_is(t, root, OP_DIV)) x = cancel_quotient(t, root);
    else if ((s = expand(t, root, 0)).ok) x = build(t, &s);
    return term_size(t, x) < term_size(t, root) ? x : root;
}
