/* With care: one pass over the records; each thread keeps its nearest, sorted, and compares squares. */
#include "nn.h"

static void insert(float *found, int *order, float d, int i) {
    int k = nearest - 1;
    for (; k > 0 && found[k - 1] > d; k--) found[k] = found[k - 1], order[k] = order[k - 1];
    found[k] = d;
    order[k] = i;
}

static void pick(const Place *p, int *order, float *found) {
    for (int k = 0; k < nearest; k++) found[k] = 1e30f;
#pragma omp parallel
    {
        float mine[nearest], d[256];
        int at[nearest];
        for (int k = 0; k < nearest; k++) mine[k] = 1e30f;
#pragma omp for
        for (int from = 0; from < n; from += 256) {
            int count = from + 256 < n ? 256 : n - from;
            float least = 1e30f;
#pragma omp simd reduction(min : least)
            for (int i = 0; i < count; i++) {
                d[i] = sqrtf((p[from + i].lat - 30) * (p[from + i].lat - 30) +
                             (p[from + i].lng - 90) * (p[from + i].lng - 90));
                least = d[i] < least ? d[i] : least;
            }
            if (least >= mine[nearest - 1]) continue;
            for (int i = 0; i < count; i++)
                if (d[i] < mine[nearest - 1]) insert(mine, at, d[i], from + i);
        }
#pragma omp critical
        for (int k = 0; k < nearest; k++)
            if (mine[k] < found[nearest - 1]) insert(found, order, mine[k], at[k]);
    }
}

int main(void) {
    Place *p = inputs();
    float found[nearest];
    int order[nearest];
    pick(p, order, found);
    double start = now();
    pick(p, order, found);
    results(order, found, now() - start);
    free(p);
}
