/* Discrete Fourier transforms of any length, of arrays of f64 with the real and imaginary parts apart.
 *
 * Lengths with factors up to MAX_PRIME go by Stockham's scheme (Swarztrauber, "FFT algorithms for vector computers",
 * Parallel Computing 1984), in steps of radix 8, 4, 5, 3 and others; other lengths by a convolution of a smooth one
 * (Bluestein, "A linear filtering approach to the computation of the discrete Fourier transform", IEEE Trans. 1970).  A
 * long one is split in two of about the root of its length (Bailey, "FFTs in external or hierarchical memory", 1990).
 * Columns are transformed WIDE side by side, so that each step reads and writes neighbours; so are those of a long one.
 * The transform back is the transform of the numbers whose parts have changed places.  Even numbers of real ones are
 * pairs of half the length.
 *
 * Threads take rows, or groups of WIDE columns: what is computed of each does not depend on their number. */
#include "runtime/fft.h"
#include "runtime/gen.h"
#include "runtime/share.h"

#include <string.h>

enum { AXES = 3, WORTH = 1 << 14 };

/* Where a loop is worth more with wider registers; no fused products: the bits are the same on all machines */
#define VECTORS __attribute__((target_clones("avx512f", "avx2", "default")))

/* ---- working memory of a thread: two pairs */

typedef struct { Pair a, b; double *all; } Work;

static double *numbers(int64_t count) {
    return dsl_scratch(dsl_current_site(), DSL_F64, 1, &(int64_t){count}, false);
}

static Work work_new(int64_t n) {
    const int64_t each = (n + BESIDE + 7) / 8 * 8 + 8;
    double *all = numbers(4 * each);
    return (Work){{all, all + each}, {all + 2 * each, all + 3 * each}, all};
}

static void work_free(Work w) { dsl_scratch_free(w.all); }

static void copy(Pair to, Pair from, int64_t n) {
    memcpy(to.re, from.re, sizeof(double) * (size_t)n);
    memcpy(to.im, from.im, sizeof(double) * (size_t)n);
}

VECTORS static void scale_by(Pair x, int64_t n, double c) {
    for (int64_t i = 0; i < n && c != 1; i++) x.re[i] *= c, x.im[i] *= c;
}

/* ---- steps one after the other */

/* Of `lanes` neighbours (1 or WIDE) in each of n rows that are x_row apart.  Out: where WIDE neighbours are put,
 * out_group apart; without one they stay in a part of w.  Gives where they are.  x may be w->b, or out. */
static Pair run_steps(const Plan *p, int64_t lanes, Pair x, int64_t x_row, Pair out, int64_t out_group, const Work *w) {
    int64_t s = lanes;
    for (int i = 0; i < p->count; i++) {
        const bool last = out.re && i == p->count - 1;
        const int64_t r = p->factor[i].radix;
        const Step t = {.x = x,
                        .y = last ? out : i % 2 ? w->b : w->a,
                        .s = s,
                        .x_row = x_row,
                        .y_row = last ? s / WIDE * out_group + s % WIDE : s,
                        .y_group = last ? out_group : WIDE,
                        .factor = &p->factor[i]};
        fft_step(&t);
        x = t.y;
        s *= r;
        x_row = s;
    }
    return x;
}

/* ---- columns: WIDE of them side by side */

/* count <= WIDE columns, neighbours in rows that are row apart */
static void columns_in(Pair to, Pair x, int64_t n, int64_t row, int64_t count) {
    for (int64_t j = 0; j < n; j++)
        for (int64_t l = 0; l < WIDE; l++) {
            to.re[j * WIDE + l] = l < count ? x.re[j * row + l] : 0;
            to.im[j * WIDE + l] = l < count ? x.im[j * row + l] : 0;
        }
}

static void columns_out(Pair to, int64_t row, Pair x, int64_t n, int64_t count) {
    for (int64_t j = 0; j < n; j++)
        for (int64_t l = 0; l < count; l++) {
            to.re[j * row + l] = x.re[j * WIDE + l];
            to.im[j * row + l] = x.im[j * WIDE + l];
        }
}

/* The same of rows that lie one after the other, n apart */
static void rows_in(Pair to, Pair x, int64_t n, int64_t count) {
    for (int64_t j = 0; j < n; j++)
        for (int64_t l = 0; l < WIDE; l++) {
            to.re[j * WIDE + l] = l < count ? x.re[l * n + j] : 0;
            to.im[j * WIDE + l] = l < count ? x.im[l * n + j] : 0;
        }
}

