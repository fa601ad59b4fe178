/* A whole C file: includes, places for messages, prototypes, functions, main.
 *
 * Only functions that main, the tests or the exports reach are there.  Functions are static; a function
 * with spawn runs within a team of threads: its body is NAME_team, and NAME starts the team when there is
 * none yet. */
#include "analysis/clock.h"
#include "codegen/c/private.h"

#include <string.h>

/* ---- names of functions */

static bool name_in_use(const Emit *e, const char *name) {
    return name_is_reserved(name, true) || map_has(&e->reserved, name);
}

static void set_name(Emit *e, Func *f, const char *name) {
    map_put(e->arena, &e->reserved, intern(e->session, name), f);
    map_put(e->arena, &e->func_names, f, (void *)(uintptr_t)name);
}

/* Tests are called by their titles. */
static const char *case_name(Emit *e, const Func *f) {
    if (f->kind != FUNC_TEST && f->kind != FUNC_BENCH) return f->name;
    return intern_printf(e->session, "%s_%.40s", f->kind == FUNC_TEST ? "test" : "bench",
                         f->title ? f->title : f->name);
}

const char *emit_c_export(Session *s, const char *func) {
    const char *name = intern_printf(s, "dsl_export_%s", func), *dot = strchr(name, '.');
    return dot ? intern_printf(s, "%.*s_%s", (int)(dot - name), name, dot + 1) : name;
}

static void name_func(Emit *e, Func *f) {
    const char *name = f->name;
    if (f->kind == FUNC_MAIN) name = intern(e->session, "script");
    else if (f->is_export && e->opts->kind == EMIT_LIBRARY) name = emit_c_export(e->session, f->name);
    else if (!f->is_export || name_in_use(e, name) || strchr(name, '.')) { /* of C, or the second of a name: "norm.2" */
        const char *wanted = name_clean(e->session, case_name(e, f));
        name = wanted;
        for (int k = 1; name_in_use(e, name); k++) name = intern_printf(e->session, "%s_%d", wanted, k);
    }
    set_name(e, f, name);
}

static const char *func_name(const Emit *e, const Func *f) { return map_get(&e->func_names, f); }

const char *emit_func_name(const Emit *e, const char *func) { return func_name(e, module_find(e->module, func)); }

/* ---- signatures */

static const char *return_type(Emit *e, const Func *f) {
    if (f->nres == 0) return "void ";
    if (f->nres > 1) return arena_printf(e->arena, "struct %s_results ", func_name(e, f));
    return type_is_tensor(f->res_types[0]) ? "dsl_array *" : f->res_types[0]->dtype == DT_STR ? "const char *"
                                           : arena_printf(e->arena, "%s ", c_type(f->res_types[0]->dtype));
}

static const char *param_type(Emit *e, const Func *f, const Type *t) {
    if (type_is_tensor(t)) return f->kind == FUNC_EXTERN ? "const dsl_array *" : "dsl_array *";
    return t->dtype == DT_STR ? "const char *" : arena_printf(e->arena, "%s ", c_type(t->dtype));
}

/* "static double norm(dsl_array *x_arr)"; names: of the parameters, or NULL; that of a light function's room, too */
static const char *signature(Emit *e, const Func *f, const char *name, Var *const *names) {
    Text t;
    text_init(&t, e->arena);
    bool visible = f->kind == FUNC_EXTERN || (f->is_export && name == func_name(e, f));
    text_printf(&t, "%s%s%s(", visible ? "" : "static ", return_type(e, f), name);
    for (int i = 0; i < f->body->nargs; i++) {
        const char *type = param_type(e, f, f->body->args[i]->type);
        size_t n = strlen(type);
        text_printf(&t, "%s%.*s%s", i ? ", " : "", (int)(names || type[n - 1] == '*' ? n : n - 1), type,
                    names ? lines_ref(&e->lines, names[i]) : "");
    }
    bool light = func_is_light(&e->light, f);
    if (light)
        text_printf(&t, "%sint64_t%s%s", f->body->nargs ? ", " : "", names ? " " : "",
                    names ? lines_ref(&e->lines, e->room) : "");
    text_printf(&t, f->body->nargs || light ? ")" : "void)");
    return text_str(&t);
}

