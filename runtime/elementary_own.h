/* Elementary functions of f64 and f32 by plain arithmetic, for vectors (elementary.h says who includes this).
 *
 * Only + - * /, fma, square roots, operations on bits and choices that come last, in an order that is written out: so a
 * result does not depend on the compiler, the processor, the length of an array or the place in it.  What rounding
 * loses where it would matter is carried along: of sums by Dekker (A floating-point technique for extending the
 * available precision, Numerische Mathematik 18, 1971), of products and quotients by fma.  Errors are below 1 unit in
 * the last place (docs/elementary.md).
 *
 * This file: constants and polynomials of both types (tools/minimax.py).  The functions themselves are in
 * elementary_exp.h, elementary_log.h, elementary_arc.h, which are included once for each type: FN(exp) is dsl_exp for
 * f64, dsl_expf for f32. */
#ifndef DSL_ELEMENTARY_OWN_H
#define DSL_ELEMENTARY_OWN_H

#include <stdint.h>
#include <string.h>

#define DSL_INLINE static inline __attribute__((always_inline, unused))

DSL_INLINE double dsl_from_bits(uint64_t u) {
    double d;
    memcpy(&d, &u, sizeof d);
    return d;
}
DSL_INLINE float dsl_from_bitsf(uint32_t u) {
    float d;
    memcpy(&d, &u, sizeof d);
    return d;
}
DSL_INLINE uint64_t dsl_to_bits(double d) {
    uint64_t u;
    memcpy(&u, &d, sizeof u);
    return u;
}
DSL_INLINE uint32_t dsl_to_bitsf(float d) {
    uint32_t u;
    memcpy(&u, &d, sizeof u);
    return u;
}

/* ---- polynomials: by Horner, which takes the fewest instructions, the long ones in two halves */

#define DSL_FMA(x, y, z) __builtin_fma(x, y, z)
#define DSL_FMAF(x, y, z) __builtin_fmaf(x, y, z)
#define DSL_P2(F, x, a, b) F(b, x, a)
#define DSL_P3(F, x, a, b, c) F(F(c, x, b), x, a)
#define DSL_P4(F, x, a, b, c, d) F(F(F(d, x, c), x, b), x, a)
#define DSL_P5(F, x, a, b, c, d, e) F(F(F(F(e, x, d), x, c), x, b), x, a)
#define DSL_P6(F, x, a, b, c, d, e, f) F(F(F(F(F(f, x, e), x, d), x, c), x, b), x, a)
#define DSL_P7(F, x, a, b, c, d, e, f, g) F(F(F(F(F(F(g, x, f), x, e), x, d), x, c), x, b), x, a)
#define DSL_P8(F, x, a, b, c, d, e, f, g, h) \
    F(DSL_P4(F, (x) * (x), b, d, f, h), x, DSL_P4(F, (x) * (x), a, c, e, g))
#define DSL_P9(F, x, a, b, c, d, e, f, g, h, i) \
    F(DSL_P4(F, (x) * (x), b, d, f, h), x, DSL_P5(F, (x) * (x), a, c, e, g, i))
#define DSL_P10(F, x, a, b, c, d, e, f, g, h, i, j) \
    F(DSL_P5(F, (x) * (x), b, d, f, h, j), x, DSL_P5(F, (x) * (x), a, c, e, g, i))
#define DSL_P11(F, x, a, b, c, d, e, f, g, h, i, j, k) \
    F(DSL_P5(F, (x) * (x), b, d, f, h, j), x, DSL_P6(F, (x) * (x), a, c, e, g, i, k))
#define DSL_P13(F, x, a, b, c, d, e, f, g, h, i, j, k, l, m) \
    F(DSL_P6(F, (x) * (x), b, d, f, h, j, l), x, DSL_P7(F, (x) * (x), a, c, e, g, i, k, m))

/* exp(r) = 1 + r + r^2/2 + r^3 * this, |r| <= log(2)/2 */
DSL_INLINE double dsl_poly_exp(double r) {
    return DSL_P10(DSL_FMA, r, 0x1.555555555555cp-3, 0x1.5555555555556p-5, 0x1.111111110e96ap-7,
        0x1.6c16c16c16197p-10, 0x1.a01a01b49f2b6p-13, 0x1.a01a01a70a0a3p-16, 0x1.71dded5681ea9p-19,
        0x1.27e4db8bbc55ap-22, 0x1.af70b94f278b2p-26, 0x1.1f71bf23cc72fp-29);
}
DSL_INLINE float dsl_poly_expf(float r) {
    return DSL_P4(DSL_FMAF, r, 0x1.555490p-3f, 0x1.5554c6p-5f, 0x1.123acap-7f, 0x1.6d73c2p-10f);
}

