/* Readers of data: files with bytes changed, left out and cut off are read or refused, and nothing else. */
#include "runtime/files.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

enum { MUTATIONS = 3000 };

static jmp_buf failed;
static void jump(void *ctx, int status) {
    (void)ctx;
    longjmp(failed, status ? status : -1);
}

static uint64_t state = 1;
static uint64_t next(uint64_t below) { /* xorshift */
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state % below;
}

static void mutate(unsigned char *p, size_t *n) {
    for (uint64_t k = next(4) + 1; k > 0 && *n > 1; k--) {
        size_t at = next(*n);
        switch (next(6)) {
        case 0: p[at] = (unsigned char)next(256); break;
        case 1: p[at] ^= (unsigned char)(1u << next(8)); break;
        case 2: p[at] = (unsigned char[]){0, 1, 127, 128, 255}[next(5)]; break;
        case 3: *n = at; break;
        case 4: memmove(p + at, p + at + 1, --*n - at); break;
        default: memset(p + at, 255, *n - at < 4 ? *n - at : 4);
        }
    }
}

typedef dsl_array *Loader(const dsl_site *at, const char *path, int dtype, int rank);

/* Whether the bytes were taken */
static bool load(Loader *how, const unsigned char *p, size_t n, int dtype, int rank) {
    char path[64];
    volatile bool taken = false;
    int fd = memfd_create("data", 0);
    assert_true(fd >= 0 && write(fd, p, n) == (ssize_t)n);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    dsl_on_fail(jump, NULL);
    if (!setjmp(failed)) {
        dsl_release(how(NULL, path, dtype, rank));
        taken = true;
    }
    dsl_on_fail(NULL, NULL);
    close(fd);
    return taken;
}

static void try_all(Loader *how, const unsigned char *p, size_t n, int dtype, int rank) {
    unsigned char *copy = malloc(n);
    assert_non_null(copy);
    assert_true(load(how, p, n, dtype, rank));
    int errors = dup(2);
    assert_non_null(freopen("/dev/null", "w", stderr));
    for (int k = 0; k < MUTATIONS; k++) {
        size_t m = n;
        memcpy(copy, p, n);
        mutate(copy, &m);
        load(how, copy, m, dtype, rank);
    }
    fflush(stderr);
    dup2(errors, 2);
    close(errors);
    free(copy);
}

static void try_file(Loader *how, const char *path, int dtype, int rank) {
    size_t n;
    unsigned char *p = dsl_read_all(NULL, path, &n);
    try_all(how, p, n, dtype, rank);
    free(p);
}

static void try_text(Loader *how, const char *text, int dtype, int rank) {
    try_all(how, (const unsigned char *)text, strlen(text), dtype, rank);
}

/* A head of 128 bytes and 16 of elements */
static void try_npy(const char *head, int dtype, int rank) {
    char file[128 + 16 + 1];
    memcpy(file, "\x93NUMPY\1\0v\0", 10);
    snprintf(file + 10, sizeof file - 10, "%-117s\n0123456789abcdef", head);
    try_all(dsl_npy_load, (const unsigned char *)file, sizeof file - 1, dtype, rank);
}

static dsl_array *npz(const dsl_site *at, const char *path, int dtype, int rank) {
    return dsl_npz_load(at, path, "x", dtype, rank);
}
static dsl_array *table(const dsl_site *at, const char *path, int dtype, int rank) {
    return dsl_table_load(at, path, "", dtype, rank);
}

static void test_npz(void **unused) {
    (void)unused;
    try_file(npz, "tests/data/stored.npz", DSL_F64, 2);
    try_file(npz, "tests/data/deflated.npz", DSL_F64, 2);
}

static void test_npy(void **unused) {
    (void)unused;
    try_npy("{'descr': '<f8', 'fortran_order': False, 'shape': (2, 1), }", DSL_F64, 2);
    try_npy("{'descr': '>i2', 'fortran_order': True, 'shape': (4, 2), }", DSL_I16, 2);
    try_npy("{'descr': '|b1', 'fortran_order': False, 'shape': (16,), }", DSL_BOOL, 1);
}

static void test_png(void **unused) {
    (void)unused;
    try_file(dsl_raster_load, "tests/data/interlaced.png", DSL_U8, 2);
    try_file(dsl_raster_load, "tests/data/palette.png", DSL_F64, 3);
    try_file(dsl_raster_load, "tests/data/clear.png", DSL_F32, 3);
}

/* Two gray pixels of 16 bits, and none there */
static void test_png_without_pixels(void **unused) {
    (void)unused;
    static const char png[] = "\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\0\2\0\0\0\1\x10\0\0\0\0\x81\xd9\xfc\x15"
                              "\0\0\0\0IEND\xae\x42\x60\x82";
    assert_false(load(dsl_raster_load, (const unsigned char *)png, sizeof png - 1, DSL_U16, 2));
}

static void test_pnm(void **unused) {
    (void)unused;
    try_text(dsl_raster_load, "P3\n# by hand\n2 1\n7\n0 7 0  1 2 3\n", DSL_U8, 3);
    try_text(dsl_raster_load, "P5\n3 2\n300\n\1\1\1\1\1\1\1\1\1\1\1\1", DSL_F64, 2);
}

static void test_table(void **unused) {
    (void)unused;
    try_text(table, "a,\"b, c\",d\n1,2,\n# more\n\n-3e5,\"4.25\",nan\n", DSL_F64, 2);
    try_text(table, "# a b\n1 -200\n32767\t5\n", DSL_I16, 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_npz), cmocka_unit_test(test_npy),
                                       cmocka_unit_test(test_png), cmocka_unit_test(test_png_without_pixels),
                                       cmocka_unit_test(test_pnm),
                                       cmocka_unit_test(test_table)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
