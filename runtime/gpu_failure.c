/* Launches whose threads fail.  A thread that does writes down why and ends; nobody waits for it.  The host looks
 * before something is seen of what comes after the launch: an element comes home, something is printed or written, the
 * time is asked for, a failure of its own is told, the program ends.  What a launch has left that failed, those behind
 * it may use: on the device it is seen by nobody (codegen/trust.c). */
#include "runtime/gpu.h"
#include "runtime/host.h"

#include <stdlib.h>

/* Of launches that may have failed since the last look: the calls around them, the same for all, as they were, for the
 * message; the place where they begin, or NULL where there are several */
static struct {
    bool some;
    const dsl_site *at;
    const dsl_gpu_tables *tables; /* the program's */
    dsl_frame *calls;
    int64_t ncalls, room;
} launched;

static bool same_calls(void) {
    const dsl_frame *f = dsl_frames;
    int64_t n = 0;
    for (; f && n < launched.ncalls; f = f->up, n++)
        if (f->at != launched.calls[n].at || f->how != launched.calls[n].how) return false;
    return !f && n == launched.ncalls;
}

static void make_room(const dsl_site *at, int64_t n) {
    if (n <= launched.room) return;
    free(launched.calls);
    launched.calls = malloc((size_t)n * sizeof *launched.calls);
    launched.room = launched.calls ? n : 0;
    if (!launched.calls) dsl_fail(at, "E0603", "out of memory: the calls around a launch");
}

static void keep_calls(const dsl_site *at) {
    int64_t n = 0;
    for (const dsl_frame *f = dsl_frames; f; f = f->up) n++;
    make_room(at, n);
    launched.ncalls = n;
    n = 0;
    for (const dsl_frame *f = dsl_frames; f; f = f->up, n++) {
        launched.calls[n] = *f;
        launched.calls[n].up = f->up ? &launched.calls[n + 1] : NULL;
    }
}

void dsl_gpu_may_fail(const dsl_site *at, const dsl_gpu_tables *tables) {
    if (launched.some && !same_calls()) dsl_gpu_look();
    if (!launched.some) keep_calls(at);
    launched.at = launched.some && launched.at != at ? NULL : at;
    launched.tables = tables;
    launched.some = true;
}

static void tell(const dsl_gpu_failure *f) {
    const dsl_gpu_tables *tables = launched.tables;
    const dsl_site *at = (const dsl_site *)((const char *)tables->sites + f->site);
    const int64_t *v = f->values;
    switch (f->reason) {
    case DSL_GPU_BOUNDS: dsl_fail_bounds(at, (int)v[0], v[1], v[2]);
    case DSL_GPU_DIVZERO: dsl_fail_divzero(at);
    case DSL_GPU_NEGPOW: dsl_fail_negpow(at, v[0]);
    case DSL_GPU_SIZE: dsl_fail_size(at, v[0]);
    case DSL_GPU_STEP: dsl_fail_step(at);
    case DSL_GPU_MEMORY: dsl_fail(at, "E0661", "the GPU has no memory for %lld bytes of one thread", (long long)v[0]);
    case DSL_GPU_CHECK: tables->checks[v[0]](at, v); break;
    default: dsl_fail(at, "E0660", "a thread of the GPU failed for an unknown reason (%d)", (int)f->reason);
    }
}

void dsl_gpu_look(void) {
    dsl_gpu_failure f;
    if (DSL_LIKELY(!launched.some)) return;
    launched.some = false;
    if (DSL_LIKELY(!dsl_gpu_read_failure(launched.at, &f))) return;
    dsl_frames = launched.ncalls ? launched.calls : NULL;
    tell(&f);
}
