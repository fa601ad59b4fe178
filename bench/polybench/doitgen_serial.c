/* TOLERANCE: 1e-10 */
#include "poly.h"

static void doitgen(double A[restrict NR][NQ][NP], double C4[restrict NP][NP], double *restrict total) {
    for (int r = 0; r < NR; r++)
        for (int q = 0; q < NQ; q++) {
            for (int p = 0; p < NP; p++) {
                total[p] = 0.0;
                for (int s = 0; s < NP; s++) total[p] += A[r][q][s] * C4[s][p];
            }
            for (int p = 0; p < NP; p++) A[r][q][p] = total[p];
        }
}

int main(void) {
    ARRAY3(A, NR, NQ, NP);
    ARRAY2(C4, NP, NP);
    ARRAY1(total, NP);
    for (long i = 0; i < NR; i++) FOR2(j, k, NQ, NP) A[i][j][k] = (double)((i * j + k) % NP) / NP;
    FOR2(i, j, NP, NP) C4[i][j] = (double)(i * j % NP) / NP;
    for (int i = 0; i < NP; i++) total[i] = 0;
    TIMED(doitgen(A, C4, total));
    show(A[0][0], NR * NQ * NP);
}
