/* Sizes, inputs and coefficients of hotspot3D */
#include "rodinia.h"

#ifndef N
#define N 512
#endif
#ifndef M
#define M 512
#endif
#ifndef LAYERS
#define LAYERS 8
#endif
#ifndef STEPS
#define STEPS 20
#endif
enum { nx = N, ny = M, nz = LAYERS, plane = nx * ny, cells = plane * nz, steps = STEPS };

static const float ambient = 80;
typedef struct Chip { float ce, cn, ct, cc, heat; } Chip;

static inline Chip chip(void) {
    float dx = 0.016f / ny, dy = 0.016f / nx, dz = 0.0005f / nz, cap = 437.5f * dx * dy, step = 1.4583e-7f;
    float ce = step / cap / (dy / (0.1f * dx)), cn = step / cap / (dx / (0.1f * dy)),
          ct = step / cap / (dz / (100 * dx * dy));
    return (Chip){ce, cn, ct, 1 - (2 * ce + 2 * cn + 3 * ct), step / cap};
}

static inline void inputs(float *t, float *power) {
    for (int64_t i = 0; i < cells; i++) {
        t[i] = 323 + 10 * fraction(i, 7919, 10007);
        power[i] = fraction(i, 7877, 10009) / 500;
    }
}

static inline void results(const float *t, double seconds) {
    printf("check %.17g %.17g %.9g\n", sum_f32(t, cells), weighted_f32(t, cells),
           t[nz / 2 * plane + ny / 2 * nx + nx / 3]);
    printf("time %.9g\n", seconds);
}
