/* Made by dslc. */
#include "gen.h"

/* Places in the source, for messages */
static const dsl_site site[] = {
    {"/tmp/r2_cfd2.dsl", 125, 22, 13, "        var factor = zeros(f32, n)"},
    {"/tmp/r2_cfd2.dsl", 166, 17, 43, "let neighbour = [neighbour_at(j, i) for j in 0:4, i in 0:n]"},
    {"/tmp/r2_cfd2.dsl", 167, 14, 40, "let normal = [normal_at(j, i) for j in 0:4, i in 0:n]"},
    {"/tmp/r2_cfd2.dsl", 168, 12, 44, "let area = [0.8 + f32(0.4) * unit(mix(i)) for i in 0:n]"},
    {"/tmp/r2_cfd2.dsl", 169, 13, 6, "let start = time()"},
    {"/tmp/r2_cfd2.dsl", 170, 15, 18, "let v = euler([far for i in 0:n], neighbour, normal, area, far, steps)"},
    {"/tmp/r2_cfd2.dsl", 171, 15, 6, "let seconds = time() - start"},
    {"/tmp/r2_cfd2.dsl", 172, 16, 49, "print(\"check\", sum(f64(v[i].density) * (1 + i % 7) for i in 0:n), sum(f64(v[i].mx) * (1 + i % 7) for i in 0:n), sum(f64(v[i].my) * (1 + i % 7) for i in 0:n), sum(f64(v[i].mz) * (1 + i % 7) for i in 0:n), sum(f64(v[i].energy) * (1 + i % 7) for i in 0:n))"},
    {"/tmp/r2_cfd2.dsl", 172, 67, 44, "print(\"check\", sum(f64(v[i].density) * (1 + i % 7) for i in 0:n), sum(f64(v[i].mx) * (1 + i % 7) for i in 0:n), sum(f64(v[i].my) * (1 + i % 7) for i in 0:n), sum(f64(v[i].mz) * (1 + i % 7) for i in 0:n), sum(f64(v[i].energy) * (1 + i % 7) for i in 0:n))"},
    {"/tmp/r2_cfd2.dsl", 172, 113, 44, "print(\"check\", sum(f64(v[i].density) * (1 + i % 7) for i in 0:n), sum(f64(v[i].mx) * (1 + i % 7) for i in 0:n), sum(f64(v[i].my) * (1 + i % 7) for i in 0:n), sum(f64(v[i].mz) * (1 + i % 7) for i in 0:n), sum(f64(v[i].energy) * (1 + i % 7) for i in 0:n))"},
    {"/tmp/r2_cfd2.dsl", 172, 159, 44, "print(\"check\", sum(f64(v[i].density) * (1 + i % 7) for i in 0:n), sum(f64(v[i].mx) * (1 + i % 7) for i in 0:n), sum(f64(v[i].my) * (1 + i % 7) for i in 0:n), sum(f64(v[i].mz) * (1 + i % 7) for i in 0:n), sum(f64(v[i].energy) * (1 + i % 7) for i in 0:n))"},
    {"/tmp/r2_cfd2.dsl", 172, 205, 48, "print(\"check\", sum(f64(v[i].density) * (1 + i % 7) for i in 0:n), sum(f64(v[i].mx) * (1 + i % 7) for i in 0:n), sum(f64(v[i].my) * (1 + i % 7) for i in 0:n), sum(f64(v[i].mz) * (1 + i % 7) for i in 0:n), sum(f64(v[i].energy) * (1 + i % 7) for i in 0:n))"},
};

double dsl_x_time(void);
struct euler_results {
    dsl_array *r0;
    dsl_array *r1;
    dsl_array *r2;
    dsl_array *r3;
    dsl_array *r4;
};
static struct euler_results euler(dsl_array *, dsl_array *, dsl_array *, dsl_array *, dsl_array *, dsl_array *, dsl_array *, dsl_array *, dsl_array *, dsl_array *, float, float, float, float, float, int64_t);
static void script(void);

