#include "peer.h"

enum { n = 10000000, bins = 256, reps = 5 };

static void count(int64_t *restrict h, const double *restrict x) {
#pragma omp parallel
    {
        int64_t own[bins] = {0};
#pragma omp for
        for (int64_t i = 0; i < n; i++) {
            int64_t b = (int64_t)(x[i] * bins);
            own[b < bins - 1 ? b : bins - 1]++;
        }
#pragma omp critical
        for (int b = 0; b < bins; b++) h[b] += own[b];
    }
}

int main(void) {
    double *x = doubles(n), s = 0;
    int64_t *h = memory(bins * sizeof *h);
    memset(h, 0, bins * sizeof *h);
#pragma omp parallel for
    for (int64_t i = 0; i < n; i++) x[i] = number(i);
    count(h, x);
    double start = now();
    for (int r = 0; r < reps; r++) count(h, x);
    double seconds = (now() - start) / reps;
    for (int b = 0; b < bins; b++) s += (double)(h[b] * (b % 7));
    report(s, seconds);
    free(x), free(h);
}
