#include "peer.h"

enum { n = 1 << 20, reps = 3 };

static void step(float *restrict y, int j, int k) {
#pragma omp parallel for
    for (int i = 0; i < n / 2; i++) {
        int low = i % j, first = 2 * (i - low) + low, other = first + j;
        if (other < n) {
            float a = y[first], b = y[other];
            if ((a > b) == (first / k % 2 == 0)) {
                y[first] = b;
                y[other] = a;
            }
        }
    }
}

static void sort(float *restrict y, const float *restrict x) {
    memcpy(y, x, n * sizeof *y);
    for (int k = 2; k <= n; k *= 2)
        for (int j = k / 2; j > 0; j /= 2) step(y, j, k);
}

int main(void) {
    float *x = floats(n), *y = floats(n);
    double s = 0;
    for (int64_t i = 0; i < n; i++) x[i] = (float)(i * 7919 % 1000003);
    sort(y, x);
    double start = now();
    for (int r = 0; r < reps; r++) sort(y, x);
    double seconds = (now() - start) / reps;
    for (int64_t i = 0; i < n; i++) s += (double)y[i] * (double)(i % 7);
    report(s, seconds);
    free(x), free(y);
}