static void rows_out(Pair to, Pair x, int64_t n, int64_t count) {
    for (int64_t l = 0; l < count; l++)
        for (int64_t j = 0; j < n; j++) {
            to.re[l * n + j] = x.re[j * WIDE + l];
            to.im[l * n + j] = x.im[j * WIDE + l];
        }
}

/* A plan of steps; count <= WIDE columns.  Gives where they are: in w */
static Pair columns_within(const Plan *p, Pair x, int64_t x_row, int64_t count, const Work *w) {
    const bool whole = count == WIDE;
    if (!whole) columns_in(w->b, x, p->n, x_row, count);
    return run_steps(p, WIDE, whole ? x : w->b, whole ? x_row : WIDE, (Pair){0}, WIDE, w);
}

static void run_columns(const Plan *p, Pair x, int64_t x_row, Pair y, int64_t y_row, int64_t count, const Work *w) {
    if (count == WIDE && p->count > 1) run_steps(p, WIDE, x, x_row, y, y_row, w);
    else columns_out(y, y_row, columns_within(p, x, x_row, count, w), p->n, count);
}

/* ---- a long transform in two */

typedef struct { const Plan *p; Pair x, between, y; } Split;

/* Row k of columns from first on, times w^(k column), to between as rows of columns */
VECTORS static void twist_out(const Split *s, Pair z, int64_t first, int64_t count) {
    const int64_t rows = s->p->first->n;
    for (int64_t k = 0; k < rows; k += WIDE) {
        const int64_t most = rows - k < WIDE ? rows - k : WIDE;
        double re[WIDE][WIDE], im[WIDE][WIDE];
        for (int64_t i = 0; i < most; i++) {
            const double *br = s->p->beside.re + (k + i) * WIDE, *bi = s->p->beside.im + (k + i) * WIDE;
            const double *zr = z.re + (k + i) * WIDE, *zi = z.im + (k + i) * WIDE;
            double c, d;
            root_at(&s->p->roots, (k + i) * first, &c, &d);
            for (int l = 0; l < WIDE; l++) {
                const double wr = c * br[l] - d * bi[l], wi = c * bi[l] + d * br[l];
                re[l][i] = zr[l] * wr - zi[l] * wi;
                im[l][i] = zr[l] * wi + zi[l] * wr;
            }
        }
        for (int64_t l = 0; l < count; l++)
            for (int64_t i = 0; i < most; i++) {
                s->between.re[(first + l) * rows + k + i] = re[l][i];
                s->between.im[(first + l) * rows + k + i] = im[l][i];
            }
    }
}

static void split_first(int64_t lo, int64_t hi, void *env) {
    const Split *s = env;
    const Plan *p = s->p->first;
    const int64_t columns = s->p->second->n;
    const Work w = work_new(p->n * WIDE);
    for (int64_t g = lo; g < hi; g++) {
        const int64_t at = g * WIDE, count = columns - at < WIDE ? columns - at : WIDE;
        twist_out(s, columns_within(p, pair_at(s->x, at), columns, count, &w), at, count);
    }
    work_free(w);
}

static void split_second(int64_t lo, int64_t hi, void *env) {
    const Split *s = env;
    const Plan *p = s->p->second;
    const int64_t rows = s->p->first->n;
    const Work w = work_new(p->n * WIDE);
    for (int64_t g = lo; g < hi; g++) {
        const int64_t at = g * WIDE, count = rows - at < WIDE ? rows - at : WIDE;
        run_columns(p, pair_at(s->between, at), rows, pair_at(s->y, at), rows, count, &w);
    }
    work_free(w);
}

static int64_t groups(int64_t n) { return (n + WIDE - 1) / WIDE; }

static void run_split(const Plan *p, Pair x, Pair y) {
    const Work w = work_new((p->n + 1) / 2); /* one pair of all */
    Split s = {p, x, {w.all, w.all + p->n}, y};
    dsl_share_loop(split_first, &s, groups(p->second->n), 0, true);
    dsl_share_loop(split_second, &s, groups(p->first->n), 0, true);
    work_free(w);
}

/* ---- one transform, of neighbours */

/* It takes threads itself */
static bool has_threads(const Plan *p) {
    return p->kind == FFT_SPLIT || (p->kind == FFT_CHIRP && p->first->kind == FFT_SPLIT);
}

/* What run_one needs */
static int64_t work_size(const Plan *p) {
    if (p->kind == FFT_CHIRP) return work_size(p->first);
    return p->kind == FFT_STEPS ? p->n * (p->lanes_only ? WIDE : 1) : 0;
}

VECTORS static void multiply(Pair x, Pair y, Pair out, int64_t n) {
    for (int64_t k = 0; k < n; k++) {
        const double re = x.re[k] * y.re[k] - x.im[k] * y.im[k];
        out.im[k] = x.re[k] * y.im[k] + x.im[k] * y.re[k];
        out.re[k] = re;
    }
}

