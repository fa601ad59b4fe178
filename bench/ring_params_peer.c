#include "peer.h"

enum { n = 1024, m = 1024, steps = 4, reps = 5 };

static void step(double *restrict next, const double *restrict u, const double *p) {
#pragma omp parallel for
    for (int64_t i = 0; i < n; i++) {
        const double *here = u + i * m, *up = u + (i + n - 1) % n * m, *down = u + (i + 1) % n * m;
        for (int64_t j = 0; j < m; j++) {
            double x = here[j], left = here[j ? j - 1 : m - 1], right = here[j + 1 < m ? j + 1 : 0];
            next[i * m + j] = x + p[0] * (up[j] + down[j] + left + right - 4 * x) - p[1] * x * x * x;
        }
    }
}

/* What the elements of u, and the parameters, get of those of next */
static void step_back(double *restrict gu, const double *restrict g, const double *restrict u, const double *p,
                      double *gp) {
    double gp0 = 0, gp1 = 0;
#pragma omp parallel for reduction(+ : gp0, gp1)
    for (int64_t i = 0; i < n; i++) {
        const double *here = g + i * m, *up = g + (i + n - 1) % n * m, *down = g + (i + 1) % n * m;
        const double *v = u + i * m, *above = u + (i + n - 1) % n * m, *below = u + (i + 1) % n * m;
#pragma omp simd reduction(+ : gp0, gp1)
        for (int64_t j = 0; j < m; j++) {
            int64_t l = j ? j - 1 : m - 1, r = j + 1 < m ? j + 1 : 0;
            double x = v[j], around = up[j] + down[j] + here[l] + here[r];
            gu[i * m + j] = here[j] + p[0] * (around - 4 * here[j]) - 3 * p[1] * x * x * here[j];
            gp0 += here[j] * (above[j] + below[j] + v[l] + v[r] - 4 * x);
            gp1 -= here[j] * x * x * x;
        }
    }
    gp[0] += gp0, gp[1] += gp1;
}

static void gradient(double *restrict g, double *gp, double *const *states, double *restrict other, const double *p) {
    for (int t = 0; t < steps; t++) step(states[t + 1], states[t], p);
    double *from = steps % 2 ? other : g, *to = steps % 2 ? g : other;
    for (int64_t i = 0; i < n * m; i++) from[i] = states[steps][i];
    gp[0] = gp[1] = 0;
    for (int t = steps - 1; t >= 0; t--) {
        step_back(to, from, states[t], p, gp);
        double *old = from;
        from = to, to = old;
    }
}

int main(void) {
    double *states[steps + 1], *g = doubles(n * m), *other = doubles(n * m), p[] = {0.1, 0.01}, gp[2];
    for (int t = 0; t <= steps; t++) states[t] = doubles(n * m);
    for (int64_t i = 0; i < n * m; i++) states[0][i] = number(i), g[i] = other[i] = 0;
    gradient(g, gp, states, other, p);
    double start = now();
    for (int r = 0; r < reps; r++) {
#pragma omp parallel for
        for (int64_t i = 0; i < n * m; i++) states[0][i] -= 0.1 * g[i];
        p[0] -= 1e-9 * gp[0], p[1] -= 1e-9 * gp[1];
        gradient(g, gp, states, other, p);
    }
    double seconds = (now() - start) / reps;
    report(total(g, n * m) + gp[0] + gp[1], seconds);
    for (int t = 0; t <= steps; t++) free(states[t]);
    free(g), free(other);
}
