/* Loops whose turns threads share: what OpenMP is told of them, and where their failures go. */
#include "codegen/c/private.h"

#include <string.h>

/* ---- what stands in the pragma */

/* "n > 1000": a loop that is too small gets no threads; "chunks > 1 && chunks * n > 50": nor does one of one turn */
const char *threads_worth(Emit *e, const Op *op, const LoopPlan *p) {
    int prec = op_flag(op, A_TILES) ? PREC_ADD : PREC_UNARY;
    const char *text = "";
    if (p->turns) text = arena_printf(e->arena, "%s > 1", expr_in(e, emit_value(e, p->turns), PREC_ADD));
    if (!p->nfactors) return text;
    text = arena_printf(e->arena, "%s%s%s", text, *text ? " && " : "", p->nfactors > 2 ? "(double)" : "");
    for (int i = 0; i < p->nfactors; i++)
        text = arena_printf(e->arena, "%s%s%s", text, i ? " * " : "", expr_in(e, emit_value(e, p->factors[i]), prec));
    return arena_printf(e->arena, "%s > %lld", text, (long long)p->least);
}

static const char *condition(Emit *e, const Op *op, const LoopPlan *p) {
    return p->nfactors || p->turns ? arena_printf(e->arena, " if (parallel: %s)", threads_worth(e, op, p)) : "";
}

/* " reduction(+: h[0:16])": each thread has its own */
static const char *copies(Emit *e, const LoopPlan *p) {
    const char *all = "";
    for (int i = 0; i < p->ncopies; i++) {
        const Value *buf = p->copies[i].buf;
        const char *sign = combine_info(p->copies[i].kind)->sign, *whole = "";
        for (int k = 0; k < buf->type->rank; k++)
            whole = arena_printf(e->arena, "%s[0:%s]", whole, expr_array_extent(e, buf->type->dims[k]).text);
        all = arena_printf(e->arena, "%s reduction(%s: %s%s)", all, sign ? sign : combine_info(p->copies[i].kind)->word,
                           emit_value(e, buf).text, whole);
    }
    return all;
}

static const char *schedule(Emit *e, const LoopPlan *p) {
    if (!p->dynamic) return e->opts->schedule;
    return p->handful == 1 ? "dynamic" : arena_printf(e->arena, "dynamic, %d", p->handful);
}

/* " firstprivate(rows)": of a loop at function level each thread has the array, not its variable */
static const char *arrays(Emit *e, const Op *op) {
    if (op->code != OP_FOR) return "";
    const char *all = "";
    for (int i = 0; i < op->nres; i++)
        all = arena_printf(e->arena, "%s%s%s", all, i ? ", " : "", emit_value(e, loop_carried(op, i)).text);
    return arena_printf(e->arena, " firstprivate(%s)", all);
}

/* What follows "#pragma omp parallel for" */
static const char *sharing(Emit *e, const Op *op, const LoopPlan *p, bool only) {
    const char *collapse = p->collapse > 1 ? arena_printf(e->arena, " collapse(%d)", p->collapse) : "";
    return arena_printf(e->arena, "%s%s schedule(%s)%s%s", p->simd && only ? " simd" : "", collapse, schedule(e, p),
                        copies(e, p), arrays(e, op));
}

static const char *whole_pragma(Emit *e, const Op *op, const LoopPlan *p, bool only) {
    return arena_printf(e->arena, "#pragma omp parallel for%s%s%s", sharing(e, op, p, only), guard_threads(e),
                        condition(e, op, p));
}

/* In a library a failure ends all iterations of its thread; or that one, where leaving the loop early would upset how
 * they are handed out, or copies brought together. */
static bool leaves_loop(const Emit *e, const LoopPlan *p) {
    return !p->dynamic && !strncmp(e->opts->schedule, "static", 6) && !p->ncopies;
}

/* ---- around the loop, and around a turn */

static void open_region(Emit *e, const Op *op, const LoopPlan *p, Threads *t) {
    t->guard = guard_team(e);
    const char *clauses = arena_printf(e->arena, "%s%s", guard_threads(e), condition(e, op, p));
    guard_open_region(e, &t->guard, arena_printf(e->arena, "#pragma omp parallel%s", clauses));
    if (!t->each_one) guard_try(e, &t->guard);
}

static void close_region(Emit *e, const Op *op, const LoopPlan *p, Threads *t) {
    Guard *g = &t->guard;
    int pragma = g->at[0];
    if (!t->each_one) guard_caught(e, g);
    guard_close_region(e, g);
    if (!guard_team_end(e, g)) e->lines.lines.data[pragma].text = whole_pragma(e, op, p, p->loops == 1);
}

Threads threads_begin(Emit *e, const Op *op, const LoopPlan *p) {
    Threads t = {.guarded = p->threads && guard_wanted(e)};
    t.each_one = t.guarded && !leaves_loop(e, p);
    t.trace = p->threads && !t.guarded && e->func->kind == FUNC_FN && (op_may_trap(op) || op_has_effect(op));
    if (t.guarded) open_region(e, op, p, &t);
    if (t.trace) emit_line(e, "dsl_launch_begins();");
    return t;
}

void threads_pragma(Emit *e, const Op *op, const LoopPlan *p, bool first, bool last) {
    const char *simd = p->simd && last ? " simd" : "";
    if (p->threads && first && guard_wanted(e)) emit_pragma(e, "#pragma omp for%s nowait", sharing(e, op, p, last));
    else if (p->threads && first) emit_pragma(e, "%s", whole_pragma(e, op, p, last));
    else if (*simd && p->unroll) emit_pragma(e, "#pragma GCC unroll %lld", (long long)p->unroll);
    else if (*simd) emit_pragma(e, "#pragma omp simd");
}

void threads_turn(Emit *e, Threads *t) {
    if (t->each_one) guard_try(e, &t->guard);
}

void threads_turn_done(Emit *e, Threads *t) {
    if (t->each_one) guard_caught(e, &t->guard);
}

void threads_end(Emit *e, const Op *op, const LoopPlan *p, Threads *t) {
    if (t->trace) emit_line(e, "dsl_launch_ends();");
    if (t->guarded) close_region(e, op, p, t);
}
