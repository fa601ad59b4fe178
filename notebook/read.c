/* From a script to cells: the percent format of Spyder, VS Code and Jupytext.
 *
 * A line `# %%` begins a cell; text before the first one is a cell, too.  In a prose cell comments are Markdown; what
 * follows them and is no comment would run with the script, so it is a code cell. */
#include "notebook/notebook.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double TOLERANCE = 1e-12; /* what another mathematical library may do to a result */

typedef struct Reader {
    Session *s;
    Notebook *n;
    const char *text;
    int file, at, len, line; /* at: offset of the line under way */
    NotebookCell cell;       /* under way */
    Text body;
} Reader;

typedef struct { const char *p; int n; } Piece;

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

static Piece trim(Piece x) {
    while (x.n && is_blank(x.p[0])) x.p++, x.n--;
    while (x.n && is_blank(x.p[x.n - 1])) x.n--;
    return x;
}

static Span span_of(const Reader *r, Piece x) {
    int lo = (int)(x.p - r->text);
    return (Span){r->file, lo, lo + x.n, 0};
}

static bool piece_is(Piece x, const char *s) { return (int)strlen(s) == x.n && !memcmp(x.p, s, (size_t)x.n); }
static const char *piece_str(const Reader *r, Piece x) { return intern_n(r->s, x.p, (size_t)x.n); }

/* ---- options */

static const struct { const char *name; unsigned bit; size_t number; } options[] = {
    {"hide-code", HIDE_CODE, 0},
    {"no-run", NO_RUN, 0},
    {"expect-error", EXPECT_ERROR, 0},
    {"tolerance", 0, offsetof(NotebookCell, tolerance)},
    {"absolute", 0, offsetof(NotebookCell, absolute)},
};
enum { OPTION_COUNT = sizeof options / sizeof *options };

/* name: without its value */
static void unknown_option(const Reader *r, Piece option, Piece name) {
    const char *names[OPTION_COUNT];
    for (int i = 0; i < OPTION_COUNT; i++) names[i] = options[i].name;
    Diag *d = diag_report(r->s, span_of(r, option), E_CELL_OPTION, piece_str(r, option));
    const char *near = spell_nearest(piece_str(r, name), names, OPTION_COUNT);
    if (near) diag_hint(r->s, d, "did you mean '%s'?", near);
    else diag_hint(r->s, d, "there are hide-code, no-run, expect-error, tolerance=NUMBER, absolute=NUMBER");
}

static void read_number(Reader *r, Piece name, Piece value, size_t field) {
    const char *text = piece_str(r, value);
    char *end;
    double x = strtod(text, &end);
    if (value.n && !*end && x >= 0 && isfinite(x)) {
        *(double *)((char *)&r->cell + field) = x;
        return;
    }
    Diag *d = diag_report(r->s, span_of(r, value.n ? value : name), E_CELL_NUMBER, piece_str(r, name));
    diag_hint(r->s, d, "as in %s=1e-9", piece_str(r, name));
}

static void read_option(Reader *r, Piece x) {
    const char *equals = memchr(x.p, '=', (size_t)x.n);
    Piece name = x, value = {x.p + x.n, 0};
    if (equals) {
        name.n = (int)(equals - x.p);
        value = trim((Piece){equals + 1, (int)(x.p + x.n - equals - 1)});
    }
    name = trim(name);
    if (!name.n && !equals) return;
    for (int i = 0; i < OPTION_COUNT; i++) {
        if (!piece_is(name, options[i].name) || (equals && options[i].bit)) continue;
        r->cell.options |= options[i].bit;
        if (!options[i].bit) read_number(r, name, value, options[i].number);
        return;
    }
    unknown_option(r, equals && name.n ? trim(x) : name, name);
}

static void read_options(Reader *r, Piece x) {
    while (x.n) {
        const char *comma = memchr(x.p, ',', (size_t)x.n);
        int n = comma ? (int)(comma - x.p) : x.n;
        read_option(r, (Piece){x.p, n});
        n += comma != NULL;
        x.p += n, x.n -= n;
    }
}

/* ---- the line that begins a cell */

/* What stands behind %%; false: the line is no such line, as the lexer has it. */
static bool is_marker(Piece line, Piece *rest) {
    int i = 1;
    if (!line.n || line.p[0] != '#') return false;
    while (i < line.n && (line.p[i] == ' ' || line.p[i] == '\t')) i++;
    if (i + 2 > line.n || line.p[i] != '%' || line.p[i + 1] != '%') return false;
    *rest = trim((Piece){line.p + i + 2, line.n - i - 2});
    return true;
}

/* [markdown] before or behind the title, or alone without its brackets */
static Piece read_kind(Reader *r, Piece x) {
    const char *open = NULL, *close = x.n ? memchr(x.p, ']', (size_t)x.n) : NULL;
    for (int i = 0; close && x.p + i < close; i++)
        if (x.p[i] == '[') open = x.p + i;
    if (!open) {
        bool prose = piece_is(x, "markdown") || piece_is(x, "md");
        if (prose) r->cell.kind = CELL_PROSE, x.n = 0;
        return x;
    }
    Piece kind = trim((Piece){open + 1, (int)(close - open - 1)}), before = {x.p, (int)(open - x.p)},
          behind = {close + 1, (int)(x.p + x.n - close - 1)};
    if (piece_is(kind, "markdown") || piece_is(kind, "md")) {
        r->cell.kind = CELL_PROSE;
        return trim(trim(before).n ? before : behind);
    }
    if (open > x.p) return x;
    Diag *d = diag_report(r->s, span_of(r, kind), E_CELL_KIND, piece_str(r, kind));
    diag_hint(r->s, d, "prose begins with # %%%% [markdown]");
    return x;
}

