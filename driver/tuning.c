/* How launches are coarsened (--coarsen-thread, --coarsen-block), and FILE.tune, which `dslc tune` writes.
 *
 * FILE.tune has one setting a line, a word and its value; # begins a comment.  `source` and `machine` say what it was
 * made for: elsewhere it is not used.  Settings change how fast the program is, not what it prints (of values of
 * constants `dslc tune` makes sure). */
#include "driver/build.h"
#include "driver/model.h"
#include "pipeline/pipeline.h"
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
    *out = (Coarsening){.by = {1, 1, 1}, .at = NO_SPAN};
    if (!loop_find(kind, &out->kind)) return false;
    if (eq) out->kernel = intern_n(s, text, (size_t)(eq - text));
    for (const char *p = eq ? eq + 1 : text;; p++) {
        if (!factor_parse(&p, out->by)) return false;
        if (*p != ',') return !*p;
    }
}

/* ---- settings */

static bool apply_coarsening(Options *o, const char *key, const char *text, Span at) {
    Arena *a = session_arena(o->session);
    Coarsening *all = NEWN(a, Coarsening, o->pass.ncoarsen + 1);
    if (!coarsening_parse(o->session, key + strlen("coarsen-"), text, &all[0])) return false;
    all[0].at = at;
    if (o->pass.ncoarsen) memcpy(all + 1, o->pass.coarsen, sizeof *all * (size_t)o->pass.ncoarsen);
    o->pass.coarsen = all; /* first: what comes later counts more */
    o->pass.ncoarsen++;
    return true;
}

static bool apply_define(Options *o, const char *key, const char *text, Span at) {
    (void)key, (void)at;
    const char *eq = strchr(text, '=');
    if (!eq || eq == text || !eq[1]) return false;
    size_t n = (size_t)(eq - text) + 1;
    for (int i = 0; i < o->check.defines.len; i++)
        if (!strncmp(o->check.defines.data[i], text, n)) return true;
    o->check.defines.cap = o->check.defines.len; /* what is there is others' too: a copy grows */
    vec_push(session_arena(o->session), &o->check.defines, text);
    return true;
}

static bool apply_threads(Options *o, const char *key, const char *text, Span at) {
    (void)key, (void)at;
    char *end;
    long n = strtol(text, &end, 10);
    if (*end || end == text || n < 1 || n > DSL_MAX_THREADS) return false;
    if (o->threads <= 0) o->threads = n;
    return true;
}

static bool apply_cc(Options *o, const char *key, const char *text, Span at) {
    (void)key, (void)at;
    if (*text && !o->cc) o->cc = text;
    return *text;
}

bool pass_edit_add(Options *o, const char *kind, const char *text) {
    PassEdit edit;
    if (pass_edit_read(o->session, kind, text, &edit)) return false;
    PassEdit *all = NEWN(session_arena(o->session), PassEdit, o->pass.nedits + 1);
    if (o->pass.nedits) memcpy(all, o->pass.edits, sizeof *all * (size_t)o->pass.nedits);
    all[o->pass.nedits++] = edit;
    o->pass.edits = all;
    return true;
}

static bool apply_edit(Options *o, const char *key, const char *text, Span at) {
    (void)at;
    return pass_edit_add(o, key, text);
}

static bool apply_choice(Options *o, const char *key, const char *value) {
    ChoiceId id;
    int which;
    if (!choice_find(key, strlen(key), value, &id, &which)) return false;
    if (!o->pass.choice[id]) o->pass.choice[id] = (unsigned char)(which + 1);
    return true;
}

/* Besides the rows of opt/choices.def */
typedef struct {
    const char *key, *takes;
    bool (*apply)(Options *o, const char *key, const char *text, Span at);
} SettingKind;
static const SettingKind kinds[] = {
    {"coarsen-thread", "[KERNEL=]x:N,y:N", apply_coarsening},
    {"coarsen-block", "[KERNEL=]x:N,y:N", apply_coarsening},
    {"define", "NAME=VALUE", apply_define},
    {"threads", "a number from 1 to 4096", apply_threads},
    {"cc", "the name of a C compiler", apply_cc},
    {"without-pass", "PASS", apply_edit},
    {"with-pass", "PASS@PLACE", apply_edit},
    {"move-pass", "PASS@PLACE", apply_edit},
};
enum { KIND_COUNT = sizeof kinds / sizeof *kinds, KEY_COUNT = KIND_COUNT + CHOICE_COUNT };
_Static_assert(DSL_MAX_THREADS == 4096, "what threads takes");

static const char *key_at(int i) {
    return i < KIND_COUNT ? kinds[i].key : choice_info((ChoiceId)(i - KIND_COUNT))->name;
}

bool pass_edit_is(const char *key) {
    for (int i = 0; i < KIND_COUNT; i++)
        if (!strcmp(key, kinds[i].key)) return kinds[i].apply == apply_edit;
    return false;
}

