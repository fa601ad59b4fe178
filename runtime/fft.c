/* Discrete Fourier transforms of any length, of arrays of f64 with the real and imaginary parts apart.
 *
 * A transform of length n is made in lanes: WIDE of them side by side, so that every step is a loop over neighbours.
 * Lengths with factors up to MAX_PRIME go by Stockham's scheme, radix 4, 2, 3, 5 and others (Swarztrauber, "FFT
 * algorithms for vector computers", Parallel Computing 1984); other lengths by a convolution of a smooth one
 * (Bluestein, "A linear filtering approach to the computation of the discrete Fourier transform", IEEE Trans. 1970).  A
 * single long transform is split in two of about the root of its length, whose lanes are its columns (Bailey, "FFTs in
 * external or hierarchical memory", 1990). */
#include "runtime/dsl.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WIDE = 8, MAX_PRIME = 31, MAX_FACTORS = 64, SPLIT_FROM = 256, AXES = 3, ROOTS_BITS = 10 };
static const double turn = 6.283185307179586476925286766559;

/* Where a step is worth more with wider registers; no fused products: the bits are the same on all machines */
#define VECTORS __attribute__((target_clones("avx512f", "avx2", "default")))

typedef struct { double *re, *im; } Pair;

typedef struct Plan {
    int64_t n;
    int sign; /* of the exponent: -1 forward */
    int count, radix[MAX_FACTORS];
    double *cos, *sin;   /* of the roots of unity w^k, k < n */
    Pair work[2];        /* n rows of WIDE lanes */
    /* lengths with a great prime factor: */
    struct Plan *forward, *backward;
    Pair chirp, filter;  /* w^(k^2/2); the transform of its conjugate */
} Plan;

static void *memory(size_t count) {
    void *p = aligned_alloc(64, (count * sizeof(double) + 127) / 64 * 64);
    if (!p) dsl_fail(dsl_current_site(), "E0603", "not enough memory for a Fourier transform");
    return p;
}

static Pair pair_new(int64_t n) { return (Pair){memory((size_t)n), memory((size_t)n)}; }

static void pair_free(Pair p) {
    free(p.re);
    free(p.im);
}

/* ---- plans */

static int factorize(int64_t n, int *radix) {
    static const int first[] = {4, 2, 3, 5};
    int count = 0;
    for (int i = 0; i < 4; i++)
        for (; n % first[i] == 0; n /= first[i]) radix[count++] = first[i];
    for (int p = 7; p <= MAX_PRIME; p += 2)
        for (; n % p == 0; n /= p) radix[count++] = p;
    return n == 1 ? count : -1;
}

static void root(double k, double n, int sign, double *c, double *s) {
    double angle = sign * turn * (k / n);
    *c = cos(angle);
    *s = sin(angle);
}

static int64_t smooth_from(int64_t n) {
    int radix[MAX_FACTORS];
    while (factorize(n, radix) < 0 || (n % 4 && n > 64)) n++;
    return n;
}

static Plan *plan_new(int64_t n, int sign);

static void plan_free(Plan *p) {
    if (!p) return;
    plan_free(p->forward);
    plan_free(p->backward);
    free(p->cos);
    free(p->sin);
    pair_free(p->work[0]);
    pair_free(p->work[1]);
    pair_free(p->chirp);
    pair_free(p->filter);
    free(p);
}

static void run_lanes(Plan *p);

/* Bluestein: jk = (j^2 + k^2 - (j - k)^2) / 2 */
static void plan_chirp(Plan *p) {
    int64_t n = p->n, m = smooth_from(2 * n - 1);
    p->forward = plan_new(m, -1);
    p->backward = plan_new(m, 1);
    p->chirp = pair_new(n);
    p->filter = pair_new(m);
    Pair in = p->forward->work[0];
    memset(in.re, 0, sizeof(double) * (size_t)m * WIDE);
    memset(in.im, 0, sizeof(double) * (size_t)m * WIDE);
    for (int64_t k = 0; k < n; k++) {
        int64_t square = (int64_t)((__int128)k * k % (2 * n));
        root((double)square, (double)(2 * n), p->sign, &p->chirp.re[k], &p->chirp.im[k]);
        for (int64_t at = k; ; at = m - k) {
            in.re[at * WIDE] = p->chirp.re[k];
            in.im[at * WIDE] = -p->chirp.im[k];
            if (!k || at != k) break;
        }
    }
    run_lanes(p->forward);
    for (int64_t k = 0; k < m; k++) {
        p->filter.re[k] = p->forward->work[0].re[k * WIDE] / (double)m;
        p->filter.im[k] = p->forward->work[0].im[k * WIDE] / (double)m;
    }
}

