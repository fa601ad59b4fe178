/* What the user is told: recorded while compiling, printed in source order.
 *
 * The table is diags.def.  A diagnostic keeps its text, its place, notes (each with its own place)
 * and hints.  Printing shows the source line with tabs widened, so that the carets below it stand
 * under the span whatever the terminal's tab stops; columns in `file:line:col` count code points. */
#include "base/private.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { MAX_PRINTED = 50, TAB = 4 };

static const DiagInfo table[] = {
#define DIAG(id, code, severity, message, explanation) [id] = {#id, code, severity, message, explanation},
#include "diags.def"
#undef DIAG
};

const DiagInfo *diag_info(DiagId id) {
    if ((unsigned)id >= DIAG_COUNT) bug("no diagnostic %d", (int)id);
    return &table[id];
}

const DiagInfo *diag_find(const char *code) {
    for (int i = 0; i < DIAG_COUNT; i++)
        if (!strcasecmp(table[i].code, code)) return &table[i];
    return NULL;
}

/* ---- recording */

static bool same_span(Span a, Span b) {
    return (a.file < 0 && b.file < 0) || (a.file == b.file && a.lo == b.lo && a.hi == b.hi);
}

static const char *vformat(Session *s, const char *fmt, va_list ap) {
    Text t;
    text_init(&t, s->arena);
    text_vprintf(&t, fmt, ap);
    return text_str(&t);
}

/* Without a place only the text tells two diagnostics apart, and only until it was printed. */
static Diag *find_unplaced(const Session *s, DiagId id, const char *text) {
    for (int i = s->diags.len - 1; i >= 0; i--) {
        Diag *d = s->diags.data[i];
        if (d->id == id && d->at.file < 0 && !d->flushed && !strcmp(d->text, text)) return d;
    }
    return NULL;
}

static const char *key_of(Session *s, Span at, DiagId id) {
    return intern_printf(s, "%d:%d:%d:%d", id, at.file, at.lo, at.hi);
}

/* Whether it was reported before: at one place each diagnostic is said once. */
static Diag *find_same(Session *s, Span at, DiagId id, const char *text) {
    if (at.file < 0) return find_unplaced(s, id, text);
    return map_get(&s->placed, key_of(s, at, id));
}

static void record(Session *s, Diag *d) {
    vec_push(s->arena, &s->diags, d);
    if (d->at.file >= 0) map_put(s->arena, &s->placed, key_of(s, d->at, d->id), d);
    s->error_count += d->severity == SEV_ERROR;
}

static Severity severity_of(const Session *s, DiagId id) {
    bool error = s->warnings_are_errors || table[id].severity == SEV_ERROR ||
                 map_get(&s->asked, &table[id]) == &s->error;
    return error ? SEV_ERROR : SEV_WARNING;
}

void diag_in_dead_code(Session *s, bool on) { s->dead_code = on; }

static bool is_of_values(DiagId id) {
    switch (id) {
    case E_ZERO_DIVISOR:
    case E_SIZE_NEGATIVE:
    case E_INDEX_RANGE:
    case E_NEGATIVE_INDEX:
    case E_SLICE_RANGE:
    case E_SLICE_BACKWARDS:
    case E_RANGE_NEGATIVE: case E_RESHAPE: return true;
    default: return false;
    }
}

static bool is_wanted(const Session *s, DiagId id) {
    if (s->dead_code && is_of_values(id)) return false;
    const void *asked = map_get(&s->asked, &table[id]);
    return asked ? asked != &s->off : table[id].severity != SEV_EXTRA;
}

void diag_warnings_as_errors(Session *s) { s->warnings_are_errors = true; }

/* W_RACE_UNKNOWN has the name race-unknown. */
static bool has_name(const DiagInfo *row, const char *name) {
    const char *id = row->id + strlen("W_");
    for (; *id && *name; id++, name++)
        if (*id == '_' ? *name != '-' : *name != *id - 'A' + 'a') return false;
    return !*id && !*name;
}

