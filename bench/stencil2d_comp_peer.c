#include "peer.h"

enum { n = 2000, reps = 20 };

static void step(double *restrict next, const double *restrict u) {
#pragma omp parallel for
    for (int64_t i = 1; i < n - 1; i++) {
#pragma omp simd
        for (int64_t j = 1; j < n - 1; j++) {
            const double *p = u + i * n + j;
            next[i * n + j] = p[0] + 0.2 * (p[-n] + p[n] + p[-1] + p[1] - 4 * p[0]);
        }
    }
}

static double *run(double *u, double *next, int steps) {
    for (int t = 0; t < steps; t++) {
        step(next, u);
        double *old = u;
        u = next;
        next = old;
    }
    return u;
}

int main(void) {
    double *u = doubles(n * n), *next = doubles(n * n);
#pragma omp parallel for
    for (int64_t i = 0; i < n * n; i++) u[i] = next[i] = number(i);
    run(u, next, 2);
    double start = now();
    double *end = run(u, next, reps);
    double seconds = (now() - start) / reps;
    report(total(end, n * n), seconds);
    free(u), free(next);
}
