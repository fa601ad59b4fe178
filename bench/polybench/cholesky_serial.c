/* TOLERANCE: 1e-10 */
#include "poly.h"

static void cholesky(double A[N][N]) {
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < i; j++) {
            for (int k = 0; k < j; k++) A[i][j] -= A[i][k] * A[j][k];
            A[i][j] /= A[j][j];
        }
        for (int k = 0; k < i; k++) A[i][i] -= A[i][k] * A[i][k];
        A[i][i] = sqrt(A[i][i]);
    }
}

int main(void) {
    ARRAY2(A, N, N);
    FOR2(i, j, N, N) A[i][j] = (double)(i * j % N) / N + (i == j ? (double)N : 0.0);
    TIMED(cholesky(A));
    FOR2(i, j, N, N) if (j > i) A[i][j] = 0;
    show(A[0], N * N);
}
