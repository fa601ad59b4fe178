/* The books of ranks (runtime/ranks.h): sets of bytes beside bit maps; and random loops in processes of a program,
 * whose books must agree on every message, and in which everything that is needed is there. */
#include "runtime/ranks.h"
#include "runtime/ranks_runs.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum { BITS = 64, RANKS = 4, ARRAYS = 3, ROWS = 40, LOOPS = 60 };

static uint64_t state = 12345;
static int below(int n) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (int)((state >> 33) % (uint64_t)n);
}

/* ---- sets */

static uint64_t map_of(const Runs *r) {
    uint64_t m = 0;
    for (int i = 0; i < r->n; i++) {
        assert_true(r->v[i].from < r->v[i].to && (!i || r->v[i - 1].to < r->v[i].from));
        for (int64_t b = r->v[i].from; b < r->v[i].to; b++) m |= 1ull << b;
    }
    return m;
}

static uint64_t bits(int from, int to) {
    uint64_t m = 0;
    for (int b = from; b < to; b++) m |= 1ull << b;
    return m;
}

static void sets_are_bit_maps(void **unused) {
    (void)unused;
    Runs r = {0};
    uint64_t m = 0;
    for (int i = 0; i < 20000; i++) {
        int from = below(BITS), to = below(BITS + 1);
        if (below(2)) runs_add(&r, from, to), m |= bits(from, to);
        else runs_remove(&r, from, to), m &= ~bits(from, to);
        assert_true(map_of(&r) == m);
        Run first = runs_meet(&r, from, to);
        uint64_t inside = m & bits(from, to);
        assert_true(inside ? first.from == __builtin_ctzll(inside) : first.from >= first.to);
    }
    runs_free(&r);
}

/* ---- books: each rank is a process, and messages go through pipes */

static int lines[RANKS][RANKS][2]; /* from, to: the ends of a pipe */
static int me;

static void whole(ssize_t n, int64_t want) {
    if (n != want) fprintf(stderr, "a message of %lld bytes has %lld\n", (long long)want, (long long)n), _exit(3);
}

static char *row_of(const dsl_bytes *b, int64_t k) { return (char *)b->at + k * b->stride; }

static void travel(const dsl_site *at, uint64_t what, const dsl_bytes *out, int nout, const dsl_bytes *in, int nin) {
    (void)at, (void)what;
    for (int i = 0; i < nout; i++)
        for (int64_t k = 0; k < out[i].times; k++)
            whole(write(lines[me][out[i].peer][1], row_of(&out[i], k), (size_t)out[i].n), out[i].n);
    for (int i = 0; i < nin; i++)
        for (int64_t k = 0; k < in[i].times; k++)
            whole(read(lines[in[i].peer][me][0], row_of(&in[i], k), (size_t)in[i].n), in[i].n);
}
static void agree(void *p, size_t n) { (void)p, (void)n; }
static void meet(void) {}
static void stop(int status) { _exit(status); }

/* What each row holds where it is right: all ranks compute it, for comparison, beside the books. */
static int64_t truth[ARRAYS][ROWS], here[ARRAYS][ROWS];

static void check_rows(int a, int64_t from, int64_t to) {
    for (int64_t i = from < 0 ? 0 : from; i < to && i < ROWS; i++)
        if (here[a][i] != truth[a][i]) fprintf(stderr, "rank %d lacks row %lld\n", me, (long long)i), _exit(4);
}

/* The same array as a matrix, of which a process reads a few columns of some rows */
enum { COLUMNS = 5, LINES = ROWS / COLUMNS };
typedef struct { int from, to, first; } Part;

static void need_block(int a, Part r, int64_t p) {
    dsl_ranks_columns(here[a], LINES, 8 * COLUMNS, COLUMNS, p, r.from, r.to, r.first + p, r.first + p + 2);
}

static void check_block(int a, Part r) {
    for (int i = r.from; i < r.to && i < LINES; i++)
        for (int k = r.first + me; k < r.first + me + 2 && k < COLUMNS; k++)
            if (k >= 0) check_rows(a, i * COLUMNS + k, i * COLUMNS + k + 1);
}

/* Iterations i read rows i - left .. i + right of one array, and write row i + shift of another. */
static void loop(int round) {
    int x = below(ARRAYS), y = below(ARRAYS), left = below(4), right = below(4), shift = below(5);
    int64_t work = below(2) * 1000000;
    if (x == y) y = (x + 1) % ARRAYS;
    int64_t extent = ROWS - below(6) - shift, from, to;
    int z = below(ARRAYS);
    Part r = {below(LINES), below(LINES + 1), below(4) - 2};
    int64_t n = dsl_ranks_part(extent, ROWS, 1, shift, work, 2, (const void *[]){here[x], here[y]});
    for (int64_t p = 0; p < n; p++) {
        dsl_ranks_share(p, &from, &to);
        dsl_ranks_need(here[x], ROWS, 8, p, from - left, to + right);
        dsl_ranks_own(here[y], ROWS, 8, p, from + shift, to + shift);
        if (round % 3) need_block(z, r, p);
    }
    dsl_ranks_exchange(NULL, extent, &from, &to);
    if (from < to) check_rows(x, from - left, to + right);
    if (from < to && n && round % 3) check_block(z, r);
    for (int64_t i = from; i < to; i++) here[y][i + shift] = 1000 * round + i;
    for (int64_t i = 0; i < extent; i++) truth[y][i + shift] = 1000 * round + i;
}

static void run_rank(int rank) {
    static dsl_engine engine = {.size = RANKS, .travel = travel, .agree = agree, .meet = meet, .stop = stop};
    me = engine.rank = rank;
    setenv("DSL_MPI_POISON", "1", 1);
    dsl_ranks_begin(&engine);
    for (int round = 1; round <= LOOPS; round++) {
        loop(round);
        int a = below(ARRAYS), row = below(ROWS);
        if (below(4) == 0) dsl_ranks_allgather(NULL, here[a], ROWS, 8, row, row + 7), check_rows(a, row, row + 7);
    }
    for (int a = 0; a < ARRAYS; a++) {
        dsl_ranks_allgather(NULL, here[a], 1, sizeof here[a], 0, 1);
        check_rows(a, 0, ROWS);
    }
    _exit(0);
}

static void books_agree(void **unused) {
    (void)unused;
    for (int program = 0; program < 30; program++) {
        pid_t child[RANKS];
        for (int p = 0; p < RANKS * RANKS; p++) assert_int_equal(pipe(lines[p / RANKS][p % RANKS]), 0);
        for (int p = 0; p < RANKS; p++)
            if ((child[p] = fork()) == 0) run_rank(p);
        for (int p = 0; p < RANKS; p++) {
            int status;
            assert_int_equal(waitpid(child[p], &status, 0), child[p]);
            assert_int_equal(status, 0);
        }
        for (int p = 0; p < 2 * RANKS * RANKS; p++) close(lines[p / 2 / RANKS][p / 2 % RANKS][p % 2]);
        below(2);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(sets_are_bit_maps), cmocka_unit_test(books_agree)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
