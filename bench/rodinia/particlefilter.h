/* Sizes and video of particlefilter */
#include "random.h"

#ifndef SIDE
#define SIDE 128
#endif
#ifndef FRAMES
#define FRAMES 10
#endif
#ifndef NPARTICLES
#define NPARTICLES 10000
#endif
enum { side = SIDE, frames = FRAMES, nparticles = NPARTICLES, radius = 5 };

typedef struct Disk { int n, dx[4 * radius * radius], dy[4 * radius * radius]; } Disk;

static inline Disk disk(void) {
    Disk d = {0};
    for (int i = 1 - radius; i < radius; i++)
        for (int j = 1 - radius; j < radius; j++)
            if (i * i + j * j < radius * radius) d.dx[d.n] = i, d.dy[d.n++] = j;
    return d;
}

static inline uint8_t *inputs(void) {
    uint8_t *v = memory(frames * side * side);
    for (int64_t f = 0, k = 0; f < frames; f++)
        for (int64_t y = 0; y < side; y++)
            for (int64_t x = 0; x < side; x++, k++) {
                int64_t a = x - side / 2 - f, b = y - side / 2 + 2 * f;
                v[k] = (a * a + b * b < radius * radius ? 228 : 100) + (int)(mix(k) % 21) - 10;
            }
    return v;
}

static inline int32_t first_seed(int64_t i) { return (int32_t)((i * 7919 + 12345) % 2147483647); }

static inline double uniform(int32_t *seed) {
    *seed = (int32_t)((1103515245 * (int64_t)*seed + 12345) % 2147483647);
    return *seed / 2147483647.0;
}
static inline double normal(int32_t *seed) {
    double u = uniform(seed), v = uniform(seed);
    return sqrt(-2 * log(u)) * cos(2 * 3.14159265358979323846 * v);
}

static inline void results(const double *place, double seconds) {
    double s = 0;
    for (int i = 0; i < frames; i++)
        for (int j = 0; j < 2; j++) s += place[2 * i + j] * (1 + 2 * i + j);
    printf("check %.17g %.17g %.17g\ntime %.9g\n", s, place[2 * frames - 2], place[2 * frames - 1], seconds);
}
