/* Sizes, tree and queries of btree */
#include "random.h"

#ifndef RECORDS
#define RECORDS 1000000
#endif
#ifndef ORDER
#define ORDER 256
#endif
#ifndef POINTS
#define POINTS 10000
#endif
#ifndef RANGES
#define RANGES 6000
#endif
enum { records = RECORDS, order = ORDER, points = POINTS, ranges = RANGES };

typedef struct Knode { int32_t children[order], keys[order + 1]; } Knode;
typedef struct Queries { int32_t *key, *low, *high; } Queries;

static inline int64_t span(int l) {
    int64_t p = 1;
    while (p < records) p *= order;
    while (l-- > 0) p /= order;
    return p;
}
static inline int levels(void) {
    int l = 0;
    while (span(l) > 1) l++;
    return l;
}
static inline int64_t base(int l) {
    int64_t nodes = 0;
    for (int i = 0; i < l; i++) nodes += (records + span(i) - 1) / span(i);
    return nodes;
}

static inline Knode *tree(void) {
    Knode *node = memory(base(levels()) * sizeof(Knode));
    for (int l = 0; l < levels(); l++)
        for (int64_t i = base(l); i < base(l + 1); i++) {
            int64_t first = (i - base(l)) * span(l), child = (i - base(l)) * order;
            for (int64_t j = 0; j <= order; j++) {
                int64_t r = first + j * span(l + 1);
                node[i].keys[j] = r < records ? 3 * r + 3 : INT32_MAX;
                if (j < order) node[i].children[j] = l + 1 == levels() ? child + j : base(l + 1) + child + j;
            }
        }
    return node;
}

static inline Queries queries(void) {
    Queries q = {memory(points * sizeof(int32_t)), memory(ranges * sizeof(int32_t)), memory(ranges * sizeof(int32_t))};
    for (int i = 0; i < points; i++) q.key[i] = mix(i) % records * 3 + (i % 8 == 5 ? 4 : 3);
    for (int i = 0; i < ranges; i++) {
        q.low[i] = mix(i + 1234567) % records * 3 + 3;
        q.high[i] = q.low[i] + 3 * (mix(i) % 1000);
        if (q.high[i] > 3 * records) q.high[i] = 3 * records;
    }
    return q;
}

static inline void results(const int32_t *answer, const int32_t *first, const int32_t *length, double seconds) {
    int64_t a = 0, b = 0;
    for (int64_t i = 0; i < points; i++) a += answer[i] * (i % 101 + 1);
    for (int64_t i = 0; i < ranges; i++) b += ((int64_t)first[i] + length[i]) * (i % 103 + 1);
    printf("check %lld %lld\ntime %.9g\n", (long long)a, (long long)b, seconds);
}
