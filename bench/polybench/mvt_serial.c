/* TOLERANCE: 1e-10 */
#include "poly.h"

static void mvt(double *restrict x1, double *restrict x2, double *restrict y1, double *restrict y2,
                double A[restrict N][N]) {
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) x1[i] = x1[i] + A[i][j] * y1[j];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) x2[i] = x2[i] + A[j][i] * y2[j];
}

int main(void) {
    ARRAY2(A, N, N);
    ARRAY1(x1, N);
    ARRAY1(x2, N);
    ARRAY1(y1, N);
    ARRAY1(y2, N);
    FOR2(i, j, N, N) A[i][j] = (double)(i * j % N) / N;
    for (int i = 0; i < N; i++) {
        x1[i] = (double)(i % N) / N, x2[i] = (double)((i + 1) % N) / N;
        y1[i] = (double)((i + 3) % N) / N, y2[i] = (double)((i + 4) % N) / N;
    }
    TIMED(mvt(x1, x2, y1, y2, A));
    show(x1, N);
    show(x2, N);
}
