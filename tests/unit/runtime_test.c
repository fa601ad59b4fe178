/* The runtime: numbers as text, arrays as text, halves, integer helpers, files, failures, linear algebra. */
#include "runtime/dsl.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* ---- helpers */

static jmp_buf failed;
static void jump(void *ctx, int status) {
    (void)ctx;
    longjmp(failed, status ? status : -1);
}

/* Runs `code`, which must fail; the message is then in `message`. */
static char message[4096];
static FILE *catch_stream(int fd, int *saved) {
    FILE *f = tmpfile();
    fflush(NULL);
    *saved = dup(fd);
    dup2(fileno(f), fd);
    return f;
}
static void release_stream(FILE *f, int fd, int saved) {
    fflush(NULL);
    dup2(saved, fd);
    close(saved);
    rewind(f);
    size_t n = fread(message, 1, sizeof message - 1, f);
    message[n] = 0;
    fclose(f);
}
#define assert_fails(code)                                                                     \
    do {                                                                                       \
        int saved_, status_;                                                                   \
        FILE *err_ = catch_stream(2, &saved_);                                                 \
        dsl_on_fail(jump, NULL);                                                               \
        status_ = setjmp(failed);                                                              \
        if (!status_) { code; }                                                                \
        dsl_on_fail(NULL, NULL);                                                               \
        release_stream(err_, 2, saved_);                                                       \
        assert_int_equal(status_, 1);                                                          \
    } while (0)
#define assert_prints(code, text)                                                              \
    do {                                                                                       \
        int saved_;                                                                            \
        FILE *out_ = catch_stream(1, &saved_);                                                 \
        { code; }                                                                              \
        dsl_print_end(NULL);                                                                       \
        release_stream(out_, 1, saved_);                                                       \
        assert_string_equal(message, text);                                                    \
    } while (0)

static dsl_array *f64s(int rank, const int64_t *dim, const double *x) {
    dsl_array *a = dsl_new(NULL, DSL_F64, rank, dim);
    memcpy(a->data, x, (size_t)a->count * sizeof *x);
    return a;
}
static dsl_array *vec(int n, const double *x) { return f64s(1, &(int64_t){n}, x); }
static dsl_array *mat(int n, int m, const double *x) { return f64s(2, (int64_t[]){n, m}, x); }

/* ---- numbers as text */

static void check_f64(double x, const char *want) {
    char buf[DSL_FLOAT_TEXT];
    assert_int_equal(dsl_format_f64(buf, x), strlen(want));
    assert_string_equal(buf, want);
}
static void check_f32(float x, const char *want) {
    char buf[DSL_FLOAT_TEXT];
    dsl_format_f32(buf, x);
    assert_string_equal(buf, want);
}

static void test_format(void **state) {
    (void)state;
    check_f64(1, "1.0");
    check_f64(0, "0.0");
    check_f64(-0.0, "-0.0");
    check_f64(0.1, "0.1");
    check_f64(0.1 + 0.2, "0.30000000000000004");
    check_f64(1e-5, "1e-05");
    check_f64(0.0001, "0.0001");
    check_f64(1e15, "1000000000000000.0");
    check_f64(1e16, "1e+16");
    check_f64(123456789012345680.0, "1.2345678901234568e+17");
    check_f64(5e-324, "5e-324");
    check_f64(1.7976931348623157e308, "1.7976931348623157e+308");
    check_f64(-2.5e-9, "-2.5e-09");
    check_f64(1.0 / 0.0, "inf");
    check_f64(-1.0 / 0.0, "-inf");
    check_f64(NAN, "nan");
    check_f32(0.1f, "0.1");
    check_f32(16777216.0f, "16777216.0");
    check_f32(1e-45f, "1e-45");
    check_f32(3.4028235e38f, "3.4028235e+38");
}

static void test_format_reads_back(void **state) {
    (void)state;
    uint64_t bits = 1;
    char buf[DSL_FLOAT_TEXT];
    for (int i = 0; i < 20000; i++) {
        bits = bits * 6364136223846793005u + 1442695040888963407u;
        double x;
        memcpy(&x, &bits, sizeof x);
        if (!isfinite(x)) continue;
        int n = dsl_format_f64(buf, x);
        assert_true(n < DSL_FLOAT_TEXT);
        assert_true(strtod(buf, NULL) == x);
        float f = (float)x;
        if (!isfinite(f)) continue;
        assert_true(dsl_format_f32(buf, f) < DSL_FLOAT_TEXT);
        assert_true(strtof(buf, NULL) == f);
    }
}

