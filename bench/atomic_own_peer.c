#include "peer.h"

enum { n = 10000000, reps = 20 };

static void axpy(double *restrict y, const double *restrict x, double a) {
#pragma omp parallel for simd
    for (int64_t i = 0; i < n; i++) y[i] += a * x[i];
}

int main(void) {
    double *x = doubles(n), *y = doubles(n);
#pragma omp parallel for
    for (int64_t i = 0; i < n; i++) x[i] = number(i), y[i] = 0;
    axpy(y, x, 1.0);
    double start = now();
    for (int r = 0; r < reps; r++) axpy(y, x, 0.1 * r);
    double seconds = (now() - start) / reps;
    report(total(y, n), seconds);
    free(x), free(y);
}
