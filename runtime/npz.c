/* Arrays in NumPy's .npz files: zip archives of .npy files (APPNOTE.TXT of PKWARE, with its 64-bit sizes).
 *
 * Members are stored or deflated.  What the archive says of places and sizes is compared with the file before it is
 * used, and each member with its checksum. */
#include "runtime/files.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { LOCAL = 0x04034b50, CENTRAL = 0x02014b50, END = 0x06054b50, END_64 = 0x06064b50, LOCATOR_64 = 0x07064b50 };
enum { LOCAL_HEAD = 30, CENTRAL_HEAD = 46, END_HEAD = 22, LOCATOR = 20, END_64_HEAD = 56, MOST_COMMENT = 65535 };
enum { STORED = 0, DEFLATED = 8, ENCRYPTED = 1, LATER = 0xffff };
#define LATER_32 0xffffffffu

typedef struct {
    const dsl_site *at;
    const char *path;
    unsigned char *bytes, *made; /* of the file, of a member */
    uint64_t n;
} Zip;

typedef struct {
    const char *name;
    size_t name_length;
    unsigned flags, method;
    uint32_t crc;
    uint64_t packed, size, offset;
} Entry;

static void drop(Zip *z) {
    free(z->bytes);
    free(z->made);
}

static DSL_COLD __attribute__((noreturn, format(printf, 2, 3))) void fail(Zip *z, const char *fmt, ...) {
    char why[256];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(why, sizeof why, fmt, ap);
    va_end(ap);
    drop(z);
    dsl_fail(z->at, "E0611", "'%s' is not a readable .npz file: %s", z->path, why);
}

/* ---- numbers, little-endian */

static uint64_t number(const unsigned char *p, int bytes) {
    uint64_t x = 0;
    for (int i = 0; i < bytes; i++) x |= (uint64_t)p[i] << 8 * i;
    return x;
}

/* n bytes of the file, at a place that it names */
static const unsigned char *piece(Zip *z, uint64_t offset, uint64_t n, const char *what) {
    if (offset > z->n || n > z->n - offset)
        fail(z, "its %s lies outside of it, at byte %llu", what, (unsigned long long)offset);
    return z->bytes + offset;
}

/* ---- the directory */

typedef struct { uint64_t offset, size, count; } Directory;

static const unsigned char *find_end(Zip *z) {
    uint64_t least = z->n > END_HEAD + MOST_COMMENT ? z->n - END_HEAD - MOST_COMMENT : 0;
    for (uint64_t i = z->n < END_HEAD ? 0 : z->n - END_HEAD + 1; i-- > least;)
        if (number(z->bytes + i, 4) == END) return z->bytes + i;
    fail(z, z->n < 4 || number(z->bytes, 4) != LOCAL ? "it is no zip archive" : "its end is missing: it is truncated");
}

static Directory find_directory(Zip *z) {
    const unsigned char *end = find_end(z), *wide;
    uint64_t at = (uint64_t)(end - z->bytes);
    Directory d = {number(end + 16, 4), number(end + 12, 4), number(end + 10, 2)};
    if (at < LOCATOR || number(end - LOCATOR, 4) != LOCATOR_64) return d;
    wide = piece(z, number(end - LOCATOR + 8, 8), END_64_HEAD, "end");
    if (number(wide, 4) != END_64) fail(z, "its end is damaged");
    return (Directory){number(wide + 48, 8), number(wide + 40, 8), number(wide + 32, 8)};
}

/* The sizes that do not fit 32 bits stand in an extra field of kind 1, in this order. */
static void widen(Entry *e, const unsigned char *extra, size_t n) {
    uint64_t *const wide[] = {&e->size, &e->packed, &e->offset};
    while (n >= 4) {
        size_t m = number(extra + 2, 2);
        const unsigned char *p = extra + 4;
        if (m > n - 4) return;
        for (int i = 0; number(extra, 2) == 1 && i < 3; i++)
            if (*wide[i] == LATER_32 && p + 8 <= extra + 4 + m) *wide[i] = number(p, 8), p += 8;
        extra += 4 + m;
        n -= 4 + m;
    }
}

