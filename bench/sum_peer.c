#include "peer.h"

enum { n = 10000000, reps = 20 };

static double sum(const double *restrict x) {
    double s = 0;
#pragma omp parallel for simd reduction(+ : s)
    for (int64_t i = 0; i < n; i++) s += x[i];
    return s;
}

int main(void) {
    double *x = doubles(n);
#pragma omp parallel for
    for (int64_t i = 0; i < n; i++) x[i] = number(i);
    double s = sum(x);
    double start = now();
    for (int r = 0; r < reps; r++) {
        x[r] = 1e-6 * s;
        s = sum(x);
    }
    report(s, (now() - start) / reps);
    free(x);
}
