#include "peer.h"

enum { n = 10000000, reps = 10 };

static void in_order(double *restrict y, const double *restrict x, double a, double b, double c) {
    for (int64_t i = 1; i < n - 1; i++) {
        y[i - 1] += a * x[i];
        y[i] += b * x[i];
        y[i + 1] += c * x[i];
    }
}

static void with_atomics(double *restrict y, const double *restrict x, double a, double b, double c) {
#pragma omp parallel for
    for (int64_t i = 1; i < n - 1; i++) {
#pragma omp atomic
        y[i - 1] += a * x[i];
#pragma omp atomic
        y[i] += b * x[i];
#pragma omp atomic
        y[i + 1] += c * x[i];
    }
}

static void spread(double *restrict y, const double *restrict x) {
    if (omp_get_max_threads() == 1) in_order(y, x, 0.25, 0.5, 0.125);
    else with_atomics(y, x, 0.25, 0.5, 0.125);
}

int main(void) {
    double *x = doubles(n), *y = doubles(n), s = 0;
#pragma omp parallel for
    for (int64_t i = 0; i < n; i++) x[i] = number(i), y[i] = 0;
    spread(y, x);
    double start = now();
    for (int r = 0; r < reps; r++) spread(y, x);
    double seconds = (now() - start) / reps;
    for (int64_t i = 0; i < n; i++) s += y[i] * (double)(i % 7);
    report(s, seconds);
    free(x), free(y);
}
