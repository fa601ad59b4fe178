/* TOLERANCE: 1e-6 (f32 distances, summed in another order when vectorised; the sums of costs that decide are f64) */
#include "streamcluster.h"

int main(void) {
    Point *p = inputs();
    bool *is_center = calloc(npoints, 1), *moves = memory(npoints);
    double *saved = doubles(npoints); /* at each centre: what closing it saves */
    is_center[0] = true;
    int64_t k = 1;
    double start = now();
    for (int64_t r = 0; r < candidates; r++) {
        int64_t x = try_at(r);
        if (is_center[x]) continue;
        double cost = opening;
        memset(saved, 0, sizeof(double) * npoints);
        for (int64_t i = 0; i < npoints; i++) {
            float there = distance(p[i], p[x]) * p[i].weight;
            moves[i] = there < p[i].cost;
            if (moves[i]) cost += there - p[i].cost;
            else saved[p[i].assign] += p[i].cost - there;
        }
        for (int64_t i = 0; i < npoints; i++)
            if (is_center[i] && saved[i] + opening > 0) cost -= saved[i] + opening;
        if (cost >= 0) continue;
        for (int64_t i = 0; i < npoints; i++) {
            if (!moves[i] && !(saved[p[i].assign] + opening > 0)) continue;
            p[i].cost = distance(p[i], p[x]) * p[i].weight;
            p[i].assign = x;
        }
        for (int64_t i = 0; i < npoints; i++)
            if (is_center[i] && saved[i] + opening > 0) is_center[i] = false, k--;
        is_center[x] = true;
        k++;
    }
    results(p, k, now() - start);
    free(p[0].coord), free(p), free(is_center), free(moves), free(saved);
}
