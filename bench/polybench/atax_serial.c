/* TOLERANCE: 1e-10 */
#include "poly.h"

static void atax(double A[restrict M][N], double *restrict x, double *restrict y, double *restrict tmp) {
    for (int i = 0; i < N; i++) y[i] = 0;
    for (int i = 0; i < M; i++) {
        tmp[i] = 0.0;
        for (int j = 0; j < N; j++) tmp[i] = tmp[i] + A[i][j] * x[j];
        for (int j = 0; j < N; j++) y[j] = y[j] + A[i][j] * tmp[i];
    }
}

int main(void) {
    ARRAY2(A, M, N);
    ARRAY1(x, N);
    ARRAY1(y, N);
    ARRAY1(tmp, M);
    FOR2(i, j, M, N) A[i][j] = (double)((i + j) % N) / (5 * M);
    for (int i = 0; i < N; i++) x[i] = 1 + (double)i / N, y[i] = 0;
    for (int i = 0; i < M; i++) tmp[i] = 0;
    TIMED(atax(A, x, y, tmp));
    show(y, N);
}
