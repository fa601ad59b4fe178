/* G = (A B) (C D). TOLERANCE: 1e-10 */
#include "poly.h"

static void three_products(double E[restrict NI][NJ], double A[restrict NI][NK], double B[restrict NK][NJ],
                           double F[restrict NJ][NL], double C[restrict NJ][NM], double D[restrict NM][NL],
                           double G[restrict NI][NL]) {
    for (int i = 0; i < NI; i++)
        for (int j = 0; j < NJ; j++) {
            E[i][j] = 0;
            for (int k = 0; k < NK; k++) E[i][j] += A[i][k] * B[k][j];
        }
    for (int i = 0; i < NJ; i++)
        for (int j = 0; j < NL; j++) {
            F[i][j] = 0;
            for (int k = 0; k < NM; k++) F[i][j] += C[i][k] * D[k][j];
        }
    for (int i = 0; i < NI; i++)
        for (int j = 0; j < NL; j++) {
            G[i][j] = 0;
            for (int k = 0; k < NJ; k++) G[i][j] += E[i][k] * F[k][j];
        }
}

int main(void) {
    ARRAY2(A, NI, NK);
    ARRAY2(B, NK, NJ);
    ARRAY2(C, NJ, NM);
    ARRAY2(D, NM, NL);
    ARRAY2(E, NI, NJ);
    ARRAY2(F, NJ, NL);
    ARRAY2(G, NI, NL);
    FOR2(i, j, NI, NK) A[i][j] = (double)((i * j + 1) % NI) / (5 * NI);
    FOR2(i, j, NK, NJ) B[i][j] = (double)((i * (j + 1) + 2) % NJ) / (5 * NJ);
    FOR2(i, j, NJ, NM) C[i][j] = (double)(i * (j + 3) % NL) / (5 * NL);
    FOR2(i, j, NM, NL) D[i][j] = (double)((i * (j + 2) + 2) % NK) / (5 * NK);
    FOR2(i, j, NI, NJ) E[i][j] = 0;
    FOR2(i, j, NJ, NL) F[i][j] = 0;
    FOR2(i, j, NI, NL) G[i][j] = 0;
    TIMED(three_products(E, A, B, F, C, D, G));
    show(G[0], NI * NL);
}