/* The entry at *at of the directory; *at is then behind it. */
static Entry next_entry(Zip *z, uint64_t *at) {
    const unsigned char *p = piece(z, *at, CENTRAL_HEAD, "directory");
    if (number(p, 4) != CENTRAL) fail(z, "its directory is damaged at byte %llu", (unsigned long long)*at);
    size_t name = number(p + 28, 2), extra = number(p + 30, 2), comment = number(p + 32, 2);
    piece(z, *at, CENTRAL_HEAD + name + extra + comment, "directory");
    Entry e = {(const char *)p + CENTRAL_HEAD, name, (unsigned)number(p + 8, 2), (unsigned)number(p + 10, 2),
               (uint32_t)number(p + 16, 4), number(p + 20, 4), number(p + 24, 4), number(p + 42, 4)};
    widen(&e, p + CENTRAL_HEAD + name, extra);
    if (e.name_length > 4 && !memcmp(e.name + e.name_length - 4, ".npy", 4)) e.name_length -= 4;
    *at += CENTRAL_HEAD + name + extra + comment;
    return e;
}

/* ---- a member */

static DSL_COLD __attribute__((noreturn)) void fail_member(Zip *z, const Directory *d, const char *member) {
    char names[600] = "";
    size_t n = 0;
    uint64_t at = d->offset;
    for (uint64_t k = 0; k < d->count && n < sizeof names - 80; k++) {
        Entry e = next_entry(z, &at);
        n += (size_t)snprintf(names + n, sizeof names - n, "%s%.*s", k ? ", " : "",
                              (int)(e.name_length < 60 ? e.name_length : 60), e.name);
    }
    drop(z);
    if (*member) dsl_say_error(z->at, "E0611", "'%s' has no array '%s'", z->path, member);
    else dsl_say_error(z->at, "E0611", "'%s' has %llu arrays: name one", z->path, (unsigned long long)d->count);
    dsl_say_hint("its arrays are %s; load(\"%s\", \"NAME\") reads one", names, z->path);
    dsl_stop(1);
}

static Entry find_member(Zip *z, const char *member) {
    Directory d = find_directory(z);
    uint64_t at = d.offset;
    size_t n = strlen(member);
    for (uint64_t k = 0; k < d.count; k++) {
        Entry e = next_entry(z, &at);
        if (n ? e.name_length == n && !memcmp(e.name, member, n) : d.count == 1) return e;
    }
    fail_member(z, &d, member);
}

static void unpack(Zip *z, const Entry *e) {
    const unsigned char *head = piece(z, e->offset, LOCAL_HEAD, "array");
    if (number(head, 4) != LOCAL)
        fail(z, "its directory is damaged: no array is at byte %llu", (unsigned long long)e->offset);
    if (e->flags & ENCRYPTED) fail(z, "it is encrypted");
    if (e->method != STORED && e->method != DEFLATED) fail(z, "it is compressed by method %u", e->method);
    uint64_t from = e->offset + LOCAL_HEAD + number(head + 26, 2) + number(head + 28, 2);
    const unsigned char *packed = piece(z, from, e->packed, "array");
    bool honest = e->method == STORED ? e->size == e->packed : e->size / DSL_MOST_INFLATED <= e->packed;
    if (!honest) fail(z, "it cannot hold an array of %llu bytes", (unsigned long long)e->size);
    z->made = malloc(e->size ? e->size : 1);
    if (!z->made) fail(z, "there is not enough memory");
    const char *why = NULL;
    if (e->method == DEFLATED) why = dsl_inflate(z->at, packed, e->packed, true, z->made, e->size);
    else memcpy(z->made, packed, e->size);
    if (why) fail(z, "%s", why);
    if (dsl_crc32(z->at, z->made, e->size, 0) != e->crc) fail(z, "its checksum is wrong: it is damaged");
}

dsl_array *dsl_npz_load(const dsl_site *at, const char *path, const char *part, int dtype, int rank) {
    char member[256], shown[DSL_PATH];
    size_t n = 0, name;
    bool pairs = dsl_wants_pairs(part, &name);
    snprintf(member, sizeof member, "%.*s", (int)name, part);
    Zip z = {.at = at, .path = path, .bytes = dsl_read_all(at, path, &n)};
    z.n = n;
    Entry e = find_member(&z, member);
    unpack(&z, &e);
    snprintf(shown, sizeof shown, "%s: %.*s", path, (int)(e.name_length < 200 ? e.name_length : 200), e.name);
    free(z.bytes);
    return dsl_npy_from(at, shown, z.made, e.size, dtype, rank, pairs);
}

/* ---- writing */

typedef struct { unsigned char *bytes; size_t n; uint32_t crc; uint64_t size, offset; } Packed;
typedef struct { const dsl_site *at; DslMembers members; } Saved;

static unsigned char *put(unsigned char *p, uint64_t x, int bytes) {
    for (int i = 0; i < bytes; i++) *p++ = (unsigned char)(x >> 8 * i);
    return p;
}

