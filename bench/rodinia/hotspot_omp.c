/* In the way of the suite: tiles of 16 x 16, those inside the chip with simd rows, those at its edges element by
 * element with the corners and edges told apart. */
#include "hotspot.h"

enum { tile = 16 };

static float change_at_edge(const float *t, const float *power, int r, int c, Chip k) {
    const float *p = t + r * cols + c;
    float here = p[0], heat = power[r * cols + c], x, y;
    if (c == 0) x = p[1] - here;
    else if (c == cols - 1) x = p[-1] - here;
    else x = p[1] + p[-1] - 2 * here;
    if (r == 0) y = p[cols] - here;
    else if (r == rows - 1) y = p[-cols] - here;
    else y = p[cols] + p[-cols] - 2 * here;
    return k.cap * (heat + y * k.ry + x * k.rx + (ambient - here) * k.rz);
}

static void step(float *restrict next, const float *restrict t, const float *restrict power, Chip k) {
    int down = (rows + tile - 1) / tile, across = (cols + tile - 1) / tile;
#pragma omp parallel for schedule(static)
    for (int chunk = 0; chunk < down * across; chunk++) {
        int r0 = chunk / across * tile, c0 = chunk % across * tile;
        int r1 = r0 + tile < rows ? r0 + tile : rows, c1 = c0 + tile < cols ? c0 + tile : cols;
        if (r0 == 0 || c0 == 0 || r1 == rows || c1 == cols) {
            for (int r = r0; r < r1; r++)
                for (int c = c0; c < c1; c++) next[r * cols + c] = t[r * cols + c] + change_at_edge(t, power, r, c, k);
            continue;
        }
        for (int r = r0; r < r0 + tile; r++)
#pragma omp simd
            for (int c = c0; c < c0 + tile; c++) {
                const float *p = t + r * cols + c;
                next[r * cols + c] = p[0] + k.cap * (power[r * cols + c] + (p[cols] + p[-cols] - 2 * p[0]) * k.ry +
                                                     (p[1] + p[-1] - 2 * p[0]) * k.rx + (ambient - p[0]) * k.rz);
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
