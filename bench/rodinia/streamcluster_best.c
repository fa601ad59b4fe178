/* With care: distances with simd over the dimensions, coordinates of a point in one place; one parallel region a
 * candidate with sums of each thread's own, of a cache line at least. */
#include "streamcluster.h"

typedef struct Run { Point *p; bool *is_center, *moves; int *table; double *work; int64_t k; } Run;

static inline float apart(const float *restrict a, const float *restrict b) {
    float s = 0;
#pragma omp simd reduction(+ : s)
    for (int i = 0; i < ndims; i++) s += (a[i] - b[i]) * (a[i] - b[i]);
    return s;
}

static void pgain(Run *r, int64_t x) {
    Point *p = r->p;
    int stride = ((int)r->k + 2 + 7) / 8 * 8, threads = 1, closing = 0, count = 0;
    double total = opening;
    for (int64_t i = 0; i < npoints; i++)
        if (r->is_center[i]) r->table[i] = count++;
#pragma omp parallel
    {
        double *lower = r->work + omp_get_thread_num() * stride, mine = 0;
        memset(lower, 0, stride * sizeof(double));
#pragma omp single nowait
        threads = omp_get_num_threads();
#pragma omp for schedule(static)
        for (int64_t i = 0; i < npoints; i++) {
            float there = apart(p[i].coord, p[x].coord) * p[i].weight, here = p[i].cost;
            r->moves[i] = there < here;
            if (there < here) mine += there - here;
            else lower[r->table[p[i].assign]] += here - there;
        }
        lower[stride - 1] = mine;
    }
    for (int c = 0; c < count; c++) {
        double low = opening;
        for (int q = 0; q < threads; q++) low += r->work[q * stride + c];
        r->work[c] = low;
        if (low > 0) closing++, total -= low;
    }
    for (int q = 0; q < threads; q++) total += r->work[q * stride + stride - 1];
    if (total >= 0) return;
#pragma omp parallel for schedule(static)
    for (int64_t i = 0; i < npoints; i++) {
        if (!r->moves[i] && r->work[r->table[p[i].assign]] <= 0) continue;
        p[i].cost = p[i].weight * apart(p[i].coord, p[x].coord);
        p[i].assign = x;
    }
    for (int64_t i = 0; i < npoints; i++)
        if (r->is_center[i] && r->work[r->table[i]] > 0) r->is_center[i] = false;
    r->is_center[x] = true;
    r->k += 1 - closing;
}

int main(void) {
    Run r = {
        inputs(), calloc(npoints, 1), memory(npoints), memory(npoints * sizeof(int)), doubles(64 * (candidates + 16)),
        1};
    r.is_center[0] = true;
    double start = now();
    for (int64_t i = 0; i < candidates; i++)
        if (!r.is_center[try_at(i)]) pgain(&r, try_at(i));
    results(r.p, r.k, now() - start);
    free(r.p[0].coord), free(r.p), free(r.is_center), free(r.moves), free(r.table), free(r.work);
}
