/* What --explain-grad tells of sums, and --explain-processes of turns, wherever it is decided. */
#include "opt/pass.h"

#include <stdio.h>

static void begin_line(const Module *m, Span at) {
    Place place = source_place(m->session, at.file, at.lo);
    fprintf(stderr, "%s:%d:%d: ", source_path(m->session, at.file), place.line, place.col);
}

void explain_sum(const PassOptions *opts, const Module *m, Span at, const char *name, const char *how) {
    if (!opts || !opts->explain_grad || at.file < 0) return;
    begin_line(m, at);
    fprintf(stderr, "the derivative by '%s' is added up by %s\n", name ? name : "a value", how);
}

void explain_turns(const PassOptions *opts, const Module *m, Span at) {
    if (!opts->explain_ranks || at.file < 0 || source_is_library(m->session, at)) return;
    begin_line(m, at);
    fprintf(stderr, "turns are parted\n");
}
