#include "peer.h"

enum { n = 1000000, reps = 3 };

static int64_t steps(int64_t x) {
    int64_t k = 0;
    while (x > 1) {
        x = x % 2 == 0 ? x / 2 : 3 * x + 1;
        k++;
    }
    return k;
}

static int64_t collatz(int64_t shift) {
    int64_t most = 0;
#pragma omp parallel for reduction(max : most) schedule(dynamic, 1000)
    for (int64_t i = 1; i < n; i++) {
        int64_t k = steps(i + shift);
        if (k > most) most = k;
    }
    return most;
}

int main(void) {
    int64_t s = collatz(0);
    double start = now();
    for (int r = 0; r < reps; r++) s = collatz(s % 2);
    report((double)s, (now() - start) / reps);
}
