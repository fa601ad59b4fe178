/* Sizes and points of kmeans */
#include "random.h"

#ifndef NPOINTS
#define NPOINTS 204800
#endif
#ifndef NFEATURES
#define NFEATURES 34
#endif
#ifndef NCLUSTERS
#define NCLUSTERS 5
#endif
#ifndef ROUNDS
#define ROUNDS 10
#endif
enum { npoints = NPOINTS, nfeatures = NFEATURES, nclusters = NCLUSTERS, rounds = ROUNDS };

static inline float *inputs(void) {
    float *x = floats(npoints * nfeatures);
    for (int64_t i = 0; i < npoints; i++)
        for (int64_t j = 0; j < nfeatures; j++)
            x[i * nfeatures + j] = unit(mix(i * nfeatures + j)) * 4 + unit(mix(i)) * (float)(j % 7);
    return x;
}

static inline void results(const float *clusters, const int32_t *membership, double seconds) {
    double s = 0;
    int64_t m = 0;
    for (int i = 0; i < nclusters * nfeatures; i++) s += (double)clusters[i] * (i + 1);
    for (int64_t i = 0; i < npoints; i++) m += membership[i] * (i % 1009);
    printf("check %.17g %lld\ntime %.9g\n", s, (long long)m, seconds);
}
