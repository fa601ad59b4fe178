/* With care: keys of a node are sorted, so each is found by bisection; nothing is kept in memory on the way down */
#include "btree.h"

/* The last of the keys that is not above `key`; -1: all are */
static inline int place_of(const Knode *node, int32_t key) {
    int lo = -1, hi = order;
    while (hi - lo > 1) {
        int mid = (lo + hi) / 2;
        if (node->keys[mid] <= key) lo = mid;
        else hi = mid;
    }
    return lo;
}

/* What the leaf has for `key`, or -1 */
static inline int32_t look_up(const Knode *node, int32_t key, int height) {
    int64_t at = 0;
    for (int l = 0; l < height; l++) {
        int t = place_of(node + at, key);
        at = t < 0 || node[at].keys[t + 1] <= key ? 0 : node[at].children[t];
    }
    int t = place_of(node + at, key);
    return t >= 0 && node[at].keys[t] == key ? node[at].children[t] : -1;
}

int main(void) {
    Knode *node = tree();
    Queries q = queries();
    int32_t *record = memory(records * sizeof(int32_t));
    for (int i = 0; i < records; i++) record[i] = 10 * i + 7;
    double begin = now();
    int height = levels() - 1;
    int32_t *answer = memory(points * sizeof(int32_t)), *first = memory(ranges * sizeof(int32_t)),
            *length = memory(ranges * sizeof(int32_t));
#pragma omp parallel
    {
#pragma omp for nowait
        for (int b = 0; b < points; b++) {
            int32_t at = look_up(node, q.key[b], height);
            answer[b] = at < 0 ? -1 : record[at];
        }
#pragma omp for
        for (int b = 0; b < ranges; b++) {
            int32_t lo = look_up(node, q.low[b], height), hi = look_up(node, q.high[b], height);
            first[b] = lo < 0 ? 0 : lo;
            length[b] = hi < 0 ? 0 : hi - first[b] + 1;
        }
    }
    results(answer, first, length, now() - begin);
    free(node), free(q.key), free(q.low), free(q.high), free(record), free(answer), free(first), free(length);
}
