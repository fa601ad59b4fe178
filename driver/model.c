/* FILE.model, which `dslc tune --learn=FILE.model` writes and --model=FILE.model reads.
 *
 * One thing a line, words with blanks between them; # begins a comment.  `dslc-model 1` comes first, then `machine`: on
 * another one the file is not used.  `rule KEY VALUE if FEATURE >= N` is what is used: the setting KEY VALUE, as in
 * FILE.tune, for programs of which that holds.  What the rules are made of follows: for each `program` its `features`
 * that are not 0, and a `trial RATIO KEY VALUE` for each setting that makes a difference to it. */
#include "driver/model.h"

#include "driver/build.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { VERSION = 1, MOST_WORDS = 2 + FEATURE_COUNT };

/* ---- reading */

typedef struct {
    const Options *o;
    const char *path;
    int file, n, at;                /* the words of the line; where it begins in the text */
    const char *line, *word[MOST_WORDS];
    Model *model;
} Reader;

static Span line_span(const Reader *r) {
    return (Span){.file = r->file, .lo = r->at, .hi = r->at + (int)strlen(r->line)};
}

static bool broken(Reader *r, const char *why) {
    Session *s = r->o->session;
    Diag *d = diag_report(s, line_span(r), E_MODEL_LINE, r->line);
    if (why) diag_hint(s, d, "%s", why);
    diag_hint(s, d, "remove the file, and make it anew with 'dslc tune --learn=%s FILE.dsl...'", r->path);
    return false;
}

static bool number_read(const char *text, int64_t *out) {
    char *end;
    errno = 0;
    *out = strtoll(text, &end, 10);
    return *text && !*end && !errno;
}

static bool ratio_read(const char *text, double *out) {
    char *end;
    *out = strtod(text, &end);
    return *text && !*end && isfinite(*out) && *out > 0;
}

/* A setting as in FILE.tune */
static bool setting_read(Reader *r, const char *key, const char *value) {
    Options scratch = *r->o;
    if (tuning_apply(&scratch, key, value, NO_SPAN)) return true;
    tuning_no_setting(r->o, line_span(r), key, value);
    return false;
}

static bool feature_read(Reader *r, const char *name, size_t n, FeatureId *out) {
    const char *names[FEATURE_COUNT], *word = intern_n(r->o->session, name, n);
    if (feature_find(word, out)) return true;
    for (int i = 0; i < FEATURE_COUNT; i++) names[i] = feature_info((FeatureId)i)->name;
    const char *near = spell_nearest(word, names, FEATURE_COUNT);
    return broken(r, near ? intern_printf(r->o->session, "'%s' is no feature: did you mean '%s'?", word, near)
                          : intern_printf(r->o->session, "'%s' is no feature", word));
}

static bool read_version(Reader *r) {
    int64_t version;
    if (r->n == 2 && number_read(r->word[1], &version) && version == VERSION) return true;
    return broken(r, intern_printf(r->o->session, "this dslc reads models of version %d", VERSION));
}

static bool read_machine(Reader *r) {
    const char *machine = tuning_machine(r->o), *name = r->line + strlen("machine ");
    if (r->n < 2) return broken(r, NULL);
    if (machine && strcmp(name, machine))
        r->model->stale = intern_printf(r->o->session, "on another machine (%s)", name);
    return true;
}

/* rule KEY VALUE if FEATURE >= N */
static bool read_rule(Reader *r) {
    Rule rule = {.at = line_span(r)};
    if (r->n != 7 || strcmp(r->word[3], "if")) return broken(r, "it is: rule KEY VALUE if FEATURE >= N, or < N");
    rule.key = r->word[1], rule.value = r->word[2], rule.below = !strcmp(r->word[5], "<");
    if ((!rule.below && strcmp(r->word[5], ">=")) || !number_read(r->word[6], &rule.limit))
        return broken(r, "it is: rule KEY VALUE if FEATURE >= N, or < N");
    if (!setting_read(r, rule.key, rule.value)) return false;
    if (!feature_read(r, r->word[4], strlen(r->word[4]), &rule.feature)) return false;
    vec_push(session_arena(r->o->session), &r->model->rules, rule);
    return true;
}

