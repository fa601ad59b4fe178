#include "runtime/share.h"

#include <omp.h>

static void equal_parts(dsl_body *body, void *env, int64_t n) {
#pragma omp parallel
    {
        int64_t k = omp_get_thread_num(), all = omp_get_num_threads(), part = n / all, more = n % all;
        int64_t lo = k * part + (k < more ? k : more), hi = lo + part + (k < more);
        if (lo < hi) body(lo, hi, env);
    }
}

static void by_chunks(dsl_body *body, void *env, int64_t n, int64_t chunk) {
    int64_t parts = n / chunk + (n % chunk != 0);
#pragma omp parallel for schedule(dynamic)
    for (int64_t k = 0; k < parts; k++) {
        int64_t lo = k * chunk;
        body(lo, chunk < n - lo ? lo + chunk : n, env);
    }
}

void dsl_share_loop(dsl_body *body, void *env, int64_t n, int64_t chunk, bool worth) {
    if (n <= 0) return;
    if (!worth || omp_in_parallel()) {
        body(0, n, env);
        return;
    }
    dsl_launched = dsl_frames;
    if (chunk) by_chunks(body, env, n, chunk);
    else equal_parts(body, env, n);
    dsl_launched = NULL;
}

/* Within a team.  The first may go to another thread, which tells its failures with the calls around both. */
static void run_in_team(dsl_strand *first, void *first_env, dsl_strand *second, void *second_env,
                        const dsl_frame *up) {
#pragma omp task
    {
        const dsl_frame *own = dsl_frames;
        dsl_frames = up;
        first(first_env);
        dsl_frames = own;
    }
    const dsl_frame *own = dsl_frames;
    dsl_frames = up;
    second(second_env);
    dsl_frames = own;
#pragma omp taskwait
}

void dsl_run_strands(dsl_strand *first, void *first_env, dsl_strand *second, void *second_env) {
    const dsl_frame *up = dsl_frames;
    if (omp_in_parallel() || omp_get_max_threads() == 1) {
        run_in_team(first, first_env, second, second_env, up);
        return;
    }
#pragma omp parallel
#pragma omp single
    run_in_team(first, first_env, second, second_env, up);
}

void dsl_enter_frame(dsl_frame *f, const dsl_site *at, const char *how) { dsl_enter(f, at, how); }
void dsl_leave_frame(const dsl_frame *f) { dsl_leave(f); }

void dsl_print_letters(int align, int sign, int zero, int type, int width, int digits) {
    dsl_print_as((dsl_format){(char)align, (char)sign, (char)zero, (char)type, width, digits});
}
