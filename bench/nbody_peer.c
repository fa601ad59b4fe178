#include "peer.h"

enum { n = 2048, reps = 3 };
static const double eps = 1e-2, dt = 1e-3;

static void kick(double *restrict vx, double *restrict vy, double *restrict vz, const double *restrict x,
                 const double *restrict y, const double *restrict z, const double *restrict m) {
#pragma omp parallel for
    for (int64_t i = 0; i < n; i++) {
        double ax = 0, ay = 0, az = 0;
#pragma omp simd reduction(+ : ax, ay, az)
        for (int64_t j = 0; j < n; j++) {
            double rx = x[j] - x[i], ry = y[j] - y[i], rz = z[j] - z[i];
            double d2 = rx * rx + ry * ry + rz * rz + eps;
            double w = m[j] / (d2 * sqrt(d2));
            ax += w * rx;
            ay += w * ry;
            az += w * rz;
        }
        vx[i] += dt * ax;
        vy[i] += dt * ay;
        vz[i] += dt * az;
    }
}

static void drift(double *restrict x, const double *restrict v) {
#pragma omp simd
    for (int64_t i = 0; i < n; i++) x[i] += 1e-3 * v[i];
}

int main(void) {
    double *x = doubles(n), *y = doubles(n), *z = doubles(n), *vx = doubles(n), *vy = doubles(n), *vz = doubles(n),
           *m = doubles(n);
    for (int64_t i = 0; i < n; i++) {
        x[i] = number(i), y[i] = number(i + 3000), z[i] = number(i + 6000);
        vx[i] = vy[i] = vz[i] = 0, m[i] = 1.0 / n;
    }
    kick(vx, vy, vz, x, y, z, m);
    double start = now();
    for (int r = 0; r < reps; r++) {
        drift(x, vx), drift(y, vy), drift(z, vz);
        kick(vx, vy, vz, x, y, z, m);
    }
    double seconds = (now() - start) / reps, s = total(x, n) + total(y, n) + total(z, n);
    for (int64_t i = 0; i < n; i++) s += vx[i] * vx[i];
    report(s, seconds);
    free(x), free(y), free(z), free(vx), free(vy), free(vz), free(m);
}
