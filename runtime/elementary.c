/* The functions of elementary.h one at a time: with fma where the processor has it, else with that of the C library,
 * which is slow and gives the same bits.  sin, cos and tan also as vectors, under the names by which gcc calls them
 * from loops (Vector Function ABI of x86-64: b, c, d, e for SSE, AVX, AVX2, AVX-512). */
#define DSL_ELEMENTARY_OWN
#include "runtime/elementary.h"

#if defined(__x86_64__) && !defined(__FMA__)
#define HAS_FMA __attribute__((target("fma")))
#define CHOOSE(name, ...) (__builtin_cpu_supports("fma") ? fma_##name(__VA_ARGS__) : own_##name(__VA_ARGS__))
#else
#define HAS_FMA
#define CHOOSE(name, ...) fma_##name(__VA_ARGS__)
#endif

#define DEFINE_FOR(T, name)                                                                               \
    DSL_INLINE T own_##name(T x) { return dsl_##name(x); }                                                \
    static HAS_FMA T fma_##name(T x) { return own_##name(x); }                                            \
    T dsl_call_##name(T x) { return CHOOSE(name, x); }
#define DEFINE(name) DEFINE_FOR(double, name) DEFINE_FOR(float, name##f)
DSL_ELEMENTARY(DEFINE)

double dsl_pow(double, double);
float dsl_powf(float, float);
#define DEFINE_POW(T, f)                                                                                  \
    DSL_INLINE T own_pow##f(T x, T y) { return dsl_pow_main##f(x, y); }                                   \
    static HAS_FMA T fma_pow##f(T x, T y) { return own_pow##f(x, y); }                                    \
    T dsl_call_pow##f(T x, T y) { return CHOOSE(pow##f, x, y); }                                          \
    T dsl_pow##f(T x, T y) { return CHOOSE(pow##f, x, y); }
DEFINE_POW(double, )
DEFINE_POW(float, f)

/* ---- sin, cos, tan: far from 0 */

/* Bits of 2/pi, after 64 zeros */
static const uint64_t two_over_pi[] = {
    0,
    0xa2f9836e4e441529,
    0xfc2757d1f534ddc0,
    0xdb6295993c439041,
    0xfe5163abdebbc561,
    0xb7246e3a424dd2e0,
    0x06492eea09d1921c,
    0xfe1deb1cb129a73e,
    0xe88235f52ebb4484,
    0xe99c7026b45f7e41,
    0x3991d639835339f4,
    0x9c845f8bbdf9283b,
    0x1ff897ffde05980f,
    0xef2f118b5a0a6d1f,
    0x6d367ecf27cb09b7,
    0x4f463f669e5fea2d,
    0x7527bac7ebe5f17b,
    0x3d0739f78a5292ea,
    0x6bfb5fb11f8d5d08,
    0x56033046fc7b6bab,
    0xf0cfbc209af4361d,
};

static uint64_t bits_at(int at) {
    int word = at >> 6, shift = at & 63;
    return shift ? two_over_pi[word] << shift | two_over_pi[word + 1] >> (64 - shift) : two_over_pi[word];
}

__extension__ typedef unsigned __int128 Long;

/* A part of a turn by pi/2, part/2^128 + .. of 0 <= zeros bits after the point, as an angle */
DSL_INLINE dsl_trig angle(Long part, int zeros) {
    double scale = dsl_from_bits((uint64_t)(1023 - zeros) << 52);
    double a = (double)(uint64_t)(part >> 75) * (0x1p-53 * scale),
           b = (double)(uint64_t)(part >> 11) * (0x1p-117 * scale);
    double r = a * dsl_PI_2, low = DSL_FMA(a, dsl_PI_2, -r) + DSL_FMA(a, dsl_PI_2_LO, b * dsl_PI_2), sum = r + low;
    return (dsl_trig){sum, (r - sum) + low, 0};
}

/* Any x by 190 bits of x*2/pi after the point; bits that are whole turns are left out.  Payne and Hanek, Radian
 * reduction for trigonometric functions, ACM SIGNUM Newsletter 18, 1983 */
DSL_INLINE dsl_trig reduce_large(double x) {
    if (!(dsl_abs(x) <= dsl_MOST)) return (dsl_trig){DSL_NAN(double), 0, 0};
    uint64_t bits = dsl_to_bits(x), m = (bits & (((uint64_t)1 << 52) - 1)) | (uint64_t)1 << 52;
    int at = (int)(bits >> 52 & 2047) - 1075 + 62; /* x = m * 2^e: from the bit of weight 2^(1-e) on */
    Long low = (Long)m * bits_at(at + 128), mid = (Long)m * bits_at(at + 64) + (uint64_t)(low >> 64);
    uint64_t high = m * bits_at(at) + (uint64_t)(mid >> 64), n = high >> 62, rest = (uint64_t)low << 2;
    Long part = (Long)(high << 2 | (uint64_t)mid >> 62) << 64 | ((uint64_t)mid << 2 | (uint64_t)low >> 62);
    uint64_t upper = (uint64_t)(part >> 127);
    if (upper) n++, part = ~part + (rest == 0), rest = 0 - rest; /* the next turn, less what is missing */
    int zeros = part >> 64 ? __builtin_clzll((uint64_t)(part >> 64)) : 64 + __builtin_clzll((uint64_t)part | 1);
    if (zeros) part = part << zeros | (zeros < 64 ? rest >> (64 - zeros) : (Long)rest << (zeros - 64));
    dsl_trig t = angle(part, zeros);
    if (upper != (bits >> 63)) t.r = -t.r, t.low = -t.low;
    t.n = bits >> 63 ? 0 - n : n;
    return t;
}

