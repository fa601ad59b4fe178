/* Plans of transforms: roots of unity, and how a length is taken apart.  A few are kept for the next calls, those that
 * were used last; whoever has one reads it, and no thread changes it.  One lock guards the list. */
#include "runtime/elementary.h"
#include "runtime/fft.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { KEPT = 16, SPLIT_FROM = 1 << 15, MOST_SKEW = 64 };

static struct {
    pthread_mutex_t lock;
    Plan *plans[KEPT];
    uint64_t now;
} cache = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* ---- memory: whole vectors may be read where less is meant.  NULL in a plan: there was not enough */

static double *memory(int64_t count) {
    size_t bytes = ((size_t)count + BESIDE) * sizeof(double);
    double *p = aligned_alloc(64, (bytes + 63) / 64 * 64);
    if (p) memset(p + count, 0, BESIDE * sizeof *p);
    return p;
}

static bool pair_make(Pair *p, int64_t n) {
    *p = (Pair){memory(n), memory(n)};
    return p->re && p->im;
}

static void pair_free(Pair p) {
    free(p.re);
    free(p.im);
}

static void plan_free(Plan *p) {
    if (!p) return;
    for (int i = 0; i < p->count; i++) pair_free(p->factor[i].roots), pair_free(p->factor[i].own);
    plan_free(p->first);
    plan_free(p->second);
    pair_free(p->roots.low);
    pair_free(p->roots.high);
    pair_free(p->beside);
    pair_free(p->chirp);
    pair_free(p->filter);
    free(p);
}

/* ---- roots of unity */

/* exp(-2 pi i k / n), 0 <= k <= n, from an angle of at most an eighth of a turn */
static void root(int64_t k, int64_t n, double *re, double *im) {
    const int64_t quarter = 4 * k / n, rest = 4 * k - quarter * n; /* rest / (4 n) of a turn */
    const bool beyond = 2 * rest > n;
    const double angle = (double)(beyond ? n - rest : rest) / (double)n * 1.57079632679489661923;
    const double a = dsl_cos(angle), b = dsl_sin(angle), c = beyond ? b : a, s = beyond ? a : b;
    *re = quarter % 4 == 0 ? c : quarter % 4 == 1 ? -s : quarter % 4 == 2 ? -c : s;
    *im = quarter % 4 == 0 ? -s : quarter % 4 == 1 ? -c : quarter % 4 == 2 ? s : c;
}

static bool roots_make(Roots *r, int64_t n) {
    const int64_t size = 1 << ROOTS_BITS, most = (n >> ROOTS_BITS) + 1;
    if (!pair_make(&r->low, size) || !pair_make(&r->high, most)) return false;
    for (int64_t k = 0; k < size && k <= n; k++) root(k, n, &r->low.re[k], &r->low.im[k]);
    for (int64_t k = 0; k < most; k++) root(k << ROOTS_BITS, n, &r->high.re[k], &r->high.im[k]);
    return true;
}

/* ---- lengths */

/* Its factors, eights first: then neighbours are whole vectors; -1: it has a greater prime */
static int factorize(int64_t n, int *radix) {
    int count = 0, twos = 0;
    for (; n % 2 == 0; n /= 2) twos++;
    const int fours = twos % 3 == 2 ? 1 : twos % 3 == 1 && twos > 1 ? 2 : 0;
    for (int left = twos - 2 * fours; left >= 3; left -= 3) radix[count++] = 8;
    for (int i = 0; i < fours; i++) radix[count++] = 4;
    if (twos == 1) radix[count++] = 2;
    for (int p = 5; p <= MAX_PRIME; p = p == 5 ? 3 : p == 3 ? 7 : p + 2)
        for (; n % p == 0; n /= p) radix[count++] = p;
    return n == 1 ? count : -1;
}

static bool is_smooth(int64_t n) {
    int radix[MAX_FACTORS];
    return factorize(n, radix) >= 0;
}

/* The divisor of n next to its root */
static int64_t near_root(int64_t n) {
    int64_t d = (int64_t)sqrt((double)n);
    while (d > 1 && n % d) d--;
    return d;
}

static bool is_split(int64_t n) { return n >= SPLIT_FROM && near_root(n) * near_root(n) * MOST_SKEW >= n; }

/* Of a convolution of so many: with factors 2, 3, 5 alone, and some of 2 */
static int64_t smooth_from(int64_t n) {
    for (;; n++) {
        int64_t left = n;
        for (int p = 2; p <= 5; p++)
            while (left % p == 0) left /= p;
        if (left == 1 && (n % 8 == 0 || n < 64) && (n < SPLIT_FROM || is_split(n))) return n;
    }
}

/* ---- the kinds of plans; false: not enough memory */

static Plan *plan_new(int64_t n, bool real);

