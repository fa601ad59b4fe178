/* Running passes.
 *
 * The table is passes.def; its order is the default pipeline.  A pass whose two stages are the same
 * leaves the module's stage as it finds it and may be named anywhere. */
#include "pipeline/pipeline.h"

#include <string.h>
#include <time.h>

#define PASS(name, function, in, out, level, when, where, doc) PassFn function;
#include "pipeline/passes.def"
#undef PASS

static const PassInfo table[] = {
#define PASS(name, function, in, out, level, when, where, doc) {name, function, in, out, level, when, where, doc},
#include "pipeline/passes.def"
#undef PASS
};
enum { PASS_COUNT = sizeof table / sizeof *table };

const PassInfo *pass_table(int *n) {
    *n = PASS_COUNT;
    return table;
}

const PassInfo *pass_find(const char *name) {
    for (int i = 0; i < PASS_COUNT; i++)
        if (!strcmp(table[i].name, name)) return &table[i];
    return NULL;
}

/* ---- one pass */

typedef struct {
    Module *module;
    const PassOptions *opts;
    struct { const char *name; double seconds; } times[2 * PASS_COUNT];
    int ntimes;
} Run;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void note_time(Run *r, const char *name, double seconds) {
    int n = (int)(sizeof r->times / sizeof *r->times);
    if (r->ntimes == n) return;
    r->times[r->ntimes].name = name;
    r->times[r->ntimes++].seconds = seconds;
}

static void print_module(const Module *m, const char *after) {
    Text t;
    Arena *a = arena_new();
    text_init(&t, a);
    module_print(&t, m);
    fprintf(stderr, "# after %s\n%s\n", after, text_str(&t));
    arena_free(a);
}

static bool wants_print(const PassOptions *o, const char *name) {
    return o->print_after && (!strcmp(o->print_after, name) || !strcmp(o->print_after, "all"));
}

/* False when the pass or the check behind it reported errors. */
static bool run_pass(Run *r, const PassInfo *p, bool verify) {
    Module *m = r->module;
    int errors = diag_error_count(m->session);
    double start = now();
    p->run(m, r->opts);
    note_time(r, p->name, now() - start);
    if (p->in != p->out || m->stage < p->out) m->stage = p->out;
    if (wants_print(r->opts, p->name)) print_module(m, p->name);
    if (diag_error_count(m->session) > errors) return false;
    if (!verify || module_verify(m, p->name)) return true;
    diag_report(m->session, NO_SPAN, E_PASS_BROKE, p->name);
    return false;
}

static void print_times(const Run *r) {
    double total = 0;
    if (!r->opts->time_passes) return;
    for (int i = 0; i < r->ntimes; i++) total += r->times[i].seconds;
    for (int i = 0; i < r->ntimes; i++) {
        double s = r->times[i].seconds;
        fprintf(stderr, "%10.3f ms %5.1f%%  %s\n", 1e3 * s, total > 0 ? 100 * s / total : 0, r->times[i].name);
    }
    fprintf(stderr, "%10.3f ms         total\n", 1e3 * total);
}

/* ---- the default pipeline */

typedef struct { Stage entry, until; bool again; } Route; /* again: not the first time round */

bool pass_suits(const PassInfo *p, const PassOptions *opts) {
    if (p->where == ANY || p->where == ELEMENTS) return p->where == ANY || !opts->arrays;
    return !opts->device && (p->where == HOST || p->where == (opts->ranks ? RANKS : ALONE));
}

/* Passes whose stage the module had reached when it came are behind it. */
static bool is_on_route(const Run *r, const Route *way, const PassInfo *p) {
    bool behind = p->out < way->entry || (p->out == way->entry && way->entry != STAGE_IR);
    bool now = p->when == ALWAYS || (p->when == FIRST && !way->again) || (p->when == DERIVES && r->module->derives) ||
               (p->when == AGAIN && way->again);
    int level = r->opts->derive_first && r->module->derives ? 0 : r->opts->level;
    return now && pass_suits(p, r->opts) && !behind && p->out <= way->until && level >= p->level;
}

