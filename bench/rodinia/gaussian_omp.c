/* In the way of the suite (which has this program for CUDA and OpenCL only): the multipliers of a column, then the rows
 * below */
#include "gaussian.h"

static void fan1(float *m, const float *a, int t) {
#pragma omp parallel for
    for (int i = 0; i < n - 1 - t; i++) m[(i + t + 1) * n + t] = a[(i + t + 1) * n + t] / a[t * n + t];
}

static void fan2(float *a, float *b, const float *m, int t) {
#pragma omp parallel for
    for (int x = 0; x < n - 1 - t; x++)
        for (int y = 0; y < n - t; y++) {
            a[(x + 1 + t) * n + y + t] -= m[(x + 1 + t) * n + t] * a[t * n + y + t];
            if (y == 0) b[x + 1 + t] -= m[(x + 1 + t) * n + t] * b[t];
        }
}

int main(void) {
    float *a = floats(n * n), *b = floats(n), *m = floats(n * n), *x = floats(n);
    double seconds = 0;
    for (int r = 0; r < reps; r++) {
        inputs(a, b, r);
        double start = now();
        for (int t = 0; t < n - 1; t++) {
            fan1(m, a, t);
            fan2(a, b, m, t);
        }
        back_substitution(a, b, x);
        seconds += now() - start;
    }
    results(x, seconds / reps);
    free(a), free(b), free(m), free(x);
}
