/* With care: blocks of 64 x 64 along antidiagonals, in one parallel region; in a block the part of a row that does not
 * wait for its left neighbour is a simd loop, then the row is gone through once. */
#include "nw.h"

enum { side = 64, across = (n + side - 1) / side };

static inline int min(int a, int b) { return a < b ? a : b; }

static void block(int *score, const int *reference, int by, int bx) {
    int c0 = bx * side + 1, width = min(side, m - c0);
    for (int i = by * side + 1; i < min((by + 1) * side + 1, m); i++) {
        int *row = score + (int64_t)i * m + c0, best[side];
        const int *up = row - m, *ref = reference + (int64_t)i * m + c0;
#pragma omp simd
        for (int j = 0; j < width; j++) {
            int a = up[j - 1] + ref[j], b = up[j] - penalty;
            best[j] = a > b ? a : b;
        }
        int last = row[-1];
        for (int j = 0; j < width; j++) {
            last -= penalty;
            last = best[j] > last ? best[j] : last;
            row[j] = last;
        }
    }
}

static void align(int *score, const int *reference) {
#pragma omp parallel
    for (int wave = 0; wave < 2 * across - 1; wave++) {
        int from = wave < across ? 0 : wave - across + 1, to = wave < across ? wave : across - 1;
#pragma omp for schedule(static)
        for (int x = from; x <= to; x++) block(score, reference, wave - x, x);
    }
}

int main(void) {
    int *score = memory(sizeof(int) * m * m), *reference = memory(sizeof(int) * m * m);
    inputs(score, reference);
    align(score, reference);
    inputs(score, reference);
    double start = now();
    align(score, reference);
    results(score, now() - start);
    free(score), free(reference);
}
