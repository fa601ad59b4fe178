/* Arrays in NumPy's .npy files.
 *
 * Reading trusts nothing: every length is checked against the file before memory is taken.  Files in
 * Fortran order are transposed, big-endian ones swapped. */
#include "runtime/files.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

enum { MAX_HEADER = 1 << 20 };

static const char *const descr_of[] = {
    [DSL_BOOL] = "|b1", [DSL_I8] = "|i1", [DSL_I16] = "<i2", [DSL_I32] = "<i4", [DSL_I64] = "<i8",
    [DSL_U8] = "|u1", [DSL_U16] = "<u2", [DSL_U32] = "<u4", [DSL_U64] = "<u8", [DSL_F16] = "<f2",
    [DSL_BF16] = "<u2", [DSL_F32] = "<f4", [DSL_F64] = "<f8",
};
enum { DTYPES = DSL_F64 + 1 };

typedef struct {
    const dsl_site *at;
    const char *path;
    FILE *file;
    unsigned char *bytes; /* the file in memory; NULL: it is read where it lies */
    int64_t length;       /* of all; -1: nobody knows */
    char *header;
    char descr[16];
    bool fortran, swap, pairs; /* pairs: the last axis is that of complex numbers' parts */
    int rank;
    int64_t dim[DSL_MAX_RANK];
} Reader;

static void drop(Reader *r) {
    if (r->file) fclose(r->file);
    free(r->bytes);
    free(r->header);
}

/* ---- the header: a Python dictionary such as {'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), } */

static DSL_COLD __attribute__((noreturn, format(printf, 2, 3))) void fail_format(Reader *r, const char *fmt, ...) {
    char why[256];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(why, sizeof why, fmt, ap);
    va_end(ap);
    drop(r);
    dsl_fail(r->at, "E0611", "'%s' is not a readable .npy file: %s", r->path, why);
}

static void read_bytes(Reader *r, void *to, size_t n) {
    if (fread(to, 1, n, r->file) != n) fail_format(r, "%s", ferror(r->file) ? strerror(errno) : "it is truncated");
}

static void read_header(Reader *r) {
    unsigned char b[12];
    read_bytes(r, b, 8);
    if (memcmp(b, "\x93NUMPY", 6)) fail_format(r, "it does not begin with NumPy's mark");
    if (b[6] < 1 || b[6] > 3) fail_format(r, "its version %d.%d is unknown", b[6], b[7]);
    int wide = b[6] > 1;
    read_bytes(r, b + 8, wide ? 4 : 2);
    uint32_t len = b[8] | (uint32_t)b[9] << 8;
    if (wide) len |= (uint32_t)b[10] << 16 | (uint32_t)b[11] << 24;
    if (len > MAX_HEADER) fail_format(r, "its header has %u bytes", len);
    r->header = calloc(len + 1, 1);
    if (!r->header) fail_format(r, "not enough memory for its header");
    read_bytes(r, r->header, len);
}

/* What follows 'key': */
static const char *find_key(Reader *r, const char *key) {
    size_t n = strlen(key);
    for (const char *p = r->header; (p = strstr(p, key)); p += n) {
        if (p == r->header || (p[-1] != '\'' && p[-1] != '"') || p[n] != p[-1]) continue;
        const char *q = p + n + 1;
        q += strspn(q, " ");
        if (*q++ != ':') continue;
        return q + strspn(q, " ");
    }
    fail_format(r, "its header has no '%s'", key);
}

static void parse_descr(Reader *r) {
    const char *p = find_key(r, "descr");
    const char *end = *p == '\'' || *p == '"' ? strchr(p + 1, *p) : NULL;
    if (!end || end - p > 15) fail_format(r, "it holds records, not numbers");
    memcpy(r->descr, p + 1, (size_t)(end - p - 1));
    if (r->descr[0] == '>') {
        r->swap = true;
        r->descr[0] = '<';
    } else if (r->descr[0] == '=') {
        r->descr[0] = '<';
    }
    if (r->descr[1] && !strcmp(r->descr + 2, "1")) r->descr[0] = '|';
}

static void parse_shape(Reader *r) {
    const char *p = find_key(r, "shape");
    if (*p++ != '(') fail_format(r, "its shape is malformed");
    for (;;) {
        p += strspn(p, " ,");
        if (*p == ')') return;
        char *end;
        errno = 0;
        long long n = strtoll(p, &end, 10);
        if (end == p || errno || n < 0) fail_format(r, "its shape is malformed");
        if (n > DSL_MAX_EXTENT) fail_format(r, "an axis has %lld elements", n);
        if (r->rank == DSL_MAX_RANK) fail_format(r, "it has more than %d axes", DSL_MAX_RANK);
        r->dim[r->rank++] = n;
        p = *end == 'L' ? end + 1 : end;
    }
}

static void parse_header(Reader *r) {
    parse_descr(r);
    r->fortran = !strncmp(find_key(r, "fortran_order"), "True", 4);
    parse_shape(r);
}

/* ---- the elements */

