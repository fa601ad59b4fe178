#include "peer.h"

enum { n = 2000000, reps = 5 };

static double lse(const double *restrict x) {
    double top = -INFINITY, s = 0;
#pragma omp parallel for simd reduction(max : top)
    for (int64_t i = 0; i < n; i++) top = x[i] > top ? x[i] : top;
#pragma omp parallel for reduction(+ : s)
    for (int64_t i = 0; i < n; i++) s += exp(x[i] - top);
    return top + log(s);
}

int main(void) {
    double *x = doubles(n);
#pragma omp parallel for
    for (int64_t i = 0; i < n; i++) x[i] = 1000 * number(i);
    double s = lse(x);
    double start = now();
    for (int r = 0; r < reps; r++) {
        x[r] = s;
        s = lse(x);
    }
    report(s, (now() - start) / reps);
    free(x);
}
