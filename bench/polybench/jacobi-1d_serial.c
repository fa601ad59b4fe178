/* TOLERANCE: 1e-10 */
#include "poly.h"

static void relax(double *restrict A, double *restrict B) {
    for (int t = 0; t < STEPS; t++) {
        for (int i = 1; i < N - 1; i++) B[i] = 0.33333 * (A[i - 1] + A[i] + A[i + 1]);
        for (int i = 1; i < N - 1; i++) A[i] = 0.33333 * (B[i - 1] + B[i] + B[i + 1]);
    }
}

int main(void) {
    ARRAY1(A, N);
    ARRAY1(B, N);
    for (int i = 0; i < N; i++) A[i] = ((double)i + 2) / N, B[i] = ((double)i + 3) / N;
    TIMED(relax(A, B));
    show(A, N);
    show(B, N);
}
