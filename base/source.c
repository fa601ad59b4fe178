/* Source files: their text, and where in it a byte offset lies.
 * Line starts are found once, when a file is added; a place is a binary search. */
#include "base/private.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

static const Source *get(const Session *s, int file) {
    if (file < 0 || file >= s->sources.len) bug("no source file %d", file);
    return &s->sources.data[file];
}

/* Reads the stream to its end into malloc'd memory; NULL with errno set when that fails. */
static char *read_all(FILE *in, size_t *len) {
    size_t cap = 1 << 16, got;
    char *text = malloc(cap);
    if (!text) fatal_oom();
    for (*len = 0; (got = fread(text + *len, 1, cap - *len, in)) > 0;) {
        *len += got;
        if (*len >= INT_MAX / 2) break;
        if (*len < cap) continue;
        char *more = realloc(text, cap *= 2);
        if (!more) fatal_oom();
        text = more;
    }
    int err = ferror(in) ? errno : *len >= INT_MAX / 2 ? EFBIG : 0;
    if (!err) return text;
    free(text);
    errno = err;
    return NULL;
}

int source_add(Session *s, const char *path, const char *text, size_t len) {
    if (len >= INT_MAX / 2) bug("source text of %zu bytes", len);
    Source f = {.path = intern(s, path), .len = (int)len};
    f.text = arena_strndup(s->arena, text, len);
    vec_push(s->arena, &f.line_starts, 0);
    for (int i = 0; i < f.len; i++)
        if (f.text[i] == '\n') vec_push(s->arena, &f.line_starts, i + 1);
    vec_push(s->arena, &s->sources, f);
    return s->sources.len - 1;
}

int source_read(Session *s, const char *path) {
    FILE *in = fopen(path, "rb");
    if (!in) return -1;
    size_t len;
    char *text = read_all(in, &len);
    int err = errno;
    fclose(in);
    errno = err;
    if (!text) return -1;
    int file = source_add(s, path, text, len);
    free(text);
    return file;
}

void source_set_library(Session *s, int file) { s->sources.data[file].library = true; }
bool source_is_library(const Session *s, Span at) { return at.file >= 0 && get(s, at.file)->library; }

const char *source_path(const Session *s, int file) { return get(s, file)->path; }

const char *source_text(const Session *s, int file, size_t *len) {
    const Source *f = get(s, file);
    if (len) *len = (size_t)f->len;
    return f->text;
}

const char *source_copy(Session *s, Span at) {
    return intern_n(s, get(s, at.file)->text + at.lo, (size_t)(at.hi - at.lo));
}

int source_count(const Session *s) { return s->sources.len; }

/* ---- places in bodies that stand for calls */

static int via_of(Session *s, Span call, const char *what) {
    const char *key = intern_printf(s, "via %d:%d:%d:%d %s", call.file, call.lo, call.hi, call.via, what);
    intptr_t via = (intptr_t)map_get(&s->caller_index, key);
    if (via) return (int)via;
    vec_push(s->arena, &s->callers, ((Caller){call, what}));
    via = s->callers.len;
    map_put(s->arena, &s->caller_index, key, (void *)via);
    return (int)via;
}

/* The calls of `inner` (0: none), and behind them that of `outer`; each pair is looked at once. */
static int via_joined(Session *s, int inner, int outer) {
    if (!inner) return outer;
    const void *key = (const void *)((uintptr_t)(unsigned)inner << 32 | (unsigned)outer);
    intptr_t known = (intptr_t)map_get(&s->joined_calls, key);
    if (known) return (int)known;
    Caller c = s->callers.data[inner - 1];
    c.at.via = via_joined(s, c.at.via, outer);
    int via = via_of(s, c.at, c.what);
    map_put(s->arena, &s->joined_calls, key, (void *)(intptr_t)via);
    return via;
}

/* The call is the outermost one: it goes behind those that the place has already. */
Span span_called(Session *s, Span at, Span call, const char *what) {
    at.via = via_joined(s, at.via, via_of(s, call, what));
    return at;
}

bool span_caller(const Session *s, Span at, Span *call, const char **what) {
    if (!at.via) return false;
    *call = s->callers.data[at.via - 1].at;
    *what = s->callers.data[at.via - 1].what;
    return true;
}

/* ---- lines */

/* The last line that starts at or before the offset. */
static int find_line(const Source *f, int offset) {
    int lo = 0, hi = f->line_starts.len;
    while (hi - lo > 1) {
        int mid = lo + (hi - lo) / 2;
        if (f->line_starts.data[mid] <= offset) lo = mid;
        else hi = mid;
    }
    return lo;
}

Place source_place(const Session *s, int file, int offset) {
    const Source *f = get(s, file);
    offset = offset < 0 ? 0 : offset > f->len ? f->len : offset;
    int line = find_line(f, offset), start = f->line_starts.data[line];
    bool last = line + 1 == f->line_starts.len;
    int end = last ? f->len : f->line_starts.data[line + 1] - 1, col = 1;
    int32_t cp;
    for (int i = start; i < offset; col++) i += utf8_next(f->text + i, f->len - i, &cp);
    if (end > start && f->text[end - 1] == '\r') end--;
    return (Place){line + 1, col, f->text + start, end - start};
}

const char *path_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

const char *path_beside(Arena *a, const char *path, const char *name) {
    int folder = (int)(path_name(path) - path);
    return *name == '/' ? name : arena_printf(a, "%.*s%s", folder, path, name);
}
