/* With care: the frontier is a list; a thread collects what it finds and adds it to the next list at once */
#include "bfs.h"

enum { some = 1024 };

static void flush(int32_t *next, int *count, const int32_t *found, int n_found) {
    int at;
#pragma omp atomic capture
    {
        at = *count;
        *count += n_found;
    }
    memcpy(next + at, found, n_found * sizeof *found);
}

static void bfs(Graph g, int source, int32_t *cost, int32_t *frontier, int32_t *next) {
#pragma omp parallel for simd
    for (int i = 0; i < n; i++) cost[i] = INT32_MAX;
    cost[source] = 0;
    frontier[0] = source;
    int count = 1;
    for (int32_t level = 1; count; level++) {
        int more = 0;
#pragma omp parallel if (count > 500)
        {
            int32_t found[some];
            int n_found = 0;
#pragma omp for schedule(static)
            for (int i = 0; i < count; i++) {
                Node node = g.nodes[frontier[i]];
                for (int e = node.start; e < node.start + node.edges; e++) {
                    int id = g.edges[e];
                    int32_t unseen = INT32_MAX;
                    if (__atomic_load_n(&cost[id], __ATOMIC_RELAXED) != unseen) continue;
                    if (!__atomic_compare_exchange_n(&cost[id], &unseen, level, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) continue;
                    found[n_found++] = id;
                    if (n_found == some) flush(next, &more, found, n_found), n_found = 0;
                }
            }
            flush(next, &more, found, n_found);
        }
        int32_t *old = frontier;
        frontier = next;
        next = old;
        count = more;
    }
}

int main(void) {
    Graph g = graph();
    int32_t *cost = memory(n * sizeof(int32_t)), *frontier = memory(n * sizeof(int32_t)), *next = memory(n * sizeof(int32_t));
    bfs(g, 0, cost, frontier, next);
    double start = now();
    for (int r = 0; r < reps; r++) bfs(g, r * 17, cost, frontier, next);
    results(cost, (now() - start) / reps);
    free(g.nodes), free(g.edges), free(cost), free(frontier), free(next);
}