/* 2^r = 1 + r*(log(2) + r * this), |r| <= 1/2 */
DSL_INLINE double dsl_poly_exp2(double r) {
    return DSL_P10(DSL_FMA, r, 0x1.ebfbdff82c5a5p-3, 0x1.c6b08d704a0ccp-5, 0x1.3b2ab6fb9ff4ap-7,
        0x1.5d87fe78a268fp-10, 0x1.4309130f319b8p-13, 0x1.ffcbfc7644ab9p-17, 0x1.62bfc6c82ef84p-20,
        0x1.b524d8bbfbc2bp-24, 0x1.e61caf3786aa2p-28, 0x1.ea09bc7f06b5bp-32);
}
DSL_INLINE float dsl_poly_exp2f(float r) {
    return DSL_P5(DSL_FMAF, r, 0x1.ebfbe0p-3f, 0x1.c6af88p-5f, 0x1.3b2a2ap-7f, 0x1.5f042ap-10f, 0x1.444580p-13f);
}

/* sinh(x) = x + x^3 * this, |x| <= 1, z = x^2 */
DSL_INLINE double dsl_poly_sinh(double z) {
    return DSL_P7(DSL_FMA, z, 0x1.5555555555556p-3, 0x1.1111111111020p-7, 0x1.a01a01a036c6ap-13,
        0x1.71de3a3b680d1p-19, 0x1.ae646f9cf9ab1p-26, 0x1.61171941db1d4p-33, 0x1.b5bd2d4c91c94p-41);
}
DSL_INLINE float dsl_poly_sinhf(float z) {
    return DSL_P4(DSL_FMAF, z, 0x1.555556p-3f, 0x1.1110e2p-7f, 0x1.a02156p-13f, 0x1.75a6ecp-19f);
}

/* erf(x) = x + x * this, |x| <= 1, u = x^2 - 1/2 */
DSL_INLINE double dsl_poly_erf(double u) {
    return DSL_P13(DSL_FMA, u, -0x1.1ae14dc34815ap-5, -0x1.1fd16292151fdp-2, 0x1.454368017b054p-4,
        -0x1.2b902b7b2f489p-6, 0x1.c82aa249d9231p-9, -0x1.263991b7a687ep-11, 0x1.486638c8dc63dp-14,
        -0x1.429e94c0a77c0p-17, 0x1.1ad5d7c12f5f6p-20, -0x1.bf8b6c0061f5ap-24, 0x1.42b3e28294ddbp-27,
        -0x1.ae08545e1b7b4p-31, 0x1.dcd18146cf41ep-35);
}
DSL_INLINE float dsl_poly_erff(float u) {
    return DSL_P7(DSL_FMAF, u, -0x1.1ae14ep-5f, -0x1.1fd164p-2f, 0x1.454372p-4f, -0x1.2b8d9cp-6f, 0x1.c81a78p-9f,
        -0x1.28961ap-11f, 0x1.4f817cp-14f);
}

/* 1 - erf(x) = exp(-x^2) * this, 1 <= x <= 6, t = (x - 2)/(x + 2) */
DSL_INLINE double dsl_poly_erfc(double t) {
    return DSL_P13(DSL_FMA, t, 0x1.058671b52c776p-2, -0x1.b57034efd3f5dp-2, 0x1.eeea7dc8a78e7p-3,
        -0x1.437f0b68cbaedp-4, 0x1.e947158bfe6acp-9, 0x1.ca95ed84ecb63p-8, -0x1.bc258eaa267dbp-11,
        -0x1.016b547c273d5p-10, 0x1.6d35ccd850c24p-15, 0x1.6d83299c2ce95p-13, 0x1.cf747931cf914p-16,
        -0x1.be89367c84d9ap-16, -0x1.a875f94e31e61p-17);
}
DSL_INLINE float dsl_poly_erfcf(float t) {
    return DSL_P7(DSL_FMAF, t, 0x1.058672p-2f, -0x1.b57030p-2f, 0x1.eeea02p-3f, -0x1.43932cp-4f, 0x1.dd7b72p-9f,
        0x1.c7c792p-8f, -0x1.198790p-12f);
}