/* Of the runtime: named as they are.  dsl_x_... has no prototype there. */
static bool is_runtime(const char *c_name) { return !strncmp(c_name, "dsl_", 4); }

static bool declared_by_runtime(const Func *f) {
    return is_runtime(f->name) && !c_name_in_library(f->name);
}

/* Functions of one prototype share a name; another one that calls the same C function, or one that C's
 * headers declare, gets a name of its own and the true one as a label. */
static void name_extern(Emit *e, Func *f) {
    const char *wanted = func_c_name(f), *name = wanted;
    map_put(e->arena, &e->func_names, f, (void *)(uintptr_t)wanted);
    const char *type = intern(e->session, signature(e, f, wanted, NULL));
    Func *same = map_get(&e->prototypes, type);
    if (same) {
        set_name(e, f, func_name(e, same));
        return;
    }
    map_put(e->arena, &e->prototypes, type, f);
    for (int k = 1; is_runtime(name) ? map_has(&e->reserved, name) : name_in_use(e, name); k++)
        name = intern_printf(e->session, "%s_%d", wanted, k);
    set_name(e, f, name);
}

static void put_extern(Emit *e, const Func *f) {
    const char *c_name = func_c_name(f), *name = func_name(e, f);
    if (declared_by_runtime(f) || map_get(&e->prototypes, intern(e->session, signature(e, f, c_name, NULL))) != f)
        return;
    text_printf(e->out, "%s", signature(e, f, name, NULL));
    if (strcmp(name, c_name)) text_printf(e->out, " __asm__(\"%s\")", c_name);
    text_printf(e->out, ";\n");
}

static void put_results_struct(Emit *e, const Func *f) {
    text_printf(e->out, "struct %s_results {\n", func_name(e, f));
    for (int i = 0; i < f->nres; i++) {
        const Type *t = f->res_types[i];
        bool pointer = type_is_tensor(t);
        text_printf(e->out, "    %s%sr%d;\n", emit_type(t), pointer ? "" : " ", i);
    }
    text_printf(e->out, "};\n");
}

/* ---- one function */

static bool name_taken(void *ctx, const char *name) {
    Emit *e = ctx;
    return name_is_reserved(name, false) || map_has(&e->reserved, intern(e->session, name));
}

static void begin_function(Emit *e, Func *f) {
    e->func = f;
    e->lines = (Lines){.arena = e->arena, .session = e->session};
    e->syms = (Map){0};
    e->checked.len = 0;
    e->loop_depth = 0;
    e->pending = NO_SPAN;
    e->shown_file = -1;
    emit_place(e, f->span);
    e->plan = plan_function(e->arena, f, e->opts);
    place_function(e);
}

static const char *team_name(Emit *e, const Func *f) {
    return func_has_spawn(f) ? arena_printf(e->arena, "%s_team", func_name(e, f)) : func_name(e, f);
}

static void emit_params(Emit *e, const Func *f, Var **vars) {
    for (int i = 0; i < f->body->nargs; i++) {
        vars[i] = lines_var(&e->lines, NULL);
        emit_bind_var(e, f->body->args[i], vars[i]);
        if (!vars[i]->hint) vars[i]->hint = "x";
    }
}

const char *emit_early_return(Emit *e, const Func *f) {
    if (f->nres == 0) return "return;";
    if (f->nres == 1) return f->res_types[0]->dtype == DT_STR ? "return NULL;" : "return 0;";
    return arena_printf(e->arena, "return (struct %s_results){0};", func_name(e, f));
}

static void put_room_check(Emit *e, const Func *f) {
    emit_line(e, "if (dsl_no_room(%s, %lld, %s)) %s", lines_ref(&e->lines, e->room), (long long)e->light.step,
              emit_site(e, f->span), emit_early_return(e, f));
}

