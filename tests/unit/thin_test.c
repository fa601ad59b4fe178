/* Curves with many points: what is left is little, and what can be seen of the curve is there. */
#include "runtime/plot.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { N = 100000, COLUMNS = 1600 };
static double x[N], y[N], *pairs;
static int64_t shown;

static PlotFrame frame(void) {
    PlotFrame f = {{INFINITY, -INFINITY, false}, {INFINITY, -INFINITY, false}, 720, 540, N};
    for (int i = 0; i < N; i++) {
        if (!isfinite(x[i]) || !isfinite(y[i])) continue;
        f.x.least = fmin(f.x.least, x[i]), f.x.most = fmax(f.x.most, x[i]);
        f.y.least = fmin(f.y.least, y[i]), f.y.most = fmax(f.y.most, y[i]);
    }
    return f;
}

static void thin(int64_t n, PlotMark mark) {
    PlotFrame f = frame();
    f.total = n;
    size_t bytes;
    free(pairs);
    FILE *out = open_memstream((char **)&pairs, &bytes);
    shown = plot_thin(out, x, y, n, &f, mark, NULL);
    fclose(out);
    assert_int_equal(bytes, (size_t)shown * 16);
}

static double noise(int i) { return (double)((uint32_t)i * 2654435761u) / 4294967296.0; }

static bool has(double px, double py) {
    for (int64_t i = 0; i < shown; i++)
        if (pairs[2 * i] == px && pairs[2 * i + 1] == py) return true;
    return false;
}

/* In each column the least and the greatest, the first and the last */
static void test_line(void **state) {
    (void)state;
    for (int i = 0; i < N; i++) x[i] = i, y[i] = noise(i);
    thin(N, (PlotMark){MARK_LINE, 0, 0});
    assert_in_range(shown, COLUMNS, 4 * COLUMNS);
    assert_true(has(x[0], y[0]) && has(x[N - 1], y[N - 1]));
    for (int c = 0; c < COLUMNS; c += 37) {
        int least = -1, most = -1;
        for (int i = 0; i < N; i++) {
            if ((int)(i / (double)(N - 1) * COLUMNS) != c) continue;
            if (least < 0 || y[i] < y[least]) least = i;
            if (most < 0 || y[i] > y[most]) most = i;
        }
        assert_true(has(x[least], y[least]) && has(x[most], y[most]));
    }
}

static void test_few(void **state) {
    (void)state;
    for (int i = 0; i < N; i++) x[i] = i, y[i] = i == 7 ? NAN : noise(i);
    thin(6000, (PlotMark){MARK_LINE, 0, 0});
    assert_int_equal(shown, 6000);
    for (int i = 0; i < 6000; i++) assert_true(pairs[2 * i] == i && (pairs[2 * i + 1] == noise(i) || i == 7));
}

/* A gap stays one; nothing joins what is on both sides of it. */
static void test_gap(void **state) {
    (void)state;
    for (int i = 0; i < N; i++) x[i] = i, y[i] = i >= 40000 && i < 60000 ? NAN : noise(i);
    thin(N, (PlotMark){MARK_LINE, 0, 0});
    int gaps = 0;
    for (int64_t i = 0; i < shown; i++) {
        gaps += isnan(pairs[2 * i]);
        if (i && !isnan(pairs[2 * i]) && !isnan(pairs[2 * i - 2]))
            assert_true((pairs[2 * i] < 50000) == (pairs[2 * i - 2] < 50000));
    }
    assert_int_equal(gaps, 1);
    assert_true(has(39999, y[39999]) && has(60000, y[60000]));
}

/* Curves that go to and fro: every pixel that they come to is come to. */
static void test_scribble(void **state) {
    (void)state;
    for (int i = 0; i < N; i++) x[i] = noise(3 * i), y[i] = noise(7 * i + 1);
    thin(N, (PlotMark){MARK_LINE, 0, 0});
    assert_in_range(shown, 500, 30000);
    PlotFrame f = frame();
    assert_true(f.x.least < 0.01 && f.x.most > 0.99);
}

/* A circle, around and around by less than a pixel at a time: the first time it is drawn without a hole. */
static void test_around(void **state) {
    (void)state;
    for (int i = 0; i < N; i++) x[i] = cos(i * 2e-3), y[i] = sin(i * 2e-3);
    thin(N, (PlotMark){MARK_LINE, 0, 0});
    assert_in_range(shown, 1000, 8000);
    double length = 0;
    for (int64_t i = 1; i < shown && length < 6.2; i++) {
        assert_false(isnan(pairs[2 * i]));
        length += hypot(pairs[2 * i] - pairs[2 * i - 2], pairs[2 * i + 1] - pairs[2 * i - 1]);
    }
    assert_true(length >= 6.2);
}

static void test_points(void **state) {
    (void)state;
    for (int i = 0; i < N; i++) x[i] = noise(i) * noise(i / 3), y[i] = noise(5 * i + 2);
    x[N / 2] = 3, y[N / 2] = -1; /* alone */
    x[N / 2 + 1] = NAN;
    thin(N, (PlotMark){MARK_POINTS, 2, 3});
    assert_in_range(shown, 5000, N / 2);
    assert_true(has(3, -1));
    int64_t marks = shown;
    thin(N, (PlotMark){MARK_POINTS, 0, 0});
    assert_true(shown > marks && shown < N);
}

static void test_bars(void **state) {
    (void)state;
    for (int i = 0; i < N; i++) x[i] = i, y[i] = 0;
    y[777] = 5, y[778] = -2, y[50000] = NAN;
    thin(N, (PlotMark){MARK_BARS, 0, 0});
    assert_in_range(shown, COLUMNS, 2 * COLUMNS);
    assert_true(has(777, 5) && has(778, -2));
}

/* Nothing to draw, all at one place, numbers as far apart as there are */
static void test_odd(void **state) {
    (void)state;
    static const double ends[] = {-1.7e308, 1.7e308};
    for (int kind = MARK_LINE; kind <= MARK_BARS; kind++) {
        PlotMark mark = {(int)kind, 2, 3};
        for (int i = 0; i < N; i++) x[i] = y[i] = NAN;
        thin(N, mark);
        assert_int_equal(shown, 1);
        for (int i = 0; i < N; i++) x[i] = 2, y[i] = 3;
        thin(N, mark);
        assert_true(has(2, 3));
        for (int i = 0; i < N; i++) x[i] = ends[i % 2], y[i] = ends[i / 2 % 2];
        thin(N, mark);
        assert_true(has(ends[0], ends[0]) && has(ends[1], ends[1]));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_line),     cmocka_unit_test(test_few),    cmocka_unit_test(test_gap),
        cmocka_unit_test(test_scribble), cmocka_unit_test(test_around), cmocka_unit_test(test_points),
        cmocka_unit_test(test_bars),
        cmocka_unit_test(test_odd),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
