/* Settings as executables, which are raced (driver/race.c). */
#include "cli/cli.h"
#include "cli/questions.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool way_options(Options *o, const Setting *setting, const Setting *kept, int n) {
    if (setting && !tuning_apply(o, setting->key, setting->value, NO_SPAN)) return false;
    for (int i = 0; i < n; i++)
        if (!setting || !setting_same_question(&kept[i], setting)) tuning_apply(o, kept[i].key, kept[i].value, NO_SPAN);
    return true;
}

bool way_build(const Options *o, Racer *w) {
    *w = (Racer){.exe = executable_get(o, o->inputs.data[0], EMIT_PROGRAM), .threads = o->threads};
    return w->exe.path != NULL;
}

/* The program's warnings were shown when it was built as it is. */
bool way_build_silently(const Options *o, Racer *w) {
    Silence silent = silence_begin(STDERR_FILENO);
    bool ok = way_build(o, w);
    silence_end(&silent);
    diag_clear(o->session);
    return ok;
}

bool racers_same(const Racer *x, const Racer *y) {
    size_t n = 0, m = 0;
    if (x->threads != y->threads) return false;
    if (!strcmp(x->exe.path, y->exe.path)) return true;
    Arena *a = arena_new();
    const char *p = file_read(a, x->exe.path, &n), *q = file_read(a, y->exe.path, &m);
    bool same = p && q && n == m && !memcmp(p, q, n);
    arena_free(a);
    return same;
}

/* ---- before all others */

static void note_busy(void) {
    double load;
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    if (getloadavg(&load, 1) == 1 && load > 0.5 * (double)cores + 0.5)
        fprintf(stderr,
                "  note: the machine is busy (load %.1f, %ld cores): what is found may not hold when it is not\n", load,
                cores);
}

bool race_prepare(Race *r, const Racer *plain) {
    Session *s = r->o->session;
    const char *input = r->o->inputs.data[0], *why = race_begin(r, plain);
    double ms = 1e3 * median(r->seconds, 4);
    if (why) {
        Diag *d = diag_report(s, NO_SPAN, E_TUNE_RUN, why);
        diag_hint(s, d, "'dslc run %s' shows what it prints", input);
    } else if (r->repeats > RACE_REPEATS) {
        Diag *d = diag_report(s, NO_SPAN, E_TUNE_RUN,
                              intern_printf(s, "what counts takes %.2g ms, which is little beside chance", ms));
        diag_hint(s, d, "let it do more; for a tenth of a second up to %d runs are timed together", RACE_REPEATS);
    } else {
        fprintf(stderr, "%s takes %.3g ms", input, ms);
        fprintf(stderr, r->repeats > 1 ? "; %d runs at a time are compared\n" : "\n", r->repeats);
        note_busy();
        return true;
    }
    return false;
}