static struct euler_results euler(dsl_array *v0_density_arr, dsl_array *v0_mx_arr, dsl_array *v0_my_arr,
        dsl_array *v0_mz_arr, dsl_array *v0_energy_arr, dsl_array *neighbour_arr, dsl_array *normal_x_arr,
        dsl_array *normal_y_arr, dsl_array *normal_z_arr, dsl_array *area_arr, float far_density, float far_mx,
        float far_my, float far_mz, float far_energy, int64_t steps)
{
    (void)far_density;
    (void)far_mx;
    (void)far_my;
    (void)far_mz;
    (void)far_energy;
    (void)steps;
    /* r2_cfd2.dsl:123: for s in 0:steps { */
    for (int64_t s = 0; s < 20; s++) {
        /* r2_cfd2.dsl:125: var factor = zeros(f32, n) */
        dsl_array *factor_arr = dsl_new(&site[0], DSL_F32, 1, (int64_t[]){93312});
        {
            float *restrict factor = factor_arr->data;
            const float *restrict v0_density = v0_density_arr->data;
            const float *restrict v0_mx = v0_mx_arr->data;
            const float *restrict v0_my = v0_my_arr->data;
            const float *restrict v0_mz = v0_mz_arr->data;
            const float *restrict v0_energy = v0_energy_arr->data;
            const float *restrict area = area_arr->data;
            #pragma omp parallel for simd schedule(static)
            for (int64_t i = 0; i < 93312; i++) {
                /* r2_cfd2.dsl:33: let g = gas(v[i]) */
                const float v0_density1 = v0_density[i];
                /* r2_cfd2.dsl:17: let vx = c.mx / c.density */
                const float g_vx = v0_mx[i] / v0_density1;
                /* r2_cfd2.dsl:18: let vy = c.my / c.density */
                const float g_vy = v0_my[i] / v0_density1;
                /* r2_cfd2.dsl:19: let vz = c.mz / c.density */
                const float g_vz = v0_mz[i] / v0_density1;
                /* r2_cfd2.dsl:20: let speed2 = vx * vx + vy * vy + vz * vz */
                const float g_speed2 = g_vx * g_vx + g_vy * g_vy + g_vz * g_vz;
                /* r2_cfd2.dsl:21: let pressure = (gamma - 1) * (c.energy - 0.5 * c.density * speed2) */
                const float g_pressure = (v0_energy[i] - v0_density1 * 0.5f * g_speed2) * 0.39999998f;
                /* r2_cfd2.dsl:22: return Gas(vx, vy, vz, speed2, pressure, sqrt(gamma * pressure / c.density)) */
                const float g_sound = sqrtf(g_pressure * 1.4f / v0_density1);
                /* r2_cfd2.dsl:34: factor[i] = 0.5 / (sqrt(area[i]) * (sqrt(g.speed2) + g.sound)) */
                factor[i] = 0.5f / (sqrtf(area[i]) * (sqrtf(g_speed2) + g_sound));
            }
        }
        /* r2_cfd2.dsl:127: for j in 1:4 { */
        dsl_retain(v0_density_arr);
        dsl_retain(v0_mx_arr);
        dsl_retain(v0_my_arr);
        dsl_retain(v0_mz_arr);
        dsl_retain(v0_energy_arr);
        dsl_array *v0_density_arr1 = v0_density_arr;
        dsl_array *v0_mx_arr1 = v0_mx_arr;
        dsl_array *v0_my_arr1 = v0_my_arr;
        dsl_array *v0_mz_arr1 = v0_mz_arr;
        dsl_array *v0_energy_arr1 = v0_energy_arr;
        for (int64_t j = 1; j < 4; j++) {
            /* r2_cfd2.dsl:129: launch fluxes[grid, 192](f, v, neighbour, normal, far, far_flux) */
            dsl_retain(v0_density_arr);
            dsl_retain(v0_mx_arr);
            dsl_retain(v0_my_arr);
            dsl_retain(v0_mz_arr);
            dsl_retain(v0_energy_arr);
            dsl_array *f_density_arr = dsl_unique(v0_density_arr);
            dsl_array *f_mx_arr = dsl_unique(v0_mx_arr);
            dsl_array *f_my_arr = dsl_unique(v0_my_arr);
            dsl_array *f_mz_arr = dsl_unique(v0_mz_arr);
            dsl_array *f_energy_arr = dsl_unique(v0_energy_arr);
            {
                float *restrict out_flux = f_density_arr->data;
                float *restrict out_flux1 = f_mx_arr->data;
                float *restrict out_flux2 = f_my_arr->data;
                float *restrict out_flux3 = f_mz_arr->data;
                float *restrict out_flux4 = f_energy_arr->data;
                const float *restrict v = v0_density_arr1->data;
                const float *restrict v1 = v0_mx_arr1->data;
                const float *restrict v2 = v0_my_arr1->data;
                const float *restrict v3 = v0_mz_arr1->data;
                const float *restrict v4 = v0_energy_arr1->data;
                const int32_t (*restrict neighbour)[93312] = neighbour_arr->data;
                const float (*restrict normal)[93312] = normal_x_arr->data;
                const float (*restrict normal1)[93312] = normal_y_arr->data;
                const float (*restrict normal2)[93312] = normal_z_arr->data;
                #pragma omp parallel for schedule(static)
                for (int64_t i = 0; i < 93312; i++) {
                    /* r2_cfd2.dsl:41: let c = v[i] */
                    const float c_density = v[i];
                    const float c_mx = v1[i];
                    const float c_my = v2[i];
                    const float c_mz = v3[i];
                    const float c_energy = v4[i];
                    /* r2_cfd2.dsl:17: let vx = c.mx / c.density */
                    const float g_vx = c_mx / c_density;
                    /* r2_cfd2.dsl:18: let vy = c.my / c.density */
                    const float g_vy = c_my / c_density;
                    /* r2_cfd2.dsl:19: let vz = c.mz / c.density */
                    const float g_vz = c_mz / c_density;
                    /* r2_cfd2.dsl:20: let speed2 = vx * vx + vy * vy + vz * vz */
                    const float g_speed2 = g_vx * g_vx + g_vy * g_vy + g_vz * g_vz;
                    /* r2_cfd2.dsl:21: let pressure = (gamma - 1) * (c.energy - 0.5 * c.density * speed2) */
                    const float g_pressure = (c_energy - c_density * 0.5f * g_speed2) * 0.39999998f;
                    /* r2_cfd2.dsl:22: return Gas(vx, vy, vz, speed2, pressure, sqrt(gamma * pressure / c.density)) */
                    const float g_sound = sqrtf(g_pressure * 1.4f / c_density);
                    /* r2_cfd2.dsl:26: let e = c.energy + g.pressure */
                    const float e = c_energy + g_pressure;
                    /* r2_cfd2.dsl:27: return Flux(g.vx * c.mx + g.pressure, g.vx * c.my, g.vx * c.mz, g.vy * c.my + g.pressure, g.vy * c.mz, g.vz * c.mz + g.pressure, g.vx * e, g.vy * e, g.vz * e) */
                    const float f_xx = g_vx * c_mx + g_pressure;
                    const float f_xy = g_vx * c_my;
                    const float f_xz = g_vx * c_mz;
                    const float f_yy = g_vy * c_my + g_pressure;
                    const float f_yz = g_vy * c_mz;
                    const float f_zz = g_vz * c_mz + g_pressure;
                    const float f_ex = g_vx * e;
                    const float f_ey = g_vy * e;
                    const float f_ez = g_vz * e;
                    /* r2_cfd2.dsl:57: let a = -sqrt(nx * nx + ny * ny + nz * nz) * smoothing * 0.5 * (sqrt(g.speed2) + sqrt(h.speed2) + g.sound + h.sound) */
                    const float t = sqrtf(g_speed2);
                    /* r2_cfd2.dsl:85: density = if nb < -1 { density + x2 * (far.mx + c.mx) } else { density } */
                    const float t1 = c_mx + 1.6800001f;
                    /* r2_cfd2.dsl:86: energy = if nb < -1 { energy + x2 * (far_flux.ex + f.ex) } else { energy } */
                    const float t2 = f_ex + 5.4096007f;
                    /* r2_cfd2.dsl:87: mx = if nb < -1 { mx + x2 * (far_flux.xx + f.xx) } else { mx } */
                    const float t3 = f_xx + 3.0160003f;
                    /* r2_cfd2.dsl:88: my = if nb < -1 { my + x2 * (far_flux.xy + f.xy) } else { my } */
                    const float t4 = f_xy + 0.0f;
                    /* r2_cfd2.dsl:89: mz = if nb < -1 { mz + x2 * (far_flux.xz + f.xz) } else { mz } */
                    const float t5 = f_xz + 0.0f;
                    /* r2_cfd2.dsl:91: density = if nb < -1 { density + y2 * (far.my + c.my) } else { density } */
                    const float t6 = c_my + 0.0f;
                    /* r2_cfd2.dsl:92: energy = if nb < -1 { energy + y2 * (far_flux.ey + f.ey) } else { energy } */
                    const float t7 = f_ey + 0.0f;
                    /* r2_cfd2.dsl:94: my = if nb < -1 { my + y2 * (far_flux.yy + f.yy) } else { my } */
                    const float t8 = f_yy + 1.0000001f;
                    /* r2_cfd2.dsl:95: mz = if nb < -1 { mz + y2 * (far_flux.yz + f.yz) } else { mz } */
                    const float t9 = f_yz + 0.0f;
                    /* r2_cfd2.dsl:97: density = if nb < -1 { density + z2 * (far.mz + c.mz) } else { density } */
                    const float t10 = c_mz + 0.0f;
                    /* r2_cfd2.dsl:98: energy = if nb < -1 { energy + z2 * (far_flux.ez + f.ez) } else { energy } */
                    const float t11 = f_ez + 0.0f;
                    /* r2_cfd2.dsl:101: mz = if nb < -1 { mz + z2 * (far_flux.zz + f.zz) } else { mz } */
                    const float t12 = f_zz + 1.0000001f;
                    /* r2_cfd2.dsl:49: for j in 0:4 { */
                    float density = 0.0f;
                    float energy = 0.0f;
                    float mx = 0.0f;
                    float my = 0.0f;
                    float mz = 0.0f;
                    for (int64_t j1 = 0; j1 < 4; j1++) {
                        /* r2_cfd2.dsl:50: let nb = neighbour[j, i] */
                        const int32_t nb = neighbour[j1][i];
                        /* r2_cfd2.dsl:51: let nx = normal[j, i].x */
                        const float nx = normal[j1][i];
                        const float ny = normal1[j1][i];
                        const float nz = normal2[j1][i];
                        /* r2_cfd2.dsl:54: let o = v[min(max(int(nb), 0), n - 1)] */
                        const int64_t t13 = dsl_min_i64(dsl_max_i64((int64_t)nb, 0), 93311);
                        const float o_density = v[t13];
                        const float o_mx = v1[t13];
                        const float o_my = v2[t13];
                        const float o_mz = v3[t13];
                        const float o_energy = v4[t13];
                        /* r2_cfd2.dsl:17: let vx = c.mx / c.density */
                        const float h_vx = o_mx / o_density;
                        /* r2_cfd2.dsl:18: let vy = c.my / c.density */
                        const float h_vy = o_my / o_density;
                        /* r2_cfd2.dsl:19: let vz = c.mz / c.density */
                        const float h_vz = o_mz / o_density;
                        /* r2_cfd2.dsl:20: let speed2 = vx * vx + vy * vy + vz * vz */
                        const float h_speed2 = h_vx * h_vx + h_vy * h_vy + h_vz * h_vz;
                        /* r2_cfd2.dsl:21: let pressure = (gamma - 1) * (c.energy - 0.5 * c.density * speed2) */
                        const float h_pressure = (o_energy - o_density * 0.5f * h_speed2) * 0.39999998f;
                        /* r2_cfd2.dsl:22: return Gas(vx, vy, vz, speed2, pressure, sqrt(gamma * pressure / c.density)) */
                        const float h_sound = sqrtf(h_pressure * 1.4f / o_density);
                        /* r2_cfd2.dsl:26: let e = c.energy + g.pressure */
                        const float e1 = o_energy + h_pressure;
                        /* r2_cfd2.dsl:27: return Flux(g.vx * c.mx + g.pressure, g.vx * c.my, g.vx * c.mz, g.vy * c.my + g.pressure, g.vy * c.mz, g.vz * c.mz + g.pressure, g.vx * e, g.vy * e, g.vz * e) */
                        const float q_xx = h_vx * o_mx + h_pressure;
                        const float q_xy = h_vx * o_my;
                        const float q_xz = h_vx * o_mz;
                        const float q_yy = h_vy * o_my + h_pressure;
                        const float q_yz = h_vy * o_mz;
                        const float q_zz = h_vz * o_mz + h_pressure;
                        const float q_ex = h_vx * e1;
                        const float q_ey = h_vy * e1;
                        const float q_ez = h_vz * e1;
                        /* r2_cfd2.dsl:57: let a = -sqrt(nx * nx + ny * ny + nz * nz) * smoothing * 0.5 * (sqrt(g.speed2) + sqrt(h.speed2) + g.sound + h.sound) */
                        const float a = -sqrtf(nx * nx + ny * ny + nz * nz) * 0.2f * 0.5f *
                                (t + sqrtf(h_speed2) + g_sound + h_sound);
                        /* r2_cfd2.dsl:58: density = if nb >= 0 { density + a * (c.density - o.density) } else { density } */
                        const bool t14 = nb >= 0;
                        if (t14) {
                            density += a * (c_density - o_density);
                        }
                        /* r2_cfd2.dsl:59: energy = if nb >= 0 { energy + a * (c.energy - o.energy) } else { energy } */
                        if (t14) {
                            energy += a * (c_energy - o_energy);
                        }
                        /* r2_cfd2.dsl:60: mx = if nb >= 0 { mx + a * (c.mx - o.mx) } else { mx } */
                        if (t14) {
                            mx += a * (c_mx - o_mx);
                        }
                        /* r2_cfd2.dsl:61: my = if nb >= 0 { my + a * (c.my - o.my) } else { my } */
                        if (t14) {
                            my += a * (c_my - o_my);
                        }
                        /* r2_cfd2.dsl:62: mz = if nb >= 0 { mz + a * (c.mz - o.mz) } else { mz } */
                        if (t14) {
                            mz += a * (c_mz - o_mz);
                        }
                        /* r2_cfd2.dsl:63: let x = 0.5 * nx */
                        const float x = nx * 0.5f;
                        /* r2_cfd2.dsl:64: density = if nb >= 0 { density + x * (o.mx + c.mx) } else { density } */
                        const float density1 = t14 ? density + x * (o_mx + c_mx) : density;
                        /* r2_cfd2.dsl:65: energy = if nb >= 0 { energy + x * (q.ex + f.ex) } else { energy } */
                        const float energy1 = t14 ? energy + x * (q_ex + f_ex) : energy;
                        /* r2_cfd2.dsl:66: mx = if nb >= 0 { mx + x * (q.xx + f.xx) } else { mx } */
                        const float mx1 = t14 ? mx + x * (q_xx + f_xx) : mx;
                        /* r2_cfd2.dsl:67: my = if nb >= 0 { my + x * (q.xy + f.xy) } else { my } */
                        const float my1 = t14 ? my + x * (q_xy + f_xy) : my;
                        /* r2_cfd2.dsl:68: mz = if nb >= 0 { mz + x * (q.xz + f.xz) } else { mz } */
                        const float mz1 = t14 ? mz + x * (q_xz + f_xz) : mz;
                        /* r2_cfd2.dsl:69: let y = 0.5 * ny */
                        const float y = ny * 0.5f;
                        /* r2_cfd2.dsl:70: density = if nb >= 0 { density + y * (o.my + c.my) } else { density } */
                        const float density2 = t14 ? density1 + y * (o_my + c_my) : density1;
                        /* r2_cfd2.dsl:71: energy = if nb >= 0 { energy + y * (q.ey + f.ey) } else { energy } */
                        const float energy2 = t14 ? energy1 + y * (q_ey + f_ey) : energy1;
                        /* r2_cfd2.dsl:72: mx = if nb >= 0 { mx + y * (q.xy + f.xy) } else { mx } */
                        const float mx2 = t14 ? mx1 + y * (q_xy + f_xy) : mx1;
                        /* r2_cfd2.dsl:73: my = if nb >= 0 { my + y * (q.yy + f.yy) } else { my } */
                        const float my2 = t14 ? my1 + y * (q_yy + f_yy) : my1;
                        /* r2_cfd2.dsl:74: mz = if nb >= 0 { mz + y * (q.yz + f.yz) } else { mz } */
                        const float mz2 = t14 ? mz1 + y * (q_yz + f_yz) : mz1;
                        /* r2_cfd2.dsl:75: let z = 0.5 * nz */
                        const float z = nz * 0.5f;
                        /* r2_cfd2.dsl:76: density = if nb >= 0 { density + z * (o.mz + c.mz) } else { density } */
                        const float density3 = t14 ? density2 + z * (o_mz + c_mz) : density2;
                        /* r2_cfd2.dsl:77: energy = if nb >= 0 { energy + z * (q.ez + f.ez) } else { energy } */
                        const float energy3 = t14 ? energy2 + z * (q_ez + f_ez) : energy2;
                        /* r2_cfd2.dsl:78: mx = if nb >= 0 { mx + z * (q.xz + f.xz) } else { mx } */
                        const float mx3 = t14 ? mx2 + z * (q_xz + f_xz) : mx2;
                        /* r2_cfd2.dsl:79: my = if nb >= 0 { my + z * (q.yz + f.yz) } else { my } */
                        const float my3 = t14 ? my2 + z * (q_yz + f_yz) : my2;
                        /* r2_cfd2.dsl:80: mz = if nb >= 0 { mz + z * (q.zz + f.zz) } else { mz } */
                        const float mz3 = t14 ? mz2 + z * (q_zz + f_zz) : mz2;
                        /* r2_cfd2.dsl:81: mx = if nb == -1 { mx + nx * g.pressure } else { mx } */
                        const bool t15 = nb == -1;
                        const float mx4 = t15 ? mx3 + nx * g_pressure : mx3;
                        /* r2_cfd2.dsl:82: my = if nb == -1 { my + ny * g.pressure } else { my } */
                        const float my4 = t15 ? my3 + ny * g_pressure : my3;
                        /* r2_cfd2.dsl:83: mz = if nb == -1 { mz + nz * g.pressure } else { mz } */
                        const float mz4 = t15 ? mz3 + nz * g_pressure : mz3;
                        /* r2_cfd2.dsl:85: density = if nb < -1 { density + x2 * (far.mx + c.mx) } else { density } */
                        const bool t16 = nb < -1;
                        const float density4 = t16 ? density3 + x * t1 : density3;
                        /* r2_cfd2.dsl:86: energy = if nb < -1 { energy + x2 * (far_flux.ex + f.ex) } else { energy } */
                        const float energy4 = t16 ? energy3 + x * t2 : energy3;
                        /* r2_cfd2.dsl:87: mx = if nb < -1 { mx + x2 * (far_flux.xx + f.xx) } else { mx } */
                        const float mx5 = t16 ? mx4 + x * t3 : mx4;
                        /* r2_cfd2.dsl:88: my = if nb < -1 { my + x2 * (far_flux.xy + f.xy) } else { my } */
                        const float my5 = t16 ? my4 + x * t4 : my4;
                        /* r2_cfd2.dsl:89: mz = if nb < -1 { mz + x2 * (far_flux.xz + f.xz) } else { mz } */
                        const float mz5 = t16 ? mz4 + x * t5 : mz4;
                        /* r2_cfd2.dsl:91: density = if nb < -1 { density + y2 * (far.my + c.my) } else { density } */
                        const float density5 = t16 ? density4 + y * t6 : density4;
                        /* r2_cfd2.dsl:92: energy = if nb < -1 { energy + y2 * (far_flux.ey + f.ey) } else { energy } */
                        const float energy5 = t16 ? energy4 + y * t7 : energy4;
                        /* r2_cfd2.dsl:93: mx = if nb < -1 { mx + y2 * (far_flux.xy + f.xy) } else { mx } */
                        const float mx6 = t16 ? mx5 + y * t4 : mx5;
                        /* r2_cfd2.dsl:94: my = if nb < -1 { my + y2 * (far_flux.yy + f.yy) } else { my } */
                        const float my6 = t16 ? my5 + y * t8 : my5;
                        /* r2_cfd2.dsl:95: mz = if nb < -1 { mz + y2 * (far_flux.yz + f.yz) } else { mz } */
                        const float mz6 = t16 ? mz5 + y * t9 : mz5;
                        /* r2_cfd2.dsl:97: density = if nb < -1 { density + z2 * (far.mz + c.mz) } else { density } */
                        const float density6 = t16 ? density5 + z * t10 : density5;
                        /* r2_cfd2.dsl:98: energy = if nb < -1 { energy + z2 * (far_flux.ez + f.ez) } else { energy } */
                        const float energy6 = t16 ? energy5 + z * t11 : energy5;
                        /* r2_cfd2.dsl:99: mx = if nb < -1 { mx + z2 * (far_flux.xz + f.xz) } else { mx } */
                        const float mx7 = t16 ? mx6 + z * t5 : mx6;
                        /* r2_cfd2.dsl:100: my = if nb < -1 { my + z2 * (far_flux.yz + f.yz) } else { my } */
                        const float my7 = t16 ? my6 + z * t9 : my6;
                        /* r2_cfd2.dsl:101: mz = if nb < -1 { mz + z2 * (far_flux.zz + f.zz) } else { mz } */
                        const float mz7 = t16 ? mz6 + z * t12 : mz6;
                        density = density6;
                        energy = energy6;
                        mx = mx7;
                        my = my7;
                        mz = mz7;
                    }
                    /* r2_cfd2.dsl:103: out_flux[i] = Cell(density, mx, my, mz, energy) */
                    out_flux[i] = density;
                    out_flux1[i] = mx;
                    out_flux2[i] = my;
                    out_flux3[i] = mz;
                    out_flux4[i] = energy;
                }
            }
            /* r2_cfd2.dsl:130: launch time_step[grid, 192](v, old, factor, f, j) */
            v0_density_arr1 = dsl_unique(v0_density_arr1);
            v0_mx_arr1 = dsl_unique(v0_mx_arr1);
            v0_my_arr1 = dsl_unique(v0_my_arr1);
            v0_mz_arr1 = dsl_unique(v0_mz_arr1);
            v0_energy_arr1 = dsl_unique(v0_energy_arr1);
            {
                float *restrict v = v0_density_arr1->data;
                float *restrict v1 = v0_mx_arr1->data;
                float *restrict v2 = v0_my_arr1->data;
                float *restrict v3 = v0_mz_arr1->data;
                float *restrict v4 = v0_energy_arr1->data;
                const float *restrict old = v0_density_arr->data;
                const float *restrict old1 = v0_mx_arr->data;
                const float *restrict old2 = v0_my_arr->data;
                const float *restrict old3 = v0_mz_arr->data;
                const float *restrict old4 = v0_energy_arr->data;
                const float *restrict factor = factor_arr->data;
                const float *restrict flux = f_density_arr->data;
                const float *restrict flux1 = f_mx_arr->data;
                const float *restrict flux2 = f_my_arr->data;
                const float *restrict flux3 = f_mz_arr->data;
                const float *restrict flux4 = f_energy_arr->data;
                /* r2_cfd2.dsl:109: let f = factor[i] / f32(4 - j) */
                const float t = (float)(4 - j);
                /* r2_cfd2.dsl:130: launch time_step[grid, 192](v, old, factor, f, j) */
                #pragma omp parallel for simd schedule(static)
                for (int64_t i = 0; i < 93312; i++) {
                    /* r2_cfd2.dsl:109: let f = factor[i] / f32(4 - j) */
                    const float f = factor[i] / t;
                    /* r2_cfd2.dsl:110: v[i].density = old[i].density + f * flux[i].density */
                    const float old5 = old1[i];
                    const float old6 = old2[i];
                    const float old7 = old3[i];
                    const float old8 = old4[i];
                    const float flux5 = flux1[i];
                    const float flux6 = flux2[i];
                    const float flux7 = flux3[i];
                    const float flux8 = flux4[i];
                    /* r2_cfd2.dsl:114: v[i].energy = old[i].energy + f * flux[i].energy */
                    v[i] = old[i] + f * flux[i];
                    v1[i] = old5 + f * flux5;
                    v2[i] = old6 + f * flux6;
                    v3[i] = old7 + f * flux7;
                    v4[i] = old8 + f * flux8;
                }
            }
            /* r2_cfd2.dsl:130: launch time_step[grid, 192](v, old, factor, f, j) */
            dsl_release(f_energy_arr);
            dsl_release(f_mz_arr);
            dsl_release(f_my_arr);
            dsl_release(f_mx_arr);
            dsl_release(f_density_arr);
        }
        /* r2_cfd2.dsl:127: for j in 1:4 { */
        dsl_release(factor_arr);
        dsl_release(v0_energy_arr);
        dsl_release(v0_mz_arr);
        dsl_release(v0_my_arr);
        dsl_release(v0_mx_arr);
        dsl_release(v0_density_arr);
        v0_density_arr = v0_density_arr1;
        v0_mx_arr = v0_mx_arr1;
        v0_my_arr = v0_my_arr1;
        v0_mz_arr = v0_mz_arr1;
        v0_energy_arr = v0_energy_arr1;
    }
    /* r2_cfd2.dsl:123: for s in 0:steps { */
    dsl_release(normal_z_arr);
    dsl_release(normal_y_arr);
    dsl_release(normal_x_arr);
    dsl_release(neighbour_arr);
    dsl_release(area_arr);
    return (struct euler_results){v0_density_arr, v0_mx_arr, v0_my_arr, v0_mz_arr, v0_energy_arr};
}

