/* In the way of the suite: one parallel loop over the columns for each row, rows behind pointers. */
#include "pathfinder.h"

static int min2(int a, int b) { return a <= b ? a : b; }

static int *cheapest(int **wall, int *src, int *dst) {
    for (int t = 0; t < rows - 1; t++) {
        int *old = src;
        src = dst;
        dst = old;
#pragma omp parallel for
        for (int n = 0; n < cols; n++) {
            int least = src[n];
            if (n > 0) least = min2(least, src[n - 1]);
            if (n < cols - 1) least = min2(least, src[n + 1]);
            dst[n] = wall[t + 1][n] + least;
        }
    }
    return dst;
}

int main(void) {
    int *data = inputs(), *src = memory(sizeof(int) * cols), *dst = memory(sizeof(int) * cols);
    int **wall = memory(sizeof(int *) * rows);
    for (int i = 0; i < rows; i++) wall[i] = data + (int64_t)i * cols;
    memcpy(dst, data, sizeof(int) * cols);
    cheapest(wall, src, dst);
    memcpy(dst, data, sizeof(int) * cols);
    double start = now();
    int *cost = cheapest(wall, src, dst);
    results(cost, now() - start);
    free(data), free(src), free(dst), free(wall);
}
