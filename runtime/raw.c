/* Numbers in a file as they lie in memory, .raw and .bin: what most instruments and Fortran's stream files give.
 *
 * What load is told of the file is a text: "offset 512, shape 100 x 200, big-endian"; any part may be left out. */
#include "runtime/files.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

typedef struct { const dsl_site *at; const char *path; int64_t offset, dim[DSL_MAX_RANK]; int rank; bool big; } Layout;

bool dsl_is_raw(const char *path) { return dsl_ends_in(path, ".raw .bin"); }

static DSL_COLD __attribute__((noreturn)) void fail_layout(const Layout *l, const char *at) {
    dsl_say_error(l->at, "E0611", "'%s' is not laid out so: '%s'", l->path, at);
    dsl_say_hint("write \"offset 512, shape 100 x 200, big-endian\", or some of these");
    dsl_stop(1);
}

static bool word(const char **c, const char *w) {
    size_t n = strlen(w);
    *c += strspn(*c, " ");
    if (strncmp(*c, w, n) || isalpha((unsigned char)(*c)[n])) return false;
    *c += n;
    return true;
}

static int64_t take_int(const Layout *l, const char **c) {
    char *end;
    errno = 0;
    *c += strspn(*c, " ");
    long long x = isdigit((unsigned char)**c) ? strtoll(*c, &end, 10) : -1;
    if (x < 0 || errno) fail_layout(l, *c);
    *c = end;
    return x;
}

static Layout read_layout(const dsl_site *at, const char *path, const char *part) {
    Layout l = {.at = at, .path = path};
    for (const char *c = part + strspn(part, " "); *c;) {
        const char *from = c;
        if (word(&c, "offset")) l.offset = take_int(&l, &c);
        else if (word(&c, "shape")) {
            l.rank = 0;
            do {
                if (l.rank == DSL_MAX_RANK) fail_layout(&l, c);
                l.dim[l.rank++] = take_int(&l, &c);
            } while (word(&c, "x"));
        } else if (word(&c, "big-endian")) l.big = true;
        else if (!word(&c, "little-endian")) fail_layout(&l, from);
        c += strspn(c, " ");
        if (*c == ',') c++;
        else if (*c) fail_layout(&l, c);
        c += strspn(c, " ");
    }
    return l;
}

/* How many numbers the layout wants; all that are there where it has no shape */
static void fit(Layout *l, size_t bytes, int dtype, int rank) {
    int64_t width = dsl_dtype_bytes(dtype), have = (int64_t)bytes - l->offset, need = width;
    if (have < 0)
        dsl_fail(l->at, "E0611", "'%s' has %lld bytes, and the offset is %lld", l->path, (long long)bytes,
                 (long long)l->offset);
    if (!l->rank && have % width)
        dsl_fail(l->at, "E0611", "'%s' has %lld bytes there, no whole number of %s", l->path, (long long)have,
                 dsl_dtype_name(dtype));
    if (!l->rank) l->dim[l->rank++] = have / width;
    if (l->rank != rank) {
        dsl_say_rank(l->at, l->path, "", l->rank, rank);
        dsl_say_hint("a file without a head does not tell its shape: load(\"%s\", \"shape 100 x 200\")", l->path);
        dsl_stop(1);
    }
    for (int i = 0; i < rank; i++)
        if (l->dim[i] == 0) return;
    for (int i = 0; i < rank; i++)
        if (__builtin_mul_overflow(need, l->dim[i], &need) || need > have)
            dsl_fail(l->at, "E0611", "'%s' has %lld bytes there, fewer than its shape needs", l->path, (long long)have);
}

dsl_array *dsl_raw_load(const dsl_site *at, const char *path, const char *part, int dtype, int rank) {
    Layout l = read_layout(at, path, part);
    FILE *f = dsl_open(at, path);
    off_t end = fseeko(f, 0, SEEK_END) ? -1 : ftello(f);
    if (end < 0) {
        fclose(f);
        dsl_fail(at, "E0610", "cannot read '%s': its length is not known", path);
    }
    fclose(f);
    fit(&l, (size_t)end, dtype, rank);
    dsl_array *a = dsl_new(at, dtype, rank, l.dim);
    size_t width = (size_t)dsl_dtype_bytes(dtype), count = (size_t)a->count;
    f = dsl_open(at, path);
    bool ok = !fseeko(f, l.offset, SEEK_SET) && fread(a->data, width, count, f) == count;
    fclose(f);
    if (!ok) {
        dsl_release(a);
        dsl_fail(at, "E0610", "cannot read '%s': it became shorter", path);
    }
    if (l.big) dsl_swap_bytes(a->data, a->count, (int)width);
    dsl_tidy_bools(a);
    return a;
}

static bool write_all(FILE *f, const void *what) {
    const dsl_array *a = what;
    return fwrite(a->data, (size_t)dsl_dtype_bytes(a->dtype), (size_t)a->count, f) == (size_t)a->count;
}

void dsl_raw_save(const dsl_site *at, const char *path, const dsl_array *a) { dsl_write(at, path, write_all, a); }
