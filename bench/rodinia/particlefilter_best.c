/* With care: one parallel region; squares instead of pow, pixels read where they are needed; the sums grow, so that
 * resampling looks by bisection. */
#include "particlefilter.h"

enum { n = nparticles };

/* The first k with cdf[k] >= value, or n - 1 */
static int find_index(const double *cdf, double value) {
    int lo = 0, hi = n - 1;
    while (lo < hi) {
        int mid = (lo + hi) / 2;
        if (cdf[mid] >= value) hi = mid;
        else lo = mid + 1;
    }
    return lo;
}

static double likelihood_of(const uint8_t *frame, const uint8_t *first, const Disk *d, double x, double y) {
    int px = (int)round(x), py = (int)round(y);
    double s = 0;
    for (int k = 0; k < d->n; k++) {
        int ix = px + d->dx[k], iy = py + d->dy[k];
        int v = ix >= 0 && ix < side && iy >= 0 && iy < side ? frame[iy * side + ix] : first[0];
        s += ((v - 100) * (v - 100) - (v - 228) * (v - 228)) / 50.0;
    }
    return s / d->n;
}

static void filter(const uint8_t *video, Disk d, int32_t *seed, double *place) {
    double *x = doubles(n), *y = doubles(n), *xj = doubles(n), *yj = doubles(n), *w = doubles(n), *cdf = doubles(n + 1);
#pragma omp parallel for
    for (int i = 0; i < n; i++) x[i] = y[i] = side / 2;
    place[0] = place[1] = side / 2;
    for (int f = 1; f < frames; f++) {
        double total = 0, sx = 0, sy = 0;
#pragma omp parallel
        {
#pragma omp for schedule(static) reduction(+ : total)
            for (int i = 0; i < n; i++) {
                x[i] += 1 + 5 * normal(&seed[i]);
                y[i] += -2 + 2 * normal(&seed[i]);
                w[i] = 1.0 / n * exp(likelihood_of(video + f * side * side, video, &d, x[i], y[i]));
                total += w[i];
            }
#pragma omp for schedule(static) reduction(+ : sx, sy)
            for (int i = 0; i < n; i++) {
                w[i] /= total;
                sx += x[i] * w[i], sy += y[i] * w[i];
            }
#pragma omp single
            {
                place[2 * f] = sx, place[2 * f + 1] = sy;
                cdf[0] = w[0];
                for (int i = 1; i < n; i++) cdf[i] = w[i] + cdf[i - 1];
                cdf[n] = uniform(&seed[0]) / n;
            }
#pragma omp for schedule(static)
            for (int i = 0; i < n; i++) {
                int k = find_index(cdf, cdf[n] + (double)i / n);
                xj[i] = x[k], yj[i] = y[k];
            }
        }
        double *ox = x, *oy = y;
        x = xj, y = yj, xj = ox, yj = oy;
    }
    free(x), free(y), free(xj), free(yj), free(w), free(cdf);
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
