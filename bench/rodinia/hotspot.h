/* Sizes, inputs and coefficients of hotspot */
#include "rodinia.h"

#ifndef ROWS
#define ROWS 1024
#endif
#ifndef COLS
#define COLS 1024
#endif
#ifndef STEPS
#define STEPS 20
#endif
enum { rows = ROWS, cols = COLS, steps = STEPS };

static const float ambient = 80;
typedef struct Chip { float cap, rx, ry, rz; } Chip;

static inline Chip chip(void) {
    float dy = 0.016f / rows, dx = 0.016f / cols, cap = 437.5f * dx * dy, step = 1.4583e-7f;
    return (Chip){step / cap, 1 / (dx / (0.1f * dy)), 1 / (dy / (0.1f * dx)), 1 / (0.0005f / (100 * dx * dy))};
}

static inline void inputs(float *temp, float *power) {
    for (int64_t i = 0; i < rows * cols; i++) {
        temp[i] = 323 + 10 * fraction(i, 7919, 10007);
        power[i] = fraction(i, 7877, 10009) / 500;
    }
}

static inline void results(const float *t, double seconds) {
    printf("check %.17g %.17g %.9g\n", sum_f32(t, rows * cols), weighted_f32(t, rows * cols),
           t[rows / 2 * cols + cols / 3]);
    printf("time %.9g\n", seconds);
}
