/* Names and size symbols in scope.
 *
 * Each Fn maps a name to what it means innermost; a list of undo records, one per definition and a
 * marker per scope, restores what a scope hid.  Size symbols die with the scope that made them: a type that
 * mentions a dead one must not leave the scope. */
#include "frontend/check.h"

#include <string.h>

Fn *fn_new(Check *c, FnKind kind, const char *title) {
    Fn *fn = NEW(c->a, Fn);
    fn->kind = kind;
    fn->title = title;
    fn->depth = 1;
    fn->scope = c->fn ? c->fn->scope : NULL;
    return fn;
}

/* ---- scopes */

void scope_push(Check *c) {
    vec_push(c->a, &c->fn->undo, ((Undo){0})); /* the marker has no name */
    c->fn->depth++;
}

static bool worth_a_warning(const Check *c, const Var *v) {
    if (v->used || v->name[0] == '_' || in_std(c) || c->fn->kind == FN_CONST) return false;
    return (v->kind == VAR_LET || v->kind == VAR_VAR) && v->type->kind != FT_ERROR && !v->captured;
}

static void warn_unused(Check *c, const Var *v) {
    if (!worth_a_warning(c, v)) return;
    Diag *d = report(c, v->span, v->assigned ? W_UNREAD : W_UNUSED, v->name);
    diag_hint(c->s, d, "remove it, or name it '_%s'", v->name);
    if (!v->assigned) diag_fix(c->s, d, true, v->span, "_%s", v->name);
}

static void kill_symbols(Fn *fn) {
    while (fn->live.len && vec_last(&fn->live)->depth > fn->depth) vec_pop(&fn->live)->dead = true;
}

void scope_pop(Check *c) {
    Fn *fn = c->fn;
    for (;;) {
        Undo u = vec_pop(&fn->undo);
        if (!u.name) break;
        warn_unused(c, u.made);
        map_put(c->a, &fn->names, u.name, u.var);
    }
    fn->depth--;
    kill_symbols(fn);
}

Var *var_new(Check *c, VarKind kind, const char *name, Span at, const FType *type) {
    Var *v = NEW(c->a, Var);
    v->kind = kind;
    v->name = name;
    v->span = at;
    v->type = type;
    v->depth = c->fn->depth;
    return v;
}

bool name_is_type(const Check *c, const char *name) {
    DType t;
    return name == c->n_int || dtype_find(name, &t);
}

static bool is_local(const Var *v) {
    return v->kind == VAR_LET || v->kind == VAR_VAR || v->kind == VAR_PARAM || v->kind == VAR_LOOP;
}

static void warn_shadow(Check *c, const Var *v, const Var *old) {
    if (!is_local(v) || !is_local(old) || v->name[0] == '_' || in_std(c)) return;
    diag_note(c->s, report(c, v->span, W_SHADOW, v->name), old->span, "the one that is hidden");
}

void scope_define(Check *c, Var *v) {
    Fn *fn = c->fn;
    if (name_is_type(c, v->name)) report(c, v->span, E_TYPE_NAME, v->name);
    Var *old = map_get(&fn->names, v->name);
    v->depth = fn->depth;
    bool top = fn->kind == FN_MAIN && fn->depth == 1;
    if (old && old->depth == fn->depth && !top && v->name != c->n_underscore) {
        Diag *d = report(c, v->span, E_DUPLICATE, v->name);
        diag_note(c->s, d, old->span, "first defined here");
        if (old->kind == VAR_VAR || old->kind == VAR_LET)
            diag_hint(c->s, d, "to change it, define it with `var %s` and write `%s = ...` here", v->name, v->name);
    }
    if (old && old->depth < fn->depth) warn_shadow(c, v, old);
    vec_push(c->a, &fn->undo, ((Undo){v->name, old, v}));
    map_put(c->a, &fn->names, v->name, v);
}

Var *scope_find(const Check *c, const char *name) { return map_get(&c->fn->names, name); }

const FType *tvar_find(const Check *c, const char *name) {
    for (int i = 0; i < c->fn->types.len; i++)
        if (c->fn->types.data[i].name == name) return c->fn->types.data[i].type;
    return NULL;
}