static void test_print_arrays(void **state) {
    (void)state;
    dsl_array *a = vec(3, (double[]){1, 0.5, 1.0 / 3});
    assert_prints(dsl_print_array(a), "[1.         0.5        0.33333333]\n");
    dsl_release(a);
    a = vec(2, (double[]){1e-10, 1});
    assert_prints(dsl_print_array(a), "[1.e-10 1.e+00]\n");
    dsl_release(a);
    a = vec(3, (double[]){NAN, 1.5, -INFINITY});
    assert_prints(dsl_print_array(a), "[ nan  1.5 -inf]\n");
    dsl_release(a);
    a = vec(3, (double[]){1.0 / 3e10, -20, 0});
    assert_prints(dsl_print_array(a), "[ 3.33333333e-11 -2.00000000e+01  0.00000000e+00]\n");
    dsl_release(a);
    a = mat(2, 2, (double[]){1, 2, 3, 40.25});
    assert_prints(dsl_print_array(a), "[[ 1.    2.  ]\n [ 3.   40.25]]\n");
    dsl_release(a);
    a = vec(0, (double[]){0});
    assert_prints(dsl_print_array(a), "[]\n");
    dsl_release(a);
    int64_t n = 2000;
    a = dsl_new(NULL, DSL_I64, 1, &n);
    for (int i = 0; i < n; i++) ((int64_t *)a->data)[i] = i;
    assert_prints(dsl_print_array(a), "[   0    1    2 ... 1997 1998 1999]\n");
    dsl_release(a);
    n = 30;
    a = dsl_new(NULL, DSL_I64, 1, &n);
    for (int i = 0; i < n; i++) ((int64_t *)a->data)[i] = i;
    assert_prints(dsl_print_array(a), "[ 0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15 16 17 18 19 20 21 22 23\n"
                                      " 24 25 26 27 28 29]\n");
    dsl_release(a);
    int64_t cube[3] = {2, 1, 2};
    a = dsl_new(NULL, DSL_BOOL, 3, cube);
    memcpy(a->data, (bool[]){true, false, true, true}, 4);
    assert_prints(dsl_print_array(a), "[[[ true false]]\n\n [[ true  true]]]\n");
    dsl_release(a);
}

static void test_print_scalars(void **state) {
    (void)state;
    assert_prints((dsl_print_str("x ="), dsl_print_sep(), dsl_print_i64(-3), dsl_print_sep(), dsl_print_bool(true),
                   dsl_print_sep(), dsl_print_f32(0.1f), dsl_print_sep(), dsl_print_u64(UINT64_MAX)),
                  "x = -3 true 0.1 18446744073709551615\n");
}

/* ---- halves and helpers */

static void test_halves(void **state) {
    (void)state;
    for (uint32_t h = 0; h < 0x10000; h++) {
        float f = dsl_f16_to_f32((dsl_f16)h), b = dsl_bf16_to_f32((dsl_bf16)h);
        if (f == f) assert_int_equal(dsl_f32_to_f16(f), h);
        else assert_true((dsl_f32_to_f16(f) & 0x7FFF) > 0x7C00);
        if (b == b) assert_int_equal(dsl_f32_to_bf16(b), h);
        else assert_true((dsl_f32_to_bf16(b) & 0x7FFF) > 0x7F80);
    }
    assert_int_equal(dsl_f32_to_f16(1.0f + 0x1p-11f), 0x3C00); /* ties to even */
    assert_int_equal(dsl_f32_to_f16(1.0f + 0x3p-11f), 0x3C02);
    assert_int_equal(dsl_f32_to_f16(65519.0f), 0x7BFF);
    assert_int_equal(dsl_f32_to_f16(65520.0f), 0x7C00);
    assert_int_equal(dsl_f32_to_f16(0x1p-25f), 0);
    assert_int_equal(dsl_f32_to_f16(0x1.000002p-25f), 1);
    assert_int_equal(dsl_f32_to_bf16(1.0f + 0x1p-8f), 0x3F80);
    assert_int_equal(dsl_f32_to_bf16(1.0f + 0x3p-8f), 0x3F82);
}

