/* With care: bytes for nodes seen and for the frontier, which is passed over eight nodes at a time where it is empty */
#include "bfs.h"

typedef struct Masks { uint8_t *frontier, *found, *seen; } Masks;

static inline uint64_t eight(const uint8_t *p) {
    uint64_t w;
    memcpy(&w, p, sizeof w);
    return w;
}

static void expand(Graph g, Masks m, int tid) {
    Node node = g.nodes[tid];
    m.frontier[tid] = 0;
    for (int e = node.start; e < node.start + node.edges; e++) {
        int id = g.edges[e];
        if (!m.seen[id]) __atomic_store_n(&m.found[id], 1, __ATOMIC_RELAXED);
    }
}

static void bfs(Graph g, int source, int32_t *cost, Masks m) {
#pragma omp parallel for simd schedule(static)
    for (int i = 0; i < n; i++) cost[i] = INT32_MAX, m.frontier[i] = m.found[i] = m.seen[i] = 0;
    m.frontier[source] = m.seen[source] = 1;
    cost[source] = 0;
    int more = 1;
    for (int32_t level = 1; more; level++) {
        more = 0;
#pragma omp parallel
        {
#pragma omp for schedule(static)
            for (int i = 0; i < n; i += 8) {
                if (i + 8 <= n && !eight(m.frontier + i)) continue;
                for (int tid = i; tid < i + 8 && tid < n; tid++)
                    if (m.frontier[tid]) expand(g, m, tid);
            }
#pragma omp for schedule(static) reduction(| : more)
            for (int i = 0; i < n; i += 8) {
                if (i + 8 <= n && !eight(m.found + i)) continue;
                for (int tid = i; tid < i + 8 && tid < n; tid++) {
                    if (!m.found[tid]) continue;
                    m.found[tid] = 0;
                    m.frontier[tid] = m.seen[tid] = 1;
                    cost[tid] = level;
                    more = 1;
                }
            }
        }
    }
}

int main(void) {
    Graph g = graph();
    int32_t *cost = memory(n * sizeof(int32_t));
    Masks m = {memory(n), memory(n), memory(n)};
    bfs(g, 0, cost, m);
    double start = now();
    for (int r = 0; r < reps; r++) bfs(g, r * 17, cost, m);
    results(cost, (now() - start) / reps);
    free(g.nodes), free(g.edges), free(cost), free(m.frontier), free(m.found), free(m.seen);
}
