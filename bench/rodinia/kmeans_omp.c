/* In the way of the suite: rows of pointers; each thread has sums of its own, which one thread then adds */
#include "kmeans.h"

static float **rows(int n, int m) {
    float **r = memory(n * sizeof(float *));
    r[0] = floats(n * m);
    for (int i = 1; i < n; i++) r[i] = r[i - 1] + m;
    memset(r[0], 0, sizeof(float) * n * m);
    return r;
}

static double **sum_rows(int n, int m) {
    double **r = memory(n * sizeof(double *));
    r[0] = doubles(n * m);
    for (int i = 1; i < n; i++) r[i] = r[i - 1] + m;
    memset(r[0], 0, sizeof(double) * n * m);
    return r;
}

static float distance(const float *a, const float *b, int d) {
    float s = 0;
    for (int j = 0; j < d; j++) s += (a[j] - b[j]) * (a[j] - b[j]);
    return s;
}

static int find_nearest(const float *point, float **clusters, int d, int k) {
    float least = 3.4e38f;
    int index = -1;
    for (int c = 0; c < k; c++) {
        float dist = distance(point, clusters[c], d);
        if (dist < least) least = dist, index = c;
    }
    return index;
}

static float **kmeans(float **x, int n, int d, int k, int32_t *membership) {
    int threads = omp_get_max_threads();
    float **clusters = rows(k, d);
    double **sums = sum_rows(k, d);
    int *sizes = calloc(k, sizeof(int));
    int **part_sizes = memory(threads * sizeof(int *));
    double ***part_sums = memory(threads * sizeof(double **));
    for (int t = 0; t < threads; t++) {
        part_sizes[t] = calloc(k, sizeof(int));
        part_sums[t] = sum_rows(k, d);
    }
    for (int i = 0; i < n; i++) membership[i] = -1;
    for (int c = 0; c < k; c++)
        for (int j = 0; j < d; j++) clusters[c][j] = x[c][j];
    for (int r = 0; r < rounds; r++) {
        int changed = 0;
#pragma omp parallel
        {
            int t = omp_get_thread_num();
#pragma omp for schedule(static) reduction(+ : changed)
            for (int i = 0; i < n; i++) {
                int index = find_nearest(x[i], clusters, d, k);
                if (membership[i] != index) changed++;
                membership[i] = index;
                part_sizes[t][index]++;
                for (int j = 0; j < d; j++) part_sums[t][index][j] += x[i][j];
            }
        }
        for (int c = 0; c < k; c++)
            for (int t = 0; t < threads; t++) {
                sizes[c] += part_sizes[t][c];
                part_sizes[t][c] = 0;
                for (int j = 0; j < d; j++) {
                    sums[c][j] += part_sums[t][c][j];
                    part_sums[t][c][j] = 0;
                }
            }
        if (changed == 0) break;
        for (int c = 0; c < k; c++) {
            for (int j = 0; j < d; j++) {
                if (sizes[c] > 0) clusters[c][j] = (float)(sums[c][j] / sizes[c]);
                sums[c][j] = 0;
            }
            sizes[c] = 0;
        }
    }
    for (int t = 0; t < threads; t++) free(part_sizes[t]), free(part_sums[t][0]), free(part_sums[t]);
    free(part_sizes), free(part_sums), free(sizes), free(sums[0]), free(sums);
    return clusters;
}

int main(void) {
    float **x = memory(npoints * sizeof(float *));
    x[0] = inputs();
    for (int i = 1; i < npoints; i++) x[i] = x[i - 1] + nfeatures;
    int32_t *membership = memory(npoints * sizeof(int32_t));
    double start = now();
    float **clusters = kmeans(x, npoints, nfeatures, nclusters, membership);
    results(clusters[0], membership, now() - start);
    free(x[0]), free(x), free(membership), free(clusters[0]), free(clusters);
}
