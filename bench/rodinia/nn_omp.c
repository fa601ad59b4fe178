/* In the way of the suite, which reads records in windows: here one window with all.  The distances in a parallel loop,
 * then each record beside the farthest of the nearest so far. */
#include "nn.h"

static void pick(const Place *p, float *z, int *order, float *found) {
    for (int k = 0; k < nearest; k++) found[k] = 1e30f;
#pragma omp parallel for
    for (int i = 0; i < n; i++) z[i] = sqrtf((p[i].lat - 30) * (p[i].lat - 30) + (p[i].lng - 90) * (p[i].lng - 90));
    for (int i = 0; i < n; i++) {
        float far = -1;
        int at = 0;
        for (int k = 0; k < nearest; k++)
            if (found[k] > far) {
                far = found[k];
                at = k;
            }
        if (z[i] < found[at]) {
            found[at] = z[i];
            order[at] = i;
        }
    }
}

int main(void) {
    Place *p = inputs();
    float *z = floats(n), found[nearest];
    int order[nearest];
    pick(p, z, order, found);
    double start = now();
    pick(p, z, order, found);
    results(order, found, now() - start);
    free(p), free(z);
}
