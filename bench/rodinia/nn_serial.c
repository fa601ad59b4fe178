/* TOLERANCE: 1e-12 (the same f32 distances, their sum in another order) */
#include "nn.h"

int main(void) {
    Place *p = inputs();
    float *d = floats(n), found[nearest];
    int order[nearest];
    double start = now();
    for (int i = 0; i < n; i++) d[i] = sqrtf((30 - p[i].lat) * (30 - p[i].lat) + (90 - p[i].lng) * (90 - p[i].lng));
    for (int k = 0; k < nearest; k++) {
        int best = 0;
        for (int i = 1; i < n; i++)
            if (d[i] < d[best]) best = i;
        order[k] = best;
        found[k] = d[best];
        d[best] = 1e30f;
    }
    results(order, found, now() - start);
    free(p), free(d);
}
