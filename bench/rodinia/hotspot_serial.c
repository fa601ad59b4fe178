/* TOLERANCE: 1e-6 (f32 temperatures; the versions group the terms at the edges in different ways) */
#include "hotspot.h"

static void step(float *next, const float *t, const float *power, Chip c) {
    for (int y = 0; y < rows; y++)
        for (int x = 0; x < cols; x++) {
            int n = y > 0 ? y - 1 : 0, s = y < rows - 1 ? y + 1 : y, w = x > 0 ? x - 1 : 0,
                e = x < cols - 1 ? x + 1 : x;
            float here = t[y * cols + x];
            next[y * cols + x] =
                here + c.cap * (power[y * cols + x] + (t[s * cols + x] + t[n * cols + x] - 2 * here) * c.ry +
                                (t[y * cols + e] + t[y * cols + w] - 2 * here) * c.rx + (ambient - here) * c.rz);
        }
}

int main(void) {
    float *t = floats(rows * cols), *next = floats(rows * cols), *power = floats(rows * cols);
    inputs(t, power);
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
