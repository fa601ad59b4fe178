/* load and save: the end of the name says what kind of file it is. */
#include "runtime/files.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Whether the name says another kind of file than .npy: a suffix that begins with a letter */
static bool is_other_kind(const char *path) {
    const char *dot = strrchr(path, '.');
    return dot && dot > path && dot[-1] != '/' && !strchr(dot, '/') && isalpha((unsigned char)dot[1]) &&
           strcasecmp(dot, ".npy") != 0;
}

static bool is_archive(const char *path) { return dsl_ends_in(path, ".npz"); }
static bool is_netcdf(const char *path) { return dsl_ends_in(path, ".nc .nc4 .cdf"); }
static bool is_hdf5(const char *path) { return dsl_ends_in(path, ".h5 .hdf5 .hdf"); }
static bool holds_several(const char *path) { return is_archive(path) || is_netcdf(path) || is_hdf5(path); }

dsl_array *dsl_load(const dsl_site *at, const char *path, const char *part, int dtype, int rank) {
    size_t name;
    bool pairs = dsl_wants_pairs(part, &name);
    if (pairs && !is_archive(path) && is_other_kind(path))
        dsl_fail(at, "E0612", "'%s' holds real numbers: complex ones are in .npy and .npz", path);
    if (dsl_is_table(path)) return dsl_table_load(at, path, part, dtype, rank);
    if (dtype == DSL_STR) dsl_fail(at, "E0612", "'%s' holds numbers: texts are columns of tables", path);
    if (is_archive(path)) return dsl_npz_load(at, path, part, dtype, rank);
    if (is_netcdf(path)) return dsl_netcdf_load(at, path, part, dtype, rank);
    if (is_hdf5(path)) return dsl_hdf5_load(at, path, part, dtype, rank);
    if (dsl_is_raw(path)) return dsl_raw_load(at, path, part, dtype, rank);
    if (!*part && dsl_is_raster(path)) return dsl_raster_load(at, path, dtype, rank);
    if (!name) return (pairs ? dsl_npy_load_pairs : dsl_npy_load)(at, path, dtype, rank);
    dsl_say_error(at, "E0611", "'%s' has no parts with names: '%s'", path, part);
    dsl_say_hint("tables have columns: .csv, .tsv, .txt, .dat; archives have arrays: .npz, .h5, .nc");
    dsl_stop(1);
}

/* stdlib: a text of a file, or the file as a text */
const char *dsl_x_load_text(const char *path, const char *part) {
    const dsl_site *at = dsl_current_site();
    size_t n;
    bool whole = !*part && !is_netcdf(path) && !is_hdf5(path);
    char *text = whole             ? (char *)dsl_read_all(at, path, &n)
                 : is_netcdf(path) ? dsl_netcdf_text(at, path, part)
                 : is_hdf5(path)   ? dsl_hdf5_text(at, path, part)
                                   : NULL;
    if (!text) {
        dsl_say_error(at, "E0611", "'%s' has no text '%s'", path, part);
        if (dsl_is_table(path))
            dsl_say_hint("a column of texts is an array: let x: str[n] = load(\"%s\", \"%s\")", path, part);
        dsl_stop(1);
    }
    bool is_text = !whole || strlen(text) == n;
    const char *kept = is_text ? dsl_text(at, text, strlen(text)) : NULL;
    free(text);
    if (!is_text) dsl_fail(at, "E0611", "'%s' is no text", path);
    return kept;
}

static DSL_COLD __attribute__((noreturn, format(printf, 3, 4))) void fail_kind(const char *path, const char *why,
                                                                               const char *fmt, ...) {
    char hint[300];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(hint, sizeof hint, fmt, ap);
    va_end(ap);
    dsl_say_error(dsl_current_site(), "E0614", "cannot write '%s': %s", path, why);
    dsl_say_hint("%s", hint);
    dsl_stop(1);
}

static DSL_COLD __attribute__((noreturn)) void fail_texts(const char *path) {
    fail_kind(path, "texts stand in tables", "let the name end in .csv, .tsv, .txt or .dat");
}

static bool write_text(FILE *f, const void *text) { return fputs(text, f) >= 0; }

