/* The ways to compute a formula: what identities make of it, generation by generation, of which the most accurate and
 * the cheapest go on.  All are computed on the samples.  What is exact is said by the first whose own error is small
 * enough: they are equal as real numbers.  At most MOST_TERMS forms are tried, each on SAMPLES samples. */
#include "accuracy/accuracy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { GENERATIONS = 5, MOST_TERMS = 3000, BEST = 28, CHEAPEST = 12, MOST_PARTS = 96, PAIRS = 12 };
/* Bits: worse on a sample; better on average, to be worth it; no difference on average */
static const double SLACK = 2.5, GAIN = 1, HARDLY = 0.2, TELLING = 12; /* TELLING: a part of what is lost */
enum { LEAST_FORMS = 60, LEAST_SAMPLES = 24 }; /* of which two ways are told apart */

typedef struct { int term, cost, length; double bits; } Found; /* length: of its text, where that was asked for */
typedef struct {
    Formula *f;
    Terms *t;
    VEC(Found) found;
    Map met; /* by term + 1 */
    Truth *truth;
    int part, whole, most;
} Search;

/* ---- what is exact */

static bool is_wanted(const Search *s, Real x) { return real_is_known(s->t->dtype, x); }

static void learn(Search *s, int term) {
    if (s->truth->n == s->t->nsamples) return;
    const Real *x = term_reals(s->t, term);
    for (int i = 0; i < s->t->nsamples; i++) {
        if (s->truth->known[i] || !is_wanted(s, x[i])) continue;
        s->truth->exact[i] = x[i];
        s->truth->known[i] = true;
        s->truth->n++;
    }
}

/* ---- how accurate */

static double value_at(const Search *s, const double *v, int i) { return real_round(s->t->dtype, (Wide)v[i]); }

static double bits_at(const Search *s, const double *v, int i) {
    return bits_between(s->t->dtype, value_at(s, v, i), real_round(s->t->dtype, s->truth->exact[i].v));
}

static double mean_bits(Search *s, int term) {
    const double *v = term_values(s->t, term, s->t->dtype);
    double sum = 0;
    for (int i = 0; i < s->t->nsamples; i++)
        if (s->truth->known[i]) sum += bits_at(s, v, i);
    return s->truth->n ? sum / s->truth->n : 0;
}

/* ---- generations */

static void add(Search *s, int term) {
    const void *key = (const void *)(intptr_t)(term + 1);
    if (s->found.len >= s->most || map_has(&s->met, key)) return;
    map_put(s->t->arena, &s->met, key, s);
    vec_push(s->t->arena, &s->found, ((Found){.term = term}));
}

static int cancel_all(Terms *t, int root) {
    const Term x = *term_at(t, root);
    int kids[3];
    if (!x.nkids) return root;
    for (int i = 0; i < x.nkids; i++) kids[i] = cancel_all(t, x.kid[i]);
    int made = term_again(t, &x, kids);
    OpCode op = term_at(t, made)->op;
    return op == OP_ADD || op == OP_SUB || op == OP_MUL || op == OP_DIV ? term_cancel(t, made) : made;
}

static void take(void *ctx, int made) {
    Search *s = ctx;
    int root = term_substitute(s->t, s->whole, s->part, made);
    add(s, root);
    add(s, cancel_all(s->t, root));
}

static void grow(Search *s, int term) {
    int parts[MOST_PARTS], n = term_subterms(s->t, term, parts, MOST_PARTS);
    for (int i = 0; i < n && n < MOST_PARTS; i++) {
        s->whole = term;
        s->part = parts[i];
        term_rewrites(s->t, parts[i], take, s);
    }
}

static int by_bits(const void *a, const void *b) {
    const Found *x = a, *y = b;
    if (x->bits != y->bits) return x->bits < y->bits ? -1 : 1;
    return x->cost != y->cost ? (x->cost < y->cost ? -1 : 1) : x->term - y->term;
}

static int by_cost(const void *a, const void *b) {
    const Found *x = a, *y = b;
    return x->cost != y->cost ? (x->cost < y->cost ? -1 : 1) : x->term - y->term;
}

static void score(Search *s, int from) {
    for (int i = from; i < s->found.len; i++) learn(s, s->found.data[i].term);
    for (int i = from; i < s->found.len; i++) {
        Found *x = &s->found.data[i];
        x->bits = mean_bits(s, x->term);
        x->cost = term_cost(s->t, x->term);
    }
}

