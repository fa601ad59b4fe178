#include "peer.h"

enum { n = 1000, reps = 3 };
typedef double Row[n + 1];
typedef double Weights[n + 2][3];

static int most(int x, int y) { return x > y ? x : y; }
static int least(int x, int y) { return x < y ? x : y; }

/* Keeps the three weights of each soft minimum; backwards each cell gathers from the three that it went into (Cuturi
 * and Blondel, Soft-DTW, 2017). */
static void slope(const double (*cost)[n], double (*restrict g)[n], Row *restrict r, Weights *restrict w) {
#pragma omp parallel
    {
#pragma omp for
        for (int i = 0; i <= n; i++)
            for (int j = 0; j <= n; j++) r[i][j] = most(i, j);
        for (int d = 2; d <= 2 * n; d++) {
#pragma omp for schedule(static)
            for (int i = most(1, d - n); i < least(d, n + 1); i++) {
                int j = d - i;
                double a = r[i - 1][j - 1], b = r[i - 1][j], c = r[i][j - 1], low = fmin(a, fmin(b, c));
                double x = exp(low - a), y = exp(low - b), z = exp(low - c), s = x + y + z;
                w[i][j][0] = x / s, w[i][j][1] = y / s, w[i][j][2] = z / s;
                r[i][j] = cost[i - 1][j - 1] + low - log(s);
            }
        }
        for (int d = 2 * n; d >= 2; d--) {
#pragma omp for schedule(static)
            for (int i = most(1, d - n); i < least(d, n + 1); i++) {
                int j = d - i;
                double e = d == 2 * n;
                if (i < n && j < n) e += g[i][j] * w[i + 1][j + 1][0];
                if (i < n) e += g[i][j - 1] * w[i + 1][j][1];
                if (j < n) e += g[i - 1][j] * w[i][j + 1][2];
                g[i - 1][j - 1] = e;
            }
        }
    }
}

int main(void) {
    double (*cost)[n] = memory(sizeof(double[n][n])), (*g)[n] = memory(sizeof(double[n][n]));
    Row *r = memory(sizeof(Row) * (n + 1));
    Weights *w = memory(sizeof(Weights) * (n + 2));
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) cost[i][j] = number(i * n + j);
    slope((const double (*)[n])cost, g, r, w);
    double start = now();
    for (int k = 0; k < reps; k++) {
        descend(cost[0], g[0], 1e-3, n * n);
        slope((const double (*)[n])cost, g, r, w);
    }
    double seconds = (now() - start) / reps;
    double sum = total(g[0], n * n);
    printf("check %.17g %.17g %.17g %.17g\ntime %.9g\n", g[0][0], g[500][480], g[n - 1][n - 1], sum, seconds);
    free(cost), free(g), free(r), free(w);
}