static bool read_program(Reader *r) {
    if (r->n < 2) return broken(r, NULL);
    Lesson lesson = {.name = intern(r->o->session, r->line + strlen("program "))};
    vec_push(session_arena(r->o->session), &r->model->lessons, lesson);
    return true;
}

/* The program that the line is about; NULL: reported */
static Lesson *lesson_of(Reader *r) {
    if (r->model->lessons.len) return &vec_last(&r->model->lessons);
    broken(r, "it belongs behind a line 'program NAME'");
    return NULL;
}

/* features NAME=N ... */
static bool read_features(Reader *r) {
    Lesson *l = lesson_of(r);
    for (int i = 1; l && i < r->n; i++) {
        FeatureId id;
        int64_t n;
        const char *eq = strchr(r->word[i], '=');
        if (!eq || !number_read(eq + 1, &n)) return broken(r, "it is: features NAME=N ...");
        if (!feature_read(r, r->word[i], (size_t)(eq - r->word[i]), &id)) return false;
        l->features.of[id] = n;
    }
    return l;
}

/* trial RATIO KEY VALUE */
static bool read_trial(Reader *r) {
    Lesson *l = lesson_of(r);
    Trial t = {.ratio = 1};
    if (!l) return false;
    if (r->n != 4 || !ratio_read(r->word[1], &t.ratio)) return broken(r, "it is: trial RATIO KEY VALUE");
    t.key = r->word[2], t.value = r->word[3];
    if (!setting_read(r, t.key, t.value)) return false;
    vec_push(session_arena(r->o->session), &l->trials, t);
    return true;
}

static const struct { const char *word; bool (*read)(Reader *r); } lines[] = {
    {"machine", read_machine},   {"rule", read_rule},   {"program", read_program},
    {"features", read_features}, {"trial", read_trial},
};

/* The line's words; false: there are too many */
static bool split_line(Reader *r) {
    r->n = 0;
    for (const char *p = r->line + strspn(r->line, " \t\r"); *p; p += strspn(p, " \t\r")) {
        size_t n = strcspn(p, " \t\r");
        if (r->n == MOST_WORDS) return false;
        r->word[r->n++] = intern_n(r->o->session, p, n);
        p += n;
    }
    return true;
}

static bool read_line(Reader *r, bool first) {
    if (!split_line(r)) return broken(r, "it has too many words");
    if (first || !strcmp(r->word[0], "dslc-model"))
        return strcmp(r->word[0], "dslc-model") ? broken(r, "a model begins with 'dslc-model 1'") : read_version(r);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        if (!strcmp(r->word[0], lines[i].word)) return lines[i].read(r);
    return broken(r, NULL);
}

/* *first: no line was there */
static bool read_lines(Reader *r, const char *text, bool *first) {
    *first = true;
    for (const char *line = text, *end; *line; line = *end ? end + 1 : end) {
        end = line + strcspn(line, "\n");
        const char *start = line + strspn(line, " \t\r");
        const char *stop = start + strcspn(start, "#\n");
        if (stop > end) continue;
        while (stop > start && strchr(" \t\r", stop[-1])) stop--;
        r->line = intern_n(r->o->session, start, (size_t)(stop - start)), r->at = (int)(start - text);
        if (stop > start && !read_line(r, *first)) return false;
        *first &= stop == start;
    }
    return true;
}

bool model_read(const Options *o, const char *path, bool may_be_missing, Model *out) {
    Reader r = {.o = o, .path = path, .model = out};
    *out = (Model){0};
    if (may_be_missing && access(path, F_OK)) return true;
    r.file = source_read(o->session, path);
    if (r.file < 0) return diag_report(o->session, NO_SPAN, E_CANNOT_READ, path, strerror(errno)), false;
    bool empty;
    if (!read_lines(&r, source_text(o->session, r.file, NULL), &empty)) return false;
    if (!empty || may_be_missing) return true;
    return diag_report(o->session, NO_SPAN, E_CANNOT_READ, path, "it is empty"), false;
}

/* ---- writing */

