/* One cell after the other, faces by a table of fluxes F[variable][direction].  TOLERANCE: 2e-5 (f32; sums over the
 * grid of momenta across the flow cancel almost wholly; the terms are grouped differently) */
#include "cfd.h"

typedef struct State { float u[NVAR], f[NVAR][3], speed, sound, pressure; } State;

static State state(const float *u) {
    State s;
    memcpy(s.u, u, sizeof s.u);
    float v[3] = {u[MX] / u[DENSITY], u[MY] / u[DENSITY], u[MZ] / u[DENSITY]},
          speed2 = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
    s.pressure = (gamma_gas - 1) * (u[ENERGY] - 0.5f * u[DENSITY] * speed2);
    s.sound = sqrtf(gamma_gas * s.pressure / u[DENSITY]);
    s.speed = sqrtf(speed2);
    for (int d = 0; d < 3; d++) {
        s.f[DENSITY][d] = u[MX + d];
        s.f[ENERGY][d] = v[d] * (u[ENERGY] + s.pressure);
        for (int k = 0; k < 3; k++) s.f[MX + k][d] = v[k] * u[MX + d] + (k == d ? s.pressure : 0);
    }
    return s;
}

static State state_at(const float *v, int i) {
    float u[NVAR];
    for (int k = 0; k < NVAR; k++) u[k] = v[k * n + i];
    return state(u);
}

static void fluxes(float *out, const float *v, Grid g) {
    State far = state(g.far);
    for (int i = 0; i < n; i++) {
        State s = state_at(v, i);
        float sum[NVAR] = {0};
        for (int j = 0; j < 4; j++) {
            int nb = g.neighbour[j * n + i];
            float normal[3], length = 0;
            for (int d = 0; d < 3; d++) normal[d] = g.normal[(d * 4 + j) * n + i], length += normal[d] * normal[d];
            length = sqrtf(length);
            if (nb == -1) {
                for (int d = 0; d < 3; d++) sum[MX + d] += normal[d] * s.pressure;
                continue;
            }
            State o = nb >= 0 ? state_at(v, nb) : far;
            float viscosity = nb >= 0 ? -length * smoothing * 0.5f * (s.speed + o.speed + s.sound + o.sound) : 0;
            for (int k = 0; k < NVAR; k++) {
                sum[k] += viscosity * (s.u[k] - o.u[k]);
                for (int d = 0; d < 3; d++) sum[k] += 0.5f * normal[d] * (o.f[k][d] + s.f[k][d]);
            }
        }
        for (int k = 0; k < NVAR; k++) out[k * n + i] = sum[k];
    }
}

int main(void) {
    Grid g = grid();
    float *v = floats(NVAR * n), *old = floats(NVAR * n), *f = floats(NVAR * n), *factor = floats(n);
    double start = now();
    for (int k = 0; k < NVAR; k++)
        for (int i = 0; i < n; i++) v[k * n + i] = g.far[k];
    for (int t = 0; t < steps; t++) {
        memcpy(old, v, sizeof(float) * NVAR * n);
        for (int i = 0; i < n; i++) {
            State s = state_at(v, i);
            factor[i] = 0.5f / (sqrtf(g.area[i]) * (s.speed + s.sound));
        }
        for (int j = 1; j < 4; j++) {
            fluxes(f, v, g);
            for (int k = 0; k < NVAR; k++)
                for (int i = 0; i < n; i++) v[k * n + i] = old[k * n + i] + factor[i] / (float)(4 - j) * f[k * n + i];
        }
    }
    results(v, now() - start);
    free_grid(g), free(v), free(old), free(f), free(factor);
}
