/* A cuFFT that is none, for tests beside fake_cuda.c and fake_cublas.c: as libcufft.so.12.  Transforms by their sums.
 *   FAKE_CUFFT_FAIL=plan, exec   these fail
 *   FAKE_CUDA_LOG=FILE           a line for each plan and transform */
#include <complex.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define AWAY ((uint64_t)0x5a << 56) /* as in fake_cuda.c */
enum { MOST = 64, WHOLE = 0x69, FROM_REAL = 0x6a, TO_REAL = 0x6c };

typedef double complex Number;
static struct { int n, in, out, in_apart, out_apart, stride, type, batch; } plans[MOST];
static int nplans;

static void *here(uint64_t device) { return (void *)(uintptr_t)(device ^ AWAY); }

static int fails(const char *what) {
    const char *said = getenv("FAKE_CUFFT_FAIL");
    return said && !strcmp(said, what);
}

static void note(const char *what, int plan) {
    const char *path = getenv("FAKE_CUDA_LOG");
    FILE *f = path ? fopen(path, "a") : NULL;
    if (!f) return;
    fprintf(f, "%s %x %d stride %d batch %d\n", what, plans[plan].type, plans[plan].n, plans[plan].stride,
            plans[plan].batch);
    fclose(f);
}

int cufftPlanMany(int *plan, int rank, int *n, int *in, int in_stride, int in_apart, int *out, int out_stride,
                  int out_apart, int type, int batch) {
    if (fails("plan") || rank != 1 || in_stride != out_stride || nplans == MOST) return 5;
    *plan = nplans;
    plans[nplans].n = n[0], plans[nplans].in = in[0], plans[nplans].out = out[0];
    plans[nplans].in_apart = in_apart, plans[nplans].out_apart = out_apart;
    plans[nplans].stride = in_stride, plans[nplans].type = type, plans[nplans].batch = batch;
    note("plan", nplans++);
    return 0;
}
int cufftDestroy(int plan) { return note("destroy", plan), 0; }

/* Element j of x's transform, of n numbers that lie `stride` apart */
static Number sum(const Number *x, int n, int stride, int j, int sign) {
    Number s = 0;
    for (int k = 0; k < n; k++) s += x[(long)k * stride] * cexp(sign * 2 * M_PI * I * (double)((long)j * k % n) / n);
    return s;
}

static int run(int plan, int type) {
    if (fails("exec") || plans[plan].type != type) return 6;
    note("exec", plan);
    return 0;
}

int cufftExecZ2Z(int plan, uint64_t in, uint64_t out, int direction) {
    int n = plans[plan].n, stride = plans[plan].stride, failed = run(plan, WHOLE);
    Number *row = malloc(sizeof *row * (size_t)n);
    for (int b = 0; b < plans[plan].batch && !failed; b++) {
        const Number *x = (const Number *)here(in) + (long)b * plans[plan].in_apart;
        Number *y = (Number *)here(out) + (long)b * plans[plan].out_apart;
        for (int j = 0; j < n; j++) row[j] = sum(x, n, stride, j, direction);
        for (int j = 0; j < n; j++) y[(long)j * stride] = row[j];
    }
    free(row);
    return failed;
}

int cufftExecD2Z(int plan, uint64_t in, uint64_t out) {
    int n = plans[plan].n, failed = run(plan, FROM_REAL);
    Number *row = malloc(sizeof *row * (size_t)n);
    for (int b = 0; b < plans[plan].batch && !failed; b++) {
        for (int j = 0; j < n; j++) row[j] = ((const double *)here(in))[(long)b * plans[plan].in_apart + j];
        for (int j = 0; j < n / 2 + 1; j++)
            ((Number *)here(out))[(long)b * plans[plan].out_apart + j] = sum(row, n, 1, j, -1);
    }
    free(row);
    return failed;
}

int cufftExecZ2D(int plan, uint64_t in, uint64_t out) {
    int n = plans[plan].n, failed = run(plan, TO_REAL);
    Number *row = malloc(sizeof *row * (size_t)n);
    for (int b = 0; b < plans[plan].batch && !failed; b++) {
        Number *x = (Number *)here(in) + (long)b * plans[plan].in_apart;
        for (int j = 0; j < n; j++) row[j] = j < n / 2 + 1 ? x[j] : conj(x[n - j]);
        for (int j = 0; j < n; j++)
            ((double *)here(out))[(long)b * plans[plan].out_apart + j] = creal(sum(row, n, 1, j, 1));
        for (int j = 0; j < n / 2 + 1; j++) x[j] = NAN; /* it may be written over */
    }
    free(row);
    return failed;
}
