#include "peer.h"

enum { n = 1000, reps = 3 };

static int64_t divisor(int64_t x, int64_t y) {
    while (y != 0) {
        int64_t r = x % y;
        x = y;
        y = r;
    }
    return x;
}

static int64_t divisors(int64_t shift) {
    int64_t count = 0;
#pragma omp parallel for reduction(+ : count)
    for (int64_t i = 1; i < n; i++)
        for (int64_t j = 1; j < n; j++) count += divisor(i + shift, j) == 1;
    return count;
}

int main(void) {
    int64_t s = divisors(0);
    double start = now();
    for (int r = 0; r < reps; r++) s = divisors(s % 2);
    report((double)s, (now() - start) / reps);
}
