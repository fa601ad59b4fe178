#include "peer.h"

enum { n = 10000000, reps = 10 };

static int64_t place_of_least(const double *restrict x) {
    double least = INFINITY;
    int64_t at = n;
#pragma omp parallel
    {
        double best = INFINITY;
        int64_t place = n;
#pragma omp for nowait
        for (int64_t i = 0; i < n; i++)
            if (x[i] < best) best = x[i], place = i;
#pragma omp critical
        if (best < least || (best == least && place < at)) least = best, at = place;
    }
    return at;
}

int main(void) {
    double *x = doubles(n);
#pragma omp parallel for
    for (int64_t i = 0; i < n; i++) x[i] = number(i) - (double)i * 1e-9;
    int64_t sum = place_of_least(x);
    double start = now();
    for (int r = 0; r < reps; r++) sum += place_of_least(x);
    report((double)sum, (now() - start) / reps);
    free(x);
}
