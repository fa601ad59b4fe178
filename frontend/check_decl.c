/* Declarations: collecting the names of files, imports, constants. */
#include "frontend/check.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- collecting */

static bool same_type_text(const TypeExpr *a, const TypeExpr *b) {
    if (!a || !b) return a == b;
    if (a->kind != b->kind || a->name != b->name || a->dims.len != b->dims.len || a->items.len != b->items.len)
        return false;
    if (a->any_rank != b->any_rank || (a->elem && !same_type_text(a->elem, b->elem))) return false;
    for (int i = 0; i < a->items.len; i++)
        if (!same_type_text(a->items.data[i], b->items.data[i])) return false;
    return true;
}

bool same_param_types(const Decl *a, const Decl *b, int n) {
    for (int i = 0; i < n; i++)
        if (!same_type_text(a->params.data[i].type, b->params.data[i].type)) return false;
    return true;
}

static void report_twice(Check *c, const char *name, Span at, Span first) {
    diag_note(c->s, report(c, at, E_DUPLICATE, name), first, "first defined here");
}

static Global *add_global(Check *c, FileScope *into, GlobalKind kind, const char *name, Span at) {
    Global *g = map_get(&into->own, name);
    if (name_is_type(c, name)) report(c, at, E_TYPE_NAME, name);
    if (g) return report_twice(c, name, at, g->span), NULL;
    g = NEW(c->a, Global);
    *g = (Global){.kind = kind, .name = name, .home = into, .span = at};
    map_put(c->a, &into->own, name, g);
    return g;
}

/* Another function of a known name: tried after those before it. */
static void add_overload(Check *c, Global *g, Decl *d) {
    Decl *last = g->decl;
    if (g->kind != GL_FN || g->decl->kind != d->kind) {
        report_twice(c, d->name, d->name_span, g->span);
        return;
    }
    for (Decl *o = g->decl; o; o = o->next_overload) {
        if (o->params.len == d->params.len && same_param_types(o, d, d->params.len)) {
            const char *name = d->rule ? intern_printf(c->s, "%s fn %s", rule_word(d->rule), d->rule_of) : d->name;
            Diag *diag = report(c, d->name_span, E_OVERLOAD_SAME, name);
            diag_note(c->s, diag, o->name_span, "the other one");
            return;
        }
        last = o;
    }
    last->next_overload = d;
}

static void collect_unit(Check *c, Unit *u, FileScope *into, bool is_main);

static const char *directory(Check *c, int file) {
    const char *path = source_path(c->s, file), *slash = strrchr(path, '/');
    return slash ? intern_n(c->s, path, (size_t)(slash - path + 1)) : "";
}

/* The file's number; negative when it is nowhere. */
static int open_import(Check *c, const Decl *d, const char **found) {
    const char *dir = directory(c, d->span.file);
    int tries = c->opts ? c->opts->include_path.len : 0;
    for (int i = -1; i < tries; i++) {
        bool absolute = d->name[0] == '/';
        *found = absolute ? d->name : i < 0 ? intern_printf(c->s, "%s%s", dir, d->name)
                                            : intern_printf(c->s, "%s/%s", c->opts->include_path.data[i], d->name);
        if (map_has(&c->files, intern(c->s, *found))) return 0;
        int file = source_read(c->s, *found);
        if (file >= 0) return file;
        if (errno != ENOENT) break;
    }
    return -1;
}

/* The same file under another path is the same file. */
static const char *real_name(Check *c, const char *path) {
    char *real = realpath(path, NULL);
    const char *name = intern(c->s, real ? real : path);
    free(real);
    return name;
}

static void import(Check *c, Decl *d, FileScope *into) {
    const char *path;
    int file = open_import(c, d, &path);
    if (file < 0) {
        Diag *diag = report(c, d->span, E_IMPORT, d->name, strerror(errno));
        if (!strchr(d->name, '.')) diag_hint(c->s, diag, "write the file's name: import \"%s.dsl\"", d->name);
        else diag_hint(c->s, diag, "looked beside this file, then in the directories given by -I");
        return;
    }
    const char *name = real_name(c, path);
    FileScope *f = map_get(&c->files, name);
    if (f) { /* once is enough */
        vec_push(c->a, &into->imports, ((Import){f, false}));
        return;
    }
    f = file_scope_new(c, file);
    map_put(c->a, &c->files, name, f);
    map_put(c->a, &c->files, intern(c->s, path), f);
    vec_push(c->a, &into->imports, ((Import){f, false}));
    collect_unit(c, parse_file(c->s, file), f, false);
}