/* atan(x) = x + x^3 * this, |x| <= sqrt(2) - 1, z = x^2 */
DSL_INLINE double dsl_poly_atan(double z) {
    return DSL_P11(DSL_FMA, z, -0x1.555555555553dp-2, 0x1.99999999958b8p-3, -0x1.24924922b01d4p-3,
        0x1.c71c70e7496adp-4, -0x1.745cf901f7393p-4, 0x1.3b111bccb6015p-4, -0x1.10ebd7439b91fp-4,
        0x1.df110ffe2c519p-5, -0x1.9cdab13f9ab9bp-5, 0x1.37e9bc8da6c62p-5, -0x1.2595fdefa4983p-6);
}
DSL_INLINE float dsl_poly_atanf(float z) {
    return DSL_P5(DSL_FMAF, z, -0x1.55554ap-2f, 0x1.9991e8p-3f, -0x1.23ba40p-3f, 0x1.b22e9ep-4f, -0x1.f31c72p-5f);
}

/* asin(x) = x + x^3 * this, |x| <= 1/2, z = x^2 */
DSL_INLINE double dsl_poly_asin(double z) {
    return DSL_P13(DSL_FMA, z, 0x1.5555555555578p-3, 0x1.333333332df3fp-4, 0x1.6db6db722835ep-5,
        0x1.f1c71a8d29233p-6, 0x1.6e8bdfb300431p-6, 0x1.1c49e21631ea1p-6, 0x1.ca20d91830391p-7, 0x1.757b3cae24ec2p-7,
        0x1.6174c8e9b53c6p-7, 0x1.e2b84472f7bb5p-9, 0x1.6493054848ba7p-6, -0x1.595323920d7edp-6,
        0x1.0baf79e1ce2a6p-5);
}
DSL_INLINE float dsl_poly_asinf(float z) {
    return DSL_P5(DSL_FMAF, z, 0x1.5555cap-3f, 0x1.33016ap-4f, 0x1.7489f4p-5f, 0x1.8bb96ap-6f, 0x1.59c79ep-5f);
}

/* log((1 + s)/(1 - s)) = 2*s + s*z * this, s = f/(2 + f), z = s^2, f as below */
DSL_INLINE double dsl_poly_logs(double z) {
    return DSL_P8(DSL_FMA, z, 0x1.5555555555551p-1, 0x1.999999999b6adp-2, 0x1.2492492283830p-2, 0x1.c71c74048eca5p-3,
        0x1.745c6b52bb04bp-3, 0x1.3b319ad44b7fcp-3, 0x1.0e11ad0d78414p-3, 0x1.19a373ce70f8ap-3);
}

/* log(1 + f) = f - f^2/2 + f^3 * this, -0.329 < f < 0.344 */
DSL_INLINE float dsl_poly_logf(float f) {
    return DSL_P9(DSL_FMAF, f, 0x1.555556p-2f, -0x1.ffff08p-3f, 0x1.9998bcp-3f, -0x1.559a42p-3f, 0x1.24c3a0p-3f,
        -0x1.f3695ap-4f, 0x1.bdcde2p-4f, -0x1.0750b8p-3f, 0x1.d3d796p-4f);
}

/* log(1 + f) - f, f as there */
DSL_INLINE double dsl_log_rest(double f) {
    double s = f / (2.0 + f), z = s * s, half = 0.5 * (f * f);
    return DSL_FMA(s, DSL_FMA(z, dsl_poly_logs(z), half), -half);
}
DSL_INLINE float dsl_log_restf(float f) {
    return DSL_FMAF(-0.5f * f, f, ((f * f) * f) * dsl_poly_logf(f));
}

/* exp(r) - 1 - r + lost.  For f64 the square keeps its digits: expm1 doubles what rounding loses of it. */
DSL_INLINE double dsl_exp_curve(double r, double lost) {
    return DSL_FMA(0.5 * r, r, DSL_FMA((r * r) * r, dsl_poly_exp(r), lost));
}
DSL_INLINE float dsl_exp_curvef(float r, float lost) {
    return DSL_FMAF(r * r, DSL_FMAF(r, dsl_poly_expf(r), 0.5f), lost);
}

/* ---- constants: a head of so few bits that products with what it meets are exact, and the rest */

#define DSL_CONSTANT(name, f64, f32)                                                                    \
    static const double dsl_##name __attribute__((unused)) = f64;                                          \
    static const float dsl_##name##f __attribute__((unused)) = f32;
