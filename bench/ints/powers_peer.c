#include "peer.h"

enum { n = 300000, reps = 3 };
#define PRIME 2147483647u

static uint64_t folded(uint64_t x) {
    uint64_t y = (x & PRIME) + (x >> 31);
    return y >= PRIME ? y - PRIME : y;
}

static uint64_t power(uint64_t b, int64_t e) {
    uint64_t r = 1;
    for (; e > 0; e >>= 1) {
        if (e & 1) r = folded(r * b);
        b = folded(b * b);
    }
    return r;
}

static int64_t powers(int64_t shift) {
    int64_t s = 0;
#pragma omp parallel for reduction(+ : s)
    for (int64_t i = 0; i < n; i++) s += (int64_t)(power((uint64_t)i, i * 7 + shift) & 1023);
    return s;
}

int main(void) {
    int64_t s = powers(0);
    double start = now();
    for (int r = 0; r < reps; r++) s = powers(s % 2);
    report((double)s, (now() - start) / reps);
}
