/* TOLERANCE: 1e-10 */
#include "poly.h"

static void relax(double A[restrict N][N], double B[restrict N][N]) {
    for (int t = 0; t < STEPS; t++) {
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++)
                B[i][j] = 0.2 * (A[i][j] + A[i][j - 1] + A[i][1 + j] + A[1 + i][j] + A[i - 1][j]);
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++)
                A[i][j] = 0.2 * (B[i][j] + B[i][j - 1] + B[i][1 + j] + B[1 + i][j] + B[i - 1][j]);
    }
}

int main(void) {
    ARRAY2(A, N, N);
    ARRAY2(B, N, N);
    FOR2(i, j, N, N) A[i][j] = ((double)i * (j + 2) + 2) / N;
    FOR2(i, j, N, N) B[i][j] = ((double)i * (j + 3) + 3) / N;
    TIMED(relax(A, B));
    show(A[0], N * N);
    show(B[0], N * N);
}
