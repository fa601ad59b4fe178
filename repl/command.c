/* Lines that begin with a colon.  The table is commands.def. */
#include "repl/repl.h"
#include "repl/words.h"

#include "driver/build.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const ReplCommand table[] = {
#define COMMAND(name, function, args, doc) {name, args, doc},
#include "repl/commands.def"
#undef COMMAND
};
enum { COUNT = sizeof table / sizeof *table };

const ReplCommand *repl_commands(int *n) {
    *n = COUNT;
    return table;
}

/* The session fails as its worst command did. */
static void take_status(Repl *r, int status) { repl_took(r, (Outcome){.status = status}); }

static void usage(Repl *r, const char *name) {
    for (int i = 0; i < COUNT; i++)
        if (!strcmp(table[i].name, name)) fprintf(stderr, "usage: :%s %s: %s\n", name, table[i].args, table[i].doc);
    take_status(r, EXIT_DIAGNOSED);
}

#define COMMAND(name, function, args, doc) static void function(Repl *r, const char *rest);
#include "repl/commands.def"
#undef COMMAND

/* ---- about expressions */

static void do_type(Repl *r, const char *rest) {
    if (!doc_head(r->workspace, rest)) repl_evaluate(r, rest, CELL_TYPE);
}

static void do_time(Repl *r, const char *rest) { repl_evaluate(r, rest, CELL_TIME); }

/* The name of a function or a kernel shows it; any other text is shown as a cell would run it. */
static void show_code(Repl *r, const char *emit, const char *what) {
    Cell c = {.workspace = r->workspace, .label = "[show]", .mode = CELL_SHOW, .emit = emit};
    bool named = text_is_name(what) && !workspace_var(r->workspace, what);
    c.text = named ? "" : what;
    c.only = named ? what : NULL;
    repl_took(r, workspace_run(&c));
}

static void do_ir(Repl *r, const char *rest) {
    size_t n = strcspn(rest, " ");
    const char *what = rest + n + strspn(rest + n, " ");
    if (*what) show_code(r, arena_strndup(r->workspace->arena, rest, n), what);
    else usage(r, "ir");
}

static void do_c(Repl *r, const char *rest) { show_code(r, "c", rest); }

/* ---- names */

static void do_doc(Repl *r, const char *rest) { doc_show(r->workspace, rest); }

static void do_vars(Repl *r, const char *rest) {
    (void)rest;
    for (int i = 0; i < r->workspace->vars.len; i++)
        printf("%s : %s\n", r->workspace->vars.data[i].name, r->workspace->vars.data[i].type);
}

static void do_explain(Repl *r, const char *rest) {
    Options o = *r->workspace->options;
    o.inputs.data = NULL, o.inputs.len = o.inputs.cap = 0;
    if (*rest) vec_push(session_arena(o.session), &o.inputs, intern(o.session, rest));
    take_status(r, cmd_explain(&o));
}

/* ---- files, the session */

static bool knows_file(const Repl *r, const char *path) {
    for (int i = 0; i < r->files.len; i++)
        if (same_file(path, r->files.data[i])) return true;
    return false;
}

static void do_load(Repl *r, const char *rest) {
    Arena *a = r->workspace->arena;
    size_t n;
    char *text = file_read(a, rest, &n);
    if (text) {
        dsl_set_home(home_of(r->workspace->options->session, rest));
        Outcome out = workspace_run(&(Cell){.workspace = r->workspace, .label = rest, .text = text, .quiet = true});
        if (!out.status && !out.signal) vec_push(a, &r->files, rest);
        repl_took(r, out);
        return;
    }
    fprintf(stderr, "error: cannot read '%s': %s\n", rest, strerror(errno));
    take_status(r, EXIT_DIAGNOSED);
}

static void do_save_over(Repl *r, const char *rest) {
    Workspace *w = r->workspace;
    LeftOut out;
    const char *text = workspace_text(w, w->arena, &out);
    if (!output_write(w->options, rest, text, strlen(text))) {
        take_status(r, diagnostics_flush(w->options));
        diag_clear(w->options->session);
        return;
    }
    vec_push(w->arena, &r->files, rest);
    printf("%d cells in %s\n", w->inputs.len - out.gone - out.unfit, rest);
    if (out.gone == 1) printf("note: 1 cell is left out: it needs a variable that is gone\n");
    if (out.gone > 1) printf("note: %d cells are left out: they need variables that are gone\n", out.gone);
    if (out.unfit == 1) printf("note: 1 cell is left out, as a comment: it does not fit the definitions of now\n");
    if (out.unfit > 1)
        printf("note: %d cells are left out, as comments: they do not fit the definitions of now\n", out.unfit);
    workspace_note_outdated(w);
}

/* Another's file is not replaced by accident. */
static void do_save(Repl *r, const char *rest) {
    if (access(rest, F_OK) || is_special_file(rest) || knows_file(r, rest)) {
        do_save_over(r, rest);
        return;
    }
    fprintf(stderr, "error: %s exists; :save! %s replaces it\n", rest, rest);
    take_status(r, EXIT_DIAGNOSED);
}

static void do_reset(Repl *r, const char *rest) {
    (void)rest;
    workspace_reset(r->workspace);
}

static void do_help(Repl *r, const char *rest) {
    (void)r, (void)rest;
    printf(
        "Expressions show their value (_ is the last one); let, var, fn, kernel, struct and the rest of the language\n"
        "define names that stay; what is defined anew replaces the old. Ctrl-C stops a computation.\n\n");
    for (int i = 0; i < COUNT; i++) printf("  :%-8s %-14s %s\n", table[i].name, table[i].args, table[i].doc);
}

static void do_quit(Repl *r, const char *rest) {
    (void)rest;
    r->done = true;
}

/* ---- which */

typedef void Action(Repl *r, const char *rest);
static Action *const actions[] = {
#define COMMAND(name, function, args, doc) function,
#include "repl/commands.def"
#undef COMMAND
};

static void unknown(Repl *r, const char *word) {
    const char *names[COUNT];
    for (int i = 0; i < COUNT; i++) names[i] = table[i].name;
    const char *near = spell_nearest(word, names, COUNT);
    if (near) fprintf(stderr, "error: there is no command ':%s'; did you mean ':%s'?\n", word, near);
    else fprintf(stderr, "error: there is no command ':%s'; :help lists them\n", word);
    take_status(r, EXIT_DIAGNOSED);
}

void command_run(Repl *r, const char *line) {
    Arena *a = r->workspace->arena;
    size_t n = strcspn(line + 1, " \t");
    const char *word = arena_strndup(a, line + 1, n), *rest = line + 1 + n + strspn(line + 1 + n, " \t");
    size_t len = strlen(rest);
    while (len && (rest[len - 1] == ' ' || rest[len - 1] == '\t')) len--;
    rest = arena_strndup(a, rest, len);
    for (int i = 0; i < COUNT; i++)
        if (!strcmp(table[i].name, word) ||
            (*word && (!strcmp(word, "q") || !strcmp(word, "exit")) && !strcmp(table[i].name, "quit"))) {
            bool quoted = !strncmp(table[i].args, "FILE", 4) && len > 1 && *rest == '"' &&
                          rest[len - 1] == '"'; /* :load "a file.dsl" */
            if (quoted) rest = arena_strndup(a, rest + 1, len - 2);
            if (*rest || !*table[i].args || *table[i].args == '[') actions[i](r, rest);
            else usage(r, table[i].name);
            return;
        }
    unknown(r, word);
}
