/* From lessons to rules: which setting is faster for which programs.
 *
 * For each setting one feature and a limit part the programs, as a decision stump does (Holte, Machine Learning 11,
 * 1993); the setting is taken on one side, where what is lost counts CAUTION times.  Only programs count to which it
 * makes a difference.  Whether to believe that is asked of programs that were not looked at (Stone, J. Royal Stat. Soc.
 * B 36, 1974): each is left out in turn, the best limit of the others decides for it, and what it gains or loses is
 * noted.  Where that is no clear gain of several programs there is no rule, and programs stay as they are. */
#include "driver/model.h"

#include <math.h>
#include <string.h>

enum { LEAST = 3, CAUTION = 5 };     /* LEAST: programs that a rule is made of */
static const double GAIN = 0.97;     /* what a rule has to bring, as a mean of those that were left out */
static const double HARM = 1.03;     /* from which ratio on it does harm */
enum { MOST_HARMED = 4 };            /* one of so many of them may be harmed */

/* Programs that a setting makes a difference to: log(ratio) of each */
typedef struct { const Features *features; double gain; } Sample; /* less than 0: faster */
typedef struct { Sample *data; int n, without; } Samples; /* without: one that is not looked at; -1: none */
/* n: samples on its side; sum: what they gain, losses CAUTION times */
typedef struct { FeatureId feature; bool below; int64_t limit; double sum; int n; } Stump;

static bool stump_takes(const Stump *s, const Features *f) { return (f->of[s->feature] >= s->limit) != s->below; }

static void weigh(const Samples *all, Stump *s) {
    s->sum = 0, s->n = 0;
    for (int i = 0; i < all->n; i++) {
        if (i == all->without || !stump_takes(s, all->data[i].features)) continue;
        s->sum += all->data[i].gain * (all->data[i].gain > 0 ? CAUTION : 1), s->n++;
    }
}

/* It says something: no feature is less than 0. */
static bool can_fail(const Stump *s) { return s->below || s->limit > 0; }

/* The side on which most is gained, of LEAST samples or more; n is 0 where nothing is.  Of sides that gain the same the
 * larger one, then the first. */
static Stump best_stump(const Samples *all) {
    Stump best = {.sum = 0};
    for (int f = 0; f < FEATURE_COUNT; f++)
        for (int i = 0; i < all->n; i++)
            for (int below = 0; below < 2; below++) {
                if (i == all->without) continue;
                Stump s = {(FeatureId)f, below, all->data[i].features->of[f], 0, 0};
                if (!can_fail(&s)) continue;
                weigh(all, &s);
                if (s.n < LEAST) continue;
                if (s.sum < best.sum - 1e-9 || (best.n && s.sum < best.sum + 1e-9 && s.n > best.n)) best = s;
            }
    return best;
}

/* What comes of it for programs that are left out in turn */
typedef struct { double sum; int n, harmed; } Trust;

static Trust cross_validate(const Samples *samples) {
    Trust t = {0};
    Samples all = *samples;
    for (all.without = 0; all.without < all.n; all.without++) {
        const Sample *left = &all.data[all.without];
        Stump s = best_stump(&all);
        if (!s.n || !stump_takes(&s, left->features)) continue;
        t.sum += left->gain, t.n++;
        t.harmed += left->gain > log(HARM);
    }
    return t;
}

static bool same_setting(const Trial *x, const Trial *y) {
    return !strcmp(x->key, y->key) && !strcmp(x->value, y->value);
}

static Samples samples_of(Arena *a, const Model *m, const Trial *way) {
    Samples s = {NEWN(a, Sample, m->lessons.len), 0, -1};
    for (int i = 0; i < m->lessons.len; i++) {
        const Lesson *l = &m->lessons.data[i];
        for (int k = 0; k < l->trials.len; k++) {
            const Trial *t = &l->trials.data[k];
            if (same_setting(t, way)) s.data[s.n++] = (Sample){&l->features, log(t->ratio)};
        }
    }
    return s;
}

static bool find_rule(Arena *a, const Model *m, const Trial *way, Rule *out) {
    Samples s = samples_of(a, m, way);
    Stump best = best_stump(&s);
    if (!best.n) return false;
    Trust t = cross_validate(&s);
    if (t.n < LEAST || t.sum > t.n * log(GAIN) || t.harmed * MOST_HARMED > t.n) return false;
    *out = (Rule){way->key, way->value, best.feature, best.below, best.limit, exp(t.sum / t.n), t.n, NO_SPAN};
    return true;
}

/* A setting that came before, in an earlier lesson */
static bool seen(const Model *m, int lesson, const Trial *way) {
    for (int i = 0; i < lesson; i++)
        for (int k = 0; k < m->lessons.data[i].trials.len; k++)
            if (same_setting(&m->lessons.data[i].trials.data[k], way)) return true;
    return false;
}

static double brings(const Rule *r) { return -log(r->ratio) * r->programs; }

/* Where it belongs: before those that bring less */
static void add_rule(Arena *a, Model *m, Rule rule) {
    vec_push(a, &m->rules, rule);
    for (int i = m->rules.len - 1; i > 0 && brings(&m->rules.data[i]) > brings(&m->rules.data[i - 1]); i--) {
        Rule r = m->rules.data[i];
        m->rules.data[i] = m->rules.data[i - 1], m->rules.data[i - 1] = r;
    }
}

void model_find_rules(Arena *a, Model *m) {
    m->rules.len = 0;
    for (int i = 0; i < m->lessons.len; i++)
        for (int k = 0; k < m->lessons.data[i].trials.len; k++) {
            const Trial *way = &m->lessons.data[i].trials.data[k];
            Rule rule;
            if (!seen(m, i, way) && find_rule(a, m, way, &rule)) add_rule(a, m, rule);
        }
}
