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

/* Element j of the transform of a row of n numbers */
static Number sum(const Number *row, int n, int j, int sign) {
    Number s = 0;
    for (int k = 0; k < n; k++) s += row[k] * cexp(sign * 2 * M_PI * I * (double)((long)j * k % n) / n);
    return s;
}

static Number *numbers(uint64_t device, int first) { return (Number *)here(device) + first; }
static double *reals(uint64_t device, int first) { return (double *)here(device) + first; }

/* The n numbers of a transform, of which those of real results have only the first half, which may be written over */
static void take_row(int type, int n, int stride, uint64_t in, int first, Number *row) {
    for (int j = 0; j < n; j++) {
        if (type == FROM_REAL) row[j] = reals(in, first)[j];
        else if (type == TO_REAL && j > n / 2) row[j] = conj(numbers(in, first)[n - j]);
        else row[j] = numbers(in, first)[(long)j * stride];
    }
    for (int j = 0; type == TO_REAL && j < n / 2 + 1; j++) numbers(in, first)[j] = NAN;
}

static int run(int plan, int type, uint64_t in, uint64_t out, int sign) {
    if (fails("exec") || plans[plan].type != type) return 6;
    note("exec", plan);
    int n = plans[plan].n, stride = plans[plan].stride, results = type == FROM_REAL ? n / 2 + 1 : n;
    Number *row = malloc(sizeof *row * (size_t)n);
    for (int b = 0; b < plans[plan].batch; b++) {
        int to = b * plans[plan].out_apart;
        take_row(type, n, stride, in, b * plans[plan].in_apart, row);
        for (int j = 0; j < results; j++) {
            Number s = sum(row, n, j, sign);
            if (type == TO_REAL) reals(out, to)[j] = creal(s);
            else numbers(out, to)[(long)j * stride] = s;
        }
    }
    free(row);
    return 0;
}

int cufftExecZ2Z(int plan, uint64_t in, uint64_t out, int direction) { return run(plan, WHOLE, in, out, direction); }
int cufftExecD2Z(int plan, uint64_t in, uint64_t out) { return run(plan, FROM_REAL, in, out, -1); }
int cufftExecZ2D(int plan, uint64_t in, uint64_t out) { return run(plan, TO_REAL, in, out, 1); }
