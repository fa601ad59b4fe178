/* With care: eight points side by side as vector lanes, copied so that a feature of all eight is one vector; one
 * parallel region a round, with sums of each thread's own */
#include "kmeans.h"

enum { lanes = 8 };

typedef struct Sums { double of[nclusters][nfeatures]; int64_t size[nclusters], changed; } Sums;

static void nearest(const float *restrict x, int count, const float (*restrict clusters)[nfeatures], int32_t *index) {
    float t[nfeatures][lanes], least[lanes];
    for (int l = 0; l < lanes; l++)
        for (int j = 0; j < nfeatures; j++) t[j][l] = x[(l < count ? l : 0) * nfeatures + j];
    for (int l = 0; l < lanes; l++) least[l] = 3.4e38f, index[l] = -1;
    for (int c = 0; c < nclusters; c++) {
        float s[lanes] = {0};
        for (int j = 0; j < nfeatures; j++)
#pragma omp simd
            for (int l = 0; l < lanes; l++) s[l] += (t[j][l] - clusters[c][j]) * (t[j][l] - clusters[c][j]);
#pragma omp simd
        for (int l = 0; l < lanes; l++) {
            index[l] = s[l] < least[l] ? c : index[l];
            least[l] = s[l] < least[l] ? s[l] : least[l];
        }
    }
}

static void kmeans(const float *x, float (*clusters)[nfeatures], int32_t *membership) {
    Sums *all = memory(sizeof(Sums) * omp_get_max_threads());
    for (int i = 0; i < npoints; i++) membership[i] = -1;
    for (int c = 0; c < nclusters; c++) memcpy(clusters[c], x + c * nfeatures, sizeof clusters[c]);
    for (int r = 0; r < rounds; r++) {
        int threads = 1;
#pragma omp parallel
        {
            Sums *own = all + omp_get_thread_num();
            memset(own, 0, sizeof *own);
#pragma omp single nowait
            threads = omp_get_num_threads();
#pragma omp for schedule(static)
            for (int i = 0; i < npoints; i += lanes) {
                int32_t index[lanes];
                int count = npoints - i < lanes ? npoints - i : lanes;
                nearest(x + (int64_t)i * nfeatures, count, clusters, index);
                for (int l = 0; l < count; l++) {
                    own->changed += membership[i + l] != index[l];
                    membership[i + l] = index[l];
                    own->size[index[l]]++;
#pragma omp simd
                    for (int j = 0; j < nfeatures; j++) own->of[index[l]][j] += x[(int64_t)(i + l) * nfeatures + j];
                }
            }
        }
        for (int t = 1; t < threads; t++) {
            all[0].changed += all[t].changed;
            for (int c = 0; c < nclusters; c++) {
                all[0].size[c] += all[t].size[c];
                for (int j = 0; j < nfeatures; j++) all[0].of[c][j] += all[t].of[c][j];
            }
        }
        if (all[0].changed == 0) break;
        for (int c = 0; c < nclusters; c++)
            for (int j = 0; j < nfeatures; j++)
                if (all[0].size[c] > 0) clusters[c][j] = (float)(all[0].of[c][j] / all[0].size[c]);
    }
    free(all);
}

int main(void) {
    float *x = inputs(), (*clusters)[nfeatures] = memory(sizeof(float) * nclusters * nfeatures);
    int32_t *membership = memory(npoints * sizeof(int32_t));
    double start = now();
    kmeans(x, clusters, membership);
    results(clusters[0], membership, now() - start);
    free(x), free(membership), free(clusters);
}
