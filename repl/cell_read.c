/* Reading a cell: its text and the definitions of the session become one program.
 *
 * Every definition is a source file of its own, so that messages show it where it was written.  When the cell's
 * definitions make earlier ones wrong, these are left out and the rest is tried again. */
#include "repl/cell.h"
#include "repl/words.h"

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

static const char *const decl_words[] = {
    [DECL_FN] = "fn",         [DECL_KERNEL] = "kernel", [DECL_STRUCT] = "struct",
    [DECL_IMPORT] = "import", [DECL_TEST] = NULL,       [DECL_BENCH] = NULL,
};

static bool is_const(const Stmt *st) { return st->kind == ST_LET && st->var_kind == VAR_CONST; }

static bool is_definition(const Stmt *st) {
    return is_const(st) || (st->kind == ST_DECL && decl_words[st->decl->kind]);
}

Definition definition_of(Run *r, const Stmt *st) {
    Definition d = {.label = r->cell->label, .text = padded(r, st->span), .head = definition_head(r->s, st),
                    .lo = st->span.lo, .hi = st->span.hi};
    if (is_const(st)) {
        d.what = "const";
        d.name = d.key = st->names.data[0];
        return d;
    }
    d.what = decl_words[st->decl->kind];
    d.name = st->decl->name;
    d.key = key_of(r, st->decl);
    d.doc = st->decl->doc;
    return d;
}

static void collect_definitions(Run *r, const Unit *cell) {
    for (int i = 0; i < cell->stmts.len; i++)
        if (is_definition(cell->stmts.data[i]))
            vec_push(arena_of(r), &r->result.defs, definition_of(r, cell->stmts.data[i]));
}

static bool declares(const Run *r, const char *name) {
    for (int i = 0; i < r->result.defs.len; i++)
        if (!strcmp(r->result.defs.data[i].name, name)) return true;
    return false;
}

bool cell_replaces(const Run *r, const Definition *old) {
    for (int i = 0; i < r->result.defs.len; i++)
        if (definition_replaces(&r->result.defs.data[i], old)) return true;
    return false;
}

/* ---- front end */

static Unit *parse_text(Run *r, const char *label, const char *text, int *file) {
    *file = source_add(r->s, label, text, strlen(text));
    return parse_file(r->s, *file);
}

/* The cell alone, in a session of its own */
static bool read_cell(Run *r) {
    options_renew(&r->o);
    r->s = r->o.session;
    r->result.defs.len = r->files.len = 0;
    r->unit = parse_text(r, r->cell->label, r->cell->text, &r->file);
    if (diag_error_count(r->s)) return false;
    collect_definitions(r, r->unit);
    return true;
}

/* Definitions first, then the cell that was read; but not those that are left out. */
static void add_definitions(Run *r) {
    Unit *cell = r->unit;
    StmtVec all = {0};
    for (int i = 0; i < r->w->defs.len; i++) {
        const Definition *d = &r->w->defs.data[i];
        int file = -1;
        if (!r->skip[i] && !cell_replaces(r, d)) {
            const Unit *u = parse_text(r, d->label, d->text, &file);
            for (int k = 0; k < u->stmts.len; k++) vec_push(arena_of(r), &all, u->stmts.data[k]);
        }
        vec_push(arena_of(r), &r->files, file);
    }
    r->first = all.len;
    for (int i = 0; i < cell->stmts.len; i++) vec_push(arena_of(r), &all, cell->stmts.data[i]);
    cell->stmts = all;
}

static void read_again(Run *r) {
    read_cell(r);
    add_definitions(r);
}

/* Each variable is a text of its own, so that it is known which one is wrong. */
static Unit *given_unit(Run *r) {
    Unit *all = NEW(arena_of(r), Unit);
    all->path = "[session]";
    all->file = -1;
    r->var_files.len = 0;
    for (int i = 0; i < r->w->vars.len; i++) {
        const Variable *v = &r->w->vars.data[i];
        int file = -1;
        if (!r->skip_var[i] && !declares(r, v->name)) {
            Unit *u = parse_text(r, "[session]", v->given, &file);
            if (u->stmts.len && v->fixed)
                u->stmts.data[0]->var_kind = VAR_LET; /* without a value only `var` can be written */
            if (u->stmts.len) vec_push(arena_of(r), &all->stmts, u->stmts.data[0]);
        }
        vec_push(arena_of(r), &r->var_files, file);
    }
    return all;
}

