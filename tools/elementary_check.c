/* elementary_check SAMPLES STEP: the greatest errors of runtime/elementary.h, in units of the last place, beside the C
 * library in the next wider type: of f64 by SAMPLES random arguments (a third of any bits, the others up to 800 and up
 * to 8), of f32 by each STEP-th of all floats (1: all).  Fails where one is 1 or more, or an end (NaN, infinity, zero
 * and its sign) differs.  make check-elementary */
#include "runtime/elementary.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const char *name;
    double (*f64)(double);
    float (*f32)(float);
    double (*c64)(double);
    long double (*c80)(long double);
} Function;
#define ROW(name) {#name, dsl_call_##name, dsl_call_##name##f, name, name##l},
static const Function functions[] = {DSL_ELEMENTARY(ROW) DSL_ELEMENTARY_TRIG(ROW)};

static double from_bits(uint64_t u) {
    double x;
    memcpy(&x, &u, sizeof x);
    return x;
}

static float from_bits32(uint32_t u) {
    float x;
    memcpy(&x, &u, sizeof x);
    return x;
}

static uint64_t next(uint64_t *s) {
    *s ^= *s << 13, *s ^= *s >> 7, *s ^= *s << 17;
    return *s;
}

static bool same_end(double got, double want) {
    return (isnan(got) && isnan(want)) || (got == want && signbit(got) == signbit(want));
}

/* Error in units of the last place of `want`; huge where an end differs */
static double ulps(double got, double want_rounded, long double want, int digits, int least) {
    int power;
    if (isnan(want_rounded) || isinf(want_rounded) || isnan(got) || isinf(got) || want_rounded == 0)
        return same_end(got, want_rounded) ? 0 : 1e9;
    frexp(want_rounded, &power);
    return (double)(fabsl(got - want) / ldexpl(1, power - digits > least ? power - digits : least));
}

static double worst64(const Function *f, long samples, double *at) {
    uint64_t seed = 88172645463325252u;
    double worst = 0;
    for (long i = 0; i < samples; i++) {
        uint64_t u = next(&seed);
        double x = i % 3 == 0 ? from_bits(u) : (double)(int64_t)u * (i % 3 == 1 ? 800 : 8) * 0x1p-63;
        long double want = f->c80(x);
        double e = ulps(f->f64(x), (double)want, want, 53, -1074);
        if (e > worst) worst = e, *at = x;
    }
    return worst;
}

static double worst32(const Function *f, uint64_t step, double *at) {
    double worst = 0;
    for (uint64_t u = 0; u >> 32 == 0; u += step) {
        float x = from_bits32((uint32_t)u);
        double want = f->c64((double)x), e = ulps((double)f->f32(x), (double)(float)want, want, 24, -149);
        if (e > worst) worst = e, *at = (double)x;
    }
    return worst;
}

/* pow: any bits, and results of any size */
static double worst_pow(long samples, bool single, double *at_x, double *at_y) {
    uint64_t seed = 88172645463325252u;
    double worst = 0;
    for (long i = 0; i < samples; i++) {
        double x = from_bits(next(&seed)), y = from_bits(next(&seed));
        if (i % 2) x = fabs(x), y = (double)(int64_t)next(&seed) * 0x1p-63 * 1080 / fabs(log2(x));
        if (single) x = (double)(float)ldexp(x, -(int)(log2(fabs(x)) * 0.875)), y = (double)(float)y;
        long double want = single ? pow(x, y) : powl(x, y);
        double e = single ? ulps((double)dsl_call_powf((float)x, (float)y), (double)(float)want, want, 24, -149)
                          : ulps(dsl_call_pow(x, y), (double)want, want, 53, -1074);
        if (e > worst) worst = e, *at_x = x, *at_y = y;
    }
    return worst;
}

int main(int argc, char **argv) {
    long samples = argc > 1 ? atol(argv[1]) : 1000000;
    uint64_t step = argc > 2 ? (uint64_t)atol(argv[2]) : 997;
    double worst = 0, x = 0, y = 0, e;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        double e64 = worst64(&functions[i], samples, &x), e32 = worst32(&functions[i], step, &y);
        printf("%-6s f64 %.3f at %a  f32 %.3f at %a\n", functions[i].name, e64, x, e32, y);
        fflush(stdout);
        worst = fmax(worst, fmax(e64, e32));
    }
    for (int single = 0; single < 2; single++) {
        worst = fmax(worst, e = worst_pow(samples, single, &x, &y));
        printf("pow    f%d %.3f at %a, %a\n", single ? 32 : 64, e, x, y);
    }
    return worst < 1 ? 0 : 1;
}
