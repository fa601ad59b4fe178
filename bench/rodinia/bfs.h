/* Sizes and graph of bfs */
#include "random.h"

#ifndef N
#define N 1000000
#endif
#ifndef REPS
#define REPS 5
#endif
enum { n = N, reps = REPS };

typedef struct Node { int32_t start, edges; } Node;
typedef struct Graph { Node *nodes; int32_t *edges; } Graph;

static inline Graph graph(void) {
    Graph g = {memory(n * sizeof(Node)), NULL};
    int32_t m = 0;
    for (int i = 0; i < n; i++) {
        g.nodes[i] = (Node){m, (int32_t)(mix(i) % 9 + 2)};
        m += g.nodes[i].edges;
    }
    g.edges = memory(m * sizeof(int32_t));
    for (int e = 0; e < m; e++) g.edges[e] = (int32_t)(mix(e + 7777777) % n);
    return g;
}

static inline void results(const int32_t *cost, double seconds) {
    int64_t s = 0;
    for (int64_t i = 0; i < n; i++) s += cost[i] < INT32_MAX ? cost[i] * (i % 101 + 1) : 7;
    printf("check %lld\ntime %.9g\n", (long long)s, seconds);
}
