#include "peer.h"

enum { n = 20000, length = 500, reps = 3 };

static int64_t stream(uint64_t x) {
    int64_t hits = 0;
    for (int k = 0; k < length; k++) {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        hits += x >> 60 == 0;
    }
    return hits;
}

static int64_t streams(int64_t shift) {
    int64_t s = 0;
#pragma omp parallel for reduction(+ : s)
    for (int64_t i = 0; i < n; i++) s += stream((uint64_t)(i + 1 + shift));
    return s;
}

int main(void) {
    int64_t s = streams(0);
    double start = now();
    for (int r = 0; r < reps; r++) s = streams(s % 2);
    report((double)s, (now() - start) / reps);
}
