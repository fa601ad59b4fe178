/* 16-bit floats: IEEE binary16 and bfloat16, to and from f32; rounding to nearest, ties to even. */
#include "runtime/dsl.h"

#include <string.h>

static uint32_t bits_of(float x) {
    uint32_t u;
    memcpy(&u, &x, sizeof u);
    return u;
}

static float from_bits(uint32_t u) {
    float x;
    memcpy(&x, &u, sizeof x);
    return x;
}

/* u >> n, rounded to nearest even; 1 <= n <= 31 */
static uint32_t shift_round(uint32_t u, int n) {
    uint32_t half = 1u << (n - 1), rest = u & ((half << 1) - 1), q = u >> n;
    return q + (rest > half || (rest == half && (q & 1)));
}

float dsl_f16_to_f32(dsl_f16 x) {
    uint32_t sign = (uint32_t)(x & 0x8000) << 16, exp = (x >> 10) & 31, frac = x & 0x3FF;
    if (exp == 31) return from_bits(sign | 0x7F800000 | frac << 13);
    if (exp) return from_bits(sign | (exp + 112) << 23 | frac << 13);
    float small = (float)frac * 0x1p-24f;
    return sign ? -small : small;
}

dsl_f16 dsl_f32_to_f16(float x) {
    uint32_t u = bits_of(x), mag = u & 0x7FFFFFFF;
    dsl_f16 sign = (dsl_f16)(u >> 16 & 0x8000);
    if (mag > 0x7F800000) return sign | 0x7E00 | (dsl_f16)(mag >> 13 & 0x3FF); /* NaN */
    if (mag >= 0x477FF000) return sign | 0x7C00;                               /* rounds to infinity */
    if (mag >= 0x38800000) return sign | (dsl_f16)shift_round(mag - (112u << 23), 13);
    if (mag < 0x33000000) return sign;                                         /* below half the least */
    int exp = (int)(mag >> 23);
    return sign | (dsl_f16)shift_round((mag & 0x7FFFFF) | 0x800000, 126 - exp);
}

float dsl_bf16_to_f32(dsl_bf16 x) { return from_bits((uint32_t)x << 16); }

dsl_bf16 dsl_f32_to_bf16(float x) {
    uint32_t u = bits_of(x);
    if ((u & 0x7FFFFFFF) > 0x7F800000) return (dsl_bf16)(u >> 16 | 0x40); /* NaN stays one */
    return (dsl_bf16)shift_round(u, 16);
}
