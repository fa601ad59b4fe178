/* One cell: compiled with the workspace's definitions, run on the workspace's values, its own written down for the session.
 *
 * All of this happens in a process that ends with the cell.  Every definition is a source file of its own, so that
 * messages show it where it was written.  Short work is interpreted, at the stage where the compiler would write C; what takes longer
 * than that is worth a C compiler. */
#include "repl/workspace.h"

#include "driver/build.h"
#include "lower/lower.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { PATIENCE = 1000000 }; /* operations of the interpreter that take less time than a C compiler */

typedef struct Run {
    Cell *cell;
    Workspace *w;
    Options o;
    Session *s;
    Unit *unit;      /* the cell's statements behind the definitions */
    int first;       /* of its own statements */
    int file;
    VEC(int) files;  /* of each definition; -1: left out */
    Program *program;
    Result result;
} Run;

static Arena *arena_of(const Run *r) { return session_arena(r->s); }

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

/* Whoever misses a definition that was left out should know why. */
static void note_left_out(const Run *r) {
    for (int i = 0; i < r->w->defs.len; i++) {
        const Definition *d = &r->w->defs.data[i];
        if (d->broken && mentions(r->cell->text, d->name))
            fprintf(stderr, "note: '%s' of %s was left out, as it no longer fits; define it anew\n", d->name, d->label);
    }
}

