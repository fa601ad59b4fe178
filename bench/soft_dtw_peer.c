#include "peer.h"

enum { n = 512, reps = 5, w = n + 1 };

/* g: of the value by x; r and e: the table and its adjoints */
static void slope(const double *x, const double *y, double *g, double gamma, double (*r)[w], double (*e)[w]) {
    for (int i = 0; i <= n; i++)
        for (int j = 0; j <= n; j++) r[i][j] = 1e10, e[i][j] = 0;
    r[0][0] = 0;
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= n; j++) {
            double a = r[i - 1][j - 1], b = r[i - 1][j], c = r[i][j - 1];
            double m = fmin(a, fmin(b, c)), d = x[i - 1] - y[j - 1];
            r[i][j] = d * d + m - gamma * log(exp((m - a) / gamma) + exp((m - b) / gamma) + exp((m - c) / gamma));
        }
    memset(g, 0, n * sizeof *g);
    e[n][n] = 1;
    for (int i = n; i >= 1; i--)
        for (int j = n; j >= 1; j--) {
            double d = x[i - 1] - y[j - 1], s = r[i][j] - d * d, f = e[i][j];
            g[i - 1] += 2 * d * f;
            e[i - 1][j - 1] += f * exp((s - r[i - 1][j - 1]) / gamma);
            e[i - 1][j] += f * exp((s - r[i - 1][j]) / gamma);
            e[i][j - 1] += f * exp((s - r[i][j - 1]) / gamma);
        }
}

int main(void) {
    double *x = doubles(n), *y = doubles(n), *g = doubles(n), s = 0;
    double (*r)[w] = memory(sizeof(double[w][w])), (*e)[w] = memory(sizeof(double[w][w]));
    for (int i = 0; i < n; i++) x[i] = number(i), y[i] = number(i + 31);
    slope(x, y, g, 0.1, r, e);
    double start = now();
    for (int k = 0; k < reps; k++) {
        for (int i = 0; i < n; i++) x[i] -= 0.01 * g[i];
        slope(x, y, g, 0.1, r, e);
    }
    double seconds = (now() - start) / reps;
    for (int i = 0; i < n; i++) s += g[i] * g[i];
    report(s, seconds);
    free(x), free(y), free(g), free(r), free(e);
}