static void test_helpers(void **state) {
    (void)state;
    assert_int_equal(dsl_add_i8(127, 1), -128);
    assert_int_equal(dsl_mul_u16(65535, 65535), 1);
    assert_true(dsl_mul_i64(INT64_MIN, -1) == INT64_MIN);
    assert_int_equal(dsl_abs_i32(INT32_MIN), INT32_MIN);
    assert_int_equal(dsl_idiv_i64(-7, 2), -4);
    assert_int_equal(dsl_mod_i64(-7, 2), 1);
    assert_int_equal(dsl_mod_i64(7, -2), -1);
    assert_true(dsl_idiv_i64(INT64_MIN, -1) == INT64_MIN);
    assert_int_equal(dsl_idiv_u8(200, 7), 28);
    assert_int_equal(dsl_ipow_i64(3, 4), 81);
    assert_int_equal(dsl_ipow_i32(2, 31), INT32_MIN);
    assert_int_equal(dsl_shl_i32(1, 31), INT32_MIN);
    assert_int_equal(dsl_shl_i32(1, 32), 0);
    assert_int_equal(dsl_shl_i32(1, -1), 0);
    assert_int_equal(dsl_shr_i8(-3, 1), -2);
    assert_int_equal(dsl_shr_i8(-3, 8), -1);
    assert_int_equal(dsl_shr_u8(255, 8), 0);
    assert_int_equal(dsl_cast_f64_i8(1e9), 127);
    assert_int_equal(dsl_cast_f64_i8(-128.9), -128);
    assert_int_equal(dsl_cast_f64_u8(-0.9), 0);
    assert_int_equal(dsl_cast_f32_i32(NAN), 0);
    assert_true(dsl_cast_f64_i64(9.3e18) == INT64_MAX);
    assert_true(dsl_cast_f64_u64(1.9e19) == UINT64_MAX);
    assert_true(dsl_mod_f64(-1, 3) == 2);
    assert_true(dsl_idiv_f64(-1, 3) == -1);
    assert_true(dsl_idiv_f64(1, 0.1) == 9);
    assert_true(isnan(dsl_min_f64(1, NAN)) && isnan(dsl_min_f64(NAN, 1)) && isnan(dsl_max_f32(NAN, 1)));
    assert_true(dsl_max_f64(1, 2) == 2);
}

/* ---- arrays and failures */

static void test_arrays(void **state) {
    (void)state;
    dsl_array *a = vec(4, (double[]){1, 2, 3, 4});
    assert_int_equal((uintptr_t)a->data % 64, 0);
    assert_ptr_equal(dsl_unique(a), a);
    dsl_retain(a);
    dsl_array *b = dsl_unique(a);
    assert_ptr_not_equal(a, b);
    ((double *)b->data)[0] = 9;
    assert_true(((double *)a->data)[0] == 1);
    b = dsl_reshape(NULL, b, 2, (int64_t[]){2, 2});
    assert_int_equal(b->rank, 2);
    assert_fails(dsl_reshape(NULL, b, 1, (int64_t[]){3}));
    assert_non_null(strstr(message, "error[E0605]"));
    assert_fails(dsl_retype(NULL, b, (int64_t[]){2, 3}, "x and y", NULL));
    assert_string_equal(message, "error[E0606]: x and y: axis 1 has size 2, but 3 is needed\n");
    dsl_release(a);
    dsl_release(b);
    assert_fails(dsl_new(NULL, DSL_F64, 2, (int64_t[]){INT64_MAX / 2, 16}));
    assert_non_null(strstr(message, "E0603"));
    assert_fails(dsl_new(NULL, DSL_F64, 2, (int64_t[]){DSL_MAX_EXTENT, DSL_MAX_EXTENT}));
    assert_non_null(strstr(message, "E0603"));
    assert_fails(dsl_new(NULL, DSL_F64, 1, (int64_t[]){-1}));
    assert_non_null(strstr(message, "E0607"));
    for (int64_t n = 1; n < 3000000; n = n * 5 / 4 + 1) { /* every class; the block must be large enough */
        a = dsl_new(NULL, DSL_U8, 1, &n);
        memset(a->data, 1, (size_t)n);
        dsl_release(a);
    }
}

static void test_message(void **state) {
    (void)state;
    setenv("NO_COLOR", "1", 1);
    dsl_site at = {"a.dsl", 3, 5, 4, "\tx = y[12]", NULL, NULL};
    assert_fails(dsl_fail_bounds(&at, 1, 12, 10));
    assert_string_equal(message, "a.dsl:3:5: error[E0601]: index 12 is out of bounds for axis 1 with size 10\n"
                                 "    3 |     x = y[12]\n"
                                 "      |        ^^^^\n");
    dsl_arg args[] = {{DSL_I64, {.i = 3}}, {DSL_F64, {.f = 0.5}}, {DSL_BOOL, {.i = 1}}};
    assert_fails(dsl_fail_args(NULL, "E0640", "got {} and {}, {}, {}", 3, args));
    assert_string_equal(message, "error[E0640]: got 3 and 0.5, true, {}\n");
    assert_fails(dsl_frame frame; for (;;) dsl_enter_recursive(&frame, NULL, "", NULL));
    assert_non_null(strstr(message, "E0604"));
}

