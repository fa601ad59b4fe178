/* One cell: compiled with the workspace's definitions, run on the workspace's values, its own written down for the session.
 *
 * All of this happens in a process that ends with the cell.  Short work is interpreted, at the stage where the compiler
 * would write C; what takes longer than that is worth a C compiler. */
#include "driver/build.h"
#include "lower/lower.h"
#include "repl/cell.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

enum { PATIENCE = 1000000 }; /* operations of the interpreter that take less time than a C compiler */

/* ---- running */

static void look_for_effects(void *ctx, Op *op) { *(bool *)ctx |= op->code == OP_EXTERN; }

/* What an attempt may not do twice */
static bool has_effects(const Module *m) {
    bool found = false;
    for (int i = 0; i < m->funcs.len; i++)
        if (m->funcs.data[i]->kind != FUNC_EXTERN) region_walk(m->funcs.data[i]->body, look_for_effects, &found);
    return found;
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
    const dsl_value *args = cell_arguments(r);
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
    Module *m = program_lower(&r->o, r->program);
    if (m) pipeline_run(m, stage, &r->o.pass);
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
    collect_outside(r, m);
    double start = seconds_now();
    status = run_main(r, m, f, results);
    double seconds = seconds_now() - start;
    if (!status) status = run_tests(m, r->program);
    if (status) return status;
    collect_variables(r, f, results);
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
    EmitOptions how = emit_options(&r->o, EMIT_CELL);
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
    else if (is_c) emit_c(&t, m, &how);
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
    bool ok = cell_read(r);
    int status = diagnostics_flush(&r->o);
    if (!ok || status) return note_left_out(r), status ? status : EXIT_DIAGNOSED;
    note_dependents(r);
    if (c->mode == CELL_TYPE) return show_type(r);
    return c->mode == CELL_SHOW ? show_code(r) : execute(r);
}
