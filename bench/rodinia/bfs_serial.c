/* A queue of nodes.  TOLERANCE: 0 (ints) */
#include "bfs.h"

static void bfs(Graph g, int source, int32_t *cost, int32_t *queue) {
    for (int i = 0; i < n; i++) cost[i] = INT32_MAX;
    int head = 0, tail = 0;
    cost[source] = 0;
    queue[tail++] = source;
    while (head < tail) {
        int node = queue[head++];
        for (int e = 0; e < g.nodes[node].edges; e++) {
            int id = g.edges[g.nodes[node].start + e];
            if (cost[id] < INT32_MAX) continue;
            cost[id] = cost[node] + 1;
            queue[tail++] = id;
        }
    }
}

int main(void) {
    Graph g = graph();
    int32_t *cost = memory(n * sizeof(int32_t)), *queue = memory(n * sizeof(int32_t));
    double start = now();
    for (int r = 0; r < reps; r++) bfs(g, r * 17, cost, queue);
    results(cost, (now() - start) / reps);
    free(g.nodes), free(g.edges), free(cost), free(queue);
}
