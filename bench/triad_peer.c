#include "peer.h"

enum { n = 10000000, reps = 10 };

static void triad(double *restrict a, const double *restrict b, const double *restrict c, double s) {
#pragma omp parallel for simd
    for (int64_t i = 0; i < n; i++) a[i] = b[i] + s * c[i];
}

int main(void) {
    double *a = doubles(n), *b = doubles(n), *c = doubles(n);
#pragma omp parallel for
    for (int64_t i = 0; i < n; i++) b[i] = number(i), c[i] = 1 - number(i);
    triad(a, b, c, 2);
    double start = now();
    for (int r = 0; r < reps; r++) triad(a, b, c, 3.0 + r);
    double seconds = (now() - start) / reps;
    report(total(a, n), seconds);
    free(a), free(b), free(c);
}
