/* Sizes and points of streamcluster */
#include "random.h"

#ifndef NPOINTS
#define NPOINTS 65536
#endif
#ifndef NDIMS
#define NDIMS 64
#endif
#ifndef CANDIDATES
#define CANDIDATES 20
#endif
#ifndef OPENING
#define OPENING 4000
#endif
enum { npoints = NPOINTS, ndims = NDIMS, candidates = CANDIDATES, opening = OPENING };

typedef struct Point { float weight, *coord; int64_t assign; float cost; } Point;

static inline float distance(Point a, Point b) {
    float s = 0;
    for (int i = 0; i < ndims; i++) s += (a.coord[i] - b.coord[i]) * (a.coord[i] - b.coord[i]);
    return s;
}

static inline Point *inputs(void) {
    Point *p = memory(npoints * sizeof(Point));
    float *coord = floats(npoints * ndims);
    for (int64_t k = 0; k < npoints; k++, coord += ndims) {
        for (int64_t i = 0; i < ndims; i++)
            coord[i] = unit(mix(k * ndims + i)) + 2 * unit(mix(k % 37 * ndims + i + 99999999));
        p[k] = (Point){1 + (float)(k % 3), coord, 0, 0};
    }
    for (int64_t k = 0; k < npoints; k++) p[k].cost = p[k].weight * distance(p[k], p[0]);
    return p;
}

static inline int64_t try_at(int64_t r) { return mix(r + 555) % (uint32_t)npoints; }

static inline void results(const Point *p, int64_t k, double seconds) {
    double cost = 0;
    int64_t places = 0;
    for (int64_t i = 0; i < npoints; i++) cost += p[i].cost, places += p[i].assign * (i % 101);
    printf("check %.17g %lld %lld\ntime %.9g\n", cost, (long long)places, (long long)k, seconds);
}
