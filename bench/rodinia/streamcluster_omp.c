/* In the way of the suite: each thread goes through its part of the points and keeps sums of its own for each centre;
 * barriers part the phases, which thread 0 joins. */
#include "streamcluster.h"

typedef struct Run { Point *p; bool *is_center, *moves; int *table; double *work; int64_t k; } Run;

static void pgain(Run *r, int64_t x) {
    Point *p = r->p;
    int threads = omp_get_max_threads(), stride = (int)r->k + 2;
    double *work = r->work, total = opening;
    int closing = 0;
#pragma omp parallel
    {
        int t = omp_get_thread_num();
        int64_t k1 = npoints * t / threads, k2 = npoints * (t + 1) / threads;
        double *lower = work + t * stride, mine = 0;
#pragma omp single
        {
            int count = 0;
            for (int64_t i = 0; i < npoints; i++)
                if (r->is_center[i]) r->table[i] = count++;
        }
        memset(lower, 0, stride * sizeof(double));
        memset(r->moves + k1, 0, k2 - k1);
        for (int64_t i = k1; i < k2; i++) {
            float there = distance(p[i], p[x]) * p[i].weight, here = p[i].cost;
            if (there < here) {
                r->moves[i] = true;
                mine += there - here;
            } else {
                lower[r->table[p[i].assign]] += here - there;
            }
        }
        lower[stride - 1] = mine;
#pragma omp barrier
#pragma omp single
        for (int64_t i = 0; i < npoints; i++) {
            if (!r->is_center[i]) continue;
            double low = opening;
            for (int q = 0; q < threads; q++) low += work[q * stride + r->table[i]];
            work[r->table[i]] = low;
            if (low > 0) closing++, total -= low;
        }
#pragma omp single
        for (int q = 0; q < threads; q++) total += work[q * stride + stride - 1];
        if (total < 0) {
            for (int64_t i = k1; i < k2; i++) {
                bool closes = work[r->table[p[i].assign]] > 0;
                if (r->moves[i] || closes) {
                    p[i].cost = p[i].weight * distance(p[i], p[x]);
                    p[i].assign = x;
                }
            }
#pragma omp barrier
            for (int64_t i = k1; i < k2; i++)
                if (r->is_center[i] && work[r->table[i]] > 0) r->is_center[i] = false;
#pragma omp barrier
#pragma omp single
            {
                r->is_center[x] = true;
                r->k += 1 - closing;
            }
        }
    }
}

int main(void) {
    Run r = {
        inputs(), calloc(npoints, 1), memory(npoints), memory(npoints * sizeof(int)), doubles(64 * (candidates + 3)),
        1};
    r.is_center[0] = true;
    double start = now();
    for (int64_t i = 0; i < candidates; i++)
        if (!r.is_center[try_at(i)]) pgain(&r, try_at(i));
    results(r.p, r.k, now() - start);
    free(r.p[0].coord), free(r.p), free(r.is_center), free(r.moves), free(r.table), free(r.work);
}