/* The best, then the cheapest of the rest, come first; how many go on */
static int select_parents(Found *x, int n) {
    qsort(x, (size_t)n, sizeof *x, by_bits);
    if (n <= BEST) return n;
    qsort(x + BEST, (size_t)(n - BEST), sizeof *x, by_cost);
    return n < BEST + CHEAPEST ? n : BEST + CHEAPEST;
}

static void find_all(Search *s) {
    add(s, s->f->root);
    score(s, 0);
    for (int generation = 0, from = 0; generation < GENERATIONS && from < s->found.len; generation++) {
        int end = s->found.len, parents = select_parents(s->found.data + from, end - from);
        int terms[BEST + CHEAPEST];
        for (int i = 0; i < parents; i++) terms[i] = s->found.data[from + i].term;
        for (int i = 0; i < parents; i++) grow(s, terms[i]);
        score(s, end);
        from = end;
    }
}

/* ---- ways */

static const double *way_values(Search *s, int term, DType as) { return term_values(s->t, term, as); }

static bool takes_first(const Search *s, const Way *w, int i) {
    return w->split < 0 || s->t->leaf[w->split][i] < w->at;
}

/* In two: a branch, or of arrays both */
static int way_cost(const Search *s, const Way *w) {
    int a = term_cost(s->t, w->term), casts = 0;
    if (w->split >= 0) {
        int b = term_cost(s->t, w->other);
        a = s->f->array ? a + b + 2 : (a > b ? a : b) + 2;
    }
    if (w->as == s->t->dtype) return a;
    for (int i = 0; i < s->f->nleaves; i++) casts++;
    return (w->as == DT_F32 ? (a + 1) / 2 : 2 * a) + casts + 1;
}

static void measure(Search *s, Way *w) {
    const double *a = way_values(s, w->term, w->as), *b = way_values(s, w->split < 0 ? w->term : w->other, w->as);
    w->bits = w->worst = w->off = 0;
    for (int i = 0; i < s->t->nsamples; i++) {
        if (!s->truth->known[i]) continue;
        const double *v = takes_first(s, w, i) ? a : b;
        double bits = bits_at(s, v, i);
        w->bits += bits / s->truth->n;
        w->worst = fmax(w->worst, bits);
        w->off = fmax(w->off, real_off(value_at(s, v, i), s->truth->exact[i]));
    }
    w->cost = way_cost(s, w);
}

static double half(const Search *s) { return s->t->dtype == DT_F64 ? 26 : 12; } /* of the digits, in bits */

/* On no sample much worse than the program as it is (a wrong number is worse than NaN); where nobody knows what is
 * exact it is as defined as that */
static bool is_safe(Search *s, const Way *w, double loose) {
    const double *o = term_values(s->t, s->f->root, s->t->dtype);
    const double *a = way_values(s, w->term, w->as), *b = way_values(s, w->split < 0 ? w->term : w->other, w->as);
    for (int i = 0; i < s->t->nsamples; i++) {
        const double *v = takes_first(s, w, i) ? a : b;
        if (!s->truth->known[i] && isfinite(o[i]) != isfinite(value_at(s, v, i))) return false;
        if (s->truth->known[i] && isnan(value_at(s, o, i)) && bits_at(s, v, i) > half(s)) return false;
        if (!s->truth->known[i] || bits_at(s, v, i) <= bits_at(s, o, i) + SLACK) continue;
        if (!(real_off(value_at(s, v, i), s->truth->exact[i]) <= loose)) return false;
    }
    return true;
}

/* An array of the same shape comes out: a leaf of that shape is left, or all that are arrays are. */
static bool keeps_shape(const Search *s, int term) {
    int parts[MOST_PARTS], n = term_subterms(s->t, term, parts, MOST_PARTS);
    bool here[MOST_LEAVES] = {false}, whole = !s->f->array, all = true;
    for (int i = 0; i < n; i++)
        if (term_is(s->t, parts[i], OP_COUNT)) here[term_at(s->t, parts[i])->leaf] = true;
    for (int i = 0; i < s->f->nleaves; i++) {
        whole |= here[i] && s->f->leaf[i].whole;
        all &= here[i] || !s->f->leaf[i].array;
    }
    return n < MOST_PARTS && (whole || all);
}

