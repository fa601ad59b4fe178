/* Sizes and inputs of pathfinder */
#include "rodinia.h"

#ifndef ROWS
#define ROWS 100
#endif
#ifndef COLS
#define COLS 100000
#endif
enum { rows = ROWS, cols = COLS };

static inline int *inputs(void) {
    int *wall = memory(sizeof(int) * rows * cols);
    for (int64_t i = 0; i < (int64_t)rows * cols; i++) wall[i] = (int)(i * 7919 % 10007 % 10);
    return wall;
}

static inline void results(const int *cost, double seconds) {
    int64_t s = 0, w = 0, least = cost[0];
    for (int64_t j = 0; j < cols; j++) {
        s += cost[j];
        w += cost[j] * (j % 1009);
        if (cost[j] < least) least = cost[j];
    }
    printf("check %lld %lld %lld\ntime %.9g\n", (long long)s, (long long)w, (long long)least, seconds);
}
