#include "peer.h"

enum { n = 1000000, reps = 3 };

static int64_t root(int64_t a) {
    int64_t low = 0, high = a + 1;
    while (high - low > 1) {
        int64_t mid = (low + high) >> 1;
        if (mid * mid <= a) low = mid;
        else high = mid;
    }
    return low;
}

static int64_t roots(int64_t shift) {
    int64_t s = 0;
#pragma omp parallel for reduction(+ : s)
    for (int64_t i = 0; i < n; i++) s += root(i * 5 + shift);
    return s;
}

int main(void) {
    int64_t s = roots(0);
    double start = now();
    for (int r = 0; r < reps; r++) s = roots(s % 2);
    report((double)s, (now() - start) / reps);
}
