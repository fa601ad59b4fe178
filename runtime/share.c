#include "runtime/host.h"
#include "runtime/share.h"

#include <omp.h>

/* A loop, and the team that shares it out; at: where the program is */
typedef struct { dsl_body *body; void *env; dsl_team team; const dsl_site *at; } Shared;

/* Who takes control when something fails gets it behind the loop: see host.h */
static void run_part(Shared *s, int64_t lo, int64_t hi) {
    dsl_guard guard;
    dsl_set_site(s->at);
    if (!s->team.host.on_fail) {
        s->body(lo, hi, s->env);
        return;
    }
    dsl_guard_begin(&guard, &s->team);
    if (setjmp(guard.back) == 0) s->body(lo, hi, s->env);
    dsl_guard_end(&guard);
}

static void equal_parts(Shared *s, int64_t n) {
#pragma omp parallel num_threads(dsl_threads())
    {
        int64_t k = omp_get_thread_num(), all = omp_get_num_threads(), part = n / all, more = n % all;
        int64_t lo = k * part + (k < more ? k : more), hi = lo + part + (k < more);
        if (lo < hi) run_part(s, lo, hi);
    }
}

static void by_chunks(Shared *s, int64_t n, int64_t chunk) {
    int64_t parts = n / chunk + (n % chunk != 0);
#pragma omp parallel for schedule(dynamic) num_threads(dsl_threads())
    for (int64_t k = 0; k < parts; k++) {
        int64_t lo = k * chunk;
        run_part(s, lo, chunk < n - lo ? lo + chunk : n);
    }
}

void dsl_share_loop(dsl_body *body, void *env, int64_t n, int64_t chunk, bool worth) {
    if (n <= 0) return;
    if (!worth || omp_in_parallel()) {
        body(0, n, env);
        return;
    }
    Shared s = {body, env, dsl_team_begin(), dsl_current_site()};
    const bool alone = !s.team.host.on_fail; /* guards know the frames themselves */
    if (alone) dsl_launched = dsl_frames;
    if (chunk) by_chunks(&s, n, chunk);
    else equal_parts(&s, n);
    if (alone) dsl_launched = NULL;
    else dsl_team_end(&s.team);
}

/* Within a team.  The first may go to another thread, which tells its failures with the calls around both.  (What the
 * task takes along is named: clang 14 crashes where it is to find a function itself.) */
static void run_in_team(dsl_strand *first, void *first_env, dsl_strand *second, void *second_env,
                        const dsl_frame *up) {
#pragma omp task firstprivate(first, first_env, up)
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
void dsl_enter_recursive_frame(dsl_frame *f, const dsl_site *at, const char *how, const dsl_site *callee) {
    dsl_enter_recursive(f, at, how, callee);
}
void dsl_leave_frame(const dsl_frame *f) { dsl_leave(f); }

void dsl_print_letters(int align, int sign, int zero, int type, int width, int digits) {
    dsl_print_as((dsl_format){(char)align, (char)sign, (char)zero, (char)type, width, digits});
}
