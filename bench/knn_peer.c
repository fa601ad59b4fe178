#include "peer.h"

enum { n = 1000000, d = 8, queries = 10 };

static int64_t nearest(const double (*restrict x)[d], const double *restrict q) {
    double least = INFINITY;
    int64_t at = n;
#pragma omp parallel
    {
        double best = INFINITY;
        int64_t place = n;
#pragma omp for nowait
        for (int64_t i = 0; i < n; i++) {
            double s = 0;
            for (int k = 0; k < d; k++) s += (x[i][k] - q[k]) * (x[i][k] - q[k]);
            if (s < best) best = s, place = i;
        }
#pragma omp critical
        if (best < least || (best == least && place < at)) least = best, at = place;
    }
    return at;
}

int main(void) {
    double (*x)[d] = memory(sizeof(double[n][d])), q[queries][d];
#pragma omp parallel for
    for (int64_t i = 0; i < n; i++)
        for (int k = 0; k < d; k++) x[i][k] = number(i * 8 + k);
    for (int64_t i = 0; i < queries; i++)
        for (int k = 0; k < d; k++) q[i][k] = (double)((i * 8 + k) * 104729 % 1009) / 1009.0;
    int64_t sum = nearest(x, q[0]);
    sum = 0;
    double start = now();
    for (int r = 0; r < queries; r++) sum += nearest(x, q[r]);
    report((double)sum, (now() - start) / queries);
    free(x);
}
