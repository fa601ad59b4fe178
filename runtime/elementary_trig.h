/* sin, cos, tan of f64, and of f32 in numbers of 64 bits (elementary_own.h includes this).
 *
 * x = n*pi/2 + r, |r| <= pi/4, pi/2 in three parts of 53 bits: what is left after the first is exact (Cody and Waite,
 * 1980, chapter 8, with fma), so that r keeps all its digits for |x| < 2^30.  Beyond, dsl_trig_large finds n and r; few
 * programs ask. */

typedef struct { double r, low; uint64_t n; } dsl_trig; /* r + low; n in the last two bits */

DSL_INLINE int dsl_trig_is_large(double x) { return !(dsl_abs(x) < 0x1p30); }

DSL_INLINE dsl_trig dsl_trig_reduce(double x) {
    double t = DSL_FMA(x, 0x1.45f306dc9c883p-1, 0x1.8p52), n = t - 0x1.8p52;
    double a = DSL_FMA(-n, dsl_PI_2, x), b = n * dsl_PI_2_LO, rest = DSL_FMA(n, dsl_PI_2_LO, -b), r = a - b, v = r - a;
    double low = DSL_FMA(n, 0x1.f1976b7ed8fbcp-110, ((a - (r - v)) - (b + v)) - rest);
    return (dsl_trig){r, low, dsl_to_bits(t)};
}

/* sin(r + low) = r + what comes back */
DSL_INLINE double dsl_sin_part(double r, double low) {
    double z = r * r;
    return DSL_FMA(z * r,
                   DSL_P6(DSL_FMA, z, -0x1.5555555555549p-3, 0x1.111111110f89cp-7, -0x1.a01a019c14158p-13,
                          0x1.71de3578ea83cp-19, -0x1.ae5e66a6d87b7p-26, 0x1.5d9303b3d5b69p-33),
                   low);
}

/* cos(r + low) = *one + what comes back */
DSL_INLINE double dsl_cos_part(double r, double low, double *one) {
    double z = r * r, half = -0.5 * r, w = DSL_FMA(half, r, 1.0);
    double p = DSL_P6(DSL_FMA, z, 0x1.555555555554cp-5, -0x1.6c16c16c15219p-10, 0x1.a01a019cbe57fp-16,
                      -0x1.27e4f811af264p-22, 0x1.1ee9f07625cb6p-29, -0x1.8fb0ac04aec9ep-37);
    *one = w;
    return DSL_FMA(half, r, 1.0 - w) + DSL_FMA(z * z, p, -(r * low));
}

/* sin(x + n*pi/2) */
DSL_INLINE double dsl_sin_of(dsl_trig t, uint64_t n) {
    double one, c = dsl_cos_part(t.r, t.low, &one) , s = t.r + dsl_sin_part(t.r, t.low);
    double y = (t.n + n) & 1 ? one + c : s;
    return dsl_from_bits(dsl_to_bits(y) ^ ((t.n + n) & 2) << 62);
}

DSL_INLINE double dsl_tan_of(dsl_trig t) {
    double one, c = dsl_cos_part(t.r, t.low, &one), p = dsl_sin_part(t.r, t.low), lost;
    double s = t.r + p, s_low = (t.r - s) + p, cos = one + c, cos_low = (one - cos) + c;
    double num = t.n & 1 ? -cos : s, num_low = t.n & 1 ? -cos_low : s_low, den = t.n & 1 ? s : cos,
           den_low = t.n & 1 ? s_low : cos_low;
    return dsl_quotient(num, num_low, den, den_low, &lost);
}

DSL_INLINE double dsl_sin_main(double x) {
    double y = dsl_sin_of(dsl_trig_reduce(x), 0);
    return dsl_abs(x) < 0x1p-27 ? x : y;
}
DSL_INLINE double dsl_cos_main(double x) { return dsl_sin_of(dsl_trig_reduce(x), 1); }
DSL_INLINE double dsl_tan_main(double x) {
    double y = dsl_tan_of(dsl_trig_reduce(x));
    return dsl_abs(x) < 0x1p-27 ? x : y;
}

/* ---- f32 */

DSL_INLINE int dsl_trig_is_largef(float x) { return !(dsl_absf(x) < 0x1p30f); }

DSL_INLINE dsl_trig dsl_trig_reducef(float x) {
    double t = DSL_FMA((double)x, 0x1.45f306dc9c883p-1, 0x1.8p52), n = t - 0x1.8p52;
    return (dsl_trig){DSL_FMA(-n, dsl_PI_2_LO, DSL_FMA(-n, dsl_PI_2, (double)x)), 0, dsl_to_bits(t)};
}

DSL_INLINE double dsl_sin_partf(double r, double z) {
    return DSL_FMA(r * z, DSL_P3(DSL_FMA, z, -0x1.5555458e4405cp-3, 0x1.11075b27b645ap-7, -0x1.994ce0daf9d23p-13), r);
}
DSL_INLINE double dsl_cos_partf(double z) {
    return DSL_FMA(z, DSL_P4(DSL_FMA, z, -0.5, 0x1.55554ab057ee0p-5, -0x1.6c0c89367d141p-10, 0x1.9a018b68600c9p-16),
                   1.0);
}

DSL_INLINE float dsl_sin_off(dsl_trig t, uint64_t n) {
    double z = t.r * t.r, s = dsl_sin_partf(t.r, z), c = dsl_cos_partf(z), y = (t.n + n) & 1 ? c : s;
    return (float)dsl_from_bits(dsl_to_bits(y) ^ ((t.n + n) & 2) << 62);
}
DSL_INLINE float dsl_tan_off(dsl_trig t) {
    double z = t.r * t.r, s = dsl_sin_partf(t.r, z), c = dsl_cos_partf(z);
    return (float)((t.n & 1 ? -c : s) / (t.n & 1 ? s : c));
}

DSL_INLINE float dsl_sin_mainf(float x) {
    float y = dsl_sin_off(dsl_trig_reducef(x), 0);
    return dsl_absf(x) < 0x1p-13f ? x : y;
}
DSL_INLINE float dsl_cos_mainf(float x) { return dsl_sin_off(dsl_trig_reducef(x), 1); }
DSL_INLINE float dsl_tan_mainf(float x) {
    float y = dsl_tan_off(dsl_trig_reducef(x));
    return dsl_absf(x) < 0x1p-13f ? x : y;
}
