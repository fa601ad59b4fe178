#include "peer.h"

enum { cases = 96, n = 1000, steps = 1000, reps = 5 };

static void simulate(double rate, double *restrict end, double *restrict a, double *restrict b) {
    for (int i = 0; i < n; i++) a[i] = i < n / 10 ? 1.0 : 0.0;
    for (int t = 0; t < steps; t++) {
        b[0] = a[0] + 0.2 * (a[n - 1] - 2.0 * a[0] + a[1]) + rate * a[0] * (1.0 - a[0]);
        for (int i = 1; i < n - 1; i++)
            b[i] = a[i] + 0.2 * (a[i - 1] - 2.0 * a[i] + a[i + 1]) + rate * a[i] * (1.0 - a[i]);
        b[n - 1] = a[n - 1] + 0.2 * (a[n - 2] - 2.0 * a[n - 1] + a[0]) + rate * a[n - 1] * (1.0 - a[n - 1]);
        double *c = a;
        a = b, b = c;
    }
    memcpy(end, a, n * sizeof *a);
}

static void study(const double *rates, double scale, double (*ends)[n]) {
#pragma omp parallel
    {
        double *a = doubles(n), *b = doubles(n);
#pragma omp for schedule(dynamic)
        for (int k = 0; k < cases; k++) simulate(rates[k] * scale, ends[k], a, b);
        free(a), free(b);
    }
}

int main(void) {
    static double rates[cases], ends[cases][n];
    double sum = 0;
    for (int k = 0; k < cases; k++) rates[k] = 0.01 + 0.09 * (double)(k * 7919 % 10007) / 10007.0;
    study(rates, 1.0, ends);
    double start = now();
    for (int r = 0; r < reps; r++) study(rates, 1.0 - 0.001 * r, ends);
    double seconds = (now() - start) / reps;
    for (int k = 0; k < cases; k++)
        for (int i = 0; i < n; i++) sum += ends[k][i];
    report(sum, seconds);
}
