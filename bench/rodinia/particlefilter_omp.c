/* In the way of the suite: a parallel loop for each step of the filter; resampling looks through the sums from the
 * start for each particle; places in the picture are kept in an array before they are read. */
#include "particlefilter.h"

enum { n = nparticles };

static int find_index(const double *cdf, double value) {
    for (int k = 0; k < n; k++)
        if (cdf[k] >= value) return k;
    return n - 1;
}

static void filter(const uint8_t *video, Disk d, int32_t *seed, double *place) {
    double *x = doubles(n), *y = doubles(n), *xj = doubles(n), *yj = doubles(n), *w = doubles(n), *cdf = doubles(n),
           *u = doubles(n), *likelihood = doubles(n);
    int *at = memory(sizeof(int) * n * d.n);
#pragma omp parallel for
    for (int i = 0; i < n; i++) x[i] = y[i] = side / 2, w[i] = 1.0 / n;
    place[0] = place[1] = side / 2;
    for (int f = 1; f < frames; f++) {
#pragma omp parallel for
        for (int i = 0; i < n; i++) {
            x[i] += 1 + 5 * normal(&seed[i]);
            y[i] += -2 + 2 * normal(&seed[i]);
        }
#pragma omp parallel for
        for (int i = 0; i < n; i++) {
            for (int k = 0; k < d.n; k++) {
                int ix = (int)round(x[i]) + d.dx[k], iy = (int)round(y[i]) + d.dy[k];
                at[i * d.n + k] = ix >= 0 && ix < side && iy >= 0 && iy < side ? (f * side + iy) * side + ix : 0;
            }
            likelihood[i] = 0;
            for (int k = 0; k < d.n; k++)
                likelihood[i] += (pow(video[at[i * d.n + k]] - 100, 2) - pow(video[at[i * d.n + k]] - 228, 2)) / 50.0;
            likelihood[i] /= d.n;
        }
#pragma omp parallel for
        for (int i = 0; i < n; i++) w[i] *= exp(likelihood[i]);
        double total = 0, sx = 0, sy = 0;
#pragma omp parallel for reduction(+ : total)
        for (int i = 0; i < n; i++) total += w[i];
#pragma omp parallel for
        for (int i = 0; i < n; i++) w[i] /= total;
#pragma omp parallel for reduction(+ : sx, sy)
        for (int i = 0; i < n; i++) sx += x[i] * w[i], sy += y[i] * w[i];
        place[2 * f] = sx, place[2 * f + 1] = sy;
        cdf[0] = w[0];
        for (int i = 1; i < n; i++) cdf[i] = w[i] + cdf[i - 1];
        double u1 = uniform(&seed[0]) / n;
#pragma omp parallel for
        for (int i = 0; i < n; i++) u[i] = u1 + (double)i / n;
#pragma omp parallel for
        for (int i = 0; i < n; i++) {
            int k = find_index(cdf, u[i]);
            xj[i] = x[k], yj[i] = y[k];
        }
#pragma omp parallel for
        for (int i = 0; i < n; i++) x[i] = xj[i], y[i] = yj[i], w[i] = 1.0 / n;
    }
    free(x), free(y), free(xj), free(yj), free(w), free(cdf), free(u), free(likelihood), free(at);
}

int main(void) {
    uint8_t *video = inputs();
    double *place = doubles(2 * frames);
    int32_t *seed = memory(n * sizeof(int32_t));
    for (int i = 0; i < n; i++) seed[i] = first_seed(i);
    double start = now();
    filter(video, disk(), seed, place);
    results(place, now() - start);
    free(video), free(place), free(seed);
}
