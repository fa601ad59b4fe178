/* One cell: compiled with the workspace's definitions, run on the workspace's values, its own written down for the
 * session.
 *
 * All of this happens in a process that ends with the cell.  Short work is interpreted, at the stage where the compiler
 * would write C; what takes longer than that is worth a C compiler. */
#include "driver/build.h"
#include "interp/interp.h"
#include "pipeline/pipeline.h"
#include "lower/ast/lower.h"
#include "repl/words.h"
#include "repl/cell.h"

#include <stdlib.h>
#include <string.h>

/* Operations of the interpreter that take less time than a C compiler, or than LLVM */
enum { PATIENCE = 1000000, PATIENCE_IN_MEMORY = 500000 };

/* ---- running */

static void look_for_effects(void *ctx, Op *op) { *(bool *)ctx |= op->code == OP_EXTERN; }
static void look_for_launches(void *ctx, Op *op) { *(bool *)ctx |= op_loop(op) == LOOP_BLOCK; }

static bool any_op(const Module *m, void (*look)(void *ctx, Op *op)) {
    bool found = false;
    for (int i = 0; i < m->funcs.len; i++)
        if (m->funcs.data[i]->kind != FUNC_EXTERN) region_walk(m->funcs.data[i]->body, look, &found);
    return found;
}

/* An attempt may not do twice what has effects; launches belong on the GPU that was asked for. */
static bool is_worth_a_try(const Run *r, const Module *m) {
    return !any_op(m, look_for_effects) && !(r->o.pass.device && any_op(m, look_for_launches));
}

static int interpret(Run *r, Module *m, const dsl_value *args, dsl_value *results, int64_t steps) {
    InterpOptions io = {.args = args, .results = results, .max_steps = steps, .tries = steps > 0};
    double start = seconds_now();
    if (steps) dsl_print_hold();
    int status = interp_run(m, &io);
    r->times.run = seconds_now() - start;
    if (status == INTERP_NO_FUEL) dsl_print_drop();
    else dsl_print_release();
    return status;
}

static void retain_arguments(const Func *main_func, const dsl_value *args) {
    for (int i = 0; i < main_func->body->nargs; i++)
        if (type_is_tensor(main_func->body->args[i]->type)) dsl_retain(args[i].as_array);
}

static int compiled(Run *r, const Module *m, const Func *main_func, const dsl_value *args, dsl_value *results) {
    double start = seconds_now();
    CellCode code = cell_code(&r->o, m);
    if (!code.run) return code.status;
    if (r->o.threads > 0) dsl_set_threads((int)r->o.threads);
    retain_arguments(main_func, args);
    r->result.is_compiled = true;
    if (code.is_new) r->times.compile = seconds_now() - start;
    start = seconds_now();
    code.run(args, results);
    r->times.run = seconds_now() - start;
    cell_code_end(&code);
    return EXIT_OK;
}

static int run_main(Run *r, Module *m, const Func *main_func, dsl_value *results) {
    const dsl_value *args = cell_arguments(r);
    if (is_worth_a_try(r, m)) {
        int status = interpret(r, m, args, results, cell_code_is_quick(&r->o) ? PATIENCE_IN_MEMORY : PATIENCE);
        if (status != INTERP_NO_FUEL) return status;
    }
    if (!cell_code_possible(&r->o)) return interpret(r, m, args, results, 0);
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
        else if (r->cell->echo && strcmp(v->name, "_") && !name_is_part(v->name)) printf("%s : %s\n", v->name, v->type);
    }
    for (int i = 0; r->cell->echo && i < r->result.defs.len; i++)
        if (strcmp(r->result.defs.data[i].what, "import")) printf("%s\n", r->result.defs.data[i].head);
}

static const char *time_text(Run *r, double seconds) {
    const char *unit = seconds < 1e-3 ? "us" : seconds < 1 ? "ms" : "s";
    return intern_printf(r->s, "%.3g %s", seconds * (seconds < 1e-3 ? 1e6 : seconds < 1 ? 1e3 : 1), unit);
}

static void say_time(Run *r) {
    printf("%s, %s", time_text(r, r->times.run), r->result.is_compiled ? "compiled" : "interpreted");
    if (r->times.compile > 0) printf("; %s to compile it", time_text(r, r->times.compile));
    printf("\n");
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
    status = run_main(r, m, f, results);
    if (!status) status = run_tests(m, r->program);
    if (status) return status;
    collect_variables(r, f, results);
    note_changes(r);
    show_results(r);
    if (r->cell->mode == CELL_TIME) say_time(r);
    return r->cell->mode == CELL_LOOK || hand_over(r->cell, &r->result) ? EXIT_OK : EXIT_INTERNAL;
}

