/* dslc tune --learn=FILE.model FILE.dsl...: measures settings on each program, and makes rules of what came out.
 *
 * Each setting alone runs beside the program as usual, a few times; one that looks faster again, in runs of its own,
 * which then count.  What the file holds of other programs stays, so that it grows; without programs its rules are made
 * anew of what it holds (Fursin and Temam, Collective optimization, ACM TACO 7, 2010). */
#include "cli/questions.h"
#include "driver/model.h"

#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FIRST = 3, CONFIRM = 8, MOST_RACERS = 16, USUAL_BUDGET = 180 };
static const double LOOKS_FASTER = 0.98;

/* Executables that differ, and the settings that make each */
typedef struct { Racer racer; VEC(const Setting *) settings; } Variant;

typedef struct {
    Options o; /* of one program */
    Race race;
    Racer plain;
    VEC(Variant) variants;
    VEC(Executable) made;
    Lesson lesson;
} Learner;

static bool build(Learner *l, const Setting *setting, Racer *w) {
    Options o = l->o;
    if (!way_options(&o, setting, NULL, 0)) return false;
    if (!(setting ? way_build_silently(&o, w) : way_build(&o, w))) return false;
    if (w->exe.temp_dir) vec_push(session_arena(o.session), &l->made, w->exe);
    return true;
}

static void add_setting(Learner *l, const Setting *setting) {
    Arena *a = session_arena(l->o.session);
    Racer w;
    if (!build(l, setting, &w) || racers_same(&l->plain, &w)) return;
    int i = 0;
    while (i < l->variants.len && !racers_same(&l->variants.data[i].racer, &w)) i++;
    if (i == l->variants.len) vec_push(a, &l->variants, (Variant){.racer = w});
    vec_push(a, &l->variants.data[i].settings, setting);
}

/* Settings that mean the same for every program: no names of kernels and constants, no number of threads */
static Questions general_questions(const Options *o) {
    Questions all = {0};
    ask_compiler(o, &all);
    ask_choices(o, &all);
    ask_kernel(o, NULL, &all);
    ask_passes(o, &all);
    return all;
}

static void find_variants(Learner *l, const Questions *all) {
    for (int i = 0; i < all->len; i++)
        for (int k = 0; k < all->data[i].n; k++)
            if (!all->data[i].ways[k].usual) add_setting(l, &all->data[i].ways[k]);
}

/* What a variant takes of the usual time */
static double measured(Learner *l, Racer *w) {
    double ratio = racer_ratio(w);
    if (w->out || ratio > LOOKS_FASTER) return ratio;
    race_turns(&l->race, &l->plain, w, 1, CONFIRM);
    return racer_ratio(w);
}

/* It was out in the first runs: it failed, or printed something else */
static bool is_wrong(const Racer *w) { return w->out && w->turns < 2; }

static void note_trials(Learner *l, const Variant *v, double ratio) {
    for (int i = 0; i < v->settings.len; i++) {
        const Setting *s = v->settings.data[i];
        vec_push(session_arena(l->o.session), &l->lesson.trials, ((Trial){s->key, s->value, ratio}));
        if (ratio < LOOKS_FASTER) fprintf(stderr, "  %-14s %-44s %.2f\n", s->key, s->value, ratio);
    }
}

static void race_variants(Learner *l) {
    double deadline = seconds_now() + (double)(l->o.budget > 0 ? l->o.budget : USUAL_BUDGET);
    for (int i = 0; i < l->variants.len; i += MOST_RACERS) {
        Racer racers[MOST_RACERS];
        int n = l->variants.len - i < MOST_RACERS ? l->variants.len - i : MOST_RACERS;
        if (seconds_now() > deadline) {
            fprintf(stderr, "  the time is up: %d variants were not measured (--budget=SECONDS)\n",
                    l->variants.len - i);
            return;
        }
        for (int k = 0; k < n; k++) racers[k] = l->variants.data[i + k].racer;
        race_turns(&l->race, &l->plain, racers, n, FIRST);
        for (int k = 0; k < n; k++)
            if (!is_wrong(&racers[k])) note_trials(l, &l->variants.data[i + k], measured(l, &racers[k]));
    }
}

static bool measure(Learner *l) {
    bool ok;
    Questions all = general_questions(&l->o);
    if (!l->race.dir || !build(l, NULL, &l->plain) || !race_prepare(&l->race, &l->plain)) return false;
    l->lesson = (Lesson){.name = l->o.inputs.data[0], .features = program_features(&l->o, &ok)};
    find_variants(l, &all);
    race_variants(l);
    return ok;
}

/* Instead of what is there of the program */
static void put_lesson(const Options *o, Model *m, const Lesson *lesson) {
    for (int i = 0; i < m->lessons.len; i++)
        if (!strcmp(m->lessons.data[i].name, lesson->name)) {
            m->lessons.data[i] = *lesson;
            return;
        }
    vec_push(session_arena(o->session), &m->lessons, *lesson);
}

static bool learn_program(const Options *o, const char *input, Model *m) {
    Learner l = {.o = *o};
    l.o.inputs.data = &input;
    l.o.inputs.len = l.o.inputs.cap = 1;
    l.race = (Race){.o = &l.o, .dir = temp_dir_new(o)};
    bool ok = measure(&l);
    if (ok) put_lesson(o, m, &l.lesson);
    for (int i = 0; i < l.made.len; i++) executable_drop(&l.made.data[i]);
    if (l.race.dir) rmdir(l.race.dir);
    return ok;
}

/* The model as it is, if it may be written anew */
static bool begin(const Options *o, Model *m) {
    if (!output_possible(o, o->learn) || !model_read(o, o->learn, true, m)) return false;
    if (!m->stale) return true;
    diag_report(o->session, NO_SPAN, E_CANNOT_WRITE, o->learn, intern_printf(o->session, "it was made %s", m->stale));
    return false;
}

/* Learns one program (NULL: none), and writes the model. */
static int learn_one(const Options *o, const char *input) {
    Model m;
    bool ok = begin(o, &m) && (!input || learn_program(o, input, &m));
    if (ok) model_find_rules(session_arena(o->session), &m);
    ok = ok && model_write(o, o->learn, &m);
    if (ok) fprintf(stderr, "%s: %d programs, %d rules\n", o->learn, m.lessons.len, m.rules.len);
    int status = diagnostics_flush(o);
    return ok ? status : EXIT_DIAGNOSED;
}

/* In a process of its own: what many compilations leave open is gone behind each program, and nothing is lost of those
 * before when one fails. */
static int learn_apart(const Options *o, const char *input) {
    int status;
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        status = learn_one(o, input);
        fflush(NULL);
        _exit(status);
    }
    return pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_INTERNAL;
}

int learn_programs(const Options *o) {
    int worst = o->inputs.len ? EXIT_OK : learn_one(o, NULL);
    for (int i = 0; i < o->inputs.len; i++) {
        int status = learn_apart(o, o->inputs.data[i]);
        if (status > worst) worst = status;
    }
    return worst;
}