/* Less is easier to read, and so is what has no fma. */
static int length_of(const char *text) {
    int n = (int)strlen(text);
    for (const char *p = text; (p = strstr(p, "fma(")); p++) n += 8;
    return n;
}

static void consider(Search *s, Way w, double loose) {
    if (!keeps_shape(s, w.term) || (w.split >= 0 && !keeps_shape(s, w.other))) return;
    measure(s, &w);
    const Way *usual = &s->f->ways.data[0];
    w.bare = !s->f->constant && w.split < 0 && !term_at(s->t, w.term)->nkids;
    bool better = w.bits <= usual->bits - fmax(GAIN, usual->bits / TELLING);
    better |= w.cost < usual->cost && (w.bits <= usual->bits || w.off <= loose);
    better |= s->f->shared && w.bits <= usual->bits + HARDLY; /* the other one may be better so */
    if (!better || !is_safe(s, &w, loose) || !(w.text = write_way(s->f, &w))) return;
    w.size = length_of(w.text);
    vec_push(s->f->arena, &s->f->ways, w);
}

/* ---- two ways, told apart by a leaf */

typedef struct { double at; int sample; } Cut;
static int by_place(const void *a, const void *b) {
    double x = ((const Cut *)a)->at, y = ((const Cut *)b)->at;
    return x < y ? -1 : x > y;
}

/* A plain number above lo, up to hi */
static double plain_between(double lo, double hi) {
    if (lo < 0 && hi >= 0) return 0;
    double middle = lo > 0 || hi < 0 ? copysign(sqrt(lo / hi) * fabs(hi), hi) : lo + (hi - lo) / 2;
    for (int digits = 1; digits < 17; digits++) {
        char text[40];
        snprintf(text, sizeof text, "%.*g", digits, middle);
        double x = strtod(text, NULL);
        if (x > lo && x <= hi) return x;
    }
    return hi;
}

static int places_of(const Search *s, int leaf, Cut *p) {
    int n = 0;
    for (int i = 0; i < s->t->nsamples; i++)
        if (s->truth->known[i] && isfinite(s->t->leaf[leaf][i])) p[n++] = (Cut){s->t->leaf[leaf][i], i};
    qsort(p, (size_t)n, sizeof *p, by_place);
    return n;
}

/* The place of the leaf below which a, from which on b is best, all together; its bits.  0 is taken where it is hardly
 * worse than the best. */
static double best_split(const Search *s, const double *a, const double *b, const Cut *p, int n, double *at) {
    double sum = 0, best = INFINITY, at_zero = INFINITY;
    for (int k = 0; k < n; k++) sum += bits_at(s, b, p[k].sample);
    for (int k = 0; k + 1 < n; k++) {
        sum += bits_at(s, a, p[k].sample) - bits_at(s, b, p[k].sample);
        if (p[k].at < 0 && p[k + 1].at >= 0) at_zero = sum;
        if (p[k].at == p[k + 1].at || sum >= best) continue;
        best = sum;
        *at = plain_between(p[k].at, p[k + 1].at);
    }
    if (at_zero <= best + HARDLY * n) best = at_zero, *at = 0;
    return best / (n ? n : 1);
}

/* Bits that a form gains count more than these, by which a plain one goes before one that is hardly better */
static double plainness(const Search *s, const Found *x) {
    return s->truth->n * (0.003 * x->cost + 0.004 * x->length);
}

static void measure_texts(Search *s) {
    for (int k = 0; k < s->found.len; k++) {
        Found *x = &s->found.data[k];
        const char *text = write_way(s->f, &(Way){.term = x->term, .split = -1, .as = s->t->dtype});
        x->length = text ? length_of(text) : 1000;
    }
}

static double bits_beside(const Search *s, int term, const double *least) {
    const double *v = term_values(s->t, term, s->t->dtype);
    double sum = 0;
    for (int i = 0; i < s->t->nsamples; i++)
        if (s->truth->known[i]) sum += fmin(least[i], bits_at(s, v, i));
    return sum;
}

