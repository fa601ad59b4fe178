/* TOLERANCE: 1e-10 */
#include "poly.h"

static void sweep(double u[restrict N][N], double v[restrict N][N], double p[restrict N][N], double q[restrict N][N]) {
    double dx = 1.0 / N, dt = 1.0 / STEPS;
    double r1 = 2.0 * dt / (dx * dx), r2 = dt / (dx * dx);
    double a = -r1 / 2.0, b = 1.0 + r1, c = a, d = -r2 / 2.0, e = 1.0 + r2, f = d;
    for (int t = 0; t < STEPS; t++) {
        for (int i = 1; i < N - 1; i++) {
            v[0][i] = 1.0;
            p[i][0] = 0.0;
            q[i][0] = v[0][i];
            for (int j = 1; j < N - 1; j++) {
                p[i][j] = -c / (a * p[i][j - 1] + b);
                q[i][j] = (-d * u[j][i - 1] + (1.0 + 2.0 * d) * u[j][i] - f * u[j][i + 1] - a * q[i][j - 1]) /
                          (a * p[i][j - 1] + b);
            }
            v[N - 1][i] = 1.0;
            for (int j = N - 2; j >= 1; j--) v[j][i] = p[i][j] * v[j + 1][i] + q[i][j];
        }
        for (int i = 1; i < N - 1; i++) {
            u[i][0] = 1.0;
            p[i][0] = 0.0;
            q[i][0] = u[i][0];
            for (int j = 1; j < N - 1; j++) {
                p[i][j] = -f / (d * p[i][j - 1] + e);
                q[i][j] = (-a * v[i - 1][j] + (1.0 + 2.0 * a) * v[i][j] - c * v[i + 1][j] - d * q[i][j - 1]) /
                          (d * p[i][j - 1] + e);
            }
            u[i][N - 1] = 1.0;
            for (int j = N - 2; j >= 1; j--) u[i][j] = p[i][j] * u[i][j + 1] + q[i][j];
        }
    }
}

int main(void) {
    ARRAY2(u, N, N);
    ARRAY2(v, N, N);
    ARRAY2(p, N, N);
    ARRAY2(q, N, N);
    FOR2(i, j, N, N) u[i][j] = (double)(i + N - j) / N;
    FOR2(i, j, N, N) v[i][j] = p[i][j] = q[i][j] = 0;
    TIMED(sweep(u, v, p, q));
    show(u[0], N * N);
}
