#include "peer.h"

enum { n = 12, all = (1 << n) - 1 };

static long ways(int columns, int left, int right) {
    if (columns == all) return 1;
    long count = 0;
    for (int free = all & ~(columns | left | right); free;) {
        int bit = free & -free;
        free ^= bit;
        count += ways(columns | bit, (left | bit) << 1, (right | bit) >> 1);
    }
    return count;
}

static long queens(void) {
    long count = 0;
#pragma omp parallel for collapse(2) reduction(+ : count) schedule(dynamic)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            int a = 1 << i, b = 1 << j;
            if (!(b & (a | a << 1 | a >> 1))) count += ways(a | b, (a << 1 | b) << 1, (a >> 1 | b) >> 1);
        }
    return count;
}

int main(void) {
    long warm = queens();
    double start = now();
    long count = queens();
    double seconds = now() - start;
    printf("check %ld %ld\ntime %.9g\n", count, warm, seconds);
}
