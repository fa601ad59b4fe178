#include "peer.h"

enum { n = 1024, reps = 3 };

/* A row at a time, so that the innermost loop runs along rows and is a vector */
static void product(float *restrict c, const float *restrict a, const float *restrict b, const float *restrict bias) {
#pragma omp parallel for schedule(static)
    for (int64_t i = 0; i < n; i++) {
        for (int64_t j = 0; j < n; j++) c[i * n + j] = bias[i];
        for (int64_t k = 0; k < n; k++) {
            float x = a[i * n + k];
            for (int64_t j = 0; j < n; j++) c[i * n + j] += x * b[k * n + j];
        }
    }
}

int main(void) {
    float *a = floats(n * n), *b = floats(n * n), *c = floats(n * n), *bias = floats(n);
    double s = 0;
#pragma omp parallel for
    for (int64_t i = 0; i < n; i++) {
        bias[i] = (float)(i % 10);
        for (int64_t j = 0; j < n; j++) {
            a[i * n + j] = (float)((i * n + j) * 7919 % 10007) / (float)10007;
            b[i * n + j] = (float)((j * n + i) * 7919 % 10007) / (float)10007;
        }
    }
    product(c, a, b, bias);
    double start = now();
    for (int r = 0; r < reps; r++) {
        b[r * n + r] = c[r * n + r] * (float)0.001;
        product(c, a, b, bias);
    }
    double seconds = (now() - start) / reps;
    for (int64_t i = 0; i < n * n; i++) s += c[i];
    report(s, seconds);
    free(a), free(b), free(c), free(bias);
}