static Plan *plan_new(int64_t n, int sign) {
    Plan *p = calloc(1, sizeof *p);
    if (!p) dsl_fail(dsl_current_site(), "E0603", "not enough memory for a Fourier transform");
    *p = (Plan){.n = n, .sign = sign};
    for (int i = 0; i < 2; i++) p->work[i] = pair_new(n * WIDE);
    p->count = factorize(n, p->radix);
    if (p->count < 0) {
        plan_chirp(p);
        return p;
    }
    p->cos = memory((size_t)n);
    p->sin = memory((size_t)n);
    for (int64_t k = 0; k < n; k++) root((double)k, (double)n, sign, &p->cos[k], &p->sin[k]);
    return p;
}

/* ---- steps: `rows` of radix r, s neighbours in each; x[p + m k] -> y[r p + k], times w^(p k) */

typedef struct { Pair x, y; int64_t m, s, stride; const Plan *plan; } Step;

VECTORS static void step2(const Step *t) {
    for (int64_t p = 0; p < t->m; p++) {
        double c = t->plan->cos[p * t->stride], s = t->plan->sin[p * t->stride];
        const double *ar = t->x.re + p * t->s, *ai = t->x.im + p * t->s, *br = ar + t->m * t->s, *bi = ai + t->m * t->s;
        double *restrict ur = t->y.re + 2 * p * t->s, *restrict ui = t->y.im + 2 * p * t->s, *restrict vr = ur + t->s,
                         *restrict vi = ui + t->s;
        for (int64_t q = 0; q < t->s; q++) {
            double dr = ar[q] - br[q], di = ai[q] - bi[q];
            ur[q] = ar[q] + br[q];
            ui[q] = ai[q] + bi[q];
            vr[q] = dr * c - di * s;
            vi[q] = dr * s + di * c;
        }
    }
}

VECTORS static void step4(const Step *t) {
    const double sign = t->plan->sign;
    for (int64_t p = 0; p < t->m; p++) {
        const int64_t e = p * t->stride, m = t->m * t->s, s = t->s;
        const double c1 = t->plan->cos[e], s1 = t->plan->sin[e], c2 = t->plan->cos[2 * e], s2 = t->plan->sin[2 * e];
        const double c3 = t->plan->cos[3 * e], s3 = t->plan->sin[3 * e];
        const double *xr = t->x.re + p * s, *xi = t->x.im + p * s;
        double *restrict yr = t->y.re + 4 * p * s, *restrict yi = t->y.im + 4 * p * s;
        for (int64_t q = 0; q < s; q++) {
            double ar = xr[q] + xr[q + 2 * m], ai = xi[q] + xi[q + 2 * m], br = xr[q] - xr[q + 2 * m],
                   bi = xi[q] - xi[q + 2 * m];
            double cr = xr[q + m] + xr[q + 3 * m], ci = xi[q + m] + xi[q + 3 * m];
            double dr = -sign * (xi[q + m] - xi[q + 3 * m]), di = sign * (xr[q + m] - xr[q + 3 * m]);
            double er = br + dr, ei = bi + di, fr = ar - cr, fi = ai - ci, gr = br - dr, gi = bi - di;
            yr[q] = ar + cr;
            yi[q] = ai + ci;
            yr[q + s] = er * c1 - ei * s1;
            yi[q + s] = er * s1 + ei * c1;
            yr[q + 2 * s] = fr * c2 - fi * s2;
            yi[q + 2 * s] = fr * s2 + fi * c2;
            yr[q + 3 * s] = gr * c3 - gi * s3;
            yi[q + 3 * s] = gr * s3 + gi * c3;
        }
    }
}

