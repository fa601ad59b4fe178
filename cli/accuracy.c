/* dslc accuracy FILE.dsl: runs the program in the interpreter, and says where digits are lost and what to write
 * instead; with --fix it writes that into the file.  What a program computes changes by that alone. */
#include "accuracy/accuracy.h"
#include "accuracy/written.h"
#include "cli/cli.h"
#include "driver/driver.h"
#include "pipeline/pipeline.h"
#include "runtime/dsl.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { USUAL_STEPS = 200 * 1000 * 1000 };

/* ---- what was asked for */

/* A number above 0; 0: none was given.  False: reported */
static bool read_number(const Options *o, const char *name, const char *text, const char *takes, double *out) {
    char *end = NULL;
    *out = text ? strtod(text, &end) : 0;
    if (!text || (end != text && !*end && *out > 0 && isfinite(*out))) return true;
    Diag *d = diag_report(o->session, NO_SPAN, E_OPTION_VALUE, name, text);
    diag_hint(o->session, d, "it takes %s", takes);
    return false;
}

static bool read_budget(const Options *o, AccuracyBudget *b) {
    static const char times[] = "a number above 0: how many times the cost of now, such as 1 or 1.2";
    return read_number(o, "cost", o->cost, times, &b->cost) &&
           read_number(o, "errors", o->errors, "the greatest relative error, such as 1e-9", &b->error);
}

/* ---- the run */

/* What the program prints is not what was asked for. */
static int run_silently(Profile *p, Module *m, const InterpOptions *io) {
    Silence silent = silence_begin(STDOUT_FILENO);
    int status = profile_run(p, m, io);
    silence_end(&silent);
    return status;
}

static bool run_once(const Options *o, Profile *p, Module *m) {
    dsl_set_arguments(o->prog_args.len + 1, program_argv(o));
    if (!module_takes_arguments(m)) dsl_no_arguments();
    dsl_set_home(home_of(o->session, o->inputs.data[0]));
    InterpOptions io = {.max_steps = o->max_steps > 0 ? o->max_steps : USUAL_STEPS, .tries = true};
    int status = run_silently(p, m, &io);
    if (status == INTERP_NO_FUEL)
        fprintf(stderr, "note: stopped after %lld operations; what was computed until then counts (--max-steps=N)\n",
                (long long)io.max_steps);
    if (!status || status == INTERP_NO_FUEL) return true;
    const char *why = intern_printf(o->session, "it ended with status %d", status);
    Diag *d = diag_report(o->session, NO_SPAN, E_ACCURACY_RUN, why);
    diag_hint(o->session, d, "'dslc interp %s' shows what it prints", o->inputs.data[0]);
    return false;
}

/* ---- what is made of it */

static bool is_within(const Formula *f, const Formula *of) {
    return f->span.lo >= of->span.lo && f->span.hi <= of->span.hi;
}

/* What has reductions counts where something better is known of it: then what it is made of does not. */
static void keep_either(Profile *p) {
    int n = 0;
    for (int i = 0; i < p->formulas.len; i++) {
        Formula *f = p->formulas.data[i];
        bool drop = f->sums && !has_better(f);
        for (int k = 0; k < p->formulas.len; k++) {
            const Formula *of = p->formulas.data[k];
            drop |= !f->sums && of->sums && has_better(of) && is_within(f, of);
        }
        f->dropped = drop;
    }
    for (int i = 0; i < p->formulas.len; i++)
        if (!p->formulas.data[i]->dropped) p->formulas.data[n++] = p->formulas.data[i];
    p->formulas.len = n;
}

/* Terms and what they are on samples take much room: those of one formula at a time. */
static void examine(Profile *p, double loose) {
    int n = 0;
    for (int i = 0; i < p->formulas.len; i++) {
        Formula *f = p->formulas.data[i];
        bool ran = f->terms->nsamples && !f->broken;
        if (ran) {
            search_formula(f, loose);
            find_loss(f);
            p->formulas.data[n++] = f;
        }
        arena_free(f->terms->arena);
        f->terms = NULL;
    }
    p->formulas.len = n;
    keep_either(p);
}

