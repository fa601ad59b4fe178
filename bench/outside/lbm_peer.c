#include "peer.h"

enum { n = 384, reps = 20 };
static const double omega = 1.2, lid = 0.1;

#define F(q, dy, dx) f[((q) * n + y + (dy)) * n + x + (dx)]
#define NEXT(q) next[((q) * n + y) * n + x]

static void step(double *restrict next, const double *restrict f) {
#pragma omp parallel for
    for (int y = 1; y < n - 1; y++)
#pragma omp simd
        for (int x = 1; x < n - 1; x++) {
            double f0 = F(0, 0, 0), f1 = F(1, 0, -1), f2 = F(2, -1, 0), f3 = F(3, 0, 1), f4 = F(4, 1, 0);
            double f5 = F(5, -1, -1), f6 = F(6, -1, 1), f7 = F(7, 1, 1), f8 = F(8, 1, -1);
            double rho = f0 + f1 + f2 + f3 + f4 + f5 + f6 + f7 + f8;
            double ux = (f1 + f5 + f8 - f3 - f6 - f7) / rho, uy = (f2 + f5 + f6 - f4 - f7 - f8) / rho;
            double base = 1 - 1.5 * (ux * ux + uy * uy), p = ux + uy, m = uy - ux;
            NEXT(0) = f0 + omega * (4.0 / 9.0 * rho * base - f0);
            NEXT(1) = f1 + omega * (1.0 / 9.0 * rho * (base + 3 * ux + 4.5 * ux * ux) - f1);
            NEXT(2) = f2 + omega * (1.0 / 9.0 * rho * (base + 3 * uy + 4.5 * uy * uy) - f2);
            NEXT(3) = f3 + omega * (1.0 / 9.0 * rho * (base - 3 * ux + 4.5 * ux * ux) - f3);
            NEXT(4) = f4 + omega * (1.0 / 9.0 * rho * (base - 3 * uy + 4.5 * uy * uy) - f4);
            NEXT(5) = f5 + omega * (1.0 / 36.0 * rho * (base + 3 * p + 4.5 * p * p) - f5);
            NEXT(6) = f6 + omega * (1.0 / 36.0 * rho * (base + 3 * m + 4.5 * m * m) - f6);
            NEXT(7) = f7 + omega * (1.0 / 36.0 * rho * (base - 3 * p + 4.5 * p * p) - f7);
            NEXT(8) = f8 + omega * (1.0 / 36.0 * rho * (base - 3 * m + 4.5 * m * m) - f8);
        }
}

int main(void) {
    static const double w[9] = {4.0 / 9, 1.0 / 9, 1.0 / 9, 1.0 / 9, 1.0 / 9, 1.0 / 36, 1.0 / 36, 1.0 / 36, 1.0 / 36};
    static const double cx[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
    double *f = doubles(9 * n * n), *g = doubles(9 * n * n), start = 0, s = 0, flow = 0;
#pragma omp parallel for
    for (int y = 0; y < n; y++)
        for (int q = 0; q < 9; q++)
            for (int x = 0; x < n; x++)
                f[(q * n + y) * n + x] = g[(q * n + y) * n + x] = w[q] * (1 + (y == n - 1 ? 3 * cx[q] * lid : 0));
    for (int t = 0; t < reps + 1; t++) {
        if (t == 1) start = now();
        step(g, f);
        double *old = f;
        f = g, g = old;
    }
    double seconds = (now() - start) / reps;
    for (int i = 0; i < 9 * n * n; i++) s += f[i];
    for (int i = 0; i < n * n; i++) flow += f[n * n + i] - f[3 * n * n + i];
    printf("check %.17g %.17g %.17g\ntime %.9g\n", s, flow, f[(5 * n + n - 2) * n + n / 2], seconds);
    free(f), free(g);
}
