/* TOLERANCE: 1e-10 */
#include "poly.h"

static void correlation(double data[restrict N][M], double corr[restrict M][M], double mean[restrict M],
                        double stddev[restrict M]) {
    for (int j = 0; j < M; j++) {
        mean[j] = 0.0;
        for (int i = 0; i < N; i++) mean[j] += data[i][j];
        mean[j] /= N;
    }
    for (int j = 0; j < M; j++) {
        stddev[j] = 0.0;
        for (int i = 0; i < N; i++) stddev[j] += (data[i][j] - mean[j]) * (data[i][j] - mean[j]);
        stddev[j] /= N;
        stddev[j] = sqrt(stddev[j]);
        stddev[j] = stddev[j] <= 0.1 ? 1.0 : stddev[j];
    }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) {
            data[i][j] -= mean[j];
            data[i][j] /= sqrt((double)N) * stddev[j];
        }
    for (int i = 0; i < M - 1; i++) {
        corr[i][i] = 1.0;
        for (int j = i + 1; j < M; j++) {
            corr[i][j] = 0.0;
            for (int k = 0; k < N; k++) corr[i][j] += data[k][i] * data[k][j];
            corr[j][i] = corr[i][j];
        }
    }
    corr[M - 1][M - 1] = 1.0;
}

int main(void) {
    ARRAY2(data, N, M);
    ARRAY2(corr, M, M);
    ARRAY1(mean, M);
    ARRAY1(stddev, M);
    FOR2(i, j, N, M) data[i][j] = (double)(i * j) / M + i;
    FOR2(i, j, M, M) corr[i][j] = 0;
    for (int i = 0; i < M; i++) mean[i] = stddev[i] = 0;
    TIMED(correlation(data, corr, mean, stddev));
    show(corr[0], M * M);
}
