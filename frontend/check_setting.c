/* Texts that are written out where a picture takes one of a few words, or the name of a file: what is wrong is told
 * before a computation that ends in the picture.  What is computed is checked when it is drawn, with the same messages
 * (runtime/plot.c, gnuplot.c). */
#include "frontend/check.h"

#include <string.h>
#include <strings.h>

static const char *const style_words[] = {
#define STYLE(name, with, kind, inner, outer) name,
#include "runtime/pictures.def"
};
static const char *const color_words[] = {
#define COLORS(name, palette, missing) name,
#include "runtime/pictures.def"
};

typedef struct { const char *param, *kind, *hint; const char *const *words; int n; } Setting;
static const Setting settings[] = {
    {"style", "no style is",
     "styles are line, points, linespoints, dashed, dots and bars; one for all curves, or one for each, with commas "
     "between",
     style_words, sizeof style_words / sizeof *style_words},
    {"colors", "no colors are", "colors are viridis, diverging or gray", color_words,
     sizeof color_words / sizeof *color_words},
};

/* What the picture is called in messages */
static const char *picture(const Expr *call) {
    const Expr *first = call->args.len ? call->args.data[0] : NULL;
    return first && first->kind == EX_STR && *first->lit.s ? first->lit.s : "the plot";
}

static void report_setting(Check *c, const Expr *call, Span at, const char *why, const char *hint, const char *near) {
    Diag *d = report(c, at, E_RT_PLOT_SETTING, picture(call), why);
    if (near) diag_hint(c->s, d, "did you mean '%s'?", near);
    diag_hint(c->s, d, "%s", hint);
}

static bool is_word(const Setting *s, const char *word) {
    for (int i = 0; i < s->n; i++)
        if (!strcmp(s->words[i], word)) return true;
    return false;
}

/* Each part of a list, which commas part, or semicolons */
static void check_words(Check *c, const Expr *call, const Expr *value, const Setting *s) {
    const char *text = value->lit.s, *separators = strchr(text, ';') ? ";" : ",";
    for (;; text++) {
        size_t n = strcspn(text, separators), blanks = strspn(text, " \t\n");
        if (blanks > n) blanks = n;
        size_t m = n;
        while (m > blanks && strchr(" \t\n", text[m - 1])) m--;
        const char *word = intern_n(c->s, text + blanks, m - blanks);
        if (!is_word(s, word)) {
            report_setting(c, call, value->span, intern_printf(c->s, "%s called '%s'", s->kind, word), s->hint,
                           spell_nearest(word, s->words, s->n));
            return;
        }
        text += n;
        if (!*text) return;
    }
}

static void check_log(Check *c, const Expr *call, const Expr *value) {
    if (value->lit.s[strspn(value->lit.s, "xy")])
        report_setting(c, call, value->span, intern_printf(c->s, "'%s' names no axes", value->lit.s),
                       "write log=\"x\", log=\"y\" or log=\"xy\"", NULL);
}

/* moving: a figure may be an animation */
static void check_picture_name(Check *c, const Expr *value, bool moving) {
    const char *name = value->lit.s, *dot = strrchr(name, '.');
    if (!*name || (dot && (!strcasecmp(dot, ".png") || !strcasecmp(dot, ".svg") || !strcasecmp(dot, ".gif")))) return;
    Diag *d = report(c, value->span, E_RT_PLOT_FORMAT, name);
    diag_hint(c->s, d, moving ? "let it end in .png, .svg or .gif" : "let it end in .png or .svg");
}

/* What draws has a title. */
static bool is_drawing(const Decl *d) {
    for (int i = 0; i < d->params.len; i++)
        if (!strcmp(d->params.data[i].name, "title")) return true;
    return false;
}

static void check_setting(Check *c, const Expr *call, const Decl *d, const char *param, const Expr *value) {
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        if (!strcmp(settings[i].param, param)) check_words(c, call, value, &settings[i]);
    if (!strcmp(param, "log")) check_log(c, call, value);
    if (!strcmp(param, "path")) check_picture_name(c, value, !strcmp(d->name, "figure"));
}

void check_settings(Check *c, const Expr *call, const Decl *d) {
    if (!source_is_library(c->s, d->name_span) || !is_drawing(d)) return;
    for (int i = 0; i < d->params.len && i < call->args.len; i++) {
        const Expr *value = call->args.data[i];
        if (value->kind == EX_STR && !source_is_library(c->s, value->span))
            check_setting(c, call, d, d->params.data[i].name, value);
    }
}
