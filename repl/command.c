/* Lines that begin with a colon.  The table is commands.def. */
#include "repl/repl.h"

#include "driver/build.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const ReplCommand table[] = {
#define COMMAND(name, args, doc) {#name, args, doc},
#include "repl/commands.def"
#undef COMMAND
};
enum { COUNT = sizeof table / sizeof *table };

const ReplCommand *repl_commands(int *n) {
    *n = COUNT;
    return table;
}

#define COMMAND(name, args, doc) static void do_##name(Repl *r, const char *rest);
#include "repl/commands.def"
#undef COMMAND

/* ---- about expressions */

static void do_type(Repl *r, const char *rest) { repl_evaluate(r, rest, CELL_TYPE); }
static void do_time(Repl *r, const char *rest) { repl_evaluate(r, rest, CELL_TIME); }

/* A function's name shows the function; any other text is shown as a cell would run it. */
static void show_code(Repl *r, const char *emit, const char *what) {
    Cell c = {.workspace = r->workspace, .label = "[show]", .mode = CELL_SHOW, .emit = emit};
    bool named = workspace_def(r->workspace, what) != NULL;
    c.text = named ? "" : what;
    c.only = named ? what : NULL;
    workspace_run(&c);
}

static void do_ir(Repl *r, const char *rest) {
    size_t n = strcspn(rest, " ");
    const char *what = rest + n + strspn(rest + n, " ");
    if (*what) show_code(r, arena_strndup(r->workspace->arena, rest, n), what);
    else printf("usage: :ir STAGE NAME, with STAGE one of ir par loops\n");
}

static void do_c(Repl *r, const char *rest) {
    if (*rest) show_code(r, "c", rest);
    else printf("usage: :c NAME\n");
}

/* ---- names */

static const char *builtin_doc(const char *name) {
    static const struct { const char *name, *doc; } builtins[] = {
#define BUILTIN(id, name, kind, doc) {name, doc},
#include "frontend/builtins.def"
#undef BUILTIN
    };
    for (size_t i = 0; i < sizeof builtins / sizeof *builtins; i++)
        if (!strcmp(builtins[i].name, name)) return *builtins[i].doc ? builtins[i].doc : "elementwise, as in mathematics";
    return NULL;
}

static const char *line_start(const char *text, const char *p) {
    while (p > text && p[-1] != '\n') p--;
    return p;
}

/* A function's name, parameters and result */
static int head_length(const char *p) {
    int n = 0, depth = 0;
    for (; p[n] && (depth || !strchr("\n{=", p[n])); n++) depth += (p[n] == '(' || p[n] == '[') - (p[n] == ')' || p[n] == ']');
    while (n && p[n - 1] == ' ') n--;
    return n;
}

/* The comment lines above a definition in the library, then its head; false when it is not there. */
static bool library_doc(const char *text, const char *name) {
    bool found = false;
    size_t n = strlen(name);
    for (const char *p = text; (p = strstr(p, "fn ")); p++) {
        if (strncmp(p + 3, name, n) || p[3 + n] != '(' || p != line_start(text, p)) continue;
        const char *first = p;
        while (first > text && !strncmp(line_start(text, first - 1), "##", 2)) first = line_start(text, first - 1);
        for (const char *q = first; q < p; q += strcspn(q, "\n") + 1) {
            const char *line = q + 2 + (q[2] == ' ');
            printf("%.*s\n", (int)strcspn(line, "\n"), line);
        }
        printf("%.*s\n", head_length(p), p);
        found = true;
    }
    return found;
}

static void do_doc(Repl *r, const char *rest) {
    const Variable *v = workspace_var(r->workspace, rest);
    bool found = v != NULL;
    if (v) printf("%s : %s\n", v->name, v->type);
    for (int i = 0; i < r->workspace->defs.len; i++) {
        const Definition *d = &r->workspace->defs.data[i];
        if (strcmp(d->name, rest)) continue;
        printf("%s%s%s   (%s)\n", d->doc ? d->doc : "", d->doc ? "\n" : "", d->head, d->label);
        found = true;
    }
    int n;
    const StdlibFile *lib = stdlib_files(&n);
    for (int i = 0; i < n && !found; i++) found = library_doc(lib[i].text, rest);
    const char *doc = found ? NULL : builtin_doc(rest);
    if (doc) printf("%s: %s\n", rest, doc);
    else if (!found) printf("nothing is called '%s'\n", rest);
}