static void run_one(const Plan *p, Pair x, Pair y, const Work *w);

/* jk = (j^2 + k^2 - (j - k)^2) / 2 */
static void run_chirp(const Plan *p, Pair x, Pair y, const Work *w) {
    const int64_t n = p->n, m = p->first->n;
    const Work own = work_new((m + 1) / 2);
    const Pair z = {own.all, own.all + m};
    multiply(x, p->chirp, z, n);
    memset(z.re + n, 0, sizeof(double) * (size_t)(m - n));
    memset(z.im + n, 0, sizeof(double) * (size_t)(m - n));
    run_one(p->first, z, z, w);
    multiply(z, p->filter, z, m);
    run_one(p->first, pair_swapped(z), pair_swapped(z), w);
    multiply(z, p->chirp, y, n);
    work_free(own);
}

/* x may be y */
static void run_one(const Plan *p, Pair x, Pair y, const Work *w) {
    if (p->kind == FFT_SPLIT) run_split(p, x, y);
    else if (p->kind == FFT_CHIRP) run_chirp(p, x, y, w);
    else if (p->lanes_only) run_columns(p, x, 1, y, 1, 1, w);
    else run_steps(p, 1, x, 1, y, WIDE, w);
}

void fft_in_place(const Plan *p, Pair x) {
    const Work w = work_new(work_size(p));
    run_one(p, x, x, &w);
    work_free(w);
}

/* ---- many: blocks of n rows of `inner` neighbours */

typedef struct { const Plan *p; Pair x, y; int64_t inner; double scale; } Many;

/* Rows of neighbours: inner is 1 */
static void many_rows(int64_t lo, int64_t hi, void *env) {
    const Many *t = env;
    const int64_t n = t->p->n;
    const Work w = work_new(work_size(t->p));
    for (int64_t o = lo; o < hi; o++) {
        const Pair y = pair_at(t->y, o * n);
        run_one(t->p, pair_at(t->x, o * n), y, &w);
        scale_by(y, n, t->scale);
    }
    work_free(w);
}

/* Short ones side by side; inner: how many there are */
static void many_short(int64_t lo, int64_t hi, void *env) {
    const Many *t = env;
    const int64_t n = t->p->n;
    const Work w = work_new(n * WIDE);
    for (int64_t g = lo; g < hi; g++) {
        const int64_t at = g * WIDE, count = t->inner - at < WIDE ? t->inner - at : WIDE;
        const Pair y = pair_at(t->y, at * n);
        rows_in(w.b, pair_at(t->x, at * n), n, count);
        rows_out(y, run_steps(t->p, WIDE, w.b, WIDE, (Pair){0}, WIDE, &w), n, count);
        scale_by(y, n * count, t->scale);
    }
    work_free(w);
}

/* Up to WIDE columns of a plan without steps for columns, one after the other; rows: room for them */
static void run_each(const Plan *p, Pair x, Pair y, int64_t inner, int64_t count, const Work *rows, const Work *w) {
    const int64_t n = p->n;
    const Pair a = rows->a, b = rows->b;
    for (int64_t j = 0; j < n; j++)
        for (int64_t c = 0; c < count; c++) {
            a.re[c * n + j] = x.re[j * inner + c];
            a.im[c * n + j] = x.im[j * inner + c];
        }
    for (int64_t c = 0; c < count; c++) run_one(p, pair_at(a, c * n), pair_at(b, c * n), w);
    for (int64_t j = 0; j < n; j++)
        for (int64_t c = 0; c < count; c++) {
            y.re[j * inner + c] = b.re[c * n + j];
            y.im[j * inner + c] = b.im[c * n + j];
        }
}

/* Columns, in groups of WIDE; lo and hi count the groups of all blocks */
static void many_columns(int64_t lo, int64_t hi, void *env) {
    const Many *t = env;
    const int64_t n = t->p->n, inner = t->inner, each = groups(inner);
    const bool steps = t->p->kind == FFT_STEPS;
    const Work w = work_new(steps ? n * WIDE : work_size(t->p)), rows = work_new(steps ? 0 : n * WIDE);
    for (int64_t g = lo; g < hi; g++) {
        const int64_t l = g % each * WIDE, at = g / each * n * inner + l, count = inner - l < WIDE ? inner - l : WIDE;
        const Pair x = pair_at(t->x, at), y = pair_at(t->y, at);
        if (steps) run_columns(t->p, x, inner, y, inner, count, &w);
        else run_each(t->p, x, y, inner, count, &rows, &w);
        for (int64_t j = 0; j < n && t->scale != 1; j++) scale_by(pair_at(y, j * inner), count, t->scale);
    }
    work_free(rows);
    work_free(w);
}

