/* Failures that come back: a thread's failure ends at its innermost guard (host.h). */
#include "runtime/host.h"

static void jump(void *ctx, int status) {
    dsl_guard *g = ctx;
    (void)status;
    __atomic_store_n(&g->team->failed, 1, __ATOMIC_RELAXED);
    dsl_frames = g->team->frames;
    longjmp(g->back, 1);
}

void dsl_guard_begin(dsl_guard *g, dsl_team *team) {
    g->outer = dsl_here;
    g->outer_frames = dsl_frames;
    g->team = team;
    dsl_here = team->host;
    dsl_here.on_fail = jump;
    dsl_here.on_fail_ctx = g;
    dsl_frames = team->frames;
}

void dsl_guard_end(dsl_guard *g) {
    dsl_here = g->outer;
    dsl_frames = g->outer_frames;
}

dsl_team dsl_team_begin(void) { return (dsl_team){.host = dsl_here, .frames = dsl_frames}; }

void dsl_team_end(dsl_team *team) {
    if (DSL_UNLIKELY(__atomic_load_n(&team->failed, __ATOMIC_RELAXED))) dsl_here.on_fail(dsl_here.on_fail_ctx, 1);
}
