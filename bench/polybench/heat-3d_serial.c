/* TOLERANCE: 1e-10 */
#include "poly.h"

static void heat(double A[restrict N][N][N], double B[restrict N][N][N]) {
    for (int t = 0; t < STEPS; t++) {
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++)
                for (int k = 1; k < N - 1; k++)
                    B[i][j][k] = 0.125 * (A[i + 1][j][k] - 2.0 * A[i][j][k] + A[i - 1][j][k]) +
                                 0.125 * (A[i][j + 1][k] - 2.0 * A[i][j][k] + A[i][j - 1][k]) +
                                 0.125 * (A[i][j][k + 1] - 2.0 * A[i][j][k] + A[i][j][k - 1]) + A[i][j][k];
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++)
                for (int k = 1; k < N - 1; k++)
                    A[i][j][k] = 0.125 * (B[i + 1][j][k] - 2.0 * B[i][j][k] + B[i - 1][j][k]) +
                                 0.125 * (B[i][j + 1][k] - 2.0 * B[i][j][k] + B[i][j - 1][k]) +
                                 0.125 * (B[i][j][k + 1] - 2.0 * B[i][j][k] + B[i][j][k - 1]) + B[i][j][k];
    }
}

int main(void) {
    ARRAY3(A, N, N, N);
    ARRAY3(B, N, N, N);
    for (long i = 0; i < N; i++) FOR2(j, k, N, N) A[i][j][k] = B[i][j][k] = (double)(i + j + (N - k)) * 10 / N;
    TIMED(heat(A, B));
    show(A[0][0], N * N * N);
    show(B[0][0], N * N * N);
}
