/* In the way of the suite: a parallel loop over blocks of cells with a simd loop in it; three kinds of faces told apart
 * in the loop over the neighbours */
#include "cfd.h"

enum { block = 8 };

typedef struct Vec { float x, y, z; } Vec;
typedef struct Flux { Vec mx, my, mz, energy; } Flux;

static inline Flux flux_of(Vec m, float energy, float pressure, Vec v) {
    float e = energy + pressure;
    return (Flux){{v.x * m.x + pressure, v.x * m.y, v.x * m.z},
                  {v.x * m.y, v.y * m.y + pressure, v.y * m.z},
                  {v.x * m.z, v.y * m.z, v.z * m.z + pressure},
                  {v.x * e, v.y * e, v.z * e}};
}
static inline float pressure_of(float density, float energy, float speed2) {
    return (gamma_gas - 1) * (energy - 0.5f * density * speed2);
}
static inline float sound_of(float density, float pressure) { return sqrtf(gamma_gas * pressure / density); }
static inline float square(Vec v) { return v.x * v.x + v.y * v.y + v.z * v.z; }

static void step_factors(const float *v, const float *area, float *factor) {
#pragma omp parallel for
    for (int b = 0; b < n / block; b++)
#pragma omp simd
        for (int i = b * block; i < (b + 1) * block; i++) {
            float density = v[i];
            Vec u = {v[i + MX * n] / density, v[i + MY * n] / density, v[i + MZ * n] / density};
            float speed2 = square(u), pressure = pressure_of(density, v[i + ENERGY * n], speed2);
            factor[i] = 0.5f / (sqrtf(area[i]) * (sqrtf(speed2) + sound_of(density, pressure)));
        }
}

static void fluxes(const int *neighbour, const float *normals, const float *v, float *out, const float *far,
                   Flux far_flux) {
#pragma omp parallel for
    for (int b = 0; b < n / block; b++)
#pragma omp simd
        for (int i = b * block; i < (b + 1) * block; i++) {
            float density = v[i], energy = v[i + ENERGY * n];
            Vec m = {v[i + MX * n], v[i + MY * n], v[i + MZ * n]}, u = {m.x / density, m.y / density, m.z / density};
            float speed2 = square(u), speed = sqrtf(speed2), pressure = pressure_of(density, energy, speed2),
                  sound = sound_of(density, pressure);
            Flux f = flux_of(m, energy, pressure, u);
            float sd = 0, se = 0;
            Vec sm = {0, 0, 0};
            for (int j = 0; j < 4; j++) {
                int nb = neighbour[i + j * n];
                Vec normal = {normals[i + (j + 0 * 4) * n], normals[i + (j + 1 * 4) * n], normals[i + (j + 2 * 4) * n]};
                float length = sqrtf(square(normal));
                if (nb >= 0) {
                    float density2 = v[nb], energy2 = v[nb + ENERGY * n];
                    Vec m2 = {v[nb + MX * n], v[nb + MY * n], v[nb + MZ * n]},
                        u2 = {m2.x / density2, m2.y / density2, m2.z / density2};
                    float speed22 = square(u2), pressure2 = pressure_of(density2, energy2, speed22),
                          sound2 = sound_of(density2, pressure2);
                    Flux q = flux_of(m2, energy2, pressure2, u2);
                    float k = -length * smoothing * 0.5f * (speed + sqrtf(speed22) + sound + sound2);
                    sd += k * (density - density2);
                    se += k * (energy - energy2);
                    sm.x += k * (m.x - m2.x), sm.y += k * (m.y - m2.y), sm.z += k * (m.z - m2.z);
                    k = 0.5f * normal.x;
                    sd += k * (m2.x + m.x);
                    se += k * (q.energy.x + f.energy.x);
                    sm.x += k * (q.mx.x + f.mx.x), sm.y += k * (q.my.x + f.my.x), sm.z += k * (q.mz.x + f.mz.x);
                    k = 0.5f * normal.y;
                    sd += k * (m2.y + m.y);
                    se += k * (q.energy.y + f.energy.y);
                    sm.x += k * (q.mx.y + f.mx.y), sm.y += k * (q.my.y + f.my.y), sm.z += k * (q.mz.y + f.mz.y);
                    k = 0.5f * normal.z;
                    sd += k * (m2.z + m.z);
                    se += k * (q.energy.z + f.energy.z);
                    sm.x += k * (q.mx.z + f.mx.z), sm.y += k * (q.my.z + f.my.z), sm.z += k * (q.mz.z + f.mz.z);
                } else if (nb == -1) {
                    sm.x += normal.x * pressure, sm.y += normal.y * pressure, sm.z += normal.z * pressure;
                } else {
                    float k = 0.5f * normal.x;
                    sd += k * (far[MX] + m.x);
                    se += k * (far_flux.energy.x + f.energy.x);
                    sm.x += k * (far_flux.mx.x + f.mx.x), sm.y += k * (far_flux.my.x + f.my.x),
                        sm.z += k * (far_flux.mz.x + f.mz.x);
                    k = 0.5f * normal.y;
                    sd += k * (far[MY] + m.y);
                    se += k * (far_flux.energy.y + f.energy.y);
                    sm.x += k * (far_flux.mx.y + f.mx.y), sm.y += k * (far_flux.my.y + f.my.y),
                        sm.z += k * (far_flux.mz.y + f.mz.y);
                    k = 0.5f * normal.z;
                    sd += k * (far[MZ] + m.z);
                    se += k * (far_flux.energy.z + f.energy.z);
                    sm.x += k * (far_flux.mx.z + f.mx.z), sm.y += k * (far_flux.my.z + f.my.z),
                        sm.z += k * (far_flux.mz.z + f.mz.z);
                }
            }
            out[i] = sd, out[i + ENERGY * n] = se;
            out[i + MX * n] = sm.x, out[i + MY * n] = sm.y, out[i + MZ * n] = sm.z;
        }
}

