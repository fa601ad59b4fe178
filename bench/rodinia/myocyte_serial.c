/* Gates by tables of their steady state and time constant; the method by its table.  TOLERANCE: 1e-8 (f64; rounding
 * moves the steps that the method chooses by as little, and the method itself is true to 1e-6) */
#include "myocyte.h"

typedef struct Gate { double opens, closes; } Gate;

static double relax(Gate g, double y) { return g.opens - (g.opens + g.closes) * y; }

static void rates(double *dy, const double *y, double gsi, double stim) {
    double v = y[V], u = v + 87.26;
    bool up = v >= -40;
    Gate m = {0.32 * (v + 47.13) / (1 - exp(-0.1 * (v + 47.13))), 0.08 * exp(-v / 11)};
    Gate h = {up ? 0 : 0.135 * exp(-(80 + v) / 6.8),
              up ? 1 / (0.13 * (1 + exp(-(v + 10.66) / 11.1))) : 3.56 * exp(0.079 * v) + 3.1e5 * exp(0.35 * v)};
    Gate j = {up ? 0
                 : (-1.2714e5 * exp(0.2444 * v) - 3.474e-5 * exp(-0.04391 * v)) * (v + 37.78) /
                       (1 + exp(0.311 * (v + 79.23))),
              up ? 0.3 * exp(-2.535e-7 * v) / (1 + exp(-0.1 * (v + 32)))
                 : 0.1212 * exp(-0.01052 * v) / (1 + exp(-0.1378 * (v + 40.14)))};
    Gate d = {0.095 * exp(-0.01 * (v - 5)) / (1 + exp(-0.072 * (v - 5))),
              0.07 * exp(-0.017 * (v + 44)) / (1 + exp(0.05 * (v + 44)))};
    Gate f = {0.012 * exp(-0.008 * (v + 28)) / (1 + exp(0.15 * (v + 28))),
              0.0065 * exp(-0.02 * (v + 30)) / (1 + exp(-0.2 * (v + 30)))};
    Gate x = {0.0005 * exp(0.083 * (v + 50)) / (1 + exp(0.057 * (v + 50))),
              0.0013 * exp(-0.06 * (v + 20)) / (1 + exp(-0.04 * (v + 20)))};
    Gate k = {1.02 / (1 + exp(0.2385 * (u - 59.215))),
              (0.49124 * exp(0.08032 * (u + 5.476)) + exp(0.06175 * (u - 594.31))) / (1 + exp(-0.5143 * (u + 4.753)))};
    double xi = v > -100 ? 2.837 * (exp(0.04 * (v + 77)) - 1) / ((v + 77) * exp(0.04 * (v + 35))) : 1;
    double si = gsi * y[D] * y[F] * (v - (7.7 - 13.0287 * log(y[CA])));
    double total = stim + si + 23 * pow(y[M], 3) * y[H] * y[J] * (v - 54.4) + 0.282 * y[X] * xi * (v + 77) +
                   0.6047 * k.opens / (k.opens + k.closes) * u + 0.0183 * u / (1 + exp((7.488 - v) / 5.98)) +
                   0.03921 * (v + 59.87);
    dy[V] = -total;
    dy[M] = relax(m, y[M]), dy[H] = relax(h, y[H]), dy[J] = relax(j, y[J]), dy[D] = relax(d, y[D]),
    dy[F] = relax(f, y[F]), dy[X] = relax(x, y[X]);
    dy[CA] = -1e-4 * si + 0.07 * (1e-4 - y[CA]);
}

static void solve(double *y, double gsi) {
    static const double a[6][5] = {{0},
                                   {1.0 / 4},
                                   {3.0 / 32, 9.0 / 32},
                                   {1932.0 / 2197, -7200.0 / 2197, 7296.0 / 2197},
                                   {439.0 / 216, -8, 3680.0 / 513, -845.0 / 4104},
                                   {-8.0 / 27, 2, -3544.0 / 2565, 1859.0 / 4104, -11.0 / 40}};
    static const double b[6] = {25.0 / 216, 0, 1408.0 / 2565, 2197.0 / 4104, -1.0 / 5, 0};
    static const double c[6] = {1.0 / 360, 0, -128.0 / 4275, -2197.0 / 75240, 1.0 / 50, 2.0 / 55};
    double k[6][EQUATIONS], z[EQUATIONS], t = 0, h = 0.01;
    while (t < duration) {
        if (h > duration - t) h = duration - t;
        for (int s = 0; s < 6; s++) {
            for (int q = 0; q < EQUATIONS; q++) {
                z[q] = y[q];
                for (int p = 0; p < s; p++) z[q] += h * a[s][p] * k[p][q];
            }
            rates(k[s], z, gsi, t < 1 ? -25.5 : 0);
        }
        double error = 0;
        for (int q = 0; q < EQUATIONS; q++) {
            double e = 0;
            for (int s = 0; s < 6; s++) e += h * c[s] * k[s][q];
            error = fmax(error, fabs(e) / (tolerance * (fabs(y[q]) + 1e-3)));
        }
        if (error <= 1) {
            t += h;
            for (int q = 0; q < EQUATIONS; q++)
                for (int s = 0; s < 6; s++) y[q] += h * b[s] * k[s][q];
        }
        h *= fmin(4, fmax(0.2, 0.9 / sqrt(sqrt(fmax(error, 1e-10)))));
    }
}

int main(void) {
    double (*y)[EQUATIONS] = memory(cells * sizeof *y), *gsi = doubles(cells);
    inputs(y, gsi);
    double start = now();
    for (int i = 0; i < cells; i++) solve(y[i], gsi[i]);
    results(y, now() - start);
    free(y), free(gsi);
}
