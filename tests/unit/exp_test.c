/* runtime/exp.h beside the long double exp of the C library: errors in units of the last place, and the ends. */
#include "runtime/exp.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

/* Steps through -745 .. 709 and, more densely, around 0 */
static double argument(int i) { return i % 2 ? -745 + 1454 * ((i * 7919 % 99991) / 99991.0) : (i * 7877 % 99989) / 99989.0 * 2 - 1; }

static void test_f64(void **state) {
    (void)state;
    for (int i = 0; i < 200000; i++) {
        int power;
        long double x = argument(i), want = expl(x);
        if (want < 0x1p-1021L) continue; /* subnormal: one rounding more */
        frexpl(want, &power);
        long double error = fabsl((long double)dsl_exp((double)x) - want) / ldexpl(1, power - 53);
        assert_true(error < 0.52L);
    }
}

static void test_f32(void **state) {
    (void)state;
    for (int i = 0; i < 200000; i++) {
        int power;
        float x = (float)(argument(i) / 9);
        double want = exp((double)x);
        if (want < 0x1p-125 || want > 3e38) continue;
        frexp(want, &power);
        assert_true(fabs((double)dsl_expf(x) - want) / ldexp(1, power - 24) < 0.501);
    }
}

/* Calls give the bits that vectors do, at the ends too. */
static void test_calls(void **state) {
    (void)state;
    for (int i = 0; i < 200000; i++) {
        double x = argument(i), near = (i % 3 == 0 ? -745.0 : i % 3 == 1 ? -708.0 : 709.0) + x / 300;
        assert_true(dsl_to_bits(dsl_exp(x)) == dsl_to_bits(dsl_call_exp(x)));
        assert_true(dsl_to_bits(dsl_exp(near)) == dsl_to_bits(dsl_call_exp(near)));
    }
    assert_true(dsl_call_exp(INFINITY) == INFINITY && dsl_call_exp(-INFINITY) == 0 && isnan(dsl_call_exp(NAN)));
}

static void test_ends(void **state) {
    (void)state;
    assert_true(dsl_exp(0.0) == 1 && dsl_exp(-0.0) == 1 && dsl_expf(0.0f) == 1);
    assert_true(dsl_exp(INFINITY) == INFINITY && dsl_exp(-INFINITY) == 0 && isnan(dsl_exp(NAN)));
    assert_true(dsl_expf(INFINITY) == INFINITY && dsl_expf(-INFINITY) == 0 && isnan(dsl_expf(NAN)));
    assert_true(dsl_exp(709.78) < INFINITY && dsl_exp(709.79) == INFINITY && dsl_exp(1e308) == INFINITY);
    assert_true(dsl_exp(-745.1) == 0x1p-1074 && dsl_exp(-745.2) == 0 && dsl_exp(-1e308) == 0);
    assert_true(dsl_expf(88.7f) < INFINITY && dsl_expf(88.8f) == INFINITY && dsl_expf(-103.9f) > 0 && dsl_expf(-104.0f) == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_f64), cmocka_unit_test(test_f32), cmocka_unit_test(test_calls), cmocka_unit_test(test_ends)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
