/* The file of kept outputs: writing and reading (the form is in outputs.h). */
#include "notebook/outputs.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

static const char head[] = "# What the cells of ";
static const char letters[] = {[OUT_TEXT] = '|', [OUT_VALUE] = '=', [OUT_ERROR] = '!', [OUT_FIGURE] = '~'};
enum { SHOWN = ':' }; /* the lines of what a figure shows */

const char *outputs_path(const Options *o, const char *script) {
    size_t n = strlen(script), k = strlen(".dsl");
    bool usual = n > k && !strcmp(script + n - k, ".dsl");
    return intern_printf(o->session, "%.*s.out", (int)(usual ? n - k : n), script);
}

static const char not_a_file[] = "it is no regular file";

/* ---- writing */

static void put_line(Arena *a, OutputLines *into, char letter, const char *text, size_t n) {
    const char *line = n ? arena_printf(a, "%c %.*s", letter, (int)n, text) : arena_printf(a, "%c", letter);
    vec_push(a, into, line);
}

static void put_lines(Arena *a, OutputLines *into, char letter, const char *text) {
    while (*text) {
        size_t n = strcspn(text, "\n");
        put_line(a, into, letter, text, n);
        text += n + (text[n] == '\n');
    }
}

void outputs_lines(Arena *a, const NotebookCell *c, OutputLines *into) {
    for (int i = 0; i < c->outputs.len; i++) {
        const Output *x = &c->outputs.data[i];
        if (x->kind != OUT_FIGURE) {
            put_lines(a, into, letters[x->kind], x->text);
            continue;
        }
        put_line(a, into, letters[OUT_FIGURE], x->figure.name, strlen(x->figure.name));
        put_lines(a, into, SHOWN, x->figure.data);
    }
}

static void put_cell(Text *t, const NotebookCell *c) {
    OutputLines lines = {0};
    outputs_lines(t->arena, c, &lines);
    text_printf(t, "\n%%%%%s%s\n", *c->title ? " " : "", c->title);
    for (int i = 0; i < lines.len; i++) text_printf(t, "%s\n", lines.data[i]);
}

/* A file of that name may be something else: a program's expected output, a.out.  False: reported. */
bool outputs_may_replace(const Options *o, const char *script) {
    const char *path = outputs_path(o, script);
    char line[sizeof head] = "";
    if (is_special_file(path)) return diag_report(o->session, NO_SPAN, E_CANNOT_WRITE, path, not_a_file), false;
    FILE *f = fopen(path, "rb");
    if (!f) return true;
    size_t n = fread(line, 1, sizeof head - 1, f);
    fclose(f);
    if (!n || !strcmp(line, head)) return true;
    Diag *d = diag_report(o->session, NO_SPAN, E_CANNOT_WRITE, path, "it is there, and holds no outputs of a notebook");
    diag_hint(o->session, d, "move it away, or give the notebook another name");
    return false;
}

bool outputs_write(const Options *o, const Notebook *n, const Notebook *kept) {
    Text t;
    const int *pair = kept ? cells_pair_up(n, kept) : NULL;
    const char *path = outputs_path(o, n->path);
    text_init(&t, n->arena);
    text_printf(&t, "%s%s put out; written by dslc notebook --update %s\n", head, path_name(n->path),
                path_name(n->path));
    for (int i = 0; i < n->cells.len; i++) {
        const NotebookCell *c = &n->cells.data[i], *old = pair && pair[i] >= 0 ? &kept->cells.data[pair[i]] : NULL;
        if (cell_is_run(c)) put_cell(&t, old && outputs_distance(c, old) <= c->tolerance ? old : c);
    }
    return output_write(o, path, text_str(&t), (size_t)t.len);
}

/* ---- reading */

typedef struct Reading {
    Session *s;
    Notebook *n;
    Output *under_way; /* the output that lines are added to; NULL: none */
    Text body;         /* of it */
    int file;
} Reading;