static bool make_steps(Plan *p) {
    int radix[MAX_FACTORS];
    int64_t left = p->n;
    p->kind = FFT_STEPS;
    p->count = factorize(p->n, radix);
    for (int i = 0; i < p->count; i++) {
        Factor *f = &p->factor[i];
        const int64_t r = radix[i], m = left / r;
        *f = (Factor){.radix = radix[i], .m = m};
        if (!pair_make(&f->roots, (r - 1) * m) || !pair_make(&f->own, r)) return false;
        for (int64_t k = 1; k < r; k++)
            for (int64_t at = 0, to = (k - 1) * m; at < m; at++, to++)
                root(k * at, left, &f->roots.re[to], &f->roots.im[to]);
        for (int64_t j = 0; j < r; j++) root(j, r, &f->own.re[j], &f->own.im[j]);
        left = m;
    }
    p->lanes_only = !p->count || p->n / radix[p->count - 1] < BESIDE || p->factor[0].m < BESIDE;
    return true;
}

static bool make_split(Plan *p) {
    const int64_t rows = near_root(p->n);
    p->kind = FFT_SPLIT;
    p->first = plan_new(rows, false);
    p->second = plan_new(p->n / rows, false);
    if (!p->first || !p->second || !roots_make(&p->roots, p->n) || !pair_make(&p->beside, rows * WIDE)) return false;
    for (int64_t i = 0; i < rows * WIDE; i++)
        root(i / WIDE * (i % WIDE) % p->n, p->n, &p->beside.re[i], &p->beside.im[i]);
    return true;
}

static bool make_chirp(Plan *p) {
    const int64_t n = p->n, m = smooth_from(2 * n - 1);
    p->kind = FFT_CHIRP;
    p->first = plan_new(m, false);
    if (!p->first || !pair_make(&p->chirp, n) || !pair_make(&p->filter, m)) return false;
    memset(p->filter.re, 0, sizeof(double) * (size_t)m);
    memset(p->filter.im, 0, sizeof(double) * (size_t)m);
    for (int64_t k = 0; k < n; k++) {
        root((int64_t)((__int128)k * k % (2 * n)), 2 * n, &p->chirp.re[k], &p->chirp.im[k]);
        p->filter.re[k] = p->filter.re[(m - k) % m] = p->chirp.re[k] / (double)m;
        p->filter.im[k] = p->filter.im[(m - k) % m] = -p->chirp.im[k] / (double)m;
    }
    fft_in_place(p->first, p->filter);
    return true;
}

static bool make_real(Plan *p) {
    p->kind = FFT_REAL;
    p->first = plan_new(p->n / 2, false);
    return p->first && roots_make(&p->roots, p->n);
}

static Plan *plan_new(int64_t n, bool real) {
    Plan *p = calloc(1, sizeof *p);
    if (!p) return NULL;
    p->n = n;
    if (real ? make_real(p) : !is_smooth(n) ? make_chirp(p) : is_split(n) ? make_split(p) : make_steps(p)) return p;
    plan_free(p);
    return NULL;
}

/* ---- those that are kept */

static bool is_plan(const Plan *p, int64_t n, bool real) { return p && p->n == n && (p->kind == FFT_REAL) == real; }

/* Where a plan may be put: the place of none, or of the one that was not used longest; NULL: all are in use */
static Plan **place(void) {
    Plan **best = NULL;
    for (int i = 0; i < KEPT; i++) {
        Plan **at = &cache.plans[i];
        if (!*at) return at;
        if (!(*at)->refs && (!best || (*at)->used < (*best)->used)) best = at;
    }
    return best;
}

static Plan *find(int64_t n, bool real) {
    for (int i = 0; i < KEPT; i++) {
        Plan *p = cache.plans[i];
        if (!is_plan(p, n, real)) continue;
        p->refs++;
        p->used = ++cache.now;
        return p;
    }
    return NULL;
}

/* What another thread has made meanwhile goes before it */
static Plan *keep(Plan *p) {
    Plan *other = find(p->n, p->kind == FFT_REAL);
    if (other) {
        plan_free(p);
        return other;
    }
    Plan **at = place();
    p->refs = 1;
    if (!at) return p;
    plan_free(*at);
    *at = p;
    p->kept = true;
    p->used = ++cache.now;
    return p;
}

const Plan *fft_plan(int64_t n, bool real) {
    pthread_mutex_lock(&cache.lock);
    Plan *p = find(n, real);
    pthread_mutex_unlock(&cache.lock);
    if (p) return p;
    p = plan_new(n, real);
    if (!p) dsl_fail(dsl_current_site(), "E0603", "not enough memory for a Fourier transform of %lld", (long long)n);
    pthread_mutex_lock(&cache.lock);
    p = keep(p);
    pthread_mutex_unlock(&cache.lock);
    return p;
}

void fft_plan_done(const Plan *p) {
    Plan *own = (Plan *)(uintptr_t)p;
    pthread_mutex_lock(&cache.lock);
    if (!--own->refs && !own->kept) plan_free(own);
    pthread_mutex_unlock(&cache.lock);
}
