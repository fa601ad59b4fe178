/* The bar of `for t in progress(...)`: on stderr, and only when that is a terminal. */
#include "runtime/dsl.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

static const double INTERVAL = 0.1; /* seconds between updates */
enum { WIDTH = 40 };

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void show(const dsl_progress *p, double time) {
    int64_t done = __atomic_load_n(&p->done, __ATOMIC_RELAXED);
    double part = p->total > 0 ? (double)done / (double)p->total : 1;
    double spent = time - p->start, left = part > 0 ? spent / part - spent : 0;
    char bar[WIDTH + 1];
    for (int i = 0; i < WIDTH; i++) bar[i] = i < (int)(part * WIDTH) ? '#' : '.';
    bar[WIDTH] = 0;
    fprintf(stderr, "\r[%s] %3d%% %lld/%lld  %.1f s, %.1f s left \033[K", bar, (int)(100 * part),
            (long long)done, (long long)p->total, spent, left);
}

void dsl_progress_begin(dsl_progress *p, int64_t total) {
    *p = (dsl_progress){.total = total, .start = isatty(STDERR_FILENO) ? now() : -1};
    p->shown = p->start;
}

/* While one thread looks whether to show it, others go on. */
void dsl_progress_step(dsl_progress *p) {
    __atomic_add_fetch(&p->done, 1, __ATOMIC_RELAXED);
    if (p->start < 0 || __atomic_test_and_set(&p->busy, __ATOMIC_ACQUIRE)) return;
    double time = now();
    if (time - p->shown >= INTERVAL) {
        p->shown = time;
        show(p, time);
    }
    __atomic_clear(&p->busy, __ATOMIC_RELEASE);
}

void dsl_progress_end(dsl_progress *p) {
    if (p->start < 0 || p->shown == p->start) return; /* nothing was shown */
    show(p, now());
    fputc('\n', stderr);
}
