/* One parallel loop for each column; the multiplier stays in a register; simd along the row */
#include "gaussian.h"

static void eliminate(float *a, float *b) {
    for (int t = 0; t < n - 1; t++) {
        const float *restrict from = a + t * n;
#pragma omp parallel for schedule(static)
        for (int i = t + 1; i < n; i++) {
            float *restrict to = a + i * n, m = to[t] / from[t];
#pragma omp simd
            for (int j = t; j < n; j++) to[j] -= m * from[j];
            b[i] -= m * b[t];
        }
    }
}

int main(void) {
    float *a = floats(n * n), *b = floats(n), *x = floats(n);
    double seconds = 0;
    for (int r = 0; r < reps; r++) {
        inputs(a, b, r);
        double start = now();
        eliminate(a, b);
        back_substitution(a, b, x);
        seconds += now() - start;
    }
    results(x, seconds / reps);
    free(a), free(b), free(x);
}
