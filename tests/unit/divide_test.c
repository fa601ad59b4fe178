/* runtime/divide.h beside the processor's division. */
#include "runtime/divide.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { DIVISORS = 400, SAMPLES = 20000 };

static uint64_t next(uint64_t *state) { return *state = *state * 6364136223846793005u + 1442695040888963407u; }

static double any_f64(uint64_t *state) {
    uint64_t bits = next(state) ^ next(state) >> 32;
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static float any_f32(uint64_t *state) {
    uint32_t bits = (uint32_t)(next(state) >> 32);
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static bool same_f64(double x, double c) {
    double high = 1 / c, y = dsl_divide_by_f64(x, c, high, fma(-high, c, 1) * high), want = x / c;
    double any = dsl_divide_same_f64(x, c);
    return isnan(want) ? isnan(y) && isnan(any) : !memcmp(&y, &want, sizeof y) && !memcmp(&any, &want, sizeof any);
}

static bool same_f32(float x, float c) {
    float y = dsl_divide_same_f32(x, c), want = x / c;
    return isnan(want) ? isnan(y) : !memcmp(&y, &want, sizeof y);
}

static const double ends[] = {0.0,       -0.0,     1.0,       INFINITY, NAN,      0x1p-1074, 0x1p-1022,
                              0x1.fffffffffffffp1023, 0x1p-800, 0x1p900, 0x1p-801, 0x1p901};
enum { ENDS = sizeof ends / sizeof *ends };

/* The sample near a quotient that is halfway between two numbers, as x = q*c is, and one at random */
static void test_f64(void **unused) {
    (void)unused;
    uint64_t state = 1;
    for (int k = 0; k < DIVISORS; k++) {
        double c = ldexp(any_f64(&state), 0);
        while (!isnormal(c)) c = any_f64(&state);
        int power, most = DSL_DIVIDE_MOST;
        c = ldexp(frexp(c, &power), (int)(next(&state) >> 33) % (2 * most + 1) - most);
        for (int i = 0; i < SAMPLES; i++) {
            double x = i % 2 ? any_f64(&state) : ldexp(frexp(any_f64(&state), &power), 7);
            if (i % 4 == 0) x = nextafter(x * c, i % 8 ? 1e300 : 0);
            if (!same_f64(x, c)) fail_msg("%a / %a", x, c);
        }
        for (int i = 0; i < ENDS; i++) assert_true(same_f64(ends[i], c) && same_f64(-ends[i], c));
    }
}

static void test_f32(void **unused) {
    (void)unused;
    uint64_t state = 2;
    for (int k = 0; k < DIVISORS; k++) {
        float c = any_f32(&state);
        while (!isnormal(c)) c = any_f32(&state);
        int power, most = 140;
        c = ldexpf(frexpf(c, &power), (int)(next(&state) >> 33) % (2 * most + 1) - most);
        for (int i = 0; i < SAMPLES; i++) {
            float x = any_f32(&state);
            if (i % 4 == 0) x = nextafterf(frexpf(x, &power) * c, i % 8 ? 1e30f : 0);
            if (!same_f32(x, c)) fail_msg("%a / %a", x, c);
        }
        for (int i = 0; i < ENDS; i++) assert_true(same_f32((float)ends[i], c) && same_f32(-(float)ends[i], c));
    }
}

/* Divisors of all sizes, and those that are no numbers */
static void test_any(void **unused) {
    (void)unused;
    uint64_t state = 3;
    for (int k = 0; k < DIVISORS * 100; k++) {
        double x = any_f64(&state), c = k % 7 ? any_f64(&state) : ends[k / 7 % ENDS], y = dsl_divide_same_f64(x, c);
        float v = any_f32(&state), d = k % 7 ? any_f32(&state) : (float)ends[k / 7 % ENDS];
        float w = dsl_divide_same_f32(v, d), want32 = v / d;
        double want = x / c;
        assert_true(isnan(want) ? isnan(y) : !memcmp(&y, &want, sizeof y));
        assert_true(isnan(want32) ? isnan(w) : !memcmp(&w, &want32, sizeof w));
    }
}

/* A few numbers below and above each power of two, for some divisors of physics and of grids */
static void test_edges(void **unused) {
    (void)unused;
    static const double divisors[] = {3,    7,      10,   9.81, 2500, 8000, 6.371e6,
                                      1e-3, 1.1e-4, 0x1.fffffffffffffp0, 0x1.0000000000001p0};
    for (size_t k = 0; k < sizeof divisors / sizeof *divisors; k++)
        for (int e = -1074; e < 1024; e++)
            for (int i = -20; i <= 20; i++) {
                double x = ldexp(1, e);
                for (int j = 0; j < abs(i); j++) x = nextafter(x, i < 0 ? 0 : INFINITY);
                if (!same_f64(x, divisors[k])) fail_msg("%a / %a", x, divisors[k]);
            }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_f64), cmocka_unit_test(test_f32),
                                       cmocka_unit_test(test_edges), cmocka_unit_test(test_any)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
