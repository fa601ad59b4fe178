#include "peer.h"

enum { streams = 1000, throws = 10000 };

static inline uint64_t next(uint64_t *state) {
    uint64_t s = *state;
    s ^= s << 13;
    s ^= s >> 7;
    s ^= s << 17;
    return *state = s;
}

static long hits(int seed) {
    uint64_t state = (uint64_t)seed * 2654435761u + 88172645463325252u;
    long inside = 0;
    for (int t = 0; t < throws; t++) {
        double x = (double)(next(&state) >> 40) / 16777216, y = (double)(next(&state) >> 40) / 16777216;
        inside += x * x + y * y < 1;
    }
    return inside;
}

static long all(int first) {
    long inside = 0;
#pragma omp parallel for reduction(+ : inside)
    for (int s = first; s < first + streams; s++) inside += hits(s);
    return inside;
}

int main(void) {
    long warm = all(0);
    double start = now();
    long inside = all(1);
    double seconds = now() - start;
    printf("check %ld %ld\ntime %.9g\n", inside, warm, seconds);
}
