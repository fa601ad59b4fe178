/* LIBS: -lopenblas */
#include "peer.h"

#include <cblas.h>

enum { n = 1024, reps = 3 };

static void product(double *c, const double *a, const double *b) {
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1, a, n, b, n, 0, c, n);
}

int main(void) {
    double *a = doubles(n * n), *b = doubles(n * n), *c = doubles(n * n);
    double s = 0;
#pragma omp parallel for
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) {
            a[i * n + j] = (double)((i * n + j) * 7919 % 10007) / (double)10007;
            b[i * n + j] = (double)((j * n + i) * 7919 % 10007) / (double)10007;
        }
    openblas_set_num_threads(omp_get_max_threads());
    product(c, a, b);
    double start = now();
    for (int r = 0; r < reps; r++) {
        b[r * n + r] = c[r * n + r] * (double)0.001;
        product(c, a, b);
    }
    double seconds = (now() - start) / reps;
    for (int64_t i = 0; i < n * n; i++) s += c[i];
    report(s, seconds);
    free(a), free(b), free(c);
}
