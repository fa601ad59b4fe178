/* In the way of the suite: masks instead of a queue, two loops over all nodes for each level.  Several threads may
 * store the same cost in one place. */
#include "bfs.h"

typedef struct Masks { bool *frontier, *updating, *visited; } Masks;

static void bfs(Graph g, int source, int32_t *cost, Masks m) {
    for (int i = 0; i < n; i++) {
        cost[i] = INT32_MAX;
        m.frontier[i] = m.updating[i] = m.visited[i] = false;
    }
    m.frontier[source] = m.visited[source] = true;
    cost[source] = 0;
    bool more;
    do {
        more = false;
#pragma omp parallel for
        for (int tid = 0; tid < n; tid++) {
            if (!m.frontier[tid]) continue;
            m.frontier[tid] = false;
            for (int e = g.nodes[tid].start; e < g.nodes[tid].start + g.nodes[tid].edges; e++) {
                int id = g.edges[e];
                if (!m.visited[id]) {
                    cost[id] = cost[tid] + 1;
                    m.updating[id] = true;
                }
            }
        }
#pragma omp parallel for
        for (int tid = 0; tid < n; tid++) {
            if (!m.updating[tid]) continue;
            m.frontier[tid] = true;
            m.visited[tid] = true;
            more = true;
            m.updating[tid] = false;
        }
    } while (more);
}

int main(void) {
    Graph g = graph();
    int32_t *cost = memory(n * sizeof(int32_t));
    Masks m = {memory(n), memory(n), memory(n)};
    bfs(g, 0, cost, m);
    double start = now();
    for (int r = 0; r < reps; r++) bfs(g, r * 17, cost, m);
    results(cost, (now() - start) / reps);
    free(g.nodes), free(g.edges), free(cost), free(m.frontier), free(m.updating), free(m.visited);
}