/* The best; then, again and again, what is best beside those taken */
static int pick(Search *s, int *out) {
    double least[SAMPLES], taken = 64.0 * s->truth->n;
    int n = 0;
    for (int i = 0; i < SAMPLES; i++) least[i] = 64;
    while (n < PAIRS) {
        double best = INFINITY;
        const Found *which = NULL;
        for (int k = 0; k < s->found.len; k++) {
            const Found *x = &s->found.data[k];
            double sum = bits_beside(s, x->term, least) + plainness(s, x);
            if (sum < best) best = sum, which = x;
        }
        double bits = which ? bits_beside(s, which->term, least) : taken;
        if (bits > taken - s->truth->n * 0.25) break;
        taken = bits;
        out[n++] = which->term;
        const double *v = term_values(s->t, which->term, s->t->dtype);
        for (int i = 0; i < s->t->nsamples; i++)
            if (s->truth->known[i]) least[i] = fmin(least[i], bits_at(s, v, i));
    }
    return n;
}

static void find_splits(Search *s) {
    Cut p[SAMPLES];
    double best = s->f->ways.data[0].bits;
    for (int i = 0; i < s->f->ways.len; i++) best = fmin(best, s->f->ways.data[i].bits);
    if (best <= GAIN || s->truth->n < LEAST_SAMPLES || s->f->sums) return;
    measure_texts(s);
    int terms[PAIRS + 1], n = pick(s, terms);
    terms[n++] = s->f->root;
    for (int leaf = 0; leaf < s->f->nleaves && best > GAIN; leaf++) {
        int places = places_of(s, leaf, p);
        for (int a = 0; a < n; a++)
            for (int b = 0; b < n; b++) {
                Way w = {.term = terms[a], .other = terms[b], .split = leaf, .as = s->t->dtype};
                if (a == b) continue;
                const double *below = term_values(s->t, w.term, w.as), *above = term_values(s->t, w.other, w.as);
                double bits = best_split(s, below, above, p, places, &w.at);
                if (bits > best - GAIN) continue;
                int before = s->f->ways.len;
                consider(s, w, 0);
                if (s->f->ways.len > before) best = bits;
            }
    }
}

/* ---- the whole */

static int by_cost_of_way(const void *a, const void *b) {
    const Way *x = a, *y = b;
    if (x->cost != y->cost) return x->cost < y->cost ? -1 : 1;
    return x->bits < y->bits ? -1 : x->bits > y->bits ? 1 : x->term - y->term;
}

/* Behind the first, in order of cost: each is better than any before in bits, in its greatest error, or in length */
static void keep_best(Ways *w) {
    int n = 1;
    if (w->len > 2) qsort(w->data + 1, (size_t)(w->len - 1), sizeof *w->data, by_cost_of_way);
    for (int i = 1; i < w->len; i++) {
        bool better = true;
        for (int k = 1; k < n && better; k++)
            better = w->data[i].bits < w->data[k].bits - 0.05 || w->data[i].off < 0.5 * w->data[k].off ||
                     w->data[i].size < w->data[k].size;
        if (better) w->data[n++] = w->data[i];
    }
    w->len = n;
}

static void other_types(Search *s, double loose) {
    DType as = s->t->dtype == DT_F32 ? DT_F64 : DT_F32;
    if (as == DT_F32 && !(loose > 0)) return;
    int n = s->found.len < 60 ? s->found.len : 60;
    consider(s, (Way){.term = s->f->root, .split = -1, .as = as}, loose);
    for (int i = 0; i < n; i++) consider(s, (Way){.term = s->found.data[i].term, .split = -1, .as = as}, loose);
}

void search_formula(Formula *f, double loose) {
    Search *s = NEW(f->terms->arena, Search);
    *s = (Search){.f = f, .t = f->terms, .truth = &f->truth};
    f->ways = (Ways){0};
    f->truth.exact = NEWN(s->t->arena, Real, s->t->nsamples + 1);
    f->truth.known = NEWN(s->t->arena, bool, s->t->nsamples + 1);
    s->most = f->sums ? LEAST_FORMS + MOST_TERMS / (1 + s->t->nsamples / SAMPLES) : MOST_TERMS;
    find_all(s);
    f->known = s->truth->n, f->nsamples = f->terms->nsamples;
    Way usual = {.term = f->root, .split = -1, .as = f->dtype};
    measure(s, &usual);
    vec_push(f->arena, &f->ways, usual);
    if (2 * s->truth->n < f->terms->nsamples || !s->truth->n) return;
    qsort(s->found.data, (size_t)s->found.len, sizeof *s->found.data, by_bits);
    for (int i = 0; i < s->found.len; i++)
        consider(s, (Way){.term = s->found.data[i].term, .split = -1, .as = f->dtype}, loose);
    other_types(s, loose);
    find_splits(s);
    if (!f->shared) keep_best(&f->ways);
}