static void script(void)
{
    /* r2_cfd2.dsl:166: let neighbour = [neighbour_at(j, i) for j in 0:4, i in 0:n] */
    dsl_array *neighbour_arr = dsl_new(&site[1], DSL_I32, 2, (int64_t[]){4, 93312});
    {
        int32_t (*restrict neighbour)[93312] = neighbour_arr->data;
        #pragma omp parallel for schedule(static)
        for (int64_t j = 0; j < 4; j++) {
            #pragma omp simd
            for (int64_t i = 0; i < 93312; i++) {
                /* r2_cfd2.dsl:141: fn id_at(place: int) -> int = place // 64 * 64 + 45 * (place % 64 - 11 * (place // 64)) % 64 */
                const int64_t t = i / 64;
                const int64_t id = t * 64 + (((i % 64 - t * 11) * 45) & 63);
                /* r2_cfd2.dsl:145: let kind = id % 2 */
                const int64_t kind = id % 2;
                /* r2_cfd2.dsl:146: let step = 2 * kind - 1 */
                const int64_t step = kind * 2 - 1;
                /* r2_cfd2.dsl:147: var x = id // 2 % across */
                const int64_t t1 = id / 2;
                const int64_t x = t1 % 36;
                /* r2_cfd2.dsl:148: var y = id // 2 // across % across */
                const int64_t t2 = t1 / 36;
                const int64_t y = t2 % 36;
                /* r2_cfd2.dsl:149: var z = id // 2 // across // across */
                const int64_t z = t2 / 36;
                /* r2_cfd2.dsl:150: if j == 1 { x += step } */
                const int64_t x1 = x + step;
                const int64_t x2 = j == 1 ? x1 : x;
                /* r2_cfd2.dsl:151: if j == 2 { y += step } */
                const int64_t y1 = y + step;
                const int64_t y2 = j == 2 ? y1 : y;
                /* r2_cfd2.dsl:152: if j == 3 { z += step } */
                const int64_t z1 = z + step;
                const int64_t z2 = j == 3 ? z1 : z;
                /* r2_cfd2.dsl:153: if z < 0 { return -1 } */
                int32_t t3;
                if (z2 < 0) {
                    t3 = -1;
                } else {
                    /* r2_cfd2.dsl:154: if x < 0 or y < 0 or x >= across or y >= across or z >= across { return -2 } */
                    int32_t t4;
                    if (x2 < 0 || y2 < 0 || x2 >= 36 || y2 >= 36 || z2 >= 36) {
                        t4 = -2;
                    } else {
                        /* r2_cfd2.dsl:155: return i32(place_of(((z * across + y) * across + x) * 2 + 1 - kind)) */
                        const int64_t t5 = ((z2 * 36 + y2) * 36 + x2) * 2 + 1 - kind;
                        /* r2_cfd2.dsl:140: fn place_of(id: int) -> int = id // 64 * 64 + (37 * (id % 64) + 11 * (id // 64)) % 64 */
                        const int64_t t6 = t5 >> 6;
                        /* r2_cfd2.dsl:155: return i32(place_of(((z * across + y) * across + x) * 2 + 1 - kind)) */
                        t4 = (int32_t)(t6 * 64 + (((t5 & 63) * 37 + t6 * 11) & 63));
                    }
                    t3 = t4;
                }
                /* r2_cfd2.dsl:166: let neighbour = [neighbour_at(j, i) for j in 0:4, i in 0:n] */
                neighbour[j][i] = t3;
            }
        }
    }
    /* r2_cfd2.dsl:167: let normal = [normal_at(j, i) for j in 0:4, i in 0:n] */
    dsl_array *normal_x_arr = dsl_new(&site[2], DSL_F32, 2, (int64_t[]){4, 93312});
    dsl_array *normal_y_arr = dsl_new(&site[2], DSL_F32, 2, (int64_t[]){4, 93312});
    dsl_array *normal_z_arr = dsl_new(&site[2], DSL_F32, 2, (int64_t[]){4, 93312});
    {
        float (*restrict normal_x)[93312] = normal_x_arr->data;
        float (*restrict normal_y)[93312] = normal_y_arr->data;
        float (*restrict normal_z)[93312] = normal_z_arr->data;
        #pragma omp parallel for schedule(static)
        for (int64_t j = 0; j < 4; j++) {
            #pragma omp simd
            for (int64_t i = 0; i < 93312; i++) {
                /* r2_cfd2.dsl:141: fn id_at(place: int) -> int = place // 64 * 64 + 45 * (place % 64 - 11 * (place // 64)) % 64 */
                const int64_t t = i / 64;
                /* r2_cfd2.dsl:160: let s: f32 = if id_at(place) % 2 == 0 { -0.1 } else { 0.1 } */
                const float s = (t * 64 + (((i % 64 - t * 11) * 45) & 63)) % 2 == 0 ? -0.1f : 0.1f;
                /* r2_cfd2.dsl:161: return Vec(if j < 2 { s } else { -s }, if j % 2 == 0 { s } else { -s }, if j % 3 == 0 { s } else { -s }) */
                const float t1 = j < 2 ? s : -s;
                const float t2 = j % 2 == 0 ? s : -s;
                const float t3 = j % 3 == 0 ? s : -s;
                /* r2_cfd2.dsl:167: let normal = [normal_at(j, i) for j in 0:4, i in 0:n] */
                normal_x[j][i] = t1;
                normal_y[j][i] = t2;
                normal_z[j][i] = t3;
            }
        }
    }
    /* r2_cfd2.dsl:168: let area = [0.8 + f32(0.4) * unit(mix(i)) for i in 0:n] */
    dsl_array *area_arr = dsl_new(&site[3], DSL_F32, 1, (int64_t[]){93312});
    {
        float *restrict area = area_arr->data;
        #pragma omp parallel for simd schedule(static)
        for (int64_t i = 0; i < 93312; i++) {
            /* random.dsl:4: var h = u32(i) * 2654435761 */
            const uint32_t h = (uint32_t)i * 2654435761u;
            /* random.dsl:5: h = (h xor h >> 15) * 2246822519 */
            const uint32_t h1 = (h ^ (h >> 15)) * 2246822519u;
            /* random.dsl:6: h = (h xor h >> 13) * 3266489917 */
            const uint32_t h2 = (h1 ^ (h1 >> 13)) * 3266489917u;
            /* r2_cfd2.dsl:168: let area = [0.8 + f32(0.4) * unit(mix(i)) for i in 0:n] */
            area[i] = (float)((double)((h2 ^ (h2 >> 16)) >> 8) * 5.9604644775390625e-08) * 0.4f + 0.8f;
        }
    }
    /* r2_cfd2.dsl:169: let start = time() */
    dsl_set_site(&site[4]);
    const double start = dsl_x_time();
    /* r2_cfd2.dsl:170: let v = euler([far for i in 0:n], neighbour, normal, area, far, steps) */
    dsl_array *tmp_arr = dsl_new(&site[5], DSL_F32, 1, (int64_t[]){93312});
    dsl_array *tmp_arr1 = dsl_new(&site[5], DSL_F32, 1, (int64_t[]){93312});
    dsl_array *tmp_arr2 = dsl_new(&site[5], DSL_F32, 1, (int64_t[]){93312});
    dsl_array *tmp_arr3 = dsl_new(&site[5], DSL_F32, 1, (int64_t[]){93312});
    dsl_array *tmp_arr4 = dsl_new(&site[5], DSL_F32, 1, (int64_t[]){93312});
    {
        float *restrict tmp = tmp_arr->data;
        float *restrict tmp1 = tmp_arr1->data;
        float *restrict tmp2 = tmp_arr2->data;
        float *restrict tmp3 = tmp_arr3->data;
        float *restrict tmp4 = tmp_arr4->data;
        #pragma omp parallel for simd schedule(static)
        for (int64_t i = 0; i < 93312; i++) {
            tmp[i] = 1.4f;
            tmp1[i] = 1.6800001f;
            tmp2[i] = 0.0f;
            tmp3[i] = 0.0f;
            tmp4[i] = 3.5080004f;
        }
    }
    const struct euler_results euler_ = euler(tmp_arr, tmp_arr1, tmp_arr2, tmp_arr3, tmp_arr4, neighbour_arr,
            normal_x_arr, normal_y_arr, normal_z_arr, area_arr, 1.4f, 1.6800001f, 0.0f, 0.0f, 3.5080004f, 20);
    dsl_array *v_density_arr = euler_.r0;
    dsl_array *v_mx_arr = euler_.r1;
    dsl_array *v_my_arr = euler_.r2;
    dsl_array *v_mz_arr = euler_.r3;
    dsl_array *v_energy_arr = euler_.r4;
    /* r2_cfd2.dsl:171: let seconds = time() - start */
    dsl_set_site(&site[6]);
    const double t = dsl_x_time();
    const double seconds = t - start;
    /* r2_cfd2.dsl:172: print("check", sum(f64(v[i].density) * (1 + i % 7) for i in 0:n), sum(f64(v[i].mx) * (1 + i % 7) for i in 0:n), sum(f64(v[i].my) * (1 + i % 7) for i in 0:n), sum(f64(v[i].mz) * (1 + i % 7) for i in 0:n), sum(f64(v[i].energy) * (1 + i % 7) for i in 0:n)) */
    dsl_array *tmp_arr5 = dsl_new(&site[7], DSL_F64, 1, (int64_t[]){1});
    dsl_array *partial_arr = dsl_new(&site[7], DSL_F64, 1, (int64_t[]){23});
    {
        double *restrict tmp = tmp_arr5->data;
        double *restrict partial = partial_arr->data;
        const float *restrict v_density = v_density_arr->data;
        for (int64_t i = 0; i < 23; i++) {
            const int64_t t1 = i * 4096;
            const int64_t t2 = dsl_min_i64(93312 - t1, 4096);
            _Alignas(64) double lane[8] = {0};
            const int64_t t3 = t2 & -8;
            for (int64_t i1 = 0; i1 < t3; i1 += 8) {
                const int64_t t4 = t1 + i1;
                #pragma omp simd
                for (int64_t l = 0; l < 8; l++) {
                    const int64_t t5 = t4 + l;
                    lane[l] += (double)v_density[t5] * (double)(t5 % 7 + 1);
                }
            }
            const int64_t t4 = t2 & 7;
            const int64_t t5 = t1 + t3;
            #pragma omp simd
            for (int64_t l = 0; l < t4; l++) {
                const int64_t t6 = t5 + l;
                lane[l] += (double)v_density[t6] * (double)(dsl_mod_i64(t6, 7) + 1);
            }
            partial[i] = lane[0] + lane[4] + (lane[2] + lane[6]) + (lane[1] + lane[5] + (lane[3] + lane[7]));
        }
        double t1 = 0.0;
        for (int64_t i = 0; i < 23; i++) {
            t1 += partial[i];
        }
        tmp[0] = t1;
    }
    dsl_release(v_density_arr);
    dsl_release(partial_arr);
    const double t1 = DSL_ELEM(double, tmp_arr5, 0);
    dsl_release(tmp_arr5);
    dsl_array *tmp_arr6 = dsl_new(&site[8], DSL_F64, 1, (int64_t[]){1});
    dsl_array *partial_arr1 = dsl_new(&site[8], DSL_F64, 1, (int64_t[]){23});
    {
        double *restrict tmp = tmp_arr6->data;
        double *restrict partial = partial_arr1->data;
        const float *restrict v_mx = v_mx_arr->data;
        for (int64_t i = 0; i < 23; i++) {
            const int64_t t2 = i * 4096;
            const int64_t t3 = dsl_min_i64(93312 - t2, 4096);
            _Alignas(64) double lane[8] = {0};
            const int64_t t4 = t3 & -8;
            for (int64_t i1 = 0; i1 < t4; i1 += 8) {
                const int64_t t5 = t2 + i1;
                #pragma omp simd
                for (int64_t l = 0; l < 8; l++) {
                    const int64_t t6 = t5 + l;
                    lane[l] += (double)v_mx[t6] * (double)(t6 % 7 + 1);
                }
            }
            const int64_t t5 = t3 & 7;
            const int64_t t6 = t2 + t4;
            #pragma omp simd
            for (int64_t l = 0; l < t5; l++) {
                const int64_t t7 = t6 + l;
                lane[l] += (double)v_mx[t7] * (double)(dsl_mod_i64(t7, 7) + 1);
            }
            partial[i] = lane[0] + lane[4] + (lane[2] + lane[6]) + (lane[1] + lane[5] + (lane[3] + lane[7]));
        }
        double t2 = 0.0;
        for (int64_t i = 0; i < 23; i++) {
            t2 += partial[i];
        }
        tmp[0] = t2;
    }
    dsl_release(v_mx_arr);
    dsl_release(partial_arr1);
    const double t2 = DSL_ELEM(double, tmp_arr6, 0);
    dsl_release(tmp_arr6);
    dsl_array *tmp_arr7 = dsl_new(&site[9], DSL_F64, 1, (int64_t[]){1});
    dsl_array *partial_arr2 = dsl_new(&site[9], DSL_F64, 1, (int64_t[]){23});
    {
        double *restrict tmp = tmp_arr7->data;
        double *restrict partial = partial_arr2->data;
        const float *restrict v_my = v_my_arr->data;
        for (int64_t i = 0; i < 23; i++) {
            const int64_t t3 = i * 4096;
            const int64_t t4 = dsl_min_i64(93312 - t3, 4096);
            _Alignas(64) double lane[8] = {0};
            const int64_t t5 = t4 & -8;
            for (int64_t i1 = 0; i1 < t5; i1 += 8) {
                const int64_t t6 = t3 + i1;
                #pragma omp simd
                for (int64_t l = 0; l < 8; l++) {
                    const int64_t t7 = t6 + l;
                    lane[l] += (double)v_my[t7] * (double)(t7 % 7 + 1);
                }
            }
            const int64_t t6 = t4 & 7;
            const int64_t t7 = t3 + t5;
            #pragma omp simd
            for (int64_t l = 0; l < t6; l++) {
                const int64_t t8 = t7 + l;
                lane[l] += (double)v_my[t8] * (double)(dsl_mod_i64(t8, 7) + 1);
            }
            partial[i] = lane[0] + lane[4] + (lane[2] + lane[6]) + (lane[1] + lane[5] + (lane[3] + lane[7]));
        }
        double t3 = 0.0;
        for (int64_t i = 0; i < 23; i++) {
            t3 += partial[i];
        }
        tmp[0] = t3;
    }
    dsl_release(v_my_arr);
    dsl_release(partial_arr2);
    const double t3 = DSL_ELEM(double, tmp_arr7, 0);
    dsl_release(tmp_arr7);
    dsl_array *tmp_arr8 = dsl_new(&site[10], DSL_F64, 1, (int64_t[]){1});
    dsl_array *partial_arr3 = dsl_new(&site[10], DSL_F64, 1, (int64_t[]){23});
    {
        double *restrict tmp = tmp_arr8->data;
        double *restrict partial = partial_arr3->data;
        const float *restrict v_mz = v_mz_arr->data;
        for (int64_t i = 0; i < 23; i++) {
            const int64_t t4 = i * 4096;
            const int64_t t5 = dsl_min_i64(93312 - t4, 4096);
            _Alignas(64) double lane[8] = {0};
            const int64_t t6 = t5 & -8;
            for (int64_t i1 = 0; i1 < t6; i1 += 8) {
                const int64_t t7 = t4 + i1;
                #pragma omp simd
                for (int64_t l = 0; l < 8; l++) {
                    const int64_t t8 = t7 + l;
                    lane[l] += (double)v_mz[t8] * (double)(t8 % 7 + 1);
                }
            }
            const int64_t t7 = t5 & 7;
            const int64_t t8 = t4 + t6;
            #pragma omp simd
            for (int64_t l = 0; l < t7; l++) {
                const int64_t t9 = t8 + l;
                lane[l] += (double)v_mz[t9] * (double)(dsl_mod_i64(t9, 7) + 1);
            }
            partial[i] = lane[0] + lane[4] + (lane[2] + lane[6]) + (lane[1] + lane[5] + (lane[3] + lane[7]));
        }
        double t4 = 0.0;
        for (int64_t i = 0; i < 23; i++) {
            t4 += partial[i];
        }
        tmp[0] = t4;
    }
    dsl_release(v_mz_arr);
    dsl_release(partial_arr3);
    const double t4 = DSL_ELEM(double, tmp_arr8, 0);
    dsl_release(tmp_arr8);
    dsl_array *tmp_arr9 = dsl_new(&site[11], DSL_F64, 1, (int64_t[]){1});
    dsl_array *partial_arr4 = dsl_new(&site[11], DSL_F64, 1, (int64_t[]){23});
    {
        double *restrict tmp = tmp_arr9->data;
        double *restrict partial = partial_arr4->data;
        const float *restrict v_energy = v_energy_arr->data;
        for (int64_t i = 0; i < 23; i++) {
            const int64_t t5 = i * 4096;
            const int64_t t6 = dsl_min_i64(93312 - t5, 4096);
            _Alignas(64) double lane[8] = {0};
            const int64_t t7 = t6 & -8;
            for (int64_t i1 = 0; i1 < t7; i1 += 8) {
                const int64_t t8 = t5 + i1;
                #pragma omp simd
                for (int64_t l = 0; l < 8; l++) {
                    const int64_t t9 = t8 + l;
                    lane[l] += (double)v_energy[t9] * (double)(t9 % 7 + 1);
                }
            }
            const int64_t t8 = t6 & 7;
            const int64_t t9 = t5 + t7;
            #pragma omp simd
            for (int64_t l = 0; l < t8; l++) {
                const int64_t t10 = t9 + l;
                lane[l] += (double)v_energy[t10] * (double)(dsl_mod_i64(t10, 7) + 1);
            }
            partial[i] = lane[0] + lane[4] + (lane[2] + lane[6]) + (lane[1] + lane[5] + (lane[3] + lane[7]));
        }
        double t5 = 0.0;
        for (int64_t i = 0; i < 23; i++) {
            t5 += partial[i];
        }
        tmp[0] = t5;
    }
    dsl_release(v_energy_arr);
    dsl_release(partial_arr4);
    const double t5 = DSL_ELEM(double, tmp_arr9, 0);
    dsl_release(tmp_arr9);
    dsl_print_str("check"); dsl_print_sep(); dsl_print_f64(t1); dsl_print_sep(); dsl_print_f64(t2);
            dsl_print_sep(); dsl_print_f64(t3); dsl_print_sep(); dsl_print_f64(t4); dsl_print_sep();
            dsl_print_f64(t5); dsl_print_end();
    /* r2_cfd2.dsl:173: print("time", seconds) */
    dsl_print_str("time"); dsl_print_sep(); dsl_print_f64(seconds); dsl_print_end();
}

int main(int argc, char **argv)
{
    dsl_init(&argc, &argv);
    script();
    dsl_finish();
    return 0;
}
