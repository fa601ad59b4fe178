#include "peer.h"

#include <stdbool.h>

#ifndef PART
#define PART 0.5
#endif
enum { n = 10000000, reps = 5, chunk = 4096, chunks = (n + chunk - 1) / chunk };

static int64_t places(int64_t *restrict at, int64_t *restrict ends, const bool *restrict mask) {
#pragma omp parallel for
    for (int64_t b = 0; b < chunks; b++) {
        int64_t k = 0;
        for (int64_t i = b * chunk; i < n && i < (b + 1) * chunk; i++) k += mask[i];
        ends[b + 1] = k;
    }
    ends[0] = 0;
    for (int64_t b = 0; b < chunks; b++) ends[b + 1] += ends[b];
#pragma omp parallel for
    for (int64_t b = 0; b < chunks; b++) {
        int64_t k = ends[b], last = ends[b + 1];
        for (int64_t i = b * chunk; k < last; i++) {
            at[k] = i;
            k += mask[i];
        }
    }
    return ends[chunks];
}

int main(void) {
    bool *mask = memory(n);
    int64_t *at = memory(n * sizeof *at), *ends = memory((chunks + 1) * sizeof *ends);
    for (int64_t i = 0; i < n; i++) mask[i] = mixed(i) < 4294967296.0 * PART;
    int64_t s = places(at, ends, mask);
    double start = now();
    for (int r = 0; r < reps; r++) s += at[places(at, ends, mask) / 2];
    report((double)s, (now() - start) / reps);
    free(mask), free(at), free(ends);
}
