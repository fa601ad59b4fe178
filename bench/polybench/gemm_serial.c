/* C = alpha A B + beta C. TOLERANCE: 1e-10 */
#include "poly.h"

static void gemm(double C[restrict NI][NJ], double A[restrict NI][NK], double B[restrict NK][NJ], double alpha,
                 double beta) {
    for (int i = 0; i < NI; i++) {
        for (int j = 0; j < NJ; j++) C[i][j] *= beta;
        for (int k = 0; k < NK; k++)
            for (int j = 0; j < NJ; j++) C[i][j] += alpha * A[i][k] * B[k][j];
    }
}

int main(void) {
    ARRAY2(A, NI, NK);
    ARRAY2(B, NK, NJ);
    ARRAY2(C, NI, NJ);
    FOR2(i, j, NI, NK) A[i][j] = (double)(i * (j + 1) % NK) / NK;
    FOR2(i, j, NK, NJ) B[i][j] = (double)(i * (j + 2) % NJ) / NJ;
    FOR2(i, j, NI, NJ) C[i][j] = (double)((i * j + 1) % NI) / NI;
    TIMED(gemm(C, A, B, 1.5, 1.2));
    show(C[0], NI * NJ);
}
