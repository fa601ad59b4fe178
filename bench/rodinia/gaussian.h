/* Sizes and system of gaussian */
#include "random.h"

#ifndef N
#define N 1024
#endif
#ifndef REPS
#define REPS 1
#endif
enum { n = N, reps = REPS };

static inline void inputs(float *a, float *b, int r) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) a[i * n + j] = (float)(10 * exp(-0.01 * abs(i - j)));
        b[i] = 1.0f + r;
    }
}

static inline void back_substitution(const float *a, const float *b, float *x) {
    for (int row = n - 1; row >= 0; row--) {
        x[row] = b[row];
        for (int j = n - 1; j > row; j--) x[row] -= a[row * n + j] * x[j];
        x[row] /= a[row * n + row];
    }
}

static inline void results(const float *x, double seconds) {
    double s = 0;
    for (int i = 0; i < n; i++) s += (double)x[i] * (1 + i % 3);
    printf("check %.17g %.9g\ntime %.9g\n", s, x[n / 2], seconds);
}