VECTORS static void step_of(const Step *t, int r) {
    const int64_t n = t->plan->n, s = t->s, m = t->m * t->s;
    for (int64_t p = 0; p < t->m; p++)
        for (int k = 0; k < r; k++) {
            double *restrict yr = t->y.re + (r * p + k) * s, *restrict yi = t->y.im + (r * p + k) * s;
            memset(yr, 0, sizeof(double) * (size_t)s);
            memset(yi, 0, sizeof(double) * (size_t)s);
            for (int j = 0; j < r; j++) { /* w_r^(jk) w^(pk) */
                int64_t e = ((int64_t)(j * k % r) * (n / r) + p * t->stride * k) % n;
                double c = t->plan->cos[e], d = t->plan->sin[e];
                const double *xr = t->x.re + p * s + j * m, *xi = t->x.im + p * s + j * m;
                for (int64_t q = 0; q < s; q++) {
                    yr[q] += xr[q] * c - xi[q] * d;
                    yi[q] += xr[q] * d + xi[q] * c;
                }
            }
        }
}

static void run_steps(Plan *p) {
    int64_t left = p->n, s = WIDE;
    for (int i = 0; i < p->count; i++) {
        int r = p->radix[i];
        Step t = {p->work[0], p->work[1], left / r, s, p->n / left, p};
        if (r == 4) step4(&t);
        else if (r == 2) step2(&t);
        else step_of(&t, r);
        p->work[0] = t.y;
        p->work[1] = t.x;
        left /= r;
        s *= r;
    }
}

static void times(Pair x, int64_t at, double c, double d, int sign) {
    for (int64_t q = at * WIDE; q < (at + 1) * WIDE; q++) {
        double re = x.re[q] * c - sign * x.im[q] * d;
        x.im[q] = sign * x.re[q] * d + x.im[q] * c;
        x.re[q] = re;
    }
}

static void run_chirp(Plan *p) {
    int64_t n = p->n, m = p->forward->n;
    size_t used = sizeof(double) * (size_t)n * WIDE, rest = sizeof(double) * (size_t)(m - n) * WIDE;
    for (int64_t k = 0; k < n; k++) times(p->work[0], k, p->chirp.re[k], p->chirp.im[k], 1);
    Pair in = p->forward->work[0];
    memcpy(in.re, p->work[0].re, used);
    memcpy(in.im, p->work[0].im, used);
    memset(in.re + n * WIDE, 0, rest);
    memset(in.im + n * WIDE, 0, rest);
    run_lanes(p->forward);
    for (int64_t k = 0; k < m; k++) times(p->forward->work[0], k, p->filter.re[k], p->filter.im[k], 1);
    memcpy(p->backward->work[0].re, p->forward->work[0].re, used + rest);
    memcpy(p->backward->work[0].im, p->forward->work[0].im, used + rest);
    run_lanes(p->backward);
    memcpy(p->work[0].re, p->backward->work[0].re, used);
    memcpy(p->work[0].im, p->backward->work[0].im, used);
    for (int64_t k = 0; k < n; k++) times(p->work[0], k, p->chirp.re[k], p->chirp.im[k], 1);
}

/* The lanes in work[0], in place */
static void run_lanes(Plan *p) {
    if (p->count < 0) run_chirp(p);
    else run_steps(p);
}

/* ---- lanes in and out: element j of lane l stands at j * step + l * lane */

typedef struct { Pair at; int64_t step, lane; } View;

/* Neighbours, all of them there */
static void rows_in(Plan *p, View v) {
    for (int64_t j = 0; j < p->n; j++) {
        memcpy(p->work[0].re + j * WIDE, v.at.re + j * v.step, sizeof(double) * WIDE);
        memcpy(p->work[0].im + j * WIDE, v.at.im + j * v.step, sizeof(double) * WIDE);
    }
}

static void rows_out(const Plan *p, View v, double scale) {
    for (int64_t j = 0; j < p->n; j++)
        for (int l = 0; l < WIDE; l++) {
            v.at.re[j * v.step + l] = scale * p->work[0].re[j * WIDE + l];
            v.at.im[j * v.step + l] = scale * p->work[0].im[j * WIDE + l];
        }
}

