#include "peer.h"

enum { n = 1000000, nz = 10 * n + n % 3, reps = 5 };

static void in_order(double *restrict y, const int64_t *row, const int64_t *col, const double *a, const double *x) {
    for (int64_t i = 0; i < n; i++)
        for (int64_t e = row[i]; e < row[i + 1]; e++) y[col[e]] += a[e] * x[i];
}

static void with_atomics(double *restrict y, const int64_t *row, const int64_t *col, const double *a, const double *x) {
#pragma omp parallel for
    for (int64_t i = 0; i < n; i++)
        for (int64_t e = row[i]; e < row[i + 1]; e++) {
#pragma omp atomic
            y[col[e]] += a[e] * x[i];
        }
}

static void product(double *restrict y, const int64_t *row, const int64_t *col, const double *a, const double *x) {
    if (omp_get_max_threads() == 1) in_order(y, row, col, a, x);
    else with_atomics(y, row, col, a, x);
}

int main(void) {
    int64_t *row = memory((n + 1) * sizeof *row), *col = memory(nz * sizeof *col);
    double *a = doubles(nz), *x = doubles(n), *y = doubles(n), s = 0;
    for (int64_t i = 0; i <= n; i++) row[i] = 10 * i + i % 3;
#pragma omp parallel for
    for (int64_t e = 0; e < nz; e++) col[e] = (int64_t)mixed(e) % n, a[e] = number(e);
    for (int64_t i = 0; i < n; i++) x[i] = number(i), y[i] = 0;
    product(y, row, col, a, x);
    double start = now();
    for (int r = 0; r < reps; r++) product(y, row, col, a, x);
    double seconds = (now() - start) / reps;
    for (int64_t i = 0; i < n; i++) s += y[i] * (double)(i % 7);
    report(s, seconds);
    free(row), free(col), free(a), free(x), free(y);
}
