/* What is said of a definition: its head, as people would quote it, and its comment.
 *
 * Texts that others wrote, the library's and those of imported files, are parsed for it.  Words of the language:
 * language.def. */
#include "repl/words.h"
#include "repl/workspace.h"

#include "driver/build.h"

#include <string.h>

/* White space and comments from text[i] on are left out; ends: a line ended there. */
static int skip_blank(const char *text, int i, int n, bool *ends) {
    for (; i < n && strchr(" \t\r\n#", text[i]); i++) {
        if (text[i] == '#') i += (int)strcspn(text + i, "\n");
        *ends |= i < n && text[i] == '\n';
    }
    return i < n ? i : n;
}

/* A text on one line: white space becomes a blank, ends of lines between fields become commas. */
static const char *on_one_line(Arena *a, const char *text, int n) {
    Text t;
    text_init(&t, a);
    for (int i = 0, quotes = 0; i < n; i++) {
        bool quoted = quotes % 2, blank = !quoted && strchr(" \t\r\n#", text[i]) != NULL, ends = false;
        char last = t.len ? text_str(&t)[t.len - 1] : ' ';
        if (blank) i = skip_blank(text, i, n, &ends);
        if (i == n) break;
        if (ends && !strchr("{([,", last) && !strchr("})]", text[i])) text_printf(&t, ",");
        quotes += text[i] == '"';
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

/* ---- looking a name up */

typedef struct Look {
    Workspace *w;
    const char *name;
    bool brief; /* without comments */
    bool found, is_const;
    Text text;
} Look;

static void put(Look *l, const char *doc, const char *head, const char *where) {
    l->found = true;
    if (doc && !l->brief) text_printf(&l->text, "%s\n", doc);
    text_printf(&l->text, "%s", head);
    if (where) text_printf(&l->text, "   (%s)", where);
    text_printf(&l->text, "\n");
}

/* What a file defines by this name; where: NULL: the library */
static void look_in_file(Look *l, const char *text, const char *where) {
    Session *s = session_new();
    const Unit *u = parse_file(s, source_add(s, "", text, strlen(text)));
    for (int i = 0; i < u->stmts.len; i++) {
        const Stmt *st = u->stmts.data[i];
        const char *other = definition_name(st);
        if (!other || strcmp(other, l->name)) continue;
        put(l, st->kind == ST_DECL ? st->decl->doc : NULL, definition_head(s, st), where);
        l->is_const |= st->kind == ST_LET;
    }
    session_free(s);
}

static void look_in_imports(Look *l) {
    Arena *a = arena_new();
    Paths files = workspace_imports(l->w, a);
    for (int i = 0; i < files.len; i++) {
        size_t n;
        const char *text = file_read(a, files.data[i], &n);
        if (text) look_in_file(l, text, files.data[i]);
    }
    arena_free(a);
}

static void look_in_library(Look *l) {
    int n;
    const StdlibFile *lib = stdlib_files(&n);
    for (int i = 0; i < n; i++) look_in_file(l, lib[i].text, NULL);
}

static void look_in_builtins(Look *l) {
    static const struct { const char *name, *doc; } builtins[] = {
#define BUILTIN(id, name, kind, doc) {name, doc},
#include "frontend/builtins.def"
#undef BUILTIN
    };
    for (size_t i = 0; i < sizeof builtins / sizeof *builtins; i++)
        if (!strcmp(builtins[i].name, l->name)) {
            l->found = true;
            text_printf(&l->text, "%s: %s\n", l->name,
                        *builtins[i].doc ? builtins[i].doc : "elementwise, as in mathematics");
        }
}

static void look_in_session(Look *l) {
    const Variable *v = workspace_var(l->w, l->name);
    if (v && strcmp(v->type, "function")) put(l, NULL, arena_printf(l->w->arena, "%s : %s", v->name, v->type), NULL);
    else if (v) put(l, NULL, v->given, NULL);
    for (int i = 0; i < l->w->defs.len; i++) {
        const Definition *d = &l->w->defs.data[i];
        if (strcmp(d->name, l->name) || !strcmp(d->what, "import")) continue;
        put(l, d->doc, d->head, d->label);
        l->is_const |= !strcmp(d->what, "const");
    }
}

/* ---- words of the language */

static void look_in_words(Look *l) {
    static const struct { const char *name, *doc, *section; } words[] = {
#define WORD(name, doc, section) {name, doc, section},
#include "repl/language.def"
#undef WORD
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!strcmp(words[i].name, l->name))
            put(l, NULL, words[i].doc, arena_printf(l->w->arena, "docs/language.md, %s", words[i].section));
}

static const char *type_doc(Arena *a, DType t) {
    switch (dtype_info(t)->kind) {
    case DK_BOOL: return "true or false";
    case DK_STR: return "a text";
    default: break;
    }
    const char *what = dtype_is_float(t)                ? "floating-point numbers"
                       : dtype_info(t)->kind == DK_UINT ? "whole numbers from 0 on"
                                                        : "whole numbers";
    return arena_printf(a, "%s of %d bits", what, 8 * dtype_info(t)->bytes);
}

static void look_in_types(Look *l) {
    Arena *a = l->w->arena;
    for (int i = 0; i < DT_COUNT; i++) {
        DType t = (DType)i;
        bool is_int = t == DT_I64 && !strcmp(l->name, "int"); /* another name of i64 */
        if (!is_int && strcmp(dtype_info(t)->name, l->name)) continue;
        put(l, NULL, arena_printf(a, "%s: %s; %s[n] is an array of n of them", l->name, type_doc(a, t), l->name),
            "docs/language.md, Types and literals");
    }
}

/* ---- asking */

static void look(Look *l) {
    static void (*const places[])(Look *) = {look_in_session, look_in_imports, look_in_library, look_in_builtins};
    text_init(&l->text, l->w->arena);
    for (size_t i = 0; i < sizeof places / sizeof *places && !l->found; i++) places[i](l);
}

bool doc_head(Workspace *w, const char *name) {
    Look l = {.w = w, .name = name, .brief = true};
    const Variable *v = workspace_var(w, name);
    if (!text_is_name(name) || (v && strcmp(v->type, "function"))) return false;
    look(&l);
    if (!l.found || l.is_const) return false;
    fputs(text_str(&l.text), stdout);
    return true;
}

void doc_show(Workspace *w, const char *name) {
    Look l = {.w = w, .name = name};
    look(&l);
    if (!l.found) look_in_words(&l);
    if (!l.found) look_in_types(&l);
    if (!l.found) text_printf(&l.text, "nothing is called '%s'\n", name);
    fputs(text_str(&l.text), stdout);
    fflush(stdout);
    if (l.is_const) workspace_run(&(Cell){.workspace = w, .label = "[doc]", .text = name, .mode = CELL_LOOK});
}
