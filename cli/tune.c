/* dslc tune FILE.dsl: runs the program in several ways and keeps the fastest in FILE.dsl.tune.
 *
 * One question after another (values of constants named by --vary, the C compiler, what opt/choices.def lists, how the
 * threads and the blocks of each kernel are coarsened, the number of threads), each asked with the answers so far; then
 * all once more, without what was far behind, since answers depend on each other; until nothing changes or the time is
 * up.
 *
 * The alternatives to a question run in turn with what is best so far (race.c).  The fastest of them has to win again,
 * in runs of its own and surely enough, to be kept; so has everything that was kept, against the program as it is. */
#include "cli/cli.h"
#include "driver/build.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROUNDS = 5, CONFIRM = 8, MOST_WAYS = MOST_VARIED, MOST_PASSES = 3, USUAL_BUDGET = 180 };
static const double GAIN = 0.97, HOPELESS = 1.10;

/* One line of FILE.tune; about: the kernel or constant, or NULL; usual: what happens without it */
typedef struct { const char *key, *about, *value; double ratio; bool usual; } Setting;
typedef struct { Setting setting; Racer racer; } Way;
typedef struct {
    const char *key, *about;
    double best;
} Asked; /* best ratio so far: when it is HOPELESS it is not asked again */
typedef VEC(const char *) Names;

typedef struct {
    const Options *o;
    Session *s;
    Race race;
    VEC(Setting) kept;
    VEC(Asked) asked;
    Racer best;
    Names kernels;
    VEC(Executable) made;
    double deadline;
    int changes, left;         /* in this pass over the questions: answers, and what there was no time for */
} Tuner;

/* ---- ways */

static bool same_question(const Setting *x, const char *key, const char *about) {
    return !strcmp(x->key, key) && (x->about == about || (x->about && about && !strcmp(x->about, about)));
}

/* The setting first, then what was kept about other questions: what is said first counts. */
static bool build_way(Tuner *t, const Setting *setting, Racer *w) {
    Options o = *t->o;
    if (setting && !tuning_apply(&o, setting->key, setting->value, NO_SPAN)) return false;
    for (int i = 0; i < t->kept.len; i++) {
        const Setting *k = &t->kept.data[i];
        if (!setting || !same_question(k, setting->key, setting->about)) tuning_apply(&o, k->key, k->value, NO_SPAN);
    }
    *w = (Racer){.exe = executable_get(&o, o.inputs.data[0], EMIT_PROGRAM), .threads = o.threads};
    if (w->exe.temp_dir) vec_push(session_arena(t->s), &t->made, w->exe);
    return w->exe.path != NULL;
}

/* The program's warnings were shown when it was built as it is. */
static bool build_silently(Tuner *t, const Setting *setting, Racer *w) {
    Silence silent = silence_begin(STDERR_FILENO);
    bool ok = build_way(t, setting, w);
    silence_end(&silent);
    diag_clear(t->s);
    return ok;
}

/* Flags that make no difference make the same file. */
static bool same_program(const Racer *x, const Racer *y) {
    size_t n = 0, m = 0;
    if (x->threads != y->threads) return false;
    if (!strcmp(x->exe.path, y->exe.path)) return true;
    Arena *a = arena_new();
    const char *p = file_read(a, x->exe.path, &n), *q = file_read(a, y->exe.path, &m);
    bool same = p && q && n == m && !memcmp(p, q, n);
    arena_free(a);
    return same;
}

static bool is_new(const Tuner *t, const Racer *racers, int n, const Racer *w) {
    for (int i = -1; i < n; i++)
        if (same_program(i < 0 ? &t->best : &racers[i], w)) return false;
    return true;
}

/* ---- one question */

static Asked *asked_before(Tuner *t, const char *key, const char *about) {
    for (int i = 0; i < t->asked.len; i++)
        if (same_question(&(Setting){.key = t->asked.data[i].key, .about = t->asked.data[i].about}, key, about))
            return &t->asked.data[i];
    vec_push(session_arena(t->s), &t->asked, ((Asked){key, about, 1}));
    return &t->asked.data[t->asked.len - 1];
}