/* Each parameter as a line of its own, so that it gets its name before the header is printed */
static void put_header(Emit *e, const Func *f, Var *const *vars) {
    Lines *l = &e->lines;
    for (int i = 0; i < f->body->nargs; i++) lines_add(l, LINE_PARAM, vars[i], "");
    e->room = func_is_light(&e->light, f) ? lines_var(l, "room") : NULL;
    if (e->room) lines_add(l, LINE_PARAM, e->room, "");
    lines_add(l, LINE_HEADER, NULL, signature(e, f, team_name(e, f), vars));
    lines_add(l, LINE_OPEN, NULL, "{");
    for (int i = 0; i < f->body->nargs; i++)
        lines_add(l, LINE_UNUSED, vars[i], arena_printf(e->arena, "(void)%s;", lines_ref(l, vars[i])));
    for (int i = 0; i < f->body->nargs; i++) emit_define_syms(e, f->body->args[i]);
    if (clock_may_part(f)) emit_line(e, "__asm__ volatile(\"\"); /* time() may stand between two calls */");
    if (e->room) put_room_check(e, f);
}

static void put_team_call(Emit *e, const Func *f, const char *call) {
    emit_line(e, "%s%s", f->nres ? "result = " : "", call);
}

static void start_team(Emit *e, const Func *f, const char *call) {
    emit_line(e, "const dsl_frame *const up = dsl_frames;");
    emit_line(e, "#pragma omp parallel");
    emit_line(e, "#pragma omp single");
    emit_open(e, "{");
    emit_line(e, "const dsl_frame *const own = dsl_frames;");
    emit_line(e, "dsl_frames = up;");
    put_team_call(e, f, call);
    emit_line(e, "dsl_frames = own;");
    emit_close(e);
}

static void start_guarded_team(Emit *e, const Func *f, const char *call) {
    Guard g = guard_team(e);
    e->failures++;
    emit_line(e, "#pragma omp parallel%s", guard_threads(e));
    emit_line(e, "#pragma omp single");
    emit_open(e, "{");
    guard_begin(e, &g);
    guard_try(e, &g);
    put_team_call(e, f, call);
    guard_caught(e, &g);
    guard_finish(e, &g);
    emit_close(e);
    guard_team_end(e, &g);
}

/* NAME runs NAME_team within a team of threads. */
static void put_team_starter(Emit *e, const Func *f) {
    e->lines = (Lines){.arena = e->arena, .session = e->session};
    int n = f->body->nargs;
    Var **vars = NEWN(e->arena, Var *, n + 1);
    for (int i = 0; i < n; i++) {
        vars[i] = lines_var(&e->lines, NULL);
        vars[i]->hint = name_clean(e->session, f->body->args[i]->name);
        if (!vars[i]->hint) vars[i]->hint = "x";
        lines_add(&e->lines, LINE_PARAM, vars[i], "");
    }
    Text call;
    text_init(&call, e->arena);
    text_printf(&call, "%s(", team_name(e, f));
    for (int i = 0; i < n; i++) text_printf(&call, "%s%s", i ? ", " : "", lines_ref(&e->lines, vars[i]));
    text_printf(&call, ");");
    lines_add(&e->lines, LINE_HEADER, NULL, signature(e, f, func_name(e, f), vars));
    lines_add(&e->lines, LINE_OPEN, NULL, "{");
    /* Of one thread there is no team: each call would start one inside the other. */
    const char *no_team = guard_wanted(e) ? "omp_in_parallel()" : "dsl_threads() == 1";
    if (f->nres) {
        emit_line(e, "if (%s) return %s", no_team, text_str(&call));
        emit_line(e, "%sresult;", return_type(e, f));
    } else {
        emit_open(e, arena_printf(e->arena, "if (%s) {", no_team));
        emit_line(e, "%s", text_str(&call));
        emit_line(e, "return;");
        emit_close(e);
    }
    if (guard_wanted(e)) start_guarded_team(e, f, text_str(&call));
    else start_team(e, f, text_str(&call));
    if (f->nres) emit_line(e, "return result;");
    emit_close(e);
    text_printf(e->out, "\n");
    lines_print(e->out, &e->lines, name_taken, e);
}

