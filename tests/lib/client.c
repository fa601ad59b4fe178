/* Calls every function of waves.dsl: results, then everything that can be wrong. */
#include "waves.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static waves_context *context;
static int failures;

static void check(int ok, const char *what, int line) {
    if (ok) return;
    failures++;
    printf("client.c:%d: %s\n%s\n", line, what, waves_error(context));
}
#define CHECK(condition) check((condition), #condition, __LINE__)
#define OK(call) check((call) == WAVES_OK, #call, __LINE__)
/* The call gives this status, and an error text with this in it */
#define FAILS(status, text, call) \
    check((call) == WAVES_##status && strstr(waves_error(context), text) != NULL, #call, __LINE__)

static void results(void) {
    double u[12] = {0, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 0}, r[12], r2[12];
    waves_Medium medium = {1, 1, 0.5f, "air", {3, 4}}, medium2;
    OK(waves_step(context, 3, 4, u, &medium, 1, r));
    CHECK(r[5] == 0 && r[6] == 0.5 * (1 - 8) + 2 && r[0] == 0 && u[5] == 1);
    OK(waves_step(context, 3, 4, u, &medium, 1, u)); /* in place */
    CHECK(!memcmp(u, r, sizeof u));
    OK(waves_same(context, 12, u, r));
    CHECK(!memcmp(u, r, sizeof u));
    OK(waves_twice(context, 3, u + 4, r2, u + 4)); /* one result is the argument, the other takes its place */
    CHECK(r2[2] == r[6] && u[6] == 2 * r[6]);
    OK(waves_nothing(context, 12, u));

    uint16_t half[2] = {0x3c00, 0x4000}, halves[2], one; /* 1, 2 */
    OK(waves_halves(context, 2, half, 0x3c00, halves, &one));
    CHECK(halves[0] == 0x4000 && halves[1] == 0x4200 && one == 0x3c00);
    bool no;
    const char *text;
    OK(waves_words(context, "text", true, &no, &text));
    CHECK(!no && !strcmp(text, "text"));
    float f[3] = {1, 2, 3};
    double sum;
    int32_t k;
    OK(waves_pair(context, 3, 0.5, f, 7, &sum, &k));
    CHECK(sum == 6.5 && k == 7);

    OK(waves_medium_of(context, &medium, 9, &medium2));
    CHECK(medium2.speed == 2 && medium2.damping == 0.5f && !strcmp(medium2.name, "air") && medium2.shift[0] == 4 &&
          medium2.shift[1] == 9);
    waves_Body b[3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}, moved[3], centre, *some;
    int64_t n, m, *places;
    OK(waves_moved(context, 3, b, 0.5, moved));
    CHECK(moved[2].x == 7.5 && moved[2].y == 8 && moved[2].id == 9 && b[2].x == 7);
    OK(waves_every_other(context, 3, b, &n, &some));
    CHECK(n == 2 && some[0].id == 3 && some[1].y == 8);
    waves_free(some);
    OK(waves_centre(context, 3, b, &centre));
    CHECK(centre.x == 4 && centre.y == 5 && centre.id == 3);
    double field[6] = {1, 2, 3, 4, 5, 6}, *values;
    waves_State s, s2;
    s.u = field, s.time = 1;
    s.corner[0][0] = 1, s.corner[0][1] = 2, s.corner[1][0] = 3, s.corner[1][1] = 4;
    OK(waves_advanced(context, 2, 3, &s, 0.5, &n, &m, &s2));
    CHECK(n == 2 && m == 3 && s2.time == 1.5 && s2.u[5] == 6.5 && s2.corner[0][1] == 3 && field[5] == 6);
    waves_free(s2.u);
    OK(waves_positive(context, 12, r, &n, &values, &places));
    CHECK(n == 0);
    waves_free(values), waves_free(places);
    OK(waves_positive(context, 6, field, &n, &values, &places));
    CHECK(n == 6 && values[5] == 6 && places[5] == 5);
    waves_free(values), waves_free(places), waves_free(NULL);
    OK(waves_table(context, 2, 1, r));
    CHECK(r[2] == 2 && r[3] == 100 && r[5] == 102);
    double a[4] = {4, 1, 1, 3}, x[2] = {1, 2}, product[2];
    OK(waves_product(context, 2, 2, 1, a, x, product));
    CHECK(product[0] == 6 && product[1] == 7);
    OK(waves_solved(context, 2, a, x, product));
    CHECK(product[0] > 0.0909 && product[0] < 0.091 && x[0] == 1);
    OK(waves_hello(context, 5));
    CHECK(!*waves_error(context) && !*waves_error_code(context));
}

static void wrong_arguments(void) {
    double u[12] = {0}, r[12] = {7};
    waves_Medium medium = {1, 1, 1, "air", {3, 4}};
    double *values;
    int64_t n, *places;
    CHECK(waves_same(NULL, 12, u, r) == WAVES_BAD_ARGUMENT);
    FAILS(BAD_ARGUMENT, "'u' is a null pointer", waves_step(context, 3, 4, NULL, &medium, 1, r));
    CHECK(!strcmp(waves_error_code(context), "E0650") && !strchr(waves_error(context), '\n'));
    FAILS(BAD_ARGUMENT, "'medium' is a null pointer", waves_step(context, 3, 4, u, NULL, 1, r));
    FAILS(BAD_ARGUMENT, "'result' is a null pointer", waves_step(context, 3, 4, u, &medium, 1, NULL));
    FAILS(BAD_ARGUMENT, "'found' is a null pointer", waves_positive(context, 12, u, NULL, &values, &places));
    FAILS(BAD_ARGUMENT, "'result_0' is a null pointer", waves_positive(context, 12, u, &n, NULL, &places));
    medium.name = NULL;
    FAILS(BAD_ARGUMENT, "'m.name' is a null pointer", waves_medium_of(context, &medium, 1, &medium));
    medium.name = "air";
    FAILS(BAD_SIZE, "a size of 'u' is negative: -3", waves_step(context, -3, 4, u, &medium, 1, r));
    FAILS(BAD_SIZE, "so many elements", waves_same(context, INT64_MAX, u, r));
    FAILS(BAD_SIZE, "negative: -5", waves_table(context, 2, -3, r));
    FAILS(BAD_SIZE, "has size 5, but 11 is needed", waves_matching(context, 12, 5, u, u, r));
    FAILS(RUNTIME_ERROR, "a wave needs a place", waves_step(context, 0, 4, NULL, &medium, 1, NULL));
    OK(waves_same(context, 0, NULL, NULL)); /* no elements need no memory */
    FAILS(RUNTIME_ERROR, "waves.dsl:", waves_nothing(context, 100, (double[100]){0}));
    CHECK(r[0] == 7);
}

/* In arrays long enough for threads */
static void failures_in_loops(void) {
    enum { N = 40000 };
    double *x = calloc(N, sizeof *x), *y = calloc(N, sizeof *y), a[4] = {1, 2, 2, 4}, r[2];
    int64_t *at = calloc(N, sizeof *at), *out = calloc(N, sizeof *out), small[3] = {1, 2, 5}, leaves;
    OK(waves_pick(context, 4, 3, a, (int64_t[]){3, 0, 1}, y));
    CHECK(y[0] == 4 && y[1] == 1);
    for (int64_t i = 0; i < N; i++) x[i] = (double)i, at[i] = N - 1 - i;
    OK(waves_pick(context, N, N, x, at, y));
    CHECK(y[0] == N - 1);
    for (int64_t i = 0; i < N; i += 6666) {
        at[i] = -7;
        FAILS(RUNTIME_ERROR, "index -7 is out of bounds for axis 0 with size 40000",
              waves_pick(context, N, N, x, at, y));
        CHECK(!strcmp(waves_error_code(context), "E0601") && strstr(waves_error(context), "x[at[i]]") != NULL);
        at[i] = 0;
    }
    for (int64_t i = 0; i < N; i++) at[i] = i % 16;
    OK(waves_counts(context, N, at, 16, out));
    CHECK(out[3] == N / 16);
    at[N / 2] = 16;
    FAILS(RUNTIME_ERROR, "E0601", waves_counts(context, N, at, 16, out));
    for (int64_t i = 0; i < N; i++) at[i] = 16;
    FAILS(RUNTIME_ERROR, "E0601", waves_counts(context, N, at, 16, out));
    for (int64_t i = 0; i < N; i++) at[i] = 1 + i % 1000;
    OK(waves_collatz(context, 1000, N, at, at, out));
    CHECK(out[26] == 1 + 111);
    FAILS(RUNTIME_ERROR, "E0601", waves_collatz(context, 1000, 100, at, at, out));
    OK(waves_leaves(context, 6, 0, &leaves));
    CHECK(leaves == (64 + 127) * 32);
    for (int64_t bad = 64; bad < 128; bad += 9)
        FAILS(RUNTIME_ERROR, "the bad leaf", waves_leaves(context, 6, bad, &leaves));
    for (int64_t i = 0; i < N; i++) at[i] = i % 64;
    OK(waves_through_blocks(context, N, x, at, y));
    CHECK(y[N - 1] == x[N - 1]);
    at[N - 2] = 8192;
    FAILS(RUNTIME_ERROR, "E0601", waves_through_blocks(context, N, x, at, y));
    OK(waves_factorial(context, 20, &leaves));
    CHECK(leaves == 2432902008176640000);
    FAILS(RUNTIME_ERROR, "E0604", waves_factorial(context, 1000000, &leaves));
    FAILS(RUNTIME_ERROR, "singular", waves_solved(context, 2, a, small[0] ? a : r, r));
    FAILS(NO_MEMORY, "not enough memory", waves_much(context, 2000000, r));
    OK(waves_same(context, 4, a, y)); /* all is well again */
    free(x), free(y), free(at), free(out);
}

int main(int argc, char **argv) {
    context = waves_context_new();
    if (argc > 1) waves_set_threads(context, atoi(argv[1]));
    results();
    wrong_arguments();
    failures_in_loops();
    waves_context_free(context);
    waves_context_free(NULL);
    if (!failures) puts("all is well");
    return failures != 0;
}
