/* What the hand-written peers share.  Each does what the .dsl beside it does, the way one writes it by hand
 * with care: OpenMP, restrict, memory first touched by the thread that uses it.  Prints the checksum and the
 * seconds of one repetition, as the .dsl does. */
#ifndef PEER_H
#define PEER_H

#include <math.h>
#ifdef _OPENMP
#include <omp.h>
#endif
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static inline double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static inline void *memory(size_t bytes) {
    void *p = aligned_alloc(64, (bytes + 63) / 64 * 64);
    if (!p) abort();
    return p;
}
static inline double *doubles(size_t n) { return memory(n * sizeof(double)); }
static inline float *floats(size_t n) { return memory(n * sizeof(float)); }

/* A cheap number in [0, 1) for element i, the same in both programs */
static inline double number(int64_t i) { return (double)(i * 7919 % 10007) / 10007.0; }

/* A number in [0, 2^32) for element i that is like a random one */
static inline double mixed(int64_t i) {
    uint64_t h = (uint64_t)i * 2654435761u % 4294967296u;
    return (double)((h ^ h >> 15) * 2246822519u % 4294967296u);
}

/* A step down a slope of n numbers, by which the next repetition has another beginning */
static inline void descend(double *x, const double *slope, double rate, int64_t n) {
    for (int64_t i = 0; i < n; i++) x[i] -= rate * slope[i];
}

static inline void report(double check, double seconds) { printf("check %.17g\ntime %.9g\n", check, seconds); }

static inline double total(const double *x, int64_t n) {
    double s = 0;
#pragma omp parallel for simd reduction(+ : s)
    for (int64_t i = 0; i < n; i++) s += x[i];
    return s;
}
#endif
