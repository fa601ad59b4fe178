/* What the PolyBench programs in C share: serial, arrays on the heap, one run timed.  Sizes are macros, given by
 * tools/bench.sh from the constants of the .dsl. */
#ifndef POLY_H
#define POLY_H

#include "peer.h"

#define ARRAY1(x, n) double *x = doubles(n)
#define ARRAY2(x, n, m) double(*x)[m] = memory(sizeof(double) * (n) * (m))
#define ARRAY3(x, n, m, k) double(*x)[m][k] = memory(sizeof(double) * (n) * (m) * (k))
#define FOR2(i, j, n, m) \
    for (long i = 0; i < (n); i++) \
        for (long j = 0; j < (m); j++)
#define TIMED(call) \
    do { \
        double start_ = now(); \
        call; \
        printf("time %.9g\n", now() - start_); \
    } while (0)

/* A checksum and, when there are few, the elements */
static inline void show(const double *x, long n) {
    double s = 0;
    for (long i = 0; i < n; i++) s += x[i] * (double)(1 + i % 13);
    printf("check %.17g\n", s);
    for (long i = 0; i < n && n <= 1000; i++) printf("check %.17g\n", x[i]);
}
#endif
