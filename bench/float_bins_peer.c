#include "peer.h"

#ifndef BINS
#define BINS 64
#endif
enum { n = 10000000, bins = BINS, reps = 5 };

static inline int64_t bin(double x) {
    int64_t b = (int64_t)(x * bins);
    return b < bins - 1 ? b : bins - 1;
}

static void in_order(double *restrict h, const double *restrict x, const double *restrict w) {
    for (int64_t i = 0; i < n; i++) h[bin(x[i])] += w[i];
}

static void with_atomics(double *restrict h, const double *restrict x, const double *restrict w) {
#pragma omp parallel for
    for (int64_t i = 0; i < n; i++) {
#pragma omp atomic
        h[bin(x[i])] += w[i];
    }
}

static void add(double *restrict h, const double *restrict x, const double *restrict w) {
    if (omp_get_max_threads() == 1) in_order(h, x, w);
    else with_atomics(h, x, w);
}

int main(void) {
    double *x = doubles(n), *w = doubles(n), *h = doubles(bins), s = 0;
    memset(h, 0, bins * sizeof *h);
#pragma omp parallel for
    for (int64_t i = 0; i < n; i++) x[i] = mixed(i) / 4294967296.0, w[i] = mixed(i + n) / 4294967296.0;
    add(h, x, w);
    double start = now();
    for (int r = 0; r < reps; r++) add(h, x, w);
    double seconds = (now() - start) / reps;
    for (int b = 0; b < bins; b++) s += h[b] * (b % 7);
    report(s, seconds);
    free(x), free(w), free(h);
}
