#include "peer.h"

enum { n = 160, reps = 20, layer = n * n };

static void step(double *restrict next, const double *restrict u) {
#pragma omp parallel for collapse(2)
    for (int64_t z = 1; z < n - 1; z++)
        for (int64_t y = 1; y < n - 1; y++) {
            const double *row = u + z * layer + y * n;
            double *to = next + z * layer + y * n;
#pragma omp simd
            for (int64_t x = 1; x < n - 1; x++) {
                const double *p = row + x;
                to[x] = 0.4 * p[0] + 0.1 * (p[-layer] + p[layer] + p[-n] + p[n] + p[-1] + p[1]);
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
    double *u = doubles(n * layer), *next = doubles(n * layer);
#pragma omp parallel for
    for (int64_t i = 0; i < n * layer; i++) u[i] = next[i] = number(i);
    run(u, next, 2);
    double start = now();
    double *end = run(u, next, reps);
    double seconds = (now() - start) / reps;
    report(total(end, n * layer), seconds);
    free(u), free(next);
}
