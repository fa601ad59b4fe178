/* pow of f64, and of f32 in numbers of 64 bits (elementary_own.h includes this).
 *
 * |x|^y = 2^(y log2|x|), the logarithm in two parts: with s = f/(2 + f), log(1 + f) = 2 atanh(s) = 2 s (1 + z/3 + z^2
 * p(z)), z = s^2. */

typedef struct { double high, low; } dsl_two;

/* x*y of two parts each */
DSL_INLINE dsl_two dsl_two_times(dsl_two x, dsl_two y) {
    double p = x.high * y.high;
    return (dsl_two){p, DSL_FMA(x.high, y.high, -p) + DSL_FMA(x.high, y.low, x.low * y.high)};
}

/* a + x, where a is 0 or the greater */
DSL_INLINE dsl_two dsl_two_plus(double a, dsl_two x) {
    double sum = a + x.high;
    return (dsl_two){sum, ((a - sum) + x.high) + x.low};
}

/* log2(x) for normal x > 0 and denormal ones */
DSL_INLINE dsl_two dsl_two_log2(double x) {
    double k, f = dsl_log_any(x, &k), d = 2.0 + f;
    dsl_two s, thirds;
    s.high = dsl_quotient(f, 0, d, (2.0 - d) + f, &s.low);
    dsl_two z = dsl_two_times(s, s);
    double q = z.high * DSL_P8(DSL_FMA, z.high, 0x1.9999999999975p-3, 0x1.24924924974b9p-3, 0x1.c71c71bea747bp-4,
                               0x1.745d1af9a0ee8p-4, 0x1.3b12c154be619p-4, 0x1.11357a47f97ebp-4, 0x1.db5d1f7e0ae8ap-5,
                               0x1.ff8b59f4cc151p-5);
    thirds = dsl_two_plus(0x1.5555555555555p-2, (dsl_two){q, 0x1.5555555555555p-56});
    dsl_two atanh = dsl_two_times(s, dsl_two_plus(1.0, dsl_two_times(z, thirds)));
    return dsl_two_plus(k, dsl_two_times(atanh, (dsl_two){0x1.71547652b82fep+1, 0x1.777d0ffda0d24p-55}));
}

/* 2^(e.high + e.low) */
DSL_INLINE double dsl_two_exp2(dsl_two e) {
    double t = e.high + dsl_SHIFT, a = e.high - (t - dsl_SHIFT), r = a + e.low, r_low = (a - r) + e.low;
    double v = r * dsl_LN2, v_low = DSL_FMA(r, dsl_LN2, -v) + DSL_FMA(r, 0x1.abc9e3b39803fp-56, r_low * dsl_LN2);
    double p = dsl_exp_curve(v, v_low), s = v + p, low = (v - s) + p, one = 1.0 + s;
    return dsl_times_power(one + (((1.0 - one) + s) + low), dsl_to_bits(t));
}

/* x^y where |x|^y is r: the sign, and NaN where x < 0 and y is no int */
DSL_INLINE double dsl_pow_ends(double x, double y, double r) {
    double h = dsl_abs(y) * 0.5, odd = dsl_abs(h - ((h + 0x1p52) - 0x1p52)); /* 1/2; 0 even; else no int */
    odd = h < 0x1p-9 ? 0.25 : odd;
    odd = h < 0x1p52 ? odd : 0;
    double no = odd * (odd - 0.5) != 0 ? DSL_NAN(double) : 0;
    no = x < 0 ? no : 0;
    no = x < -dsl_MOST ? 0 : no;
    r = dsl_signed(r + no, odd == 0.5 ? x : 0);
    r = x == 1 ? 1 : r;
    return y == 0 ? 1 : r;
}

/* The logarithm of 0, infinity and NaN; else l */
DSL_INLINE double dsl_pow_log(double a, double l) {
    l = a <= dsl_MOST ? l : a;
    return a == 0 ? -DSL_INF(double) : l;
}

/* What decides as much as greater ones */
DSL_INLINE double dsl_pow_most(double y) {
    double most = y > 0x1p65 ? 0x1p65 : y;
    return most < -0x1p65 ? -0x1p65 : most;
}

DSL_INLINE double dsl_pow_main(double x, double y) {
    double most = dsl_pow_most(y);
    dsl_two log = dsl_two_log2(dsl_abs(x)), e;
    log.high = dsl_pow_log(dsl_abs(x), log.high);
    e.high = most * log.high;
    e.low = DSL_FMA(most, log.high, -e.high) + most * log.low;
    double r = dsl_two_exp2(e);
    r = e.high > 1025.0 ? DSL_INF(double) : r;
    r = e.high < -1080.0 ? 0 : r;
    return dsl_pow_ends(x, y, r);
}

DSL_INLINE float dsl_pow_mainf(float x, float y) {
    double k, unused, f = dsl_log_split((double)dsl_absf(x), 0x1p52 + 1024, &k, &unused), s = f / (2.0 + f), z = s * s;
    double p = DSL_P5(DSL_FMA, z, 0x1.555555586f76dp-2, 0x1.999990bdead51p-3, 0x1.249662b51658bp-3,
                      0x1.c576107fd504bp-4, 0x1.9a8d759f64d9ap-4);
    double e = dsl_pow_most((double)y) *
               dsl_pow_log((double)dsl_absf(x), DSL_FMA(s * 0x1.71547652b82fep+1, DSL_FMA(z, p, 1.0), k));
    double t = e + dsl_SHIFT, v = e - (t - dsl_SHIFT);
    double r = DSL_FMA(v,
                       DSL_P6(DSL_FMA, v, 0x1.62e430cce5debp-1, 0x1.ebfbe0c08621bp-3, 0x1.c6aecf00c5db0p-5,
                              0x1.3b29ba5d3c5afp-7, 0x1.5f47d49ddaf14p-10, 0x1.4484f4d06c084p-13),
                       1.0);
    r = r * dsl_power(dsl_to_bits(t), 0);
    r = e > 200.0 ? DSL_INF(double) : r;
    r = e < -200.0 ? 0 : r;
    return (float)dsl_pow_ends((double)x, (double)y, r);
}