static void collect_decl(Check *c, Decl *d, FileScope *into) {
    Global *g;
    switch (d->kind) {
    case DECL_FN: case DECL_KERNEL:
        g = map_get(&into->own, d->name);
        if (g) add_overload(c, g, d);
        else add_global(c, into, GL_FN, d->name, d->name_span)->decl = d;
        return;
    case DECL_STRUCT:
        g = add_global(c, into, GL_STRUCT, d->name, d->name_span);
        if (g) g->decl = d;
        return;
    case DECL_IMPORT: import(c, d, into); return;
    case DECL_TEST: case DECL_BENCH: return;
    }
}

static void collect_let(Check *c, Stmt *st, FileScope *into, bool is_main) {
    for (int i = 0; i < st->names.len; i++) {
        if (st->var_kind != VAR_CONST) {
            if (is_main && !map_has(&c->main_lets, st->names.data[i]))
                map_put(c->a, &c->main_lets, st->names.data[i], st);
            continue;
        }
        Global *g = add_global(c, into, GL_CONST, st->names.data[i], st->name_spans.data[i]);
        if (!g) continue;
        g->stmt = st;
        g->index = i;
    }
}

static void collect_stmts(Check *c, Unit *u, FileScope *into, bool is_main) {
    for (int i = 0; i < u->stmts.len; i++) {
        Stmt *st = u->stmts.data[i];
        if (st->kind == ST_DECL) collect_decl(c, st->decl, into);
        else if (st->kind == ST_LET) collect_let(c, st, into, is_main);
    }
}

static void collect_unit(Check *c, Unit *u, FileScope *into, bool is_main) {
    collect_stmts(c, u, into, is_main);
    vec_push(c->a, &c->prog->units, u);
}

/* ---- constants */

/* The literal in -D name=text; false when it is none. */
static bool parse_define(Check *c, const char *text, Const *out) {
    char *end;
    if (!strcmp(text, "true") || !strcmp(text, "false"))
        return *out = (Const){.dtype = DT_BOOL, .i = text[0] == 't'}, true;
    errno = 0;
    long long i = strtoll(text, &end, 0);
    if (*text && !*end && !errno) return *out = (Const){.dtype = DT_I64, .i = i}, true;
    double f = strtod(text, &end);
    if (*text && !*end) return *out = (Const){.dtype = DT_F64, .f = f}, true;
    (void)c;
    return false;
}

static Expr *literal(Check *c, const Const v, Span at) {
    ExprKind kind = v.dtype == DT_BOOL ? EX_BOOL : v.dtype == DT_I64 ? EX_INT : EX_FLOAT;
    Expr *e = expr_new(c->s, kind, at);
    e->lit = v;
    return e;
}

/* The definition's value is replaced: without an annotation the new one must be of the old one's kind. */
static void apply_define(Check *c, const Global *g, const char *text) {
    Const v;
    Stmt *st = g->stmt;
    const Expr *old = st->a;
    bool negative = old && old->kind == EX_UNARY && old->op == OPR_NEG;
    const Expr *base = negative ? old->a : old;
    if (st->names.len > 1 || !parse_define(c, text, &v)) {
        Diag *d = report(c, NO_SPAN, E_DEFINE_VALUE, g->name, *text ? text : "left out");
        diag_note(c->s, d, g->span, "the constant");
        diag_hint(c->s, d, "-D takes a number, true or false: -D %s=3", g->name);
        return;
    }
    bool is_float = base && base->kind == EX_FLOAT && v.dtype == DT_I64;
    if (!st->type && is_float) v = const_cast(v, DT_F64);
    bool mismatch = !st->type && base &&
                    ((base->kind == EX_INT && v.dtype != DT_I64) || (base->kind == EX_BOOL && v.dtype != DT_BOOL) ||
                     (base->kind == EX_FLOAT && v.dtype == DT_BOOL) || base->kind == EX_STR);
    if (mismatch) {
        Diag *d = report(c, NO_SPAN, E_DEFINE_VALUE, g->name, text);
        diag_note(c->s, d, base->span, "its value here is of another type");
        if (base->kind == EX_INT)
            diag_hint(c->s, d, "give an int, or write %s.0 in the program for a float", source_copy(c->s, base->span));
        return;
    }
    st->a = literal(c, v, old ? old->span : st->span);
}

