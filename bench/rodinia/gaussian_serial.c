/* TOLERANCE: 1e-6 (f32; every version computes each element in the same order) */
#include "gaussian.h"

static void eliminate(float *a, float *b) {
    for (int t = 0; t < n - 1; t++)
        for (int i = t + 1; i < n; i++) {
            float m = a[i * n + t] / a[t * n + t];
            for (int j = t; j < n; j++) a[i * n + j] -= m * a[t * n + j];
            b[i] -= m * b[t];
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