/* The bytes of the .npy file, deflated if that is wanted; false: no memory */
static bool pack(const Saved *s, const dsl_array *a, Packed *out) {
    char head[512];
    size_t n = dsl_npy_head(head, a), m = (size_t)a->count * (size_t)dsl_dtype_bytes(a->dtype);
    *out = (Packed){.bytes = malloc(n + m), .n = n + m, .size = n + m};
    if (!out->bytes) return false;
    memcpy(out->bytes, head, n);
    memcpy(out->bytes + n, a->data, m);
    out->crc = dsl_crc32(s->at, out->bytes, n + m, 0);
    if (!s->members.small) return true;
    unsigned char *small = dsl_deflate(s->at, out->bytes, n + m, true, &out->n);
    free(out->bytes);
    out->bytes = small;
    return small != NULL;
}

/* What both heads have: flags (names are UTF-8), method, 1980-01-01, sum, sizes.  Sizes stand in the extra field. */
static unsigned char *put_common(unsigned char *p, const Packed *k, bool small, size_t name, int extra) {
    p = put(put(put(p, 0x800, 2), small ? DEFLATED : STORED, 2), 0x00210000, 4);
    p = put(put(put(p, k->crc, 4), LATER_32, 4), LATER_32, 4);
    return put(put(p, name, 2), (uint64_t)extra, 2);
}

static bool write_member(FILE *f, const Saved *s, const DslMember *m, Packed *k, uint64_t offset) {
    unsigned char head[LOCAL_HEAD + 20], *p = head;
    size_t name = strlen(m->name) + 4;
    k->offset = offset;
    p = put_common(put(put(p, LOCAL, 4), 45, 2), k, s->members.small, name, 20);
    bool ok = fwrite(head, LOCAL_HEAD, 1, f) && fprintf(f, "%s.npy", m->name) > 0;
    p = put(put(put(put(head, 1, 2), 16, 2), k->size, 8), k->n, 8);
    return ok && fwrite(head, 20, 1, f) && fwrite(k->bytes, 1, k->n, f) == k->n;
}

static bool write_entry(FILE *f, const Saved *s, const DslMember *m, const Packed *k) {
    unsigned char head[CENTRAL_HEAD], *p = head;
    p = put_common(put(put(put(p, CENTRAL, 4), 45, 2), 45, 2), k, s->members.small, strlen(m->name) + 4, 28);
    put(put(put(put(put(p, 0, 2), 0, 2), 0, 2), 0, 4), LATER_32, 4);
    bool ok = fwrite(head, CENTRAL_HEAD, 1, f) && fprintf(f, "%s.npy", m->name) > 0;
    put(put(put(put(put(head, 1, 2), 24, 2), k->size, 8), k->n, 8), k->offset, 8);
    return ok && fwrite(head, 28, 1, f);
}

static bool write_end(FILE *f, uint64_t count, uint64_t offset, uint64_t size) {
    unsigned char end[END_64_HEAD + LOCATOR + END_HEAD], *p = end;
    p = put(put(put(put(put(p, END_64, 4), 44, 8), 45, 2), 45, 2), 0, 8);
    p = put(put(put(put(p, count, 8), count, 8), size, 8), offset, 8);
    p = put(put(put(put(p, LOCATOR_64, 4), 0, 4), offset + size, 8), 1, 4);
    p = put(put(put(put(put(p, END, 4), 0, 4), count, 2), count, 2), LATER_32, 4);
    put(put(p, LATER_32, 4), 0, 2);
    return fwrite(end, sizeof end, 1, f) == 1;
}

static bool write_zip(FILE *f, const void *what) {
    const Saved *s = what;
    int n = s->members.n;
    Packed *k = calloc((size_t)n, sizeof *k);
    uint64_t at = 0, directory = 0;
    bool ok = k != NULL;
    for (int i = 0; ok && i < n; i++) {
        const DslMember *m = &s->members.v[i];
        ok = pack(s, m->a, &k[i]) && write_member(f, s, m, &k[i], at);
        at += LOCAL_HEAD + strlen(m->name) + 4 + 20 + k[i].n;
        free(k[i].bytes);
    }
    for (int i = 0; ok && i < n; i++) {
        ok = write_entry(f, s, &s->members.v[i], &k[i]);
        directory += CENTRAL_HEAD + strlen(s->members.v[i].name) + 4 + 28;
    }
    ok = ok && write_end(f, (uint64_t)n, at, directory);
    free(k);
    return ok;
}

void dsl_npz_save(const dsl_site *at, const char *path, DslMembers members) {
    Saved s = {at, members};
    dsl_check_members(at, path, members, "/\\:", NULL);
    dsl_crc32(at, NULL, 0, 0); /* zlib is there, before a file is begun */
    dsl_write(at, path, write_zip, &s);
}
