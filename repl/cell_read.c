/* Reading a cell: its text and the definitions of the session become one program.
 *
 * Every definition is a source file of its own, so that messages show it where it was written.  When the cell's definitions make
 * earlier ones wrong, these are left out and the rest is tried again. */
#include "repl/cell.h"

#include <string.h>

/* ---- what the cell declares */

static void put_shape(Text *t, const TypeExpr *x) {
    if (!x) return;
    if (x->name) text_printf(t, "%s", x->name);
    put_shape(t, x->elem);
    if (x->kind == TX_ARRAY) text_printf(t, "[%d]", x->any_rank ? -1 : x->dims.len);
    for (int i = 0; i < x->items.len; i++) {
        text_printf(t, "|");
        put_shape(t, x->items.data[i]);
    }
}

/* Functions of one name are told apart by their parameters' types; sizes do not count. */
static const char *key_of(Run *r, const Decl *d) {
    Text t;
    text_init(&t, arena_of(r));
    text_printf(&t, "%s", d->name);
    if (d->kind == DECL_FN)
        for (int i = 0; i < d->params.len; i++) {
            text_printf(&t, ",");
            put_shape(&t, d->params.data[i].type);
        }
    return text_str(&t);
}

/* The text of a span, with blank lines and columns before it for what was there. */
static const char *padded(Run *r, Span at) {
    size_t len;
    const char *text = source_text(r->s, at.file, &len);
    Text t;
    text_init(&t, arena_of(r));
    for (int i = 0; i < at.lo; i++) text_printf(&t, "%c", text[i] == '\n' ? '\n' : text[i] == '\t' ? '\t' : ' ');
    text_add(&t, text + at.lo, (size_t)(at.hi - at.lo));
    return text_str(&t);
}

static const char *first_line(Run *r, Span at) {
    const char *text = source_text(r->s, at.file, NULL) + at.lo;
    size_t n = strcspn(text, "\n{"), most = (size_t)(at.hi - at.lo);
    if (n > most) n = most;
    while (n && text[n - 1] == ' ') n--;
    return intern_n(r->s, text, n);
}

static const char *const decl_words[] = {
    [DECL_FN] = "fn", [DECL_KERNEL] = "kernel", [DECL_STRUCT] = "struct", [DECL_IMPORT] = "import", [DECL_TEST] = NULL, [DECL_BENCH] = NULL,
};

static bool definition_of(Run *r, const Stmt *st, Definition *d) {
    *d = (Definition){.label = r->cell->label, .text = padded(r, st->span), .head = first_line(r, st->span)};
    if (st->kind == ST_LET && st->var_kind == VAR_CONST) {
        d->what = "const";
        d->name = d->key = st->names.data[0];
        return true;
    }
    if (st->kind != ST_DECL || !decl_words[st->decl->kind]) return false;
    d->what = decl_words[st->decl->kind];
    d->name = st->decl->name;
    d->key = key_of(r, st->decl);
    d->doc = st->decl->doc;
    return true;
}

static void collect_definitions(Run *r) {
    Definition d;
    for (int i = r->first; i < r->unit->stmts.len; i++)
        if (definition_of(r, r->unit->stmts.data[i], &d)) vec_push(arena_of(r), &r->result.defs, d);
}

static bool declares(const Run *r, const char *name) {
    for (int i = 0; i < r->result.defs.len; i++)
        if (!strcmp(r->result.defs.data[i].name, name)) return true;
    return false;
}

static bool replaces(const Run *r, const Definition *old) {
    for (int i = 0; i < r->result.defs.len; i++) {
        const Definition *d = &r->result.defs.data[i];
        bool both = !strcmp(d->what, "fn") && !strcmp(old->what, "fn");
        if (!strcmp(d->name, old->name) && (!both || !strcmp(d->key, old->key))) return true;
    }
    return false;
}

/* ---- front end */

static Unit *parse_text(Run *r, const char *label, const char *text, int *file) {
    *file = source_add(r->s, label, text, strlen(text));
    return parse_file(r->s, *file);
}

/* Definitions first, then the cell.  skip: those that are left out. */
static bool read_all(Run *r, const bool *skip) {
    options_renew(&r->o);
    r->s = r->o.session;
    r->result.defs.len = r->files.len = 0;
    Unit *cell = parse_text(r, r->cell->label, r->cell->text, &r->file);
    if (diag_error_count(r->s)) return false;
    r->unit = cell;
    r->first = 0;
    collect_definitions(r);
    StmtVec all = {0};
    for (int i = 0; i < r->w->defs.len; i++) {
        const Definition *d = &r->w->defs.data[i];
        int file = -1;
        if (!skip[i] && !replaces(r, d)) {
            const Unit *u = parse_text(r, d->label, d->text, &file);
            for (int k = 0; k < u->stmts.len; k++) vec_push(arena_of(r), &all, u->stmts.data[k]);
        }
        vec_push(arena_of(r), &r->files, file);
    }
    r->first = all.len;
    for (int i = 0; i < cell->stmts.len; i++) vec_push(arena_of(r), &all, cell->stmts.data[i]);
    cell->stmts = all;
    return true;
}