/* ---- files */

static void write_file(const char *path, const void *data, size_t n) {
    FILE *f = fopen(path, "wb");
    fwrite(data, 1, n, f);
    fclose(f);
}

static void test_npy(void **state) {
    (void)state;
    char path[] = "/tmp/dsl-test-XXXXXX";
    close(mkstemp(path));
    dsl_array *a = mat(2, 3, (double[]){1, 2, 3, 4, 5, 6});
    dsl_npy_save(NULL, path, a);
    dsl_array *b = dsl_npy_load(NULL, path, DSL_F64, 2);
    assert_int_equal(b->dim[1], 3);
    assert_memory_equal(a->data, b->data, 48);
    assert_fails(dsl_npy_load(NULL, path, DSL_F32, 2));
    assert_non_null(strstr(message, "E0612"));
    assert_fails(dsl_npy_load(NULL, path, DSL_F64, 1));
    assert_non_null(strstr(message, "E0613"));
    assert_int_equal(truncate(path, 130), 0);
    assert_fails(dsl_npy_load(NULL, path, DSL_F64, 2));
    assert_non_null(strstr(message, "truncated"));
    write_file(path, "PK\3\4 not an array", 18);
    assert_fails(dsl_npy_load(NULL, path, DSL_F64, 2));
    assert_non_null(strstr(message, "E0611"));
    write_file(path, "\x93NUMPY\1", 7);
    assert_fails(dsl_npy_load(NULL, path, DSL_F64, 2));
    assert_non_null(strstr(message, "truncated"));
    char head[] = "\x93NUMPY\2\0\x40\0\0\0{'descr': '>i2', 'fortran_order': True, 'shape': (2, 3), }     \n"
                  "\0\1\0\4\0\2\0\5\0\3\0\6";
    write_file(path, head, 12 + 64 + 12);
    dsl_array *c = dsl_npy_load(NULL, path, DSL_I16, 2);
    assert_memory_equal(c->data, ((int16_t[]){1, 2, 3, 4, 5, 6}), 12);
    char absurd[] = "\x93NUMPY\1\0\x50\0"
                    "{'descr': '>i2', 'fortran_order': True, 'shape': (0, 9999999999999999), }      \n";
    write_file(path, absurd, 10 + 80);
    assert_fails(dsl_npy_load(NULL, path, DSL_I16, 2));
    assert_non_null(strstr(message, "an axis has 9999999999999999 elements"));
    unlink(path);
    assert_fails(dsl_npy_load(NULL, path, DSL_F64, 2));
    assert_non_null(strstr(message, "E0610"));
    assert_fails(dsl_npy_load(NULL, "/tmp", DSL_F64, 2));
    assert_fails(dsl_npy_save(NULL, "/dev/full", a));
    assert_non_null(strstr(message, "E0614"));
    assert_fails(dsl_npy_save(NULL, "/no/such/folder/x.npy", a));
    dsl_release(a);
    dsl_release(b);
    dsl_release(c);
}

/* ---- linear algebra */

static void assert_close(const dsl_array *a, const double *want) {
    for (int64_t i = 0; i < a->count; i++) assert_float_equal(((double *)a->data)[i], want[i], 1e-12);
}

