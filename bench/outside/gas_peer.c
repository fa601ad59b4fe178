#include "peer.h"

enum { n = 200000, steps = 20 };
static const double gamma_ = 1.4, ratio = 0.2;

typedef struct {
    double rho, mom, energy;
} Cell;

static inline double pressure(Cell c) { return (gamma_ - 1) * (c.energy - 0.5 * c.mom * c.mom / c.rho); }
static inline double speed(Cell c) { return fabs(c.mom / c.rho) + sqrt(gamma_ * pressure(c) / c.rho); }

static inline Cell flux(Cell l, Cell r) {
    double a = speed(l) > speed(r) ? speed(l) : speed(r), pl = pressure(l), pr = pressure(r), ul = l.mom / l.rho,
           ur = r.mom / r.rho;
    return (Cell){0.5 * (l.mom + r.mom - a * (r.rho - l.rho)),
                  0.5 * (l.mom * ul + pl + r.mom * ur + pr - a * (r.mom - l.mom)),
                  0.5 * ((l.energy + pl) * ul + (r.energy + pr) * ur - a * (r.energy - l.energy))};
}

static inline Cell cell(const double *rho, const double *mom, const double *energy, int i) {
    return (Cell){rho[i], mom[i], energy[i]};
}

static void step(double *restrict rho1, double *restrict mom1, double *restrict energy1, const double *restrict rho,
                 const double *restrict mom, const double *restrict energy) {
#pragma omp parallel for simd
    for (int i = 1; i < n - 1; i++) {
        Cell here = cell(rho, mom, energy, i);
        Cell west = flux(cell(rho, mom, energy, i - 1), here), east = flux(here, cell(rho, mom, energy, i + 1));
        rho1[i] = here.rho - ratio * (east.rho - west.rho);
        mom1[i] = here.mom - ratio * (east.mom - west.mom);
        energy1[i] = here.energy - ratio * (east.energy - west.energy);
    }
}

int main(void) {
    double *a[3], *b[3], start = 0;
    for (int v = 0; v < 3; v++) a[v] = doubles(n), b[v] = doubles(n);
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        a[0][i] = b[0][i] = i < n / 2 ? 1 : 0.125;
        a[1][i] = b[1][i] = 0;
        a[2][i] = b[2][i] = i < n / 2 ? 2.5 : 0.25;
    }
    for (int t = 0; t < steps + 1; t++) {
        if (t == 1) start = now();
        step(b[0], b[1], b[2], a[0], a[1], a[2]);
        for (int v = 0; v < 3; v++) {
            double *old = a[v];
            a[v] = b[v], b[v] = old;
        }
    }
    double seconds = (now() - start) / steps;
    printf("check %.17g %.17g %.17g\ntime %.9g\n", total(a[0], n), total(a[2], n), a[1][n / 2], seconds);
    for (int v = 0; v < 3; v++) free(a[v]), free(b[v]);
}