static void read_marker(Reader *r, Piece rest) {
    const char *brace = NULL;
    for (int i = 0; i < rest.n; i++)
        if (rest.p[i] == '{') brace = rest.p + i;
    if (brace && rest.p[rest.n - 1] == '}') {
        read_options(r, (Piece){brace + 1, (int)(rest.p + rest.n - brace - 2)});
        rest = trim((Piece){rest.p, (int)(brace - rest.p)});
    }
    Piece title = read_kind(r, rest);
    r->cell.title = arena_strndup(r->n->arena, title.p, (size_t)title.n);
}

/* ---- cells */

static void begin_cell(Reader *r, CellKind kind) {
    r->cell = (NotebookCell){.kind = kind, .title = "", .tolerance = r->cell.tolerance, .absolute = r->cell.absolute};
    text_init(&r->body, r->n->arena);
}

/* Takes the blank lines around the text away. */
static const char *trimmed(Text *t, int *line) {
    const char *p = text_str(t), *end = p + t->len;
    while (end > p && (end[-1] == '\n' || is_blank(end[-1]))) end--;
    for (const char *q = p; q < end; q++) {
        if (*q == '\n') p = q + 1, ++*line;
        else if (!is_blank(*q)) break;
    }
    return end > p ? arena_printf(t->arena, "%.*s\n", (int)(end - p), p) : "";
}

static void end_cell(Reader *r) {
    NotebookCell *c = &r->cell;
    c->text = trimmed(&r->body, &c->line);
    if (*c->text || *c->title) vec_push(r->n->arena, &r->n->cells, *c);
}

/* Prose without its "# " */
static Piece without_hash(Piece line) {
    if (line.n) line.p++, line.n--;
    if (line.n && line.p[0] == ' ') line.p++, line.n--;
    return line;
}

static void add_line(Reader *r, Piece line) {
    Piece text = trim(line);
    if (r->cell.kind == CELL_PROSE && text.n && text.p[0] != '#') {
        end_cell(r);
        begin_cell(r, CELL_CODE);
    }
    if (r->cell.kind == CELL_PROSE) line = without_hash(text);
    if (!r->body.len) r->cell.line = r->line;
    text_add(&r->body, line.p, (size_t)line.n);
    text_add(&r->body, "\n", 1);
}

static Piece next_line(Reader *r) {
    const char *p = r->text + r->at, *end = memchr(p, '\n', (size_t)(r->len - r->at));
    Piece line = {p, end ? (int)(end - p) : r->len - r->at};
    r->at += line.n + (end != NULL);
    r->line++;
    while (line.n && line.p[line.n - 1] == '\r') line.n--;
    return line;
}

static void read_cells(Reader *r) {
    Piece rest;
    if (!strncmp(r->text, "\xEF\xBB\xBF", 3)) r->at = 3;
    begin_cell(r, CELL_CODE);
    while (r->at < r->len) {
        Piece line = next_line(r);
        if (!is_marker(line, &rest)) {
            add_line(r, line);
            continue;
        }
        end_cell(r);
        begin_cell(r, CELL_CODE);
        r->cell.line = r->line + 1;
        read_marker(r, rest);
    }
    end_cell(r);
}

/* ---- the title */

static const char *first_heading(const Notebook *n) {
    for (int i = 0; i < n->cells.len; i++) {
        const NotebookCell *c = &n->cells.data[i];
        for (const char *p = c->text; c->kind == CELL_PROSE && *p; p += strcspn(p, "\n") + 1)
            if (p[strspn(p, "#")] == ' ' && *p == '#') {
                p += strspn(p, "# ");
                return arena_strndup(n->arena, p, strcspn(p, "\n"));
            }
    }
    return NULL;
}

Notebook *notebook_read(const Options *o, const char *path) {
    Session *s = o->session;
    int file = source_read(s, path);
    if (file < 0) return diag_report(s, NO_SPAN, E_CANNOT_READ, path, strerror(errno)), NULL;
    if (!source_is_text(s, file)) return NULL;
    Arena *a = arena_new();
    Reader r = {.s = s, .n = NEW(a, Notebook), .file = file, .cell.tolerance = TOLERANCE};
    size_t len;
    r.text = source_text(s, file, &len);
    r.len = (int)len;
    r.n->arena = a;
    r.n->file = file;
    r.n->path = arena_printf(a, "%s", path);
    int before = diag_error_count(s);
    read_cells(&r);
    if (diag_error_count(s) > before) return notebook_free(r.n), NULL;
    const char *heading = first_heading(r.n);
    r.n->title = heading && *heading ? heading : path_name(r.n->path);
    return r.n;
}

void notebook_free(Notebook *n) { arena_free(n->arena); }
