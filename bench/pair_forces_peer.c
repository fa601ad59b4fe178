#include "peer.h"

enum { n = 2000, reps = 5 };

static void forces(double *restrict g, const double *restrict x) {
#pragma omp parallel for
    for (int64_t i = 0; i < n; i++) {
        double a = 0, b = 0, c = 0;
#pragma omp simd reduction(+ : a, b, c)
        for (int64_t j = 0; j < n; j++) {
            double dx = x[3 * i] - x[3 * j], dy = x[3 * i + 1] - x[3 * j + 1], dz = x[3 * i + 2] - x[3 * j + 2];
            double r2 = dx * dx + dy * dy + dz * dz + 0.01, w = 2 / (r2 * sqrt(r2));
            a += w * dx, b += w * dy, c += w * dz;
        }
        g[3 * i] = a, g[3 * i + 1] = b, g[3 * i + 2] = c;
    }
}

int main(void) {
    double *x = doubles(3 * n), *g = doubles(3 * n), check = 0;
    for (int64_t i = 0; i < 3 * n; i++) x[i] = number(i), g[i] = 0;
    forces(g, x);
    double start = now();
    for (int r = 0; r < reps; r++) {
        for (int64_t i = 0; i < 3 * n; i++) x[i] -= 1e-9 * g[i];
        forces(g, x);
    }
    double seconds = (now() - start) / reps;
    for (int64_t i = 0; i < 3 * n; i++) check += fabs(g[i]);
    report(check, seconds);
    free(x), free(g);
}
