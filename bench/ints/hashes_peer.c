#include "peer.h"

enum { n = 4000000, reps = 3 };

static uint32_t hash(uint32_t rest) {
    uint32_t h = 2166136261u;
    for (int k = 0; k < 8; k++) {
        h = (h ^ (rest & 255)) * 16777619u;
        rest = (rest >> 8) ^ (rest << 24);
    }
    return h;
}

static int64_t hashes(int64_t shift) {
    int64_t s = 0;
#pragma omp parallel for reduction(+ : s)
    for (int64_t i = 0; i < n; i++) s += hash((uint32_t)(i + shift)) >> 22;
    return s;
}

int main(void) {
    int64_t s = hashes(0);
    double start = now();
    for (int r = 0; r < reps; r++) s = hashes(s % 2);
    report((double)s, (now() - start) / reps);
}