static void do_vars(Repl *r, const char *rest) {
    (void)rest;
    for (int i = 0; i < r->workspace->vars.len; i++) printf("%s : %s\n", r->workspace->vars.data[i].name, r->workspace->vars.data[i].type);
}

static void do_explain(Repl *r, const char *rest) {
    Options o = *r->workspace->options;
    o.inputs.data = NULL, o.inputs.len = o.inputs.cap = 0;
    if (*rest) vec_push(session_arena(o.session), &o.inputs, intern(o.session, rest));
    cmd_explain(&o);
}

/* ---- files, the session */

static void do_load(Repl *r, const char *rest) {
    Arena *a = r->workspace->arena;
    size_t n;
    char *text = *rest ? file_read(a, rest, &n) : NULL;
    if (text) {
        Outcome out = workspace_run(&(Cell){.workspace = r->workspace, .label = rest, .text = text, .quiet = true});
        int status = out.signal ? EXIT_DIAGNOSED : out.status;
        if (status > r->status) r->status = status;
        return;
    }
    fprintf(stderr, "error: cannot read '%s': %s\n", rest, *rest ? strerror(errno) : "no file was named");
    if (r->status < EXIT_DIAGNOSED) r->status = EXIT_DIAGNOSED;
}

static void do_save(Repl *r, const char *rest) {
    Workspace *w = r->workspace;
    if (!*rest) {
        printf("usage: :save FILE.dsl\n");
        return;
    }
    const char *text = workspace_text(w, w->arena);
    if (!output_write(w->options, rest, text, strlen(text))) {
        diagnostics_flush(w->options), diag_clear(w->options->session);
        return;
    }
    printf("%d cells in %s\n", w->inputs.len, rest);
    workspace_note_outdated(w);
}

static void do_reset(Repl *r, const char *rest) {
    (void)rest;
    workspace_reset(r->workspace);
}

static void do_help(Repl *r, const char *rest) {
    (void)r, (void)rest;
    printf("Expressions show their value (_ is the last one); let, var, fn, kernel, struct and the rest of the language\n"
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
#define COMMAND(name, args, doc) do_##name,
#include "repl/commands.def"
#undef COMMAND
};

static void unknown(Repl *r, const char *word) {
    const char *names[COUNT];
    for (int i = 0; i < COUNT; i++) names[i] = table[i].name;
    const char *near = spell_nearest(word, names, COUNT);
    if (near) fprintf(stderr, "error: there is no command ':%s'; did you mean ':%s'?\n", word, near);
    else fprintf(stderr, "error: there is no command ':%s'; :help lists them\n", word);
    if (r->status < EXIT_DIAGNOSED) r->status = EXIT_DIAGNOSED;
}

void command_run(Repl *r, const char *line) {
    Arena *a = r->workspace->arena;
    size_t n = strcspn(line + 1, " \t");
    const char *word = arena_strndup(a, line + 1, n), *rest = line + 1 + n + strspn(line + 1 + n, " \t");
    size_t len = strlen(rest);
    while (len && (rest[len - 1] == ' ' || rest[len - 1] == '\t')) len--;
    bool quoted = len > 1 && *rest == '"' && rest[len - 1] == '"'; /* :load "a file.dsl" */
    rest = arena_strndup(a, rest + quoted, len - 2 * (size_t)quoted);
    for (int i = 0; i < COUNT; i++)
        if (!strcmp(table[i].name, word) || (*word && (!strcmp(word, "q") || !strcmp(word, "exit")) && !strcmp(table[i].name, "quit"))) {
            actions[i](r, rest);
            return;
        }
    unknown(r, word);
}
