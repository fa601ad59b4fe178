/* Nanoseconds for each element of y = f(x), one thread, a million elements: the functions of runtime/elementary.h, or
 * with -DLIBM those of math.h, which under -ffast-math are vectors of libmvec.  Processor time, the least of 31 times;
 * tools/bench_elementary.sh. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#ifdef LIBM
#define FN(name) name
#else
#include "runtime/elementary.h"
#define FN(name) dsl_##name
#endif

enum { N = 1000000, TIMES = 31 };
#define EACH(X) \
    X(exp, -10, 10) \
    X(exp2, -10, 10) X(expm1, -5, 5) X(log, 0.01, 100) X(log2, 0.01, 100) X(log10, 0.01, 100) X(log1p, -0.9, 100) \
        X(sin, -10, 10) X(cos, -10, 10) X(tan, -10, 10) X(asin, -1, 1) X(acos, -1, 1) X(atan, -10, 10) X(sinh, -5, 5) \
            X(cosh, -5, 5) X(tanh, -5, 5) X(erf, -5, 5)

typedef void Loop64(double *restrict y, const double *restrict x, const double *restrict z);
typedef void Loop32(float *restrict y, const float *restrict x, const float *restrict z);

#define LOOP(name, T, f, ...) \
    static __attribute__((noinline)) void name(T *restrict y, const T *restrict x, const T *restrict z) { \
        (void)z; \
        _Pragma("omp simd") for (long i = 0; i < N; i++) y[i] = f(__VA_ARGS__); \
    }
#define LOOPS(name, lo, hi) LOOP(name##_64, double, FN(name), x[i]) LOOP(name##_32, float, FN(name##f), x[i])
EACH(LOOPS)
LOOP(pow_64, double, FN(pow), x[i], z[i])
LOOP(pow_32, float, FN(powf), x[i], z[i])

static double x64[N], y64[N], z64[N];
static float x32[N], y32[N], z32[N];

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void measure(const char *name, Loop64 *f64, Loop32 *f32, double lo, double hi) {
    double least64 = 1e300, least32 = 1e300;
    for (int i = 0; i < N; i++) {
        x64[i] = lo + (hi - lo) * drand48(), z64[i] = 10 * drand48() - 5;
        x32[i] = (float)x64[i], z32[i] = (float)z64[i];
    }
    for (int i = 0; i < TIMES; i++) {
        double start = now();
        f64(y64, x64, z64);
        double middle = now();
        f32(y32, x32, z32);
        double end = now();
        least64 = fmin(least64, (middle - start) / N), least32 = fmin(least32, (end - middle) / N);
    }
    printf("%s %.2f %.2f\n", name, least64, least32);
}

int main(void) {
#define MEASURE(name, lo, hi) measure(#name, name##_64, name##_32, lo, hi);
    EACH(MEASURE)
    measure("pow", pow_64, pow_32, 0.01, 10);
    return 0;
}
