/* TOLERANCE: 1e-10 */
#include "poly.h"

static void bicg(double A[restrict N][M], double *restrict s, double *restrict q, double *restrict p,
                 double *restrict r) {
    for (int i = 0; i < M; i++) s[i] = 0;
    for (int i = 0; i < N; i++) {
        q[i] = 0.0;
        for (int j = 0; j < M; j++) {
            s[j] = s[j] + r[i] * A[i][j];
            q[i] = q[i] + A[i][j] * p[j];
        }
    }
}

int main(void) {
    ARRAY2(A, N, M);
    ARRAY1(s, M);
    ARRAY1(q, N);
    ARRAY1(p, M);
    ARRAY1(r, N);
    FOR2(i, j, N, M) A[i][j] = (double)(i * (j + 1) % N) / N;
    for (int i = 0; i < M; i++) p[i] = (double)(i % M) / M, s[i] = 0;
    for (int i = 0; i < N; i++) r[i] = (double)(i % N) / N, q[i] = 0;
    TIMED(bicg(A, s, q, p, r));
    show(s, M);
    show(q, N);
}
