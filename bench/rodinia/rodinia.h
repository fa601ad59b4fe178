/* What the C versions of the Rodinia programs share.  NAME_serial.c is the reference, one loop after the other, for
 * results; NAME_omp.c is written in the way of the suite's OpenMP version; NAME_best.c, where it is worthwhile, with
 * care.  All make the inputs by the formulas of NAME.dsl, and print `check` with the results and `time` with the
 * seconds of the computation alone.  Sizes are macros, so that -DNAME=VALUE makes them small. */
#ifndef RODINIA_H
#define RODINIA_H

#include <stdbool.h>

#include "peer.h"

/* A number in [0, 1) for element i, the same in both languages; another series for each (a, prime) */
static inline float fraction(int64_t i, int64_t a, int64_t prime) { return (float)(i * a % prime) / (float)prime; }

static inline double sum_f32(const float *x, int64_t n) {
    double s = 0;
    for (int64_t i = 0; i < n; i++) s += x[i];
    return s;
}

/* A sum in which the place of an element counts: elements that changed places are found */
static inline double weighted_f32(const float *x, int64_t n) {
    double s = 0;
    for (int64_t i = 0; i < n; i++) s += (double)x[i] * (double)(i % 1009);
    return s;
}
#endif
