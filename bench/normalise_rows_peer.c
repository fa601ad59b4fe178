#include "peer.h"

enum { n = 2000, m = 3000, reps = 20 };

static void normalise(double *restrict y, const double *restrict x) {
#pragma omp parallel for
    for (int64_t i = 0; i < n; i++) {
        double s = 0;
#pragma omp simd reduction(+ : s)
        for (int64_t j = 0; j < m; j++) s += x[i * m + j];
        for (int64_t j = 0; j < m; j++) y[i * m + j] = x[i * m + j] / s;
    }
}

int main(void) {
    double *x = doubles(n * m), *y = doubles(n * m);
#pragma omp parallel for
    for (int64_t i = 0; i < n * m; i++) x[i] = number(i), y[i] = 0;
    normalise(y, x);
    double start = now();
    for (int r = 0; r < reps; r++) {
        x[r * m + r] = 1e-6 * y[r * m + r];
        normalise(y, x);
    }
    double seconds = (now() - start) / reps;
    report(total(y, n * m), seconds);
    free(x), free(y);
}