static Unit *given_unit(Run *r) {
    Text t;
    int file;
    text_init(&t, arena_of(r));
    VEC(bool) fixed = {0};
    for (int i = 0; i < r->w->vars.len; i++) {
        const Variable *v = &r->w->vars.data[i];
        if (declares(r, v->name)) continue;
        text_printf(&t, "%s\n", v->given);
        vec_push(arena_of(r), &fixed, v->fixed);
    }
    Unit *u = parse_text(r, "[session]", text_str(&t), &file);
    for (int i = 0; i < u->stmts.len; i++) /* without a value only `var` can be written */
        if (fixed.data[i]) u->stmts.data[i]->var_kind = VAR_LET;
    return u;
}

static void check(Run *r) {
    CheckOptions o = r->o.check;
    o.stdlib = stdlib_files(&o.nstdlib);
    o.given = given_unit(r);
    r->program = check_program(r->s, r->unit, &o);
}

static bool mentions(const char *text, const char *name) {
    size_t n = strlen(name);
    for (const char *p = text; (p = strstr(p, name)); p += n) {
        bool left = p == text || !(strchr("_.", p[-1]) || (p[-1] >= '0' && p[-1] <= '9') || (p[-1] | 32) >= 'a');
        bool right = !(p[n] == '_' || (p[n] >= '0' && p[n] <= '9') || ((p[n] | 32) >= 'a' && (p[n] | 32) <= 'z'));
        if (left && right) return true;
    }
    return false;
}

/* Those definitions that are wrong even without the cell's statements are no longer right: they are left out. */
static bool find_broken(Run *r, bool *skip) {
    bool any = false;
    if (!read_all(r, skip)) return false;
    int n = 0;
    for (int i = 0; i < r->unit->stmts.len; i++) {
        Stmt *st = r->unit->stmts.data[i];
        Definition d;
        if (i < r->first || definition_of(r, st, &d)) r->unit->stmts.data[n++] = st;
    }
    r->unit->stmts.len = n;
    check(r);
    for (int i = 0; i < r->files.len; i++)
        if (r->files.data[i] >= 0 && diag_error_in(r->s, r->files.data[i])) any = skip[i] = true;
    return any;
}

void note_left_out(const Run *r) {
    for (int i = 0; i < r->w->defs.len; i++) {
        const Definition *d = &r->w->defs.data[i];
        if (d->broken && mentions(r->cell->text, d->name))
            fprintf(stderr, "note: '%s' of %s was left out, as it no longer fits; define it anew\n", d->name, d->label);
    }
}

bool cell_read(Run *r) {
    int n = r->w->defs.len;
    Arena *a = r->w->arena;
    bool *skip = NEWN(a, bool, n + 1);
    if (!read_all(r, skip)) return false;
    for (int i = 0; i < n; i++) skip[i] = r->w->defs.data[i].broken && !r->result.defs.len;
    for (int turn = 0; turn < 8; turn++) {
        read_all(r, skip);
        check(r);
        if (r->program || !r->result.defs.len || !find_broken(r, skip)) break;
    }
    if (!r->program && r->result.defs.len) read_all(r, skip), check(r);
    for (int i = 0; i < n; i++) {
        const char *key = r->w->defs.data[i].key;
        if (skip[i] && !r->w->defs.data[i].broken) vec_push(a, &r->result.broken, key);
        if (!skip[i] && r->w->defs.data[i].broken) vec_push(a, &r->result.mended, key);
    }
    diag_drop_warnings(r->s, r->file);
    return r->program != NULL;
}

void note_dependents(Run *r) {
    Text t;
    text_init(&t, arena_of(r));
    for (int i = 0; i < r->w->defs.len; i++) {
        const Definition *old = &r->w->defs.data[i];
        bool uses = false;
        for (int k = 0; k < r->w->defs.len && !uses; k++)
            uses = k != i && replaces(r, &r->w->defs.data[k]) && !replaces(r, old) && mentions(old->text, r->w->defs.data[k].name);
        if (uses && r->files.data[i] >= 0) text_printf(&t, "%s%s", t.len ? ", " : "", old->name);
    }
    if (t.len) fprintf(stderr, "note: recompiled with it: %s\n", text_str(&t));
    for (int i = 0; i < r->result.broken.len; i++) {
        const char *key = r->result.broken.data[i];
        fprintf(stderr, "note: '%.*s' no longer fits and is left out until it does or is defined anew\n", (int)strcspn(key, ","), key);
    }
}
