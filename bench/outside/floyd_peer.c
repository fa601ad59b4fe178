#include "peer.h"

enum { n = 700 };

static void shortest(int *restrict d, const int *restrict graph) {
    memcpy(d, graph, sizeof(int) * n * n);
    for (int k = 0; k < n; k++) {
        const int *row = d + k * n;
#pragma omp parallel for
        for (int i = 0; i < n; i++) {
            int first = d[i * n + k];
            int *at = d + i * n;
#pragma omp simd
            for (int j = 0; j < n; j++) {
                int through = first + row[j];
                at[j] = through < at[j] ? through : at[j];
            }
        }
    }
}

int main(void) {
    int *graph = memory(sizeof(int) * n * n), *d = memory(sizeof(int) * n * n);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) graph[i * n + j] = i == j ? 0 : 1 + (int)((i * 7919L + j * 104729L) % 10007);
    shortest(d, graph);
    double start = now(), s = 0;
    shortest(d, graph);
    double seconds = now() - start;
    for (int i = 0; i < n * n; i++) s += d[i];
    printf("check %.17g %d\ntime %.9g\n", s, d[n + n - 1], seconds);
    free(graph), free(d);
}
