/* In the way of the suite: one parallel region for all steps, in it a loop shared out over the layers; neighbours at
 * the edges by conditional indices. */
#include "hotspot3D.h"

static float *simulate(float *in, float *out, const float *power, Chip k, int count) {
#pragma omp parallel
    {
        float *from = in, *to = out;
        for (int i = 0; i < count; i++) {
#pragma omp for
            for (int z = 0; z < nz; z++)
                for (int y = 0; y < ny; y++)
                    for (int x = 0; x < nx; x++) {
                        int c = x + y * nx + z * plane;
                        int w = x == 0 ? c : c - 1, e = x == nx - 1 ? c : c + 1;
                        int n = y == 0 ? c : c - nx, s = y == ny - 1 ? c : c + nx;
                        int b = z == 0 ? c : c - plane, t = z == nz - 1 ? c : c + plane;
                        to[c] = k.cc * from[c] + k.ce * from[w] + k.ce * from[e] + k.cn * from[s] + k.cn * from[n] +
                                k.ct * from[b] + k.ct * from[t] + k.heat * power[c] + k.ct * ambient;
                    }
            float *old = from;
            from = to;
            to = old;
        }
    }
    return count % 2 ? out : in;
}

int main(void) {
    float *t = floats(cells), *next = floats(cells), *power = floats(cells);
    inputs(t, power);
    simulate(t, next, power, chip(), 2);
    inputs(t, power);
    double start = now();
    float *end = simulate(t, next, power, chip(), steps);
    results(end, now() - start);
    free(t), free(next), free(power);
}