/* stdlib: save(path, text) */
void dsl_x_save_text(const char *path, const char *text) {
    if (dsl_ends_in(path, ".npy") || holds_several(path) || dsl_is_raw(path) || dsl_is_raster(path))
        fail_kind(path, "a file of this kind holds arrays, and this is a text", "let the name end in .txt");
    dsl_write(dsl_current_site(), path, write_text, text);
}

/* Whether it is a kind of file that holds an array by itself, without names */
static bool save_plain(const dsl_site *at, const char *path, const dsl_array *a) {
    if (dsl_is_raw(path)) dsl_raw_save(at, path, a);
    else if (dsl_is_raster(path)) dsl_raster_save(at, path, a);
    else return false;
    return true;
}

/* stdlib: save(path, x), save(path, x, "names, of, columns") of vectors and matrices */
void dsl_x_save_as(const char *path, const dsl_array *a, const char *names) {
    const dsl_site *at = dsl_current_site();
    if (a->dtype == DSL_STR && !dsl_is_table(path)) fail_texts(path);
    if (dsl_is_table(path)) dsl_table_save(at, path, a, names);
    else if (holds_several(path))
        fail_kind(path, "its arrays need names",
                  "write save(\"%s\", \"a\", a), save(\"%s\", \"a\", a, \"b\", b)", path, path);
    else if (*names)
        fail_kind(path, "only tables have names of columns", "let the name end in .csv, .tsv, .txt or .dat");
    else if (save_plain(at, path, a)) return;
    else if (is_other_kind(path))
        fail_kind(path, "save knows no such kind of file",
                  "let the name end in .npy, .npz, .csv, .tsv, .txt, .dat, .h5, .nc, .raw, .bin, .png, .pgm or .ppm");
    else dsl_npy_save(at, path, a);
}

static void save_members(const char *path, bool small, const DslMember *v, int n) {
    const dsl_site *at = dsl_current_site();
    DslMembers all = {v, n, small};
    for (int i = 0; i < n; i++)
        if (v[i].a->dtype == DSL_STR) fail_texts(path);
    if (is_archive(path)) dsl_npz_save(at, path, all);
    else if (is_netcdf(path)) dsl_netcdf_save(at, path, all);
    else if (is_hdf5(path)) dsl_hdf5_save(at, path, all);
    else if (dsl_is_table(path))
        fail_kind(path, "a table is one array, whose columns have names",
                  "write save(\"%s\", [a, b].T, \"a, b\"), or let the name end in .npz, .h5 or .nc", path);
    else fail_kind(path, "a file of this kind has no arrays with names", "let the name end in .npz, .h5 or .nc");
}

/* stdlib: save(path, name, array, ...) of one to six arrays */
#define A(k) const char *n##k, const dsl_array *a##k
#define M(k) {n##k, a##k}
#define SAVE(n, params, members) \
    void dsl_x_save_##n params { save_members(path, small, (const DslMember[])members, n); }
#define LIST(...) {__VA_ARGS__}
SAVE(1, (const char *path, bool small, A(1)), LIST(M(1)))
SAVE(2, (const char *path, bool small, A(1), A(2)), LIST(M(1), M(2)))
SAVE(3, (const char *path, bool small, A(1), A(2), A(3)), LIST(M(1), M(2), M(3)))
SAVE(4, (const char *path, bool small, A(1), A(2), A(3), A(4)), LIST(M(1), M(2), M(3), M(4)))
SAVE(5, (const char *path, bool small, A(1), A(2), A(3), A(4), A(5)), LIST(M(1), M(2), M(3), M(4), M(5)))
SAVE(6, (const char *path, bool small, A(1), A(2), A(3), A(4), A(5), A(6)), LIST(M(1), M(2), M(3), M(4), M(5), M(6)))
#undef A
#undef M
#undef SAVE
#undef LIST

/* stdlib: save(path, z) of complex numbers */
void dsl_x_complex_save(const char *path, const dsl_array *re, const dsl_array *im) {
    if (dsl_is_table(path) || is_other_kind(path))
        fail_kind(path, "complex numbers are written as .npy",
                  "let the name end in .npy, or save their parts: save(\"%s\", [z.re, z.im].T)", path);
    dsl_npy_save_complex(dsl_current_site(), path, re, im);
}

/* stdlib: save(path, x) of arrays with three axes */
void dsl_x_save(const char *path, const dsl_array *a) { dsl_x_save_as(path, a, ""); }
