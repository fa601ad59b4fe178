#include "peer.h"

enum { n = 200, steps = 20, reps = 5 };

/* Keeps the two factors of each product. */
static void slope(const double (*a)[n], double (*restrict g)[n], double (*restrict u)[n],
                  double (*restrict seen)[n][n][2]) {
    memcpy(u, a, sizeof(double[n][n]));
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++) {
                seen[t][i][j][0] = u[i + 1][j], seen[t][i][j][1] = u[i][j - 1];
                u[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] * u[i][j - 1] + u[i][j + 1]);
            }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) g[i][j] = 2 * u[i][j];
    for (int t = steps - 1; t >= 0; t--)
        for (int i = n - 2; i > 0; i--)
            for (int j = n - 2; j > 0; j--) {
                double d = 0.25 * g[i][j];
                g[i][j] = 0;
                g[i - 1][j] += d;
                g[i + 1][j] += d * seen[t][i][j][1];
                g[i][j - 1] += d * seen[t][i][j][0];
                g[i][j + 1] += d;
            }
}

int main(void) {
    double (*a)[n] = memory(sizeof(double[n][n])), (*g)[n] = memory(sizeof(double[n][n]));
    double (*u)[n] = memory(sizeof(double[n][n])), (*seen)[n][n][2] = memory(sizeof(double[steps][n][n][2]));
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) a[i][j] = number(i * n + j);
    slope((const double (*)[n])a, g, u, seen);
    double start = now();
    for (int r = 0; r < reps; r++) {
        descend(a[0], g[0], 1e-3, n * n);
        slope((const double (*)[n])a, g, u, seen);
    }
    double seconds = (now() - start) / reps;
    printf("check %.17g %.17g %.17g\ntime %.9g\n", g[1][1], g[3][100], g[n - 2][7], seconds);
    free(a), free(g), free(u), free(seen);
}
