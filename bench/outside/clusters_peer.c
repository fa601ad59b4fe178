#include "peer.h"

enum { n = 100000, d = 8, k = 16, rounds = 5 };

static void round_of(double centres[k][d], const double (*restrict points)[d]) {
    double sums[k][d] = {{0}};
    long count[k] = {0};
#pragma omp parallel for reduction(+ : sums, count)
    for (int i = 0; i < n; i++) {
        int best = 0;
        double least = INFINITY;
        for (int c = 0; c < k; c++) {
            double s = 0;
            for (int a = 0; a < d; a++) s += (points[i][a] - centres[c][a]) * (points[i][a] - centres[c][a]);
            if (s < least) least = s, best = c;
        }
        count[best]++;
        for (int a = 0; a < d; a++) sums[best][a] += points[i][a];
    }
    for (int c = 0; c < k; c++)
        for (int a = 0; a < d; a++) centres[c][a] = sums[c][a] / (double)(count[c] ? count[c] : 1);
}

static void clusters(double centres[k][d], const double (*restrict points)[d]) {
    memcpy(centres, points, sizeof(double) * k * d);
    for (int t = 0; t < rounds; t++) round_of(centres, points);
}

int main(void) {
    double(*points)[d] = memory(sizeof(double) * n * d), centres[k][d], s = 0, sq = 0;
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int a = 0; a < d; a++) points[i][a] = (double)((int64_t)(i * d + a) * (i * d + a) % 1000003) / 1000003;
    clusters(centres, points);
    double start = now();
    clusters(centres, points);
    double seconds = now() - start;
    for (int c = 0; c < k; c++)
        for (int a = 0; a < d; a++) s += centres[c][a], sq += centres[c][a] * centres[c][a];
    printf("check %.17g %.17g\ntime %.9g\n", s, sq, seconds);
    free(points);
}