static bool is_complex(const char *descr) { return !strcmp(descr, "<c8") || !strcmp(descr, "<c16"); }

static const char *name_of_descr(const char *descr) {
    if (is_complex(descr)) return strcmp(descr, "<c8") ? "c128" : "c64";
    for (int t = 0; t < DTYPES; t++)
        if (!strcmp(descr_of[t], descr)) return dsl_dtype_name(t);
    return descr;
}

static void check_type(Reader *r, int dtype, int rank) {
    if (strcmp(r->descr, descr_of[dtype])) {
        drop(r);
        const char *has = name_of_descr(r->descr);
        if (is_complex(r->descr))
            dsl_fail(r->at, "E0612", "'%s' holds %s, but %s is needed: load it as %s, and take real(x)", r->path, has,
                     dsl_dtype_name(dtype), has);
        if (has != r->descr && dtype != DSL_BOOL)
            dsl_fail(r->at, "E0612", "'%s' holds %s, but %s is needed: load it as %s, then convert, %s(x)", r->path,
                     has, dsl_dtype_name(dtype), has, dsl_dtype_name(dtype));
        dsl_fail(r->at, "E0612", "'%s' holds %s, but %s is needed", r->path, has, dsl_dtype_name(dtype));
    }
    if (r->rank != rank) {
        drop(r);
        dsl_say_rank(r->at, r->path, "", r->rank, rank);
        dsl_stop(1);
    }
}

/* Before taking memory for what the header promises, look whether the file can have it. */
static void check_length(Reader *r, int dtype) {
    long at = ftell(r->file);
    if (at < 0 || r->length < 0) return;
    int64_t have = (r->length - at) / dsl_dtype_bytes(dtype), need = 1;
    for (int i = 0; i < r->rank; i++)
        if (r->dim[i] == 0) return;
    for (int i = 0; i < r->rank; i++)
        if (__builtin_mul_overflow(need, r->dim[i], &need) || need > have)
            fail_format(r, "it is truncated: %lld elements are there, fewer than its shape needs", (long long)have);
}

void dsl_swap_bytes(unsigned char *p, int64_t count, int bytes) {
    for (; count > 0; count--, p += bytes)
        for (int i = 0; i < bytes / 2; i++) {
            unsigned char c = p[i];
            p[i] = p[bytes - 1 - i];
            p[bytes - 1 - i] = c;
        }
}

void dsl_tidy_bools(dsl_array *a) {
    unsigned char *p = a->data;
    for (int64_t i = 0; a->dtype == DSL_BOOL && i < a->count; i++) p[i] = p[i] != 0;
}

/* a holds the elements, or pairs along its last axis, in column-major order; consumes it */
static dsl_array *to_row_major(dsl_array *a, bool pairs) {
    dsl_array *out = dsl_new(NULL, a->dtype, a->rank, a->dim);
    int bytes = dsl_dtype_bytes(a->dtype) << pairs, rank = a->rank - pairs;
    int64_t index[DSL_MAX_RANK] = {0};
    for (int64_t k = 0; k < a->count >> pairs; k++) {
        int64_t from = 0;
        for (int i = rank - 1; i >= 0; i--) from = from * a->dim[i] + index[i];
        memcpy((char *)out->data + k * bytes, (char *)a->data + from * bytes, (size_t)bytes);
        for (int i = rank - 1; i >= 0 && ++index[i] == a->dim[i]; i--) index[i] = 0;
    }
    dsl_release(a);
    return out;
}

/* Complex numbers as floats, with an axis for their two parts; real ones have 0 as the other. */
static bool widen_pairs(Reader *r, int dtype) {
    if (is_complex(r->descr)) {
        if (!strcmp(r->descr, dtype == DSL_F32 ? "<c8" : "<c16") && r->rank < DSL_MAX_RANK)
            strcpy(r->descr, descr_of[dtype]), r->dim[r->rank++] = 2, r->pairs = true;
        return false;
    }
    return true;
}

/* x as pairs (x, 0); consumes it */
static dsl_array *pair_up(dsl_array *a) {
    int64_t dim[DSL_MAX_RANK];
    int bytes = dsl_dtype_bytes(a->dtype);
    memcpy(dim, a->dim, sizeof *dim * (size_t)a->rank);
    dim[a->rank] = 2;
    dsl_array *out = dsl_new(NULL, a->dtype, a->rank + 1, dim);
    memset(out->data, 0, (size_t)out->count * (size_t)bytes);
    for (int64_t i = 0; i < a->count; i++)
        memcpy((char *)out->data + 2 * i * bytes, (char *)a->data + i * bytes, (size_t)bytes);
    dsl_release(a);
    return out;
}

