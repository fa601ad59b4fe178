#include "peer.h"

enum { n = 512, reps = 20 };
static const double g = 9.81, f = 1.1e-4, dx = 2500, dy = 2500, dt = 40, drag = 2e-6, viscosity = 40;

#define AT(a, j, i) a[(j) * n + (i)]
#define SQ(x) ((x) * (x))

static void continuity(double *restrict next, const double *restrict eta, const double *restrict depth,
                       const double *restrict u, const double *restrict v) {
#pragma omp parallel for
    for (int64_t j = 1; j < n - 1; j++)
#pragma omp simd
        for (int64_t i = 1; i < n - 1; i++) {
            double here = AT(eta, j, i) + AT(depth, j, i);
            double west = AT(u, j, i) * 0.5 * (AT(eta, j, i - 1) + AT(depth, j, i - 1) + here);
            double east = AT(u, j, i + 1) * 0.5 * (here + (AT(eta, j, i + 1) + AT(depth, j, i + 1)));
            double south = AT(v, j, i) * 0.5 * (AT(eta, j - 1, i) + AT(depth, j - 1, i) + here);
            double north = AT(v, j + 1, i) * 0.5 * (here + (AT(eta, j + 1, i) + AT(depth, j + 1, i)));
            AT(next, j, i) = AT(eta, j, i) - dt * ((east - west) / dx + (north - south) / dy);
        }
}

static void eastward(double *restrict next, const double *restrict u, const double *restrict v,
                     const double *restrict eta, const double *restrict wet) {
#pragma omp parallel for
    for (int64_t j = 1; j < n - 1; j++)
#pragma omp simd
        for (int64_t i = 1; i < n - 1; i++) {
            double across = 0.25 * (AT(v, j, i - 1) + AT(v, j, i) + AT(v, j + 1, i - 1) + AT(v, j + 1, i));
            double spin_s = (AT(v, j, i) - AT(v, j, i - 1)) / dx - (AT(u, j, i) - AT(u, j - 1, i)) / dy;
            double spin_n = (AT(v, j + 1, i) - AT(v, j + 1, i - 1)) / dx - (AT(u, j + 1, i) - AT(u, j, i)) / dy;
            double energy_e = 0.25 * (SQ(AT(u, j, i)) + SQ(AT(u, j, i + 1)) + SQ(AT(v, j, i)) + SQ(AT(v, j + 1, i)));
            double energy_w = 0.25 *
                              (SQ(AT(u, j, i - 1)) + SQ(AT(u, j, i)) + SQ(AT(v, j, i - 1)) + SQ(AT(v, j + 1, i - 1)));
            double slope = (g * (AT(eta, j, i) - AT(eta, j, i - 1)) + energy_e - energy_w) / dx;
            double spread = (AT(u, j, i + 1) - 2 * AT(u, j, i) + AT(u, j, i - 1)) / SQ(dx) +
                            (AT(u, j + 1, i) - 2 * AT(u, j, i) + AT(u, j - 1, i)) / SQ(dy);
            double rate = (f + 0.5 * (spin_s + spin_n)) * across - slope - drag * AT(u, j, i) + viscosity * spread;
            AT(next, j, i) = AT(wet, j, i) * (AT(u, j, i) + dt * rate);
        }
}

static void northward(double *restrict next, const double *restrict u, const double *restrict v,
                      const double *restrict eta, const double *restrict wet) {
#pragma omp parallel for
    for (int64_t j = 1; j < n - 1; j++)
#pragma omp simd
        for (int64_t i = 1; i < n - 1; i++) {
            double across = 0.25 * (AT(u, j - 1, i) + AT(u, j, i) + AT(u, j - 1, i + 1) + AT(u, j, i + 1));
            double spin_w = (AT(v, j, i) - AT(v, j, i - 1)) / dx - (AT(u, j, i) - AT(u, j - 1, i)) / dy;
            double spin_e = (AT(v, j, i + 1) - AT(v, j, i)) / dx - (AT(u, j, i + 1) - AT(u, j - 1, i + 1)) / dy;
            double energy_n = 0.25 * (SQ(AT(u, j, i)) + SQ(AT(u, j, i + 1)) + SQ(AT(v, j, i)) + SQ(AT(v, j + 1, i)));
            double energy_s = 0.25 *
                              (SQ(AT(u, j - 1, i)) + SQ(AT(u, j - 1, i + 1)) + SQ(AT(v, j - 1, i)) + SQ(AT(v, j, i)));
            double slope = (g * (AT(eta, j, i) - AT(eta, j - 1, i)) + energy_n - energy_s) / dy;
            double spread = (AT(v, j, i + 1) - 2 * AT(v, j, i) + AT(v, j, i - 1)) / SQ(dx) +
                            (AT(v, j + 1, i) - 2 * AT(v, j, i) + AT(v, j - 1, i)) / SQ(dy);
            double rate = -(f + 0.5 * (spin_w + spin_e)) * across - slope - drag * AT(v, j, i) + viscosity * spread;
            AT(next, j, i) = AT(wet, j, i) * (AT(v, j, i) + dt * rate);
        }
}

static double sea(int64_t i, int64_t j) { return i >= 2 && j >= 2 && i < n - 2 && j < n - 2 ? 1 : 0; }

static void swap(double **a, double **b) {
    double *t = *a;
    *a = *b;
    *b = t;
}

int main(void) {
    double *field[9];
    for (int k = 0; k < 9; k++) field[k] = doubles(n * n);
    double *depth = field[0], *wet_u = field[1], *wet_v = field[2], *eta = field[3], *u = field[4], *v = field[5];
    double *eta_next = field[6], *u_next = field[7], *v_next = field[8], start = 0;
#pragma omp parallel for
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++) {
            AT(depth, j, i) = 200 * sea(i, j);
            AT(wet_u, j, i) = sea(i, j) * sea(i - 1, j);
            AT(wet_v, j, i) = sea(i, j) * sea(i, j - 1);
            AT(eta, j, i) = AT(eta_next, j, i) = number(j * n + i) * sea(i, j);
            AT(u, j, i) = AT(v, j, i) = AT(u_next, j, i) = AT(v_next, j, i) = 0;
        }
    for (int t = 0; t < reps + 2; t++) {
        if (t == 2) start = now();
        continuity(eta_next, eta, depth, u, v);
        eastward(u_next, u, v, eta_next, wet_u);
        northward(v_next, u_next, v, eta_next, wet_v);
        swap(&eta, &eta_next), swap(&u, &u_next), swap(&v, &v_next);
    }
    double seconds = (now() - start) / reps, s = 0;
    for (int64_t i = 0; i < n * n; i++) s += SQ(eta[i]) + SQ(u[i]) + SQ(v[i]);
    report(s, seconds);
    for (int k = 0; k < 9; k++) free(field[k]);
}