static void put_title(Emit *e, const Func *f) {
    if (!f->title) return;
    Const title = {.dtype = DT_STR, .s = f->title};
    const char *text = expr_const(e, &title).text;
    if (!strstr(text, "*/") && !strstr(text, "/*")) text_printf(e->out, "/* %s */\n", text);
}

static void put_function(Emit *e, Func *f) {
    begin_function(e, f);
    Var **params = NEWN(e->arena, Var *, f->body->nargs + 1);
    emit_params(e, f, params);
    put_header(e, f, params);
    emit_region(e, f->body);
    emit_return(e, f->body->last);
    emit_close(e);
    text_printf(e->out, "\n");
    put_title(e, f);
    lines_print(e->out, &e->lines, name_taken, e);
    if (func_has_spawn(f)) put_team_starter(e, f);
}

/* ---- the file */

/* The file's name as an expression of C */
static const char *file_name(Emit *e, const char *path) {
    EmitFiles *files = e->opts->files;
    int i = 0;
    if (!files) return expr_str(e, path);
    while (i < files->len && strcmp(files->data[i], path)) i++;
    if (i == files->len) vec_push(session_arena(e->session), files, path);
    return arena_printf(e->arena, "dsl_file[%d]", i);
}

static void put_site(Emit *e, Text *t, int number) {
    SiteRow r = site_row(&e->sites, number);
    if (!r.path) {
        text_printf(t, "    {NULL, 0, 0, 0, NULL, NULL, NULL},\n");
        return;
    }
    const char *caller = r.caller < 0 ? "NULL" : arena_printf(e->arena, "&site[%d]", r.caller);
    text_printf(t, "    {%s, %d, %d, %d, %s, %s, %s},\n", file_name(e, r.path), r.line, r.col, r.width,
                r.text ? expr_str(e, r.text) : "NULL", caller, r.how ? expr_str(e, r.how) : "NULL");
}

static void put_sites(Emit *e) {
    if (!e->sites.spans.len) return;
    Text table;
    text_init(&table, e->arena);
    for (int i = 0; i < e->sites.spans.len; i++) put_site(e, &table, i);
    text_printf(e->out, "\n/* Places in the source, for messages */\n");
    if (e->opts->files)
        text_printf(e->out, "extern char dsl_file[][%d];\nchar dsl_file[%d][%d];\n", EMIT_FILE_BYTES,
                    e->opts->files->len + 1, EMIT_FILE_BYTES);
    text_printf(e->out, "static const dsl_site site[] = {\n%s};\n", text_str(&table));
}

static void put_prototypes(Emit *e, const FuncVec *funcs) {
    text_printf(e->out, "\n");
    for (int i = 0; i < funcs->len; i++) {
        const Func *f = funcs->data[i];
        if (f->nres > 1) put_results_struct(e, f);
        if (f->kind == FUNC_EXTERN) {
            put_extern(e, f);
            continue;
        }
        text_printf(e->out, "%s;\n", signature(e, f, func_name(e, f), NULL));
        if (func_has_spawn(f)) text_printf(e->out, "%s;\n", signature(e, f, team_name(e, f), NULL));
    }
}

static void put_cases(Emit *e, FuncKind kind) {
    text_printf(e->out, "\nstatic const dsl_case cases[] = {\n");
    for (int i = 0; i < e->module->funcs.len; i++) {
        const Func *f = e->module->funcs.data[i];
        if (f->kind == kind)
            text_printf(e->out, "    {%s, %s},\n", expr_str(e, f->title ? f->title : f->name), func_name(e, f));
    }
    text_printf(e->out, "    {NULL, NULL},\n};\n");
    text_printf(e->out,
                "\nint main(int argc, char **argv)\n{\n    dsl_init(&argc, &argv);\n    return dsl_run_%s(argc, argv, "
                "cases);\n}\n",
                kind == FUNC_TEST ? "tests" : "benches");
}

static const char *value_member(const Type *t) {
    if (type_is_tensor(t)) return "array";
    return dtype_info(dtype_computed(t->dtype))->name;
}