static dsl_array *read_elements(Reader *r, int dtype, int rank) {
    check_type(r, dtype, rank);
    check_length(r, dtype);
    dsl_array *a = dsl_new(r->at, dtype, rank, r->dim);
    int bytes = dsl_dtype_bytes(dtype);
    if (fread(a->data, (size_t)bytes, (size_t)a->count, r->file) != (size_t)a->count) {
        dsl_release(a);
        fail_format(r, "it is truncated");
    }
    if (r->swap) dsl_swap_bytes(a->data, a->count, bytes);
    dsl_tidy_bools(a);
    bool fortran = r->fortran && rank - r->pairs > 1;
    drop(r);
    return fortran ? to_row_major(a, r->pairs) : a;
}

/* consumes what r holds */
static dsl_array *read_array(Reader *r, int dtype, int rank, bool pairs) {
    read_header(r);
    parse_header(r);
    bool real = pairs && widen_pairs(r, dtype);
    if (!r->rank && rank - real == 1) r->dim[r->rank++] = 1; /* a number is a vector of one */
    dsl_array *a = read_elements(r, dtype, rank - real);
    return real ? pair_up(a) : a;
}

static dsl_array *load_file(const dsl_site *at, const char *path, int dtype, int rank, bool pairs) {
    struct stat st;
    Reader r = {.at = at, .path = path, .file = dsl_open(at, path), .length = -1};
    if (!fstat(fileno(r.file), &st) && S_ISREG(st.st_mode)) r.length = st.st_size;
    return read_array(&r, dtype, rank, pairs);
}

dsl_array *dsl_npy_load(const dsl_site *at, const char *path, int dtype, int rank) {
    return load_file(at, path, dtype, rank, false);
}

dsl_array *dsl_npy_load_pairs(const dsl_site *at, const char *path, int dtype, int rank) {
    return load_file(at, path, dtype, rank, true);
}

dsl_array *dsl_npy_from(const dsl_site *at, const char *path, unsigned char *bytes, size_t n, int dtype, int rank,
                        bool pairs) {
    Reader r = {.at = at, .path = path, .bytes = bytes, .length = (int64_t)n};
    r.file = n ? fmemopen(bytes, n, "rb") : NULL;
    if (!r.file) fail_format(&r, "%s", n ? strerror(errno) : "it is empty");
    return read_array(&r, dtype, rank, pairs);
}

/* ---- writing */

/* The head up to the data; its length is a multiple of 64. Returns the length. */
static size_t make_head(char *out, const char *descr, const dsl_array *a) {
    size_t n = 10;
    n += (size_t)sprintf(out + n, "{'descr': '%s', 'fortran_order': False, 'shape': (", descr);
    for (int i = 0; i < a->rank; i++)
        n += (size_t)sprintf(out + n, "%s%lld", i ? ", " : "", (long long)a->dim[i]);
    n += (size_t)sprintf(out + n, "%s), }", a->rank == 1 ? "," : "");
    while ((n + 1) % 64) out[n++] = ' ';
    out[n++] = '\n';
    memcpy(out, "\x93NUMPY\x01\x00", 8);
    out[8] = (char)((n - 10) & 255);
    out[9] = (char)((n - 10) >> 8);
    return n;
}

size_t dsl_npy_head(char out[512], const dsl_array *a) { return make_head(out, descr_of[a->dtype], a); }

static bool write_all(FILE *f, const void *what) {
    const dsl_array *a = what;
    char head[512];
    size_t n = make_head(head, descr_of[a->dtype], a), count = (size_t)a->count;
    return fwrite(head, 1, n, f) == n && fwrite(a->data, (size_t)dsl_dtype_bytes(a->dtype), count, f) == count;
}

void dsl_npy_save(const dsl_site *at, const char *path, const dsl_array *a) { dsl_write(at, path, write_all, a); }

/* ---- complex numbers, whose parts are arrays of their own */

typedef struct { const dsl_array *re, *im; } Parts;
enum { BLOCK = 4096 };

static bool write_block(FILE *f, const Parts *p, int64_t from, int64_t count) {
    char pairs[BLOCK * 16];
    size_t bytes = (size_t)dsl_dtype_bytes(p->re->dtype);
    for (int64_t i = 0; i < count; i++) {
        memcpy(pairs + 2 * (size_t)i * bytes, (char *)p->re->data + (size_t)(from + i) * bytes, bytes);
        memcpy(pairs + (2 * (size_t)i + 1) * bytes, (char *)p->im->data + (size_t)(from + i) * bytes, bytes);
    }
    return fwrite(pairs, 2 * bytes, (size_t)count, f) == (size_t)count;
}

static bool write_parts(FILE *f, const void *what) {
    const Parts *p = what;
    char head[512];
    size_t n = make_head(head, p->re->dtype == DSL_F32 ? "<c8" : "<c16", p->re);
    bool ok = fwrite(head, 1, n, f) == n;
    for (int64_t i = 0; ok && i < p->re->count; i += BLOCK)
        ok = write_block(f, p, i, p->re->count - i < BLOCK ? p->re->count - i : BLOCK);
    return ok;
}

void dsl_npy_save_complex(const dsl_site *at, const char *path, const dsl_array *re, const dsl_array *im) {
    Parts p = {re, im};
    dsl_write(at, path, write_parts, &p);
}