static void lanes_in(Plan *p, View v, int lanes) {
    if (v.lane == 1 && lanes == WIDE && v.at.im) {
        rows_in(p, v);
        return;
    }
    for (int64_t j = 0; j < p->n; j++) {
        double *restrict re = p->work[0].re + j * WIDE, *restrict im = p->work[0].im + j * WIDE;
        for (int l = 0; l < lanes; l++) {
            re[l] = v.at.re[j * v.step + l * v.lane];
            im[l] = v.at.im ? v.at.im[j * v.step + l * v.lane] : 0;
        }
        for (int l = lanes; l < WIDE; l++) re[l] = im[l] = 0;
    }
}

static void lanes_out(const Plan *p, View v, int lanes, double scale) {
    if (v.lane == 1 && lanes == WIDE) {
        rows_out(p, v, scale);
        return;
    }
    for (int64_t j = 0; j < p->n; j++)
        for (int l = 0; l < lanes; l++) {
            v.at.re[j * v.step + l * v.lane] = scale * p->work[0].re[j * WIDE + l];
            v.at.im[j * v.step + l * v.lane] = scale * p->work[0].im[j * WIDE + l];
        }
}

static View moved(View v, int64_t by) {
    v.at.re += by;
    if (v.at.im) v.at.im += by;
    return v;
}

/* count transforms, whose lanes are v.lane apart in `from` and `to` */
static void transform_lanes(Plan *p, View from, View to, int64_t count, double scale) {
    for (int64_t l = 0; l < count; l += WIDE) {
        int lanes = count - l < WIDE ? (int)(count - l) : WIDE;
        lanes_in(p, moved(from, l * from.lane), lanes);
        run_lanes(p);
        lanes_out(p, moved(to, l * to.lane), lanes, scale);
    }
}

/* ---- one long transform as two shorter ones */

typedef struct { Pair low, high; } Roots; /* w^k = high[k >> bits] * low[k & mask] */

static Roots roots_new(int64_t n, int sign) {
    int64_t most = (n >> ROOTS_BITS) + 1, size = 1 << ROOTS_BITS;
    Roots r = {pair_new(size), pair_new(most)};
    for (int64_t k = 0; k < size; k++) root((double)k, (double)n, sign, &r.low.re[k], &r.low.im[k]);
    for (int64_t k = 0; k < most; k++) root((double)(k << ROOTS_BITS), (double)n, sign, &r.high.re[k], &r.high.im[k]);
    return r;
}

static inline void root_at(const Roots *r, int64_t k, double *c, double *s) {
    int64_t high = k >> ROOTS_BITS, low = k & ((1 << ROOTS_BITS) - 1);
    *c = r->high.re[high] * r->low.re[low] - r->high.im[high] * r->low.im[low];
    *s = r->high.re[high] * r->low.im[low] + r->high.im[high] * r->low.re[low];
}

/* Row k of lanes l from first, times w^(k l) */
static void twist(const Plan *p, const Roots *r, int64_t first, int lanes) {
    for (int64_t k = 0; k < p->n; k++)
        for (int l = 0; l < lanes; l++) {
            double wr, wi, *re = &p->work[0].re[k * WIDE + l], *im = &p->work[0].im[k * WIDE + l];
            root_at(r, k * (first + l), &wr, &wi);
            double x = *re * wr - *im * wi;
            *im = *re * wi + *im * wr;
            *re = x;
        }
}

/* The divisor of n next to its root, or 1 */
static int64_t near_root(int64_t n) {
    int64_t d = (int64_t)sqrt((double)n);
    while (d > 1 && n % d) d--;
    return d;
}

static void transform_long(int64_t n, int64_t rows, int sign, View from, View to, double scale) {
    int64_t columns = n / rows;
    Plan *first = plan_new(rows, sign), *second = plan_new(columns, sign);
    Roots roots = roots_new(n, sign);
    Pair between = pair_new(n);
    View in = {from.at, columns * from.step, from.step}, middle = {between, 1, rows};
    for (int64_t l = 0; l < columns; l += WIDE) {
        int lanes = columns - l < WIDE ? (int)(columns - l) : WIDE;
        lanes_in(first, moved(in, l * in.lane), lanes);
        run_lanes(first);
        twist(first, &roots, l, lanes);
        lanes_out(first, moved(middle, l * rows), lanes, 1);
    }
    transform_lanes(second, (View){between, rows, 1}, (View){to.at, rows * to.step, to.step}, rows, scale);
    pair_free(between);
    pair_free(roots.low);
    pair_free(roots.high);
    plan_free(first);
    plan_free(second);
}

