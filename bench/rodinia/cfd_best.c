/* With care: pressure and wave speed of a cell are computed once, not for each neighbour again; the three kinds of
 * faces are choices between numbers, so that cells are vector lanes; one parallel region for all steps */
#include "cfd.h"

enum { PRESSURE = NVAR, WAVE, ALL }; /* wave: |velocity| + sound */

typedef struct Vec { float x, y, z; } Vec;
typedef struct Flux { Vec mx, my, mz, energy; } Flux;
typedef struct Cell { float density, mx, my, mz, energy, pressure, wave; } Cell;

static inline float square(Vec v) { return v.x * v.x + v.y * v.y + v.z * v.z; }

static inline __attribute__((always_inline)) Flux flux_of(Cell c) {
    float e = c.energy + c.pressure;
    Vec v = {c.mx / c.density, c.my / c.density, c.mz / c.density};
    return (Flux){{v.x * c.mx + c.pressure, v.x * c.my, v.x * c.mz},
                  {v.x * c.my, v.y * c.my + c.pressure, v.y * c.mz},
                  {v.x * c.mz, v.y * c.mz, v.z * c.mz + c.pressure},
                  {v.x * e, v.y * e, v.z * e}};
}

static inline __attribute__((always_inline)) Cell derived(Cell c) {
    float speed2 = square((Vec){c.mx / c.density, c.my / c.density, c.mz / c.density});
    c.pressure = (gamma_gas - 1) * (c.energy - 0.5f * c.density * speed2);
    c.wave = sqrtf(speed2) + sqrtf(gamma_gas * c.pressure / c.density);
    return c;
}

/* v[ALL][n] */
static inline __attribute__((always_inline)) Cell get(const float *v, int i) {
    return (Cell){v[i],           v[i + MX * n], v[i + MY * n], v[i + MZ * n], v[i + ENERGY * n], v[i + PRESSURE * n],
                  v[i + WAVE * n]};
}
static inline void put(float *v, int i, Cell c) {
    v[i] = c.density, v[i + MX * n] = c.mx, v[i + MY * n] = c.my, v[i + MZ * n] = c.mz;
    v[i + ENERGY * n] = c.energy, v[i + PRESSURE * n] = c.pressure, v[i + WAVE * n] = c.wave;
}
static inline __attribute__((always_inline)) Cell choose(int c, Cell a, Cell b) {
    return (Cell){c ? a.density : b.density, c ? a.mx : b.mx,         c ? a.my : b.my,
                  c ? a.mz : b.mz,           c ? a.energy : b.energy, c ? a.pressure : b.pressure,
                  c ? a.wave : b.wave};
}

static inline __attribute__((always_inline)) Cell
change_of(const int *restrict neighbour, const float *restrict normals, const float *restrict v, Cell far, int i) {
    Cell a = get(v, i), sum = {0};
    Flux f = flux_of(a);
#pragma GCC unroll 4
    for (int j = 0; j < 4; j++) {
        int nb = neighbour[i + j * n], inside = nb >= 0;
        Vec normal = {normals[i + j * n], normals[i + (j + 4) * n], normals[i + (j + 8) * n]};
        Cell b = choose(inside, get(v, inside ? nb : i), far);
        Flux q = flux_of(b);
        float k = inside ? -sqrtf(square(normal)) * smoothing * 0.5f * (a.wave + b.wave) : 0,
              half = nb == -1 ? 0 : 0.5f;
        float x = half * normal.x, y = half * normal.y, z = half * normal.z, wall = nb == -1 ? a.pressure : 0;
        sum.density += k * (a.density - b.density) + x * (b.mx + a.mx) + y * (b.my + a.my) + z * (b.mz + a.mz);
        sum.energy += k * (a.energy - b.energy) + x * (q.energy.x + f.energy.x) + y * (q.energy.y + f.energy.y) +
                      z * (q.energy.z + f.energy.z);
        sum.mx += k * (a.mx - b.mx) + x * (q.mx.x + f.mx.x) + y * (q.mx.y + f.mx.y) + z * (q.mx.z + f.mx.z) +
                  normal.x * wall;
        sum.my += k * (a.my - b.my) + x * (q.my.x + f.my.x) + y * (q.my.y + f.my.y) + z * (q.my.z + f.my.z) +
                  normal.y * wall;
        sum.mz += k * (a.mz - b.mz) + x * (q.mz.x + f.mz.x) + y * (q.mz.y + f.mz.y) + z * (q.mz.z + f.mz.z) +
                  normal.z * wall;
    }
    return sum;
}

/* The cells old and the changes of `from`: in a parallel region */
static void stage(const Grid *g, int j, const float *restrict old, const float *restrict from, float *restrict to,
                  const float *restrict factor, Cell far) {
    const int *neighbour = g->neighbour;
    const float *normals = g->normal;
#pragma omp for simd schedule(static)
    for (int i = 0; i < n; i++) {
        Cell d = change_of(neighbour, normals, from, far, i), o = get(old, i);
        float k = factor[i] / (float)(4 - j);
        put(to, i,
            derived((Cell){o.density + k * d.density, o.mx + k * d.mx, o.my + k * d.my, o.mz + k * d.mz,
                           o.energy + k * d.energy, 0, 0}));
    }
}

int main(void) {
    Grid g = grid();
    float *a = floats(ALL * n), *b = floats(ALL * n), *c = floats(ALL * n), *factor = floats(n), *end = NULL;
    double start = now();
    Cell far = derived((Cell){g.far[DENSITY], g.far[MX], g.far[MY], g.far[MZ], g.far[ENERGY], 0, 0});
#pragma omp parallel
    {
#pragma omp for schedule(static)
        for (int i = 0; i < n; i++) put(a, i, far);
        float *old = a, *x = b, *y = c;
        for (int t = 0; t < steps; t++) {
#pragma omp for simd schedule(static)
            for (int i = 0; i < n; i++) factor[i] = 0.5f / (sqrtf(g.area[i]) * old[i + WAVE * n]);
            stage(&g, 1, old, old, x, factor, far);
            stage(&g, 2, old, x, y, factor, far);
            stage(&g, 3, old, y, x, factor, far);
            float *done = x;
            x = old;
            old = done;
        }
#pragma omp single
        end = old;
    }
    results(end, now() - start);
    free_grid(g), free(a), free(b), free(c), free(factor);
}
