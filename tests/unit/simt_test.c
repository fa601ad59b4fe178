/* The simulator of a GPU: every thread once, phases between barriers in order, memory of a block, divergence. */
#include "runtime/simt.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static const dsl_site site[2] = {
    {"a.dsl", 3, 5, 7, "    barrier", NULL, NULL},
    {"a.dsl", 9, 5, 7, "    barrier", NULL, NULL}};

static dsl_grid grid_of(int64_t by, int64_t bx, int64_t ty, int64_t tx, int64_t shared, bool barriers) {
    return (dsl_grid){.blocks = {1, by, bx},
                      .threads = {1, ty, tx},
                      .block_rank = 2,
                      .thread_rank = 2,
                      .shared = shared,
                      .barriers = barriers};
}

/* ---- every thread once */

static void mark(void *env, dsl_lane *l) {
    int (*seen)[5][2][8] = env;
    seen[l->block[1]][l->block[2]][l->thread[1]][l->thread[2]]++;
}

static void every_thread_once(void **state) {
    (void)state;
    int seen[3][5][2][8] = {0};
    dsl_grid g = grid_of(3, 5, 2, 8, 0, false);
    dsl_simt_launch(site, mark, seen, &g);
    for (int *p = &seen[0][0][0][0]; p < &seen[0][0][0][0] + 3 * 5 * 2 * 8; p++) assert_int_equal(*p, 1);
    g.blocks[1] = 0;
    dsl_simt_launch(site, mark, seen, &g);
    assert_int_equal(seen[0][0][0][0], 1);
}

/* ---- a sum by halves in memory of the block */

enum { N = 64 };

static void add_up(void *env, dsl_lane *l) {
    double *s = (double *)l->shared, *sums = env;
    int64_t i = l->thread[2];
    s[i] = (double)(l->block[2] * N + i);
    for (int64_t half = N / 2; half; half /= 2) {
        dsl_simt_barrier(l, site);
        if (i < half) s[i] += s[i + half];
    }
    if (i == 0) sums[l->block[2]] = s[0];
}

static void sums_in_blocks(void **state) {
    (void)state;
    double sums[50];
    dsl_grid g = grid_of(1, 50, 1, N, N * 8, true);
    for (int times = 0; times < 3; times++) {
        dsl_simt_launch(site, add_up, sums, &g);
        for (int b = 0; b < 50; b++) assert_true(sums[b] == b * N * N + N * (N - 1) / 2);
    }
}

/* ---- fibres keep what they had: floats, much stack */

static void deep(void *env, dsl_lane *l) {
    double *out = env;
    volatile double own[4096];
    for (int i = 0; i < 4096; i++) own[i] = (double)(l->thread[2] + i);
    dsl_simt_barrier(l, site);
    double sum = 0;
    for (int i = 0; i < 4096; i++) sum += own[i];
    out[l->thread[2]] = sum;
}

static void stacks_are_apart(void **state) {
    (void)state;
    double out[1024];
    dsl_grid g = grid_of(1, 1, 1, 1024, 0, true);
    dsl_simt_launch(site, deep, out, &g);
    for (int t = 0; t < 1024; t++) assert_true(out[t] == 4096.0 * t + 4096.0 * 4095 / 2);
}

/* ---- divergence */

static void some_wait(void *env, dsl_lane *l) {
    (void)env;
    if (l->thread[2] < 3) dsl_simt_barrier(l, &site[0]);
}
static void others_elsewhere(void *env, dsl_lane *l) {
    (void)env;
    if (l->thread[2] < 3) dsl_simt_barrier(l, &site[0]);
    else dsl_simt_barrier(l, &site[1]);
}

/* What it says before it ends */
static void says(dsl_kernel *kernel, const char *words) {
    int ends[2], status;
    char text[2048];
    assert_int_equal(pipe(ends), 0);
    fflush(NULL);
    pid_t child = fork();
    if (!child) {
        dup2(ends[1], STDERR_FILENO);
        dsl_grid g = grid_of(1, 1, 1, 4, 0, true);
        dsl_simt_launch(site, kernel, NULL, &g);
        _exit(0);
    }
    close(ends[1]);
    size_t n = 0;
    for (ssize_t k; (k = read(ends[0], text + n, sizeof text - 1 - n)) > 0;) n += (size_t)k;
    text[n] = 0;
    close(ends[0]);
    waitpid(child, &status, 0);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 1);
    assert_non_null(strstr(text, words));
}

static void divergence_is_told(void **state) {
    (void)state;
    says(some_wait, "a.dsl:3:5: error[E0631]: block (0, 0), thread (0, 0) waits at this barrier, but block (0, 0), "
                    "thread (3, 0) ended without reaching it");
    says(others_elsewhere, "a.dsl:9:5: note: block (0, 0), thread (3, 0) waits here");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_thread_once),
        cmocka_unit_test(sums_in_blocks),
        cmocka_unit_test(stacks_are_apart),
        cmocka_unit_test(divergence_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
