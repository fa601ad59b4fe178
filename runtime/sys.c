/* What the standard library asks of the system. */
#include "runtime/ranks.h"

#include <stdlib.h>
#include <time.h>

/* Seconds since some fixed moment. */
double dsl_x_time(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    double now = (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
    dsl_ranks_agree(&now, sizeof now);
    return now;
}

/* The environment variable's value, "" when it is not set. */
const char *dsl_x_env(const char *name) {
    const char *value = getenv(name);
    return value ? value : "";
}
