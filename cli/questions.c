/* The questions of `dslc tune` and `dslc tune --learn`. */
#include "cli/questions.h"

#include "pipeline/pipeline.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool setting_same_question(const Setting *x, const Setting *y) {
    return !strcmp(x->key, y->key) && (x->about == y->about || (x->about && y->about && !strcmp(x->about, y->about)));
}

static void add_way(Question *q, const char *key, const char *about, const char *value, bool usual) {
    if (q->n < MOST_WAYS) q->ways[q->n++] = (Setting){key, about, value, 0, usual};
}

static void add_question(const Options *o, Questions *out, const Question *q) {
    if (q->n) vec_push(session_arena(o->session), out, *q);
}

bool ask_constant(const Options *o, const char *vary, Question *out) {
    const char *eq = strchr(vary, '=');
    const char *name = intern_n(o->session, vary, (size_t)(eq - vary));
    *out = (Question){.name = vary};
    for (const char *v = eq + 1; *v;) {
        size_t len = strcspn(v, ",");
        add_way(out, "define", name, intern_printf(o->session, "%s=%.*s", name, (int)len, v), false);
        v += len + (v[len] == ',');
    }
    for (int k = 0; k < out->n; k++) {
        Racer w;
        Options with = *o;
        if (!way_options(&with, &out->ways[k], NULL, 0) || !way_build(&with, &w)) return false;
        executable_drop(&w.exe);
    }
    return true;
}

void ask_compiler(const Options *o, Questions *out) {
    static const char *const names[] = {"gcc", "clang"};
    Question q = {.name = "cc"};
    if (o->cc || o->pass.device) return;
    for (int i = 0; i < 2; i++)
        if (!cc_is_usual(o, names[i])) add_way(&q, "cc", NULL, names[i], false);
    add_question(o, out, &q);
}

void ask_choices(const Options *o, Questions *out) {
    const ChoiceWhere other = o->pass.device ? FOR_CPU : FOR_GPU;
    for (int i = 0; i < CHOICE_COUNT; i++) {
        const ChoiceInfo *c = choice_info((ChoiceId)i);
        Question q = {.name = c->name};
        for (int k = 0; k < CHOICE_WORDS && c->words[k]; k++) add_way(&q, c->name, NULL, c->words[k], k == 0);
        if (!o->pass.choice[i] && c->where != other) add_question(o, out, &q);
    }
}

static void ask_coarsening(const Options *o, const char *key, const char *kernel, const char *const *by, int n,
                           Questions *out) {
    Question q = {.name = kernel ? intern_printf(o->session, "%s %s", key, kernel) : key};
    for (int i = 0; i < n; i++)
        add_way(&q, key, kernel, kernel ? intern_printf(o->session, "%s=%s", kernel, by[i]) : by[i], false);
    add_question(o, out, &q);
}

void ask_kernel(const Options *o, const char *name, Questions *out) {
    static const char *const threads[] = {"y:2", "y:4", "y:8", "x:2", "x:4", "x:2,y:2"};
    static const char *const blocks[] = {"x:2", "y:2", "x:4", "x:2,y:2"};
    ask_coarsening(o, "coarsen-thread", name, threads, 6, out);
    ask_coarsening(o, "coarsen-block", name, blocks, 4, out);
}

void ask_threads(const Options *o, Questions *out) {
    Question q = {.name = "threads"};
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    if (o->threads > 0 || o->pass.device) return;
    for (long k = 1; k < cores; k *= 2) add_way(&q, "threads", NULL, intern_printf(o->session, "%ld", k), false);
    add_question(o, out, &q);
}

/* ---- passes */

/* Where a choice leaves out all of a pass, that is asked there. */
static bool is_a_choice(const char *pass) {
    ChoiceId id;
    int which;
    return choice_find(pass, strlen(pass), "no", &id, &which);
}

static bool may_leave_out(const Options *o, const PassInfo *p, const char *name) {
    return pass_may_be_left_out(p) && pass_suits(p, &o->pass) && p->level <= o->pass.level &&
           !(is_a_choice(p->name) && name == p->name);
}

static void add_edit(const Options *o, Questions *out, Question *q, const char *key, const char *value) {
    add_way(q, key, value, value, false);
    if (q->n < MOST_WAYS) return;
    add_question(o, out, q);
    *q = (Question){.name = intern_printf(o->session, "passes %d", out->len)};
}

void ask_passes(const Options *o, Questions *out) {
    static const struct { const char *key, *value; } others[] = {
#define ORDER(key, value) {key, value},
#include "pipeline/orders.def"
#undef ORDER
    };
    int n;
    const PassInfo *table = pass_table(&n);
    Question q = {.name = "passes"};
    for (int i = 0; i < n; i++) {
        const char *name = pass_row_name(o->session, i);
        if (may_leave_out(o, &table[i], name)) add_edit(o, out, &q, "without-pass", name);
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) add_edit(o, out, &q, others[i].key, others[i].value);
    add_question(o, out, &q);
}
