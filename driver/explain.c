/* dslc explain E0123: what a diagnostic means, from its row in base/diags.def.  No code: lists them all.
 * Prose is filled to the width of a terminal; lines that begin with four spaces are code, and stand apart. */
#include "driver/driver.h"
#include "opt/features.h"
#include "runtime/dsl.h"

#include <ctype.h>
#include <string.h>

enum { WIDTH = 79 };

static int first_sentence(const char *text) {
    int n = 0;
    while (text[n] && text[n] != '\n' && !(text[n] == '.' && (text[n + 1] == ' ' || !text[n + 1]))) n++;
    return n;
}

/* The message with "..." for what a report fills in; where that is all of it, the first sentence of the explanation */
static void put_title(const DiagInfo *d) {
    if (!strcmp(d->message, "%s")) {
        printf("%.*s", first_sentence(d->explanation), d->explanation);
        return;
    }
    for (const char *p = d->message; *p; p++) {
        if (*p != '%') {
            putchar(*p == '\n' ? ' ' : *p);
            continue;
        }
        p += 1 + strspn(p + 1, "0123456789.*lz");
        fputs(*p == '%' ? "%" : "...", stdout);
    }
}

/* Words of the line, which continues one that reaches to column `col`; the column reached. */
static int put_words(const char *line, size_t n, int col) {
    for (size_t i = 0, len; i < n; i += len) {
        for (len = 0; i < n && line[i] == ' ';) i++;
        while (i + len < n && line[i + len] != ' ') len++;
        if (!len) break;
        int width = dsl_count_characters(line + i, len);
        if (col) putchar(col + 1 + width > WIDTH ? (col = 0, '\n') : (col++, ' '));
        fwrite(line + i, 1, len, stdout);
        col += width;
    }
    return col;
}

static void put_explanation(const char *text) {
    bool code = false;
    int col = 0;
    while (*text) {
        size_t n = strcspn(text, "\n");
        bool is_code = !strncmp(text, "    ", 4);
        if (is_code != code) fputs(code ? "\n" : "\n\n", stdout);
        code = is_code;
        if (is_code) printf("%.*s\n", (int)n, text), col = 0;
        else col = put_words(text, n, col);
        text += n + (text[n] == '\n');
    }
    if (!code) putchar('\n');
}

static void put_features(void) {
    putchar('\n');
    for (int i = 0; i < FEATURE_COUNT; i++)
        printf("  %-16s %s\n", feature_info((FeatureId)i)->name, feature_info((FeatureId)i)->doc);
}

/* W_UNUSED_PARAM has the name unused-param. */
static void put_switch(const DiagInfo *d) {
    if (d->severity == SEV_ERROR) return;
    printf("\nA warning, %s-W%s", d->severity == SEV_EXTRA ? "given only with -Wall or " : "left out with ",
           d->severity == SEV_EXTRA ? "" : "no-");
    for (const char *p = d->id + strlen("W_"); *p; p++) putchar(*p == '_' ? '-' : tolower((unsigned char)*p));
    printf(".\n");
}

static int explain_one(const Options *o, const char *code) {
    const DiagInfo *d = diag_find(code);
    if (d) {
        printf("%s: ", d->code);
        put_title(d);
        printf("\n\n");
        put_explanation(d->explanation);
        put_switch(d);
        if (d == diag_info(E_TUNE_SYNTAX)) putchar('\n'), tuning_settings(stdout);
        if (d == diag_info(E_MODEL_LINE)) put_features();
        return EXIT_OK;
    }
    Diag *unknown = diag_report(o->session, NO_SPAN, E_UNKNOWN_CODE, code);
    diag_hint(o->session, unknown, "'dslc explain' lists them all");
    return diagnostics_flush(o);
}

static int explain_all(void) {
    for (int i = 0; i < DIAG_COUNT; i++) {
        const DiagInfo *d = diag_info((DiagId)i);
        printf("%s  ", d->code);
        put_title(d);
        putchar('\n');
    }
    return EXIT_OK;
}

int cmd_explain(const Options *o) {
    int status = o->inputs.len ? EXIT_OK : explain_all();
    for (int i = 0; i < o->inputs.len; i++) {
        int one = explain_one(o, o->inputs.data[i]);
        if (one > status) status = one;
    }
    return status;
}
