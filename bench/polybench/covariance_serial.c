/* TOLERANCE: 1e-10 */
#include "poly.h"

static void covariance(double data[restrict N][M], double cov[restrict M][M], double mean[restrict M]) {
    for (int j = 0; j < M; j++) {
        mean[j] = 0.0;
        for (int i = 0; i < N; i++) mean[j] += data[i][j];
        mean[j] /= N;
    }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) data[i][j] -= mean[j];
    for (int i = 0; i < M; i++)
        for (int j = i; j < M; j++) {
            cov[i][j] = 0.0;
            for (int k = 0; k < N; k++) cov[i][j] += data[k][i] * data[k][j];
            cov[i][j] /= N - 1.0;
            cov[j][i] = cov[i][j];
        }
}

int main(void) {
    ARRAY2(data, N, M);
    ARRAY2(cov, M, M);
    ARRAY1(mean, M);
    FOR2(i, j, N, M) data[i][j] = (double)(i * j) / M;
    FOR2(i, j, M, M) cov[i][j] = 0;
    for (int i = 0; i < M; i++) mean[i] = 0;
    TIMED(covariance(data, cov, mean));
    show(cov[0], M * M);
}