static void keep(Tuner *t, const Setting *setting, const Racer *racer) {
    int n = 0;
    for (int i = 0; i < t->kept.len; i++)
        if (!same_question(&t->kept.data[i], setting->key, setting->about)) t->kept.data[n++] = t->kept.data[i];
    t->kept.len = n;
    if (!setting->usual) vec_push(session_arena(t->s), &t->kept, *setting);
    t->best = *racer;
    t->changes++;
}

static void show(const Setting *s, const Racer *w, bool kept, const char *ratio) {
    fprintf(stderr, "  %-14s %-44s %s%s\n", s->key, s->value, w->out && !w->turns ? "-" : ratio, kept ? " kept" : "");
}

/* Which of the ways ran in the least time; -1: none ran */
static int fastest(const Racer *racers, int n) {
    int best = -1;
    for (int i = 0; i < n; i++)
        if (!racers[i].out && (best < 0 || racer_ratio(&racers[i]) < racer_ratio(&racers[best]))) best = i;
    return best;
}

/* In runs of its own; where they do not decide, in twice as many */
static bool confirmed(Tuner *t, Racer *w) {
    race_turns(&t->race, &t->best, w, 1, CONFIRM);
    if (w->out || racer_ratio(w) >= GAIN || racer_surely_faster(w, GAIN)) return racer_surely_faster(w, GAIN);
    race_turns(&t->race, &t->best, w, 1, 2 * CONFIRM);
    return racer_surely_faster(w, GAIN);
}

static void ask(Tuner *t, const Setting *settings, int n) {
    Racer racers[MOST_WAYS];
    const Setting *of[MOST_WAYS];
    int k = 0;
    Asked *before = asked_before(t, settings[0].key, settings[0].about);
    if (before->best > HOPELESS) return;
    if (seconds_now() > t->deadline) {
        t->left++;
        return;
    }
    for (int i = 0; i < n && k < MOST_WAYS; i++) {
        of[k] = &settings[i];
        if (build_silently(t, &settings[i], &racers[k]) && is_new(t, racers, k, &racers[k])) k++;
    }
    if (!k) {
        before->best = 2 * HOPELESS; /* makes no difference to this program */
        return;
    }
    race_turns(&t->race, &t->best, racers, k, ROUNDS);
    const char *ratios[MOST_WAYS];
    for (int i = 0; i < k; i++)
        ratios[i] = intern_printf(t->s, "%.2f%s", racer_ratio(&racers[i]), racers[i].out ? " -" : "");
    int first = fastest(racers, k), kept = -1;
    before->best = first < 0 ? 2 * HOPELESS : racer_ratio(&racers[first]);
    if (first >= 0 && before->best < GAIN) {
        bool sure = confirmed(t, &racers[first]);
        Setting s = *of[first];
        s.ratio = racer_ratio(&racers[first]);
        if (sure) keep(t, &s, &racers[first]), kept = first;
    }
    for (int i = 0; i < k; i++) show(of[i], &racers[i], i == kept, ratios[i]);
}

/* ---- questions */

static bool ask_constants(Tuner *t) {
    for (int i = 0; i < t->o->vary.len; i++) {
        const char *text = t->o->vary.data[i], *eq = strchr(text, '=');
        Setting s[MOST_WAYS];
        int n = 0;
        const char *name = intern_n(t->s, text, (size_t)(eq - text));
        for (const char *v = eq + 1; *v && n < MOST_WAYS;) {
            size_t len = strcspn(v, ",");
            s[n++] = (Setting){"define", name, intern_printf(t->s, "%s=%.*s", name, (int)len, v), 0, false};
            v += len + (v[len] == ',');
        }
        for (int k = 0; k < n; k++) {
            Racer w;
            if (!build_way(t, &s[k], &w)) return false;
        }
        ask(t, s, n);
    }
    return true;
}