static bool ask(Session *s, const char *name, char *how) {
    bool found = false;
    for (int i = 0; i < DIAG_COUNT; i++) {
        const DiagInfo *row = &table[i];
        if (row->severity == SEV_ERROR || (strcmp(name, "all") && strcasecmp(row->code, name) && !has_name(row, name)))
            continue;
        map_put(s->arena, &s->asked, row, how);
        found = true;
    }
    return found;
}

bool diag_set_warning(Session *s, const char *name, bool on) { return ask(s, name, on ? &s->on : &s->off); }
bool diag_warning_as_error(Session *s, const char *name) { return ask(s, name, &s->error); }

Diag *diag_report(Session *s, Span at, DiagId id, ...) {
    va_list ap;
    va_start(ap, id);
    const char *text = vformat(s, diag_info(id)->message, ap);
    va_end(ap);
    Diag *d = find_same(s, at, id, text);
    if (d) return d;
    d = NEW(s->arena, Diag);
    *d = (Diag){.id = id, .severity = severity_of(s, id), .number = s->diags.len, .at = at, .text = text};
    if (!is_wanted(s, id)) return d;
    record(s, d);
    return d;
}

void diag_note(Session *s, Diag *d, Span at, const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    Note note = {at, vformat(s, fmt, ap)};
    va_end(ap);
    for (int i = 0; i < d->notes.len; i++)
        if (same_span(d->notes.data[i].at, at) && !strcmp(d->notes.data[i].text, note.text)) return;
    vec_push(s->arena, &d->notes, note);
}

void diag_move(Session *s, Diag *d, Span to, const char *fmt, ...) {
    if (same_span(d->at, to)) return;
    va_list ap;
    va_start(ap, fmt);
    diag_note(s, d, d->at, "%s", vformat(s, fmt, ap));
    va_end(ap);
    const Diag *there = find_same(s, to, d->id, d->text);
    map_put(s->arena, &s->placed, key_of(s, d->at, d->id), NULL); /* another may come from there */
    d->at = to;
    if (there) d->flushed = true;
    else map_put(s->arena, &s->placed, key_of(s, to, d->id), d);
}

void diag_hint(Session *s, Diag *d, const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    const char *text = vformat(s, fmt, ap);
    va_end(ap);
    for (int i = 0; i < d->hints.len; i++)
        if (!strcmp(d->hints.data[i], text)) return;
    vec_push(s->arena, &d->hints, text);
}

void diag_fix(Session *s, Diag *d, bool sure, Span at, const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    Fix fix = {at, vformat(s, fmt, ap), sure};
    va_end(ap);
    for (int i = 0; i < d->fixes.len; i++)
        if (same_span(d->fixes.data[i].at, at) && !strcmp(d->fixes.data[i].text, fix.text)) return;
    if (at.file >= 0) vec_push(s->arena, &d->fixes, fix);
}

int diag_error_count(const Session *s) { return s->error_count; }

bool diag_was_reported(const Session *s, DiagId id) {
    for (int i = 0; i < s->diags.len; i++)
        if (s->diags.data[i]->id == id) return true;
    return false;
}

bool diag_error_in(const Session *s, int file) {
    for (int i = 0; i < s->diags.len; i++)
        if (s->diags.data[i]->severity == SEV_ERROR && s->diags.data[i]->at.file == file) return true;
    return false;
}

void diag_drop_warnings(Session *s, int file) {
    int n = 0;
    for (int i = 0; i < s->diags.len; i++)
        if (s->diags.data[i]->severity == SEV_ERROR || s->diags.data[i]->at.file == file)
            s->diags.data[n++] = s->diags.data[i];
    s->diags.len = n;
}

int diag_count(const Session *s) {
    int n = 0;
    for (int i = 0; i < s->diags.len; i++) n += !s->diags.data[i]->flushed;
    return n;
}

void diag_clear(Session *s) {
    s->diags.len = 0;
    s->placed = (Map){0};
    s->error_count = 0;
}

/* ---- printing */

typedef struct { const Session *session; FILE *out; bool color; } Printer;

static const char BOLD[] = "\033[1m", RED[] = "\033[1;31m", MAGENTA[] = "\033[1;35m", CYAN[] = "\033[1;36m",
                  GREEN[] = "\033[1;32m", PLAIN[] = "\033[0m";

