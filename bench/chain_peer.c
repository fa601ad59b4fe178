#include "peer.h"

enum { n = 10000000, reps = 10 };

static void chain(double *restrict x) {
#pragma omp parallel for simd
    for (int64_t i = 0; i < n; i++) x[i] = sqrt(fabs(x[i] * 1.5 - 2.0)) + 0.25;
}

int main(void) {
    double *x = doubles(n);
#pragma omp parallel for
    for (int64_t i = 0; i < n; i++) x[i] = number(i);
    chain(x);
    double start = now();
    for (int r = 0; r < reps; r++) chain(x);
    double seconds = (now() - start) / reps;
    report(total(x, n), seconds);
    free(x);
}
