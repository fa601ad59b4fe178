#include "peer.h"

enum { n = 1024, reps = 20 };
typedef unsigned char u8;

static inline u8 rule(int around, u8 alive) { return around == 3 || (around == 2 && alive); }

static void generation(u8 *restrict next, const u8 *restrict cells) {
#pragma omp parallel for
    for (int y = 0; y < n; y++) {
        const u8 *up = cells + (y + n - 1) % n * n, *here = cells + y * n, *down = cells + (y + 1) % n * n;
        u8 *to = next + y * n;
#define AROUND(l, x, r) (u8)(up[l] + up[x] + up[r] + here[l] + here[r] + down[l] + down[x] + down[r])
        to[0] = rule(AROUND(n - 1, 0, 1), here[0]);
#pragma omp simd
        for (int x = 1; x < n - 1; x++) {
            u8 around = AROUND(x - 1, x, x + 1);
            to[x] = (around == 3) | ((around == 2) & here[x]);
        }
        to[n - 1] = rule(AROUND(n - 2, n - 1, 0), here[n - 1]);
    }
}

int main(void) {
    u8 *cells = memory(n * n), *next = memory(n * n);
    for (int i = 0; i < n * n; i++) cells[i] = i * 7919L % 10007 % 3 == 0;
    double start = 0;
    for (int t = 0; t < reps + 1; t++) {
        if (t == 1) start = now();
        generation(next, cells);
        u8 *old = cells;
        cells = next, next = old;
    }
    double seconds = (now() - start) / reps;
    long s = 0, row = 0;
    for (int i = 0; i < n * n; i++) s += cells[i];
    for (int i = 0; i < n; i++) row += cells[n / 3 * n + i];
    printf("check %ld %ld\ntime %.9g\n", s, row, seconds);
    free(cells), free(next);
}
