#include "peer.h"

enum { c = 32, h = 64, n = 256, u = n + 2, reps = 5 };

/* A row of the result at a time: the innermost loop runs along rows and is a vector */
static void layer(float *restrict y, const float *restrict w, const float *restrict p) {
#pragma omp parallel for collapse(2) schedule(static)
    for (int64_t k = 0; k < c; k++)
        for (int64_t i = 0; i < h; i++) {
            float *row = y + (k * h + i) * n;
            for (int64_t j = 0; j < n; j++) row[j] = 0;
            for (int64_t l = 0; l < c; l++) {
                const float *a = w + (k * c + l) * 3, *x = p + (l * h + i) * u;
                for (int64_t j = 0; j < n; j++) row[j] += a[0] * x[j] + a[1] * x[j + 1] + a[2] * x[j + 2];
            }
        }
}

int main(void) {
    float *y = floats(c * h * n), *w = floats(c * c * 3), *p = floats(c * h * u);
    double s = 0;
    for (int64_t k = 0; k < c; k++)
        for (int64_t l = 0; l < c; l++)
            for (int64_t v = 0; v < 3; v++) w[(k * c + l) * 3 + v] = (float)((k * 7 + l * 3 + v) % 11 - 5) / 16;
#pragma omp parallel for
    for (int64_t l = 0; l < c; l++)
        for (int64_t i = 0; i < h; i++)
            for (int64_t j = 0; j < u; j++) p[(l * h + i) * u + j] = (float)((l * 5 + i * 3 + j) % 13 - 6) / 8;
    layer(y, w, p);
    double start = now();
    for (int64_t r = 0; r < reps; r++) {
        w[(r * c + r) * 3 + 1] = y[(r * h + r) * n + r] * (float)0.001;
        layer(y, w, p);
    }
    double seconds = (now() - start) / reps;
    for (int64_t i = 0; i < c * h * n; i++) s += fabsf(y[i]);
    report(s, seconds);
    free(y), free(w), free(p);
}