static void transform(Pair x, Pair y, int64_t outer, int64_t n, int64_t inner, double scale) {
    if (!outer || !inner || !n) return;
    const Plan *p = fft_plan(n, false);
    const bool worth = outer * inner * n >= WORTH && !has_threads(p);
    const bool side = inner == 1 && outer > 1 && p->kind == FFT_STEPS && p->lanes_only;
    Many t = {p, x, y, side ? outer : inner, scale};
    if (side) dsl_share_loop(many_short, &t, groups(outer), 0, worth);
    else if (inner == 1) dsl_share_loop(many_rows, &t, outer, 0, worth);
    else dsl_share_loop(many_columns, &t, outer * groups(inner), 0, worth);
    fft_plan_done(p);
}

/* ---- stdlib: of x[outer, n, inner], along the axis in the middle; the result has the real parts, then the imaginary
 * ones */

static dsl_array *parts_new(int64_t outer, int64_t n, int64_t inner) {
    int64_t dim[AXES + 1] = {2, outer, n, inner};
    return dsl_new(dsl_current_site(), DSL_F64, AXES + 1, dim);
}

static Pair parts_of(const dsl_array *a) { return (Pair){a->data, (double *)a->data + a->count / 2}; }

dsl_array *dsl_m_fft(const dsl_array *re, const dsl_array *im, bool inverse) {
    const int64_t n = re->dim[1];
    dsl_array *out = parts_new(re->dim[0], n, re->dim[2]);
    Pair x = {re->data, im->data}, y = parts_of(out);
    if (inverse) x = pair_swapped(x), y = pair_swapped(y);
    transform(x, y, re->dim[0], n, re->dim[2], inverse ? 1 / (double)n : 1);
    return out;
}

/* ---- of real numbers, rows of even length n = 2 h: z is the transform of x[2j] + i x[2j + 1] */

typedef struct { const Plan *p; const double *x; double *real; Pair half; } Real;

/* Elements k from first on of a piece of less than 1 << ROOTS_BITS, and those at h - k; roots: sign, high times low */
typedef struct { double sign, high_re, high_im; const double *low_re, *low_im; int64_t count; } Piece;

/* z becomes e + w o, of what stands in even and in odd places; with the conjugate of -w, for sign -1, that becomes z */
VECTORS static void convert_piece(Piece t, const double *restrict re, const double *restrict im,
                                  const double *restrict back_re, const double *restrict back_im,
                                  double *restrict to_re, double *restrict to_im, double *restrict to_back_re,
                                  double *restrict to_back_im) {
    for (int64_t i = 0; i < t.count; i++) {
        const double c = t.sign * (t.high_re * t.low_re[i] - t.high_im * t.low_im[i]);
        const double s = t.high_re * t.low_im[i] + t.high_im * t.low_re[i];
        const double er = (re[i] + back_re[-i]) * 0.5, ei = (im[i] - back_im[-i]) * 0.5;
        const double or = (im[i] + back_im[-i]) * 0.5, oi = (back_re[-i] - re[i]) * 0.5;
        const double tr = or * c - oi * s, ti = or * s + oi * c;
        to_re[i] = er + tr, to_im[i] = ei + ti;
        to_back_re[-i] = er - tr, to_back_im[-i] = ti - ei;
    }
}

/* All pairs k, h - k that differ; what stands in the middle becomes its conjugate */
static void pieces(const Plan *p, Pair x, int64_t h, Pair out, double sign) {
    const int64_t size = 1 << ROOTS_BITS, end = (h + 1) / 2;
    for (int64_t k = 1; k < end; k = (k / size + 1) * size) {
        const int64_t low = k % size, most = size - low, high = k / size;
        const Piece t = {sign, p->roots.high.re[high], p->roots.high.im[high], p->roots.low.re + low,
                         p->roots.low.im + low, end - k < most ? end - k : most};
        convert_piece(t, x.re + k, x.im + k, x.re + h - k, x.im + h - k, out.re + k, out.im + k, out.re + h - k,
                      out.im + h - k);
    }
    if (h % 2 == 0) out.re[h / 2] = x.re[h / 2], out.im[h / 2] = -x.im[h / 2];
}

/* The h + 1 numbers of the half, of z */
static void unpack(const Plan *p, Pair z, int64_t h, Pair out) {
    pieces(p, z, h, out, 1);
    out.re[0] = z.re[0] + z.im[0], out.re[h] = z.re[0] - z.im[0];
    out.im[0] = out.im[h] = 0;
}