static void end_output(Reading *r) {
    if (!r->under_way) return;
    if (r->under_way->kind == OUT_FIGURE) r->under_way->figure.data = text_str(&r->body);
    else r->under_way->text = text_str(&r->body);
    r->under_way = NULL;
}

static void begin_output(Reading *r, Output x) {
    NotebookCell *c = &vec_last(&r->n->cells);
    end_output(r);
    vec_push(r->n->arena, &c->outputs, x);
    r->under_way = &vec_last(&c->outputs);
    text_init(&r->body, r->n->arena);
}

static void begin_cell(Reading *r, const char *title, size_t n, int line) {
    NotebookCell c = {.title = arena_strndup(r->n->arena, title, n), .text = "", .line = line};
    end_output(r);
    vec_push(r->n->arena, &r->n->cells, c);
}

/* False: it is no line of an output. */
static bool read_output(Reading *r, const char *line, size_t n) {
    const char *text = n > 1 ? line + 2 : "", *letter = memchr(letters, line[0], sizeof letters);
    size_t len = n > 1 ? n - 2 : 0;
    bool figure = r->under_way && r->under_way->kind == OUT_FIGURE;
    if (!r->n->cells.len || (n > 1 && line[1] != ' ') || (!letter && !(line[0] == SHOWN && figure))) return false;
    OutputKind kind = letter ? (OutputKind)(letter - letters) : OUT_FIGURE;
    if (line[0] == letters[OUT_FIGURE]) {
        begin_output(r, (Output){.kind = kind, .text = "", .figure.name = arena_strndup(r->n->arena, text, len)});
        return true;
    }
    if (!r->under_way || r->under_way->kind != kind) begin_output(r, (Output){.kind = kind, .text = ""});
    text_add(&r->body, text, len);
    text_add(&r->body, "\n", 1);
    return true;
}

static bool bad_line(Reading *r, int lo, int hi) {
    Diag *d = diag_report(r->s, (Span){r->file, lo, hi, 0}, E_OUTPUTS_SYNTAX);
    diag_hint(r->s, d, "'dslc notebook --update' writes the file anew");
    return false;
}

/* Lines end in \r\n when the first does: version control may have done that.  Else a \r was printed. */
static bool read_lines(Reading *r, const char *text, size_t len) {
    size_t first = strcspn(text, "\n");
    bool crlf = first && text[first - 1] == '\r';
    int number = 0;
    for (size_t at = 0, n; at < len; at += n + 1) {
        const char *line = text + at;
        n = strcspn(line, "\n");
        size_t bare = crlf && n && line[n - 1] == '\r' ? n - 1 : n;
        number++;
        if (!bare || line[0] == '#') continue;
        if (bare > 1 && !strncmp(line, "%%", 2))
            begin_cell(r, line + 2 + (line[2] == ' '), bare - 2 - (line[2] == ' '), number);
        else if (!read_output(r, line, bare)) return bad_line(r, (int)at, (int)(at + bare));
    }
    end_output(r);
    return true;
}

static void cannot_read(const Options *o, const char *path, const char *script) {
    bool missing = errno == ENOENT;
    Diag *d = diag_report(o->session, NO_SPAN, E_CANNOT_READ, path, strerror(errno));
    if (missing) diag_hint(o->session, d, "'dslc notebook --update %s' keeps what its cells put out there", script);
}

Notebook *outputs_read(const Options *o, const char *script) {
    Session *s = o->session;
    const char *path = outputs_path(o, script);
    if (is_special_file(path)) return diag_report(s, NO_SPAN, E_CANNOT_READ, path, not_a_file), NULL;
    int file = source_read(s, path);
    if (file < 0) return cannot_read(o, path, script), NULL;
    if (!source_is_text(s, file)) return NULL;
    Arena *a = arena_new();
    Reading r = {.s = s, .n = NEW(a, Notebook), .file = file};
    size_t len;
    const char *text = source_text(s, file, &len);
    *r.n = (Notebook){.arena = a, .path = arena_printf(a, "%s", path), .title = "", .file = file};
    if (read_lines(&r, text, len)) return r.n;
    notebook_free(r.n);
    return NULL;
}
