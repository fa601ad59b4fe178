/* TOLERANCE: 1e-10 */
#include "poly.h"

static void lu(double A[N][N]) {
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < i; j++) {
            for (int k = 0; k < j; k++) A[i][j] -= A[i][k] * A[k][j];
            A[i][j] /= A[j][j];
        }
        for (int j = i; j < N; j++)
            for (int k = 0; k < i; k++) A[i][j] -= A[i][k] * A[k][j];
    }
}

int main(void) {
    ARRAY2(A, N, N);
    FOR2(i, j, N, N) A[i][j] = (double)(i * j % N) / N + (i == j ? (double)N : 0.0);
    TIMED(lu(A));
    show(A[0], N * N);
}
