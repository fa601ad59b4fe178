#include "peer.h"

enum { n = 130, reps = 10 };
#define U(a, b, c) u[((i + (a)) * n + j + (b)) * n + k + (c)]

static void relax(double *restrict next, const double *restrict u) {
#pragma omp parallel for
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
#pragma omp simd
            for (int k = 1; k < n - 1; k++)
                next[(i * n + j) * n + k] =
                    0.4 * U(0, 0, 0) +
                    0.05 * (U(-1, 0, 0) + U(1, 0, 0) + U(0, -1, 0) + U(0, 1, 0) + U(0, 0, -1) + U(0, 0, 1)) +
                    0.015 * (U(-1, -1, 0) + U(-1, 1, 0) + U(1, -1, 0) + U(1, 1, 0) + U(-1, 0, -1) + U(-1, 0, 1) +
                             U(1, 0, -1) + U(1, 0, 1) + U(0, -1, -1) + U(0, -1, 1) + U(0, 1, -1) + U(0, 1, 1)) +
                    0.015 * (U(-1, -1, -1) + U(-1, -1, 1) + U(-1, 1, -1) + U(-1, 1, 1) + U(1, -1, -1) + U(1, -1, 1) +
                             U(1, 1, -1) + U(1, 1, 1));
}

int main(void) {
    double *u = doubles(n * n * n), *next = doubles(n * n * n), start = 0;
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = i * n * n; j < (i + 1) * n * n; j++) u[j] = next[j] = number(j);
    for (int t = 0; t < reps + 1; t++) {
        if (t == 1) start = now();
        relax(next, u);
        double *old = u;
        u = next, next = old;
    }
    double seconds = (now() - start) / reps;
    printf("check %.17g %.17g\ntime %.9g\n", total(u, n * n * n), u[(n / 2 * n + n / 3) * n + n / 4], seconds);
    free(u), free(next);
}
