/* With care: one parallel region; a thread takes strips of columns small enough for its first cache through many rows,
 * with a border that it computes itself. */
#include "pathfinder.h"

enum { strip = 2048, deep = 16 };

static void advance(int *restrict dst, const int *restrict src, const int *restrict wall, int first, int from, int to) {
    int levels = first + deep < rows ? deep : rows - first;
    int a[strip + 2 * deep + 2], b[strip + 2 * deep + 2], *cur = a, *next = b;
    int lo = from - levels > 0 ? from - levels : 0, hi = to + levels < cols ? to + levels : cols;
    memcpy(cur + 1, src + lo, sizeof(int) * (hi - lo));
    for (int i = 0; i < levels; i++) {
        const int *row = wall + (int64_t)(first + i) * cols + lo;
        cur[0] = cur[1];
        cur[hi - lo + 1] = cur[hi - lo];
#pragma omp simd
        for (int j = 0; j < hi - lo; j++) {
            int least = cur[j] < cur[j + 1] ? cur[j] : cur[j + 1];
            next[j + 1] = row[j] + (least < cur[j + 2] ? least : cur[j + 2]);
        }
        int *old = cur;
        cur = next;
        next = old;
    }
    memcpy(dst + from, cur + 1 + from - lo, sizeof(int) * (to - from));
}

static int *cheapest(const int *wall, int *cur, int *next) {
    memcpy(cur, wall, sizeof(int) * cols);
    for (int t = 1; t < rows; t += deep) {
#pragma omp parallel for
        for (int from = 0; from < cols; from += strip)
            advance(next, cur, wall, t, from, from + strip < cols ? from + strip : cols);
        int *old = cur;
        cur = next;
        next = old;
    }
    return cur;
}

int main(void) {
    int *wall = inputs(), *a = memory(sizeof(int) * cols), *b = memory(sizeof(int) * cols);
    cheapest(wall, a, b);
    double start = now();
    int *cost = cheapest(wall, a, b);
    results(cost, now() - start);
    free(wall), free(a), free(b);
}
