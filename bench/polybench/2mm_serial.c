/* D = alpha A B C + beta D. TOLERANCE: 1e-10 */
#include "poly.h"

static void two_products(double tmp[restrict NI][NJ], double A[restrict NI][NK], double B[restrict NK][NJ],
                         double C[restrict NJ][NL], double D[restrict NI][NL], double alpha, double beta) {
    for (int i = 0; i < NI; i++)
        for (int j = 0; j < NJ; j++) {
            tmp[i][j] = 0;
            for (int k = 0; k < NK; k++) tmp[i][j] += alpha * A[i][k] * B[k][j];
        }
    for (int i = 0; i < NI; i++)
        for (int j = 0; j < NL; j++) {
            D[i][j] *= beta;
            for (int k = 0; k < NJ; k++) D[i][j] += tmp[i][k] * C[k][j];
        }
}

int main(void) {
    ARRAY2(tmp, NI, NJ);
    ARRAY2(A, NI, NK);
    ARRAY2(B, NK, NJ);
    ARRAY2(C, NJ, NL);
    ARRAY2(D, NI, NL);
    FOR2(i, j, NI, NJ) tmp[i][j] = 0;
    FOR2(i, j, NI, NK) A[i][j] = (double)((i * j + 1) % NI) / NI;
    FOR2(i, j, NK, NJ) B[i][j] = (double)(i * (j + 1) % NJ) / NJ;
    FOR2(i, j, NJ, NL) C[i][j] = (double)((i * (j + 3) + 1) % NL) / NL;
    FOR2(i, j, NI, NL) D[i][j] = (double)(i * (j + 2) % NK) / NK;
    TIMED(two_products(tmp, A, B, C, D, 1.5, 1.2));
    show(D[0], NI * NL);
}