static void hint_define(Check *c, Diag *d, const char *name, const Global *g) {
    NameVec names = {0};
    global_names(c, c->home, GL_CONST, &names);
    const char *near = spell_nearest(name, names.data, names.len), *text = "";
    for (int i = 0; i < names.len && i < 8; i++)
        text = intern_printf(c->s, "%s%s%s", text, i ? ", " : "", names.data[i]);
    if (g && g->home != c->std) diag_note(c->s, d, g->span, "'%s' is defined here", name);
    if (g && g->home != c->std)
        diag_hint(c->s, d, "-D gives values to numbers and bools that are defined with `const`");
    else if (near) diag_hint(c->s, d, "did you mean '%s'?", near);
    else if (names.len)
        diag_hint(c->s, d, "-D gives values to constants; those of the program are %s%s", text,
                  names.len > 8 ? ", ..." : "");
    else diag_hint(c->s, d, "the program has none: write `const %s = ...` in it", name);
}

static void apply_defines(Check *c) {
    for (int i = 0; c->opts && i < c->opts->defines.len; i++) {
        const char *define = c->opts->defines.data[i], *eq = strchr(define, '=');
        size_t n = eq ? (size_t)(eq - define) : strlen(define);
        while (n && define[n - 1] == ' ') n--;
        const char *name = intern_n(c->s, define, n);
        Global *g = global_find(c, name);
        if (g && g->kind == GL_CONST && g->home != c->std) {
            apply_define(c, g, eq ? eq + 1 + strspn(eq + 1, " ") : "true");
            continue;
        }
        if (c->opts->given) continue; /* another cell of the session may have it */
        hint_define(c, report(c, NO_SPAN, E_DEFINE_UNKNOWN, name), name, g);
    }
}

static void finish_const(Check *c, const Stmt *st, int i) {
    Var *v = st->vars.data[i];
    bool known = v->has_const || v->const_expr || v->type->kind == FT_ERROR || v->type->kind == FT_FUNC ||
                 v->type->kind == FT_TYPE;
    if (known) return;
    if (st->names.len > 1 && st->a && st->a->kind == EX_TUPLE) v->const_expr = st->a->args.data[i];
    if (v->const_expr && (v->type->kind != FT_SCALAR || v->type->dtype == DT_STR)) return;
    report(c, st->a ? st->a->span : st->span, E_NOT_CONST, v->name);
    v->type = &ftype_error;
}

/* A name keeps its kind of constant in all its uses; scopes do not matter: constants see only constants. */
void global_eval(Check *c, Global *g) {
    if (g->state == DONE) return;
    if (g->state == DOING) {
        Diag *d = report(c, g->span, E_CONST_CYCLE, g->name);
        diag_hint(c->s, d, "a constant may not need its own value");
        g->state = DONE;
        g->var = var_new(c, VAR_CONST, g->name, g->span, &ftype_error);
        return;
    }
    Fn *saved = c->fn;
    StmtVec one = {0};
    Stmt *st = g->stmt;
    vec_push(c->a, &one, st);
    for (int i = 0; i < st->names.len; i++) {
        Global *other = map_get(&g->home->own, st->names.data[i]);
        if (other && other->stmt == st) other->state = DOING;
    }
    c->fn = fn_new(c, FN_CONST, g->name);
    c->fn->scope = g->home;
    c->fn->depth = 2;
    check_stmts(c, &one);
    for (int i = 0; i < st->names.len; i++) {
        Global *other = map_get(&g->home->own, st->names.data[i]);
        if (!other || other->stmt != st) continue;
        finish_const(c, st, i);
        if (other->state != DONE) other->var = st->vars.data[i];
        other->state = DONE;
    }
    c->fn = saved;
}

/* ---- checking */

static bool eager(Check *c, Decl *d) {
    if (d->kind != DECL_FN && d->kind != DECL_KERNEL) return false;
    decl_info(c, d);
    return !d->generic;
}

static void check_test(Check *c, Decl *d) {
    InstInfo *inst = inst_of_decl(c, d, NULL, d->name_span);
    if (inst) vec_push(c->a, &c->prog->tests, &inst->inst);
}

