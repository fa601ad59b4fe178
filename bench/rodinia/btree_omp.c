/* In the way of the suite: a parallel loop over queries, in it the loop over the levels, in that one over all keys of a
 * node */
#include "btree.h"

static void find(int32_t *answer, int64_t *current, int64_t *offset, const Knode *node, const int32_t *record,
                 const int32_t *key, int height) {
#pragma omp parallel for
    for (int b = 0; b < points; b++) {
        for (int l = 0; l < height; l++) {
            for (int t = 0; t < order; t++)
                if (node[current[b]].keys[t] <= key[b] && node[current[b]].keys[t + 1] > key[b])
                    offset[b] = node[current[b]].children[t];
            current[b] = offset[b];
        }
        for (int t = 0; t < order; t++)
            if (node[current[b]].keys[t] == key[b]) answer[b] = record[node[current[b]].children[t]];
    }
}

static void find_range(int32_t *start, int32_t *length, int64_t *current, int64_t *offset, int64_t *last_current,
                       int64_t *last_offset, const Knode *node, const int32_t *low, const int32_t *high, int height) {
#pragma omp parallel for
    for (int b = 0; b < ranges; b++) {
        for (int l = 0; l < height; l++) {
            for (int t = 0; t < order; t++) {
                if (node[current[b]].keys[t] <= low[b] && node[current[b]].keys[t + 1] > low[b])
                    offset[b] = node[current[b]].children[t];
                if (node[last_current[b]].keys[t] <= high[b] && node[last_current[b]].keys[t + 1] > high[b])
                    last_offset[b] = node[last_current[b]].children[t];
            }
            current[b] = offset[b];
            last_current[b] = last_offset[b];
        }
        for (int t = 0; t < order; t++)
            if (node[current[b]].keys[t] == low[b]) start[b] = node[current[b]].children[t];
        for (int t = 0; t < order; t++)
            if (node[last_current[b]].keys[t] == high[b]) length[b] = node[last_current[b]].children[t] - start[b] + 1;
    }
}

int main(void) {
    Knode *node = tree();
    Queries q = queries();
    int32_t *record = memory(records * sizeof(int32_t));
    for (int i = 0; i < records; i++) record[i] = 10 * i + 7;
    double begin = now();
    int32_t *answer = memory(points * sizeof(int32_t)), *first = calloc(ranges, sizeof(int32_t)),
            *length = calloc(ranges, sizeof(int32_t));
    for (int i = 0; i < points; i++) answer[i] = -1;
    int64_t *current = calloc(points, 8), *offset = calloc(points, 8), *last_current = calloc(ranges, 8),
            *last_offset = calloc(ranges, 8);
    find(answer, current, offset, node, record, q.key, levels() - 1);
    memset(current, 0, ranges * 8), memset(offset, 0, ranges * 8);
    find_range(first, length, current, offset, last_current, last_offset, node, q.low, q.high, levels() - 1);
    results(answer, first, length, now() - begin);
    free(node), free(q.key), free(q.low), free(q.high), free(record), free(answer), free(first), free(length);
    free(current), free(offset), free(last_current), free(last_offset);
}
