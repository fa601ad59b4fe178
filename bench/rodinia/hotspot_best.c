/* With care: one loop over rows; the cells inside are one simd loop, those at the ends of a row stand beside it. */
#include "hotspot.h"

static inline float next_of(const float *t, const float *up, const float *down, float heat, int west, int c, int east,
                            Chip k) {
    return t[c] + k.cap * (heat + (down[c] + up[c] - 2 * t[c]) * k.ry + (t[east] + t[west] - 2 * t[c]) * k.rx +
                           (ambient - t[c]) * k.rz);
}

/* A cell without a neighbour on one side: the difference to the other one alone, which is that to its own mirror image.
 */
static float next_at_end(const float *t, const float *up, const float *down, float heat, int c, Chip k) {
    float x = t[c == 0 ? 1 : c - 1] - t[c], y = up == t     ? down[c] - t[c]
                                                : down == t ? up[c] - t[c]
                                                            : down[c] + up[c] - 2 * t[c];
    return t[c] + k.cap * (heat + y * k.ry + x * k.rx + (ambient - t[c]) * k.rz);
}

static void step(float *restrict next, const float *restrict t, const float *restrict power, Chip k) {
#pragma omp parallel for schedule(static)
    for (int r = 0; r < rows; r++) {
        const float *row = t + r * cols, *up = r == 0 ? row : row - cols, *down = r == rows - 1 ? row : row + cols,
                    *heat = power + r * cols;
        float *to = next + r * cols;
        to[0] = next_at_end(row, up, down, heat[0], 0, k);
        to[cols - 1] = next_at_end(row, up, down, heat[cols - 1], cols - 1, k);
        if (r == 0 || r == rows - 1) {
            const float *other = r == 0 ? down : up;
#pragma omp simd
            for (int c = 1; c < cols - 1; c++)
                to[c] = row[c] + k.cap * (heat[c] + (other[c] - row[c]) * k.ry +
                                          (row[c + 1] + row[c - 1] - 2 * row[c]) * k.rx + (ambient - row[c]) * k.rz);
        } else {
#pragma omp simd
            for (int c = 1; c < cols - 1; c++) to[c] = next_of(row, up, down, heat[c], c - 1, c, c + 1, k);
        }
    }
}

int main(void) {
    float *t = floats(rows * cols), *next = floats(rows * cols), *power = floats(rows * cols);
    inputs(t, power);
    memcpy(next, t, sizeof(float) * rows * cols);
    double start = now();
    for (int i = 0; i < steps; i++) {
        step(next, t, power, chip());
        float *old = t;
        t = next;
        next = old;
    }
    results(t, now() - start);
    free(t), free(next), free(power);
}
