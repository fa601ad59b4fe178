/* dslc tune FILE.dsl: runs the program in several ways and keeps the fastest in FILE.dsl.tune.
 *
 * One question after another (values of constants named by --vary, the C compiler, what opt/choices.def lists, how the
 * threads and the blocks of each kernel are coarsened, the number of threads), each asked with the answers so far; then
 * all once more, without what was far behind, since answers depend on each other; until nothing changes or the time is
 * up.
 *
 * The alternatives to a question run in turn with what is best so far (race.c).  The fastest of them has to win again,
 * in runs of its own and surely enough, to be kept; so has everything that was kept, against the program as it is. */
#include "cli/questions.h"
#include "driver/model.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROUNDS = 5, CONFIRM = 8, MOST_PASSES = 3, USUAL_BUDGET = 180 };
static const double GAIN = 0.97, HOPELESS = 1.10;

/* best: ratio so far; when it is HOPELESS it is not asked again */
typedef struct { const char *name; double best; } Asked;

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

static bool build_way(Tuner *t, const Setting *setting, Racer *w) {
    Options o = *t->o;
    if (!way_options(&o, setting, t->kept.data, t->kept.len)) return false;
    if (!(setting ? way_build_silently(&o, w) : way_build(&o, w))) return false;
    if (w->exe.temp_dir) vec_push(session_arena(t->s), &t->made, w->exe);
    return true;
}

static bool is_new(const Tuner *t, const Racer *racers, int n, const Racer *w) {
    for (int i = -1; i < n; i++)
        if (racers_same(i < 0 ? &t->best : &racers[i], w)) return false;
    return true;
}

/* ---- one question */

static Asked *asked_before(Tuner *t, const char *name) {
    for (int i = 0; i < t->asked.len; i++)
        if (!strcmp(t->asked.data[i].name, name)) return &t->asked.data[i];
    vec_push(session_arena(t->s), &t->asked, ((Asked){name, 1}));
    return &t->asked.data[t->asked.len - 1];
}

static void keep(Tuner *t, const Setting *setting, const Racer *racer) {
    int n = 0;
    for (int i = 0; i < t->kept.len; i++)
        if (!setting_same_question(&t->kept.data[i], setting)) t->kept.data[n++] = t->kept.data[i];
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

static void ask(Tuner *t, const Question *q) {
    Racer racers[MOST_WAYS];
    const Setting *of[MOST_WAYS];
    int k = 0;
    Asked *before = asked_before(t, q->name);
    if (before->best > HOPELESS) return;
    if (seconds_now() > t->deadline) {
        t->left++;
        return;
    }
    for (int i = 0; i < q->n; i++) {
        of[k] = &q->ways[i];
        if (build_way(t, of[k], &racers[k]) && is_new(t, racers, k, &racers[k])) k++;
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
        Question q;
        if (!ask_constant(t->o, t->o->vary.data[i], &q)) return false;
        ask(t, &q);
    }
    return true;
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
    Questions all = {0};
    t->changes = t->left = 0;
    if (!ask_constants(t)) return false;
    ask_compiler(t->o, &all);
    ask_choices(t->o, &all);
    for (int i = 0; i < t->kernels.len; i++) ask_kernel(t->o, t->kernels.data[i], &all);
    ask_threads(t->o, &all);
    ask_passes(t->o, &all);
    for (int i = 0; i < all.len; i++) ask(t, &all.data[i]);
    return true;
}

/* ---- before and after */

static bool first_runs(Tuner *t) {
    if (!build_way(t, NULL, &t->best)) return false;
    return race_prepare(&t->race, &t->best);
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

/* What was learned from other programs, all of it at once, is where it begins if that is faster. */
static bool begin_with_model(Tuner *t) {
    Advice advice;
    Racer w;
    if (!t->o->model) return true;
    if (!model_advice(t->o, &advice)) return false;
    for (int i = 0; i < advice.len; i++) {
        const Rule *r = advice.data[i];
        const char *about = pass_edit_is(r->key) ? r->value : NULL;
        vec_push(session_arena(t->s), &t->kept, ((Setting){r->key, about, r->value, 1, false}));
    }
    bool differs = advice.len && build_way(t, NULL, &w) && !racers_same(&t->best, &w);
    if (differs) race_turns(&t->race, &t->best, &w, 1, 2 * CONFIRM);
    bool faster = differs && racer_surely_faster(&w, GAIN);
    for (int i = 0; i < t->kept.len; i++) t->kept.data[i].ratio = differs ? racer_ratio(&w) : 1;
    fprintf(stderr, "  %-14s %d settings%33s %.2f%s\n", "model", advice.len, "", differs ? racer_ratio(&w) : 1,
            faster ? " kept" : "");
    if (faster) t->best = w;
    else t->kept.len = 0;
    return true;
}

static bool tune(Tuner *t) {
    if (!output_possible(t->o, tuning_path(t->o)) || !first_runs(t) || !find_kernels(t)) return false;
    Racer plain = t->best;
    if (!begin_with_model(t)) return false;
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
    if (o->learn) return learn_programs(o);
    Tuner t = {.o = o, .s = o->session, .race = {.o = o, .dir = temp_dir_new(o)}};
    bool ok = t.race.dir && tune(&t);
    for (int i = 0; i < t.made.len; i++) executable_drop(&t.made.data[i]);
    if (t.race.dir) rmdir(t.race.dir);
    int status = diagnostics_flush(o);
    return ok ? status : EXIT_DIAGNOSED;
}
