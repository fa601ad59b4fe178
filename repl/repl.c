/* dslc repl: reads a text, evaluates it, shows what it is; again.
 *
 * A text is a line, or several when a bracket is open or an operator ends the line; an empty line ends an expression,
 * not a block.  Without a terminal there are no prompts, and --stop-on-error ends at the first error. */
#include "repl/repl.h"
#include "repl/words.h"

#include "driver/build.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int repl_took(Repl *r, Outcome out) {
    int status = out.signal ? EXIT_DIAGNOSED : out.status;
    if (status > r->status) r->status = status;
    return status;
}

int repl_evaluate(Repl *r, const char *text, CellMode mode) {
    Workspace *w = r->workspace;
    Cell c = {.workspace = w, .mode = mode, .echo = mode != CELL_TYPE};
    c.text = arena_printf(w->arena, "%s", text);
    c.label = arena_printf(w->arena, "[%d]", ++w->cells);
    Outcome out = workspace_run(&c);
    if (out.signal == SIGPIPE) r->done = true;
    workspace_prepare(w);
    return repl_took(r, out);
}

static const char *after_blanks(const char *text) { return text + strspn(text, " \t"); }

/* What other prompts take to end or to help, unless a variable has the name */
static bool is_word_for_command(const Repl *r, const char *text) {
    static const char *const words[] = {"quit", "exit", "help"};
    size_t n = strcspn(text, "( \t"), behind = n + strspn(text + n, "() \t");
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!text[behind] && n == strlen(words[i]) && !strncmp(text, words[i], n))
            return !workspace_var(r->workspace, words[i]) && !workspace_def(r->workspace, words[i]);
    return false;
}

/* "?solve", "solve?": the name in it, or NULL */
static const char *asked_name(Arena *a, const char *text) {
    size_t n = strlen(text), skip = *text == '?';
    while (n && strchr(" \t\r\n", text[n - 1])) n--;
    if (n < 2 || (!skip && text[n - 1] != '?')) return NULL;
    const char *name = arena_strndup(a, text + skip, n - 1);
    return text_is_name(name) ? name : NULL;
}

static void evaluate(Repl *r, const char *text) {
    if (text_is_blank(text)) return;
    const char *command = after_blanks(text), *asked = asked_name(r->workspace->arena, command);
    if (*command == ':') command_run(r, command);
    else if (is_word_for_command(r, command))
        fprintf(stderr, "hint: commands begin with a colon: :%.*s\n", (int)strcspn(command, "( \t"), command);
    else if (asked) fprintf(stderr, "hint: :doc %s says what it means\n", asked);
    else if (!doc_head(r->workspace, command)) repl_evaluate(r, text, CELL_RUN);
    if (fflush(stdout) || ferror(stdout)) r->done = true; /* nobody listens */
}

/* The next text; NULL at the end of the input. */
static const char *read_text(Repl *r, Arena *a) {
    Text t;
    text_init(&t, a);
    for (bool more = false, stopped;; more = true) {
        const char *line = input_line(r->input, more, &stopped);
        if (stopped) return "";
        if (!line) return t.len ? text_str(&t) : NULL;
        text_printf(&t, more ? "\n%s" : "%s", line);
        if (!strncmp(line, "##", 2)) continue; /* belongs to what follows */
        TextEnd end = *after_blanks(text_str(&t)) == ':' ? TEXT_ENDS : cell_end(text_str(&t));
        if (end == TEXT_ENDS || (end == TEXT_IN_EXPRESSION && more && text_is_blank(line))) return text_str(&t);
    }
}

static void loop(Repl *r) {
    while (!r->done) {
        Arena *a = arena_new();
        const char *text = read_text(r, a);
        if (!text) r->done = true;
        else {
            if (!text_is_blank(text)) input_remember(r->input, text);
            evaluate(r, text);
            if (r->status && r->workspace->options->stop_on_error) r->done = true;
        }
        arena_free(a);
    }
}

int cmd_repl(const Options *given) {
    Options own = *given;
    const Options *o = &own;
    int refused = cell_code_begin(&own);
    if (refused) return refused;
    Repl r = {.workspace = workspace_new(o), .terminal = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO)};
    for (int i = 0; i < o->inputs.len; i++) command_run(&r, intern_printf(o->session, ":load %s", o->inputs.data[i]));
    if (r.terminal) printf("dslc; :help shows what can be done here, Ctrl-D ends\n");
    if (r.terminal) signal(SIGINT, SIG_IGN); /* a key while a line is edited, the cell's affair while one runs */
    signal(SIGPIPE, SIG_IGN);
    setenv("DSL_TELL_PLOTS", "1", 1); /* runtime/gnuplot.c */
    r.input = input_open(&r);
    loop(&r);
    input_close(r.input);
    int status = r.terminal ? EXIT_OK : r.status;
    workspace_free(r.workspace);
    return status;
}