static bool front_end(Run *r) {
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

/* Says which earlier definitions now mean something else, or nothing. */
static void note_dependents(Run *r) {
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

/* ---- types and values that come back */

static void put_type(Text *t, const FType *type, const Leaf **leaf, int skip) {
    const Leaf *first = *leaf;
    switch (type->kind) {
    case FT_SCALAR:
        text_printf(t, "%s", type->dtype == DT_I64 ? "int" : dtype_info(type->dtype)->name);
        ++*leaf;
        return;
    case FT_ARRAY:
        put_type(t, type->elem, leaf, skip + type->rank);
        for (int i = 0; i < type->rank; i++)
            text_printf(t, "%s%lld", i ? ", " : "[", (long long)first->value.as_array->dim[skip + i]);
        text_printf(t, "]");
        return;
    case FT_TUPLE:
        for (int i = 0; i < type->nfields; i++) {
            text_printf(t, i ? ", " : "(");
            put_type(t, type->fields[i], leaf, skip);
        }
        text_printf(t, ")");
        return;
    default:
        text_printf(t, "%s", type->decl ? type->decl->name : "?");
        *leaf += type->leaves;
    }
}

static bool literal_value(const Var *v, const Leaf *l, int64_t *out) {
    if (v->kind == VAR_VAR || v->type->kind != FT_SCALAR) return false;
    switch (l->dtype) {
    case DT_BOOL: *out = l->value.as_bool; return true;
    case DT_I8: *out = l->value.as_i8; return true;
    case DT_I16: *out = l->value.as_i16; return true;
    case DT_I32: *out = l->value.as_i32; return true;
    case DT_I64: *out = l->value.as_i64; return *out > INT64_MIN;
    default: return false;
    }
}

static Variable variable_of(Run *r, const Var *v, Leaf *leaves, int n) {
    Variable x = {.name = v->name, .leaves = leaves, .nleaves = n};
    const Leaf *next = leaves;
    Text t;
    int64_t value;
    text_init(&t, arena_of(r));
    put_type(&t, v->type, &next, 0);
    x.type = text_str(&t);
    x.literal = literal_value(v, leaves, &value);
    x.fixed = v->kind != VAR_VAR;
    if (!x.literal) x.given = intern_printf(r->s, "var %s: %s", x.name, x.type);
    else if (leaves->dtype == DT_BOOL) x.given = intern_printf(r->s, "let %s: bool = %s", x.name, value ? "true" : "false");
    else x.given = intern_printf(r->s, "let %s: %s = %lld", x.name, x.type, (long long)value);
    return x;
}

static int leaves_of(const FType *t) {
    if (t->kind == FT_ARRAY) return leaves_of(t->elem);
    if (t->kind == FT_SCALAR) return 1;
    int n = 0;
    for (int i = 0; i < t->nfields; i++) n += leaves_of(t->fields[i]);
    return n;
}

/* results: of main, in order */
static void collect_variables(Run *r, const Func *main_func, const dsl_value *results) {
    const Program *p = r->program;
    for (int i = 0, at = 0; i < p->kept.len; i++) {
        int n = leaves_of(p->kept.data[i]->type);
        Leaf *leaves = NEWN(arena_of(r), Leaf, n + 1);
        for (int k = 0; k < n; k++, at++) {
            const Type *t = main_func->res_types[at];
            leaves[k] = (Leaf){t->dtype, type_is_tensor(t), results[at]};
        }
        Variable v = variable_of(r, p->kept.data[i], leaves, n);
        vec_push(arena_of(r), &r->result.vars, v);
    }
}

/* let f = fn(x) => ...: no value, but the next cells may use it all the same. */
static void collect_functions(Run *r) {
    for (int i = 0; i < r->program->main.len; i++) {
        const Stmt *st = r->program->main.data[i];
        if (st->kind != ST_LET || st->vars.len != 1 || st->vars.data[0]->type->kind != FT_FUNC || st->span.file != r->file) continue;
        const char *text = source_text(r->s, r->file, NULL) + st->span.lo;
        Variable v = {.name = st->names.data[0], .type = "function", .literal = true, .fixed = true, .leaves = NEW(arena_of(r), Leaf),
                      .given = intern_n(r->s, text, (size_t)(st->span.hi - st->span.lo))};
        vec_push(arena_of(r), &r->result.vars, v);
    }
}

/* ---- running */

static void look_for_effects(void *ctx, Op *op) { *(bool *)ctx |= op->code == OP_EXTERN; }

/* What an attempt may not do twice */
static bool has_effects(const Module *m) {
    bool found = false;
    for (int i = 0; i < m->funcs.len; i++)
        if (m->funcs.data[i]->kind != FUNC_EXTERN) region_walk(m->funcs.data[i]->body, look_for_effects, &found);
    return found;
}

static dsl_value *arguments(Run *r) {
    const Program *p = r->program;
    VEC(dsl_value) v = {0};
    for (int i = 0; i < p->given.len; i++) {
        const Variable *x = workspace_var(r->w, p->given.data[i]->name);
        for (int k = 0; k < x->nleaves; k++) vec_push(arena_of(r), &v, x->leaves[k].value);
    }
    vec_push(arena_of(r), &v, (dsl_value){0});
    return v.data;
}

static int interpret(Module *m, const dsl_value *args, dsl_value *results, int64_t steps) {
    InterpOptions io = {.args = args, .results = results, .max_steps = steps, .tries = steps > 0};
    if (steps) dsl_print_hold();
    int status = interp_run(m, &io);
    if (status == INTERP_NO_FUEL) dsl_print_drop();
    else dsl_print_release();
    return status;
}

static void retain_arguments(const Func *main_func, const dsl_value *args) {
    for (int i = 0; i < main_func->body->nargs; i++)
        if (type_is_tensor(main_func->body->args[i]->type)) dsl_retain(args[i].as_array);
}

static int compiled(Run *r, const Module *m, const Func *main_func, const dsl_value *args, dsl_value *results) {
    Executable x = library_get(&r->o, m);
    if (!x.path) return diagnostics_flush(&r->o), x.status;
    if (r->o.threads > 0) setenv("OMP_NUM_THREADS", intern_printf(r->s, "%lld", (long long)r->o.threads), 1);
    void *lib = dlopen(x.path, RTLD_NOW | RTLD_LOCAL);
    executable_drop(&x);
    void (*run)(const dsl_value *, dsl_value *) = NULL;
    if (lib) *(void **)&run = dlsym(lib, "dsl_cell");
    if (!run) {
        fprintf(stderr, "error: the compiled cell cannot be loaded: %s\n", dlerror());
        return EXIT_INTERNAL;
    }
    retain_arguments(main_func, args);
    run(args, results);
    return EXIT_OK;
}

static bool has_compiler(Run *r) {
    Toolchain t;
    bool found = cc_find(&r->o, &t);
    if (!found) diag_clear(r->s);
    return found;
}

static int run_main(Run *r, Module *m, const Func *main_func, dsl_value *results) {
    const dsl_value *args = arguments(r);
    if (!has_effects(m)) {
        int status = interpret(m, args, results, PATIENCE);
        if (status != INTERP_NO_FUEL) return status;
    }
    if (!has_compiler(r)) return interpret(m, args, results, 0);
    return compiled(r, m, main_func, args, results);
}

static int run_tests(Module *m, const Program *p) {
    return p->tests.len ? interp_run(m, &(InterpOptions){.only_test = ""}) : EXIT_OK;
}

/* ---- the whole */

static Module *to_stage(Run *r, Stage stage) {
    Module *m = lower_program(r->program);
    if (!diag_error_count(r->s) && !module_verify(m, "lower")) bug("a correct cell became IR that is not valid");
    if (!diag_error_count(r->s)) pipeline_run(m, stage, &r->o.pass);
    diag_drop_warnings(r->s, r->file);
    return m;
}

static void show_results(Run *r) {
    for (int i = 0; i < r->result.vars.len; i++) {
        const Variable *v = &r->result.vars.data[i];
        if (!strcmp(v->name, "_") && !r->cell->quiet) show_value(v);
        else if (r->cell->echo && strcmp(v->name, "_")) printf("%s : %s\n", v->name, v->type);
    }
    for (int i = 0; r->cell->echo && i < r->result.defs.len; i++)
        if (strcmp(r->result.defs.data[i].what, "import")) printf("%s\n", r->result.defs.data[i].head);
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void say_time(double seconds) {
    const char *unit = seconds < 1e-3 ? "us" : seconds < 1 ? "ms" : "s";
    printf("%.3g %s\n", seconds * (seconds < 1e-3 ? 1e6 : seconds < 1 ? 1e3 : 1), unit);
}

static const Func *find_main(const Module *m) {
    for (int i = 0; i < m->funcs.len; i++)
        if (m->funcs.data[i]->kind == FUNC_MAIN) return m->funcs.data[i];
    bug("a cell without a main function");
}

static int execute(Run *r) {
    Module *m = to_stage(r, STAGE_LOOPS);
    int status = diagnostics_flush(&r->o);
    if (status) return status;
    const Func *f = find_main(m);
    dsl_value *results = NEWN(arena_of(r), dsl_value, f->nres + 1);
    double start = now();
    status = run_main(r, m, f, results);
    double seconds = now() - start;
    if (!status) status = run_tests(m, r->program);
    if (status) return status;
    collect_variables(r, f, results);
    collect_functions(r);
    show_results(r);
    if (r->cell->mode == CELL_TIME) say_time(seconds);
    return result_write(r->cell->result, &r->result) ? EXIT_OK : EXIT_INTERNAL;
}

static bool is_wanted(const Func *f, const char *only) {
    size_t n = only ? strlen(only) : 0;
    return !only || (!strncmp(f->name, only, n) && (!f->name[n] || f->name[n] == '.')) ||
           (!strncmp(f->name, "kernel.", 7) && !strcmp(f->name + 7, only));
}

static int show_code(Run *r) {
    Stage stage = STAGE_LOOPS;
    Text t;
    bool is_c = !strcmp(r->cell->emit, "c");
    text_init(&t, arena_of(r));
    if (!is_c && !stage_find(r->cell->emit, &stage)) {
        diag_report(r->s, NO_SPAN, E_UNKNOWN_STAGE, r->cell->emit);
        return diagnostics_flush(&r->o);
    }
    Module *m = r->cell->only ? lower_for_proofs(r->program) : lower_program(r->program);
    int n = 0;
    for (int i = 0; r->cell->only && i < m->funcs.len; i++) m->funcs.data[i]->is_export |= is_wanted(m->funcs.data[i], r->cell->only);
    pipeline_run(m, stage, &r->o.pass);
    diag_drop_warnings(r->s, r->file);
    int status = diagnostics_flush(&r->o);
    if (status) return status;
    for (int i = 0; i < m->funcs.len; i++)
        if (is_wanted(m->funcs.data[i], r->cell->only) && (!r->cell->only || m->funcs.data[i]->kind != FUNC_MAIN)) m->funcs.data[n++] = m->funcs.data[i];
    m->funcs.len = n;
    if (!n) printf("'%s' is generic: show a call of it, as in :c %s(x)\n", r->cell->only, r->cell->only);
    else if (is_c) emit_c(&t, m, &(EmitOptions){.kind = EMIT_CELL});
    else module_print(&t, m);
    if (n) fputs(text_str(&t), stdout);
    return EXIT_OK;
}

static int show_type(const Run *r) {
    for (int i = 0; i < r->program->kept.len; i++)
        if (!strcmp(r->program->kept.data[i]->name, "_")) puts(ftype_str(r->s, r->program->kept.data[i]->type));
    return EXIT_OK;
}

TextEnd cell_end(const char *text) {
    Session *s = session_new();
    TextEnd end = text_end(s, source_add(s, "", text, strlen(text)));
    session_free(s);
    return end;
}

int cell_run(Cell *c) {
    Run *r = NEW(c->workspace->arena, Run);
    r->cell = c;
    r->w = c->workspace;
    r->o = *c->workspace->options;
    bool ok = front_end(r);
    int status = diagnostics_flush(&r->o);
    if (!ok || status) return note_left_out(r), status ? status : EXIT_DIAGNOSED;
    note_dependents(r);
    if (c->mode == CELL_TYPE) return show_type(r);
    return c->mode == CELL_SHOW ? show_code(r) : execute(r);
}
