/* A session as a file. */
#include "driver/build.h"
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

static bool mentions_any(const char *text, const Names *names) {
    for (int k = 0; k < names->len; k++)
        if (text_mentions(text, names->data[k])) return true;
    return false;
}

static bool is_lost(const Input *in, const char *text, const Names *lost) {
    for (int k = 0; k < in->vars.len; k++)
        if (in->vars.data[k].gone) return true;
    return mentions_any(text, lost);
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

/* ---- what stands in the file */

typedef enum {
    WHOLE,
    COMMENT,
    DEFINITIONS,
    NOTHING
} Part; /* COMMENT: what it does is a comment, its definitions are there */
typedef struct Saved { Workspace *w; Arena *a; Part *parts; const char **texts; } Saved;

static void put_comment(Text *t, const char *text) {
    text_printf(t, "# left out, as it does not fit the definitions of this file:\n");
    for (const char *line = text; *line;) {
        size_t n = strcspn(line, "\n");
        if (n) text_printf(t, "# %.*s\n", (int)n, line);
        line += n + (line[n] == '\n');
    }
}

/* Definitions that no longer fit what they use */
static void put_gone(Text *t, const Saved *s, int i) {
    for (int k = 0; k < s->w->inputs.data[i].defs.len; k++) {
        const char *key = s->w->inputs.data[i].defs.data[k].key;
        Standing last = find_definition(s->w, key, true);
        Text text;
        if (last.input != i || last.def != k || !is_gone(s->w, key)) continue;
        text_init(&text, s->a);
        put_definition(&text, s->w, last);
        put_comment(t, text_str(&text));
    }
}

/* last: the name of the last value before it, and behind it */
static const char *part_text(const Saved *s, int i, const char **last) {
    const Input *in = &s->w->inputs.data[i];
    Text t;
    text_init(&t, s->a);
    const char *text = replace_word(s->a, current_text(s->w, s->a, i, false), "_", *last);
    bool has_value = in->has_value && s->parts[i] == WHOLE, one = has_value && !strpbrk(text, "\n;");
    if (s->parts[i] == COMMENT) put_comment(&t, current_text(s->w, s->a, i, true));
    if (s->parts[i] == NOTHING) put_comment(&t, text);
    put_gone(&t, s, i);
    if (s->parts[i] == COMMENT || s->parts[i] == DEFINITIONS) text_printf(&t, "%s", definitions(s->w, s->a, i));
    if (in->has_value) *last = one && is_asked_for(s->w, i) ? arena_printf(s->a, "last_%d", i + 1) : "_";
    if (has_value && strcmp(*last, "_")) text_printf(&t, "let %s = ", *last);
    if (s->parts[i] == WHOLE) text_printf(&t, "%s", text);
    return text_str(&t);
}

static void make_texts(const Saved *s) {
    const char *last = "_";
    for (int i = 0; i < s->w->inputs.len; i++) s->texts[i] = part_text(s, i, &last);
}

/* Checks the file, each cell as a text of its own.  True: some were wrong, and less of them is left. */
static bool leave_out_wrong(const Saved *s) {
    Options o = *s->w->options;
    options_renew(&o);
    bool any = false;
    int n = s->w->inputs.len;
    int *files = NEWN(s->a, int, n + 1);
    Unit *all = parse_file(o.session, source_add(o.session, "", "", 0));
    for (int i = 0; i < n; i++) {
        files[i] = source_add(o.session, s->w->inputs.data[i].label, s->texts[i], strlen(s->texts[i]));
        const Unit *u = parse_file(o.session, files[i]);
        for (int k = 0; u && k < u->stmts.len; k++) vec_push(session_arena(o.session), &all->stmts, u->stmts.data[k]);
    }
    CheckOptions how = o.check;
    how.stdlib = stdlib_files(&how.nstdlib);
    if (!diag_error_count(o.session)) check_program(o.session, all, &how);
    for (int i = 0; i < n; i++) {
        if (!diag_error_in(o.session, files[i])) continue;
        s->parts[i] = s->parts[i] == WHOLE ? COMMENT : NOTHING;
        any = true;
    }
    session_free(o.session);
    return any;
}

static void count_parts(const Saved *s, LeftOut *out) {
    *out = (LeftOut){0};
    for (int i = 0; i < s->w->inputs.len; i++) {
        out->gone += s->parts[i] == DEFINITIONS;
        out->unfit += s->parts[i] == COMMENT || s->parts[i] == NOTHING;
    }
}

const char *workspace_text(Workspace *w, Arena *a, LeftOut *out) {
    Text t;
    Saved s = {w, a, NEWN(a, Part, w->inputs.len + 1), NEWN(a, const char *, w->inputs.len + 1)};
    const bool *lost = lost_cells(w, a);
    for (int i = 0; i < w->inputs.len; i++) s.parts[i] = lost[i] ? DEFINITIONS : WHOLE;
    do make_texts(&s);
    while (leave_out_wrong(&s));
    count_parts(&s, out);
    text_init(&t, a);
    for (int i = 0; i < w->inputs.len; i++) {
        const char *text = s.texts[i];
        if (text_is_blank(text)) continue;
        if (strncmp(text, "# %%", 4)) text_printf(&t, "# %%%%\n");
        text_printf(&t, "%s%s", text, text[strlen(text) - 1] == '\n' ? "" : "\n");
    }
    return text_str(&t);
}

/* ---- values that the file would compute otherwise */

/* names: with those of all definitions that mention one of them */
static void add_users(const Workspace *w, Arena *a, Names *names) {
    for (int before = -1; before != names->len;) {
        before = names->len;
        for (int i = 0; i < w->inputs.len; i++)
            for (int k = 0; k < w->inputs.data[i].defs.len; k++) {
                const Definition *d = &w->inputs.data[i].defs.data[k];
                if (find_name(names, d->name) < 0 && mentions_any(d->text, names)) vec_push(a, names, d->name);
            }
    }
}

void workspace_note_outdated(Workspace *w) {
    Arena *a = arena_new();
    for (int i = 0; i < w->inputs.len; i++)
        for (int k = 0; k < w->inputs.data[i].defs.len; k++) {
            const Definition *d = &w->inputs.data[i].defs.data[k];
            Standing first = find_definition(w, d->key, false), last = find_definition(w, d->key, true);
            bool used = false;
            Names names = {0};
            if (first.input != i || first.def != k || first.input == last.input) continue;
            vec_push(a, &names, d->name);
            add_users(w, a, &names);
            for (int c = i; c < last.input; c++) used |= mentions_any(current_text(w, a, c, true), &names);
            if (used)
                printf("note: some values were computed with an earlier '%s'; in the file it is the one of now\n",
                       d->name);
        }
    arena_free(a);
}
