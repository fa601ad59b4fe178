#include "peer.h"

enum { systems = 4096, n = 128, reps = 5, width = 64 };

/* `width` systems at once, so that inner loops run along memory */
static void solve_all(double *restrict x, const double *restrict lower, const double *restrict diagonal,
                      const double *restrict upper, const double *restrict right) {
#pragma omp parallel for
    for (int s = 0; s < systems; s += width) {
        double c[n][width], d[n][width];
        for (int k = 0; k < width; k++) {
            c[0][k] = upper[s + k] / diagonal[s + k];
            d[0][k] = right[s + k] / diagonal[s + k];
        }
        for (int i = 1; i < n; i++)
            for (int k = 0; k < width; k++) {
                int at = i * systems + s + k;
                double w = diagonal[at] - lower[at] * c[i - 1][k];
                c[i][k] = upper[at] / w;
                d[i][k] = (right[at] - lower[at] * d[i - 1][k]) / w;
            }
        for (int k = 0; k < width; k++) x[(n - 1) * systems + s + k] = d[n - 1][k];
        for (int i = n - 2; i >= 0; i--)
            for (int k = 0; k < width; k++) {
                int at = i * systems + s + k;
                x[at] = d[i][k] - c[i][k] * x[at + systems];
            }
    }
}

int main(void) {
    enum { all = systems * n };
    double *x = doubles(all), *lower = doubles(all), *diagonal = doubles(all), *upper = doubles(all),
           *right = doubles(all);
#pragma omp parallel for
    for (int64_t at = 0; at < all; at++) {
        lower[at] = -1 - number(at);
        upper[at] = -1 + (double)(at * 31 % 997) / 997;
        diagonal[at] = 4 + (double)(at / systems % 7);
        right[at] = (double)(at % systems % 13) + (double)(at / systems) / n;
    }
    solve_all(x, lower, diagonal, upper, right);
    double start = now();
    for (int r = 0; r < reps; r++) solve_all(x, lower, diagonal, upper, right);
    double seconds = (now() - start) / reps;
    printf("check %.17g %.17g\ntime %.9g\n", total(x, all), x[n / 2 * systems + systems / 3], seconds);
    free(x), free(lower), free(diagonal), free(upper), free(right);
}
