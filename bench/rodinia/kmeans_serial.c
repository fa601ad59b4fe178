/* TOLERANCE: 1e-6 (f32 centres from f64 sums whose order differs between versions: equal but for the last bit; a point
 * on the border of two clusters could change sides, and moves the second result by less) */
#include "kmeans.h"

static int nearest(const float *point, const float *clusters) {
    float least = 3.4e38f;
    int index = -1;
    for (int c = 0; c < nclusters; c++) {
        float dist = 0;
        for (int j = 0; j < nfeatures; j++) {
            float d = point[j] - clusters[c * nfeatures + j];
            dist += d * d;
        }
        if (dist < least) least = dist, index = c;
    }
    return index;
}

int main(void) {
    float *x = inputs();
    float *clusters = floats(nclusters * nfeatures);
    double *sums = doubles(nclusters * nfeatures);
    int64_t sizes[nclusters];
    int32_t *membership = memory(npoints * sizeof(int32_t));
    double start = now();
    for (int i = 0; i < npoints; i++) membership[i] = -1;
    memcpy(clusters, x, sizeof(float) * nclusters * nfeatures);
    for (int r = 0; r < rounds; r++) {
        int64_t changed = 0;
        memset(sums, 0, sizeof(double) * nclusters * nfeatures);
        memset(sizes, 0, sizeof sizes);
        for (int i = 0; i < npoints; i++) {
            int c = nearest(x + i * nfeatures, clusters);
            changed += membership[i] != c;
            membership[i] = c;
            sizes[c]++;
            for (int j = 0; j < nfeatures; j++) sums[c * nfeatures + j] += x[i * nfeatures + j];
        }
        if (changed == 0) break;
        for (int c = 0; c < nclusters; c++)
            for (int j = 0; j < nfeatures; j++)
                if (sizes[c] > 0) clusters[c * nfeatures + j] = (float)(sums[c * nfeatures + j] / (double)sizes[c]);
    }
    results(clusters, membership, now() - start);
    free(x), free(clusters), free(sums), free(membership);
}
