#include "peer.h"

enum { n = 3000000, reps = 3 };

static int64_t ones(int64_t x) {
    int64_t c = 0;
    for (int k = 0; k < 24; k++) c += (x >> k) & 1;
    return c;
}
static int64_t backwards(int64_t x) {
    int64_t r = 0;
    for (int k = 0; k < 24; k++) r = (r << 1) | ((x >> k) & 1);
    return r;
}
static int64_t from_gray(int64_t g) {
    int64_t x = g;
    for (int k = 1; k < 24; k++) x ^= g >> k;
    return x;
}

static int64_t bits(int64_t shift) {
    int64_t s = 0;
#pragma omp parallel for reduction(+ : s)
    for (int64_t i = 0; i < n; i++) s += ones(i * 7) + (backwards(i + shift) & 63) + (from_gray(i) & 31);
    return s;
}

int main(void) {
    int64_t s = bits(0);
    double start = now();
    for (int r = 0; r < reps; r++) s = bits(s % 2);
    report((double)s, (now() - start) / reps);
}