static void put_cell(Emit *e, const Func *script) {
    const Region *body = script->body;
    text_printf(e->out, "\nvoid dsl_cell(const dsl_value *in, dsl_value *out);\nvoid dsl_cell(const dsl_value *in, "
                        "dsl_value *out)\n{\n");
    if (!body->nargs) text_printf(e->out, "    (void)in;\n");
    if (!script->nres) text_printf(e->out, "    (void)out;\n");
    if (script->nres == 1) text_printf(e->out, "    out[0].as_%s = ", value_member(script->res_types[0]));
    else text_printf(e->out, "    %s%s", script->nres ? return_type(e, script) : "", script->nres ? "results = " : "");
    text_printf(e->out, "%s(", func_name(e, script));
    for (int i = 0; i < body->nargs; i++)
        text_printf(e->out, "%sin[%d].as_%s", i ? ", " : "", i, value_member(body->args[i]->type));
    text_printf(e->out, ");\n");
    for (int i = 0; i < script->nres && script->nres > 1; i++)
        text_printf(e->out, "    out[%d].as_%s = results.r%d;\n", i, value_member(script->res_types[i]), i);
    text_printf(e->out, "}\n");
}

static void put_script_call(Emit *e, const Func *script) {
    text_printf(e->out, "    ");
    if (e->opts->beside_gpu) text_printf(e->out, "if (dsl_gpu_takes(dsl_gpu_ptx)) dsl_script();\n    else ");
    text_printf(e->out, "%s();\n", func_name(e, script));
}

static void put_main(Emit *e, const FuncVec *funcs) {
    const Func *script = program_script(funcs);
    if (e->opts->kind == EMIT_CELL) {
        if (script) put_cell(e, script);
        return;
    }
    if (e->opts->kind == EMIT_LIBRARY) return;
    if (e->opts->kind != EMIT_PROGRAM) {
        put_cases(e, program_root_kind(e->opts->kind));
        return;
    }
    text_printf(e->out, "\nint main(int argc, char **argv)\n{\n    dsl_init(&argc, &argv);\n");
    if (e->opts->ranks) text_printf(e->out, "    dsl_mpi_begin(&argc, &argv);\n");
    if (!module_takes_arguments(e->module)) text_printf(e->out, "    dsl_no_arguments();\n");
    if (script) put_script_call(e, script);
    text_printf(e->out, "    dsl_finish();\n    return 0;\n}\n");
}

static void name_funcs(Emit *e, const FuncVec *funcs) {
    for (int i = 0; i < funcs->len; i++)
        if (funcs->data[i]->is_export) name_func(e, funcs->data[i]);
    for (int i = 0; i < funcs->len; i++)
        if (funcs->data[i]->kind == FUNC_EXTERN) name_extern(e, funcs->data[i]);
    for (int i = 0; i < funcs->len; i++)
        if (!map_has(&e->func_names, funcs->data[i])) name_func(e, funcs->data[i]);
}

/* The bodies are made first: they say which places the file's table needs. */
void emit_c(Text *out, const Module *m, const EmitOptions *o) {
    Arena *a = arena_new();
    Text bodies;
    text_init(&bodies, a);
    Emit e = {.session = m->session,
              .arena = a,
              .module = m,
              .opts = o,
              .out = &bodies,
              .sites = {.session = m->session, .arena = a}};
    FuncVec funcs = program_functions(a, m, o->kind);
    e.light = program_light(a, m, &funcs);
    name_funcs(&e, &funcs);
    for (int i = 0; i < funcs.len; i++)
        if (funcs.data[i]->kind != FUNC_EXTERN) put_function(&e, funcs.data[i]);
    put_main(&e, &funcs);
    e.out = out;
    text_printf(out, GENERATED_C_LINE "#include \"gen.h\"\n%s", o->kind == EMIT_LIBRARY ? "#include \"host.h\"\n" : "");
    put_sites(&e);
    put_prototypes(&e, &funcs);
    text_add(out, text_str(&bodies), (size_t)bodies.len);
    ranges_free(e.ranges);
    arena_free(a);
}
