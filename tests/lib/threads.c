/* Eight threads call at once, each with a context of its own, some with wrong arguments; then they share one context.
 */
#include "waves.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 8, TURNS = 50, N = 30000 };
static waves_context *shared;
static int busy, done;

static long one_turn(waves_context *c, double *x, int64_t *at, double *y, int turn) {
    long wrong = 0;
    int64_t n, *places;
    double *values;
    at[turn] = -1;
    wrong += waves_pick(c, N, N, x, at, y) != WAVES_RUNTIME_ERROR || !strstr(waves_error(c), "index -1");
    at[turn] = N - 1 - turn;
    wrong += waves_pick(c, N, N, x, at, y) != WAVES_OK || y[turn] != N - 1 - turn;
    wrong += waves_positive(c, N, x, &n, &values, &places) != WAVES_OK || n != N - 1 || values[n - 1] != N - 1;
    waves_free(values), waves_free(places);
    return wrong + (waves_same(c, -turn - 1, x, y) != WAVES_BAD_SIZE);
}

static void *work(void *arg) {
    int number = *(int *)arg;
    long wrong = 0;
    waves_context *own = waves_context_new();
    double *x = malloc(N * sizeof *x), *y = malloc(N * sizeof *y), r;
    int64_t *at = malloc(N * sizeof *at);
    for (int64_t i = 0; i < N; i++) x[i] = (double)i, at[i] = N - 1 - i;
    waves_set_threads(own, number % 3);
    for (int turn = 0; turn < TURNS; turn++) wrong += one_turn(own, x, at, y, turn);
    for (int turn = 0; turn < TURNS; turn++) {
        int status = waves_much(shared, 200, &r);
        __atomic_add_fetch(status == WAVES_BUSY ? &busy : &done, 1, __ATOMIC_RELAXED);
        wrong += status != WAVES_BUSY && (status != WAVES_OK || r < 398);
    }
    waves_context_free(own);
    free(x), free(y), free(at);
    return (void *)wrong;
}

int main(void) {
    pthread_t threads[THREADS];
    int numbers[THREADS];
    long wrong = 0;
    void *result;
    shared = waves_context_new();
    for (int i = 0; i < THREADS; i++) {
        numbers[i] = i;
        if (pthread_create(&threads[i], NULL, work, &numbers[i])) return 2;
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], &result);
        wrong += (long)result;
    }
    waves_context_free(shared);
    printf("%ld wrong, %s\n", wrong, busy + done == THREADS * TURNS && done ? "one call at a time" : "calls were lost");
    return wrong != 0;
}