typedef VEC(const PassInfo *) Plan;

static void plan_pass(const Run *r, Plan *plan, const PassInfo *p) {
    if (!choice_leaves_out(r->opts, p->name)) vec_push(r->module->arena, plan, p);
}

static bool is_dropped(const PassOptions *opts, const PassInfo *p) {
    for (int i = 0; i < opts->nedits; i++)
        if (opts->edits[i].drop == p - table) return true;
    return false;
}

/* The rows that the route comes by, in order, as edits change it.  What derivatives are taken of is not edited: that
 * would change the order in which adjoints are added. */
static Plan plan_route(const Run *r, const Route *way) {
    Plan plan = {0};
    const PassOptions *opts = r->opts;
    bool edited = !r->module->derives;
    for (const PassInfo *p = table; p < table + PASS_COUNT; p++) {
        if (!is_on_route(r, way, p)) continue;
        if (!edited || !is_dropped(opts, p)) plan_pass(r, &plan, p);
        for (int i = 0; edited && i < opts->nedits; i++)
            if (opts->edits[i].behind == p - table) plan_pass(r, &plan, &table[opts->edits[i].run]);
    }
    return plan;
}

/* What a stage leaves is always verified; after each pass it would triple the time that passes take. */
bool pipeline_run(Module *m, Stage until, const PassOptions *opts) {
    Run r = {.module = m, .opts = opts};
    Route way = {.entry = m->stage, .until = until};
    Plan plan = plan_route(&r, &way);
    bool ok = true;
    for (int i = 0; ok && i < plan.len;) {
        const PassInfo *p = plan.data[i++], *next = i < plan.len ? plan.data[i] : NULL;
        bool derives = m->derives;
        ok = run_pass(&r, p, opts->verify_each || !next || next->out > m->stage);
        if (!derives || m->derives) continue;
        if (opts->derive_only) break;
        way.again = true, plan = plan_route(&r, &way), i = 0;
    }
    print_times(&r);
    return ok;
}

bool pipeline_derive(Module *m, const PassOptions *opts) {
    Run r = {.module = m, .opts = opts};
    Stage before = m->stage;
    bool ok = true;
    for (const PassInfo *p = table; ok && m->derives && p < table + PASS_COUNT; p++)
        if (!p->level && (p->when == ALWAYS || p->when == DERIVES) && pass_suits(p, opts))
            ok = run_pass(&r, p, opts->verify_each);
    m->stage = before;
    print_times(&r);
    return ok;
}

/* ---- passes by name */

static bool unknown_pass(Session *s, const char *name) {
    const char *names[PASS_COUNT];
    for (int i = 0; i < PASS_COUNT; i++) names[i] = table[i].name;
    Diag *d = diag_report(s, NO_SPAN, E_UNKNOWN_PASS, name);
    const char *near = spell_nearest(name, names, PASS_COUNT);
    if (near) diag_hint(s, d, "did you mean '%s'?", near);
    return false;
}

static bool run_named(Run *r, const char *name) {
    Session *s = r->module->session;
    const PassInfo *p = pass_find(name);
    if (!p) return unknown_pass(s, name);
    if (p->in != p->out && (r->module->stage < p->in || r->module->stage >= p->out)) {
        diag_report(s, NO_SPAN, E_PASS_STAGE, name, stage_name(p->in), stage_name(r->module->stage));
        return false;
    }
    Stage before = r->module->stage;
    bool ok = run_pass(r, p, r->opts->verify_each);
    if (p->in == p->out) r->module->stage = before;
    return ok;
}

bool pipeline_run_list(Module *m, const char *list, const PassOptions *opts) {
    Run r = {.module = m, .opts = opts};
    bool ok = true;
    while (ok && *list) {
        size_t n = strcspn(list, ",");
        if (n) ok = run_named(&r, intern_n(m->session, list, n));
        list += n;
        if (*list) list++;
    }
    print_times(&r);
    return ok;
}