DSL_CONSTANT(LOG2E, 0x1.71547652b82fep+0, 0x1.715476p+0f)
DSL_CONSTANT(LOG2E_LO, 0x1.777d0ffda0d24p-56, 0x1.4ae0c00000000p-26f)
DSL_CONSTANT(LOG10E, 0x1.bcb7b1526e50ep-2, 0x1.bcb7b2p-2f)
DSL_CONSTANT(LOG10E_LO, 0x1.95355baaafad3p-57, -0x1.5b235e0000000p-27f)
DSL_CONSTANT(LN2, 0x1.62e42fefa39efp-1, 0x1.62e430p-1f)
DSL_CONSTANT(LN2_HI, 0x1.62e42fefa4p-1, 0x1.62e8p-1f)
DSL_CONSTANT(LN2_LO, -0x1.8432a1b0e2634p-43, -0x1.e8082ep-16f)
DSL_CONSTANT(LOG10_2_HI, 0x1.34413509f8p-2, 0x1.344p-2f)
DSL_CONSTANT(LOG10_2_LO, -0x1.80433b83b532ap-44, 0x1.3509f8p-18f)
DSL_CONSTANT(PI_2, 0x1.921fb54442d18p+0, 0x1.921fb6p+0f)
DSL_CONSTANT(PI_2_LO, 0x1.1a62633145c07p-54, -0x1.777a5cp-25f)
DSL_CONSTANT(PI_4, 0x1.921fb54442d18p-1, 0x1.921fb6p-1f)
DSL_CONSTANT(PI_4_LO, 0x1.1a62633145c07p-55, -0x1.777a5cp-26f)
DSL_CONSTANT(SHIFT, 0x1.8p52 + 2046,
             0x1.8p23f + 254) /* adding it rounds to an int, in the low bits with twice the bias of exponents */
DSL_CONSTANT(LEAST, 0x1p-1022, 0x1p-126f)               /* normal */
DSL_CONSTANT(MOST, 0x1.fffffffffffffp1023, 0x1.fffffep127f)
DSL_CONSTANT(TINY, 0x1p-54, 0x1p-25f) /* x^2 is nothing beside x */
DSL_CONSTANT(EXP_MOST, 710.0, 89.0f)   /* beyond, exp is infinite; one more and less, for sums of n*log(2) */
DSL_CONSTANT(EXP_LEAST, -746.0, -104.0f)
DSL_CONSTANT(EXP2_MOST, 1024.5, 128.5f)
DSL_CONSTANT(EXP2_LEAST, -1080.0, -155.0f)
DSL_CONSTANT(EXPM1_LEAST, -40.0, -20.0f) /* below, exp(x) is nothing beside 1 */
DSL_CONSTANT(SINH_MOST, 710.48, 89.42f)
DSL_CONSTANT(TANH_MOST, 20.0, 10.0f)
DSL_CONSTANT(LOG_LEAST, 0x1.58p-1, 0x1.58p-1f)
DSL_CONSTANT(TAN_PI_8, 0x1.a82p-2, 0x1.a82p-2f)
DSL_CONSTANT(COT_PI_8, 0x1.350p+1, 0x1.350p+1f)
#undef DSL_CONSTANT

#define DSL_NAN(T) ((T)__builtin_nan(""))
#define DSL_INF(T) ((T)__builtin_inf())

#define REAL double
#define WORD uint64_t
#define FN(name) dsl_##name
#define SQRT(x) __builtin_sqrt(x)
#define FMA(x, y, z) DSL_FMA(x, y, z)
#define DIGITS 52
#define BIAS 1023
#define DENORMAL 54 /* 2^54 times a denormal is normal */
#include "elementary_exp.h"
#include "elementary_log.h"
#include "elementary_arc.h"
#undef REAL
#undef WORD
#undef FN
#undef SQRT
#undef FMA
#undef DIGITS
#undef BIAS
#undef DENORMAL

#define REAL float
#define WORD uint32_t
#define FN(name) dsl_##name##f
#define SQRT(x) __builtin_sqrtf(x)
#define FMA(x, y, z) DSL_FMAF(x, y, z)
#define DIGITS 23
#define BIAS 127
#define DENORMAL 25
#include "elementary_exp.h"
#include "elementary_log.h"
#include "elementary_arc.h"
#undef REAL
#undef WORD
#undef FN
#undef SQRT
#undef FMA
#undef DIGITS
#undef BIAS
#undef DENORMAL

#include "elementary_trig.h"
#include "elementary_pow.h"

#endif
