#include "peer.h"

enum { n = 256, reps = 5 };

static void exchange(double *restrict x, double *restrict y) {
    for (int j = 0; j < n; j++) {
        double t = x[j];
        x[j] = y[j], y[j] = t;
    }
}

/* Each step keeps the column that it eliminates, the pivot's row and which row it was. */
static void slope(const double (*a)[n], double (*restrict g)[n], double (*restrict u)[n], double (*restrict seen)[n],
                  double (*restrict row)[n], int *restrict pivot) {
    memcpy(u, a, sizeof(double[n][n]));
    for (int k = 0; k < n; k++) {
        int p = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(u[i][k]) > fabs(u[p][k])) p = i;
        pivot[k] = p;
        if (p != k) exchange(u[k], u[p]);
        memcpy(row[k], u[k], sizeof row[k]);
        for (int i = k + 1; i < n; i++) {
            double f = (seen[k][i] = u[i][k]) / u[k][k];
            for (int j = k; j < n; j++) u[i][j] -= f * u[k][j];
        }
    }
    memset(g, 0, sizeof(double[n][n]));
    for (int k = 0; k < n; k++) g[k][k] = 1 / u[k][k];
    for (int k = n - 1; k >= 0; k--) {
        for (int i = n - 1; i > k; i--) {
            double f = seen[k][i] / row[k][k], d = 0;
            for (int j = k; j < n; j++) d -= g[i][j] * row[k][j], g[k][j] -= f * g[i][j];
            g[i][k] += d / row[k][k];
            g[k][k] -= d * f / row[k][k];
        }
        if (pivot[k] != k) exchange(g[k], g[pivot[k]]);
    }
}

int main(void) {
    double (*a)[n] = memory(sizeof(double[n][n])), (*g)[n] = memory(sizeof(double[n][n]));
    double (*u)[n] = memory(sizeof(double[n][n])), (*seen)[n] = memory(sizeof(double[n][n]));
    double (*row)[n] = memory(sizeof(double[n][n]));
    int *pivot = memory(sizeof(int[n]));
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) a[i][j] = number(i * n + j) + (j == (7 * i + 3) % n ? n : 0);
    slope((const double (*)[n])a, g, u, seen, row, pivot);
    double start = now();
    for (int r = 0; r < reps; r++) {
        descend(a[0], g[0], 1e-3, n * n);
        slope((const double (*)[n])a, g, u, seen, row, pivot);
    }
    double seconds = (now() - start) / reps;
    printf("check %.17g %.17g %.17g\ntime %.9g\n", g[0][0], g[3][200], g[n - 1][7], seconds);
    free(a), free(g), free(u), free(seen), free(row), free(pivot);
}