static void put_colored(const Printer *p, const char *color, const char *text) {
    fprintf(p->out, "%s%s%s", p->color ? color : "", text, p->color ? PLAIN : "");
}

static bool is_combining(int32_t c) {
    return (c >= 0x300 && c < 0x370) || (c >= 0x200B && c <= 0x200F) || (c >= 0x20D0 && c < 0x2100) ||
           (c >= 0xFE00 && c <= 0xFE0F);
}

static bool is_wide(int32_t c) {
    return (c >= 0x1100 && c < 0x1160) || (c >= 0x2E80 && c < 0xA4D0) || (c >= 0xAC00 && c < 0xD7A4) ||
           (c >= 0xF900 && c < 0xFB00) || (c >= 0xFE30 && c < 0xFE70) || (c >= 0xFF00 && c < 0xFF61) ||
           (c >= 0x1F300 && c < 0x1FB00) || (c >= 0x20000 && c < 0x40000);
}

/* What would upset a terminal or reorder what it shows is written as an escape; -1: a byte that is no UTF-8. */
static bool is_printable(int32_t c) {
    return c >= 0x20 && !(c >= 0x7F && c < 0xA0) && !(c >= 0x202A && c <= 0x202E) && !(c >= 0x2066 && c <= 0x2069);
}

static const char *escape(char buf[16], int32_t c, char byte) {
    snprintf(buf, 16, c >= 0x80 ? "\\u{%x}" : "\\x%02x", c < 0 ? (unsigned char)byte : (unsigned)c);
    return buf;
}

/* Columns that a code point takes on a terminal when it starts at column col. */
static int width(int32_t c, char byte, int col) {
    char buf[16];
    if (c == '\t') return TAB - col % TAB;
    if (!is_printable(c)) return (int)strlen(escape(buf, c, byte));
    return is_combining(c) ? 0 : is_wide(c) ? 2 : 1;
}

/* The column on the terminal at which byte n of the line stands. */
static int column_of(const char *line, int n) {
    int col = 0;
    int32_t c;
    for (int i = 0; i < n;) {
        char byte = line[i];
        i += utf8_next(line + i, n - i, &c);
        col += width(c, byte, col);
    }
    return col;
}

/* Prints a line: tabs widened, what is not printable escaped. */
static void put_line(const Printer *p, const char *line, int n) {
    int32_t c;
    char buf[16];
    for (int i = 0, col = 0, len; i < n; i += len) {
        len = utf8_next(line + i, n - i, &c);
        int w = width(c, line[i], col);
        if (c == '\t') fprintf(p->out, "%*s", w, "");
        else if (!is_printable(c)) fputs(escape(buf, c, line[i]), p->out);
        else fwrite(line + i, 1, (size_t)len, p->out);
        col += w;
    }
}

/* Prints a text of one or several lines likewise. */
static void put_text(const Printer *p, const char *text) {
    for (;; text++) {
        size_t n = strcspn(text, "\n");
        put_line(p, text, (int)n);
        text += n;
        if (!*text) return;
        fputc('\n', p->out);
    }
}

static void put_repeated(FILE *out, char c, int n) {
    while (n-- > 0) fputc(c, out);
}

enum { LONG_LINE = 400, BEFORE_CARET = 60, AROUND_CARET = 160 };

/* The part of a very long line that is worth showing: [*from, *to) around byte lo. */
static void clip_line(const char *line, int len, int lo, int *from, int *to) {
    *from = 0;
    *to = len;
    if (len <= LONG_LINE) return;
    *from = lo > BEFORE_CARET ? lo - BEFORE_CARET : 0;
    *to = *from + AROUND_CARET < len ? *from + AROUND_CARET : len;
    while (*from < lo && ((unsigned char)line[*from] & 0xC0) == 0x80) ++*from;
    while (*to < len && ((unsigned char)line[*to] & 0xC0) == 0x80) ++*to;
}

