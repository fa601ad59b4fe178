/* TOLERANCE: 1e-6 (f32; the versions add the terms in different orders) */
#include "hotspot3D.h"

static void step(float *next, const float *t, const float *power, Chip c) {
    for (int z = 0; z < nz; z++)
        for (int y = 0; y < ny; y++)
            for (int x = 0; x < nx; x++) {
                int i = z * plane + y * nx + x;
                float w = t[x > 0 ? i - 1 : i], e = t[x < nx - 1 ? i + 1 : i], n = t[y > 0 ? i - nx : i],
                      s = t[y < ny - 1 ? i + nx : i];
                float b = t[z > 0 ? i - plane : i], a = t[z < nz - 1 ? i + plane : i];
                next[i] = t[i] * c.cc + n * c.cn + s * c.cn + e * c.ce + w * c.ce + a * c.ct + b * c.ct +
                          c.heat * power[i] + c.ct * ambient;
            }
}

int main(void) {
    float *t = floats(cells), *next = floats(cells), *power = floats(cells);
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
