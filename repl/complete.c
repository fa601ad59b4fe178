/* What a word may become: commands after a colon, files inside quotes but for the values of f"{...}", fields after a
 * point, else names. */
#include "repl/repl.h"
#include "repl/words.h"

#include "driver/build.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

static void add(Words *w, const char *name, const char *start) {
    if (strncmp(name, start, strlen(start))) return;
    for (int i = 0; i < w->list.len; i++)
        if (!strcmp(w->list.data[i], name)) return;
    vec_push(w->arena, &w->list, arena_printf(w->arena, "%s", name));
}

static int by_text(const void *a, const void *b) { return strcmp(*(const char *const *)a, *(const char *const *)b); }

static void add_commands(Words *w, const char *start) {
    int n;
    const ReplCommand *c = repl_commands(&n);
    for (int i = 0; i < n; i++) add(w, c[i].name, start);
}

static void add_files(Words *w, const char *path) {
    const char *slash = strrchr(path, '/');
    const char *dir = slash ? arena_strndup(w->arena, path, (size_t)(slash - path + 1)) : "";
    DIR *d = opendir(*dir ? dir : ".");
    for (struct dirent *f; d && (f = readdir(d));)
        if (f->d_name[0] != '.' || (slash ? slash[1] : path[0]) == '.')
            add(w, arena_printf(w->arena, "%s%s%s", dir, f->d_name, f->d_type == DT_DIR ? "/" : ""), path);
    if (d) closedir(d);
}

/* The names that a file defines, found without reading it as a program: those behind fn, kernel, const and struct at
 * the left margin */
static void add_from_text(Words *w, const char *text, const char *start) {
    static const char *const words[] = {"fn ", "kernel ", "const ", "struct "};
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        for (const char *p = text; (p = strstr(p, words[k])); p++) {
            const char *name = p + strlen(words[k]);
            size_t n = 0;
            while (char_in_word(name[n])) n++;
            bool inner = name[0] == '_' && start[0] != '_'; /* the file's own affair */
            if ((p == text || p[-1] == '\n') && n && !inner) add(w, arena_strndup(w->arena, name, n), start);
        }
}

static void add_names(Repl *r, Words *w, const char *start) {
    static const char *const words[] = {
#define BUILTIN(id, name, kind, doc) name,
#include "frontend/builtins.def"
#undef BUILTIN
#define WORD(name, doc, section) name,
#include "repl/language.def"
#undef WORD
        "int",
    };
    int n;
    const StdlibFile *lib = stdlib_files(&n);
    for (int i = 0; i < r->workspace->vars.len; i++) add(w, r->workspace->vars.data[i].name, start);
    for (int i = 0; i < r->workspace->defs.len; i++)
        if (strcmp(r->workspace->defs.data[i].what, "import")) add(w, r->workspace->defs.data[i].name, start);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) add(w, words[i], start);
    for (int i = 0; i < n; i++) add_from_text(w, lib[i].text, start);
    Paths files = workspace_imports(r->workspace, w->arena);
    for (int i = 0; i < files.len; i++) {
        size_t size;
        const char *text = file_read(w->arena, files.data[i], &size);
        if (text) add_from_text(w, text, start);
    }
    for (int i = 0; i < DT_COUNT; i++) add(w, dtype_info((DType)i)->name, start);
}

/* The text from a struct's name on: in the session, else in a file that it imports; NULL: there is none. */
static const char *struct_text(Repl *r, Words *w, const char *name) {
    const Definition *d = workspace_def(r->workspace, name);
    if (d) return d->text;
    const char *begin = arena_printf(w->arena, "struct %s", name);
    Paths files = workspace_imports(r->workspace, w->arena);
    for (int i = 0; i < files.len; i++) {
        size_t size;
        const char *text = file_read(w->arena, files.data[i], &size);
        const char *found = text ? text_find(text, text, begin) : NULL;
        if (found) return found;
    }
    return NULL;
}

/* Fields of the struct that a variable has: from the text of its definition, "struct P { x: f64, y: f64 }" */
static void add_fields(Repl *r, Words *w, const char *variable, const char *start) {
    const Variable *v = workspace_var(r->workspace, variable);
    const char *text = v ? struct_text(r, w, v->type) : NULL;
    const char *p = text ? strchr(text, '{') : NULL;
    add(w, "T", start);
    for (; p && *p && *p != '}'; p++) {
        size_t n = 0;
        while (char_in_word(p[n])) n++;
        const char *after = p + n + strspn(p + n, " ");
        if (n && *after == ':') {
            add(w, arena_strndup(w->arena, p, n), start);
            int depth = 0;
            while (p[1] && ((p[1] != ',' && p[1] != '\n' && p[1] != '}') || depth)) {
                p++;
                depth += (*p == '[') - (*p == ']');
            }
        } else if (n) {
            p += n - 1;
        }
    }
}

static const char *open_quote(const char *line) {
    const char *open = NULL;
    for (const char *p = line; *p; p++)
        if (*p == '"') open = open ? NULL : p + 1;
    return open;
}

/* Whether a value of f"..." is being written at the end of the line; quote: behind the open quote */
static bool in_value(const char *line, const char *quote) {
    bool value = false, format = false;
    int depth = 0;
    if (quote < line + 2 || quote[-2] != 'f' || (quote > line + 2 && char_in_word(quote[-3]))) return false;
    for (const char *p = quote; *p; p++) {
        if (!value && p[0] == '{' && p[1] == '{') p++;
        else if (!value) value = *p == '{', format = false, depth = 0;
        else if (!depth && *p == '}') value = false;
        else if (!depth && *p == ':') format = true;
        else depth += (strchr("([{", *p) != NULL) - (strchr(")]}", *p) != NULL);
    }
    return value && !format;
}

int complete_line(Repl *r, const char *line, Words *w) {
    const char *end = line + strlen(line), *start = end, *quote = open_quote(line);
    while (start > line && char_in_word(start[-1])) start--;
    if (quote && !in_value(line, quote)) start = quote, add_files(w, start);
    else if (!strncmp(line, ":load ", 6) || !strncmp(line, ":save ", 6)) start = line + 6, add_files(w, start);
    else if (!strncmp(line, ":save! ", 7)) start = line + 7, add_files(w, start);
    else if (line[0] == ':' && start == line + 1) add_commands(w, start);
    else if (start > line && start[-1] == '.') {
        const char *dot = start - 1, *name = dot;
        while (name > line && char_in_word(name[-1])) name--;
        add_fields(r, w, arena_strndup(w->arena, name, (size_t)(dot - name)), start);
    } else if (end > start) add_names(r, w, start);
    if (w->list.len) qsort(w->list.data, (size_t)w->list.len, sizeof *w->list.data, by_text);
    return (int)(end - start);
}
