/* runtime/elementary.h beside the long double functions of the C library: errors in units of the last place, and the
 * ends. tools/elementary_check.c does the same for all floats of 32 bits. */
#include "runtime/elementary.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct {
    const char *name;
    double (*f64)(double);
    float (*f32)(float);
    double (*c64)(double);
    long double (*c80)(long double);
} Function;
#define ROW(name) {#name, dsl_call_##name, dsl_call_##name##f, name, name##l},
static const Function functions[] = {DSL_ELEMENTARY(ROW) DSL_ELEMENTARY_TRIG(ROW)};
enum { COUNT = sizeof functions / sizeof *functions, SAMPLES = 20000 };

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

static uint64_t next(uint64_t *state) { return *state = *state * 6364136223846793005u + 1442695040888963407u; }

/* Of any size; up to 800; up to 8; below 1 */
static double argument(int i, uint64_t u) {
    static const double scale[] = {800, 8, 1};
    return i % 4 == 3 ? from_bits(u) : ((double)(int64_t)u / 0x1p63) * scale[i % 4];
}

/* The same ends: NaN, infinities, zeros with their signs */
static bool is_end(double got, double want) {
    if (isnan(want) || isinf(want) || want == 0 || isnan(got) || isinf(got)) {
        assert_true((isnan(got) && isnan(want)) || (got == want && signbit(got) == signbit(want)));
        return true;
    }
    return false;
}

static double ulps(long double error, double of, int digits, int least) {
    int power;
    frexp(of, &power);
    return (double)(fabsl(error) / ldexpl(1, power - digits > least ? power - digits : least));
}

static void test_f64(void **state) {
    (void)state;
    uint64_t seed = 1;
    for (int k = 0; k < COUNT; k++)
        for (int i = 0; i < SAMPLES; i++) {
            double x = argument(i, next(&seed)), y = functions[k].f64(x);
            long double want = functions[k].c80(x);
            if (!is_end(y, (double)want)) assert_true(ulps(y - want, (double)want, 53, -1074) < 1);
        }
}

static void test_f32(void **state) {
    (void)state;
    uint64_t seed = 2;
    for (int k = 0; k < COUNT; k++)
        for (int i = 0; i < SAMPLES; i++) {
            uint64_t u = next(&seed);
            float x = i % 4 == 3 ? from_bits32((uint32_t)(u >> 32)) : (float)(argument(i, u) / 8),
                  y = functions[k].f32(x);
            double want = functions[k].c64((double)x);
            if (!is_end((double)y, (double)(float)want)) assert_true(ulps((double)y - want, want, 24, -149) < 1);
        }
}

static void test_ends(void **state) {
    (void)state;
    static const double ends[] = {0,         INFINITY,       NAN,    1,      0x1p-1074, 0x1.fffffffffffffp1023,
                                  709.78,    709.79,         745.13, 745.14, 710.475,   710.476,
                                  0x1p-1022, 0x1p-60,        0.5,    1024,   1023.99,   1074,
                                  1075,      0x1.fffffep127, 88.72,  88.73,  0x1p-149,  0x1p-126,
                                  89.41,     89.42,          103.97, 103.98, 128,       150,
                                  36.7,      16.6,           0x1p53, 0x1p24};
    for (int k = 0; k < COUNT; k++)
        for (size_t i = 0; i < 2 * sizeof ends / sizeof *ends; i++) {
            double x = i % 2 ? -ends[i / 2] : ends[i / 2];
            long double want = functions[k].c80(x);
            double y = functions[k].f64(x), y32 = (double)functions[k].f32((float)x),
                   want32 = functions[k].c64((double)(float)x);
            if (!is_end(y, (double)want)) assert_true(ulps(y - want, (double)want, 53, -1074) < 1);
            if (!is_end(y32, (double)(float)want32)) assert_true(ulps(y32 - want32, want32, 24, -149) < 1);
        }
}

/* Of any numbers; small ones; results of any size */
static void pow_arguments(int i, uint64_t *seed, double *x, double *y) {
    *x = fabs(argument(3, next(seed))), *y = argument(3, next(seed));
    if (i % 3 == 1) *x = argument(1, next(seed)), *y = (double)(int)argument(0, next(seed));
    if (i % 3 == 2) *y = argument(2, next(seed)) * 1080 / fabs(log2(*x));
}

static void check_pow(double x, double y) {
    double got = dsl_call_pow(x, y), got32 = (double)dsl_call_powf((float)x, (float)y),
           want32 = pow((double)(float)x, (double)(float)y);
    long double want = powl(x, y);
    if (!is_end(got, (double)want)) assert_true(ulps(got - want, (double)want, 53, -1074) < 1);
    if (!is_end(got32, (double)(float)want32)) assert_true(ulps(got32 - want32, want32, 24, -149) < 1);
}

static void test_pow(void **state) {
    (void)state;
    static const double ends[] = {0,           1,
                                  2,           3,
                                  0.5,         1.5,
                                  INFINITY,    NAN,
                                  0x1p-1074,   0x1.fffffffffffffp1023,
                                  0x1p52 + 1,  0x1p53,
                                  0x1p53 + 2,  0x1p52 - 0.5,
                                  1 + 0x1p-52, 1 - 0x1p-53};
    const int n = 2 * sizeof ends / sizeof *ends;
    for (int i = 0; i < n * n; i++)
        check_pow(ends[i / n / 2] * (i / n % 2 ? -1 : 1), ends[i % n / 2] * (i % 2 ? -1 : 1));
    uint64_t seed = 3;
    for (int i = 0; i < SAMPLES * 5; i++) {
        double x, y;
        pow_arguments(i, &seed, &x, &y);
        check_pow(x, y);
    }
}

/* Next to multiples of pi/2, where most of an argument goes away */
static void test_zeros(void **state) {
    (void)state;
    for (int i = 1; i < SAMPLES; i++)
        for (int k = 0; k < COUNT; k++) {
            if (functions[k].c64 != sin && functions[k].c64 != cos && functions[k].c64 != tan) continue;
            double x = (double)((i < 1000 ? (long double)i : (long double)i * i * i * i) * 1.57079632679489661923L),
                   y = functions[k].f64(x);
            long double want = functions[k].c80(x);
            assert_true(ulps(y - want, (double)want, 53, -1074) < 1);
        }
    assert_true(dsl_call_sin(6381956970095103.0 * 0x1p797) ==
                (double)sinl(6381956970095103.0L * 0x1p797L)); /* the worst of all: cos is 2^-61 */
    assert_true(dsl_call_cos(6381956970095103.0 * 0x1p797) == (double)cosl(6381956970095103.0L * 0x1p797L));
}

/* What is exact in the end is so here. */
static void test_exact(void **state) {
    (void)state;
    for (int i = -1074; i < 1024; i++) assert_true(dsl_call_exp2(i) == ldexp(1, i) && dsl_call_log2(ldexp(1, i)) == i);
    double ten = 1;
    for (int i = 0; i < 23; i++, ten *= 10) assert_true(dsl_call_log10(ten) == i);
    assert_true(dsl_call_exp(1) == 2.718281828459045 && dsl_call_atan(1) == 0.7853981633974483 &&
                dsl_call_acos(-1) == 3.141592653589793);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_f64),   cmocka_unit_test(test_f32),
                                       cmocka_unit_test(test_ends),  cmocka_unit_test(test_pow),
                                       cmocka_unit_test(test_zeros), cmocka_unit_test(test_exact)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
