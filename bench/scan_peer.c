#include "peer.h"

enum { n = 10000000, reps = 10 };

/* Two passes: each thread sums its part, then scans it from where its left neighbours end. */
static void scan(double *restrict y, const double *restrict x) {
    static double ends[257];
#pragma omp parallel
    {
        int t = omp_get_thread_num(), threads = omp_get_num_threads();
        int64_t lo = (int64_t)n * t / threads, hi = (int64_t)n * (t + 1) / threads;
        double s = 0;
        if (threads > 1) {
#pragma omp simd reduction(+ : s)
            for (int64_t i = lo; i < hi; i++) s += x[i];
        }
        ends[t + 1] = s;
#pragma omp barrier
        s = 0;
        for (int k = 1; k <= t; k++) s += ends[k];
        for (int64_t i = lo; i < hi; i++) y[i] = s += x[i];
    }
}

int main(void) {
    double *x = doubles(n), *y = doubles(n);
#pragma omp parallel for
    for (int64_t i = 0; i < n; i++) x[i] = number(i), y[i] = 0;
    scan(y, x);
    double start = now();
    for (int r = 0; r < reps; r++) {
        x[r] = 1e-7 * y[n - 1];
        scan(y, x);
    }
    report(y[n / 2] + y[n - 1], (now() - start) / reps);
    free(x), free(y);
}