static const char *name_in_source(const Func *f) {
    const char *kernel = func_kernel_name(f);
    return kernel ? kernel : f->name;
}

/* As the user calls it: "scale" is @kernel.scale in the module, "norm" also @norm.2, for other types */
static bool is_wanted(const Func *f, const char *only) {
    const char *name = name_in_source(f);
    size_t n = strlen(only);
    return !strncmp(name, only, n) && (!name[n] || name[n] == '.');
}

static void say_generic(const Decl *d) {
    const char *form = d->kind == DECL_KERNEL ? "'%s' is generic: show a launch of it, as in :c launch %s[1, 64]("
                                              : "'%s' is generic: show a call of it, as in :c %s(";
    printf(form, d->name, d->name);
    for (int i = 0; i < d->params.len; i++) printf("%s%s", i ? ", " : "", d->params.data[i].name);
    printf(")\n");
}

static bool is_of_library(const char *name) {
    int n;
    const StdlibFile *lib = stdlib_files(&n);
    for (int i = 0; i < n; i++)
        if (text_mentions(lib[i].defines, name)) return true;
    return false;
}

static int say_nothing_to_show(const Run *r) {
    const char *name = r->cell->only;
    for (int i = 0; i < r->program->units.len; i++)
        for (int k = 0; k < r->program->units.data[i]->stmts.len; k++) {
            const Stmt *st = r->program->units.data[i]->stmts.data[k];
            const char *other = definition_name(st);
            if (!other || strcmp(other, name)) continue;
            if (st->kind == ST_DECL && st->decl->generic) say_generic(st->decl);
            else printf("'%s' is no function or kernel\n", name);
            return EXIT_OK;
        }
    if (is_of_library(name)) printf("'%s' is of the library: show a call of it, as in :c %s(..)\n", name, name);
    else printf("no function or kernel is called '%s'\n", name);
    return EXIT_DIAGNOSED;
}

static void keep_wanted(Module *m, const char *only) {
    int n = 0;
    for (int i = 0; i < m->funcs.len; i++)
        if (is_wanted(m->funcs.data[i], only) && m->funcs.data[i]->kind != FUNC_MAIN)
            m->funcs.data[n++] = m->funcs.data[i];
    m->funcs.len = n;
    for (int i = 0; i < n; i++) m->funcs.data[i]->name = name_in_source(m->funcs.data[i]);
}

static int show_code(Run *r) {
    Stage stage = STAGE_LOOPS;
    Text t;
    const char *only = r->cell->only;
    bool is_c = !strcmp(r->cell->emit, "c");
    EmitOptions how = emit_options(&r->o, EMIT_CELL);
    text_init(&t, arena_of(r));
    if (!is_c && !stage_find(r->cell->emit, &stage)) {
        diag_hint(r->s, diag_report(r->s, NO_SPAN, E_UNKNOWN_STAGE, r->cell->emit),
                  "the stages are ir, par and loops; :c shows C");
        return diagnostics_flush(&r->o);
    }
    Module *m = only ? lower_with_kernel(r->program, only) : lower_program(r->program);
    for (int i = 0; only && i < m->funcs.len; i++) m->funcs.data[i]->is_export |= is_wanted(m->funcs.data[i], only);
    pipeline_run(m, stage, &r->o.pass);
    diag_drop_warnings(r->s, r->file);
    int status = diagnostics_flush(&r->o);
    if (status) return status;
    if (only) keep_wanted(m, only);
    if (!m->funcs.len) return say_nothing_to_show(r);
    if (is_c) emit_c(&t, m, &how);
    else module_print(&t, m);
    fputs(text_str(&t), stdout);
    return EXIT_OK;
}

static int show_type(const Run *r) {
    for (int i = 0; i < r->program->kept.len; i++) {
        const Var *v = r->program->kept.data[i];
        if (name_is_part(v->name)) continue;
        if (strcmp(v->name, "_")) printf("%s : ", v->name);
        puts(ftype_str(r->s, v->type));
    }
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
    if (!ok || status) {
        note_left_out(r);
        note_unchanged(r);
        return status ? status : EXIT_DIAGNOSED;
    }
    if (c->mode == CELL_TYPE) return show_type(r);
    if (c->mode == CELL_SHOW) return show_code(r);
    status = execute(r);
    if (status) note_unchanged(r);
    return status;
}
