/* TOLERANCE: 1e-9 (f64; the weights are summed in different orders; a sum that falls on the other side of a threshold
 * would pick the next particle, which the sums over all particles show as less than that) */
#include "particlefilter.h"

int main(void) {
    enum { n = nparticles };
    uint8_t *video = inputs();
    Disk d = disk();
    double *place = doubles(2 * frames), *x = doubles(n), *y = doubles(n), *w = doubles(n), *cdf = doubles(n),
           *nx = doubles(n), *ny = doubles(n);
    int32_t *seed = memory(n * sizeof(int32_t));
    for (int i = 0; i < n; i++) seed[i] = first_seed(i);
    double start = now();
    for (int i = 0; i < n; i++) x[i] = y[i] = side / 2, w[i] = 1.0 / n;
    place[0] = place[1] = side / 2;
    for (int f = 1; f < frames; f++) {
        double total = 0, sx = 0, sy = 0;
        for (int i = 0; i < n; i++) {
            x[i] += 1 + 5 * normal(&seed[i]);
            y[i] += -2 + 2 * normal(&seed[i]);
            double sum = 0;
            for (int k = 0; k < d.n; k++) {
                int64_t ix = llround(x[i]) + d.dx[k], iy = llround(y[i]) + d.dy[k];
                bool inside = ix >= 0 && ix < side && iy >= 0 && iy < side;
                double v = inside ? video[(f * side + iy) * side + ix] : video[0];
                sum += ((v - 100) * (v - 100) - (v - 228) * (v - 228)) / 50;
            }
            w[i] *= exp(sum / d.n);
            total += w[i];
        }
        for (int i = 0; i < n; i++) w[i] /= total, sx += x[i] * w[i], sy += y[i] * w[i];
        place[2 * f] = sx, place[2 * f + 1] = sy;
        for (int i = 0; i < n; i++) cdf[i] = w[i] + (i > 0 ? cdf[i - 1] : 0);
        double u1 = uniform(&seed[0]) / n;
        for (int i = 0, k = 0; i < n; i++) {
            while (k < n - 1 && cdf[k] < u1 + (double)i / n) k++;
            nx[i] = x[k], ny[i] = y[k];
        }
        for (int i = 0; i < n; i++) x[i] = nx[i], y[i] = ny[i], w[i] = 1.0 / n;
    }
    results(place, now() - start);
    free(video), free(place), free(x), free(y), free(w), free(cdf), free(nx), free(ny), free(seed);
}