static const char *fixed_by(const Options *o, const Profile *p, const Formula *f, size_t *len) {
    Text t;
    size_t n;
    const char *text = source_text(o->session, p->file, &n);
    text_init(&t, session_arena(o->session));
    text_add(&t, text, (size_t)f->span.lo);
    text_printf(&t, "%s", f->ways.data[f->chosen].text);
    text_add(&t, text + f->span.hi, n - (size_t)f->span.hi);
    *len = (size_t)t.len;
    return text_str(&t);
}

/* It compiles, and reads as the same real number as before. */
static bool is_right(const Options *o, const Profile *p, const Formula *f, const Writing *before) {
    size_t len = 0;
    const Way *way = &f->ways.data[f->chosen];
    const char *text = fixed_by(o, p, f, &len);
    Session *s = session_new();
    Program *program = text_check(o, s, text, len);
    Writing *after = program ? writing_of(s, session_arena(s), vec_last(&program->units)->file, program) : NULL;
    Span at = {program ? vec_last(&program->units)->file : -1, f->span.lo, f->span.lo + (int)strlen(way->text), 0};
    bool exact = f->dtype == DT_F64 && way->as == DT_F64;
    bool right = after && reads_alike(before, f->span, after, at, exact ? 1e-13 : 1e-6);
    session_free(s);
    return right;
}

/* A type that a literal takes elsewhere, a name that is not what it seems: what does not compile, or says something
 * else, is not offered. */
static void drop_what_fails(const Options *o, Profile *p, const Program *program) {
    const Writing *before = writing_of(o->session, p->arena, p->file, program);
    for (int i = 0; i < p->formulas.len; i++) {
        Formula *f = p->formulas.data[i];
        if (f->chosen && !is_right(o, p, f, before)) f->chosen = 0;
    }
}

static bool write_fixes(const Options *o, const Profile *p) {
    Text fixed;
    text_init(&fixed, session_arena(o->session));
    int n = diag_apply_fixes(o->session, p->file, &fixed);
    size_t len = (size_t)fixed.len;
    if (!n) return true;
    if (!text_compiles(o, text_str(&fixed), len)) {
        diag_report(o->session, NO_SPAN, E_ACCURACY_RUN, "the forms do not go together; write them one by one");
        return false;
    }
    if (!output_write(o, o->inputs.data[0], text_str(&fixed), len)) return false;
    printf("%s: %d changed\n", o->inputs.data[0], n);
    return true;
}

/* What is written where is known of the module before derivatives are taken. */
static void find_written(const Options *o, Profile *p, Module *m, const Program *program) {
    Profile written = *p;
    p->derived = m->derives;
    if (m->derives) {
        find_formulas(&written, m, program);
        pipeline_derive(m, &o->pass);
    }
    find_formulas(p, m, program);
    if (p->derived) keep_formulas(p, &written);
}

static bool examine_program(const Options *o, const AccuracyBudget *b) {
    Program *program = frontend_load(o);
    Module *m = program ? program_lower(o, program) : NULL;
    if (!m) return false;
    diag_clear(o->session); /* warnings of the program are for `check` */
    Profile p = {.session = o->session, .arena = session_arena(o->session), .file = vec_last(&program->units)->file};
    find_written(o, &p, m, program);
    bool ok = run_once(o, &p, m);
    if (ok) {
        examine(&p, b->error);
        if (!choose_ways(&p, b)) fprintf(stderr, "note: no forms cost so little together (--cost=%g)\n", b->cost);
        drop_what_fails(o, &p, program);
        put_off_ways(&p);
        report_profile(&p, stdout);
        fflush(stdout);
        ok = !o->fix || write_fixes(o, &p);
    }
    module_free(m);
    return ok;
}

int cmd_accuracy(const Options *o) {
    AccuracyBudget b;
    if (!read_budget(o, &b)) return diagnostics_flush(o), EXIT_USAGE;
    if (input_is_ir(o->inputs.data[0])) {
        diag_report(o->session, NO_SPAN, E_ACCURACY_RUN, "it has no source that could be changed");
        return diagnostics_flush(o), EXIT_USAGE;
    }
    bool ok = link_load(o) && examine_program(o, &b);
    int status = diagnostics_flush(o);
    return ok ? status : EXIT_DIAGNOSED;
}