#define SIN(t, f) dsl_sin_of##f(t, 0)
#define COS(t, f) dsl_sin_of##f(t, 1)
#define TAN(t, f) dsl_tan_of##f(t)
#define DEFINE_TRIG_FOR(T, name, f, OF)                                                                   \
    DSL_INLINE T own_##name##f(T x) {                                                                     \
        return dsl_trig_is_large##f(x) ? OF(reduce_large((double)x), f) : dsl_##name##_main##f(x);        \
    }                                                                                                     \
    static HAS_FMA __attribute__((noinline)) T fma_##name##f(T x) { return own_##name##f(x); }            \
    T dsl_call_##name##f(T x) { return CHOOSE(name##f, x); }                                              \
    T dsl_##name##f(T x) { return CHOOSE(name##f, x); }
#define DEFINE_TRIG(name, OF) DEFINE_TRIG_FOR(double, name, , OF) DEFINE_TRIG_FOR(float, name, f, OF)
double dsl_sin(double), dsl_cos(double), dsl_tan(double);
float dsl_sinf(float), dsl_cosf(float), dsl_tanf(float);
DEFINE_TRIG(sin, SIN)
DEFINE_TRIG(cos, COS)
DEFINE_TRIG(tan, TAN)

/* ---- as vectors */

#ifdef __x86_64__
/* All lanes as if they were near 0, the others again */
#define DEFINE_LANES(T, V, LANES, name, f, vector)                                                        \
    V vector(V x) {                                                                                       \
        T in[LANES], out[LANES];                                                                          \
        int large = 0;                                                                                    \
        memcpy(in, &x, sizeof in);                                                                        \
        for (int i = 0; i < LANES; i++) out[i] = dsl_##name##_main##f(in[i]);                             \
        for (int i = 0; i < LANES; i++) large |= dsl_trig_is_large##f(in[i]);                             \
        if (__builtin_expect(large, 0))                                                                   \
            for (int i = 0; i < LANES; i++) out[i] = fma_##name##f(in[i]);                                \
        memcpy(&x, out, sizeof x);                                                                        \
        return x;                                                                                         \
    }
typedef double D16 __attribute__((vector_size(16)));
typedef double D32 __attribute__((vector_size(32)));
typedef double D64 __attribute__((vector_size(64)));
typedef float F16 __attribute__((vector_size(16)));
typedef float F32 __attribute__((vector_size(32)));
typedef float F64 __attribute__((vector_size(64)));
#define DEFINE_POW_LANES(T, V, LANES, f, vector)                                                          \
    V vector(V x, V y) {                                                                                  \
        T a[LANES], b[LANES];                                                                             \
        memcpy(a, &x, sizeof a);                                                                          \
        memcpy(b, &y, sizeof b);                                                                          \
        for (int i = 0; i < LANES; i++) a[i] = dsl_pow_main##f(a[i], b[i]);                               \
        memcpy(&x, a, sizeof x);                                                                          \
        return x;                                                                                         \
    }
#define NAME(isa, lanes, name) _ZGV##isa##N##lanes##v_dsl_##name
#define AVX2 __attribute__((target("avx2,fma")))
#ifdef __clang__
#define AVX512 __attribute__((target("avx512f,fma")))
#else
#define AVX512 __attribute__((target("avx512f,fma,prefer-vector-width=512")))
#endif
#define DEFINE_VECTORS(name)                                                                              \
    AVX2 D16 NAME(b, 2, name)(D16);                                                                       \
    AVX2 D32 NAME(c, 4, name)(D32);                                                                       \
    AVX2 D32 NAME(d, 4, name)(D32);                                                                       \
    AVX512 D64 NAME(e, 8, name)(D64);                                                                     \
    AVX2 F16 NAME(b, 4, name##f)(F16);                                                                    \
    AVX2 F32 NAME(c, 8, name##f)(F32);                                                                    \
    AVX2 F32 NAME(d, 8, name##f)(F32);                                                                    \
    AVX512 F64 NAME(e, 16, name##f)(F64);                                                                 \
    AVX2 DEFINE_LANES(double, D16, 2, name, , NAME(b, 2, name))                                           \
    AVX2 DEFINE_LANES(double, D32, 4, name, , NAME(c, 4, name))                                           \
    AVX2 DEFINE_LANES(double, D32, 4, name, , NAME(d, 4, name))                                           \
    AVX512 DEFINE_LANES(double, D64, 8, name, , NAME(e, 8, name))                                         \
    AVX2 DEFINE_LANES(float, F16, 4, name, f, NAME(b, 4, name##f))                                        \
    AVX2 DEFINE_LANES(float, F32, 8, name, f, NAME(c, 8, name##f))                                        \
    AVX2 DEFINE_LANES(float, F32, 8, name, f, NAME(d, 8, name##f))                                        \
    AVX512 DEFINE_LANES(float, F64, 16, name, f, NAME(e, 16, name##f))
DSL_ELEMENTARY_TRIG(DEFINE_VECTORS)
#define POW_LANES(isa, features, T, V, LANES, f)                                                          \
    features V _ZGV##isa##N##LANES##vv_dsl_pow##f(V, V);                                                  \
    features DEFINE_POW_LANES(T, V, LANES, f, _ZGV##isa##N##LANES##vv_dsl_pow##f)
POW_LANES(b, AVX2, double, D16, 2, )
POW_LANES(c, AVX2, double, D32, 4, )
POW_LANES(d, AVX2, double, D32, 4, )
POW_LANES(e, AVX512, double, D64, 8, )
POW_LANES(b, AVX2, float, F16, 4, f)
POW_LANES(c, AVX2, float, F32, 8, f)
POW_LANES(d, AVX2, float, F32, 8, f)
POW_LANES(e, AVX512, float, F64, 16, f)
#endif