static bool is_export_ok(Check *c, Decl *d) {
    if (!d->is_export || !d->generic) return true;
    const DeclInfo *info = decl_info(c, d);
    diag_hint(c->s, report(c, d->name_span, E_EXPORT_GENERIC, d->name),
              info->has_fn         ? "functions do not come from C: export one function for each that it is called with"
              : info->has_any_rank ? "write how many axes the arrays have: f64[n], f64[n, m]"
                                   : "give its parameters types that C has: f64, f64[n], int");
    return false;
}

void check_decls(Check *c, const Unit *u) {
    const FileScope *f = file_scope(c, u->file);
    for (int i = 0; i < u->stmts.len; i++) {
        const Stmt *st = u->stmts.data[i];
        Decl *d = st->kind == ST_DECL ? st->decl : NULL;
        if (st->kind == ST_LET && st->var_kind == VAR_CONST) {
            Global *g = map_get(&f->own, st->names.data[0]);
            if (g && g->stmt == st) global_eval(c, g);
        }
        if (!d) continue;
        if (eager(c, d)) inst_of_decl(c, d, NULL, d->name_span);
        is_export_ok(c, d);
        if (d->rule) check_rule_decl(c, d);
        if (d->kind == DECL_STRUCT) struct_type(c, d, NULL, d->name_span);
    }
}

/* ---- the library: a file of it is read when a name that it defines is first looked up */

enum { MOST_FILES = 64 }; /* of the library: a bit for each */

static void library_names(Check *c) {
    int n = c->opts ? c->opts->nstdlib : 0;
    if (n > MOST_FILES) bug("a library of %d files", n);
    for (int i = 0; i < n; i++)
        for (const char *p = c->opts->stdlib[i].defines, *end; (end = strchr(p, ' ')); p = end + 1) {
            const char *name = intern_n(c->s, p, (size_t)(end - p));
            map_put(c->a, &c->std_files, name, (void *)((uintptr_t)map_get(&c->std_files, name) | (uintptr_t)1 << i));
        }
}

static void library_read(Check *c, int i) {
    const StdlibFile *f = &c->opts->stdlib[i];
    int file = source_add(c->s, f->name, f->text, strlen(f->text));
    c->std_read |= (uint64_t)1 << i;
    source_set_library(c->s, file);
    file_scope_put(c, c->std, file);
    collect_stmts(c, parse_file(c->s, file), c->std, false);
}

static Global *library_read_for(Check *c, const char *name) {
    uint64_t in = (uint64_t)(uintptr_t)map_get(&c->std_files, name) & ~c->std_read;
    for (int i = 0; in >> i; i++)
        if (in >> i & 1) library_read(c, i);
    return map_get(&c->std->own, name);
}

/* NAME_arrays in place of NAME, for a machine of whole arrays */
Global *library_find(Check *c, const char *name) {
    bool arrays = c->opts && c->opts->arrays;
    Global *own = arrays ? library_read_for(c, intern_printf(c->s, "%s_arrays", name)) : NULL;
    return own ? own : library_read_for(c, name);
}

void library_read_all(Check *c) {
    for (int i = 0; c->opts && i < c->opts->nstdlib; i++)
        if (!(c->std_read >> i & 1)) library_read(c, i);
}

bool collect_program(Check *c, Unit *main_unit) {
    c->std = NEW(c->a, FileScope);
    c->fn->scope = c->home = file_scope_new(c, main_unit->file);
    library_names(c);
    const char *path = source_path(c->s, main_unit->file);
    map_put(c->a, &c->files, real_name(c, path), c->home);
    map_put(c->a, &c->files, intern(c->s, path), c->home);
    for (int k = 0; k < main_unit->stmts.len; k++) /* a cell's definitions come from many texts */
        file_scope_put(c, c->home, main_unit->stmts.data[k]->span.file);
    collect_unit(c, main_unit, c->home, true);
    for (int k = 0; c->opts && c->opts->given && k < c->opts->given->stmts.len; k++)
        collect_let(c, c->opts->given->stmts.data[k], c->home, true);
    apply_defines(c);
    for (int i = 0; i < main_unit->stmts.len; i++) {
        const Stmt *st = main_unit->stmts.data[i];
        if (st->kind == ST_DECL && (st->decl->kind == DECL_TEST || st->decl->kind == DECL_BENCH))
            check_test(c, st->decl);
    }
    return diag_error_count(c->s) == 0;
}