static void pack(const Plan *p, Pair x, int64_t h, Pair z) {
    pieces(p, x, h, z, -1);
    z.re[0] = (x.re[0] + x.re[h]) * 0.5, z.im[0] = (x.re[0] - x.re[h]) * 0.5;
}

VECTORS static void even_and_odd(const double *restrict x, double *restrict even, double *restrict odd, int64_t h) {
    for (int64_t k = 0; k < h; k++) even[k] = x[2 * k], odd[k] = x[2 * k + 1];
}

VECTORS static void interleave(const double *restrict even, const double *restrict odd, double *restrict x, int64_t h,
                               double scale) {
    for (int64_t k = 0; k < h; k++) x[2 * k] = scale * even[k], x[2 * k + 1] = scale * odd[k];
}

static void real_rows(int64_t lo, int64_t hi, void *env) {
    const Real *t = env;
    const int64_t h = t->p->n / 2;
    const Work w = work_new(work_size(t->p->first)), own = work_new(h);
    for (int64_t r = lo; r < hi; r++) {
        const double *x = t->x + r * 2 * h;
        even_and_odd(x, own.a.re, own.a.im, h);
        run_one(t->p->first, own.a, own.b, &w);
        unpack(t->p, own.b, h, pair_at(t->half, r * (h + 1)));
    }
    work_free(own);
    work_free(w);
}

static void real_rows_back(int64_t lo, int64_t hi, void *env) {
    const Real *t = env;
    const int64_t h = t->p->n / 2;
    const double scale = 1 / (double)h;
    const Work w = work_new(work_size(t->p->first)), own = work_new(h);
    for (int64_t r = lo; r < hi; r++) {
        double *x = t->real + r * 2 * h;
        pack(t->p, pair_at(t->half, r * (h + 1)), h, own.a);
        run_one(t->p->first, pair_swapped(own.a), pair_swapped(own.b), &w);
        interleave(own.b.re, own.b.im, x, h, scale);
    }
    work_free(own);
    work_free(w);
}

static bool by_halves(int64_t n) { return n % 2 == 0 && n >= 4; }

static void transform_real(int64_t n, Real t, int64_t rows, dsl_body *body) {
    t.p = fft_plan(n, true);
    dsl_share_loop(body, &t, rows, 0, rows * n >= WORTH && !has_threads(t.p->first));
    fft_plan_done(t.p);
}

dsl_array *dsl_m_rfft(const dsl_array *x) {
    const int64_t rows = x->dim[0], n = x->dim[1], m = n / 2 + 1;
    dsl_array *out = parts_new(1, rows, m);
    const Pair to = parts_of(out);
    if (by_halves(n)) {
        transform_real(n, (Real){.x = x->data, .half = to}, rows, real_rows);
        return out;
    }
    const Work w = work_new(rows * n);
    memcpy(w.a.re, x->data, sizeof(double) * (size_t)(rows * n));
    memset(w.a.im, 0, sizeof(double) * (size_t)(rows * n));
    transform(w.a, w.b, rows, n, 1, 1);
    for (int64_t r = 0; r < rows; r++) copy(pair_at(to, r * m), pair_at(w.b, r * n), m);
    work_free(w);
    return out;
}

/* The half of a transform, and the other half, which is its mirror image */
static void mirror(Pair half, int64_t n, Pair full) {
    for (int64_t k = 0; k < n; k++) {
        const bool mirrored = k > n / 2;
        full.re[k] = half.re[mirrored ? n - k : k];
        full.im[k] = mirrored ? -half.im[n - k] : k == 0 || 2 * k == n ? 0 : half.im[k];
    }
}

/* rows of n/2 + 1 numbers: n real ones */
dsl_array *dsl_m_irfft(const dsl_array *re, const dsl_array *im, int64_t n) {
    const int64_t rows = re->dim[0], m = re->dim[1], dim[2] = {rows, n};
    const Pair half = {re->data, im->data};
    dsl_array *out = dsl_new(dsl_current_site(), DSL_F64, 2, dim);
    if (by_halves(n)) {
        transform_real(n, (Real){.real = out->data, .half = half}, rows, real_rows_back);
        return out;
    }
    const Work w = work_new(rows * n);
    for (int64_t r = 0; r < rows; r++) mirror(pair_at(half, r * m), n, pair_at(w.a, r * n));
    transform(pair_swapped(w.a), pair_swapped(w.b), rows, n, 1, 1 / (double)n);
    memcpy(out->data, w.b.re, sizeof(double) * (size_t)out->count);
    work_free(w);
    return out;
}
