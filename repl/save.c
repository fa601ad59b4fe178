/* A session as a file. */
#include "repl/words.h"
#include "repl/workspace.h"

#include <string.h>

typedef struct Standing { int input, def; } Standing; /* where a definition is, among the inputs; input -1: nowhere */

static const Definition *def_at(const Workspace *w, Standing p) { return &w->inputs.data[p.input].defs.data[p.def]; }

/* The first or the last definition with this key */
static Standing find_definition(const Workspace *w, const char *key, bool last) {
    Standing p = {-1, 0};
    for (int i = 0; i < w->inputs.len && (last || p.input < 0); i++)
        for (int k = 0; k < w->inputs.data[i].defs.len && (last || p.input < 0); k++)
            if (!strcmp(w->inputs.data[i].defs.data[k].key, key)) p = (Standing){i, k};
    return p;
}

static bool is_gone(const Workspace *w, const char *key) {
    for (int i = 0; i < w->defs.len; i++)
        if (!strcmp(w->defs.data[i].key, key)) return false;
    return true;
}

/* Where a definition begins, with the comments that document it */
static int start_of(const Input *in, const Definition *d) {
    int at = d->lo;
    for (;;) {
        int line = at - 1;
        while (line > 0 && in->text[line - 1] != '\n') line--;
        if (at < 1 || strncmp(in->text + line, "##", 2)) return at;
        at = line;
    }
}

static void put_definition(Text *t, const Workspace *w, Standing p) {
    const Input *from = &w->inputs.data[p.input];
    int lo = start_of(from, def_at(w, p));
    text_add(t, from->text + lo, (size_t)(def_at(w, p)->hi - lo));
}

/* The cell, with definitions as they are now where they first stood; without: with none */
static const char *current_text(Workspace *w, Arena *a, int i, bool without) {
    const Input *in = &w->inputs.data[i];
    Text t;
    int at = 0;
    text_init(&t, a);
    for (int k = 0; k < in->defs.len; k++) {
        const Definition *d = &in->defs.data[k];
        Standing first = find_definition(w, d->key, false), last = find_definition(w, d->key, true);
        bool here = first.input == i && first.def == k && !is_gone(w, d->key) && !without;
        if (here && last.input == i && last.def == k) continue;
        text_add(&t, in->text + at, (size_t)(start_of(in, d) - at));
        at = d->hi;
        if (!here) continue;
        put_definition(&t, w, last);
    }
    text_printf(&t, "%s", in->text + at);
    return text_str(&t);
}

/* Its definitions alone */
static const char *definitions(Workspace *w, Arena *a, int i) {
    Text t;
    text_init(&t, a);
    for (int k = 0; k < w->inputs.data[i].defs.len; k++) {
        const char *key = w->inputs.data[i].defs.data[k].key;
        Standing first = find_definition(w, key, false);
        if (first.input != i || first.def != k || is_gone(w, key)) continue;
        put_definition(&t, w, find_definition(w, key, true));
        text_printf(&t, "\n");
    }
    return text_str(&t);
}

/* ---- cells that cannot be run again */

typedef VEC(const char *) Names;

static int find_name(const Names *names, const char *name) {
    for (int i = 0; i < names->len; i++)
        if (!strcmp(names->data[i], name)) return i;
    return -1;
}

static bool is_lost(const Input *in, const char *text, const Names *lost) {
    for (int k = 0; k < in->vars.len; k++)
        if (in->vars.data[k].gone) return true;
    for (int k = 0; k < lost->len; k++)
        if (text_mentions(text, lost->data[k])) return true;
    return false;
}

/* Cells that made a variable that is gone, or need what such a cell made */
static bool *lost_cells(Workspace *w, Arena *a) {
    bool *cells = NEWN(a, bool, w->inputs.len + 1);
    Names lost = {0};
    for (int i = 0; i < w->inputs.len; i++) {
        const Input *in = &w->inputs.data[i];
        cells[i] = is_lost(in, current_text(w, a, i, true), &lost);
        for (int k = 0; k < in->vars.len; k++) {
            int at = find_name(&lost, in->vars.data[k].name);
            if (cells[i] && at < 0) vec_push(a, &lost, in->vars.data[k].name);
            if (!cells[i] && at >= 0) lost.data[at] = vec_last(&lost), lost.len--;
        }
    }
    return cells;
}

static const char *replace_word(Arena *a, const char *text, const char *name, const char *by) {
    Text t;
    text_init(&t, a);
    for (const char *p = text;;) {
        const char *q = text_find(text, p, name);
        if (!q) return text_printf(&t, "%s", p), text_str(&t);
        text_add(&t, p, (size_t)(q - p));
        text_printf(&t, "%s", by);
        p = q + strlen(name);
    }
}

/* The value of the i-th cell is asked for before the next one has a value. */
static bool is_asked_for(const Workspace *w, int i) {
    for (int k = i + 1; k < w->inputs.len; k++) {
        if (text_mentions(w->inputs.data[k].text, "_")) return true;
        if (w->inputs.data[k].has_value) return false;
    }
    return false;
}

const char *workspace_text(Workspace *w, Arena *a, int *left_out) {
    Text t;
    const char *last = "_";
    const bool *lost = lost_cells(w, a);
    text_init(&t, a);
    *left_out = 0;
    for (int i = 0; i < w->inputs.len; i++) {
        const Input *in = &w->inputs.data[i];
        const char *text = lost[i] ? definitions(w, a, i) : replace_word(a, current_text(w, a, i, false), "_", last);
        bool has_value = in->has_value && !lost[i], one = has_value && !strpbrk(text, "\n;");
        *left_out += lost[i];
        if (text_is_blank(text)) continue;
        if (strncmp(text, "# %%", 4)) text_printf(&t, "# %%%%\n");
        if (has_value) last = one && is_asked_for(w, i) ? arena_printf(a, "last_%d", i + 1) : "_";
        if (has_value && strcmp(last, "_")) text_printf(&t, "let %s = ", last);
        text_printf(&t, "%s%s", text, text[strlen(text) - 1] == '\n' ? "" : "\n");
    }
    return text_str(&t);
}

void workspace_note_outdated(Workspace *w) {
    Arena *a = arena_new();
    for (int i = 0; i < w->inputs.len; i++)
        for (int k = 0; k < w->inputs.data[i].defs.len; k++) {
            const Definition *d = &w->inputs.data[i].defs.data[k];
            Standing first = find_definition(w, d->key, false), last = find_definition(w, d->key, true);
            bool used = false;
            if (first.input != i || first.def != k) continue;
            for (int c = i; c < last.input; c++) used |= text_mentions(current_text(w, a, c, true), d->name);
            if (used) printf("note: some values were computed with an earlier '%s'; in the file it is the one of now\n", d->name);
        }
    arena_free(a);
}