static void check(Run *r) {
    CheckOptions o = r->o.check;
    o.stdlib = stdlib_files(&o.nstdlib);
    o.given = given_unit(r);
    r->program = check_program(r->s, r->unit, &o);
}

static bool error_elsewhere(const Run *r) {
    for (int i = 0; i < source_count(r->s); i++)
        if (i != r->file && diag_error_in(r->s, i)) return true;
    return false;
}

/* Those definitions that are wrong even without the cell's statements are no longer right: they are left out.  What is
 * wrong in an imported file is the import's fault. */
static bool find_broken(Run *r) {
    bool any = false;
    if (!error_elsewhere(r)) return false;
    read_again(r);
    int n = 0;
    for (int i = 0; i < r->unit->stmts.len; i++) {
        Stmt *st = r->unit->stmts.data[i];
        if (i < r->first || is_definition(st)) r->unit->stmts.data[n++] = st;
    }
    r->unit->stmts.len = n;
    check(r);
    for (int i = 0; i < r->files.len; i++)
        if (r->files.data[i] >= 0 && diag_error_in(r->s, r->files.data[i])) any = r->skip[i] = true;
    for (int i = 0; i < r->files.len && !any && error_elsewhere(r); i++)
        if (r->files.data[i] >= 0 && !strcmp(r->w->defs.data[i].what, "import")) any = r->skip[i] = true;
    if (!any) read_again(r), check(r); /* the cell's own errors */
    return any;
}

/* Variables whose type is no longer right, or is another one than when they were made */
static bool find_gone(Run *r) {
    bool any = false;
    for (int i = 0; i < r->var_files.len; i++)
        if (r->var_files.data[i] >= 0 && diag_error_in(r->s, r->var_files.data[i])) any = r->skip_var[i] = true;
    for (int i = 0; r->program && i < r->program->given.len; i++) {
        const Var *v = r->program->given.data[i];
        const Variable *x = workspace_var(r->w, v->name);
        if (!value_fits(r, x, v->type)) any = r->skip_var[x - r->w->vars.data] = true;
    }
    return any;
}

/* A struct that is defined anew makes others of its variables, too, that this cell does not mention. */
static void find_gone_by_name(Run *r) {
    for (int i = 0; i < r->w->vars.len; i++)
        for (int k = 0; k < r->result.defs.len; k++) {
            const Definition *d = &r->result.defs.data[k];
            if (!strcmp(d->what, "struct") && text_mentions(r->w->vars.data[i].type, d->name)) r->skip_var[i] = true;
        }
}

static void collect_left_out(Run *r) {
    Arena *a = r->w->arena;
    for (int i = 0; i < r->w->defs.len; i++) {
        const Definition *d = &r->w->defs.data[i];
        if (r->skip[i] && !d->broken) vec_push(a, &r->result.broken, d->key);
        if (!r->skip[i] && d->broken) vec_push(a, &r->result.mended, d->key);
    }
    for (int i = 0; i < r->w->vars.len; i++)
        if (r->skip_var[i]) vec_push(a, &r->result.gone, r->w->vars.data[i].name);
}

bool cell_read(Run *r) {
    Arena *a = r->w->arena;
    r->skip = NEWN(a, bool, r->w->defs.len + 1);
    r->skip_var = NEWN(a, bool, r->w->vars.len + 1);
    if (!read_cell(r)) return false;
    for (int i = 0; i < r->w->defs.len; i++) r->skip[i] = r->w->defs.data[i].broken && !r->result.defs.len;
    find_gone_by_name(r);
    add_definitions(r);
    check(r);
    while (find_gone(r) || (!r->program && find_broken(r))) read_again(r), check(r); /* each turn leaves out more */
    collect_left_out(r);
    diag_drop_warnings(r->s, r->file);
    return r->program != NULL;
}
