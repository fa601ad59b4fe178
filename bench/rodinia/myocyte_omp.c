/* In the way of the suite: arrays of states, stage after stage written out, a parallel loop over the instances */
#include "myocyte.h"

static void rates(double gsi, double stim, const double *y, double *dy) {
    double v = y[V];
    double am = 0.32 * (v + 47.13) / (1 - exp(-0.1 * (v + 47.13))), bm = 0.08 * exp(-v / 11);
    double ah, bh, aj, bj;
    if (v >= -40) {
        ah = aj = 0;
        bh = 1 / (0.13 * (1 + exp(-(v + 10.66) / 11.1)));
        bj = 0.3 * exp(-2.535e-7 * v) / (1 + exp(-0.1 * (v + 32)));
    } else {
        ah = 0.135 * exp(-(80 + v) / 6.8);
        bh = 3.56 * exp(0.079 * v) + 3.1e5 * exp(0.35 * v);
        aj = (-1.2714e5 * exp(0.2444 * v) - 3.474e-5 * exp(-0.04391 * v)) * (v + 37.78) /
             (1 + exp(0.311 * (v + 79.23)));
        bj = 0.1212 * exp(-0.01052 * v) / (1 + exp(-0.1378 * (v + 40.14)));
    }
    double ad = 0.095 * exp(-0.01 * (v - 5)) / (1 + exp(-0.072 * (v - 5))),
           bd = 0.07 * exp(-0.017 * (v + 44)) / (1 + exp(0.05 * (v + 44)));
    double af = 0.012 * exp(-0.008 * (v + 28)) / (1 + exp(0.15 * (v + 28))),
           bf = 0.0065 * exp(-0.02 * (v + 30)) / (1 + exp(-0.2 * (v + 30)));
    double ax = 0.0005 * exp(0.083 * (v + 50)) / (1 + exp(0.057 * (v + 50))),
           bx = 0.0013 * exp(-0.06 * (v + 20)) / (1 + exp(-0.04 * (v + 20)));
    double xi = v > -100 ? 2.837 * (exp(0.04 * (v + 77)) - 1) / ((v + 77) * exp(0.04 * (v + 35))) : 1;
    double u = v + 87.26;
    double ak = 1.02 / (1 + exp(0.2385 * (u - 59.215)));
    double bk = (0.49124 * exp(0.08032 * (u + 5.476)) + exp(0.06175 * (u - 594.31))) / (1 + exp(-0.5143 * (u + 4.753)));
    double ina = 23 * y[M] * y[M] * y[M] * y[H] * y[J] * (v - 54.4),
           isi = gsi * y[D] * y[F] * (v - 7.7 + 13.0287 * log(y[CA]));
    double ik = 0.282 * y[X] * xi * (v + 77), ik1 = 0.6047 * ak / (ak + bk) * u,
           ikp = 0.0183 * u / (1 + exp((7.488 - v) / 5.98)), ib = 0.03921 * (v + 59.87);
    dy[V] = -(ina + isi + ik + ik1 + ikp + ib + stim);
    dy[M] = am * (1 - y[M]) - bm * y[M];
    dy[H] = ah * (1 - y[H]) - bh * y[H];
    dy[J] = aj * (1 - y[J]) - bj * y[J];
    dy[D] = ad * (1 - y[D]) - bd * y[D];
    dy[F] = af * (1 - y[F]) - bf * y[F];
    dy[X] = ax * (1 - y[X]) - bx * y[X];
    dy[CA] = -1e-4 * isi + 0.07 * (1e-4 - y[CA]);
}

static double embedded_fehlberg(double h, double gsi, double stim, const double *y, double *next) {
    double k1[EQUATIONS], k2[EQUATIONS], k3[EQUATIONS], k4[EQUATIONS], k5[EQUATIONS], k6[EQUATIONS], z[EQUATIONS],
        error = 0;
    rates(gsi, stim, y, k1);
    for (int i = 0; i < EQUATIONS; i++) z[i] = y[i] + h / 4 * k1[i];
    rates(gsi, stim, z, k2);
    for (int i = 0; i < EQUATIONS; i++) z[i] = y[i] + h * 3 / 32 * k1[i] + h * 9 / 32 * k2[i];
    rates(gsi, stim, z, k3);
    for (int i = 0; i < EQUATIONS; i++)
        z[i] = y[i] + h * 1932 / 2197 * k1[i] - h * 7200 / 2197 * k2[i] + h * 7296 / 2197 * k3[i];
    rates(gsi, stim, z, k4);
    for (int i = 0; i < EQUATIONS; i++)
        z[i] = y[i] + h * 439 / 216 * k1[i] - h * 8 * k2[i] + h * 3680 / 513 * k3[i] - h * 845 / 4104 * k4[i];
    rates(gsi, stim, z, k5);
    for (int i = 0; i < EQUATIONS; i++)
        z[i] = y[i] - h * 8 / 27 * k1[i] + h * 2 * k2[i] - h * 3544 / 2565 * k3[i] + h * 1859 / 4104 * k4[i] -
               h * 11 / 40 * k5[i];
    rates(gsi, stim, z, k6);
    for (int i = 0; i < EQUATIONS; i++) {
        double e = h / 360 * k1[i] - h * 128 / 4275 * k3[i] - h * 2197 / 75240 * k4[i] + h / 50 * k5[i] +
                   h * 2 / 55 * k6[i];
        next[i] = y[i] + h * 25 / 216 * k1[i] + h * 1408 / 2565 * k3[i] + h * 2197 / 4104 * k4[i] - h / 5 * k5[i];
        error = fmax(error, fabs(e) / (tolerance * (fabs(y[i]) + 1e-3)));
    }
    return error;
}

static void solver(double *y, double gsi) {
    double next[EQUATIONS], t = 0, h = 0.01;
    while (t < duration) {
        if (h > duration - t) h = duration - t;
        double error = embedded_fehlberg(h, gsi, t < 1 ? -25.5 : 0, y, next);
        if (error <= 1) {
            t += h;
            memcpy(y, next, sizeof next);
        }
        h *= fmin(4, fmax(0.2, 0.9 / sqrt(sqrt(fmax(error, 1e-10)))));
    }
}

int main(void) {
    double (*y)[EQUATIONS] = memory(cells * sizeof *y), *gsi = doubles(cells);
    inputs(y, gsi);
    double start = now();
#pragma omp parallel for
    for (int i = 0; i < cells; i++) solver(y[i], gsi[i]);
    results(y, now() - start);
    free(y), free(gsi);
}