static void test_blas(void **state) {
    (void)state;
    dsl_array *a = mat(2, 3, (double[]){1, 2, 3, 4, 5, 6}), *b = mat(3, 2, (double[]){1, 0, 0, 1, 2, 3});
    dsl_array *y = vec(2, (double[]){1, 2}), *r;
    assert_close(r = dsl_gemm(NULL, a, b, 0, 0), (double[]){7, 11, 16, 23}); dsl_release(r);
    assert_close(r = dsl_gemm(NULL, b, a, 1, 1), (double[]){7, 16, 11, 23}); dsl_release(r);
    assert_fails(dsl_gemm(NULL, a, a, 0, 0));
    dsl_release(b);
    dsl_release(a);
    a = mat(2, 2, (double[]){4, 2, 2, 3});
    dsl_array *f, *order;
    dsl_lu_factor(NULL, a, &f, &order);
    assert_close(r = dsl_lu_solve(NULL, f, order, y, 0, "solve"), (double[]){-0.125, 0.75}); dsl_release(r);
    assert_close(r = dsl_lu_solve(NULL, f, order, y, 1, "solve"), (double[]){-0.125, 0.75}); dsl_release(r);
    dsl_array *c = dsl_chol_factor(NULL, a);
    assert_close(r = dsl_cholesky(NULL, c), (double[]){2, 0, 1, sqrt(2)}); dsl_release(r);
    dsl_release(c);
    assert_close(r = dsl_trisolve(NULL, a, y, 0, 0, 0), (double[]){0.25, 0.5}); dsl_release(r);
    assert_close(r = dsl_trisolve(NULL, a, y, 1, 1, 1), (double[]){1, 0}); dsl_release(r);
    assert_close(r = dsl_lu_inv(NULL, f, order, "inv"), (double[]){0.375, -0.25, -0.25, 0.5}); dsl_release(r);
    assert_float_equal(dsl_lu_det(NULL, f, order), 8, 1e-12);
    assert_float_equal(dsl_lu_logdet(NULL, f, order), log(8), 1e-12);
    dsl_release(f);
    dsl_release(order);
    dsl_array *w, *v;
    dsl_eigh(NULL, a, &w, &v);
    assert_float_equal(((double *)w->data)[0] + ((double *)w->data)[1], 7, 1e-12);
    dsl_array *av = dsl_gemm(NULL, a, v, 0, 0);
    for (int i = 0; i < 2; i++) /* columns are vectors */
        for (int j = 0; j < 2; j++)
            assert_float_equal(((double *)av->data)[i * 2 + j], ((double *)v->data)[i * 2 + j] * ((double *)w->data)[j],
                               1e-12);
    dsl_release(av);
    dsl_release(v);
    dsl_release(w);
    dsl_release(a);
    dsl_array *s = mat(2, 2, (double[]){1, 2, 2, 4});
    dsl_lu_factor(NULL, s, &f, &order);
    assert_float_equal(dsl_lu_sign(NULL, f, order), 0, 0);
    assert_fails(dsl_lu_solve(NULL, f, order, y, 0, "solve"));
    assert_non_null(strstr(message, "E0615"));
    assert_non_null(strstr(message, "solve"));
    assert_fails(dsl_lu_inv(NULL, f, order, "inv"));
    dsl_release(f);
    dsl_release(order);
    ((double *)s->data)[3] = -4;
    f = dsl_chol_factor(NULL, s);
    assert_fails(dsl_cholesky(NULL, f));
    dsl_release(f);
    assert_non_null(strstr(message, "E0617"));
    dsl_release(s);
    dsl_release(y);
}

static void test_blas_threads(void **state) {
    (void)state;
    int64_t shapes[][3] = {{333, 257, 129}, {37, 1500, 301}, {700, 37, 301}, {100, 100, 3000}};
    for (int s = 0; s < 4; s++) {
        int64_t m = shapes[s][0], n = shapes[s][1], k = shapes[s][2];
        dsl_array *a = dsl_new(NULL, DSL_F64, 2, (int64_t[]){m, k}), *b = dsl_new(NULL, DSL_F64, 2, (int64_t[]){k, n});
        for (int64_t i = 0; i < m * k; i++) ((double *)a->data)[i] = sin((double)i);
        for (int64_t i = 0; i < k * n; i++) ((double *)b->data)[i] = cos((double)i);
        dsl_set_threads(1);
        dsl_array *one = dsl_gemm(NULL, a, b, 0, 0);
        for (int threads = 2; threads <= 7; threads += 5) {
            dsl_set_threads(threads);
            dsl_array *c = dsl_gemm(NULL, a, b, 0, 0);
            assert_memory_equal(c->data, one->data, (size_t)c->count * sizeof(double));
            dsl_release(c);
        }
        dsl_set_threads(1);
        dsl_release(one);
        dsl_release(a);
        dsl_release(b);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_format), cmocka_unit_test(test_format_reads_back), cmocka_unit_test(test_print_arrays),
        cmocka_unit_test(test_print_scalars), cmocka_unit_test(test_halves), cmocka_unit_test(test_helpers),
        cmocka_unit_test(test_arrays), cmocka_unit_test(test_message), cmocka_unit_test(test_npy),
        cmocka_unit_test(test_blas), cmocka_unit_test(test_blas_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
