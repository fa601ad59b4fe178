#include "peer.h"

enum { v = 5000, d = 64, m = 20000, reps = 10 };

/* In order, so that the sums do not depend on the threads */
static void gradient(double *restrict g, const double *restrict w, const int64_t *restrict ids) {
#pragma omp parallel for
    for (int64_t i = 0; i < v * d; i++) g[i] = 0;
    for (int64_t i = 0; i < m; i++) {
#pragma omp simd
        for (int64_t k = 0; k < d; k++) g[ids[i] * d + k] += w[ids[i] * d + k];
    }
}

int main(void) {
    double *w = doubles(v * d), *g = doubles(v * d);
    int64_t *ids = memory(m * sizeof *ids);
    for (int64_t i = 0; i < v * d; i++) w[i] = number(i), g[i] = 0;
    for (int64_t i = 0; i < m; i++) ids[i] = i * 7919 % v;
    gradient(g, w, ids);
    double start = now();
    for (int r = 0; r < reps; r++) {
        for (int64_t i = 0; i < v * d; i++) w[i] -= 1e-6 * g[i];
        gradient(g, w, ids);
    }
    double seconds = (now() - start) / reps;
    report(total(g, v * d), seconds);
    free(w), free(g), free(ids);
}
