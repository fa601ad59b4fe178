/* Size and input of lud */
#include "rodinia.h"

#ifndef N
#define N 1024
#endif
enum { n = N };

static inline void input(float *a) {
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) a[i * n + j] = fraction(i * n + j, 7919, 10007) + (i == j ? n : 0);
}

static inline void results(const float *a, double seconds) {
    printf("check %.17g %.17g %.9g %.9g\n", sum_f32(a, n * n), weighted_f32(a, n * n), a[n * n - 1],
           a[n / 2 * n + n / 3]);
    printf("time %.9g\n", seconds);
}
