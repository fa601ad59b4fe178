/* From the process of a cell back to the session: texts, scalars, arrays, then the word that says it is whole.
 * Arrays lie 64 bytes apart, so that the session maps the file and uses them where they are.  Of a large one the file
 * may hold only where it lies in the memory of the cell's process, which waits (hand_over.c): it is copied from there
 * into large pages, once, where through the file it is copied and then read page by page by each later cell. */
#include "repl/workspace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

enum { ALIGN = 64 };
static const char WHOLE[8] = "dslcell";

/* ---- writing */

static void put(FILE *f, const void *p, size_t n) { fwrite(p, 1, n, f); }
static void put_int(FILE *f, int64_t x) { put(f, &x, sizeof x); }

static void put_text(FILE *f, const char *s) {
    put_int(f, s ? (int64_t)strlen(s) : -1);
    if (s) put(f, s, strlen(s) + 1);
}

static size_t bytes_of(const dsl_array *a) { return (size_t)a->count * (size_t)dsl_dtype_bytes(a->dtype); }

static void put_array(FILE *f, const dsl_array *a, bool whole) {
    put_int(f, a->rank);
    put(f, a->dim, sizeof a->dim);
    put_int(f, a->count);
    static const char zeros[ALIGN];
    long at = ftell(f);
    if (a->dtype == DT_STR) {
        for (int64_t i = 0; i < a->count; i++) put_text(f, ((const char *const *)a->data)[i]);
        return;
    }
    bool apart = !whole && bytes_of(a) >= ROOM;
    put_int(f, apart ? (int64_t)(uintptr_t)a->data : 0);
    if (apart) return;
    put(f, zeros, (size_t)(-(at + (long)sizeof(int64_t)) & (ALIGN - 1)));
    put(f, a->data, bytes_of(a));
}

static void put_leaf(FILE *f, const Leaf *l, bool whole) {
    put_int(f, l->dtype);
    put_int(f, l->is_array);
    if (l->is_array) put_array(f, l->value.as_array, whole);
    else if (l->dtype == DT_STR) put_text(f, l->value.as_str);
    else put(f, &l->value, sizeof l->value);
}

static void put_var(FILE *f, const Variable *v, bool whole) {
    put_text(f, v->name);
    put_text(f, v->type);
    put_text(f, v->given);
    put_text(f, v->layout);
    put_int(f, v->literal);
    put_int(f, v->fixed);
    put_int(f, v->nleaves);
    for (int i = 0; i < v->nleaves; i++) put_leaf(f, &v->leaves[i], whole);
}

static void put_def(FILE *f, const Definition *d) {
    put_int(f, d->lo);
    put_int(f, d->hi);
    const char *const texts[] = {d->name, d->what, d->key, d->text, d->label, d->doc, d->head};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) put_text(f, texts[i]);
}

bool result_write(int fd, const Result *r, bool whole) {
    if (ftruncate(fd, 0) || lseek(fd, 0, SEEK_SET)) return false;
    FILE *f = fdopen(dup(fd), "w");
    if (!f) return false;
    put_int(f, r->defs.len);
    for (int i = 0; i < r->defs.len; i++) put_def(f, &r->defs.data[i]);
    put_int(f, r->broken.len);
    for (int i = 0; i < r->broken.len; i++) put_text(f, r->broken.data[i]);
    put_int(f, r->mended.len);
    for (int i = 0; i < r->mended.len; i++) put_text(f, r->mended.data[i]);
    put_int(f, r->gone.len);
    for (int i = 0; i < r->gone.len; i++) put_text(f, r->gone.data[i]);
    put_int(f, r->again);
    put_int(f, r->is_compiled);
    put_int(f, r->files.len);
    for (int i = 0; i < r->files.len; i++) put_text(f, r->files.data[i]);
    put_int(f, r->vars.len);
    for (int i = 0; i < r->vars.len; i++) put_var(f, &r->vars.data[i], whole);
    put(f, WHOLE, sizeof WHOLE);
    bool ok = !ferror(f);
    return !fclose(f) && ok;
}

/* ---- reading: the file was written by us and is whole, or it is not read at all */

typedef struct {
    const char *base, *at;
    Workspace *workspace;
    Arena *arena; /* its */
    Blob *blob;
    pid_t cell;  /* whose memory holds large arrays */
    bool failed;
} Reader;

static void get(Reader *r, void *p, size_t n) {
    memcpy(p, r->at, n);
    r->at += n;
}

static int64_t get_int(Reader *r) {
    int64_t x;
    get(r, &x, sizeof x);
    return x;
}

static const char *get_text(Reader *r) {
    int64_t n = get_int(r);
    if (n < 0) return NULL;
    const char *s = arena_strndup(r->arena, r->at, (size_t)n);
    r->at += n + 1;
    return s;
}

