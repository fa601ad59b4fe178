/* The simulator of a GPU: the threads of a block are fibres that take turns from barrier to barrier, in the order of
 * their indices, as in the reference interpreter. */
#include "runtime/simt.h"
#include "runtime/fibre.h"
#include "runtime/host.h"
#include "runtime/share.h"

#include <stdio.h>
#include <stdlib.h>

enum { LINE = 64, MANY = 2048, WORDS = 80, BOTH = 2 * WORDS + 2 };

typedef struct Launch {
    dsl_kernel *kernel;
    void *env;
    const dsl_grid *grid;
    const dsl_site *at;
    int64_t threads; /* of a block */
    int64_t meet;    /* of them so many wait for each other */
} Launch;

/* A thread; its lane comes first, so that the one is found from the other */
typedef struct Thread {
    dsl_lane lane;
    const Launch *launch;
    dsl_fibre *fibre;
    const dsl_site *waits; /* where; NULL: it is done */
    int64_t member;        /* its place in its team */
    int64_t hands[2], shuffles; /* what it hands to its team, in turns: one may still be read */
} Thread;

static int64_t count(const int64_t *extent) {
    int64_t n = 1;
    for (int i = 0; i < 3; i++) n *= extent[i] > 0 ? extent[i] : 0;
    return n;
}

static void split(int64_t whole, const int64_t *extent, int64_t *index) {
    for (int i = 2; i >= 0; i--) {
        index[i] = whole % extent[i];
        whole /= extent[i];
    }
}

/* ---- barriers */

static void words(char *out, size_t size, const char *what, const int64_t *index, int64_t rank) {
    int n = snprintf(out, size, "%s %s", what, rank > 1 ? "(" : "");
    for (int i = 0; i < rank; i++)
        n += snprintf(out + n, size - (size_t)n, "%s%lld", i ? ", " : "", (long long)index[2 - i]);
    if (rank > 1) snprintf(out + n, size - (size_t)n, ")");
}

static void who(char *out, const Thread *t) {
    char block[WORDS], thread[WORDS];
    words(block, sizeof block, "block", t->lane.block, t->launch->grid->block_rank);
    words(thread, sizeof thread, "thread", t->lane.thread, t->launch->grid->thread_rank);
    snprintf(out, BOTH, "%s, %s", block, thread);
}

static void fail_divergence(const Thread *waits, const Thread *other) {
    char a[BOTH], b[BOTH];
    who(a, waits);
    who(b, other);
    if (!other->waits)
        dsl_say_error(waits->waits, "E0631", "%s waits at this barrier, but %s ended without reaching it", a, b);
    else {
        dsl_say_error(waits->waits, "E0631", "%s waits at this barrier, but %s waits at another one", a, b);
        dsl_say_note(other->waits, "%s waits here", b);
    }
    dsl_say_hint("every thread of a block must reach every barrier: move it out of the `if` or loop");
    dsl_stop(1);
}

void dsl_simt_barrier(dsl_lane *lane, const dsl_site *at) {
    Thread *t = (Thread *)lane;
    t->waits = at;
    dsl_fibre_rest(t->fibre);
}

int64_t dsl_simt_shuffle(dsl_lane *lane, const dsl_site *at, int64_t x, int64_t from) {
    Thread *t = (Thread *)lane;
    int64_t place = t->shuffles++ & 1, member = t->member;
    t->hands[place] = x;
    dsl_simt_barrier(lane, at);
    return t[from - member].hands[place];
}

/* ---- a block */

static void run_kernel(void *arg) {
    Thread *t = arg;
    t->launch->kernel(t->launch->env, &t->lane);
    t->waits = NULL;
}

/* Every thread to its next barrier; true: all are done. */
static bool run_phase(Thread *threads, int64_t n) {
    for (int64_t i = 0; i < n; i++) {
        Thread *t = &threads[i];
        dsl_set_stack(dsl_fibre_low(t->fibre), DSL_FIBRE_STACK);
        dsl_fibre_run(t->fibre);
        if (t->waits != threads[0].waits)
            fail_divergence(threads[0].waits ? threads : t, threads[0].waits ? t : threads);
    }
    dsl_set_stack(NULL, 0);
    return !threads[0].waits;
}

static void run_block(const Launch *l, int64_t block, Thread *threads) {
    for (int64_t i = 0; i < l->threads; i++) {
        split(block, l->grid->blocks, threads[i].lane.block);
        dsl_fibre_begin(threads[i].fibre, run_kernel, &threads[i]);
    }
    for (int64_t i = 0; i < l->threads; i += l->meet)
        while (!run_phase(threads + i, l->meet)) continue;
}

/* ---- several blocks, by one thread of the machine */

static void run_with_barriers(const Launch *l, int64_t lo, int64_t hi, char *shared) {
    dsl_fibre **fibres = dsl_fibres((int)l->threads);
    Thread *threads = fibres ? calloc((size_t)l->threads, sizeof *threads) : NULL;
    if (!threads) dsl_fail(l->at, "E0603", "out of memory: stacks of %lld threads", (long long)l->threads);
    for (int64_t i = 0; i < l->threads; i++) {
        threads[i] = (Thread){.launch = l, .fibre = fibres[i], .lane.shared = shared, .member = i % DSL_TEAM};
        split(i, l->grid->threads, threads[i].lane.thread);
    }
    for (int64_t b = lo; b < hi; b++) run_block(l, b, threads);
    free(threads);
}

static void run_straight(const Launch *l, int64_t lo, int64_t hi, char *shared) {
    for (int64_t b = lo; b < hi; b++) {
        dsl_lane lane = {.shared = shared};
        split(b, l->grid->blocks, lane.block);
        for (int64_t i = 0; i < l->threads; i++) {
            split(i, l->grid->threads, lane.thread);
            l->kernel(l->env, &lane);
        }
    }
}

static void run_blocks(int64_t lo, int64_t hi, void *env) {
    const Launch *l = env;
    size_t bytes = (size_t)(l->grid->shared + LINE - 1) / LINE * LINE;
    char *shared = aligned_alloc(LINE, bytes ? bytes : LINE);
    if (!shared) dsl_fail(l->at, "E0603", "out of memory: %zu bytes of shared memory", bytes);
    if (l->grid->barriers || l->grid->team) run_with_barriers(l, lo, hi, shared);
    else run_straight(l, lo, hi, shared);
    free(shared);
}

void dsl_simt_launch(const dsl_site *at, dsl_kernel *kernel, void *env, const dsl_grid *grid) {
    Launch l = {kernel, env, grid, at, count(grid->threads), count(grid->threads)};
    if (grid->team) l.meet = DSL_TEAM;
    int64_t blocks = count(grid->blocks);
    if (!l.threads || !blocks) return;
    if (grid->ordered) run_blocks(0, blocks, &l);
    else dsl_share_loop(run_blocks, &l, blocks, 0, blocks > 1 && blocks * l.threads >= MANY);
}
