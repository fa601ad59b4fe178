/* What is said of a definition: its head, as people would quote it, and its comment.
 *
 * Texts that others wrote, the library's and those of imported files, are parsed for it. */
#include "repl/workspace.h"

#include "driver/build.h"

#include <string.h>

/* A text on one line: white space becomes a blank, ends of lines between fields become commas. */
static const char *on_one_line(Arena *a, const char *text, int n) {
    Text t;
    text_init(&t, a);
    for (int i = 0; i < n; i++) {
        bool blank = strchr(" \t\r\n", text[i]) != NULL, ends = false;
        char last = t.len ? text_str(&t)[t.len - 1] : ' ';
        for (; i < n && strchr(" \t\r\n", text[i]); i++) ends |= text[i] == '\n';
        if (i == n) break;
        if (ends && !strchr("{([,", last) && !strchr("})]", text[i])) text_printf(&t, ",");
        text_printf(&t, "%s%c", blank && !strchr("([", last) ? " " : "", text[i]);
    }
    return text_str(&t);
}

/* Where the head of a definition ends in its text: a body in braces does not belong to it. */
static int head_end(const Stmt *st) {
    const Decl *d = st->kind == ST_DECL ? st->decl : NULL;
    return d && d->body ? d->body->span.lo : st->span.hi;
}

const char *definition_head(Session *s, const Stmt *st) {
    const char *text = source_text(s, st->span.file, NULL) + st->span.lo;
    int n = head_end(st) - st->span.lo;
    while (n > 0 && strchr(" \t\r\n", text[n - 1])) n--;
    return on_one_line(session_arena(s), text, n);
}

const char *definition_name(const Stmt *st) {
    if (st->kind == ST_LET && st->var_kind == VAR_CONST) return st->names.data[0];
    if (st->kind != ST_DECL || st->decl->kind == DECL_TEST || st->decl->kind == DECL_BENCH) return NULL;
    return st->decl->name;
}

static void put(const char *doc, const char *head, const char *where) {
    printf("%s%s%s", doc ? doc : "", doc ? "\n" : "", head);
    if (where) printf("   (%s)", where);
    printf("\n");
}

/* Says what a file defines by this name; where: NULL: the library.  False: nothing. */
static bool doc_in_file(const char *text, const char *name, const char *where) {
    Session *s = session_new();
    const Unit *u = parse_file(s, source_add(s, "", text, strlen(text)));
    bool found = false;
    for (int i = 0; i < u->stmts.len; i++) {
        const Stmt *st = u->stmts.data[i];
        const char *other = definition_name(st);
        if (!other || strcmp(other, name)) continue;
        put(st->kind == ST_DECL ? st->decl->doc : NULL, definition_head(s, st), where);
        found = true;
    }
    session_free(s);
    return found;
}

static bool doc_imported(Workspace *w, const char *name) {
    Arena *a = arena_new();
    Paths files = workspace_imports(w, a);
    bool found = false;
    for (int i = 0; i < files.len; i++) {
        size_t n;
        const char *text = file_read(a, files.data[i], &n);
        found |= text && doc_in_file(text, name, files.data[i]);
    }
    arena_free(a);
    return found;
}

static bool doc_library(const char *name) {
    bool found = false;
    int n;
    const StdlibFile *lib = stdlib_files(&n);
    for (int i = 0; i < n; i++) found |= doc_in_file(lib[i].text, name, NULL);
    return found;
}

static bool doc_builtin(const char *name) {
    static const struct { const char *name, *doc; } builtins[] = {
#define BUILTIN(id, name, kind, doc) {name, doc},
#include "frontend/builtins.def"
#undef BUILTIN
    };
    for (size_t i = 0; i < sizeof builtins / sizeof *builtins; i++)
        if (!strcmp(builtins[i].name, name)) return printf("%s: %s\n", name, *builtins[i].doc ? builtins[i].doc : "elementwise, as in mathematics"), true;
    return false;
}

static bool doc_own(Workspace *w, const char *name) {
    const Variable *v = workspace_var(w, name);
    bool found = v != NULL;
    if (v) printf("%s : %s\n", v->name, v->type);
    for (int i = 0; i < w->defs.len; i++) {
        const Definition *d = &w->defs.data[i];
        if (strcmp(d->name, name) || !strcmp(d->what, "import")) continue;
        put(d->doc, d->head, d->label);
        found = true;
    }
    return found;
}

void doc_show(Workspace *w, const char *name) {
    if (!doc_own(w, name) && !doc_imported(w, name) && !doc_library(name) && !doc_builtin(name)) printf("nothing is called '%s'\n", name);
}