/* n bytes of the cell's memory; NULL: they cannot be had */
static void *fetch(Reader *r, uintptr_t from, size_t n) {
    Room room = r->failed ? (Room){0} : room_take(r->workspace, n);
    char *to = room.at;
    size_t got = 0;
    if (to) vec_push(r->arena, &r->blob->apart, room);
    for (ssize_t k = to ? 1 : 0; k > 0 && got < n; got += k > 0 ? (size_t)k : 0) {
        struct iovec here = {to + got, n - got}, there = {(void *)(from + got), n - got};
        k = process_vm_readv(r->cell, &here, 1, &there, 1, 0);
    }
    r->failed |= got < n;
    return to;
}

/* Two owners, so that nobody updates it in place. */
static dsl_array *get_array(Reader *r, DType t) {
    dsl_array *a = NEW(r->arena, dsl_array);
    a->refs = 2;
    a->dtype = (int32_t)t;
    a->rank = (int32_t)get_int(r);
    get(r, a->dim, sizeof a->dim);
    a->count = get_int(r);
    if (t == DT_STR) {
        const char **texts = arena_alloc(r->arena, (size_t)a->count * sizeof *texts);
        for (int64_t i = 0; i < a->count; i++) texts[i] = get_text(r);
        a->data = texts;
        return a;
    }
    uintptr_t from = (uintptr_t)get_int(r);
    if (from) return a->data = fetch(r, from, bytes_of(a)), a;
    r->at += (size_t)(r->base - r->at) & (ALIGN - 1);
    a->data = (void *)(uintptr_t)r->at;
    r->at += bytes_of(a);
    return a;
}

static Leaf get_leaf(Reader *r) {
    Leaf l = {.dtype = (DType)get_int(r)};
    l.is_array = get_int(r) != 0;
    if (l.is_array) l.value.as_array = get_array(r, l.dtype);
    else if (l.dtype == DT_STR) l.value.as_str = get_text(r);
    else get(r, &l.value, sizeof l.value);
    return l;
}

static Variable get_var(Reader *r) {
    Variable v = {.name = get_text(r)};
    v.type = get_text(r);
    v.given = get_text(r);
    v.layout = get_text(r);
    v.literal = get_int(r) != 0;
    v.fixed = get_int(r) != 0;
    v.nleaves = (int)get_int(r);
    v.leaves = NEWN(r->arena, Leaf, v.nleaves + 1);
    for (int i = 0; i < v.nleaves; i++) {
        v.leaves[i] = get_leaf(r);
        if (v.leaves[i].is_array) v.blob = r->blob;
    }
    if (v.blob) r->blob->users++;
    return v;
}

static Definition get_def(Reader *r) {
    Definition d = {.lo = (int)get_int(r)};
    d.hi = (int)get_int(r);
    d.name = get_text(r);
    d.what = get_text(r);
    d.key = get_text(r);
    d.text = get_text(r);
    d.label = get_text(r);
    d.doc = get_text(r);
    d.head = get_text(r);
    return d;
}

/* Maps the file; NULL when it is not whole. */
static Blob *map_result(int fd, Arena *a) {
    struct stat st;
    if (fstat(fd, &st) || st.st_size < (off_t)sizeof WHOLE) return NULL;
    Blob *b = NEW(a, Blob);
    b->size = (size_t)st.st_size;
    b->base = mmap(NULL, b->size, PROT_READ, MAP_SHARED, fd, 0);
    if (b->base == MAP_FAILED) return NULL;
    b->users = 1;
    if (!memcmp((char *)b->base + b->size - sizeof WHOLE, WHOLE, sizeof WHOLE)) return b;
    munmap(b->base, b->size);
    return NULL;
}

bool result_read(int fd, Workspace *w, pid_t cell, Result *r) {
    Arena *a = w->arena;
    *r = (Result){.blob = map_result(fd, a)};
    if (!r->blob) return false;
    Reader in = {.base = r->blob->base, .workspace = w, .arena = a, .blob = r->blob, .cell = cell};
    in.at = in.base;
    for (int64_t n = get_int(&in); n > 0; n--) vec_push(a, &r->defs, get_def(&in));
    for (int64_t n = get_int(&in); n > 0; n--) vec_push(a, &r->broken, get_text(&in));
    for (int64_t n = get_int(&in); n > 0; n--) vec_push(a, &r->mended, get_text(&in));
    for (int64_t n = get_int(&in); n > 0; n--) vec_push(a, &r->gone, get_text(&in));
    r->again = get_int(&in) != 0;
    r->is_compiled = get_int(&in) != 0;
    for (int64_t n = get_int(&in); n > 0; n--) vec_push(a, &r->files, get_text(&in));
    for (int64_t n = get_int(&in); n > 0; n--) vec_push(a, &r->vars, get_var(&in));
    if (in.failed) blob_free(w, r->blob);
    return !in.failed;
}