/* The line on which the span starts, and carets under as much of the span as lies on it. */
static void put_snippet(const Printer *p, Span at, const Place *place, const char *color) {
    size_t len;
    const char *line = place->text, *text = source_text(p->session, at.file, &len);
    int start = (int)(line - text), lo = at.lo - start, hi = at.hi - start;
    lo = lo < 0 ? 0 : lo > place->text_len ? place->text_len : lo;
    hi = hi > place->text_len ? place->text_len : hi;
    int from, to;
    clip_line(line, place->text_len, lo, &from, &to);
    const char *left = from ? "... " : "", *right = to < place->text_len ? " ..." : "";
    line += from, lo -= from, hi = (hi < to ? hi : to) - from;
    fprintf(p->out, "%5d |%s%s", place->line, place->text_len ? " " : "", left);
    put_line(p, line, to - from);
    fprintf(p->out, "%s\n      | ", right);
    int col = column_of(line, lo), end = hi > lo ? column_of(line, hi) : col;
    put_repeated(p->out, ' ', from ? 4 : 0);
    put_repeated(p->out, ' ', col);
    if (p->color) fputs(color, p->out);
    put_repeated(p->out, '^', end > col ? end - col : 1);
    fprintf(p->out, "%s\n", p->color ? PLAIN : "");
}

static bool has_place(const Printer *p, Span at) { return at.file >= 0 && at.file < source_count(p->session); }

/* `path:line:col: label: text` and the snippet; without a place, `label: text`. */
static void put_message(const Printer *p, Span at, const char *color, const char *label, const char *text,
                        const char *indent) {
    bool placed = has_place(p, at);
    Place place = {0};
    if (placed) {
        place = source_place(p->session, at.file, at.lo);
        fputs(p->color ? BOLD : "", p->out);
        put_text(p, source_path(p->session, at.file));
        fprintf(p->out, ":%d:%d:%s ", place.line, place.col, p->color ? PLAIN : "");
    } else {
        fputs(indent, p->out);
    }
    put_colored(p, color, label);
    fputc(' ', p->out);
    put_text(p, text);
    fputc('\n', p->out);
    if (placed) put_snippet(p, at, &place, color);
}

static void put_diag(const Printer *p, const Diag *d) {
    const DiagInfo *info = &table[d->id];
    bool error = d->severity == SEV_ERROR;
    char label[64];
    snprintf(label, sizeof label, "%s[%s]:", error ? "error" : "warning", info->code);
    put_message(p, d->at, error ? RED : MAGENTA, label, d->text, "");
    for (int i = 0; i < d->notes.len; i++)
        put_message(p, d->notes.data[i].at, CYAN, "note:", d->notes.data[i].text, "  ");
    for (int i = 0; i < d->hints.len; i++) {
        fputs("  ", p->out);
        put_colored(p, GREEN, "hint:");
        fputc(' ', p->out);
        put_text(p, d->hints.data[i]);
        fputc('\n', p->out);
    }
}

static int by_place(const void *pa, const void *pb) {
    const Diag *a = *(Diag *const *)pa, *b = *(Diag *const *)pb;
    if (a->at.file != b->at.file) return a->at.file < b->at.file ? -1 : 1;
    if (a->at.file >= 0 && a->at.lo != b->at.lo) return a->at.lo < b->at.lo ? -1 : 1;
    return a->number < b->number ? -1 : a->number > b->number;
}

Diag **diag_take_pending(Session *s, int *n) {
    Diag **list = NEWN(s->arena, Diag *, s->diags.len);
    *n = 0;
    for (int i = 0; i < s->diags.len; i++) {
        Diag *d = s->diags.data[i];
        if (d->flushed) continue;
        d->flushed = true;
        list[(*n)++] = d;
    }
    qsort(list, (size_t)*n, sizeof *list, by_place);
    return list;
}

static void put_rest(FILE *out, int count, const char *what) {
    int rest = count - MAX_PRINTED;
    if (rest > 0) fprintf(out, "%d more %s%s\n", rest, what, rest > 1 ? "s" : "");
}

void diag_flush(Session *s, FILE *out, bool color) {
    Printer p = {s, out, color};
    int n, errors = 0, warnings = 0;
    Diag **list = diag_take_pending(s, &n);
    for (int i = 0; i < n; i++) {
        int *count = list[i]->severity == SEV_ERROR ? &errors : &warnings;
        if (++*count <= MAX_PRINTED) put_diag(&p, list[i]);
    }
    put_rest(out, errors, "error");
    put_rest(out, warnings, "warning");
}
