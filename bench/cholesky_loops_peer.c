#include "peer.h"

enum { n = 256, reps = 5 };

/* The factor's adjoint goes back as the factorisation came (Murray, Differentiation of the Cholesky decomposition,
 * 2016, the algorithm without blocks). */
static void slope(const double *p, const double *x, const double *y, double *g, double (*restrict l)[n],
                  double (*restrict a)[n]) {
    double z[n], w[n];
    for (int j = 0; j < n; j++) {
        double d = p[0] + p[2];
        for (int m = 0; m < j; m++) d -= l[j][m] * l[j][m];
        l[j][j] = sqrt(d);
        for (int i = j + 1; i < n; i++) {
            double s = p[0] * exp(-(x[i] - x[j]) * (x[i] - x[j]) * p[1]);
            for (int m = 0; m < j; m++) s -= l[i][m] * l[j][m];
            l[i][j] = s / l[j][j];
        }
    }
    for (int i = 0; i < n; i++) {
        double s = y[i];
        for (int m = 0; m < i; m++) s -= l[i][m] * z[m];
        z[i] = s / l[i][i];
    }
    memset(a, 0, sizeof(double[n][n]));
    for (int i = 0; i < n; i++) w[i] = z[i], a[i][i] = 1 / l[i][i];
    for (int i = n - 1; i >= 0; i--) {
        double f = w[i] / l[i][i];
        a[i][i] -= f * z[i];
        for (int m = 0; m < i; m++) a[i][m] -= f * z[m], w[m] -= f * l[i][m];
    }
    g[0] = g[1] = g[2] = 0;
    for (int j = n - 1; j >= 0; j--) {
        for (int i = n - 1; i > j; i--) {
            double f = a[i][j] / l[j][j], r = (x[i] - x[j]) * (x[i] - x[j]), e = exp(-r * p[1]);
            a[j][j] -= f * l[i][j];
            for (int m = 0; m < j; m++) a[i][m] -= f * l[j][m], a[j][m] -= f * l[i][m];
            g[0] += f * e, g[1] -= f * p[0] * e * r;
        }
        double f = a[j][j] / (2 * l[j][j]);
        for (int m = 0; m < j; m++) a[j][m] -= 2 * f * l[j][m];
        g[0] += f, g[2] += f;
    }
}

int main(void) {
    double p[3] = {1, 0.5, 0.1}, g[3], *x = doubles(n), *y = doubles(n);
    double (*l)[n] = memory(sizeof(double[n][n])), (*a)[n] = memory(sizeof(double[n][n]));
    for (int i = 0; i < n; i++) x[i] = 10 * number(i), y[i] = number(i + 17);
    slope(p, x, y, g, l, a);
    double start = now();
    for (int k = 0; k < reps; k++) {
        descend(p, g, 1e-6, 3);
        slope(p, x, y, g, l, a);
    }
    double seconds = (now() - start) / reps;
    printf("check %.17g %.17g %.17g\ntime %.9g\n", g[0], g[1], g[2], seconds);
    free(x), free(y), free(l), free(a);
}
