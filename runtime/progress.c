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
    double part = p->total > 0 ? (double)p->done / (double)p->total : 1;
    double spent = time - p->start, left = part > 0 ? spent / part - spent : 0;
    char bar[WIDTH + 1];
    for (int i = 0; i < WIDTH; i++) bar[i] = i < (int)(part * WIDTH) ? '#' : '.';
    bar[WIDTH] = 0;
    fprintf(stderr, "\r[%s] %3d%% %lld/%lld  %.1f s, %.1f s left \033[K", bar, (int)(100 * part),
            (long long)p->done, (long long)p->total, spent, left);
}

void dsl_progress_begin(dsl_progress *p, int64_t total) {
    *p = (dsl_progress){.total = total, .start = isatty(STDERR_FILENO) ? now() : -1};
    p->shown = p->start;
}

void dsl_progress_step(dsl_progress *p) {
    p->done++;
    if (p->start < 0) return;
    double time = now();
    if (time - p->shown < INTERVAL) return;
    p->shown = time;
    show(p, time);
}

void dsl_progress_end(dsl_progress *p) {
    if (p->start < 0 || p->shown == p->start) return; /* nothing was shown */
    show(p, now());
    fputc('\n', stderr);
}