bool is_thread_name(const Check *c, const char *name) {
    return name == c->n_thread || name == c->n_block || name == c->n_blockdim || name == c->n_griddim;
}

/* ---- unknown names */

static void add_words(Check *c, NameVec *w, const Map *m, bool locals) {
    for (int i = 0; i < m->len; i++)
        if (!locals || m->vals[i]) vec_push(c->a, w, (const char *)m->keys[i]);
}

/* Names that begin with _ are the library's own */
static void add_library(Check *c, NameVec *w) {
    NameVec all = {0};
    library_read_all(c);
    global_names(c, c->std, -1, &all);
    for (int i = 0; i < all.len; i++)
        if (all.data[i][0] != '_') vec_push(c->a, w, all.data[i]);
}

static const char *nearest_name(Check *c, const char *name) {
    NameVec w = {0};
    add_words(c, &w, &c->fn->names, true);
    global_names(c, c->fn->scope, -1, &w);
    add_library(c, &w);
    add_words(c, &w, &c->builtins, false);
    for (int t = 0; t < DT_COUNT; t++) vec_push(c->a, &w, dtype_info((DType)t)->name);
    return spell_nearest(name, w.data, w.len);
}

typedef struct { const char *name; Span found; } Search;

static void look_at_stmt(void *ctx, Stmt *st) {
    Search *s = ctx;
    if (st->kind != ST_LET && st->kind != ST_SHARED && st->kind != ST_ATOMIC) return;
    for (int i = 0; i < st->names.len; i++)
        if (st->names.data[i] == s->name && s->found.file < 0) s->found = st->name_spans.data[i];
    if (st->name == s->name && s->found.file < 0) s->found = st->name_span;
}

/* A definition of the name in another place of the body being checked. */
static Span misplaced(const Check *c, const char *name) {
    Search s = {name, NO_SPAN};
    Walk w = {.stmt = look_at_stmt, .ctx = &s};
    walk_block(&w, c->fn->body);
    return s.found;
}

/* A call of a function that nobody has, in the words of this language; NULL: nothing is known of it */
static const char *call_written(const Check *c, const Expr *e) {
    const Foreign *update = foreign_find(FOREIGN_UPDATE, e->callee->name);
    const char *x[3] = {NULL};
    int n = e->args.len;
    if (n < 1 || n > 3) return update ? update->hint : NULL;
    for (int i = 0; i < n; i++) {
        if ((i < e->arg_names.len && e->arg_names.data[i]) || e->args.data[i]->kind == EX_GEN) return NULL;
        x[i] = source_copy(c->s, e->args.data[i]->span);
    }
    if (update && n == 3) return intern_printf(c->s, "atomic %s %s %s if %s", x[0], update->ours, x[2], x[1]);
    if (update && n == 2) return intern_printf(c->s, "atomic %s %s %s", x[0], update->ours, x[1]);
    if (update || strcmp(e->callee->name, "range")) return update ? update->hint : NULL;
    if (n == 1) return intern_printf(c->s, "0:%s, as an array arange(%s)", x[0], x[0]);
    if (n == 2) return intern_printf(c->s, "%s:%s, as an array arange(%s, %s)", x[0], x[1], x[0], x[1]);
    return intern_printf(c->s, "%s:%s:%s", x[0], x[1], x[2]);
}

static bool add_call_hint(Check *c, Diag *d, const Expr *call) {
    const char *ours = call_written(c, call);
    if (!ours) return false;
    diag_hint(c->s, d, "in this language: %s", ours);
    return true;
}

static bool add_foreign_hint(Check *c, Diag *d, Span at, const char *name, NameUse use) {
    const Foreign *f = use == NAME_CALLED ? foreign_function(name) : foreign_find(FOREIGN_NAME, name);
    if (!f || use == NAME_ASSIGNED) return false;
    diag_hint(c->s, d, "in this language: %s", f->hint);
    if (f->ours) diag_fix(c->s, d, true, at, "%s", f->ours);
    return true;
}

