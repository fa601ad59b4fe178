#include "peer.h"

#ifndef N
#define N 10000000
#endif
enum { n = N, reps = 20 };

/* As written: in order, which strict floats may not change */
static double in_order(const double *restrict x) {
    double s = 0;
    for (int64_t j = 0; j < n; j++) s += x[j];
    return s;
}

static void normalise(double *restrict y, const double *restrict x) {
    double s = in_order(x);
#pragma omp parallel for simd
    for (int64_t i = 0; i < n; i++) y[i] = x[i] / s;
}

int main(void) {
    double *x = doubles(n), *y = doubles(n);
#pragma omp parallel for
    for (int64_t i = 0; i < n; i++) x[i] = number(i), y[i] = 0;
    normalise(y, x);
    double start = now();
    for (int r = 0; r < reps; r++) {
        x[r] = 1e-6 * y[r];
        normalise(y, x);
    }
    double seconds = (now() - start) / reps;
    report(total(y, n), seconds);
    free(x), free(y);
}