/* "yes no": what a setting takes */
static void put_takes(Text *out, int i) {
    if (i < KIND_COUNT) text_printf(out, "%s", kinds[i].takes);
    else
        for (int k = 0; k < CHOICE_WORDS && choice_info((ChoiceId)(i - KIND_COUNT))->words[k]; k++)
            text_printf(out, "%s%s", k ? " " : "", choice_info((ChoiceId)(i - KIND_COUNT))->words[k]);
}

void tuning_settings(FILE *out) {
    Arena *a = arena_new();
    for (int i = 0; i < KEY_COUNT; i++) {
        Text t;
        text_init(&t, a);
        put_takes(&t, i);
        fprintf(out, "  %-14s %s\n", key_at(i), text_str(&t));
    }
    arena_free(a);
}

bool tuning_apply(Options *o, const char *key, const char *value, Span at) {
    for (int i = 0; i < KIND_COUNT; i++)
        if (!strcmp(key, kinds[i].key)) return kinds[i].apply(o, key, value, at);
    return apply_choice(o, key, value);
}

/* ---- what a file was made for */

static bool is_for_gpu(const Options *o) { return o->pass.device && !strcmp(o->target, "cuda"); }

const char *tuning_path(const Options *o) {
    return intern_printf(o->session, "%s%s.tune", o->inputs.data[0], is_for_gpu(o) ? ".cuda" : "");
}

const char *tuning_machine(const Options *o) {
    Session *s = o->session;
    if (is_for_gpu(o)) return gpu_device_name(s);
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

/* What the setting takes, or which one may be meant */
static void hint_setting(Session *s, Diag *d, const char *key, const char *value) {
    const char *names[KEY_COUNT];
    PassEdit none;
    for (int i = 0; i < KEY_COUNT; i++) {
        Text takes;
        text_init(&takes, session_arena(s));
        put_takes(&takes, i);
        names[i] = key_at(i);
        if (strcmp(key, names[i])) continue;
        if (pass_edit_is(key)) diag_hint(s, d, "%s", pass_edit_read(s, key, value, &none));
        else diag_hint(s, d, "%s takes %s", key, text_str(&takes));
        return;
    }
    const char *near = spell_nearest(key, names, KEY_COUNT);
    if (near) diag_hint(s, d, "did you mean '%s'?", near);
    else diag_hint(s, d, "'dslc explain E0740' lists the settings");
}

Diag *tuning_no_setting(const Options *o, Span at, const char *key, const char *value) {
    Session *s = o->session;
    Diag *d = diag_report(s, at, E_TUNE_SYNTAX, *value ? intern_printf(s, "%s %s", key, value) : key);
    hint_setting(s, d, key, value);
    return d;
}

static bool broken(Reader *r, Span at, const char *key, const char *value) {
    Diag *d = tuning_no_setting(r->o, at, key, value);
    diag_hint(r->o->session, d, "remove the file, or write it anew with 'dslc tune %s'", r->o->inputs.data[0]);
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
        const char *machine = tuning_machine(r->o);
        if (machine && strcmp(value, machine)) r->stale = intern_printf(s, "on another machine (%s)", value);
    } else {
        Span span = {.file = r->file, .lo = at, .hi = at + (int)n};
        if (!tuning_apply(r->o, key, value, span)) return broken(r, span, key, value);
        if (r->o->explain_choices) fprintf(stderr, "%s: %s %s\n", r->path, key, value);
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

/* *used: it is there, and for this program here */
static bool load(Options *o, bool *used) {
    Session *s = o->session;
    Reader r = {.o = o, .path = tuning_path(o)};
    *used = false;
    if (access(r.path, F_OK)) return true;
    Options before = *o;
    r.file = source_read(s, r.path);
    if (r.file < 0) return diag_report(s, NO_SPAN, E_CANNOT_READ, r.path, strerror(errno)), false;
    if (!read_lines(&r, source_text(s, r.file, NULL))) return false;
    *used = !r.stale;
    if (!r.stale) return true;
    *o = before;
    Diag *d = diag_report(s, NO_SPAN, W_TUNE_STALE, r.path, r.stale);
    diag_hint(s, d, "'dslc tune %s' makes a new one; --no-tune leaves it alone", o->inputs.data[0]);
    return true;
}

/* The processor's half of an executable is tuned by what was found without a GPU. */
static bool load_host(Options *o) {
    bool used;
    Options *host = NEW(session_arena(o->session), Options);
    *host = *o;
    *host = gpu_left_out(host);
    o->host = host;
    return load(host, &used);
}

bool tuning_load(Options *o) {
    bool simulated = o->pass.device && !is_for_gpu(o);
    bool used = false;
    if (simulated) return true;
    if (!o->no_tune && ((o->pass.device && !load_host(o)) || !load(o, &used))) return false;
    return used || !o->model || model_apply(o);
}
