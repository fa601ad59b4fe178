#include "peer.h"

enum { n = 10000000, reps = 20 };

static void step(double *restrict s, const double *restrict x, double a) {
#pragma omp parallel for simd
    for (int64_t i = 0; i < n; i++) {
        double y = a * x[i];
        s[i] += y * y + 1.0;
    }
}

int main(void) {
    double *x = doubles(n), *s = doubles(n);
#pragma omp parallel for
    for (int64_t i = 0; i < n; i++) x[i] = number(i), s[i] = 0;
    step(s, x, 1.0);
    double start = now();
    for (int r = 0; r < reps; r++) step(s, x, 0.1 * r);
    double seconds = (now() - start) / reps;
    report(total(s, n), seconds);
    free(x), free(s);
}
