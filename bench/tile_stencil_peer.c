#include "peer.h"

enum { n = 1024, m = 1024, steps = 4, reps = 5 };

static int64_t clamped(int64_t i, int64_t end) { return i < 0 ? 0 : i >= end ? end - 1 : i; }

static void step(double *restrict next, const double *restrict u) {
#pragma omp parallel for
    for (int64_t i = 0; i < n; i++) {
        const double *here = u + i * m, *up = u + clamped(i - 1, n) * m, *down = u + clamped(i + 1, n) * m;
        for (int64_t j = 0; j < m; j++) {
            double x = here[j], around = up[j] + down[j] + here[clamped(j - 1, m)] + here[clamped(j + 1, m)];
            next[i * m + j] = x + 0.1 * (around - 4 * x) - 0.01 * x * x * x;
        }
    }
}

/* What the elements of u get of those of next, by hand: neighbours give 0.1, what is clamped gives it to itself */
static void step_back(double *restrict gu, const double *restrict g, const double *restrict u) {
#pragma omp parallel for
    for (int64_t i = 0; i < n; i++) {
        const double *here = g + i * m, *up = g + clamped(i - 1, n) * m, *down = g + clamped(i + 1, n) * m;
        for (int64_t j = 0; j < m; j++) {
            double x = u[i * m + j], around = up[j] + down[j] + here[clamped(j - 1, m)] + here[clamped(j + 1, m)];
            gu[i * m + j] = here[j] + 0.1 * (around - 4 * here[j]) - 0.03 * x * x * here[j];
        }
    }
}

static void gradient(double *restrict g, double *const *states, double *restrict other) {
    for (int t = 0; t < steps; t++) step(states[t + 1], states[t]);
    double *from = steps % 2 ? other : g, *to = steps % 2 ? g : other;
    for (int64_t i = 0; i < n * m; i++) from[i] = states[steps][i];
    for (int t = steps - 1; t >= 0; t--) {
        step_back(to, from, states[t]);
        double *old = from;
        from = to, to = old;
    }
}

int main(void) {
    double *states[steps + 1], *g = doubles(n * m), *other = doubles(n * m);
    for (int t = 0; t <= steps; t++) states[t] = doubles(n * m);
    for (int64_t i = 0; i < n * m; i++) states[0][i] = number(i), g[i] = other[i] = 0;
    gradient(g, states, other);
    double start = now();
    for (int r = 0; r < reps; r++) {
#pragma omp parallel for
        for (int64_t i = 0; i < n * m; i++) states[0][i] -= 0.1 * g[i];
        gradient(g, states, other);
    }
    double seconds = (now() - start) / reps;
    report(total(g, n * m), seconds);
    for (int t = 0; t <= steps; t++) free(states[t]);
    free(g), free(other);
}
