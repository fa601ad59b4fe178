/* Names that cells would have defined that failed, so that a cell that needs one says that, and not what follows from
 * it.
 *
 * A cell may be no program, so its definitions are read from its words: what stands behind let, fn, struct, ... at the
 * beginning of a line. */
#include "notebook/run.h"
#include "repl/words.h"

#include <stdlib.h>
#include <string.h>

/* ---- what a cell defines */

typedef struct { const char *text; Lexemes words; Missing *into; int line; } Scan;

static bool word_is(const Scan *s, int i, const char *word) {
    size_t n = strlen(word);
    const Lexeme *x = i < s->words.len ? &s->words.data[i] : NULL;
    return x && (size_t)(x->hi - x->lo) == n && !memcmp(s->text + x->lo, word, n);
}

static bool begins_line(const Scan *s, int i) {
    int lo = s->words.data[i].lo;
    return !lo || s->text[lo - 1] == '\n';
}

static bool defines(const Scan *s, int i) {
    static const char *const keywords[] = {"let", "var", "const", "fn", "kernel", "struct"};
    for (size_t k = 0; k < sizeof keywords / sizeof *keywords; k++)
        if (word_is(s, i, keywords[k])) return true;
    return false;
}

static void add_name(Scan *s, int i) {
    Missing *m = s->into;
    const Lexeme *x = &s->words.data[i];
    if (x->kind != LEXEME_NAME) return;
    MissingName name = {arena_strndup(m->arena, s->text + x->lo, (size_t)(x->hi - x->lo)), s->line};
    vec_push(m->arena, &m->names, name);
}

/* The name at i, or those of (a, b) */
static void add_names(Scan *s, int i) {
    if (i < s->words.len && !word_is(s, i, "(")) {
        add_name(s, i);
        return;
    }
    for (; i < s->words.len && !word_is(s, i, ")"); i++) add_name(s, i);
}

void missing_add(Missing *m, const NotebookCell *c, int line) {
    Session *s = session_new();
    Scan scan = {.text = c->text, .into = m, .line = line};
    scan.words = lexemes_of(s, source_add(s, "cell", c->text, strlen(c->text)));
    for (int i = 0; i < scan.words.len; i++) {
        if (!begins_line(&scan, i)) continue;
        if (word_is(&scan, i, "export") || word_is(&scan, i, "extern")) i++;
        if (defines(&scan, i)) add_names(&scan, i + 1);
    }
    session_free(s);
}

/* ---- what a cell lacks */

/* Where the errors say that a name is unknown; NULL: nowhere */
static const char *said_unknown(Arena *a, const char *errors, const char *name) {
    const DiagId ids[] = {E_UNKNOWN_NAME, E_UNKNOWN_TYPE};
    const char *first = NULL;
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        const char *format = diag_info(ids[i])->message, *hole = strstr(format, "%s");
        const char *at = strstr(errors, arena_printf(a, "%.*s%s%s\n", (int)(hole - format), format, name, hole + 2));
        if (at && (!first || at < first)) first = at;
    }
    return first;
}

static const char *errors_of(Arena *a, const NotebookCell *c) {
    Text t;
    text_init(&t, a);
    for (int i = 0; i < c->outputs.len; i++)
        if (c->outputs.data[i].kind == OUT_ERROR) text_printf(&t, "%s", c->outputs.data[i].text);
    return text_str(&t);
}

const MissingName *missing_in(const Missing *m, const NotebookCell *c) {
    const char *errors = errors_of(m->arena, c), *first = NULL;
    const MissingName *found = NULL;
    for (int i = 0; i < m->names.len; i++) {
        const MissingName *x = &m->names.data[i];
        const char *at = text_mentions(c->text, x->name) ? said_unknown(m->arena, errors, x->name) : NULL;
        if (at && (!first || at < first)) found = x, first = at;
    }
    return found;
}

const char *missing_message(Arena *a, const MissingName *x, const char *label, const char *script) {
    Session *s = session_new();
    int file = source_add(s, label, script, strlen(script));
    const char *at = text_find(script, script, x->name);
    int lo = (int)(at - script);
    char *text = NULL;
    size_t n = 0;
    FILE *f = open_memstream(&text, &n);
    if (!f) fatal_oom();
    Diag *d = diag_report(s, (Span){file, lo, lo + (int)strlen(x->name), 0}, E_CELL_NOT_RUN, x->name, x->line);
    diag_hint(s, d, "mend that cell first");
    diag_flush(s, f, false);
    fclose(f);
    const char *copy = arena_strndup(a, text, n);
    free(text);
    session_free(s);
    return copy;
}
