/* Fourier transforms on a GPU by cuFFT, which is loaded when the first of them comes that is worth it; where it is not
 * installed, or does not take one, arrays come home and runtime/fft.c does it.  DSL_CUFFT=no leaves it out.
 *
 * cuFFT has the two parts of a number beside each other, the language one array behind the other: cuBLAS, which comes
 * with it, copies them to every second place and back, and divides the inverse by the length.  NVIDIA, cuFFT API
 * Reference, advanced data layout. */
#include "runtime/gpu.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { WORTH = 1 << 16, PLANS = 8, WHOLE = 0x69, FROM_REAL = 0x6a, TO_REAL = 0x6c, FORWARD = -1, INVERSE = 1 };

dsl_array *dsl_m_fft(const dsl_array *re, const dsl_array *im, bool inverse);
dsl_array *dsl_m_rfft(const dsl_array *x);
dsl_array *dsl_m_irfft(const dsl_array *re, const dsl_array *im, int64_t n);

typedef struct { int type, n, stride, batch, handle; int64_t used; } Plan;

static struct {
    bool looked, there;
    int (*plan_many)(int *plan, int rank, int *n, int *in, int in_stride, int in_apart, int *out, int out_stride,
                     int out_apart, int type, int batch);
    int (*destroy)(int plan);
    int (*whole)(int plan, uint64_t in, uint64_t out, int direction);
    int (*from_real)(int plan, uint64_t in, uint64_t out);
    int (*to_real)(int plan, uint64_t in, uint64_t out);
    Plan plans[PLANS];
    int nplans;
    int64_t clock;
} fft;

static void look(void) {
    static const char *const names[] = {"libcufft.so.12", "libcufft.so.11", "libcufft.so.10", "libcufft.so"};
    const char *said = getenv("DSL_CUFFT");
    void *library = NULL;
    if (fft.looked) return;
    fft.looked = true;
    for (size_t i = 0; i < sizeof names / sizeof *names && !library && !(said && !strcmp(said, "no")); i++)
        library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    if (!library) return;
    *(void **)&fft.plan_many = dlsym(library, "cufftPlanMany");
    *(void **)&fft.destroy = dlsym(library, "cufftDestroy");
    *(void **)&fft.whole = dlsym(library, "cufftExecZ2Z");
    *(void **)&fft.from_real = dlsym(library, "cufftExecD2Z");
    *(void **)&fft.to_real = dlsym(library, "cufftExecZ2D");
    fft.there = fft.plan_many && fft.destroy && fft.whole && fft.from_real && fft.to_real;
}

/* Whether it is to be done there: outer transforms of n numbers, of `inner` that lie between each other */
static bool fits(int64_t outer, int64_t n, int64_t inner) {
    int64_t row, all;
    if (n < 2 || outer < 1 || inner < 1 || __builtin_mul_overflow(n, inner, &row)) return false;
    if (__builtin_mul_overflow(row, outer, &all) || all < WORTH || all > INT_MAX / 2) return false;
    dsl_gpu_ready(dsl_current_site());
    look();
    return fft.there;
}

/* ---- plans: how numbers lie, which are kept */

static Plan *find_plan(int type, int n, int stride, int batch) {
    for (int i = 0; i < fft.nplans; i++) {
        Plan *p = &fft.plans[i];
        if (p->type == type && p->n == n && p->stride == stride && p->batch == batch) return p;
    }
    return NULL;
}

/* Room for another one */
static Plan *oldest_plan(void) {
    if (fft.nplans < PLANS) return &fft.plans[fft.nplans];
    Plan *p = fft.plans;
    for (int i = 1; i < PLANS; i++)
        if (fft.plans[i].used < p->used) p = &fft.plans[i];
    fft.destroy(p->handle);
    *p = fft.plans[--fft.nplans];
    return &fft.plans[fft.nplans];
}

/* batch transforms of n numbers: stride 1: one behind the other; else so many between each other.  NULL: cuFFT does not
 * take it. */
static const Plan *plan_for(int type, int64_t n, int64_t stride, int64_t batch) {
    int length = (int)n, half = length / 2 + 1, in = type == TO_REAL ? half : length,
        out = type == FROM_REAL ? half : length;
    Plan *p = find_plan(type, length, (int)stride, (int)batch);
    if (!p) {
        p = oldest_plan();
        *p = (Plan){.type = type, .n = length, .stride = (int)stride, .batch = (int)batch};
        if (fft.plan_many(&p->handle, 1, &length, &in, p->stride, stride > 1 ? 1 : in, &out, p->stride,
                          stride > 1 ? 1 : out, type, p->batch))
            return NULL;
        fft.nplans++;
    }
    p->used = ++fft.clock;
    return p;
}

/* ---- numbers of two parts, beside each other */

static bool pack(uint64_t re, uint64_t im, uint64_t pairs, int64_t n) {
    return dsl_gpu_copy(n, re, 1, pairs, 2) && dsl_gpu_copy(n, im, 1, pairs + 8, 2);
}

