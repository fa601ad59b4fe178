/* With care: one parallel loop over the rows of all layers; the cells inside a row are one simd loop, its ends stand
 * beside it. */
#include "hotspot3D.h"

typedef struct Rows { const float *here, *n, *s, *b, *t, *power; } Rows;

static inline float next_of(Rows r, int w, int x, int e, Chip k) {
    return k.cc * r.here[x] + k.ce * r.here[w] + k.ce * r.here[e] + k.cn * r.s[x] + k.cn * r.n[x] + k.ct * r.b[x] +
           k.ct * r.t[x] + k.heat * r.power[x] + k.ct * ambient;
}

static void step(float *restrict to, const float *restrict from, const float *restrict power, Chip k) {
#pragma omp parallel for collapse(2) schedule(static)
    for (int z = 0; z < nz; z++)
        for (int y = 0; y < ny; y++) {
            int64_t at = z * plane + y * nx;
            const float *here = from + at;
            Rows r = {here,
                      y == 0 ? here : here - nx,
                      y == ny - 1 ? here : here + nx,
                      z == 0 ? here : here - plane,
                      z == nz - 1 ? here : here + plane,
                      power + at};
            to[at] = next_of(r, 0, 0, 1, k);
#pragma omp simd
            for (int x = 1; x < nx - 1; x++) to[at + x] = next_of(r, x - 1, x, x + 1, k);
            to[at + nx - 1] = next_of(r, nx - 2, nx - 1, nx - 1, k);
        }
}

static float *simulate(float *in, float *out, const float *power, Chip k, int count) {
    for (int i = 0; i < count; i++) {
        step(out, in, power, k);
        float *old = in;
        in = out;
        out = old;
    }
    return in;
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
