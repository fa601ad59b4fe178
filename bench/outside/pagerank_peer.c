#include "peer.h"

enum { n = 200000, degree = 8, m = n * degree, iterations = 10 };
static const double damping = 0.85;

static void pagerank(double *restrict rank, double *restrict share, const int *restrict start,
                     const int *restrict source, const int *restrict links) {
#pragma omp parallel for
    for (int v = 0; v < n; v++) rank[v] = 1.0 / n;
    for (int t = 0; t < iterations; t++) {
#pragma omp parallel for
        for (int v = 0; v < n; v++) share[v] = rank[v] / links[v];
#pragma omp parallel for
        for (int v = 0; v < n; v++) {
            double s = 0;
            for (int e = start[v]; e < start[v + 1]; e++) s += share[source[e]];
            rank[v] = (1 - damping) / n + damping * s;
        }
    }
}

int main(void) {
    int *start = memory(sizeof(int) * (n + 1)), *source = memory(sizeof(int) * m), *links = memory(sizeof(int) * n);
    double *rank = doubles(n), *share = doubles(n), most = 0;
    for (int64_t e = 0; e < m; e++) source[e] = (int)((e * 7919 + e / 3 * 104729) % n);
    for (int v = 0; v <= n; v++) start[v] = v == n ? m : v * degree - v % 5;
    for (int v = 0; v < n; v++) links[v] = 0;
    for (int e = 0; e < m; e++) links[source[e]]++;
    for (int v = 0; v < n; v++) links[v] = links[v] > 1 ? links[v] : 1;
    pagerank(rank, share, start, source, links);
    double begin = now();
    pagerank(rank, share, start, source, links);
    double seconds = now() - begin;
    for (int v = 0; v < n; v++) most = rank[v] > most ? rank[v] : most;
    printf("check %.17g %.17g\ntime %.9g\n", total(rank, n), most, seconds);
    free(start), free(source), free(links), free(rank), free(share);
}
