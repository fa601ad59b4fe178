#include "peer.h"

enum { n = 1000, nt = 1000, reps = 10 };

/* g: of the misfit by c.  u: the table; a: adjoints of three rows, row t in a[t % 3] */
static void slope(const double *restrict c, const double *heard, double *restrict g, double (*restrict u)[n],
                  double (*restrict a)[n]) {
    memset(u, 0, 2 * sizeof *u);
    for (int t = 1; t < nt - 1; t++) {
        u[t + 1][0] = u[t + 1][n - 1] = 0;
        for (int i = 1; i < n - 1; i++)
            u[t + 1][i] = 2 * u[t][i] - u[t - 1][i] + c[i] * (u[t][i - 1] - 2 * u[t][i] + u[t][i + 1]);
        u[t + 1][n / 4] += exp(-0.002 * (t - 60.0) * (t - 60.0));
    }
    memset(g, 0, n * sizeof *g);
    memset(a, 0, 3 * sizeof *a);
    a[(nt - 1) % 3][n / 2] = u[nt - 1][n / 2] - heard[nt - 1];
    a[(nt - 2) % 3][n / 2] = u[nt - 2][n / 2] - heard[nt - 2];
    for (int t = nt - 2; t >= 1; t--) {
        double *restrict next = a[(t + 1) % 3], *restrict now = a[t % 3], *restrict before = a[(t - 1) % 3];
        memset(before, 0, sizeof *a);
        before[n / 2] = u[t - 1][n / 2] - heard[t - 1];
        for (int i = 1; i < n - 1; i++) {
            before[i] -= next[i];
            g[i] += next[i] * (u[t][i - 1] - 2 * u[t][i] + u[t][i + 1]);
        }
        for (int i = 1; i < n - 1; i++)
            now[i] += 2 * next[i] - 2 * c[i] * next[i] + c[i - 1] * (i > 1 ? next[i - 1] : 0) +
                      c[i + 1] * (i < n - 2 ? next[i + 1] : 0);
    }
}

int main(void) {
    double *c = doubles(n), *heard = doubles(nt), *g = doubles(n), s = 0;
    double (*u)[n] = memory(sizeof(double[nt][n])), (*a)[n] = memory(sizeof(double[3][n]));
    for (int i = 0; i < n; i++) c[i] = 0.2 + 0.1 * number(i);
    for (int i = 0; i < nt; i++) heard[i] = 0.1 * number(i + 17);
    slope(c, heard, g, u, a);
    double start = now();
    for (int k = 0; k < reps; k++) {
        descend(c, g, 1e-9, n);
        slope(c, heard, g, u, a);
    }
    double seconds = (now() - start) / reps;
    for (int i = 0; i < n; i++) s += g[i] * g[i];
    report(s, seconds);
    free(c), free(heard), free(g), free(u), free(a);
}