void suggest_name(Check *c, Diag *d, Span at, const char *name) {
    diag_hint(c->s, d, "did you mean '%s'?", name);
    diag_fix(c->s, d, false, at, "%s", name);
}

/* Two imports bring the name. */
bool report_clash(Check *c, Span at, const char *name) {
    Global *other, *g = global_clash(c, name, &other);
    if (!g) return false;
    Diag *d = report(c, at, E_NAME_CLASH, name, source_path(c->s, g->span.file), source_path(c->s, other->span.file));
    diag_note(c->s, d, g->span, "one");
    diag_note(c->s, d, other->span, "the other");
    diag_hint(c->s, d, "a definition in this file would hide both");
    return true;
}

/* call: it is called here; else NULL */
static Diag *report_unknown(Check *c, Span at, const char *name, NameUse use, const Expr *call) {
    if (report_clash(c, at, name)) return NULL;
    const Stmt *let = c->fn->scope == c->home ? map_get(&c->main_lets, name) : NULL;
    if (let && c->fn->kind != FN_MAIN) {
        Diag *d = report(c, at, E_MAIN_VARIABLE, name);
        diag_note(c->s, d, let->span, "defined here, among the statements of the main program");
        const Expr *value = let->kind == ST_LET ? let->a : NULL;
        if (value && value->kind == EX_LAMBDA)
            diag_hint(c->s, d, "define it as a function: fn %s(x: f64) -> f64 = ...", name);
        else diag_hint(c->s, d, "pass it as a parameter, or define it with `const`");
        return NULL;
    }
    Diag *d = report(c, at, E_UNKNOWN_NAME, name);
    Span elsewhere = misplaced(c, name);
    if (elsewhere.file < 0 && let) elsewhere = let->span;
    if (elsewhere.file >= 0) {
        bool later = elsewhere.lo > at.lo;
        diag_note(c->s, d, elsewhere,
                  later ? "it is defined only here, later" : "the one defined here ends with its block");
        return NULL;
    }
    if ((call && add_call_hint(c, d, call)) || add_foreign_hint(c, d, at, name, use)) return NULL;
    const char *near = nearest_name(c, name);
    if (!near) return d;
    suggest_name(c, d, at, near);
    return NULL;
}

Diag *report_unknown_name(Check *c, Span at, const char *name, NameUse use) {
    return report_unknown(c, at, name, use, NULL);
}

void report_unknown_call(Check *c, const Expr *e) {
    report_unknown(c, e->callee->span, e->callee->name, NAME_CALLED, e);
}

/* ---- size symbols */

const char *sym_fresh(Check *c, const char *base, Span at, const char *what) {
    Fn *fn = c->fn;
    const char *sym = base = intern(c->s, base);
    intptr_t n = (intptr_t)map_get(&fn->sym_counts, base);
    do {
        if (n) sym = intern_printf(c->s, "%s.%d", base, (int)n);
        n++;
    } while (map_has(&fn->syms, sym));
    map_put(c->a, &fn->sym_counts, base, (void *)n);
    SymInfo *info = NEW(c->a, SymInfo);
    *info = (SymInfo){sym, at, what, fn->depth, false};
    map_put(c->a, &fn->syms, sym, info);
    vec_push(c->a, &fn->live, info);
    return sym;
}

typedef struct { Check *c; bool dead; } Liveness;

static void look_at_sym(void *ctx, const char *sym) {
    Liveness *l = ctx;
    const SymInfo *info = map_get(&l->c->fn->syms, sym);
    l->dead |= info && info->dead;
}

bool size_is_dead(Check *c, const Size *z) {
    Liveness l = {c, false};
    size_each_sym(z, look_at_sym, &l);
    return l.dead;
}

bool type_is_dead(Check *c, const FType *t) {
    bool dead = false;
    for (int i = 0; t->kind == FT_ARRAY && i < t->rank; i++) dead |= size_is_dead(c, t->dims[i]);
    for (int i = 0; i < t->nfields; i++) dead |= type_is_dead(c, t->fields[i]);
    return dead;
}

void var_give_sym(Check *c, Var *v) {
    v->sym = sym_fresh(c, v->name, v->span, NULL);
    v->size = size_sym(c->s, v->sym);
}