static void ask_compiler(Tuner *t) {
    static const char *const names[] = {"gcc", "clang"};
    Setting s[2];
    int n = 0;
    for (int i = 0; i < 2; i++)
        if (!cc_is_usual(t->o, names[i])) s[n++] = (Setting){"cc", NULL, names[i], 0, false};
    if (n && !t->o->cc && !t->o->pass.device) ask(t, s, n);
}

static void ask_choices(Tuner *t) {
    const ChoiceWhere other = t->o->pass.device ? FOR_CPU : FOR_GPU;
    for (int i = 0; i < CHOICE_COUNT; i++) {
        const ChoiceInfo *c = choice_info((ChoiceId)i);
        Setting s[CHOICE_WORDS];
        int n = 0;
        for (int k = 0; k < CHOICE_WORDS && c->words[k]; k++) s[n++] = (Setting){c->name, NULL, c->words[k], 0, k == 0};
        if (!t->o->pass.choice[i] && c->where != other) ask(t, s, n);
    }
}

static void ask_kernel(Tuner *t, const char *name) {
    static const char *const threads[] = {"y:2", "y:4", "y:8", "x:2", "x:4", "x:2,y:2"}, *const blocks[] = {
                                                                                             "x:2", "y:2", "x:4",
                                                                                             "x:2,y:2"};
    Setting s[MOST_WAYS];
    int n = 0;
    for (int i = 0; i < 6; i++)
        s[n++] = (Setting){"coarsen-thread", name, intern_printf(t->s, "%s=%s", name, threads[i]), 0, false};
    ask(t, s, n);
    n = 0;
    for (int i = 0; i < 4; i++)
        s[n++] = (Setting){"coarsen-block", name, intern_printf(t->s, "%s=%s", name, blocks[i]), 0, false};
    ask(t, s, n);
}

static void ask_threads(Tuner *t) {
    Setting s[MOST_WAYS];
    int n = 0;
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    for (long k = 1; k < cores && n < MOST_WAYS; k *= 2)
        s[n++] = (Setting){"threads", NULL, intern_printf(t->s, "%ld", k), 0, false};
    if (n && t->o->threads <= 0 && !t->o->pass.device) ask(t, s, n);
}

static void note_kernel(void *ctx, Op *op) {
    Tuner *t = ctx;
    const char *name = op->code == OP_ISLAND ? op_sym(op, A_NAME) : NULL;
    for (int i = 0; name && i < t->kernels.len; i++)
        if (t->kernels.data[i] == name) return;
    if (name) vec_push(session_arena(t->s), &t->kernels, name);
}

static bool find_kernels(Tuner *t) {
    Module *m = compile_to(t->o, STAGE_IR);
    for (int i = 0; m && i < m->funcs.len; i++)
        if (m->funcs.data[i]->body) region_walk(m->funcs.data[i]->body, note_kernel, t);
    if (m) module_free(m);
    return m != NULL;
}

static bool ask_all(Tuner *t) {
    t->changes = t->left = 0;
    if (!ask_constants(t)) return false;
    ask_compiler(t);
    ask_choices(t);
    for (int i = 0; i < t->kernels.len; i++) ask_kernel(t, t->kernels.data[i]);
    ask_threads(t);
    return true;
}

/* ---- before and after */

static void note_busy(void) {
    double load;
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    if (getloadavg(&load, 1) == 1 && load > 0.5 * (double)cores + 0.5)
        fprintf(stderr,
                "  note: the machine is busy (load %.1f, %ld cores): what is found may not hold when it is not\n", load,
                cores);
}

