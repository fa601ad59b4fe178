/* TOLERANCE: 1e-10 */
#include "poly.h"

static void relax(double A[N][N]) {
    for (int t = 0; t < STEPS; t++)
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++)
                A[i][j] = (A[i - 1][j - 1] + A[i - 1][j] + A[i - 1][j + 1] + A[i][j - 1] + A[i][j] + A[i][j + 1] +
                           A[i + 1][j - 1] + A[i + 1][j] + A[i + 1][j + 1]) /
                          9.0;
}

int main(void) {
    ARRAY2(A, N, N);
    FOR2(i, j, N, N) A[i][j] = ((double)i * (j + 2) + 2) / N;
    TIMED(relax(A));
    show(A[0], N * N);
}
