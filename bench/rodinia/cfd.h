/* Sizes, grid and results of cfd */
#include "random.h"

#ifndef ACROSS
#define ACROSS 36
#endif
#ifndef STEPS
#define STEPS 20
#endif
enum { across = ACROSS, steps = STEPS, n = 2 * across * across * across, DENSITY = 0, MX, MY, MZ, ENERGY, NVAR };

static const float gamma_gas = 1.4f, mach = 1.2f, smoothing = 0.2f;

/* Arrays of one number for each of 4 neighbours and each cell; normals are kept by direction, then neighbour */
typedef struct Grid { int *neighbour; float *normal, *area, far[NVAR]; } Grid;

static inline int place_of(int id) { return id / 64 * 64 + (37 * (id % 64) + 11 * (id / 64)) % 64; }
static inline int id_at(int place) { return place / 64 * 64 + ((45 * (place % 64 - 11 * (place / 64))) & 63); }

static inline int neighbour_at(int j, int place) {
    int id = id_at(place), kind = id % 2, step = 2 * kind - 1,
        at[3] = {id / 2 % across, id / 2 / across % across, id / 2 / across / across};
    if (j > 0) at[j - 1] += step;
    if (at[2] < 0) return -1;
    for (int d = 0; d < 3; d++)
        if (at[d] < 0 || at[d] >= across) return -2;
    return place_of(((at[2] * across + at[1]) * across + at[0]) * 2 + 1 - kind);
}

static inline Grid grid(void) {
    Grid g = {memory(4 * n * sizeof(int)),
              floats(12 * n),
              floats(n),
              {1.4f, 1.4f * mach, 0, 0, 1.4f * (0.5f * mach * mach) + 1 / (gamma_gas - 1)}};
    for (int i = 0; i < n; i++) {
        float s = id_at(i) % 2 == 0 ? -0.1f : 0.1f;
        g.area[i] = 0.8f + 0.4f * unit(mix(i));
        for (int j = 0; j < 4; j++) {
            g.neighbour[j * n + i] = neighbour_at(j, i);
            g.normal[(0 * 4 + j) * n + i] = j < 2 ? s : -s;
            g.normal[(1 * 4 + j) * n + i] = j % 2 == 0 ? s : -s;
            g.normal[(2 * 4 + j) * n + i] = j % 3 == 0 ? s : -s;
        }
    }
    return g;
}

static inline void free_grid(Grid g) { free(g.neighbour), free(g.normal), free(g.area); }

/* v[NVAR][n] */
static inline void results(const float *v, double seconds) {
    printf("check");
    for (int k = 0; k < NVAR; k++) {
        double s = 0;
        for (int i = 0; i < n; i++) s += (double)v[k * n + i] * (1 + i % 7);
        printf(" %.17g", s);
    }
    printf("\ntime %.9g\n", seconds);
}
