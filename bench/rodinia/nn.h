/* Sizes and inputs of nn */
#include "rodinia.h"

#ifndef N
#define N 1000000
#endif
enum { n = N, nearest = 10 };

typedef struct Place { float lat, lng; } Place;

static inline Place *inputs(void) {
    Place *p = memory(sizeof(Place) * n);
    for (int64_t i = 0; i < n; i++) p[i] = (Place){7 + 57 * fraction(i, 7919, 10007), 358 * fraction(i, 7877, 10009)};
    return p;
}

static inline void results(const int *order, const float *found, double seconds) {
    double s = 0;
    float first = found[0], last = found[0];
    int at = order[0];
    for (int k = 0; k < nearest; k++) {
        s += found[k];
        if (found[k] < first) first = found[k], at = order[k];
        if (found[k] > last) last = found[k];
    }
    printf("check %d %.17g %.17g\ntime %.9g\n", at, s, last, seconds);
}