static bool is_smooth(int64_t n) {
    int radix[MAX_FACTORS];
    return factorize(n, radix) >= 0;
}

/* A prime's transform as a convolution of long transforms, when there is a single one */
static void transform_chirp(int64_t n, int sign, View from, View to, double scale) {
    int64_t m = smooth_from(2 * n - 1);
    while (near_root(m) * near_root(m) * 4 < m) m = smooth_from(m + 1);
    Pair chirp = pair_new(n), x = pair_new(m), h = pair_new(m);
    memset(x.re, 0, sizeof(double) * (size_t)m), memset(x.im, 0, sizeof(double) * (size_t)m);
    memset(h.re, 0, sizeof(double) * (size_t)m), memset(h.im, 0, sizeof(double) * (size_t)m);
    for (int64_t k = 0; k < n; k++) {
        root((double)(int64_t)((__int128)k * k % (2 * n)), (double)(2 * n), sign, &chirp.re[k], &chirp.im[k]);
        double re = from.at.re[k * from.step], im = from.at.im ? from.at.im[k * from.step] : 0;
        x.re[k] = re * chirp.re[k] - im * chirp.im[k];
        x.im[k] = re * chirp.im[k] + im * chirp.re[k];
        h.re[k] = h.re[(m - k) % m] = chirp.re[k];
        h.im[k] = h.im[(m - k) % m] = -chirp.im[k];
    }
    View vx = {x, 1, 0}, vh = {h, 1, 0};
    transform_long(m, near_root(m), -1, vx, vx, 1);
    transform_long(m, near_root(m), -1, vh, vh, 1);
    for (int64_t k = 0; k < m; k++) {
        double re = x.re[k] * h.re[k] - x.im[k] * h.im[k];
        x.im[k] = x.re[k] * h.im[k] + x.im[k] * h.re[k];
        x.re[k] = re;
    }
    transform_long(m, near_root(m), 1, vx, vx, scale / (double)m);
    for (int64_t k = 0; k < n; k++) {
        to.at.re[k * to.step] = x.re[k] * chirp.re[k] - x.im[k] * chirp.im[k];
        to.at.im[k * to.step] = x.re[k] * chirp.im[k] + x.im[k] * chirp.re[k];
    }
    pair_free(chirp);
    pair_free(x);
    pair_free(h);
}

/* ---- along an axis */

/* outer blocks of n rows of inner neighbours */
static void transform(Pair from, Pair to, int64_t outer, int64_t n, int64_t inner, int sign, double scale) {
    int64_t rows = near_root(n);
    bool many = inner >= WIDE / 2 || (inner == 1 && outer >= WIDE / 2);
    bool split = !many && n >= SPLIT_FROM && is_smooth(n) && rows * 64 >= n / rows,
         chirp = !many && n >= SPLIT_FROM && !is_smooth(n);
    if (!outer || !inner || !n) return;
    Plan *p = split || chirp ? NULL : plan_new(n, sign);
    if (inner == 1 && p) transform_lanes(p, (View){from, 1, n}, (View){to, 1, n}, outer, scale);
    for (int64_t o = 0; o < outer && (inner > 1 || !p); o++) {
        View in = moved((View){from, inner, 1}, o * n * inner), out = moved((View){to, inner, 1}, o * n * inner);
        if (p) transform_lanes(p, in, out, inner, scale);
        for (int64_t i = 0; !p && i < inner; i++)
            if (split) transform_long(n, rows, sign, moved(in, i), moved(out, i), scale);
            else transform_chirp(n, sign, moved(in, i), moved(out, i), scale);
    }
    plan_free(p);
}

/* ---- stdlib: of x[outer, n, inner], along the axis in the middle; the result has the real parts, then the imaginary
 * ones */

static dsl_array *parts_new(int64_t outer, int64_t n, int64_t inner) {
    int64_t dim[AXES + 1] = {2, outer, n, inner};
    return dsl_new(dsl_current_site(), DSL_F64, AXES + 1, dim);
}

