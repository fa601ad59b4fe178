#include "peer.h"

enum { n = 1000000 };

static void merge(double *restrict to, const double *restrict from, int lo, int mid, int hi) {
    int i = lo, j = mid;
    for (int k = lo; k < hi; k++) {
        if (i < mid && (j >= hi || from[i] <= from[j]))
            to[k] = from[i++];
        else
            to[k] = from[j++];
    }
}

static double *sort(double *a, double *b, const double *x) {
    memcpy(a, x, sizeof(double) * n);
    for (int width = 1; width < n; width *= 2) {
#pragma omp parallel for
        for (int lo = 0; lo < n; lo += 2 * width) {
            int mid = lo + width < n ? lo + width : n, hi = lo + 2 * width < n ? lo + 2 * width : n;
            merge(b, a, lo, mid, hi);
        }
        double *old = a;
        a = b, b = old;
    }
    return a;
}

int main(void) {
    double *x = doubles(n), *a = doubles(n), *b = doubles(n);
    for (int64_t i = 0; i < n; i++) x[i] = (double)(i * 7919 % 1000003) / 1000003.0;
    sort(a, b, x);
    double start = now(), *s = sort(a, b, x), seconds = now() - start;
    int ordered = 1;
    for (int i = 0; i < n - 1; i++) ordered &= s[i] <= s[i + 1];
    printf("check %.17g %.17g %.17g %s\ntime %.9g\n", s[0], s[n / 2], s[n - 1], ordered ? "true" : "false", seconds);
    free(x), free(a), free(b);
}
