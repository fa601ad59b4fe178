/* An executable for a GPU and for the processor (dslc build --target=cuda): on which of them it runs here. */
#include "runtime/gen.h"
#include "runtime/gpu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NO_GPU = 4 };

static int least_capability(const char *ptx) {
    static const char target[] = "\n.target sm_";
    const char *at = strstr(ptx, target);
    return at ? atoi(at + sizeof target - 1) : 0;
}

/* Why no GPU can be used, or NULL */
static const char *open_device(const char *ptx) {
    static char text[512];
    dsl_gpu_device d;
    const char *why = dsl_gpu_open(&d);
    int least = least_capability(ptx);
    if (why || 10 * d.major + d.minor >= least) return why;
    snprintf(text, sizeof text,
             "%s is of compute capability %d.%d; the program was built for %d.%d and newer (--cpu=sm_%d%d)", d.name,
             d.major, d.minor, least / 10, least % 10, d.major, d.minor);
    return text;
}

static bool is_said(const char *target) {
    const char *said = getenv("DSL_TARGET");
    return said && !strcmp(said, target);
}

static void fail_without(const char *why) {
    dsl_say_error(NULL, "E0714", "no GPU can be used: %s", why);
    dsl_say_hint("without DSL_TARGET=cuda the program runs on the processor here");
    dsl_stop(NO_GPU);
}

static void load(const char *ptx) {
    const char *why = dsl_gpu_load(ptx);
    if (!why) return;
    dsl_say_error(NULL, "E0725", "cannot run the kernels: %s", why);
    dsl_say_hint("a newer driver may; DSL_TARGET=cpu runs the program on the processor");
    dsl_stop(1);
}

bool dsl_gpu_takes(const char *ptx) {
    if (is_said("cpu")) return false;
    const char *why = open_device(ptx);
    if (why && is_said("cuda")) fail_without(why);
    if (why) fprintf(stderr, "note: no GPU can be used: %s; the program runs on the processor\n", why);
    if (why) return false;
    load(ptx);
    if (getenv("DSL_GPU_SECONDS")) atexit(dsl_gpu_tell_seconds);
    if (getenv("DSL_EXPLAIN_TRANSFERS")) atexit(dsl_gpu_explain);
    return true;
}