static bool first_runs(Tuner *t) {
    if (!build_way(t, NULL, &t->best)) return false;
    const char *why = race_begin(&t->race, &t->best);
    double ms = 1e3 * median(t->race.seconds, 4);
    if (why) {
        Diag *d = diag_report(t->s, NO_SPAN, E_TUNE_RUN, why);
        diag_hint(t->s, d, "'dslc run %s' shows what it prints", t->o->inputs.data[0]);
    } else if (t->race.repeats > RACE_REPEATS) {
        Diag *d = diag_report(t->s, NO_SPAN, E_TUNE_RUN,
                              intern_printf(t->s, "what counts takes %.2g ms, which is little beside chance", ms));
        diag_hint(t->s, d, "let it do more; for a tenth of a second up to %d runs are timed together", RACE_REPEATS);
    } else {
        fprintf(stderr, "%s takes %.3g ms", t->o->inputs.data[0], ms);
        fprintf(stderr, t->race.repeats > 1 ? "; %d runs at a time are compared\n" : "\n", t->race.repeats);
        note_busy();
        return true;
    }
    return false;
}

static bool write_down(Tuner *t, double ratio) {
    Session *s = t->s;
    Text out;
    text_init(&out, session_arena(s));
    text_printf(&out, "# Made by `dslc tune`: the fastest ways found to run %s.\n", t->o->inputs.data[0]);
    text_printf(&out, "# The program as it is takes %.1f ms; tuned it takes %.2f of that (medians of runs in turn).\n",
                1e3 * median(t->race.seconds, 4), ratio);
    for (int i = 0; i < t->o->check.defines.len; i++) text_printf(&out, "# with -D %s\n", t->o->check.defines.data[i]);
    for (int i = 0; i < t->o->prog_args.len; i++)
        text_printf(&out, "# with the argument %s\n", t->o->prog_args.data[i]);
    text_printf(&out, "source %s\nmachine %s\n", tuning_source(t->o), tuning_machine(t->o));
    for (int i = 0; i < t->kept.len; i++)
        text_printf(&out, "%s %s  # %.2f\n", t->kept.data[i].key, t->kept.data[i].value, t->kept.data[i].ratio);
    return output_write(t->o, tuning_path(t->o), text_str(&out), (size_t)out.len);
}

/* The tuned program beside the one as it was; what turns out not to help is not kept. */
static bool conclude(Tuner *t, const Racer *plain) {
    Racer tuned = t->best;
    if (t->kept.len) race_turns(&t->race, plain, &tuned, 1, 2 * CONFIRM);
    double ratio = t->kept.len ? racer_ratio(&tuned) : 1;
    if (t->kept.len && !racer_surely_faster(&tuned, GAIN)) t->kept.len = 0;
    if (t->left) fprintf(stderr, "  the time is up: %d questions were not asked (--budget=SECONDS)\n", t->left);
    if (!write_down(t, t->kept.len ? ratio : 1)) return false;
    fprintf(stderr, t->kept.len ? "%s: %.2f of the time, see %s\n" : "%s: nothing was surely faster (%.2f), see %s\n",
            t->o->inputs.data[0], ratio, tuning_path(t->o));
    return true;
}

static bool tune(Tuner *t) {
    if (!output_possible(t->o, tuning_path(t->o)) || !first_runs(t) || !find_kernels(t)) return false;
    Racer plain = t->best;
    t->deadline = seconds_now() + (double)(t->o->budget > 0 ? t->o->budget : USUAL_BUDGET);
    for (int i = 0, more = 1; i < MOST_PASSES && more; i++) {
        if (!ask_all(t)) return false;
        more = t->changes && !t->left;
    }
    return conclude(t, &plain);
}

/* On a GPU what counts begins when the kernels are loaded, unless the user says otherwise (race.c). */
int cmd_tune(const Options *given) {
    Options own = *given;
    const Options *o = &own;
    int refused = gpu_choose(&own);
    if (refused) return refused;
    if (o->pass.device && !o->measure) own.measure = "gpu-seconds";
    Tuner t = {.o = o, .s = o->session, .race = {.o = o, .dir = temp_dir_new(o)}};
    bool ok = t.race.dir && tune(&t);
    for (int i = 0; i < t.made.len; i++) executable_drop(&t.made.data[i]);
    if (t.race.dir) rmdir(t.race.dir);
    int status = diagnostics_flush(o);
    return ok ? status : EXIT_DIAGNOSED;
}
