/* load and save: the end of the name says what kind of file it is. */
#include "runtime/files.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

/* Whether the name says another kind of file than .npy: a suffix that begins with a letter */
static bool is_other_kind(const char *path) {
    const char *dot = strrchr(path, '.');
    return dot && dot > path && dot[-1] != '/' && !strchr(dot, '/') && isalpha((unsigned char)dot[1]) &&
           strcasecmp(dot, ".npy") != 0;
}

dsl_array *dsl_load(const dsl_site *at, const char *path, const char *part, int dtype, int rank) {
    if (dsl_is_table(path)) return dsl_table_load(at, path, part, dtype, rank);
    if (!*part) return dsl_npy_load(at, path, dtype, rank);
    if (!strcmp(part, "re, im")) return dsl_npy_load_pairs(at, path, dtype, rank);
    dsl_say_error(at, "E0611", "'%s' has no parts with names: '%s'", path, part);
    dsl_say_hint("tables have columns: .csv, .tsv, .txt, .dat");
    dsl_stop(1);
}

static DSL_COLD __attribute__((noreturn)) void fail_kind(const char *path, const char *why, const char *hint) {
    dsl_say_error(dsl_current_site(), "E0614", "cannot write '%s': %s", path, why);
    dsl_say_hint("%s", hint);
    dsl_stop(1);
}

/* stdlib: save(path, x), save(path, x, "names, of, columns") of vectors and matrices */
void dsl_x_save_as(const char *path, const dsl_array *a, const char *names) {
    if (dsl_is_table(path)) dsl_table_save(dsl_current_site(), path, a, names);
    else if (is_other_kind(path))
        fail_kind(path, "save writes .npy, .csv, .tsv, .txt and .dat", "let the name end in one of these");
    else if (*names)
        fail_kind(path, "only tables have names of columns", "let the name end in .csv, .tsv, .txt or .dat");
    else dsl_npy_save(dsl_current_site(), path, a);
}

/* stdlib: save(path, z) of complex numbers */
void dsl_x_complex_save(const char *path, const dsl_array *re, const dsl_array *im) {
    if (dsl_is_table(path) || is_other_kind(path))
        fail_kind(path, "complex numbers are written as .npy",
                  "let the name end in .npy, or save their parts: save(path, z.re)");
    dsl_npy_save_complex(dsl_current_site(), path, re, im);
}

/* stdlib: save(path, x) of arrays with three axes */
void dsl_x_save(const char *path, const dsl_array *a) { dsl_x_save_as(path, a, ""); }