static void time_step(int j, const float *old, float *v, const float *factor, const float *f) {
#pragma omp parallel for
    for (int b = 0; b < n / block; b++)
#pragma omp simd
        for (int i = b * block; i < (b + 1) * block; i++) {
            float k = factor[i] / (float)(4 - j);
            v[i] = old[i] + k * f[i];
            v[i + MX * n] = old[i + MX * n] + k * f[i + MX * n];
            v[i + MY * n] = old[i + MY * n] + k * f[i + MY * n];
            v[i + MZ * n] = old[i + MZ * n] + k * f[i + MZ * n];
            v[i + ENERGY * n] = old[i + ENERGY * n] + k * f[i + ENERGY * n];
        }
}

static void copy(float *to, const float *from) {
#pragma omp parallel for
    for (int i = 0; i < NVAR * n; i++) to[i] = from[i];
}

int main(void) {
    Grid g = grid();
    float *v = floats(NVAR * n), *old = floats(NVAR * n), *f = floats(NVAR * n), *factor = floats(n);
    double start = now();
    Vec m = {g.far[MX], g.far[MY], g.far[MZ]}, u = {m.x / g.far[0], m.y / g.far[0], m.z / g.far[0]};
    Flux far_flux = flux_of(m, g.far[ENERGY], pressure_of(g.far[0], g.far[ENERGY], square(u)), u);
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int k = 0; k < NVAR; k++) v[i + k * n] = g.far[k];
    for (int t = 0; t < steps; t++) {
        copy(old, v);
        step_factors(v, g.area, factor);
        for (int j = 1; j < 4; j++) {
            fluxes(g.neighbour, g.normal, v, f, g.far, far_flux);
            time_step(j, old, v, factor, f);
        }
    }
    results(v, now() - start);
    free_grid(g), free(v), free(old), free(f), free(factor);
}
