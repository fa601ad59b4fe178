/* How launches are coarsened (--coarsen-thread, --coarsen-block), and FILE.tune, which `dslc tune` writes.
 *
 * FILE.tune has one setting a line, a word and its value; # begins a comment.  `source` and `machine` say what it was
 * made for: elsewhere it is not used.  Settings change how fast the program is, not what it prints (of values of constants
 * `dslc tune` makes sure). */
#include "driver/build.h"
#include "runtime/dsl.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST = 16 };

/* "x:2" at *p, which moves behind it */
static bool factor_parse(const char **p, int by[3]) {
    static const char axes[] = "xyz";
    const char *axis = **p ? strchr(axes, **p) : NULL;
    char *end;
    if (!axis || (*p)[1] != ':') return false;
    long n = strtol(*p + 2, &end, 10);
    if (end == *p + 2 || n < 1 || n > MOST) return false;
    by[axis - axes] = (int)n;
    *p = end;
    return true;
}

bool coarsening_parse(Session *s, const char *kind, const char *text, Coarsening *out) {
    const char *eq = strchr(text, '=');
    *out = (Coarsening){.kind = intern(s, kind), .by = {1, 1, 1}};
    if (eq) out->kernel = intern_n(s, text, (size_t)(eq - text));
    for (const char *p = eq ? eq + 1 : text;; p++) {
        if (!factor_parse(&p, out->by)) return false;
        if (*p != ',') return !*p;
    }
}

/* ---- settings */

static bool apply_coarsening(Options *o, const char *kind, const char *text) {
    Arena *a = session_arena(o->session);
    Coarsening *all = NEWN(a, Coarsening, o->pass.ncoarsen + 1);
    if (!coarsening_parse(o->session, kind, text, &all[0])) return false;
    if (o->pass.ncoarsen) memcpy(all + 1, o->pass.coarsen, sizeof *all * (size_t)o->pass.ncoarsen);
    o->pass.coarsen = all; /* first: what comes later counts more */
    o->pass.ncoarsen++;
    return true;
}

static bool apply_define(Options *o, const char *text) {
    const char *eq = strchr(text, '=');
    if (!eq || eq == text || !eq[1]) return false;
    size_t n = (size_t)(eq - text) + 1;
    for (int i = 0; i < o->check.defines.len; i++)
        if (!strncmp(o->check.defines.data[i], text, n)) return true;
    o->check.defines.cap = o->check.defines.len; /* what is there is others' too: a copy grows */
    vec_push(session_arena(o->session), &o->check.defines, text);
    return true;
}

static bool apply_threads(Options *o, const char *text) {
    char *end;
    long n = strtol(text, &end, 10);
    if (*end || end == text || n < 1 || n > DSL_MAX_THREADS) return false;
    if (o->threads <= 0) o->threads = n;
    return true;
}

static bool apply_choice(Options *o, const char *key, const char *value) {
    ChoiceId id;
    int which;
    if (!choice_find(key, strlen(key), value, &id, &which)) return false;
    if (!o->pass.choice[id]) o->pass.choice[id] = (unsigned char)(which + 1);
    return true;
}

bool tuning_apply(Options *o, const char *key, const char *value) {
    if (!strcmp(key, "coarsen-thread") || !strcmp(key, "coarsen-block")) return apply_coarsening(o, key + strlen("coarsen-"), value);
    if (!strcmp(key, "define")) return apply_define(o, value);
    if (!strcmp(key, "threads")) return apply_threads(o, value);
    if (strcmp(key, "cc")) return apply_choice(o, key, value);
    if (!*value) return false;
    if (!o->cc) o->cc = value;
    return true;
}

/* ---- what a file was made for */

const char *tuning_path(const Options *o) { return intern_printf(o->session, "%s.tune", o->inputs.data[0]); }

const char *tuning_machine(Session *s) {
    char line[256], *name = NULL;
    FILE *f = fopen("/proc/cpuinfo", "r");
    while (f && !name && fgets(line, sizeof line, f))
        if (!strncmp(line, "model name", 10)) name = strchr(line, ':');
    if (f) fclose(f);
    if (name) name[strcspn(name, "\n")] = 0;
    return intern_printf(s, "%s, %ld cores", name ? name + 2 : "unknown", sysconf(_SC_NPROCESSORS_ONLN));
}

const char *tuning_source(const Options *o) {
    size_t n;
    const char *text = file_read(session_arena(o->session), o->inputs.data[0], &n);
    return text ? hash_str(o->session, hash_bytes((Hash){1, 2}, text, n)) : NULL;
}

/* ---- reading */

typedef struct { Options *o; int file; const char *path, *stale; } Reader;

static bool broken(Reader *r, int lo, int hi, const char *what) {
    Session *s = r->o->session;
    Diag *d = diag_report(s, (Span){.file = r->file, .lo = lo, .hi = hi}, E_TUNE_SYNTAX, what);
    diag_hint(s, d, "remove the file, or write it anew with 'dslc tune %s'", r->o->inputs.data[0]);
    return false;
}

/* "KEY VALUE", without comment and blanks around it */
static bool setting(Reader *r, const char *line, size_t n, int at) {
    Session *s = r->o->session;
    size_t word = 0;
    while (word < n && line[word] != ' ') word++;
    size_t from = word;
    while (from < n && line[from] == ' ') from++;
    const char *key = intern_n(s, line, word), *value = intern_n(s, line + from, n - from);
    const char *source = tuning_source(r->o);
    if (!strcmp(key, "source")) {
        if (source && strcmp(value, source)) r->stale = "for another version of the program";
    } else if (!strcmp(key, "machine")) {
        if (strcmp(value, tuning_machine(s))) r->stale = intern_printf(s, "on another machine (%s)", value);
    } else if (!tuning_apply(r->o, key, value)) {
        return broken(r, at, at + (int)n, intern_printf(s, "'%s %s' is no setting", key, value));
    }
    return true;
}

static bool read_lines(Reader *r, const char *text) {
    for (const char *line = text, *end; *line; line = *end ? end + 1 : end) {
        end = line + strcspn(line, "\n");
        size_t blank = strspn(line, " \t\r"), n = strcspn(line, "#\n");
        while (n > blank && strchr(" \t\r", line[n - 1])) n--;
        if (n > blank && !setting(r, line + blank, n - blank, (int)(line + blank - text))) return false;
    }
    return true;
}

bool tuning_load(Options *o) {
    Session *s = o->session;
    Reader r = {.o = o, .path = tuning_path(o)};
    if (o->no_tune || access(r.path, F_OK)) return true;
    Options before = *o;
    r.file = source_read(s, r.path);
    if (r.file < 0) return diag_report(s, NO_SPAN, E_CANNOT_READ, r.path, strerror(errno)), false;
    if (!read_lines(&r, source_text(s, r.file, NULL))) return false;
    if (!r.stale) return true;
    *o = before;
    Diag *d = diag_report(s, NO_SPAN, W_TUNE_STALE, r.path, r.stale);
    diag_hint(s, d, "'dslc tune %s' makes a new one; --no-tune leaves it alone", o->inputs.data[0]);
    return true;
}
