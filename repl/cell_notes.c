/* What is said of a text besides its values: which definitions it changes, which it leaves as they were. */
#include "repl/cell.h"
#include "repl/words.h"

#include <string.h>

void note_left_out(const Run *r) {
    for (int i = 0; i < r->w->defs.len; i++) {
        const Definition *d = &r->w->defs.data[i];
        if (d->broken && text_mentions(r->cell->text, d->name))
            fprintf(stderr, "note: '%s' of %s was left out, as it no longer fits; define it anew\n", d->name, d->label);
    }
}

static void add_name(Text *names, const char *name) { text_printf(names, "%s%s", names->len ? ", " : "", name); }

void note_unchanged(const Run *r) {
    int n = 0;
    Text t;
    text_init(&t, arena_of(r));
    for (int i = 0; i < r->w->defs.len; i++) {
        const Definition *old = &r->w->defs.data[i];
        if (cell_replaces(r, old) && strcmp(old->what, "import")) add_name(&t, old->name), n++;
    }
    if (n)
        fprintf(stderr, n > 1 ? "note: the old definitions of %s stay\n" : "note: the old definition of %s stays\n",
                text_str(&t));
}

static void note_dependents(const Run *r) {
    Text t;
    text_init(&t, arena_of(r));
    for (int i = 0; i < r->w->defs.len; i++) {
        const Definition *old = &r->w->defs.data[i];
        bool uses = false;
        for (int k = 0; k < r->w->defs.len && !uses; k++)
            uses = k != i && cell_replaces(r, &r->w->defs.data[k]) && !cell_replaces(r, old) &&
                   text_mentions(old->text, r->w->defs.data[k].name);
        if (uses && r->files.data[i] >= 0) add_name(&t, old->name);
    }
    if (t.len) fprintf(stderr, "note: recompiled with it: %s\n", text_str(&t));
}

static void note_dropped(const Run *r) {
    for (int i = 0; i < r->result.gone.len; i++) {
        const char *name = r->result.gone.data[i];
        if (name_is_part(name)) continue;
        fprintf(stderr, "note: variable '%s' is gone: its type is no longer the one it was made with\n", name);
    }
    for (int i = 0; i < r->result.broken.len; i++) {
        const char *key = r->result.broken.data[i];
        fprintf(stderr, "note: '%.*s' no longer fits and is left out until it does or is defined anew\n",
                (int)strcspn(key, ","), key);
    }
}

/* The names of what a file defines that mentions d, where the file has a definition of its own that d would replace */
static void note_file(Run *r, const Unit *u, const Definition *d) {
    bool has_own = false;
    Text users;
    text_init(&users, arena_of(r));
    for (int i = 0; i < u->stmts.len; i++) {
        const Stmt *st = u->stmts.data[i];
        const char *name = definition_name(st);
        if (!name) continue;
        Definition its = definition_of(r, st);
        if (definition_replaces(d, &its)) has_own = true;
        else if (text_mentions(its.text, d->name)) add_name(&users, name);
    }
    const char *path = source_path(r->s, u->file);
    if (has_own && users.len) fprintf(stderr, "note: %s of %s keeps its own %s\n", text_str(&users), path, d->name);
}

/* A file never sees what those who import it define. */
static void note_files(Run *r) {
    for (int i = 0; i < r->program->units.len; i++) {
        const Unit *u = r->program->units.data[i];
        if (u == r->unit || u->file < 0 || source_is_library(r->s, (Span){u->file, 0, 0, 0})) continue;
        for (int k = 0; k < r->result.defs.len; k++) note_file(r, u, &r->result.defs.data[k]);
    }
}

void note_changes(Run *r) {
    note_dependents(r);
    note_dropped(r);
    note_files(r);
}
