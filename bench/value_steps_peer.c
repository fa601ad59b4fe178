#include "peer.h"

enum { n = 2000, reps = 5 };

static void step(double *restrict next, const double *restrict u, double rate) {
#pragma omp parallel for
    for (int64_t i = 1; i < n - 1; i++) {
#pragma omp simd
        for (int64_t j = 1; j < n - 1; j++) {
            const double *p = u + i * n + j;
            next[i * n + j] = p[0] + rate * (p[-n] + p[n] + p[-1] + p[1] - 4 * p[0]);
        }
    }
    for (int64_t j = 1; j < n - 1; j++) {
        next[j] = next[n + j];
        next[(n - 1) * n + j] = next[(n - 2) * n + j];
    }
    for (int64_t i = 0; i < n; i++) {
        next[i * n] = next[i * n + 1];
        next[i * n + n - 1] = next[i * n + n - 2];
    }
}

/* Two arrays that change places */
static const double *heat(const double *u0, double *a, double *b, double rate, int turns) {
#pragma omp parallel for
    for (int64_t i = 0; i < n; i++) memcpy(a + i * n, u0 + i * n, n * sizeof *a);
    for (int t = 0; t < turns; t++) {
        step(b, a, rate);
        double *c = a;
        a = b, b = c;
    }
    return a;
}

int main(void) {
    double *u = doubles(n * n), *a = doubles(n * n), *b = doubles(n * n), s = 0;
#pragma omp parallel for
    for (int64_t i = 0; i < n * n; i++) u[i] = number(i), a[i] = b[i] = 0;
    double warm = heat(u, a, b, 0.2, 2)[0];
    double start = now();
    for (int r = 0; r < reps; r++) {
        const double *v = heat(u, a, b, 0.1 + 0.01 * r, 20);
        s += v[r] + v[1000 * n + 100 + r] + v[(n - 1) * n + n - 1];
    }
    double seconds = (now() - start) / reps;
    report(warm < 1e30 ? s : 0, seconds);
    free(u), free(a), free(b);
}