static void put_lesson(Text *out, const Lesson *l) {
    text_printf(out, "\nprogram %s\nfeatures", l->name);
    for (int i = 0; i < FEATURE_COUNT; i++)
        if (l->features.of[i])
            text_printf(out, " %s=%lld", feature_info((FeatureId)i)->name, (long long)l->features.of[i]);
    text_printf(out, "\n");
    for (int i = 0; i < l->trials.len; i++)
        text_printf(out, "trial %.3f %s %s\n", l->trials.data[i].ratio, l->trials.data[i].key, l->trials.data[i].value);
}

static const char *rule_condition(Session *s, const Rule *r) {
    return intern_printf(s, "%s %s %lld", feature_info(r->feature)->name, r->below ? "<" : ">=", (long long)r->limit);
}

bool model_write(const Options *o, const char *path, const Model *m) {
    Text out;
    text_init(&out, session_arena(o->session));
    text_printf(&out, "# Made by `dslc tune --learn`: settings for other programs, by what they are like.\n");
    text_printf(&out, "dslc-model %d\nmachine %s\n", VERSION, tuning_machine(o));
    for (int i = 0; i < m->rules.len; i++) {
        const Rule *r = &m->rules.data[i];
        text_printf(&out, "rule %s %s if %s  # %.2f of the time, of %d programs that were not looked at for it\n",
                    r->key, r->value, rule_condition(o->session, r), r->ratio, r->programs);
    }
    for (int i = 0; i < m->lessons.len; i++) put_lesson(&out, &m->lessons.data[i]);
    return output_write(o, path, text_str(&out), (size_t)out.len);
}

/* ---- using it */

Features program_features(const Options *o, bool *ok) {
    Options apart = *o;
    options_renew(&apart);
    Module *m = compile_to(&apart, STAGE_IR);
    Features f = {0};
    *ok = m;
    if (m) f = features_of(m), module_free(m);
    session_free(apart.session);
    return f;
}

/* Settings of which one is taken, as each was measured alone: what the C compiler is told, the order of passes */
static bool exclude_each_other(const char *x, const char *y) {
    if (pass_edit_is(x) && pass_edit_is(y)) return true;
    return !strcmp(x, y) || (!strncmp(x, "cc", 2) && !strncmp(y, "cc", 2));
}

static bool is_excluded(const Advice *taken, const Rule *r) {
    for (int i = 0; i < taken->len; i++)
        if (exclude_each_other(taken->data[i]->key, r->key)) return true;
    return false;
}

static void explain_rule(const Options *o, const Rule *r, const Features *f) {
    if (!o->explain_choices) return;
    fprintf(stderr, "%s:%d: %s %s, since %s (%lld)\n", o->model, source_place(o->session, r->at.file, r->at.lo).line,
            r->key, r->value, rule_condition(o->session, r), (long long)f->of[r->feature]);
}

static void choose_rules(const Options *o, const Model *m, const Features *f, Advice *out) {
    for (int i = 0; i < m->rules.len; i++) {
        const Rule *r = &m->rules.data[i];
        if ((f->of[r->feature] >= r->limit) == r->below || is_excluded(out, r)) continue;
        explain_rule(o, r, f);
        vec_push(session_arena(o->session), out, r);
    }
}

bool model_advice(const Options *o, Advice *out) {
    Model m;
    bool ok;
    *out = (Advice){0};
    if (!model_read(o, o->model, false, &m)) return false;
    if (m.stale) {
        Diag *d = diag_report(o->session, NO_SPAN, W_TUNE_STALE, o->model, m.stale);
        diag_hint(o->session, d, "'dslc tune --learn=FILE.model FILE.dsl...' makes one here");
        return true;
    }
    Features f = program_features(o, &ok);
    if (ok) choose_rules(o, &m, &f, out); /* else: it is no program, as is told where it is compiled */
    return true;
}

bool model_apply(Options *o) {
    Advice advice;
    if (!model_advice(o, &advice)) return false;
    for (int i = 0; i < advice.len; i++)
        tuning_apply(o, advice.data[i]->key, advice.data[i]->value, advice.data[i]->at);
    return true;
}
