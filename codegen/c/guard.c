/* Failures inside parallel regions of a library.
 *
 * A program that fails ends, and so any thread may say so.  A library's call comes back instead, by longjmp, but no
 * jump may leave a parallel region: each thread or task that may fail gets a guard (runtime/host.h).  What can fail
 * takes a place for its message, or is a call; where the region turns out to hold nothing of the kind, the guard is
 * taken out again. */
#include "codegen/c/private.h"

#include <string.h>

bool guard_wanted(const Emit *e) { return e->opts->kind == EMIT_LIBRARY; }

const char *guard_threads(const Emit *e) { return guard_wanted(e) ? " num_threads(dsl_threads())" : ""; }

/* The line that was added last is the guard's. */
static void mark(Emit *e, Guard *g) {
    if (g->n == GUARD_LINES) bug("a guard of too many lines");
    g->at[g->n++] = e->lines.lines.len - 1;
}

Guard guard_team(Emit *e) {
    Guard g = {.failures = e->failures};
    g.team = lines_var(&e->lines, "team");
    emit_declare_into(e, g.team, "dsl_team ", "dsl_team_begin()", NULL);
    mark(e, &g);
    return g;
}

void guard_begin(Emit *e, Guard *g) {
    g->guard = lines_var(&e->lines, "guard");
    emit_declare_into(e, g->guard, "dsl_guard ", NULL, NULL);
    mark(e, g);
    emit_line(e, "dsl_guard_begin(&%s, &%s);", lines_ref(&e->lines, g->guard), lines_ref(&e->lines, g->team));
    mark(e, g);
}

void guard_try(Emit *e, Guard *g) {
    emit_open(e, "if (setjmp(%s.back) == 0) {", lines_ref(&e->lines, g->guard));
    mark(e, g);
}

void guard_caught(Emit *e, Guard *g) {
    emit_close(e);
    mark(e, g);
}

void guard_finish(Emit *e, Guard *g) {
    emit_line(e, "dsl_guard_end(&%s);", lines_ref(&e->lines, g->guard));
    mark(e, g);
}

void guard_open_region(Emit *e, Guard *g, const char *pragma) {
    emit_pragma(e, "%s", pragma);
    mark(e, g);
    emit_open(e, "{");
    mark(e, g);
    guard_begin(e, g);
}

void guard_close_region(Emit *e, Guard *g) {
    guard_finish(e, g);
    emit_close(e);
    mark(e, g);
}

/* Takes the guard's lines out. */
static void take_out(Emit *e, const Guard *g) {
    Lines *l = &e->lines;
    int n = 0, next = 0, depth = l->lines.data[g->at[0]].depth;
    for (int i = 0; i < l->lines.len; i++) {
        if (next < g->n && g->at[next] == i) {
            next++;
            continue;
        }
        Line *line = &l->lines.data[n++];
        *line = l->lines.data[i];
        if (!next) continue;
        if (line->kind == LINE_CLOSE || line->kind == LINE_MIDDLE) depth--;
        line->depth = depth;
        if (line->kind == LINE_OPEN || line->kind == LINE_MIDDLE) depth++;
    }
    l->lines.len = n;
}

bool guard_team_end(Emit *e, Guard *g) {
    if (e->failures == g->failures) return take_out(e, g), false;
    emit_line(e, "dsl_team_end(&%s);", lines_ref(&e->lines, g->team));
    return true;
}