static bool unpack(uint64_t pairs, uint64_t re, uint64_t im, int64_t n) {
    return dsl_gpu_copy(n, pairs, 2, re, 1) && dsl_gpu_copy(n, pairs + 8, 2, im, 1);
}

static uint64_t read_there(const dsl_array *a) { return dsl_gpu_address(NULL, a->data, false); }
static uint64_t write_there(const dsl_array *a) { return dsl_gpu_address(NULL, a->data, true); }

/* The result, or, where cuFFT failed, nothing */
static dsl_array *given(dsl_array *out, bool done) {
    if (!done) dsl_release(out);
    return done ? out : NULL;
}

static dsl_array *parts_new(int64_t outer, int64_t n, int64_t inner) {
    int64_t dim[4] = {2, outer, n, inner};
    dsl_array *a = dsl_new(dsl_current_site(), DSL_F64, 4, dim);
    dsl_gpu_fresh(a);
    return a;
}

/* ---- the transforms */

static bool run_whole(uint64_t pairs, const dsl_array *like, bool inverse) {
    int64_t outer = like->dim[0], n = like->dim[1], inner = like->dim[2];
    bool rows = inner == 1;
    const Plan *p = plan_for(WHOLE, n, rows ? 1 : inner, rows ? outer : inner);
    bool done = p != NULL;
    for (int64_t i = 0; done && i < (rows ? 1 : outer); i++) {
        uint64_t at = pairs + 16 * (uint64_t)(i * n * inner);
        done = !fft.whole(p->handle, at, at, inverse ? INVERSE : FORWARD);
    }
    return done;
}

static dsl_array *whole(const dsl_array *re, const dsl_array *im, bool inverse) {
    int64_t n = re->count;
    dsl_array *out = parts_new(re->dim[0], re->dim[1], re->dim[2]);
    uint64_t x = read_there(re), y = read_there(im), to = write_there(out), pairs = dsl_gpu_take(16 * (size_t)n);
    dsl_gpu_settle();
    bool done = pack(x, y, pairs, n) && run_whole(pairs, re, inverse) && unpack(pairs, to, to + 8 * (uint64_t)n, n) &&
                (!inverse || dsl_gpu_scale(2 * n, 1 / (double)re->dim[1], to));
    dsl_gpu_give(pairs, 16 * (size_t)n);
    return given(out, done);
}

static dsl_array *from_real(const dsl_array *x) {
    int64_t rows = x->dim[0], n = x->dim[1], half = rows * (n / 2 + 1);
    const Plan *p = plan_for(FROM_REAL, n, 1, rows);
    if (!p) return NULL;
    dsl_array *out = parts_new(1, rows, n / 2 + 1);
    uint64_t from = read_there(x), to = write_there(out), pairs = dsl_gpu_take(16 * (size_t)half);
    dsl_gpu_settle();
    bool done = !fft.from_real(p->handle, from, pairs) && unpack(pairs, to, to + 8 * (uint64_t)half, half);
    dsl_gpu_give(pairs, 16 * (size_t)half);
    return given(out, done);
}

static dsl_array *to_real(const dsl_array *re, const dsl_array *im, int64_t n) {
    int64_t rows = re->dim[0], half = re->count, dim[2] = {rows, n};
    const Plan *p = plan_for(TO_REAL, n, 1, rows);
    if (!p) return NULL;
    dsl_array *out = dsl_new(dsl_current_site(), DSL_F64, 2, dim);
    dsl_gpu_fresh(out);
    uint64_t x = read_there(re), y = read_there(im), to = write_there(out), pairs = dsl_gpu_take(16 * (size_t)half);
    dsl_gpu_settle();
    bool done = pack(x, y, pairs, half) && !fft.to_real(p->handle, pairs, to) &&
                dsl_gpu_scale(out->count, 1 / (double)n, to);
    dsl_gpu_give(pairs, 16 * (size_t)half);
    return given(out, done);
}

dsl_array *dsl_gpu_m_fft(const dsl_array *re, const dsl_array *im, bool inverse) {
    dsl_array *out = fits(re->dim[0], re->dim[1], re->dim[2]) ? whole(re, im, inverse) : NULL;
    if (out) return out;
    dsl_gpu_home(re, false), dsl_gpu_home(im, false);
    return dsl_m_fft(re, im, inverse);
}

dsl_array *dsl_gpu_m_rfft(const dsl_array *x) {
    dsl_array *out = fits(x->dim[0], x->dim[1], 1) ? from_real(x) : NULL;
    if (out) return out;
    dsl_gpu_home(x, false);
    return dsl_m_rfft(x);
}

dsl_array *dsl_gpu_m_irfft(const dsl_array *re, const dsl_array *im, int64_t n) {
    dsl_array *out = fits(re->dim[0], n, 1) ? to_real(re, im, n) : NULL;
    if (out) return out;
    dsl_gpu_home(re, false), dsl_gpu_home(im, false);
    return dsl_m_irfft(re, im, n);
}
