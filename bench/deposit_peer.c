#include "peer.h"

enum { n = 2000000, g = 1024, reps = 5 };

static void in_order(double (*restrict rho)[g], const double *restrict x, const double *restrict y,
                     const double *restrict q) {
    for (int64_t p = 0; p < n; p++) {
        double u = x[p] * (g - 1), v = y[p] * (g - 1);
        int64_t i = (int64_t)u, j = (int64_t)v;
        double a = u - (double)i, b = v - (double)j;
        rho[i][j] += q[p] * (1 - a) * (1 - b);
        rho[i][j + 1] += q[p] * (1 - a) * b;
        rho[i + 1][j] += q[p] * a * (1 - b);
        rho[i + 1][j + 1] += q[p] * a * b;
    }
}

static void with_atomics(double (*restrict rho)[g], const double *restrict x, const double *restrict y,
                         const double *restrict q) {
#pragma omp parallel for
    for (int64_t p = 0; p < n; p++) {
        double u = x[p] * (g - 1), v = y[p] * (g - 1);
        int64_t i = (int64_t)u, j = (int64_t)v;
        double a = u - (double)i, b = v - (double)j;
#pragma omp atomic
        rho[i][j] += q[p] * (1 - a) * (1 - b);
#pragma omp atomic
        rho[i][j + 1] += q[p] * (1 - a) * b;
#pragma omp atomic
        rho[i + 1][j] += q[p] * a * (1 - b);
#pragma omp atomic
        rho[i + 1][j + 1] += q[p] * a * b;
    }
}

static void deposit(double (*restrict rho)[g], const double *restrict x, const double *restrict y,
                    const double *restrict q) {
    if (omp_get_max_threads() == 1) in_order(rho, x, y, q);
    else with_atomics(rho, x, y, q);
}

int main(void) {
    double *x = doubles(n), *y = doubles(n), *q = doubles(n), (*rho)[g] = memory(sizeof(double[g][g])), s = 0;
    memset(rho, 0, sizeof(double[g][g]));
#pragma omp parallel for
    for (int64_t i = 0; i < n; i++) {
        x[i] = mixed(i) / 4294967296.0, y[i] = mixed(i + n) / 4294967296.0, q[i] = mixed(i + 2 * n) / 4294967296.0;
    }
    deposit(rho, x, y, q);
    double start = now();
    for (int r = 0; r < reps; r++) deposit(rho, x, y, q);
    double seconds = (now() - start) / reps;
    for (int i = 0; i < g; i++)
        for (int j = 0; j < g; j++) s += rho[i][j] * ((3 * i + j) % 7);
    report(s, seconds);
    free(x), free(y), free(q), free(rho);
}
