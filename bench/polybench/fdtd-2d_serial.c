/* TOLERANCE: 1e-10 */
#include "poly.h"

static void waves(double ex[restrict NX][NY], double ey[restrict NX][NY], double hz[restrict NX][NY]) {
    for (int t = 0; t < STEPS; t++) {
        for (int j = 0; j < NY; j++) ey[0][j] = t;
        for (int i = 1; i < NX; i++)
            for (int j = 0; j < NY; j++) ey[i][j] = ey[i][j] - 0.5 * (hz[i][j] - hz[i - 1][j]);
        for (int i = 0; i < NX; i++)
            for (int j = 1; j < NY; j++) ex[i][j] = ex[i][j] - 0.5 * (hz[i][j] - hz[i][j - 1]);
        for (int i = 0; i < NX - 1; i++)
            for (int j = 0; j < NY - 1; j++)
                hz[i][j] = hz[i][j] - 0.7 * (ex[i][j + 1] - ex[i][j] + ey[i + 1][j] - ey[i][j]);
    }
}

int main(void) {
    ARRAY2(ex, NX, NY);
    ARRAY2(ey, NX, NY);
    ARRAY2(hz, NX, NY);
    FOR2(i, j, NX, NY) ex[i][j] = (double)i * (j + 1) / NX;
    FOR2(i, j, NX, NY) ey[i][j] = (double)i * (j + 2) / NY;
    FOR2(i, j, NX, NY) hz[i][j] = (double)i * (j + 3) / NX;
    TIMED(waves(ex, ey, hz));
    show(ex[0], NX * NY);
    show(ey[0], NX * NY);
    show(hz[0], NX * NY);
}
