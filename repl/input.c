/* Lines: libedit on a terminal, stdio otherwise. */
#include "driver/build.h"
#include "repl/repl.h"

#include <errno.h>
#include <histedit.h>
#include <locale.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { HISTORY = 2000 };

struct Lines {
    Repl *repl;
    EditLine *el; /* NULL: not a terminal */
    History *history;
    const char *history_file;
    bool more;    /* the line continues a text */
    bool stopped;
    char *line;
    size_t size;
};

static Lines *input_of(EditLine *el) {
    Lines *in = NULL;
    el_get(el, EL_CLIENTDATA, &in);
    return in;
}

static char *prompt(EditLine *el) {
    static char first[] = "> ", next[] = ". ";
    return input_of(el)->more ? next : first;
}

/* Ctrl-C while a line is edited is a key like others: the line stays on the screen, and a new one begins below. */
static unsigned char stop(EditLine *el, int key) {
    FILE *out;
    (void)key;
    input_of(el)->stopped = true;
    el_get(el, EL_GETFP, 1, &out);
    fputs("^C\n", out);
    return CC_NEWLINE;
}

static unsigned char suspend(EditLine *el, int key) {
    (void)key;
    el_set(el, EL_PREP_TERM, 0);
    raise(SIGTSTP);
    el_set(el, EL_PREP_TERM, 1);
    return CC_REDISPLAY;
}

/* ---- completion */

static size_t common_prefix(const Words *w) {
    size_t n = strlen(w->list.data[0]);
    for (int i = 1; i < w->list.len; i++) {
        size_t k = 0;
        while (k < n && w->list.data[i][k] == w->list.data[0][k]) k++;
        n = k;
    }
    return n;
}

static void show_choices(EditLine *el, const Words *w) {
    FILE *out;
    el_get(el, EL_GETFP, 1, &out);
    fputc('\n', out);
    for (int i = 0; i < w->list.len; i++) fprintf(out, "%s%s", w->list.data[i], i + 1 < w->list.len ? "  " : "\n");
}

static unsigned char complete(EditLine *el, int key) {
    (void)key;
    Lines *in = input_of(el);
    const LineInfo *li = el_line(el);
    Words w = {.arena = arena_new()};
    int typed = complete_line(in->repl, arena_strndup(w.arena, li->buffer, (size_t)(li->cursor - li->buffer)), &w);
    unsigned char result = CC_REFRESH_BEEP;
    if (w.list.len) {
        size_t n = common_prefix(&w);
        if (n > (size_t)typed) {
            el_insertstr(el, arena_strndup(w.arena, w.list.data[0] + typed, n - (size_t)typed));
            result = CC_REFRESH;
        } else if (w.list.len > 1) {
            show_choices(el, &w);
            result = CC_REDISPLAY;
        }
    }
    arena_free(w.arena);
    return result;
}

#ifdef __SANITIZE_ADDRESS__
/* libedit never frees the names of functions that are added to it; nobody else copies wide characters. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) { return "leak:wcsdup\n"; }
const char *__lsan_default_options(void);
const char *__lsan_default_options(void) { return "print_suppressions=0"; }
#endif

/* ---- history */

/* NULL: there is no place for it. */
static const char *history_path(Session *s) {
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME"), *dir;
    if (state && *state == '/') dir = intern_printf(s, "%s/dslc", state);
    else if (home && *home) dir = intern_printf(s, "%s/.local/state/dslc", home);
    else return NULL;
    return folders_make(s, dir) ? intern_printf(s, "%s/history", dir) : NULL;
}

void input_remember(Lines *in, const char *text) {
    HistEvent ev;
    if (!in->history) return;
    history(in->history, &ev, H_ENTER, text);
    if (in->history_file) history(in->history, &ev, H_SAVE, in->history_file);
}

/* ---- opening, closing, reading */

/* While the user thinks about the first key, what cells are made with is loaded. */
static int first_key(EditLine *el, wchar_t *key) {
    el_set(el, EL_GETCFN, EL_BUILTIN_GETCFN);
    cell_code_prepare(input_of(el)->repl->workspace->options);
    return el_wgetc(el, key);
}

static void open_terminal(Lines *in) {
    HistEvent ev;
    setlocale(LC_CTYPE, "");
    in->el = el_init("dslc", stdin, stdout, stderr);
    in->history = history_init();
    in->history_file = history_path(in->repl->workspace->options->session);
    history(in->history, &ev, H_SETSIZE, HISTORY);
    history(in->history, &ev, H_SETUNIQUE, 1);
    if (in->history_file) history(in->history, &ev, H_LOAD, in->history_file);
    el_set(in->el, EL_CLIENTDATA, in);
    el_set(in->el, EL_PROMPT, prompt);
    el_set(in->el, EL_EDITOR, "emacs");
    el_set(in->el, EL_HIST, history, in->history);
    el_set(in->el, EL_ADDFN, "complete", "complete the word", complete);
    el_set(in->el, EL_BIND, "^I", "complete", NULL);
    el_set(in->el, EL_BIND, "^R", "em-inc-search-prev", NULL);
    el_set(in->el, EL_ADDFN, "stop", "forget the line", stop);
    el_set(in->el, EL_ADDFN, "suspend", "leave the terminal to others", suspend);
    el_set(in->el, EL_SETTY, "-d", "-isig", NULL);
    el_set(in->el, EL_BIND, "^C", "stop", NULL);
    el_set(in->el, EL_BIND, "^Z", "suspend", NULL);
    el_source(in->el, NULL);
    el_set(in->el, EL_GETCFN, first_key);
}

Lines *input_open(Repl *r) {
    Lines *in = NEW(r->workspace->arena, Lines);
    in->repl = r;
    if (r->terminal) open_terminal(in);
    return in;
}

void input_close(Lines *in) {
    if (in->el) el_end(in->el);
    if (in->history) history_end(in->history);
    free(in->line);
}

static const char *keep(Lines *in, const char *text, size_t n) {
    if (n + 1 > in->size) {
        in->line = realloc(in->line, in->size = 2 * n + 64);
        if (!in->line) fatal_oom();
    }
    memcpy(in->line, text, n);
    in->line[n] = 0;
    return in->line;
}

static const char *terminal_line(Lines *in, bool *stopped) {
    int n = 0;
    in->stopped = false;
    const char *text = el_gets(in->el, &n);
    *stopped = in->stopped;
    if (!text || n <= 0) return NULL;
    return keep(in, text, (size_t)n - (text[n - 1] == '\n'));
}

/* The rest of the line would be lost. */
static void say_nul(Repl *r) {
    fprintf(stderr, "error: a line with NUL (byte 0) in it is left out\n");
    if (r->status < EXIT_DIAGNOSED) r->status = EXIT_DIAGNOSED;
}

const char *input_line(Lines *in, bool more, bool *stopped) {
    in->more = more;
    *stopped = false;
    if (in->el) return terminal_line(in, stopped);
    ssize_t n = getline(&in->line, &in->size, stdin);
    if (n < 0) return NULL;
    *stopped = strlen(in->line) < (size_t)n;
    if (*stopped) say_nul(in->repl);
    if (n && in->line[n - 1] == '\n') in->line[--n] = 0;
    if (n && in->line[n - 1] == '\r') in->line[n - 1] = 0;
    return in->line;
}
