/* TOLERANCE: 1e-10 */
#include "poly.h"

static void solve_lower(double L[restrict N][N], double *restrict x, const double *restrict b) {
    for (int i = 0; i < N; i++) {
        x[i] = b[i];
        for (int j = 0; j < i; j++) x[i] -= L[i][j] * x[j];
        x[i] = x[i] / L[i][i];
    }
}

int main(void) {
    ARRAY2(L, N, N);
    ARRAY1(x, N);
    ARRAY1(b, N);
    FOR2(i, j, N, N) L[i][j] = (double)(i + N - j + 1) * 2 / N;
    for (int i = 0; i < N; i++) x[i] = -999, b[i] = i;
    TIMED(solve_lower(L, x, b));
    show(x, N);
}