static Pair parts_of(const dsl_array *a) { return (Pair){a->data, (double *)a->data + a->count / 2}; }

dsl_array *dsl_m_fft(const dsl_array *re, const dsl_array *im, bool inverse) {
    int64_t n = re->dim[1];
    dsl_array *out = parts_new(re->dim[0], n, re->dim[2]);
    transform((Pair){re->data, im->data}, parts_of(out), re->dim[0], n, re->dim[2], inverse ? 1 : -1,
              inverse ? 1 / (double)n : 1);
    return out;
}

/* x[k] of real numbers in pairs, from z, the transform of x[2j] + i x[2j + 1]: of length h; roots: of 2 h */
static void unpack(Pair z, int64_t h, const Roots *roots, Pair out) {
    for (int64_t k = 0; k <= h; k++) {
        int64_t a = k == h ? 0 : k, b = k && k < h ? h - k : 0;
        double c, s, er = (z.re[a] + z.re[b]) / 2, ei = (z.im[a] - z.im[b]) / 2, or = (z.im[a] + z.im[b]) / 2,
                     oi = (z.re[b] - z.re[a]) / 2;
        root_at(roots, k, &c, &s);
        out.re[k] = er + or * c - oi * s;
        out.im[k] = ei + or * s + oi * c;
    }
    out.im[0] = out.im[h] = 0;
}

static Pair row_of(Pair p, int64_t at) { return (Pair){p.re + at, p.im + at}; }

/* Of rows of even length */
static void rfft_pairs(const double *x, int64_t rows, int64_t h, Pair out) {
    Pair z = pair_new(rows * h), y = pair_new(rows * h);
    Roots roots = roots_new(2 * h, -1);
    for (int64_t k = 0; k < rows * h; k++) z.re[k] = x[2 * k], z.im[k] = x[2 * k + 1];
    transform(z, y, rows, h, 1, -1, 1);
    for (int64_t r = 0; r < rows; r++) unpack(row_of(y, r * h), h, &roots, row_of(out, r * (h + 1)));
    pair_free(z);
    pair_free(y);
    pair_free(roots.low);
    pair_free(roots.high);
}

dsl_array *dsl_m_rfft(const dsl_array *x) {
    int64_t rows = x->dim[0], n = x->dim[1], m = n / 2 + 1;
    dsl_array *out = parts_new(1, rows, m);
    Pair to = parts_of(out);
    if (n % 2 == 0 && n >= 4) {
        rfft_pairs(x->data, rows, n / 2, to);
        return out;
    }
    Pair y = pair_new(rows * n);
    transform((Pair){x->data, NULL}, y, rows, n, 1, -1, 1);
    for (int64_t r = 0; r < rows; r++) {
        memcpy(to.re + r * m, y.re + r * n, sizeof(double) * (size_t)m);
        memcpy(to.im + r * m, y.im + r * n, sizeof(double) * (size_t)m);
    }
    pair_free(y);
    return out;
}

/* The half of a transform, and the other half, which is its mirror image */
static void mirror(Pair half, int64_t n, Pair full) {
    for (int64_t k = 0; k < n; k++) {
        bool mirrored = k > n / 2;
        full.re[k] = half.re[mirrored ? n - k : k];
        full.im[k] = mirrored ? -half.im[n - k] : k == 0 || 2 * k == n ? 0 : half.im[k];
    }
}

/* rows of n/2 + 1 numbers: n real ones */
dsl_array *dsl_m_irfft(const dsl_array *re, const dsl_array *im, int64_t n) {
    int64_t rows = re->dim[0], m = re->dim[1], dim[2] = {rows, n};
    dsl_array *out = dsl_new(dsl_current_site(), DSL_F64, 2, dim);
    Pair full = pair_new(rows * n), to = {out->data, memory((size_t)(rows * n))};
    for (int64_t r = 0; r < rows; r++) mirror(row_of((Pair){re->data, im->data}, r * m), n, row_of(full, r * n));
    transform(full, to, rows, n, 1, 1, 1 / (double)n);
    pair_free(full);
    free(to.im);
    return out;
}
